# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_rx_accept downstream of toe_rx_parse: what is taken for the user, in which cycle, RCV.NXT, records, counters."""

from pathlib import Path

import cocotb
import pytest
from scapy.layers.inet import IPOption_NOP

from toe_rx_bed import ACK, FIN, PSH, RING, RST, SYN, URG, Bed, Frame, Session, bed_of
from toe_rx_model import MASK32, Arrival
from ullnic_tb import Bench, main_and_kept, rtl


def some_arrival(rng) -> Arrival:
    gap, behind = rng.choice([0, 0, 0, 0.2]), rng.choice([0, 0, 0, 1, 4])
    return Arrival(gap, behind, empty=rng.random() < 0.7, idle=rng.choice([0, 0, 0, 1, 3]))


def some_options(rng) -> bytes:
    """No-operations and unknown options, for segments whose options mean nothing here."""
    return rng.randbytes(4 * rng.choice([0, 0, 0, 1, 2, 3, 10, rng.randrange(11)]))


def some_frame(bed: Bed) -> Frame:
    rng = bed.rng
    sid = rng.choice([*bed.sessions, None])
    session = bed.sessions[sid] if sid is not None else Session(0, 5, 6, 7, rng.randbytes(6), 0, rng.getrandbits(32))
    length = rng.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, rng.randrange(60), rng.randrange(300), 1460])
    ack = (session.snd - rng.choice([0, 0, 1, rng.randrange(2 * RING), 2 * RING - 1])) & MASK32
    window = rng.getrandbits(16)
    frame = Frame(
        session, session.rcv, ack, ACK | rng.choice([0, PSH]), rng.randbytes(length), some_options(rng), window
    )
    frame.more = rng.randbytes(rng.choice([0, 0, 0, 1, 2, 3, 20]))
    kind = rng.randrange(28)
    if kind == 0:
        frame.seq = (frame.seq + rng.choice([1, -1, 1460, 1 << 31, 1 << rng.randrange(32)])) & MASK32
    elif kind == 1:
        frame.ack = (session.snd - rng.choice([2 * RING, -1, -2, 1 << 31, 3 * RING])) & MASK32
    elif kind == 2:
        frame.flags = rng.choice([0, FIN, RST, RST | ACK, ACK | FIN, ACK | FIN | PSH, URG | ACK, SYN | RST | ACK])
        if frame.flags & SYN:
            frame.options = b""  # those of a SYN mean something
    elif kind == 3:
        frame.good = False
    elif kind == 4:
        frame.checksum, frame.stat = (36, rng.choice((0, 1 << rng.randrange(16)))), "checksum"
    elif kind == 5 and length:
        frame.room = length - 1
    elif kind == 6:
        frame.room = length
    elif kind == 7:
        frame.segment_room = 0
    elif kind == 8:
        frame.everyone = True
    elif kind == 9:
        frame.ip, frame.stat = {"options": [IPOption_NOP()] * 4}, "ip_options"
    elif kind == 10:
        frame.ip, frame.stat = {"flags": "MF"}, "fragment"
    elif kind == 11:
        frame.checksum, frame.stat = (10, rng.choice((0, 1 << rng.randrange(16)))), "ip_bad"
    elif kind == 12:
        frame.tcp, frame.stat = {"dataofs": rng.randrange(5)}, "malformed"
    elif kind == 13:
        frame.options, frame.payload = b"", rng.randbytes(rng.randrange(20))
        frame.tcp = {"dataofs": 6 + len(frame.payload) // 4 + rng.randrange(4)}
        frame.stat = "malformed"
        if frame.tcp["dataofs"] * 4 - 20 <= len(frame.payload):
            frame.tcp["dataofs"] = 15
    elif kind == 14:
        frame.ip, frame.stat = {"len": rng.randrange(20, 40)}, "malformed"
    elif kind == 15:
        frame.cut = rng.randrange(1, 54 + len(frame.options) + length)
    elif kind == 16:
        frame.left = rng.choice([length, length - 1 if length else 0, 0, 1])
    elif kind == 17:
        frame.left = 0x10000 | rng.choice([0, length, 0xFFFF])  # none has been advertised, or FIN lies beyond it
    return frame


@cocotb.test()
@pytest.mark.rfc9293("MUST-3", "MUST-5")
@pytest.mark.pitfall("blind-ack", "ip-options", "odd-length", "padding")
async def segments(dut):
    """Segments of all kinds to several sessions, with pauses and without, while the TCP machine writes now and then."""
    bed = await bed_of(dut)
    accepted = 0
    for i in range(700):
        bed.writes = 0.02 if i % 200 > 100 else 0
        frame = some_frame(bed)
        frame.session.none = int(bed.rng.random() < 0.3)
        for session in bed.sessions.values():  # what the TCP machine has closed opens again
            if not session.open and bed.want is None and bed.rng.random() < 0.3:
                sid = next(sid for sid, one in bed.sessions.items() if one is session)
                bed.want = (sid, session.rcv, 1)
        await bed.play(frame, some_arrival(bed.rng))
        accepted += frame.stat is None
        if i % 50 == 49:
            bed.writes = 0
            await bed.finish()
    assert len(set(bed.wrote)) == len(bed.sessions)


@cocotb.test()
async def back_to_back(dut):
    """Minimum frames of one session, word 0 in the cycle behind the verdict: each finds RCV.NXT moved."""
    bed = await bed_of(dut)
    rng = bed.rng
    session = bed.sessions[1]
    begin = session.rcv
    for n in range(200):
        payload = rng.randbytes(1 + n % 6)
        await bed.play(
            Frame(session, session_next(bed, session), session.snd, payload=payload), Arrival(empty=bool(n % 2))
        )
    await bed.finish()
    assert session.rcv == (begin + sum(1 + n % 6 for n in range(200))) & MASK32


def session_next(bed: Bed, session: Session) -> int:
    """RCV.NXT as it will be when what is under way has been counted."""
    moved = len(bed.pending_end[0].payload) if bed.pending_end and bed.pending_end[3] else 0
    return (session.rcv + moved) & MASK32


OPTIONS = [  # of a SYN; what is found
    (b"", {}),
    (bytes([2, 4, 5, 0xB4]), {"mss": 1460}),
    (bytes([2, 4, 0, 0]), {"mss": 0}),
    (bytes([1, 3, 3, 7]), {"scale": 7}),
    (bytes([3, 3, 14, 0]), {"scale": 14}),
    (bytes([3, 3, 15, 0]), {"scale": 14}),
    (bytes([3, 3, 255, 1]), {"scale": 14}),
    (bytes([2, 4, 5, 0xB4, 4, 2, 8, 10, *range(8), 1, 3, 3, 7]), {"mss": 1460, "scale": 7}),
    (bytes([4, 2, 2, 4, 1, 2, 3, 3, 2, 1, 1, 1]), {"mss": 258, "scale": 2}),
    (bytes([1, 4, 2, 2, 4, 9, 9, 1]), {"mss": 0x909}),
    (bytes([0, 2, 4, 5, 2, 4, 5, 6]), {}),  # behind the end of the list
    (bytes([2, 4, 1, 1, 0, 3, 3, 3]), {"mss": 257}),
    (bytes([99, 0, 2, 4, 5, 5, 1, 1]), {}),  # lengths that cannot be
    (bytes([99, 1, 2, 4, 5, 5, 1, 1]), {}),
    (bytes([2, 0, 2, 4, 5, 5, 1, 1]), {}),
    (bytes([99, 2, 2, 4, 5, 5, 1, 1]), {"mss": 0x505}),
    (bytes([99, 250, 2, 4, 5, 5, 1, 1]), {}),  # beyond the end
    (bytes([99, 66, 2, 4, 5, 5, 3, 3]), {}),
    (bytes([99, 67, 9, 2, 4, 5, 5, 1]), {}),
    (bytes([99, 131, 9, 2, 4, 5, 5, 1]), {}),
    (bytes([99, 42, 2, 4, 5, 5, 1, 1]), {}),
    (bytes([1, 1, 1, 1, 1, 2, 4, 5]), {}),
    (bytes([1, 1, 1, 1, 1, 1, 1, 2]), {}),
    (bytes([1, 1, 1, 1, 1, 1, 3, 3]), {}),
    (bytes([2, 3, 5, 2, 4, 1, 2, 1]), {"mss": 258}),  # a length that is not theirs
    (bytes([2, 6, 5, 5, 5, 5, 1, 1]), {}),
    (bytes([3, 4, 5, 5, 1, 3, 3, 1]), {"scale": 1}),
    (bytes([3, 2, 2, 4, 1, 2, 1, 1]), {"mss": 258}),
    (bytes([2, 4, 1, 1, 2, 4, 2, 2]), {"mss": 514}),  # twice: the later one
    (bytes([1] * 36 + [2, 4, 7, 7]), {"mss": 0x707}),
    (bytes([1] * 37 + [3, 3, 7]), {"scale": 7}),
    (bytes([9, 36, *range(2, 36), 2, 4, 7, 7]), {"mss": 0x707}),
    (bytes([9, 40, *range(2, 40)]), {}),
    (bytes([9, 41, *range(2, 40)]), {}),
    (bytes([1] * 40), {}),
]


@cocotb.test()
@pytest.mark.rfc9293("MUST-4", "MUST-6", "MUST-7", "MUST-64")
@pytest.mark.pitfall("scale-above-14")
async def syn_options(dut):
    """Options of SYNs, also those that are made to harm, at full rate, behind and before other segments."""
    bed = await bed_of(dut)
    rng = bed.rng
    for n in range(300):
        options, found = OPTIONS[n % len(OPTIONS)] if n % 3 else rng.choice(OPTIONS)
        flags = rng.choice([SYN, SYN, SYN | ACK])
        session = rng.choice([*bed.sessions.values(), Session(1, 9, 9, 9, rng.randbytes(6), 0)])
        frame = Frame(session, rng.getrandbits(32), rng.getrandbits(32), flags, b"", options, 4321, options_found=found)
        await bed.play(frame, Arrival() if n % 4 else some_arrival(rng))
        if n % 5 == 0:  # too short to be anything, then options of a segment that is no SYN
            await bed.play(Frame(session, 1, 1, cut=rng.randrange(20, 54), good=False), Arrival())
        if n % 5 < 2:
            await bed.play(Frame(session, rng.getrandbits(32), 0, ACK, b"", bytes([2, 4, 9, 9])), Arrival())
        if n % 50 == 49:
            await bed.finish()


@cocotb.test()
async def writing_waits(dut):
    """While a segment is taken the TCP machine cannot write its session, and no other for a few cycles only."""
    bed = await bed_of(dut)
    session = bed.sessions[0]
    for sid, most in ((0, 400), (1, 4)):
        for begin in range(0, 24):
            payload = bed.rng.randbytes(800)
            frame = Frame(session, session_next(bed, session), session.snd, payload=payload)
            words = iter(range(1000))
            waited = 0
            real = bed.cycle_of

            async def cycle_of(word, words=words, begin=begin, sid=sid, real=real, **extra):
                nonlocal waited
                if next(words) == begin:
                    bed.want = (sid, bed.sessions[sid].rcv, 1)
                waited += bed.want is not None
                return await real(word, **extra)

            bed.cycle_of = cycle_of
            await bed.play(frame, Arrival(idle=3))
            bed.cycle_of = real
            await bed.finish()
            assert bed.want is None and waited <= most
            assert sid or begin < 12 or begin > 13 or waited > 100
    assert session.rcv is not None


@cocotb.test()
async def cut_short(dut):
    """A segment in order that ends at any byte of its headers: no end, nothing of the next one, no write held up."""
    bed = await bed_of(dut)
    rng = bed.rng
    session = bed.sessions[0]
    for left in range(30, 74):
        whole = Frame(session, session.rcv, session.snd, payload=rng.randbytes(20), options=rng.randbytes(8))
        whole.cut, whole.good = 54 + 28 - left, bool(left % 2)
        await bed.play(whole, Arrival(empty=left % 4 < 2))
        await bed.play(Frame(session, session.rcv ^ 1, session.snd, payload=rng.randbytes(30)), Arrival(idle=2))
        await bed.play(whole, Arrival(empty=left % 4 < 2, behind=left % 3))
        for _ in range(3):
            pending, bed.pending_end = bed.pending_end, None
            out = await bed.cycle_of(None)
            if pending:
                bed.check_end(out, *pending)
        assert out.rcv_wr_ready, left
    await bed.finish()


CASES = {
    "plain": {},
    "no_fcs": {"FCS": 0, "SESSIONS": 2, "RING_BYTES": 1024},
    "unchecked": {"RX_CHECKSUM_VERIFICATION_EN": 0, "SESSIONS": 1000},
}
HEAD = Path(__file__).with_name("toe_rx_head.sv")
FILES = ("toe_rx_ones", "toe_rx_parse", "toe_rx_sum", "toe_rx_option_bytes", "toe_rx_options")
FILES += ("toe_rx_rcv", "toe_rx_accept")
FILES += ("toe_fifo", "toe_tx_ring", "toe_tx_read")  # for toe_rx_reorder, which is not used here


@pytest.mark.parametrize("case", main_and_kept(__file__, CASES))
@pytest.mark.parametrize("test", ["segments", "back_to_back", "syn_options", "cut_short", "writing_waits"])
def test_toe_rx_accept(test, case):
    sources = [path for path in rtl("common") if path.stem == "ram_sdp"]
    sources += [
        path for path in rtl("toe") if path.stem in ("toe_pkg", *FILES) or path.stem.startswith("toe_rx_reorder")
    ]
    bench = Bench("toe_rx_head", [*sources, HEAD], {"SESSIONS": 64, "RING_BYTES": 8192, "FCS": 1} | CASES[case])
    bench.run(__name__, test)
