# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_open: connects with the address of their next hop, in order; others past them; what ends one that waits."""

import os
import random
from collections import Counter
from dataclasses import dataclass
from ipaddress import ip_address, ip_network

import cocotb
import pytest

from toe_structs import ORDER, TUPLE, interface_number, interfaces_number
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded
from ullnic_tb.structs import pack, unpack

INTERFACES, DEPTH = parameter("INTERFACES", 3), parameter("DEPTH", 4)
LISTEN, CONNECT, CLOSE, ABORT = range(4)
EVENTS = ("EV_CONNECTED", "EV_PEER_CLOSED", "CLOSED", "EV_RESET", "EV_TIMED_OUT", "EV_REFUSED", "UNREACHABLE", "BAD")
OUTPUTS = (
    *("s_ready", "resolve_valid", "resolve_iface", "resolve_ip", "m_valid", "m_order"),
    *("event_valid", "event_code", "event_sid"),
    "report",  # internal: the first connect ends with an event
)
IDLE = {"s_valid": 0, "m_ready": 0, "resolve_done": 0, "event_ready": 0}


@dataclass
class Interface:
    network: str  # address and length
    gateway: str = "0.0.0.0"
    enable: bool = True

    def bits(self) -> int:
        address, length = self.network.split("/")
        mask = int(ip_network(f"0.0.0.0/{length}").netmask)
        addresses = {"ip": int(ip_address(address)), "gateway": int(ip_address(self.gateway))}
        return interface_number(enable=int(self.enable), mac=0x02AA, mask=mask, **addresses)

    def hop(self, peer: int) -> int | str:
        """Of a peer: the next hop, or the event."""
        address, net = ip_address(peer), ip_network(self.network, strict=False)
        near = address in net
        if address.is_multicast or address.is_reserved or address.is_unspecified:
            return "BAD"
        if near and address == net.broadcast_address and net.prefixlen < 31:
            return "BAD"
        if not self.enable or not near and self.gateway == "0.0.0.0":
            return "UNREACHABLE"
        return peer if near else int(ip_address(self.gateway))


NETS = [
    Interface("10.1.2.3/24", "10.1.2.254"),
    Interface("192.168.7.1/31"),
    Interface("172.16.0.1/12", "172.31.0.9"),
]
OFF = Interface("0.0.0.0/0", enable=False)

# What counts of an order that is no connect: no peer
OTHER = pack(ORDER, {"command": 3, "sid": 1023, "tuple": pack(TUPLE, {"iface": 7, "local_port": 0xFFFF})})


@dataclass
class Connect:
    sid: int
    iface: int
    peer: int
    ports: int
    back: bool = False
    since: int = 0  # the cycle in which it came

    @property
    def hop(self):
        return (NETS[self.iface] if self.iface < INTERFACES else OFF).hop(self.peer)

    def bits(self, command: int = CONNECT, mac: int = 0) -> int:
        ports = {"peer_port": self.ports >> 16, "local_port": self.ports & 0xFFFF}
        connection = pack(TUPLE, {"iface": self.iface, "peer_ip": self.peer, **ports})
        return pack(ORDER, {"command": command, "sid": self.sid, "tuple": connection, "peer_mac": mac})


class Bed:
    def __init__(self, dut):
        self.rng = seeded(os.environ["ULLNIC_TEST_NAME"])
        self.s = Stepper(dut, OUTPUTS)
        self.inside: list[Connect] = []  # in the order in which they came; those taken back until they have gone
        self.due: list[tuple[str, int]] = []  # events
        self.events: list[tuple[str, int]] = []  # that came
        self.taken: list[tuple[int, int]] = []  # command and session, by the TCP machine
        self.order: tuple[int, Connect] | None = None  # on s_order
        self.asked: tuple[int, int] | None = None
        self.salt = self.rng.getrandbits(32)
        self.answered: dict[tuple[int, int], int] = {}  # when, last
        self.held: int | None = None  # on offer to the TCP machine
        self.offered: Connect | None = None
        self.answer_in = 0
        self.arp_delay, self.arp_found = (1, 30), 0.8

    async def reset(self):
        await self.s.reset(**IDLE, iface=interfaces_number(net.bits() for net in NETS[:INTERFACES]))
        return self

    def waiting(self, sid: int) -> Connect | None:
        return next((one for one in self.inside if one.sid == sid and not one.back), None)

    async def cycle(self, m_ready: bool = True, event_ready: bool = True):
        inputs = {"s_valid": self.order is not None, "m_ready": m_ready, "event_ready": event_ready}
        if self.order:
            inputs["s_order"] = self.order[1].bits(self.order[0], 0xA5A5)
        done = self.asked is not None and self.answer_in == 0
        if done:
            mac = self.neighbour(self.asked)
            inputs |= {"resolve_found": mac is not None, "resolve_mac": mac or self.rng.getrandbits(48)}
            self.answered[self.asked] = self.s.cycle
        seen = await self.s.step(resolve_done=done, **inputs)
        self.resolve(seen, done)
        if seen.event_valid and event_ready:
            self.events.append((EVENTS[seen.event_code], seen.event_sid))
            assert self.events[-1] == self.due.pop(0)
        offered = self.machine(seen, m_ready)
        if self.order and seen.s_ready:
            self.accepted(*self.order, offered)
            self.order = None
        if seen.report:
            first = next(one for one in self.inside if not one.back)
            why = first.hop if isinstance(first.hop, str) else "UNREACHABLE"
            assert why == first.hop or self.resolved(first) is None
            self.gone(first)
            self.due.append((why, first.sid))
        return seen

    def neighbour(self, asked: tuple[int, int]) -> int | None:
        rng = random.Random(f"{self.salt} {asked}")
        return rng.getrandbits(47) + 1 if rng.random() < self.arp_found else None

    def resolved(self, connect: Connect) -> int | None:
        asked = connect.iface, connect.hop
        assert self.answered[asked] > connect.since
        return self.neighbour(asked)

    def gone(self, connect: Connect):
        """With all that were taken back before it."""
        del self.inside[: next(i for i, one in enumerate(self.inside) if one is connect) + 1]

    def resolve(self, seen, done: bool):
        asked = (seen.resolve_iface, seen.resolve_ip) if seen.resolve_valid else None
        if self.asked:
            assert asked == self.asked  # held until done
            self.answer_in -= 1
        elif asked:
            self.answer_in = self.rng.randrange(*self.arp_delay)
            assert asked in [(one.iface, one.hop) for one in self.inside]
        self.asked = None if done else asked

    def machine(self, seen, m_ready: bool) -> str | None:
        """What is on offer to the TCP machine: "connect" or "pass"."""
        command = unpack(ORDER, seen.m_order)["command"]
        order = seen.m_order & (-1 if command == CONNECT else OTHER)
        if self.held is not None:
            assert seen.m_valid and order == self.held
        self.offered = None
        if not seen.m_valid:
            return None
        self.held = None if m_ready else order
        if m_ready:
            self.taken.append((command, unpack(ORDER, order)["sid"]))
        if command != CONNECT:
            assert self.order and order == self.order[1].bits(self.order[0]) & OTHER
            assert bool(seen.s_ready) == m_ready
            return "pass"
        first = self.offered = next(one for one in self.inside if not one.back)
        assert order == first.bits(mac=self.resolved(first))
        if m_ready:
            self.gone(first)
        return "connect"

    def accepted(self, command: int, order: Connect, offered: str | None):
        connect = self.waiting(order.sid)
        if connect:
            # Not while the connect itself is on offer
            assert connect is not self.offered
            if command in (CLOSE, ABORT):
                connect.back = True
            self.due.append(("CLOSED" if command in (CLOSE, ABORT) else "BAD", order.sid))
        elif command == CONNECT:
            self.inside.append(order)
            order.since = self.s.cycle
        else:
            assert offered == "pass"

    def peer(self, iface: int) -> int:
        rng = self.rng
        net = ip_network(NETS[iface % len(NETS)].network, strict=False)
        return rng.choice(
            (
                int(net[0]) + rng.randrange(net.num_addresses),
                int(net[0]) + rng.randrange(net.num_addresses),
                int(net.broadcast_address),
                (int(net.broadcast_address) + 1) & 0xFFFFFFFF,
                rng.getrandbits(32),
                rng.choice((0, 0xFFFFFFFF, 0xE0000001, 0xDFFFFFFE, 0xF0000001)),
            )
        )

    def some_order(self, sessions: int, connects: float) -> tuple[int, Connect]:
        rng = self.rng
        iface = rng.randrange(INTERFACES) if rng.random() < 0.9 else rng.randrange(8)
        command = CONNECT if rng.random() < connects else rng.choice((LISTEN, CLOSE, ABORT))
        return command, Connect(rng.randrange(sessions), iface, self.peer(iface), rng.getrandbits(32))

    async def give(self, command: int, order: Connect, cycles: int = 200):
        self.order = command, order
        for _ in range(cycles):
            await self.cycle()
            if self.order is None:
                return
        raise AssertionError("not taken")

    async def drain(self, cycles: int = 300):
        for _ in range(cycles):
            await self.cycle()
        assert not self.due and self.asked is None
        assert all(one.back for one in self.inside)
        self.inside = []


@cocotb.test()
async def any_order(dut):
    """Any orders for a few sessions, any delays of ARP, of the TCP machine and of who takes events."""
    bed = await Bed(dut).reset()
    rng = bed.rng
    # Twelve rounds, and more until each order has been taken, and each kind of end been seen, often
    for number in range(40):
        seen, taken = Counter(code for code, _ in bed.events), Counter(command for command, _ in bed.taken)
        codes = {code: seen[code] for code in ("CLOSED", "BAD", "UNREACHABLE")}
        commands = [taken[command] for command in range(4)]
        if number >= 12 and min(*codes.values(), *commands) > 50:
            break
        bed.salt += 1
        sessions, connects = rng.choice((2, 5, 1024)), rng.choice((0.3, 0.6, 0.9))
        busy, deaf, pause = (rng.choice((0, 0.5, 0.9)) for _ in range(3))
        bed.arp_delay = rng.choice(((1, 2), (1, 8), (20, 60)))
        for _ in range(700):
            if bed.order is None and rng.random() >= pause:
                bed.order = bed.some_order(sessions, connects)
            await bed.cycle(rng.random() >= busy, rng.random() >= deaf)
        while bed.order:
            await bed.cycle()
        await bed.drain(DEPTH * 80)
    print(f"taken {commands}, events {codes}")
    assert min(commands) > 50 and min(codes.values()) > 50


def host(n: int, sid: int) -> Connect:
    return Connect(sid, 0, int(ip_address(f"10.1.2.{n}")), 0x12345678)


@cocotb.test()
async def waits_alone(dut):
    """While ARP is silent: DEPTH connects are taken, all other orders pass in their cycle; a further one waits."""
    bed = await Bed(dut).reset()
    bed.arp_delay, bed.arp_found = (300, 301), 1
    for i in range(DEPTH):
        await bed.give(CONNECT, host(10 + i, i), 1)
    for command in (LISTEN, CLOSE, ABORT):
        await bed.give(command, host(50, 100), 1)
        assert bed.taken[-1] == (command, 100)
    bed.order = CONNECT, host(60, 60)
    for _ in range(200):
        await bed.cycle()
    assert bed.order
    await bed.give(*bed.order, 300)
    await bed.drain(1600)
    assert bed.taken[3:] == [(CONNECT, sid) for sid in (*range(DEPTH), 60)]


@cocotb.test()
async def taken_back(dut):
    """At each moment of a connect's life, for each other order: it ends it with its event, or follows it."""
    bed = await Bed(dut).reset()
    bed.arp_found = 1
    outcomes = set()
    for command, code in ((ABORT, "CLOSED"), (CLOSE, "CLOSED"), (LISTEN, "BAD"), (CONNECT, "BAD")):
        for stall in (0, 3):
            for moment in range(1, 14):
                bed.arp_delay = (4, 5)
                bed.taken, bed.events = [], []
                bed.order = CONNECT, host(20, 7)
                cycles = 0
                while bed.order or cycles < moment:
                    # The TCP machine is busy for some cycles when the connect comes
                    await bed.cycle(m_ready=bed.held is None and not stall)
                    cycles += 1
                bed.order = command, host(21, 7)
                for _ in range(stall):
                    await bed.cycle(m_ready=False)
                while bed.order:
                    await bed.cycle()
                await bed.drain(40)
                if command in (ABORT, CLOSE):
                    either = ([], [(code, 7)]), ([(CONNECT, 7), (command, 7)], [])
                elif command == LISTEN:
                    either = ([(CONNECT, 7)], [(code, 7)]), ([(CONNECT, 7), (LISTEN, 7)], [])
                else:
                    either = ([(CONNECT, 7)], [(code, 7)]), ([(CONNECT, 7), (CONNECT, 7)], [])
                assert (bed.taken, bed.events) in either
                outcomes.add((command, (bed.taken, bed.events) == either[0]))
    assert len(outcomes) == 8


@cocotb.test()
@pytest.mark.rfc9293("MUST-43", "MUST-46")
async def where_to(dut):
    """Next hops and addresses that are none, one by one; nothing of them is asked of ARP."""
    bed = await Bed(dut).reset()
    bed.arp_found = 1
    cases = [
        (0, "10.1.2.77", "10.1.2.77"),
        (0, "10.1.3.77", "10.1.2.254"),
        (0, "10.1.2.255", "BAD"),
        (0, "10.1.3.255", "10.1.2.254"),
        (0, "224.0.0.5", "BAD"),
        (0, "239.255.255.255", "BAD"),
        (0, "240.0.0.1", "BAD"),
        (0, "255.255.255.255", "BAD"),
        (0, "0.0.0.0", "BAD"),
        (0, "223.255.255.254", "10.1.2.254"),
        (7, "10.1.2.77", "UNREACHABLE"),
    ]
    if INTERFACES == 3:
        cases += [
            (1, "192.168.7.0", "192.168.7.0"),
            (1, "192.168.7.1", "192.168.7.1"),
            (1, "192.168.7.2", "UNREACHABLE"),
            (2, "172.31.255.254", "172.31.255.254"),
            (2, "172.31.255.255", "BAD"),
            (2, "172.32.0.1", "172.31.0.9"),
        ]
    for iface, peer, expected in cases:
        bed.events, bed.taken, asked = [], [], set()
        await bed.give(CONNECT, Connect(3, iface, int(ip_address(peer)), 5))
        for _ in range(50):
            seen = await bed.cycle()
            if seen.resolve_valid:
                asked.add((seen.resolve_iface, str(ip_address(seen.resolve_ip))))
        if expected in ("BAD", "UNREACHABLE"):
            assert (asked, bed.events, bed.taken) == (set(), [(expected, 3)], [])
        else:
            assert (asked, bed.events, bed.taken) == ({(iface, expected)}, [], [(CONNECT, 3)])


@pytest.mark.parametrize("interfaces, depth", main_and_kept(__file__, [(3, 4), (1, 4), (3, 2)]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_open(test, interfaces, depth):
    sources = [path for path in rtl("toe") if path.stem in ("toe_pkg", "toe_fifo", "toe_open")]
    Bench("toe_open", sources, {"INTERFACES": interfaces, "DEPTH": depth}).run(__name__, test)
