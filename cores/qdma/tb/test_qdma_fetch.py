# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Descriptor fetch: order, wraps, fairness, places, rate, and what stops a queue."""

import os
from collections import deque

import cocotb
import pytest

from qdma_bed import HERE
from qdma_host import NO_ERROR
from qdma_rings import (
    ALL,
    BATCH_BYTES,
    BYPASS,
    DSC_PND,
    ERR_DMA,
    ERR_DSC,
    IDL_STP_B,
    IS_MM,
    QEN,
    WBK_EN,
    Rings,
    fetch_sources,
)
from ullnic_tb import Bench, cocotb_tests, parameter, seeded

QUEUES, PLACES = parameter("QUEUES", 16), parameter("PLACES", 256)
READ_CYCLES = 9  # from a doorbell event of an idle queue to its read TLP
LATENCY = 175  # cycles, 700 ns
MAX_BATCH, MAX_PENDING = 64, 15
FCRD_EN = 1 << 33
NO_RETIRE = {"retire_stopped": 0, "retire_err_dsc": 0, "retire_err_dma": 0, "retire_rewound": 0, "retire_index": 0}


class Rig(Rings):
    """Checks each descriptor, and retires the batches after a while. `rewind` says of a batch whether it is rewound to
    the index that it gives."""

    outputs = (
        "descriptor_valid",
        "qid",
        "func",
        "index",
        "cidx",
        "pidx",
        "is_start",
        "is_end",
        "is_continued",
        "error",
    )
    outputs += ("data", "retire_ready", "bad_valid", "bad_status")
    idle = {"descriptor_ready": 0, "retire_valid": 0, "bad_ready": 0} | NO_RETIRE

    def __init__(self, dut, rng, **host):
        super().__init__(dut, rng, **host)
        self.retires: deque[tuple[int, dict]] = deque()
        self.log: list[tuple[int, int, int]] = []  # cycle, queue, index of each descriptor
        self.batches: list[int] = []  # queues, as their reads left
        self.bad: list[int] = []  # status of queues whose context is bad
        self.places = self.most_places = 0
        self.retire_delay = (0, 40)
        self.begun = None  # index at which the batch has begun
        self.continues = None  # the queue that the next batch must be of
        self.rewind = lambda queue, begun: None
        self.rewinds = False

    def inputs(self, cycle: int, ready: float = 1.0) -> dict:
        retire = {"retire_valid": 0}
        if self.retires and self.retires[0][0] <= cycle:
            retire = {"retire_valid": 1, **self.retires[0][1]}
        bad_ready = int(self.rng.random() < 0.3)
        return {"descriptor_ready": int(self.rng.random() < ready), "bad_ready": bad_ready, **retire}

    def seen(self, cycle: int, inputs: dict, out) -> None:
        if inputs["retire_valid"] and out.retire_ready:
            self.retires.popleft()
        if out.bad_valid and inputs["bad_ready"]:
            self.bad.append(out.bad_status)
        if out.descriptor_valid and inputs["descriptor_ready"]:
            self.check(cycle, out)

    def seen_read(self, read) -> None:
        queue = next(q for q in self.queues.values() if q.base <= read.addr < q.base + q.size * q.bytes)
        assert read.func == queue.func and read.count <= BATCH_BYTES
        assert (read.addr - queue.base) % queue.bytes == read.count % queue.bytes == 0
        assert read.addr + read.count <= queue.base + (queue.size - 1) * queue.bytes
        if not self.batches or self.batches[-1] != queue.qid or read.addr % BATCH_BYTES == 0:
            self.batches.append(queue.qid)
        self.places += read.count // queue.bytes
        self.most_places = max(self.most_places, self.places)

    def check(self, cycle: int, out) -> None:
        queue = self.queues[out.qid]
        assert self.continues in (None, queue.qid)
        self.continues = None
        if out.is_start:
            queue.stopped = False
        if self.begun is None:
            self.begun = out.index
        assert out.func == queue.func
        retire, rewound = {}, None
        if out.error != NO_ERROR:
            assert out.is_end and not out.data
            if not queue.stopped:
                assert out.index == queue.next and self.host.errors[out.error]
            retire = {"retire_stopped": 1, "retire_err_dma": int(not queue.stopped)}
            queue.stopped = True
        elif queue.stopped:
            retire = {"retire_stopped": 1}
        else:
            assert queue.posted() > 0, f"queue {queue.qid}: a descriptor that was not posted"
            assert (out.index, out.cidx) == (queue.next, queue.after(queue.next))
            wanted = self.memory.read(queue.base + queue.next * queue.bytes, queue.bytes)
            assert out.data == int.from_bytes(wanted, "little")
            queue.next, queue.got = queue.after(queue.next), queue.got + 1
            self.log.append((cycle, queue.qid, out.index))
            if out.is_end:
                rewound = self.rewind(queue, self.begun)
                self.continues = queue.qid if out.is_continued else None
            if rewound is not None:
                queue.next, queue.stopped = rewound, True  # what is under way is dropped
                retire = {"retire_rewound": 1, "retire_index": rewound}
        self.places -= 1
        if out.is_end:
            self.begun = None
            self.retires.append(
                (cycle + self.rng.randint(*self.retire_delay), {"retire_qid": queue.qid, **NO_RETIRE, **retire})
            )

    async def drain(self, limit: int = 20000, **rates) -> None:
        begin = self.s.cycle
        while any(q.posted() and (not q.stopped or self.rewinds) for q in self.queues.values()):
            assert self.s.cycle - begin < limit, [(q.qid, q.posted(), q.next) for q in self.queues.values()]
            await self.step(**rates)
        quiet = 0
        while quiet < 60:
            out = await self.step()
            quiet = 0 if self.retires or self.host.reads or out.read_valid or out.descriptor_valid else quiet + 1


@cocotb.test()
async def random_rings(dut):
    """Rings of any size, base and size of descriptors, posted in any steps; each descriptor once, in order."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng, mrrs=rng.choice((128, 256, 512, 4096))).start()
    for _ in range(QUEUES):
        dsc_sz = rng.randrange(3)
        base = rng.getrandbits(40) << 12 | rng.randrange(4096 >> 3 + dsc_sz) << 3 + dsc_sz
        await rig.add(rng.choice((2, 3, 9, 65, 129, 200)), dsc_sz, base=base, fields=FCRD_EN * rng.getrandbits(1))
    for ready in (1.0, 0.3):
        for _ in range(120):
            queue = rng.choice(list(rig.queues.values()))
            room = queue.size - 2 - queue.posted()
            if room > 0:
                await rig.ring(queue, queue.after(queue.pidx, rng.choice((1, room, rng.randint(1, room)))))
            for _ in range(rng.choice((0, 0, 10, 60))):
                await rig.step(ready=ready, read=0.8)
        await rig.drain(ready=ready)
    for queue in rig.queues.values():
        await rig.check_idle(queue)
        uses_credits = await rig.read(queue.qid) & FCRD_EN
        assert await rig.read(queue.qid, hw=1) >> 16 & 0xFFFF == (queue.got if uses_credits else 0), "credits used"
    assert rig.context_errors == []


@cocotb.test()
async def beside_commands(dut):
    """Turns with nothing to fetch among others, while commands read hardware contexts in almost every cycle: none takes
    the context of another queue's."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng, mrrs=512).start()
    queues = [await rig.add(5) for _ in range(6)]
    for _ in range(300):
        queue = rng.choice(queues)
        if room := queue.size - 2 - queue.posted():
            await rig.ring(queue, queue.after(queue.pidx, rng.randint(1, room)))
        rig.events.extend(rng.choices(range(len(queues)), k=4))
        out = None
        for _ in range(30):
            if out is None or out.command_ready or not rig.command["command_valid"]:
                read = {"command_is_hw": 1, "command_is_write": 0, "command_qid": rng.randrange(len(queues))}
                rig.command = {"command_valid": int(rng.random() < 0.9), **read}
            out = await rig.step(ready=0.7)
        while rig.command["command_valid"]:
            if (await rig.step()).command_ready:
                rig.command = {"command_valid": 0}
        for _ in range(4):  # the last ones are done: a write is not to be mistaken for them
            await rig.step()
    await rig.drain()
    for queue in queues:
        await rig.check_idle(queue)
    assert rig.context_errors == []


@cocotb.test()
async def read_errors(dut):
    """A read that fails stops its queue at the descriptor that is not there; the driver starts it again."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng, mrrs=256, fault_rate=0.1).start()
    for _ in range(QUEUES):
        await rig.add(129)
    stops = 0
    for _ in range(100):
        queue = rng.choice(list(rig.queues.values()))
        room = queue.size - 2 - queue.posted()
        if not queue.stopped and room:
            await rig.ring(queue, queue.after(queue.pidx, rng.randint(1, room)))
        await rig.drain()
        if queue.stopped:
            stops += 1
            await rig.check_idle(queue, stopped=True)
            reads = len(rig.read_at)
            await rig.ring(queue, queue.after(queue.pidx))
            await rig.drain()
            assert len(rig.read_at) == reads, "a queue that is stopped was read"
            sw = await rig.read(queue.qid)
            await rig.write(queue.qid, 0, ALL, hw=1)
            await rig.write(queue.qid, sw & ~(0xFFFF | ERR_DSC | ERR_DMA) | QEN, ALL)
            queue.pidx = queue.next = queue.got = 0
            queue.stopped = False
    assert stops > 3
    for queue in rig.queues.values():
        await rig.check_idle(queue)


@cocotb.test()
async def bad_contexts(dut):
    """What cannot be fetched stops its queue with err_dsc, a status and no read; others go on. Not enabled: nothing
    happens."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng).start()
    good = await rig.add(65)
    bad = [
        await rig.add(0, ring=14, fields=WBK_EN),  # a ring of no size
        await rig.add(1, ring=15),  # of its status alone
        await rig.add(65, base=0x5000000008),  # base not aligned to 16
        await rig.add(65, dsc_sz=2, base=0x6000000010),
        await rig.add(65, dsc_sz=3, base=0x7000000000, fields=WBK_EN),
        await rig.add(65),  # PIDX beyond
        await rig.add(65),  # CIDX beyond
        await rig.add(65, fields=IS_MM | WBK_EN),
        await rig.add(65, fields=BYPASS | WBK_EN),
    ]
    await rig.write(bad[6].qid, 64, 0xFFFF, hw=1)
    off = await rig.add(65)
    await rig.write(off.qid, 0, QEN)
    stopped = [await rig.add(65, fields=error) for error in (ERR_DSC, ERR_DMA)]
    for queue in bad:
        pidx = 64 if queue is bad[5] else 5
        await rig.write(queue.qid, pidx, 0xFFFF)
        rig.events.append(queue.qid)
        await rig.ring(good, good.after(good.pidx, 3))
    for queue in (off, *stopped):
        await rig.write(queue.qid, 5, 0xFFFF)
        rig.events.append(queue.qid)
    for _ in range(300):
        await rig.step()
    assert rig.context_errors == [queue.qid for queue in bad]
    reported = [queue for queue in bad if await rig.read(queue.qid) & WBK_EN]
    assert rig.bad == [1 << 51 | queue.qid << 40 | queue.func << 32 | 5 for queue in reported] and len(reported) == 4
    assert good.got == 3 * len(bad) and set(rig.batches) == {good.qid}
    await rig.check_idle(good)
    for queue in bad:
        sw, hw = await rig.read(queue.qid), await rig.read(queue.qid, hw=1)
        assert sw & (QEN | ERR_DSC | ERR_DMA) == ERR_DSC and hw & (IDL_STP_B | DSC_PND) == 0
    # Again and again: none of the places is lost.
    for _ in range(8):
        for queue in (*bad, off):
            await rig.write(queue.qid, 0 if queue is off else QEN, QEN | ERR_DSC | ERR_DMA)
            rig.events.append(queue.qid)
        for _ in range(200):
            await rig.step()
    big = await rig.add(2049)
    await rig.ring(big, 300)
    await nothing_accepted(rig)
    assert rig.context_errors == 9 * [queue.qid for queue in bad]
    for _ in range(600):
        await rig.step()
    assert big.got == 300


async def nothing_accepted(rig: Rig) -> None:
    """All places are used, and no more."""
    for _ in range(1500):
        await rig.step(ready=0.0)
    assert PLACES - MAX_BATCH < rig.most_places <= PLACES


def rate(log: list[tuple[int, int, int]]) -> float:
    """Descriptors a cycle, the first tenth aside."""
    log = log[len(log) // 10 :]
    return (len(log) - 1) / (log[-1][0] - log[0][0])


@cocotb.test()
async def one_queue(dut):
    """One queue alone, memory 700 ns away: more than 134 Mpps at 250 MHz, with 56 descriptors and more under way."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng, latency=(LATENCY, LATENCY), in_order=True, part=512).start()
    queue = await rig.add(2049)
    await rig.ring(queue, 2000)
    await rig.drain()
    assert queue.got == 2000
    assert rate(rig.log) > 0.6, rate(rig.log)
    assert 56 <= rig.most_places <= PLACES


@cocotb.test()
async def many_queues(dut):
    """All queues posted full: turns go round, and the rate is that of one queue."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng, latency=(LATENCY, LATENCY), in_order=True, part=512).start()
    queues = [await rig.add(2049) for _ in range(QUEUES)]
    for queue in queues:
        await rig.write(queue.qid, 256, 0xFFFF)
        queue.pidx = 256
    rig.events.extend(range(QUEUES))
    await rig.drain()
    assert len(rig.log) == 256 * QUEUES
    assert rate(rig.log) > 0.6, rate(rig.log)
    served = [queue for i, (_, queue, _) in enumerate(rig.log) if i == 0 or rig.log[i - 1][1] != queue]
    last: dict[int, int] = {}
    served = served[2 * QUEUES : -4 * QUEUES]  # doorbells come one by one, and so do ends
    assert len(served) >= 2 * QUEUES
    for i, queue in enumerate(served):
        if queue in last:
            assert len(set(served[last[queue] + 1 : i])) == QUEUES - 1
        last[queue] = i


@cocotb.test()
async def small_steps(dut):
    """A doorbell a descriptor: a queue has at most 15 batches under way, and goes on when one is retired."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng, latency=(LATENCY, LATENCY), in_order=True, part=512).start()
    rig.retire_delay = (300, 300)
    queue = await rig.add(513)
    most = 0
    for i in range(60):
        await rig.ring(queue, i + 1)
        for _ in range(4):
            await rig.step()
        most = max(most, (await rig.read(queue.qid, hw=1)) >> 43 & 15)
    await rig.drain()
    assert most == MAX_PENDING and queue.got == 60
    await rig.check_idle(queue)


@cocotb.test()
async def nobody_takes(dut):
    """While no descriptor is accepted, no more than PLACES are asked for, and batches can be retired."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng).start()
    queues = [await rig.add(2049) for _ in range(QUEUES)]
    for queue in queues:
        await rig.ring(queue, 300)
        await rig.step(ready=0.0)
    await nothing_accepted(rig)
    await rig.drain()
    for queue in queues:
        await rig.check_idle(queue)


@cocotb.test()
async def rewound(dut):
    """A batch that is rewound is fetched again from its index, after all that was under way; from then on a turn of its
    queue goes on to the pidx that it has seen, and other queues' turns as before."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng).start()
    queues = [await rig.add(rng.choice((129, 300))) for _ in range(4)]
    chains = queues[:2]
    seen = set()

    def rewind(queue, begun):
        """Once a queue, to within its second batch."""
        if queue not in chains or queue.qid in seen or queue.got < 40 or queue.next == queue.pidx:
            return None
        seen.add(queue.qid)
        return begun

    rig.rewind, rig.rewinds = rewind, True
    for _ in range(8):
        for queue in queues:
            await rig.ring(queue, queue.after(queue.pidx, queue.size - 2 - queue.posted()))
        await rig.drain()
    assert seen == {queue.qid for queue in chains}
    for queue in queues:
        await rig.check_idle(queue)
        assert await rig.read(queue.qid, hw=1) >> 47 == 0, "the fetch's own bits are not shown"
    last = [(queue, index) for _, queue, index in rig.log[-sum(queue.size - 2 for queue in queues) :]]
    for queue in chains:  # in one piece
        places = [i for i, (qid, _) in enumerate(last) if qid == queue.qid]
        assert places == list(range(places[0], places[0] + queue.size - 2))


@cocotb.test()
async def latency(dut):
    """From the event of an idle queue to its read TLP."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng).start()
    queue = await rig.add(65)
    for i in range(5):
        await rig.ring(queue, i + 1)
        await rig.drain()
        assert rig.read_at[-1] - rig.last_event == READ_CYCLES


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_fetch(test):
    sources = [*fetch_sources(), HERE / "qdma_fetch_bench.sv"]
    Bench("qdma_fetch_bench", sources, {"QUEUES": 16, "PLACES": 256}).run(__name__, test)
