# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What a PCIe link and the PCIe block's interfaces allow a DMA engine of streams, whatever it does.

A packet costs bytes on the link, each way, and beats of the block's requester interfaces (RQ, RC: 512 bits, 250 MHz,
straddled). Entries and descriptors are counted in the largest writes and reads that MPS and MRRS allow; status and
doorbells are not counted. No engine that keeps the contract can do better, so a rate above its bound is a fault of the
test bench. `stated` are the batches of cores/qdma/docs/rates.md.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

CLOCK_MHZ = 250
REQUEST_BYTES, COMPLETION_BYTES = 24, 20  # of a TLP besides its payload
DLLP_BYTES = 16  # an ACK and an UpdateFC
TLPS_AN_ACK = 4
DESCRIPTOR_BYTES = 16  # of RQ, before a TLP's payload
RC_HEADER_BYTES = 12
HALF_BEAT, QUARTER_BEAT, BEAT = 32, 16, 64
ENTRY_BYTES, C2H_DESCRIPTOR_BYTES, H2C_DESCRIPTOR_BYTES, MM_DESCRIPTOR_BYTES = 16, 8, 16, 32
INLINE_ENTRY_BYTES, INLINE_BYTES = 64, 60  # of an entry that may have its packet in it; of the longest such packet
STATUS_BYTES, DOORBELL_BYTES = 8, 4
PAGE = 4096
LINKS = {"gen3x16": (8, 16), "gen3x8": (8, 8), "gen4x8": (16, 8)}  # GT/s, lanes
UP, DOWN, RQ, RC, STREAM, AXI, MEMORY = "link up", "link down", "RQ", "RC", "stream", "AXI", "memory"
MM_C2H, MM_H2C = "mm_c2h", "mm_h2c"  # directions of memory-mapped transfers


@dataclass(frozen=True)
class Link:
    """The link options of a measurement; `completion`: the host splits completions at multiples of this many bytes."""

    name: str = "gen3x16"
    mps: int = 256
    mrrs: int = 512
    rcb: int = 64
    completion: int = 256
    offset: int = 0  # alignment of buffers to 4 KiB

    @property
    def bytes_per_us(self) -> float:
        """After the line code."""
        rate, lanes = LINKS[self.name]
        return float(rate * 1000 * lanes * Fraction(128, 130) / 8)


@dataclass(frozen=True)
class Batches:
    """Entries of a write, descriptors of a read, packets of a status and of the doorbells (0: none)."""

    entries: int
    c2h_descriptors: int
    h2c_descriptors: int
    mm_descriptors: int
    burst: int = 0
    entry_bytes: int = ENTRY_BYTES

    def is_inline(self, size: int) -> bool:
        return self.entry_bytes == INLINE_ENTRY_BYTES and size <= INLINE_BYTES


def best(link: Link, entry_bytes: int = ENTRY_BYTES) -> Batches:
    entries, c2h_descriptors = link.mps // entry_bytes, link.mrrs // C2H_DESCRIPTOR_BYTES
    h2c_descriptors, mm_descriptors = link.mrrs // H2C_DESCRIPTOR_BYTES, link.mrrs // MM_DESCRIPTOR_BYTES
    return Batches(entries, c2h_descriptors, h2c_descriptors, mm_descriptors, entry_bytes=entry_bytes)


STATED = Batches(entries=8, c2h_descriptors=16, h2c_descriptors=16, mm_descriptors=16, burst=64)
STATED_INLINE = replace(STATED, entries=2, entry_bytes=INLINE_ENTRY_BYTES)


@dataclass(frozen=True)
class Cost:
    """Cost of a packet or transfer: bytes on the link, beats of the interfaces, bytes of the card's memory."""

    up: float
    down: float
    rq: float
    rc: float
    stream: float  # of its direction
    memory: float = 0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(*(a + b for a, b in zip(self.parts(), other.parts(), strict=True)))

    def times(self, count: float) -> "Cost":
        return Cost(*(count * part for part in self.parts()))

    def parts(self) -> tuple[float, ...]:
        return self.up, self.down, self.rq, self.rc, self.stream, self.memory


def halves(count: int) -> float:
    """Half beats of RQ that a TLP with this much payload takes."""
    return ceil((DESCRIPTOR_BYTES + count) / HALF_BEAT) / 2


def cut(count: int, most: int, offset: int = 0) -> list[int]:
    """Parts of at most `most` bytes: data that begins `offset` bytes after a multiple of it is split there."""
    parts, at = [], offset % most
    while count:
        parts.append(min(count, most - at))
        count, at = count - parts[-1], 0
    return parts


def write(count: int, link: Link) -> tuple[float, float, int]:
    """Bytes up, beats of RQ, TLPs: as few TLPs as MPS and 4 KiB allow, since splits at multiples of MPS are not
    required.
    """
    parts = cut(count, link.mps)
    return len(parts) * REQUEST_BYTES + count, sum(map(halves, parts)), len(parts)


def completions(count: int, link: Link, offset: int = 0) -> tuple[float, float, int]:
    """Bytes down, beats of RC, TLPs."""
    parts = cut(count, link.completion, offset)
    beats = sum(ceil((RC_HEADER_BYTES + part) / QUARTER_BEAT) * QUARTER_BEAT / BEAT for part in parts)
    return len(parts) * COMPLETION_BYTES + count, beats, len(parts)


def reads(count: int, link: Link, offset: int = 0) -> int:
    """TLPs of a read of this many bytes at any address."""
    return max(ceil(count / link.mrrs), ceil((offset % PAGE + count) / PAGE))


def acks(tlps: float) -> float:
    """Bytes in the other direction."""
    return tlps / TLPS_AN_ACK * DLLP_BYTES


def descriptor_read(count: int, size: int, link: Link) -> Cost:
    """A packet's share of a read of this many descriptors."""
    down, beats, tlps = completions(count * size, link)
    up = REQUEST_BYTES + acks(tlps)
    return Cost(up, down + acks(1), halves(0), beats, 0).times(1 / count)


def notices(link: Link, batches: Batches, doorbells: int) -> Cost:
    """A packet's share of the status and doorbells of a burst."""
    if not batches.burst:
        return Cost(0, 0, 0, 0, 0)
    up, beats, tlps = write(STATUS_BYTES, link)
    down = doorbells * (REQUEST_BYTES + DOORBELL_BYTES) + acks(tlps)
    return Cost(up + acks(doorbells), down, beats, 0, 0).times(1 / batches.burst)


def written(size: int, link: Link) -> Cost:
    """The payload of a packet or transfer to the host."""
    up, beats, tlps = write(size, link)
    return Cost(up, acks(tlps), beats, 0, ceil(size / BEAT))


def read(size: int, link: Link) -> Cost:
    """The same from the host."""
    tlps = reads(size, link, link.offset)
    down, beats, answers = completions(size, link, link.offset)
    up = tlps * REQUEST_BYTES + acks(answers)
    return Cost(up, down + acks(tlps), tlps * halves(0), beats, ceil(size / BEAT))


def c2h(size: int, link: Link, batches: Batches) -> Cost:
    entry_up, entry_beats, entry_tlps = write(batches.entries * batches.entry_bytes, link)
    entries = Cost(entry_up, acks(entry_tlps), entry_beats, 0, 0).times(1 / batches.entries)
    if batches.is_inline(size):
        return Cost(0, 0, 0, 0, ceil(size / BEAT)) + entries + notices(link, batches, 1)
    descriptors = descriptor_read(batches.c2h_descriptors, C2H_DESCRIPTOR_BYTES, link)
    return written(size, link) + entries + descriptors + notices(link, batches, 2)


def h2c(size: int, link: Link, batches: Batches) -> Cost:
    descriptors = descriptor_read(batches.h2c_descriptors, H2C_DESCRIPTOR_BYTES, link)
    return read(size, link) + descriptors + notices(link, batches, 1)


def memory_mapped(payload: Cost, link: Link, batches: Batches) -> Cost:
    """Each beat of AXI is an access of the card's memory."""
    descriptors = descriptor_read(batches.mm_descriptors, MM_DESCRIPTOR_BYTES, link)
    return replace(payload, memory=BEAT * payload.stream) + descriptors + notices(link, batches, 1)


def mm_c2h(size: int, link: Link, batches: Batches) -> Cost:
    return memory_mapped(written(size, link), link, batches)


def mm_h2c(size: int, link: Link, batches: Batches) -> Cost:
    return memory_mapped(read(size, link), link, batches)


COSTS: dict[str, Callable[[int, Link, Batches], Cost]] = {"c2h": c2h, "h2c": h2c, MM_C2H: mm_c2h, MM_H2C: mm_h2c}


def bound(
    size: int,
    link: Link,
    shares: dict[str, float],
    batches: Batches | None = None,
    of_link: bool = False,
    memory_bytes_per_us: float = 0,
) -> tuple[float, str]:
    """Millions of packets a second, and what limits them: the link alone if `of_link`.

    `shares`: packets of each direction for each counted one, so {"c2h": 1, "h2c": 1} for forwarding.
    `memory_bytes_per_us`: of the card's memory, both directions together; 0: no limit but AXI's.
    """
    chosen = batches or best(link)
    cost = Cost(0, 0, 0, 0, 0)
    for direction, share in shares.items():
        each = COSTS[direction](size, link, chosen).times(share)
        cost = cost + replace(each, stream=max(0, each.stream - cost.stream))  # each direction has its stream
    clock, line = float(CLOCK_MHZ), link.bytes_per_us
    stream = AXI if MM_C2H in shares or MM_H2C in shares else STREAM
    limits = {
        name: capacity / part
        for name, capacity, part in zip(
            (UP, DOWN, RQ, RC, stream, MEMORY),
            (line, line, clock, clock, clock, memory_bytes_per_us),
            cost.parts(),
            strict=True,
        )
        if part and capacity and (not of_link or name in (UP, DOWN))
    }
    name = min(limits, key=limits.__getitem__)
    return limits[name], name
