# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Progress of queues in registers, and the watchdog that freezes a trace of events, through the whole of qdma."""

import cocotb
import pytest

from qdma_contract import CLEAR, INVALIDATE, SW_H2C
from qdma_source import HOLD
from qdma_top_bed import BUFFER, QUEUES, TOPS, Bed
from qdma_top_driver import Driver, all_out, ready
from test_qdma_inline import bench
from test_qdma_top import post_some
from test_qdma_top_c2h import RING_33, SIZE_256, add, drain
from ullnic_tb import cocotb_tests

TICK = 8 * QUEUES
SELECT, H2C, STATUS, C2H = 0x1E10, 0x1E14, 0x1E18, 0x1E1C
CONTROL, LIMIT, CLOCKS, FOUND, ENTRY, EVENT, CYCLE = range(0x1E20, 0x1E3C, 4)
KINDS = (
    "posted_h2c",
    "posted_c2h",
    "read",
    "fetched_c2h",
    "fetched_h2c",
    "issued",
    "done",
    "granted",
    "refused",
    "entry",
)
KINDS += ("status_h2c", "status_c2h", "stop", "stopped", "error")


async def progress(bed: Bed, qid: int) -> tuple[int, int, int, int]:
    """Of an H2C queue issued, done, written; of a C2H queue the buffers that are held."""
    bed.write(0, SELECT, qid)
    h2c, status, c2h = [await bed.read(0, address) for address in (H2C, STATUS, C2H)]
    return h2c & 0xFFFF, h2c >> 16, status, c2h


def arm(bed: Bed, ticks: int, queue: int | None = None) -> None:
    bed.write(0, LIMIT, ticks)
    bed.write(0, CONTROL, 1 | (2 | queue << 16 if queue is not None else 0))


async def found(bed: Bed) -> tuple[int, bool] | None:
    """The queue that was found, and whether it is of C2H."""
    status = await bed.read(0, FOUND)
    assert not status >> 31 or await bed.read(0, CONTROL) & 1 == 0, "it is not armed any more"
    return (status & 0x1FFF, bool(status >> 30 & 1)) if status >> 31 else None


async def trace(bed: Bed) -> list[tuple[str, int, int, int]]:
    """Kind, queue, index, cycle."""
    events = []
    for i in range(await bed.read(0, FOUND) >> 16 & 0x7F):
        bed.write(0, ENTRY, i)
        event, cycle = await bed.read(0, EVENT), await bed.read(0, CYCLE)
        events.append((KINDS[event >> 27 & 15], event >> 16 & 0x7FF, event & 0xFFFF, cycle))
    return events


async def until_found(bed: Bed, ticks: int) -> int:
    """Cycles, which are more than those of the limit and at most those of one tick more."""
    begin = bed.cycle
    while await found(bed) is None:
        assert bed.cycle - begin < (ticks + 2) * TICK, "nothing is found"
    return bed.cycle - begin


async def more(driver: Driver, queues, cycles: int) -> None:
    end = driver.bed.cycle + cycles
    while driver.bed.cycle < end:
        for queue in queues:
            if driver.rng.random() < 0.3:
                post_some(driver, queue)
        await driver.bed.steps(driver.rng.choice((20, 200)))


@cocotb.test()
async def shown(dut):
    """What registers say of queues with and without traffic, at rest and while the user stands still."""
    driver = await ready(dut)
    bed, rng = driver.bed, driver.rng
    assert await bed.read(0, 0x130) == 3 << 16 and await bed.read(0, CLOCKS) == TICK
    for qid in (0, 5, QUEUES - 1):
        assert await progress(bed, qid) == (0, 0, 0, 0), "cleared by the reset"
    queues = [driver.add_h2c(qid, size) for qid, size in ((1, 0), (2, 2), (25, 1), (QUEUES - 1, 6))]
    buffers, ring = add(driver, 3, RING_33, SIZE_256)
    await more(driver, queues, 3000)
    await bed.settle()
    for queue in queues:
        got, size = await progress(bed, queue.qid), queue.size
        assert got == (queue.pidx, queue.pidx, queue.cidx, 0), f"queue {queue.qid} of {size}: {got}, {queue.pidx}"
    for sent in (0, 1, 7):
        for _ in range(sent):
            driver.send(ring, rng.randint(1, 256))
        await drain(driver, [ring])
        assert (await progress(bed, 3))[3] == len(buffers.buffers) > 20, "those that no packet has"
    # The user accepts nothing: what is read is more than what is done.
    queue = queues[1]
    before = queue.pidx
    bed.rates["packet"] = 0.0
    for _ in range(6):
        driver.post(queue, [300])
    driver.ring(queue)
    await bed.steps(2000)
    issued, done, written, _ = await progress(bed, queue.qid)
    ahead = [(index - before) % (queue.size - 1) for index in (issued, done, written)]
    assert ahead[0] == 6 and ahead[2] <= ahead[1] < 6, ahead
    bed.rates["packet"] = 1.0
    await bed.settle()
    assert await progress(bed, queue.qid) == (queue.pidx, queue.pidx, queue.pidx, 0)
    await driver.disable_h2c(queue, CLEAR)
    assert await progress(bed, queue.qid) == (0, 0, 0, 0), "of the one that is set up next"


@cocotb.test()
async def stands_still(dut):
    """An H2C queue whose packets the user does not accept is found within its time; queues that move, or that have
    nothing to do, are not. The trace has its events, and stays as it is until the watchdog is armed again."""
    driver = await ready(dut)
    bed, rng = driver.bed, driver.rng
    queues = [driver.add_h2c(qid, 2) for qid in (1, 2, 25)]
    for _ in range(3):
        ticks = rng.randint(4, 7)  # longer than packets of 40 buffers on three queues take
        arm(bed, ticks)
        await more(driver, queues, 6 * TICK)
        await bed.settle()
        await bed.steps(3 * ticks * TICK)
        assert await found(bed) is None and len(await trace(bed)) == 64
        bed.rates["packet"] = 0.0
        queue = rng.choice(queues)
        before = queue.pidx
        for _ in range(10):
            driver.post(queue, [200])
        driver.ring(queue)
        cycles = await until_found(bed, ticks)
        assert cycles > (ticks - 1) * TICK and await found(bed) == (queue.qid, False)
        events = await trace(bed)
        assert ("posted_h2c", queue.qid, queue.pidx) in [event[:3] for event in events]
        assert ("fetched_h2c", queue.qid, before) in [event[:3] for event in events]
        times = [event[3] for event in events]
        assert times == sorted(times) and len(set(times)) == len(times) == 64
        # Frozen, whatever comes
        bed.rates["packet"] = 1.0
        await more(driver, queues, 2 * TICK)
        await bed.settle()
        assert await trace(bed) == events and await found(bed) == (queue.qid, False)
    all_out(driver)


@cocotb.test()
async def filtered(dut):
    """A trace of one queue alone, which is short. Armed again, the queue that still stands still is found again."""
    driver = await ready(dut)
    bed = driver.bed
    queues = [driver.add_h2c(qid, 2) for qid in (1, 2, 25)]
    arm(bed, 5, 2)
    await more(driver, (queues[0], queues[2]), 2 * TICK)
    await bed.settle()
    assert await trace(bed) == []
    bed.rates["packet"] = 0.0
    for _ in range(8):
        driver.post(queues[1], [300])
    driver.ring(queues[1])
    for _ in range(2):
        await until_found(bed, 5)
        assert await found(bed) == (2, False)
        events = await trace(bed)
        assert all(event[1] == 2 for event in events)
        arm(bed, 5, 2)
        await bed.steps(20)
        assert await found(bed) is None
    assert events == [], "none after it was armed"
    bed.rates["packet"] = 1.0
    await bed.settle()
    kinds = [event[0] for event in await trace(bed)]
    assert kinds.count("done") >= 5 and "status_h2c" in kinds and "posted_h2c" not in kinds
    await bed.steps(8 * TICK)
    assert await found(bed) is None
    all_out(driver)


@cocotb.test()
async def without_buffers(dut):
    """A C2H queue whose packet waits for buffers is found; one without packets is not, nor one that is given buffers in
    time."""
    driver = await ready(dut)
    bed = driver.bed
    (queue, ring), (_, other) = [add(driver, qid, RING_33, SIZE_256) for qid in (3, 4)]
    await bed.settle()
    ticks = 3
    arm(bed, ticks)
    for _ in range(queue.size + 2):
        driver.send(ring, 256)
    await bed.until(lambda: 3 in bed.source.held)
    await until_found(bed, ticks)
    assert await found(bed) == (3, True)
    assert ("refused", 3, HOLD) in [event[:3] for event in await trace(bed)]
    arm(bed, ticks)
    await drain(driver)
    for _ in range(20):
        driver.send(other, 64)
        await bed.steps(TICK // 2)
        driver.serve(other)
    await drain(driver)
    await bed.steps(3 * ticks * TICK)
    assert await found(bed) is None


@cocotb.test()
async def ended(dut):
    """Queues that an error or a command has stopped have no work, whatever is posted there; set up again, they have."""
    driver = await ready(dut)
    bed = driver.bed
    arm(bed, 2)
    for operation in (CLEAR, INVALIDATE):
        failed, stopped = driver.add_h2c(5, 2), driver.add_h2c(6, 2)
        driver.post(failed, [200])
        bad = driver.post(failed, [300])[0]
        bed.host.bad.add(bad >> BUFFER)
        driver.ring(failed)
        bed.rates["packet"] = 0.3
        for _ in range(12):
            driver.post(stopped, [100])
        driver.ring(stopped)
        await bed.steps(300)
        driver.ring(failed)
        bed.rates["packet"] = 1.0
        await driver.disable_h2c(stopped, operation)
        await bed.steps(8 * TICK)
        assert await found(bed) is None
        assert (await bed.read_context(SW_H2C, 5)) >> 58 & 3 == 2
        bed.host.bad.clear()
        await driver.disable_h2c(failed, CLEAR)
    queue = driver.add_h2c(5, 2)
    bed.rates["packet"] = 0.0
    for _ in range(10):
        driver.post(queue, [100])
    driver.ring(queue)
    await until_found(bed, 3)
    assert await found(bed) == (5, False)
    bed.rates["packet"] = 1.0
    await bed.settle()


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_watchdog(test):
    bench(TOPS[0]).run(__name__, test)
