# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What stops a memory-mapped queue, and that queue alone: errors of the card's memory, of the host's reads, of
descriptors and contexts, commands of the driver; a card that stands still beside streams."""

import cocotb
import pytest

from qdma_boundary import EVERYONE
from qdma_contract import (
    ARM,
    CLEAR,
    DMA_ERROR,
    DSC,
    ERROR_INTERRUPT,
    FMAP,
    GLOBAL_MASK,
    INVALIDATE,
    PIDX_ERROR,
    SW_C2H,
    SW_H2C,
    WRITE,
)
from qdma_mm_bed import DMA_ERROR as DMA
from qdma_mm_bed import DSC_ERROR, IS_MM, PAGE, Mm, MmQueue, mm_bench, mm_cases, ready_mm
from qdma_planted import Fault, must_see
from qdma_rings import BYPASS
from qdma_top_bed import BUFFER, QUEUES
from qdma_top_c2h import SIZE_256
from qdma_top_driver import OF_PF, QEN
from ullnic_tb import cocotb_tests, long_run, parameter, rounds

H2C, C2H = False, True
LONG = 9_000_000  # bytes of a descriptor: 140,000 cycles
# Of a command that disables a queue: segments of two full buffers, on channels that pause
STOP_CYCLES = 2500
TURN_CYCLES = 4096  # 64 segments of 4 KiB


def some(mm: Mm, queue: MmQueue, most: int = 3000) -> None:
    rng = mm.rng
    for _ in range(min(queue.room(), rng.choice((1, 2, 5)))):
        mm.post(queue, rng.choice((64, rng.randint(0, 70), rng.randint(1, most))))
    mm.ring(queue)


async def check_error(mm: Mm, queue: MmQueue, kind: int, bit: int, **more) -> None:
    """Of the queue that has just failed: context, log, error interrupt; then it works again."""
    bed = mm.bed
    assert queue.error == kind
    word = await bed.read_context(SW_C2H if queue.is_c2h else SW_H2C, queue.qid)
    assert word >> 58 & 3 == {DMA: 2, DSC_ERROR: 1}[kind] and word & QEN == 0
    await bed.check_descriptor_error(bit, queue.qid, is_c2h=queue.is_c2h, **more)
    bed.write(0, DSC[0], 0xFFFFFFFF)
    assert mm.driver.other_messages == [(0, 1)]
    mm.driver.other_messages.clear()
    bed.write(0, ERROR_INTERRUPT, ARM | 1 << 12)
    mm.memory.bad.clear()
    bed.host.bad.clear()
    await mm.disable(queue, CLEAR)
    mm.enable(queue)
    mm.post(queue, 5000)
    mm.ring(queue)
    await mm.drain()
    assert not queue.moves and not queue.error


async def with_errors(dut, **host) -> Mm:
    mm = await ready_mm(dut, **host)
    bed = mm.bed
    bed.vector(0, 1)
    bed.write(0, GLOBAL_MASK, 0x7FFFFFFF)
    bed.write(0, DSC[1], 0xFFFFFFFF)
    bed.write(0, ERROR_INTERRUPT, ARM | 1 << 12)
    return mm


@cocotb.test()
async def errors(dut):
    """An error response of the card, a read of the host that fails, within a descriptor of many bursts: the status has
    the index of that descriptor, those before it are whole. Other queues of both directions lose nothing."""
    mm = await with_errors(dut, mrrs=512)
    rng, bed = mm.rng, mm.bed
    good = [mm.add(qid, is_c2h, 2) for qid in (2, OF_PF) for is_c2h in (H2C, C2H)]
    for turn in range(rounds(24, 6)):
        is_c2h = bool(turn % 2)
        queue = mm.queues.get((4, is_c2h)) or mm.add(4, is_c2h, 2)
        mm.memory.pauses = rng.choice((0.0, 0.3))
        before = [mm.post(queue, rng.randint(0, 3000)) for _ in range(rng.randrange(4))]
        bad = mm.post(queue, rng.randint(1, 30000))
        at = rng.randrange(bad.count)
        if turn % 4 == 0:
            bed.host.bad.add(bad.host + at >> BUFFER)
        else:
            mm.memory.bad.add((bad.card + at) // PAGE)
        for _ in range(rng.randrange(4)):
            mm.post(queue, rng.randint(0, 3000))
        for each in good:
            some(mm, each)
        mm.ring(queue)
        cidx = before[-1].after if before else queue.cidx
        await mm.drain()
        assert queue.cidx == cidx and bad in queue.moves and not any(move in queue.moves for move in before)
        assert all(not each.error and not each.moves for each in good)
        await check_error(mm, queue, DMA, DMA_ERROR, cidx=cidx, read=turn % 4 == 0)


@cocotb.test()
async def bad_descriptors(dut):
    """Descriptors that are not read, contexts that cannot be used: the descriptor's error, of both directions."""
    mm = await with_errors(dut)
    bed = mm.bed
    for is_c2h in (H2C, C2H):
        queue = mm.add(5, is_c2h, 2)
        bed.host.bad.add(queue.base >> BUFFER)
        mm.post(queue, 100)
        mm.ring(queue)
        await bed.settle()
        bed.host.bad.clear()
        await check_error(mm, queue, DSC_ERROR, PIDX_ERROR, cidx=0, read=True)
        assert not mm.places
    size_16 = 3 << 48  # with that of 32: 8 << 1
    wrong_contexts = [(8, size_16), (10, 8 << 64)]
    wrong_contexts += [] if parameter("BYPASS", 0) else [(9, BYPASS)]
    for qid, wrong in wrong_contexts:
        for is_c2h in (H2C, C2H):
            queue = mm.add(qid, is_c2h, 2)
            queue.word ^= wrong
            mm.enable(queue)
            mm.post(queue, 100)
            mm.ring(queue)
            await bed.settle()
            word = await bed.read_context(SW_C2H if is_c2h else SW_H2C, qid)
            assert word >> 58 & 3 == 1 and word & QEN == 0 and word & IS_MM
            assert await bed.read(0, DSC[0]) == 1 << PIDX_ERROR
            bed.write(0, DSC[0], 0xFFFFFFFF)


@cocotb.test()
async def disabled(dut):
    """A queue is disabled in mid-transfer, by each command: once it is not busy there is no DMA of the queue, whatever
    its descriptors still asked for. The others lose nothing; set up again, it works."""
    mm = await ready_mm(dut, mrrs=512, latency=(100, 140))
    rng, bed = mm.rng, mm.bed
    queues = [mm.add(qid, is_c2h, 2) for qid in (0, 1, OF_PF) for is_c2h in (H2C, C2H)]
    longest = 0
    for turn in range(rounds(30, 6)):
        mm.memory.pauses = rng.choice((0.0, 0.0, 0.4))
        victim = queues[turn % len(queues)]
        for _ in range(6):
            for queue in queues:
                if queue.room() > 8 and len(bed.requests) < 4:
                    some(mm, queue)
            await bed.steps(rng.randrange(40))
        for _ in range(rng.randint(0, 3)):
            mm.post(victim, rng.choice((100_000, 9_000_000)))
        mm.ring(victim)
        # From before the doorbell's descriptors are read to the middle of a long one
        await bed.steps(rng.randrange(700))
        longest = max(longest, await mm.disable(victim, (INVALIDATE, CLEAR, WRITE)[turn % 3]))
        await bed.steps(rng.randrange(200))
        await mm.drain()
        mm.enable(victim)
        for queue in queues:
            some(mm, queue)
        await mm.drain()
        assert not any(queue.moves or queue.error for queue in queues)
    print(f"disabled: the command was busy for {longest} cycles at most")
    assert longest < STOP_CYCLES


@cocotb.test()
async def function_reset(dut):
    """A function is reset in mid-transfer, by its register or by the PCIe block: after it nothing of it is on the link,
    nor asked of the card's memory. The queues of the other function lose nothing; set up again, it works."""
    mm = await ready_mm(dut, mrrs=512, latency=(100, 140))
    rng, bed = mm.rng, mm.bed
    victims = [mm.add(OF_PF + n, is_c2h, 2) for n in range(2) for is_c2h in (H2C, C2H)]
    others = [mm.add(n, is_c2h, 2) for n in range(2) for is_c2h in (H2C, C2H)]
    func = victims[0].func
    for turn in range(rounds(16, 3)):
        mm.memory.pauses = rng.choice((0.0, 0.0, 0.4))
        for _ in range(6):
            for queue in (*victims, *others):
                if queue.room() > 8 and len(bed.requests) < 4:
                    some(mm, queue)
            await bed.steps(rng.randrange(40))
        mm.post(rng.choice(victims), rng.choice((100, 100_000)))
        mm.post(rng.choice(victims), rng.choice((100, 9_000_000)))
        for queue in victims:
            mm.ring(queue)
        await bed.until(lambda: not bed.requests)
        await bed.steps(rng.randrange(700))
        if turn % 2:
            await bed.reset_by_port(func, lambda: None)
        else:
            await bed.reset_by_register(func, 0x1100)
        for queue in victims:
            queue.is_disabled = True
        await bed.steps(rng.randrange(300))
        await mm.drain()
        bed.quiet.discard(func)
        bed.context(FMAP, func, OF_PF | QUEUES - OF_PF << 32)
        for queue in victims:
            mm.enable(queue)
        for queue in (*victims, *others):
            some(mm, queue)
        await mm.drain()
        assert not any(queue.moves or queue.error for queue in (*victims, *others))


@cocotb.test()
async def dropped_writes(dut):
    """A function has a long C2H descriptor whose writes are dropped: it may not be bus master, or is being reset.
    Commands that disable queues, of another function and of its own, do not wait for the end of it, nor do resets."""
    mm = await ready_mm(dut, mrrs=512)
    rng, bed = mm.rng, mm.bed
    h2c, idle = mm.add(0, H2C, 2), mm.add(1, C2H, 2)
    first, victim = mm.add(OF_PF, C2H, 2), mm.add(OF_PF + 1, C2H, 2)
    func = victim.func
    longest, resets = 0, []
    for masters in (EVERYONE & ~(1 << func), EVERYONE):
        bed.s.set(**bed.boundary.masters(masters))
        move = mm.post(victim, LONG)
        mm.ring(victim)
        seen: list[int] = []
        mm.memory.reads = lambda addr, _, at=move.card, seen=seen: seen.append(addr - at)
        await bed.until(lambda seen=seen: seen)
        for queue in (h2c, idle, h2c, first):
            if queue is h2c:
                some(mm, queue)
                await bed.steps(rng.randrange(200))
            longest = max(longest, await mm.disable(queue, CLEAR))
            await bed.steps(rng.randrange(20))
            mm.enable(queue)
        for each in (func - 1, func):  # VFs both
            begin = bed.cycle
            await bed.reset_by_register(each, 0x1100)
            resets.append(bed.cycle - begin)
        assert 0 < seen[-1] < LONG - PAGE, "the long one is at its end, so this has shown nothing"
        assert bool(move.moved) == (masters == EVERYONE)
        seen.clear()
        victim.is_disabled = True
        bed.s.set(**bed.boundary.masters(EVERYONE))
        await bed.steps(1000)
        assert not seen
        bed.quiet.discard(func)
        bed.context(FMAP, func, OF_PF | QUEUES - OF_PF << 32)
        mm.enable(first)
        mm.enable(victim)
        await bed.until(lambda: not bed.requests)
    print(f"dropped_writes: commands were busy for {longest} cycles at most, resets took {resets}")
    # With bypass, what stops a queue passes through the engine, where another queue has its turn (docs/bypass.md).
    assert longest < (TURN_CYCLES if parameter("BYPASS", 0) else STOP_CYCLES)


@cocotb.test()
async def beside_streams(dut):
    """While the card's memory stands still, streams lose nothing and wait for nothing; nor do memory-mapped queues
    while the user of packets stands still. Both at once share the host."""
    mm = await ready_mm(dut, mrrs=512)
    rng, bed, driver = mm.rng, mm.bed, mm.driver
    queues = [mm.add(qid, is_c2h, 2) for qid in (0, 1) for is_c2h in (H2C, C2H)]
    stream, ring = driver.add_h2c(4, 3), driver.add_cmpt(5, 3, 16, en_int=0)
    c2h = driver.c2h.add(5, 3, SIZE_256)
    driver.c2h.give(c2h)
    await bed.settle()

    async def packets() -> int:
        """Some of both directions; cycles that they take."""
        begin = bed.cycle
        for _ in range(30):
            driver.post(stream, [rng.randint(1, 700)])
            driver.send(ring, rng.randint(1, 700))
        driver.ring(stream)
        await bed.until(lambda: not stream.wanted and not driver.pending[5] and not bed.source.is_busy())
        took = bed.cycle - begin
        await bed.settle(40)
        driver.serve(ring)
        await bed.until(lambda: not bed.requests)
        assert driver.entries[5] == ring.posted
        return took

    def fill() -> None:
        for queue in queues:
            while queue.room():
                mm.post(queue, rng.choice((PAGE, rng.randint(1, 2 * PAGE))))
            mm.ring(queue)

    await packets()
    alone = min([await packets() for _ in range(3)])
    fill()
    mm.memory.pauses = 1.0
    await bed.steps(3000)
    moved = sum(len(queue.moves) for queue in queues)
    stalled = min([await packets() for _ in range(3)])
    assert sum(len(queue.moves) for queue in queues) == moved > 0
    mm.memory.pauses = 0.0
    beside = await packets()
    print(
        f"packets took {alone} cycles alone, {stalled} beside a card that stands still, {beside} beside one that moves"
    )
    assert stalled < 1.5 * alone and beside < 6 * alone
    await mm.drain()
    # The other way round
    bed.rates["packet"] = 0.0
    for _ in range(20):
        driver.post(stream, [4000])
    driver.ring(stream)
    fill()
    await bed.until(lambda: not mm.is_busy())
    assert stream.wanted
    bed.rates["packet"] = 1.0
    await bed.until(lambda: not stream.wanted)
    assert not any(queue.error for queue in queues)


@pytest.mark.parametrize("test, model", mm_cases(__file__, cocotb_tests(__name__)))
def test_qdma_mm_stops(test, model):
    mm_bench(model=model).run(__name__, test)


@long_run(__file__)
@pytest.mark.parametrize("test", ("errors", "disabled", "function_reset"))
def test_qdma_mm_stops_long(test):
    mm_bench().run(__name__, test, long_seed=1)


FAULTS = (
    Fault("drops_not_counted", "qdma_write_arbiter.sv", "posted_ready : beat_valid_q & ~keep;", "posted_ready : 1'b0;",
          "dropped_writes"),
)  # fmt: skip


@long_run(__file__)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_qdma_mm_stops_sees(fault):
    must_see(mm_bench(), fault, __name__)
