# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_rx_accept behind toe_rx_parse: what is taken for the user and in which cycle, RCV.NXT, records, counters."""

import os
from dataclasses import dataclass, field
from pathlib import Path

import cocotb
import pytest
from scapy.layers.inet import IP, TCP, IPOption_NOP
from scapy.packet import Raw

from toe_rx_model import (
    MASK32,
    SEGMENT,
    TUPLE,
    Arrival,
    Interface,
    ether,
    interfaces_number,
    ip_text,
    link,
    packed,
    unpacked,
)
from ullnic_tb import Bench, Stepper, parameter, rtl, seeded

SESSIONS, RING = parameter("SESSIONS", 64), parameter("RING_BYTES", 8192)
FCS, CHECK = parameter("FCS", 1), parameter("RX_CHECKSUM_VERIFICATION_EN", 1)
STATS = ("ip_bad", "ip_options", "fragment", "checksum", "malformed", "no_room")
OUTPUTS = (
    *("look", "tuple", "snd_sid", "rcv_wr_ready", "ack_nxt", "tcp_nxt", "segment_valid", "segment"),
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

    def tuple(self) -> int:
        names = ("iface", "peer_ip", "peer_port", "local_port")
        return packed(TUPLE, {name: getattr(self, name) for name in names})


@dataclass
class Frame:
    """A segment as it is sent, and what becomes of it beside what the session decides."""

    session: Session
    seq: int
    ack: int
    flags: int = ACK
    payload: bytes = b""
    options: bytes = b""
    window: int = 0
    good: bool = True  # the FCS
    room: int = 65535
    segment_room: int = 1
    ip: dict = field(default_factory=dict)
    tcp: dict = field(default_factory=dict)
    everyone: bool = False
    cut: int = 0  # bytes that are missing
    more: int = 0  # bytes behind the datagram
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
        if self.cut:
            return packet[: len(packet) - self.cut] + bytes(4 * FCS)
        packet += os.urandom(self.more) if self.more else b""
        return ether(packet) if FCS else packet.ljust(60, b"\0")


class Bed:
    """Plays frames and checks every cycle against what a model of the sessions says."""

    def __init__(self, dut, rng):
        self.s, self.rng, self.dut = Stepper(dut, OUTPUTS), rng, dut
        self.interfaces = [Interface.random(rng), Interface.random(rng, vlan=rng.getrandbits(16) | 1)]
        self.sessions: dict[int, Session] = {}
        self.found: list[tuple[int, int] | None] = [None, None]  # the answers of the look-up that are under way
        self.want: tuple[int, int, int] | None = None  # what the TCP machine wants to write
        self.records, self.wrote, self.writes = [], [], 0.0
        self.taken: bytes | None = None
        self.due: list[tuple[int, int, dict]] = []
        self.pending_end = None  # a frame whose verdict was in the cycle before
        self.read = (0, 0)  # RCV.NXT and whether it is open, of the session that was found last
        self.stats = dict.fromkeys(STATS, 0)
        self.counted = dict.fromkeys(STATS, 0)
        self.cycle = 0

    async def reset(self) -> None:
        self.dut.iface.value = interfaces_number(self.interfaces)
        idle = {
            name: 0 for name in ("found", "found_sid", "snd_nxt", "rcv_wr", "rcv_wr_sid", "rcv_wr_nxt", "rcv_wr_open")
        }
        idle |= {"ack_sid": 0, "tcp_sid": 0, "room": 0, "segment_room": 1}
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
        reads = {"ack_sid": rng.choice([0, 1, 2]), "tcp_sid": rng.choice([0, 1, 2])}
        out = await s.look(
            **word.inputs(rng),
            found=found,
            found_sid=sid,
            rcv_wr=int(self.want is not None),
            **dict(zip(("rcv_wr_sid", "rcv_wr_nxt", "rcv_wr_open"), write, strict=True)),
            **reads,
            **extra,
        )
        if answer and found:
            assert out.snd_sid == sid
            self.read = (self.sessions[sid].rcv, self.sessions[sid].open)
        known = self.sessions.get(out.snd_sid)
        out = await s.step(snd_nxt=known.snd if answer and found else rng.getrandbits(32))
        for name, port in (("ack_nxt", "ack_sid"), ("tcp_nxt", "tcp_sid")):
            if reads[port] in self.sessions and self.sessions[reads[port]].rcv is not None:
                assert getattr(out, name) == self.sessions[reads[port]].rcv, name
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
            self.records.append((self.cycle, unpacked(SEGMENT, out.segment)))
        self.cycle += 1
        return out

    def fate(self, frame: Frame, found: int | None) -> tuple[bool, bool, bool]:
        """Payload is passed on, and it counts, and there is a record; by the rules of RFC 9293 and the contract."""
        whole = frame.good and not frame.cut
        ours = frame.stat in (None, "checksum", "no_room") and not frame.everyone
        record = ours and whole and frame.segment_room and (frame.stat != "checksum" or not CHECK)
        if not ours or found is None or not frame.segment_room:
            return False, False, bool(record)
        rcv, is_open = self.read
        session = self.sessions[found]
        flags = frame.flags & (ACK | SYN | RST)
        taken = is_open and flags == ACK and frame.seq == rcv and (session.snd - frame.ack) & MASK32 < 2 * RING
        taken = bool(taken and frame.payload)
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
        arrival.good = frame.good
        hits = [sid for sid, session in self.sessions.items() if session is frame.session]
        decided, at, taken, counts, record = False, 0, False, False, False
        got = b""
        for i, word in enumerate(arrival.cycles(octets, rng)):
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
                self.pending_end = (frame, hits[0] if hits else None, taken and bool(got), counts, record)
                if taken and counts:
                    assert got == frame.payload

    def check_end(self, out, frame: Frame, sid, taken: bool, counts: bool, record: bool) -> None:
        """The cycle behind the verdict."""
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
            assert {name: found[name] for name in expected} == expected
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


def some_arrival(rng) -> Arrival:
    gap, behind = rng.choice([0, 0, 0, 0.2]), rng.choice([0, 0, 0, 1, 4])
    return Arrival(gap, behind, empty=rng.random() < 0.7, idle=rng.choice([0, 0, 0, 1, 3]))


def some_options(rng) -> bytes:
    """No-operations and unknown options, for segments whose options mean nothing here."""
    return rng.randbytes(4 * rng.choice([0, 0, 0, 1, 2, 3, 10, rng.randrange(11)]))


def some_frame(bed: Bed) -> Frame:
    rng = bed.rng
    sid = rng.choice([*bed.sessions, None])
    session = bed.sessions[sid] if sid is not None else Session(0, 5, 6, 7, rng.randbytes(6), 0)
    length = rng.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, rng.randrange(60), rng.randrange(300), 1460])
    ack = (session.snd - rng.choice([0, 0, 1, rng.randrange(2 * RING), 2 * RING - 1])) & MASK32
    window = rng.getrandbits(16)
    frame = Frame(
        session, session.rcv, ack, ACK | rng.choice([0, PSH]), rng.randbytes(length), some_options(rng), window
    )
    frame.more = rng.choice([0, 0, 0, 1, 2, 3, 20])
    kind = rng.randrange(26)
    if kind == 0:
        frame.seq = (frame.seq + rng.choice([1, -1, 1460, 1 << 31, 1 << rng.randrange(32)])) & MASK32
    elif kind == 1:
        frame.ack = (session.snd - rng.choice([2 * RING, -1, -2, 1 << 31, 3 * RING])) & MASK32
    elif kind == 2:
        frame.flags = rng.choice([0, FIN, RST, RST | ACK, ACK | FIN, ACK | FIN | PSH, URG | ACK, SYN | RST | ACK])
    elif kind == 3:
        frame.good = False
    elif kind == 4:
        frame.tcp, frame.stat = {"chksum": 0}, "checksum"  # 0 is never right: the sum of these is not all ones
    elif kind == 5 and length:
        frame.room = length - 1
    elif kind == 6:
        frame.room = length
    elif kind == 7:
        frame.segment_room = 0
    elif kind == 8:
        frame.everyone = True
    elif kind == 9:
        frame.ip, frame.stat = {"options": [IPOption_NOP()] * 4}, "ip_options"
    elif kind == 10:
        frame.ip, frame.stat = {"flags": "MF"}, "fragment"
    elif kind == 11:
        frame.ip, frame.stat = {"chksum": 0xFFFF}, "ip_bad"  # which only a header of zeros could have
    elif kind == 12:
        frame.tcp, frame.stat = {"dataofs": rng.randrange(5)}, "malformed"
    elif kind == 13:
        frame.options, frame.payload = b"", rng.randbytes(rng.randrange(20))
        frame.tcp = {"dataofs": 6 + len(frame.payload) // 4 + rng.randrange(4)}
        frame.stat = "malformed"
        if frame.tcp["dataofs"] * 4 - 20 <= len(frame.payload):
            frame.tcp["dataofs"] = 15
    elif kind == 14:
        frame.ip, frame.stat = {"len": rng.randrange(20, 40)}, "malformed"
    elif kind == 15:
        frame.cut = rng.randrange(1, 54 + len(frame.options) + length)
    return frame


@cocotb.test()
async def segments(dut):
    """Segments of all kinds to several sessions, with pauses and without, while the TCP machine writes now and then."""
    bed = await bed_of(dut)
    accepted = 0
    for i in range(700):
        bed.writes = 0.02 if i % 200 > 100 else 0
        frame = some_frame(bed)
        for session in bed.sessions.values():  # what the TCP machine has closed opens again
            if not session.open and bed.want is None and bed.rng.random() < 0.3:
                sid = next(sid for sid, one in bed.sessions.items() if one is session)
                bed.want = (sid, session.rcv, 1)
        await bed.play(frame, some_arrival(bed.rng))
        accepted += frame.stat is None
        if i % 50 == 49:
            bed.writes = 0
            await bed.finish()
    assert len(set(bed.wrote)) == len(bed.sessions)


@cocotb.test()
async def back_to_back(dut):
    """Minimum frames of one session, word 0 in the cycle behind the verdict: each finds RCV.NXT moved."""
    bed = await bed_of(dut)
    rng = bed.rng
    session = bed.sessions[1]
    begin = session.rcv
    for n in range(200):
        payload = rng.randbytes(1 + n % 6)
        await bed.play(
            Frame(session, session_next(bed, session), session.snd, payload=payload), Arrival(empty=bool(n % 2))
        )
    await bed.finish()
    assert session.rcv == (begin + sum(1 + n % 6 for n in range(200))) & MASK32


def session_next(bed: Bed, session: Session) -> int:
    """RCV.NXT as it will be when what is under way has been counted."""
    moved = len(bed.pending_end[0].payload) if bed.pending_end and bed.pending_end[3] else 0
    return (session.rcv + moved) & MASK32


OPTIONS = [  # of a SYN; what is found
    (b"", {}),
    (bytes([2, 4, 5, 0xB4]), {"mss": 1460}),
    (bytes([2, 4, 0, 0]), {"mss": 0}),
    (bytes([1, 3, 3, 7]), {"scale": 7}),
    (bytes([3, 3, 14, 0]), {"scale": 14}),
    (bytes([3, 3, 15, 0]), {"scale": 14}),
    (bytes([3, 3, 255, 1]), {"scale": 14}),
    (bytes([2, 4, 5, 0xB4, 4, 2, 8, 10, *range(8), 1, 3, 3, 7]), {"mss": 1460, "scale": 7}),
    (bytes([4, 2, 2, 4, 1, 2, 3, 3, 2, 1, 1, 1]), {"mss": 258, "scale": 2}),
    (bytes([1, 4, 2, 2, 4, 9, 9, 1]), {"mss": 0x909}),
    (bytes([0, 2, 4, 5, 2, 4, 5, 6]), {}),  # behind the end of the list
    (bytes([2, 4, 1, 1, 0, 3, 3, 3]), {"mss": 257}),
    (bytes([99, 0, 2, 4, 5, 5, 1, 1]), {}),  # lengths that cannot be
    (bytes([99, 1, 2, 4, 5, 5, 1, 1]), {}),
    (bytes([2, 0, 2, 4, 5, 5, 1, 1]), {}),
    (bytes([99, 2, 2, 4, 5, 5, 1, 1]), {"mss": 0x505}),
    (bytes([99, 250, 2, 4, 5, 5, 1, 1]), {}),  # beyond the end
    (bytes([99, 66, 2, 4, 5, 5, 3, 3]), {}),
    (bytes([99, 67, 9, 2, 4, 5, 5, 1]), {}),
    (bytes([99, 131, 9, 2, 4, 5, 5, 1]), {}),
    (bytes([99, 42, 2, 4, 5, 5, 1, 1]), {}),
    (bytes([1, 1, 1, 1, 1, 2, 4, 5]), {}),
    (bytes([1, 1, 1, 1, 1, 1, 1, 2]), {}),
    (bytes([1, 1, 1, 1, 1, 1, 3, 3]), {}),
    (bytes([2, 3, 5, 2, 4, 1, 2, 1]), {"mss": 258}),  # a length that is not theirs
    (bytes([2, 6, 5, 5, 5, 5, 1, 1]), {}),
    (bytes([3, 4, 5, 5, 1, 3, 3, 1]), {"scale": 1}),
    (bytes([3, 2, 2, 4, 1, 2, 1, 1]), {"mss": 258}),
    (bytes([2, 4, 1, 1, 2, 4, 2, 2]), {"mss": 514}),  # twice: the later one
    (bytes([1] * 36 + [2, 4, 7, 7]), {"mss": 0x707}),
    (bytes([1] * 37 + [3, 3, 7]), {"scale": 7}),
    (bytes([9, 36, *range(2, 36), 2, 4, 7, 7]), {"mss": 0x707}),
    (bytes([9, 40, *range(2, 40)]), {}),
    (bytes([9, 41, *range(2, 40)]), {}),
    (bytes([1] * 40), {}),
]


@cocotb.test()
async def syn_options(dut):
    """Options of SYNs, also those that are made to harm, at full rate, behind and before other segments."""
    bed = await bed_of(dut)
    rng = bed.rng
    for n in range(300):
        options, found = OPTIONS[n % len(OPTIONS)] if n % 3 else rng.choice(OPTIONS)
        flags = rng.choice([SYN, SYN, SYN | ACK])
        session = rng.choice([*bed.sessions.values(), Session(1, 9, 9, 9, rng.randbytes(6), 0)])
        frame = Frame(session, rng.getrandbits(32), rng.getrandbits(32), flags, b"", options, 4321, options_found=found)
        await bed.play(frame, Arrival() if n % 4 else some_arrival(rng))
        if n % 5 == 0:  # too short to be anything, then options of a segment that is no SYN
            await bed.play(Frame(session, 1, 1, cut=rng.randrange(20, 54), good=False), Arrival())
        if n % 5 < 2:
            await bed.play(Frame(session, rng.getrandbits(32), 0, ACK, b"", bytes([2, 4, 9, 9])), Arrival())
        if n % 50 == 49:
            await bed.finish()


@cocotb.test()
async def writing_waits(dut):
    """While a segment is taken the TCP machine cannot write its session, and no other for a few cycles only."""
    bed = await bed_of(dut)
    session = bed.sessions[0]
    for sid, most in ((0, 400), (1, 4)):
        for begin in range(0, 24):
            payload = bed.rng.randbytes(800)
            frame = Frame(session, session_next(bed, session), session.snd, payload=payload)
            words = iter(range(1000))
            waited = 0
            real = bed.cycle_of

            async def cycle_of(word, words=words, begin=begin, sid=sid, real=real, **extra):
                nonlocal waited
                if next(words) == begin:
                    bed.want = (sid, bed.sessions[sid].rcv, 1)
                waited += bed.want is not None
                return await real(word, **extra)

            bed.cycle_of = cycle_of
            await bed.play(frame, Arrival(idle=3))
            bed.cycle_of = real
            await bed.finish()
            assert bed.want is None and waited <= most
            assert sid or begin < 12 or begin > 13 or waited > 100
    assert session.rcv is not None


CASES = {
    "plain": {},
    "no_fcs": {"FCS": 0, "SESSIONS": 2, "RING_BYTES": 1024},
    "unchecked": {"RX_CHECKSUM_VERIFICATION_EN": 0, "SESSIONS": 1000},
}
HEAD = Path(__file__).with_name("toe_rx_head.sv")
FILES = ("toe_rx_ones", "toe_rx_parse", "toe_rx_sum", "toe_rx_options", "toe_rx_rcv", "toe_rx_accept")


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("test", ["segments", "back_to_back", "syn_options", "writing_waits"])
def test_toe_rx_accept(test, case):
    sources = [path for path in rtl("toe") if path.stem in ("toe_pkg", *FILES)]
    bench = Bench("toe_rx_head", [*sources, HEAD], {"SESSIONS": 64, "RING_BYTES": 8192, "FCS": 1} | CASES[case])
    bench.run(__name__, test)
