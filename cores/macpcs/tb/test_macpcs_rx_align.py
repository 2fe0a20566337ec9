# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_rx_align: every output against the blocks that the line was made of, from all 66 boundaries."""

import os

import cocotb
import pytest

from baser import scramble_blocks, to_words
from macpcs_rx_schedule import cycles
from ullnic_tb import Bench, Stepper, cocotb_tests, rtl, seeded

N_BLOCKS = 34


@cocotb.test()
async def every_boundary(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    outputs = ["type_byte", "word_q", "user_data", "header_next", "type_early", "type_header"]
    s = Stepper(dut, outputs)
    checked = dict.fromkeys(outputs, 0)

    def check(out, name, want):
        checked[name] += 1
        got = getattr(out, name)
        assert got == want, f"boundary {first_bit}, cycle {n}: {name} is {got:x}, wanted {want:x}"

    for first_bit in range(66):
        blocks = [rng.getrandbits(64) << 2 | rng.choice([1, 2]) for _ in range(N_BLOCKS)]
        line = to_words(scramble_blocks(blocks, rng.getrandbits(58)), first_bit, rng.getrandbits(66))

        def half(place, blocks=blocks):
            return blocks[place.block] >> 2 + 32 * place.pos & 0xFFFFFFFF

        before = None
        schedule = cycles(len(line), first_bit)
        for n, (word, cycle) in enumerate(zip(line, schedule, strict=True)):
            late = rng.getrandbits(1)
            out = await s.step(
                pma_data=word, slot=cycle.slot, end_bit=cycle.end_bit, end_bit_next=cycle.end_bit_next, user_late=late
            )
            # Two words fill the descrambler, one more the pipeline.
            if n > 6 and cycle.next is not None and cycle.next.block < N_BLOCKS - 1:
                place = cycle.place
                if place is not None and not late:
                    check(out, "user_data", half(place))
                if before is not None:
                    check(out, "word_q", half(before))
                    if late and place is not None:
                        check(out, "user_data", (half(place) & 0xFF) << 24 | half(before) >> 8)
                if place is not None and place.pos == 0:
                    check(out, "type_byte", half(place) & 0xFF)
                if cycle.first_next:
                    check(out, "header_next", blocks[cycle.next.block] & 3)
                if cycle.type_block is not None:
                    check(out, "type_early", blocks[cycle.type_block] >> 2 & 0xFF)
                    check(out, "type_header", blocks[cycle.type_block] & 3)
            before = cycle.place
    assert min(checked.values()) > 66 * 20, checked


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_rx_align(test):
    Bench("macpcs_rx_align", rtl("common", "macpcs")).run(__name__, test)
