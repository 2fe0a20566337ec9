# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_urgent alone, against numbers without end: counts and sequence numbers that come round, many times."""

import os

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, cocotb_tests, parameter, rtl, seeded

SESSIONS = parameter("SESSIONS", 2)
MASK32 = (1 << 32) - 1


class Session:
    """Where its stream is: bytes accepted and taken since the reset, the connection's first byte, the last pointer."""

    def __init__(self, rng):
        self.accepted = self.taken = 0
        self.point = None
        self.shift = rng.getrandbits(32)  # of the sequence number of byte 0

    def left(self) -> int:
        return max(self.point - self.taken, 0) if self.point is not None else 0


async def visit(stepper, rng, sessions, number: int, seq: int, pointer: int, ahead: bool, **what: int) -> bool:
    """A segment as the TCP machine holds it for at least five cycles; RCV.NXT and the counts are as they are now."""
    session = sessions[number]
    held = {
        "sid": number,
        "seq": seq + session.shift & MASK32,
        "pointer": pointer,
        "ahead": int(ahead),
        "nxt": session.accepted + session.shift & MASK32,
        "bytes": session.accepted & MASK32,
    }
    await stepper.step(**held, hold=1, begins=0, text=0, set=0)
    for cycle in range(5):
        other = {"hold": 1, "nxt": rng.getrandbits(32), "bytes": rng.getrandbits(32)}
        now = held | (other if cycle and rng.random() < 0.5 else {"hold": 0})
        await stepper.step(**now, begins=0, text=0, set=0)
    held["hold"] = rng.getrandbits(1)
    reported = (await stepper.look(**(held | what))).report
    await stepper.step(**(held | what))
    await stepper.step(begins=0, text=0, set=0)
    return bool(reported)


@cocotb.test()
async def far_ahead(dut):
    """Streams of 2^36 bytes in steps that a segment can have and in leaps, with a pointer now and then."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    stepper = Stepper(dut, ("report", "left"))
    names = ("begins", "text", "set", "sid", "seq", "pointer", "ahead", "hold", "nxt", "bytes", "look_sid", "taken")
    await stepper.reset(**dict.fromkeys(names, 0))
    for _ in range(SESSIONS + 4):
        await stepper.step()
    sessions = [Session(rng) for _ in range(SESSIONS)]
    reported = late = 0
    for round_ in range(30_000):
        if round_ >= 3000 and late > 3:  # a pointer 2^31 ahead is rare
            break
        quiet = round_ // 50 % 3 == 0  # nothing urgent for long
        number = rng.randrange(SESSIONS)
        session = sessions[number]
        if rng.random() < 0.01:
            session.shift = rng.getrandbits(32)
            assert not await visit(stepper, rng, sessions, number, 0, 0, False, begins=1)
            session.point = None
        # What is accepted between two of these segments; a user is never 2^20 behind
        gain = rng.choice((0, 1460, rng.randrange(1 << 16), rng.randrange(1 << 29) if quiet else 0))
        before = session.accepted
        session.accepted += gain
        session.taken = max(session.taken, session.accepted - rng.choice((0, 1, 100, rng.randrange(1 << 18))))
        # The segment may have been accepted before the last of that, or not at all
        start = rng.choice((before, session.accepted, session.accepted + rng.randrange(1 << 16)))
        start = max(start, session.accepted - (1 << 18))
        pointer = rng.choice((0, 1, 2, rng.randrange(1 << 16)))
        edge = min(start, session.accepted)  # RCV.NXT, as it was
        ahead = start + pointer > edge
        flag = not quiet and rng.random() < 0.4
        end = start + pointer
        wanted = flag and ahead and (session.point is None or end > session.point)
        got = await visit(stepper, rng, sessions, number, start, pointer, ahead, text=1, set=int(flag))
        assert got == wanted, (round_, start, pointer, session.point, session.accepted)
        if wanted:
            reported += 1
            late += session.point is not None and end - session.point > 1 << 31
            session.point = end
        other = rng.randrange(SESSIONS)
        seen = await stepper.look(
            look_sid=number << 10 | other,
            taken=(session.taken & MASK32) << 32 | sessions[other].taken & MASK32,
        )
        assert seen.left == session.left() << 32 | sessions[other].left()
    assert reported > 100 and late > 3, (reported, late)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_urgent_count(test):
    sources = [path for path in rtl("toe") if path.stem in ("toe_pkg", "toe_urgent")]
    Bench("toe_urgent", sources, {"SESSIONS": SESSIONS}).run(__name__, test)
