# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Streaming H2C, from the doorbell to the packet: packets of any shape, chains, order, rates, each kind of error."""

import os
from collections import deque

import cocotb
import pytest

from qdma_bed import CORE, HERE
from qdma_rings import ALL, ERR_DMA, ERR_DSC, QEN, WBI_CHK, WBI_INTVL, WBK_EN, Queue, Rings, fetch_sources
from ullnic_tb import Bench, cocotb_tests, long_run, parameter, rounds, seeded

QUEUES = parameter("QUEUES", 16)
LATENCY = 175  # cycles, 700 ns
READ_CYCLES = 9  # from a doorbell event to the read TLP of its descriptor: the page's figures
PAYLOAD_CYCLES = 8  # from the descriptor's completion to the read TLP of the payload
PACKET_CYCLES = 5  # from the payload's completion to the first beat of the packet
ROTATED_CYCLES = 8  # the same of a payload from within a line
SOP, EOP = 1, 2
DSC, DMA = 1, 2  # errors of a status


class Rig(Rings):
    """Posts packets, holds what comes out against them, and follows status."""

    outputs = ("packet_valid", "qid", "metadata", "is_sop", "is_eop", "is_error", "bytes", "data")
    outputs += ("status_valid", "status_qid", "status_cidx", "status_error")
    idle = {"packet_ready": 0, "status_ready": 0, "status_interval": 0}

    def __init__(self, dut, rng, **host):
        super().__init__(dut, rng, **host)
        self.wanted: dict[int, deque] = {}  # of each queue: metadata, bytes, index after it
        self.open = None  # of the packet that comes out: queue, data so far
        self.log: list[tuple[int, int]] = []  # cycle, bytes of each beat
        self.errors: dict[int, int] = {}
        self.status: dict[int, int] = {}  # index of the last
        self.statuses: dict[int, int] = {}  # how many
        self.done: dict[int, int] = {}  # packets
        self.begins_bad = False  # a packet that was not posted whole may begin, and must end with is_error

    async def add(self, size: int, when: int = WBI_CHK, **more) -> Queue:
        queue = await super().add(size, fields=WBK_EN | when, **more)
        self.wanted[queue.qid] = deque()
        self.statuses[queue.qid] = 0
        self.done[queue.qid] = 0
        return queue

    def room(self, queue: Queue) -> int:
        return queue.size - 2 - (queue.pidx - queue.next) % (queue.size - 1)

    def descriptor(self, queue: Queue, index: int, addr: int, count: int, flags: int) -> int:
        metadata = self.rng.getrandbits(32)
        words = metadata | count << 32 | flags << 48 | addr << 64
        self.memory.write(queue.base + 16 * index, words.to_bytes(16, "little"))
        return metadata

    def post(self, queue: Queue, parts: list[tuple[int, int]], *, flags=True) -> None:
        """A packet of parts, each an address and a length; without flags one of a single part."""
        packet, first = b"", 0
        for i, (addr, count) in enumerate(parts):
            flag = (SOP if i == 0 else 0) | (EOP if i == len(parts) - 1 else 0) if flags else 0
            metadata = self.descriptor(queue, queue.pidx, addr, count, flag)
            first = metadata if i == 0 else first
            packet += self.memory.read(addr, count)
            queue.pidx = queue.after(queue.pidx)
        self.wanted[queue.qid].append((first, packet, queue.pidx))

    def inputs(self, cycle: int, ready: float = 1.0) -> dict:
        return {"packet_ready": int(self.rng.random() < ready), "status_ready": int(self.rng.random() < ready)}

    def seen_read(self, read) -> None:
        pass

    def seen(self, cycle: int, inputs: dict, out) -> None:
        if out.status_valid and inputs["status_ready"]:
            self.status[out.status_qid] = out.status_cidx
            self.statuses[out.status_qid] += 1
            if out.status_error:
                assert out.status_qid not in self.errors, "a queue stops once"
                self.errors[out.status_qid] = out.status_error
        if out.packet_valid and inputs["packet_ready"]:
            self.log.append((cycle, out.bytes))
            assert out.is_sop == (self.open is None)
            data = out.data.to_bytes(64, "little")[: out.bytes]
            if self.open is None:
                self.open = (out.qid, out.metadata, b"")
            assert self.open[:2] == (out.qid, out.metadata), "a packet in a packet"
            self.open = (out.qid, out.metadata, self.open[2] + data)
            assert out.bytes == 64 or out.is_eop
            if out.is_eop:
                self.check(out)
                self.open = None

    def check(self, out) -> None:
        queue = self.queues[out.qid]
        if out.is_error and not self.wanted[out.qid] and self.begins_bad:
            queue.stopped = True
            return
        assert self.wanted[out.qid] and not queue.stopped, f"queue {out.qid}: a packet that was not posted"
        metadata, packet, after = self.wanted[out.qid][0]
        assert out.metadata == metadata
        if out.is_error:
            assert packet.startswith(self.open[2])
            queue.stopped = True
        else:
            assert self.open[2] == packet
            self.wanted[out.qid].popleft()
            queue.next = after
            queue.got += 1
            self.done[out.qid] += 1

    def busy(self) -> bool:
        """Of queues that are enabled."""
        going = (q for q in self.queues.values() if not q.stopped and not q.disabled and q.qid not in self.errors)
        return any(self.wanted[q.qid] for q in going)

    async def drain(self, limit: int = 60000, **rates) -> None:
        """Until nothing has come for as long as it takes to drop all lines of a reorder RAM."""
        begin, quiet = self.s.cycle, 0
        while self.busy() or quiet < 600:
            assert self.s.cycle - begin < limit, {q: len(w) for q, w in self.wanted.items() if w}
            out = await self.step(**rates)
            quiet = 0 if self.host.reads or out.read_valid or out.packet_valid or out.status_valid else quiet + 1

    async def check_done(self, queue: Queue) -> None:
        await self.check_idle(queue)
        assert not queue.got or self.status[queue.qid] == queue.pidx

    async def restart(self, queue: Queue) -> None:
        """As a driver does: clears the contexts, and begins again."""
        sw = await self.read(queue.qid)
        await self.write(queue.qid, 0, ALL, hw=1)
        await self.write(queue.qid, sw & ~(0xFFFF | ERR_DSC | ERR_DMA) | QEN, ALL)
        queue.pidx = queue.next = queue.got = 0
        queue.stopped = queue.disabled = False
        self.wanted[queue.qid].clear()
        self.errors.pop(queue.qid, None)
        self.status.pop(queue.qid, None)


def random_parts(rng, most: int) -> list[tuple[int, int]]:
    """A packet: mostly of one part, some chains, some without bytes."""
    kind = rng.random()
    addr = lambda: rng.getrandbits(30) | 1 << 50  # noqa: E731
    if kind < 0.1:
        return [(addr(), 0)]
    count = 1 if kind < 0.6 or most < 2 else rng.randint(2, min(most, rng.choice((3, 8, 40))))
    return [(addr(), rng.choice((64, rng.randint(1, 70), rng.randint(1, 700)))) for _ in range(count)]


async def post_some(rig: Rig, queue: Queue) -> None:
    rng, room = rig.rng, rig.room(queue)
    for _ in range(rng.choice((1, 2, 10, 40))):
        parts = random_parts(rng, room)
        if len(parts) > room:
            break
        rig.post(queue, parts, flags=len(parts) > 1 or rng.random() < 0.5)
        room -= len(parts)
    await rig.ring(queue, queue.pidx)


@cocotb.test()
async def random_packets(dut):
    """Packets of all shapes on all queues, each whole, once, in order of its queue; a chain never in pieces."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng, mrrs=rng.choice((128, 256, 512, 1024))).start()
    for _ in range(QUEUES):
        await rig.add(rng.choice((9, 65, 129, 300)))
    for ready in (1.0, 0.4):
        for _ in range(50):
            queue = rng.choice(list(rig.queues.values()))
            if rig.room(queue):
                await post_some(rig, queue)
            for _ in range(rng.choice((0, 0, 20, 80))):
                await rig.step(ready=ready, read=0.8)
        await rig.drain(ready=ready)
    for queue in rig.queues.values():
        assert not rig.wanted[queue.qid]
        await rig.check_done(queue)
    assert not rig.errors


@cocotb.test()
async def chains(dut):
    """Chains over the ends of batches and of the ring, of several queues at once, also longer than a batch."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng).start()
    queues = [await rig.add(129) for _ in range(3)]
    for before, long in ((0, 40), (21, 22), (30, 3), (31, 40), (2, 100)):
        for queue in queues:
            for count in (*[1] * before, long):
                rig.post(queue, [(rng.getrandbits(40), rng.randint(1, 90)) for _ in range(count)])
            await rig.write(queue.qid, queue.pidx, 0xFFFF)
        rig.events.extend(queue.qid for queue in queues)  # together: their batches follow each other
        await rig.drain()
    for queue in queues:
        assert rig.done[queue.qid] == 5 + 21 + 30 + 31 + 2
        await rig.check_done(queue)
    assert not rig.errors


@cocotb.test()
async def parts_in_place(dut):
    """Chains of which no part is rotated: each begins in its line where the one before it ended in its beat."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng).start()
    queue = await rig.add(129)
    for _ in range(20):
        counts = [rng.randint(1, 90) for _ in range(rng.randint(2, 6))]
        rig.post(queue, [(rng.getrandbits(34) << 6 | sum(counts[:i]) % 64, count) for i, count in enumerate(counts)])
        await rig.ring(queue, queue.pidx)
        await rig.drain()
    await rig.check_done(queue)


@cocotb.test()
async def when_status_is_written(dut):
    """At PIDX with wbi_chk; with wbi_intvl_en when a packet ends in another interval of the ring, also at its end; with
    neither never, but with an error."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng).start()
    interval = rng.randrange(8)
    rig.s.set(status_interval=interval)
    modes = (0, WBI_CHK, WBI_INTVL, WBI_CHK | WBI_INTVL)
    queues = [await rig.add(rng.choice((65, 200, 300)), mode) for mode in modes for _ in range(2)]
    reported = dict.fromkeys(rig.queues, 0)  # the index after the last packet that ended an interval
    for _ in range(rounds(40, 8)):
        for queue in queues:
            mode = modes[queue.qid // 2]
            before, statuses, ends = queue.pidx, rig.statuses[queue.qid], 0
            for _ in range(rng.randint(1, 12)):
                parts = random_parts(rng, min(20, queue.size - 2))
                if (queue.pidx + len(parts) - before) % (queue.size - 1) > queue.size - 30:
                    break
                first = queue.pidx
                rig.post(queue, parts)
                if first >> 2 + interval != queue.pidx >> 2 + interval or queue.pidx < first:
                    reported[queue.qid], ends = queue.pidx, ends + 1
            await rig.ring(queue, queue.pidx)
            await rig.drain()
            count = rig.statuses[queue.qid] - statuses
            if mode == 0:
                assert count == 0
            elif mode == WBI_CHK:
                assert count == 1 and rig.status[queue.qid] == queue.pidx
            else:
                assert count <= ends + (1 if mode & WBI_CHK else 0)
                wanted = queue.pidx if mode & WBI_CHK else reported[queue.qid]
                if ends or mode & WBI_CHK:
                    # It names the last packet of its batch.
                    late = (rig.status[queue.qid] - wanted) % (queue.size - 1)
                    assert count and late <= (queue.pidx - wanted) % (queue.size - 1)
    silent = queues[0]
    rig.descriptor(silent, silent.pidx, 1 << 50, 64, EOP)
    await rig.ring(silent, silent.after(silent.pidx))
    await rig.drain()
    assert rig.errors == {silent.qid: DSC} and rig.statuses[silent.qid] == 1


@cocotb.test()
async def read_errors(dut):
    """A read that fails, of descriptors or payload, stops its queue after the packets before it; others go on."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng, mrrs=256, fault_rate=0.02).start()
    for _ in range(QUEUES):
        await rig.add(129)
    stops = 0
    for _ in range(60):
        for queue in rng.sample(list(rig.queues.values()), 3):
            if rig.room(queue) and queue.qid not in rig.errors:
                await post_some(rig, queue)
        await rig.drain(ready=rng.choice((1.0, 0.6)))
        for queue in list(rig.queues.values()):
            if queue.qid in rig.errors:
                stops += 1
                assert rig.errors[queue.qid] == DMA
                assert rig.status[queue.qid] == queue.next
                await rig.check_idle(queue, stopped=True)
                assert await rig.read(queue.qid) & (ERR_DSC | ERR_DMA) == ERR_DMA
                await rig.restart(queue)
    assert stops > 5
    for queue in rig.queues.values():
        assert not rig.wanted[queue.qid]
        await rig.check_done(queue)


@cocotb.test()
async def read_error_between_batches(dut):
    """A batch of one packet whose read may fail, and the next batch of its queue at any moment of that, with nothing of
    another queue between them: nothing comes after the error."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng, mrrs=256, fault_rate=0.3).start()
    queue = await rig.add(129)
    stops = 0
    for _ in range(50):
        rig.post(queue, [(rng.getrandbits(30) | 1 << 50, 64)])
        await rig.ring(queue, queue.pidx)
        for _ in range(rng.randrange(250)):
            await rig.step()
        rig.post(queue, random_parts(rng, 4))
        await rig.ring(queue, queue.pidx)
        await rig.drain()
        if queue.qid in rig.errors:
            stops += 1
            await rig.check_idle(queue, stopped=True)
            await rig.restart(queue)
    assert stops > 5


@cocotb.test()
async def bad_descriptors(dut):
    """Each fault in a descriptor stops its queue with err_dsc at its packet; a queue beside it goes on."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng).start()
    rig.begins_bad = True
    good = await rig.add(129)
    faults = {
        "a chain in a chain": [(64, SOP), (64, SOP | EOP)],
        "an end without begin": [(64, EOP)],
        "no bytes at the begin": [(0, SOP), (64, EOP)],
        "no bytes within": [(64, SOP), (0, 0), (64, EOP)],
        "no bytes at the end": [(64, SOP), (0, EOP)],
        "posted in part": [(64, SOP), (64, 0)],
    }
    for before in (0, 3, 31, 32):
        for name, fault in faults.items():
            queue = next((q for q in rig.queues.values() if q.size == 257), None) or await rig.add(257)
            for _ in range(before):
                rig.post(queue, [(rng.getrandbits(40), 100)])
            begin = queue.pidx
            for count, flags in fault:
                rig.descriptor(queue, queue.pidx, rng.getrandbits(40), count, flags)
                queue.pidx = queue.after(queue.pidx)
            if name != "posted in part":
                for _ in range(70):
                    rig.descriptor(queue, queue.pidx, rng.getrandbits(40), 64, SOP | EOP)
                    queue.pidx = queue.after(queue.pidx)
            await rig.ring(queue, queue.pidx)
            await post_some(rig, good)
            await rig.drain()
            assert rig.errors == {queue.qid: DSC}, (name, before)
            assert rig.done[queue.qid] == before and queue.got == before
            assert rig.status[queue.qid] == begin, (name, before)
            await rig.check_idle(queue, stopped=True)
            rig.done[queue.qid] = 0
            await rig.restart(queue)
            rig.post(queue, [(0x1234, 5)])
            await rig.ring(queue, queue.pidx)
            await rig.drain()
            await rig.check_done(queue)
            await rig.check_done(good)
            await rig.restart(queue)
            rig.done[queue.qid] = 0


@cocotb.test()
async def disabled_in_a_chain(dut):
    """A queue that is disabled while a chain of several batches is read costs no other queue a packet."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng, latency=(100, 100)).start()
    victim, other = await rig.add(2049), await rig.add(129)
    for round_ in range(4):
        rig.post(victim, [(rng.getrandbits(40), 64) for _ in range(40)])  # a chain over the end of a batch
        await rig.ring(victim, victim.pidx)
        await rig.drain()
        rig.post(victim, [(rng.getrandbits(40), 64) for _ in range(600)])  # more than there are places
        await rig.ring(victim, victim.pidx)
        for _ in range(160 + 10 * round_):
            await rig.step()
        await rig.write(victim.qid, 0, QEN)
        victim.disabled = True
        rig.post(other, [(rng.getrandbits(40), 100)])
        rig.post(other, [(rng.getrandbits(40), 100), (rng.getrandbits(40), 9)])
        await rig.ring(other, other.pidx)
        await rig.drain()
        # What had come of the chain has ended with the next packet.
        assert not rig.errors and victim.stopped
        await rig.check_done(other)
        await rig.restart(victim)
        rig.done[victim.qid] = 0


@cocotb.test()
async def resets(dut):
    """In the midst of reads, packets, chains and status: nothing of it is left afterwards."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for turn in range(10):
        rig = await Rig(dut, rng, mrrs=256, fault_rate=0.02 * (turn % 2)).start()
        queues = [await rig.add(rng.choice((9, 65, 300))) for _ in range(4)]
        for _ in range(60):
            out = await rig.step()
            assert not (out.packet_valid or out.status_valid or out.read_valid or out.context_error)
        rig.host.fault_rate, fault_rate = 0.0, rig.host.fault_rate
        for queue in queues:
            await post_some(rig, queue)
        await rig.drain()
        for queue in queues:
            await rig.check_done(queue)
        rig.host.fault_rate = fault_rate
        for queue in queues:
            await post_some(rig, queue)
        for _ in range(rng.randrange(300)):
            await rig.step(ready=0.5, read=0.7)


async def rate_of(dut, *, size: int, queues: int, offset: int = 0) -> tuple[float, float]:
    """Packets a cycle, beats a cycle, the first tenth aside."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng, latency=(LATENCY, LATENCY), in_order=False, part=256).start()
    each = (1600 if size <= 256 else 60) // queues
    for i in range(queues):
        queue = await rig.add(2049)
        for j in range(each):
            rig.post(queue, [((1 << 40) + (i * each + j) * 8192 + offset, size)])
        await rig.write(queue.qid, queue.pidx, 0xFFFF)
    rig.events.extend(range(queues))
    await rig.drain()
    log = rig.log[len(rig.log) // 10 :]
    cycles = log[-1][0] - log[0][0]
    return sum(1 for _, count in log[1:] if count) * min(64 / size, 1) / cycles, (len(log) - 1) / cycles


@cocotb.test()
async def rate_64(dut):
    """64 B, memory 700 ns away: one queue more than 80 Mpps, and 134 Mpps, at 250 MHz."""
    packets, _ = await rate_of(dut, size=64, queues=1)
    print(f"64 B, 1 queue: {packets * 250:.0f} Mpps")
    assert packets > 134 / 250


@cocotb.test()
async def rate_64_queues(dut):
    """64 B from all queues: as from one."""
    packets, _ = await rate_of(dut, size=64, queues=QUEUES)
    print(f"64 B, {QUEUES} queues: {packets * 250:.0f} Mpps")
    assert packets > 134 / 250


@cocotb.test()
async def rate_4096(dut):
    """4096 B at offset 2: a beat in nearly each cycle."""
    _, beats = await rate_of(dut, size=4096, queues=4, offset=2)
    print(f"4096 B at offset 2: {beats:.3f} beats a cycle")
    assert beats > 0.9


@cocotb.test()
async def latency(dut):
    """A packet of a line, alone: event to read of the descriptor, completions to what they lead to."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng).start()
    queue = await rig.add(65)
    for offset, cycles in ((0, PACKET_CYCLES), (4, ROTATED_CYCLES)) * 3:
        rig.post(queue, [(0x7000 + offset, 64 - offset)])
        await rig.ring(queue, queue.pidx)
        await rig.drain()
        fetched, read = rig.read_at[-2:]
        assert fetched - rig.last_event == READ_CYCLES
        assert read - rig.ended_at[-2] == PAYLOAD_CYCLES
        assert rig.log[-1][0] - rig.ended_at[-1] == cycles


def h2c_bench() -> Bench:
    names = ("h2c_pkg", "write_pkg", "fifo", "queue_bits", "align", "h2c_room", "h2c_chain", "h2c_deliver", "h2c")
    own = [CORE / "rtl" / f"qdma_{name}.sv" for name in names]
    sources = [*fetch_sources(), *own, HERE / "qdma_h2c_bench.sv"]
    return Bench("qdma_h2c_bench", sources, {"QUEUES": 16, "PLACES": 256})


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_h2c(test):
    h2c_bench().run(__name__, test)


@long_run(__file__)
@pytest.mark.parametrize("test", ("when_status_is_written",))
def test_qdma_h2c_long(test):
    h2c_bench().run(__name__, test, long_seed=1)
