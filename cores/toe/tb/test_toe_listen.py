# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_listen: each SYN to a session that listens when it leaves, all other segments in order and not held up.

A SYN here, as in the module: what has neither ACK nor RST; LISTEN drops what has no SYN either (RFC 9293, 3.10.7.2).
"""

import os
from collections import deque
from itertools import pairwise

import cocotb
import pytest

from toe_structs import FLAT_SEGMENT
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded
from ullnic_tb.structs import pack, unpack

SESSIONS, DEPTH = parameter("SESSIONS", 64), 8
FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
IDLE = {"s_valid": 0, "m_ready": 0, "listen_wr": 0, "hold": 0}
PORTS = [(iface, port) for iface in (0, 5) for port in (80, 0x8050, 443)]
AHEAD = 3


def is_stray(segment) -> bool:
    """A listening session may be meant: a SYN, or nothing that LISTEN answers (RFC 9293, 3.10.7.2)."""
    return not segment["hit"] and not segment["flags"] & (ACK | RST)


class Bed:
    """The module, and a TCP machine that takes a segment and switches its session off in the next cycle."""

    def __init__(self, dut):
        self.rng = seeded(os.environ["ULLNIC_TEST_NAME"])
        self.s = Stepper(dut, ("s_ready", "m_some", "m_valid", "m_segment", "stat_syn_dropped"))
        self.listening: dict[int, tuple[int, int]] = {}
        self.passing: deque[dict] = deque()  # other segments that are to come
        self.syns: deque[dict] = deque()  # SYNs that are to come
        self.now: dict | None = None  # on s_segment
        self.change: tuple | None = None
        self.dropped = self.sent = self.found = self.none = self.taken_back = 0
        self.out: list[tuple[int, dict]] = []
        self.held: int | None = None
        self.hold = 0  # no SYN may leave
        self.was_hold = 0
        self.ahead = 0

    async def reset(self):
        await self.s.reset(**IDLE)
        self.listening = {}
        for _ in range(SESSIONS + 1):
            seen = await self.s.step(**IDLE)
            assert not seen.m_valid
        return self

    def segment(self, stray: bool, port=None) -> dict[str, int]:
        segment = {name: self.rng.getrandbits(bits) for name, bits in FLAT_SEGMENT.items()}
        if stray:
            names = ("hit", "ack", "accepted", "gap", "sid", "old", "echo", "urgent", "upcoming", "sack_count", "sacks")
            segment |= dict.fromkeys(names, 0)
            segment["flags"] = self.rng.choice((SYN, SYN, SYN, 0)) | self.rng.choice((0, 0, FIN, PSH, FIN | PSH))
            segment["iface"], segment["local_port"] = port or self.rng.choice(PORTS)
        elif is_stray(segment):
            segment["flags"] |= self.rng.choice((RST, ACK))
        return segment

    def listen(self, sid: int, on: bool, where=(0, 0)):
        assert self.change is None
        self.change = (sid, on, where)

    async def cycle(self, offer: bool, ready: bool) -> dict | None:
        """Offers what is next, if so wished, or what is on offer anyway; returns what the machine took."""
        if self.now is None and offer and (self.syns or self.passing):
            queue = self.syns if self.syns and (not self.passing or self.rng.random() < 0.5) else self.passing
            self.now = queue.popleft()
        inputs = {"s_valid": self.now is not None, "m_ready": ready, "hold": self.hold}
        if self.now:
            inputs["s_segment"] = pack(FLAT_SEGMENT, self.now)
        change, self.change = self.change, None
        if change:
            sid, on, (iface, port) = change
            inputs |= {"listen_sid": sid, "listen_on": on, "listen_iface": iface, "listen_port": port}
        seen = await self.s.step(listen_wr=change is not None, **inputs)
        self.dropped += seen.stat_syn_dropped
        assert seen.m_some or not seen.m_valid
        if seen.m_some and not seen.m_valid:
            assert change or is_stray(self.now)
        if self.held is not None and not seen.m_valid:
            # Only a SYN, because its session is not free any more
            held = unpack(FLAT_SEGMENT, self.held)
            assert held["hit"] and change and change[0] == held["sid"]
            self.taken_back += 1
            self.held = None
        if seen.m_valid:
            assert self.held in (None, seen.m_segment)
            assert self.held or not self.was_hold or seen.m_segment == inputs.get("s_segment")
            self.held = None if ready else seen.m_segment
        self.was_hold = self.hold
        if change:
            self.listening.pop(change[0], None)
            if change[1]:
                self.listening[change[0]] = change[2]
        if self.now and is_stray(self.now):
            assert seen.s_ready  # never held up
        if self.now and seen.s_ready:
            if is_stray(self.now):
                self.accepted(self.now)
            else:
                assert seen.m_valid and ready and seen.m_segment == pack(FLAT_SEGMENT, self.now)
            self.now = None
        if not (seen.m_valid and ready):
            return None
        segment = unpack(FLAT_SEGMENT, seen.m_segment)
        self.out.append((self.s.cycle, segment))
        return segment

    def accepted(self, syn):
        self.sent += 1


def answers(segment, syns: deque[dict]) -> dict:
    """The SYN that this is, without what the walk adds; those before it were dropped."""
    plain = segment | {"hit": 0, "sid": 0}
    while syns[0] != plain:
        syns.popleft()
    return syns.popleft()


@cocotb.test()
async def any_order(dut):
    """Sessions begin and cease to listen, SYNs and others come at any time: each where it belongs, others in order."""
    bed = await Bed(dut).reset()
    rng = bed.rng
    for run in range(80):  # twelve, and more until each end has been met often enough
        if run >= 12 and bed.found > 20 and bed.none > 5 and bed.dropped > 20:
            break
        pause, busy, churn = ((0.02, 0, 0), (0.3, 0.5, 0.1), (0, 0.9, 0.3), (0.8, 0.2, 0.02))[run % 4]
        others = [bed.segment(False) for _ in range(150)]
        syns = [bed.segment(True) for _ in range(60)]
        bed.passing, bed.syns = deque(others), deque(syns)
        pending, passed, dropped, got = deque(syns), 0, bed.dropped, 0
        closing = None  # the session that gets a connection
        for _ in range(20000):
            bed.hold ^= rng.random() < 0.05
            if closing is not None:
                bed.listen(closing, False)
                closing = None
            elif rng.random() < churn + 0.05:
                sid = rng.randrange(SESSIONS)
                bed.listen(sid, rng.random() < 0.7, rng.choice(PORTS[:-1]))
            # As the TCP machine: nothing is taken in the cycle of a change
            segment = await bed.cycle(rng.random() >= pause, rng.random() >= busy and not bed.change)
            if segment is None:
                if got + passed + bed.dropped - dropped == 210:
                    break
                continue
            if segment in others:
                assert segment == others[passed]
                passed += 1
                continue
            answers(segment, pending)
            got += 1
            where = (segment["iface"], segment["local_port"])
            if segment["hit"]:
                assert bed.listening.get(segment["sid"]) == where
                closing = segment["sid"]
                bed.found += 1
            else:
                bed.none += 1
        else:
            raise AssertionError(f"{got} SYNs, {passed} others, {bed.dropped - dropped} dropped")
        assert bed.now is None
        bed.hold = 0
        for _ in range(20):
            assert await bed.cycle(False, True) is None
    print(f"{bed.found} SYNs found a session, {bed.none} none, {bed.dropped} dropped, {bed.taken_back} taken back")
    assert bed.found > 20 and bed.none > 5 and bed.dropped > 20


@cocotb.test()
async def held_back(dut):
    """On hold SYNs stay and others pass; then the SYN leaves for a session that listens."""
    bed = await Bed(dut).reset()
    bed.listen(1, True, (1, 80))
    await bed.cycle(False, True)
    bed.hold = 1
    bed.syns.append(bed.segment(True, (1, 80)))
    others = [bed.segment(False) for _ in range(10)]
    bed.passing = deque(others)
    seen = [await bed.cycle(True, True) for _ in range(2 * SESSIONS + 20)]
    assert [segment for segment in seen if segment] == others
    bed.hold = 0
    seen = [await bed.cycle(True, True) for _ in range(4)]
    assert [(segment["hit"], segment["sid"]) for segment in seen if segment] == [(1, 1)]


@cocotb.test()
async def who_is_found(dut):
    """Exact: one session listens, the only one that is found, by its interface and port alone, in time."""
    bed = await Bed(dut).reset()
    rng = bed.rng
    for turn in range(60):
        if turn % 4 == 0:  # the last session is the last that the first search after a reset comes to
            await bed.reset()
        sid = SESSIONS - 1 if turn % 4 == 0 else rng.randrange(SESSIONS)
        where = (rng.getrandbits(3), rng.getrandbits(16))
        bed.listen(sid, True, where)
        await bed.cycle(False, True)
        near = [where, (where[0] ^ 1 << rng.randrange(3), where[1]), (where[0], where[1] ^ 1 << rng.randrange(16))]
        for port in near:
            bed.syns.append(bed.segment(True, port))
            seen = [await bed.cycle(True, True) for _ in range(SESSIONS + 3)]
            assert seen[:3] == [None] * 3
            (segment,) = filter(None, seen)
            assert (segment["hit"], segment["sid"]) == ((1, sid) if port == where else (0, segment["sid"]))
        bed.listen(sid, False)
        await bed.cycle(False, True)
        bed.syns.append(bed.segment(True, where))
        segment = None
        while not segment:
            segment = await bed.cycle(True, True)
        assert not segment["hit"]


@cocotb.test()
async def turns(dut):
    """SYNs behind each other get all sessions of a port, each once, in turn; the next one gets none."""
    bed = await Bed(dut).reset()
    for _ in range(3):
        count = min(SESSIONS, 20)
        sids = sorted(bed.rng.sample(range(SESSIONS), count))
        for sid in sids:
            bed.listen(sid, True, (1, 80))
            await bed.cycle(False, True)
        got, closing = [], None
        while len(got) <= count:
            if len(bed.syns) == 0 and bed.sent - bed.dropped - len(bed.out) < DEPTH:
                bed.syns.append(bed.segment(True, (1, 80)))
            if closing is not None:
                bed.listen(closing, False)
                closing = None
            segment = await bed.cycle(True, not bed.change)
            if segment:
                got.append(segment["sid"] if segment["hit"] else None)
                closing = got[-1]
        assert got[-1] is None and sorted(got[:-1]) == sids
        assert sum(a > b for a, b in pairwise(got[:-1])) <= 1
        # What is on its way finds none
        bed.syns.clear()
        while bed.sent - bed.dropped > len(bed.out):
            segment = await bed.cycle(False, True)
            assert segment is None or not segment["hit"]
        assert bed.dropped == 0


@cocotb.test()
async def turns_again(dut):
    """Sessions that listen again at once are found in turn, too."""
    bed = await Bed(dut).reset()
    sids = sorted(bed.rng.sample(range(SESSIONS), min(SESSIONS, 5)))
    for sid in sids:
        bed.listen(sid, True, (1, 80))
        await bed.cycle(False, True)
    got = []
    while len(got) < 15:
        bed.syns.append(bed.segment(True, (1, 80)))
        segment = None
        while not segment:
            segment = await bed.cycle(True, True)
        got.append(segment["sid"])
        for on in (False, True):
            bed.listen(segment["sid"], on, (1, 80))
            await bed.cycle(False, True)
    assert got == [sids[(sids.index(got[0]) + i) % len(sids)] for i in range(15)]


@cocotb.test()
async def used_meanwhile(dut):
    """A session comes into use at each moment of the walk to it: its SYN gets the other one, or it before."""
    bed = await Bed(dut).reset()
    outcomes, last = set(), -1
    # Both outcomes need a moment behind the first cycle in which it may leave, 6
    for moment in 12 * list(range(min(SESSIONS, 16) + 8)):
        # Not far behind the one that was found last, where the walk begins
        first, second = ((last + n) % SESSIONS for n in bed.rng.sample(range(1, min(SESSIONS, 16) + 1), 2))
        for sid in (first, second):
            bed.listen(sid, True, (2, 22))
            await bed.cycle(False, True)
        bed.syns.append(bed.segment(True, (2, 22)))
        segment = None
        for cycle in range(2 * SESSIONS + 20):
            if cycle == moment:
                bed.listen(first, False)
            if segment is None:
                segment = await bed.cycle(True, cycle > 5 and not bed.change)
                assert segment is None or segment["sid"] in bed.listening
            if bed.change:
                await bed.cycle(False, False)
            if segment and cycle > moment:
                break
        assert segment and segment["hit"] and segment["sid"] in (first, second)
        last = segment["sid"]
        outcomes.add(last == first)
        bed.listen(second, False)
        await bed.cycle(False, False)
    assert len(outcomes) == 2


@cocotb.test()
async def flood(dut):
    """A SYN in each cycle: others wait for one of them at most, and no SYN for more than AHEAD others."""
    bed = await Bed(dut).reset()
    others = [bed.segment(False) for _ in range(600)]
    bed.passing = deque(others)
    waited = since = longest = ahead = most = left = 0  # left: SYNs
    while bed.passing or bed.now:
        if not bed.syns:
            bed.syns.append(bed.segment(True))
        # The machine takes ten cycles a segment
        since += 1
        segment = await bed.cycle(True, since >= 10)
        waited = waited + 1 if bed.now else 0
        longest = max(longest, waited)
        if segment:
            since = 0
            syn = segment not in others
            left += syn
            inside = bed.sent - bed.dropped - left
            most, ahead = max(most, ahead), ahead + 1 if inside and not syn else 0
    print(f"a segment waited {longest} cycles, a SYN for {most} segments, {bed.dropped} dropped")
    assert longest <= 20
    # A walk over many sessions takes the time of more segments
    assert most <= AHEAD + 1 + SESSIONS // 10
    assert bed.dropped > 100


@pytest.mark.parametrize("sessions", main_and_kept(__file__, [64, 2, 5, 1024]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_listen(test, sessions):
    sources = [path for path in rtl("toe") if path.stem in ("toe_pkg", "toe_fifo", "toe_listen")]
    Bench("toe_listen", sources, {"SESSIONS": sessions}).run(__name__, test)
