# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""app_orders at random: a session that its peer has closed is closed once, in order, after its payload is consumed."""

import os
from collections import Counter, deque
from pathlib import Path

import cocotb
import pytest

from test_toe_apps import CLOSE, CLOSED, CONNECTED, LISTEN, PEER_CLOSED, PORTS, order_of
from ullnic_tb import Bench, Stepper, cocotb_tests, parameter, refusals, rtl, seeded

SESSIONS, PACKETS = parameter("SESSIONS", 8), parameter("PACKETS", 5)
LATE = 4  # cycles from the last segment to the command, where nothing stalls it


class Bed:
    """The apps' side and toe's side of the module, at random with these chances; `met` counts the corner cases."""

    def __init__(self, dut, rng):
        self.stepper = Stepper(dut, ("event_ready", "close_ready", "order_valid", "order"))
        self.rng, self.met = rng, Counter()
        self.waiting: deque[int] = deque()  # sessions of the segments that wait for the apps
        self.closed: deque[int] = deque()  # sessions that the peer has closed, without a command yet
        self.event: tuple[int, int] | None = None
        self.app: int | None = None  # the session that an app wants to close
        self.listens = self.stalled = 0

    async def reset(self) -> None:
        await self.stepper.reset(event_valid=0, rx_waiting=0, rx_last=0, close_valid=0, order_ready=0)
        self.waiting.clear()
        self.closed.clear()
        self.event, self.app, self.listens, self.stalled = None, None, 0, 0

    async def cycle(self, arrive: float, passes: float, event: float, app: float, ready: float) -> None:
        rng = self.rng
        if len(self.waiting) < PACKETS and rng.random() < arrive:
            # No payload follows the peer's FIN
            ended = {*self.closed, *([self.event[1]] if self.event and self.event[0] == PEER_CLOSED else [])}
            self.waiting.append(rng.choice([session for session in range(SESSIONS) if session not in ended] or [0]))
        if self.event is None and len(self.closed) < SESSIONS - 1 and rng.random() < event:
            session = rng.choice([session for session in range(SESSIONS) if session not in self.closed])
            self.event = rng.choice((PEER_CLOSED, PEER_CLOSED, CONNECTED, CLOSED)), session
        if self.app is None and rng.random() < app:
            self.app = rng.randrange(SESSIONS)
        last, taken = bool(self.waiting) and rng.random() < passes, rng.random() < ready
        code, session = self.event or (rng.randrange(4), rng.randrange(SESSIONS))
        seen = await self.stepper.step(
            event_valid=int(self.event is not None),
            event_code=code,
            event_sid=session,
            rx_waiting=int(bool(self.waiting)),
            rx_last=int(last),
            close_valid=int(self.app is not None),
            close_sid=rng.randrange(SESSIONS) if self.app is None else self.app,
            order_ready=int(taken),
        )
        order = order_of(seen.order) if seen.order_valid else None
        assert order or not self.stalled, "a command is withdrawn"
        self.met["stalled beside an event"] += bool(order and not taken and self.event)
        if order and taken:
            self.command(*order)
        if seen.close_ready and self.app is not None:
            assert order and taken and order[:2] == (CLOSE, self.app), "an app's command is accepted, but not sent"
            self.met["app and peer in one cycle"] += bool(self.closed)
            self.app = None
        self.stalled = self.stalled + 1 if order and not taken else 0
        if last:
            self.waiting.popleft()
        if self.event and seen.event_ready:
            if code == PEER_CLOSED:
                self.met["event with all that can wait"] += len(self.waiting) == PACKETS and not last
                self.met["event with the last segment"] += last and not self.waiting
                self.closed.append(session)
            self.event = None

    def command(self, command: int, session: int, port: int) -> None:
        if self.listens < SESSIONS:
            assert (command, session, port) == (LISTEN, self.listens, PORTS[session * 4 // SESSIONS])
            self.met["closed before all listen"] += bool(self.closed)
            self.listens += 1
            return
        assert command == CLOSE and port == 0
        if self.app is not None:
            assert session == self.app, "an app's command goes first"
            return
        assert self.closed, f"session {session} is closed, and nothing asked for it"
        assert session == self.closed.popleft(), "the order of the events"
        assert session not in self.waiting, f"session {session} is closed before its payload is consumed"
        self.met["closed while others' payload waits"] += bool(self.waiting)
        self.met["stalled, more to close"] += self.stalled > 2 and bool(self.closed)


CHANCES = {  # arrive, passes, event, app, ready
    "mixed": (0.5, 0.5, 0.1, 0.1, 0.6),
    "never empty": (1.0, 0.4, 0.1, 0.02, 0.9),
    "stalled": (0.4, 0.5, 0.4, 0.1, 0.08),
    "apps": (0.3, 0.5, 0.2, 0.8, 0.8),
}


@cocotb.test()
async def random(dut):
    bed = Bed(dut, seeded(os.environ["ULLNIC_TEST_NAME"]))
    for cycles in (1500, *[60] * 8):  # the short ones: a peer that closes before all sessions listen
        for chances in CHANCES.values():
            await bed.reset()
            for _ in range(cycles):
                await bed.cycle(*chances)
            # What is left: nothing arrives any more, all is taken
            for _ in range(SESSIONS + SESSIONS * (PACKETS + LATE)):
                await bed.cycle(0, 1, 0, 0, 1)
            assert bed.listens == SESSIONS
            assert not bed.closed and bed.app is None and bed.event is None
    corners = (
        *("stalled beside an event", "app and peer in one cycle", "event with all that can wait"),
        *("event with the last segment", "closed while others' payload waits", "stalled, more to close"),
        "closed before all listen",
    )
    assert all(bed.met[name] > 3 for name in corners), bed.met


@cocotb.test()
async def in_time(dut):
    """With nothing that stalls, a session is closed LATE cycles after its last segment; with payload of others always
    waiting, after as many segments as can wait."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = Bed(dut, rng)
    await bed.reset()
    for _ in range(SESSIONS + 2):
        await bed.cycle(0, 0, 0, 0, 1)
    for full in (False, True) * 20:
        for _ in range(PACKETS):
            await bed.cycle(1, 0, 0, 0, 1)
        bed.event = PEER_CLOSED, rng.randrange(SESSIONS)
        for _ in range(PACKETS + LATE):
            await bed.cycle(int(full), 1, 0, 0, 1)
        assert not bed.closed and bool(bed.waiting) == full
        for _ in range(PACKETS + 1):
            await bed.cycle(0, 1, 0, 0, 1)


def sources() -> list[Path]:
    card = Path(__file__).resolve().parents[1] / "rtl"
    packages = [path for path in rtl("toe") if path.stem in ("toe_pkg", "toe_fifo")]
    return [*packages, card / "app_pkg.sv", card / "app_orders.sv"]


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_app_orders(test):
    Bench("app_orders", sources(), {"SESSIONS": 8, "PACKETS": 5}).run("test_app_orders", test)


@pytest.mark.parametrize("sessions", (2, 3, 5, 12, 1000))
def test_app_orders_refuses(sessions):
    message = "app_orders: SESSIONS must be a power of two, 4 or more"
    assert message in refusals("app_orders", sources(), f"SESSIONS={sessions}")


@pytest.mark.parametrize("sessions", (4, 8, 1024))
def test_app_orders_takes(sessions):
    assert refusals("app_orders", sources(), f"SESSIONS={sessions}") == []
