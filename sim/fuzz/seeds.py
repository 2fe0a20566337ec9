#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the inputs of vfio_fuzz that are kept in corpus/vfio: one for each fault found so far, and a few for each
operation, from which libFuzzer continues.

README.md lists the arguments of each operation.
"""

from pathlib import Path

from ullnic.fuzz import records
from ullnic.fuzz.records import little, whole

OPERATIONS = (
    "message", "map", "unmap", "read", "write", "multi", "irqs", "context", "doorbell", "memory", "cut", "event",
    "connect", "raw", "read_replies", "queue", "descriptor", "time",
)  # fmt: skip
CONFIG_SPACE = 7
EVENTFDS, ALL_KINDS = 0, 0x10  # of descriptors


def record(operation: str, *arguments: int) -> bytes:
    return records.record(OPERATIONS.index(operation), *arguments)


def connect(guest: int, closes: int = 0, steps: int = 3, json: bytes = b"") -> bytes:
    """`steps`: 1 negotiates, 2 maps memory."""
    return record("connect", guest, closes, steps, len(json)) + whole(json)


def message(command: int, body: bytes = b"", flags: int = 0, size: int = 0, fds: int = 0, guest: int = 0) -> bytes:
    return record("message", guest, command, flags, size & 0xFF, fds, ALL_KINDS, *little(len(body))) + whole(body)


def read(region: int, offset: int, count: int) -> bytes:
    return record("read", 0, region, *little(offset, 3), *little(count))


def multi(bar: int, offset: int, count: int, step: int = 0, count_error: int = 0, size: int = 4) -> bytes:
    return record("multi", 0, bar, *little(offset, 3), *little(count), step, *little(count_error), size)


def irqs(flags: int, start: int, count: int, fds: int = 0, kinds: int = EVENTFDS, data: bytes = b"") -> bytes:
    return record("irqs", 0, flags, 0, *little(start), *little(count), fds, kinds, len(data)) + whole(data)


def doorbell(qid: int, which: int, value: int) -> bytes:
    return record("doorbell", 0, *little(qid), which, *little(value, 4))


def descriptors(qid: int, first: int, length: int, to_host: int = 0, count: int = 16, page: int = 0, flags: int = 0):
    return record("descriptor", 0, qid, first, *little(length), flags, page, to_host, count - 1)


def queue(qid: int, vector: int = 0) -> bytes:
    """A running queue: buffers to fill, a place for completions, an interrupt."""
    started = irqs(0x24, vector, 1, 1) + record("queue", 0, qid, vector) + descriptors(qid, 0, 0, to_host=1)
    return started + doorbell(qid, 2, 15) + doorbell(qid, 3, 1 << 28 | 1 << 24)


H2C, C2H, COMPLETION = 1, 2, 3
RUNS = queue(1, 3) + descriptors(1, 0, 60) + doorbell(1, H2C, 8)
VFIO = {
    "nothing": b"\0",
    # Writes of one message were recursive and overflowed the stack.
    "fault_multi_recursion": multi(2, 0x1000, 2729) + multi(0, 0x1400, 2729, size=8),
    # An eventfd that its owner had filled and made blocking stopped the server.
    "fault_eventfd_blocks": irqs(0x24, 0, 1, 1) + record("event", 1, 1) + irqs(0x21, 0, 1) + connect(0, 1) + connect(0),
    # Unread replies made it spin.
    "fault_unread_replies": record("read_replies", 0, 1)
    + read(CONFIG_SPACE, 0, 4096) * 90
    + connect(1)
    + connect(0, 1),
    # Descriptors that never form a packet kept it busy for seconds.
    "fault_descriptors_without_end": b"".join(
        queue(qid) + descriptors(qid, 0, 1, flags=2) + doorbell(qid, H2C, 15) for qid in range(8)
    ),
    "packets": RUNS
    + record("time", 0, 0, 0, 1, 0, 0, 8)
    + doorbell(1, COMPLETION, 1 << 28 | 1 << 24 | 8)
    + doorbell(1, C2H, 7),
    "packets_long": queue(0) + descriptors(0, 0, 4000, count=3) + doorbell(0, H2C, 3),
    "packets_of_parts": queue(2)
    + descriptors(2, 0, 100, flags=2, count=2)
    + descriptors(2, 1, 100, flags=1, count=1)
    + doorbell(2, H2C, 2),
    "card_full": record("time", 0, 0, 0, 0, 0, 0, 0) + RUNS + record("time", 1, 0, 0, 0, 0, 0, 4),
    "memory_cut": RUNS + record("cut", 0, 0, 0x10, 0) + doorbell(1, H2C, 12) + doorbell(1, C2H, 3),
    "memory_gone": RUNS + record("unmap", 0, 0, 0, 0, 0, 1) + record("unmap", 0, 0, 0, 0, 0, 6) + doorbell(1, H2C, 12),
    "maps": record("map", 0, 1, *little(0x200), *little(16), 3)
    + record("map", 0, 1, *little(0x208), *little(16), 3)
    + record("map", 0, 1, *little(0x300), *little(1), 1, 0, 0, 0, 7)
    + record("map", 0, 0, 0, 4, 16, 0, 3, 0, 0, 0, 0, 1, 2)
    + record("unmap", 0, 0, *little(0x200), *little(16)),
    "reads": read(0, 0, 4)
    + read(0, 2, 2)
    + read(2, 8, 8)
    + read(2, 0x7FFFC, 8)
    + read(CONFIG_SPACE, 0, 256)
    + read(9, 0, 4),
    "slow_card": record("time", 0, 0, 0, 0, 1)
    + read(2, 0, 8)
    + multi(2, 0, 4, 4)
    + record("time", 0, 0, 0, 0, 1, 1)
    + connect(0, 1)
    + record("time", 0, 0, 0, 0, 0, 1),
    "writes": record("write", 0, 0, 0x04, 0x02, 0, 4, 16)
    + record("write", 0, CONFIG_SPACE, 4, 0, 0, 2, 6)
    + record("write", 0, 2, 1),
    "multi_lies": multi(0, 0x204, 5, 4, count_error=9) + multi(0, 0x204, 3, 4, size=9) + multi(7, 0, 3, 1, size=1),
    "irqs": irqs(0x24, 0, 3, 3)
    + irqs(0x24, 0, 2, 2, ALL_KINDS)
    + irqs(0x22, 0, 2, data=b"\1\0")
    + irqs(0x0A, 0, 32)
    + irqs(0x21, 30, 9),
    "contexts": b"".join(
        record("context", 0, operation, selector, 1, 0, 8) + whole(b"\xff" * 32)
        for operation in (1, 2, 0, 3)
        for selector in range(13)
    ),
    "doorbells": RUNS + b"".join(doorbell(qid, which, 0xFFFF) for qid in (1, 2000) for which in range(4)),
    "ring_lies": queue(1) + record("memory", 0, 0x00, 0x80, 0, 64) + b"\xff" * 64 + doorbell(1, H2C, 15),
    "versions": connect(1, 1)
    + connect(0, 0, 1, b'{"capabilities":{"max_msg_fds":"x"}}')
    + connect(0, 0, 1, b"{" * 40)
    + connect(0, 0, 0)
    + message(1, b"\0\0\1\0")
    + message(1, b"\0\0\1\0{}\0")
    + message(1, b"\7\0\1\0{}\0"),
    "messages": b"".join(message(command) + message(command, bytes(64), 0x10) for command in range(17)),
    "message_sizes": message(9, bytes(16), size=-20) + connect(0) + message(9, bytes(16), size=9) + message(13),
    "message_descriptors": message(13, fds=17) + message(2, bytes(32), fds=2) + message(13, fds=16),
    "raw": record("raw", 0, *little(15))
    + whole(bytes(16))
    + record("raw", 0, *little(3), 3)
    + bytes(16)
    + connect(0, 1),
    "second_client": connect(1) + message(13, guest=1) + connect(2) + connect(0, 1) + message(4, guest=2),
    "replies_to_nothing": message(9, bytes(16), 1) + message(9, bytes(16), 0x21) + message(13),
}


def main() -> None:
    records.write(Path(__file__).parent / "corpus/vfio", VFIO)


if __name__ == "__main__":
    main()
