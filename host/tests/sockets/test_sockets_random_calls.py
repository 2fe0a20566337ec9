# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Randomly drawn calls must give the same results on the card as on the kernel."""

from pathlib import Path

import pytest

from side_by_side import differences

HERE = Path(__file__).parent
CASES = 6


@pytest.mark.parametrize("calls", ["random_calls", "random_datagrams", "random_listeners", "random_descriptors"])
def test_random_calls(calls, tmp_path, host_build, seed):
    cases = [tmp_path / f"seed_{seed + n}.py" for n in range(CASES)]
    text = (HERE / f"{calls}.py").read_text()
    for n, case in enumerate(cases):
        case.write_text(f"SEED = {seed + n}\n{text}")
    differ = differences(cases, host_build)
    assert not differ, "\n".join(f"{name}:\n{text}" for name, text in differ.items())
