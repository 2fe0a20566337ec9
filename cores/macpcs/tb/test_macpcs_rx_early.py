# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_rx_early: a start is seen in the cycle of its type byte's last bit, what is likely one in that of the fourth
bit, and nothing else; all 66 boundaries."""

import os

import cocotb
import pytest

from baser import BLOCK_TYPES, HEADER_CTRL, control_block, scramble_blocks, to_words
from macpcs_rx_model import STARTS
from macpcs_rx_schedule import cycles
from ullnic_tb import Bench, Stepper, cocotb_tests, rtl, seeded

N_BLOCKS = 60


@cocotb.test()
async def every_boundary(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = Stepper(dut, ["likely", "start"])
    found = ahead = wrong = 0
    for first_bit in range(66):
        # Starts, other types, types a bit away from a start, and the type byte of a start under other headers.
        blocks = []
        for _ in range(N_BLOCKS):
            type_ = rng.choice([*STARTS, *STARTS, *BLOCK_TYPES, rng.choice([*STARTS]) ^ 1 << rng.randrange(8)])
            header = rng.choice([HEADER_CTRL, HEADER_CTRL, HEADER_CTRL, 0b00, 0b10, 0b11])
            blocks.append(control_block(type_, rng.getrandbits(56), header))
        scrambled = scramble_blocks(blocks, rng.getrandbits(58))
        line = to_words(scrambled, first_bit, rng.getrandbits(66))
        for n, (word, cycle) in enumerate(zip(line, cycles(len(line), first_bit), strict=True)):
            place = cycle.place
            aligned = rng.getrandbits(33)
            if place is not None and n:
                aligned = (line[n] << 32 | line[n - 1]) >> place.bit + 1 & (1 << 33) - 1
                if place.bit == 31:
                    aligned |= rng.getrandbits(1) << 32  # has not arrived
            out = await s.step(
                pma_data=word,
                slot=cycle.slot,
                first_next=cycle.first_next,
                aligned=aligned,
                end_bit_next=cycle.end_bit_next,
            )
            at = cycle.type_block
            if n > 6 and (at is None or at < N_BLOCKS):
                block = 0 if at is None else blocks[at]
                want = block & 3 == HEADER_CTRL and block >> 2 & 0xFF in STARTS
                assert out.start == want, f"boundary {first_bit}, cycle {n}, block {at}: {block:x}"
                found += want
            half_at = cycle.half_type_block
            if n > 6 and (half_at is None or half_at < N_BLOCKS):
                block = 0 if half_at is None else blocks[half_at]
                want = block & 3 == HEADER_CTRL and block >> 2 & 0xF in [type_ & 0xF for type_ in STARTS]
                assert out.likely == want, f"boundary {first_bit}, cycle {n}, block {half_at}: {block:x}"
                ahead += want and half_at != at
                wrong += want and block >> 2 & 0xFF not in STARTS
    assert found > 66 * 10 and ahead > 66 and wrong > 10


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_rx_early(test):
    Bench("macpcs_rx_early", rtl("common", "macpcs")).run(__name__, test)
