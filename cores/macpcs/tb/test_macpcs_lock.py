# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Loss of block lock and what it does to frames (IEEE 802.3 figure 49-12). Finding it: test_macpcs_rx, every_offset."""

import cocotb
import pytest

from baser import Line, scramble_blocks, to_words
from macpcs_bench import WIDTH, MacpcsBench
from macpcs_configs import is_main, macpcs
from macpcs_rx_model import check, complete
from ullnic_tb import cocotb_tests, long_run, main_and_kept, rounds

LEAD_IN_BLOCKS = 400


def with_bad_headers(blocks, where, rng):
    out = list(blocks)
    for at in where:
        out[at] = out[at] & ~3 | rng.choice([0b00, 0b11])
    return out


async def lost(bench, where, offset: int) -> bool:
    """Whether a line of idles with bad headers on the blocks of `where`, counted from the lead-in's end, loses lock."""
    blocks = Line().idle_blocks(LEAD_IN_BLOCKS + 64 * 3).blocks()
    blocks = scramble_blocks(with_bad_headers(blocks, [LEAD_IN_BLOCKS + at for at in where], bench.rng))
    record = await bench.receive(to_words(blocks, offset, width=WIDTH))
    assert len(record.lock_falls) == len(record.lock_lost) <= 1 <= len(record.lock_rises)
    assert record.lock_lost == record.lock_falls
    if not record.lock_lost:
        assert len(record.bad_headers) == len(where)
    return bool(record.lock_lost)


@cocotb.test()
async def sixteen_of_64(dut):
    """16 bad headers in one window of 64 lose the lock; 16 that a window's end parts do not; 15 never do. Where it is
    the same at all places, each fourth is tried, in a long run all."""
    bench = MacpcsBench(dut)
    offset = bench.rng.randrange(66)
    first = None
    for n_bad, at_16 in ((15, 0), (16, 49), (17, 50), (31, 64)):
        # In how many of the 64 places where they may begin, 16 of them lie in one window.
        losing = sum(max(min(n_bad, 64 - at), n_bad - (64 - at)) >= 16 for at in range(64))
        assert losing == at_16
        step = 1 if 0 < losing < 64 else rounds(1, 4)
        places = range(bench.rng.randrange(step), 64, step)
        lose = [await lost(bench, range(at, at + n_bad), offset) for at in places]
        assert sum(lose) * step == losing, f"{n_bad} bad headers in a row: lock lost at {sum(lose)} of {places}"
        changes = sum(lose[i] != lose[i - 1] for i in range(len(lose)))
        assert changes == (2 if 0 < losing < 64 else 0), "the places must lie together"
        if n_bad == 16:
            first = next(at for at in range(64) if lose[at] and not lose[at - 1])  # where a window begins
    # Headers that are spread over the window count as much as those in a row.
    for _ in range(rounds(30, 6)):
        window = range(first, first + 64)
        assert await lost(bench, bench.rng.sample(window, 16), offset)
        assert not await lost(bench, bench.rng.sample(window, 15), offset)


@cocotb.test()
async def bad_headers_for_ever(dut):
    """15 bad headers in every window for long: lock stays. Frames arrive up to the 16th in 125 us, then none does."""
    bench = MacpcsBench(dut)
    line = Line().idle_blocks(LEAD_IN_BLOCKS)
    bad = []
    for _ in range(100):
        line.idle_blocks(2)
        bad += [line.block_index + i for i in range(3)]
        line.idle_blocks(4).frame(bench.rng.randbytes(64)).idle_blocks(1)
    blocks = scramble_blocks(with_bad_headers(line.idle_blocks(8).blocks(), bad, bench.rng))
    # 3 in 17 blocks are at most 12 in any 64.
    assert max(sum(at <= b < at + 64 for b in bad) for at in bad) <= 15
    record = await bench.receive(to_words(blocks, bench.rng.randrange(66), width=WIDTH))
    arrive = [f for f in line.frames if f.end_char // 8 < bad[15]]
    assert len(arrive) == 5
    check(record.frames, [complete(f.octets) for f in arrive])
    assert len(record.bad_headers) == len(bad) and not record.lock_lost


@cocotb.test()
async def lost_in_a_frame(dut):
    """Lock goes in the midst of a frame: the frame ends with an error; nothing until lock is back; then all clean."""
    bench = MacpcsBench(dut)
    for _ in range(rounds(60, 12)):
        line = Line().idle_blocks(LEAD_IN_BLOCKS)
        for _ in range(4):
            line.frame(bench.rng.randbytes(bench.rng.randrange(60, 300)))
        n_before = len(line.frames)
        line.frame(bench.rng.randbytes(1500), bench.rng.choice([0, 4]))
        start = line.frames[-1].start_char // 8
        # 31 in a row, whatever the window; frames on either side, so that starts fall into the time without lock too.
        at = start + bench.rng.randrange(120)
        for _ in range(bench.rng.randrange(10)):
            line.frame(bench.rng.randbytes(bench.rng.randrange(60, 130)))
        line.idle_blocks(500)
        n_hit = len(line.frames)
        for _ in range(5):
            line.frame(bench.rng.randbytes(bench.rng.randrange(60, 300)))
        blocks = scramble_blocks(with_bad_headers(line.idle_blocks(8).blocks(), range(at, at + 31), bench.rng))
        record = await bench.receive(to_words(blocks, bench.rng.randrange(66), width=WIDTH))
        assert len(record.lock_lost) == 1 and record.lock_falls == record.lock_lost and len(record.lock_rises) == 2
        check(record.frames[:n_before], [complete(f.octets) for f in line.frames[:n_before]])
        if at > start:
            cut = record.frames[n_before]
            assert "code" in cut.status.errors and "fcs" not in cut.status.errors
            assert line.frames[n_before].octets.startswith(cut.octets)
        else:
            assert all(f.sof_cycle >= record.lock_rises[1] for f in record.frames[n_before:])
        good = [complete(f.octets) for f in line.frames]
        check(record.frames[-(len(good) - n_hit) :], good[n_hit:])
        for frame in record.frames:
            locked = frame.sof_cycle < record.lock_falls[0] or frame.sof_cycle >= record.lock_rises[1]
            assert locked, "a start without lock"


CONFIGS = ("plain", "registered", "strip", "narrow", "narrow_strip")


@pytest.mark.parametrize("config", main_and_kept(__file__, CONFIGS, is_main))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_macpcs_lock(config, test):
    macpcs(config).run(__name__, test)


@long_run(__file__)
@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("test", ("sixteen_of_64", "lost_in_a_frame"))
def test_macpcs_lock_long(config, test):
    macpcs(config).run(__name__, test, long_seed=1)
