# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""qdma as a whole, from the TLPs of its boundary: set-up, H2C packets, completion rings, interrupts, errors."""

from collections import Counter

import cocotb
import pytest

from qdma_completion_model import ALL, EVERY, USER_COUNT, USER_TIMER
from qdma_contract import (
    ARM,
    C2H,
    CIDX_ERROR,
    COMMAND,
    COMPLETION,
    DMA_ERROR,
    DSC,
    ERROR_INTERRUPT,
    GLOBAL_MASK,
    GLOBAL_STATUS,
    HW_H2C,
    INVALID_QUEUE,
    PARAM,
    PF_MSIX,
    PIDX_ERROR,
    SW_H2C,
    TRQ,
    VF_MSIX,
    WRITE,
)
from qdma_rings import BYPASS, IS_MM, QEN
from qdma_top_bed import BUFFER, PFS, QUEUES, TOPS, top_bench
from qdma_top_driver import AGGREGATED, Driver, H2c, all_out, ready
from ullnic_tb import cocotb_tests, main_and_kept, parameter

HAS_ERROR = 1  # of a status
CLEAR, INVALIDATE = 0, 3


def lengths(rng, most: int) -> list[int]:
    """Buffers of a packet: mostly one, some chains, some packets without bytes."""
    kind = rng.random()
    if kind < 0.1:
        return [0]
    count = 1 if kind < 0.7 or most < 2 else rng.randint(2, min(most, rng.choice((3, 8, 40))))
    return [rng.choice((64, rng.randint(1, 70), rng.randint(1, 700))) for _ in range(count)]


def post_some(driver: Driver, queue: H2c) -> None:
    rng, room = driver.rng, queue.room()
    for _ in range(rng.choice((1, 2, 8))):
        buffers = lengths(rng, room)
        if len(buffers) > room:
            break
        driver.post(queue, buffers, flags=len(buffers) > 1 or rng.random() < 0.5)
        room -= len(buffers)
    driver.ring(queue, arm=queue.vector is not None and rng.random() < 0.7)


@cocotb.test()
async def set_up(dut):
    """What a driver looks at when it starts, and what it reads back."""
    driver = await ready(dut)
    bed = driver.bed
    assert await bed.read(0, 0) == 0x1FD30000 and await bed.read(0, 0x120) == QUEUES
    assert await bed.read(0, 0x104) == sum(1 << 6 * pf for pf in range(PFS))
    assert await bed.read(0, 0x10C) == sum(4 << 6 * pf for pf in range(PFS))
    driver.add_h2c(3, 2)
    word = await bed.read_context(SW_H2C, 3)
    assert word >> 32 & 1 and word >> 64 & (1 << 64) - 1 == driver.h2c[3].base
    bed.vector(0, 31)
    bed.vector(7, 5, masked=1)
    assert await bed.read(0, PF_MSIX[0] + 16 * 31, 4) == list(bed.vectors)[0][0] | (31 << 64)
    assert await bed.read(7, 0x4000 + 16 * 5, 4) == list(bed.vectors)[1][0] | (7 << 16 | 5) << 64 | 1 << 96
    # The fetch's own bits of a hardware context are kept, and not shown.
    bed.context(HW_H2C, 3, (1 << 256) - 1)
    assert await bed.read_context(HW_H2C, 3) == 0x0700_FFFFFFFF
    assert await bed.read(0, TRQ[0]) == await bed.read(0, DSC[0]) == await bed.read(0, C2H[0]) == 0


@cocotb.test()
async def packets(dut):
    """Packets of all shapes on queues of a PF and a VF, around their rings, while channels stall; status after data,
    interrupts after status."""
    driver = await ready(dut)
    bed, rng = driver.bed, driver.rng
    for func, vectors in ((0, range(4, 12)), (7, range(2, 6))):
        for vector in vectors:
            bed.vector(func, vector)
    queues = [driver.add_h2c(qid, rng.choice((0, 1, 2, 5)), vector=4 + qid if qid % 2 else None) for qid in range(8)]
    queues += [driver.add_h2c(24 + i, rng.choice((0, 1, 2)), vector=2 + i) for i in range(4)]
    stalls = ({}, {"packet": 0.5}, {"write": 0.3, "read": 0.5}, {"packet": 0.8, "write": 0.9, "read": 0.9})
    for rates in stalls:
        bed.rates |= dict.fromkeys(bed.rates, 1.0) | rates
        for turn in range(500):
            # At last more, until each queue has had a status, and one of them enough to go around half its ring
            often = any(queue.statuses * 2 > queue.size for queue in queues)
            if turn >= 50 and (rates is not stalls[-1] or (often and all(queue.statuses for queue in queues))):
                break
            queue = rng.choice(queues)
            if queue.room() and len(bed.requests) < 8:
                post_some(driver, queue)
            await bed.steps(rng.choice((0, 0, 20, 80)))
        await bed.settle()
        all_out(driver)
    for queue in queues:
        assert queue.statuses
        if queue.vector is not None:
            # Armed, and nothing to say: the interrupt comes with the next packet.
            driver.post(queue, [64])
            driver.ring(queue, arm=True)
    before = {queue.qid: queue.interrupts for queue in queues}
    await bed.settle()
    all_out(driver)
    assert all(queue.interrupts > before[queue.qid] for queue in queues if queue.vector is not None)
    assert not driver.other_messages
    assert any(queue.statuses * 2 > queue.size for queue in queues)


@cocotb.test()
async def completions(dut):
    """Entries of all sizes come out in order with their colour, around the rings, beside H2C packets; the driver reads
    them when it is interrupted, directly or through a ring, or finds them by polling."""
    driver = await ready(dut)
    bed, rng = driver.bed, driver.rng
    for vector in range(8):
        bed.vector(0, vector)
        bed.vector(7, vector)
    ring = driver.add_interrupt_ring(7, 7, 6)
    modes = (EVERY, USER_COUNT, USER_TIMER, ALL)
    # Packets without payload need no buffers.
    for qid in (*range(6), *range(24, 28), 9):
        driver.c2h.prefetch(qid)
    for i in range(6):
        driver.add_cmpt(i, rng.choice((0, 1, 2)), 8 << i % 4, mode=modes[i % 4], count_ix=2, timer_ix=3, vector=i)
    for i in range(4):
        driver.add_cmpt(24 + i, rng.choice((0, 1)), 16, mode=EVERY, vector=7, aggregated=1)
    polled = driver.add_cmpt(9, 1, 32, mode=0, en_int=0)
    h2c = driver.add_h2c(12, 2)
    await bed.settle()
    rings, due, seen = list(driver.cmpt.values()), {}, 0
    for turn in range(60_000):
        if turn >= 6000 and all(each.posted > 2 * each.entries for each in rings):
            break
        entry_ring = rng.choice(rings)
        if rng.random() < 0.3 and driver.pending[entry_ring.qid] < 3:
            driver.send(entry_ring, trigger=rng.random() < 0.1)
        if rng.random() < 0.01 and h2c.room() and not bed.requests:
            post_some(driver, h2c)
        if not bed.requests:
            messages = bed.messages[seen:]
            seen += len(messages)
            for _, func, vector in messages:
                if (func, vector) == (7, 6):
                    for qid, is_c2h, _ in driver.read_interrupt_ring(ring):
                        assert is_c2h
                        due[qid] = True
                elif func == 0:
                    due[vector] = True
            for qid in [*due, *([9] if rng.random() < 0.02 else [])]:
                driver.poll(driver.cmpt[qid])
                driver.arm(driver.cmpt[qid])
            due.clear()
        await bed.step()
    for _ in range(40):
        await bed.steps(60)
        for entry_ring in rings:
            if driver.poll(entry_ring) or entry_ring.qid in bed.source.held:
                driver.arm(entry_ring)
        if ring["pidx"] != ring["cidx"]:
            driver.read_interrupt_ring(ring)
    await bed.settle()
    for entry_ring in rings:
        driver.poll(entry_ring)
        assert not driver.pending[entry_ring.qid] and entry_ring.posted > 2 * entry_ring.entries
        assert driver.entries[entry_ring.qid] == entry_ring.written == entry_ring.posted, f"queue {entry_ring.qid}"
    assert polled.statuses == 0 and all(entry_ring.statuses for entry_ring in rings if entry_ring is not polled)
    all_out(driver)


@cocotb.test()
async def errors(dut):
    """Each kind of error stops its queue, or nothing, is in its leaf with a log, and interrupts; other queues go on."""
    driver = await ready(dut)
    bed = driver.bed
    bed.vector(0, 1)
    good = [driver.add_h2c(qid, 2) for qid in (1, 25)]
    for leaf in (TRQ, DSC, C2H):
        bed.write(0, leaf[1], 0xFFFFFFFF)
    bed.write(0, GLOBAL_MASK, 0xFFFFFFFF)

    async def expect(leaf, bit: int, qid: int, **more) -> None:
        """The error interrupt, its leaf and log, all of them cleared as a driver does."""
        for queue in good:
            for _ in range(4):
                post_some(driver, queue)
        await bed.settle()
        assert driver.other_messages == [(0, 1)]
        driver.other_messages.clear()
        assert await bed.read(0, GLOBAL_STATUS) == 1 << leaf[2]
        if leaf == DSC:
            await bed.check_descriptor_error(bit, qid, **more)
        else:
            assert await bed.read(0, leaf[0]) == 1 << bit, (leaf, bit)
            assert await bed.read(0, 0xB30) == bit << 16 | qid
        bed.write(0, leaf[0], 0xFFFFFFFF)
        await arm()

    async def arm() -> None:
        bed.write(0, ERROR_INTERRUPT, ARM | 1 << 12)
        await bed.settle(50)

    await arm()
    # PIDX outside the ring: nothing is stopped
    queue = driver.add_h2c(5, 1)
    driver.doorbell(0, 5, 4, 32)
    await expect(DSC, PIDX_ERROR, 5)
    driver.post(queue, [100])
    driver.ring(queue)
    await bed.settle()
    assert not queue.wanted
    # A read of payload fails, and one of descriptors
    for qid, is_payload in ((6, True), (7, False)):
        queue = driver.add_h2c(qid, 2)
        driver.post(queue, [200])
        bad = driver.post(queue, [300])[0]
        bed.host.bad.add((bad if is_payload else queue.base) >> BUFFER)
        driver.ring(queue)
        await expect(DSC, DMA_ERROR, qid, cidx=1 if is_payload else 0, read=True)
        assert queue.errors == HAS_ERROR and len(queue.wanted) == (1 if is_payload else 2)
        context = await bed.read_context(SW_H2C, qid)
        assert context >> 58 & 3 == 2 and context & QEN == 0
    # A descriptor without a begin, a ring that is not aligned
    queue = driver.add_h2c(8, 2)
    driver.descriptor(queue, 0x5000, 64, 2)
    driver.ring(queue)
    await expect(DSC, PIDX_ERROR, 8, cidx=0, sub_type=PARAM)
    assert queue.errors == HAS_ERROR
    queue = driver.add_h2c(9, 2, fields=8 << 64)
    driver.post(queue, [64])
    driver.ring(queue)
    await expect(DSC, PIDX_ERROR, 9, cidx=0, sub_type=PARAM)
    # What the engine does not do: its status says so
    for qid, field in ((13, BYPASS),) if parameter("MM", 0) else ((12, IS_MM), (13, BYPASS)):
        queue = driver.add_h2c(qid, 2, fields=field)
        driver.post(queue, [64])
        driver.ring(queue)
        await expect(DSC, PIDX_ERROR, qid, cidx=0, sub_type=PARAM)
        assert queue.errors == HAS_ERROR and queue.cidx == 0 and len(queue.wanted) == 1
        context = await bed.read_context(SW_H2C, qid)
        assert context >> 58 & 3 == 1 and context & QEN == 0
    # Completion rings: CIDX beyond PIDX, a ring that is not valid
    ring = driver.add_cmpt(10, 1, 16, mode=0, en_int=0)
    ring.is_broken, ring.cidx = True, 5
    driver.doorbell(0, 10, 12, 5 | 1 << 27)
    await expect(C2H, CIDX_ERROR, 10)
    assert (await bed.read_context(COMPLETION, 10)) >> 124 & 7 == 0b010
    driver.c2h.prefetch(11)
    bed.source.packet(11, b"")
    await expect(C2H, INVALID_QUEUE, 11)
    for queue in good:
        assert not queue.wanted and not queue.errors and queue.cidx == queue.pidx
    assert int(dut.stat_c2h_invalid.value) == 1
    assert int(dut.stat_read_failed.value) == sum(bed.host.errors[1:]) >= 2


@cocotb.test()
async def bus_master(dut):
    """What a function writes while it may not be bus master is dropped and counted; other functions go on."""
    driver = await ready(dut)
    bed = driver.bed
    mine, other = driver.add_h2c(24, 2), driver.add_h2c(2, 2)
    bed.s.set(**bed.boundary.masters((1 << 256) - 1 & ~(1 << 7)))
    for queue in (mine, other):
        driver.post(queue, [64])
        driver.ring(queue)
    await bed.settle()
    assert mine.statuses == 0 and other.statuses == 1 and int(dut.stat_write_dropped.value) == 1


@cocotb.test()
async def user_interrupts(dut):
    """Interrupts of the user beside traffic: the vector of a PF and of a VF; masked ones are pending and leave once;
    those that cannot be are answered by fail and leave nothing."""
    driver = await ready(dut)
    bed, rng = driver.bed, driver.rng
    everyone, failed = (1 << 256) - 1, 0
    queues = [driver.add_h2c(qid, 2, vector=1) for qid in (1, 24)]
    places = ((0, 31), (7, 6))
    for func, vector in places:
        for number in (1, vector):
            bed.vector(func, number)
    await bed.settle()
    for turn in range(20):
        for queue in queues:
            post_some(driver, queue)
        func, vector = places[turn % 2]
        bit, count = 1 << func, len(driver.other_messages)
        bed.rates["write"] = rng.choice((1.0, 0.5))
        assert await bed.user_irq(func, vector)
        await bed.settle()
        assert driver.other_messages[count:] == [(func, vector)]
        bed.s.set(**bed.boundary.msix(everyone, bit))
        await bed.steps(4)
        assert await bed.user_irq(func, vector) and await bed.user_irq(func, vector)
        pending = (PF_MSIX if func < 4 else VF_MSIX)[1]
        assert await bed.read(func, pending) >> vector & 1
        bed.s.set(**bed.boundary.msix(everyone))
        await bed.settle()
        assert driver.other_messages[count:] == [(func, vector)] * 2 and await bed.read(func, pending) == 0
        # PF 2 and function 8 are not there; the vectors are not; MSI-X is off; it is no bus master.
        for bad in ((2, 0), (8, 0), (255, 6), (0, 32), (7, 8), (0, 2047)):
            assert not await bed.user_irq(*bad)
        bed.s.set(**bed.boundary.msix(everyone & ~bit))
        await bed.steps(4)
        assert not await bed.user_irq(func, vector)
        bed.s.set(**bed.boundary.msix(everyone), **bed.boundary.masters(everyone & ~bit))
        await bed.steps(4)
        assert not await bed.user_irq(func, vector)
        bed.s.set(**bed.boundary.masters(everyone))
        failed += 8
        await bed.settle()
        assert len(driver.other_messages) == count + 2
        assert int(dut.stat_user_irq_failed.value) == failed
    all_out(driver)
    assert int(dut.stat_interrupt_lost.value) == 0 and await bed.read(0, C2H[0]) == 0


@cocotb.test()
async def invalidate(dut):
    """A queue that is invalidated while packets flow reads no more descriptors; the others do not notice; cleared and
    set up again, it works."""
    driver = await ready(dut, latency=(100, 140))
    bed, rng = driver.bed, driver.rng
    queues = [driver.add_h2c(qid, 2) for qid in range(4)]
    for _ in range(6):
        victim = queues[0]
        for _ in range(30):
            for queue in queues:
                if queue.room() and len(bed.requests) < 6:
                    post_some(driver, queue)
            await bed.steps(rng.randrange(20))
        bed.context(SW_H2C, 0, 0, INVALIDATE)
        await bed.until(lambda: not bed.requests)
        ended, quiet = bed.cycle, 0
        # Its last batches: reads of payload that were found before
        while quiet < 400:
            before = len(bed.host.read_addresses)
            await bed.step()
            late = any(addr >> 32 == 1 and at - ended >= 40 for at, addr in bed.host.read_addresses[before:])
            assert not late, "descriptors are read after the queue was invalidated"
            busy = bed.host.reads or bed.is_busy
            quiet = 0 if busy else quiet + 1
        assert all(not queue.wanted for queue in queues[1:])
        # A chain of it that was cut ends with the next batch of any queue.
        for queue in queues[1:]:
            post_some(driver, queue)
        await bed.settle()
        driver.doorbell(0, 0, 4, victim.pidx)  # refused: the queue is not enabled
        await bed.settle()
        assert await bed.read(0, DSC[0]) == 1 << PIDX_ERROR
        bed.write(0, DSC[0], 1 << PIDX_ERROR)
        for selector in (SW_H2C, HW_H2C):
            bed.context(selector, 0, 0, CLEAR)
        del driver.h2c[0]
        queues[0] = driver.add_h2c(0, 2)
        await bed.settle()
    all_out(driver)
    for queue in queues:
        post_some(driver, queue)
    await bed.settle()
    all_out(driver)


@cocotb.test()
async def disabled(dut):
    """An H2C queue is disabled under traffic, by each of the commands, beside a user that is slow: once they are not
    busy, nothing of it is read or written. The other queues lose nothing; set up again at once, it works."""
    driver = await ready(dut, latency=(100, 140))
    bed, rng = driver.bed, driver.rng
    queues = [driver.add_h2c(qid, 2) for qid in (0, 1, 24)]
    longest = 0
    for turn in range(18):
        victim = queues[turn % 3]
        bed.rates["packet"] = rng.choice((1.0, 1.0, 0.3, 0.05))
        bed.rates["write"] = rng.choice((1.0, 1.0, 0.3))
        for _ in range(20):
            for queue in queues:
                if queue.room() and len(bed.requests) < 6:
                    post_some(driver, queue)
            await bed.steps(rng.randrange(20))
        longest = max(longest, await driver.disable_h2c(victim, (INVALIDATE, CLEAR, WRITE)[turn // 3 % 3]))
        queues[turn % 3] = driver.add_h2c(victim.qid, 2)
        for queue in queues:
            post_some(driver, queue)
        bed.rates["packet"] = bed.rates["write"] = 1.0
        await bed.settle()
        all_out(driver)
    print(f"disabled: the command was busy for {longest} cycles at most")


@cocotb.test()
async def disabled_after_error(dut):
    """The first read of a batch of descriptors fails, the others are still under way when the queue is disabled."""
    driver = await ready(dut, latency=(20, 400), mrrs=128)
    bed, rng = driver.bed, driver.rng
    under_way = 0
    for turn in range(40):
        victim = driver.add_h2c(turn % 8, 2)
        await bed.settle(50)
        bed.host.bad.add(victim.base >> BUFFER)
        for _ in range(rng.randint(20, 60)):
            driver.post(victim, [64])
        driver.ring(victim)
        await bed.steps(rng.randint(100, 400))
        under_way += any(read.addr >> 32 == victim.base >> 32 for read in bed.host.reads.values())
        await driver.disable_h2c(victim, rng.choice((INVALIDATE, CLEAR, WRITE)))
    assert under_way > 10
    await bed.settle()


@cocotb.test()
async def disabled_status_within(dut):
    """The status of an H2C queue waits for a channel of writes that stands still when the queue is disabled: the
    command is busy until the status has left."""
    driver = await ready(dut)
    bed = driver.bed
    # In the arbiter, in the writer, before it, or not there yet. The adapter, where there is one, has those of 6
    # others: the command does not wait for them, its answer does.
    fewest = 0 if dut._name == TOPS[0] else 6
    others = [driver.add_h2c(qid, 2) for qid in range(1, 1 + fewest + bed.rng.randrange(5))]
    victim = driver.add_h2c(0, 2)
    await bed.settle()
    bed.host.latency = 200, 200
    for queue in (*others, victim):
        driver.post(queue, [64])
        driver.ring(queue)
    # All reads have left before the channel of writes, which may be that of reads, stands still.
    buffers = victim.buffers.union(*(queue.buffers for queue in others))
    await bed.until(lambda: buffers <= {addr >> BUFFER for _, addr in bed.host.read_addresses})
    bed.rates["write"] = 0.0
    await bed.steps(600)
    bed.context(SW_H2C, 0, 0, INVALIDATE)
    await bed.until(lambda: not bed.requests)
    for _ in range(40):
        assert await bed.read(0, COMMAND) & 1, "the command is not busy, and a status is on its way"
    bed.rates["write"] = 1.0
    await driver.disable_h2c(victim, INVALIDATE)
    assert victim.statuses == 1
    await bed.settle()
    all_out(driver)


@cocotb.test()
async def interrupt_of_h2c_through_ring(dut):
    """Status of descriptor rings through an interrupt ring: one message until the driver has read it."""
    driver = await ready(dut)
    bed = driver.bed
    bed.vector(0, 3)
    ring = driver.add_interrupt_ring(5, 0, 3)
    queues = [driver.add_h2c(qid, 2, vector=5, fields=AGGREGATED) for qid in range(3)]
    for queue in queues:
        queue.vector = None  # it is the ring's
    for round_ in range(3):
        for queue in queues:
            driver.post(queue, [64])
            driver.ring(queue, arm=True)
        await bed.settle()
        entries = driver.read_interrupt_ring(ring)
        assert Counter(qid for qid, _, _ in entries) == Counter(range(3))
        for qid, is_c2h, status in entries:
            assert not is_c2h and status & 0xFFFF == queues[qid].pidx and status >> 16 & 0xFFFF == queues[qid].cidx
        await bed.settle(50)
        assert driver.other_messages == [(0, 3)] * (round_ + 1)
    all_out(driver)


@pytest.mark.parametrize("top", main_and_kept(__file__, TOPS))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_top(test, top):
    top_bench(top).run(__name__, test)
