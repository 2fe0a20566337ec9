# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_prbs31_gen: the bits of the shift register of clause 49.2.8, one by one."""

import cocotb
import pytest

from macpcs_prbs31 import Prbs31
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl

WIDTH = parameter("WIDTH", 32)


@cocotb.test()
async def sequence(dut):
    """After each reset, also in mid-pattern: 31 zeros and all that follows from them; of 16-bit words, 15 zeros."""
    s = Stepper(dut, ["data"])
    for n_words in (9, 300):
        await s.reset(cycles=1)
        line = 0
        for n in range(n_words):
            line |= (await s.step()).data << WIDTH * n
        n_bits = n_words * WIDTH - (WIDTH - 1)
        assert line == Prbs31(0).bits(n_bits) << WIDTH - 1
    ones = line.bit_count()
    assert 0.45 < ones / n_bits < 0.55


@cocotb.test()
async def model(dut):
    """The model itself: its period is too long to see, but 31 steps of one bit and taps are known."""
    prbs = Prbs31((1 << 31) - 1 ^ 1)  # the shift register holds 1 in its last stage, S30, only
    # That one comes back through S30 at once, then through S27 and S30 28 and 31 bits later; the output is inverted.
    bits = prbs.bits(62)
    assert [n for n in range(62) if not bits >> n & 1] == [0, 28, 31, 56]
    await Stepper(dut, ["data"]).reset()


@pytest.mark.parametrize("width", main_and_kept(__file__, [32, 16]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_prbs31_gen(width, test):
    sources = [path for path in rtl("macpcs") if path.stem == "macpcs_prbs31_gen"]
    Bench("macpcs_prbs31_gen", sources, {"WIDTH": width}).run(__name__, test)
