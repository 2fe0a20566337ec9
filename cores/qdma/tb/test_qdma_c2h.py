# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Streaming C2H, from the packet to its writes and its entry: any packet, any buffer, full rings, errors, stops."""

import cocotb
import pytest

from qdma_c2h_bed import c2h_bench, rig_of
from qdma_c2h_model import BATCH, DEEP, DEEP_BATCHES, DEPTH, DROP, HOLD, INVALID, MAX_BUFFERS, SIZES, TOO_LONG, YES
from qdma_rings import DSC_PND, ERR_DMA, ERR_DSC, IDL_STP_B, QEN, WBK_EN
from qdma_write_bed import running_test
from ullnic_tb import cocotb_tests, long_run, parameter, rounds, seeded

QUEUES = parameter("QUEUES", 64)


def any_count(rng, queue) -> int:
    """Bytes of a packet that the ring can hold: also none, the ends of beats and buffers, and jumbo frames."""
    size = SIZES[queue.size_ix]
    limit = min(9600, min(MAX_BUFFERS, queue.size - 2) * size)
    edge = rng.choice((64, 128, size, 2 * size)) + rng.randint(-2, 2)
    count = rng.choice((0, 1, 64, edge, rng.randint(1, 130), rng.randint(1, 1600), rng.randint(0, 9600)))
    return max(0, min(limit, count))


@cocotb.test()
async def random_packets(dut):
    """Packets of any length into buffers of any size and place, on many queues: each byte once, entries in order."""
    rng = seeded(running_test())
    rig = await rig_of(dut, rng).start()
    queues = [await rig.add_queue(rng.choice((9, 65, 130)), rng.choice((0, 1, 2, 3, 6, 7, 8))) for _ in range(16)]
    most = rng.sample((128, 256, 512, 1024), 4)
    all_rates = ({}, {"ready": 0.5}, {"beat": 0.2, "room": 0.6}, {"ready": 0.7, "ask": 0.3, "beat": 0.7})
    for mps, rates in zip(most, all_rates, strict=True):
        rig.set_max_payload(mps)
        for _ in range(rounds(12, 3)):
            for queue in rng.sample(queues, 6):
                if rng.random() < 0.9 and rig.room(queue) > 0:
                    await rig.give(queue, rng.randint(1, min(40, rig.room(queue))))
                for _ in range(rng.randint(1, 3)):
                    rig.packet(
                        queue,
                        any_count(rng, queue),
                        completion=rng.random() < 0.8,
                        marker=rng.random() < 0.1,
                    )
            for _ in range(rng.choice((0, 20, 200))):
                await rig.step(**rates)
        # Those that are held get their buffers.
        for _ in range(400):
            await rig.drain(**rates)
            lacking = [queue for queue in queues if queue.held]
            for queue in lacking:
                await rig.give(queue, min(MAX_BUFFERS, rig.room(queue)))
            if not lacking:
                break
        assert not lacking
    assert rig.answers[YES] > 100 and rig.out.stat_granted == rig.answers[YES]
    assert rig.out.stat_held == rig.answers[HOLD]
    assert rig.answers[DROP] == rig.answers[INVALID] == rig.answers[TOO_LONG] == 0
    await rig.check_none_held()


@cocotb.test()
async def inline_packets(dut):
    """Of queues with and without inline packets, all lengths about the limit, buffers smaller than an inline packet:
    an inline packet is in its entry, needs no buffer and no write; the others as ever, all in order. Some are longer or
    shorter than granted."""
    rng = seeded(running_test())
    rig = await rig_of(dut, rng).start()
    queues = [await rig.add_queue(65, rng.choice((0, 2, 6, 9)), inline=i % 4 > 0) for i in range(12)]
    wrong = 0
    for rates in ({}, {"ready": 0.5}, {"beat": 0.3, "room": 0.6}, {"ready": 0.7, "ask": 0.4, "beat": 0.7}):
        for _ in range(rounds(10, 3)):
            for queue in rng.sample(queues, 6):
                for _ in range(rng.randint(1, 4)):
                    most = min(200, 31 * SIZES[queue.size_ix])
                    count = min(most, rng.choice((0, 1, 60, 61, 64, 65, rng.randint(1, 60), rng.randint(1, 200))))
                    other = rng.choice((count + 1, max(0, count - 1), rng.randint(0, 200)))
                    actual = other if rng.random() < 0.2 else count
                    wrong += actual != count
                    rig.packet(queue, count, actual=actual, completion=rng.random() < 0.9, marker=rng.random() < 0.1)
            for _ in range(rng.choice((0, 20, 100))):
                await rig.step(**rates)
        for _ in range(400):
            await rig.drain(**rates)
            lacking = [queue for queue in queues if queue.held]
            for queue in lacking:
                await rig.give(queue, min(MAX_BUFFERS, rig.room(queue)))
            if not lacking:
                break
        assert not lacking
    assert rig.inlined > 20 and rig.out.stat_mismatched == wrong
    assert rig.out.stat_granted == rig.answers[YES] and rig.answers[INVALID] == rig.answers[DROP] == 0


@cocotb.test()
async def inline_without_buffers(dut):
    """A queue that never had a buffer has its inline packets; a longer one waits for buffers. In a ring of smaller
    entries the inline ones are refused, and the others are not."""
    rig = await rig_of(dut).start()
    for drop in (False, True):
        queue = await rig.add_queue(65, 0, inline=True, drop=drop)
        for count in range(1, 62):
            rig.packet(queue, count)
        await rig.drain()
        assert queue.answers == [YES] * 60 + [DROP if drop else HOLD] and not rig.writes
    assert rig.inlined == 120
    narrow = await rig.add_queue(65, 0, inline=True)
    narrow.is_narrow = True
    await rig.give(narrow, 40)
    await rig.drain()
    for count in (60, 61, 1, 0, 64):
        rig.packet(narrow, count)
    await rig.drain()
    assert narrow.answers == [INVALID, YES, INVALID, YES, YES] and rig.out.stat_invalid == 2


@cocotb.test()
async def wraps(dut):
    """Small rings, each buffer used: indices and the store's places go round many times; nothing is left."""
    rig = await rig_of(dut).start()
    queues = [await rig.add_queue(size, 0) for size in (3, 9, 17, 18, 65)]
    for _ in range(40):
        for queue in queues:
            count = rig.rng.randint(1, rig.room(queue))
            await rig.give(queue, count)
            for _ in range(count):
                rig.packet(queue, 64)
        await rig.drain()
        for queue in queues:
            await rig.check_taken(queue)
    assert rig.out.stat_granted == rig.answers[YES] == sum(queue.got for queue in queues)


@cocotb.test()
async def resets(dut):
    """In the midst of asks, packets and a stop: nothing of it is left, and counters begin at 0."""
    rng = seeded(running_test())
    for turn in range(10):
        rig = await rig_of(dut, rng).start()
        for _ in range(60):
            out = await rig.step()
            assert not (out.payload_valid or out.post_valid or out.answer_valid or out.done_valid or out.buffer_event)
            assert not (out.stop_done or out.status_valid or out.reserve_valid)
        assert not any(getattr(out, name) for name in rig.outputs if name.startswith("stat_"))
        queues = [await rig.add_queue(65, rng.choice((0, 1, 2, 8))) for _ in range(4)]
        for _ in range(2):
            for queue in queues:
                await rig.give(queue, min(40, rig.room(queue)))
                for _ in range(3):
                    rig.packet(queue, any_count(rng, queue) % 900)
            if not rig.answers[YES]:
                await rig.drain()
                assert rig.answers[YES] == 12
        for _ in range(rng.randrange(120)):
            await rig.step(ready=0.5, beat=0.7, room=0.5)
        if turn % 2:
            rig.stop_qid = queues[0].qid
            for _ in range(rng.randrange(60)):
                await rig.step(ready=0.5)


@cocotb.test()
async def one_by_one(dut):
    """A driver that posts single buffers, with a doorbell each: batches of one fill the store, too, and a packet of as
    many buffers as there may be finds them. The first queues have twice as many places."""
    rig = await rig_of(dut).start()
    queues = [await rig.add_queue(400, 0) for _ in range(DEEP + 1)]
    await fills_store(rig, queues[0], DEEP_BATCHES * BATCH)
    await fills_store(rig, queues[DEEP], DEPTH)


async def fills_store(rig, queue, places: int) -> None:
    for turn in range(rounds(4, 2)):
        while rig.room(queue) and len(queue.buffers) < places + 20:
            await rig.give(queue, 1)
            await rig.drain()
        fetched = await rig.read(queue.qid, hw=1) & 0xFFFF
        ahead = (fetched - queue.pidx + len(queue.buffers)) % (queue.size - 1)
        assert places - 2 * BATCH < ahead <= places
        rig.packet(queue, 31 * 64)
        rig.packet(queue, rig.rng.randint(1, 20) * 64)
        await rig.drain()
        assert queue.got == 2 * (turn + 1)
    while queue.buffers:
        rig.packet(queue, 64)
        await rig.drain()
    assert not queue.held
    await rig.check_taken(queue)


@cocotb.test()
async def long_packets(dut):
    """31 buffers are the most: one more is refused and counted, and nothing of it is written."""
    rig = await rig_of(dut).start()
    queue = await rig.add_queue(130, 0)
    await rig.give(queue, 128)
    for count in (31 * 64, 31 * 64 + 1, 9600, 31 * 64 - 1, 65535):
        rig.packet(queue, count)
    await rig.drain()
    assert rig.answers[YES] == 2 and rig.answers[TOO_LONG] == 3 == rig.out.stat_too_long
    assert len(queue.buffers) == 128 - 62
    empty = await rig.add_queue(9, 10)  # buffers of 0 bytes
    rig.packet(empty, 1)
    rig.packet(empty, 0)
    await rig.drain()
    assert rig.answers[YES] == 3 and rig.answers[TOO_LONG] == 4


@cocotb.test()
async def longer_than_the_ring(dut):
    """A packet of more buffers than its ring can hold would wait for ever: it is refused, counted, and costs itself
    alone, also if it was held before there were any buffers, or its queue drops."""
    rig = await rig_of(dut).start()
    queues = [await rig.add_queue(size, 0, drop=drop) for size in (3, 9, 20, 32, 33) for drop in (False, True)]
    for queue in queues:
        room = rig.room(queue)
        if not rig.answers[HOLD]:
            rig.packet(queue, 64 * room + 1)  # before any buffer is known
            await rig.drain()
            assert queue.answers == [HOLD]
        await rig.give(queue, room)
        await rig.drain()
        rig.packet(queue, 64 * room + 1)
        rig.packet(queue, 64 * (room + 3))
        await rig.drain()
        assert queue.answers[-2:] == [TOO_LONG] * 2 and not queue.held
        rig.packet(queue, 64 * room)
        await rig.drain()
        assert queue.answers[-1] == YES and queue.got == 1
    assert rig.out.stat_too_long == rig.answers[TOO_LONG] == 2 * len(queues) + 1


@cocotb.test()
async def without_buffers(dut):
    """A queue without buffers holds, with its time counted, or drops by its setting; the other queues go on."""
    rig = await rig_of(dut).start()
    holds, drops, good = [await rig.add_queue(65, 3, drop=drop) for drop in (False, True, False)]
    await rig.give(good, 40)
    for _ in range(10):
        for queue in (holds, drops, good):
            rig.packet(queue, 100)
    await rig.drain()
    assert good.got == 10 and holds.got == drops.got == 0
    assert len(holds.held) == 10 and drops.answers == [DROP] * 10
    assert rig.out.stat_no_buffers == 10
    before = rig.out.stat_hold_cycles
    for _ in range(100):
        await rig.step()
    assert rig.out.stat_hold_cycles == before + 100
    await rig.give(holds, 4)
    await rig.drain()
    assert holds.got == 4 and len(holds.held) == 6
    await rig.give(holds, 6)
    await rig.give(drops, 1)
    await rig.drain()
    rig.packet(drops, 10)
    await rig.drain()
    assert holds.got == 10 and drops.got == 1
    await rig.check_none_held()


@cocotb.test()
async def full_rings(dut):
    """Completion rings that are full: hold or drop; the buffers go back, and other queues go on."""
    rig = await rig_of(dut).start()
    holds, drops, invalid, good = [await rig.add_queue(65, 3) for _ in range(4)]
    holds.places, drops.places, drops.room_drops, invalid.room_invalid = 3, 2, True, True
    for queue in rig.queues.values():
        await rig.give(queue, 20)
    await rig.drain()
    for _ in range(10):
        for queue in (holds, drops, invalid, good):
            rig.packet(queue, rig.rng.choice((0, 64, 3000)))
    for _ in range(20):
        rig.packet(holds, 64, completion=False)
    await rig.drain(room=0.7)
    assert drops.got == 2 and drops.answers.count(DROP) == 8 == rig.out.stat_ring_full
    assert invalid.got == 0 and invalid.answers == [INVALID] * 10 and rig.out.stat_invalid == 10
    assert good.got == 10
    assert len(invalid.buffers) == 20
    left = len(holds.held)
    assert left >= 7
    while holds.held:
        await rig.give(holds, min(4, rig.room(holds)))
        rig.free_places(holds, 2)
        await rig.drain()
    assert holds.got == 30
    # What went back can be used: all of it.
    invalid.room_invalid = False
    for _ in range(20):
        rig.packet(invalid, 2048)
    await rig.drain()
    assert invalid.got == 20
    await rig.check_taken(invalid)
    for queue in (holds, drops, invalid):
        await rig.give(queue, 1)
    await rig.drain()
    await rig.check_none_held()


@cocotb.test()
async def mixed_with_one_full(dut):
    """Under load, one queue of many is full all the time: the others lose nothing, and each packet of theirs goes."""
    rig = await rig_of(dut).start()
    queues = [await rig.add_queue(130, 3, drop=bool(i & 1)) for i in range(8)]
    for queue in queues[2:]:
        await rig.give(queue, 100)
    await rig.drain()
    for _ in range(60):
        for queue in queues:
            rig.packet(queue, rig.rng.randint(1, 600))
    await rig.drain(ready=0.8)
    assert all(queue.got == 60 for queue in queues[2:]) and len(queues[0].held) == 60
    assert queues[1].answers == [DROP] * 60


@cocotb.test()
async def invalid_queues(dut):
    """Packets of a queue whose context is not valid are dropped, counted and named."""
    rig = await rig_of(dut).start()
    bad, good = await rig.add_queue(65, 3, valid=False), await rig.add_queue(65, 3)
    await rig.give(good, 10)
    for _ in range(5):
        rig.packet(bad, 77)
        rig.packet(good, 77)
    await rig.drain()
    assert bad.answers == [INVALID] * 5 and good.got == 5
    assert rig.out.stat_invalid == 5


@cocotb.test()
async def wrong_lengths(dut):
    """A packet that is shorter or longer than was said costs itself: its entry has the error, it is counted."""
    rig = await rig_of(dut).start()
    queues = [await rig.add_queue(130, size_ix) for size_ix in (0, 3)]
    for queue in queues:
        await rig.give(queue, 120)
    wrong = 0
    for said, sent in ((64, 63), (63, 64), (100, 0), (0, 1), (0, 65), (640, 10), (10, 640), (128, 129), (129, 128),
                       (640, 640), (65, 64), (64, 65), (1000, 128), (128, 1000), (0, 0), (1, 1)):  # fmt: skip
        for queue in queues:
            rig.packet(queue, said, actual=sent)
            rig.packet(queue, 50)
            wrong += said != sent
    await rig.drain(ready=0.8, beat=0.8)
    assert rig.out.stat_mismatched == wrong == 26


MOST_TURNS = 400  # a fault in 0.15 of the reads stops enough queues long before


@cocotb.test()
async def read_errors(dut):
    """A read of descriptors that fails stops its queue after the buffers before it; others go on; a restart works."""
    rig = await rig_of(dut, fault_rate=0.15).start()
    queues = [await rig.add_queue(130, 3) for _ in range(12)]
    for queue in queues:
        await rig.write(queue.qid, WBK_EN, WBK_EN)
    stops = 0
    for turn in range(MOST_TURNS):
        if turn >= rounds(40, 14) and stops > 5:
            break
        for queue in rig.rng.sample(queues, 4):
            if room := rig.room(queue):  # else the ring is full
                rig.put(queue, rig.rng.randint(1, min(30, room)))
            await rig.write(queue.qid, queue.pidx, 0xFFFF)
            rig.events.append(queue.qid)
            rig.packet(queue, rig.rng.randint(0, 300))
        await rig.drain()
        for queue in queues:
            if queue.qid not in rig.status:
                hw = await rig.read(queue.qid, hw=1)
                assert hw & 0xFFFF == 0 or hw & IDL_STP_B, "a queue that has no error says that it is stopped"
                continue
            stops += 1
            cidx, error = rig.status.pop(queue.qid)
            sw = await rig.read(queue.qid)
            assert error == 2 and sw & (QEN | ERR_DMA | ERR_DSC) == ERR_DMA
            # Buffers before the failed read are good, then packets are dropped.
            while len(queue.buffers) and (queue.pidx - len(queue.buffers)) % (queue.size - 1) != cidx:
                got = queue.got
                rig.packet(queue, 20)
                await rig.drain()
                assert queue.got == got + 1
            rig.packet(queue, 20)
            await rig.drain()
            assert queue.answers[-1] == DROP
            assert await rig.read(queue.qid, hw=1) & (IDL_STP_B | DSC_PND) == 0
            queue.held.clear()
            await rig.stop(queue)
            await rig.write(queue.qid, 0, (1 << 256) - 1, hw=1)
            await rig.write(queue.qid, sw & ~(0xFFFF | ERR_DMA) | QEN, (1 << 256) - 1)
            queue.pidx = 0
            queue.answers.clear()
        for queue in queues:
            queue.held.clear()
    assert stops > 5


@cocotb.test()
async def bad_context(dut):
    """A ring that the fetch stops because of its context: its packets are dropped, not held for ever."""
    rig = await rig_of(dut).start()
    bad, good = await rig.add_queue(65, 3), await rig.add_queue(65, 3)
    await rig.write(bad.qid, 100, 0xFFFF)  # PIDX beyond the ring
    rig.packet(bad, 64)
    await rig.give(good, 5)
    rig.packet(good, 64)
    await rig.drain()
    assert len(bad.held) == 1 and good.got == 1
    rig.events.append(bad.qid)
    await rig.drain()
    assert rig.context_errors == [bad.qid]
    assert bad.answers == [HOLD, DROP], "the one that was held is asked for again, and dropped"


@cocotb.test()
async def stops(dut):
    """Stopped under traffic: from then on nothing of the queue is written or posted, whatever the source does.
    The other queues lose nothing; the queue can begin again."""
    rig = await rig_of(dut).start()
    rng = rig.rng
    queues = [await rig.add_queue(130, rng.choice((0, 2, 3)), inline=i % 2 > 0) for i in range(6)]
    for turn in range(rounds(30, 8)):
        for queue in queues:
            if rig.room(queue):
                await rig.give(queue, rng.randint(1, rig.room(queue)))
            for _ in range(rng.randint(1, 6)):
                rig.packet(queue, any_count(rng, queue) % rng.choice((61, 3000)))
        rates = {"ready": rng.choice((1.0, 0.5)), "beat": rng.choice((1.0, 0.3))}
        for _ in range(rng.randint(0, 200)):
            await rig.step(**rates)
        victim = rng.choice(queues)
        sw = await rig.read(victim.qid)
        while not rig.may_stop():
            await rig.step(**rates)
        rig.source_stalls = turn % 3 == 0  # within a packet, may be
        # Some of these are within the admission when the stop comes.
        for _ in range(rng.randint(0, 8)):
            rig.packet(victim, rng.choice((0, 40, 64)))
        await rig.stop(victim, **rates)
        for _ in range(rng.randint(0, 100)):
            await rig.step(**rates)
        rig.source_stalls = False
        assert await rig.read(victim.qid, hw=1) >> 43 & 15 == 0
        await rig.write(victim.qid, 0, (1 << 256) - 1, hw=1)
        await rig.write(victim.qid, sw & ~0xFFFF, (1 << 256) - 1)
        victim.pidx = 0
    for _ in range(60):
        await rig.drain()
        lacking = [queue for queue in queues if queue.held]
        for queue in lacking:
            await rig.give(queue, rig.room(queue))
        if not lacking:
            break
    assert not any(queue.held for queue in queues)
    assert rig.out.stat_stopped > 0
    await rig.check_none_held()


@cocotb.test()
async def stop_is_short(dut):
    """A queue without reads under way is stopped in less than 200 cycles, while a source stalls within its packet."""
    rig = await rig_of(dut).start()
    queue = await rig.add_queue(65, 3)
    await rig.give(queue, 16)
    packet = rig.packet(queue, 1000)
    while not rig.beat_at:
        await rig.step()
    rig.source_stalls = True
    for _ in range(20):
        await rig.step()
    written = len(rig.writes)
    assert written > 0 and packet.writes
    cycles = await rig.stop(queue)
    print(f"stop: {cycles} cycles")
    assert cycles < 200
    rig.source_stalls = False
    await rig.drain()
    assert len(rig.writes) == written and not rig.post_at


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_c2h(test):
    c2h_bench().run(__name__, test)


@long_run(__file__)
@pytest.mark.parametrize("test", ("random_packets", "one_by_one", "read_errors", "stops"))
def test_qdma_c2h_long(test):
    c2h_bench().run(__name__, test, long_seed=1)
