# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The project's paths, and its version."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSION = (ROOT / "VERSION").read_text().strip()  # the only source of it: programs and libraries read it from there
BUILD = ROOT / "build"
CACHE = Path(os.environ.get("ULLNIC_CACHE") or ROOT / ".cache").absolute()
VENV = ROOT / ".venv"
ISOLATED = (sys.executable, "-I", "-B", str(ROOT / "python" / "ullnic" / "isolated.py"))
GIT = ("git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT))  # also if another user owns the tree


def module_command(module: str, *arguments: object) -> list[str]:
    """The command that runs a module of this package in a separate Python, which imports nothing from the current
    directory.
    """
    return [*ISOLATED, module, *map(str, arguments)]
