# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The receiver of macpcs on a line with bit errors and bit slips: never a wrong frame as good, and it recovers."""

import struct

import cocotb
import pytest

from baser import WORD_CODE, Line
from macpcs_bench import WIDTH, MacpcsBench
from macpcs_configs import CONFIGS, is_main, macpcs
from macpcs_rx_model import STRIP, check, complete
from ullnic_tb import cocotb_tests, long_run, main_and_kept, rounds

WINDOW_BLOCKS = 19_532  # of 6.4 ns, 125 us


def slipped(words, at: int, n_bits: int, rng):
    """The line with bits inserted at bit `at`, or taken out where n_bits is negative."""
    bits = int.from_bytes(struct.pack(f"<{len(words)}{WORD_CODE[WIDTH]}", *words), "little")
    low, high = bits & ((1 << at) - 1), bits >> at
    extra = max(n_bits, 0)
    bits = low | rng.getrandbits(extra) << at | high >> extra - n_bits << at + extra
    n_words = len(words) - 64 // WIDTH  # neither invented bits at the end nor an incomplete word
    octets = (bits & ((1 << WIDTH * n_words) - 1)).to_bytes(WIDTH // 8 * n_words, "little")
    return struct.unpack(f"<{n_words}{WORD_CODE[WIDTH]}", octets)


async def check_survives(bench, words, line, n_hit):
    """Good frames are frames that were sent, in order; those from `n_hit` on, after the trouble, all are there."""
    record = await bench.receive(words)
    sent = [complete(f.octets) for f in line.frames]
    check(record.frames[-(len(sent) - n_hit) :], sent[n_hit:])
    ahead = iter([want.octets[:-4] if STRIP else want.octets for want in sent])  # `in` consumes it: order counts
    for frame in record.frames:
        if frame.status.good:
            assert frame.octets in ahead, f"a frame nobody sent: {frame.octets.hex()}"
    return record


@cocotb.test()
async def bit_errors(dut):
    """Bit errors on the line, from rare to heavy: no wrong frame is passed as good, and the line recovers."""
    bench = MacpcsBench(dut)
    for rate in (1e-4, 6e-4, 5e-3, 2e-2):  # the second is too low for 16 bad headers, a high error ratio
        line = Line().idle_blocks(400)
        for _ in range(60):
            line.frame(bench.rng.randbytes(bench.rng.randrange(60, 300))).idle(bench.rng.randrange(30))
        first, last = line.frames[0].start_char // 8, line.block_index
        # Many bad headers are a high error ratio, which goes when a window of 125 us was without.
        line.idle_blocks(500 if rate < 2e-3 else 2 * WINDOW_BLOCKS + 500)
        n_hit = len(line.frames)
        for _ in range(5):
            line.frame(bench.rng.randbytes(bench.rng.randrange(60, 300))).idle(bench.rng.randrange(30))
        offset = bench.rng.randrange(66)
        words = line.idle_blocks(8).words(offset, width=WIDTH)
        for bit in range(offset + 66 * first, offset + 66 * last):
            if bench.rng.random() < rate:
                words[bit // WIDTH] ^= 1 << bit % WIDTH
        await check_survives(bench, words, line, n_hit)


@cocotb.test()
async def bit_slips(dut):
    """Bits lost or inserted in the midst of frames: lock is lost and found again, no wrong frame is passed as good. In
    a long run each number of them up to 33, else each third."""
    bench = MacpcsBench(dut)
    step = rounds(1, 3)
    for slip in [*range(-33, 0), *range(1, 34)][bench.rng.randrange(step) :: step]:
        line = Line().idle_blocks(400)
        for _ in range(3):
            line.frame(bench.rng.randbytes(1500)).idle(bench.rng.randrange(30))
        n_hit = len(line.frames)
        line.idle_blocks(500)
        for _ in range(5):
            line.frame(bench.rng.randbytes(bench.rng.randrange(60, 300))).idle(bench.rng.randrange(30))
        words = line.idle_blocks(8).words(width=WIDTH)
        first, last = line.frames[0].start_char // 8, line.frames[1].end_char // 8
        words = slipped(words, bench.rng.randrange(66 * first, 66 * last), slip, bench.rng)
        record = await check_survives(bench, words, line, n_hit)
        assert len(record.lock_rises) == 2 and len(record.lock_falls) == len(record.lock_lost) == 1


@pytest.mark.parametrize("config", main_and_kept(__file__, CONFIGS, is_main))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_macpcs_rx_bits(config, test):
    macpcs(config).run(__name__, test)


@long_run(__file__)
@pytest.mark.parametrize("config", CONFIGS)
def test_macpcs_rx_bits_long(config):
    macpcs(config).run(__name__, "bit_slips", long_seed=1)
