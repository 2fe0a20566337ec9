# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Host memory as the read channel sees it.

It checks each read TLP against the rules of PCIe, and answers it with parts, in any order of the reads, or with a
fault. A part is a completion TLP.
"""

import random
from collections import deque
from dataclasses import dataclass, field

OK, UR, CA = 0, 1, 4
NO_ERROR, UNSUPPORTED, ABORTED, POISONED, TIMEOUT, MISMATCH = range(6)
FAULTS = {
    "ur": UNSUPPORTED,
    "ca": ABORTED,
    "reserved_status": ABORTED,
    "poisoned": POISONED,
    "timeout": TIMEOUT,
    "short": MISMATCH,
    "long": MISMATCH,
    "lower_addr": MISMATCH,
    "byte_count": MISMATCH,
    "repeated": MISMATCH,
    "skipped": MISMATCH,
    "not_final": MISMATCH,
}
PAGE = 4096
PERIOD = 65521


class Memory:
    """Bytes that differ from address to address, except those that a test has written."""

    def __init__(self, rng: random.Random):
        self.pattern = rng.randbytes(PERIOD) * 2
        self.pages: dict[int, bytearray] = {}  # the written ones

    def read(self, addr: int, count: int) -> bytes:
        data = b""
        while count:
            part = min(count, PAGE - addr % PAGE)
            page = self.pages.get(addr // PAGE)
            at = addr % PAGE
            data += self._plain(addr, part) if page is None else page[at : at + part]
            addr, count = addr + part, count - part
        return data

    def write(self, addr: int, data: bytes) -> None:
        while data:
            at = addr % PAGE
            part = data[: PAGE - at]
            if addr // PAGE not in self.pages:
                self.pages[addr // PAGE] = bytearray(self._plain(addr - at, PAGE))
            self.pages[addr // PAGE][at : at + len(part)] = part
            addr, data = addr + len(part), data[len(part) :]

    def _plain(self, addr: int, count: int) -> bytes:
        return self.pattern[addr % PERIOD :][:count]


@dataclass
class Part:
    tag: int
    addr: int  # of the first byte
    count: int  # bytes
    left: int  # with this part
    status: int = OK
    poisoned: bool = False
    timeout: bool = False
    final: bool = False


@dataclass
class Read:
    tag: int
    func: int
    addr: int
    count: int
    due: int  # cycle of the first part
    parts: deque[Part] = field(default_factory=deque)


def enabled(addr: int, dwords: int, be: int) -> tuple[int, int]:
    """First byte and number of bytes that the byte enables select: they must be contiguous."""
    first, last = be & 15, be >> 4
    if dwords == 1:
        assert last == 0
        last = first
    mask = first if dwords == 1 else first | ((1 << 4 * (dwords - 2)) - 1) << 4 | last << 4 * (dwords - 1)
    start, end = (mask & -mask).bit_length() - 1, mask.bit_length()
    assert mask == (1 << end) - (1 << start), f"byte enables {be:#x} of {dwords} dwords"
    return addr + start, end - start


class Host:
    """`latency` is a range of cycles; parts end at multiples of `rcb` bytes, and have at most `part`. The next part
    belongs to any of the `window` oldest reads that are due.
    """

    def __init__(
        self,
        rng,
        memory,
        *,
        mrrs=512,
        latency=(20, 60),
        rcb=64,
        part=256,
        in_order=False,
        window=1024,
        fault_rate=0.0,
    ):
        self.rng, self.memory, self.mrrs, self.latency, self.rcb = rng, memory, mrrs, latency, rcb
        self.part, self.in_order, self.window, self.fault_rate = part, in_order, window, fault_rate
        self.reads: dict[int, Read] = {}
        self.order: deque[int] = deque()  # tags, in the order of the reads
        self.beats: deque[dict] = deque()  # of the part in progress
        self.closed: deque[int] = deque(maxlen=4)
        self.outcome: list[tuple[int, int, int]] = []  # address, bytes, error
        self.faults: list[str] = []  # remaining ones of this round
        self.failed: list[tuple[int, int, int, int]] = []  # reads that will fail: error, tag, function, address
        self.errors = [0] * 6
        self.unexpected = 0
        self.most_lines = self.lines = 0

    def accept(self, cycle: int, tag: int, func: int, addr: int, dwords: int, be: int) -> Read:
        assert tag not in self.reads, f"tag {tag} is used twice"
        assert 1 <= dwords <= self.mrrs // 4 and addr % 4 == 0
        assert addr // 4096 == (addr + 4 * dwords - 1) // 4096, "a read crosses 4 KiB"
        first, count = enabled(addr, dwords, be)
        read = Read(tag, func, first, count, cycle + self.rng.randint(*self.latency))
        read.parts.extend(self._parts(read))
        error = NO_ERROR
        if self.rng.random() < self.fault_rate:
            error = self._spoil(read)
            self.failed.append((error, tag, func, first))
        self.errors[error] += 1
        self.outcome.append((first, count, error))
        self.reads[tag] = read
        self.order.append(tag)
        self.lines += self.lines_of(read)
        self.most_lines = max(self.most_lines, self.lines)
        return read

    @staticmethod
    def lines_of(read: Read) -> int:
        return (read.addr % 64 + read.count + 63) // 64

    def _parts(self, read: Read) -> list[Part]:
        parts, addr, end = [], read.addr, read.addr + read.count
        while addr < end:
            room = self.part - addr % self.rcb
            steps = self.rng.randint(1, max(1, self.part // self.rcb)) if not self.in_order else self.part // self.rcb
            stop = min(end, addr - addr % self.rcb + steps * self.rcb, addr + room)
            parts.append(Part(read.tag, addr, stop - addr, end - addr, final=stop == end))
            addr = stop
        return parts

    def next_fault(self) -> str:
        """Each kind in turn, in an order that is drawn for each round, so that none is left out."""
        if not self.faults:
            self.faults = self.rng.sample(list(FAULTS), len(FAULTS))
        return self.faults.pop()

    def _spoil(self, read: Read) -> int:
        kind, parts = self.next_fault(), read.parts
        at = self.rng.randrange(len(parts))
        part = parts[at]
        if kind in ("repeated", "skipped", "lower_addr", "byte_count") and len(parts) == 1:
            kind = "ca"
        if kind in ("ur", "ca", "reserved_status", "timeout"):
            while len(parts) > at:
                parts.pop()
            status = {"ur": UR, "ca": CA, "reserved_status": 7, "timeout": OK}[kind]
            parts.append(Part(read.tag, part.addr, 0, part.left, status, timeout=kind == "timeout"))
        elif kind == "poisoned":
            part.poisoned = True
        elif kind == "short":
            last = parts[-1]
            last.left += 4
        elif kind == "long":
            parts[-1].count += 4 * self.rng.randint(1, 3)
        elif kind == "lower_addr":
            part.addr ^= 1 << self.rng.randrange(2, 6)
        elif kind == "byte_count":
            part.left ^= 1 << self.rng.randrange(1, 4)
        elif kind == "repeated":
            at = min(at, len(parts) - 2)
            parts.insert(at, parts[at])
        elif kind == "skipped":
            del parts[min(at, len(parts) - 2)]
        elif kind == "not_final":
            parts[-1].final = False
            parts.append(Part(read.tag, read.addr, 0, 0, timeout=True))
        return FAULTS[kind]

    def _beats(self, part: Part) -> list[dict]:
        lead = part.addr % 4
        dwords = (lead + part.count + 3) // 4 if part.count else 0
        data = self.rng.randbytes(lead) + self.memory.read(part.addr, part.count)
        data += self.rng.randbytes(-len(data) % 64)
        header = {
            "completion_status": part.status,
            "is_poisoned": part.poisoned,
            "is_timeout": part.timeout,
            "is_final": part.final or part.status != OK,
            "completion_tag": part.tag,
            "completion_dwords": dwords,
            "byte_count": part.left,
            "lower_addr": part.addr % 128,
        }
        blocks = [data[i : i + 64] for i in range(0, max(len(data), 1), 64)]
        return [
            header | {"completion_valid": 1, "completion_data": int.from_bytes(b, "little"), "completion_last": last}
            for b, last in zip(blocks, [*[0] * (len(blocks) - 1), 1], strict=True)
        ]

    def _close(self, read: Read) -> None:
        del self.reads[read.tag]
        self.order.remove(read.tag)
        self.closed.append(read.tag)
        self.lines -= self.lines_of(read)

    def stray(self) -> None:
        """A completion with a tag that has ended."""
        tag = self.closed[-1]
        part = Part(tag, self.rng.getrandbits(32), self.rng.randint(1, 64), self.rng.randint(1, 4096), final=True)
        self.beats.extend(self._beats(part))
        self.unexpected += 1

    def beat(self, cycle: int) -> dict:
        """The completion channel in this cycle."""
        if not self.beats:
            due = (
                [tag for tag in self.order if self.reads[tag].due <= cycle]
                if not self.in_order
                else ([self.order[0]] if self.order and self.reads[self.order[0]].due <= cycle else [])
            )
            if due:
                read = self.reads[due[0] if self.in_order else self.rng.choice(due[: self.window])]
                part = read.parts.popleft()
                self.beats.extend(self._beats(part))
                if part.final or part.status != OK or part.timeout:
                    self._close(read)
        return self.beats.popleft() if self.beats else {"completion_valid": 0}
