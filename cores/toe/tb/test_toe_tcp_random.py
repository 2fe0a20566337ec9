# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_tcp beside the model: segments, orders, data and time at random, likely and absurd; and no session ever stuck."""

import os

import cocotb
import pytest

from toe_tcp_model import Model
from toe_tcp_play import (
    ABORT,
    ACK,
    CLOSE,
    CONNECT,
    FIN,
    LISTEN,
    MASK,
    RING,
    RST,
    SESSIONS,
    SYN,
    Bed,
    State,
    ahead,
    parameter,
    plus,
    toe_tcp_bench,
    tuple_of,
)
from ullnic_tb import Bench, cocotb_tests, long_run, main_and_kept, rounds, seeded

CONGESTION = parameter("TX_CONGESTION_CONTROL_EN", 1)
EDGES = (0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFA00, 0x7FFFFC00)
STEPS = rounds(1500, 600)
MOST = 45_000  # of steps: a seed may take its time to meet CLOSING


class Play:
    def __init__(self, bed: Bed, rng):
        self.bed, self.rng = bed, rng
        self.model = Model(bed.settings, SESSIONS, RING, CONGESTION)
        self.model.iss = lambda sid: plus(bed.snd_nxt(sid), -1)
        self.log: list[str] = []

    def check(self, asked, what: str) -> None:
        """What was asked for, of each session by itself, and all that shows."""
        m = self.model
        self.log.append(what)
        for sid in range(SESSIONS):
            for name in ("frames", "acks", "events"):
                got = [x for x in getattr(asked, name) if x[0] == sid]
                self.same(sid, name, got, [x for x in getattr(m, name) if x[0] == sid])
            self.same(sid, "context", self.shown(sid), self.wanted(sid))
        self.same(None, "strays", [x[:3] if x[1] == RST else x for x in asked.strays], m.strays)
        m.clear()

    def same(self, sid: int | None, name: str, got, want) -> None:
        if got != want:
            print(*self.log[-12:], f"{sid} {name}: {got}", f"model: {want}", self.model.sessions[sid or 0], sep="\n")
            raise AssertionError(f"session {sid}: other {name} than the model's; see above")

    def shown(self, sid: int) -> dict:
        bed = self.bed
        s, state = self.model.sessions[sid], bed.state(sid)
        shown = {"state": state, "there": bed.there(sid), "listens": bed.listens(sid)}
        shown |= {"open": bed.open(sid), "receives": bed.receives(sid)}
        if state >= State.SYN_RCVD:
            shown |= {"rcv": bed.rcv_nxt(sid), "snd": bed.snd_nxt(sid)}
        if bed.open(sid):
            shown |= {"allowance": ahead(bed.limit(sid), s.una), "mss": bed.mss(sid)}
        return shown

    def wanted(self, sid: int) -> dict:
        m, s = self.model, self.model.sessions[sid]
        wanted = {"state": s.state, "there": s.state > State.LISTEN, "listens": s.state == State.LISTEN}
        receives = (State.SYN_RCVD, State.ESTABLISHED, State.FIN_WAIT_1, State.FIN_WAIT_2)
        wanted |= {"open": m.may_send(sid), "receives": s.state in receives}
        if s.state >= State.SYN_RCVD:
            wanted |= {"rcv": s.rcv, "snd": s.nxt}
        if m.may_send(sid):
            wanted |= {"allowance": m.allowance(sid), "mss": s.mss}
        return wanted

    def tuple_of(self, sid: int) -> int:
        return tuple_of(1000 + sid, 80)

    async def order(self, command: int, sid: int) -> None:
        tup = tuple_of(0, 80, 0) if command == LISTEN else self.tuple_of(sid)
        self.bed.aim(tup)
        asked = await self.bed.order(command, sid, tup)
        self.model.order(command, sid, tup)
        self.check(asked, f"order {command} {sid}")

    async def send(self, sid: int) -> None:
        room = ahead(self.bed.limit(sid), self.bed.snd_nxt(sid))
        if not self.model.may_send(sid) or room <= 0:
            return
        n = min(room, self.rng.choice((1, 2, 100, self.bed.mss(sid), self.bed.mss(sid), RING)))
        await self.bed.send(n, sid)
        self.model.sessions[sid].nxt = plus(self.model.sessions[sid].nxt, n)
        self.model.visit(sid)
        self.check(self.bed.asked(), f"send {sid} {n}")

    async def ticks(self, n: int) -> None:
        asked = await self.bed.ticks(n)
        for _ in range(n):
            self.model.tick()
        self.check(asked, f"ticks {n}, {self.model.now} now")

    async def segment(self, sid: int, likely: bool) -> None:
        """`likely`: what a peer could send; else anything, near the edges of what counts."""
        rng, s = self.rng, self.model.sessions[sid]
        seg = {"sid": sid, "hit": 1, "tuple": self.tuple_of(sid), "mss_on": 0, "mss": 0, "scale_on": 0, "scale": 0}
        seg |= {
            "length": rng.choice((0, 0, 0, 1, 100, 1460)),
            "window": rng.choice((0, 1, 15, 16, 500, 5000, 60000, 65535, s.raw_window)),
        }
        if likely:
            closes_too = s.state == State.FIN_WAIT_1  # CLOSING is rare else
            seg["flags"] = FIN | ACK if rng.random() < (0.3 if closes_too else 0.07) else ACK
            seg["seq"] = s.rcv if rng.random() < 0.9 else s.rcv - rng.choice((1, 2, 100)) & MASK
            seg["ack"] = plus(s.una, rng.choice((0, 0, s.flight, s.flight, s.flight // 2, min(s.mss, s.flight))))
            if rng.random() < 0.3:  # a duplicate ACK
                seg |= {"flags": ACK, "length": 0, "seq": s.rcv, "ack": s.una, "window": s.raw_window}
        else:
            flags = (ACK, ACK, FIN | ACK, SYN, SYN | ACK, RST, RST | ACK, FIN, 0, SYN | FIN, SYN | RST, 0xFF, FIN | RST)
            edge = self.model.left
            near = (0, 0, 0, 1, -1, 2, -2, 100, -100, edge, edge - 1, 65536, -65536, 1 << 31, (1 << 31) - 1)
            acks = (
                0,
                0,
                1,
                -1,
                s.flight,
                s.flight + 1,
                s.flight - 1,
                -2 * RING + s.flight,
                1 - 2 * RING + s.flight,
                1 << 31,
            )
            seg |= {
                "flags": rng.choice(flags),
                "seq": s.rcv + rng.choice(near) & MASK,
                "ack": s.una + rng.choice(acks) & MASK,
                "hit": int(rng.random() < 0.95),
            }
            if rng.random() < 0.05:
                seg["tuple"] = tuple_of(1000 + sid, 81)
        if s.state in (State.LISTEN, State.SYN_SENT) and (likely or rng.random() < 0.5):
            seg["flags"] = SYN if s.state == State.LISTEN or rng.random() < 0.2 else SYN | ACK
            seg["seq"] = rng.choice((*EDGES, rng.getrandbits(32)))
            seg |= {"length": 0, "mss_on": rng.getrandbits(1), "mss": rng.choice((500, 536, 1459, 1460, 1461, 9000))}
            seg |= {"scale_on": rng.getrandbits(1), "scale": rng.choice((0, 1, 7, 14))}
        if seg["flags"] & SYN:
            seg["length"] = 0
        if rng.random() < 0.2:
            self.model.left = rng.choice((0, 1, 2, 50, 16384, 65535))
            shut = self.model.left == 0 and rng.random() < 0.5
            self.bed.dut.left.value = 0x10000 | rng.getrandbits(16) if shut else self.model.left
        bed = self.bed
        seg["accepted"] = int(
            seg["hit"]
            and bed.receives(sid)
            and seg["length"] > 0
            and seg["tuple"] == self.tuple_of(sid)
            and seg["flags"] & (SYN | RST | ACK) == ACK
            and seg["seq"] == bed.rcv_nxt(sid)
            and (bed.snd_nxt(sid) - seg["ack"]) & MASK < 2 * RING
            and rng.random() < 0.9
        )
        bed.aim(seg["tuple"])
        asked = await bed.segment(**seg)
        self.model.segment(sid, seg)
        shown = {k: v for k, v in seg.items() if k not in ("tuple", "hit", "sid")}
        self.check(asked, f"segment {sid} {s.state.name} {shown}")

    async def look(self) -> None:
        """What software sees."""
        for sid, s in enumerate(self.model.sessions):
            self.bed.dut.look_sid.value = sid
            await self.bed.cycles(2)
            self.same(sid, "state seen", State(int(self.bed.dut.look_state.value)), s.state)

    async def step(self) -> None:
        rng = self.rng
        sid, kind = rng.randrange(SESSIONS), rng.random()
        state = self.model.sessions[sid].state
        if state == State.CLOSED and kind < 0.7:
            await self.order(rng.choice((LISTEN, CONNECT)), sid)
        elif kind < 0.25:
            await self.send(sid)
        elif kind < 0.65:
            await self.segment(sid, likely=True)
        elif kind < 0.78:
            await self.segment(sid, likely=False)
        elif kind < 0.82:
            await self.order(
                rng.choice((LISTEN, CONNECT, CLOSE, CLOSE, CLOSE, ABORT)), rng.choice((sid, sid, sid, SESSIONS))
            )
        else:
            await self.ticks(rng.choice((1, 1, 2, 5, 12, 25)))


@cocotb.test()
@pytest.mark.rfc9293("MUST-41")
@pytest.mark.pitfall("isn-near-wrap", "sequence-wrap")
async def beside_the_model(dut):
    """Whatever comes, all that the machine does is what the model does."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = await Bed(dut).reset(
        keepalive=rng.choice((0, 60)),
        fin_wait=rng.choice((0, 20, 80)),
        rto_initial=15,
        rto_min=rng.choice((1, 6)),
        retries=5,
    )
    play = Play(bed, rng)
    seen = set()
    for step in range(MOST):
        if step >= STEPS and seen == set(State):
            break
        await play.step()
        await play.look()
        seen |= {s.state for s in play.model.sessions}
    assert seen == set(State), set(State) - seen


@cocotb.test()
async def none_stuck(dut):
    """From wherever sessions are, ABORT frees them; or silence does, with keepalives on."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for abort in (True, False, True, False):
        bed = await Bed(dut).reset(keepalive=40, rto_initial=6, rto_min=2, rto_max=12, retries=3, syn_retries=2)
        play = Play(bed, rng)
        for _ in range(STEPS // 6):
            await play.step()
        if abort:
            for sid in range(SESSIONS):
                await play.order(ABORT, sid)
                assert bed.state(sid) == State.CLOSED and not bed.there(sid)
        else:
            await play.ticks(200)
            for sid in range(SESSIONS):
                assert bed.state(sid) in (State.CLOSED, State.LISTEN) and not bed.there(sid)


def bench(congestion: int) -> Bench:
    # Ticks are so long that all that may go has gone before the next: the model takes no time for it
    return toe_tcp_bench(TX_CONGESTION_CONTROL_EN=congestion, TICK_CYCLES=1024)


@pytest.mark.parametrize("congestion", main_and_kept(__file__, (1, 0)))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_tcp_random(test, congestion):
    bench(congestion).run(__name__, test)


@long_run(__file__)
@pytest.mark.parametrize("congestion", (1, 0))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_tcp_random_long(test, congestion):
    bench(congestion).run(__name__, test, long_seed=1)
