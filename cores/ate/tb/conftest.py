# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Lets the tests of this core find the helpers that all cores share, and the model of the line.

Most benches contain the MAC: in a copy without macpcs their tests are left out.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
MACPCS = HERE.parents[1] / "macpcs"
for path in (HERE.parents[1] / "common" / "tb", MACPCS / "tb", HERE):
    if str(path) not in sys.path:
        sys.path.insert(0, str(path))

# "ate_play" is the module that builds a bench with the MAC.
collect_ignore = (
    [] if MACPCS.is_dir() else sorted(path.name for path in HERE.glob("test_*.py") if "ate_play" in path.read_text())
)


def pytest_report_header() -> str | None:
    return f"without {MACPCS}, these are left out: {', '.join(collect_ignore)}" if collect_ignore else None
