# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Lets the tests find the helpers that all cores share, and the unit tests of toe, which an export passes, too."""

import sys
from pathlib import Path

CORES = Path(__file__).resolve().parents[2] / "cores"
for path in (CORES / "common" / "tb", CORES / "toe" / "tb"):
    if str(path) not in sys.path:
        sys.path.append(str(path))
