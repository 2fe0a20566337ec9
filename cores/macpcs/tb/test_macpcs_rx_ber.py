# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_rx_ber: the BER monitor state diagram of clause 49.2.13.3, with short windows and with the real one."""

import os

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, RisingEdge, with_timeout
from cocotb.utils import get_sim_time

from ullnic_tb import Bench, Stepper, cocotb_tests, parameter, rtl, seeded

WIDTH = parameter("WIDTH", 32)
WINDOW = parameter("WINDOW_CYCLES", 0)
CYCLES = WINDOW - WINDOW % 16
LIMIT = 16  # bad headers


class BerMonitor:
    """The diagram: what hi_ber is when a cycle is over, and whether a window has ended."""

    def __init__(self):
        self.restart()

    def restart(self):
        self.hi_ber, self.ended, self.left, self.bad = False, False, CYCLES, 0

    def cycle(self, off: bool, bad_header: bool) -> bool:
        if off:
            self.restart()
            return False
        self.bad += bad_header
        self.left -= 1
        if self.bad >= LIMIT:
            self.hi_ber = True
        self.ended = self.left == 0
        if self.ended:
            self.hi_ber = self.bad >= LIMIT
            self.left, self.bad = CYCLES, 0
        return self.hi_ber


class Follow:
    """Holds the module against the diagram: hi_ber three cycles late, window_end two."""

    def __init__(self, dut):
        self.s, self.model = Stepper(dut, ["hi_ber", "window_end"]), BerMonitor()

    async def reset(self):
        await self.s.reset(lock=0, stat_bad_header=0, test_mode=0)
        self.model.restart()
        self.wants, self.ends = [False] * 3, [False] * 2

    async def step(self, bad=0, lock=1, test_mode=0, rst=0) -> int:
        out = await self.s.step(lock=lock, stat_bad_header=bad, test_mode=test_mode, rst=rst)
        assert (out.hi_ber, out.window_end) == (self.wants.pop(0), self.ends.pop(0))
        off = not lock or test_mode or rst
        if off:
            self.wants[1] = False  # two cycles later, not three
        self.wants.append(self.model.cycle(off, bad))
        self.ends.append(self.model.ended)
        return out.hi_ber

    async def window(self, bad_at) -> int:
        """One window with bad headers in these cycles; the answer is hi_ber three cycles before its end."""
        for n in range(CYCLES):
            out = await self.step(n in bad_at)
        return out


@cocotb.test()
async def counts(dut):
    """15 are not enough, 16 are, in the same window only; the first and the last cycle belong to it."""
    follow = Follow(dut)
    await follow.reset()
    last = CYCLES - 1
    for bad_at, want in (
        (range(15), 0),
        (range(last - 7, last + 1), 0),  # 8 at the end of one window and 8 at the start of the next
        (range(8), 0),
        ({*range(14), last - 3}, 0),
        ({*range(15), last - 3}, 1),
        (range(15), 1),  # still set when it has ended: it is cleared by its end
        ((), 0),
        ({*range(15), last}, 0),  # set by its last cycle, so seen in the next window
        (range(15), 1),
        ((), 0),
    ):
        assert await follow.window(set(bad_at)) == want, bad_at


@cocotb.test()
async def at_random(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    follow = Follow(dut)
    seen = set()
    for off_rate in (0, 0.002, 0.05):
        await follow.reset()
        for _ in range(40):
            rate = rng.choice([0, 10, 14, 16, 18, 30, CYCLES]) / CYCLES
            for _ in range(CYCLES):
                off = {}
                at_end = follow.model.left < 4
                if off_rate and rng.random() < (0.1 if at_end else off_rate):
                    off = rng.choice([{"lock": 0}, {"test_mode": 1}, {"rst": 1}])
                seen.add(await follow.step(int(rng.random() < rate), **off))
    assert seen == {0, 1}


@cocotb.test()
async def real_window(dut):
    """125 us, +1 % -25 %."""
    period_ps = round(WIDTH / 10.3125e-3)
    period_ps += period_ps % 2
    cocotb.start_soon(Clock(dut.clk, period_ps, unit="ps").start())
    dut.rst.value, dut.lock.value, dut.test_mode.value, dut.stat_bad_header.value = 1, 0, 0, 0
    await ClockCycles(dut.clk, 3)
    dut.rst.value, dut.lock.value = 0, 1
    begin = get_sim_time("ps")
    dut.stat_bad_header.value = 1
    await ClockCycles(dut.clk, 15)
    dut.stat_bad_header.value = 0
    await ClockCycles(dut.clk, 20)
    assert dut.hi_ber.value == 0
    dut.stat_bad_header.value = 1
    await ClockCycles(dut.clk, 1)
    dut.stat_bad_header.value = 0
    await with_timeout(RisingEdge(dut.hi_ber), 10, "us")
    assert get_sim_time("ps") - begin < 50 * period_ps
    await with_timeout(FallingEdge(dut.hi_ber), 1000, "us")
    two_windows_us = (get_sim_time("ps") - begin) / 1e6
    assert 2 * 0.999 * 125 < two_windows_us < 2 * 1.01 * 125, two_windows_us


CASES = [*(("real_window", 0, width) for width in (16, 32)), *((test, 100, 32) for test in ("counts", "at_random"))]


@pytest.mark.parametrize("test, window, width", CASES)
def test_rx_ber(test, window, width):
    assert {case[0] for case in CASES} == set(cocotb_tests(__name__))
    parameters = {"WIDTH": width} | ({"WINDOW_CYCLES": window} if window else {})
    sources = [path for path in rtl("macpcs") if path.stem == "macpcs_rx_ber"]
    Bench("macpcs_rx_ber", sources, parameters).run(__name__, test)
