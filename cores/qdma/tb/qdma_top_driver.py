# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A driver of qdma: it sets up queues by context commands, posts descriptors, rings doorbells, and polls the rings in
its memory for results.

It sees only TLPs of the card, and packets of the user's side. C2H rings are in qdma_top_c2h.
"""

from collections import deque
from dataclasses import dataclass, field

from qdma_completion_model import EVERY, Ring
from qdma_contract import BUFFER_SIZE_CSRS, COMPLETION, FMAP, HW_H2C, INTERRUPT, RING_SIZES, SW_H2C
from qdma_source import Packet
from qdma_top_bed import BUFFER, QUEUES, Bed
from qdma_top_c2h import BUFFER_SIZES, C2hRings
from qdma_write_bed import running_test
from ullnic_tb import seeded

SOP, EOP = 1, 2
QEN, WBI_CHK, WBI_INTVL, WBK_EN, IRQ_EN = 1 << 32, 1 << 34, 1 << 35, 1 << 52, 1 << 53
SIZES = [9, 33, 65, 129, 2049, 17, 8, 130] * 2  # of rings, with the status slot
COUNTS, TICKS = [0, 1, 2, 4, 7, 16, 30, 3] * 2, [0, 1, 2, 3, 5, 9, 14, 40] * 2
COLOUR_PLACES, ERROR_PLACES = [20, 1, 31, 63, 40, 5, 33], [21, 2, 30, 62, 41, 6, 34]
RING_OF_2049 = 4
OF_PF = 24  # queues of PF 0, from 0 on
AGGREGATED = 1 << 139  # of a software context


@dataclass
class H2c:
    """An H2C ring: posted descriptors, received packets, and its last status."""

    qid: int
    func: int
    relative: int
    size: int
    base: int
    vector: int | None
    pidx: int = 0
    next: int = 0  # index after the last packet that was output
    cidx: int = 0  # of the last status
    wanted: deque = field(default_factory=deque)  # of each packet: metadata, bytes, index after it
    reading: deque = field(default_factory=deque)  # index after a packet, and the buffers that hold it
    buffers: set[int] = field(default_factory=set)  # of all that was posted
    errors: int = 0
    statuses: int = 0
    interrupts: int = 0
    arms: int = 0
    is_stopped: bool = False

    def after(self, index: int) -> int:
        return (index + 1) % (self.size - 1)

    def room(self) -> int:
        return self.size - 2 - (self.pidx - self.cidx) % (self.size - 1)

    def is_behind(self, index: int) -> bool:
        """CIDX has reached this index, among the posted ones."""
        return (self.pidx - index) % (self.size - 1) >= (self.pidx - self.cidx) % (self.size - 1)


class Driver:
    def __init__(self, bed: Bed):
        self.bed, self.rng = bed, bed.rng
        self.h2c: dict[int, H2c] = {}
        self.cmpt: dict[int, Ring] = {}
        self.open = None  # of the packet being output: queue, metadata, data
        self.log: list[tuple[int, int]] = []  # cycle, bytes of each beat
        self.entries: dict[int, int] = {}  # read by the driver, of each completion ring
        self.formats: dict[int, tuple[int, int]] = {}  # of entries: user format, place of the colour
        self.pending: dict[int, int] = {}  # packets that are not granted
        self.disabling: set[int] = set()  # queues whose command is busy
        self.interrupt_ring: dict[int, dict] = {}  # by function
        self.other_messages: list[tuple[int, int]] = []
        self.buffers = 1 << 30
        self.sizes = SIZES
        self.c2h = C2hRings(self)
        self.received = lambda *_: None  # called with the queue and the bytes of each H2C packet
        bed.packet, bed.written, bed.message = self._packet, self._written, self._message
        # H2C queues that are disabled, whose packets may still be output; their data in the host
        self.gone: dict[int, H2c] = {}
        self.freed: set[int] = set()
        self.freed_rings: set[int] = set()
        self.rings = 0
        bed.host.reading.append(self._reading)

    async def start(self) -> "Driver":
        """As a driver does: CSRs, function maps, and all contexts cleared."""
        bed = self.bed
        bed.write(0, RING_SIZES, *SIZES)
        bed.write(0, BUFFER_SIZE_CSRS, *BUFFER_SIZES)
        bed.write(0, 0xA00, *TICKS)
        bed.write(0, 0xA40, *COUNTS)
        bed.write(0, 0xBC4, *(error << 16 | colour for error, colour in zip(ERROR_PLACES, COLOUR_PLACES, strict=True)))
        bed.write(0, 0xB50, 25 << 14 | 5 << 2)
        bed.context(FMAP, 0, OF_PF << 32)
        bed.context(FMAP, 7, OF_PF | QUEUES - OF_PF << 32)  # VF 3, function 7, has the remaining ones
        await bed.settle(20)
        return self

    @staticmethod
    def owner(qid: int) -> tuple[int, int]:
        """The queue's function, and its number there."""
        return (7, qid - OF_PF) if qid >= OF_PF else (0, qid)

    def doorbell(self, func: int, relative: int, kind: int, value: int) -> int:
        return self.bed.write(func, (0x18000 if func < 4 else 0x3000) + 16 * relative + kind, value)

    # --- H2C

    def add_h2c(self, qid: int, size_ix: int, *, vector: int | None = None, fields: int = 0) -> H2c:
        func, relative = self.owner(qid)
        self.rings += 1
        base = self.rings << 32 | self.rng.getrandbits(8) << 12
        queue = self.h2c[qid] = H2c(qid, func, relative, SIZES[size_ix], base, vector)
        word = (
            QEN
            | WBI_CHK
            | WBI_INTVL
            | WBK_EN
            | func << 17
            | size_ix << 44
            | 1 << 48
            | (qid % 8) << 54
            | base << 64
            | fields
        )
        if vector is not None:
            word |= IRQ_EN | vector << 128
        self.bed.context(HW_H2C, qid, 0, 0)
        self.bed.context(SW_H2C, qid, word)
        return queue

    def buffer(self, count: int, align: int) -> int:
        """The address of a new buffer, a multiple of `align`, a power of two."""
        self.buffers += 1
        return (self.buffers << BUFFER) + (self.rng.randrange((1 << BUFFER) - count) & -align)

    def descriptor(self, queue: H2c, addr: int, count: int, flags: int) -> int:
        metadata = self.rng.getrandbits(32)
        words = metadata | count << 32 | flags << 48 | addr << 64
        self.bed.memory.write(queue.base + 16 * queue.pidx, words.to_bytes(16, "little"))
        queue.pidx = queue.after(queue.pidx)
        return metadata

    def post(self, queue: H2c, lengths: list[int], *, flags: bool = True, align: int = 1) -> list[int]:
        """Posts a packet of this many buffers; returns their addresses."""
        packet, first, addresses = b"", 0, []
        for i, count in enumerate(lengths):
            flag = (SOP if i == 0 else 0) | (EOP if i == len(lengths) - 1 else 0) if flags else 0
            addresses.append(self.buffer(count, align))
            queue.buffers.add(addresses[-1] >> BUFFER)
            metadata = self.descriptor(queue, addresses[-1], count, flag)
            first = metadata if i == 0 else first
            packet += self.bed.memory.read(addresses[-1], count)
        queue.wanted.append((first, packet, queue.pidx))
        read = [(addr >> BUFFER, count) for addr, count in zip(addresses, lengths, strict=True) if count]
        queue.reading.append((queue.pidx, read))
        return addresses

    def ring(self, queue: H2c, arm: bool = False) -> int:
        queue.arms += arm
        return self.doorbell(queue.func, queue.relative, 4, queue.pidx | arm << 16)

    def _packet(self, cycle: int, out) -> None:
        count = 0 if out.m_axis_h2c_tuser_zero_byte else 64 - out.m_axis_h2c_tuser_mty
        side = (out.m_axis_h2c_tuser_qid, out.m_axis_h2c_tuser_mdata)
        assert out.m_axis_h2c_tuser_port_id == side[0] % 8
        self.log.append((cycle, count))
        if self.open is None:
            self.open = (*side, b"")
        assert self.open[:2] == side, "a packet in a packet"
        assert count == 64 or out.m_axis_h2c_tlast
        data = self.open[2] + out.m_axis_h2c_tdata.to_bytes(64, "little")[:count]
        self.open = (*side, data)
        if not out.m_axis_h2c_tlast:
            return
        self.open, queue = None, self._queue_of(side)
        assert queue.wanted and not queue.is_stopped, f"queue {side[0]}: a packet that was not posted"
        metadata, packet, after = queue.wanted[0]
        assert metadata == side[1], f"queue {side[0]}: not the packet that is next"
        if out.m_axis_h2c_tuser_err:
            assert packet.startswith(data)
            queue.is_stopped = True
        else:
            assert packet == data
            queue.wanted.popleft()
            queue.next = after
            self.received(queue, data)

    def _queue_of(self, side: tuple[int, int]) -> H2c:
        """The queue of a packet. A disabled one has no more packets after the first of the queue set up since."""
        qid, metadata = side
        queue = self.h2c.get(qid)
        if queue and queue.wanted and queue.wanted[0][0] == metadata:
            self.gone.pop(qid, None)
        return self.gone.get(qid) or queue

    def _h2c_status(self, queue: H2c, func: int) -> None:
        low, pidx = (self.bed.words[queue.base + 16 * (queue.size - 1) + offset] for offset in (0, 4))
        assert func == queue.func and low >> 2 & 0x3FFF == 0
        queue.statuses += 1
        queue.cidx, error = low >> 16, low & 3
        assert not error or not queue.errors, "a queue stops once"
        queue.errors |= error
        assert (queue.pidx - pidx) % (queue.size - 1) <= (queue.pidx - queue.cidx) % (queue.size - 1)
        # The data that the status counts has been read from the host.
        while queue.reading and queue.is_behind(queue.reading[0][0]):
            for buffer, count in queue.reading.popleft()[1]:
                assert self.bed.host.answered.get(buffer) == count, "a status before the data"

    async def disable_h2c(self, queue: H2c, operation: int) -> int:
        """As a driver does, which waits while the command is busy; cycles that it took. Then there is no DMA of the
        queue: no read is under way, none comes, and no status."""
        bed = self.bed
        bed.context(SW_H2C, queue.qid, 0, operation)
        await bed.until(lambda: not bed.requests)
        begin = bed.cycle
        await bed.until_not_busy()
        self.freed |= queue.buffers
        self.freed_rings.add(queue.base >> 32)
        assert not any(self.is_freed(read.addr) for read in bed.host.reads.values()), "a read is under way"
        del self.h2c[queue.qid]
        self.gone[queue.qid] = queue
        return bed.cycle - begin

    def is_freed(self, addr: int) -> bool:
        return addr >> BUFFER in self.freed or addr >> 32 in self.freed_rings

    def _reading(self, addr: int) -> None:
        assert not self.is_freed(addr), f"a read of {addr:#x}, whose queue is disabled"

    # --- Completion rings

    def add_cmpt(self, qid: int, size_ix: int, entry_bytes: int, *, mode: int = EVERY, **more: int) -> Ring:
        func, _ = self.owner(qid)
        base = 1 << 48 | qid << 32 | 64 * self.rng.randrange(64)
        ring = Ring(qid, func, base, size_ix, SIZES[size_ix] - 1, entry_bytes, mode=mode, **more)
        self.cmpt[qid], self.entries[qid], self.pending[qid] = ring, 0, 0
        for addr in range(base, base + SIZES[size_ix] * entry_bytes, 4):
            self.bed.words.pop(addr, None)  # a driver's ring begins with zeros
        places = [i for i in range(7) if COLOUR_PLACES[i] < 8 * entry_bytes]
        self.formats[qid] = self.rng.getrandbits(1), self.rng.choice(places)
        self.bed.context(COMPLETION, qid, ring.words())
        self.arm(ring)
        return ring

    def arm(self, ring: Ring) -> None:
        """Updates CIDX to everything that was read, and arms."""
        ring.acknowledge(self.entries[ring.qid] % ring.entries)
        ring.arms += 1
        value = ring.cidx | ring.count_ix << 16 | ring.timer_ix << 20 | ring.mode << 24 | ring.en_stat << 27
        _, relative = self.owner(ring.qid)
        self.doorbell(ring.func, relative, 12, value | ring.en_int << 28)

    def send(self, ring: Ring, data: bytes | int = 0, *, trigger: int = 0, **more) -> Packet:
        """Sends a packet of these bytes, or of this many; its entry has random fields, in the format of its ring."""
        rng, (user_format, place) = self.rng, self.formats[ring.qid]
        self.pending[ring.qid] += 1
        return self.bed.source.packet(
            ring.qid,
            data if isinstance(data, bytes) else rng.randbytes(data),
            user=rng.getrandbits(512),
            trigger=trigger,
            user_format=user_format,
            place=place,
            error=rng.getrandbits(1),
            marker=rng.random() < 0.1,
            **more,
        )

    def packet_granted(self, packet: Packet) -> None:
        """Its entry is the next one of its ring."""
        self.pending[packet.qid] -= 1
        if not packet.completion:
            return
        ring = self.cmpt[packet.qid]
        entry = {"user": packet.user, "trigger": packet.trigger, "format": packet.user_format, "place": packet.place}
        entry |= {"error": packet.error | packet.is_mismatched, "used": int(packet.asked > 0), "length": packet.asked}
        if packet.is_inline:
            # Of a packet with more beats than were granted nothing is kept.
            data = packet.payload if len(packet.data) <= 64 else b""
            entry |= {"user": packet.user & 0xFFFFFFFF | int.from_bytes(data, "little") << 32, "format": 0, "used": 0}
        ring.posts.append(entry | {"packet": packet})
        ring.posted += 1

    def packet_stopped(self, packet: Packet) -> None:
        """Its queue was disabled: it has no entry."""
        ring = self.cmpt.get(packet.qid)
        numbers = [i for i, entry in enumerate(ring.posts) if entry["packet"] is packet] if ring else []
        if numbers:
            assert numbers[0] >= ring.written, f"queue {packet.qid}: an entry of a packet that was stopped"
            del ring.posts[numbers[0]]
            ring.posted -= 1

    def serve(self, ring: Ring) -> None:
        """The driver's work on a queue: reads its entries, arms it, and posts buffers."""
        self.poll(ring)
        self.arm(ring)
        queue = self.c2h.queues.get(ring.qid)
        if queue and queue.room():
            self.c2h.give(queue)

    def poll(self, ring: Ring) -> int:
        """Entries whose colour marks them as new: read by the driver."""
        count, (user_format, place) = 0, self.formats[ring.qid]
        place = COLOUR_PLACES[place] if user_format else 1
        while True:
            number = self.entries[ring.qid]
            words = [self.bed.words.get(ring.address(number) + 4 * i) for i in range(ring.entry_bytes // 4)]
            value = 0 if None in words else sum(word << 32 * i for i, word in enumerate(words))
            if value >> place & 1 != ring.colour(number):
                return count
            self.entries[ring.qid] += 1
            count += 1

    # --- What the card writes

    def _written(self, func: int, addr: int, data: bytes) -> None:
        if self.c2h.written(func, addr, data) or self.c2h.status(func, addr):
            return
        for queue in self.h2c.values():
            if addr == queue.base + 16 * (queue.size - 1):
                self._h2c_status(queue, func)
                return
        for ring in self.cmpt.values():
            if ring.base <= addr < ring.base + (ring.entries + 1) * ring.entry_bytes:
                assert func == ring.func
                if addr == ring.base + ring.entries * ring.entry_bytes:
                    ring.status(addr, int.from_bytes(data, "little"))
                else:
                    count = ring.write(addr, data, COLOUR_PLACES, ERROR_PLACES)
                    for entry in ring.posts[ring.written - count : ring.written]:
                        self.c2h.entry(entry["packet"])
                return
        for ring in self.interrupt_ring.values():
            if addr == ring["base"] + 8 * ring["pidx"]:
                assert func == ring["func"]
                self._interrupt_entry(ring, int.from_bytes(data, "little"))
                return
        raise AssertionError(f"a write to {addr:#x}, which is nobody's")

    def add_interrupt_ring(self, index: int, func: int, vector: int) -> dict:
        base = 3 << 50 | index << 12
        ring = {"index": index, "func": func, "vector": vector, "base": base, "pidx": 0, "cidx": 0, "entries": []}
        self.interrupt_ring[index] = ring
        self.bed.context(INTERRUPT, index, 1 | vector << 1 | 1 << 14 | base >> 12 << 15 | func << 114)
        return ring

    def _interrupt_entry(self, ring: dict, value: int) -> None:
        assert value >> 63 == 1 ^ (len(ring["entries"]) // 512 & 1)
        ring["entries"].append((value >> 39 & 0x7FF, value >> 38 & 1, value & (1 << 37) - 1))
        ring["pidx"] = (ring["pidx"] + 1) % 512

    def read_interrupt_ring(self, ring: dict) -> list[tuple[int, int, int]]:
        """Reads the new entries; CIDX advances."""
        count = (ring["pidx"] - ring["cidx"]) % 512
        ring["cidx"] = ring["pidx"]
        self.doorbell(ring["func"], 0, 0, ring["index"] << 16 | ring["cidx"])
        return ring["entries"][len(ring["entries"]) - count :]

    def _message(self, func: int, vector: int) -> None:
        for queue in self.h2c.values():
            if queue.vector == vector and queue.func == func:
                # A doorbell that arms releases one that was held, and the next one.
                assert queue.interrupts < 2 * queue.arms, "an interrupt that was not armed"
                assert queue.interrupts < queue.statuses, "an interrupt before its status"
                queue.interrupts += 1
                return
        for ring in self.cmpt.values():
            if ring.en_int and ring.vector == vector and ring.func == func and not ring.aggregated:
                assert not ring.en_stat or ring.statuses > ring.causes, "an interrupt before its status"
                ring.causes += 1
                ring.check_arms()
                return
        self.other_messages.append((func, vector))


async def ready(dut, **host) -> Driver:
    bed = await Bed(dut, seeded(running_test()), **host).start()
    return await Driver(bed).start()


def all_out(driver: Driver) -> None:
    for queue in driver.h2c.values():
        assert not queue.wanted and not queue.errors and queue.cidx == queue.next == queue.pidx, f"queue {queue.qid}"
