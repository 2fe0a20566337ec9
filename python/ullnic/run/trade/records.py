# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The messages on the order connection, all of one length, and the check of a complete stream.

An order of the hardware begins with its number, 32 bits big-endian from 1, which the card puts there. A software
message is text with its number, also from 1. Both then carry their type, so that a misplaced byte shows.
"""

import struct
from dataclasses import dataclass, field
from pathlib import Path

RECORD_BYTES = 32
CHUNK_BYTES = 1 << 20
ORDER_TEXT = b"ORDER by FPGA user logic   \n"  # after the number
SOFTWARE = "software %010d by send()  \n"
assert len(ORDER_TEXT) == RECORD_BYTES - 4 and len(SOFTWARE % 0) == RECORD_BYTES


def order(number: int) -> bytes:
    return struct.pack(">I", number) + ORDER_TEXT


def software(number: int) -> bytes:
    return (SOFTWARE % number).encode()


@dataclass
class Stream:
    """What a server received: how many of each kind arrived complete, in order and once, and the first error."""

    orders: int = 0
    messages: int = 0
    switches: int = 0  # from one sender to the other
    faults: list[str] = field(default_factory=list)
    bytes: int = 0
    _rest: bytes = b""
    _last: str = ""

    def feed(self, data: bytes) -> None:
        """Processes the next bytes; after the first error they are only counted."""
        offset = self.bytes - len(self._rest)
        self.bytes += len(data)
        self._rest += data
        whole = len(self._rest) - len(self._rest) % RECORD_BYTES
        for place in range(0, whole, RECORD_BYTES):
            if self.faults:
                break
            self._take(self._rest[place : place + RECORD_BYTES], offset + place)
        self._rest = self._rest[whole:]

    def _take(self, record: bytes, offset: int) -> None:
        if record == order(self.orders + 1):
            self.orders, kind = self.orders + 1, "hardware"
        elif record == software(self.messages + 1):
            self.messages, kind = self.messages + 1, "software"
        else:
            self.faults.append(
                f"byte {offset}: neither order {self.orders + 1} nor message {self.messages + 1}: {record!r}"
            )
            return
        self.switches += bool(self._last) and kind != self._last
        self._last = kind

    def end(self) -> None:
        """No more bytes follow."""
        if self._rest and not self.faults:
            self._take(self._rest, self.bytes - len(self._rest))

    def report(self) -> dict:
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}


def check(path: Path) -> Stream:
    """Checks a file with the whole stream."""
    stream = Stream()
    with open(path, "rb") as file:
        while data := file.read(CHUNK_BYTES):
            stream.feed(data)
    stream.end()
    return stream
