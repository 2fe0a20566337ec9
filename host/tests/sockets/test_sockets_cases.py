# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Cases that print the same on the kernel's sockets and on the card's: those of cases/, and those of the files and
folders that ULLNIC_SOCKET_CASES names (separated by colons).
"""

import os
from pathlib import Path

from side_by_side import differences

HERE = Path(__file__).parent


def find_cases() -> list[Path]:
    places = [HERE / "cases"] + [Path(name) for name in os.environ.get("ULLNIC_SOCKET_CASES", "").split(":") if name]
    return [case for place in places for case in (sorted(place.glob("*.py")) if place.is_dir() else [place])]


def test_cases(host_build):
    """All cases run at once: they mostly wait."""
    differ = differences(find_cases(), host_build)
    assert not differ, "\n".join(f"{name}:\n{text}" for name, text in differ.items())


def test_a_case_that_differs_is_seen(tmp_path, host_build):
    case = tmp_path / "where.py"
    case.write_text("def program(): out('LD_PRELOAD' in os.environ)\ndef peer(): out(err(os.open, '/nowhere', 0))\n")
    text = differences([case], host_build)[case.name]
    assert "-False\n+True\n" in text and "ENOENT" not in text
