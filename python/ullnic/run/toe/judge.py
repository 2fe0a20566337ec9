# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that a capture of the card's port shows only the faults injected into the line, using tshark's analysis.

Of each frame that the card has sent:
  sound      checksums right, nothing malformed, nothing that tshark calls an error
  true       it acknowledges nothing that has not arrived
  bounded    its payload ends within an advertised window, except for the byte that probes a closed one

Each of tshark's findings, at both ends (`FINDINGS`), must have a cause: a fault hit the connection after the byte one
window before the finding's byte was first sent, or another explained finding did, since one loss can cause several. A
finding without a cause is a failure, also on a connection that has been free of faults for a window. A retransmitted
SYN needs no fault if the card counted a dropped one. Three kinds of duplicate ACKs need no fault: one that answers a
probe of a closed window; one after an advertised window of less than a segment that a data segment has updated since;
and those of the kernel, which sends some by itself. The card retransmits at most one window for each fault of a
connection.

Frames that the card must discard (wrong checksum, another's address) are left out, since tshark's analysis would accept
them.

The capture has the frames that reach and leave the card; faults.pcapng has the frames hit by a fault, before the fault.
"""

import bisect
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.run.netns import End

CHECKS = ("-o", "ip.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE")
# Linux sends 0xffff where the sum is 0, in TCP as in UDP (skb_checksum_help): equal to 0, but not to tshark.
GOOD_TCP_SUM = "tcp.checksum.status==1 or (tcp.checksum==0xffff and tcp.checksum_calculated==0)"
FINDINGS = (
    "retransmission",
    "fast_retransmission",
    "spurious_retransmission",
    "out_of_order",
    "lost_segment",
    "ack_lost_segment",
    "duplicate_ack",
)
PROBES = ("keep_alive", "zero_window_probe")
FIELDS = (
    *("frame.number", "frame.time_epoch", "eth.src", "ip.src", "ip.checksum.status", "tcp.checksum.status"),
    *("tcp.stream", "tcp.srcport", "tcp.dstport", "tcp.seq_raw", "tcp.ack_raw", "tcp.len", "tcp.flags"),
    *("tcp.window_size_value", "tcp.options", "_ws.malformed", "_ws.expert.severity"),
    *(f"tcp.analysis.{name}" for name in (*PROBES, *FINDINGS)),
)
FINDINGS_AT = len(FIELDS) - len(FINDINGS)
ERROR = 0x00800000  # of _ws.expert.severity
FIN, SYN, RST, ACK = 1, 2, 4, 16
WINDOW_BYTES = 8192  # cards/toe: of each session, in each direction
SEGMENT_BYTES = 1460
KEPT_FAILURES = 20


def tshark(*arguments: str) -> Iterator[list[str]]:
    """Output lines of tshark, split into fields."""
    command = ["tshark", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            yield line.rstrip("\n").split("\t")
        complaints = process.stderr.read()
    if process.returncode:
        raise UllnicError(f"tshark failed: {complaints.strip()[-500:]}", "./ullnic doctor says how to get it")


def fields(path: Path, names: tuple[str, ...], *options: str) -> Iterator[list[str]]:
    wanted = [part for name in names for part in ("-e", name)]
    return tshark("-r", str(path), *CHECKS, *options, "-T", "fields", "-E", "occurrence=f", *wanted)


def time_ns(text: str) -> int:
    whole, _, part = text.partition(".")
    return int(whole) * 10**9 + int(part.ljust(9, "0")[:9])


def window_scale(options: bytes) -> int | None:
    """The window scale of a SYN (RFC 7323, 2.2). One with a wrong length is ignored, and of two the last counts.

    tshark reads no scale after an option with a wrong length, as an attacker sends them.
    """
    scale, at = None, 0
    while at < len(options) and options[at] != 0:
        if options[at] == 1:
            at += 1
            continue
        size = options[at + 1] if at + 1 < len(options) else 0
        if size < 2 or at + size > len(options):
            break
        if (options[at], size) == (3, 3):
            scale = min(14, options[at + 2])
        at += size
    return scale


def in_set(name: str, values: set[str]) -> str:
    """A term of a display filter."""
    return f"{name} in {{{', '.join(sorted(values))}}}"


def behind(a: int, b: int) -> int:
    """a - b of sequence numbers."""
    return (a - b + 2**31) % 2**32 - 2**31


@dataclass
class Sender:
    """What one end of a connection has sent so far; positions are counted from its first sequence number."""

    first: int | None = None
    starts: list[int] = field(default_factory=list)  # of data sent for the first time, with its time
    times: list[int] = field(default_factory=list)
    end: int = 0  # after the last byte sent
    again_bytes: int = 0
    probes: int = 0  # unanswered
    low: bool = False  # it has advertised less than a segment; cleared by one duplicate ACK
    edge: int | None = None  # the right edge: the furthest that the other end may send
    scale: int | None = None  # from its SYN

    def place(self, number: int) -> int:
        if self.first is None:
            self.first = number
        return behind(number, self.first)

    def send(self, start: int, end: int, now_ns: int) -> None:
        if end > self.end or not self.starts:
            self.starts.append(start)
            self.times.append(now_ns)
            self.end = max(end, self.end)

    def since_ns(self, place: int) -> int:
        """When the byte one window earlier was first sent, or the last segment before that byte."""
        index = bisect.bisect_right(self.starts, place - WINDOW_BYTES) - 1
        return self.times[index] if index >= 0 else -1


@dataclass
class Judgement:
    failures: list[str] = field(default_factory=list)
    frames: int = 0
    card_frames: int = 0
    connections: int = 0
    resets: int = 0  # sent by the card
    again_bytes: int = 0
    findings: dict[str, int] = field(default_factory=dict)
    faults: dict[str, int] = field(default_factory=dict)

    def count(self, counts: dict[str, int], name: str) -> None:
        counts[name] = counts.get(name, 0) + 1

    def fail(self, number: str, text: str) -> None:
        if len(self.failures) < KEPT_FAILURES:
            self.failures.append(f"frame {number}: {text}")


class Judge:
    def __init__(self, folder: Path, card: End, peer: End, attacker_mac: str | None = None, dropped_syns: int = 0):
        """`attacker_mac`: if there is an attacker, findings have other causes than faults, and are only counted.

        `dropped_syns`: the card's own count.
        """
        self.folder, self.attacker_mac, self.dropped_syns = folder, attacker_mac, dropped_syns
        self.card_ip, self.card_mac, self.peer_ip = card.ip, card.mac, peer.ip
        self.said = Judgement()
        self.ends: dict[str, tuple[Sender, Sender]] = {}  # by stream: the card's, the peer's
        self.ports: dict[str, tuple[str, str]] = {}  # by stream: the peer's, the card's
        self.faults: dict[tuple[str, str], int] = defaultdict(int)  # by these ports
        self.hits: dict[tuple[str, str], list[int]] = defaultdict(list)  # times of faults and of explained findings

    def run(self) -> Judgement:
        self.read_faults()
        for row in fields(self.good_capture(), FIELDS):
            self.frame(row)
        self.said.connections = len(self.ends)
        self.said.again_bytes = sum(card.again_bytes for card, _ in self.ends.values())
        if self.attacker_mac is None:
            self.amounts()
        return self.said

    def amounts(self) -> None:
        for stream, (card, _) in self.ends.items():
            faults = self.faults[self.ports[stream]]
            if card.again_bytes > WINDOW_BYTES * faults:
                text = f"{card.again_bytes} bytes sent again by the card for {faults} faults"
                self.said.failures.append(f"stream {stream}: {text}")

    def good_capture(self) -> Path:
        """Leaves out the frames that the card must discard."""
        to_card = f"eth.dst=={self.card_mac} and ip.checksum.status==1 and ({GOOD_TCP_SUM})"
        path = self.folder / "judged.pcapng"
        wanted = f"(eth.src=={self.card_mac} or ({to_card})){self.no_forgery()}"
        for _ in tshark("-r", str(self.capture()), *CHECKS, "-Y", wanted, "-w", str(path)):
            pass
        return path

    def no_forgery(self) -> str:
        """A filter: without the attacker's frames from the peer's address, except on connections that the attacker
        opened.

        A forged SYN would begin a new stream for tshark, which then knows nothing of what came before.
        """
        if self.attacker_mac is None:
            return ""
        names = ("frame.number", "eth.src", "ip.src", "tcp.srcport", "tcp.dstport", "tcp.stream", "tcp.seq_raw",
                 "tcp.ack_raw")  # fmt: skip
        offers: dict[tuple[str, str, int], list[tuple[str, str]]] = defaultdict(list)  # number and stream of each
        opened, streams = set(), set()
        for number, source, ip, from_port, to_port, stream, seq, ack in fields(
            self.capture(), names, "-Y", "tcp.flags.syn==1"
        ):
            if source == self.attacker_mac and ip == self.peer_ip:
                offers[from_port, to_port, (int(seq) + 1) % 2**32].append((number, stream))
            elif source == self.card_mac and (found := offers.get((to_port, from_port, int(ack)))):
                opened |= {number for number, _ in found}
                streams |= {stream, *(stream for _, stream in found)}
        but = ""
        if opened:  # of several SYNs, the card has answered one, and tshark begins a stream with each
            but = f"tcp.flags.syn==0 or {in_set('frame.number', opened)}"
            but = f" and not ({in_set('tcp.stream', streams)} and ({but}))"
        return f" and not (eth.src=={self.attacker_mac} and ip.src=={self.peer_ip} and tcp{but})"

    def capture(self) -> Path:
        return self.folder / "port-0.pcapng"

    def read_faults(self) -> None:
        path = self.folder / "faults.pcapng"
        if not path.exists():
            return
        names = ("frame.time_epoch", "frame.comment", "ip.src", "tcp.srcport", "tcp.dstport")
        for at, comment, source, from_port, to_port in fields(path, names):
            way = "from_card" if source == self.card_ip else "to_card"
            self.said.count(self.said.faults, f"{way} {comment}")
            ports = (to_port, from_port) if way == "from_card" else (from_port, to_port)
            self.faults[ports] += 1
            self.hits[ports].append(time_ns(at))
        for times in self.hits.values():
            times.sort()

    def hit(self, ports: tuple[str, str], since_ns: int, until_ns: int) -> bool:
        times = self.hits.get(ports, [])
        index = bisect.bisect_left(times, since_ns)
        return index < len(times) and times[index] <= until_ns

    def dropped_syn(self, flags: int) -> bool:
        """Whether this may be a SYN that the card had no room for; each of those counts once."""
        if flags & (SYN | ACK) != SYN or not self.dropped_syns:
            return False
        self.dropped_syns -= 1
        return True

    def frame(self, row: list[str]) -> None:
        said = self.said
        row += [""] * (len(FIELDS) - len(row))
        number, at, mac, source, ip_sum, tcp_sum, stream, from_port, to_port = row[:9]
        by_card = mac == self.card_mac
        said.frames += 1
        said.card_frames += by_card
        if by_card:
            self.sound(number, ip_sum, tcp_sum, row[15], row[16], bool(source), bool(stream))
        if not stream:
            return
        # Without a length, the header extends beyond the segment: it is the attacker's.
        seq, ack, length, flags, window = int(row[9]), int(row[10]), int(row[11] or 0), int(row[12], 0), int(row[13])
        ports = (to_port, from_port) if by_card else (from_port, to_port)
        if stream not in self.ends:
            self.ends[stream] = (Sender(), Sender())
            self.ports[stream] = ports
        card, peer = self.ends[stream]
        me, other = (card, peer) if by_card else (peer, card)
        now_ns = time_ns(at)
        if flags & SYN:
            me.scale = window_scale(bytes.fromhex(row[14]))
        elif me.scale is not None and other.scale is not None:
            window <<= me.scale
        if flags & RST:
            said.resets += by_card
            return
        start = me.place(seq)
        end = start + length + bool(flags & SYN) + bool(flags & FIN)
        acked = other.place(ack) if flags & ACK else 0
        if by_card and flags & ACK:
            if acked > other.end:
                said.fail(number, f"acknowledges {acked - other.end} bytes that have not arrived")
            probe = length == 1 and start == me.edge
            # An ACK carries no data that could exceed an old right edge
            if length and not flags & SYN and me.edge is not None and start + length > me.edge and not probe:
                said.fail(number, f"{start + length - me.edge} bytes beyond the window")
        if flags & ACK:
            other.edge = max(acked + window, other.edge if other.edge is not None else acked + window)
        again = True  # a low window may be advertised twice
        me.probes += any(row[FINDINGS_AT - len(PROBES) : FINDINGS_AT])
        for name, found in zip(FINDINGS, row[FINDINGS_AT:], strict=True):
            if found:
                who = "card" if by_card else "kernel"
                said.count(said.findings, f"{who} {name}")
                about_ack = name in ("duplicate_ack", "ack_lost_segment")
                since_ns = other.since_ns(acked) if about_ack else me.since_ns(start)
                if name == "duplicate_ack" and other.probes:
                    other.probes -= 1
                elif name == "duplicate_ack" and me.low:
                    me.low = again = False
                elif self.hit(ports, since_ns, now_ns) or (not by_card and self.dropped_syn(flags)):
                    bisect.insort(self.hits[ports], now_ns)
                elif self.attacker_mac is None and (by_card or name != "duplicate_ack"):
                    said.fail(number, f"{name.replace('_', ' ')} by the {who} without a fault")
        me.low |= again and window < SEGMENT_BYTES
        me.again_bytes += max(0, min(end, me.end) - start) if length else 0
        me.send(start, end, now_ns)

    def sound(self, number, ip_sum, tcp_sum, malformed, severity, ip: bool, tcp: bool) -> None:
        if malformed or (severity and int(severity, 0) >= ERROR):
            self.said.fail(number, "malformed, or an error to tshark, by the card")
        if (ip and ip_sum != "1") or (tcp and tcp_sum != "1"):
            self.said.fail(number, "a wrong checksum by the card")
