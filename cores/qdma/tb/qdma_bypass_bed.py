# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Queues with bypass of a driver, beside those without: streams and memory-mapped, of both directions."""

from qdma_bypass_user import C2H_MM, C2H_ST, H2C_MM, H2C_ST, Channel
from qdma_completion_model import EVERY, Ring
from qdma_mm_bed import Mm, MmQueue
from qdma_rings import BYPASS
from qdma_top_bed import TOPS, top_bench
from qdma_top_c2h import C2h
from qdma_top_driver import Driver, H2c
from ullnic_tb import Bench

H2C, C2H = False, True


def bypass_bench() -> Bench:
    return top_bench(TOPS[0], mm=True, bypass=True)


def add_h2c(driver: Driver, qid: int, size_ix: int, *, fields: int = 0, **more) -> H2c:
    queue = driver.add_h2c(qid, size_ix, fields=BYPASS | fields, **more)
    ring = {"func": queue.func, "base": queue.base, "size": queue.size, "port_id": qid % 8, "dsc_sz": 1}
    driver.bed.bypass.ring(H2C_ST, qid, **ring)
    return queue


def add_mm(mm: Mm, qid: int, is_c2h: bool, size_ix: int, **more) -> MmQueue:
    queue = mm.add(qid, is_c2h, size_ix, fields=BYPASS, **more)
    known(mm, queue)
    return queue


def add_c2h(driver: Driver, qid: int, size_ix: int, buffer_ix: int, *, cmpt_ix: int = 2, mode: int = EVERY,
            align: int = 1, fields: int = 0) -> tuple[C2h, Ring]:  # fmt: skip
    """With its completion ring and buffers."""
    completions = driver.add_cmpt(qid, cmpt_ix, 16, en_int=0, mode=mode)
    queue = driver.c2h.add(qid, size_ix, buffer_ix, fields=BYPASS | fields)
    driver.bed.bypass.ring(C2H_ST, qid, func=queue.func, base=queue.base, size=queue.size, dsc_sz=0)
    driver.c2h.give(queue, align=align)
    return queue, completions


def channel_of(queue: MmQueue) -> int:
    return C2H_MM if queue.is_c2h else H2C_MM


def known(mm: Mm, queue: MmQueue) -> None:
    """To the user, of a queue that is set up, or again."""
    mm.bed.bypass.ring(channel_of(queue), queue.qid, func=queue.func, base=queue.base, size=queue.size, dsc_sz=2)


def user(driver: Driver, channel: int) -> Channel:
    return driver.bed.bypass.channels[channel]


def rates(driver: Driver, **more: float) -> None:
    """Chances of a cycle: `out`, `in` of each channel, the others as the bed has them."""
    bed = driver.bed
    for channel in bed.bypass.channels:
        channel.rates |= {name: more.get(name, 1.0) for name in ("out", "in")}
    bed.rates |= {name: more.get(name, 1.0) for name in bed.rates}


async def disable_h2c(driver: Driver, queue: H2c, operation: int) -> int:
    """As Driver.disable_h2c; then nothing of it leaves to the user."""
    bypass = driver.bed.bypass
    bypass.disabling.add((H2C_ST, queue.qid))
    cycles = await driver.disable_h2c(queue, operation)
    bypass.ended(H2C_ST, queue.qid)
    return cycles


async def disable_mm(mm: Mm, queue: MmQueue, operation: int) -> int:
    bypass = mm.bed.bypass
    bypass.disabling.add((channel_of(queue), queue.qid))
    cycles = await mm.disable(queue, operation)
    bypass.ended(channel_of(queue), queue.qid)
    return cycles


async def disable_c2h(driver: Driver, queue: C2h, operation: int) -> int:
    bypass = driver.bed.bypass
    bypass.disabling.add((C2H_ST, queue.qid))
    cycles = await driver.c2h.disable(queue, operation)
    bypass.ended(C2H_ST, queue.qid)
    return cycles
