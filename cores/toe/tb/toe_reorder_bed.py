# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Plays segments of several peers to the receive path, in any order; checks what users get and what is acknowledged.

The model tracks streams of bytes: which of them have arrived out of order, and how far RCV.NXT has advanced. How the
path stores them, and when it delivers them to the user, is not modelled.
"""

import os
from collections import deque
from dataclasses import dataclass, field

from scapy.layers.inet import IP, TCP
from scapy.packet import Raw

from toe_rx_fields import wrong_checksum
from toe_rx_model import (
    MASK32,
    Arrival,
    Interface,
    ether,
    interfaces_number,
    ip_text,
    link,
)
from toe_structs import FLAT_SEGMENT, TUPLE
from ullnic_tb import Stepper, parameter, seeded
from ullnic_tb.structs import pack, unpack

WIDTH = parameter("TCP2USER_DATA_WIDTH", 64)
SESSIONS, DEPTH = parameter("SESSIONS", 4), parameter("REORDER_BYTES", 512)
INTERVALS, CHUNK = parameter("REORDER_INTERVALS", 3), parameter("CHUNK", 96)
OOS = parameter("RX_OOS_SEQNUM_EN", 0)
USER = ("tdata", "tkeep", "tvalid", "tlast", "tuser", "tdest", "seq", "oos")
OUTPUTS = (
    *("change_ready", "rcv_wr_ready", "ack_nxt", "tcp_waits", "segment_valid", "segment", "stat_no_room", "moved"),
    *("moved_bytes", *(f"m_axis_{name}" for name in USER)),
)
SND = 1000


@dataclass
class Session:
    """One of the peers, and its state on both sides. Places are counted from the connection's first byte."""

    peer: dict
    isn: int = 0
    stream: bytes = b""
    rcv: int = 0
    waiting: set[int] = field(default_factory=set)  # places that have arrived out of order
    due: bytearray = field(default_factory=bytearray)  # RCV.NXT has advanced over them: the user's, of all connections
    got: int = 0  # number of these that the user has

    def gaps(self) -> int:
        """Intervals out of order."""
        return sum(place - 1 not in self.waiting for place in self.waiting)

    def new_part(self, start: int, stop: int) -> tuple[int, int]:
        """The first interval that has not arrived."""
        begin = max(start, self.rcv)
        while begin in self.waiting:
            begin += 1
        end = begin
        while end < stop and end not in self.waiting:
            end += 1
        return begin, end

    def take(self, begin: int, end: int) -> None:
        self.waiting.update(range(begin, end))
        while self.rcv in self.waiting:
            self.waiting.remove(self.rcv)
            self.due.append(self.stream[self.rcv])
            self.rcv += 1


@dataclass
class Sent:
    """A good segment whose record is pending."""

    session: int
    start: int
    stop: int
    got: int  # of the session, when its header had come


class Bed:
    def __init__(self, dut, rng):
        self.s, self.rng, self.dut = Stepper(dut, OUTPUTS), rng, dut
        self.interface = Interface.random(rng)
        dut.iface.value = interfaces_number([self.interface])
        peer = {"iface": 0, "peer_ip": rng.getrandbits(32), "local_port": 5000}
        self.sessions = [Session(peer | {"peer_port": 4000 + sid}) for sid in range(SESSIONS)]
        self.ready, self.sent, self.segment = 1.0, deque(), bytearray()
        self.refused = self.moved = self.direct = self.gaps = self.early = self.longest = 0
        self.oos: list[tuple[int, int, bytes]] = []  # session, sequence number, payload of segments out of order

    async def reset(self) -> "Bed":
        names = ("s_axis_tvalid", "rx_status_valid", "rcv_wr", "change_valid", "rcv_wr_open", "sid", "rcv_wr_nxt")
        await self.s.reset(**dict.fromkeys(names, 0), m_axis_tready=1, snd_nxt=SND)
        for sid in range(SESSIONS):
            await self.connect(sid)
            self.s.set(session=pack(TUPLE, self.sessions[sid].peer), change_valid=1, sid=sid)
            while not (await self.s.step()).change_ready:
                pass
            self.s.set(change_valid=0)
        await self.idle(20)
        return self

    async def connect(self, sid: int, length: int = 6000) -> None:
        """The TCP machine begins a connection: what waits behind holes of the last one is forgotten."""
        session, rng = self.sessions[sid], self.rng
        await self.settle()
        session.isn = rng.choice([rng.getrandbits(32), MASK32 - rng.randrange(length)])
        session.stream, session.rcv = rng.randbytes(length), 0
        session.waiting.clear()
        while not (await self.step(rcv_wr=1, rcv_wr_open=1, rcv_wr_nxt=session.isn, sid=sid)).rcv_wr_ready:
            pass
        await self.step(rcv_wr=0)

    async def step(self, **inputs):
        ready = int(self.rng.random() < self.ready)
        out = await self.s.step(**inputs, m_axis_tready=ready)
        if out.m_axis_tvalid and ready:
            octets = out.m_axis_tdata.to_bytes(WIDTH // 8, "little")
            self.segment += bytes(octet for i, octet in enumerate(octets) if out.m_axis_tkeep >> i & 1)
            if out.m_axis_tlast:
                self.user(out)
        if out.segment_valid:
            self.record(unpack(FLAT_SEGMENT, out.segment), out.stat_no_room)
        else:
            assert not out.stat_no_room
        self.moved += out.moved and out.moved_bytes
        return out

    def user(self, out) -> None:
        """The end of a segment."""
        payload, self.segment = bytes(self.segment), bytearray()
        session = self.sessions[out.m_axis_tdest]
        self.longest = max(self.longest, len(payload))
        if out.m_axis_tuser:
            return
        if out.m_axis_oos:
            self.oos.append((out.m_axis_tdest, out.m_axis_seq, payload))
            return
        if OOS:
            assert out.m_axis_seq == (session.isn + session.got) & MASK32
        # In cut-through the end of a segment may arrive before its record
        soon = session.due[session.got :]
        for sent in self.sent:
            if self.sessions[sent.session] is session and len(soon) < len(payload):
                soon += session.stream[sent.start : sent.stop]
        assert payload == soon[: len(payload)], (out.m_axis_tdest, session.got)
        session.got += len(payload)

    def record(self, record: dict[str, int], refused: int) -> None:
        sent = self.sent.popleft()
        session = self.sessions[sent.session]
        assert record["sid"] == sent.session and record["length"] == sent.stop - sent.start
        begin, end = session.new_part(sent.start, sent.stop)
        before, waited = session.rcv, bool(session.waiting)
        old = set(session.waiting)
        if begin < end and not OOS:
            session.take(begin, end)
            full = session.gaps() > INTERVALS
            far = sent.stop - before
            if refused:
                assert full or far > DEPTH - (len(session.due) - sent.got), (far, full)
                del session.due[len(session.due) - (session.rcv - before) :]
                session.waiting, session.rcv = old, before
            else:
                assert not full and far <= DEPTH
        elif begin < end and sent.start == session.rcv and not refused:
            session.take(begin, end)
        self.refused += refused
        assert record["accepted"] == (session.rcv != before), record
        assert record["gap"] == (session.rcv != before and waited), record
        self.gaps += record["gap"]

    async def play(self, sid: int, start: int, stop: int, arrival: Arrival, wrong: str = "") -> None:
        """A segment with these bytes of the stream; `wrong`: what is the matter with it."""
        session, rng = self.sessions[sid], self.rng
        ports = {"sport": session.peer["peer_port"], "dport": session.peer["local_port"]}
        old = rng.randbytes(max(0, min(stop, 0) - start))  # before the connection
        payload = old + session.stream[max(start, 0) : max(stop, 0)]
        assert len(payload) == stop - start
        if wrong:
            payload = rng.randbytes(len(payload))
        ports |= {"seq": (session.isn + start) & MASK32, "ack": SND, "flags": "PA"}
        arrival.good = wrong != "fcs"
        header = link(self.interface, b"\2abcde") / IP(src=ip_text(session.peer["peer_ip"]), dst=self.interface.ip)
        octets = bytes(header / TCP(**ports) / Raw(payload))
        if wrong == "checksum":
            octets = wrong_checksum(octets, len(header) + 16, rng.choice((0, 1 << rng.randrange(16))))
        # The room is looked at when the last whole word of the header has come
        words, room_at = 0, len(header) // 4 - 1
        for word in arrival.cycles(ether(octets), rng):
            if words <= room_at:
                got = session.got
            words += word.valid
            if word.end and not wrong:
                self.sent.append(Sent(sid, start, stop, got))
            await self.step(**word.inputs(rng))

    async def idle(self, cycles: int) -> None:
        for _ in range(cycles):
            await self.step(s_axis_tvalid=0, rx_status_valid=0)

    async def settle(self) -> None:
        """All records have come."""
        await self.idle(12)
        assert not self.sent

    async def finish(self) -> None:
        """Everything has come to its user, and is acknowledged."""
        await self.settle()
        ready, self.ready = self.ready, 1.0
        await self.idle(SESSIONS * DEPTH // 2 + 200)
        for sid, session in enumerate(self.sessions):
            assert session.got == len(session.due), sid
            out = await self.s.look(sid=sid)
            assert out.ack_nxt == (session.isn + session.rcv) & MASK32 and not out.tcp_waits
        assert self.moved == sum(len(session.due) for session in self.sessions)
        self.ready = ready


async def bed_of(dut) -> Bed:
    return await Bed(dut, seeded(os.environ["ULLNIC_TEST_NAME"])).reset()
