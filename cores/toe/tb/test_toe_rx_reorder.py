# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The reorder memory in the receive path, and delivery out of sequence."""

from pathlib import Path

import cocotb
import pytest

from toe_reorder_bed import CHUNK, DEPTH, INTERVALS, SESSIONS, Bed, bed_of
from toe_rx_model import MASK32, Arrival
from ullnic_tb import Bench, kept, main_and_kept, rtl


def some_arrival(rng) -> Arrival:
    return Arrival(rng.choice([0, 0, 0, 0.2]), rng.choice([0, 0, 1, 4]), idle=rng.choice([0, 0, 5, rng.randrange(60)]))


async def some_segment(bed: Bed, sid: int) -> None:
    """Mostly near RCV.NXT: in order, ahead, old, overlapping, twice; and some that are wrong."""
    rng, session = bed.rng, bed.sessions[sid]
    length = rng.choice([1, 2, 3, 4, 5, 6, 7, 8, rng.randrange(1, 40), rng.randrange(1, 150)])
    ahead = rng.choice([0, 0, 0, length, 1, rng.randrange(60), rng.randrange(-40, 200), rng.randrange(DEPTH + 40)])
    if session.waiting and rng.random() < 0.3:  # to the edges of what waits
        edge = rng.choice([min(session.waiting), max(session.waiting) + 1]) - session.rcv
        ahead = rng.choice([edge - length, edge, edge + 1, edge - length - 1])
        if rng.random() < 0.3:
            ahead, length = 0, edge
    wrong = rng.choice(["", "", "", "", "", "fcs", "checksum"])
    start = session.rcv + ahead
    await bed.play(sid, start, start + max(length, 1), some_arrival(rng), wrong)


@cocotb.test()
async def segments(dut):
    """Each byte of each stream comes to its user once and in order, and is acknowledged as soon as there is no hole."""
    bed = await bed_of(dut)
    rng = bed.rng
    for n in range(11_000):
        # 1100, and more until each session has had enough of them
        if n >= 1100 and min(len(session.due) for session in bed.sessions) > 500 and bed.refused > 10 and bed.gaps > 50:
            break
        if n % 40 == 0:
            bed.ready = rng.choice([1.0, 1.0, 0.7, 0.3, 0.0])
            some = rng.sample(range(SESSIONS), rng.choice([1, 2, SESSIONS]))
        if n % 150 == 149:
            await bed.finish()
        sid = rng.choice(some)
        await some_segment(bed, sid)
        if bed.sessions[sid].rcv > len(bed.sessions[sid].stream) - DEPTH - 400 or rng.random() < 0.01:
            await bed.connect(sid)
    await bed.finish()
    assert min(len(session.due) for session in bed.sessions) > 500
    assert bed.refused > 10 and bed.gaps > 50 and bed.longest <= max(CHUNK, 150)


@cocotb.test()
async def swapped(dut):
    """Pairs of segments that have changed places: nothing is lost, and each pair is acknowledged at once."""
    bed = await bed_of(dut)
    size = DEPTH // 4
    session = bed.sessions[1]
    for pair in range(10):
        at = 2 * size * pair
        await bed.play(1, at + size, at + 2 * size, Arrival(idle=5))
        await bed.play(1, at, at + size, Arrival(idle=60))
    await bed.finish()
    assert (session.got, bed.refused, bed.gaps) == (20 * size, 0, 10)


@cocotb.test()
async def others_are_not_delayed(dut):
    """While a session's memory drains, the payload of another comes in the cycles that it always comes in."""
    bed = await bed_of(dut)
    size = DEPTH // 2
    for n in range(6):
        at = n * 2 * size
        await bed.play(0, at + 60, at + size, Arrival(idle=40))
        await bed.play(0, at, at + 60, Arrival(idle=n))  # and now it drains
        start, bed.segment = bed.s.cycle, bytearray()
        session = bed.sessions[2]
        begin, seen = bed.s.cycle + 1, []
        real = bed.user

        def user(out, real=real, seen=seen):
            seen.append((bed.s.cycle, out.m_axis_tdest))
            real(out)

        bed.user = user
        got = session.got
        await bed.play(2, session.rcv, session.rcv + 40, Arrival(behind=1, idle=3))
        bed.user = real
        ends = [cycle for cycle, sid in seen if sid == 2]
        # 14 + 40 bytes of header, 40 of payload, FCS: 25 words and an empty one, or none; verdict, end
        words = (14 + 40 + 40 + 4 + 3) // 4
        assert session.got == got + 40 and ends and ends[0] - begin <= words + 3, (ends, begin, start)
        await bed.finish()


@cocotb.test()
async def catches_up(dut):
    """One peer at the line's rate (and its gaps): the memory is empty again, and the fast path is back."""
    bed = await bed_of(dut)
    size, frames, back = 1460, 60, None
    await bed.connect(1, size * (frames + 4))
    session = bed.sessions[1]
    order = [1, 0, *range(2, frames)]
    for n, place in enumerate(order):
        await bed.play(1, place * size, (place + 1) * size, Arrival(gap=1 / 33, behind=1, idle=4))
        if back is None and n > 2 and not (await bed.s.look(sid=1)).tcp_waits:
            back = n
    await bed.settle()
    dut._log.info(f"behind {back} frames")
    assert session.rcv == frames * size and not bed.refused
    assert back is not None, len(session.due) - session.got


@cocotb.test()
async def forgotten(dut):
    """What waits behind a hole when the connection ends never comes to the next peer's user; the session is clean."""
    bed = await bed_of(dut)
    for n in range(30):
        sid = n % SESSIONS
        session = bed.sessions[sid]
        for piece in range(1 + n % INTERVALS):
            await bed.play(sid, 20 + 30 * piece, 30 + 30 * piece, Arrival(idle=n))
        await bed.connect(sid)
        await bed.play(sid, 0, 100, Arrival(idle=5))
        await bed.settle()
        assert session.rcv == 100 and not session.waiting
    await bed.finish()


@cocotb.test()
async def out_of_sequence(dut):
    """RX_OOS_SEQNUM_EN: what is behind a hole comes at once with its number and its flag, and RCV.NXT stays."""
    bed = await bed_of(dut)
    rng = bed.rng
    flagged = 0
    for n in range(2000):
        if n >= 300 and flagged > 30:  # chance may flag fewer in the first 300
            break
        sid = rng.randrange(SESSIONS)
        session = bed.sessions[sid]
        ahead = rng.choice([0, 0, 0, 1, rng.randrange(300), 65535, 65536, 70000, -1, -30])
        length = rng.randrange(1, 100)
        if rng.random() < 0.2:
            ahead = 65535 - length + rng.randrange(2)  # to the end of the advertised window, and a byte beyond
        wrong = rng.choice(["", "", "", "fcs", "checksum"])
        bed.oos.clear()
        start = max(session.rcv + ahead, 0)
        session.stream += rng.randbytes(max(0, start + length - len(session.stream)))
        ahead = start - session.rcv
        await bed.play(sid, start, start + length, Arrival(idle=12, behind=n % 2), wrong)
        payload = session.stream[start : start + length]
        expected = [(sid, (session.isn + start) & MASK32, payload)] if 0 < ahead <= 65535 - length and not wrong else []
        assert bed.oos == expected, (ahead, wrong)
        flagged += len(expected)
    await bed.finish()
    assert flagged > 30


CASES = {
    "small": {"DEPTH_BYTES": 512, "RX_FIFO_PACKET_COUNT": 8},
    "store_32": {"STORE_FORWARD": 1, "TCP2USER_DATA_WIDTH": 32, "REORDER_INTERVALS": 1},
}
HERE = Path(__file__).parent
OTHERS = (
    "toe_pkg",
    "toe_fifo",
    "toe_hash_pkg",
    "toe_hash_peer",
    "toe_hash_own",
    "toe_equal",
    "toe_lookup",
    "toe_tx_ring",
    "toe_tx_read",
)


def bench(**given: int) -> Bench:
    common = [path for path in rtl("common") if path.stem in ("axis_register", "ram_sdp")]
    own = [path for path in rtl("toe") if path.stem in OTHERS or path.stem.startswith("toe_rx_")]
    fixed = {"SESSIONS": 4, "CHUNK": 96, "REORDER_BYTES": 512, "REORDER_INTERVALS": 3, "TCP2USER_DATA_WIDTH": 64}
    return Bench("toe_rx_path", [*common, *own, HERE / "toe_rx_head.sv", HERE / "toe_rx_path.sv"], fixed | given)


@pytest.mark.parametrize("case", main_and_kept(__file__, CASES))
@pytest.mark.parametrize("test", ["segments", "swapped", "forgotten"])
def test_toe_rx_reorder(test, case):
    bench(**{"RX_REORDERING_EN": 1} | CASES[case]).run(__name__, test)


def test_toe_rx_reorder_beside_others():
    bench(**{"RX_REORDERING_EN": 1} | CASES["small"]).run(__name__, "others_are_not_delayed")


@kept(__file__)
def test_toe_rx_reorder_at_the_line_s_rate():
    given = {
        "FCS": 1,
        "RX_OUTPUT_PIPE_COUNT": 0,
        "RX_REORDERING_EN": 1,
        "REORDER_BYTES": 16384,
    }  # as of test_toe_rx_latency
    bench(SESSIONS=64, CHUNK=1460, DEPTH_BYTES=16384, **given).run(__name__, "catches_up")


@kept(__file__)
def test_toe_rx_out_of_sequence():
    bench(RX_OOS_SEQNUM_EN=1).run(__name__, "out_of_sequence")
