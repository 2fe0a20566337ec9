# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_tcp: opening and closing, RFC 9293 3.5, 3.6 and 3.10: every state, its segments and its orders."""

import cocotb
import pytest

from toe_tcp_play import (
    ABORT,
    ACK,
    CLOSE,
    CONNECT,
    FIN,
    LISTEN,
    RST,
    SESSIONS,
    SYN,
    Bed,
    State,
    ahead,
    plus,
    toe_tcp_bench,
    tuple_of,
)
from ullnic_tb import cocotb_tests

WRAP = (1000, 0xFFFFFFFF, 0xFFFFFFFE, 0x7FFFFFFF)  # the peer's initial sequence numbers


def free(bed: Bed, sid: int = 0, listens: bool = False) -> bool:
    state = State.LISTEN if listens else State.CLOSED
    there = (bed.there(sid), bed.receives(sid), bed.open(sid))
    return (bed.state(sid), bed.listens(sid), *there) == (state, listens, False, False, False)


@cocotb.test()
@pytest.mark.rfc9293("MUST-12")
@pytest.mark.pitfall("isn-near-wrap", "sequence-wrap")
async def passive_open_data_close(dut):
    """LISTEN, handshake, data both ways, the peer closes, then the user; the session listens again."""
    bed = await Bed(dut).reset()
    asked = await bed.order(LISTEN, 0, tuple_of(0, 80, 0))
    assert not asked.events and bed.listens(0) and bed.state(0) == State.LISTEN
    issues = []
    for seq in WRAP:
        peer = await bed.serve(seq=seq)
        issues.append(peer.ack)
        assert not bed.listens(0) and bed.there(0) and bed.open(0) and bed.receives(0)
        assert (
            bed.macs(0) == 0x020000000A
            and bed.whom(0) == peer.tuple
            and bed.rcv_nxt(0) == peer.seq
            and bed.snd_nxt(0) == peer.ack
        )
        asked = await peer.say(100)
        assert asked.acks == [(0, 0)] and not asked.frames and not asked.events
        await bed.send(700)
        asked = await peer.take(700)
        assert not asked.frames and not asked.acks
        asked = await peer.say(10, FIN | ACK)
        assert asked.events == [(0, "PEER_CLOSED")] and asked.acks == [(0, 1)]
        assert bed.state(0) == State.CLOSE_WAIT and bed.rcv_nxt(0) == peer.seq and not bed.receives(0)
        await bed.send(50)
        await peer.take(50)
        asked = await bed.order(CLOSE)
        assert asked.frames == [(0, FIN | ACK, peer.ack, 0)] and bed.state(0) == State.LAST_ACK and not bed.open(0)
        asked = await peer.take(1)
        assert asked.events == [(0, "CLOSED")] and free(bed, listens=True)
    assert len(set(issues)) == len(WRAP)
    asked = await bed.order(ABORT)
    assert asked.events == [(0, "CLOSED")] and not asked.requests and free(bed)


@cocotb.test()
@pytest.mark.rfc9293("MUST-13")
@pytest.mark.pitfall("sequence-wrap", "isn-near-wrap")
async def active_open(dut):
    """SYN with its options, ESTABLISHED; the user closes: FIN-WAIT-1, FIN-WAIT-2, TIME-WAIT, CLOSED."""
    bed = await Bed(dut).reset()
    for seq in WRAP:
        asked = await bed.order(CONNECT, 1, tuple_of(443, 5000))
        [request] = asked.requests
        assert request["options"] and request["scale"] and request["flags"] == SYN and not request["no_session"]
        await bed.order(ABORT, 1)
        peer = await bed.connect(1, seq)
        assert bed.state(1) == State.ESTABLISHED and bed.rcv_nxt(1) == peer.seq and bed.snd_nxt(1) == peer.ack
        asked = await bed.order(CLOSE, 1)
        assert asked.frames == [(1, FIN | ACK, peer.ack, 0)] and bed.state(1) == State.FIN_WAIT_1
        asked = await peer.take(1)
        assert bed.state(1) == State.FIN_WAIT_2 and not asked.acks and bed.receives(1)
        assert (await peer.say(33)).acks == [(1, 0)]
        asked = await peer.say(0, FIN | ACK)
        assert asked.events == [(1, "PEER_CLOSED")] and asked.acks == [(1, 1)] and bed.state(1) == State.TIME_WAIT
        asked = await bed.ticks(bed.settings["time_wait"] - 1)
        assert not asked.events and bed.there(1)
        asked = await bed.ticks(2)
        assert asked.events == [(1, "CLOSED")] and free(bed, 1)


@cocotb.test()
@pytest.mark.rfc9293("MUST-10")
@pytest.mark.pitfall("simultaneous-open")
async def simultaneous_open(dut):
    """RFC 9293, 3.5, figure 8: both send SYN; SYN and ACK, or a bare ACK, completes it."""
    bed = await Bed(dut).reset()
    for seq in WRAP:
        for answer in (SYN | ACK, ACK):
            asked = await bed.order(CONNECT)
            [(_, _, iss, _)] = asked.frames
            first = {"sid": 0, "seq": seq, "mss_on": 1, "mss": 1000}
            asked = await bed.segment(flags=SYN, **first)
            assert asked.frames == [(0, SYN | ACK, iss, 0)] and bed.state(0) == State.SYN_RCVD and not asked.events
            assert not asked.requests[0]["scale"]  # it had no such option
            last = first if answer & SYN else {"sid": 0, "seq": plus(seq, 1)}
            asked = await bed.segment(flags=answer, ack=plus(iss, 1), **last)
            assert asked.events == [(0, "CONNECTED")] and bed.mss(0) == 1000 and bed.rcv_nxt(0) == plus(seq, 1)
            assert asked.acks == ([(0, 1)] if answer & SYN else [])
            asked = await bed.order(ABORT)
            assert asked.frames == [(0, RST | ACK, plus(iss, 1), 0)] and asked.events == [(0, "CLOSED")]


@cocotb.test()
@pytest.mark.pitfall("simultaneous-open")
async def options_of_the_first_syn(dut):
    """MSS, scale and initial window are of the first SYN, whatever a later SYN or SYN-ACK offers in SYN-RECEIVED."""
    bed = await Bed(dut).reset()
    sizes = {}, {"mss_on": 1, "mss": 500}, {"mss_on": 1, "mss": 1000}, {"mss_on": 1, "mss": 1460}, {"mss_on": 1}
    for command in (CONNECT, LISTEN):
        for first in sizes:
            mss = max(28, first["mss"]) if "mss" in first else 28 if first else 536
            start = (3 if mss > 1095 else 4) * mss
            for last in sizes:
                tup = tuple_of(0, 80, 0) if command == LISTEN else tuple_of()
                await bed.order(command, 0, tup)
                scale = {"scale_on": 1, "scale": 7}
                [*_, (_, flags, iss, _)] = (await bed.segment(flags=SYN, seq=77, **first, **scale)).frames
                assert flags == SYN | ACK
                again = await bed.segment(flags=SYN, seq=77, **last, scale_on=1, scale=3)
                assert again.frames == [(0, SYN | ACK, iss, 0)] and bed.mss(0) == mss
                asked = await bed.segment(flags=SYN | ACK, seq=77, ack=plus(iss, 1), **last, window=9000)
                assert asked.events == [(0, "CONNECTED")] and bed.mss(0) == mss
                assert ahead(bed.limit(0), plus(iss, 1)) == start, (first, last)
                await bed.segment(flags=ACK, seq=78, ack=plus(iss, 1), window=3)
                assert ahead(bed.limit(0), plus(iss, 1)) == min(3 << 7, start)
                # The window of a SYN is not scaled
                await bed.order(ABORT)
                await bed.order(command, 0, tup)
                [*_, (_, _, iss, _)] = (await bed.segment(flags=SYN, seq=77, **first, **scale)).frames
                await bed.segment(flags=SYN | ACK, seq=77, ack=plus(iss, 1), **last, window=20)
                assert ahead(bed.limit(0), plus(iss, 1)) == 20
                await bed.order(ABORT)


@cocotb.test()
@pytest.mark.pitfall("simultaneous-close")
async def simultaneous_close(dut):
    """Both FINs cross: CLOSING, TIME-WAIT; or the peer's comes with the ACK of ours: straight to TIME-WAIT."""
    bed = await Bed(dut).reset(time_wait=3)
    for seq in WRAP:
        for crossed in (True, False):
            peer = await bed.connect(0, seq)
            await bed.order(CLOSE)
            if not crossed:
                peer.ack = plus(peer.ack, 1)
            asked = await peer.say(0, FIN | ACK)
            assert asked.acks == [(0, 1)] and asked.events == [(0, "PEER_CLOSED")]
            assert bed.state(0) == (State.CLOSING if crossed else State.TIME_WAIT)
            if crossed:
                await peer.take(1)
            assert bed.state(0) == State.TIME_WAIT
            assert (await bed.ticks(5)).events == [(0, "CLOSED")] and free(bed)


@cocotb.test()
async def begins_behind_the_last(dut):
    """A connection waits for what its session's last one has left in the transmitter; the first one does not."""
    bed = await Bed(dut).reset()
    dut.busy.value = 1
    await bed.connect(0)
    await bed.order(ABORT)
    asked = await bed.order(CONNECT)
    assert not asked.frames and not asked.events and bed.state(0) == State.CLOSED
    dut.busy.value = 0
    await bed.settle()
    assert [x[:2] for x in bed.asked().frames] == [(0, SYN)]
    await bed.order(ABORT)
    peer = await bed.serve(1)
    await peer.send(RST)
    dut.busy.value = 1
    asked = await bed.segment(sid=1, flags=SYN, seq=77)
    assert not asked.requests and bed.state(1) == State.LISTEN and bed.listens(1)
    dut.busy.value = 0
    await bed.serve(1)
    await bed.order(ABORT, 1)
    # Orders wait for all frames of connections that have ended
    dut.tcp_settled.value = 0
    assert not (await bed.order(CONNECT)).frames and bed.state(0) == State.CLOSED
    dut.tcp_settled.value = 1
    await bed.settle()
    assert [x[:2] for x in bed.asked().frames] == [(0, SYN)]


@cocotb.test()
async def close_with_data(dut):
    """FIN waits for the user's data that are on their way, and for the handshake."""
    bed = await Bed(dut).reset()
    peer = await bed.serve()
    dut.busy.value = 1
    asked = await bed.order(CLOSE)
    assert not asked.frames and not bed.open(0) and bed.state(0) == State.ESTABLISHED
    await bed.move("snd", 0, bed.snd_nxt(0) + 77)
    await bed.settle()
    dut.busy.value = 0
    await bed.settle()
    assert bed.asked().frames == [(0, FIN | ACK, plus(peer.ack, 77), 0)] and bed.state(0) == State.FIN_WAIT_1
    assert (await bed.order(CLOSE)).events == [(0, "BAD_COMMAND")]
    await peer.take(77)
    assert bed.state(0) == State.FIN_WAIT_1
    await bed.order(ABORT)
    # In SYN-RECEIVED
    await bed.order(CONNECT, 2)
    [(_, _, iss, _)] = (await bed.segment(sid=2, flags=SYN, seq=5)).frames
    asked = await bed.order(CLOSE, 2)
    assert not asked.frames and not asked.events and bed.state(2) == State.SYN_RCVD
    asked = await bed.segment(sid=2, flags=ACK, seq=6, ack=plus(iss, 1))
    assert asked.frames == [(2, FIN | ACK, plus(iss, 1), 0)] and bed.state(2) == State.FIN_WAIT_1


@cocotb.test()
async def fin_with_handshake(dut):
    """The ACK of the handshake brings data and FIN: both events, in order, and all is acknowledged."""
    bed = await Bed(dut).reset()
    await bed.order(LISTEN, 0, tuple_of(0, 80, 0))
    [(_, _, iss, _)] = (await bed.segment(sid=0, flags=SYN, seq=5)).frames
    asked = await bed.segment(sid=0, flags=FIN | ACK, seq=6, ack=plus(iss, 1), length=9)
    assert asked.events == [(0, "CONNECTED"), (0, "PEER_CLOSED")] and asked.acks == [(0, 1)]
    assert bed.rcv_nxt(0) == 16 and bed.state(0) == State.CLOSE_WAIT


@cocotb.test()
@pytest.mark.pitfall("fin-past-hole")
async def fin_past_a_hole(dut):
    """FIN counts when all before it has been accepted; else the peer learns at once what is missing."""
    bed = await Bed(dut).reset()
    for seq in WRAP:
        peer = await bed.serve(seq=seq)
        for lost in ({"seq": peer.seq + 10}, {"seq": peer.seq + 10, "length": 5}, {"length": 5, "accepted": 0}):
            asked = await peer.send(FIN | ACK, **lost)
            assert asked.acks == [(0, 1)] and not asked.events and bed.rcv_nxt(0) == peer.seq
            assert bed.state(0) == State.ESTABLISHED and bed.receives(0)
        # Data that are there already, now with the FIN
        await peer.say(20)
        asked = await peer.send(FIN | ACK, seq=peer.seq - 20, length=20, accepted=0)
        assert asked.events == [(0, "PEER_CLOSED")] and bed.rcv_nxt(0) == plus(peer.seq, 1)
        # Lost ACK: the FIN once more
        asked = await peer.send(FIN | ACK)
        assert asked.acks == [(0, 1)] and not asked.events and bed.rcv_nxt(0) == plus(peer.seq, 1)
        await bed.order(ABORT)


@cocotb.test()
@pytest.mark.pitfall("rst-numbers")
async def strays(dut):
    """3.10.7.1: segments of no session get an RST that their sender believes; RSTs get none."""
    bed = await Bed(dut).reset()
    tup = tuple_of(1234, 99, 0x01020304, 5)
    stray = {"hit": 0, "sid": 777, "tuple": tup}
    for ack in (0, 5, 0xFFFFFFFF):
        for flags in (ACK, FIN | ACK, SYN | ACK):
            asked = await bed.segment(flags=flags, seq=1, ack=ack, length=7, **stray)
            assert [x[:3] for x in asked.strays] == [(tup, RST, ack)]
            assert asked.requests[0]["peer_mac"] == 0x020000000A
    for seq, flags, length in ((100, SYN, 0), (100, 0, 7), (0xFFFFFFFE, FIN, 3), (0xFFFFFFFF, SYN | FIN, 3)):
        asked = await bed.segment(flags=flags, seq=seq, length=length, **stray)
        end = plus(seq, length + bool(flags & SYN) + bool(flags & FIN))
        assert asked.strays == [(tup, RST | ACK, 0, end)]
    for flags in (RST, RST | ACK, RST | SYN):
        assert not (await bed.segment(flags=flags, seq=1, ack=1, **stray)).requests
    # A session that is closed by now; one that is another's by now
    asked = await bed.segment(sid=3, tuple=tup, flags=ACK, seq=1, ack=9)
    assert asked.strays == [(tup, RST, 9, 1)] and free(bed, 3)
    asked = await bed.segment(sid=3, tuple=tup, flags=FIN, seq=1)
    assert asked.strays == [(tup, RST | ACK, 0, 2)] and free(bed, 3)
    peer = await bed.serve()
    asked = await bed.segment(sid=0, tuple=tup, flags=ACK, seq=peer.seq, ack=peer.ack)
    assert asked.strays == [(tup, RST, peer.ack, peer.seq)] and bed.state(0) == State.ESTABLISHED
    # Its port may be listened on: that drops what has no ACK, or is there for the SYN that comes again
    for flags in (SYN, SYN | FIN, FIN, 0):
        asked = await bed.segment(sid=0, tuple=tup, flags=flags, seq=peer.seq, length=3)
        assert not asked.requests and not asked.acks and bed.state(0) == State.ESTABLISHED
    asked = await bed.segment(sid=0, tuple=tup, flags=RST, seq=peer.seq)
    assert not asked.requests and not asked.acks and bed.state(0) == State.ESTABLISHED


@cocotb.test()
async def listen_state(dut):
    """3.10.7.2: RST nothing, ACK an RST, SYN an answer; else nothing."""
    bed = await Bed(dut).reset()
    await bed.order(LISTEN, 0, tuple_of(0, 80, 0))
    for flags in (RST, RST | ACK, 0, FIN):
        asked = await bed.segment(sid=0, flags=flags, seq=1, ack=2)
        assert not asked.requests and not asked.acks
    for flags in (ACK, SYN | ACK):
        asked = await bed.segment(sid=0, flags=flags, seq=1, ack=2)
        assert asked.strays[0][1:3] == (RST, 2)
    assert bed.state(0) == State.LISTEN and bed.listens(0)
    # The port of another session: the SYN is left to be sent again
    asked = await bed.segment(sid=0, flags=SYN, seq=1, tuple=tuple_of(1, 81))
    assert not asked.requests and bed.state(0) == State.LISTEN


@cocotb.test()
@pytest.mark.pitfall("rst-numbers")
async def syn_sent_state(dut):
    """3.10.7.3: a wrong ACK gets an RST, an RST counts with the right ACK only."""
    bed = await Bed(dut).reset()
    [(_, _, iss, _)] = (await bed.order(CONNECT)).frames
    for ack in (iss, plus(iss, 2), plus(iss, -1), plus(iss, 1 << 31)):
        asked = await bed.segment(sid=0, flags=SYN | ACK, seq=9, ack=ack)
        assert asked.strays[0][1:3] == (RST, ack) and bed.state(0) == State.SYN_SENT
        asked = await bed.segment(sid=0, flags=RST | ACK, seq=9, ack=ack)
        assert not asked.requests and not asked.events and bed.state(0) == State.SYN_SENT
    for flags in (RST, 0, FIN):
        asked = await bed.segment(sid=0, flags=flags, seq=9)
        assert not asked.requests and not asked.events and bed.state(0) == State.SYN_SENT
    asked = await bed.segment(sid=0, flags=ACK, seq=9, ack=plus(iss, 1))
    assert not asked.requests and bed.state(0) == State.SYN_SENT
    asked = await bed.segment(sid=0, flags=RST | ACK, seq=9, ack=plus(iss, 1))
    assert asked.events == [(0, "REFUSED")] and free(bed)


@cocotb.test()
@pytest.mark.rfc9293("MUST-11")
async def syn_rcvd_state(dut):
    """3.10.7.4 in SYN-RECEIVED: a wrong ACK gets an RST; RST and a SYN lead back to LISTEN without an event."""
    bed = await Bed(dut).reset()
    await bed.order(LISTEN, 0, tuple_of(0, 80, 0))
    for ending in (RST, SYN):
        [(_, _, iss, _)] = (await bed.segment(sid=0, flags=SYN, seq=0xFFFFFFFF)).frames
        for ack in (iss, plus(iss, 2), plus(iss, -9)):
            asked = await bed.segment(sid=0, flags=ACK, seq=0, ack=ack)
            assert asked.strays[0][1:3] == (RST, ack) and bed.state(0) == State.SYN_RCVD
        asked = await bed.segment(sid=0, flags=SYN, seq=0xFFFFFFFF)  # it did not see our answer
        assert asked.frames == [(0, SYN | ACK, iss, 0)]
        asked = await bed.segment(sid=0, flags=ending, seq=0)
        assert not asked.events and not asked.requests and free(bed, listens=True)


@cocotb.test()
@pytest.mark.rfc9293("MAY-2", "MUST-13")
@pytest.mark.pitfall("time-wait-syn")
async def time_wait(dut):
    """A FIN again starts the wait anew; a SYN with a higher number opens again, with a higher one of ours, but not
    while the user has bytes of the old connection to take.
    """
    bed = await Bed(dut).reset(time_wait=10)
    for seq, higher in zip(WRAP, (5, 1, 1000, 1), strict=True):
        peer = await bed.serve(seq=seq)
        await bed.order(CLOSE)
        await peer.take(1)
        await peer.say(0, FIN | ACK)
        assert bed.state(0) == State.TIME_WAIT
        for _ in range(3):
            assert not (await bed.ticks(8)).events
            asked = await peer.send(FIN | ACK, seq=peer.seq - 1)
            assert asked.acks == [(0, 1)] and not asked.events
        for offset in (-5, -1, 0):
            old = await peer.send(SYN, seq=peer.seq + offset)
            assert old.acks == [(0, 1)] and not old.frames and bed.state(0) == State.TIME_WAIT
        dut.untaken.value = 1
        waits = await peer.send(SYN, seq=peer.seq + higher)
        assert not waits.frames and not waits.acks and bed.state(0) == State.TIME_WAIT
        dut.untaken.value = 0
        asked = await peer.send(SYN, seq=peer.seq + higher)
        [(_, flags, iss, _)] = asked.frames
        assert flags == SYN | ACK and 0 < (iss - peer.ack) % (1 << 32) < 1 << 31 and not asked.events
        assert bed.there(0) and not bed.listens(0)
        peer.seq, peer.ack = plus(peer.seq, higher + 1), plus(iss, 1)
        assert (await peer.send()).events == [(0, "CONNECTED")]
        assert (await peer.say(0, FIN | ACK)).events == [(0, "PEER_CLOSED")]  # what it says counts from its new SYN
        await bed.order(ABORT)
        assert free(bed)


@cocotb.test()
@pytest.mark.rfc9293("MUST-41")
async def orders(dut):
    """Orders that the state does not allow are refused and change nothing; ABORT in each state."""
    bed = await Bed(dut).reset()
    for command in (CLOSE, ABORT):
        assert (await bed.order(command)).events == [(0, "BAD_COMMAND")]
    for sid in (SESSIONS, 1023):
        for command in (LISTEN, CONNECT, CLOSE, ABORT):
            asked = await bed.order(command, sid)
            assert asked.events == [(sid, "BAD_COMMAND")] and not asked.requests
    assert all(free(bed, sid) for sid in range(SESSIONS))
    await bed.order(LISTEN, 0, tuple_of(0, 80, 0))
    # CLOSE may be late: it does not stop listening, nor end a connection that the user has not heard of
    for command in (LISTEN, CONNECT, CLOSE):
        assert (await bed.order(command)).events == [(0, "BAD_COMMAND")] and free(bed, listens=True)
    await bed.segment(sid=0, flags=SYN, seq=5)
    assert (await bed.order(CLOSE)).events == [(0, "BAD_COMMAND")] and bed.state(0) == State.SYN_RCVD
    asked = await bed.order(ABORT)
    assert asked.events == [(0, "CLOSED")] and [x[1] for x in asked.frames] == [RST | ACK] and free(bed)
    await bed.order(CONNECT)
    assert (await bed.order(LISTEN)).events == [(0, "BAD_COMMAND")] and bed.state(0) == State.SYN_SENT
    assert (await bed.order(CLOSE)).events == [(0, "CLOSED")] and free(bed)
    # ABORT from CLOSE-WAIT, LAST-ACK
    for close in (False, True):
        peer = await bed.connect()
        await peer.say(0, FIN | ACK)
        if close:
            await bed.order(CLOSE)
        asked = await bed.order(ABORT)
        assert asked.events == [(0, "CLOSED")] and free(bed)
        assert asked.frames == ([] if close else [(0, RST | ACK, peer.ack, 0)])


@cocotb.test()
@pytest.mark.rfc9293("MUST-42")
async def no_place(dut):
    """No place for the tuple: a connect fails with an event, a peer's SYN silently; the session is usable."""
    bed = await Bed(dut).reset()
    await bed.order(LISTEN, 1, tuple_of(0, 80, 0))
    for slow in (0, 9):
        dut.full.value, dut.slow.value = 1, slow
        asked = await bed.order(CONNECT)
        assert asked.events == [(0, "BAD_COMMAND")] and not asked.frames and free(bed)
        asked = await bed.segment(sid=1, flags=SYN, seq=5)
        assert not asked.events and not asked.frames and free(bed, 1, True)
        dut.full.value = 0
        await bed.connect()
        # The same SYN twice, and both found a listening session
        await bed.order(LISTEN, 2, tuple_of(0, 80, 0))
        asked = await bed.segment(sid=1, flags=SYN, seq=5, tuple=tuple_of(7))
        assert [x[0] for x in asked.frames] == [1]
        asked = await bed.segment(sid=2, flags=SYN, seq=5, tuple=tuple_of(7))
        assert not asked.events and not asked.frames and free(bed, 2, True) and bed.state(1) == State.SYN_RCVD
        for sid in (0, 1, 2):
            await bed.order(ABORT, sid)
            assert free(bed, sid)
        await bed.order(LISTEN, 1, tuple_of(0, 80, 0))


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_tcp_states(test):
    toe_tcp_bench().run(__name__, test)
