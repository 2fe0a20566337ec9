# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""cdc_reset: whatever the pulses and the clocks, both sides are in reset together, and both come out of it."""

import os

import cocotb
import pytest

from cdc_clocks import Clocks, each_ratio, metastable, plain
from ullnic_tb import cocotb_tests, parameter, seeded

OUTPUTS = ["a_reset", "a_reset_next", "a_both", "b_reset", "b_reset_next"]


class Pair:
    """The module under test; what holds at all times is checked in each step."""

    def __init__(self, dut, mhz, rng):
        self.clocks = Clocks(dut, ("a_clk", "b_clk"), mhz, rng, OUTPUTS, ("to_a", "to_b"))
        self.patience = 8 * (parameter("STAGES", 2) + 1)
        self.pending = {"a": False, "b": False}
        self.quiet = {"a": 0, "b": 0}  # edges since the last pulse
        self.expected = {}  # after the last edge
        self.reported = False  # by a_both, before the last edge

    async def step(self, a_rst=0, b_rst=0):
        due = self.clocks.due()
        out = await self.clocks.step(due, a_rst=a_rst, b_rst=b_rst)
        reset = {"a": out.a_reset, "b": out.b_reset}
        for side, value in self.expected.items():
            assert reset[side] == value, f"{side}_reset_next was not what {side}_reset is"
        assert not (out.a_both or self.reported) or all(reset.values()), "a_both while a side runs"
        for side, is_pending in self.pending.items():
            assert reset[side] or not is_pending, f"{side} left reset before both were in it"
        assert min(self.quiet.values()) < self.patience or not any(reset.values()), "a reset does not end"
        if all(reset.values()):
            self.pending = {"a": False, "b": False}
        self.expected = {}
        self.reported = out.a_both
        for side, rst, following in (("a", a_rst, out.a_reset_next), ("b", b_rst, out.b_reset_next)):
            if f"{side}_clk" in due:
                self.expected[side] = following
                self.quiet[side] += 1
                if rst:
                    assert following
                    self.pending[side] = True
                    self.quiet = {"a": 0, "b": 0}
        return out, due

    async def rest(self, edges):
        """No pulse until both sides have seen that many edges."""
        start = dict(self.quiet)
        while min(self.quiet[side] - start[side] for side in start) < edges:
            out, _ = await self.step()
        return out


@cocotb.test()
async def cdc_reset_pulses(dut):
    """Pulses of one cycle and more, on one side or both, in rest and in the midst of a reset."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for mhz in each_ratio(rng):
        pair = Pair(dut, mhz, rng)
        await pair.rest(pair.patience + 2)
        density = rng.choice((0.05, 0.2, 0.5))
        left = {"a": 0, "b": 0}
        for _ in range(400):
            for side in left:
                if not left[side] and rng.random() < density / 4:
                    left[side] = rng.choice((1, 1, 2, 20))
            _, due = await pair.step(a_rst=left["a"] > 0, b_rst=left["b"] > 0)
            for side in left:
                left[side] -= f"{side}_clk" in due and left[side] > 0
            if rng.random() < 0.02:
                for side in left:
                    left[side] = 0
                await pair.rest(rng.choice((1, 3, 5, 7, 9, pair.patience + 2)))
        await pair.rest(pair.patience + 2)


@cocotb.test()
async def cdc_reset_latency(dut):
    """A pulse of one cycle at rest: the other side is in reset after STAGES + 1 of its edges, then sees one report.

    With crossings that resolve by chance it may be one edge less, where the pulse ends together with an edge."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    stages = parameter("STAGES", 2)
    for mhz in each_ratio(rng):
        pair = Pair(dut, mhz, rng)
        for side, other in (("a", "b"), ("b", "a"), ("a", "b")):
            out = await pair.rest(pair.patience + 2 + rng.randrange(5))
            assert not (out.a_reset or out.b_reset)
            together = False
            while True:  # the one edge that sees the pulse
                _, due = await pair.step(**{f"{side}_rst": 1})
                if f"{side}_clk" in due:
                    together = f"{other}_clk" in due
                    break
            edges, both = 0, False
            while True:
                out, due = await pair.step()
                both |= bool(out.a_both)
                if getattr(out, f"{other}_reset"):
                    break
                edges += f"{other}_clk" in due
            early = together and bool(pair.clocks.late)
            assert edges == stages + 1 or (early and edges == stages)
            while out.a_reset or out.b_reset:
                assert out.a_reset, "a left first"
                out, _ = await pair.step()
                both |= bool(out.a_both)
            assert both


@cocotb.test()
async def cdc_reset_held(dut):
    """A long reset holds both sides to its end; so does one that begins in the midst of the other side's."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for mhz in each_ratio(rng):
        pair = Pair(dut, mhz, rng)
        steps = int(pair.patience * (1 + max(mhz) / min(mhz)))
        await pair.rest(pair.patience + 2)
        for first, then in (("a", "b"), ("b", "a"), ("a", "a"), ("b", "b")):
            for side in (first, then):
                for step in range(steps):
                    out, _ = await pair.step(**{f"{side}_rst": 1})
                    assert (out.a_reset and out.b_reset) or step < steps // 2
            out = await pair.rest(pair.patience + 2)
            assert not (out.a_reset or out.b_reset)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
@pytest.mark.parametrize(
    "bench",
    [plain("cdc_reset", STAGES=2), metastable("cdc_reset", STAGES=2), metastable("cdc_reset", STAGES=3)],
    ids=lambda bench: bench.label,
)
def test_cdc_reset(bench, test):
    bench.run(__name__, test)
