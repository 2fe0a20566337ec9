# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Lets the tests find the helpers that all cores share."""

import sys
from pathlib import Path

HELPERS = Path(__file__).resolve().parents[2] / "cores/common/tb"
if str(HELPERS) not in sys.path:
    sys.path.insert(0, str(HELPERS))
