# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Calls that are drawn (random_calls.py) have to answer on the card as on the kernel."""

from pathlib import Path

from side_by_side import differences

CALLS = Path(__file__).with_name("random_calls.py")
CASES = 6


def test_random_calls(tmp_path, host_build, seed):
    cases = [tmp_path / f"seed_{seed + n}.py" for n in range(CASES)]
    for n, case in enumerate(cases):
        case.write_text(f"SEED = {seed + n}\n{CALLS.read_text()}")
    differ = differences(cases, host_build)
    assert not differ, "\n".join(f"{name}:\n{text}" for name, text in differ.items())
