# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Streaming C2H through the whole of qdma, as a driver and a user see it: contexts by commands, buffers in rings,
doorbells, packets, entries, interrupts, errors, queues that are full or disabled."""

import cocotb
import pytest

from qdma_completion_model import EVERY, Ring
from qdma_contract import (
    ARM,
    BAD_LENGTH,
    C2H,
    CLEAR,
    COMMAND,
    DMA_ERROR,
    DSC,
    ERROR_INTERRUPT,
    GLOBAL_MASK,
    GLOBAL_STATUS,
    HW_C2H,
    INVALIDATE,
    PIDX_ERROR,
    SW_C2H,
    WRITE,
)
from qdma_rings import BYPASS
from qdma_source import DROP, HOLD, INVALID, TOO_LONG, YES
from qdma_top_bed import BUFFER, QUEUES, TOPS, top_bench
from qdma_top_c2h import BUFFER_SIZES, SIZE_64, SIZE_256, SIZE_2048, SIZE_4096, C2h
from qdma_top_driver import IRQ_EN, Driver, all_out, ready
from ullnic_tb import cocotb_tests, long_run, main_and_kept, rounds

RING_9, RING_33, RING_65, RING_129, RING_17 = 0, 1, 2, 3, 5
MAX_BUFFERS = 31
HAS_ERROR = 1  # of a status
# Cycles of a command that disables a queue: a read of 140, and less than 200; through the PCIe block reads are held for
# 90 more, and each look at the command waits for the writes before it
STOP_CYCLES = {"qdma": 400, "qdma_usp": 600}


def add(driver: Driver, qid: int, ring_ix: int, buffer_ix: int, *, cmpt_ix: int = RING_65, drop_empty=False,
        vector: int | None = None, **ring: int) -> tuple[C2h, Ring]:  # fmt: skip
    """A queue with a completion ring, as a driver sets it up, and its buffers."""
    completions = driver.add_cmpt(
        qid, cmpt_ix, 16, en_int=int(vector is not None), vector=vector or 0, **{"mode": EVERY} | ring
    )
    queue = driver.c2h.add(qid, ring_ix, buffer_ix, drop=drop_empty)
    driver.c2h.give(queue)
    return queue, completions


def any_count(rng, queue: C2h) -> int:
    """Bytes of a packet that the ring can hold: none, one, the ends of beats and buffers, up to 4096."""
    size = queue.buffer_bytes
    most = min(4096, min(MAX_BUFFERS, queue.size - 2) * size)
    edge = rng.choice((64, 128, 256, size, 2 * size, 4096)) + rng.randint(-2, 2)
    return max(0, min(most, rng.choice((0, 1, 64, edge, edge, rng.randint(1, 300), rng.randint(1, 4096)))))


def all_in(driver: Driver) -> None:
    """Each packet of each queue that is left has its entry, and the driver has read it."""
    for queue in driver.c2h.queues.values():
        ring = driver.cmpt[queue.qid]
        assert not driver.pending[queue.qid] and ring.written == ring.posted == driver.entries[queue.qid]


async def drain(driver: Driver, rings: list[Ring] | None = None) -> None:
    """The driver serves these queues until all packets have come."""
    bed = driver.bed
    for _ in range(200):
        for ring in rings if rings is not None else list(driver.cmpt.values()):
            if ring.written > driver.entries[ring.qid] or ring.qid in bed.source.held:
                driver.serve(ring)
        await bed.settle(60)
        if all(
            not driver.pending[ring.qid] and ring.written == ring.posted == driver.entries[ring.qid]
            for ring in (rings if rings is not None else driver.cmpt.values())
        ):
            return
    left = {
        qid: (driver.pending[qid], ring.posted, ring.written, driver.entries[qid], len(bed.source.held.get(qid, ())))
        for qid, ring in driver.cmpt.items()
    }
    raise AssertionError(
        f"packets do not come: of each queue those that are not granted, granted, written, read, held: {left}"
    )


async def under_stalls(driver: Driver, queues: list[tuple[C2h, Ring]], chance: float, send) -> None:
    """Packets that `send` sends to one of the queues, beside H2C packets on two other queues, while channels stall; the
    driver works when it is interrupted, by the vector of the queue's number, less 24 on the VF."""
    bed, rng = driver.bed, driver.rng
    for vector in range(8):
        bed.vector(0, vector)
        bed.vector(7, vector)
    h2c = [driver.add_h2c(qid, RING_33) for qid in (4, 28)]
    await bed.settle()
    seen = len(bed.messages)
    stalls = ({}, {"write": 0.5}, {"ask": 0.3, "beat": 0.5, "read": 0.5}, {"write": 0.8, "beat": 0.9, "packet": 0.5})
    for rates in stalls:
        for name in bed.rates:
            bed.rates[name] = rates.get(name, 1.0)
        for name in bed.source.rates:
            bed.source.rates[name] = rates.get(name, 1.0)
        for _ in range(rounds(1500, 450)):
            queue, ring = rng.choice(queues)
            if rng.random() < chance and driver.pending[queue.qid] < 3:
                send(ring)
            if not bed.requests:
                for _, func, vector in bed.messages[seen:]:
                    driver.serve(driver.cmpt[vector + (24 if func == 7 and vector < 4 else 0)])
                seen = len(bed.messages)
                out = rng.choice(h2c)
                if out.room() and rng.random() < 0.2:
                    driver.post(out, [rng.choice((0, 64, rng.randint(1, 700)))])
                    driver.ring(out)
            await bed.step()
        await drain(driver)
        seen = len(bed.messages)
        all_in(driver)
        all_out(driver)


@cocotb.test()
async def packets(dut):
    """Packets of 0 to 4096 bytes into buffers of many sizes at any place, chains of buffers, queues of a PF and a VF,
    around all rings, while channels stall and H2C packets flow; the driver works when it is interrupted."""
    driver = await ready(dut)
    bed, rng = driver.bed, driver.rng
    sizes = rng.sample(range(len(BUFFER_SIZES) - 1), 8)
    added = []
    for i, (buffer_ix, qid) in enumerate(zip(sizes, (0, 1, 2, 3, 24, 25, 26, 27), strict=True)):
        added.append(add(driver, qid, rng.choice((RING_9, RING_33, RING_65)), buffer_ix, cmpt_ix=rng.choice((0, 1)),
                         vector=qid % 8, en_stat=i & 1))  # fmt: skip
    counts = {ring.qid: queue for queue, ring in added}
    await under_stalls(driver, added, 0.3, lambda ring: driver.send(ring, any_count(rng, counts[ring.qid])))
    for queue, ring in added:
        assert queue.packets > 10 and ring.causes > 3 and bool(ring.statuses) == bool(ring.en_stat)
        assert queue.posted > queue.size, f"queue {queue.qid}: the ring was not gone around"
        assert bed.source.answers[queue.qid].count(YES) == ring.posted
    longest = max(len(packet["packet"].regions) for _, ring in added for packet in ring.posts)
    assert longest > 4 and int(dut.stat_c2h_granted.value) == sum(ring.posted for _, ring in added)
    assert driver.c2h.writes and not driver.other_messages


@cocotb.test()
async def each_length(dut):
    """Each length from 0 to 130, and the ends of 4096, from each offset of a dword."""
    driver = await ready(dut)
    for qid, buffer_ix in ((1, SIZE_4096), (2, SIZE_64)):
        queue, ring = add(driver, qid, RING_129, buffer_ix, cmpt_ix=RING_129)
        await driver.bed.settle()
        counts = [*range(131), 4095, 4096, 255, 256, 257] if buffer_ix == SIZE_4096 else [*range(131), 1984]
        for count in counts:
            driver.send(ring, count)
        await drain(driver)
        assert ring.posted == len(counts) and queue.packets == len(counts) - 1


@cocotb.test()
async def full_rings(dut):
    """A full completion ring holds its own packets, or drops them, as it is set; so does a queue without buffers.
    The other queues lose nothing meanwhile, and those that hold go on by themselves."""
    driver = await ready(dut)
    bed = driver.bed
    holds, drops, empty, empty_drops, good, other = [
        add(driver, qid, RING_33, SIZE_256, cmpt_ix=RING_9 if i < 2 else RING_33, drop=int(i == 1), drop_empty=i == 3)
        for i, qid in enumerate((0, 1, 2, 3, 4, 24))
    ]
    await bed.settle()
    full = (holds, drops, empty, empty_drops)
    for turn in range(8):
        for _, ring in (*full, good, other):
            for _ in range(8):
                driver.send(ring, 100)
        await drain(driver, [good[1], other[1]])
        assert good[1].posted == other[1].posted == 8 * (turn + 1)
    answers = bed.source.answers
    places = holds[1].entries - 1
    assert holds[1].posted == drops[1].posted == places
    assert answers[1].count(DROP) == 64 - places == int(dut.stat_c2h_ring_full.value)
    assert empty[1].posted == empty_drops[1].posted == 31 and answers[3].count(DROP) == 33
    assert int(dut.stat_c2h_no_buffers.value) == 33
    assert set(answers[0]) == set(answers[2]) == {YES, HOLD} and set(answers[4]) == {YES}
    assert int(dut.stat_full_cycles.value) > 0 < int(dut.stat_c2h_hold_cycles.value)
    await drain(driver, [holds[1], empty[1]])
    assert holds[1].posted == empty[1].posted == 64
    # Those that drop have room again.
    for _, ring in (drops, empty_drops):
        driver.pending[ring.qid] = 0
        driver.serve(ring)
        await bed.settle()
        driver.send(ring, 100)
    await drain(driver, [drops[1], empty_drops[1]])
    assert drops[1].posted == places + 1 and empty_drops[1].posted == 32


@cocotb.test()
async def disabled(dut):
    """A queue is disabled under traffic, by each of the commands: once they are not busy, nothing of it is read or
    written. The other queues lose nothing; set up again, it works."""
    driver = await ready(dut, latency=(100, 140))
    bed, rng = driver.bed, driver.rng
    queues = [add(driver, qid, rng.choice((RING_33, RING_129)), rng.choice((SIZE_64, SIZE_256)), cmpt_ix=RING_129)
              for qid in (0, 1, 2, 24)]  # fmt: skip
    h2c = driver.add_h2c(5, RING_65)
    longest = stopped = 0
    await bed.settle()

    def step(_: int) -> None:
        queue, ring = rng.choice(queues)
        if rng.random() < 0.4 and driver.pending[queue.qid] < 4 and not queue.is_dead:
            driver.send(ring, any_count(rng, queue) % 1500)
        if rng.random() < 0.05 and not bed.requests and h2c.room():
            driver.post(h2c, [64])
            driver.ring(h2c)

    for turn in range(24):
        bed.rates["write"] = bed.source.rates["beat"] = rng.choice((1.0, 1.0, 0.5))
        bed.each = step
        for _ in range(6):
            await bed.steps(rng.randint(5, 80))
            for queue, ring in queues:
                if queue.room() > 4 and len(bed.requests) < 4:
                    driver.serve(ring)
        victim, ring = queues[turn % 4]
        # In some turns the source stalls within a packet: the stop does not wait for it.
        bed.source.is_stalled = turn % 3 == 0
        longest = max(longest, await driver.c2h.disable(victim, (INVALIDATE, CLEAR, WRITE)[turn % 3]))
        assert (await bed.read_context(HW_C2H, victim.qid)) >> 43 & 15 == 0, "batches are under way"
        await bed.steps(rng.randint(0, 60))
        bed.source.is_stalled = False
        bed.each = lambda *_: None
        driver.doorbell(victim.func, victim.relative, 8, 1)  # refused
        await bed.settle(60)
        await driver.c2h.remove(victim)
        others = [ring for queue, ring in queues if queue is not victim]
        await drain(driver, others)
        stopped = int(dut.stat_c2h_stopped.value)
        assert await bed.read(0, DSC[0]) == 1 << PIDX_ERROR
        bed.write(0, DSC[0], 1 << PIDX_ERROR)
        queues[turn % 4] = add(driver, victim.qid, RING_33, SIZE_256, cmpt_ix=RING_129)
        await bed.settle(20)
        driver.send(queues[turn % 4][1], 300)
        await drain(driver)
        all_in(driver)
        all_out(driver)
    print(f"disabled: the command was busy for {longest} cycles at most")
    assert longest < STOP_CYCLES[dut._name] and stopped > 0


async def still_busy(driver: Driver, queue: C2h) -> None:
    """The queue is disabled while the channel of writes stands still: the command is busy until it goes on, and what
    was within the core has left by then."""
    bed = driver.bed
    driver.disabling.add(queue.qid)
    bed.context(SW_C2H, queue.qid, 0, INVALIDATE)
    await bed.until(lambda: not bed.requests)
    for _ in range(40):
        assert await bed.read(0, COMMAND) & 1
    assert not driver.c2h.writes and not queue.error
    # A beat now and then: more cycles than busy lasts by itself.
    bed.each = lambda cycle: bed.rates.update(write=float(cycle % 100 == 0))
    await driver.c2h.until_not_busy(queue)
    bed.each = lambda _: None
    bed.rates["write"] = 1.0


@cocotb.test()
async def disabled_payload_within(dut):
    """The last write of a queue is in the arbiter, and the engine has done with it, when the queue is disabled."""
    driver = await ready(dut)
    queue, ring = add(driver, 1, RING_33, SIZE_64)
    await driver.bed.settle()
    driver.bed.rates["write"] = 0.0
    packet = driver.send(ring, 64)
    await driver.bed.until(lambda: packet.is_done)
    await driver.bed.steps(50)
    await still_busy(driver, queue)
    assert sum(count for _, count in driver.c2h.writes) == 64
    await driver.bed.settle()


@cocotb.test()
async def disabled_status_within(dut):
    """The status of a queue is in its writer, behind an arbiter that is full, when the queue is disabled."""
    driver = await ready(dut)
    bed = driver.bed
    _, other = add(driver, 2, RING_33, SIZE_64)
    queue = driver.c2h.add(1, RING_33, SIZE_64)
    await bed.settle()
    # The read that will fail has left before the channel of writes, which may be that of reads, stands still.
    bed.host.latency = 200, 200
    bed.host.bad.add(queue.base >> BUFFER)
    driver.c2h.give(queue, 4)
    await bed.until(lambda: bed.host.reads)
    bed.rates["write"] = 0.0
    for _ in range(8):
        driver.send(other, 64)
    await bed.steps(400)
    await still_busy(driver, queue)
    assert queue.error == HAS_ERROR
    await drain(driver, [other])


@cocotb.test()
async def read_errors(dut):
    """A read of descriptors that fails stops its queue after the buffers before it: status, leaf, log, interrupt. Other
    queues go on; disabled and set up again, it works."""
    driver = await ready(dut)
    bed, rng = driver.bed, driver.rng
    for vector in (1, 2):
        bed.vector(0, vector)
    bed.write(0, DSC[1], 0xFFFFFFFF)
    bed.write(0, GLOBAL_MASK, 0xFFFFFFFF)
    bed.write(0, ERROR_INTERRUPT, ARM | 1 << 12)
    good = add(driver, 3, RING_33, SIZE_256)
    for turn in range(4):
        ring = driver.add_cmpt(1, RING_65, 16, en_int=0)
        queue = driver.c2h.add(1, RING_33, SIZE_64, fields=IRQ_EN | 2 << 128)
        before = rng.randint(0, 20) if turn else 0
        driver.c2h.give(queue, before)
        await bed.settle()
        bed.host.bad.add(queue.base >> BUFFER)
        driver.c2h.give(queue, 10)
        driver.c2h.ring(queue, arm=True)
        await bed.settle()
        for _ in range(before + 4):
            driver.send(ring, 64)
        for _ in range(10):
            driver.send(good[1], 200)
        await drain(driver, [good[1]])
        assert queue.error == HAS_ERROR and queue.error_cidx == before == queue.packets
        assert bed.source.answers[1][-4:] == [DROP] * 4
        assert sorted(driver.other_messages) == [(0, 1), (0, 2)], "of the error, and of the status"
        driver.other_messages.clear()
        assert await bed.read(0, GLOBAL_STATUS) == 1 << DSC[2]
        await bed.check_descriptor_error(DMA_ERROR, 1, is_c2h=True, cidx=before, read=True)
        assert (await bed.read_context(SW_C2H, 1)) >> 58 & 3 == 2
        bed.write(0, DSC[0], 0xFFFFFFFF)
        bed.write(0, ERROR_INTERRUPT, ARM | 1 << 12)
        bed.host.bad.clear()
        await driver.c2h.disable(queue)
        await driver.c2h.remove(queue)
    assert int(dut.stat_read_failed.value) == sum(bed.host.errors[1:]) >= 4


@cocotb.test()
async def errors(dut):
    """Packets that are refused, or of another length than was said: each costs itself, and is in the leaf of C2H."""
    driver = await ready(dut)
    bed = driver.bed
    good = add(driver, 3, RING_33, SIZE_256)
    short = add(driver, 4, RING_129, SIZE_64)
    await bed.settle()

    async def expect(leaf: tuple, bits: int, qid: int) -> None:
        driver.send(good[1], 100)
        await drain(driver)
        assert await bed.read(0, leaf[0]) == bits
        log = await bed.read(0, 0xB30 if leaf == C2H else 0x25C)
        assert log & 0x7FF == qid and log >> 16 & 31 == (bits.bit_length() - 1 if leaf == C2H else log >> 16 & 31)
        bed.write(0, leaf[0], bits)

    for said, sent in ((100, 99), (99, 100), (64, 0), (0, 1), (640, 100), (100, 640)):
        driver.send(short[1], bytes(sent), asked=said)
        await expect(C2H, 1 << BAD_LENGTH, 4)
    assert int(dut.stat_c2h_mismatched.value) == 6
    # Too long: of more buffers than an entry can say, or than the ring can hold. The queue goes on.
    add(driver, 5, RING_9, SIZE_64)
    await bed.settle()
    for count, (qid, buffers) in enumerate(((4, 31), (5, 7)), 1):
        bed.source.packet(qid, bytes(buffers * 64 + 1))
        await expect(C2H, 1 << BAD_LENGTH, qid)
        assert bed.source.answers[qid][-1] == TOO_LONG and int(dut.stat_c2h_too_long.value) == count
        driver.send(driver.cmpt[qid], buffers * 64)
    # Neither context is valid; the ring is not
    bed.source.packet(9, bytes(64))
    await expect(C2H, 1 << 12, 9)
    driver.c2h.prefetch(10)
    bed.source.packet(10, b"")
    await expect(C2H, 1 << 12, 10)
    assert bed.source.answers[9] == bed.source.answers[10] == [INVALID]
    # There is no such queue, and it is not another one: the numbers of that of the good ring, and one bit more
    bed.source.packet(QUEUES | good[0].qid, bytes(64))
    await expect(C2H, 1 << 12, QUEUES | good[0].qid)
    assert bed.source.answers[QUEUES | good[0].qid] == [INVALID]
    # A ring whose base is not aligned: the fetch stops it, and its packets are dropped
    driver.add_cmpt(11, RING_33, 16, en_int=0)
    queue = driver.c2h.add(11, RING_33, SIZE_64, fields=4 << 64)
    driver.c2h.ring(queue)
    driver.doorbell(0, 11, 8, 3)
    await expect(DSC, 1 << PIDX_ERROR, 11)
    bed.source.packet(11, bytes(64))
    await bed.settle()
    assert bed.source.answers[11] == [DROP]
    all_in(driver)


@cocotb.test()
async def disabled_before_its_status(dut):
    """A queue that the fetch has stopped is disabled while its status waits for those of others: the command is busy
    until it has left."""
    driver = await ready(dut)
    bed = driver.bed
    others = [driver.add_h2c(qid, RING_33) for qid in range(24, 30)]
    for waits in range(7):
        bed.rates["write"] = 0.0
        for queue in others:
            driver.post(queue, [1])
            driver.ring(queue)
        await bed.steps(400)  # the writer cannot go on
        queue = driver.c2h.add(8, RING_33, SIZE_64, fields=BYPASS)
        driver.c2h.ring(queue)
        driver.doorbell(0, 8, 8, 3)
        await bed.steps(200)
        bed.context(SW_C2H, 8, 0, INVALIDATE)
        await bed.steps(400)
        begin = sum(other.statuses for other in others)
        bed.rates["write"] = 1.0
        await bed.until(lambda: sum(other.statuses for other in others) >= begin + waits)  # noqa: B023
        bed.rates["write"] = 0.0
        await bed.steps(200)
        queue.is_dead = not await bed.read(0, COMMAND) & 1
        assert queue.error or not queue.is_dead, "the command is done before the status"
        bed.rates["write"] = 1.0
        await driver.c2h.until_not_busy(queue)
        assert queue.error and queue.error_cidx == 0
        bed.context(SW_C2H, 8, 0, CLEAR)
        await bed.settle()
    all_out(driver)


@cocotb.test()
async def loop(dut):
    """What comes out of an H2C queue goes into the C2H queue of the same number: every byte comes back to the host."""
    driver = await ready(dut, latency=(40, 90))
    bed, rng = driver.bed, driver.rng
    pairs = []
    for qid in (0, 1, 24):
        queue, ring = add(driver, qid, RING_129, rng.choice((SIZE_64, SIZE_256, SIZE_2048)), cmpt_ix=RING_65)
        pairs.append((driver.add_h2c(qid, RING_33), queue, ring))
    sent = dict.fromkeys((0, 1, 24), 0)

    def back(h2c, data: bytes) -> None:
        driver.send(driver.cmpt[h2c.qid], data)
        sent[h2c.qid] += 1

    driver.received = back
    for _ in range(60):
        h2c, queue, ring = rng.choice(pairs)
        most = min(4096, 31 * queue.buffer_bytes)
        for _ in range(min(h2c.room(), rng.randint(1, 8))):
            driver.post(h2c, [rng.choice((0, 64, rng.randint(1, 300), rng.randint(1, most))) % (most + 1)])
        driver.ring(h2c)
        await bed.steps(rng.randint(0, 200))
        if queue.room() > 16:
            driver.serve(ring)
    await drain(driver)
    all_out(driver)
    all_in(driver)
    for h2c, _, ring in pairs:
        assert ring.posted == sent[h2c.qid] > 20


@pytest.mark.parametrize("top", main_and_kept(__file__, TOPS))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_top_c2h(test, top):
    top_bench(top).run(__name__, test)


@long_run(__file__)
def test_qdma_top_c2h_long():
    top_bench(TOPS[1]).run(__name__, "packets", long_seed=1)
