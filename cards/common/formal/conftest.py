# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Lets the proofs of the shell find the helpers that all cores share."""

import sys
from pathlib import Path

COMMON = Path(__file__).resolve().parents[3] / "cores" / "common"
for path in (COMMON / "tb", COMMON / "formal"):
    if str(path) not in sys.path:
        sys.path.insert(0, str(path))
