# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_tx: what else happens while a frame of the TCP machine waits or leaves."""

import cocotb
import pytest
from scapy.layers.inet import TCP
from scapy.layers.l2 import Ether

from toe_tx_play import ACK, FIN, MASK32, MSS, RING, SESSIONS, SLOWER, SYN, Bed, Packet, toe_tx_bench
from ullnic_tb import cocotb_tests, kept

QUIET = 500  # cycles: the pass for the sum of a payload is longer than drain() waits


async def filled(bed: Bed, sid: int) -> tuple[int, bytes]:
    """The session's ring is full, and all of it has been sent; the number of its first byte, and what is in it."""
    start, stream = bed.sessions[sid].seq, bed.rng.randbytes(RING)
    for at in range(0, RING, MSS):
        bed.user.append(Packet(sid, stream[at : at + MSS]))
        bed.data_frame(sid, stream[at : at + MSS])
    await bed.drain()
    return start, stream


def resent(bed: Bed, sid: int, start: int, stream: bytes, at: int, length: int) -> bytes:
    """The request, and the frame that is to come of it."""
    seq = start + at & MASK32
    bed.ask(sid, seq, ACK, length=length)
    return bed.sessions[sid].frame(seq, bed.ack_of(sid), bed.room, ACK | 8, stream[at : at + length])


@cocotb.test()
@pytest.mark.pitfall("ring-wrap")
async def overwritten(dut):
    """Bytes are overwritten while they are sent again: the frame is spoilt, or has the old ones."""
    bed = await Bed(dut, dense=True).reset()
    outcomes = []
    for i in range(400):
        if i >= 40 and sum(outcomes) > 8:
            break
        sid = i % SESSIONS
        start, stream = await filled(bed, sid)
        length = MSS if i % 4 else bed.rng.randrange(1, 40)
        want = resent(bed, sid, start, stream, 0, length)
        most = 3 * (length // 4) + 60
        late = i % 8 == 7  # the frame has left, however slow the memory is
        await bed.cycles(most + SLOWER + QUIET if late else bed.rng.randrange(most))
        size = bed.rng.choice((1, 8, 600, MSS))
        bed.user.append(Packet(sid, bed.rng.randbytes(size), csum=bed.rng.choice((-1, None))))
        new = bed.data_frame(sid, bed.user[-1].payload, ACK | 8)
        frames = await bed.drain(quiet=QUIET)
        assert [frame.octets for frame in frames if not frame.bad and frame.octets != want] == [new], i
        assert len(frames) == 2
        outcomes.append(any(frame.bad for frame in frames))
        assert not (late and outcomes[-1])
    assert 8 < sum(outcomes) < 38, sum(outcomes)


@cocotb.test()
async def overwritten_before(dut):
    """Overwritten while the request waits: by a byte is too much, up to its first byte is not."""
    bed = await Bed(dut).reset()
    for i in range(16):
        sid, other = i % SESSIONS, (i + 1) % SESSIONS
        start, stream = await filled(bed, sid)
        size, length = bed.rng.randrange(2, 600), bed.rng.randrange(1, MSS + 1)
        bed.user.append(Packet(sid, bed.rng.randbytes(size)))
        bed.data_frame(sid, bed.user[-1].payload)
        for between in range(i % 3):  # not the user's last packet; not even his last to this session
            bed.user.append(Packet(other, bytes(20 + between)))
            bed.data_frame(other, bytes(20 + between))
        await bed.drain(quiet=QUIET)
        # Behind a frame that takes an ACK along: one that took none along gives none back
        await bed.note(other)
        bed.user.append(Packet(other, b"carries"))
        bed.data_frame(other, b"carries")
        await bed.drain(quiet=QUIET)
        resent(bed, sid, start, stream, size - 1, length)
        want = resent(bed, sid, start, stream, size, length)
        spoilt, good = await bed.drain(quiet=QUIET)
        assert spoilt.bad and (good.octets, good.bad) == (want, False), (size, length)


@cocotb.test()
async def not_overwritten(dut):
    """A full ring is sent again whole, with FIN behind it, too; whatever other sessions and late packets do."""
    bed = await Bed(dut).reset()
    for sid in range(SESSIONS):
        start, stream = await filled(bed, sid)
        for fin in range(2):
            other = (sid + 1) % SESSIONS
            for at in (0, 0, RING - MSS):
                want = resent(bed, sid, start, stream, at, MSS)
                await bed.cycles(bed.rng.randrange(900))
                # With FIN: dropped, as the session is not open
                bed.user += [Packet(other, bytes(30)), *([Packet(sid, b"too late")] if fin else [])]
                want_other = bed.data_frame(other, bytes(30))
                frames = await bed.drain(quiet=QUIET)
                assert not any(frame.bad for frame in frames)
                got = sorted(frame.octets for frame in frames)
                assert got == sorted((want, want_other)), (sid, fin, at, [len(x) for x in got])
            await bed.limit(sid, 0, is_open=0, alive=1)
            if not fin:
                await bed.pulse("snd", snd_wr_sid=sid, snd_wr_nxt=start + RING + 1 & MASK32, snd_wr_syn=0)
        await bed.pulse("snd", snd_wr_sid=sid, snd_wr_nxt=bed.sessions[sid].seq, snd_wr_syn=1)
        await bed.limit(sid, bed.sessions[sid].seq + 0x10000000)
        await bed.cycles(8)


@cocotb.test()
async def fin_waits(dut):
    """A pure ACK in front of a FIN that waits has the FIN's number, one behind it the next; again with each FIN."""
    bed = await Bed(dut).reset()
    orders = set()
    for i in range(600):
        if i >= 60 and orders >= {"FFA", "AFFA"}:
            break
        sid, other = i % (SESSIONS - 1), SESSIONS - 1
        session, peer = bed.sessions[sid], bed.sessions[sid].mac
        seq = bed.rng.choice((MASK32, bed.rng.getrandbits(32)))
        # A connection begins
        await bed.pulse("snd", snd_wr_sid=sid, snd_wr_nxt=seq, snd_wr_syn=1)
        bed.ask(sid, seq - 1 & MASK32, SYN | ACK, options=1)
        await bed.drain()
        await bed.note(sid, now=1)
        assert [frame.octets for frame in await bed.drain()] == [session.frame(seq, bed.ack_of(sid), bed.room, ACK)]
        # Something is under way when the FIN is asked for
        bed.user.append(Packet(other, bytes(200)))
        bed.data_frame(other, bytes(200))
        await bed.cycles(bed.rng.randrange(2, 90))
        for _ in range(bed.rng.randrange(4)):
            bed.ask(other, 5, ACK)
        early = bed.rng.random() < 0.5
        if early:
            await bed.note(sid, now=1)
            await bed.cycles(bed.rng.randrange(6))
        bed.ask(sid, seq, FIN | ACK)
        await bed.pulse("snd", snd_wr_sid=sid, snd_wr_nxt=seq + 1 & MASK32, snd_wr_syn=0)
        if not early:
            await bed.cycles(bed.rng.randrange(6))
            await bed.note(sid, now=1)
        frames = await bed.drain()
        bed.ask(sid, seq, FIN | ACK)  # and again
        frames += await bed.drain()
        await bed.note(sid, now=1)
        frames += await bed.drain()
        segments = [Ether(frame.octets)[TCP] for frame in frames if frame.octets[:6] == peer]
        flags = "".join(str(segment.flags)[0] for segment in segments)
        assert flags in ("FFA", "AFFA", "FAFA"), flags
        orders.add(flags)
        first = flags.index("F")
        assert [segment.seq for segment in segments] == [
            seq if place < first or flags[place] == "F" else seq + 1 & MASK32 for place in range(len(flags))
        ], (i, flags)
        assert all(segment.ack == bed.ack_of(sid) for segment in segments)
    assert orders >= {"FFA", "AFFA"}, orders


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_tx_races(test):
    toe_tx_bench(USER2TCP_DATA_WIDTH=64, RAM_LATENCY=2, RING_BYTES=4096).run(__name__, test)


@kept(__file__)
@pytest.mark.parametrize("width", (32, 128))
def test_toe_tx_races_width(width):
    toe_tx_bench(USER2TCP_DATA_WIDTH=width, RAM_LATENCY=width // 32, RING_BYTES=4096).run(__name__, "overwritten")
