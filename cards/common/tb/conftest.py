# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Lets the tests of the shell find the helpers that all cores share, and the models of its cores."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CORES = HERE.parents[2] / "cores"
for path in (*(CORES / core / "tb" for core in ("common", "macpcs", "ate", "qdma")), HERE):
    if str(path) not in sys.path:
        sys.path.insert(0, str(path))
