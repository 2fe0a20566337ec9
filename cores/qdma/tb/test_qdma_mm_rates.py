# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Latency and rates of memory-mapped transfers, at 250 MHz with the host's memory 700 ns away, without the limits of a
link. The limit is a beat of 64 bytes a cycle, of AXI4, of completions and of writes to the host."""

import os

import cocotb
import pytest

from qdma_mm_bed import PAGE, Mm, mm_bench, mm_cases, ready_mm
from qdma_top_driver import RING_OF_2049
from ullnic_tb import cocotb_tests, long_run, rounds, seeded

LATENCY = 175  # cycles, 700 ns
LINE = 64
WINDOW = 8  # reads of which the next part of a completion may be
H2C, C2H = False, True
LEAST = 0.998  # of the limit, 4 KiB
# Completions in the order of their reads. H2C: descriptors come beside it.
LEAST_SMALL = {(64, H2C): 0.559, (64, C2H): 0.941, (512, H2C): 0.941, (512, C2H): 0.992}
LEAST_BY_LATENCY = {1: 0.94, 2: 0.94, 4: 0.94, 8: 0.931, 16: 0.9}  # cycles of the card's memory
WINDOWS = (1, 1), (WINDOW, 0.9)  # the part of each limit that is reached: in any order it changes by some per cent
LEAST_UNALIGNED = 0.955  # a segment touches a line more on one side
# From the TLP of the doorbell to the first beat of W without the two reads; to AR without one
# The fetch of the streams looks at the same contexts, and may be first.
W_CYCLES, AR_CYCLES = (32, 33), (25, 26)
PAYLOAD_CYCLES = 10  # from the last beat of R to the write, 64 bytes


async def share(mm: Mm, is_c2h: bool, queues: int, size: int, count: int, *, host: int = 0, card: int = 0) -> float:
    """Of a beat a cycle, where the bytes go out."""
    bed, dut = mm.bed, mm.bed.dut
    rings = [mm.add(qid, is_c2h, RING_OF_2049) for qid in range(queues)]
    await bed.settle()
    at: list[int] = []
    valid = dut.host_write_valid if is_c2h else dut.m_axi_mm_wvalid  # the other side is always ready

    def each(cycle: int) -> None:
        if int(valid.value):
            at.append(cycle)

    bed.each = each
    for _ in range(count // queues):
        for queue in rings:
            mm.post(queue, size, host=host, card=card)
    for queue in rings:
        mm.ring(queue)
    await mm.drain(400_000)
    bed.each = lambda _: None
    # Without the begin, in which nothing is there yet, and the end
    skip = len(at) // 5
    lines = (len(at) - 2 * skip) * (count * size / LINE / len(at))
    return lines / (at[-skip] - at[skip])


async def started(dut, **host) -> Mm:
    return await ready_mm(dut, latency=(LATENCY, LATENCY), **host)


@cocotb.test()
async def pages(dut):
    """4 KiB, aligned: one queue has the limit of both directions, and so have eight together."""
    for is_c2h in (H2C, C2H):
        for queues in (1, 8):
            for window, part in WINDOWS:
                mm = await started(dut, window=window)
                got = await share(mm, is_c2h, queues, PAGE, 96)
                way = "C2H" if is_c2h else "H2C"
                print(f"{way}, 4 KiB, {queues} queues, {window} reads at once: {got:.4f} of a beat a cycle")
                assert got >= LEAST * part


@cocotb.test()
async def unaligned_pages(dut):
    """4 KiB from anywhere to anywhere; each direction with its completions in order, or not."""
    chance = seeded(os.environ["ULLNIC_TEST_NAME"])
    for is_c2h in (H2C, C2H):
        for window, part in chance.sample(WINDOWS, rounds(2, 1)):
            mm = await started(dut, window=window)
            got = await share(mm, is_c2h, 1, PAGE, 160, host=77, card=1990)
            way = "C2H" if is_c2h else "H2C"
            print(f"{way}, 4 KiB from byte 77 and 1990 of a page, {window} reads at once: {got:.4f} of a beat a cycle")
            assert got >= LEAST_UNALIGNED * part


@cocotb.test()
async def small(dut):
    """64 and 512 bytes, aligned, one queue."""
    for (size, is_c2h), least in LEAST_SMALL.items():
        for window, part in WINDOWS:
            mm = await started(dut, window=window)
            got = await share(mm, is_c2h, 1, size, 1280 if size == LINE else 480)
            print(f"{'C2H' if is_c2h else 'H2C'}, {size} bytes, {window} reads at once: {got:.4f} of a beat a cycle")
            assert got >= least * part


@cocotb.test()
async def card_latency(dut):
    """C2H of 64 bytes, aligned, one queue, by the latency of the card's memory: a line for docs/mm.md."""
    row = []
    for cycles, least in LEAST_BY_LATENCY.items():
        mm = await started(dut)
        mm.bed.card_memory.latency = cycles
        row.append(await share(mm, C2H, 1, LINE, 1280))
        assert row[-1] >= least, f"{cycles} cycles: {row[-1]:.4f}"
    print("C2H, 64 bytes, by cycles of the card's memory:")
    print(" | ".join(["| cycles", *map(str, LEAST_BY_LATENCY)]), "|")
    print(" | ".join(["| beat per cycle", *(f"{got:.3f}" for got in row)]), "|")


@cocotb.test()
async def latency(dut):
    """64 bytes on an idle engine: from the doorbell's TLP to W and to AR, from the last beat of R to its write."""
    mm = await started(dut, in_order=True)
    bed = mm.bed
    queues = [mm.add(2, is_c2h, 2) for is_c2h in (H2C, C2H)]
    await bed.settle()
    seen: dict[str, int] = {}

    def each(cycle: int) -> None:
        for name in ("m_axi_mm_wvalid", "m_axi_mm_arvalid", "host_write_valid"):
            if int(getattr(dut, name).value):  # after the edge
                seen.setdefault(name, cycle + 1)

    bed.each = each
    mm.memory.reads = lambda *_: seen.setdefault("m_axi_mm_rvalid", bed.cycle)
    for queue in queues * 3:
        seen.clear()
        mm.post(queue, LINE, host=0, card=0)
        mm.ring(queue)
        tag = bed.tag
        await mm.drain()
        begin = bed.accepted[tag]
        if queue.is_c2h:
            assert seen["m_axi_mm_arvalid"] - begin - LATENCY in AR_CYCLES
            assert seen["host_write_valid"] - seen["m_axi_mm_rvalid"] == PAYLOAD_CYCLES
        else:
            assert seen["m_axi_mm_wvalid"] - begin - 2 * LATENCY in W_CYCLES


@pytest.mark.parametrize("test, model", mm_cases(__file__, cocotb_tests(__name__), ("pages", "small", "card_latency")))
def test_qdma_mm_rates(test, model):
    mm_bench(model=model).run(__name__, test)


@long_run(__file__)
def test_qdma_mm_rates_long():
    mm_bench().run(__name__, "unaligned_pages", long_seed=1)
