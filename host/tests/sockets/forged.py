# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A TCP peer that follows no rule, at an address that no kernel has, on the cable of a bench. Its program runs in the
bench's namespace; attack() of conftest.py starts it beside its victim and a bystander.
"""

import queue
import socket
import struct
import threading
import time

from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import ARP, Ether
from scapy.packet import Raw

from records import say

ADDRESS, MAC = "10.9.1.77", "02:00:00:00:00:77"
CARD, CARD_MAC = "10.9.1.2", "02:55:4c:4c:02:00"
MODULUS = 2**32
WINDOW = 60000

wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
wire.bind(("tap0", 0))
frames: queue.SimpleQueue[bytes] = queue.SimpleQueue()


def take_in() -> None:
    """Reads everything that has arrived at once, so that slowness loses no frames."""
    while True:
        frames.put(wire.recv(2000))


threading.Thread(target=take_in, daemon=True).start()


def mss(size: int) -> bytes:
    return struct.pack(">BBH", 2, 4, size)


def answer_arp(frame: Ether) -> None:
    reply = ARP(op=2, hwsrc=MAC, psrc=ADDRESS, hwdst=frame.src, pdst=CARD)
    wire.send(bytes(Ether(dst=frame.src, src=MAC) / reply))


def receive(port: int, patience_s: float) -> TCP | None:
    """The card's next segment to this port; None if none arrives."""
    end = time.monotonic() + patience_s
    while (left := end - time.monotonic()) > 0:
        try:
            frame = Ether(frames.get(timeout=left))
        except queue.Empty:
            return None
        if ARP in frame and frame[ARP].pdst == ADDRESS and frame[ARP].op == 1:
            answer_arp(frame)
        elif TCP in frame and frame[IP].dst == ADDRESS and frame[TCP].dport == port:
            return frame[TCP]
    return None


def payload(segment: TCP) -> bytes:
    return segment[Raw].load if Raw in segment else b""


class Burst:
    """Frames of the block are sent together at its end, so that the daemon finds them in one round."""

    held: list[bytes] | None = None

    def __enter__(self):
        Burst.held = []

    def __exit__(self, *_):
        held, Burst.held = Burst.held, None
        for frame in held:
            put(frame)


def put(frame: bytes) -> None:
    if Burst.held is None:
        wire.send(frame)
    else:
        Burst.held.append(frame)


class Link:
    """One connection. `seq` and `ack` of send() are relative to the correct numbers."""

    ports = iter(range(20000, 60000))

    def __init__(self, card_port: int = 7000, port: int | None = None, start: int = 1000):
        self.card_port, self.port = card_port, port or next(Link.ports)
        self.next, self.theirs = start, 0
        self.waiting: list[TCP] = []  # received, and not examined yet

    def send(
        self,
        flags: str,
        data: bytes = b"",
        seq: int = 0,
        ack: int = 0,
        window: int = WINDOW,
        options: bytes = b"",
        **fields,
    ) -> None:
        """Sends a segment with these raw option bytes, a multiple of 4."""
        segment = TCP(
            sport=self.port,
            dport=self.card_port,
            flags=flags,
            seq=(self.next + seq) % MODULUS,
            ack=(self.theirs + ack) % MODULUS,
            window=window,
            dataofs=5 + len(options) // 4,
            **fields,
        )
        packet = IP(src=ADDRESS, dst=CARD) / segment
        put(bytes(Ether(dst=CARD_MAC, src=MAC) / (packet / Raw(options + data) if options + data else packet)))

    def said(self, data: bytes, flags: str = "PA", **fields) -> None:
        """Sends a correct segment, and counts it as sent."""
        self.send(flags, data, **fields)
        self.next += len(data) + flags.count("F")

    def receive(self, patience_s: float = 0.5) -> TCP | None:
        return self.waiting.pop() if self.waiting else receive(self.port, patience_s)

    def expect(self, flags: str, **fields) -> TCP:
        segment = self.receive(3)
        assert segment is not None, f"no answer, not {flags}"
        got = segment.summary()
        assert str(segment.flags) == flags and all(getattr(segment, n) == v for n, v in fields.items()), got
        return segment

    def take(self, segment: TCP | None) -> tuple[bytes, bool]:
        """New data in a segment of the card: bytes, and whether they are the last. Of retransmissions only the new
        part.
        """
        if segment is None:
            return b"", False
        old = (self.theirs - segment.seq) % MODULUS
        data, fin = payload(segment), "F" in str(segment.flags)
        if old >= len(data) + fin:
            return b"", False
        self.theirs += len(data) + fin - old
        return data[old:], fin

    def collect(self, count: int, window: int = WINDOW, patience_s: float = 5) -> bytes:
        """This many bytes of the card's stream, each segment acknowledged with this window."""
        end, got = time.monotonic() + patience_s, b""
        while len(got) < count and time.monotonic() < end:
            data, _ = self.take(self.receive(0.2))
            if data:
                got += data
                self.send("A", window=window)
        assert len(got) >= count, f"{len(got)} bytes, not {count}"
        return got

    def connect(self, window: int = WINDOW, options: bytes = b"") -> "Link":
        """Opens a connection to a program that listens."""
        self.send("S", window=window, options=options)
        self.next += 1
        self.theirs = self.expect("SA", ack=self.next % MODULUS).seq + 1
        self.send("A", window=window)
        return self

    def accept(self, window: int = WINDOW, options: bytes = b"") -> "Link":
        """Answers a program that connects to `port`."""
        opening = self.receive(10)
        assert opening is not None and str(opening.flags) == "S", opening
        self.card_port, self.theirs = opening.sport, opening.seq + 1
        self.send("SA", window=window, options=options)
        self.next += 1
        answer = self.receive(3)
        assert answer is not None and str(answer.flags) in ("A", "PA") and answer.ack == self.next % MODULUS, answer
        if payload(answer):  # an order of hardware, as soon as the engine knows the connection
            self.waiting.append(answer)
        return self

    def drain(self, quiet_s: float = 0.1) -> list[TCP]:
        """Reads until nothing more arrives."""
        got = []
        while (segment := self.receive(quiet_s)) is not None:
            got.append(segment)
        return got

    def echoes(self, text: bytes = b"echo") -> None:
        """Checks that the connection is alive and in sequence: sent bytes come back."""
        self.drain(0.05)
        self.said(text)
        assert self.collect(len(text)) == text

    def reset(self) -> None:
        self.send("R")


def finish(text: str = "over") -> None:
    say(text)
