# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""cdc_bits: each bit after STAGES edges, all zero after configuration and after a reset."""

import os

import cocotb
import pytest

from cdc_clocks import plain
from ullnic_tb import Stepper, cocotb_tests, main_and_kept, parameter, seeded


@cocotb.test()
async def cdc_bits_delay(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = Stepper(dut, ["q"])
    chain = [0] * parameter("STAGES", 2)
    for _ in range(2000):
        d, rst = rng.getrandbits(len(dut.d)), rng.random() < 0.05
        out = await s.step(d=d, rst=rst)
        assert out.q == chain[-1]
        chain = [0] * len(chain) if rst else [d, *chain[:-1]]


@pytest.mark.parametrize("test", cocotb_tests(__name__))
@pytest.mark.parametrize("width, stages", main_and_kept(__file__, [(1, 2), (5, 3)]))
def test_cdc_bits(width, stages, test):
    plain("cdc_bits", WIDTH=width, STAGES=stages).run(__name__, test)
