# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Rates and latency of streaming C2H by itself, at 250 MHz with memory 700 ns away, a beat of payload and an entry
accepted in each cycle."""

import cocotb
import pytest

from qdma_c2h_bed import c2h_bench, rig_of
from ullnic_tb import cocotb_tests

LATENCY = 175  # cycles, 700 ns
ANSWER_CYCLES = 13  # from an ask to its answer: the page's figures
PAYLOAD_CYCLES = 3  # from a packet's first beat to its write
POST_CYCLES = 4  # from a packet's last beat to the post of its entry
MPPS, GBPS, BEATS = 180, 107, 0.99
MHZ = 250


async def rate_of(dut, *, size: int, queues: int, offset: int = 0, size_ix: int = 5) -> tuple[float, float]:
    """Packets a cycle, beats a cycle, the first quarter aside: the store begins empty."""
    rig = await rig_of(dut, latency=(LATENCY, LATENCY), in_order=False, part=256).start()
    packets = 3000 if size <= 256 else 120
    each = packets // queues
    rings = []
    for i in range(queues):
        queue = await rig.add_queue(2049, size_ix)
        places = iter(range(2048))
        base = (1 << 40) + i * (1 << 24) + offset
        rig.put(queue, min(each, 2047), lambda base=base, places=places: base + next(places) * 8192)
        await rig.write(queue.qid, queue.pidx, 0xFFFF)
        rings.append(queue)
    rig.events.extend(range(queues))
    # The store is warm before the packets come.
    for _ in range(8 * queues + 400):
        await rig.step()
    left = [min(each, 2047)] * queues
    while any(left):
        for i in range(queues):
            if left[i]:
                rig.packet(rings[i], size, user=0)
                left[i] -= 1
    await rig.drain()
    log = rig.post_at[len(rig.post_at) // 4 :]
    beats = rig.payload_at[len(rig.payload_at) // 4 :]
    return (len(log) - 1) / (log[-1][0] - log[0][0]), (len(beats) - 1) / (beats[-1] - beats[0])


async def rate_64(dut, queues: int) -> None:
    packets, _ = await rate_of(dut, size=64, queues=queues)
    print(f"64 B, {queues} queues: {packets * MHZ:.0f} Mpps")
    assert packets * MHZ > MPPS


@cocotb.test()
async def rate_64_1(dut):
    """64 B, memory 700 ns away, one queue."""
    await rate_64(dut, 1)


@cocotb.test()
async def rate_64_8(dut):
    await rate_64(dut, 8)


@cocotb.test()
async def rate_64_16(dut):
    await rate_64(dut, 16)


@cocotb.test()
async def rate_64_64(dut):
    await rate_64(dut, 64)


async def rate_4096(dut, offset: int) -> None:
    packets, beats = await rate_of(dut, size=4096, queues=4, offset=offset)
    gbps = packets * MHZ * 4096 * 8 / 1000
    print(f"4096 B at offset {offset}: {gbps:.1f} Gbps, {beats:.3f} beats a cycle")
    assert gbps > GBPS and beats > BEATS


@cocotb.test()
async def rate_4096_0(dut):
    await rate_4096(dut, 0)


@cocotb.test()
async def rate_4096_2(dut):
    """The worst: 65 beats of writes a packet."""
    await rate_4096(dut, 2)


@cocotb.test()
async def rate_4096_64(dut):
    await rate_4096(dut, 64)


@cocotb.test()
async def rate_4096_128(dut):
    await rate_4096(dut, 128)


@cocotb.test()
async def latency(dut):
    """A packet alone, its buffers fetched: ask to answer, first beat to write, last beat to post."""
    rig = await rig_of(dut).start()
    queue = await rig.add_queue(65, 3)
    await rig.give(queue, 8, lambda: 0x1000)
    await rig.drain()
    # 256 bytes are a line, and the rest once it is there.
    for count, cycles in ((64, POST_CYCLES), (256, POST_CYCLES + 2), (0, 1)):
        rig.packet(queue, count)
        rig.source_stalls = True
        for _ in range(40):
            await rig.step()
        assert rig.answer_log[-1][0] - rig.asked_at[-1] == ANSWER_CYCLES
        rig.source_stalls = False
        beats, writes = len(rig.beat_at), len(rig.payload_at)
        await rig.drain()
        if count:
            assert rig.payload_at[writes] - rig.beat_at[beats][0] == PAYLOAD_CYCLES
        print(f"{count} B: last beat to post {rig.post_at[-1][0] - rig.beat_at[-1][0]} cycles")
        assert rig.post_at[-1][0] - rig.beat_at[-1][0] == cycles


@cocotb.test()
async def slow_source(dut):
    """A source of 10 Gbit/s: each line is written when it is there, so no write waits for MPS bytes."""
    rig = await rig_of(dut).start()
    queue = await rig.add_queue(65, 3)
    await rig.give(queue, 4, lambda: 0x1000)
    await rig.drain()
    rig.packet(queue, 512)
    rig.source_stalls = True
    for _ in range(40):
        await rig.step()
    for _ in range(8):
        rig.source_stalls = False
        await rig.step()
        rig.source_stalls = True
        for _ in range(12):
            await rig.step()
    assert [count for _, _, count in rig.writes] == [64] * 8
    for (beat, _), (write, _, _) in zip(rig.beat_at, rig.writes, strict=True):
        assert write - beat == PAYLOAD_CYCLES


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_c2h_rates(test):
    c2h_bench().run(__name__, test)
