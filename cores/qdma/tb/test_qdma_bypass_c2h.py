# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Descriptor bypass of streaming C2H, cached and simple: the user has the buffers between fetch and store, and
returns them."""

from collections import deque

import cocotb
import pytest

from qdma_bypass_bed import add_c2h, bypass_bench, disable_c2h, rates, user
from qdma_bypass_user import C2H_ST, IN
from qdma_contract import CLEAR, DMA_ERROR, DSC, FMAP, HW_C2H, INVALIDATE, PREFETCH, PREFETCH_VALID, SW_C2H, WRITE
from qdma_mm_bed import ready_mm
from qdma_planted import Fault, must_see
from qdma_source import DROP, HOLD
from qdma_top_bed import BUFFER, QUEUES
from qdma_top_c2h import BUFFER_SIZES, SIZE_64, SIZE_256, SIZE_4096
from qdma_top_driver import IRQ_EN, OF_PF, QEN, Driver
from test_qdma_top_c2h import RING_9, RING_33, RING_65, RING_129, add, all_in, any_count, drain
from ullnic_tb import cocotb_tests, long_run, rounds

PREFETCH_BYPASS = 1
VECTOR = 9  # of the status of a descriptor ring
OPERATIONS = (INVALIDATE, CLEAR, WRITE)
STOP_CYCLES = 1500  # with a read of 140, and 512 places on the way to the user
STALLS = ({}, {"out": 0.2}, {"in": 0.2}, {"out": 0.5, "in": 0.5, "write": 0.5, "read": 0.5}, {"write": 0.8, "in": 0.05})


async def ready_c2h(dut, **host) -> Driver:
    return (await ready_mm(dut, **host)).driver


@cocotb.test()
async def packets(dut):
    """Packets of 0 to 4096 bytes into buffers of many sizes, around all rings, of queues with and without bypass, while
    the user stalls."""
    driver = await ready_c2h(dut)
    bed, rng = driver.bed, driver.rng
    sizes = rng.sample(range(len(BUFFER_SIZES) - 1), 7)
    added = [
        (add_c2h if i < 5 else add)(driver, qid, rng.choice((RING_9, RING_33, RING_65)), size, cmpt_ix=RING_65)
        for i, (size, qid) in enumerate(zip(sizes, (0, 1, 2, 24, 25, 3, 26), strict=True))
    ]
    await bed.settle()
    for stalls in STALLS:
        rates(driver, **stalls)
        bed.source.rates["beat"] = rng.choice((1.0, 0.5))
        for _ in range(rounds(1500, 350)):
            queue, ring = rng.choice(added)
            if rng.random() < 0.3 and driver.pending[queue.qid] < 3:
                driver.send(ring, any_count(rng, queue))
            if not bed.requests and rng.random() < 0.1:
                driver.serve(ring)
            await bed.step()
        await drain(driver)
        all_in(driver)
    assert all(queue.packets > 5 for queue, _ in added) and any(queue.posted > queue.size for queue, _ in added[:5])
    assert user(driver, C2H_ST).provided > 200 and not bed.bypass.dropped[C2H_ST]


@cocotb.test()
async def errors(dut):
    """Buffers that cannot be read: those before them are used, then packets are dropped, and the queue is stopped as
    without bypass. Others lose nothing; cleared and set up again, it works."""
    driver = await ready_c2h(dut)
    bed, rng = driver.bed, driver.rng
    good = [add_c2h(driver, 1, RING_65, SIZE_256), add(driver, 2, RING_65, SIZE_256)]
    for _ in range(4):
        rates(driver, **rng.choice(STALLS))
        queue, ring = add_c2h(driver, 4, RING_129, SIZE_256)
        await bed.settle()
        bed.host.bad.add(queue.base >> BUFFER)
        while not queue.error:
            driver.send(ring, 200)
            await bed.settle(60)
            driver.serve(ring)
            await bed.settle(400)
        for each, cmpt in (*good, (queue, ring)):
            for _ in range(rng.randrange(8)):
                driver.send(cmpt, any_count(rng, each) % 900)
        await bed.settle()
        assert queue.error == 1
        word = await bed.read_context(SW_C2H, 4)
        assert word >> 58 & 3 == 2 and word & QEN == 0
        await bed.check_descriptor_error(DMA_ERROR, 4, is_c2h=True)
        await drain(driver, [cmpt for _, cmpt in good])
        bed.host.bad.clear()
        bed.write(0, DSC[0], 0xFFFFFFFF)
        await disable_c2h(driver, queue, CLEAR)
        await driver.c2h.remove(queue)


@cocotb.test()
async def bad_buffers(dut):
    """A buffer that is returned with an error, another function, or an index beyond the ring stops its queue alone,
    with a status and its interrupt."""
    driver = await ready_c2h(dut)
    bed = driver.bed
    bed.vector(0, VECTOR)
    good, good_ring = add_c2h(driver, 1, RING_65, SIZE_256)
    for wrong in ({"error": 1}, {"func": 1}, {"cidx": 128}):
        left = [wrong]

        def changes(_: int, descriptor: dict, left=left) -> list[dict]:
            """The first one of queue 4 is wrong."""
            return [descriptor | (left.pop() if left and descriptor["qid"] == 4 else {})]

        bed.bypass.changes = changes
        queue, ring = add_c2h(driver, 4, RING_65, SIZE_256, fields=IRQ_EN | VECTOR << 128)
        driver.c2h.ring(queue, arm=True)
        await bed.settle()
        for _ in range(4):
            driver.send(ring, 100)
            driver.send(good_ring, 100)
        await drain(driver, [good_ring])
        assert queue.error == 1 and not queue.packets and DROP in bed.source.answers[4] and not good.error
        assert driver.other_messages == [(0, VECTOR)]
        driver.other_messages.clear()
        word = await bed.read_context(SW_C2H, 4)
        assert word >> 58 & 3 == 2 and word & QEN == 0
        await disable_c2h(driver, queue, CLEAR)
        await driver.c2h.remove(queue)
        all_in(driver)


@cocotb.test()
async def stands_still(dut):
    """A user that returns no buffers: its queue holds packets, others go on, commands end. A user that has no more to
    return than it has: what it returns twice is dropped."""
    driver = await ready_c2h(dut)
    bed = driver.bed
    for turn in range(3):
        good = add(driver, 1, RING_65, SIZE_256)
        rates(driver, **({"in": 0.0}, {"out": 0.0}, {"in": 0.0, "out": 0.02})[turn])
        (mine, ring), (other, other_ring) = add_c2h(driver, 0, RING_129, SIZE_64), add_c2h(driver, 3, RING_33, SIZE_64)
        await bed.steps(800)
        for _ in range(10):
            driver.send(ring, 64)
            driver.send(good[1], 500)
        await drain(driver, [good[1]])
        assert good[1].posted == 10 and driver.pending[0] and HOLD in bed.source.answers[0]
        assert await disable_c2h(driver, mine, OPERATIONS[turn]) < STOP_CYCLES
        assert (await bed.read_context(HW_C2H, 0)) >> 43 & 15 == 0, "batches are under way"
        await driver.c2h.remove(mine)
        rates(driver)
        for _ in range(20):
            driver.send(other_ring, 64)
        await drain(driver, [other_ring])
        # One that has been used already
        before, sent = bed.bypass.dropped[C2H_ST], 0
        for _ in range(5):
            extra = dict.fromkeys(IN, 0) | {"qid": 3, "func": 0, "cidx": 1, "addr": 1 << 62}
            await bed.until(lambda: not user(driver, C2H_ST).waits)
            await bed.settle(300)
            user(driver, C2H_ST).waits.append(extra)
            sent += 1
        await bed.settle()
        assert bed.bypass.dropped[C2H_ST] - before == sent
        for _ in range(60):  # more than the buffers before it
            driver.send(other_ring, 64)
        await drain(driver, [other_ring])
        all_in(driver)
        for queue in (other, good[0]):
            await (disable_c2h(driver, queue, CLEAR) if queue is other else driver.c2h.disable(queue, CLEAR))
            await driver.c2h.remove(queue)


@cocotb.test()
async def disabled(dut):
    """By each command, under traffic, beside a user that is slow, or that returns buffers of stopped queues."""
    driver = await ready_c2h(dut, latency=(100, 140))
    bed, rng = driver.bed, driver.rng
    queues = [add_c2h(driver, qid, RING_129, rng.choice((SIZE_64, SIZE_256)), cmpt_ix=RING_129) for qid in (0, 1, 24)]
    queues += [add(driver, 2, RING_33, SIZE_256, cmpt_ix=RING_129)]
    await bed.settle()
    others_each, longest = bed.each, 0

    def step(cycle: int) -> None:
        others_each(cycle)
        queue, ring = rng.choice(queues)
        if rng.random() < 0.4 and driver.pending[queue.qid] < 4 and not queue.is_dead:
            driver.send(ring, any_count(rng, queue) % 1500)

    for turn in range(rounds(100, 9)):
        slow = {name: rng.choice((1.0, 1.0, 0.2, 0.02)) for name in ("out", "in")}
        rates(driver, **slow, write=rng.choice((1.0, 0.5)))
        bed.bypass.forgets = rng.random() < 0.5
        bed.each = step
        for _ in range(6):
            await bed.steps(rng.randint(5, 80))
            for queue, ring in queues:
                if queue.room() > 4 and len(bed.requests) < 4:
                    driver.serve(ring)
        victim, _ = queues[turn % 3]
        bed.source.is_stalled = turn % 4 == 0
        longest = max(longest, await disable_c2h(driver, victim, OPERATIONS[turn % 9 // 3]))
        assert (await bed.read_context(HW_C2H, victim.qid)) >> 43 & 15 == 0, "batches are under way"
        bed.source.is_stalled = False
        bed.each = others_each
        rates(driver)
        await driver.c2h.remove(victim)
        await bed.until(lambda: not user(driver, C2H_ST).waits)
        await drain(driver, [ring for queue, ring in queues if queue is not victim])
        queues[turn % 3] = add_c2h(driver, victim.qid, RING_33, SIZE_256, cmpt_ix=RING_129)
        await bed.settle(20)
        driver.send(queues[turn % 3][1], 300)
        await drain(driver)
        all_in(driver)
    print(f"disabled: the command was busy for {longest} cycles at most")
    assert longest < STOP_CYCLES


@cocotb.test()
async def resets(dut):
    """Function level resets at random moments, of a function with such queues: others lose nothing; set up again, it
    works."""
    driver = await ready_c2h(dut, latency=(30, 160))
    bed, rng = driver.bed, driver.rng
    mine = [add_c2h(driver, OF_PF + i, RING_129, SIZE_64) for i in range(2)]
    other = add_c2h(driver, 1, RING_65, SIZE_256)
    await bed.settle()
    others_each = bed.each

    def step(cycle: int) -> None:
        others_each(cycle)
        queue, ring = rng.choice((*mine, other))
        if rng.random() < 0.2 and driver.pending[queue.qid] < 3 and queue.qid not in driver.disabling:
            driver.send(ring, any_count(rng, queue) % 700)

    for _ in range(rounds(20, 2)):
        rates(driver, **{name: rng.choice((1.0, 0.3, 0.02)) for name in ("out", "in")})
        bed.each = step
        await bed.steps(rng.randint(1, 900))
        driver.disabling |= {queue.qid for queue, _ in mine}
        bed.bypass.disabling |= {(C2H_ST, queue.qid) for queue, _ in mine}
        if rng.random() < 0.5:
            await bed.reset_by_port(7, lambda: None)
        else:
            await bed.reset_by_register(7, 0x1100)
        for queue, _ in mine:
            queue.is_dead = True
            driver.disabling.discard(queue.qid)
            bed.bypass.ended(C2H_ST, queue.qid)
        bed.each = others_each
        rates(driver)
        for _ in range(2):
            for queue, _ in mine:
                bed.source.forget(queue.qid)
            await bed.steps(400)
        for queue, _ in mine:
            del driver.c2h.queues[queue.qid], driver.cmpt[queue.qid]
        bed.quiet.discard(7)
        bed.context(FMAP, 7, OF_PF | QUEUES - OF_PF << 32)
        mine = [add_c2h(driver, OF_PF + i, RING_33, SIZE_64) for i in range(2)]
        await bed.settle(60)
        for _, ring in (*mine, other):
            driver.send(ring, 200)
        await drain(driver)
        all_in(driver)


class Returned(deque):
    """Buffers in the order in which the user returns them, which is not that of the ring."""

    def append(self, addr: int) -> None:
        """The ring has one more."""

    def back(self, addr: int) -> None:
        super().append(addr)


@cocotb.test()
async def simple(dut):
    """Simple bypass: the prefetch context has `bypass`, too. Packets take the buffers in the order in which the user
    returns them, which it chooses."""
    driver = await ready_c2h(dut)
    bed, rng = driver.bed, driver.rng
    queues = [add_c2h(driver, qid, RING_65, size) for qid, size in ((0, SIZE_256), (24, SIZE_64))]
    other = add_c2h(driver, 1, RING_65, SIZE_4096)
    kept: dict[int, list[dict]] = {}
    for queue, _ in queues:
        size = BUFFER_SIZES.index(queue.buffer_bytes)
        bed.context(PREFETCH, queue.qid, PREFETCH_BYPASS | size << 1 | PREFETCH_VALID)
        queue.buffers, kept[queue.qid] = Returned(), []

    def shuffled(number: int, descriptor: dict) -> list[dict]:
        if number != C2H_ST or descriptor["qid"] not in kept:
            return [descriptor]
        group = kept[descriptor["qid"]]
        group.append(descriptor)
        if len(group) < 4:
            return []
        kept[descriptor["qid"]] = []
        rng.shuffle(group)
        for each in group:
            driver.c2h.queues[each["qid"]].buffers.back(each["addr"])
        return group

    bed.bypass.changes = shuffled
    await bed.settle()
    for stalls in STALLS[:4]:
        rates(driver, **stalls)
        for _ in range(400):
            queue, ring = rng.choice((*queues, other))
            if rng.random() < 0.2 and driver.pending[queue.qid] < 3:
                driver.send(ring, rng.choice((0, 64, rng.randint(1, 3 * queue.buffer_bytes))) % 4000)
            if not bed.requests and rng.random() < 0.1:
                driver.serve(ring)
            await bed.step()
        await drain(driver)
        all_in(driver)
    assert all(queue.packets > 10 for queue, _ in queues)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_bypass_c2h(test):
    bypass_bench().run(__name__, test)


@long_run(__file__)
@pytest.mark.parametrize("test", ["packets", "disabled", "resets"])
def test_qdma_bypass_c2h_long(test):
    bypass_bench().run(__name__, test, long_seed=1)


FAULTS = (
    Fault("not_reported", "qdma_bypass_c2h.sv", "if (away_at[2]) state_q <= away == '0 ? DONE : REPORT;",
          "state_q <= DONE;", "stands_still"),
    Fault("returned_twice", "qdma_bypass_c2h.sv", ".wr_valid(away_at[1] & (away != '0)),", ".wr_valid(away_at[1]),",
          "stands_still"),
    Fault("place_is_lost", "qdma_c2h_store.sv", "is_end: is_user ? ~stores : descriptor.is_end,",
          "is_end: is_user ? 1'b0 : descriptor.is_end,", "disabled"),
    Fault("error_within_a_group", "qdma_bypass_c2h.sv", "(returned.error != READ_OK);", "1'b0;", "bad_buffers"),
)  # fmt: skip


@long_run(__file__)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_qdma_bypass_c2h_sees(fault):
    must_see(bypass_bench(), fault, __name__)
