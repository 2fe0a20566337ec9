# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The messages on the order connection, all of one length, and the check of a whole stream of them.

An order of the hardware begins with its number, 32 bits big-endian from 1, which the card puts there. A message of
software is text with its number, from 1 too. Both then say what they are, so that a byte out of place shows.
"""

import struct
from dataclasses import dataclass, field
from pathlib import Path

RECORD_BYTES = 32
ORDER_TEXT = b"ORDER by FPGA user logic   \n"  # behind the number
SOFTWARE = "software %010d by send()  \n"
assert len(ORDER_TEXT) == RECORD_BYTES - 4 and len(SOFTWARE % 0) == RECORD_BYTES


def order(number: int) -> bytes:
    return struct.pack(">I", number) + ORDER_TEXT


def software(number: int) -> bytes:
    return (SOFTWARE % number).encode()


@dataclass
class Stream:
    """What a server received: how many of each came whole, in order and once, and what is wrong first."""

    orders: int = 0
    messages: int = 0
    switches: int = 0  # from one sender to the other
    faults: list[str] = field(default_factory=list)


def check(path: Path) -> Stream:
    """Of a file with all that came."""
    stream = Stream()
    last, offset = "", -RECORD_BYTES
    with open(path, "rb") as file:
        while record := file.read(RECORD_BYTES):
            offset += RECORD_BYTES
            if record == order(stream.orders + 1):
                stream.orders, kind = stream.orders + 1, "hardware"
            elif record == software(stream.messages + 1):
                stream.messages, kind = stream.messages + 1, "software"
            else:
                stream.faults.append(
                    f"byte {offset}: neither order {stream.orders + 1} nor message {stream.messages + 1}: {record!r}"
                )
                break
            stream.switches += bool(last) and kind != last
            last = kind
    return stream
