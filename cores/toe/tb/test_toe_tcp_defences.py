# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_tcp against forged and hostile segments (RFC 5961, RFC 6528), and its promises of time."""

import os

import cocotb
import pytest

from toe_tcp_play import (
    ABORT,
    ACK,
    CONNECT,
    FIN,
    LISTEN,
    MASK,
    RING,
    RST,
    SESSIONS,
    SYN,
    Bed,
    State,
    half_sip_hash,
    hash_of,
    parameter,
    plus,
    toe_tcp_bench,
    tuple_of,
)
from ullnic_tb import cocotb_tests, kept, seeded

INSTANT = parameter("INSTANT_ACK_EN", 0)
CHALLENGES = 7  # of a session, in
EPOCH = 256  # ticks


@cocotb.test()
@pytest.mark.rfc9293("MUST-8", "MUST-9", "SHLD-1")
async def initial_numbers(dut):
    """RFC 6528: a clock of about 4 us plus a keyed hash of the tuple."""
    # The hash's published vectors: key 00 to 07, none and three octets
    assert half_sip_hash(0x0706050403020100, b"") == 0x5B9F35A9
    assert half_sip_hash(0x0706050403020100, bytes(range(3))) == 0x04E7FE8A
    seen = set()
    for secret in (0x5EC2E7, 0x12345678):
        bed = await Bed(dut).reset(secret=secret)
        start = None
        for iface, ip, far, near in (
            (0, 1, 2, 3),
            (1, 1, 2, 3),
            (0, 2, 2, 3),
            (0, 1, 3, 3),
            (0, 1, 2, 4),
            (0, 1, 2, 3),
        ):
            tup = tuple_of(far, near, ip, iface)
            [(_, _, iss, _)] = (await bed.order(CONNECT, 0, tup)).frames
            rest = iss - hash_of(tup, secret) & MASK
            # What is left is the clock, which counts every 1024 cycles
            if start is None:
                start = rest
            assert 0 <= rest - start < 8 and rest < 100, (rest, start)
            seen.add(iss - rest & MASK)
            await bed.order(ABORT)
    assert len(seen) == 10


@cocotb.test()
@pytest.mark.pitfall("blind-rst")
async def resets(dut):
    """RFC 5961, 3: an RST counts at RCV.NXT exactly; in the window it is challenged, elsewhere nothing happens."""
    bed = await Bed(dut).reset()
    for seq, left in (
        (1000, 16384),
        (0xFFFFFFFE, 65535),
        (77, 1),
        (0xFFFFFF00, 0),
        (0xFFFFFFFF, 0x1FFFF),
        (5, 0x10000),
    ):
        dut.left.value = left
        wnd = 0 if left >> 16 else left
        peer = await bed.serve(seq=seq)
        for offset in {1, min(100, wnd - 1), wnd - 1} if wnd > 1 else ():
            asked = await peer.send(RST, seq=peer.seq + offset)
            assert asked.acks == [(0, 1)] and not asked.requests and not asked.events
        for offset in (-1, -1000, max(wnd, 1), wnd + 1, 30000 + wnd, 1 << 31):
            asked = await peer.send(RST, seq=peer.seq + offset)
            assert not asked.acks, (wnd, offset)
            assert not asked.acks and not asked.requests and not asked.events
        assert bed.state(0) == State.ESTABLISHED
        asked = await peer.send(RST)
        assert asked.events == [(0, "RESET")] and bed.state(0) == State.LISTEN and not bed.there(0)
        assert not asked.requests


@cocotb.test()
@pytest.mark.rfc9293("MUST-11", "MUST-12")
async def reset_in_each_state(dut):
    """The event of an RST by state: REFUSED, RESET, or CLOSED when both have closed."""
    bed = await Bed(dut).reset(time_wait=1000)

    async def syn_rcvd():
        [(_, _, iss, _)] = (await bed.order(CONNECT)).frames
        await bed.segment(sid=0, flags=SYN, seq=9)
        return 10, iss

    async def after(*steps):
        peer = await bed.connect()
        for step in steps:
            if step == "close":
                await bed.order(2)
            elif step == "fin":
                await peer.say(0, FIN | ACK)
            else:
                await peer.take(1)
        return peer.seq, 0

    cases = (
        (syn_rcvd, (), State.SYN_RCVD, "REFUSED"),
        (after, ("close",), State.FIN_WAIT_1, "RESET"),
        (after, ("close", "ack"), State.FIN_WAIT_2, "RESET"),
        (after, ("fin",), State.CLOSE_WAIT, "RESET"),
        (after, ("close", "fin"), State.CLOSING, "CLOSED"),
        (after, ("fin", "close"), State.LAST_ACK, "CLOSED"),
        (after, ("close", "ack", "fin"), State.TIME_WAIT, "CLOSED"),
    )
    for make, steps, state, event in cases:
        seq, _ = await make(*steps)
        assert bed.state(0) == state
        asked = await bed.segment(sid=0, flags=RST, seq=plus(seq, 3))
        assert bed.state(0) == state and not asked.events
        asked = await bed.segment(sid=0, flags=RST, seq=seq)
        assert asked.events == [(0, event)] and bed.state(0) == State.CLOSED and not bed.there(0)
        assert not bed.open(0) and not bed.receives(0)


@cocotb.test()
@pytest.mark.pitfall("blind-syn")
async def syns(dut):
    """RFC 5961, 4: a SYN is challenged wherever it lies, and changes nothing."""
    bed = await Bed(dut).reset()
    peer = await bed.serve()
    before = bed.context(0)
    for offset in (0, 1, -1, 100000, 1 << 31):
        asked = await peer.send(SYN, seq=peer.seq + offset)
        assert asked.acks == [(0, 1)] and not asked.requests and not asked.events
        asked = await bed.ticks(EPOCH)
    assert bed.state(0) == State.ESTABLISHED and bed.rcv_nxt(0) == peer.seq
    asked = await peer.send(SYN | ACK, seq=peer.seq - 1)
    assert asked.acks == [(0, 1)] and not asked.frames
    assert before >> 32 == bed.context(0) >> 32  # all but the timers and the count


@cocotb.test()
@pytest.mark.rfc9293("MAY-12")
@pytest.mark.pitfall("blind-ack")
async def ack_range(dut):
    """RFC 5961, 5: an ACK of what was never sent, or of what was long ago, is challenged and does nothing."""
    bed = await Bed(dut).reset()
    for seq in (1000, 0x7FFFFFFF):
        peer = await bed.serve(seq=seq)
        await bed.send(100)
        for ack in (peer.ack + 101, peer.ack + (1 << 31) - 1, peer.ack - 2 * RING, peer.ack - (1 << 30)):
            asked = await peer.send(ack=ack, length=10, accepted=0, window=3)
            assert asked.acks == [(0, 1)] and not asked.requests
        limit = bed.limit(0)
        for ack in (peer.ack - 1, peer.ack - 2 * RING + 101):
            asked = await peer.send(ack=ack, window=3)
            assert not asked.acks and not asked.requests
        assert bed.limit(0) == limit and bed.state(0) == State.ESTABLISHED
        await peer.take(100)
        await bed.order(ABORT)
        await bed.ticks(EPOCH)


@cocotb.test()
@pytest.mark.pitfall("challenge-rate")
async def rate_limit(dut):
    """RFC 5961, 7: so many challenges in a time and no more, for each session by itself."""
    bed = await Bed(dut).reset()
    one, two = await bed.serve(0, port=1), await bed.connect(1, port=2)
    for _ in range(2):
        for peer in (one, two):
            answered = 0
            for i in range(3 * CHALLENGES):
                kinds = (
                    {"flags": RST, "seq": peer.seq + 5},
                    {"flags": SYN},
                    {"seq": peer.seq - 1},
                    {"seq": peer.seq - 100},
                    {"seq": peer.seq + 70000},
                    {"ack": peer.ack + 9},
                )
                answered += len((await peer.send(**kinds[i % len(kinds)])).acks)
            assert answered == CHALLENGES
        # Data are acknowledged all the same
        assert (await one.send(seq=one.seq + 1, length=4)).acks == [(0, 1)]
        assert (await one.send(seq=one.seq - 1, length=1)).acks == [(0, 1)]
        await bed.ticks(EPOCH)


@cocotb.test()
@pytest.mark.rfc9293("MAY-13")
@pytest.mark.pitfall("instant-ack", "overlap")
async def answers_to_data(dut):
    """In order: an ACK is pending, at once if so wanted; after a hole, old, or without room: at once."""
    bed = await Bed(dut).reset()
    for seq in (1000, 0xFFFFFF80):
        peer = await bed.serve(seq=seq)
        for _ in range(3):
            assert (await peer.say(50)).acks == [(0, INSTANT)]
        for offset, length in ((10, 5), (-50, 50), (-20, 40), (-1, 1), (60000, 1), (-100000, 7), (70000, 7), (0, 9)):
            asked = await peer.send(seq=peer.seq + offset, length=length, accepted=0)
            assert asked.acks == [(0, 1)] and not asked.requests and bed.rcv_nxt(0) == peer.seq
        # It has advertised a closed window, and now there is room
        dut.window_low.value = 0
        await bed.settle()
        dut.window_low.value = 1
        await bed.settle()
        assert bed.asked().acks == [(0, 1)]  # once
        assert not (await bed.ticks(5)).acks
        dut.window_low.value = 0
        await bed.settle()
        # Another frame has advertised it between
        dut.window_low.value = dut.advertised_more.value = 1
        await bed.settle()
        assert not bed.asked().acks
        dut.window_low.value = dut.advertised_more.value = 0
        # Nothing without ACK
        assert not (await peer.send(0, length=5)).acks
        await bed.order(ABORT)


@cocotb.test()
async def queued_behind(dut):
    """Segments wait while later ones are accepted: none of them is taken for an old one because of that."""
    bed = await Bed(dut).reset()
    peer = await bed.serve()
    await bed.send(100)
    await bed.move("rcv", 0, peer.seq + 1000)  # two of 500; the records come now
    asked = await bed.segment(sid=0, flags=ACK, seq=peer.seq, ack=plus(peer.ack, 100), length=500, accepted=1)
    await bed.move("rcv", 0, peer.seq + 1000)
    asked = await bed.segment(
        sid=0, flags=FIN | ACK, seq=peer.seq + 500, ack=plus(peer.ack, 100), length=500, accepted=1
    )
    assert asked.events == [(0, "PEER_CLOSED")] and bed.rcv_nxt(0) == peer.seq + 1001
    assert not (await bed.ticks(60)).frames  # the ACK counted


@cocotb.test()
@pytest.mark.pitfall("syn-flood")
async def syn_flood(dut):
    """More SYNs than sessions: each session answers one and is free again when nobody completes it; then it serves."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = await Bed(dut).reset(rto_initial=3, rto_min=3, rto_max=5, syn_retries=2)
    for sid in range(SESSIONS):
        await bed.order(LISTEN, sid, tuple_of(0, 80, 0))
    for sid in range(SESSIONS):
        assert bed.listens(sid)
        asked = await bed.segment(sid=sid, flags=SYN, seq=rng.getrandbits(32), tuple=tuple_of(1000 + sid))
        assert [x[:2] for x in asked.frames] == [(sid, SYN | ACK)] and not bed.listens(sid)
    for i in range(20):  # toe_listen finds none
        asked = await bed.segment(hit=0, flags=SYN, seq=5, tuple=tuple_of(2000 + i))
        assert asked.strays == [(tuple_of(2000 + i), RST | ACK, 0, 6)]
    asked = await bed.ticks(20)
    assert not asked.events and all(bed.listens(sid) and not bed.there(sid) for sid in range(SESSIONS))
    for sid in range(SESSIONS):
        await bed.serve(sid, port=3000 + sid)


@cocotb.test()
async def line_rate(dut):
    """A record every 21 cycles, the least that frames are apart, and all else: none waits longer than two events."""
    bed = await Bed(dut).reset(keepalive=5, retries=15)
    peers = [await bed.serve(sid, port=100 + sid) for sid in range(SESSIONS)]
    await bed.settle()
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    dut.ticks.value = 60000
    dut.measure.value = 1
    for blocked in (0, 1):
        dut.blocked.value = blocked
        for _ in range(300):
            peer = rng.choice(peers)
            length, flags = rng.choice(((0, ACK), (100, ACK), (0, RST), (0, SYN), (0, FIN)))
            seq = peer.seq + rng.choice((0, 1000, -1000)) if flags == ACK else peer.seq + 7
            values = {"hit": 1, "sid": peer.sid, "tuple": peer.tuple, "length": length, "accepted": 0, "window": 60000}
            await bed.segment(settle=False, **values, flags=flags, seq=seq & MASK, ack=peer.ack)
            await bed.cycles(17)
    assert int(dut.longest.value) <= 20, int(dut.longest.value)
    assert all(bed.state(sid) == State.ESTABLISHED for sid in range(SESSIONS))


@cocotb.test()
async def nothing_is_lost(dut):
    """Events that nobody takes and frames that the transmitter does not take wait; nothing else does."""
    bed = await Bed(dut).reset(rto_initial=20)
    dut.blocked.value = 1
    await bed.order(CONNECT, 0)  # its SYN is in the register
    await bed.order(CONNECT, 1, tuple_of(7), settle=False)
    await bed.settle()
    assert bed.state(1) == State.CLOSED  # waits
    asked = await bed.segment(hit=0, flags=ACK, seq=1, ack=2)
    dut.blocked.value = 0
    await bed.settle()
    asked = bed.asked()
    assert [x[:2] for x in asked.frames] == [(0, SYN), (1, SYN)] and not asked.strays
    dut.unread.value = 1
    for _ in range(20):
        await bed.order(ABORT, 3, settle=False)
        await bed.settle()
    dut.unread.value = 0
    for _ in range(3):
        await bed.settle()
    events = bed.asked().events
    assert events == [(3, "BAD_COMMAND")] * len(events) and 14 <= len(events) <= 20
    assert (await bed.order(ABORT, 0)).events == [(0, "CLOSED")]


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_tcp_defences(test):
    toe_tcp_bench().run(__name__, test)


@kept(__file__)
def test_instant_ack():
    toe_tcp_bench(INSTANT_ACK_EN=1).run(__name__, "answers_to_data")
