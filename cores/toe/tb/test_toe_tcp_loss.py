# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_tcp: what is lost is sent again: RFC 6298, 5681, 6582, 3042; the closed window; keepalives; who is given up."""

import cocotb
import pytest

from toe_tcp_play import (
    ABORT,
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
from ullnic_tb import cocotb_tests

CONGESTION = parameter("TX_CONGESTION_CONTROL_EN", 1)


def allowance(bed: Bed, peer) -> int:
    """Bytes that the user may have in flight."""
    return ahead(bed.limit(0), peer.ack)


async def grow(bed: Bed, peer) -> None:
    """The congestion window is the whole ring's."""
    while allowance(bed, peer) < RING:
        await bed.send(MSS)
        await peer.take(MSS)


async def due(bed: Bed, most: int = 200) -> int:
    """Ticks until a frame goes; it is left in bed.asked()."""
    count = int(bed.dut.requests.value)
    for ticks in range(1, most):
        bed.now += 1
        bed.dut.ticks.value = bed.now % 65536
        await bed.cycles(256)
        if int(bed.dut.requests.value) != count:
            await bed.settle()
            return ticks
    return most


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
            times.append(await due(bed))
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
        await grow(bed, peer)
        bed.asked()
        await bed.send(4 * MSS)
        await bed.send(100)
        base, waits = peer.ack, []
        for _ in range(4):
            waits.append(await due(bed))
            window = MSS if CONGESTION else RING
            sent = bed.asked().frames
            assert sent[0] == (0, ACK, base, MSS) and len(sent) == (1 if CONGESTION else 5)
            assert allowance(bed, peer) == window
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
        assert await due(bed) in (10, 11) and bed.asked().frames == [(0, ACK, peer.ack, 10)]
        await bed.order(3)


@cocotb.test()
async def ack_overtakes(dut):
    """While all is sent again, an ACK of more than that: it goes on behind it."""
    bed = await Bed(dut).reset(rto_initial=10, rto_min=10, rto_max=60)
    for _ in range(4):
        peer = await bed.connect()
        await grow(bed, peer)
        bed.asked()
        for _ in range(5):
            await bed.send(MSS)
        await due(bed)
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
        assert await due(bed) <= 3
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
    assert await due(bed) in (8, 9) and abs(await due(bed) - 16) < 2
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
        assert abs(await due(bed) + 2 * len(others) - wait) < 2
        bed.asked()
    await peer.take(100)  # a round trip of what was sent again is not measured: the time is what it was at first
    assert await due(bed) in (8, 9) and bed.asked().frames == [(0, ACK, plus(base, 100), 100)]


@cocotb.test()
@pytest.mark.rfc9293("MUST-20", "MUST-21")
async def gives_up(dut):
    """After `retries` timeouts: RST, EV_TIMED_OUT, and the session is free."""
    bed = await Bed(dut).reset(rto_initial=4, rto_min=4, rto_max=8, retries=3)
    peer = await bed.connect()
    await bed.send(10)
    for _ in range(3):
        await due(bed)
        assert bed.asked().frames == [(0, ACK, peer.ack, 10)]
    # A duplicate ACK does not count as life
    await peer.send()
    await due(bed)
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
        await due(bed)
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
        waited = await due(bed, 400)
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
    await grow(bed, peer)
    bed.asked()
    base = peer.ack
    for _ in range(4):
        await bed.send(MSS)
    await bed.send(8192 - 4 * MSS - 1000)
    flight = 8192 - 1000
    assert allowance(bed, peer) == RING
    # What is no duplicate: payload, another window, another number
    for other in ({"length": 1, "accepted": 0}, {"window": 59999}, {"window": 60000}, {"ack": peer.ack - 1}):
        assert not (await peer.send(**other)).frames
    for _ in range(2):
        assert not (await peer.send()).frames
    asked = await peer.send()
    assert asked.frames == [(0, ACK, base, MSS)]
    half = max(flight // 2, 2 * MSS)
    if CONGESTION:
        assert allowance(bed, peer) == min(half + 3 * MSS, RING)
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
        assert allowance(bed, peer) == min(half, 2 * MSS)
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
    start = allowance(bed, peer)
    assert start == (4 * 700 if CONGESTION else RING)
    for _ in range(4):
        await bed.send(700)
    for i in (1, 2):
        await peer.send()
        assert allowance(bed, peer) == (start + i * 700 if CONGESTION else RING)
        await bed.send(700)
    asked = await peer.send()
    assert asked.frames == [(0, ACK, peer.ack, 700)]
    if CONGESTION:
        assert allowance(bed, peer) == 2 * 700 + 3 * 700
    await peer.take(6 * 700)
    if CONGESTION:
        assert allowance(bed, peer) == 2 * 700


@cocotb.test()
@pytest.mark.rfc9293("MUST-19")
async def windows_grow(dut):
    """Slow start: an MSS for an ACK; avoidance: an MSS for a window's worth of ACKs."""
    if not CONGESTION:
        return
    bed = await Bed(dut).reset(rto_initial=8, rto_min=8, rto_max=20)
    peer = await bed.serve(mss=536)
    window = 4 * 536
    assert allowance(bed, peer) == window
    for _ in range(3):
        await bed.send(536)
        await peer.take(536)
        window += 536
        assert allowance(bed, peer) == window
    # Little ones make it grow little
    await bed.send(10)
    await peer.take(10)
    window += 10
    assert allowance(bed, peer) == window
    # A loss: ssthresh is half of what was in flight, but two segments at least
    for _ in range(6):
        await bed.send(536)
    await due(bed)
    bed.asked()
    threshold, window, count = 3 * 536, 536, 0
    assert allowance(bed, peer) == window
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
        assert allowance(bed, peer) == window, (window, threshold)


@cocotb.test()
@pytest.mark.rfc9293("MUST-35", "MUST-36", "MUST-37", "SHLD-17", "SHLD-29", "SHLD-30")
@pytest.mark.pitfall("zero-window")
async def zero_window(dut):
    """A closed window is probed, ever more seldom, as long as the peer answers; an update opens it."""
    bed = await Bed(dut).reset(rto_initial=6, rto_min=6, rto_max=24, retries=3)
    for outstanding in (0, 300):
        peer = await bed.connect(seq=0xFFFFFFFF)
        await bed.send(500)
        peer.window = 0
        await peer.take(500 - outstanding)
        assert ahead(bed.limit(0), bed.snd_nxt(0)) <= 0
        probe = (0, ACK, peer.ack, 1) if outstanding else (0, ACK, plus(peer.ack, -1), 0)
        waits = []
        for _ in range(8):
            waits.append(await due(bed))
            asked = bed.asked()
            assert asked.frames == [probe] and not asked.events
            await peer.send()
        assert all(abs(a - b) < 2 for a, b in zip(waits, (6, 12, 24, 24, 24, 24, 24, 24), strict=True)), waits
        peer.window = 2000
        asked = await peer.send()
        assert asked.frames == ([(0, ACK, peer.ack, outstanding)] if outstanding else [])
        assert allowance(bed, peer) == 2000
        await peer.take(outstanding)
        assert not (await bed.ticks(60)).requests
        # No answers
        peer.window = 0
        await bed.send(20)
        await peer.take(20)
        for _ in range(3):
            await due(bed)
            assert not bed.asked().events
        await due(bed)
        assert bed.asked().events == [(0, "TIMED_OUT")] and bed.state(0) == State.CLOSED


@cocotb.test()
@pytest.mark.rfc9293("MUST-36", "MUST-37")
async def zero_window_fin(dut):
    """A FIN that the closed window keeps out is the probe."""
    bed = await Bed(dut).reset(rto_initial=6, rto_min=6, rto_max=12)
    peer = await bed.connect()
    peer.window = 0
    await bed.send(1)
    await peer.take(1)
    assert (await bed.order(CLOSE)).frames == [(0, FIN | ACK, peer.ack, 0)]
    for _ in range(6):
        await due(bed)
        assert bed.asked().frames == [(0, FIN | ACK, peer.ack, 0)]
        await peer.send()
    await peer.take(1)
    assert bed.state(0) == State.FIN_WAIT_2


@cocotb.test()
@pytest.mark.rfc9293("MUST-34", "SHLD-15", "SHLD-16")
@pytest.mark.pitfall("shrunk-window")
async def shrunk_window(dut):
    """What lies behind a window that has shrunk is not sent again before it opens, and the limit moves back."""
    bed = await Bed(dut).reset(rto_initial=6, rto_min=6, rto_max=12, retries=15)
    peer = await bed.connect()
    await grow(bed, peer)
    for _ in range(4):
        await bed.send(1000)
    peer.window = 1500
    await peer.send()
    assert allowance(bed, peer) == 1500
    bed.asked()
    await due(bed)
    sent = bed.asked().frames
    assert sent == (
        [(0, ACK, peer.ack, MSS)] if CONGESTION else [(0, ACK, peer.ack, MSS), (0, ACK, peer.ack + MSS, 40)]
    )
    peer.window = 9000
    await peer.take(1500)
    await due(bed)
    assert bed.asked().frames[0] == (0, ACK, peer.ack, MSS)
    await peer.take(2500)
    assert not (await bed.ticks(50)).requests


@cocotb.test()
@pytest.mark.pitfall("sequence-wrap")
async def window_order(dut):
    """SND.WL1, SND.WL2: an older segment does not set the window; the scale counts, but not in a SYN."""
    bed = await Bed(dut).reset()
    for seq in (1000, 0xFFFFFF00):
        peer = await bed.serve(seq=seq, scale_on=1, scale=3, window=65535)
        peer.window = 100
        await peer.send()
        assert allowance(bed, peer) == 800
        # Newer by SEQ; then an old one
        peer.window = 50
        await peer.say(300)
        assert allowance(bed, peer) == 400
        await peer.send(seq=peer.seq - 1, window=1000)
        await peer.send(seq=peer.seq - 301, window=1000, length=302, accepted=0)
        assert allowance(bed, peer) == 400
        # As new by SEQ, older by ACK
        await bed.send(200)
        await bed.send(100)
        await peer.take(300)
        await peer.send(ack=peer.ack - 100, window=1000)
        assert allowance(bed, peer) == 400
        await peer.send(window=70)
        assert allowance(bed, peer) == 560
        await bed.order(3)
        await bed.ticks(1)


@cocotb.test()
@pytest.mark.rfc9293("MUST-1", "MUST-15", "MUST-16", "REC-1")
@pytest.mark.pitfall("mss-absent", "mss-large", "scale-above-14")
async def options(dut):
    """MSS absent: 536; above ours: ours; absurd: 28.  Scale of 14; none without the option; windows have no sign."""
    bed = await Bed(dut).reset()
    for given, used in (
        (None, 536),
        (9000, MSS),
        (65535, MSS),
        (1460, 1460),
        (1459, 1459),
        (0, 28),
        (27, 28),
        (29, 29),
    ):
        for opened in (bed.serve, bed.connect):
            options = {"mss_on": 0, "mss": 999} if given is None else {"mss_on": 1, "mss": given}
            await opened(**options)
            assert bed.mss(0) == used
            await bed.order(3)
    for scale, window, expected in (
        *((14, 1, RING), (14, 0, 0), (14, 65535, RING), (0, 777, 777), (2, 100, 400)),
        *((0, 32767, RING), (0, 32768, RING), (0, 65535, RING)),  # no sign
    ):
        peer = await bed.connect(scale_on=1, scale=scale, window=40)
        assert allowance(bed, peer) == 40  # as it stands in the SYN
        peer.window = window
        await peer.send()
        most = 3 * MSS if CONGESTION else RING
        assert allowance(bed, peer) == min(expected, most)
        await bed.order(3)
    peer = await bed.connect(scale_on=0, scale=5)
    peer.window = 9
    await peer.send()
    assert allowance(bed, peer) == 9


@cocotb.test()
@pytest.mark.rfc9293("MUST-24", "MUST-26", "MUST-27", "MUST-29", "SHLD-12", "MAY-5")
async def keepalive(dut):
    """Idle for so long: a segment that must be answered; answers keep it up, silence ends it; traffic puts it off."""
    for interval in (40, 25):
        bed = await Bed(dut).reset(keepalive=interval, rto_initial=5, rto_min=5, rto_max=10, retries=3)
        peer = await bed.connect()
        probe = (0, ACK, plus(peer.ack, -1), 0)
        for _ in range(3):
            assert abs(await due(bed) - interval) < 2
            assert bed.asked().frames == [probe]
            await peer.send()
        # One is lost, another is answered
        assert abs(await due(bed) - interval) < 2 and abs(await due(bed) - 10) < 2
        assert bed.asked().frames == [probe, probe]
        await peer.send()
        await bed.ticks(interval - 10)
        await peer.say(5)
        await bed.ticks(interval - 10)
        await bed.send(5)
        await peer.take(5)
        assert not bed.asked().frames
        assert abs(await due(bed) - interval) < 2
        waits = [await due(bed) for _ in range(3)]
        assert [abs(w - e) < 2 for w, e in zip(waits, (10, 10, 10), strict=True)] == [True] * 3, waits
        asked = bed.asked()
        assert asked.events == [(0, "TIMED_OUT")] and bed.state(0) == State.CLOSED


@cocotb.test()
@pytest.mark.rfc9293("MUST-27", "MUST-28")
async def keepalive_of_hours(dut):
    """The longest intervals, counted from any moment: not earlier, and not later."""
    hours = 2 * 60 * 60 * 1000
    for interval in (hours, (1 << 24) - 1):
        bed = await Bed(dut).reset(keepalive=interval)
        for start in (0, (1 << 25) - interval // 2, (1 << 25) - interval):
            await bed.jump(start)
            peer = await bed.connect()
            for passed in (interval // 3, interval - 4):
                await bed.jump(start + passed)
                await bed.settle()
                assert not bed.asked().frames
            assert await due(bed) in (3, 4, 5)
            assert bed.asked().frames == [(0, ACK, plus(peer.ack, -1), 0)]
            await bed.order(ABORT)
            bed.asked()


@cocotb.test()
async def fin_wait(dut):
    """FIN-WAIT-2 whose peer has vanished ends, so long behind the last segment; a peer that sends may take its time."""
    for keepalive_ticks in (0, 10):
        bed = await Bed(dut).reset(fin_wait=50, keepalive=keepalive_ticks, time_wait=9, rto_initial=5, rto_min=5)
        for listens in (True, False):
            peer = await (bed.serve() if listens else bed.connect())
            await bed.order(CLOSE)
            await peer.take(1)
            assert bed.state(0) == State.FIN_WAIT_2
            for _ in range(4):
                assert not (await bed.ticks(40)).requests
                await peer.say(100)
            bed.asked()
            waited = 0
            while bed.state(0) == State.FIN_WAIT_2:
                waited += 1
                asked = await bed.ticks(1)
            assert abs(waited - 50) < 2 and asked.events == [(0, "TIMED_OUT")]
            assert [x[:3] for x in asked.frames] == [(0, RST | ACK, peer.ack)]
            assert bed.state(0) == (State.LISTEN if listens else State.CLOSED) and not bed.there(0)
            if listens:
                await bed.order(ABORT)
        # One that closes in time is in TIME-WAIT as long as ever
        peer = await bed.connect()
        await bed.order(CLOSE)
        await peer.take(1)
        await bed.ticks(45)
        await peer.say(0, FIN | ACK)
        assert not (await bed.ticks(7)).events and bed.state(0) == State.TIME_WAIT
        assert (await bed.ticks(4)).events == [(0, "CLOSED")]


@pytest.mark.parametrize("congestion", (1, 0))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_tcp_loss(test, congestion):
    toe_tcp_bench(TX_CONGESTION_CONTROL_EN=congestion).run(__name__, test)
