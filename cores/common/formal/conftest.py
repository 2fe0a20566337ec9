# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Lets the proofs of this folder find the helpers of all cores."""

import sys
from pathlib import Path

COMMON = Path(__file__).resolve().parents[2] / "common"
for path in (COMMON / "tb", COMMON / "formal"):
    if str(path) not in sys.path:
        sys.path.insert(0, str(path))
