# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Lets the tests of this card find the helpers that all cores share."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
for path in (HERE.parents[2] / "cores" / "common" / "tb", HERE):
    if str(path) not in sys.path:
        sys.path.insert(0, str(path))
