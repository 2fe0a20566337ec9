# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_idle_check: one error for each block that is not an idle block, three cycles after its last word."""

import os

import cocotb
import pytest

from baser import IDLE_BLOCK
from baser_gearbox import ends, slot_of
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

WIDTH = parameter("WIDTH", 32)


@cocotb.test()
async def blocks(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = Stepper(dut, ["error"])
    for bad_rate in (0, 0.02, 0.3, 1):
        await s.reset(slot=0b100, header=1, word_q=0, lock=1, test_mode=1)
        n_blocks = 300
        played = [IDLE_BLOCK] * n_blocks
        for i in range(n_blocks):
            if rng.random() < bad_rate:
                played[i] = rng.choice([IDLE_BLOCK ^ 1 << rng.randrange(66), rng.getrandbits(66)])
        before, want = 0, {}
        oks = [int(rng.random() > 0.1) for _ in range(n_blocks)]
        if bad_rate:  # one for certain, among those that are there whole
            at = rng.randrange(n_blocks - 4)
            played[at], oks[at] = IDLE_BLOCK ^ 1 << rng.randrange(66), 1
        test_mode = mode_before = 1
        for n, place in enumerate(ends(WIDTH, 66 * n_blocks // WIDTH, rng.randrange(66))):
            inside = place is not None and place.block >= 0
            block, lock = (played[place.block], oks[place.block]) if inside else (IDLE_BLOCK, 0)  # not whole
            word = rng.getrandbits(WIDTH) if place is None else block >> 2 + WIDTH * place.pos & (1 << WIDTH) - 1
            if rng.random() < 0.02:
                test_mode ^= 1
            rst = rng.random() < 0.02
            inputs = {"slot": slot_of(place), "header": block & 3, "word_q": before, "lock": lock}
            out = await s.step(**inputs, test_mode=test_mode, rst=rst)
            before = word
            assert out.error == (want.get(n, False) and mode_before), n
            mode_before = test_mode and not rst
            if place is not None and place.pos == 64 // WIDTH - 1:
                want[n + 3] = bool(lock and block != IDLE_BLOCK)
        assert any(want.values()) == (bad_rate > 0)


@pytest.mark.parametrize("width", main_and_kept(__file__, [32, 16]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_idle_check(width, test):
    sources = [path for path in rtl("macpcs") if path.stem in ("macpcs_pkg", "macpcs_idle_check")]
    Bench("macpcs_idle_check", sources, {"WIDTH": width}).run(__name__, test)
