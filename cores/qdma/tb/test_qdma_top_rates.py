# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Latency and rates of qdma as a whole, at 250 MHz with memory 700 ns away, without the limits of a link."""

import cocotb
import pytest

from qdma_boundary import UltraScalePlus
from qdma_completion_model import USER
from qdma_top_bed import TOPS, top_bench
from qdma_top_c2h import BUFFER_SIZES, SIZE_64, SIZE_4096
from qdma_top_driver import RING_OF_2049, Driver, all_out, ready
from ullnic_tb import cocotb_tests, main_and_kept, parameter

FIRST_BEAT_CYCLES = {"qdma": 29, "qdma_usp": 37}  # from a doorbell's TLP to its first beat, without the two reads
PAYLOAD_CYCLES = {"qdma": 5, "qdma_usp": 7}  # from the first beat of a C2H packet of 64 bytes to the end of its write
ENTRY_CYCLES = {"qdma": 12, "qdma_usp": 13}  # from its last beat to the write of its entry
LATENCY = 175  # cycles, 700 ns
LINE = 64  # bytes
WINDOW = 8  # reads of which the next part of a completion may be
PACKETS = 1984  # of a measured rate: what the rings hold, a multiple of 64
MHZ = 250
H2C_MPPS, C2H_MPPS, FORWARD_1_MPPS, FORWARD_8_MPPS, FORWARD_4096_GBPS = 134, 134, 80, 100, 107


async def started(dut, **host) -> Driver:
    """No read waits for credits of the link."""
    driver = await ready(dut, latency=(LATENCY, LATENCY), **host)
    driver.bed.boundary.hold_rate = 0
    return driver


@cocotb.test()
async def latency(dut):
    """64 bytes on an idle engine: H2C from the doorbell's TLP; C2H from the beat to payload and entry."""
    driver = await started(dut, in_order=True)
    bed = driver.bed
    bed.boundary.delay = 0, 0
    queue, ring = driver.add_h2c(2, 2), driver.add_cmpt(3, 2, 16, mode=0)
    c2h = driver.c2h.add(3, 2, SIZE_64)
    driver.c2h.give(c2h, align=LINE)
    await bed.settle()
    written = []
    checked = bed.written
    bed.written = lambda func, addr, data: (written.append(bed.cycle - 1), checked(func, addr, data))
    for _ in range(4):
        driver.post(queue, [64], align=LINE)
        tag = driver.ring(queue)
        await bed.settle()
        assert driver.log[-1][0] - bed.accepted[tag] - 2 * LATENCY == FIRST_BEAT_CYCLES[dut._name]
    for _ in range(4):
        written.clear()
        packet = driver.send(ring, 64)
        bed.source.is_stalled = True  # it is granted before it comes
        await bed.steps(40)
        bed.source.is_stalled = False
        await bed.settle(40)
        assert [at - packet.last_at for at in written] == [PAYLOAD_CYCLES[dut._name], ENTRY_CYCLES[dut._name]]
    all_out(driver)


def rate(driver: Driver, log: list[int]) -> float:
    """Packets a second in millions, of the cycles of each, the first quarter aside. Says how busy the streams were."""
    log = log[len(log) // 4 :]
    cycles = log[-1] - log[0]
    if isinstance(boundary := driver.bed.boundary, UltraScalePlus):
        busy = {name: sum(log[0] < at <= log[-1] for at in beats) / cycles for name, beats in boundary.beats.items()}
        print("busy: " + ", ".join(f"{name} {share:.1%}" for name, share in busy.items()))
    return (len(log) - 1) / cycles * MHZ


async def h2c_of(dut, queues: int) -> None:
    driver = await started(dut, window=WINDOW)
    bed = driver.bed
    first = parameter("H2C_LIMITED", 0)  # queues that have a room at the user are slower
    added = [driver.add_h2c(first + qid, RING_OF_2049) for qid in range(queues)]
    await bed.settle()
    post_all(driver, added)
    await bed.settle()
    all_out(driver)
    mpps = rate(driver, [cycle for cycle, _ in driver.log])
    print(f"H2C, 64 B, {queues} queues: {mpps:.1f} Mpps")
    assert mpps > H2C_MPPS


def post_all(driver: Driver, queues: list, size: int = 64, packets: int = PACKETS) -> None:
    """So many packets over all queues, then the doorbells."""
    for _ in range(packets // len(queues)):
        for queue in queues:
            driver.post(queue, [size], flags=False, align=size)
    for queue in queues:
        driver.ring(queue)


async def with_c2h(dut, queues: int, buffer_ix: int = SIZE_64) -> Driver:
    """Rings of 2048 buffers and entries of 16 bytes, a trigger that never comes; the store is full."""
    driver = await started(dut, window=WINDOW)
    for qid in range(queues):
        driver.add_cmpt(qid, RING_OF_2049, 16, mode=USER, en_int=0)
        driver.c2h.give(driver.c2h.add(qid, RING_OF_2049, buffer_ix), align=BUFFER_SIZES[buffer_ix])
    await driver.bed.settle()
    return driver


def check_c2h(driver: Driver, queues: int, size: int = 64, packets: int = PACKETS) -> float:
    """All packets have come, and at which rate: that of their payload."""
    assert all(driver.cmpt[qid].written == packets // queues for qid in range(queues))
    assert sum(count for _, count in driver.c2h.writes) == packets * size
    return rate(driver, [cycle for cycle, _ in driver.c2h.writes]) * packets / len(driver.c2h.writes)


async def c2h_of(dut, queues: int) -> float:
    driver = await with_c2h(dut, queues)
    for _ in range(PACKETS // queues):
        for qid in range(queues):
            driver.send(driver.cmpt[qid], 64)
    await driver.bed.settle()
    mpps = check_c2h(driver, queues)
    print(f"C2H, 64 B, {queues} queues: {mpps:.1f} Mpps")
    return mpps


async def forward_of(dut, queues: int, size: int, packets: int) -> float:
    """Each H2C packet goes back to the host through the C2H queue of the same number. Packets a second in millions."""
    driver = await with_c2h(dut, queues, {64: SIZE_64, 4096: SIZE_4096}[size])
    driver.received = lambda h2c, data: driver.send(driver.cmpt[h2c.qid], data)
    h2c = [driver.add_h2c(qid, RING_OF_2049) for qid in range(queues)]
    await driver.bed.settle()
    post_all(driver, h2c, size, packets)
    await driver.bed.settle()
    all_out(driver)
    mpps = check_c2h(driver, queues, size, packets)
    print(f"forwarding, {size} B, {queues} queues: {mpps:.2f} Mpps, {mpps * size * 8 / 1000:.1f} Gbps")
    return mpps


@cocotb.test()
async def h2c_64_1(dut):
    """64 B from one queue."""
    await h2c_of(dut, 1)


@cocotb.test()
async def h2c_64_16(dut):
    await h2c_of(dut, 16)


@cocotb.test()
async def c2h_64_1(dut):
    """64 B into one queue, whose read latency its buffers ahead must cover."""
    assert await c2h_of(dut, 1) > C2H_MPPS


@cocotb.test()
async def c2h_64_8(dut):
    assert await c2h_of(dut, 8) > C2H_MPPS


@cocotb.test()
async def forward_64_1(dut):
    """H2C to C2H, 64 B, one queue."""
    assert await forward_of(dut, 1, 64, PACKETS) > FORWARD_1_MPPS


@cocotb.test()
async def forward_64_8(dut):
    assert await forward_of(dut, 8, 64, PACKETS) > FORWARD_8_MPPS


@cocotb.test()
async def forward_64_16(dut):
    assert await forward_of(dut, 16, 64, PACKETS) > FORWARD_8_MPPS


@cocotb.test()
async def forward_64_64(dut):
    assert await forward_of(dut, 64, 64, PACKETS) > FORWARD_8_MPPS


@cocotb.test()
async def forward_4096_8(dut):
    assert await forward_of(dut, 8, 4096, 160) * 4096 * 8 / 1000 > FORWARD_4096_GBPS


@pytest.mark.parametrize("top", main_and_kept(__file__, TOPS))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_top_rates(test, top):
    top_bench(top).run(__name__, test)
