# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""sync_phase: distinguishes the two fast cycles of a slow one, whichever edge comes first."""

import cocotb
import pytest
from cocotb.triggers import Timer

from ullnic_tb import Bench, cocotb_tests, rtl


@cocotb.test()
async def second_half(dut):
    fast = 0
    dut.slow_clk.value = dut.fast_clk.value = 0
    for slow_at in (0, 1, 0, 0, 1):  # the slow clock may lose or gain a fast cycle; then it is right again
        for n in range(21):
            await Timer(1, "ns")
            slow_edge = (fast + slow_at) % 2 == 0
            if n >= 4:
                assert int(dut.second.value) == slow_edge
            dut.fast_clk.value = 1
            dut.slow_clk.value = slow_edge
            await Timer(1, "ns")
            dut.fast_clk.value = dut.slow_clk.value = 0
            fast += 1


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_sync_phase(test):
    Bench("sync_phase", [path for path in rtl("common") if path.stem == "sync_phase"]).run(__name__, test)
