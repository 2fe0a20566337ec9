# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Packets and queues of the C2H bench, as the source and the driver see them."""

from collections import deque
from dataclasses import dataclass, field

from qdma_contract import INLINE_BYTES
from qdma_rings import Queue

YES, HOLD, DROP, INVALID, TOO_LONG = range(5)
ROOM_YES, ROOM_FULL, ROOM_DROP, ROOM_INVALID = range(4)
SIZES = [64, 256, 1024, 2048, 4096, 4224, 65, 333, 9600, 1, 0, 128, 512, 3000, 200, 16384]
USER_FORMAT = 1 << 1  # of a packet's flags
MAX_BUFFERS = 31
DEPTH, BATCH = 128, 16  # places of a queue; descriptors of a batch
DEEP, DEEP_BATCHES = 2, 15  # queues 0 to DEEP - 1 have twice as many entries, for as many batches
ROOM_CYCLES = 3
STOPS = 4  # queues that are stopped while older packets are in flight; the next stop waits for their source


@dataclass
class Packet:
    queue: "C2hQueue"
    asked: int  # bytes
    data: bytes  # that the source sends
    completion: bool = True
    marker: bool = False
    user: int = 0
    flags: int = 0
    asked_at: int = 0
    # What follows from the grant
    writes: deque = field(default_factory=deque)  # remaining address and bytes to be written, of each buffer
    sent_at: int | None = None  # the last write was accepted
    arrived: bool = False  # the last beat was accepted
    stopped: bool = False  # its queue was stopped: it may remain unwritten
    dead: bool = False  # it must remain unwritten

    @property
    def payload(self) -> bytes:
        return self.data[: self.asked].ljust(self.asked, b"\0")

    @property
    def mismatched(self) -> bool:
        return len(self.data) != self.asked

    def is_inline(self) -> bool:
        """It goes into its entry."""
        return self.queue.inline and self.completion and 0 < self.asked <= INLINE_BYTES

    def entry(self) -> tuple[int, int, int]:
        """User's data, flags and whether a descriptor is used."""
        flags = self.flags | self.mismatched << 5
        if not self.is_inline():
            return self.user, flags, int(self.asked > 0)
        # Of a packet with more beats than were granted nothing is kept.
        data = self.payload if len(self.data) <= 64 else b""
        return self.user & 0xFFFFFFFF | int.from_bytes(data, "little") << 32, flags & ~USER_FORMAT, 0

    def beats(self) -> list[tuple[bytes, bool]]:
        blocks = [self.data[i : i + 64] for i in range(0, len(self.data), 64)] or [b""]
        return [(block, i == len(blocks) - 1) for i, block in enumerate(blocks)]


class C2hQueue(Queue):
    """`buffers` are those that the driver has posted and that no packet has."""

    def __init__(self, *args):
        super().__init__(*args)
        self.buffers: deque[int] = deque()
        self.size_ix = 0
        self.inline = False  # small packets go into their entries
        self.is_narrow = False  # whose completion ring has entries of less than 64 bytes
        self.places = None  # of the completion ring; None: no end
        self.room_drops = self.room_invalid = False
        self.held: deque[Packet] = deque()
        self.event_at = -1
        self.answers: list[int] = []
