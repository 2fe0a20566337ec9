# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Lets the proofs of the shell find the helper that all cores share."""

import sys
from pathlib import Path

COMMON = str(Path(__file__).resolve().parents[3] / "cores" / "common" / "formal")
if COMMON not in sys.path:
    sys.path.insert(0, COMMON)
