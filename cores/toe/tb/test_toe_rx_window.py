# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_rx_window: each session's advertised window, against a model that keeps the right edge (RFC 9293, 3.8.6)."""

from collections import deque

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

SESSIONS, MSS = 4, 100
WINDOW, FIFO = parameter("WINDOW_BYTES", 1000), parameter("FIFO_BYTES", 2048)
ROOM = min(FIFO, 65535)
STEP = min(MSS, (WINDOW + 1) // 2)
FEW = 2048  # as in the module
MASK32 = (1 << 32) - 1
OUTPUTS = ("look_sid", "window", "left", "low", "unread", "rx_left", "grow_ready", "grow_kept")


class Session:
    def __init__(self, rng):
        self.nxt = rng.choice([rng.getrandbits(32), MASK32 - rng.randrange(200)])
        self.edge: int | None = None  # none has been advertised
        self.begun = False
        self.waiting: deque[int] = deque()

    def left(self) -> int:
        return -1 if self.edge is None else self.edge - self.nxt


class Bed:
    def __init__(self, dut, rng):
        self.s, self.rng = Stepper(dut, OUTPUTS), rng
        self.sessions = [Session(rng) for _ in range(SESSIONS)]
        self.room = 0

    async def reset(self) -> "Bed":
        names = (
            "moved",
            "beat_taken",
            "advertise",
            "advertise_sid",
            "tcp_sid",
            "rx_sid",
            "room",
            "rx_nxt",
            "look_nxt",
            "looks",
            "offer",
            "grow",
        )
        await self.s.reset(**dict.fromkeys(names, 0))
        for _ in range(SESSIONS + 2):
            await self.s.step()
        return self

    async def step(self, **inputs: int):
        """One cycle; what is not given is anything, but nothing happens."""
        rng = self.rng
        idle = {"moved": 0, "beat_taken": 0, "advertise": 0, "tcp_sid": rng.randrange(SESSIONS), "room": self.room}
        idle |= {"looks": 0, "offer": 0, "grow": 0}
        idle |= {
            "moved_bytes": rng.getrandbits(16),
            "advertise_syn": rng.getrandbits(1),
            "advertise_ack": rng.getrandbits(1),
        }
        sid = rng.randrange(SESSIONS)
        session = self.sessions[sid]
        inputs = idle | {"rx_sid": sid, "rx_nxt": session.nxt & MASK32} | inputs
        look = inputs["advertise_sid"] if inputs["advertise"] else inputs["tcp_sid"]
        out = await self.s.look(**inputs, look_nxt=self.sessions[look].nxt & MASK32)
        assert out.look_sid == look
        # What arrives
        assert not session.begun or out.rx_left >> 16 == int(session.left() < 0), session.left()
        assert not session.begun or session.left() < 0 or out.rx_left == session.left()
        return await self.s.step()

    async def take(self, sid: int, size: int, bad: bool = False) -> None:
        """The user takes a segment, beat by beat, and its end."""
        while size or not self.rng.randrange(3):
            n = min(size, self.rng.choice((1, 4, 8, 8)))
            size -= n
            await self.step(beat_taken=1, beat_sid=sid, beat_keep=(1 << n) - 1, beat_last=0, beat_bad=0)
        await self.step(beat_taken=1, beat_sid=sid, beat_keep=0, beat_last=1, beat_bad=int(bad))
        await self.step()

    def total(self, session: Session) -> int:
        return min(max(0, WINDOW - sum(session.waiting)), self.room)

    async def offer(self, sid: int, behind: int = 0) -> tuple[bool, int, bool]:
        """The TCP machine's look at the session: is its window low, the edge to advertise, and is that kept.

        It comes 1 or 2 cycles after that of a frame of the session, which advertises its window later; 0: no frame.
        """
        session = self.sessions[sid]
        total, left = self.total(session), session.left()
        edge, grows = session.nxt + total, bool(behind) and total - left >= STEP
        for cycle in range(behind + 3):
            inputs = {"tcp_sid": sid, "looks": int(cycle <= behind), "offer": int(cycle == behind + 2)}
            if behind and cycle < 3:
                inputs |= {"advertise": int(cycle == 0), "advertise_sid": sid, "advertise_syn": 0, "advertise_ack": 1}
            out = await self.step(**inputs)
            if behind and cycle == 2:
                assert out.window == (total if grows else max(0, left))
                session.edge = edge if grows else session.edge
        return bool(out.low), edge, not grows

    async def grow(self, sid: int, edge: int, kept: bool) -> None:
        out = await self.step(tcp_sid=sid, grow=1)
        assert out.grow_ready and out.grow_kept == kept
        if kept:
            self.sessions[sid].edge = edge

    async def advertise(self, sid: int, syn: bool = False, ack: bool = True, **beside: int) -> int:
        """A frame of the session; returns the window that it has."""
        session = self.sessions[sid]
        total, left = self.total(session), session.left()
        first = await self.step(
            advertise=1, advertise_sid=sid, advertise_syn=int(syn), advertise_ack=int(ack), **beside
        )
        out = await self.step(advertise_sid=sid, **beside)
        # The TCP machine's wish waits from when the edge is read until it is advertised
        assert not first.grow_ready and not out.grow_ready
        assert session.edge is None or out.left >> 16 == int(left < 0)
        assert session.edge is None or left < 0 or out.left == left
        grows = syn or session.edge is None or total - left >= STEP
        out = await self.step(advertise_sid=sid, **beside)
        assert not out.grow_ready
        assert out.window == (total if grows else max(0, left)), (total, left, syn)
        if grows:
            session.edge, session.begun = session.nxt + total if ack else None, True
        return out.window


@cocotb.test()
@pytest.mark.rfc9293("SHLD-14", "MUST-39")
async def windows(dut):
    """Segments come and are taken, the room for all changes, frames leave: the advertised edge never goes back."""
    rng = seeded("windows")
    bed = await Bed(dut, rng).reset()
    bed.room = ROOM
    advertised = grown = kept_back = offers = lost = 0
    for sid in range(SESSIONS):
        await bed.advertise(sid, syn=True)
    for step in range(20_000):
        # 1500, and more until each case has been met often enough
        if step >= 1500 and advertised > 200 and grown > 20 and kept_back > 20 and offers > 10 and lost > 0:
            break
        sid = rng.randrange(SESSIONS)
        session = bed.sessions[sid]
        kind = rng.randrange(12)
        if kind < 3 and session.left() > 0:
            size = rng.choice([1, rng.randrange(1, min(session.left(), 3000) + 1), min(MSS, session.left())])
            await bed.step(moved=1, moved_sid=sid, moved_bytes=size)
            session.nxt += size
            session.waiting.append(size)
        elif kind < 6 and session.waiting:
            await bed.take(sid, session.waiting.popleft())
        elif kind == 6:
            await bed.take(sid, rng.randrange(30), bad=True)
        elif kind == 7:
            bed.room = rng.choice([0, 1, MSS - 1, MSS, ROOM, ROOM, rng.randrange(ROOM)])
            await bed.step()
            await bed.step()
        elif kind == 8 and rng.random() < 0.2:
            session.nxt += 1  # a FIN
        elif kind == 9 and rng.random() < 0.1:
            session.begun, session.edge = False, None  # another connection; a SYN goes, and then an ACK
            session.nxt = rng.getrandbits(32)
            await bed.advertise(sid, syn=True, ack=False)
            assert session.edge is None
            session.nxt = rng.getrandbits(32)
            await bed.advertise(sid)
        elif kind == 10:
            await bed.step(tcp_sid=sid)
            out = await bed.step(tcp_sid=sid)
            assert out.unread == bool(sum(session.waiting))
            left, more = session.left(), bed.total(session) - session.left()
            assert out.left >> 16 == int(left < 0)
            assert left < 0 or out.left == left
            low = more >= 2 * STEP or (more >= STEP and left < FEW)
            assert (await bed.step()).low == int(low), (more, left)
        elif kind == 11:
            bed.room = ROOM
            while session.waiting:
                await bed.take(sid, session.waiting.popleft())
            low, edge, kept = await bed.offer(sid, rng.randrange(3))
            if not low:
                continue
            offers += 1
            for _ in range(rng.randrange(3)):
                bed.room = rng.choice([0, MSS, ROOM, rng.randrange(ROOM)])
                other = rng.choice((sid, rng.randrange(SESSIONS)))
                before = bed.sessions[other].edge
                await bed.advertise(other, tcp_sid=sid, grow=1)
                kept &= other != sid or session.edge == before
            before = session.left()
            await bed.grow(sid, edge, kept)
            bed.room = 0
            await bed.step()
            assert not kept or await bed.advertise(sid) >= max(0, before) + STEP  # though the room is gone
            lost += not kept
        else:
            before = session.edge
            await bed.advertise(sid)
            advertised += 1
            grown += session.edge > before
            kept_back += session.edge == before
            assert session.edge >= before
    assert advertised > 200 and grown > 20 and kept_back > 20 and offers > 10 and lost > 0, (offers, lost)


@cocotb.test()
@pytest.mark.rfc9293("SHLD-14", "MUST-39")
async def steps(dut):
    """An edge moves by a segment or half of the window, not by a byte less; and not back when there is no room."""
    bed = await Bed(dut, seeded("steps")).reset()
    bed.room = ROOM
    session = bed.sessions[1]
    assert await bed.advertise(1, syn=True) == WINDOW
    await bed.step(moved=1, moved_sid=1, moved_bytes=WINDOW)
    session.nxt += WINDOW
    session.waiting.extend((STEP - 1, 1, WINDOW - STEP))
    for window in (0, 0, STEP):
        assert await bed.advertise(1) == window
        await bed.take(1, session.waiting.popleft())
    bed.room = 0
    await bed.step()
    assert await bed.advertise(1) == STEP
    bed.room = ROOM
    await bed.step()
    assert await bed.advertise(1) == WINDOW


@pytest.mark.parametrize("window", main_and_kept(__file__, (1000, 150, 1, 65535)))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_rx_window(test, window):
    sources = [path for path in rtl("toe") if path.stem in ("toe_pkg", "toe_rx_window")]
    fifo = 1 << max(11, window.bit_length())
    given = {"SESSIONS": SESSIONS, "MSS": MSS, "WINDOW_BYTES": window, "FIFO_BYTES": fifo}
    Bench("toe_rx_window", sources, given).run(__name__, test)
