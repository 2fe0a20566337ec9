# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Lets the tests of this core find the helpers that all cores share, and gives cocotb tests their marks."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
for path in (HERE.parents[1] / "common" / "tb", HERE):
    if str(path) not in sys.path:
        sys.path.insert(0, str(path))

from ullnic_tb.marks import pytest_itemcollected  # noqa: E402, F401
