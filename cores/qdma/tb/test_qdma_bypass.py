# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Descriptor bypass: the user has descriptors between fetch and engine, and returns them. Traffic and its errors,
beside queues without bypass; long descriptors, status, markers; what the user must not provide."""

import cocotb
import pytest

from qdma_bypass_bed import (
    C2H,
    H2C,
    add_h2c,
    add_mm,
    bypass_bench,
    disable_h2c,
    disable_mm,
    known,
    rates,
    user,
)
from qdma_bypass_user import C2H_MM, CHANNELS, H2C_MM, H2C_ST, IN
from qdma_contract import CLEAR, DMA_ERROR, DSC, PIDX_ERROR, SW_H2C
from qdma_mm_bed import DMA_ERROR as DMA
from qdma_mm_bed import DSC_ERROR, PAGE, ready_mm
from qdma_top_bed import BUFFER, QUEUES
from qdma_top_driver import QEN, RING_OF_2049, all_out
from test_qdma_mm import some
from test_qdma_top import post_some
from ullnic_tb import cocotb_tests

STALLS = ({}, {"packet": 0.5}, {"out": 0.2}, {"in": 0.3}, {"out": 0.5, "in": 0.5, "write": 0.3, "read": 0.5})
CAPABILITIES, INTERNAL_AND_BYPASS = 0x134, 0
LONGEST = 128  # descriptors of a packet
TURN_CYCLES = 6000  # of 64 segments, or of a block of 128 KiB, and of what was in progress before


@cocotb.test()
async def packets(dut):
    """Packets of all shapes, around their rings, of queues with and without bypass, while the user stalls."""
    mm = await ready_mm(dut)
    driver = mm.driver
    bed, rng = driver.bed, driver.rng
    assert await bed.read(0, CAPABILITIES) >> 2 & 3 == INTERNAL_AND_BYPASS
    for vector in range(4, 12):
        bed.vector(0, vector)
    queues = [add_h2c(driver, qid, rng.choice((0, 1, 2, 5)), vector=4 + qid if qid % 2 else None) for qid in range(6)]
    queues += [add_h2c(driver, qid, rng.choice((0, 1, 2))) for qid in (24, 25)]
    queues += [driver.add_h2c(qid, rng.choice((0, 1, 2))) for qid in (8, 9, 26)]
    for stalls in STALLS:
        rates(driver, **stalls)
        for _ in range(80):
            queue = rng.choice(queues)
            if queue.room() and len(bed.requests) < 8:
                post_some(driver, queue)
            await bed.steps(rng.choice((0, 0, 20, 80)))
        await bed.settle()
        all_out(driver)
    assert all(queue.statuses for queue in queues)
    channel = user(driver, H2C_ST)
    assert channel.provided == len(channel.left) > 500 and {qid for qid, _ in channel.left} == {*range(6), 24, 25}
    assert bed.bypass.dropped == [0] * CHANNELS


@cocotb.test()
async def moves(dut):
    """Memory-mapped queues of both directions, as above."""
    mm = await ready_mm(dut, mrrs=256)
    bed, rng = mm.bed, mm.rng
    queues = [add_mm(mm, qid, is_c2h, rng.choice((0, 1))) for qid in (0, 1, 24) for is_c2h in (H2C, C2H)]
    queues += [mm.add(qid, is_c2h, rng.choice((0, 1))) for qid in (2, 25) for is_c2h in (H2C, C2H)]
    for stalls in STALLS[1:]:
        rates(mm.driver, **stalls)
        mm.memory.pauses = rng.choice((0.0, 0.3))
        for _ in range(100):
            queue = rng.choice(queues)
            if queue.room() and len(bed.requests) < 8:
                some(mm, queue)
            await bed.steps(rng.choice((0, 20, 80)))
        await mm.drain()
    assert all(queue.done and not queue.error for queue in queues)
    for number in (C2H_MM, H2C_MM):
        assert user(mm.driver, number).provided == len(user(mm.driver, number).left) > 60


@cocotb.test()
async def long_descriptors(dut):
    """A descriptor of the user that is long beside a queue without bypass, and vice versa: each has its turns."""
    mm = await ready_mm(dut, mrrs=4096)
    bed = mm.bed
    for is_c2h in (H2C, C2H):
        mine, other = add_mm(mm, 0, is_c2h, 2), mm.add(1, is_c2h, 2)
        for long, short in ((mine, other), (other, mine)):
            mm.post(long, 600_003)
            mm.ring(long)
            await bed.steps(1500)
            for _ in range(2):
                begin, done = bed.cycle, short.done
                mm.post(short, 4096)
                mm.ring(short)
                await bed.until(lambda short=short, done=done: short.done > done)
                assert bed.cycle - begin < TURN_CYCLES and not long.error
            await mm.drain(120_000)
            assert not long.moves and not short.moves


@cocotb.test()
async def resets(dut):
    """In the midst of traffic of all kinds, wherever its descriptors are, within a long packet of the user, and while
    status and what follows it wait: nothing of it is left afterwards, and the longest packet is not cut."""
    for turn in range(5):
        mm = await ready_mm(dut)
        driver = mm.driver
        bed, rng = driver.bed, driver.rng
        queues = [add_h2c(driver, qid, 2) for qid in (1, 24)] + [driver.add_h2c(8, 1)]
        long = add_h2c(driver, 0, RING_OF_2049)
        copies = [add_mm(mm, 4, H2C, 1), add_mm(mm, 5, C2H, 1), mm.add(9, H2C, 1)]
        driver.post(long, [8] * LONGEST)
        driver.ring(long)
        for _ in range(4):
            for queue in queues:
                post_some(driver, queue)
            for copy in copies:
                some(mm, copy)
            await bed.steps(200)
        await mm.drain()
        await bed.settle()
        all_out(driver)
        assert all(copy.done and not copy.error for copy in copies)
        rates(driver, **STALLS[turn % len(STALLS)])
        for queue in queues * 2:
            if queue.room():
                post_some(driver, queue)
        for copy in copies:
            some(mm, copy)
        await bed.steps(rng.randrange(20, 400))
        if turn % 2:
            rates(driver, write=0.0)
            for copy in copies * 3:
                if copy.room():
                    some(mm, copy)
            await bed.steps(300)
        else:
            driver.post(long, [8] * LONGEST)
            driver.ring(long)
            channel = user(driver, H2C_ST)
            await bed.until(lambda channel=channel, qid=long.qid: channel.open_qid == qid)
            await bed.steps(20)


async def restart_h2c(driver, queue):
    await disable_h2c(driver, queue, CLEAR)
    driver.bed.host.bad.clear()
    driver.bed.write(0, DSC[0], 0xFFFFFFFF)
    again = add_h2c(driver, queue.qid, 2)
    for _ in range(5):
        post_some(driver, again)
    await driver.bed.settle()
    all_out(driver)
    return again


@cocotb.test()
async def errors(dut):
    """A read of payload, or of descriptors, that fails: the queue is stopped, with the status that it has without
    bypass. Others lose nothing. Cleared and set up again, it works."""
    mm = await ready_mm(dut)
    driver = mm.driver
    bed, rng = driver.bed, driver.rng
    good = [add_h2c(driver, 1, 2), driver.add_h2c(2, 2), add_h2c(driver, 25, 1)]
    queue = add_h2c(driver, 6, 2)
    for turn in range(8):
        rates(driver, **rng.choice(STALLS))
        begin = queue.pidx
        for _ in range(rng.randrange(4)):
            driver.post(queue, [rng.randint(1, 300)])
        before = queue.pidx
        addresses = driver.post(queue, [300] * rng.choice((1, 3)))
        bed.host.bad.add((addresses[-1] if turn % 2 else queue.base) >> BUFFER)
        for _ in range(rng.randrange(4)):
            driver.post(queue, [rng.randint(1, 300)])
        for each in good:
            post_some(driver, each)
        driver.ring(queue)
        await bed.settle()
        assert queue.errors == 1 and queue.cidx == (before if turn % 2 else begin)
        word = await bed.read_context(SW_H2C, 6)
        assert word >> 58 & 3 == 2 and word & QEN == 0
        await bed.check_descriptor_error(DMA_ERROR, 6, read=turn % 2 == 1)
        driver.h2c.pop(6)
        all_out(driver)
        driver.h2c[6] = queue
        queue = await restart_h2c(driver, queue)


@cocotb.test()
async def errors_of_moves(dut):
    """As above, memory-mapped: responses of the card, reads of the host, of payload and of descriptors."""
    mm = await ready_mm(dut, mrrs=512)
    bed, rng = mm.bed, mm.rng
    good = [add_mm(mm, 2, is_c2h, 2) for is_c2h in (H2C, C2H)] + [mm.add(3, is_c2h, 2) for is_c2h in (H2C, C2H)]
    queues = [add_mm(mm, 4, is_c2h, 2) for is_c2h in (H2C, C2H)]
    for turn in range(8):
        queue, of_descriptor = queues[turn % 2], turn in (4, 5)
        rates(mm.driver, **rng.choice(STALLS))
        before = [mm.post(queue, rng.randint(0, 3000)) for _ in range(rng.randrange(4))]
        bad = mm.post(queue, rng.randint(1, 300_000))
        at = rng.randrange(bad.count)
        if of_descriptor:
            bed.host.bad.add(queue.base >> BUFFER)
        elif turn % 4 == 0:
            bed.host.bad.add(bad.host + at >> BUFFER)
        else:
            mm.memory.bad.add((bad.card + at) // PAGE)
        for _ in range(rng.randrange(4)):
            mm.post(queue, rng.randint(0, 3000))
        for each in good:
            some(mm, each)
        mm.ring(queue)
        cidx = before[-1].after if before and not of_descriptor else queue.cidx
        await mm.drain(120_000)
        assert queue.error == (DSC_ERROR if of_descriptor else DMA) and queue.cidx == cidx
        assert all(not each.error and not each.moves for each in good)
        await disable_mm(mm, queue, CLEAR)
        bed.host.bad.clear()
        mm.memory.bad.clear()
        mm.enable(queue)
        known(mm, queue)
        some(mm, queue)
        await mm.drain()
        assert not queue.moves and not queue.error


def changed(number: int, qid: int, change) -> object:
    """What a user provides in place of the next descriptor of this queue; then again as it is."""
    left = [change]

    def changes(channel: int, descriptor: dict) -> list[dict]:
        if channel == number and descriptor["qid"] == qid and left:
            return left.pop()(descriptor)
        return [descriptor]

    return changes


BAD = {
    "function": lambda d: [d | {"func": d["func"] ^ 1}],
    "index": lambda d: [d | {"cidx": 128}],
    "no_begin": lambda d: [d | {"sop": 0}],
    "neither": lambda d: [d | {"sop": 0, "eop": 0}],
    "begin_within": lambda d: [d | {"eop": 0}, d],
    "other_within": lambda d: [d | {"eop": 0}, d | {"qid": 1, "func": 0, "cidx": 0, "no_dma": 1, "sdi": 0}],
    "too_many": lambda d: [d | {"sop": int(i == 0), "eop": 0} for i in range(LONGEST)],
    "empty_part": lambda d: [d | {"eop": 0, "len": 0}, d | {"sop": 0}],
    "too_long": lambda d: [d | {"len": 1 << 16}],
    "no_dma_part": lambda d: [d | {"eop": 0, "no_dma": 1}],
}


@cocotb.test()
async def bad_descriptors(dut):
    """What the user must not provide stops its queue with an error, and no other."""
    mm = await ready_mm(dut)
    driver = mm.driver
    bed = driver.bed
    good = [add_h2c(driver, 1, 2), driver.add_h2c(2, 2)]
    for name, change in BAD.items():
        queue = add_h2c(driver, 6, 2)
        await bed.settle(20)
        bed.bypass.changes = changed(H2C_ST, 6, change)
        for each in good:
            post_some(driver, each)
        driver.post(queue, [200])
        driver.post(queue, [300])
        driver.ring(queue)
        await bed.settle()
        assert queue.errors == 1 and queue.cidx == 0, name
        word = await bed.read_context(SW_H2C, 6)
        assert word >> 58 & 3 and word & QEN == 0
        assert await bed.read(0, 0x25C) == 1 << 31 | 6
        driver.h2c.pop(6)
        all_out(driver)
        driver.h2c[6] = queue
        await restart_h2c(driver, queue)
        await disable_h2c(driver, driver.h2c[6], CLEAR)
    for number, is_c2h in ((C2H_MM, C2H), (H2C_MM, H2C)):
        for name in ("function", "index"):
            queue = add_mm(mm, 7, is_c2h, 2)
            await bed.settle(20)
            bed.bypass.changes = changed(number, 7, BAD[name])
            for size in (300, 400):
                mm.post(queue, size)
            mm.ring(queue)
            await bed.settle()
            assert queue.error == DSC_ERROR and queue.cidx == 0 and len(queue.moves) == 2
            assert await bed.read(0, DSC[0]) == 1 << PIDX_ERROR
            bed.write(0, DSC[0], 0xFFFFFFFF)
            await disable_mm(mm, queue, CLEAR)


@cocotb.test()
async def not_live(dut):
    """Descriptors of queues that are not enabled, have no bypass, are of another kind, or do not exist are dropped."""
    mm = await ready_mm(dut)
    driver = mm.driver
    bed, rng = driver.bed, driver.rng
    internal, other, mine = driver.add_h2c(1, 2), add_mm(mm, 2, H2C, 2), add_h2c(driver, 3, 2)
    for queue in (internal, mine):
        post_some(driver, queue)
    some(mm, other)
    await bed.settle()
    reads, sent = len(bed.host.read_addresses), 0
    for number in range(CHANNELS):
        for qid in (0, 1, 40, QUEUES, QUEUES + 3, 2047, 3 if number != H2C_ST else 2):
            descriptor = dict.fromkeys(IN, 1) | {"qid": qid, "func": 0, "cidx": 0, "len": rng.randint(1, 4000)}
            user(driver, number).waits.append(descriptor | {"error": rng.getrandbits(1)})
            sent += 1
    await bed.settle()
    assert len(bed.host.read_addresses) == reads and sum(bed.bypass.dropped) == sent
    assert await bed.read(0, DSC[0]) == 0 and not any(channel.markers for channel in bed.bypass.channels)
    for queue in (internal, mine):
        post_some(driver, queue)
    await bed.settle()
    all_out(driver)


@cocotb.test()
async def markers(dut):
    """A descriptor with mrkr_req has a response when it is done, with the index after it; without DMA, too, and one
    of several blocks has one. One with an error, or after it, says so. Without sdi there is no status."""
    mm = await ready_mm(dut)
    driver = mm.driver
    bed, rng = driver.bed, driver.rng
    queue, copies = add_h2c(driver, 3, 2), [add_mm(mm, 4, is_c2h, 2) for is_c2h in (H2C, C2H)]
    await bed.settle(20)
    wanted, statuses = {number: [] for number in range(CHANNELS)}, queue.statuses

    def marked(number: int, descriptor: dict) -> list[dict]:
        ring = bed.bypass.rings[number, descriptor["qid"]]
        marker = rng.getrandbits(1) if descriptor["eop"] or number != H2C_ST else 0
        if marker:
            after = (descriptor["cidx"] + 1) % (ring["size"] - 1)
            wanted[number].append({"qid": descriptor["qid"], "cidx": after, "error": 0})
        return [descriptor | {"mrkr_req": marker, "sdi": 0}]

    bed.bypass.changes = marked
    for turn in range(20):
        driver.post(queue, [rng.randint(0, 300)])
        for copy in copies:
            mm.post(copy, rng.randint(0, 5000) if turn != 7 else rng.randint(131_073, 150_000))  # more than a block
    driver.ring(queue)
    for copy in copies:
        mm.ring(copy)
    await bed.settle(2000)
    assert not queue.wanted and queue.statuses == statuses and not any(copy.statuses for copy in copies)
    # A status without DMA, of all that were done before
    for number, each in ((H2C_ST, queue), (H2C_MM, copies[0]), (C2H_MM, copies[1])):
        assert user(driver, number).markers == wanted[number] != []
        last = {"qid": each.qid, "func": 0, "cidx": 19, "no_dma": 1, "sop": 1, "eop": 1, "sdi": 1, "mrkr_req": 1}
        user(driver, number).waits.append(dict.fromkeys(IN, 0) | last | {"len": 77, "addr": 1 << 60})
        wanted[number].append({"qid": each.qid, "cidx": 20, "error": 0})
    await bed.settle()
    for number in range(CHANNELS):
        assert user(driver, number).markers == wanted[number]
    assert queue.statuses == statuses + 1 and all(copy.statuses == 1 and not copy.moves for copy in copies)
    all_out(driver)
    # Those after an error have one, too
    bed.bypass.changes = lambda number, descriptor: [descriptor | {"mrkr_req": 1}]
    user(driver, H2C_ST).markers.clear()
    bad = driver.post(queue, [200])[0]
    driver.post(queue, [200])
    bed.host.bad.add(bad >> BUFFER)
    driver.ring(queue)
    await bed.settle()
    assert user(driver, H2C_ST).markers == [{"qid": 3, "cidx": 20 + i, "error": 1} for i in (1, 2)]
    assert queue.errors == 1 and queue.cidx == 20


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_bypass(test):
    bypass_bench().run(__name__, test)
