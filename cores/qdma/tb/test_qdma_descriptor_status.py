# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""qdma_descriptor_status: what is written and where, errors, interrupts that are armed, held and let go."""

from collections import deque

import cocotb
import pytest

from qdma_write_bed import lanes, names, running_test, write_bench
from ullnic_tb import Stepper, cocotb_tests, seeded

OUTPUTS = names(
    "clearing command_ready old_valid old_word door_ready request_ready write_valid write_func write_addr "
    "write_dwords write_data cause_valid cause"
)
INPUTS = names(
    "command_valid command_qid command_word door_valid door_qid door_data request_valid request_qid "
    "request_cidx request_pidx request_error_descriptor request_error_dma request_interrupt write_ready "
    "cause_ready"
)
SIZES = [0, 2, 9, 65, 129, 257, 513, 1025, 2049, 33, 17, 5, 3, 4097, 8193, 65535]
ARM, QEN, WBK, IRQ_EN = 1 << 16, 1 << 32, 1 << 52, 1 << 53
ERR_SENT, IRQ_REQ = 1 << 60, 1 << 61
LATENCY = 6


class Queue:
    """A descriptor ring as its context says; `held` and `armed` as they must be once all has been done."""

    def __init__(self, qid, is_c2h, rng):
        self.qid, self.is_c2h = qid, is_c2h
        self.func, self.vector = rng.randrange(256), rng.randrange(2048)
        self.size_ix = rng.randrange(16)
        self.code = rng.randrange(4)
        self.base = rng.getrandbits(40) << 12
        self.wbk, self.irq_en, self.aggregated = rng.random() < 0.8, rng.random() < 0.8, rng.getrandbits(1)
        self.held, self.armed = False, False
        self.cidx = self.pidx = 0
        self.error = 0

    def word(self) -> int:
        word = self.func << 17 | QEN | self.size_ix << 44 | self.code << 48 | self.base << 64 | self.vector << 128
        return word | WBK * self.wbk | IRQ_EN * self.irq_en | self.aggregated << 139

    @property
    def status_addr(self) -> int:
        return (self.base + (SIZES[self.size_ix] - 1) * (8 << self.code)) % 2**64


class Bed:
    def __init__(self, dut):
        self.s = Stepper(dut, OUTPUTS)
        self.out, self.old = [], []  # what left, in order
        self.inputs = deque()  # commands, doors, requests, one after another

    async def reset(self) -> "Bed":
        await self.s.reset(**dict.fromkeys(INPUTS, 0), ring_size=lanes(SIZES, 16))
        while (await self.s.step()).clearing:
            pass
        return self

    async def step(self, write_ready=1, cause_ready=1, **inputs):
        out = await self.s.step(write_ready=write_ready, cause_ready=cause_ready, **inputs)
        if out.write_valid and write_ready:
            self.out.append((self.s.cycle, "status", out.write_func, out.write_addr, out.write_dwords, out.write_data))
        if out.cause_valid and cause_ready:
            self.out.append((self.s.cycle, "cause", out.cause))
        if out.old_valid:
            self.old.append(out.old_word)
        return out

    async def _until(self, name: str, ready, **inputs) -> None:
        for _ in range(400):
            out = await self.step(*ready(), **{f"{name}_valid": 1}, **inputs)
            if getattr(out, f"{name}_ready"):
                self.s.set(**{f"{name}_valid": 0})
                return
        raise AssertionError("it hangs")

    async def command(self, queue: Queue, word: int, ready=lambda: (1, 1)) -> None:
        await self._until("command", ready, command_qid=queue.qid, command_is_c2h=queue.is_c2h, command_word=word)

    async def door(self, queue: Queue, pidx: int, arm: int, ready=lambda: (1, 1)) -> None:
        await self._until("door", ready, door_qid=queue.qid, door_is_c2h=queue.is_c2h, door_data=pidx | arm << 16)
        for _ in range(4):
            await self.step(*ready())

    async def request(self, queue: Queue, cidx, pidx, interrupt=0, dsc=0, dma=0, ready=lambda: (1, 1)) -> None:
        await self._until("request", ready, request_qid=queue.qid, request_is_c2h=queue.is_c2h, request_cidx=cidx,
                          request_pidx=pidx, request_interrupt=interrupt, request_error_descriptor=dsc,
                          request_error_dma=dma)  # fmt: skip

    async def settle(self, count: int = 60) -> None:
        for _ in range(count):
            await self.step()


def queues(rng) -> list[Queue]:
    return [Queue(qid, is_c2h, rng) for qid in range(16) for is_c2h in (0, 1)]


@cocotb.test()
async def status(dut):
    """In the last slot of rings of all sizes; one error bit, whichever it was; none without a place."""
    rng = seeded(running_test())
    bed = await Bed(dut).reset()
    for i, queue in enumerate(queues(rng)):
        queue.size_ix, queue.wbk = i % 16, i % 7 != 3
        await bed.command(queue, queue.word())
        cidx, pidx, dsc, dma = rng.getrandbits(16), rng.getrandbits(16), rng.getrandbits(1), rng.getrandbits(1)
        await bed.request(queue, cidx, pidx, dsc=dsc, dma=dma)
        begin = bed.s.cycle
        await bed.settle(20)
        wanted = [(begin + LATENCY, "status", queue.func, queue.status_addr, 2, dsc | dma | cidx << 16 | pidx << 32)]
        assert bed.out == (wanted if queue.wbk and SIZES[queue.size_ix] else []), queue.__dict__
        bed.out.clear()
        await bed.command(queue, 0)
        await bed.settle(8)
        assert bed.old[-1] == queue.word() | ERR_SENT * (dsc | dma), "err_dsc and err_dma are the fetch's"


@cocotb.test()
async def resets(dut):
    """In each cycle of a request or a doorbell: nothing of it leaves afterwards, and the next request is in time."""
    rng = seeded(running_test())
    for after in range(2 * (LATENCY + 4)):
        bed = await Bed(dut).reset()
        assert (await bed.step()).write_valid == 0
        await bed.settle(20)
        assert bed.out == []
        queue = Queue(rng.randrange(16), after % 2, rng)
        queue.size_ix, queue.wbk, queue.irq_en = 3, True, True
        await bed.command(queue, queue.word())
        await bed.settle(8)
        await bed.request(queue, 7, 9)
        begin = bed.s.cycle
        await bed.settle(20)
        assert bed.out == [(begin + LATENCY, "status", queue.func, queue.status_addr, 2, 7 << 16 | 9 << 32)]
        await bed.door(queue, 0, 1)
        await bed.request(queue, 8, 9, interrupt=1)
        for _ in range(after // 2):
            await bed.step(write_ready=int(after > 12), cause_ready=0)


@cocotb.test()
async def not_aligned(dut):
    """A ring that is not aligned to its descriptors has no status: its TLP could cross 4 KiB."""
    rng = seeded(running_test())
    bed = await Bed(dut).reset()
    for i, queue in enumerate(queues(rng)):
        queue.wbk, queue.size_ix, queue.code = True, 4, i % 4
        offset = rng.randrange(64)
        queue.base |= offset
        await bed.command(queue, queue.word())
        await bed.request(queue, 1, 1, dsc=1)
        await bed.settle(20)
        assert len(bed.out) == (offset % (8 << queue.code) == 0)
        bed.out.clear()


@cocotb.test()
async def armed_and_held(dut):
    """An interrupt that was not kept takes the arm; one that comes before waits for it; status before interrupt."""
    rng = seeded(running_test())
    bed = await Bed(dut).reset()
    rings = queues(rng)
    for queue in rings:
        await bed.command(queue, queue.word())
    await bed.settle()
    for _ in range(500):
        queue = rng.choice(rings)
        ready = lambda: (rng.random() < 0.7, rng.random() < 0.7)  # noqa: E731
        bed.out.clear()
        interrupt = 0
        if rng.random() < 0.5:
            queue.cidx, queue.pidx = rng.getrandbits(16), rng.getrandbits(16)
            interrupt = rng.getrandbits(1)
            await bed.request(queue, queue.cidx, queue.pidx, interrupt=interrupt, ready=ready)
            queue.held |= bool(interrupt and queue.irq_en)
            has_status = queue.wbk and SIZES[queue.size_ix]
        else:
            arm = rng.getrandbits(1)
            queue.pidx = rng.getrandbits(16)
            await bed.door(queue, queue.pidx, arm, ready=ready)
            queue.armed |= bool(arm)
            has_status = False
        await bed.settle(40)
        kinds = [entry[1] for entry in bed.out]
        fires = queue.held and queue.armed and queue.irq_en
        assert kinds == ["status"] * bool(has_status) + ["cause"] * bool(fires), (queue.__dict__, kinds)
        if fires:
            status = queue.pidx | queue.cidx << 16
            wanted = queue.qid << 62 | queue.is_c2h << 61 | queue.func << 49 | queue.aggregated << 48
            assert bed.out[-1][2] == wanted | queue.vector << 37 | status
            queue.held, queue.armed = False, not interrupt
    for queue in rings:
        await bed.command(queue, 0)
        await bed.settle(6)
        old = bed.old[-1]
        assert (bool(old & ARM), bool(old & IRQ_REQ)) == (queue.armed, queue.held and queue.irq_en)


@cocotb.test()
async def kept_one_is_old(dut):
    """Software has seen the status of an interrupt that is kept, arms, and arms with its next descriptors, before the
    kept one is let go: the interrupt of these descriptors is sent all the same."""
    rng = seeded(running_test())
    bed = await Bed(dut).reset()
    rings = [queue for queue in queues(rng) if not queue.is_c2h]
    for queue in rings:
        queue.irq_en = True
        await bed.command(queue, queue.word())
    await bed.settle()
    busy, *rings = rings
    busy.wbk, busy.size_ix = True, 3
    await bed.command(busy, busy.word())
    for queue in rings:
        await bed.request(queue, 1, 1, interrupt=1)
        await bed.settle(20)
        bed.out.clear()
        # A status that cannot leave keeps the block from looking at the doorbells.
        await bed.request(busy, 1, 1)
        for pidx in (1, 2):
            await bed.door(queue, pidx, 1, ready=lambda: (0, 1))
        await bed.settle(40)
        assert [entry[1] for entry in bed.out] == ["status", "cause"]
        bed.out.clear()
        await bed.request(queue, 2, 2, interrupt=1)
        await bed.settle(40)
        assert [entry[1] for entry in bed.out][-1:] == ["cause"]
        assert bed.out[-1][2] & 0xFFFFFFFF == 2 << 16 | 2


@cocotb.test()
async def at_once(dut):
    """Requests and doorbells that arm of all queues at once, with no pause: as many interrupts as there must be."""
    rng = seeded(running_test())
    bed = await Bed(dut).reset()
    rings = queues(rng)
    for queue in rings:
        queue.irq_en = True
        await bed.command(queue, queue.word())
    await bed.settle()
    for _ in range(6):
        bed.out.clear()
        for queue in rng.sample(rings, len(rings)):
            steps = [lambda q=queue: bed.request(q, 1, 2, interrupt=1), lambda q=queue: bed.door(q, 3, 1)]
            rng.shuffle(steps)
            for step in steps:
                await step()
        await bed.settle(1200)
        assert len([entry for entry in bed.out if entry[1] == "cause"]) == len(rings)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_descriptor_status(test):
    modules = ("qdma_arbiter", "qdma_context_ram", "qdma_id_queue", "qdma_descriptor_status")
    write_bench("qdma_descriptor_status", *modules).run(__name__, test)
