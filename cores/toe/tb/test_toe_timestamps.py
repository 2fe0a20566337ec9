# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_timestamps alone against a model: a beginning, a segment and the scan that write in one cycle, and age."""

import os
from collections import Counter
from dataclasses import dataclass

import cocotb
import pytest

from toe_structs import STAMP_WR
from ullnic_tb import Bench, Stepper, cocotb_tests, parameter, rtl, seeded
from ullnic_tb.structs import pack

SESSIONS, AGE_SHIFT = parameter("SESSIONS", 3), parameter("AGE_SHIFT", 1)
MASK32, ERAS = (1 << 32) - 1, 124
SCAN = 4 * SESSIONS  # cycles in which the scan has seen every session, between what else writes


@dataclass
class Session:
    on: int
    offset: int
    recent: int
    valid: int
    era: int  # of the whole clock, when TS.Recent was written
    since: int = 0  # the cycle in which it was found too old
    acked: int | None = None


class Bed:
    def __init__(self, dut, rng):
        self.stepper = Stepper(dut, ("tcp_stamp", "tx_stamps", "rx_stamps"))
        self.rng, self.met, self.sessions, self.clock, self.now = rng, Counter(), {}, 0, 0
        self.moved: tuple[int, int] | None = None  # session and stamp that a segment writes next
        self.last_move = self.wrote = self.writer = 0

    async def reset(self) -> None:
        await self.stepper.reset(tick=0, wr=0, move=0, acked=0, tcp_sid=0, tx_sid=0, rx_sid=0)
        self.sessions, self.clock, self.moved = {}, 0, None

    async def cycle(self, tick: float, wr: float, move: float) -> None:
        """One cycle; reads are compared with what is known of sessions that have begun."""
        rng, sessions = self.rng, self.sessions
        known = list(sessions) or [0]
        new = [session for session in range(SESSIONS) if session not in sessions]
        writes = rng.random() < wr if not new else not self.wrote
        if self.wrote or rng.random() < 0.05:  # otherwise the input stays
            self.writer = rng.randrange(SESSIONS)
        session = new[0] if new else self.writer
        self.wrote = self.wrote + 1 if writes else 0
        if self.wrote > 2:  # never long without a pause
            writes = self.wrote = 0
        stamp = {"on": rng.getrandbits(1), "begins": int(session in new) or rng.getrandbits(1)}
        stamp |= {"offset": rng.getrandbits(32), "syn": rng.getrandbits(1), "recent": rng.getrandbits(32)}
        # Segments have at least four cycles between them
        mover, moved = (
            rng.choice((session if session in sessions else known[0], rng.choice(known))),
            rng.getrandbits(32),
        )
        oldest = [each for each in sessions if sessions[each].valid and self.age(each) == ERAS - 1]
        if oldest and self.now // 256 % 2:  # now and then one is written as late as can be
            mover, move = oldest[0], 1
        moves = bool(sessions) and self.now - self.last_move >= 4 and rng.random() < move
        if moves:
            self.last_move = self.now
        # Time waits until the scan has found what is just old enough
        ticks = rng.random() < tick and not any(each.since for each in sessions.values())
        acked, nxt = rng.random() < 0.2, rng.getrandbits(32)
        tcp, tx, rx = (rng.choice(known) for _ in range(3))
        seen = await self.stepper.step(
            **{"tick": int(ticks), "wr": int(writes), "wr_sid": session, "wr_stamp": pack(STAMP_WR, stamp)},
            **{"move": int(moves), "move_sid": mover, "move_stamp": moved, "acked": int(acked), "acked_nxt": nxt},
            **{"tcp_sid": tcp, "tx_sid": tx, "rx_sid": rx},
        )
        self.check(seen, tcp, tx, rx)
        era, met = self.clock >> AGE_SHIFT, self.met
        met["a beginning beside a segment's"] += writes and moves and session != mover
        met["beside one of the same session"] += writes and moves and session == mover
        pending, self.moved = self.moved, (mover, moved) if moves else None
        if writes:
            met["a segment's waits"] += pending is not None and pending[0] != session
            met["a segment's is of the connection before"] += pending is not None and pending[0] == session
            if pending and pending[0] != session and not moves:
                self.moved = pending
            old = sessions.get(session)
            offset = stamp["offset"] if stamp["begins"] else old.offset
            recent = stamp["recent"] if stamp["syn"] else 0
            sessions[session] = Session(stamp["on"], offset, recent, stamp["syn"], era, acked=old and old.acked)
        elif pending:
            written = sessions[pending[0]]
            met["written in the last era"] += written.valid and self.age(pending[0]) == ERAS - 1
            written.recent, written.valid, written.era, written.since = pending[1], 1, era, 0
        if acked and tx in sessions:
            sessions[tx].acked = nxt
        if ticks:
            met["era wraps"] += self.clock % (256 << AGE_SHIFT) == 0
            self.clock = self.clock + 1
            for each in sessions:
                if self.age(each) == ERAS and not sessions[each].since:
                    sessions[each].since = self.now * sessions[each].valid
        self.now += 1

    def age(self, session: int) -> int:
        return (self.clock >> AGE_SHIFT) - self.sessions[session].era

    def check(self, seen, tcp: int, tx: int, rx: int) -> None:
        sessions = self.sessions
        if tcp in sessions:
            assert seen.tcp_stamp == (self.clock + sessions[tcp].offset) & MASK32
        if tx in sessions:
            value = sessions[tx].on << 64 | ((self.clock + sessions[tx].offset) & MASK32) << 32 | sessions[tx].recent
            assert seen.tx_stamps == value
        if rx in sessions:
            session = sessions[rx]
            stamps = seen.rx_stamps
            on, valid, recent, acked = stamps >> 65, stamps >> 64 & 1, stamps >> 32 & MASK32, stamps & MASK32
            assert (on, recent) == (session.on, session.recent)
            assert session.acked is None or acked == session.acked
            age = self.age(rx)
            if not session.valid or age < ERAS:
                assert valid == session.valid, f"TS.Recent of {age} eras"
                self.met["still valid in the last era"] += session.valid and age == ERAS - 1
            elif not valid or self.now - session.since > SCAN:
                assert not valid, f"TS.Recent of {age} eras is valid"
                session.valid = session.since = 0
                self.met["too old"] += 1


@cocotb.test()
async def random(dut):
    bed = Bed(dut, seeded(os.environ["ULLNIC_TEST_NAME"]))
    for chances in ((0.2, 0.3, 0.5), (0.4, 0.001, 0.003), (0.7, 0.0005, 0.001), (0.02, 0.9, 0.9)):
        await bed.reset()
        for _ in range(5000):
            await bed.cycle(*chances)
    for _ in range(100_000):  # the last era is met a few times in each ten thousand cycles
        if len(bed.met) == 8 and min(bed.met.values()) > 2:
            break
        await bed.cycle(0.7, 0.0005, 0.001)
    assert len(bed.met) == 8 and all(count > 2 for count in bed.met.values()), bed.met


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_timestamps(test):
    sources = [path for path in rtl("toe") if path.stem in ("toe_pkg", "toe_timestamps")]
    Bench("toe_timestamps", sources, {"SESSIONS": 3, "AGE_SHIFT": 1}).run("test_toe_timestamps", test)
