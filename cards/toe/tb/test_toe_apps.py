# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The card's applications at toe's user ports."""

import os
from pathlib import Path

import cocotb
import pytest

from ullnic_places import CORES
from ullnic_tb import Bench, Stepper, cocotb_tests, rtl, seeded
from ullnic_tb.structs import structs, unpack

STRUCTS = structs(CORES / "toe/rtl/toe_pkg.sv")
SESSIONS = 8
ECHO, DISCARD, GENERATOR, HTTP = range(4)
PORTS = (7, 9, 19, 80)
LISTEN, CLOSE = 0, 2
CONNECTED, PEER_CLOSED, CLOSED = 0, 1, 2
OUTPUTS = (
    *("order_valid", "order", "event_ready", "rx_tready"),
    *("tx_tdata", "tx_tkeep", "tx_tvalid", "tx_tlast", "tx_tdest", "tx_length_given", "tx_length"),
)
INPUTS = (
    *("event_valid", "event_code", "event_sid", "credit_valid", "credit_sid", "credit"),
    *("rx_tdata", "rx_tkeep", "rx_tvalid", "rx_tlast", "rx_tdest"),
)
BLOCK = b"".join(bytes(0x30 + (line + at) % 64 for at in range(62)) + b"\r\n" for line in range(16))


class Apps:
    """Steps the apps; what they send is in `sent`, by session and packet, what they order in `orders`."""

    def __init__(self, dut, rng):
        self.stepper, self.rng = Stepper(dut, OUTPUTS), rng
        self.sent: list[tuple[int, bytes, int | None]] = []
        self.orders: list[tuple[int, int, int]] = []
        self.packet, self.ready, self.order_ready = b"", 1.0, 1.0

    async def reset(self) -> "Apps":
        await self.stepper.reset(order_ready=0, tx_tready=0, **dict.fromkeys(INPUTS, 0))
        return self

    async def step(self, **inputs: int):
        ready, ordered = int(self.rng.random() < self.ready), int(self.rng.random() < self.order_ready)
        seen = await self.stepper.step(tx_tready=ready, order_ready=ordered, **inputs)
        if seen.order_valid and ordered:
            self.orders.append(order_of(seen.order))
        if seen.tx_tvalid and ready:
            octets = seen.tx_tdata.to_bytes(8, "little")
            self.packet += bytes(octet for place, octet in enumerate(octets) if seen.tx_tkeep >> place & 1)
            if seen.tx_tlast:
                self.sent.append((seen.tx_tdest, self.packet, seen.tx_length if seen.tx_length_given else None))
                self.packet = b""
        return seen

    async def run(self, cycles: int) -> None:
        for _ in range(cycles):
            await self.step()

    async def event(self, code: int, session: int) -> None:
        while not (await self.step(event_valid=1, event_code=code, event_sid=session)).event_ready:
            pass
        self.stepper.set(event_valid=0)

    async def receive(self, session: int, data: bytes) -> None:
        for at in range(0, len(data), 8):
            part = data[at : at + 8]
            word = {"rx_tdata": int.from_bytes(part, "little"), "rx_tkeep": (1 << len(part)) - 1}
            while not (
                await self.step(rx_tvalid=1, rx_tlast=int(at + 8 >= len(data)), rx_tdest=session, **word)
            ).rx_tready:
                pass
        self.stepper.set(rx_tvalid=0)


def order_of(value: int) -> tuple[int, int, int]:
    """Command, session and local port of an order_t."""
    order = unpack(STRUCTS["order_t"], value)
    return order["command"], order["sid"], unpack(STRUCTS["tuple_t"], order["tuple"])["local_port"]


@cocotb.test()
async def listens(dut):
    """Each session gets the command to listen on its app's port, once."""
    apps = await Apps(dut, seeded(os.environ["ULLNIC_TEST_NAME"])).reset()
    await apps.run(100)
    assert apps.orders == [(LISTEN, session, PORTS[session * 4 // SESSIONS]) for session in range(SESSIONS)]


@cocotb.test()
async def echoes(dut):
    """Payload of echo sessions comes back, that of others does not."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    apps = await Apps(dut, rng).reset()
    apps.ready = 0.6
    wanted = []
    for _ in range(60):
        session, data = rng.randrange(4), rng.randbytes(rng.choice((1, 7, 8, 9, 64, 300)))
        await apps.receive(session, data)
        if session < 2:
            wanted.append((session, data, None))
    await apps.run(200)
    assert apps.sent == wanted


@cocotb.test()
async def closes_behind_what_waits(dut):
    """A session that its peer has closed is closed when what came before has been taken."""
    apps = await Apps(dut, seeded(os.environ["ULLNIC_TEST_NAME"])).reset()
    await apps.run(50)
    apps.orders.clear()
    apps.ready = 0.0
    data = bytes(range(16))
    waiting = {"rx_tvalid": 1, "rx_tkeep": 0xFF, "rx_tdest": 0, "rx_tdata": int.from_bytes(data[:8], "little")}
    apps.stepper.set(**waiting, rx_tlast=0)
    await apps.event(PEER_CLOSED, 0)
    await apps.run(50)
    assert apps.orders == []
    apps.ready = 1.0
    await apps.receive(0, data)
    await apps.run(10)
    assert apps.orders == [(CLOSE, 0, 0)] and apps.sent == [(0, data, None)]


@cocotb.test()
async def serves_the_page(dut):
    """A request in pieces, then the page with its length, then the close; a line that is no end brings nothing."""
    apps = await Apps(dut, seeded(os.environ["ULLNIC_TEST_NAME"])).reset()
    await apps.run(50)
    apps.orders.clear()
    await apps.receive(6, b"GET / HTTP/1.0\r\n")
    await apps.run(50)
    assert not apps.sent
    await apps.receive(7, b"GET /index.html HTTP/1.1\r\nHost: x\r\n\r\n")
    await apps.receive(6, b"Host: card\r\n")
    await apps.receive(6, b"\r\n")
    await apps.run(400)
    assert [session for session, *_ in apps.sent] == [7, 6]
    assert apps.orders == [(CLOSE, 7, 0), (CLOSE, 6, 0)]
    for _, page, length in apps.sent:
        head, body = page.split(b"\r\n\r\n")
        assert length == len(page) and head.startswith(b"HTTP/1.0 200 OK\r\n")
        assert body.startswith(b"<!DOCTYPE html>") and body.endswith(b"</html>\n")


@cocotb.test()
async def a_pipelining_session_gets_one_page(dut):
    """Requests of a session that waits for its page are ignored; those of the others are not lost for them."""
    apps = await Apps(dut, seeded(os.environ["ULLNIC_TEST_NAME"])).reset()
    await apps.run(50)
    apps.orders.clear()
    apps.ready = 0.0
    for session in [6] * (2 * SESSIONS) + [7] * (2 * SESSIONS):
        await apps.receive(session, b"GET / HTTP/1.0\r\n\r\n")
    apps.ready = 1.0
    await apps.run(400)
    assert [session for session, *_ in apps.sent] == [6, 7]
    assert apps.orders == [(CLOSE, 6, 0), (CLOSE, 7, 0)]
    # The next connection of a session
    await apps.receive(6, b"GET / HTTP/1.0\r\n\r\n")
    await apps.run(400)
    assert [session for session, *_ in apps.sent] == [6, 7, 6]
    # A request in each cycle around the end of the page and its close
    apps.order_ready = 0.1
    await apps.receive(7, b"GET / HTTP/1.0\r\n\r\n")
    while len(apps.orders) < 4:
        await apps.receive(6, b"\r\n\r\n")
    apps.order_ready = 1.0
    await apps.run(800)
    assert [session for session, *_ in apps.sent[3:]] in ([7, 6], [7, 6, 6])
    assert len(apps.orders) == len(apps.sent)


@cocotb.test()
async def all_at_once(dut):
    """Pages, echoes and lines while both sides stall: each packet whole, each page closed once, after its page."""
    apps = await Apps(dut, seeded(os.environ["ULLNIC_TEST_NAME"])).reset()
    await apps.run(50)
    apps.orders.clear()
    apps.ready, apps.order_ready = 0.5, 0.05
    for session in (4, 5):
        await apps.event(CONNECTED, session)
    echoed, pages = [], []
    for turn in range(8):
        for session in (4, 5):
            await apps.step(credit_valid=1, credit_sid=session, credit=1024)
            apps.stepper.set(credit_valid=0)
        data = bytes([turn]) * (5 + turn)
        await apps.receive(turn % 2, data)
        echoed.append((turn % 2, data, None))
        pages.append(6 + turn % 2)
        await apps.receive(pages[-1], b"GET / HTTP/1.0\r\n\r\n")
        closed = len([order for order in apps.orders if order[0] == CLOSE])
        assert closed <= len([session for session, *_ in apps.sent if session >= 6])
        await apps.run(apps.rng.choice((0, 1, 600)))
    apps.ready = apps.order_ready = 1.0
    await apps.run(4000)
    assert [packet for packet in apps.sent if packet[0] < 4] == echoed
    assert [session for session, *_ in apps.sent if session >= 6] == pages
    assert apps.orders == [(CLOSE, session, 0) for session in pages]
    assert len({data for session, data, _ in apps.sent if session >= 6}) == 1
    blocks = [packet for packet in apps.sent if packet[0] in (4, 5)]
    assert {session for session, *_ in blocks} == {4, 5} and all(packet[1:] == (BLOCK, len(BLOCK)) for packet in blocks)


@cocotb.test()
async def generates(dut):
    """Lines to connected sessions with credit, and to no others."""
    apps = await Apps(dut, seeded(os.environ["ULLNIC_TEST_NAME"])).reset()
    await apps.step(credit_valid=1, credit_sid=4, credit=5000)
    apps.stepper.set(credit_valid=0)
    await apps.run(300)
    assert not apps.sent
    await apps.event(CONNECTED, 4)
    await apps.run(400)
    assert apps.sent == [(4, BLOCK, len(BLOCK))]  # no more than its credit of that time
    await apps.step(credit_valid=1, credit_sid=4, credit=1023)
    apps.stepper.set(credit_valid=0)
    await apps.run(300)
    assert len(apps.sent) == 1
    # Just enough
    await apps.step(credit_valid=1, credit_sid=4, credit=1024)
    apps.stepper.set(credit_valid=0)
    await apps.run(300)
    assert apps.sent == [(4, BLOCK, len(BLOCK))] * 2
    apps.sent.pop()
    await apps.event(CLOSED, 4)
    await apps.step(credit_valid=1, credit_sid=4, credit=5000)
    apps.stepper.set(credit_valid=0)
    await apps.run(300)
    assert len(apps.sent) == 1


def apps_bench() -> Bench:
    card = Path(__file__).resolve().parents[1] / "rtl"
    names = "app_pkg app_orders app_merge app_generator app_http toe_apps"
    parts = [path for path in (*rtl("common"), *rtl("toe")) if path.stem in ("axis_register", "toe_pkg", "toe_fifo")]
    return Bench("toe_apps", [*parts, *(card / f"{name}.sv" for name in names.split())], {"SESSIONS": SESSIONS})


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_apps(test):
    apps_bench().run("test_toe_apps", test)
