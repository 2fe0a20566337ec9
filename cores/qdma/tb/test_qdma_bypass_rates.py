# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Rates and latency of descriptors that go through the user, beside those that do not: 64 bytes, memory 700 ns away,
completions in order."""

import cocotb
import pytest

from qdma_bypass_bed import C2H, H2C, add_c2h, add_h2c, add_mm, bypass_bench
from qdma_completion_model import USER
from qdma_mm_bed import Mm, ready_mm
from qdma_top_c2h import SIZE_64
from qdma_top_driver import RING_OF_2049, Driver, all_out
from test_qdma_top_rates import LATENCY, LINE, MHZ, PACKETS, WINDOW, post_all
from ullnic_tb import cocotb_tests, main_and_kept

MORE_CYCLES = 8  # from the doorbell to the data, of which one is the user's
MOVES = 1000  # descriptors
LEAST = 0.99  # of the rate without bypass


async def started(dut) -> Mm:
    return await ready_mm(dut, latency=(LATENCY, LATENCY), window=WINDOW, in_order=True)


def per_second(log: list[int]) -> float:
    """Millions, of the cycles of each, the first quarter aside."""
    log = log[len(log) // 4 :]
    return (len(log) - 1) / (log[-1] - log[0]) * MHZ


async def h2c_of(dut, queues: int) -> None:
    """With as many queues without bypass, then with."""
    mm = await started(dut)
    driver, seen = mm.driver, []
    for first, add in ((0, driver.add_h2c), (8, lambda qid, size: add_h2c(driver, qid, size))):
        added = [add(first + i, RING_OF_2049) for i in range(queues)]
        await mm.bed.settle()
        driver.log.clear()
        post_all(driver, added)
        await mm.bed.settle()
        all_out(driver)
        seen.append(per_second([cycle for cycle, _ in driver.log]))
    print(f"H2C, 64 B, {queues} queues: {seen[0]:.1f} Mpps, with bypass {seen[1]:.1f}")
    assert seen[1] > LEAST * seen[0]


@cocotb.test()
async def h2c_64_1(dut):
    await h2c_of(dut, 1)


@cocotb.test()
async def h2c_64_8(dut):
    await h2c_of(dut, 8)


def plain_c2h(driver: Driver, qid: int) -> None:
    driver.add_cmpt(qid, RING_OF_2049, 16, mode=USER, en_int=0)
    driver.c2h.give(driver.c2h.add(qid, RING_OF_2049, SIZE_64), align=LINE)


def bypass_c2h(driver: Driver, qid: int) -> None:
    add_c2h(driver, qid, RING_OF_2049, SIZE_64, cmpt_ix=RING_OF_2049, mode=USER, align=LINE)


async def c2h_of(dut, queues: int) -> None:
    driver, seen = (await started(dut)).driver, []
    for first, add in ((0, plain_c2h), (8, bypass_c2h)):
        for qid in range(first, first + queues):
            add(driver, qid)
        await driver.bed.settle()
        driver.c2h.writes.clear()
        for _ in range(PACKETS // queues):
            for qid in range(first, first + queues):
                driver.send(driver.cmpt[qid], 64)
        await driver.bed.settle()
        assert len(driver.c2h.writes) == PACKETS
        seen.append(per_second([cycle for cycle, _ in driver.c2h.writes]))
    print(f"C2H, 64 B, {queues} queues: {seen[0]:.1f} Mpps, with bypass {seen[1]:.1f}")
    assert seen[1] > LEAST * seen[0]


@cocotb.test()
async def c2h_64_1(dut):
    await c2h_of(dut, 1)


@cocotb.test()
async def c2h_64_8(dut):
    await c2h_of(dut, 8)


@cocotb.test()
async def moves_64(dut):
    """Memory-mapped, both directions after each other, one queue."""
    mm = await started(dut)
    written: list[int] = []
    checks = mm.memory.writes
    mm.memory.writes = lambda addr, data: (checks(addr, data), written.append(mm.bed.cycle))
    # A status of each would have its share of the channel of writes.
    mm.bed.bypass.changes = lambda _, d: [d | {"sdi": int(d["cidx"] % 16 == 15 or d["cidx"] == MOVES - 1)}]
    for is_c2h, name in ((H2C, "H2C"), (C2H, "C2H")):
        seen = []
        for qid, add in ((1, mm.add), (2, lambda *what: add_mm(mm, *what))):
            queue = add(qid, is_c2h, RING_OF_2049)
            written.clear()
            mm.written_at.clear()
            for _ in range(MOVES):
                mm.post(queue, 64, host=0, card=0)
            mm.ring(queue)
            await mm.drain()
            seen.append(per_second(mm.written_at if is_c2h else written))
        print(f"memory-mapped {name}, 64 B: {seen[0]:.1f} M descriptors per second, with bypass {seen[1]:.1f}")
        assert seen[1] > LEAST * seen[0]


@cocotb.test()
async def latency(dut):
    """64 bytes on an idle engine, from the doorbell's TLP."""
    mm = await ready_mm(dut, latency=(LATENCY, LATENCY), in_order=True)
    driver, bed = mm.driver, mm.bed
    bed.boundary.delay = 0, 0
    seen = {}
    for name, queue in (("without", driver.add_h2c(2, 2)), ("with", add_h2c(driver, 3, 2))):
        for _ in range(3):
            await bed.settle()
            driver.post(queue, [64], align=LINE)
            tag = driver.ring(queue)
            await bed.settle()
            seen.setdefault(name, []).append(driver.log[-1][0] - bed.accepted[tag] - 2 * LATENCY)
    # Both fetches look into the context of a doorbell, one after the other.
    more = max(seen["with"]) - max(seen["without"])
    print(f"H2C, 64 B: {seen['without']} cycles, with bypass {seen['with']}")
    assert more == MORE_CYCLES


MAIN = ("latency", "h2c_64_8")


@pytest.mark.parametrize("test", main_and_kept(__file__, cocotb_tests(__name__), lambda test: test in MAIN))
def test_qdma_bypass_rates(test):
    bypass_bench().run(__name__, test)
