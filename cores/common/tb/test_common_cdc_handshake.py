# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""cdc_handshake: each word once, whole, in order and when it is due; resets of either side do not hang it."""

import os

import cocotb
import pytest

from cdc_clocks import Clocks, each_ratio, metastable, plain
from ullnic_tb import cocotb_tests, parameter, seeded


class Handshake:
    """The module under test, with the one word that can be on its way."""

    def __init__(self, dut, mhz, rng):
        self.rng, self.width = rng, len(dut.s_data)
        self.stages = parameter("STAGES", 2)
        self.clocks = Clocks(dut, ("s_clk", "m_clk"), mhz, rng, ["s_ready", "m_valid", "m_data"], ("to_m", "to_s"))
        self.word = None  # on its way
        self.edges = 0  # of m_clk since it was taken
        self.together = False  # it was taken together with an edge of m_clk, which may have seen that
        self.edge = None  # m_rst at the edge of m_clk in the step before; None if there was none
        self.shown, self.last, self.excused = False, None, False
        self.arrived = self.dropped = 0
        self.waits = {"s_clk": 0, "m_clk": 0}  # edges since s_ready was last high

    async def step(self, valid, s_rst=0, m_rst=0):
        due = self.clocks.due()
        data = self.rng.getrandbits(self.width)
        out = await self.clocks.step(due, s_valid=valid, s_data=data, s_rst=s_rst, m_rst=m_rst)
        if self.edge is None:
            assert out.m_valid == self.shown
        else:
            self._after_edge(out)
        assert self.last is None or out.m_data == self.last, "m_data is not held"
        self.shown = out.m_valid
        self.edge = m_rst if "m_clk" in due else None
        if self.word is not None:
            self.edges += "m_clk" in due
        if out.s_ready and valid and "s_clk" in due and not s_rst:
            assert self.word is None, "taken before the last word arrived"
            self.word, self.edges, self.together = data, 0, "m_clk" in due and bool(self.clocks.late)
        for name in self.waits:
            self.waits[name] = 0 if out.s_ready or s_rst else self.waits[name] + (name in due)
        # Two turns of each side, of STAGES + 1 edges each; the other clock may be as fast, and runs on meanwhile.
        assert min(self.waits.values()) <= 4 * (self.stages + 1), "not ready again"
        return due

    async def drain(self):
        """The word on its way arrives, and nothing after it: the next model begins at rest."""
        edges = {"s_clk": 0, "m_clk": 0}
        while min(edges.values()) < 5 * (self.stages + 1):
            for name in await self.step(0):
                edges[name] += 1
        assert self.word is None

    def _after_edge(self, out):
        must = self.word is not None and self.edges == self.stages + 1
        may = must or (self.word is not None and self.together and self.edges == self.stages)
        if out.m_valid:
            assert may and not self.edge and out.m_data == self.word
            self.last, self.word = out.m_data, None
            self.arrived += 1
        elif must:
            assert self.edge or self.excused, "a word did not arrive"
            self.word, self.last = None, None
            self.dropped += 1
        if may and self.edge:
            self.last = None  # m_data may have taken the dropped word
        self.excused = may and self.edge


@cocotb.test()
async def cdc_handshake_words(dut):
    """Words offered all the time, or now and then, arrive at their edge; the next is taken soon after."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for mhz in each_ratio(rng):
        handshake = Handshake(dut, mhz, rng)
        ratio = max(mhz) / min(mhz)
        for rate in (1, 0.5, 0.03):
            before = handshake.arrived
            for _ in range(int(max(300, 30 * ratio))):
                await handshake.step(rng.random() < rate)
            assert handshake.arrived > before or rate < 0.5  # a slow s may not have offered any
        await handshake.drain()
        assert not handshake.dropped


@cocotb.test()
async def cdc_handshake_resets(dut):
    """s_rst stops the taking, not a word that was taken; m_rst drops the word that arrives in it, and no other."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    arrived = dropped = 0
    for mhz in each_ratio(rng):
        handshake = Handshake(dut, mhz, rng)
        ratio = max(mhz) / min(mhz)
        steps = int(max(1200, 30 * ratio))
        left = {"s": 0, "m": 0}
        for _ in range(steps):
            for side in left:
                if not left[side] and rng.random() < 0.05:
                    left[side] = rng.choice((1, 1, 3, 12))
            await handshake.step(rng.random() < 0.7, left["s"] > 0, left["m"] > 0)
            for side in left:
                left[side] -= left[side] > 0
        before = handshake.arrived
        for _ in range(int(max(300, 30 * ratio))):
            await handshake.step(1)
        assert handshake.arrived > before
        await handshake.drain()
        arrived, dropped = arrived + before, dropped + handshake.dropped
    assert arrived > 50 and dropped > 10


@pytest.mark.parametrize("test", cocotb_tests(__name__))
@pytest.mark.parametrize(
    "bench",
    [
        plain("cdc_handshake", WIDTH=33, STAGES=2),
        metastable("cdc_handshake", WIDTH=8, STAGES=2),
        metastable("cdc_handshake", WIDTH=8, STAGES=3),
    ],
    ids=lambda bench: bench.label,
)
def test_cdc_handshake(bench, test):
    bench.run(__name__, test)
