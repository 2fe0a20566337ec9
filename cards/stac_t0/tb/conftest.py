# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Lets the tests of this card find the helpers that all cores share, those of the trigger card, and their own."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TB = [ROOT / "cores" / core / "tb" for core in ("common", "macpcs", "ate")]
for path in (*TB, ROOT / "cards" / "trigger" / "tb", HERE):
    if str(path) not in sys.path:
        sys.path.insert(0, str(path))
