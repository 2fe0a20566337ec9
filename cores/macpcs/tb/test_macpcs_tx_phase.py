# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_tx_phase: the schedule is that of 66-bit blocks laid end to end."""

import cocotb
import pytest

from baser_gearbox import slot_of, starts
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl

WIDTH = parameter("WIDTH", 32)


@cocotb.test()
async def schedule(dut):
    s = Stepper(dut, ["slot", "slot_next", "block_next", "room_next", "step", "step_next"])
    await s.reset()
    places = starts(WIDTH, 5 * 33)
    for n in range(4 * 33):
        out = await s.step()
        here = places[n]
        if n:
            assert out.slot == slot_of(places[n - 1])
        assert out.slot_next == slot_of(here)
        # room: half the bits that are left above the shift; the unshifted block has the most, and stall counts with it
        assert out.room_next == (WIDTH - 2 - (0 if here is None else here.bit)) % WIDTH // 2
        assert out.block_next == (here is not None and here.pos == 0)
        assert out.step == (here is not None) and out.step_next == (places[n + 1] is not None)


@cocotb.test()
async def reset_at_any_time(dut):
    s = Stepper(dut, ["slot_next", "step"])
    for n in range(40):
        await s.reset(1)
        for place in starts(WIDTH, n):
            out = await s.step()
            assert out.slot_next == slot_of(place)


@pytest.mark.parametrize("width", main_and_kept(__file__, [32, 16]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_tx_phase(width, test):
    Bench("macpcs_tx_phase", rtl("common", "macpcs"), {"WIDTH": width}).run(__name__, test)
