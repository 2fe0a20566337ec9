# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_tx: frames of the TCP machine, pending ACKs, raw frames, and who goes first."""

import cocotb
import pytest

from toe_tx_play import ACK, BEAT, FIN, MASK32, MSS, PSH, RING, RST, SESSIONS, SYN, Bed, Packet, Session, toe_tx_bench
from ullnic_tb import cocotb_tests, kept


@cocotb.test()
@pytest.mark.rfc9293("MUST-2", "MUST-4", "MUST-14", "MUST-43", "MUST-45", "MUST-67", "MUST-68", "MUST-69")
@pytest.mark.rfc9293("MUST-48", "MUST-49", "SHLD-22")
async def flags_and_options(dut):
    """SYN with MSS, with window scale, SYN-ACK, FIN, RST: every byte as scapy has it."""
    bed = await Bed(dut).reset()
    for _ in range(3):
        for sid in range(SESSIONS):
            session, wants = bed.sessions[sid], []
            for flags in (SYN, SYN | ACK, FIN | ACK, RST, RST | ACK, ACK):
                for scale in (0, 1) if flags & SYN else (0,):
                    seq, options = bed.rng.getrandbits(32), []
                    if flags & SYN:
                        options = [("MSS", MSS)] + ([("NOP", None), ("WScale", 0)] if scale else [])
                    bed.ask(sid, seq, flags, options=int(bool(flags & SYN)), scale=scale)
                    wants.append((session.frame(seq, bed.ack_of(sid), bed.room, flags, options=options), scale))
            frames = await bed.drain()
            # MSS, no operation, window scale 0: scapy fills up with the end of options, which is the same byte
            assert [frame.octets for frame in frames] == [want for want, _ in wants]
            assert not any(frame.bad for frame in frames)


@cocotb.test()
@pytest.mark.pitfall("rst-numbers")
async def stray(dut):
    """RST for a segment of no session: tuple, MAC and ACK are those of the request, the window is 0."""
    bed = await Bed(dut).reset()
    wants = []
    for i in range(12):
        rng = bed.rng
        ports = rng.getrandbits(16), rng.getrandbits(16)
        peer = Session(bed.interfaces, i % 2, rng.randbytes(6), rng.randbytes(4), *ports, 0)
        seq, ack = rng.getrandbits(32), rng.getrandbits(32)
        bed.ask(rng.randrange(1024), seq, RST | ACK, stray=peer, ack=ack)
        wants.append(peer.frame(seq, ack, 0, RST | ACK))
    assert [frame.octets for frame in await bed.drain()] == wants


@cocotb.test()
@pytest.mark.pitfall("ring-wrap")
async def again(dut):
    """Any length from any place of the ring, over its wrap and that of sequence numbers; SND.NXT stays."""
    seqs = [(MASK32 - 900 - 801 * i) & MASK32 for i in range(SESSIONS)]
    bed = await Bed(dut).reset(seqs)
    for sid in (1, 2):
        stream = bed.rng.randbytes(RING)
        for i in range(0, RING, MSS):
            bed.user.append(Packet(sid, stream[i : i + MSS]))
        await bed.drain()
        last = seqs[sid] + RING & MASK32
        lengths = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, MSS - 1, MSS]
        lengths += [bed.rng.randrange(1, MSS + 1) for _ in range(20)]
        for length in lengths:
            at = bed.rng.choice((0, RING - length, bed.rng.randrange(RING - length + 1)))
            seq = seqs[sid] + at & MASK32
            bed.ask(sid, seq, ACK | PSH, length=length)
            want = bed.sessions[sid].frame(seq, bed.ack_of(sid), bed.room, ACK | PSH, stream[at : at + length])
            [frame] = await bed.drain(quiet=length // 4 + 30)
            assert (frame.octets, frame.bad) == (want, False), (length, at)
        bed.s.set(tcp_sid=sid)
        assert (await bed.step()).tcp_snd_nxt == last


@cocotb.test()
async def settled(dut):
    """What has ended is settled when the requests from before it have left, whatever comes behind them."""
    bed = await Bed(dut, dense=True).reset()
    for before in (*range(5), 16, 17):  # 16 fit into the queue, one is on offer
        bed.user.append(Packet(0, bytes(MSS)))
        await bed.cycles(10)
        for _ in range(before):
            bed.ask(1, 5, FIN | ACK)
        await bed.cycles(before + 2)
        assert len(bed.requests) == (before == 17)
        assert (await bed.step()).tcp_settled
        assert not (await bed.step(over=1)).tcp_settled
        bed.s.set(over=0)
        for _ in range(3):
            bed.ask(2, 6, FIN | ACK)
        settled, begun = (await bed.step()).tcp_settled, len(bed.mac.frames)
        assert settled == (not before)
        while not settled:
            settled = (await bed.step()).tcp_settled
        of_before = before
        # The user's and all but the last, which begins
        assert len(bed.mac.frames) - begun in (of_before, of_before + 1)
        await bed.drain()


async def ack_frames(bed: Bed, cycles: int) -> list[bytes]:
    await bed.cycles(cycles)
    frames, bed.mac.frames = bed.mac.frames, []
    return [frame.octets for frame in frames]


def pure(bed: Bed, sid: int) -> bytes:
    return bed.sessions[sid].frame(bed.sessions[sid].seq, bed.ack_of(sid), bed.room, ACK)


@cocotb.test()
@pytest.mark.rfc9293("MUST-40", "MUST-58", "SHLD-18", "SHLD-19")
@pytest.mark.pitfall("delayed-ack")
async def acks(dut):
    """One for two notes; for one after the delay; at once when it must be; none behind a frame that has carried it."""
    bed = await Bed(dut).reset()
    bed.tick_every = 10
    for sid in (0, 3, SESSIONS - 1):
        # One note: delayed_ack is 40 ticks of 10 cycles
        await bed.note(sid)
        assert await ack_frames(bed, 380) == []
        assert await ack_frames(bed, 80) == [pure(bed, sid)]
        assert await ack_frames(bed, 900) == []
        # Two
        await bed.note(sid)
        await bed.cycles(5)
        await bed.note(sid)
        assert await ack_frames(bed, 60) == [pure(bed, sid)]
        assert await ack_frames(bed, 900) == []
        # At once
        await bed.note(sid, now=1)
        assert await ack_frames(bed, 60) == [pure(bed, sid)]
        assert await ack_frames(bed, 900) == []
        # Carried by data, by a FIN; not by a RST without ACK
        await bed.note(sid)
        bed.user.append(Packet(sid, b"carried"))
        assert await ack_frames(bed, 900) == [bed.data_frame(sid, b"carried")]
        await bed.note(sid)
        bed.ask(sid, 5, FIN | ACK)
        assert len(await ack_frames(bed, 900)) == 1
        await bed.note(sid)
        bed.ask(sid, 5, RST)
        assert len(await ack_frames(bed, 900)) == 2
        # Not by a probe, nor by what is sent again: a peer that has it drops that as old, with its ACK
        for length in (0, 4):
            await bed.note(sid)
            bed.ask(sid, bed.sessions[sid].seq - max(1, length), ACK, length=length)
            frames = await ack_frames(bed, 900)
            assert len(frames) == 2 and frames[1] == pure(bed, sid)
        # Due, but a frame comes in between that was there before it
        bed.user.append(Packet(sid, bytes(300)))
        await bed.cycles(3)
        await bed.note(sid)
        await bed.note(sid)
        assert await ack_frames(bed, 900) == [bed.data_frame(sid, bytes(300)), pure(bed, sid)]


@cocotb.test()
async def no_ack_of_what_is_over(dut):
    """An ACK that is pending when its connection ends goes with it; what comes after that is of the next one."""
    bed = await Bed(dut).reset()
    bed.tick_every = 10
    for sid in (0, SESSIONS - 1):
        for before in range(12):
            for now in (0, 1):
                await bed.note(sid, now=now)
                await bed.cycles(before)
                at = bed.cycle
                await bed.over(sid)
                await bed.cycles(900)
                frames, bed.mac.frames = bed.mac.frames, []
                # One that is due may have begun, or begins now
                assert [frame.octets for frame in frames] == [pure(bed, sid)] * len(frames)
                assert all(now and frame.valid <= at + 2 for frame in frames), (before, [f.valid - at for f in frames])
            assert before < 9 or frames
        await bed.note(sid)
        await bed.over(sid)
        await bed.over(sid)
        await bed.note(sid)
        await bed.over(SESSIONS - 1 - sid)
        assert await ack_frames(bed, 900) == [pure(bed, sid)]
        # The frame that carries it begins at about that time
        for before in range(12):
            await bed.note(sid)
            bed.user.append(Packet(sid, bytes(64)))
            want = bed.data_frame(sid, bytes(64))
            await bed.cycles(before)
            await bed.over(sid)
            assert await ack_frames(bed, 900) == [want], before


@cocotb.test()
async def nothing_back_of_what_is_over(dut):
    """A spoilt frame gives back the ACK that it carried, but not when its connection has ended meanwhile."""
    bed = await Bed(dut).reset()
    bed.tick_every = 10
    for sid in (0, SESSIONS - 1):
        came = []
        for before in range(60):
            await bed.note(sid)
            bed.user.append(Packet(sid, bytes(12 * BEAT), pause={2: 150}))
            await bed.cycles(before)
            at = bed.cycle
            await bed.over(sid)
            await bed.cycles(80)
            frames, bed.mac.frames = bed.mac.frames, []
            acks = [frame for frame in frames if not frame.bad]
            # One that is due may wait for the line already, or begins now
            assert [frame.octets for frame in acks] == [pure(bed, sid)] * len(acks)
            assert all(frame.valid <= at + 2 for frame in acks), (before, [frame.valid - at for frame in acks])
            came.append((len(frames) - len(acks), len(acks)))
            want = bed.data_frame(sid, bytes(12 * BEAT))
            assert [frame.octets for frame in await bed.drain()] == [want]
            assert bed.events.pop() == ("late", sid) and not bed.events
        assert set(came) == {(1, 0), (1, 1)} and came[-1] == (1, 1), came


@cocotb.test()
@pytest.mark.rfc9293("MUST-59")
@pytest.mark.pitfall("delayed-ack")
async def note_and_frame(dut):
    """A note up to the cycle in which a frame's ACK number is looked up is carried by it; one behind it is not."""
    bed = await Bed(dut).reset()
    bed.tick_every, sides = 4, set()
    bed.delayed_ack(20)
    for i in range(40):
        sid = i % SESSIONS
        bed.user.append(Packet(sid, bytes(64)))
        want, answer = bed.data_frame(sid, bytes(64)), pure(bed, sid)
        await bed.cycles(i % 8)
        at = bed.cycle
        await bed.note(sid)
        await bed.cycles(250)
        frames, bed.mac.frames = bed.mac.frames, []
        side = min(2, max(-2, at - frames[0].start))
        assert [frame.octets for frame in frames] == [want] + [answer] * (side > 0), side
        sides.add(side)
    assert sides >= {-1, 0, 1, 2}


@cocotb.test()
@pytest.mark.rfc9293("MUST-58")
async def every_note_once(dut):
    """Notes of all sessions with data in between: behind each note one frame with its ACK, and no pure ACK without."""
    bed = await Bed(dut).reset()
    bed.tick_every = 4
    pending, notes, pures = {sid: [] for sid in range(SESSIONS)}, 0, 0  # cycles of the notes
    by_peer = {session.mac: sid for sid, session in enumerate(bed.sessions)}

    def look() -> None:
        nonlocal pures
        for frame in bed.mac.frames:
            sid = by_peer[frame.octets[:6]]
            carried = [cycle for cycle in pending[sid] if cycle <= frame.start]
            pending[sid] = pending[sid][len(carried) :]
            if len(frame.octets) == (58 if sid % 2 else 54):
                pures += 1
                assert carried
        bed.mac.frames = []

    for _ in range(600):
        sid = bed.rng.randrange(SESSIONS)
        pending[sid].append(bed.cycle)
        await bed.note(sid, now=int(bed.rng.random() < 0.2))
        notes += 1
        if bed.rng.random() < 0.3:
            bed.user.append(Packet(bed.rng.randrange(SESSIONS), bed.rng.randbytes(bed.rng.randrange(1, 200))))
        await bed.cycles(bed.rng.randrange(1, 40))
        look()
    await bed.cycles(2000)
    look()
    assert not any(pending.values()) and 50 < pures < notes


@cocotb.test()
async def raw_and_order(dut):
    """With the user at full rate, requests and raw frames wait for 12 frames at most, and the user's are all there."""
    bed = await Bed(dut, dense=True).reset()
    wants, raws = [], []
    for _ in range(120):
        payload = bed.rng.randbytes(bed.rng.randrange(1, 80))
        bed.user.append(Packet(bed.rng.randrange(SESSIONS // 2), payload))
        wants.append(bed.data_frame(bed.user[-1].sid, payload))
    for size in (60, 61, 62, 63, 100, 4, 3, 8):
        raws.append(bed.rng.randbytes(size))
    left = list(wants)
    await bed.cycles(100)
    asked = []
    for i, raw in enumerate(raws):
        bed.raw.append(raw)
        seq = bed.rng.getrandbits(32)
        sid = SESSIONS // 2 + i % (SESSIONS // 2)
        bed.ask(sid, seq, FIN | ACK)
        asked.append(bed.sessions[sid].frame(seq, bed.ack_of(sid), bed.room, FIN | ACK))
    for sid in range(SESSIONS // 2, SESSIONS):
        await bed.note(sid, now=1)
    before = len(bed.mac.frames)
    frames = await bed.drain()
    kinds = []
    for frame in frames:
        assert not frame.bad
        kind = "raw" if frame.octets in raws else "request" if frame.octets in asked else None
        if kind is None and left and frame.octets == left[0]:
            kind = "user"
            left.pop(0)
        kinds.append(kind or "ack")
    assert not left and kinds.count("user") == 120
    assert [frame.octets for frame in frames if frame.octets in raws] == raws
    assert [frame.octets for frame in frames if frame.octets in asked] == asked
    for name in ("raw", "request"):
        places = [i for i, kind in enumerate(kinds) if kind == name]
        gaps = [b - a for a, b in zip([before, *places], places, strict=False)]
        assert max(gaps) <= 13, (name, gaps)
    # No four of the user's in front of one that waits, but for the two that were on their way when it came
    assert "uuuu" not in "".join(kind[0] for kind in kinds[before + 2 : places[-1]])


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_tx_requests(test):
    toe_tx_bench(USER2TCP_DATA_WIDTH=64, RAM_LATENCY=2, RING_BYTES=16384).run(__name__, test)


@kept(__file__)
@pytest.mark.parametrize("width", (32, 128))
def test_toe_tx_again(width):
    toe_tx_bench(USER2TCP_DATA_WIDTH=width, RAM_LATENCY=width // 32, RING_BYTES=16384).run(__name__, "again")


@kept(__file__)
@pytest.mark.parametrize("test", ("flags_and_options", "acks", "raw_and_order"))
def test_toe_tx_generics(test):
    """Sessions that are no power of two, the longest memory, jumbo frames, no PSH."""
    other = {"SESSIONS": 5, "RAM_LATENCY": 6, "MTU": 9000, "TX_PUSH_BIT_VALUE": 0}
    toe_tx_bench(USER2TCP_DATA_WIDTH=64, RING_BYTES=16384, **other).run(__name__, test)
