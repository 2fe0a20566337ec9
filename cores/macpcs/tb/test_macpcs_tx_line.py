# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_tx_line: random blocks, starts laid over idle ones at the last moment, against scrambled blocks end to end."""

import os

import cocotb
import pytest

from baser import HEADER_CTRL, IDLE_BLOCK, PREAMBLE, START, encode, next_state, scramble
from baser_gearbox import slot_of, starts
from baser_rx import descramble_blocks, to_blocks
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

WIDTH = parameter("WIDTH", 32)
WORDS = 64 // WIDTH  # of a block's payload
AHEAD = WIDTH == 16  # payload is handed in a slot earlier
START0 = encode([START, *PREAMBLE])
START4 = encode([0x107] * 4 + [START, *PREAMBLE[:3]])


@cocotb.test()
async def blocks(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = Stepper(dut, ["pma_data"])
    await s.reset(
        slot_next=0,
        room_next=WIDTH // 2 - 2,
        step=1,
        payload_next=0x1E,
        control_next=1,
        offer0_next=0,
        offer4_next=0,
        valid=0,
        pattern_on=0,
        pattern=rng.getrandbits(WIDTH),
        start0=0,
        start4=0,
    )
    n_words = 33 * 60
    places = starts(WIDTH, n_words + 1)
    # What each block is: as handed in, the offer made for it, and whether the start is taken.
    handed, offered, taken = [], [], []
    for _ in range(66 * n_words // WIDTH):
        lane = rng.choice([None, None, 0, 4]) if handed else None  # the first block begins in reset
        handed.append(IDLE_BLOCK if lane is not None else rng.getrandbits(64) << 2 | rng.choice([0b01, 0b10]))
        offered.append(lane)
        taken.append(lane is not None and rng.random() < 0.6)
    words = []
    for n in range(n_words):
        # Cycle n sends word n-1 and learns of word n.
        here, next_ = places[n - 1] if n else None, places[n]
        inputs = {"slot_next": slot_of(next_), "step": next_ is not None}
        shift = 0 if next_ is None else next_.bit
        inputs["room_next"] = (WIDTH - 2 - shift) % WIDTH // 2
        upcoming = places[n + 1] if next_ is None else next_  # a stall word ends with the next block's header
        number, pos = divmod(WORDS * upcoming.block + upcoming.pos + AHEAD, WORDS)
        if number < len(handed):
            block = handed[number]
            if pos == 3 and taken[number]:
                block = {0: START0, 4: START4}[offered[number]]  # too late for the start: it is in the payload
            inputs["control_next"] = block & 3 == HEADER_CTRL
            inputs["payload_next"] = (block >> 2 >> WIDTH * pos) & (1 << WIDTH) - 1
        if AHEAD and next_ is None:  # a stall takes no word
            inputs["control_next"], inputs["payload_next"] = rng.getrandbits(1), rng.getrandbits(WIDTH)
        begins = next_ is not None and next_.pos == 0
        inputs["offer0_next"] = begins and offered[next_.block] == 0
        inputs["offer4_next"] = begins and offered[next_.block] == 4
        on_offer = here is not None and here.pos == 0 and offered[here.block] is not None
        start = on_offer and taken[here.block]
        inputs["start0"] = start and offered[here.block] == 0
        inputs["start4"] = start and offered[here.block] == 4
        inputs["valid"] = start if on_offer else rng.getrandbits(1)
        # The start is late: without it the word is that of an idle block, with it another in the same cycle.
        out = await s.step(**inputs)
        if n:
            words.append(out.pma_data)
    wanted = [
        {0: START0, 4: START4}[lane] if take else block
        for block, lane, take in zip(handed, offered, taken, strict=True)
    ]
    line = to_blocks(words, width=WIDTH)
    assert descramble_blocks(line) == wanted[1 : len(line)]
    # The scrambler runs through, as one register of 58 bits.
    state = next_state(line[0] >> 2)
    for block, want in zip(line[1:], wanted[1:], strict=False):
        assert block >> 2 == scramble(want >> 2, state)
        state = next_state(block >> 2)


@pytest.mark.parametrize("width", main_and_kept(__file__, [32, 16]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_tx_line(width, test):
    Bench("macpcs_tx_line", rtl("common", "macpcs"), {"WIDTH": width}).run(__name__, test)
