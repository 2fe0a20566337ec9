# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The receiver of macpcs fed by the encoder of baser: well-formed lines. Malformed ones: test_macpcs_rx_malformed."""

import cocotb
import pytest

from baser import ERROR, IDLE, LPI, SEQ_OS, SIG_OS, Line
from baser_rx import Bits, find_lock_in
from macpcs_bench import BYTES, RESET_CYCLES, WIDTH, MacpcsBench
from macpcs_configs import CONFIGS, is_main, macpcs
from macpcs_rx_model import CHECKED, CRC32_LATENCY, MAX_BYTES, MIN_BYTES, STRIP, check, complete, expect
from ullnic_tb import cocotb_tests, long_run, main_and_kept, parameter, rounds

PCS_REGISTERS = parameter("PCS_RX_LATENCY_MODE", 0)
MAC_REGISTERS = parameter("MAC_RX_LATENCY_MODE", 0)


def lead_in() -> Line:
    """Idles enough for lock from any bit offset: 66 slips of two blocks on average, then 64 good headers."""
    return Line().idle_blocks(400)


def sof_cycle(placed, offset_bits: int) -> int:
    """Cycle in which the last bit of the start block's type octet comes in, behind the register if there is one.

    With 16-bit words that of the third payload word.
    """
    bits = 8 if WIDTH == 32 else 48
    return RESET_CYCLES + (offset_bits + 66 * (placed.start_char // 8) + 2 + bits - 1) // WIDTH + PCS_REGISTERS


def word_cycle(placed, offset_bits: int, n: int) -> int:
    """Cycle in which the last bit of the frame's n-th word comes in, behind the register if there is one."""
    block, octet = divmod(placed.start_char + 8 + BYTES * (n + 1) - 1, 8)
    return RESET_CYCLES + (offset_bits + 66 * block + 2 + 8 * octet + 7) // WIDTH + PCS_REGISTERS


async def check_line(bench, line: Line, offset_bits: int):
    """Plays a line without errors in its headers; every frame that it holds arrives as it should."""
    line.idle_blocks(8)
    record = await bench.receive(line.words(offset_bits, width=WIDTH))
    check(record.frames, [complete(f.octets) for f in line.frames])
    assert len(record.lock_rises) == 1 and not record.lock_falls
    assert not record.bad_headers and not record.bad_blocks and not record.lock_lost
    return record


@cocotb.test()
async def every_length(dut):
    """0 to 130 bytes before the FCS and some up to 9600, in both lanes, gaps from the least that blocks allow."""
    bench = MacpcsBench(dut)
    for lane in (0, 4):
        line = lead_in()
        lengths = [*range(131), 1514, 9599, 9600, *(bench.rng.randrange(131, 9600) for _ in range(6))]
        bench.rng.shuffle(lengths)
        for n in lengths:
            line.idle(bench.rng.choice([0, 0, 0, 1, 2, 3, 4, 5, 8, 12, bench.rng.randrange(200)]))
            line.frame(bench.rng.randbytes(n), lane)
        assert {f.end_char % 8 for f in line.frames} == set(range(8))
        await check_line(bench, line, bench.rng.randrange(66))


@cocotb.test()
async def every_offset(dut):
    """All 66 positions of the block in the transceiver word; the gearbox meets all its phases on each."""
    bench = MacpcsBench(dut)
    lock_cycles, lines = [], []
    lead = 96 // WIDTH  # words of zeros before a line, in which the search may have started
    for offset in range(66):
        line = lead_in()
        for _ in range(rounds(40, 12)):
            line.idle(bench.rng.choice([0, 0, 4, bench.rng.randrange(40)]))
            line.frame(
                bench.rng.randbytes(bench.rng.choice([60, 61, 62, 63, 64, 65, 66, 67, bench.rng.randrange(1, 200)]))
            )
        record = await check_line(bench, line, offset)
        lock_cycles.append(record.lock_rises[0] - RESET_CYCLES)
        lines.append(Bits([0] * lead + line.words(offset, width=WIDTH), WIDTH))

    # Lock comes as figure 49-12 has it: there is a bit from which the search started, the same on each line, and a
    # constant time after the last bit of the 64th header's block.
    def delay(cycle, line, first_bit):
        return cycle - (find_lock_in(line, first_bit) - 1) // WIDTH + lead

    def fits(first_bit):
        delays = (delay(cycle, line, first_bit) for cycle, line in zip(lock_cycles, lines, strict=True))
        first = next(delays)
        return -1 <= first <= 3 and all(each == first for each in delays)

    assert any(map(fits, range(96))), f"lock in cycles {lock_cycles}: no search by figure 49-12 gives that"


@cocotb.test()
async def latency(dut):
    """rx_sof in the cycle of the type octet's last bit; the first word in that of its own last bit (and registers).

    With 16-bit words rx_sof comes in the block's third slot. With the FCS removed, the first word comes as many words
    later as an FCS has, and one more, and what the verdict takes, a cycle at least.
    """
    bench = MacpcsBench(dut)
    for offset in range(66):
        line = lead_in()
        for _ in range(rounds(34, 10)):
            line.frame(bench.rng.randbytes(60), bench.rng.choice([0, 4])).idle(bench.rng.randrange(8, 40))
        record = await check_line(bench, line, offset)
        for frame, placed in zip(record.frames, line.frames, strict=True):
            assert frame.sof_cycle == sof_cycle(placed, offset)
            if STRIP:
                assert frame.word_cycles[0] == word_cycle(placed, offset, 4 // BYTES + 1) + max(CRC32_LATENCY, 1)
            else:
                assert frame.word_cycles[0] == word_cycle(placed, offset, 0) + MAC_REGISTERS


@cocotb.test()
async def length_limits(dut):
    """Runt and oversize to the byte, in both lanes, with a right and a wrong FCS; far beyond the limit too, in one of
    them unless the run is a long one."""
    bench = MacpcsBench(dut)
    giants_in = bench.rng.choice((0, 4))
    for lane in (0, 4):
        line = lead_in()
        lengths = [*range(4, 12), *range(MIN_BYTES - 5, MIN_BYTES + 6), *range(MAX_BYTES - 5, MAX_BYTES + 10)]
        if lane == rounds(lane, giants_in):
            lengths += [4 * MAX_BYTES, 70_001]
        for n in lengths:
            octets = bench.rng.randbytes(n - 4)
            line.frame(octets, lane).idle(bench.rng.randrange(12)).frame(octets, lane, check=bench.rng.randbytes(4))
            line.idle(bench.rng.randrange(20)).frame(bench.rng.randbytes(100))
        await check_line(bench, line, bench.rng.randrange(66))


@cocotb.test()
async def ordered_sets_and_controls(dut):
    """Ordered sets in either lane, before a start too (0x66), LPI and error characters between frames: no frame."""
    bench = MacpcsBench(dut)
    line = lead_in()
    certain = bench.rng.sample(range(300), 20)  # turns with two ordered sets in a block, and with one before a start
    for turn in range(300):
        for _ in range(bench.rng.randrange(4)):
            line.ordered_set(bench.rng.randbytes(3), bench.rng.choice([SEQ_OS, SIG_OS]), bench.rng.choice([0, 4, None]))
            line.idle(bench.rng.choice([0, 4, 12]))
            line.chars += [bench.rng.choice([IDLE, LPI, ERROR])] * bench.rng.choice([0, 4, 8])
        if turn in certain[:10]:
            line.ordered_set(bench.rng.randbytes(3), SEQ_OS, 0).ordered_set(bench.rng.randbytes(3), SIG_OS, 4)
        if turn in certain[10:]:
            line.ordered_set(bench.rng.randbytes(3), SEQ_OS, 0)
        lane = 4 if turn in certain[10:] else None
        line.frame(bench.rng.randbytes(bench.rng.randrange(60, 130)), lane).idle(bench.rng.choice([0, 3, 11]))
    types = {block >> 2 & 0xFF for block in line.blocks() if block & 3 == 1}
    assert {0x2D, 0x66, 0x55, 0x4B, 0x33, 0x78} <= types
    await check_line(bench, line, bench.rng.randrange(66))


@cocotb.test()
async def wrong_fcs(dut):
    """A single wrong bit anywhere in a frame."""
    bench = MacpcsBench(dut)
    line, count = lead_in(), rounds(60, 20)
    for n in (60, 61, 62, 63, 64, 65, 66, 67, 100):
        good = bench.rng.randbytes(n)
        whole = Line().frame(good).frames[0].octets
        for bit in bench.rng.sample(range(8 * len(whole)), count):
            wrong = (int.from_bytes(whole, "little") ^ 1 << bit).to_bytes(len(whole), "little")
            line.idle(bench.rng.choice([0, 5, 12])).frame(wrong[:-4], check=wrong[-4:])
        line.frame(good)
    await check_line(bench, line, bench.rng.randrange(66))
    assert sum("fcs" in want.errors for want in expect(line.blocks()).wants) == (9 * count if CHECKED else 0)


@cocotb.test()
async def reset_in_frame(dut):
    """Reset in the midst of frames, which leaves them without end: as the README says, read_rx sees none of their words
    after it. Then the receiver locks again and the next whole frames are clean."""
    bench = MacpcsBench(dut)
    endless = 0
    for _ in range(rounds(40, 20)):
        line = lead_in()
        for _ in range(6):
            line.frame(bench.rng.randbytes(bench.rng.randrange(60, 130))).idle(bench.rng.randrange(20))
        first_block, last_block = line.frames[0].start_char // 8, line.block_index
        line.idle_blocks(400)
        for _ in range(10):
            line.frame(bench.rng.randbytes(bench.rng.randrange(60, 130))).idle(bench.rng.randrange(20))
        offset = bench.rng.randrange(66)
        words = line.idle_blocks(8).words(offset, width=WIDTH)
        at = bench.rng.randrange(66 * first_block, 66 * last_block) // WIDTH
        record = await bench.receive(words, reset_at=range(at, at + bench.rng.choice([1, 2, 5])))
        assert len(record.lock_rises) == 2 and not record.bad_headers and not record.lock_lost
        assert [f for f in record.frames if f.status is None] == record.cut and len(record.cut) <= 4
        endless += sum(frame.last_keep is None for frame in record.cut)
        relocked = record.lock_rises[1]
        assert relocked > RESET_CYCLES + at
        # With 16-bit words lock rises in the very slot in which sof would come, of a block that was judged without it.
        heard_from = relocked + (WIDTH == 16)
        check(
            [f for f in record.frames if f.sof_cycle > RESET_CYCLES + at],
            [complete(f.octets) for f in line.frames if sof_cycle(f, offset) >= heard_from],
        )
    assert endless > rounds(10, 5)  # a quarter of the resets; most of the line is frames


@pytest.mark.parametrize("config", main_and_kept(__file__, CONFIGS, is_main))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_macpcs_rx(config, test):
    macpcs(config).run(__name__, test)


WITH_ROUNDS = ("every_offset", "latency", "length_limits", "wrong_fcs", "reset_in_frame")


@long_run(__file__)
@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("test", WITH_ROUNDS)
def test_macpcs_rx_long(config, test):
    macpcs(config).run(__name__, test, long_seed=1)


OF_OPTIONS = (
    ("unchecked", "length_limits"),
    ("unchecked", "wrong_fcs"),
    ("delayed", "latency"),
    ("narrow_delayed", "wrong_fcs"),
    ("narrow_delayed", "reset_in_frame"),
)


@pytest.mark.parametrize(
    "config, test", main_and_kept(__file__, OF_OPTIONS, lambda config, _: config in ("unchecked", "delayed"))
)
def test_macpcs_rx_options(config, test):
    macpcs(config).run(__name__, test)


@long_run(__file__)
@pytest.mark.parametrize("config, test", OF_OPTIONS)
def test_macpcs_rx_options_long(config, test):
    macpcs(config).run(__name__, test, long_seed=1)
