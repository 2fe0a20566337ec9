# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Memory-mapped queues of a driver, the card's memory behind AXI4, and the invariants of both.

Each byte is only where its descriptor says, data precedes the status that counts it, and a status precedes its
interrupt.
"""

from collections import deque
from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from qdma_card_memory import PAGE
from qdma_contract import HW_C2H, HW_H2C, SW_C2H, SW_H2C
from qdma_top_bed import MPS, TOPS, top_bench
from qdma_top_driver import IRQ_EN, QEN, SIZES, WBI_CHK, WBI_INTVL, WBK_EN, Driver, ready
from ullnic_tb import Bench, main_and_kept

WITH_BYPASS, PLAIN = "bypass", "plain"  # models: a queue's bypass is there, but not switched on, or is not there
IS_MM, SIZE_32 = 1 << 63, 2 << 48
C2H_CTL, H2C_CTL, C2H_STATUS, H2C_STATUS = 0x1004, 0x1204, 0x1040, 0x1240
ALL_MM = 0x30101  # of GLBL2_CHANNEL_MDMA: streams and one engine for each direction
PLACE = 29  # bits of an address within the place of a descriptor
DMA_ERROR, DSC_ERROR = 1, 2  # of a status


def mm_bench(top: str = TOPS[0], model: str = PLAIN) -> Bench:
    return top_bench(top, mm=True, bypass=model == WITH_BYPASS)


def mm_cases(file: str, tests: Iterable[str], only_plain: Container[str] = ()) -> list:
    """Of parametrize("test, model"): each on the model that has bypass, in every run, and on the plain one, kept."""
    both = [(test, WITH_BYPASS) for test in tests if test not in only_plain] + [(test, PLAIN) for test in tests]
    return main_and_kept(file, both, lambda _, model: model == WITH_BYPASS)


@dataclass
class Move:
    """A descriptor."""

    host: int
    card: int
    count: int
    after: int  # the index after it
    queue: "MmQueue"
    moved: int = 0  # bytes


@dataclass
class MmQueue:
    qid: int
    is_c2h: bool
    func: int
    relative: int
    size: int
    base: int
    vector: int | None
    word: int = 0
    pidx: int = 0
    cidx: int = 0
    moves: deque = field(default_factory=deque)  # those that no status has counted
    error: int = 0
    statuses: int = 0
    interrupts: int = 0
    done: int = 0
    is_disabled: bool = False  # no DMA of it is allowed

    def status_at(self) -> int:
        return self.base + (8 << (self.word >> 48 & 3)) * (self.size - 1)

    def room(self) -> int:
        return self.size - 2 - (self.pidx - self.cidx) % (self.size - 1)

    def after(self, index: int) -> int:
        return (index + 1) % (self.size - 1)


class Mm:
    """Works beside a Driver: it has its own queues, and those of streams belong to the driver."""

    def __init__(self, driver: Driver):
        self.driver, self.bed, self.rng = driver, driver.bed, driver.rng
        self.queues: dict[tuple[int, bool], MmQueue] = {}
        self.rings: dict[int, MmQueue] = {}
        self.places: dict[int, Move] = {}  # by the page of the card's and of the host's address
        self.count = 0
        self.memory = self.bed.card_memory
        self.memory.writes, self.memory.reads = self._card_written, self._card_read
        self._others, self._other_messages = self.bed.written, self.bed.message
        self.bed.written, self.bed.message = self._written, self._message

        self.bed.host.reading.append(self._reading)
        self.written_at: list[int] = []  # cycles of the TLPs of payload

    def _reading(self, addr: int) -> None:
        move = self.places.get(addr >> PLACE)
        queue = move.queue if move else self.rings.get(addr >> 32)
        assert not queue or not queue.is_disabled, f"a read of queue {queue.qid} after it was disabled"

    async def start(self, *, run: int = 1) -> "Mm":
        self.bed.write(0, C2H_CTL, run)
        self.bed.write(0, H2C_CTL, run)
        await self.bed.settle(20)
        return self

    def add(self, qid: int, is_c2h: bool, size_ix: int, *, vector: int | None = None, when: int = WBI_CHK | WBI_INTVL,
            fields: int = 0) -> MmQueue:  # fmt: skip
        func, relative = self.driver.owner(qid)
        base = 1 << 52 | is_c2h << 48 | (qid + 1) << 32 | self.rng.getrandbits(8) << 12
        queue = MmQueue(qid, is_c2h, func, relative, SIZES[size_ix], base, vector)
        queue.word = QEN | WBK_EN | when | func << 17 | size_ix << 44 | SIZE_32 | IS_MM | base << 64 | fields
        if vector is not None:
            queue.word |= IRQ_EN | vector << 128
        self.queues[qid, is_c2h] = self.rings[base >> 32] = queue
        self.enable(queue)
        return queue

    def enable(self, queue: MmQueue, *, cidx: int | None = None) -> None:
        """The contexts of a queue that has nothing posted. `cidx`: of its hardware context, which stays unchanged."""
        queue.pidx = queue.cidx = cidx or 0
        queue.error = 0
        queue.is_disabled = False
        for move in queue.moves:
            self.places.pop(move.card >> PLACE, None)
            self.places.pop(move.host >> PLACE, None)
        queue.moves.clear()
        if cidx is None:
            self.bed.context(HW_C2H if queue.is_c2h else HW_H2C, queue.qid, 0, 0)
        self.bed.context(SW_C2H if queue.is_c2h else SW_H2C, queue.qid, queue.word | queue.pidx)

    async def disable(self, queue: MmQueue, operation: int) -> int:
        """As a driver does, which waits while the command is busy; cycles that it took. Then no DMA of the queue."""
        bed = self.bed
        bed.context(SW_C2H if queue.is_c2h else SW_H2C, queue.qid, 0, operation)
        await bed.until(lambda: not bed.requests)
        begin = bed.cycle
        await bed.until_not_busy()
        queue.is_disabled = True
        return bed.cycle - begin

    def post(self, queue: MmQueue, count: int, *, host: int | None = None, card: int | None = None) -> Move:
        """Posts a descriptor; host and card are offsets in a page, drawn by default."""
        rng = self.rng
        self.count += 1
        host = rng.randrange(PAGE) if host is None else host
        card = rng.randrange(PAGE) if card is None else card
        move = Move(
            (1 << 33 | self.count) << PLACE | host,
            (1 << 34 | self.count) << PLACE | rng.getrandbits(4) << 12 | card,
            count,
            queue.after(queue.pidx),
            queue,
        )
        self.places[move.host >> PLACE] = self.places[move.card >> PLACE] = move
        self.write_descriptor(move, queue.pidx)
        queue.moves.append(move)
        queue.pidx = move.after
        return move

    def write_descriptor(self, move: Move, index: int) -> None:
        queue, rng = move.queue, self.rng
        src, dst = (move.card, move.host) if queue.is_c2h else (move.host, move.card)
        flags = rng.getrandbits(4) << 28 | rng.getrandbits(36) << 28  # reserved, or used by drivers
        word = src | (move.count | flags) << 64 | dst << 128 | rng.getrandbits(64) << 192
        self.bed.memory.write(queue.base + 32 * index, word.to_bytes(32, "little"))

    def ring(self, queue: MmQueue, *, arm: bool = True) -> None:
        self.driver.doorbell(queue.func, queue.relative, 8 if queue.is_c2h else 4, queue.pidx | arm << 16)

    # --- What is moved

    def _place(self, addr: int, count: int, at: str) -> Move:
        move = self.places.get(addr >> PLACE)
        assert move and not move.queue.is_disabled, f"DMA of nothing that is posted, {addr:#x}"
        begin = getattr(move, at)
        assert begin <= addr and addr + count <= begin + move.count, f"{addr:#x} is not the descriptor's"
        return move

    def _card_written(self, addr: int, data: bytes) -> None:
        move = self._place(addr, len(data), "card")
        assert not move.queue.is_c2h
        assert data == self.bed.memory.read(move.host + addr - move.card, len(data)), "other bytes than the host's"
        move.moved += len(data)

    def _card_read(self, addr: int, count: int) -> None:
        move = self.places.get(addr >> PLACE)
        assert move and move.queue.is_c2h and not move.queue.is_disabled

    def _written(self, func: int, addr: int, data: bytes) -> None:
        if addr >> PLACE in self.places:
            move = self._place(addr, len(data), "host")
            assert move.queue.is_c2h and func == move.queue.func
            assert addr // MPS == (addr + len(data) - 1) // MPS, "a write crosses MPS"
            self.written_at.append(self.bed.cycle)
            assert data == self.memory.peek(move.card + addr - move.host, len(data)), "other bytes than the card's"
            move.moved += len(data)
            return
        for queue in self.queues.values():
            if addr == queue.status_at():
                self._status(queue, func, int.from_bytes(data, "little"))
                return
        self._others(func, addr, data)

    def _status(self, queue: MmQueue, func: int, value: int) -> None:
        error, cidx, pidx = value & 0xFFFF, value >> 16 & 0xFFFF, value >> 32
        assert func == queue.func and not queue.is_disabled and not queue.error
        assert (queue.pidx - pidx) % (queue.size - 1) <= (queue.pidx - queue.cidx) % (queue.size - 1)
        left = (queue.pidx - cidx) % (queue.size - 1)
        assert left <= len(queue.moves), "CIDX goes back"
        while len(queue.moves) > left:
            move = queue.moves.popleft()
            assert move.moved == move.count, f"a status before the data: {move.moved} of {move.count}"
            del self.places[move.host >> PLACE], self.places[move.card >> PLACE]
            queue.done += 1
        queue.cidx, queue.error = cidx, error
        queue.statuses += 1

    def _message(self, func: int, vector: int) -> None:
        for queue in self.queues.values():
            if (queue.func, queue.vector) == (func, vector):
                assert queue.interrupts < queue.statuses, "an interrupt before its status"
                queue.interrupts += 1
                return
        self._other_messages(func, vector)

    def is_busy(self) -> bool:
        return any(queue.moves for queue in self.queues.values() if not queue.error and not queue.is_disabled)

    async def drain(self, limit: int = 60000) -> None:
        await self.bed.until(lambda: not self.is_busy() and not self.bed.requests, limit)
        await self.bed.settle(40)


async def ready_mm(dut, *, run: int = 1, **host) -> Mm:
    driver = await ready(dut, **host)
    return await Mm(driver).start(run=run)
