# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""async_fifo: order, no loss, no duplication, exact latency, full rate, and resets of either side at any time.

The model counts words and edges: it knows no pointers. With metastable crossings it knows two bounds of what each side
may see: as if each bit that changes at the capturing edge were seen old, and as if it were seen new.
"""

import os
import subprocess
from pathlib import Path

import cocotb
import pytest

from cdc_clocks import PMA16_MHZ, PMA32_MHZ, SOURCES, Clocks, each_ratio, metastable, plain
from ullnic_tb import cocotb_tests, parameter, seeded

OUTPUTS = ["wr_ready", "wr_reset", "rd_valid", "rd_data", "rd_reset"]
RATES = ((1, 1), (1, 0.5), (0.5, 1), (0.5, 0.5), (0.1, 0.9), (0.9, 0.1), (1, 0), (0, 1))


class Side:
    """What one side has moved, and what the other side sees of it, at least and at most."""

    def __init__(self, stages):
        self.moved = 0
        self.seen = [(0, 0)] * stages  # by the other side: newest first, the last one is what it knows

    def captured(self, moving: bool) -> None:
        """An edge of the other side, in a step in which this side moves a word or does not."""
        self.seen = [(self.moved, self.moved + moving), *self.seen[:-1]]


class Fifo:
    """The module under test, driven by chance and checked against the model in each step."""

    def __init__(self, dut, mhz, rng, aligned=False):
        self.rng = rng
        self.depth, self.stages = parameter("DEPTH", 8), parameter("SYNC_STAGES", 2)
        crossings = ("to_writer", "to_reader", "resets.to_a", "resets.to_b")
        self.clocks = Clocks(dut, ("wr_clk", "rd_clk"), mhz, self.rng, OUTPUTS, crossings, aligned)
        self.metastable = bool(self.clocks.late)
        self.width = len(dut.wr_data)
        self.wr_rate, self.rd_rate = 0, 0
        self.offer, self.accept = None, False  # what stands at the ports until the next edge of that side
        self.inside = []
        self.taken = 0
        self.restart()

    def restart(self):
        self.writes, self.reads = Side(self.stages), Side(self.stages)
        self.ready_bounds = None  # known after the first edge of wr_clk

    async def step(self, check=True, wr_rst=0, rd_rst=0):
        """One step; `check`: no reset is about, so that the model knows all."""
        due = self.clocks.due()
        offered = self.offer is not None
        inputs = {
            "wr_valid": offered,
            "wr_data": self.offer if offered else self.rng.getrandbits(self.width),
            "rd_ready": self.accept,
            "wr_rst": wr_rst,
            "rd_rst": rd_rst,
        }
        out = await self.clocks.step(due, **inputs)
        wr, rd = "wr_clk" in due, "rd_clk" in due
        put, take = wr and offered and out.wr_ready, rd and self.accept and out.rd_valid
        assert not (out.wr_ready and out.wr_reset) and not (out.rd_valid and out.rd_reset)
        if out.rd_valid:
            assert self.inside and out.rd_data == self.inside[0]
        if check:
            self._check(out, wr, rd, put, take)
        if take:
            self.inside.pop(0)
            self.taken += 1
        if put:
            self.inside.append(self.offer)
        if out.rd_reset:
            self.inside.clear()
        if wr and (put or not offered):
            self.offer = self.rng.getrandbits(self.width) if self.rng.random() < self.wr_rate else None
        if rd:
            self.accept = self.rng.random() < self.rd_rate
        return out, due, put, take

    def _check(self, out, wr, rd, put, take):
        assert not (out.wr_reset or out.rd_reset)
        at_least, at_most = (seen - self.reads.moved for seen in self.writes.seen[-1])
        assert (at_least > 0) <= out.rd_valid <= (at_most > 0)
        if self.ready_bounds:
            assert self.ready_bounds[0] <= out.wr_ready <= self.ready_bounds[1]
        if wr:
            self.ready_bounds = [self.writes.moved + bool(put) - seen < self.depth for seen in self.reads.seen[-1]]
            self.reads.captured(take and self.metastable)
        if rd:
            self.writes.captured(put and self.metastable)
        self.writes.moved += bool(put)
        self.reads.moved += bool(take)
        assert len(self.inside) <= self.depth

    async def settle(self):
        """Runs idle until both sides have left reset, and for some edges more."""
        edges = {"wr_clk": 0, "rd_clk": 0}
        self.wr_rate = self.rd_rate = 0
        self.offer, self.accept = None, False
        while min(edges.values()) < 12 * (self.stages + 1):
            out, due, *_ = await self.step(check=False)
            for name in due:
                edges[name] += 1
        assert not (out.wr_reset or out.rd_reset) and not out.rd_valid and out.wr_ready
        self.inside.clear()
        self.restart()

    async def drain(self, check=True):
        """Reads all that is inside; the FIFO is then empty and ready."""
        self.wr_rate, self.rd_rate, self.accept = 0, 1, True
        self.offer = None
        edges = 0
        while edges < self.depth + 4 * (self.stages + 2):
            _, due, *_ = await self.step(check)
            edges = edges + 1 if "rd_clk" in due else edges
        assert not self.inside


@cocotb.test()
async def async_fifo_traffic(dut):
    """All patterns of offer and acceptance; rd_valid and wr_ready in each step as the count of edges says."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for mhz in each_ratio(rng):
        fifo = Fifo(dut, mhz, rng)
        await fifo.settle()
        ratio = max(mhz) / min(mhz)
        for fifo.wr_rate, fifo.rd_rate in RATES:
            for _ in range(int(max(200, 16 * ratio))):
                await fifo.step()
            assert fifo.taken >= 8  # in the first pattern already, which leaves nothing to chance
        await fifo.drain()


@cocotb.test()
async def async_fifo_full_and_empty(dut):
    """Filled to the brim, it has taken DEPTH words; emptied, it has given them; each time round the pointers."""
    fifo = Fifo(dut, (PMA32_MHZ, 350.0), seeded(os.environ["ULLNIC_TEST_NAME"]))
    await fifo.settle()
    for _ in range(5):
        fifo.wr_rate, fifo.rd_rate, fifo.accept = 1, 0, False
        for _ in range(6 * fifo.depth):
            out, *_ = await fifo.step()
        assert not out.wr_ready and len(fifo.inside) == fifo.depth
        fifo.offer = None
        await fifo.drain()


@cocotb.test()
async def async_fifo_full_rate(dut):
    """A reader that is no slower never makes the writer wait, from the first word on, if the depth is enough."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    enough = parameter("DEPTH", 8) >= 2 * parameter("SYNC_STAGES", 2) + 3
    for mhz in ((PMA16_MHZ, PMA16_MHZ), (PMA32_MHZ, PMA32_MHZ * 1.0002), (PMA32_MHZ, 350.0), (100.0, 101.0)):
        for aligned in (True, False):
            fifo = Fifo(dut, mhz, rng, aligned)
            await fifo.settle()
            fifo.wr_rate = fifo.rd_rate = 1
            fifo.accept = True
            waits = 0
            for _ in range(500):
                out, *_ = await fifo.step()
                waits += not out.wr_ready
            assert bool(waits) != enough, "DEPTH is enough for full rate" if enough else "DEPTH is too small to show it"
            await fifo.drain()


class Attack:
    """Resets of one side or both that are still to come, in edges of that side."""

    def __init__(self, rng):
        sides = rng.choice((("wr",), ("rd",), ("wr", "rd")))
        self.before = {side: rng.randrange(1, 12) if side in sides else 0 for side in ("wr", "rd")}
        self.cycles = {side: rng.choice((1, 1, 1, 2, 7, 40)) if side in sides else 0 for side in ("wr", "rd")}

    def now(self, side) -> bool:
        return self.cycles[side] > 0 and self.before[side] == 0

    def over(self) -> bool:
        return not any(self.cycles.values())

    def edge(self, side) -> bool:
        """An edge of this side: true if it saw the reset."""
        pulse = self.now(side)
        if pulse:
            self.cycles[side] -= 1
        elif self.before[side]:
            self.before[side] -= 1
        return pulse


@cocotb.test()
async def async_fifo_resets(dut):
    """Pulses on either side at any time, also in the midst of a reset, and of one cycle: nothing false comes out, both
    sides are in reset together before the one that was reset leaves, and traffic flows again."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for mhz in each_ratio(rng):
        fifo = Fifo(dut, mhz, rng)
        ratio = max(mhz) / min(mhz)
        patience = 8 * (fifo.stages + 1)  # edges of either side in which the last reset must end
        await fifo.settle()
        for _ in range(25 if ratio < 10 else 5):
            fifo.wr_rate, fifo.rd_rate = rng.choice(((1, 1), (1, 0.4), (0.4, 1), (1, 0)))
            await attacked(fifo, Attack(rng), patience, rng.choice((0, 1, 2, 4, 6, 9, patience + 30)))
        await attacked(fifo, Attack(rng), patience, 2 * patience)
        await fifo.drain(check=False)  # what was written after the reset has all arrived
        await fifo.settle()
        fifo.wr_rate = fifo.rd_rate = 0.7
        for _ in range(int(max(100, 16 * ratio))):
            await fifo.step()
        await fifo.drain()


async def attacked(fifo, attack, patience, pause):
    """Runs until both sides have seen `pause` edges after the attack."""
    pending = {"wr": False, "rd": False}
    quiet = {"wr": 0, "rd": 0}
    while not attack.over() or min(quiet.values()) < pause:
        out, due, *_ = await fifo.step(check=False, wr_rst=attack.now("wr"), rd_rst=attack.now("rd"))
        reset = {"wr": out.wr_reset, "rd": out.rd_reset}
        for side, is_pending in pending.items():
            assert reset[side] or not is_pending, f"{side} left reset before both were in it"
        assert min(quiet.values()) < patience or not any(reset.values()), "a reset does not end"
        if all(reset.values()):
            pending = {"wr": False, "rd": False}
        for side in pending:
            if f"{side}_clk" in due:
                quiet[side] += 1
                if attack.edge(side):
                    pending[side] = True
                    quiet = {"wr": 0, "rd": 0}


@cocotb.test()
async def async_fifo_held_in_reset(dut):
    """While one side's reset lasts, both stay."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for mhz in each_ratio(rng):
        fifo = Fifo(dut, mhz, rng)
        await fifo.settle()
        for held in ("wr", "rd"):
            fifo.wr_rate = fifo.rd_rate = 1
            steps = int(8 * (fifo.stages + 1) * (1 + max(mhz) / min(mhz)))
            for step in range(2 * steps):
                out, *_ = await fifo.step(check=False, **{f"{held}_rst": 1})
                assert step < steps or (out.wr_reset and out.rd_reset)
            await fifo.settle()


BENCHES = [
    plain("async_fifo", WIDTH=16, DEPTH=8, SYNC_STAGES=2),
    plain("async_fifo", WIDTH=9, DEPTH=16, SYNC_STAGES=3),
    metastable("async_fifo", WIDTH=16, DEPTH=8, SYNC_STAGES=2),
    metastable("async_fifo", WIDTH=5, DEPTH=4, SYNC_STAGES=2),
]


@pytest.mark.parametrize("test", cocotb_tests(__name__))
@pytest.mark.parametrize("bench", BENCHES, ids=lambda bench: bench.label)
def test_async_fifo(bench, test):
    bench.run(__name__, test)


@pytest.mark.parametrize(
    "setting, complaint",
    [
        ("DEPTH=4", None),
        ("DEPTH=64", None),
        ("SYNC_STAGES=4", None),
        ("DEPTH=2", "async_fifo: DEPTH must be a power of two, at least 4"),
        ("DEPTH=12", "async_fifo: DEPTH must be a power of two, at least 4"),
        ("SYNC_STAGES=1", "async_fifo: SYNC_STAGES must be at least 2"),
    ],
)
def test_async_fifo_parameters(setting, complaint):
    waivers = Path(__file__).parents[1] / "common.vlt"
    argv = ["verilator", "--lint-only", "-Wall", "--top", "async_fifo", f"-G{setting}", waivers, *SOURCES]
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert (complaint in done.stdout) if complaint else done.returncode == 0, done.stdout
