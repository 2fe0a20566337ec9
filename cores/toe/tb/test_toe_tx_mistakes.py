# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_tx: what the user must not do, and limits.  A spoilt frame leaves with m_axis_tuser, its bytes go again, and the
stream has no hole."""

import cocotb
import pytest

from toe_tx_play import ACK, BEAT, FIN, MASK32, MSS, SESSIONS, Bed, Packet, fold, toe_tx_bench
from ullnic_tb import cocotb_tests, main_and_kept


async def outcome(bed: Bed, packet: Packet, taken: bytes) -> tuple[int, list]:
    """Gives it; checks that the last frame is right and carries what was taken, and that SND.NXT has moved by that.
    Returns how many frames were spoilt, and the events."""
    bed.user.append(packet)
    # The memory may be read for the sum
    frames, want = (
        await bed.drain(quiet=len(packet.payload) // 4 + 60),
        bed.data_frame(packet.sid, taken) if taken else None,
    )
    assert [frame.octets for frame in frames if not frame.bad] == ([want] if taken else [])
    bed.s.set(tcp_sid=packet.sid)
    out = await bed.step()
    assert (out.tcp_snd_nxt, out.tcp_snd_busy) == (bed.sessions[packet.sid].seq, 0)
    events, bed.events = bed.events, []
    assert all(sid == packet.sid for _, sid in events)
    return sum(frame.bad for frame in frames), [event for event, _ in events]


async def still_right(bed: Bed) -> None:
    for given in (-1, None):
        packet = Packet(bed.rng.randrange(SESSIONS), bed.rng.randbytes(bed.rng.randrange(1, 200)), csum=given)
        assert await outcome(bed, packet, packet.payload) == (0, [])


@cocotb.test()
async def too_short(dut):
    """Fewer bytes than were said: spoilt if it had begun, then what has come."""
    bed = await Bed(dut).reset()
    for size, more in ((1, 1), (1, 700), (30, 1), (200, 1), (200, 1000), (1000, 1), (8 * BEAT, 1), (8 * BEAT, BEAT)):
        for csum in (-1, None):
            packet = Packet(bed.rng.randrange(SESSIONS), bed.rng.randbytes(size), length=size + more, csum=csum)
            spoilt, events = await outcome(bed, packet, packet.payload)
            # Without the sum it may not have begun yet
            assert events == ["cut"] and (spoilt == 1 or (csum is None and spoilt == 0)), (size, more)
        await still_right(bed)


@cocotb.test()
async def too_long(dut):
    """More bytes than were said: the rest is thrown away."""
    bed = await Bed(dut).reset()
    for size, more in ((1, 1), (1, 700), (30, 1), (200, 1), (200, 1000), (1000, 1), (8 * BEAT, 1), (8 * BEAT, BEAT)):
        payload = bed.rng.randbytes(size + more)
        for csum in (-1, fold(payload[:size]), None):
            packet = Packet(bed.rng.randrange(SESSIONS), payload, length=size, csum=csum)
            spoilt, events = await outcome(bed, packet, payload[:size])
            assert events == ["cut"] and spoilt <= 1, (size, more)
        await still_right(bed)


@cocotb.test()
async def nothing(dut):
    """No byte at all, by the length or by tkeep."""
    bed = await Bed(dut).reset()
    for packet in (
        Packet(1, b"", length=None, csum=None),
        Packet(1, b"", length=0),
        Packet(1, b"abc", length=0, csum=0),
        Packet(1, bytes(100), length=0, csum=0),
    ):
        assert await outcome(bed, packet, b"") == (0, ["cut"])
        await still_right(bed)


@cocotb.test()
async def pause(dut):
    """Beats that come too late spoil the frame; without length and sum they only delay it.  Others go on."""
    bed = await Bed(dut).reset()
    beats = 12
    for at in (1, 2, beats // 2, beats - 1):
        for long in (1, 3, 1000):
            payload = bed.rng.randbytes(beats * BEAT - bed.rng.randrange(BEAT))
            for length, csum in ((-1, -1), (-1, None), (None, None)):
                packet = Packet(bed.rng.randrange(SESSIONS), payload, length, csum, pause={at: long})
                if long == 1000:
                    bed.ask(3, 5, FIN | ACK)
                    fin = bed.sessions[3].frame(5, bed.ack_of(3), bed.room, FIN | ACK)
                    bed.user.append(packet)
                    await bed.cycles(300)
                    spoilt = sum(frame.bad for frame in bed.mac.frames)
                    assert spoilt == (length is not None)
                    assert [frame.octets for frame in bed.mac.frames if not frame.bad] == [fin]
                    bed.mac.frames = []
                    [frame] = await bed.drain(quiet=800)
                    assert frame.octets == bed.data_frame(packet.sid, payload) and not frame.bad
                    assert bed.events == [("late", packet.sid)] * spoilt
                    bed.events = []
                elif csum == -1 and at > 1:  # the memory is ahead by more than this
                    assert await outcome(bed, packet, payload) == (0, [])
                else:
                    spoilt, events = await outcome(bed, packet, payload)
                    assert events == ["late"] * spoilt
        await still_right(bed)


@cocotb.test()
async def overtaken(dut):
    """The frame catches up with a user who pauses, but ends in good time: what was read too early does not pass."""
    bed = await Bed(dut).reset()
    for at in (2, 5, 20):
        packet = Packet(bed.rng.randrange(SESSIONS), bed.rng.randbytes(MSS), pause={at: 13 + 4 * at})
        spoilt, events = await outcome(bed, packet, packet.payload)
        assert (spoilt, events) == (1, ["late"])
    await still_right(bed)


@cocotb.test()
async def just_too_late(dut):
    """The last beat comes when its bytes are being read, in any cycle and anywhere in a word: right, or spoilt."""
    bed = await Bed(dut).reset()
    seen = set()
    for beats in (2, 3, 5):
        for long in range(4, 14):
            for sid in range(4):
                # So that its bytes begin in each of the four
                want = sid % 4
                skip = (want - bed.sessions[sid].seq) % 4
                if skip:
                    packet = Packet(sid, bed.rng.randbytes(skip))
                    assert await outcome(bed, packet, packet.payload) == (0, [])
                packet = Packet(sid, bed.rng.randbytes(beats * BEAT), pause={beats - 1: long})
                spoilt, events = await outcome(bed, packet, packet.payload)
                assert events == ["late"] * spoilt
                seen.add(spoilt)
    assert BEAT > 4 or seen == {0, 1}
    await still_right(bed)


@cocotb.test()
@pytest.mark.pitfall("checksum-zero")
async def wrong_sum(dut):
    """A sum that is not the payload's: the frame is spoilt, and goes again with the right one."""
    bed = await Bed(dut).reset()
    for size in (1, 2, 10, 100, MSS):
        payload = bed.rng.randbytes(size)
        packet = Packet(bed.rng.randrange(SESSIONS), payload, csum=fold(payload) ^ 1 << bed.rng.randrange(16))
        assert await outcome(bed, packet, payload) == (1, ["late"])
        # Both zeros are right
        for csum in (0, 0xFFFF):
            packet = Packet(bed.rng.randrange(SESSIONS), bytes(size), csum=csum)
            assert await outcome(bed, packet, packet.payload) == (0, [])
    # Behind another frame its own sum is taken, and nothing is wrong
    bed.user += [Packet(1, bytes(300)), Packet(2, b"right", csum=7)]
    wants = [bed.data_frame(1, bytes(300)), bed.data_frame(2, b"right")]
    assert [(frame.octets, frame.bad) for frame in await bed.drain()] == [(want, False) for want in wants]
    assert not bed.events


@cocotb.test()
async def not_allowed(dut):
    """A session that is not open or does not exist, a cut-through packet beyond the peer's MSS: swallowed, reported,
    nothing sent."""
    bed = await Bed(dut).reset()
    await bed.limit(2, bed.sessions[2].seq + 5000, is_open=0)
    await bed.limit(4, bed.sessions[4].seq + 5000, mss=536)
    await bed.cycles(8)
    for size in (1, 100, 537, MSS):
        for length, csum in ((-1, -1), (-1, None), (None, None)):
            payload = bed.rng.randbytes(size)
            assert await outcome(bed, Packet(2, payload, length, csum), b"") == (0, ["dropped"])
            for sid in (SESSIONS, SESSIONS + 1, 1023):
                bed.user.append(Packet(sid, payload, length, csum))
                assert await bed.drain() == []
                assert bed.events == [("dropped", sid)]
                bed.events = []
            long = size > 536
            if long and csum is None:
                continue  # it is cut into segments
            want = (0, ["dropped"] * long)
            assert await outcome(bed, Packet(4, payload, length, csum), b"" if long else payload) == want
            await bed.limit(4, bed.sessions[4].seq + 5000, mss=536)
            await bed.cycles(8)
    for length in (-1, None):
        assert await outcome(bed, Packet(4, bytes(536), length, None), bytes(536)) == (0, [])


@cocotb.test()
@pytest.mark.rfc9293("MUST-38")
async def limit(dut):
    """Up to the limit and not beyond: the packet waits for it to move, or is dropped when the session closes."""
    bed = await Bed(dut).reset()
    for length, csum in ((-1, -1), (-1, None), (None, None)):
        for size in (1, 7, 8, 9, 16, 200, 1001):
            sid = bed.rng.randrange(SESSIONS)
            payload, seq = bed.rng.randbytes(size), bed.sessions[sid].seq
            await bed.limit(sid, seq + size)
            await bed.cycles(8)
            assert bed.credits[sid] == size
            assert await outcome(bed, Packet(sid, payload, length, csum), payload) == (0, [])
            assert bed.credits[sid] == 0
            seq = bed.sessions[sid].seq
            for short in (1, size):
                await bed.limit(sid, seq + size - short)
                await bed.cycles(8)
                bed.user.append(Packet(sid, payload, length, csum))
                await bed.cycles(size + 100)
                assert not bed.mac.frames and not bed.events
                out = await bed.step()
                assert not out.s_axis_tready
                if short == 1:
                    await bed.limit(sid, seq + size)
                    [frame] = await bed.drain()
                    assert frame.octets == bed.data_frame(sid, payload) and not frame.bad
                    seq = bed.sessions[sid].seq
                else:
                    await bed.limit(sid, seq, is_open=0)
                    assert await bed.drain() == [] and bed.events == [("dropped", sid)]
                    bed.events = []
                    await bed.limit(sid, seq + 5000)
            # A limit that has moved back behind what has been given: no room
            await bed.limit(sid, seq - 100)
            await bed.cycles(8)
            assert bed.credits[sid] == 0
            await bed.limit(sid, seq + 5000)
            await bed.cycles(8)


@cocotb.test()
async def closed_in_the_queue(dut):
    """Packets that wait for the line when their session closes are forgotten, and SND.NXT has caught up."""
    bed = await Bed(dut).reset()
    bed.user += [Packet(1, bytes(1000)), Packet(2, b"never"), Packet(3, b"sent")]
    wants = [bed.data_frame(1, bytes(1000)), bed.data_frame(3, b"sent")]
    bed.mac.gap = 500  # the line is not free before
    await bed.cycles(1000 // BEAT + 60)
    await bed.limit(2, 0, is_open=0)
    assert [frame.octets for frame in await bed.drain()] == wants
    bed.s.set(tcp_sid=2)
    out = await bed.step()
    assert (out.tcp_snd_nxt, out.tcp_snd_busy) == ((bed.sessions[2].seq + 5) & MASK32, 0)


@cocotb.test()
async def closing_with_a_queue(dut):
    """What waits for the line when the user closes his side goes; what he gives behind that is refused."""
    bed = await Bed(dut).reset()
    bed.user += [Packet(1, bytes(1000)), Packet(2, b"the last of it")]
    wants = [bed.data_frame(1, bytes(1000)), bed.data_frame(2, b"the last of it")]
    bed.mac.gap = 500  # the line is not free before
    await bed.cycles(1000 // BEAT + 60)
    await bed.limit(2, bed.sessions[2].seq + 5000, is_open=0, alive=1)
    await bed.cycles(8)
    bed.user.append(Packet(2, b"too late"))
    assert [frame.octets for frame in await bed.drain()] == wants
    assert bed.events == [("dropped", 2)]


@cocotb.test()
async def events_wait(dut):
    """A mistake is reported though nobody listens for a while, and no other is lost after it."""
    bed = await Bed(dut).reset()
    bed.event_ready = 0
    for sid in (1, 2, 3):
        bed.user.append(Packet(sid, b"12345", length=6))
    await bed.cycles(300)
    bed.event_ready = 1
    await bed.drain()
    assert bed.events == [("cut", 1), ("cut", 2), ("cut", 3)]


@cocotb.test()
async def everything(dut):
    """Mistakes and right packets behind each other, others between: each session's bytes once and in order."""
    bed = await Bed(dut).reset()
    wants: dict[int, list[bytes]] = {sid: [] for sid in range(SESSIONS)}
    for turn in range(2500):
        if turn >= 250 and sum(frame.bad for frame in bed.mac.frames) > 5:  # a mistake may be in time by chance
            break
        sid, rng = bed.rng.randrange(SESSIONS), bed.rng
        payload = rng.randbytes(rng.choice((rng.randrange(1, 40), rng.randrange(1, 400), rng.randrange(1, MSS + 1))))
        taken = payload
        length, csum = rng.choice(((-1, -1), (-1, None), (None, None)))
        packet = Packet(sid, payload, length, csum, gap=rng.choice((0, 0, 3, 100)))
        mistake = rng.randrange(8)
        if mistake == 0:
            packet.length = rng.randrange(1, MSS + 1)
            taken = payload[: packet.length]
        elif mistake == 1:
            packet.pause = {rng.randrange(len(packet.beats())): rng.randrange(1, 300)}
        elif mistake == 2 and csum is not None:
            packet.csum = rng.getrandbits(16)
        bed.user.append(packet)
        wants[sid].append(taken)
        if rng.random() < 0.2:
            await bed.note(rng.randrange(SESSIONS), now=1)
        if rng.random() < 0.1:
            bed.raw.append(rng.randbytes(60))
        await bed.cycles(rng.choice((0, 10, 900)))
    frames = await bed.drain(quiet=600)
    data = {bytes(session.mac): sid for sid, session in enumerate(bed.sessions)}
    spoilt = 0
    for frame in frames:
        sid = data.get(frame.octets[:6])
        spoilt += frame.bad
        if sid is None or frame.bad or len(frame.octets) == (58 if sid % 2 else 54):
            continue
        assert frame.octets == bed.data_frame(sid, wants[sid].pop(0))
    assert not any(wants.values()) and spoilt > 5
    assert sum(event == "late" for event, _ in bed.events) <= spoilt


WIDTHS = (32, 64, 128)


@pytest.mark.parametrize("width", main_and_kept(__file__, WIDTHS, lambda width: width == 64))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_tx_mistakes(test, width):
    toe_tx_bench(USER2TCP_DATA_WIDTH=width, RAM_LATENCY=width // 32, RING_BYTES=16384).run(__name__, test)
