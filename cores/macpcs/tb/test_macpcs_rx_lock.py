# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_rx_lock: finds the block boundary, follows it, and keeps the counts of figure 49-12."""

import os

import cocotb
import pytest

from baser import HEADER_CTRL, HEADER_DATA
from baser_gearbox import ends, slot_of
from baser_rx import BlockLock
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

WIDTH = parameter("WIDTH", 32)
OUTPUTS = ["slot", "first_next", "end_bit", "end_bit_ahead", "end_bit_next", "is_data", "is_control", "lock"]
OUTPUTS += ["stat_bad_header", "stat_lock_lost"]
JUDGED = 0 if WIDTH == 32 else 1  # slot of a block in which its header is judged


class Follow:
    """Feeds a line, word by word, and holds the model of figure 49-12 against what the module says of each header."""

    def __init__(self, dut):
        self.s, self.model = Stepper(dut, OUTPUTS), BlockLock()
        self.lock = self.bad = self.lost = 0  # as of the latest header
        self.end_bit = None  # as the cycle before has announced it

    async def word(self, bits: int, before: int):
        """bits: this transceiver word; before: the one before it."""
        seen = await self.s.look()
        at = seen.end_bit_next + WIDTH
        both = bits << WIDTH | before
        out = await self.s.step(header_next=both >> at - 1 & 3)
        assert (out.lock, out.stat_bad_header, out.stat_lock_lost) == (self.lock, self.bad, self.lost)
        assert self.end_bit in (None, out.end_bit)
        self.end_bit = out.end_bit_ahead
        self.bad = self.lost = 0
        assert not (out.is_data and out.is_control)
        if out.slot == JUDGED:
            valid, was = bool(out.is_data or out.is_control), self.model.locked
            self.model.header(valid)
            self.lock = int(self.model.locked)
            self.bad, self.lost = int(was and not valid), int(was and not self.model.locked)
        return out


def line_words(headers, rng, first_bit: int):
    bits = rng.getrandbits(first_bit) if first_bit else 0
    for i, header in enumerate(headers):
        bits |= (header | rng.getrandbits(64) << 2) << first_bit + 66 * i
    n_words = (66 * len(headers) + first_bit) // WIDTH
    octets = bits.to_bytes(66 * len(headers), "little")
    return [int.from_bytes(octets[i * WIDTH // 8 : (i + 1) * WIDTH // 8], "little") for i in range(n_words)]


@cocotb.test()
async def finds_and_follows(dut):
    """From every boundary, or from some at 16 bits; once locked, payload words complete where the blocks have them."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for first_bit in range(66) if WIDTH == 32 else rng.sample(range(66), 20):
        headers = [rng.choice([HEADER_CTRL, HEADER_DATA]) for _ in range(330)]
        words = line_words(headers, rng, first_bit)
        places = ends(WIDTH, len(words), first_bit)
        follow = Follow(dut)
        await follow.s.reset(header_next=0, blind=0)
        locked_words, before = 0, 0
        for n, word in enumerate(words):
            out = await follow.word(word, before)
            before = word
            if out.lock:
                place, next_ = places[n], places[n + 1] if n + 1 < len(words) else None
                assert out.slot == slot_of(place)
                if place is not None:
                    assert out.end_bit == place.bit
                    assert (out.is_data, out.is_control) == (
                        headers[place.block] == HEADER_DATA,
                        headers[place.block] == HEADER_CTRL,
                    )
                    if place.pos > JUDGED:
                        assert out.end_bit_next == (place.bit + 2) % WIDTH
                if n + 1 < len(words):
                    assert out.first_next == (next_ is not None and next_.pos == 0)
                locked_words += 1
        assert locked_words > 33, f"boundary at bit {first_bit}: no lock"


@cocotb.test()
async def counts_bad_headers(dut):
    """Headers wrong at rates around 16 in 64: lock is lost exactly when figure 49-12 loses it, and comes back."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    losses = {}
    for rate in (0.0, 0.15, 0.22, 0.25, 0.3, 0.5):
        headers = []
        for _ in range(4):
            headers += [rng.choice([HEADER_CTRL, HEADER_DATA]) for _ in range(300)]
            headers += [rng.choice([0, 3]) if rng.random() < rate else HEADER_CTRL for _ in range(192)]
        follow, before, lost = Follow(dut), 0, 0
        await follow.s.reset(header_next=0, blind=0)
        for word in line_words(headers, rng, rng.randrange(66)):
            lost += (await follow.word(word, before)).stat_lock_lost
            before = word
        losses[rate] = lost
    assert losses[0.0] == 0 and losses[0.5] > 0


@pytest.mark.parametrize("width", main_and_kept(__file__, [32, 16]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_rx_lock(width, test):
    Bench("macpcs_rx_lock", rtl("common", "macpcs"), {"WIDTH": width}).run(__name__, test)
