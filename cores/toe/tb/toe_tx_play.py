# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Python side of toe_tx_bench.sv: sessions whose frames scapy makes, a user, a MAC of 10GBASE-R, and the cycle."""

import os
import struct
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Dot1Q, Ether

from toe_structs import REQUEST, SETTINGS, TUPLE, interface_number, interfaces_number
from ullnic_tb import Bench, Stepper, parameter, rtl, seeded
from ullnic_tb.structs import pack

SESSIONS = parameter("SESSIONS", 8)
RING = parameter("RING_BYTES", 2048)
WIDTH = parameter("USER2TCP_DATA_WIDTH", 64)
MSS = parameter("MTU", 1500) - 40
BEAT = WIDTH // 8
MASK32 = (1 << 32) - 1
FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
DATA = ACK | PSH * parameter("TX_PUSH_BIT_VALUE", 1)
SLOWER = 3 * parameter("MEM_LATENCY", 0) + 2 * parameter("MEM_WRITE_LATENCY", 0)  # longest wait for the memory
EVENTS = {8: "dropped", 9: "cut", 10: "late"}
OUTPUTS = (
    "s_axis_tready",
    "request_ready",
    "tcp_snd_nxt",
    "tcp_snd_busy",
    "tcp_settled",
    "snd_nxt",
    "snd_none",
    "s_raw_tready",
    "m_axis_tdata",
    "m_axis_tkeep",
    "m_axis_tvalid",
    "m_axis_tlast",
    "m_axis_tuser",
    "credit_valid",
    "credit_sid",
    "credit",
    "event_valid",
    "event_code",
    "event_sid",
    "advertise",  # internal
)


def toe_tx_bench(**parameters: int) -> Bench:
    wanted = ("toe_pkg", "toe_fifo", "toe_ack", "ones_pkg")
    sources = [path for path in rtl("common", "toe") if path.stem in wanted or path.stem.startswith("toe_tx")]
    sources.sort(key=lambda path: ("_pkg" not in path.stem, path.stem.startswith("toe_tx_pkg")))
    here = Path(__file__).resolve().parent
    return Bench("toe_tx_bench", [*sources, here / "toe_memory.sv", here / "toe_tx_bench.sv"], parameters)


def fold(octets: bytes) -> int:
    """tx_csum: 16-bit words in memory order, first byte lowest."""
    padded = octets + bytes(len(octets) % 2)
    value = sum(struct.unpack(f"<{len(padded) // 2}H", padded))
    while value >> 16:
        value = (value & 0xFFFF) + (value >> 16)
    return value


@dataclass
class Interface:
    mac: bytes
    ip: bytes
    vlan: int | None = None

    def bits(self) -> int:
        tag = 0 if self.vlan is None else self.vlan
        mac, ip = int.from_bytes(self.mac, "big"), int.from_bytes(self.ip, "big")
        return interface_number(enable=1, vlan_on=int(self.vlan is not None), vlan=tag, mac=mac, ip=ip)


@dataclass
class Session:
    ttl: ClassVar[int] = 64  # for all sessions
    dscp: ClassVar[int] = 0
    interfaces: list[Interface]
    iface: int
    mac: bytes
    ip: bytes
    peer_port: int
    local_port: int
    seq: int  # of the user's next byte

    def tuple(self) -> int:
        ports = {"peer_port": self.peer_port, "local_port": self.local_port}
        return pack(TUPLE, {"iface": self.iface, "peer_ip": int.from_bytes(self.ip, "big"), **ports})

    def frame(self, seq, ack, window, flags, payload=b"", options=()) -> bytes:
        own, ack = self.interfaces[self.iface], ack if flags & ACK else 0
        link = Ether(dst=self.mac, src=own.mac)
        if own.vlan is not None:
            link = link / Dot1Q(prio=own.vlan >> 13, dei=own.vlan >> 12 & 1, vlan=own.vlan & 0xFFF)
        tcp = TCP(sport=self.local_port, dport=self.peer_port, seq=seq, ack=ack, window=window, flags=flags)
        tcp.options = list(options)
        addresses = {"src": ".".join(map(str, own.ip)), "dst": ".".join(map(str, self.ip))}
        ip = IP(**addresses, id=0, flags="DF", ttl=self.ttl, tos=self.dscp << 2)
        return bytes(link / ip / tcp / payload)


@dataclass
class Packet:
    """The user's input; by default everything is correct and known in advance."""

    sid: int
    payload: bytes
    length: int | None = -1  # None: not given; -1: the correct one
    csum: int | None = -1
    gap: int = 0  # cycles before it
    pause: dict[int, int] = field(default_factory=dict)  # before this beat: this many cycles

    def beats(self) -> list[tuple[bytes, bool]]:
        parts = [self.payload[i : i + BEAT] for i in range(0, len(self.payload), BEAT)] or [b""]
        return [(part, i == len(parts) - 1) for i, part in enumerate(parts)]


@dataclass
class Frame:
    octets: bytes
    bad: bool
    valid: int  # cycle in which its first word is offered
    start: int  # accepted
    end: int  # its last word is accepted
    waited: int  # cycles in which the MAC would have accepted its first word


class Mac:
    """Accepts a word in 32 of 33 cycles; between frames it pads, and leaves 5 to 7 words for FCS, gap and preamble."""

    def __init__(self, rng, dense: bool = False):
        self.rng, self.dense = rng, dense
        self.slot, self.gap, self.words, self.frames = rng.randrange(33), 0, [], []
        self.valid = self.waited = 0
        self.open = False

    def ready(self) -> bool:
        return self.gap == 0 and self.slot != 0

    def cycle(self, out, cycle: int) -> None:
        moved = self.slot != 0
        self.slot = (self.slot + 1) % 33
        if self.open and not out.m_axis_tvalid:
            raise AssertionError(f"cycle {cycle}: a pause within a frame")
        if not self.words and out.m_axis_tvalid and not self.valid:
            self.valid = cycle
        if not moved:
            return
        if self.gap:
            self.gap -= 1
            return
        if not out.m_axis_tvalid:
            self.waited += 1
            return
        if not self.words:
            self.begun = cycle
        self.open = True
        self.words.append((out.m_axis_tdata, out.m_axis_tkeep))
        if out.m_axis_tlast:
            octets = b"".join(data.to_bytes(4, "little")[: keep.bit_length()] for data, keep in self.words)
            assert all(keep == 15 for _, keep in self.words[:-1])
            frame = Frame(octets, bool(out.m_axis_tuser), self.valid, self.begun, cycle, self.waited)
            self.frames.append(frame)
            self.gap = max(0, 15 - len(self.words)) + (5 if self.dense else self.rng.choice((5, 6, 6, 7)))
            self.words, self.open, self.valid, self.waited = [], False, 0, 0


class Bed:
    def __init__(self, dut, **mac):
        self.rng = seeded(os.environ["ULLNIC_TEST_NAME"])
        self.s = Stepper(dut, OUTPUTS)
        self.mac = Mac(self.rng, **mac)
        self.user: deque[Packet] = deque()
        self.begun: list[int] = []  # cycle in which each packet's first beat was accepted
        self.events, self.credits = [], {}
        self.requests: deque[int] = deque()
        self.raw: deque[bytes] = deque()
        self.raw_words: list[tuple[bytes, bool]] = []
        self.cycle = 0
        self._beats, self._wait = [], 0
        self.ack_base, self.room = self.rng.getrandbits(32), self.rng.randrange(1, 65536)
        self.advertising = (0, 0)  # `advertise` of the last two cycles
        self.tick_every = 0
        self.event_ready = 1
        self.trace = None

    async def reset(self, seqs=None) -> "Bed":
        rng = self.rng
        vlan = rng.getrandbits(16)
        self.interfaces = [
            Interface(rng.randbytes(6), rng.randbytes(4)),
            Interface(rng.randbytes(6), rng.randbytes(4), vlan),
        ]
        bits = interfaces_number(interface.bits() for interface in self.interfaces[:2])
        idle = ("s_axis_tvalid", "s_raw_tvalid", "request_valid", "ack_valid", "header_wr", "snd_wr", "limit_wr")
        self.s.set(**dict.fromkeys(idle, 0), over=0, tick=0, tcp_sid=0, snd_sid=0, event_ready=1)
        self.s.set(iface=bits, ack_base=self.ack_base)
        Session.ttl, Session.dscp = rng.randrange(1, 256), rng.getrandbits(6)
        self.delayed_ack(40)
        await self.s.reset(4, m_axis_tready=0)
        await self.cycles(SESSIONS + 4)
        self.sessions = []
        for sid in range(SESSIONS):
            seq = seqs[sid] if seqs else rng.choice((rng.getrandbits(32), MASK32 - rng.randrange(3000)))
            session = Session(
                self.interfaces,
                sid % 2,
                rng.randbytes(6),
                rng.randbytes(4),
                rng.getrandbits(16),
                rng.getrandbits(16),
                seq,
            )
            self.sessions.append(session)
            await self.pulse(
                "header", header_sid=sid, header_tuple=session.tuple(), header_mac=int.from_bytes(session.mac, "big")
            )
            await self.pulse("snd", snd_wr_sid=sid, snd_wr_nxt=seq, snd_wr_syn=1)
            await self.limit(sid, seq + 0x10000000)
        await self.cycles(8)
        return self

    def delayed_ack(self, ticks: int) -> None:
        self.s.set(settings=pack(SETTINGS, {"delayed_ack": ticks, "ttl": Session.ttl, "dscp": Session.dscp}))

    async def pulse(self, name: str, **values: int) -> None:
        """One cycle of `name`_wr."""
        self.s.set(**values, **{f"{name}_wr": 1})
        await self.step()
        self.s.set(**{f"{name}_wr": 0})

    async def limit(self, sid: int, limit: int, mss: int = MSS, is_open: int = 1, alive: int = 0) -> None:
        """With `alive`, what has been sent goes on although the session is not open."""
        rules = {"limit_mss": mss, "limit_open": is_open, "limit_alive": is_open | alive}
        await self.pulse("limit", limit_sid=sid, limit=limit & MASK32, **rules)

    def ack_of(self, sid: int) -> int:
        return (self.ack_base + 0x01030507 * sid) & MASK32

    def data_frame(self, sid: int, payload: bytes, flags: int = DATA) -> bytes:
        """The next frame of the user, whose sequence number advances."""
        session = self.sessions[sid]
        octets = session.frame(session.seq, self.ack_of(sid), self.room, flags, payload)
        session.seq = (session.seq + len(payload)) & MASK32
        return octets

    def ask(self, sid, seq, flags, length=0, options=0, scale=0, stray=None, ack=0) -> None:
        """Requests a frame as the TCP machine; `seq` modulo 2^32."""
        peer = stray or self.sessions[0]
        tuple_bits = peer.tuple() if stray else 0
        mac = int.from_bytes(peer.mac, "big") if stray else 0
        values = {"no_session": int(bool(stray)), "sid": sid, "tuple": tuple_bits, "peer_mac": mac, "ack": ack}
        values |= {"seq": seq & MASK32, "flags": flags, "options": options, "scale": scale, "length": length}
        self.requests.append(pack(REQUEST, values))

    # --- A cycle

    def _user(self) -> dict[str, int]:
        if not self._beats and self.user:
            packet = self.user.popleft()
            self._packet, self._index = packet, 0
            self._beats = packet.beats()
            self._wait = packet.gap
        if self._wait:
            self._wait -= 1
            return {"s_axis_tvalid": 0}
        if not self._beats:
            return {"s_axis_tvalid": 0}
        if self._packet.pause.get(self._index):
            self._packet.pause[self._index] -= 1
            return {"s_axis_tvalid": 0}
        packet, (part, last) = self._packet, self._beats[0]
        length = packet.length if packet.length != -1 else len(packet.payload)
        csum = packet.csum if packet.csum != -1 else fold(packet.payload)
        rest = self.rng.randbytes(BEAT - len(part))
        first = self._index == 0
        return {
            "s_axis_tvalid": 1,
            "s_axis_tdata": int.from_bytes(part + rest, "little"),
            "s_axis_tkeep": (1 << len(part)) - 1,
            "s_axis_tlast": int(last),
            "s_axis_tdest": packet.sid if first else self.rng.getrandbits(10),
            "tx_length_given": int(length is not None) if first else self.rng.getrandbits(1),
            "tx_length": length or 0 if first else self.rng.getrandbits(16),
            "tx_csum_given": int(csum is not None) if first else self.rng.getrandbits(1),
            "tx_csum": csum or 0 if first else self.rng.getrandbits(16),
        }

    async def step(self, **inputs: int):
        """One cycle; returns what the edge at its end sees."""
        inputs |= self._user()
        inputs["m_axis_tready"] = int(self.mac.ready())
        inputs["request_valid"] = int(bool(self.requests))
        inputs["request"] = self.requests[0] if self.requests else self.rng.getrandbits(64)
        if not self.raw_words and self.raw:
            octets = self.raw.popleft()
            parts = [octets[i : i + 4] for i in range(0, len(octets), 4)]
            self.raw_words = [(part, i == len(parts) - 1) for i, part in enumerate(parts)]
        inputs["s_raw_tvalid"] = int(bool(self.raw_words))
        if self.raw_words:
            part, last = self.raw_words[0]
            inputs |= {"s_raw_tdata": int.from_bytes(part, "little"), "s_raw_tkeep": (1 << len(part)) - 1}
            inputs["s_raw_tlast"] = int(last)
        inputs.setdefault("tick", int(bool(self.tick_every) and self.cycle % self.tick_every == 0))
        inputs["event_ready"] = self.event_ready
        inputs["room"] = self.room ^ (0 if self.advertising[0] else 0xFFFF)  # that of another session
        out = await self.s.step(**inputs)
        self.advertising = self.advertising[1], out.advertise
        if inputs["s_axis_tvalid"] and out.s_axis_tready:
            if self._index == 0:
                self.begun.append(self.cycle)
            self._index += 1
            self._beats.pop(0)
        if self.requests and out.request_ready:
            self.requests.popleft()
        if self.raw_words and out.s_raw_tready:
            self.raw_words.pop(0)
        if out.event_valid and self.event_ready:
            self.events.append((EVENTS[out.event_code], out.event_sid))
        if out.credit_valid:
            self.credits[out.credit_sid] = out.credit
        self.mac.cycle(out, self.cycle)
        self.cycle += 1
        return out

    async def cycles(self, n: int) -> None:
        for _ in range(n):
            await self.step()

    async def note(self, sid: int, now: int = 0) -> None:
        await self.step(ack_valid=1, ack_note_sid=sid, ack_now=now)
        self.s.set(ack_valid=0)

    async def over(self, sid: int) -> None:
        await self.step(over=1, ack_note_sid=sid)
        self.s.set(over=0)

    async def drain(self, quiet: int = 60, limit: int = 200_000) -> list[Frame]:
        """Until nothing is left to do; the frames that have left since the last time."""
        still = 0
        while still < quiet + SLOWER:
            out = await self.step()
            waits = self.user or self._beats or self.requests or self.raw or self.raw_words or out.m_axis_tvalid
            still = 0 if waits else still + 1
            limit -= 1
            assert limit, "it does not end"
        frames, self.mac.frames = self.mac.frames, []
        return frames
