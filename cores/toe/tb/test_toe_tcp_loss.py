# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_tcp: what is lost is retransmitted: RFC 6298, 5681, 6582, 3042; who is given up."""

import cocotb
import pytest

from toe_tcp_play import (
    ACK,
    CLOSE,
    CONNECT,
    FIN,
    LISTEN,
    MSS,
    RING,
    RST,
    SYN,
    Bed,
    State,
    ahead,
    parameter,
    plus,
    toe_tcp_bench,
    tuple_of,
)
from ullnic_tb import cocotb_tests, main_and_kept

CONGESTION = parameter("TX_CONGESTION_CONTROL_EN", 1)


@cocotb.test()
@pytest.mark.rfc9293("MUST-22")
@pytest.mark.pitfall("backoff-cap")
async def syn_lost(dut):
    """SYN, and SYN and ACK, go again with a doubled time; then the peer is given up."""
    bed = await Bed(dut).reset(rto_initial=10, rto_max=30, syn_retries=3)
    for passive in (False, True):
        if passive:
            await bed.order(LISTEN, 0, tuple_of(0, 80, 0))
            asked = await bed.segment(sid=0, flags=SYN, seq=7)
        else:
            asked = await bed.order(CONNECT)
        [first] = asked.frames
        times = []
        for _ in range(3):
            times.append(await bed.due())
            assert bed.asked().frames == [first]
        assert [abs(a - b) <= 1 for a, b in zip(times, (10, 20, 30), strict=True)] == [True] * 3, times
        asked = await bed.ticks(32)
        assert asked.events == ([] if passive else [(0, "TIMED_OUT")])
        assert bed.state(0) == (State.LISTEN if passive else State.CLOSED) and not bed.there(0)
        assert [x[1] for x in asked.frames] == ([RST | ACK] if passive else [])


@cocotb.test()
@pytest.mark.rfc9293("MUST-18", "MUST-19")
@pytest.mark.pitfall("backoff-cap", "sequence-wrap")
async def timeout_goes_back(dut):
    """A timeout sends all that is not acknowledged again and doubles the time; a new ACK resets it."""
    bed = await Bed(dut).reset(rto_initial=10, rto_min=10, rto_max=60, retries=5)
    for seq in (1000, 0xFFFFFFF0):
        peer = await bed.serve(seq=seq, port=40000 + seq % 100)
        await peer.grow()
        bed.asked()
        await bed.send(4 * MSS)
        await bed.send(100)
        base, waits = peer.ack, []
        for _ in range(4):
            waits.append(await bed.due())
            window = MSS if CONGESTION else RING
            sent = bed.asked().frames
            assert sent[0] == (0, ACK, base, MSS) and len(sent) == (1 if CONGESTION else 5)
            assert peer.allowance() == window
        assert [abs(wait - wanted) < 2 for wait, wanted in zip(waits, (10, 20, 40, 60), strict=True)] == [True] * 4, (
            waits
        )
        if CONGESTION:
            # Slow start from one segment: each ACK of one lets two more go
            got = (await peer.take(MSS)).frames
            assert got == [(0, ACK, plus(base, MSS), MSS), (0, ACK, plus(base, 2 * MSS), MSS)]
            got = (await peer.take(2 * MSS)).frames
            assert got == [(0, ACK, plus(base, 3 * MSS), MSS), (0, ACK, plus(base, 4 * MSS), 100)]
            await peer.take(MSS + 100)
        else:
            await peer.take(4 * MSS + 100)
        assert not (await bed.ticks(30)).requests
        # The time is that of the start again: nothing was measured meanwhile but ticks of 0
        await bed.send(10)
        assert await bed.due() in (10, 11) and bed.asked().frames == [(0, ACK, peer.ack, 10)]
        await bed.order(3)


@cocotb.test()
async def ack_overtakes(dut):
    """While all is sent again, an ACK of more than that: it goes on behind it."""
    bed = await Bed(dut).reset(rto_initial=10, rto_min=10, rto_max=60)
    for _ in range(4):
        peer = await bed.connect()
        await peer.grow()
        bed.asked()
        for _ in range(5):
            await bed.send(MSS)
        await bed.due()
        assert bed.asked().frames[0] == (0, ACK, peer.ack, MSS)
        sent = (await peer.take(3 * MSS)).frames
        assert sent == ([(0, ACK, plus(peer.ack, i * MSS), MSS) for i in (0, 1)] if CONGESTION else [])
        assert not (await peer.take(2 * MSS)).frames
        await bed.order(3)


@cocotb.test()
@pytest.mark.rfc9293("MUST-18")
@pytest.mark.pitfall("karn")
async def not_measured(dut):
    """Karn: the ACK of what was sent again is no sample, however late it comes."""
    bed = await Bed(dut).reset(rto_initial=50, rto_min=2, rto_max=100, retries=15)
    peer = await bed.connect()
    for _ in range(3):
        await bed.send(10)
        assert len((await bed.ticks(40)).frames) > 2
        await peer.take(10)
        await bed.send(10)
        assert await bed.due() <= 3
        await peer.take(10)
        bed.asked()


@cocotb.test()
@pytest.mark.pitfall("backoff-kept")
async def backed_off(dut):
    """The doubled time stays, and runs on, whatever comes, until an ACK of new data."""
    bed = await Bed(dut).reset(rto_initial=8, rto_min=8, rto_max=100, retries=6)
    peer = await bed.connect()
    await bed.send(100)
    await bed.send(100)
    assert await bed.due() in (8, 9) and abs(await bed.due() - 16) < 2
    base = peer.ack
    bed.asked()
    others = (
        {"ack": base},  # duplicates, a new window, an old one, data of the peer's, what is challenged
        {"ack": base},
        {"ack": base, "window": 50000},
        {"ack": base - 1},
        {"ack": base, "length": 5},
        {"ack": base + 999, "length": 5, "accepted": 0},
        {"flags": RST, "seq": peer.seq + 9},
    )
    for wait in (32, 64):
        for other in others:
            await bed.ticks(2)
            await peer.send(**other)
            peer.seq = plus(peer.seq, other.get("length", 0) if "accepted" not in other else 0)
        assert abs(await bed.due() + 2 * len(others) - wait) < 2
        bed.asked()
    await peer.take(100)  # a round trip of what was sent again is not measured: the time is what it was at first
    assert await bed.due() in (8, 9) and bed.asked().frames == [(0, ACK, plus(base, 100), 100)]


@cocotb.test()
@pytest.mark.rfc9293("MUST-20", "MUST-21")
async def gives_up(dut):
    """After `retries` timeouts: RST, EV_TIMED_OUT, and the session is free."""
    bed = await Bed(dut).reset(rto_initial=4, rto_min=4, rto_max=8, retries=3)
    peer = await bed.connect()
    await bed.send(10)
    for _ in range(3):
        await bed.due()
        assert bed.asked().frames == [(0, ACK, peer.ack, 10)]
    # A duplicate ACK does not count as life
    await peer.send()
    await bed.due()
    asked = bed.asked()
    assert asked.frames == [(0, RST | ACK, plus(peer.ack, 10), 0)] and asked.events == [(0, "TIMED_OUT")]
    assert bed.state(0) == State.CLOSED and not bed.there(0) and not bed.receives(0) and not bed.open(0)


@cocotb.test()
@pytest.mark.pitfall("lost-fin")
async def lost_fin(dut):
    """FIN goes again: alone, or behind data that are lost, too; then its ACK counts."""
    bed = await Bed(dut).reset(rto_initial=5, rto_min=5, time_wait=3)
    for length in (0, 10, MSS, MSS + 1):
        peer = await bed.connect()
        if length:
            await bed.send(min(length, MSS))
            if length > MSS:
                await bed.send(length - MSS)
        asked = await bed.order(CLOSE)
        fin = (0, FIN | ACK, plus(peer.ack, length), 0)
        assert asked.frames == [fin]
        await bed.due()
        asked = bed.asked()
        if length > MSS and CONGESTION:
            assert asked.frames == [(0, ACK, peer.ack, MSS)]
            asked = await peer.take(MSS)
            assert asked.frames == [(0, ACK, peer.ack, 1), fin]
            length -= MSS
        elif length:
            data = [(0, ACK, plus(peer.ack, i), min(MSS, length - i)) for i in range(0, length, MSS)]
            assert asked.frames == [*data, fin]
        else:
            assert asked.frames == [fin]
        await peer.take(length)
        assert bed.state(0) == State.FIN_WAIT_1
        await peer.take(1)
        assert bed.state(0) == State.FIN_WAIT_2 and not (await bed.ticks(40)).requests
        await peer.say(0, FIN | ACK)
        await bed.ticks(5)
        assert bed.state(0) == State.CLOSED


@cocotb.test()
@pytest.mark.rfc9293("MUST-18")
@pytest.mark.pitfall("karn")
async def round_trips(dut):
    """RFC 6298: the timeout follows measured round trips; what was sent again is not measured (Karn)."""
    bed = await Bed(dut).reset(rto_initial=50, rto_min=2, rto_max=1000)
    peer = await bed.connect()
    srtt = rttvar = None
    for r in (0, 30, 30, 10, 60, 5, 30, 30):
        # The handshake was measured with 0
        if srtt is None:
            srtt, rttvar = r, r / 2
            continue
        rttvar, srtt = 0.75 * rttvar + 0.25 * abs(srtt - r), 0.875 * srtt + 0.125 * r
        await bed.send(10)
        asked = await bed.ticks(r) if r else bed.asked()
        late = bool(asked.frames)  # it was sent again before: not measured
        await peer.take(10)
        if late:
            break
        rto = srtt + max(1, 4 * rttvar)
        await bed.send(10)
        waited = await bed.due(400)
        bed.asked()
        await bed.ticks(3)
        await peer.take(10)
        assert abs(waited - rto) <= 2, (waited, rto, srtt, rttvar)
    else:
        raise AssertionError("no timeout came early")


@cocotb.test()
@pytest.mark.rfc9293("MUST-19")
@pytest.mark.pitfall("duplicate-ack", "partial-ack")
async def fast_retransmit(dut):
    """Three duplicate ACKs; limited transmit before, inflation behind; partial ACKs; the full ACK ends it."""
    bed = await Bed(dut).reset(rto_initial=500, rto_min=500, rto_max=600)
    peer = await bed.serve()
    await peer.grow()
    bed.asked()
    base = peer.ack
    for _ in range(4):
        await bed.send(MSS)
    await bed.send(8192 - 4 * MSS - 1000)
    flight = 8192 - 1000
    assert peer.allowance() == RING
    # What is no duplicate: payload, another window, another number
    for other in ({"length": 1, "accepted": 0}, {"window": 59999}, {"window": 60000}, {"ack": peer.ack - 1}):
        assert not (await peer.send(**other)).frames
    for _ in range(2):
        assert not (await peer.send()).frames
    asked = await peer.send()
    assert asked.frames == [(0, ACK, base, MSS)]
    half = max(flight // 2, 2 * MSS)
    if CONGESTION:
        assert peer.allowance() == min(half + 3 * MSS, RING)
    for _ in range(6):
        assert not (await peer.send()).frames
    # Partial: the next hole at once; no duplicate ACKs needed
    asked = await peer.take(2 * MSS)
    assert asked.frames == [(0, ACK, plus(base, 2 * MSS), MSS)]
    asked = await peer.take(MSS)
    assert asked.frames == [(0, ACK, plus(base, 3 * MSS), MSS)]
    # Full
    asked = await peer.take(flight - 3 * MSS)
    assert not asked.frames
    if CONGESTION:
        assert peer.allowance() == min(half, 2 * MSS)
    # Duplicates at recover do not begin it again (RFC 6582, 3.2, step 1): data behind it do
    await bed.send(MSS)
    for _ in range(4):
        assert not (await peer.send()).frames
    await peer.take(MSS)
    await bed.send(MSS)
    frames = [(await peer.send()).frames for _ in range(4)]
    assert frames == [[], [], [(0, ACK, peer.ack, MSS)], []]


@cocotb.test()
@pytest.mark.pitfall("duplicate-ack")
async def limited_transmit(dut):
    """RFC 3042: each of the first two duplicates lets a segment more go, which FlightSize does not count."""
    bed = await Bed(dut).reset(rto_initial=500, rto_min=500, rto_max=600)
    peer = await bed.serve(mss=700)
    start = peer.allowance()
    assert start == (4 * 700 if CONGESTION else RING)
    for _ in range(4):
        await bed.send(700)
    for i in (1, 2):
        await peer.send()
        assert peer.allowance() == (start + i * 700 if CONGESTION else RING)
        await bed.send(700)
    asked = await peer.send()
    assert asked.frames == [(0, ACK, peer.ack, 700)]
    if CONGESTION:
        assert peer.allowance() == 2 * 700 + 3 * 700
    await peer.take(6 * 700)
    if CONGESTION:
        assert peer.allowance() == 2 * 700


@cocotb.test()
@pytest.mark.rfc9293("MUST-19")
async def windows_grow(dut):
    """Slow start: an MSS for an ACK; avoidance: an MSS for a window's worth of ACKs."""
    if not CONGESTION:
        return
    bed = await Bed(dut).reset(rto_initial=8, rto_min=8, rto_max=20)
    peer = await bed.serve(mss=536)
    window = 4 * 536
    assert peer.allowance() == window
    for _ in range(3):
        await bed.send(536)
        await peer.take(536)
        window += 536
        assert peer.allowance() == window
    # Little ones make it grow little
    await bed.send(10)
    await peer.take(10)
    window += 10
    assert peer.allowance() == window
    # A loss: ssthresh is half of what was in flight, but two segments at least
    for _ in range(6):
        await bed.send(536)
    await bed.due()
    bed.asked()
    threshold, window, count = 3 * 536, 536, 0
    assert peer.allowance() == window
    for _ in range(30):
        in_flight = ahead(bed.snd_nxt(0), peer.ack)
        n = min(536, in_flight)
        if not n:
            await bed.send(536)
            n = 536
        await peer.take(n)
        if window < threshold:
            window += n
        else:
            count += n
            if count >= window:
                count -= window
                window += 536
        assert peer.allowance() == window, (window, threshold)


@pytest.mark.parametrize("congestion", main_and_kept(__file__, (1, 0)))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_tcp_loss(test, congestion):
    toe_tcp_bench(TX_CONGESTION_CONTROL_EN=congestion).run(__name__, test)
