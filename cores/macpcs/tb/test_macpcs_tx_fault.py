# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_tx_fault: what it lets into the payload pipeline, block by block, around frames and faults."""

import os
from collections import Counter

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

DRAIN = parameter("DRAIN", 2)
REACTION = DRAIN + 4  # blocks


class Pipeline:
    """A transmitter that starts frames wherever it may, and the blocks that it puts in: idle, frame or fault."""

    def __init__(self, dut, rng, frame_rate=0.5):
        self.s, self.rng, self.frame_rate = Stepper(dut, ["stop", "send_rf"]), rng, frame_rate

    async def reset(self, cycles: int = 2, **inputs: int):
        await self.s.reset(cycles, **{"local_fault": 0, "remote_fault": 0, "block_end": 0, "idle": 1} | inputs)
        self.blocks, self.frame_left, self.stop, self.starts = [], 0, 1, []

    async def block(self, local: int, remote: int) -> str:
        """Puts in one block; returns what it is."""
        kinds = set()
        n_cycles = self.rng.choice([2, 2, 3, 4, 5])
        ends_at = self.rng.randrange(1, n_cycles + 1)  # in the last block of a frame: idle from then on
        for n in range(n_cycles):
            # An offer is made a cycle ahead; it is taken in a first word only.
            starts = n == 0 and not self.frame_left and not self.stop and self.rng.random() < self.frame_rate
            if starts:
                self.frame_left = self.rng.randrange(1, 8)
                self.starts.append(len(self.blocks))
            idle = not self.frame_left or (self.frame_left == 1 and n >= ends_at)
            out = await self.s.step(local_fault=local, remote_fault=remote, block_end=n == n_cycles - 1, idle=idle)
            assert not out.send_rf or (out.stop and idle)
            assert self.blocks or (out.stop and not out.send_rf), "the faults are not known before the first block"
            kinds.add("fault" if out.send_rf else "frame" if self.frame_left else "idle")
            self.stop = out.stop
        assert len(kinds) == 1, "a block that is both"
        self.frame_left -= self.frame_left > 0
        self.blocks += kinds
        return self.blocks[-1]

    def check(self):
        for n, kind in enumerate(self.blocks):
            behind = self.blocks[max(0, n - DRAIN - 1) : n]
            assert kind != "fault" or "frame" not in behind
            assert kind != "frame" or "fault" not in behind


@cocotb.test()
async def follows_the_faults(dut):
    """Local fault: nothing but fault blocks, soon; remote fault: nothing but idle; none: frames, soon."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for frame_rate in (0.0, 0.3, 1.0):
        line = Pipeline(dut, rng, frame_rate)
        await line.reset()
        for _ in range(30):
            local, remote, want = rng.choice([(1, 0, "fault"), (0, 1, "idle"), (0, 0, None)])
            for _ in range(REACTION + 8):  # a frame of 7 blocks may be under way
                await line.block(local, remote)
            for _ in range(rng.randrange(1, 20)):
                kind = await line.block(local, remote)
                assert want in (kind, None) and (want or kind != "fault")
            if want is None:
                assert not line.stop
                assert frame_rate < 1 or "frame" in line.blocks[-8:]
            line.check()


@cocotb.test()
async def faults_at_any_time(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    line = Pipeline(dut, rng)
    await line.reset()
    state, seen = (0, 0), Counter()
    for _ in range(80):  # resets
        for _ in range(rng.choice([10, 50, 90])):
            if rng.random() < 0.1:
                state = rng.choice([(0, 0), (0, 1), (1, 0)])
            await line.block(*state)
        line.check()
        seen.update(line.blocks)
        at = {"block_end": rng.getrandbits(1), "idle": rng.getrandbits(1)}
        await line.reset(1, local_fault=state[0], remote_fault=state[1], **at)
    assert all(seen[kind] > 200 for kind in ("idle", "frame", "fault"))


@pytest.mark.parametrize("drain", main_and_kept(__file__, [1, 2, 5]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_tx_fault(drain, test):
    sources = [path for path in rtl("macpcs") if path.stem == "macpcs_tx_fault"]
    Bench("macpcs_tx_fault", sources, {"DRAIN": drain}).run(__name__, test)
