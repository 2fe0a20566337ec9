# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Python side of toe_tcp_bench.sv: segments as the receiver records them, commands, time, and requests."""

from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import Timer

from toe_structs import ORDER, REQUEST, SEGMENT, SETTINGS, TUPLE
from ullnic_tb import Bench, parameter, rtl
from ullnic_tb.structs import pack, unpack

PERIOD_PS = 2000
SESSIONS = parameter("SESSIONS", 4)
RING = parameter("RING_BYTES", 8192)
TICK_CYCLES = parameter("TICK_CYCLES", 256)
LOG = 256
MSS = 1460
LEFT = 50000  # of the advertised window
MASK = (1 << 32) - 1
FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
LISTEN, CONNECT, CLOSE, ABORT = range(4)

State = IntEnum(
    "State",
    "CLOSED LISTEN SYN_SENT SYN_RCVD ESTABLISHED FIN_WAIT_1 FIN_WAIT_2 CLOSE_WAIT CLOSING LAST_ACK TIME_WAIT",
    start=0,
)
EVENTS = (
    "CONNECTED",
    "PEER_CLOSED",
    "CLOSED",
    "RESET",
    "TIMED_OUT",
    "REFUSED",
    "UNREACHABLE",
    "BAD_COMMAND",
)

# Initial sequence numbers: the first bytes, a FIN or a whole ring cross 2^32, or 2^31
ISSUES = (0xFFFFFFFE, 0x7FFFFFFF, 0xFFFFFFFF, 0xFFFFF000, 0x7FFFFFFE, 0xFFFFFF80, 0x7FFFF800, 0x12345678)
DEFAULTS = {
    "rto_initial": 20,
    "rto_min": 4,
    "rto_max": 100,
    "time_wait": 30,
    "delayed_ack": 2,
    "keepalive": 0,
    "fin_wait": 0,
    "syn_retries": 3,
    "retries": 4,
    "secret": 0x5EC2E7,
}


def tuple_of(peer_port: int = 40000, local_port: int = 80, peer_ip: int = 0xC6120001, iface: int = 0) -> int:
    return pack(TUPLE, {"iface": iface, "peer_ip": peer_ip, "peer_port": peer_port, "local_port": local_port})


def half_sip_hash(key: int, message: bytes, second: bool = False) -> int:
    """HalfSipHash-2-4 with 32 bits, from its definition; the key is eight octets.

    second: four rounds later, like the second word of the 64-bit variant.
    """
    rotate = lambda x, n: (x << n | x >> 32 - n) & MASK  # noqa: E731
    k = [key & MASK, key >> 32]
    v = [k[0], k[1], 0x6C796765 ^ k[0], 0x74656462 ^ k[1]]

    def rounds(n):
        for _ in range(n):
            v[0] = v[0] + v[1] & MASK
            v[1] = rotate(v[1], 5) ^ v[0]
            v[0] = rotate(v[0], 16)
            v[2] = v[2] + v[3] & MASK
            v[3] = rotate(v[3], 8) ^ v[2]
            v[0] = v[0] + v[3] & MASK
            v[3] = rotate(v[3], 7) ^ v[0]
            v[2] = v[2] + v[1] & MASK
            v[1] = rotate(v[1], 13) ^ v[2]
            v[2] = rotate(v[2], 16)

    padded = message + bytes(3 - len(message) % 4) + bytes([len(message) & 255])
    for i in range(0, len(padded), 4):
        word = int.from_bytes(padded[i : i + 4], "little")
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xFF
    rounds(4)
    if second:
        v[1] ^= 0xDD
        rounds(4)
    return v[1] ^ v[3]


def hash_of(tup: int, secret: int, second: bool = False) -> int:
    """The offset that toe_isn adds to its clock: a hash of the ports, the peer's address and the interface as
    little-endian words.
    """
    t = unpack(TUPLE, tup)
    words = (t["peer_port"] << 16 | t["local_port"], t["peer_ip"], t["iface"])
    return half_sip_hash(secret << 32 | secret, b"".join(word.to_bytes(4, "little") for word in words), second)


def plus(a: int, b: int) -> int:
    return (a + b) & MASK


def ahead(a: int, b: int) -> int:
    """How far a is ahead of b, modulo 2^32: negative if b is ahead."""
    return (a - b + (1 << 31)) % (1 << 32) - (1 << 31)


@dataclass
class Asked:
    """The machine's requests since the last look."""

    frames: list = field(default_factory=list)  # of sessions: (sid, flags, seq, length)
    strays: list = field(default_factory=list)  # (tuple, flags, seq, ack)
    acks: list = field(default_factory=list)  # (sid, immediate)
    events: list = field(default_factory=list)  # (sid, name)
    requests: list = field(default_factory=list)  # all fields of both


def toe_tcp_bench(**parameters: int) -> Bench:
    names = ["ram_sdp", "toe_pkg", "toe_tcp_pkg", "toe_fifo", "toe_isn", "toe_tcp"]
    names += [f"toe_sack_{part}" for part in ("check", "advance", "touch", "insert", "piece", "board")]
    sources = [path for path in rtl("common", "toe") if path.stem in names or path.stem.startswith("toe_tcp_")]
    sources += [Path(__file__).with_name(name) for name in ("toe_tcp.vlt", "toe_tcp_bench.sv")]
    return Bench("toe_tcp_bench", sources, parameters, optimized=True)


class Bed:
    def __init__(self, dut):
        self.dut = dut
        self.seen = {"requests": 0, "acks": 0, "events": 0}
        self.now = self.aimed = 0

    async def reset(self, **settings: int) -> "Bed":
        dut = self.dut
        self.settings = DEFAULTS | settings
        for name in (
            "segment_go",
            "segment",
            "order_go",
            "order",
            "ticks",
            "slow",
            "full",
            "blocked",
            "unread",
            "busy",
            "untaken",
            "window_low",
            "advertised_more",
            "measure",
            "look_sid",
            "set_snd",
            "set_rcv",
            "set_sid",
            "set_nxt",
        ):
            getattr(dut, name).value = 0
        dut.tcp_settled.value = 1
        dut.left.value = LEFT
        dut.changed_valid.value = 0
        dut.settings.value = pack(SETTINGS, self.settings)
        dut.rst.value = 1
        cocotb.start_soon(Clock(dut.clk, PERIOD_PS, "ps").start())
        await self.cycles(4)
        dut.rst.value = 0
        await self.cycles(8 + 2 * SESSIONS)
        return self

    async def cycles(self, n: int) -> None:
        await Timer(n * PERIOD_PS, "ps")

    async def settle(self) -> None:
        """Every session has been visited more than once, and nothing more was to be sent."""
        sent = None
        while sent != (sent := int(self.dut.requests.value)):
            await self.cycles(200 + 40 * SESSIONS)

    # --- What the others hold
    def rcv_nxt(self, sid: int) -> int:
        return int(self.dut.rcv_nxt.value) >> 32 * sid & MASK

    def snd_nxt(self, sid: int) -> int:
        return int(self.dut.snd_nxt.value) >> 32 * sid & MASK

    def limit(self, sid: int) -> int:
        return int(self.dut.limits.value) >> 32 * sid & MASK

    def mss(self, sid: int) -> int:
        return int(self.dut.msss.value) >> 16 * sid & 0xFFFF

    def whom(self, sid: int) -> int:
        return int(self.dut.whom.value) >> 67 * sid & ((1 << 67) - 1)

    def macs(self, sid: int) -> int:
        return int(self.dut.macs.value) >> 48 * sid & ((1 << 48) - 1)

    def bit(self, name: str, sid: int) -> bool:
        return bool(int(getattr(self.dut, name).value) >> sid & 1)

    def there(self, sid: int) -> bool:
        return self.bit("there", sid)

    def listens(self, sid: int) -> bool:
        return self.bit("listens", sid)

    def open(self, sid: int) -> bool:
        """Whether the user may send."""
        return self.bit("snd_open", sid)

    def receives(self, sid: int) -> bool:
        return self.bit("rcv_open", sid)

    def context(self, sid: int) -> int:
        return int(self.dut.dut.contexts[sid].value)

    def state(self, sid: int) -> State:
        return State(self.context(sid) >> len(self.dut.dut.contexts[sid].value) - 4)

    def aim(self, tup: int) -> None:
        """Sets the clock of initial sequence numbers, so that the next one of this tuple is near a wrap."""
        self.aimed += 1
        clock = ISSUES[self.aimed % len(ISSUES)] - hash_of(tup, self.settings["secret"]) & MASK
        self.dut.dut.u_isn.clock.value = clock << 10

    # --- What happens
    def asked(self) -> Asked:
        dut, asked = self.dut, Asked()
        for name, log in (("requests", "request_log"), ("acks", "ack_log"), ("events", "event_log")):
            count = int(getattr(dut, name).value)
            while self.seen[name] != count:
                word = int(getattr(dut, log)[self.seen[name]].value)
                self.seen[name] = (self.seen[name] + 1) % LOG
                if name == "requests":
                    r = unpack(REQUEST, word)
                    asked.requests.append(r)
                    if r["no_session"]:
                        asked.strays.append((r["tuple"], r["flags"], r["seq"], r["ack"]))
                    else:
                        asked.frames.append((r["sid"], r["flags"], r["seq"], r["length"]))
                elif name == "acks":
                    asked.acks.append((word & 1023, word >> 10))
                else:
                    asked.events.append((word & 1023, EVENTS[word >> 10]))
        return asked

    async def segment(self, settle: bool = True, **fields: int) -> Asked:
        """A record of the receiver's; `accepted` as it would be, unless given."""
        values = {"hit": 1, "window": 60000, "tuple": tuple_of(), "peer_mac": 0x020000000A} | fields
        sid, flags, length = values.get("sid", 0), values["flags"], values.get("length", 0)
        if "accepted" not in values:
            values["accepted"] = int(
                values["hit"]
                and self.receives(sid)
                and length > 0
                and flags & (SYN | RST | ACK) == ACK
                and values["seq"] == self.rcv_nxt(sid)
                and (self.snd_nxt(sid) - values["ack"]) & MASK < 2 * RING
            )
        if values["accepted"]:
            await self.move("rcv", sid, values["seq"] + length)
        self.dut.segment.value = pack(SEGMENT, values)
        self.dut.segment_go.value = 1 - int(self.dut.segment_go.value)
        if not settle:
            await self.cycles(4)
            return Asked()
        await self.settle()
        return self.asked()

    async def order(self, command: int, sid: int = 0, tuple: int | None = None, settle: bool = True) -> Asked:
        values = {
            "command": command,
            "sid": sid,
            "tuple": tuple_of() if tuple is None else tuple,
            "peer_mac": 0x020000000A,
        }
        self.dut.order.value = pack(ORDER, values)
        self.dut.order_go.value = 1 - int(self.dut.order_go.value)
        await self.settle() if settle else await self.cycles(4)
        return self.asked() if settle else Asked()

    async def move(self, table: str, sid: int, value: int) -> None:
        dut = self.dut
        dut.set_sid.value, dut.set_nxt.value = sid, value & MASK
        getattr(dut, f"set_{table}").value = 1
        await self.cycles(1)
        getattr(dut, f"set_{table}").value = 0

    async def send(self, length: int, sid: int = 0) -> None:
        """The user's data leave: what the limit lets through."""
        assert self.open(sid) and ahead(plus(self.snd_nxt(sid), length), self.limit(sid)) <= 0
        await self.move("snd", sid, self.snd_nxt(sid) + length)
        await self.settle()

    async def jump(self, now: int) -> None:
        """Sets the time of the machine: as if many ticks had passed."""
        self.dut.dut.now.value = now % (1 << 25)
        await self.cycles(1)

    async def ticks(self, n: int = 1) -> Asked:
        self.now += n
        self.dut.ticks.value = self.now % 65536
        await self.cycles((n + 1) * TICK_CYCLES + 40 * SESSIONS)
        return self.asked()

    async def due(self, most: int = 200) -> int:
        """Ticks until a frame goes; it is left in asked()."""
        count = int(self.dut.requests.value)
        for ticks in range(1, most):
            self.now += 1
            self.dut.ticks.value = self.now % 65536
            await self.cycles(TICK_CYCLES)
            if int(self.dut.requests.value) != count:
                await self.settle()
                return ticks
        return most

    # --- Connections
    async def serve(self, sid: int = 0, seq: int = 1000, port: int = 40000, **options: int) -> "Peer":
        """A listening session that has been connected to."""
        if self.state(sid) == State.CLOSED:
            await self.order(LISTEN, sid, tuple_of(0, 80, 0))
        peer = Peer(self, sid, tuple_of(port), seq)
        self.aim(peer.tuple)
        asked = await peer.send(SYN, **{"mss_on": 1, "mss": MSS} | options)
        [(_, flags, iss, length)] = asked.frames
        assert (flags, length) == (SYN | ACK, 0)
        peer.seq, peer.ack = plus(seq, 1), plus(iss, 1)
        asked = await peer.send(ACK)
        assert asked.events == [(sid, "CONNECTED")] and self.state(sid) == State.ESTABLISHED
        return peer

    async def connect(self, sid: int = 0, seq: int = 1000, port: int = 40000, **options: int) -> "Peer":
        self.aim(tuple_of(port))
        asked = await self.order(CONNECT, sid, tuple_of(port))
        [(_, flags, iss, length)] = asked.frames
        assert (flags, length) == (SYN, 0)
        peer = Peer(self, sid, tuple_of(port), seq)
        peer.ack = plus(iss, 1)
        asked = await peer.send(SYN | ACK, **{"mss_on": 1, "mss": MSS} | options)
        peer.seq = plus(seq, 1)
        assert asked.events == [(sid, "CONNECTED")] and asked.acks == [(sid, 1)]
        return peer


@dataclass
class Peer:
    """The other end: `seq` is its SND.NXT, `ack` its RCV.NXT."""

    bed: Bed
    sid: int
    tuple: int
    seq: int
    ack: int = 0
    window: int = 60000

    async def send(self, flags: int = ACK, seq: int | None = None, ack: int | None = None, **fields: int) -> Asked:
        values = {"sid": self.sid, "tuple": self.tuple, "window": self.window} | fields
        values |= {"flags": flags, "seq": self.seq if seq is None else seq & MASK}
        values["ack"] = (self.ack if ack is None else ack & MASK) if flags & ACK else 0
        return await self.bed.segment(**values)

    async def say(self, length: int, flags: int = ACK) -> Asked:
        asked = await self.send(flags, length=length)
        self.seq = plus(self.seq, length + (flags & FIN))
        return asked

    async def take(self, length: int) -> Asked:
        """An ACK of so many bytes more."""
        self.ack = plus(self.ack, length)
        return await self.send()

    def allowance(self) -> int:
        """Bytes that the card's user may have in flight."""
        return ahead(self.bed.limit(self.sid), self.ack)

    async def grow(self) -> None:
        """The congestion window is the whole ring's."""
        while self.allowance() < RING:
            await self.bed.send(MSS, self.sid)
            await self.take(MSS)
