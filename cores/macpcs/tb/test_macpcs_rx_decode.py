# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_rx_decode alone: blocks in, what is announced, delivered and flagged against the model of macpcs_rx_model."""

import os

import cocotb
import pytest

from baser import BLOCK_TYPES, HEADER_CTRL, HEADER_DATA, IDLE_BLOCK, Line, control_block
from baser_gearbox import STALL
from macpcs_rx_model import DELAYED, STARTS, expect
from macpcs_rx_schedule import cycles
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

WIDTH = parameter("WIDTH", 32)
MASK = (1 << WIDTH) - 1


async def run(dut, blocks, first_bit: int, rng, unlocked=(), blinded=()):
    """Plays blocks; returns the frames as (octets, code_error, keep of the last beat), and the count of bad blocks.

    Lock falls and rises in the slot after that in which a header is judged: it is lost in the first block of a row of
    `unlocked` ones, and there again in the one behind it. The header of a block that is `blinded` is not seen.
    """
    s = Stepper(dut, ["user_late", "valid", "last", "keep", "code_error", "sof", "stat_bad_block"])
    await s.reset(slot=STALL, is_data=0, is_control=1, is_bad=0, lock=0, start_early=0, word_q=0)
    frames, octets, open_sofs, bad_blocks, before, lock, seen = [], b"", 0, 0, 0, True, (0, 0, 0)
    for cycle in cycles(66 * len(blocks) // WIDTH - 128 // WIDTH, first_bit, WIDTH):
        place = cycle.place

        # The line begins in the midst of a block: an idle one.
        block = IDLE_BLOCK if place is None or place.block < 0 else blocks[place.block]
        word = rng.getrandbits(WIDTH) if place is None else block >> 2 + WIDTH * place.pos & MASK
        early = False  # macpcs_rx_early sees the start
        if WIDTH == 32 and cycle.type_block is not None and cycle.type_block >= 0:
            of_type = blocks[cycle.type_block]
            early = of_type & 3 == HEADER_CTRL and of_type >> 2 & 0xFF in STARTS and cycle.type_block not in blinded
        if place is not None:
            if place.pos == 32 // WIDTH:  # a stall comes before the first slot only
                lock = place.block not in unlocked
            kinds = (block & 3 == HEADER_DATA, block & 3 == HEADER_CTRL, block & 3 in (0, 3))
            seen = (0, 0, 0) if place.block in blinded else kinds
        out = await s.step(
            slot=cycle.slot,
            is_data=seen[0],
            is_control=seen[1],
            is_bad=seen[2],
            lock=lock,
            start_early=early if WIDTH == 32 else rng.getrandbits(1),
            word_q=before,
        )
        bad_blocks += out.stat_bad_block
        if out.valid:
            assert open_sofs, "a word before its start"
            data = (word & 0xFF) << WIDTH - 8 | before >> 8 if out.user_late else word
            octets += data.to_bytes(WIDTH // 8, "little")[: out.keep.bit_length()]
            assert out.keep == (1 << WIDTH // 8) - 1 or out.last
            if out.last:
                frames.append((octets, out.code_error, out.keep))
                octets, open_sofs = b"", open_sofs - 1
        open_sofs += out.sof
        assert open_sofs <= 2
        before = word
    assert open_sofs == 0
    return frames, bad_blocks


def check(frames, wants):
    for (octets, code_error, keep), want in zip(frames, wants, strict=True):
        if want.octets is not None:
            assert octets == want.octets and code_error == ("code" in want.errors)
        elif "code" in want.errors:
            assert code_error, want
        assert not want.cut or keep == 0


@cocotb.test()
async def whole_frames(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for first_bit in rng.sample(range(66), 12):
        line = Line().idle_blocks(2)
        for n in rng.sample(range(80), 30):
            line.idle(rng.randrange(20)).frame(rng.randbytes(n))
        blocks = line.idle_blocks(6).blocks()
        frames, bad_blocks = await run(dut, blocks, first_bit, rng)
        assert [octets for octets, _, _ in frames] == [f.octets for f in line.frames]
        assert not any(code_error for _, code_error, _ in frames) and not bad_blocks


@cocotb.test()
async def anything(dut):
    """Blocks of all kinds in any order."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    idles = Line().idle_blocks(6).blocks()
    for first_bit in rng.sample(range(66), 12):
        blocks = list(idles[:2])
        for _ in range(30):
            frame = Line().frame(rng.randbytes(rng.randrange(60)), rng.choice([0, 4])).blocks()
            for _ in range(rng.choice([0, 1, 1, 3])):
                frame[rng.randrange(len(frame))] = rng.choice(
                    [
                        control_block(rng.choice([*BLOCK_TYPES]), rng.getrandbits(56)),
                        control_block(rng.getrandbits(8), rng.getrandbits(56)),
                        HEADER_DATA | rng.getrandbits(64) << 2,
                        rng.choice([0, 3]) | rng.getrandbits(64) << 2,
                    ]
                )
            blocks += frame + idles[: rng.choice([0, 0, 1])]
        blocks += idles
        model = expect(blocks)
        frames, bad_blocks = await run(dut, blocks, first_bit, rng)
        check(frames, model.wants)
        assert bad_blocks == model.bad_blocks


@cocotb.test()
async def lock_and_blindness(dut):
    """Frames that lose the lock, or sight, in any of their blocks are cut there; the next ones are whole."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for first_bit in rng.sample(range(66), 12):
        blocks, expected, unlocked, blinded = Line().idle_blocks(2).blocks(), [], set(), set()
        for _ in range(30):
            lane = rng.choice([0, 4])
            frame = Line().frame(rng.randbytes(rng.randrange(80)), lane)
            trouble, octets, of_frame = rng.choice([unlocked, blinded, None]), frame.frames[0].octets, frame.blocks()
            if trouble is not None:
                at = rng.randrange(1, len(of_frame))
                trouble.update(range(len(blocks) + at, len(blocks) + len(of_frame) + rng.randrange(1, 4)))
                octets = octets[: max(8 * (at - 1) - lane, 0)]
            if trouble is unlocked:
                of_frame[at] = of_frame[at] & ~3 | rng.choice([0b00, 0b11])
                if DELAYED and (at > 1 or lane == 0):
                    octets += (of_frame[at] >> 2 & 0xFFFFFFFF).to_bytes(4, "little")
            expected.append((octets, trouble is not None, None if trouble is None else 0))
            blocks += of_frame + Line().idle_blocks(4).blocks()
        blocks += Line().idle_blocks(4).blocks()
        frames, _ = await run(dut, blocks, first_bit, rng, unlocked, blinded)
        for (octets, code_error, keep), want in zip(frames, expected, strict=True):
            assert (octets, bool(code_error), None if want[2] is None else keep) == want


@pytest.mark.parametrize("width", main_and_kept(__file__, [32, 16]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_rx_decode(width, test):
    Bench("macpcs_rx_decode", rtl("common", "macpcs"), {"WIDTH": width}).run(__name__, test)


@pytest.mark.parametrize("width", main_and_kept(__file__, [32, 16]))
@pytest.mark.parametrize("test", ["anything", "lock_and_blindness"])
def test_rx_decode_delayed(width, test):
    parameters = {"WIDTH": width, "ERROR_DELAYED": 1}
    Bench("macpcs_rx_decode", rtl("common", "macpcs"), parameters).run(__name__, test)
