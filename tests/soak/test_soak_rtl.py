# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic soak rtl`: a slice of each fuzzer of RTL, and what a fault looks like."""

import pytest

from ullnic.build import build_sim
from ullnic.cards import fuzzers
from ullnic.errors import UllnicError
from ullnic.soak_rtl import CORES, program_of, run_fuzzer

FRAMES = {
    "toe_card": 15_000,
    **dict.fromkeys((core for core in CORES if core.startswith("macpcs")), 5_000),
    **dict.fromkeys(fuzzers(), 3_000),
}
MORE_FRAMES = 50_000


@pytest.mark.parametrize("core", CORES)
def test_no_fault(core, seed):
    program = build_sim(targets=(program_of(core),), progress=False) / program_of(core)
    frames = FRAMES.get(core, MORE_FRAMES)
    summary = run_fuzzer(program, frames, seed, lambda status: None)
    assert summary["frames"] >= frames


@pytest.mark.parametrize("core", ("ate", "ate_plain"))
def test_corners_are_met(core, seed):
    """What tests of single frames hardly meet: a raw frame that is cut by one that ends at once, or in the very word in
    which it becomes too long."""
    program = build_sim(targets=(program_of(core),), progress=False) / program_of(core)
    met = run_fuzzer(program, MORE_FRAMES, seed, lambda status: None)["met"]["engine"]
    assert met["raw_restart beside raw_over"] > 0 and met["raw_restart beside tx_eof_net"] > 0
    assert "drop_first_q for more than a cycle" not in met


def script(path, *lines):
    path.write_text("#!/bin/sh\n" + "\n".join(lines) + "\n")
    path.chmod(0o755)
    return path


def test_fault_names_its_command(tmp_path):
    program = script(tmp_path / "fuzzer", """echo '{"event": "error", "message": "SEQ is 3"}'""", "exit 1")
    with pytest.raises(UllnicError, match="SEQ is 3") as caught:
        run_fuzzer(program, 10, 7, lambda status: None)
    assert f"{program} --frames 10 --seed 7" in caught.value.remedy


def test_end_without_a_word_is_a_fault(tmp_path):
    with pytest.raises(UllnicError, match="without a summary, exit code 3"):
        run_fuzzer(script(tmp_path / "fuzzer", "exit 3"), 10, 7, lambda status: None)
