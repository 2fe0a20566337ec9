# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_tcp: the peer's window, closed, taken back, or scaled; its MSS; and who says nothing: keepalives, FIN-WAIT-2."""

import cocotb
import pytest

from toe_tcp_play import (
    ABORT,
    ACK,
    CLOSE,
    FIN,
    MSS,
    RING,
    RST,
    Bed,
    State,
    ahead,
    parameter,
    plus,
    toe_tcp_bench,
)
from ullnic_tb import cocotb_tests, main_and_kept

CONGESTION = parameter("TX_CONGESTION_CONTROL_EN", 1)


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
            waits.append(await bed.due())
            asked = bed.asked()
            assert asked.frames == [probe] and not asked.events
            await peer.send()
        assert all(abs(a - b) < 2 for a, b in zip(waits, (6, 12, 24, 24, 24, 24, 24, 24), strict=True)), waits
        peer.window = 2000
        asked = await peer.send()
        assert asked.frames == ([(0, ACK, peer.ack, outstanding)] if outstanding else [])
        assert peer.allowance() == 2000
        await peer.take(outstanding)
        assert not (await bed.ticks(60)).requests
        # No answers
        peer.window = 0
        await bed.send(20)
        await peer.take(20)
        for _ in range(3):
            await bed.due()
            assert not bed.asked().events
        await bed.due()
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
        await bed.due()
        assert bed.asked().frames == [(0, FIN | ACK, peer.ack, 0)]
        await peer.send()
    await peer.take(1)
    assert bed.state(0) == State.FIN_WAIT_2


@cocotb.test()
@pytest.mark.pitfall("zero-window")
async def acknowledged_by_a_probe(dut):
    """The peer probes our window from before RCV.NXT, as Linux does, and acknowledges by that alone."""
    bed = await Bed(dut).reset(rto_initial=6, rto_min=6, rto_max=24)
    for seq in (1000, 0xFFFFFFFF, 0):
        peer = await bed.connect(seq=seq)
        await bed.send(500)
        wrong = await peer.send(seq=peer.seq - 1, ack=peer.ack + 501)  # never sent
        old = await peer.send(seq=peer.seq - 2, ack=peer.ack + 500)
        assert wrong.acks == old.acks == [(0, 1)] and abs(await bed.due() - 6) < 2
        assert bed.asked().frames == [(0, ACK, peer.ack, 500)]
        # In part, then all; each is answered
        for part in (200, 300):
            peer.ack = plus(peer.ack, part)
            asked = await peer.send(seq=peer.seq - 1)
            assert asked.acks == [(0, 1)] and not asked.events
        assert not (await bed.ticks(256)).requests  # and seven answers may go again
        # Of one that acknowledges nothing new nothing counts: it is no duplicate ACK
        await bed.send(100)
        for _ in range(4):
            asked = await peer.send(seq=peer.seq - 1)
            assert asked.acks == [(0, 1)] and not asked.requests
        # Our FIN, too
        assert (await bed.order(CLOSE)).frames == [(0, FIN | ACK, plus(peer.ack, 100), 0)]
        peer.ack = plus(peer.ack, 101)
        assert (await peer.send(seq=peer.seq - 1)).acks == [(0, 1)]
        assert bed.state(0) == State.FIN_WAIT_2
        await bed.order(ABORT)
        bed.asked()
        # And the last ACK of all, which has no answer
        peer = await bed.connect(seq=seq)
        await peer.say(0, FIN | ACK)
        await bed.order(CLOSE)
        bed.asked()
        asked = await peer.send(seq=peer.seq - 1, ack=peer.ack + 1)
        assert asked.events == [(0, "CLOSED")] and not asked.acks


@cocotb.test()
@pytest.mark.rfc9293("MUST-34", "SHLD-15", "SHLD-16")
@pytest.mark.pitfall("shrunk-window")
async def shrunk_window(dut):
    """What lies behind a window that has shrunk is not sent again before it opens, and the limit moves back."""
    bed = await Bed(dut).reset(rto_initial=6, rto_min=6, rto_max=12, retries=15)
    peer = await bed.connect()
    await peer.grow()
    for _ in range(4):
        await bed.send(1000)
    peer.window = 1500
    await peer.send()
    assert peer.allowance() == 1500
    bed.asked()
    await bed.due()
    sent = bed.asked().frames
    assert sent == (
        [(0, ACK, peer.ack, MSS)] if CONGESTION else [(0, ACK, peer.ack, MSS), (0, ACK, peer.ack + MSS, 40)]
    )
    peer.window = 9000
    await peer.take(1500)
    await bed.due()
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
        assert peer.allowance() == 800
        # Newer by SEQ; then an old one
        peer.window = 50
        await peer.say(300)
        assert peer.allowance() == 400
        await peer.send(seq=peer.seq - 1, window=1000)
        await peer.send(seq=peer.seq - 301, window=1000, length=302, accepted=0)
        assert peer.allowance() == 400
        # As new by SEQ, older by ACK
        await bed.send(200)
        await bed.send(100)
        await peer.take(300)
        await peer.send(ack=peer.ack - 100, window=1000)
        assert peer.allowance() == 400
        await peer.send(window=70)
        assert peer.allowance() == 560
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
        assert peer.allowance() == 40  # as it stands in the SYN
        peer.window = window
        await peer.send()
        most = 3 * MSS if CONGESTION else RING
        assert peer.allowance() == min(expected, most)
        await bed.order(3)
    peer = await bed.connect(scale_on=0, scale=5)
    peer.window = 9
    await peer.send()
    assert peer.allowance() == 9


@cocotb.test()
@pytest.mark.rfc9293("MUST-24", "MUST-26", "MUST-27", "MUST-29", "SHLD-12", "MAY-5")
async def keepalive(dut):
    """Idle for so long: a segment that must be answered; answers keep it up, silence ends it; traffic puts it off."""
    for interval in (40, 25):
        bed = await Bed(dut).reset(keepalive=interval, rto_initial=5, rto_min=5, rto_max=10, retries=3)
        peer = await bed.connect()
        probe = (0, ACK, plus(peer.ack, -1), 0)
        for _ in range(3):
            assert abs(await bed.due() - interval) < 2
            assert bed.asked().frames == [probe]
            await peer.send()
        # One is lost, another is answered
        assert abs(await bed.due() - interval) < 2 and abs(await bed.due() - 10) < 2
        assert bed.asked().frames == [probe, probe]
        await peer.send()
        await bed.ticks(interval - 10)
        await peer.say(5)
        await bed.ticks(interval - 10)
        await bed.send(5)
        await peer.take(5)
        assert not bed.asked().frames
        assert abs(await bed.due() - interval) < 2
        waits = [await bed.due() for _ in range(3)]
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
            assert await bed.due() in (3, 4, 5)
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


@pytest.mark.parametrize("congestion", main_and_kept(__file__, (1, 0)))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_tcp_window(test, congestion):
    toe_tcp_bench(TX_CONGESTION_CONTROL_EN=congestion).run(__name__, test)
