# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What programs, the card's user logic (fake_card.c) and peers of the tests send: records.

A record has a kind, 'S' from software and 'H' from hardware, a length, a counter, and bytes derived from the counter.
"""

import socket
import struct
import sys

HEAD = 7
PEER = "10.9.1.3"
COUNTING = bytes(range(256)) * 257  # any record's bytes, from any first value


def record(kind: str, number: int, length: int) -> bytes:
    head = kind.encode() + struct.pack("<HI", length, number)
    first = (number * 7 + HEAD) & 0xFF
    return head + COUNTING[first : first + length - HEAD]


class Parser:
    """Splits a stream into records; those of each kind must arrive complete, once, in order."""

    def __init__(self):
        self.rest = b""
        self.counts = {"H": 0, "S": 0}
        self.bytes = 0

    def feed(self, data: bytes) -> None:
        self.bytes += len(data)
        data = self.rest + data
        place = 0
        while len(data) - place >= HEAD:
            kind, (length, number) = chr(data[place]), struct.unpack_from("<HI", data, place + 1)
            assert kind in self.counts and length >= HEAD, f"no record at byte {self.bytes - len(data) + place}"
            if len(data) - place < length:
                break
            assert number == self.counts[kind], f"{kind}: number {number}, expected {self.counts[kind]}"
            assert data[place : place + length] == record(kind, number, length), f"{kind} {number} is damaged"
            self.counts[kind] += 1
            place += length
        self.rest = data[place:]


def listen(port: int = 5000, address: str = PEER) -> socket.socket:
    server = socket.create_server((address, port), backlog=600)
    say("ready")
    return server


def echo(link: socket.socket) -> None:
    """Echoes until the other end has sent everything, or resets."""
    try:
        while data := link.recv(65536):
            link.sendall(data)
        link.close()
    except OSError:
        pass


def say(*words) -> None:
    print(*words, flush=True)


def heard() -> str:
    """Waits for a line from the test."""
    return sys.stdin.readline().strip()
