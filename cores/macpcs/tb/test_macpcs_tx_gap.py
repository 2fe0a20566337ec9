# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_tx_gap: gaps as they come out on the line, in characters, against the rule of clause 46.3.1.4."""

import functools
import itertools
import os

import cocotb
import pytest

from baser_gearbox import slot_of, starts
from ullnic_tb import Bench, Stepper, cocotb_tests, parameter, rtl, seeded

WIDTH = parameter("WIDTH", 32)
LAST_POS = 64 // WIDTH - 1
N_WORDS = 40_000 * 32 // WIDTH


@functools.cache
def schedule():
    return starts(WIDTH, N_WORDS)


async def gaps(dut, rng, n_frames: int, data_bytes, patience) -> list[int]:
    """Gaps between frames that end with `data_bytes()` octets in their terminate block. From its start to its terminate
    a frame has two blocks; the next one lets `patience()` offers go by."""
    s = Stepper(dut, ["offer0", "offer4"])
    await s.reset(slot=LAST_POS, block_next=1, step=1, idle=1, terminate=0, terminate_bytes=0, start=0)
    places, out = schedule(), []
    state, wait, term_at, ends_in = "idle", patience(), None, 0
    for n in range(1, N_WORDS):
        here, next_ = places[n - 1], places[n]
        inputs = {"slot": slot_of(here), "step": next_ is not None}
        inputs["block_next"] = next_ is not None and next_.pos == 0
        inputs |= {"idle": state == "idle", "terminate": 0, "start": 0}
        first = here is not None and here.pos == 0
        if state == "frame" and first:
            ends_in -= 1
            if ends_in == 0:
                # What is handed in now is on the line one block later.
                bytes_ = data_bytes()
                inputs |= {"terminate": 1, "terminate_bytes": bytes_}
                term_at = 8 * (here.block + 1) + bytes_
        seen = await s.look(**inputs)
        assert not (seen.offer0 and seen.offer4)
        if seen.offer0 or seen.offer4:
            assert first and state == "idle", "an offer where no block begins, or in a frame"
            if wait:
                # Lane 4 is for a frame that is waiting already: it may come back as lane 0, so patience counts blocks.
                wait -= 1
            else:
                inputs["start"] = 1
                start_at = 8 * here.block + (4 if seen.offer4 else 0)
                if term_at is not None:
                    out.append(start_at - term_at)
        await s.step(**inputs)
        if inputs["start"]:
            state, wait, ends_in = "frame", patience(), 2
        elif inputs["terminate"]:
            state = "idle"
        if len(out) == n_frames:
            return out
    raise AssertionError("offers have stopped")


@cocotb.test()
async def always_waiting(dut):
    """Every gap is 12 less what the deficit grows by; the deficit is 0..3."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    fixed = [lambda r=r: r for r in range(8)]
    for data_bytes in [*fixed, lambda: rng.randrange(8)]:
        found = await gaps(dut, rng, 200, data_bytes, lambda: 0)
        for k in range(1, len(found) + 1):
            assert 0 <= 12 * k - sum(found[:k]) <= 3, found[:k]


@cocotb.test()
async def late_start_owes_nothing(dut):
    """Three frames that wait, then one that comes late: the deficit begins anew with it."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    turn = itertools.cycle([0, 0, 0, 8])
    found = await gaps(dut, rng, 800, lambda: rng.randrange(8), lambda: next(turn))
    late = [i for i, gap in enumerate(found) if gap > 24]
    assert len(late) == 200
    for i in late[:-1]:
        for k in (1, 2, 3):
            assert 0 <= 12 * k - sum(found[i + 1 : i + 1 + k]) <= 3, found[i : i + 4]


@cocotb.test()
async def sometimes_waiting(dut):
    """With starts left out at random: no gap under 9, and no more than 3 taken without being given back."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    found = await gaps(dut, rng, 1500, lambda: rng.randrange(8), lambda: rng.choice([0, 0, 1, 2, 5]))
    deficit = 0
    for gap in found:
        deficit = max(deficit, 0) + 12 - gap
        assert gap >= 9 and deficit <= 3, f"gap {gap}, deficit {deficit}"
    assert {9, 10, 11, 12} <= set(found)


@pytest.mark.parametrize("width", [16, 32])
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_tx_gap(width, test):
    Bench("macpcs_tx_gap", rtl("common", "macpcs"), {"WIDTH": width}).run(__name__, test)
