# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The card's registers, with a second card as its peer: what a host program reads, sets and orders beside it."""

import os
from collections import Counter
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether

from ullnic_tb import Bench, cocotb_tests, main_and_kept, seeded

ROOT = Path(__file__).resolve().parents[3]
PERIOD_PS = 3104
EVENTS_KEPT = 64  # that nobody has read yet
SESSIONS = 16
ECHO, DISCARD, GENERATOR, HTTP = range(0, SESSIONS, SESSIONS // 4)  # the first session of each
A_IP, B_IP = 0xC612000A, 0xC612000B
ID, VERSION, CAPABILITY, FEATURES = range(0, 16, 4)
IP_HEADER, RTO_INITIAL, RTO_MIN, RTO_MAX, TIME_WAIT, DELAYED_ACK, KEEPALIVE, RETRIES, SECRET = range(0x1C, 0x40, 4)
ORDER_PEER_IP, ORDER_PORTS, ORDER, ORDER_STATUS, EVENT, EVENT_INFO, POLICY, HOST = range(0x40, 0x60, 4)
COUNTERS, INTERFACE, STATES, URGENT = 0x80, 0x100, 0x1000, 0x2000
CONTROL, ADDRESS = INTERFACE, INTERFACE + 0x0C
TABLE_FULL, CLAIMED, ORDERS_REFUSED, HOST_PASSED, HOST_OTHER = 7, 9, 23, 20, 22
BUSY, REFUSED = 3, 1 << 16
LISTEN, CONNECT, CLOSE, ABORT = range(4)
CLOSED, LISTENS, SYN_SENT, ESTABLISHED = 0, 1, 2, 4
CONNECTED, PEER_CLOSED, ENDED, RESET, TIMED_OUT, REFUSED_BY_PEER, UNREACHABLE, BAD_COMMAND = range(8)


class Card:
    """One card by its registers."""

    def __init__(self, dut, name: str):
        self.dut = dut
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, f"{name}_axil"), dut.clk, dut.rst)
        for logger in (self.master.write_if.log, self.master.read_if.log):
            logger.setLevel("WARNING")
        self.events: list[tuple[int, int, int]] = []  # code, session, info

    async def read(self, address: int, resp=AxiResp.OKAY) -> int:
        done = await with_timeout(cocotb.start_soon(self.master.read(address, 4)), 2, "us")
        assert done.resp == resp, f"read of {address:#x}: {done.resp.name}"
        return int.from_bytes(done.data, "little")

    async def write(self, address: int, value: int, resp=AxiResp.OKAY, length: int = 4) -> None:
        octets = value.to_bytes(length, "little")
        done = await with_timeout(cocotb.start_soon(self.master.write(address, octets)), 2, "us")
        assert done.resp == resp, f"write of {address:#x}: {done.resp.name}"

    async def give(self, command: int, session: int, local: int = 0, port: int = 0, ip: int = 0) -> None:
        for _ in range(50):
            if not await self.read(ORDER_STATUS) & BUSY:
                break
        else:
            raise AssertionError("an order is not taken")
        await self.write(ORDER_PEER_IP, ip)
        await self.write(ORDER_PORTS, local << 16 | port)
        await self.write(ORDER, command << 16 | session)

    async def state(self, session: int) -> int:
        value = await self.read(STATES + 4 * session)
        assert value >> 31
        return value & 15

    async def reaches(self, session: int, state: int, turns: int = 400) -> None:
        for _ in range(turns):
            if (now := await self.state(session)) == state:
                return
            await Timer(100 * PERIOD_PS, "ps")
        raise AssertionError(f"session {session} is in state {now}, not {state}")

    async def event(self, turns: int = 400) -> tuple[int, int]:
        """The next one: code, session."""
        for _ in range(turns):
            value = await self.read(EVENT)
            if value >> 31:
                self.events.append((value >> 16 & 15, value & 1023, await self.read(EVENT_INFO)))
                return self.events[-1][:2]
            await Timer(100 * PERIOD_PS, "ps")
        raise AssertionError("no event")

    async def no_event(self) -> None:
        await Timer(3000 * PERIOD_PS, "ps")
        assert await self.read(EVENT) >> 31 == 0

    async def counter(self, number: int) -> int:
        await Timer(40 * PERIOD_PS, "ps")
        return await self.read(COUNTERS + 4 * number)


async def reset(dut) -> tuple[Card, Card]:
    dut.tick.value = 0
    dut.rst.value = 1
    cards = Card(dut, "a"), Card(dut, "b")
    cocotb.start_soon(Clock(dut.clk, PERIOD_PS, "ps").start())
    await Timer(20 * PERIOD_PS, "ps")
    await RisingEdge(dut.clk)
    dut.rst.value = 0
    return cards


async def link(dut) -> None:
    """Up in both directions, for a time."""
    for _ in range(400):
        await Timer(1000 * PERIOD_PS, "ps")
        if int(dut.link_up.value) == 3:
            break
    else:
        raise AssertionError("no link")
    await Timer(2000 * PERIOD_PS, "ps")


async def up(dut) -> tuple[Card, Card]:
    """Link up, and all sessions of both listen."""
    cards = await reset(dut)
    await link(dut)
    for card in cards:
        for session in range(SESSIONS):
            assert await card.state(session) == LISTENS
    return cards


@cocotb.test()
async def first_frame(dut):
    """After a reset nothing has been received. The first frame, a peer's announcement of the same address, is."""
    a, b = await reset(dut)
    await a.write(ADDRESS, B_IP)
    await link(dut)
    assert [await b.counter(number) for number in range(24)] == [int(number == CLAIMED) for number in range(24)]


async def ticks(dut, count: int, spacing: int = 1500) -> None:
    for _ in range(count):
        await RisingEdge(dut.clk)
        dut.tick.value = 1
        await RisingEdge(dut.clk)
        dut.tick.value = 0
        await Timer(spacing * PERIOD_PS, "ps")


async def connected(a: Card, b: Card, session: int, port: int, server: range, ip: int = B_IP) -> int:
    """a's session, which an application has let listen, connects to b; gives b's session."""
    await a.give(ABORT, session)
    await a.reaches(session, CLOSED)
    assert await a.event() == (ENDED, session)
    await a.give(CONNECT, session, local=40000 + session, port=port, ip=ip)
    assert await a.event() == (CONNECTED, session)
    code, other = await b.event()
    assert code == CONNECTED and other in server
    assert await a.state(session) == await b.state(other) == ESTABLISHED
    return other


@cocotb.test()
async def set_up(dut):
    """Behind a reset the registers have the card's addresses and times; an access at once waits for that."""
    a, b = await reset(dut)
    assert await a.read(ADDRESS) == A_IP and await b.read(ADDRESS) == B_IP
    for card, last in ((a, 10), (b, 11)):
        assert await card.read(ID) == int.from_bytes(b"TOE0")
        assert await card.read(CAPABILITY) & 0xFFFF == SESSIONS - 1 | 1 << 12
        features = await card.read(FEATURES)
        assert features & 0xFFFF == 1500 and features >> 26 & 7 == 7 and features >> 29 & 1 == last - 10
        assert [await card.read(INTERFACE + 4 * i) for i in range(3)] == [1, last, 0x0200]
        assert [await card.read(address) for address in range(RTO_INITIAL, KEEPALIVE, 4)] == [
            *(1000, 200, 60000),
            60000 << 16 | 1000,
            40,
        ]
        assert await card.read(RETRIES) == 0x805
        # A write, too
        await card.write(RTO_MIN, 300)
        assert await card.read(RTO_MIN) == 300


@cocotb.test()
async def order_at_once(dut):
    """An order in the first cycles, between those of the applications: each is given once."""
    a, _ = await reset(dut)
    count = 0
    for n in range(90):  # of sessions that may listen already, or not yet
        if not await a.read(ORDER_STATUS) & BUSY and count < EVENTS_KEPT:
            await a.write(ORDER, CLOSE << 16 | n % SESSIONS)
            count += 1
    for session in range(SESSIONS):
        await a.reaches(session, LISTENS)
    assert await a.read(ORDER_STATUS) == 0 and count > 10
    events = Counter([await a.event() for _ in range(count)])
    assert {code for code, _ in events} == {BAD_COMMAND} and sum(events.values()) == count
    await a.no_event()


@cocotb.test()
async def connects_and_closes(dut):
    """A session of the host's to each application of the other card; its close is answered by the application's own."""
    a, b = await up(dut)
    quarter = SESSIONS // 4
    for n, (port, first) in enumerate(((7, ECHO), (9, DISCARD), (80, HTTP))):
        other = await connected(a, b, n, port, range(first, first + quarter))
        await a.give(CLOSE, n)
        assert await b.event() == (PEER_CLOSED, other)
        assert await a.event() == (PEER_CLOSED, n)  # the application of the other card has ordered that
        assert await a.event() == (BAD_COMMAND, n)  # and here the application orders it, too: a second time
        assert await b.event() == (ENDED, other)
        await b.reaches(other, LISTENS)
    for card in (a, b):
        assert await card.counter(TABLE_FULL) == await card.counter(ORDERS_REFUSED) == 0


@cocotb.test()
async def aborts_and_listens(dut):
    """The host takes a session away from its application, and lets it listen on another port, where it is found."""
    a, b = await up(dut)
    other = await connected(a, b, 1, 19, range(GENERATOR, GENERATOR + 4))
    await b.give(ABORT, other)
    assert await a.event() == (RESET, 1)
    await a.reaches(1, CLOSED)
    await b.reaches(other, CLOSED)
    assert await b.event() == (ENDED, other)
    await b.give(LISTEN, other, local=5000)
    await b.reaches(other, LISTENS)
    assert await connected(a, b, 2, 5000, range(other, other + 1)) == other


@cocotb.test()
async def another_address(dut):
    """The interface with another IP address is found there, and not at the old one."""
    a, b = await up(dut)
    await b.write(CONTROL, 0)
    await b.write(ADDRESS, B_IP + 1)
    await b.write(CONTROL, 1)
    await connected(a, b, 0, 7, range(4), ip=B_IP + 1)
    await a.give(ABORT, 3)
    await a.reaches(3, CLOSED)
    assert await a.event() == (ENDED, 3)
    await a.give(CONNECT, 3, local=50000, port=7, ip=B_IP + 5)
    cocotb.start_soon(ticks(dut, 6000, 100))
    assert await a.event(8000) == (UNREACHABLE, 3)


@cocotb.test()
async def policy_and_host(dut):
    """What one session sends has its own DSCP; frames to another address of this card go where HOST says."""
    a, b = await up(dut)
    frames, frame = [], bytearray()

    async def watch():
        while True:
            await RisingEdge(dut.clk)
            if int(dut.host_tvalid.value):
                octets = int(dut.host_tdata.value).to_bytes(4, "little")
                frame.extend(octets[: int(dut.host_tkeep.value).bit_count()])
                if int(dut.host_tlast.value):
                    frames.append(bytes(frame))
                    frame.clear()

    cocotb.start_soon(watch())
    for session, dscp in ((0, 46), (1, 0), (2, 10)):
        if dscp:
            await a.write(POLICY, dscp << 20 | 5 << 16 | 1 << 12 | session)
        await a.give(ABORT, session)
        await a.reaches(session, CLOSED)
        await b.write(HOST, 1 << 6 if session else 3)
        before = await b.counter(HOST_PASSED), await b.counter(HOST_OTHER)
        await a.give(CONNECT, session, local=60000 + session, port=80, ip=0xCB007109)  # by the gateway, which is b
        await a.reaches(session, SYN_SENT)
        await Timer(3000 * PERIOD_PS, "ps")
        after = await b.counter(HOST_PASSED), await b.counter(HOST_OTHER)
        assert after == (before[0] + bool(session), before[1] + (not session))
        assert len(frames) == bool(session)
        if session:
            packet = Ether(frames.pop())
            assert packet[IP].dst == "203.0.113.9" and packet[IP].tos == dscp << 2
            assert packet[TCP].flags == "S" and packet[TCP].sport == 60000 + session


@cocotb.test()
async def wrong_ones(dut):
    """SLVERR or a counted refusal, never a hang; nothing has changed."""
    a, _ = await up(dut)
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    nothing = [0x18, 0x60, 0x7C, 0xE0, 0xFC, 0x200, 0xFFC, 0x3000, 0x3FFC]
    read_only = [ID, VERSION, CAPABILITY, FEATURES, EVENT, EVENT_INFO, COUNTERS, COUNTERS + 92, STATES, URGENT + 4092]
    for address in nothing:
        await a.read(address, AxiResp.SLVERR)
    for address in [*nothing, *read_only]:
        await a.write(address, rng.getrandbits(32), AxiResp.SLVERR)
        await a.write(address + 1, 255, AxiResp.SLVERR, length=1)
    wrong = [(ORDER, command << 16 | session) for command in range(4) for session in (SESSIONS, 1023)]
    wrong += [(ORDER, command << 16 | 1 << 20) for command in (LISTEN, CONNECT)]
    wrong += [(POLICY, SESSIONS)]
    for count, (address, value) in enumerate(wrong, 1):
        await a.write(address, value)
        assert await a.counter(ORDERS_REFUSED) == count
        assert await a.read(ORDER_STATUS) == REFUSED
        await a.write(ORDER_STATUS, REFUSED)
    # A register by its bytes: unaligned ones are those of its word
    await a.write(RTO_INITIAL + 1, 2, length=1)
    assert await a.read(RTO_INITIAL) == 1000 & 255 | 2 << 8
    assert await a.read(STATES + 4 * SESSIONS) == await a.read(URGENT + 4 * SESSIONS) == 0
    await a.no_event()
    for session in range(SESSIONS):
        assert await a.state(session) == LISTENS


def listed(name: str) -> list[Path]:
    """Files of a list that a tool at the project's root reads, with those of the lists in it (-F: relative to them)."""
    files = []
    for line in (ROOT / name).read_text().splitlines():
        if line.startswith("-F"):
            inner = Path(line.split()[1])
            files += [
                ROOT / inner.parent / path for path in (ROOT / inner).read_text().splitlines() if path[:1] not in "/"
            ]
        elif line and not line.startswith("//"):
            files.append(ROOT / line)
    return [file for file in files if file.suffix in (".sv", ".vlt")]


@pytest.mark.parametrize(
    "test", main_and_kept(__file__, cocotb_tests(__name__), lambda test: test != "another_address")
)
def test_toe_card(test):
    sources = [*listed("cards/toe/rtl/toe_card.f"), Path(__file__).resolve().parent / "toe_pair.sv"]
    Bench("toe_pair", sources, {}).run("test_toe_card", test)
