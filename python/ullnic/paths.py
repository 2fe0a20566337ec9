# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Where things lie, and of which version they are."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSION = (ROOT / "VERSION").read_text().strip()  # the one source of it: programs and libraries have it from there
BUILD = ROOT / "build"
CACHE = Path(os.environ.get("ULLNIC_CACHE") or ROOT / ".cache").absolute()
VENV = ROOT / ".venv"
ISOLATED = (sys.executable, "-I", "-B", str(ROOT / "python" / "ullnic" / "isolated.py"))
GIT = ("git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT))  # also where the tree is another user's


def module_command(module: str, *arguments: object) -> list[str]:
    """What runs a module of this package in a Python of its own, which takes nothing from the current directory."""
    return [*ISOLATED, module, *map(str, arguments)]
