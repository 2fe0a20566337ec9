# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_tx: packets of the user's that are longer than a segment may be."""

import cocotb
import pytest

from toe_tx_play import BEAT, DATA, MASK32, MSS, RING, SESSIONS, Bed, Packet, toe_tx_bench
from ullnic_tb import cocotb_tests, main_and_kept

OVERRIDE = 256  # ticks


def pieces(payload: bytes, mss: int) -> list[bytes]:
    """Whole beats, but for the last."""
    most = mss // BEAT * BEAT
    found = []
    while len(payload) > mss:
        found.append(payload[:most])
        payload = payload[most:]
    return [*found, payload]


async def sent(bed: Bed, packet: Packet, mss: int, taken: bytes | None = None) -> None:
    """All of it, in segments of the most that may be, and SND.NXT behind it."""
    bed.user.append(packet)
    frames = await bed.drain(quiet=60 if taken is None else mss // 4 + 60)  # the memory may be read for the sum
    assert not any(frame.bad for frame in frames)
    wants = [bed.data_frame(packet.sid, piece) for piece in pieces(packet.payload if taken is None else taken, mss)]
    assert [frame.octets for frame in frames] == wants
    bed.s.set(tcp_sid=packet.sid)
    out = await bed.step()
    assert (out.tcp_snd_nxt, out.tcp_snd_busy) == (bed.sessions[packet.sid].seq, 0)


@cocotb.test()
@pytest.mark.rfc9293("SHLD-28")
async def cut_at_the_mss(dut):
    """Any length and MSS, with the length given or not: each byte once, whatever place of the ring; no event."""
    bed = await Bed(dut).reset()
    for mss in (28, 537, 543, MSS):
        sid = bed.rng.randrange(SESSIONS)
        most = mss // BEAT * BEAT
        sizes = {mss, mss + 1, most + 1, 2 * most, 2 * most + 1, most + mss, most + mss + 1, 3 * mss + 7}
        for size in sorted(sizes):
            for length in (-1, None):
                await bed.limit(sid, bed.sessions[sid].seq + 0x100000, mss=mss)
                await bed.cycles(8)
                await sent(bed, Packet(sid, bed.rng.randbytes(size), length, None), mss)
    assert not bed.events


@cocotb.test()
async def very_long(dut):
    """More than the ring: the limit moves with what has left, as the peer acknowledges it.  Others go meanwhile."""
    bed = await Bed(dut).reset([(MASK32 - 5000 * i) & MASK32 for i in range(SESSIONS)])
    for sid, length in ((1, None), (2, -1)):
        session, payload, left = bed.sessions[sid], bed.rng.randbytes(3 * RING + 5), []
        await bed.limit(sid, session.seq + RING)
        await bed.cycles(8)
        bed.user.append(Packet(sid, payload, length, None))
        wants = [bed.data_frame(sid, piece) for piece in pieces(payload, MSS)]
        while len(left) < len(wants):
            await bed.cycles(400)
            left += bed.mac.frames
            bed.mac.frames = []
            bed.s.set(tcp_sid=sid)
            out = await bed.step()
            assert out.tcp_snd_busy or len(left) == len(wants)
            await bed.limit(sid, out.tcp_snd_nxt + RING)
        assert [frame.octets for frame in left] == wants and not any(frame.bad for frame in left)
    assert not bed.events


@cocotb.test()
async def full_line(dut):
    """A long packet fills the line: the MAC waits for a segment no longer than its beats take beyond the line's."""
    bed = await Bed(dut, dense=True).reset()
    bed.user.append(Packet(1, bed.rng.randbytes(8 * MSS), None, None))
    frames = await bed.drain(quiet=MSS // 4 + 60)
    waits = [frame.waited for frame in frames[1:-1]]
    assert len(frames) >= 8 and max(waits) <= (10 if BEAT == 4 else 0), waits


@cocotb.test()
async def closed_within(dut):
    """The session closes between two segments: the rest is dropped, reported once; another packet is whole."""
    bed = await Bed(dut).reset()
    for length in (-1, None):
        seq = bed.sessions[3].seq
        await bed.limit(3, seq + 2 * MSS)
        await bed.cycles(8)
        payload = bed.rng.randbytes(5 * MSS)
        bed.user.append(Packet(3, payload, length, None))
        await bed.cycles(3 * MSS)
        frames, bed.mac.frames = bed.mac.frames, []
        assert [frame.octets for frame in frames] == [bed.data_frame(3, piece) for piece in pieces(payload, MSS)[:2]]
        await bed.limit(3, seq + 2 * MSS, is_open=0)
        assert await bed.drain() == [] and bed.events == [("dropped", 3)]
        bed.events = []
        bed.s.set(tcp_sid=3)
        assert not (await bed.step()).tcp_snd_busy
        await sent(bed, Packet(4, b"whole", length, None), MSS)


@cocotb.test()
async def not_as_said(dut):
    """Fewer or more bytes than were said, in any segment: what has come goes, what is too much does not; EV_TX_CUT."""
    bed = await Bed(dut).reset()
    sid, mss = 5, 1000
    await bed.limit(sid, bed.sessions[sid].seq + 0x100000, mss=mss)
    await bed.cycles(8)
    for size, said in ((1, 3000), (900, 3000), (1500, 3000), (2999, 3000), (3001, 3000), (4500, 3000), (5000, 1001)):
        payload = bed.rng.randbytes(size)
        await sent(bed, Packet(sid, payload, said, None), mss, payload[: min(size, said)])
        assert bed.events == [("cut", sid)]
        bed.events = []


@cocotb.test()
@pytest.mark.rfc9293("MUST-38")
async def small_window(dut):
    """RFC 9293, 3.8.6.2.1: a segment for which the window has no room waits; after 0.1 to 1 s what has room is sent.
    So it is with a cut-through packet."""
    bed = await Bed(dut).reset()
    cases = ((1, 1000, -1, None), (2, 1000, None, None), (3, 3000, -1, None), (4, 3000, None, None), (5, MSS, -1, -1))
    for sid, size, length, csum in cases:
        session, payload, got = bed.sessions[sid], bed.rng.randbytes(size), b""
        await bed.limit(sid, session.seq + 500)
        await bed.cycles(8)
        bed.user.append(Packet(sid, payload, length, csum))
        while len(got) < size:
            await bed.limit(sid, session.seq + len(got) + 500)
            await bed.cycles(1200)
            last = size - len(got) <= 500
            if not last:
                assert not bed.mac.frames
                for _ in range(OVERRIDE):
                    await bed.step(tick=1)
                await bed.cycles(1000)
            [frame] = bed.mac.frames
            bed.mac.frames = []
            piece = frame.octets[-(size - len(got) if last else 500 // BEAT * BEAT) :]
            got += piece
            at = session.seq + len(got) - len(piece) & MASK32
            assert frame.octets == session.frame(at, bed.ack_of(sid), bed.room, DATA, piece)
        session.seq = session.seq + size & MASK32
        assert got == payload and not bed.events


@cocotb.test()
async def no_window(dut):
    """A packet for which there is no room at all waits for as long as it takes, and then leaves whole."""
    bed = await Bed(dut).reset()
    for sid, (size, length, csum) in enumerate(((1, None, None), (100, None, None), (100, -1, None), (100, -1, -1))):
        await bed.limit(sid, bed.sessions[sid].seq)
        await bed.cycles(8)
        payload = bed.rng.randbytes(size)
        bed.user.append(Packet(sid, payload, length, csum))
        for _ in range(2 * OVERRIDE):
            await bed.step(tick=1)
        want = bed.data_frame(sid, payload)
        assert not bed.mac.frames and not bed.events
        await bed.limit(sid, bed.sessions[sid].seq + 0x10000)
        assert [frame.octets for frame in await bed.drain()] == [want] and not bed.events


CASES = [(test, 64) for test in cocotb_tests(__name__)]
CASES += [
    (test, width) for test in ("cut_at_the_mss", "full_line", "not_as_said", "small_window") for width in (32, 128)
]


@pytest.mark.parametrize(("test", "width"), main_and_kept(__file__, CASES, lambda _, width: width == 64))
def test_toe_tx_long(test, width):
    toe_tx_bench(USER2TCP_DATA_WIDTH=width, RAM_LATENCY=width // 32, RING_BYTES=16384).run(__name__, test)
