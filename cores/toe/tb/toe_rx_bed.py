# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Plays segments to toe_rx_head, and checks every cycle against a model of the sessions."""

import os
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

SESSIONS, RING = parameter("SESSIONS", 64), parameter("RING_BYTES", 8192)
FCS, CHECK = parameter("FCS", 1), parameter("RX_CHECKSUM_VERIFICATION_EN", 1)
STATS = ("ip_bad", "ip_options", "fragment", "checksum", "malformed", "no_room")
OUTPUTS = (
    *("look", "tuple", "snd_sid", "rcv_wr_ready", "ack_nxt", "rcv_nxt", "segment_valid", "segment"),
    *(f"data_{name}" for name in ("valid", "word", "keep", "first", "final", "last", "bad", "sid")),
    *(f"stat_{name}" for name in STATS),
)
FIN, SYN, RST, PSH, ACK, URG = 1, 2, 4, 8, 16, 32


@dataclass
class Session:
    iface: int
    peer_ip: int
    peer_port: int
    local_port: int
    mac: bytes
    snd: int
    rcv: int | None = None  # not written yet
    open: int = 0
    none: int = 0  # nothing but SYN has been sent

    def tuple(self) -> int:
        names = ("iface", "peer_ip", "peer_port", "local_port")
        return pack(TUPLE, {name: getattr(self, name) for name in names})


@dataclass
class Frame:
    """A segment as it is sent, and its expected effect besides the session's decision."""

    session: Session
    seq: int
    ack: int
    flags: int = ACK
    payload: bytes = b""
    options: bytes = b""
    window: int = 0
    good: bool = True  # the FCS
    room: int = 65535
    left: int = 65535  # of the advertised window; none with bit 16
    segment_room: int = 1
    ip: dict = field(default_factory=dict)
    tcp: dict = field(default_factory=dict)
    checksum: tuple[int, int] | None = None  # a wrong one: its place in the datagram, the wrong bits
    everyone: bool = False
    cut: int = 0  # missing bytes
    more: bytes = b""  # after the datagram
    stat: str | None = None
    options_found: dict = field(default_factory=dict)  # of a SYN
    sent: bytes = b""

    def octets(self, interfaces) -> bytes:
        session = self.session
        header = link(interfaces[session.iface], session.mac, b"\xff" * 6 if self.everyone else None)
        ip = IP(src=ip_text(session.peer_ip), dst=interfaces[session.iface].ip, **self.ip)
        ports = {"sport": session.peer_port, "dport": session.local_port, "seq": self.seq, "ack": self.ack}
        ports |= {"flags": self.flags, "window": self.window, "dataofs": 5 + len(self.options) // 4}
        packet = bytes(header / ip / TCP(**(ports | self.tcp)) / Raw(self.options + self.payload))
        if self.checksum:
            packet = wrong_checksum(packet, len(header) + self.checksum[0], self.checksum[1])
        if self.cut:
            return packet[: len(packet) - self.cut] + b"\xff" * 4 * FCS  # not a length that is correct by chance
        packet += self.more
        return ether(packet) if FCS else packet.ljust(60, b"\0")


class Bed:
    """Plays frames and checks every cycle against a model of the sessions."""

    def __init__(self, dut, rng):
        self.s, self.rng, self.dut = Stepper(dut, OUTPUTS), rng, dut
        self.interfaces = [Interface.random(rng), Interface.random(rng, vlan=rng.getrandbits(16) | 1)]
        self.sessions: dict[int, Session] = {}
        self.found: list[tuple[int, int] | None] = [None, None]  # answers of the look-ups in flight
        self.want: tuple[int, int, int] | None = None  # the pending write of the TCP machine
        self.records, self.wrote, self.writes = [], [], 0.0
        self.taken: bytes | None = None
        self.due: list[tuple[int, int, dict]] = []
        self.pending_end = None  # a frame whose verdict was in the previous cycle
        self.read = (0, 0)  # RCV.NXT and whether it is open, of the session found last
        self.stats = dict.fromkeys(STATS, 0)
        self.counted = dict.fromkeys(STATS, 0)
        self.cycle = self.left = 0

    async def reset(self) -> None:
        self.dut.iface.value = interfaces_number(self.interfaces)
        zero = ("found", "found_sid", "snd_nxt", "snd_none", "rcv_wr", "rcv_wr_sid", "rcv_wr_nxt", "rcv_wr_open")
        idle = dict.fromkeys(zero, 0)
        idle |= {"ack_sid": 0, "tcp_sid": 0, "left": 0, "room": 0, "segment_room": 1}
        await self.s.reset(**idle, **Arrival().cycles(b"", self.rng)[0].inputs(self.rng) | {"s_axis_tvalid": 0})
        self.s.set(rx_status_valid=0)
        cycles = 0
        while not (await self.s.look()).rcv_wr_ready:
            await self.s.step()
            cycles += 1
        assert cycles == SESSIONS

    def new_session(self, sid: int, **given) -> Session:
        rng = self.rng
        values = {"iface": rng.randrange(2), "peer_ip": rng.getrandbits(32), "peer_port": rng.getrandbits(16)}
        values |= {"local_port": rng.getrandbits(16), "mac": rng.randbytes(6)}
        values["snd"] = rng.choice([rng.getrandbits(32), rng.randrange(3 * RING)])
        self.sessions[sid] = Session(**(values | given))
        return self.sessions[sid]

    async def write(self, sid: int, nxt: int, is_open: int) -> None:
        self.want = (sid, nxt, is_open)
        while self.want:
            await self.cycle_of(None)

    async def cycle_of(self, word, **extra):
        """One cycle; the look-up and SND.NXT answer, and the TCP machine writes."""
        rng, s = self.rng, self.s
        if word is None:
            word = Arrival(idle=1).cycles(b"", rng)[-1]
        if self.want is None and self.sessions and rng.random() < self.writes:
            sid = rng.choice(list(self.sessions))
            session = self.sessions[sid]
            nxt = session.rcv if rng.random() < 0.6 else (session.rcv + rng.randrange(3)) & MASK32
            self.want = (sid, nxt, int(rng.random() < 0.9))
        answer = self.found.pop(0)
        found, sid = answer or (rng.getrandbits(1), rng.randrange(SESSIONS))
        write = self.want or (rng.randrange(SESSIONS), rng.getrandbits(32), rng.getrandbits(1))
        read = rng.choice([0, 1, 2])
        out = await s.look(
            **word.inputs(rng),
            found=found,
            found_sid=sid,
            rcv_wr=int(self.want is not None),
            **dict(zip(("rcv_wr_sid", "rcv_wr_nxt", "rcv_wr_open"), write, strict=True)),
            ack_sid=read,
            **extra,
        )
        if answer and found:
            assert out.snd_sid == sid
            self.read = (self.sessions[sid].rcv, self.sessions[sid].open)
        known = self.sessions.get(out.snd_sid)
        snd = (known.snd, known.none) if answer and found else (rng.getrandbits(32), rng.getrandbits(1))
        left = self.left if answer and found else rng.getrandbits(17)
        out = await s.step(snd_nxt=snd[0], snd_none=snd[1], left=left)
        if read in self.sessions and self.sessions[read].rcv is not None:
            assert out.ack_nxt == self.sessions[read].rcv
        if answer and found:
            assert out.rcv_nxt == self.sessions[sid].rcv
        for name in STATS:
            self.counted[name] += getattr(out, f"stat_{name}")
        if self.want and out.rcv_wr_ready:
            session = self.sessions[self.want[0]]
            session.rcv, session.open = self.want[1:]
            self.wrote.append(self.want[0])
            self.want = None
        hits = [sid for sid, session in self.sessions.items() if session.tuple() == out.tuple] if out.look else []
        self.found.append((int(bool(hits)), hits[0] if hits else rng.randrange(SESSIONS)) if out.look else None)
        if out.segment_valid:
            self.records.append((self.cycle, unpack(FLAT_SEGMENT, out.segment)))
        self.cycle += 1
        return out

    def fate(self, frame: Frame, found: int | None) -> tuple[bool, bool, bool]:
        """Whether payload is passed on, whether it counts, and whether there is a record; by RFC 9293."""
        whole = frame.good and not frame.cut
        ours = frame.stat in (None, "checksum", "no_room") and not frame.everyone
        record = ours and whole and frame.segment_room and (frame.stat != "checksum" or not CHECK)
        if not ours or found is None or not frame.segment_room:
            return False, False, bool(record)
        rcv, is_open = self.read
        session = self.sessions[found]
        flags = frame.flags & (ACK | SYN | RST)
        taken = is_open and flags == ACK and frame.seq == rcv and (session.snd - frame.ack) & MASK32 < 2 * RING
        taken = bool(taken and frame.payload and (frame.ack == session.snd or not session.none))
        taken = taken and len(frame.payload) <= frame.left < 1 << 16
        if taken and len(frame.payload) > frame.room:
            taken = False
            if record:
                self.stats["no_room"] += 1
        return taken, bool(taken and record), bool(record)

    async def play(self, frame: Frame, arrival: Arrival) -> None:
        interfaces, rng = self.interfaces, self.rng
        octets = frame.octets(interfaces)
        tagged = interfaces[frame.session.iface].vlan is not None
        start = (16 if tagged else 12) + 2 + 40 + len(frame.options)  # of the payload in the frame
        arrival.good, self.left = frame.good, frame.left
        hits = [sid for sid, session in self.sessions.items() if session is frame.session]
        decided, at, taken, counts, record = False, 0, False, False, False
        got = b""
        words = arrival.cycles(octets, rng)
        ip = [word.data for word in words if word.valid][4 if tagged else 3 :][:1]  # type, version, IHL
        shows = bool(ip) and ip[0] & 0xF0FFFF == 0x400008 and ip[0] >> 16 & 15 >= 5
        for i, word in enumerate(words):
            extra = {"room": frame.room if i else 0, "segment_room": frame.segment_room if i else 1}
            pending = self.pending_end
            self.pending_end = None
            out = await self.cycle_of(word, **extra)
            if pending:
                self.check_end(out, *pending)
            else:
                header = start - len(frame.options)
                if not decided and at * 4 >= header - 2 and i > 0:
                    taken, counts, record = self.fate(frame, hits[0] if hits else None)
                    decided = True
                expected = b""
                if taken and word.valid:
                    here = range(at * 4, at * 4 + 4)
                    ends = start + len(frame.payload)
                    keep = sum(1 << k for k, place in enumerate(here) if start <= place < ends)
                    assert out.data_keep == keep if keep else not out.data_valid, (at, keep)
                    if keep:
                        assert out.data_valid and out.data_word == word.data and not out.data_last
                        assert out.data_first == (not got) and out.data_sid == hits[0]
                        assert out.data_final == (here[-1] >= ends - 1)
                        expected = word.data.to_bytes(4, "little")
                        expected = bytes(b for k, b in enumerate(expected) if keep >> k & 1)
                        got += expected
                if not expected:
                    assert not out.data_valid, at
            if word.valid:
                at += 1
            if word.end:
                if not decided:
                    taken, counts, record = self.fate(frame, hits[0] if hits else None)
                    taken = counts = False
                if frame.good and frame.cut and shows:
                    self.stats["malformed"] += 1
                self.pending_end = (frame, hits[0] if hits else None, taken and bool(got), counts, record)
                if taken and counts:
                    assert got == frame.payload

    def check_end(self, out, frame: Frame, sid, taken: bool, counts: bool, record: bool) -> None:
        """The cycle after the verdict."""
        assert out.data_valid == out.data_last == int(taken), (frame, taken)
        if taken:
            assert out.data_keep == 0 and not out.data_first and not out.data_final and out.data_sid == sid
            assert out.data_bad == int(not counts), frame
        session = frame.session
        if frame.stat and frame.stat != "no_room" and frame.good and not frame.cut and not frame.everyone:
            self.stats[frame.stat] += int(frame.stat != "checksum" or bool(CHECK))
        if not frame.segment_room and frame.good and not frame.cut and frame.stat in (None, "checksum"):
            self.stats["no_room"] += int(not (frame.stat == "checksum" and CHECK))
        if counts:
            session.rcv = (session.rcv + len(frame.payload)) & MASK32
        if record:
            expected = {"hit": int(sid is not None), "iface": session.iface, "peer_ip": session.peer_ip}
            expected |= {"peer_port": session.peer_port, "local_port": session.local_port}
            expected |= {"peer_mac": int.from_bytes(session.mac, "big"), "flags": frame.flags, "seq": frame.seq}
            expected |= {"ack": frame.ack, "window": frame.window, "length": len(frame.payload)}
            expected |= {"accepted": int(counts)}
            if sid is not None:
                expected["sid"] = sid
            is_syn = bool(frame.flags & SYN)
            found = frame.options_found if is_syn else {}
            expected |= {"mss_on": int("mss" in found), "scale_on": int("scale" in found), **found}
            late = 12 if is_syn and frame.options else 0
            self.due.append((self.cycle, late, expected))

    async def finish(self) -> None:
        for _ in range(16):
            pending, self.pending_end = self.pending_end, None
            out = await self.cycle_of(None)
            if pending:
                self.check_end(out, *pending)
            else:
                assert not out.data_valid
        assert len(self.records) == len(self.due)
        for (cycle, found), (due, late, expected) in zip(self.records, self.due, strict=True):
            wrong = {name: (found[name], value) for name, value in expected.items() if found[name] != value}
            assert not wrong, wrong
            assert due <= cycle <= due + late, (cycle - due, late)
        assert self.counted == self.stats
        self.records.clear()
        self.due.clear()


async def bed_of(dut) -> Bed:
    bed = Bed(dut, seeded(os.environ["ULLNIC_TEST_NAME"]))
    await bed.reset()
    for sid in {0, 1, SESSIONS - 1}:
        session = bed.new_session(sid)
        rcv = bed.rng.choice([bed.rng.getrandbits(32), MASK32 - bed.rng.randrange(2000)])
        await bed.write(sid, rcv, 1)
        assert session.rcv == rcv
    return bed
