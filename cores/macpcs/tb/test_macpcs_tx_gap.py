# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_tx_gap: each block's offer, and gaps as they come out on the line, against clause 46.3.1.4 in bytes."""

import functools
import itertools
import os

import cocotb
import pytest

from baser_gearbox import slot_of, starts
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

WIDTH = parameter("WIDTH", 32)
MEAN = parameter("IFG_COUNT", 12)
LAST_POS = 64 // WIDTH - 1
# In which word of the block before its own macpcs_tx_frame and macpcs_tx_frame16 report a terminate block
REPORT_POS = {32: 0, 16: 2}[WIDTH]


@functools.cache
def schedule():
    return starts(WIDTH, 400_000 // WIDTH * 2)


class Rule:
    """The rule, in bytes on the line: gaps may fall up to 3 bytes behind the mean; a lead over it is not kept."""

    def __init__(self):
        self.deficit, self.end = 0, None

    def leaves(self, at: int) -> int:
        """The deficit if a frame starts at byte `at`."""
        return 0 if self.end is None else max(0, self.deficit + MEAN - (at - self.end))

    def lane(self, block: int) -> int | None:
        """The lane that this block offers to a frame."""
        return next((lane for lane in (0, 4) if self.leaves(8 * block + lane) <= 3), None)

    def start(self, at: int) -> int | None:
        """The gap that ends here."""
        gap = None if self.end is None else at - self.end
        self.deficit, self.end = self.leaves(at), None
        return gap


class Line:
    """Frames from a reset on. A frame's terminate block is its second or third block behind the start block."""

    def __init__(self, dut, rng):
        self.s = Stepper(dut, ["offer0_next", "offer4_next", "offer0", "offer4"])
        self.rng, self.rule, self.places = rng, Rule(), iter(schedule())
        self.here, self.next, self.state, self.report_in = None, None, "idle", 0
        self.inputs, self.promised = {}, (0, 0)

    async def reset(self) -> None:
        await self.s.reset(slot=LAST_POS, block_next=1, step=1, idle=1, terminate=0, terminate_bytes=0, start=0)
        self.next = next(self.places)
        while (self.next.block, self.next.pos) != (1, 0):  # what block 0 offers depends on how reset ends
            self.here, self.next = self.next, next(self.places)
            await self._cycle(0)

    async def _cycle(self, start: int, **terminate: int) -> None:
        wanted = {"slot": slot_of(self.here), "step": int(self.next is not None)}
        wanted["block_next"] = int(self.next is not None and self.next.pos == 0)
        wanted |= {"idle": int(self.state == "idle"), "start": start, "terminate": 0} | terminate
        changed = {name: value for name, value in wanted.items() if self.inputs.get(name) != value}
        self.inputs |= changed
        seen = await self.s.step(**changed)
        assert (seen.offer0, seen.offer4) == self.promised, "offers are not those of the cycle before"
        self.promised = (seen.offer0_next, seen.offer4_next)

    async def gap(self, data_bytes: int, patience: int) -> int | None:
        """Lets `patience` offers go by, starts a frame, and ends it: the gap before it. `data_bytes` are those of its
        terminate block."""
        gap = None
        while True:
            self.here, self.next = self.next, next(self.places)
            first = self.here is not None and self.here.pos == 0
            lane = self.rule.lane(self.here.block) if first and self.state == "idle" else None
            assert self.promised == (lane == 0, lane == 4), f"{self.rule.deficit=}, lane {lane} due"
            start = lane is not None and patience == 0
            patience -= lane is not None and not start
            if first and self.state == "frame":
                self.report_in -= 1
            if self.state == "frame" and self.report_in == 0 and self.here is not None and self.here.pos == REPORT_POS:
                self.rule.end = 8 * (self.here.block + 1) + data_bytes
                await self._cycle(0, terminate=1, terminate_bytes=data_bytes)
                self.state = "idle"
                return gap
            await self._cycle(int(start))
            if start:
                gap = self.rule.start(8 * self.here.block + lane)
                self.state, self.report_in = "frame", self.rng.randrange(1, 3)


@cocotb.test()
async def always_waiting(dut):
    """Each deficit (0..3) meets each number of data bytes (0..7). A gap is the mean less what the deficit grows by."""
    line = Line(dut, seeded(os.environ["ULLNIC_TEST_NAME"]))
    await line.reset()
    await line.gap(0, 0)
    found, met, last = [], set(), 0

    async def frame(data_bytes):
        nonlocal last
        met.add((line.rule.deficit, last))
        found.append(await line.gap(data_bytes, 0))
        last = data_bytes
        assert 0 <= MEAN * len(found) - sum(found) <= 3, found

    pairs = list(itertools.product(range(4), range(8)))
    line.rng.shuffle(pairs)
    for deficit, data_bytes in pairs:
        # The frame under way ends with `last` data bytes; the next one's brings about the deficit wanted.
        to_come = (line.rule.deficit + last + MEAN) % 4
        await frame((deficit - to_come - MEAN) % 4)
        await frame(data_bytes)
    await frame(0)
    assert len(met) == 32
    assert {gap - MEAN for gap in found} == set(range(-3, 4))


@cocotb.test()
async def sometimes_waiting(dut):
    """With offers let go by at random: no gap too short, no more than 3 bytes taken without being given back."""
    line = Line(dut, seeded(os.environ["ULLNIC_TEST_NAME"]))
    await line.reset()
    await line.gap(0, 0)
    deficit = 0
    for _ in range(6000 // (MEAN + 30)):
        gap = await line.gap(line.rng.randrange(8), line.rng.choice([0, 0, 0, 1, 2, 5]))
        deficit = max(deficit + MEAN - gap, 0)
        assert gap >= MEAN - 3 and deficit <= 3, f"gap {gap}, deficit {deficit}"


@pytest.mark.parametrize(
    "width, ifg_count",
    main_and_kept(
        __file__,
        [(16, 12), (16, 14), (16, 17), (16, 255), *((32, gap) for gap in (12, 13, 14, 15, 16, 17, 30, 255))],
        lambda width, gap: gap == 12,
    ),
)
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_tx_gap(width, ifg_count, test):
    Bench("macpcs_tx_gap", rtl("common", "macpcs"), {"WIDTH": width, "IFG_COUNT": ifg_count}).run(__name__, test)
