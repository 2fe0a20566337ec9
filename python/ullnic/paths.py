# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Where things lie, and of which version they are."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSION = (ROOT / "VERSION").read_text().strip()  # the one source of it: programs and libraries have it from there
BUILD = ROOT / "build"
CACHE = Path(os.environ.get("ULLNIC_CACHE") or ROOT / ".cache").absolute()
VENV = ROOT / ".venv"
GIT = ("git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT))  # also where the tree is another user's
