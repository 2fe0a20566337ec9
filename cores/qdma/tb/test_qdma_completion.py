# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""qdma_completion: entries, coalescing, triggers, timers, room, errors, rate and latency."""

import cocotb
import pytest

from qdma_completion_bed import COUNTS, DROP, FULL, INVALID, MODULES, SIZES, TICKS, YES, Bed
from qdma_completion_model import ALL, COUNTED, EVERY, OFF, TIMED, USER, USER_COUNT, USER_TIMER
from qdma_write_bed import running_test, write_bench
from ullnic_tb import cocotb_tests, seeded

LATENCY = 6  # cycles from a post to the first beat of its write, channel idle
BUSY_CYCLES = 500  # that entries wait for others on a busy channel, at least
TICK = 12


async def ready_bed(dut, **more) -> Bed:
    return await Bed(dut).reset(**more)


def all_written(bed: Bed) -> None:
    for ring in bed.rings.values():
        assert ring.written == ring.posted, f"queue {ring.qid}: {ring.written} of {ring.posted} entries"


@cocotb.test()
async def entries(dut):
    """All sizes, both formats, several times around rings; the driver reads and moves CIDX, the channel stalls."""
    rng = seeded(running_test())
    bed = await ready_bed(dut)
    for i in range(12):
        bed.ring(5 * i, size_ix=i % 8, entry_bytes=8 << i % 4, mode=OFF, base=0x2_0000_0000 + i * 0x8000 + 64 * (i % 3))
    await bed.settle()
    for _ in range(1500):
        ring = rng.choice(list(bed.rings.values()))
        if ring.qid not in bed.sending and rng.random() < 0.8:
            bed.send(ring, rng)
        elif not any(qid == ring.qid for qid, _ in bed.doors):
            bed.door(ring, ring.written % ring.entries)
        await bed.step(ready=(rng.random() < 0.7, 1, 1), show_post=rng.random() < 0.8)
    await bed.settle()
    all_written(bed)
    assert not bed.notices and not bed.refused and min(ring.posted for ring in bed.rings.values()) > 0
    assert any(ring.posted > 3 * ring.entries for ring in bed.rings.values())


@cocotb.test()
async def full_rate(dut):
    """A post a cycle, for one queue and for many; on a busy channel the writes are full."""
    rng = seeded(running_test())
    for queues, entry_bytes in ((1, 16), (4, 16), (16, 16), (1, 8), (2, 32)):
        bed = await ready_bed(dut, coalesce=2000)
        rings = [bed.ring(i, size_ix=6, entry_bytes=entry_bytes, mode=OFF) for i in range(queues)]
        await bed.settle()
        per_write = 128 // entry_bytes
        total = per_write * queues * max(1, 96 // (per_write * queues))
        for i in range(total):
            bed.post(rings[i % queues], rng)
        await bed.settle(idle=0)
        assert bed.posted_at[-1] - bed.posted_at[0] == total - 1, (queues, entry_bytes)
        assert [count for _, _, count in bed.writes] == [per_write] * (total // per_write)
        all_written(bed)


@cocotb.test()
async def latency(dut):
    """On an idle channel an entry leaves at once."""
    rng = seeded(running_test())
    bed = await ready_bed(dut)
    ring = bed.ring(9, size_ix=4, mode=OFF)
    await bed.settle()
    for i in range(20):
        bed.post(ring, rng)
        await bed.settle(rng.randrange(20, 40))
        assert bed.writes[i][0] - bed.posted_at[i] == LATENCY and bed.writes[i][2] == 1


@cocotb.test()
async def coalescing(dut):
    """On a busy channel entries wait for others, at most coalesce_cycles or BUSY_CYCLES, whichever is more; as soon as
    it is idle they leave, whether their time has passed or not."""
    rng = seeded(running_test())
    for coalesce, most in ((100, BUSY_CYCLES), (700, 700)):
        bed = await ready_bed(dut, coalesce=coalesce)
        rings = [bed.ring(i, size_ix=4, mode=OFF) for i in range(6)]
        await bed.settle()
        for ring in rings:
            bed.post(ring, rng)
            bed.post(ring, rng)
        await bed.settle(most - 30, idle=0)
        assert not bed.writes
        await bed.steps(80, idle=0)
        assert [count for _, _, count in bed.writes] == [2] * 6
        for wait in (20, 200):
            before = len(bed.writes)
            for ring in rings:
                bed.post(ring, rng)
            await bed.settle(wait, idle=0)
            begin = bed.cycle
            await bed.steps(60)
            late = [cycle for cycle, _, _ in bed.writes[before:]]
            assert len(late) == 6 and late[0] - begin <= LATENCY + 2
        all_written(bed)


@cocotb.test()
async def more_rings_than_slots(dut):
    """Rings whose entries wait take turns in the slots; none is lost, none stops the others."""
    rng = seeded(running_test())
    bed = await ready_bed(dut, coalesce=0xFFFF)
    rings = [bed.ring(i, size_ix=3, entry_bytes=16, mode=OFF) for i in range(64)]
    await bed.settle()
    for _ in range(3):
        for ring in rings:
            bed.post(ring, rng)
        await bed.settle(20, idle=0)
    await bed.settle(400)
    all_written(bed)


@cocotb.test()
async def old_beside_a_stall(dut):
    """Slots become old while the channel accepts nothing and all places of what leaves are used: nothing is lost."""
    rng = seeded(running_test())
    bed = await ready_bed(dut, coalesce=20)
    rings = [bed.ring(i, size_ix=4, mode=OFF) for i in range(30)]
    full = [bed.ring(40 + i, size_ix=6, entry_bytes=64, mode=OFF) for i in range(2)]
    await bed.settle()
    for ring in rings:
        bed.post(ring, rng)
    for i in range(200):
        bed.post(full[i % 2], rng)
    await bed.steps(BUSY_CYCLES + 300, ready=(0, 0, 0), idle=0)
    assert not bed.writes and bed.posts
    await bed.settle(400)
    all_written(bed)


@cocotb.test()
async def gathered_and_alone(dut):
    """More rings than slots on a busy channel: rings that have a slot gather in it, the entries of the others leave
    alone, a write a cycle."""
    rng = seeded(running_test())
    bed = await ready_bed(dut, coalesce=0xFFFF)
    rings = [bed.ring(i, size_ix=4, mode=OFF) for i in range(64)]
    await bed.settle()
    for _ in range(5):
        for ring in rings:
            bed.post(ring, rng)
    await bed.settle(40, idle=0)
    alone = [cycle for cycle, _, count in bed.writes if count == 1]
    assert len(bed.writes) == len(alone) and len(alone) % 5 == 0 and 40 < len(alone) < 5 * 24
    assert min(later - cycle for cycle, later in zip(alone, alone[1:], strict=False)) == 1
    await bed.settle(400)
    assert sorted(count for _, _, count in bed.writes[len(alone) :]) == [5] * (64 - len(alone) // 5)
    all_written(bed)


@cocotb.test()
async def trigger_modes(dut):
    """Each mode triggers when it must, once an arming, and not before."""
    rng = seeded(running_test())
    bed = await ready_bed(dut)
    for i, mode in enumerate((OFF, EVERY, USER_COUNT, USER, USER_TIMER, ALL)):
        ring = bed.ring(i, size_ix=4, mode=mode, count_ix=3, timer_ix=7, en_int=1)
        await bed.settle()
        bed.post(ring, rng)
        await bed.settle()
        assert ring.statuses == 0, "a status before it was armed"
        bed.door(ring, 0)
        await bed.settle(30)
        assert ring.statuses == ring.causes == (mode == EVERY)
        if mode == EVERY:
            bed.door(ring, 1)
            await bed.settle(30)
            assert ring.statuses == 1
            bed.post(ring, rng)
            await bed.settle(30)
            assert ring.statuses == 2
        elif mode == OFF:
            for _ in range(10):
                bed.post(ring, rng, trigger=1)
            await bed.settle(TICK * TICKS[7] + 60)
            assert ring.statuses == 0
        else:
            for _ in range(COUNTS[3] - 2):
                bed.post(ring, rng)
            await bed.settle(30)
            assert ring.statuses == 0
            bed.post(ring, rng)
            await bed.settle(30)
            assert ring.statuses == (mode in COUNTED)
            bed.post(ring, rng, trigger=1)
            await bed.settle(30)
            assert ring.statuses == 1
            # A user trigger that came while software was due: kept until it has armed again, in all but USER here too.
            bed.post(ring, rng, trigger=1)
            await bed.settle(30)
            assert ring.statuses == 1
            bed.door(ring, (ring.written - 1) % ring.entries)
            await bed.settle(30)
            assert ring.statuses == 2 and ring.causes == 2
            if mode in TIMED:
                bed.door(ring, ring.written % ring.entries)
                await bed.settle(TICK * TICKS[7] + 60)
                assert ring.statuses == 2, "a timer without an entry"
                bed.post(ring, rng)
                begin = bed.cycle
                await bed.settle(TICK * TICKS[7] - 2 * TICK)
                assert ring.statuses == 2
                await bed.settle(3 * TICK + LATENCY)
                assert ring.statuses == 3 and bed.notices[-1][0] - begin <= TICK * (TICKS[7] + 1) + LATENCY + 8
    all_written(bed)


@cocotb.test()
async def every_timer_fires(dut):
    """Timers of all queues, armed at random: each within its time and one tick, and the way out."""
    rng = seeded(running_test())
    bed = await ready_bed(dut, tick_cycles=TICK)
    rings = [
        bed.ring(i, size_ix=6, mode=rng.choice(TIMED), timer_ix=rng.randrange(1, 8), count_ix=6, en_int=0)
        for i in range(64)
    ]
    await bed.settle()
    for ring in rings:
        bed.door(ring, 0)
    await bed.settle()
    started, waits = {}, []
    bed.access_cycles = 16  # so that a doorbell has its effect before the next
    for _ in range(6000):
        for cycle, _, qid in bed.notices:
            ring = bed.rings[qid]
            waits.append((cycle - started.pop(qid), TICKS[ring.timer_ix]))
            bed.door(ring, ring.written % ring.entries)
        bed.notices.clear()
        ring = rng.choice(rings)
        if (
            rng.random() < 0.3
            and ring.qid not in started
            and ring.rung_at + 40 < bed.cycle
            and ring.arms > ring.statuses
        ):
            bed.post(ring, rng)
            started[ring.qid] = bed.cycle
        await bed.step()
        for qid, begin in started.items():
            limit = TICK * (TICKS[bed.rings[qid].timer_ix] + 1) + 64
            assert bed.cycle - begin <= limit, f"queue {qid}: no status {limit} cycles after its entry"
    assert len(waits) > 200
    for wait, ticks in waits:
        assert TICK * (ticks - 1) <= wait


@cocotb.test()
async def settings_by_doorbell(dut):
    """Mode, count and timer of the doorbell count from then on; a timer stops when its mode goes."""
    rng = seeded(running_test())
    bed = await ready_bed(dut)
    ring = bed.ring(3, size_ix=4, mode=OFF)
    await bed.settle()
    bed.door(ring, 0, mode=USER_COUNT, count_ix=2)
    bed.post(ring, rng)
    await bed.settle()
    assert ring.statuses == 0
    bed.door(ring, 0, mode=USER_TIMER, timer_ix=6)
    await bed.settle(20)
    bed.door(ring, 0, mode=USER)
    await bed.settle(TICK * 20)
    assert ring.statuses == 0
    bed.door(ring, 0, mode=USER_COUNT, count_ix=1)
    await bed.settle()
    assert ring.statuses == 1 and ring.causes == 1


@cocotb.test()
async def room(dut):
    """A full ring holds or drops, counts its time, stops no other, and goes on by itself when CIDX moves."""
    rng = seeded(running_test())
    bed = await ready_bed(dut)
    held = bed.ring(1, size_ix=0, mode=OFF)
    dropping = bed.ring(2, size_ix=0, mode=OFF, drop=1)
    free = bed.ring(3, size_ix=0, mode=OFF, unlimited=1)
    await bed.settle()
    assert [qid for _, qid in bed.room_events] == [1, 2, 3], "they have become valid"
    bed.room_events.clear()
    places = SIZES[0] - 2
    for ring in (held, dropping, free):
        bed.reserves.extend([ring.qid] * (places + 3))
    bed.reserves.append(40)
    await bed.settle(6)
    assert bed.answers == [(1, YES)] * places + [(1, FULL)] * 3 + [(2, YES)] * places + [(2, DROP)] * 3 + [(3, YES)] * (
        places + 3
    ) + [(40, INVALID)]
    for ring in (held, dropping):
        for _ in range(places):
            bed.post(ring, rng)
    await bed.settle(100)
    before = (await bed.step()).stat_full_cycles
    await bed.steps(99)
    assert (await bed.step()).stat_full_cycles - before == 200  # two queues
    assert not bed.room_events and not bed.full_ends
    bed.door(held, 3)
    bed.door(dropping, 1)
    await bed.settle(30)
    assert [qid for _, qid in bed.room_events] == [1]
    assert sorted(qid for _, qid, _ in bed.full_ends) == [1, 2]
    after = (await bed.step()).stat_full_cycles
    assert after == sum(cycles for _, _, cycles in bed.full_ends)
    bed.answers.clear()
    bed.reserves.extend([1, 1, 1, 1, 2, 2])
    await bed.settle(6)
    assert bed.answers == [(1, YES)] * 3 + [(1, FULL), (2, YES), (2, DROP)]
    all_written(bed)


@cocotb.test()
async def wide(dut):
    """A reservation for an entry of 64 bytes is refused by a ring of smaller ones, which loses no place by it. The ring
    has an event when its entries have become so large."""
    bed = await ready_bed(dut)
    for qid, entry_bytes in enumerate((8, 16, 32, 64)):
        bed.ring(qid, size_ix=0, entry_bytes=entry_bytes, mode=OFF)
    await bed.settle()
    bed.room_events.clear()
    places = SIZES[0] - 2
    for is_wide in (True, False):
        bed.wide = set(range(4)) if is_wide else set()
        for qid in range(4):
            bed.reserves.extend([qid] * (places if qid < 3 or is_wide else 1))
        await bed.settle()
        wanted = [(qid, INVALID if is_wide and qid < 3 else YES) for qid in range(4) for _ in range(places)]
        assert bed.answers == (wanted if is_wide else [*wanted[: 3 * places], (3, FULL)])
        bed.answers.clear()
    bed.ring(1, size_ix=0, entry_bytes=64, mode=OFF)
    bed.ring(2, size_ix=0, entry_bytes=16, mode=OFF)
    await bed.settle()
    # The first also because it was not valid for them; of the second nobody was held.
    assert [qid for _, qid in bed.room_events] == [1]
    bed.wide = {1}
    bed.reserves.extend([1, 2])
    await bed.settle()
    assert bed.answers == [(1, YES), (2, YES)]


@cocotb.test()
async def invalid_queue(dut):
    """An entry for a queue that is not valid is counted and named; it makes nothing else."""
    rng = seeded(running_test())
    bed = await ready_bed(dut)
    good = bed.ring(7, size_ix=1, mode=EVERY)
    bad = [bed.ring(8, size_ix=1), bed.ring(9, size_ix=1, entry_bytes=64, base=0x5_0000_0010), bed.ring(10, size_ix=1)]
    bed.command(8, 0)  # clear
    bad[2].pidx = 16  # outside
    bed.command(10, bad[2].words())
    await bed.settle()
    bed.rings = {7: good}
    for ring in (*bad, good, *bad):
        bed.post(ring, rng)
    bed.reserves.extend([8, 9, 10, 7])
    out = await bed.settle() or await bed.step()
    assert bed.refused == [8, 9, 10] * 2 and not any(bed.refused_full) and out.stat_refused == 6
    assert bed.answers == [(8, INVALID), (9, INVALID), (10, INVALID), (7, YES)]
    all_written(bed)


@cocotb.test()
async def resets(dut):
    """In the midst of entries, answers, refusals and timers: nothing of it is left, and counters begin at 0."""
    rng = seeded(running_test())
    for turn in range(8):
        bed = await ready_bed(dut)
        out = await bed.step()
        assert (out.stat_refused, out.stat_discarded, out.stat_full_cycles) == (0, 0, 0)
        await bed.steps(120)  # to no ring that there is
        modes = (OFF, EVERY, USER_COUNT, USER_TIMER)
        rings = [bed.ring(2 * i, size_ix=(1, 3, 4, 6)[i % 4], mode=modes[(i + turn) % 4], timer_ix=i) for i in range(8)]
        gone = bed.ring(9, size_ix=1)
        bed.command(9, 0)
        await bed.settle()
        del bed.rings[9]
        for ring in (*rings, gone, *rings):
            bed.post(ring, rng, trigger=rng.getrandbits(1))
        bed.reserves.extend(ring.qid for ring in (*rings, gone))
        await bed.settle()
        all_written(bed)
        assert (await bed.step()).stat_refused == 1
        for ring in (*rings, gone) * 3:
            bed.post(ring, rng, trigger=rng.getrandbits(1))
        bed.reserves.extend(ring.qid for ring in rings)
        for _ in range(rng.randrange(2, 40)):
            await bed.step(ready=tuple(int(rng.random() < 0.5) for _ in range(3)))


@cocotb.test()
async def overrun(dut):
    """A post without a reserved place is refused when the ring is full: what software has not read stays."""
    rng = seeded(running_test())
    bed = await ready_bed(dut)
    ring = bed.ring(4, size_ix=0, mode=OFF)
    await bed.settle()
    for _ in range(SIZES[0] - 2):
        bed.post(ring, rng)
    await bed.settle()
    bed.rings.pop(4)
    bed.post(ring, rng)
    await bed.settle()
    assert bed.refused == [4] and bed.refused_full == [1]


@cocotb.test()
async def unlimited(dut):
    """ovf_chk_dis: entries are written over those that software has not read. Nothing is refused; after it has read up
    to PIDX, triggers count from there."""
    rng = seeded(running_test())
    bed = await ready_bed(dut)
    for qid, count_ix in enumerate((0, 1, 2, 3)):
        ring = bed.ring(qid, size_ix=0, mode=USER_COUNT, count_ix=count_ix, unlimited=1)
        await bed.settle()
        bed.door(ring, 0)
        await bed.settle(30)
        for more in (0, 1, 3, ring.entries):
            before = ring.statuses
            for _ in range(ring.entries + more):
                bed.post(ring, rng)
            await bed.settle()
            assert ring.statuses == before + 1, "once an arming, while they are overwritten"
            bed.door(ring, ring.written % ring.entries)
            await bed.settle(30)
            for _ in range(max(1, COUNTS[count_ix]) - 1):
                bed.post(ring, rng)
            await bed.settle(30)
            assert ring.statuses == before + 1
            bed.post(ring, rng)
            await bed.settle(30)
            assert ring.statuses == before + 2
            bed.door(ring, ring.written % ring.entries)
            await bed.settle(30)
    never = bed.ring(9, size_ix=0, mode=USER_COUNT, count_ix=6, unlimited=1)  # a count that the ring does not hold
    await bed.settle()
    bed.door(never, 0)
    await bed.settle(30)
    for _ in range(COUNTS[6] + 5):
        bed.post(never, rng)
    await bed.settle()
    assert never.statuses == 0 and not bed.refused and not bed.cidx_errors
    all_written(bed)


@cocotb.test()
async def bad_cidx(dut):
    """CIDX beyond PIDX stops the ring: error in context, status and interrupt, once; the others go on."""
    rng = seeded(running_test())
    bed = await ready_bed(dut)
    ring, other = bed.ring(4, size_ix=4, mode=USER_COUNT, count_ix=6), bed.ring(5, size_ix=4, mode=EVERY)
    await bed.settle()
    bed.door(ring, 0)
    bed.post(ring, rng)
    await bed.settle(40)
    ring.is_broken = True
    bed.door(ring, 5)
    await bed.settle(40)
    assert bed.cidx_errors == [4] and (ring.statuses, ring.causes) == (1, 1)
    bed.command(4, read=1)
    await bed.settle(10)
    assert bed.reads[0] >> 124 & 7 == 0b010  # err 1, not valid
    bed.rings = {5: other}
    bed.post(ring, rng)
    bed.post(other, rng)
    bed.door(other, 0)
    await bed.settle()
    assert bed.refused == [4] and other.statuses == 1
    all_written(bed)


@cocotb.test()
async def restart(dut):
    """A ring that is cleared while entries wait counts them and writes nothing more; set up again it starts afresh."""
    rng = seeded(running_test())
    bed = await ready_bed(dut)
    dropped = 0
    for round_ in range(40):
        ring = bed.ring(6, size_ix=4, mode=OFF)
        await bed.settle(30)
        for _ in range(rng.randrange(1, 4)):
            bed.post(ring, rng)
            dropped += 1
        await bed.settle(6, idle=0)
        writes = len(bed.writes)
        bed.command(6, 0)
        await bed.settle(40, idle=round_ % 2)
        assert len(bed.writes) == writes and (await bed.step()).stat_discarded == dropped
    # No slot is lost.
    rings = [bed.ring(i, size_ix=4, mode=OFF) for i in range(10, 40)]
    await bed.settle()
    for ring in rings:
        bed.post(ring, rng)
    await bed.settle(200)
    assert all(ring.written == 1 for ring in rings)


@cocotb.test()
async def stalled_channel(dut):
    """While the channel accepts nothing, all doorbells come, some twice: none is lost."""
    rng = seeded(running_test())
    bed = await ready_bed(dut)
    rings = [bed.ring(i, size_ix=4, mode=EVERY) for i in range(64)]
    await bed.settle()
    for ring in rings:
        bed.post(ring, rng)
        await bed.steps(2)
    await bed.settle()
    for _ in range(2):
        for ring in rng.sample(rings, len(rings)):
            bed.door(ring, 0)
            await bed.steps(rng.randrange(3, 12), ready=(0, 0, 0))
    await bed.steps(1500)
    for ring in rings:
        # A status and an interrupt for one doorbell or both.
        assert 1 <= ring.statuses == ring.causes <= 2


def allowed(ring, value_unread: int, has_user: bool) -> bool:
    """A status may come now."""
    if ring.mode == EVERY or ring.mode in TIMED:
        return value_unread > 0
    return (ring.mode in COUNTED and value_unread >= max(COUNTS[ring.count_ix], 1)) or has_user


@cocotb.test()
async def traffic(dut):
    """Everything at once, with a driver that reads when it is notified and sometimes before."""
    rng = seeded(running_test())
    bed = await ready_bed(dut, coalesce=rng.choice((20, 200)))
    for i in range(24):
        mode = rng.choice((EVERY, USER_COUNT, USER, USER_TIMER, ALL))
        bed.ring(2 * i, size_ix=rng.randrange(8), entry_bytes=8 << rng.randrange(4), mode=mode, en_stat=1,
                 count_ix=rng.randrange(8), timer_ix=rng.randrange(8), en_int=rng.getrandbits(1))  # fmt: skip
    await bed.settle()
    rings = list(bed.rings.values())
    for ring in rings:
        bed.door(ring, 0)
    await bed.settle()
    seen = 0
    for _ in range(4000):
        busy = {qid for qid, _ in bed.doors}
        while seen < len(bed.notices):
            _, what, qid = bed.notices[seen]
            ring = bed.rings[qid]
            if what == ("cause" if ring.en_int else "status") and qid not in busy:
                bed.door(ring, ring.written % ring.entries)
            seen += 1
        ring = rng.choice(rings)
        if rng.random() < 0.6 and ring.qid not in bed.sending:
            bed.send(ring, rng, trigger=rng.random() < 0.1)
        if rng.random() < 0.02 and ring.qid not in busy:
            bed.door(ring, ring.written % ring.entries)
        await bed.step(ready=[rng.random() < 0.8 for _ in range(3)], show_post=rng.random() < 0.7)
    await bed.settle(TICK * 50)
    all_written(bed)
    # Nothing is lost on the way: armed once more, each ring with entries unread triggers, as its mode says.
    before = {ring.qid: ring.statuses for ring in rings}
    for ring in rings:
        bed.door(ring, ring.cidx)
    await bed.settle(TICK * 50)
    for ring in rings:
        must = ring.mode == EVERY or ring.mode in TIMED
        must |= ring.mode in COUNTED and ring.unread() >= max(COUNTS[ring.count_ix], 1)
        assert ring.statuses >= before[ring.qid] + bool(must and ring.unread())
    assert sum(ring.statuses for ring in rings) > 100 and not bed.refused and not bed.cidx_errors


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_completion(test):
    write_bench("qdma_completion", *MODULES, SLOTS=64).run(__name__, test)
