# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A driver's C2H rings on qdma, and the obligations of their packets.

Each byte of a packet is written once, in the buffers that the driver posted, in order, before the packet's entry; and
nothing once the queue is disabled.
"""

from collections import deque
from dataclasses import dataclass, field

from qdma_contract import (
    COMPLETION,
    DROP_EMPTY,
    HW_C2H,
    INLINE,
    INLINE_BYTES,
    INVALIDATE,
    PREFETCH,
    PREFETCH_VALID,
    SW_C2H,
)
from qdma_source import Packet
from qdma_top_bed import BUFFER, MPS

BUFFER_SIZES = [64, 128, 256, 512, 1024, 2048, 4096, 333, 65, 1500, 200, 4224, 100, 3000, 48, 1]
SIZE_64, SIZE_256, SIZE_2048, SIZE_4096 = 0, 2, 5, 6
QEN, FCRD_EN, WBK_EN = 1 << 32, 1 << 33, 1 << 52


@dataclass
class C2h:
    qid: int
    func: int
    relative: int
    size: int
    base: int
    buffer_bytes: int
    inline: bool = False  # small packets go into their entries
    pidx: int = 0
    posted: int = 0  # total of buffers
    freed: int = 0  # of those, buffers whose packet the driver has seen
    buffers: deque = field(default_factory=deque)  # posted, and no packet has them
    packets: int = 0  # granted, in buffers
    inlined: int = 0  # granted, in entries
    entries: int = 0  # of packets, written
    error: int = 0
    error_cidx: int = 0
    is_dead: bool = False

    def room(self) -> int:
        return self.size - 2 - (self.posted - self.freed)


@dataclass
class Region:
    """Bytes of a packet in a buffer; `at` of them have been written."""

    queue: C2h
    addr: int
    data: bytes
    at: int = 0


class C2hRings:
    def __init__(self, driver):
        self.driver, self.bed, self.rng = driver, driver.bed, driver.rng
        self.queues: dict[int, C2h] = {}
        self.rings: dict[int, C2h] = {}  # by the upper half of the base, including dead ones
        self.regions: dict[int, Region] = {}  # by buffer
        self.writes: list[tuple[int, int]] = []  # cycle, bytes of payload
        self.bed.source.granted = self._granted
        self.bed.source.done = self._done
        self.bed.host.reading.append(self._reading)

    def add(self, qid: int, size_ix: int, buffer_ix: int, *, drop: bool = False, inline: bool = False,
            fields: int = 0) -> C2h:  # fmt: skip
        func, relative = self.driver.owner(qid)
        high = 1 << 20 | len(self.rings)
        queue = C2h(qid, func, relative, self.driver.sizes[size_ix], high << 32 | self.rng.getrandbits(8) << 12,
                    BUFFER_SIZES[buffer_ix], inline)  # fmt: skip
        self.queues[qid] = self.rings[high] = queue
        self.prefetch(qid, buffer_ix, drop=drop, inline=inline)
        self.bed.context(HW_C2H, qid, 0, 0)
        word = QEN | WBK_EN | FCRD_EN * self.rng.getrandbits(1) | func << 17 | size_ix << 44 | queue.base << 64 | fields
        self.bed.context(SW_C2H, qid, word)
        return queue

    def prefetch(self, qid: int, buffer_ix: int = 0, *, drop: bool = False, inline: bool = False) -> None:
        self.bed.context(PREFETCH, qid, buffer_ix << 1 | INLINE * inline | DROP_EMPTY * drop | PREFETCH_VALID)

    def post(self, queue: C2h, count: int, *, align: int = 1) -> None:
        """Posts unshared buffers at any address; without a doorbell."""
        for _ in range(count):
            addr = self.driver.buffer(queue.buffer_bytes, align)
            self.bed.memory.write(queue.base + 8 * queue.pidx, addr.to_bytes(8, "little"))
            queue.buffers.append(addr)
            queue.pidx = (queue.pidx + 1) % (queue.size - 1)
            queue.posted += 1

    def ring(self, queue: C2h, *, arm: bool = False) -> None:
        self.driver.doorbell(queue.func, queue.relative, 8, queue.pidx | arm << 16)

    def give(self, queue: C2h, count: int | None = None, *, align: int = 1) -> None:
        self.post(queue, queue.room() if count is None else count, align=align)
        self.ring(queue)

    # --- Packets

    def _granted(self, packet: Packet) -> None:
        queue, data = self.queues.get(packet.qid), packet.payload
        packet.is_inline = bool(queue and queue.inline and packet.completion and 0 < len(data) <= INLINE_BYTES)
        self.driver.packet_granted(packet)
        if not data:
            return
        if packet.is_inline:
            queue.inlined += 1  # it is of the completion ring, whatever the descriptor ring is
            return
        assert queue and not queue.is_dead, f"queue {packet.qid}: a packet is granted after the queue was disabled"
        queue.packets += 1
        for i in range(0, len(data), queue.buffer_bytes):
            assert queue.buffers, f"queue {packet.qid}: a packet got a buffer that was not posted"
            addr = queue.buffers.popleft()
            region = self.regions[addr >> BUFFER] = Region(queue, addr, data[i : i + queue.buffer_bytes])
            packet.regions.append(region)

    def written(self, func: int, addr: int, data: bytes) -> bool:
        region = self.regions.get(addr >> BUFFER)
        if region is None:
            return False
        queue = region.queue
        assert func == queue.func and not queue.is_dead, f"queue {queue.qid}: a write after the queue was disabled"
        assert addr == region.addr + region.at, f"queue {queue.qid}: a write to {addr:#x}"
        assert addr // MPS == (addr + len(data) - 1) // MPS, "a write crosses MPS"
        assert region.data[region.at :][: len(data)] == data, f"queue {queue.qid}: wrong bytes at {addr:#x}"
        region.at += len(data)
        self.writes.append((self.bed.cycle, len(data)))
        return True

    def entry(self, packet: Packet) -> None:
        """Its entry has been written."""
        queue = self.queues.get(packet.qid)
        assert all(region.at == len(region.data) for region in packet.regions), "an entry before its payload"
        if queue and packet.regions:
            queue.entries += 1
            queue.freed += len(packet.regions)

    def _done(self, packet: Packet, is_stopped: bool) -> None:
        queue = self.queues.get(packet.qid)
        if is_stopped:
            assert queue is None or queue.is_dead or queue.qid in self.driver.disabling
            self.driver.packet_stopped(packet)
        if not packet.completion and queue:
            queue.freed += len(packet.regions)

    # --- The ring

    def _reading(self, addr: int) -> None:
        queue = self.rings.get(addr >> 32)
        assert queue is None or not queue.is_dead, f"queue {queue.qid}: a read after the queue was disabled"

    def status(self, func: int, addr: int) -> bool:
        queue = self.rings.get(addr >> 32)
        if queue is None or addr != queue.base + 8 * (queue.size - 1):
            return False
        assert func == queue.func and not queue.is_dead and not queue.error, "a queue stops once"
        low = self.bed.words[addr]
        queue.error, queue.error_cidx = low & 3, low >> 16
        assert queue.error and low >> 2 & 0x3FFF == 0
        return True

    async def disable(self, queue: C2h, operation: int = INVALIDATE) -> int:
        """As a driver does, which waits while the command is busy; cycles that it took. Then no DMA of the queue."""
        bed = self.bed
        self.driver.disabling.add(queue.qid)
        bed.context(SW_C2H, queue.qid, 0, operation)
        await bed.until(lambda: not bed.requests)
        begin = bed.cycle
        await self.until_not_busy(queue)
        return bed.cycle - begin

    async def until_not_busy(self, queue: C2h) -> None:
        await self.bed.until_not_busy()
        queue.is_dead = True
        self.driver.disabling.discard(queue.qid)

    async def remove(self, queue: C2h) -> None:
        """What is left of a queue that is disabled: the source gives up, and the other contexts are invalidated."""
        self.bed.source.forget(queue.qid)
        for selector in (PREFETCH, COMPLETION):
            self.bed.context(selector, queue.qid, 0, INVALIDATE)
        # Its entries in flight may arrive until then.
        await self.bed.settle(100)
        del self.queues[queue.qid], self.driver.cmpt[queue.qid]
