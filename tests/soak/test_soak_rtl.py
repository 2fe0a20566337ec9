# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic soak rtl`: a slice of each fuzzer of RTL when something has changed (deep), in every run one that
the seed draws; and what a fault looks like."""

import random

import pytest

from ullnic.build import build_sim
from ullnic.cards import fuzzers
from ullnic.deep import deep, hardware
from ullnic.errors import UllnicError
from ullnic.points.sources import BUILD_FILES, program_sources
from ullnic.soak_rtl import CORES, program_of, run_fuzzer

FRAMES = {
    "toe_card": 15_000,
    **dict.fromkeys((core for core in CORES if core.startswith("macpcs")), 5_000),
    **dict.fromkeys(fuzzers(), 3_000),
    "qdma_256": 120_000,  # a fifth of them set its functions up
}
MORE_FRAMES = 50_000
EACH = deep(__file__, "python/ullnic/soak_rtl.py", *BUILD_FILES, lambda: program_sources("fuzz"), hardware)


def no_fault(core: str, seed: int, part: int = 1) -> dict:
    program = build_sim(targets=(program_of(core),), progress=False) / program_of(core)
    frames = FRAMES.get(core, MORE_FRAMES) // part
    summary = run_fuzzer(program, frames, seed, lambda status: None)
    assert summary["frames"] >= frames
    return summary


@EACH
@pytest.mark.parametrize("core", CORES)
def test_no_fault(core):
    no_fault(core, seed=1)


def test_no_fault_of_the_one_drawn(seed):
    core = random.Random(seed).choice(list(CORES))
    print(f"drawn: {core}")
    no_fault(core, seed, part=4)


@EACH
@pytest.mark.parametrize("core", ("ate", "ate_plain"))
def test_corners_are_met(core):
    """What tests of single frames hardly meet: a raw frame that is cut by one that ends at once, or in the very word in
    which it becomes too long."""
    met = no_fault(core, seed=2)["met"]["engine"]
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
