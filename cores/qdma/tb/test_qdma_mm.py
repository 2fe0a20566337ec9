# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Memory-mapped transfers through the whole of qdma, from the doorbell to AXI4 and back: every length and offset, rings
that wrap, many queues of a PF and a VF, both directions at once."""

import cocotb
import pytest

from qdma_contract import SW_C2H, SW_H2C, TRQ
from qdma_mm_bed import ALL_MM, C2H_STATUS, H2C_STATUS, PAGE, Mm, MmQueue, mm_bench, mm_cases, ready_mm
from qdma_top_driver import OF_PF
from ullnic_tb import cocotb_tests, long_run, rounds

H2C, C2H = False, True


def some(mm: Mm, queue: MmQueue, most: int = 2000) -> None:
    rng = mm.rng
    for _ in range(min(queue.room(), rng.choice((1, 2, 5)))):
        mm.post(queue, rng.choice((0, 1, 64, rng.randint(1, 70), rng.randint(1, most))))
    mm.ring(queue)


@cocotb.test()
async def lengths(dut):
    """Each offset of a line on both sides, lengths around those of lines, bursts and pages, both directions."""
    mm = await ready_mm(dut, mrrs=512)
    queues = [mm.add(2, is_c2h, 2) for is_c2h in (H2C, C2H)]
    sizes = [1, 2, 3, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 513, PAGE - 1, PAGE, PAGE + 1, 3 * PAGE + 5]
    cases = [(size, mm.rng.randrange(PAGE), mm.rng.randrange(PAGE)) for size in sizes for _ in range(2)]
    cases += [(size, PAGE - before, PAGE - behind) for size in (1, 2, 65) for before in (1, 64) for behind in (1, 63)]
    cases += [(mm.rng.randint(1, 150), i, mm.rng.randrange(64)) for i in range(64)]
    cases += [(mm.rng.randint(1, 150), mm.rng.randrange(64), i) for i in range(64)]
    cases = mm.rng.sample(cases, rounds(len(cases), 40))
    for i, (size, host, card) in enumerate(cases):
        for queue in queues:
            await mm.bed.until(queue.room)
            mm.post(queue, size, host=host, card=card)
            if i % 5 == 4 or i == len(cases) - 1:
                mm.ring(queue)
    await mm.drain()
    assert all(queue.done == len(cases) and not queue.error for queue in queues)


@cocotb.test()
async def what_it_is(dut):
    """The capabilities say that it is there; nothing is fetched before an engine runs."""
    mm = await ready_mm(dut, run=0)
    bed = mm.bed
    assert await bed.read(0, 0x118) == await bed.read(0, 0x114) == ALL_MM and await bed.read(0, 0x11C) == 3 << 16
    assert await bed.read(0, C2H_STATUS) == await bed.read(0, H2C_STATUS) == 0
    queues = [mm.add(3, is_c2h, 1) for is_c2h in (H2C, C2H)]
    reads = len(bed.host.read_addresses)
    for queue in queues:
        mm.post(queue, 100)
        mm.ring(queue)
    await bed.settle()
    assert len(bed.host.read_addresses) == reads
    await mm.start()
    assert await bed.read(0, C2H_STATUS) == await bed.read(0, H2C_STATUS) == 1
    # As the public driver does after each error: an error of its own would be one more each time.
    for status in (C2H_STATUS, H2C_STATUS):
        assert [await bed.read(0, status + offset) for offset in (0x8, 0x18, 0x1C, 0xA8)] == [0] * 4
        bed.write(0, status, 1)
        await bed.settle(20)
        assert await bed.read(0, status) == 1
    assert await bed.read(0, TRQ[0]) == 0
    await mm.drain()
    assert all(queue.done == 1 for queue in queues)


@cocotb.test()
async def many_queues(dut):
    """Queues of a PF and a VF, both directions at once, around their rings, with interrupts, while channels stall."""
    mm = await ready_mm(dut, mrrs=256)
    rng, bed = mm.rng, mm.bed
    for vector in range(4, 12):
        bed.vector(0, vector)
    for vector in range(2, 6):
        bed.vector(7, vector)
    queues = []
    for i in range(6):
        for is_c2h in (H2C, C2H):
            vector = 4 + i if i < 4 and not is_c2h else 8 + i if i < 4 else None
            queues.append(mm.add(i, is_c2h, rng.choice((0, 1, 5)), vector=vector))
    queues += [mm.add(OF_PF + i, is_c2h, 0, vector=2 + 2 * i + is_c2h) for i in range(2) for is_c2h in (H2C, C2H)]
    for pause, rates in ((0.0, {}), (0.3, {"write": 0.5, "read": 0.5}), (0.7, {"write": 0.9})):
        mm.memory.pauses = pause
        bed.rates |= dict.fromkeys(bed.rates, 1.0) | rates
        for _ in range(200):
            queue = rng.choice(queues)
            if queue.room() and len(bed.requests) < 8:
                some(mm, queue)
            await bed.steps(rng.choice((0, 20, 80)))
        await mm.drain()
    # Armed, and nothing to say: the interrupt comes with the next descriptor.
    before = [queue.interrupts for queue in queues]
    for queue in queues:
        mm.post(queue, 10)
        mm.ring(queue)
    await mm.drain()
    assert all(queue.interrupts > was for queue, was in zip(queues, before, strict=True) if queue.vector is not None)
    assert all(queue.statuses and not queue.error for queue in queues)
    for queue in queues:
        word = await bed.read_context(SW_C2H if queue.is_c2h else SW_H2C, queue.qid)
        assert word >> 32 & 1 and word >> 58 & 3 == 0


@cocotb.test()
async def long_descriptor(dut):
    """A descriptor of more than the reorder RAM and the beats that wait can hold."""
    mm = await ready_mm(dut, mrrs=4096)
    for is_c2h in (H2C, C2H):
        queue = mm.add(1, is_c2h, 0)
        mm.post(queue, 100_003)
        mm.ring(queue)
    await mm.drain()
    assert all(queue.done == 1 for queue in mm.queues.values())


@pytest.mark.parametrize("test, model", mm_cases(__file__, cocotb_tests(__name__)))
def test_qdma_mm(test, model):
    mm_bench(model=model).run(__name__, test)


@long_run(__file__)
def test_qdma_mm_each_length():
    mm_bench().run(__name__, "lengths", long_seed=1)
