# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_stats: nothing is lost, and a snapshot is what all counters were in one cycle, whatever clocks do."""

import os
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge, Timer

from ullnic_tb import Bench, cocotb_tests, parameter, seeded

COUNTERS = parameter("COUNTERS", 4)
INC_WIDTH = parameter("INC_WIDTH", 1)
ROUND = 2 * COUNTERS
LOW = (1 << 32) - 1
CORES = Path(__file__).resolve().parents[2]
SOURCES = [CORES / "common/rtl/cdc_bits.sv", CORES / "macpcs/rtl/macpcs_stats.sv"]


def snapshot_cycles(slow_ps, fast_ps):
    """Cycles of rd_clk (slow_ps) that a snapshot may take: two rounds and the crossings."""
    return ((2 * ROUND + 8) * fast_ps) // slow_ps + 8


class Model:
    """Plays increments, and keeps what the counters ought to be after each cycle."""

    def __init__(self, dut, rng, density=1.0):
        self.dut, self.rng, self.density = dut, rng, density
        self.totals = (0,) * COUNTERS
        self.history = [self.totals]
        self.quiet = False
        self.rst = 0
        self.task = cocotb.start_soon(self._play())

    async def _play(self):
        rng, dut = self.rng, self.dut
        while True:
            inc = [0] * COUNTERS
            if not self.quiet:
                inc = [rng.getrandbits(INC_WIDTH) if rng.random() < self.density else 0 for _ in inc]
                if self.density == 1:
                    inc = [(1 << INC_WIDTH) - 1 if rng.random() < 0.7 else value for value in inc]
            rst = self.rst
            dut.inc.value = sum(value << INC_WIDTH * i for i, value in enumerate(inc))
            dut.rst.value = rst
            await RisingEdge(dut.clk)
            totals = (0,) * COUNTERS if rst else tuple(t + v for t, v in zip(self.totals, inc, strict=True))
            self.totals = totals
            self.history.append(totals)


async def start(dut, rng, clk_ps=None, rd_ps=None):
    clk_ps = clk_ps or rng.randrange(1000, 20000, 2)
    rd_ps = rd_ps or rng.randrange(1000, 20000, 2)
    dut.snapshot.value = dut.rd_addr.value = dut.inc.value = 0
    dut.rst.value = 1
    clocks = Clock(dut.clk, clk_ps, "ps"), Clock(dut.rd_clk, rd_ps, "ps")
    clocks[1].start()
    await Timer(rng.randrange(1, rd_ps), "ps")
    clocks[0].start()
    for _ in range(3):
        await RisingEdge(dut.clk)
    return *clocks, clk_ps, rd_ps


async def read(dut):
    """All counters of the last snapshot, and with changes of rd_addr in between."""
    words = []
    for address in range(ROUND):
        await FallingEdge(dut.rd_clk)
        dut.rd_addr.value = address
        await ReadOnly()
        await RisingEdge(dut.rd_clk)
        words.append(int(dut.rd_data.value))
    return tuple(words[2 * i] | words[2 * i + 1] << 32 for i in range(COUNTERS))


async def request(dut):
    await FallingEdge(dut.rd_clk)
    dut.snapshot.value = 1
    await FallingEdge(dut.rd_clk)
    dut.snapshot.value = 0
    assert dut.busy.value == 1


async def finish(dut, limit):
    for _ in range(limit):
        if dut.busy.value == 0:
            return
        await FallingEdge(dut.rd_clk)
    raise AssertionError(f"busy for more than {limit} cycles")


async def clear(dut, model):
    model.rst = 1
    await RisingEdge(dut.clk)
    await RisingEdge(dut.clk)
    model.rst = 0


async def snapshot(dut, model, clk_ps, rd_ps):
    """Takes one, and sees that it is what the counters were in a cycle after the request."""
    since = len(model.history) - 1
    await request(dut)
    await finish(dut, snapshot_cycles(rd_ps, clk_ps))
    values, window = await read(dut), model.history[since:]
    assert values in window, (values, window[0], window[-1])
    return values


@cocotb.test()
async def nothing_is_lost(dut):
    """At full rate, snapshots at any time: each is the totals of one cycle, after the request; the last is the sum."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    _, _, clk_ps, rd_ps = await start(dut, rng)
    for density in (1, 0.5, 0.02):
        model = Model(dut, rng, density)
        await clear(dut, model)
        for _ in range(10):
            await Timer(rng.randrange(1, 3 * ROUND * clk_ps), "ps")
            await snapshot(dut, model, clk_ps, rd_ps)
        model.quiet = True
        await Timer(2 * clk_ps, "ps")
        assert await snapshot(dut, model, clk_ps, rd_ps) == model.totals and any(model.totals)
        model.task.cancel()


@cocotb.test()
async def carries_into_the_high_half(dut):
    """Counters that are put near the end of the low half, or of both, go on right."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    _, _, clk_ps, rd_ps = await start(dut, rng)
    model = Model(dut, rng)
    await clear(dut, model)
    model.quiet = True
    await Timer(4 * ROUND * clk_ps, "ps")
    before = await snapshot(dut, model, clk_ps, rd_ps)
    base = [rng.choice([LOW, (rng.getrandbits(32) << 32) + LOW, (1 << 64) - 1]) for _ in range(COUNTERS)]
    base = [value - rng.randrange(40) for value in base]
    for address in range(ROUND):  # in the step that reads it: what was on its way there has been written
        while int(dut.step_q.value) != address:
            await FallingEdge(dut.clk)
        dut.ram[address].value = base[address // 2] >> 32 * (address % 2) & LOW
        await FallingEdge(dut.clk)
    model.quiet = False
    for _ in range(20):
        await Timer(rng.randrange(1, ROUND * clk_ps), "ps")
        model.history = model.history[-1:]
        await request(dut)
        await finish(dut, snapshot_cycles(rd_ps, clk_ps))
        values = await read(dut)
        assert values in [
            tuple((b + t - o) % (1 << 64) for b, t, o in zip(base, totals, before, strict=True))
            for totals in model.history
        ]


@cocotb.test()
async def reset_at_any_time(dut):
    """It clears the counters, never a snapshot that was taken; a snapshot that it meets is taken again and is whole."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    _, _, clk_ps, rd_ps = await start(dut, rng)
    model = Model(dut, rng)
    await clear(dut, model)
    kept = await snapshot(dut, model, clk_ps, rd_ps)
    for n in range(40):
        await Timer(rng.randrange(1, 2 * ROUND * clk_ps), "ps")
        since = len(model.history) - 1
        asked = n % 4 != 0
        if asked:
            await request(dut)
            await Timer(rng.randrange(1, (ROUND + 8) * clk_ps), "ps")
        model.rst = 1
        for _ in range(rng.choice([1, 1, 2, 3, ROUND])):
            await RisingEdge(dut.clk)
        model.rst = 0
        if not asked:
            assert await read(dut) == kept and dut.busy.value == 0
            continue
        await finish(dut, 2 * snapshot_cycles(rd_ps, clk_ps))
        kept = await read(dut)
        assert kept in model.history[since:]


@cocotb.test()
async def clock_stands_still(dut):
    """The snapshot before is there, and nothing but it, until the clock runs again and the new one is whole."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    clock, _, clk_ps, rd_ps = await start(dut, rng)
    model = Model(dut, rng)
    await clear(dut, model)
    kept = await snapshot(dut, model, clk_ps, rd_ps)
    for _ in range(12):
        since = len(model.history) - 1
        await request(dut)
        await Timer(rng.randrange(1, (ROUND + 4) * clk_ps), "ps")
        clock.stop()
        await Timer(20 * rd_ps, "ps")
        busy, values = dut.busy.value, await read(dut)
        if busy:
            assert values == kept
            await request(dut)  # does nothing
        assert dut.busy.value == busy
        clock.start()
        await finish(dut, 2 * snapshot_cycles(rd_ps, clk_ps))
        kept = await read(dut)
        assert kept in model.history[since:]


CASES = [
    pytest.param({"COUNTERS": counters, "INC_WIDTH": width}, test, id=f"{counters}x{width}-{test}")
    for counters, width in ((15, 3), (5, 4), (2, 5))
    for test in cocotb_tests(__name__)
]


@pytest.mark.parametrize("parameters, test", CASES)
def test_macpcs_stats(parameters, test):
    Bench("macpcs_stats", SOURCES, parameters).run(__name__, test)
