# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A TCP peer that conforms, but is erratic: it loses segments, delays and repeats ACKs, and its window shrinks and
closes at any time. It compares each byte of the stream with what was sent for it before.
"""

import random
import time

from forged import MODULUS, WINDOW, Link, mss, payload
from records import Parser

KINDS = ("kind", "deaf", "repeats", "shrinks", "partly")
CHANGES_S = 3  # until it behaves well for good
PATIENCE_S = 30


class FickleLink(Link):
    def __init__(self, port: int, chance: random.Random):
        super().__init__(port=port)
        self.chance, self.loss = chance, chance.choice((0, 0.05, 0.3))
        self.bytes = bytearray()  # the stream as far as it was sent, 0 where nothing was sent
        self.known = bytearray()
        self.over = None  # position of the FIN
        self.held: dict[int, int] = {}  # start and end of each interval that was not lost
        self.edge = self.acked = 0  # end of the data received without a gap, and of the acknowledged data

    def see(self, segment) -> None:
        """Every transmission of a byte, and of the end, must be the same."""
        data, place = payload(segment), (segment.seq - self.first) % MODULUS
        if data:
            missing = place + len(data) - len(self.bytes)
            self.bytes.extend(bytes(max(0, missing)))
            self.known.extend(bytes(max(0, missing)))
            for at, byte in enumerate(data, place):
                assert not self.known[at] or self.bytes[at] == byte, (
                    f"byte {at} was another before: {data[:20]!r}, at {place}"
                )
            self.bytes[place : place + len(data)] = data
            self.known[place : place + len(data)] = b"\1" * len(data)
        if "F" in str(segment.flags):
            assert self.over in (None, place + len(data)), f"two ends: {self.over} and {place + len(data)}"
            self.over = place + len(data)
        assert self.over is None or len(self.bytes) <= self.over, f"{len(self.bytes)} bytes, but the end at {self.over}"
        if self.chance.random() >= self.loss:
            self.held[place] = max(self.held.get(place, 0), place + len(data))
            while (more := [end for start, end in self.held.items() if start <= self.edge < end]) != []:
                self.edge = max(more)

    def acknowledge(self, up_to: int, window: int) -> None:
        self.acked = max(self.acked, up_to)
        done = self.acked == self.over
        self.theirs = (self.first + self.acked + done) % MODULUS
        self.send("A", window=window)

    def act(self, kind: str) -> None:
        chance = self.chance
        narrow = chance.choice((0, 1, 7, 8, 30, 100, 1460, 3000))
        if kind == "kind":
            self.acknowledge(self.edge, WINDOW)
        elif kind == "shrinks":
            self.acknowledge(self.edge, narrow)
        elif kind == "partly":
            self.acknowledge(chance.randint(self.acked, self.edge), chance.choice((narrow, WINDOW)))
        elif kind == "repeats":
            place = chance.randint(self.acked, self.edge)  # beyond `acked` the window may shrink
            for _ in range(chance.randint(1, 6)):
                self.acknowledge(place, narrow)

    def run(self, windows: tuple[int, ...]) -> None:
        """From the SYN, with one of these windows, to the end of the stream, which must consist of whole records."""
        self.accept(window=self.chance.choice(windows), options=mss(1460))
        self.first, began, kind = self.theirs, time.monotonic(), "kind"
        while self.acked != self.over:
            age = time.monotonic() - began
            assert age < PATIENCE_S, (
                f"{self.acked} of {len(self.bytes)} bytes, end at {self.over}: nothing comes any more"
            )
            segment = self.receive(0.02)
            if segment is not None:
                assert "R" not in str(segment.flags), "a reset"
                self.see(segment)
            if age > CHANGES_S:
                kind, self.loss = "kind", 0
            elif self.chance.random() < 0.05:
                kind = self.chance.choice(KINDS)
            if segment is not None or self.chance.random() < 0.2:
                self.act(kind)
        parser = Parser()
        parser.feed(bytes(self.bytes))
        assert not parser.rest, "cut"
        self.counts = parser.counts


def pour(link: Link, data: bytes, chance: random.Random) -> None:
    """Sends a stream and its end in segments that overlap, repeat, are out of order or beyond the window, until all of
    it is acknowledged. Overlapping segments have the same bytes.
    """
    base, done, window, began = link.next, 0, 1460, time.monotonic()
    while done <= len(data):
        age = time.monotonic() - began
        assert age < PATIENCE_S, f"{done} of {len(data)} bytes are acknowledged, window {window}: no more comes"
        leap = 0 if age > CHANGES_S else chance.choice((0, 0, 0, -1, -700, 1, 100, 1460, 5000, 65535))
        start = min(max(0, done + leap), len(data))
        end = min(start + chance.choice((1, 10, 536, 1460)), len(data))
        if chance.random() < 0.95:
            end = max(start, min(end, done + window))
        over = end == len(data) and chance.random() < 0.5
        link.send("FA" if over else "A", data[start:end], seq=start)
        while (segment := link.receive(0.002)) is not None:
            assert "R" not in str(segment.flags), "a reset"
            done, window = max(done, (segment.ack - base) % MODULUS), segment.window
