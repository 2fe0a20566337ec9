# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_rx_align: every output against the blocks that the line was made of, from all 66 boundaries."""

import os

import cocotb
import pytest

from baser import scramble_blocks, to_words
from macpcs_rx_schedule import cycles
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

N_BLOCKS = 34
WIDTH = parameter("WIDTH", 32)
MASK = (1 << WIDTH) - 1


@cocotb.test()
async def every_boundary(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    outputs = ["word_q", "user_data", "aligned", "header_next"]
    s = Stepper(dut, outputs)
    checked = dict.fromkeys(outputs, 0)

    def check(name, got, want):
        checked[name] += 1
        assert got == want, f"boundary {first_bit}, cycle {n}: {name} is {got:x}, wanted {want:x}"

    for first_bit in range(66):
        blocks = [rng.getrandbits(64) << 2 | rng.choice([1, 2]) for _ in range(N_BLOCKS)]
        scrambled = scramble_blocks(blocks, rng.getrandbits(58))
        line = to_words(scrambled, first_bit, rng.getrandbits(66), WIDTH)

        def payload(place, blocks=blocks):
            return blocks[place.block] >> 2 + WIDTH * place.pos & MASK

        before = None
        schedule = cycles(len(line), first_bit, WIDTH)
        for n, (word, cycle) in enumerate(zip(line, schedule, strict=True)):
            late, last = rng.getrandbits(1), n == len(line) - 1
            out = await s.step(
                pma_data=word,
                pma_ahead=0 if last else line[n + 1],
                stall=cycle.place is None,
                end_bit=cycle.end_bit,
                end_bit_ahead=0 if last else schedule[n + 1].end_bit,
                end_bit_next=cycle.end_bit_next,
                user_late=late,
            )
            # 64 bits fill the descrambler, one word more the pipeline.
            if n * WIDTH > 6 * 32 and cycle.next is not None and cycle.next.block < N_BLOCKS - 1:
                place = cycle.place
                if place is not None and not late:
                    check("user_data", out.user_data, payload(place))
                if before is not None:
                    check("word_q", out.word_q, payload(before))
                    if late and place is not None:
                        check("user_data", out.user_data, (payload(place) & 0xFF) << WIDTH - 8 | payload(before) >> 8)
                if place is not None:
                    # As it came, with one bit more; that one only where it lies in this transceiver word.
                    bits = line[n] << WIDTH | line[n - 1]
                    known = WIDTH + (place.bit < WIDTH - 1)
                    mask = (1 << known) - 1
                    check("aligned", out.aligned & mask, bits >> place.bit + 1 & mask)
                    assert out.aligned & MASK == scrambled[place.block] >> 2 + WIDTH * place.pos & MASK
                if cycle.first_next:
                    check("header_next", out.header_next, blocks[cycle.next.block] & 3)
            before = cycle.place
    assert min(checked.values()) > 66 * 20, checked


@pytest.mark.parametrize("width, ahead", main_and_kept(__file__, [(32, 0), (16, 0), (16, 1)]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_rx_align(width, ahead, test):
    Bench("macpcs_rx_align", rtl("common", "macpcs"), {"WIDTH": width, "AHEAD": ahead}).run(__name__, test)
