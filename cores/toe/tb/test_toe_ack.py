# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_ack alone against a model: which ACK is pending, when it is due, and what frames, ends and lost frames change."""

import os
from collections import Counter, deque
from dataclasses import dataclass

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, cocotb_tests, parameter, rtl, seeded

SESSIONS = parameter("SESSIONS", 6)
LATENCY = 3  # from a note that is due to the head of an empty queue
FLAGS = 2  # from a note, or a frame, to head_pending
SCAN = SESSIONS + 1  # scan slots in which a pending ACK whose time has come is found
INPUTS = dict.fromkeys(
    ("note", "note_sid", "note_now", "over", "again", "again_sid", "sent", "sent_sid", "head_pop", "tick"), 0
)


@dataclass
class Session:
    pending: bool = False
    deadline: int = 0  # in ticks
    late: int = 0  # scan slots since the deadline, while it is not in the queue
    found: int | None = None  # the first cycle in which the scan can have queued it


class Model:
    """What the header of toe_ack promises. Only when the scan finds a session is left open, within SCAN slots."""

    def __init__(self):
        self.sessions = [Session() for _ in range(SESSIONS)]
        self.queue: deque[tuple[int, int]] = deque()  # session, cycle of its note
        self.before = deque([[(False, 0)] * SESSIONS] * FLAGS)  # pending and deadline as they were, oldest first
        self.ticks = 0
        self.frame, self.carried, self.lost, self.had_end = 0, False, None, False
        self.takes_slot = False  # a note that is back, or whose connection ended in the last cycle
        self.last_due: tuple[int, int] | None = None
        self.met = Counter()

    def check(self, cycle: int, seen) -> None:
        """The outputs in this cycle."""
        queue = self.queue
        if not seen.head_valid:
            assert not (queue and cycle >= queue[0][1] + LATENCY), f"session {queue[0][0]} is due and not in the queue"
            late = [sid for sid, session in enumerate(self.sessions) if session.late > SCAN]
            assert not late, f"sessions {late} are not found"
            return
        sid = seen.head_sid
        assert sid < SESSIONS
        if not (queue and queue[0][0] == sid and cycle >= queue[0][1] + LATENCY):
            found = self.sessions[sid].found
            assert found is not None and cycle >= found + FLAGS, f"session {sid} before its time"
            self.queue = deque([(sid, cycle - LATENCY), *(each for each in queue if each[0] != sid)])
        assert seen.head_pending == self.before[0][sid][0], f"session {sid}"

    def due(self, sid: int, cycle: int) -> None:
        if all(each != sid for each, _ in self.queue):
            self.queue.append((sid, cycle))
        self.last_due = (sid, cycle)

    def noted(self, sid: int, now: bool, delayed_ack: int, cycle: int) -> None:
        session = self.sessions[sid]
        if session.pending or now:
            self.due(sid, cycle)
        if not session.pending:
            session.pending, session.deadline, session.late = True, self.ticks + delayed_ack, 0

    def step(self, cycle: int, delayed_ack: int, given: dict[str, int]) -> None:
        """One cycle with these inputs."""
        met, sessions = self.met, self.sessions
        note, over, sent = given["note"], given["over"], given["sent"]
        in_use, sid = note or over, given["note_sid"]
        scans = not in_use and not self.takes_slot
        # A note, or one that is back
        noted, now = (sid, given["note_now"]) if note else (None, 0)
        if self.lost is not None and not in_use and not self.had_end:
            noted, now, self.lost = self.lost, 1, None
        self.had_end = bool(over)
        queued = {each for each, _ in self.queue}
        for each, session in enumerate(sessions):
            pending, deadline = self.before[0][each]
            if pending and self.ticks >= deadline and each not in queued:
                session.found = cycle if session.found is None else session.found
                session.late += scans
        if given["head_pop"]:
            popped = self.queue.popleft()[0]
            sessions[popped].found, sessions[popped].late = None, 0
            if self.last_due == (popped, cycle - 1) and not self.before[0][popped][0]:  # passed over as it came
                met["a note just before its session is passed over"] += 1
                self.queue.append(self.last_due)
            met["a note as its session is passed over"] += noted == popped and not sessions[popped].pending
        if sent:
            self.frame = given["sent_sid"]
            covers = noted == self.frame
            met["a note beside the frame that takes it"] += covers
            met["taken back"] += sessions[self.frame].pending
            self.carried = sessions[self.frame].pending or covers
            sessions[self.frame].pending = False
        if noted is not None and not (sent and noted == self.frame):
            met["a second note"] += sessions[noted].pending
            self.noted(noted, bool(now), delayed_ack, cycle)
        ended = over and (sid == self.lost or (given["again"] and self.carried and sid == self.frame))
        if over:
            sessions[sid].pending = False
            met["an end between a frame and its loss"] += sid == self.frame and self.carried
            self.carried = self.carried and sid != self.frame
            met["an end after a loss"] += self.lost == sid
            if self.lost == sid:
                self.lost = None
        if given["again"]:
            met["lost"] += self.carried
            met["lost beside its end"] += bool(over) and sid == self.frame
            self.lost = self.frame if self.carried else self.lost
        self.takes_slot = bool(ended) or self.lost is not None
        self.before.append([(session.pending, session.deadline) for session in sessions])
        self.before.popleft()
        self.ticks += given["tick"]


class Bed:
    """Frames as toe_tx_frame sends them: one at a time, each with at least three cycles, lost or not at its end."""

    def __init__(self, dut, rng):
        self.dut, self.rng, self.met = dut, rng, Counter()
        self.stepper = Stepper(dut, ("head_valid", "head_sid", "head_pending"))
        self.model, self.sent_in, self.ends_in, self.sid, self.delayed_ack = Model(), 0, 0, 0, 0
        self.head = 0

    async def reset(self, delayed_ack: int) -> None:
        self.met += self.model.met
        self.model, self.sent_in, self.ends_in, self.delayed_ack = Model(), 0, 0, delayed_ack
        await self.stepper.reset(delayed_ack=delayed_ack, **INPUTS)
        for _ in range(SESSIONS):  # what comes now is lost
            noise = {"note": 1, "note_sid": self.rng.randrange(SESSIONS), "note_now": 1}
            await self.stepper.step(**INPUTS | noise)

    async def cycle(self, *, pop: float = 0, frame: float = 0, lose: float = 0, **given: int) -> None:
        """One cycle; by chance a frame begins, of the head of the queue or of another session."""
        rng, given = self.rng, INPUTS | given
        cycle = self.stepper.cycle + 1
        seen = await self.stepper.look(**given)
        self.model.check(cycle, seen)
        self.head = seen.head_sid % SESSIONS
        if self.sent_in:
            self.sent_in -= 1
            if not self.sent_in:
                given["sent"], self.ends_in = 1, rng.choice((3, 4, 20))
                self.model.met["a frame beside an end"] += given["over"] and given["note_sid"] == self.sid
        elif self.ends_in:
            self.ends_in -= 1
            # Notes are rarer than here: there is time for the one that is back before the next frame ends
            given["again"] = int(not self.ends_in and self.model.lost is None and rng.random() < lose)
        elif seen.head_valid and rng.random() < pop:
            given["head_pop"] = 1
            if seen.head_pending:
                self.sid, self.sent_in = seen.head_sid, rng.choice((1, 2, 9))
        elif rng.random() < frame:
            self.sid, self.sent_in = rng.randrange(SESSIONS), rng.choice((1, 2, 9))
        given["sent_sid"] = given["again_sid"] = self.sid
        self.model.step(cycle, self.delayed_ack, given)
        await self.stepper.step(**given)

    def event(self, note: float, now: float, over: float) -> dict[str, int]:
        """A note or an end by chance, of the last frame's session and the queue's head more often than of others."""
        rng, draw = self.rng, self.rng.random()
        sid = rng.choice((self.sid, self.head, *range(SESSIONS)))
        return {"note": int(draw < note), "over": int(note <= draw < note + over)} | {
            "note_sid": sid,
            "note_now": int(rng.random() < now),
        }


@cocotb.test()
async def random(dut):
    """Notes, frames and ends in each order and in one cycle, few and many, with resets between."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = Bed(dut, rng)
    for part in range(600):
        if part >= 60 and len(bed.met) == 10 and min(bed.met.values()) > 1:
            break
        note, over = rng.choice(((0.02, 0.002), (0.1, 0.05), (0.4, 0.2), (0.8, 0.1)))
        now, tick, pop, frame, lose = (rng.choice((0, 0.1, 0.5, 1)) for _ in range(5))
        await bed.reset(rng.choice((0, 1, 3, 40)))
        for _ in range(400):
            given = bed.event(note, now, over)
            if bed.ends_in <= 1 and rng.random() < 0.05:  # as the last frame ends
                given |= {"note": 0, "over": 1, "note_sid": bed.sid}
            elif rng.random() < 0.1:
                given |= {"note": 1, "over": 0, "note_sid": bed.head, "note_now": 1}
            await bed.cycle(pop=pop, frame=frame * 0.3, lose=lose, tick=int(rng.random() < tick), **given)
        for _ in range(200 * (part % 2)):  # what is left is found
            await bed.cycle(pop=0.5, tick=1)
        assert not part % 2 or not any(session.pending for session in bed.model.sessions)
    await bed.reset(0)
    assert len(bed.met) == 10 and all(count > 1 for count in bed.met.values()), bed.met


@cocotb.test()
async def delays(dut):
    """The first note counts, up to the longest delay, and also where the count of ticks wraps."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = Bed(dut, rng)
    for delay in (1, 32767):
        await bed.reset(delay)
        for wait in (rng.randrange(1000), 33_000):
            for _ in range(wait if delay > 1 else wait // 400):
                await bed.cycle(pop=1, tick=1)
            await bed.cycle(note=1, note_sid=rng.randrange(SESSIONS), tick=rng.getrandbits(1))
        for _ in range(33_000 if delay > 1 else 200):
            await bed.cycle(pop=1, tick=1)
        assert not any(session.pending for session in bed.model.sessions)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_ack(test):
    sources = [path for path in rtl("toe") if path.stem in ("toe_pkg", "toe_fifo", "toe_ack")]
    Bench("toe_ack", sources, {"SESSIONS": 6}).run("test_toe_ack", test)
