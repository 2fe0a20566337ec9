# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Turns within long descriptors: other queues of the direction wait for a turn, not for a descriptor, and no byte is
moved twice or left out."""

import os

import cocotb
import pytest

from qdma_contract import CLEAR, HW_C2H, HW_H2C, INVALIDATE, PARAM, PIDX_ERROR, WRITE
from qdma_mm_bed import DSC_ERROR, PAGE, PLACE, mm_bench, mm_cases, ready_mm
from qdma_planted import Fault, must_see
from qdma_top_bed import BUFFER
from qdma_top_driver import OF_PF
from test_qdma_mm_rates import LINE, WINDOW, started
from test_qdma_mm_stops import check_error, with_errors
from ullnic_tb import cocotb_tests, long_run, rounds, seeded

H2C, C2H = False, True
TURN = 65 * PAGE // LINE  # beats: TURN_SEGMENTS, and the segment in which they end
WAIT_CYCLES = TURN + 1300  # a turn, two reads and what they find under way
STOP_CYCLES = 3 * TURN  # its own turn and another's, on channels that pause
LEAST, LEAST_SHARED = 0.97, 0.88  # of a beat a cycle; a turn that ends has its descriptor read again


def directions() -> list[bool]:
    """Both in a long run, else the one that the seed draws."""
    return seeded(os.environ["ULLNIC_TEST_NAME"]).sample((H2C, C2H), rounds(2, 1))


@cocotb.test()
async def beside_a_long_one(dut):
    """4 KiB wait for a turn of a queue whose descriptor has megabytes, which loses little by that."""
    for is_c2h in directions():
        mm = await started(dut, window=WINDOW)
        bed = mm.bed
        long, short = (mm.add(qid, is_c2h, 2) for qid in (1, 2))
        await bed.settle()
        moves = [mm.post(long, size) for size in (rounds(1 << 20, 1 << 18), rounds(1_234_567, 345_678))]
        mm.ring(long)
        await bed.until(lambda moves=moves: moves[0].moved)
        begin, before, longest, count = bed.cycle, moves[0].moved, 0, 0
        while bed.cycle < begin + rounds(20_000, 6_000):
            mm.post(short, PAGE)
            asked = bed.cycle
            mm.ring(short)
            await bed.until(lambda short=short: not short.moves)
            longest, count = max(longest, bed.cycle - asked), count + 1
        took, moved = bed.cycle - begin, sum(move.moved for move in moves) - before
        rate = (moved + count * PAGE) / LINE / took
        way = "C2H" if is_c2h else "H2C"
        print(f"{way}: 4 KiB waited for {longest} cycles at most, {count} times; {rate:.3f} of a beat a cycle")
        assert longest <= WAIT_CYCLES and rate >= LEAST_SHARED
        assert long.moves, "the long one was under way all the time"
        await mm.drain(200_000)


@cocotb.test()
async def long_ones_together(dut):
    """Each of some queues has descriptors of any length and alignment: they take turns, and each byte is moved once."""
    mm = await ready_mm(dut, mrrs=512, latency=(20, 200))
    rng, bed = mm.rng, mm.bed
    for is_c2h in directions():
        queues = [mm.add(qid, is_c2h, 2) for qid in range(3)]
        met: set[int] = set()  # queues that were within a descriptor beside another one
        for rate in rng.sample((0.0, 0.2), rounds(2, 1)):
            mm.memory.pauses = rate
            for queue in queues:
                for _ in range(rng.randint(0, 3)):
                    mm.post(queue, rng.choice((0, 1, PAGE, rng.randint(1, 20_000))))
                mm.post(queue, rng.randint(TURN * LINE, 3 * TURN * LINE // 2))
                mm.post(queue, rng.choice((0, 1, PAGE, rng.randint(1, 20_000))))
                mm.ring(queue)
                await bed.steps(rng.choice((0, rng.randrange(1000))))
            while mm.is_busy():
                await bed.steps(400)
                moving = {queue.qid for queue in queues if any(0 < move.moved < move.count for move in queue.moves)}
                met |= moving if len(moving) > 1 else set()
            await mm.drain()
        assert len(met) > 1, "no two were within a descriptor at once"


@cocotb.test()
async def alone(dut):
    """A queue that is alone goes on: nothing is fetched twice, at the limit's rate."""
    for is_c2h in directions():
        mm = await started(dut, window=WINDOW)
        bed = mm.bed
        queue = mm.add(1, is_c2h, 2)
        reads: list[int] = []
        bed.host.reading.append(reads.append)
        await bed.settle()
        for _ in range(3):
            mm.post(queue, 400_000, host=0, card=0)
        mm.ring(queue)
        await bed.until(lambda queue=queue: queue.moves[0].moved)
        begin = bed.cycle
        await mm.drain(60_000)
        assert sum(addr >> 32 == queue.base >> 32 for addr in reads) == 1, "one batch, read once"
        assert 3 * 400_000 / LINE / (bed.cycle - begin) > LEAST


@cocotb.test()
async def stopped_and_failed(dut):
    """Commands and errors meet queues within their turns and between: no DMA after them, and a queue that is set up
    again, its hardware context cleared or not, begins its first descriptor at the begin."""
    mm = await ready_mm(dut, mrrs=512, latency=(100, 140))
    rng, bed = mm.rng, mm.bed
    queues = [mm.add(qid, is_c2h, 2) for qid in (0, 1) for is_c2h in (H2C, C2H)]
    longest = 0
    for turn in range(rounds(16, 2)):
        mm.memory.pauses = rng.choice((0.0, 0.0, 0.3))
        for queue in queues:
            for _ in range(rng.randint(1, 3)):
                mm.post(queue, rng.choice((PAGE, 30_000, 290_000)))
            mm.ring(queue)
        await bed.until(lambda: not bed.requests)
        await bed.steps(rng.randrange(6000))
        victim = queues[turn % len(queues)]
        if turn % 4 == 3 and victim.moves:
            bad = rng.choice(victim.moves)
            mm.memory.bad.add((bad.card + rng.randrange(bad.count)) // PAGE)
            await bed.until(lambda victim=victim: victim.error or not victim.moves, 200_000)
            mm.memory.bad.clear()
        longest = max(longest, await mm.disable(victim, (INVALIDATE, CLEAR, WRITE)[turn % 3]))
        await bed.steps(rng.randrange(200))
        hardware = await bed.read_context(HW_C2H if victim.is_c2h else HW_H2C, victim.qid)
        mm.enable(victim, cidx=hardware & 0xFFFF if turn % 2 else None)
        mm.post(victim, 150_000)
        mm.ring(victim)
        await mm.drain(200_000)
        assert not any(queue.moves or queue.error for queue in queues)
    print(f"disabled beside long descriptors: the command was busy for {longest} cycles at most")
    assert longest < STOP_CYCLES


# How many bytes more than `moved` a descriptor has when it is read again, of which `left` were left
LENGTHS = {
    "zero": lambda rng, moved, left: -moved,
    "less": lambda rng, moved, left: -rng.randrange(moved),
    "byte_less": lambda rng, moved, left: -1,
    "equal": lambda rng, moved, left: 0,
    "byte_more": lambda rng, moved, left: 1,
    "shorter": lambda rng, moved, left: rng.randint(1, left),
    "longer": lambda rng, moved, left: left + rng.randint(1, 20_000),
}
ELSEWHERE = {"elsewhere": "shorter", "elsewhere_and_less": "less"}  # the addresses change, too
CHANGES = (*LENGTHS, *ELSEWHERE, "unreadable", "pidx_back")


@cocotb.test()
async def changed_while_parked(dut):
    """A driver changes a descriptor that is parked: what is left of it as it is now is moved. If nothing is left, or it
    cannot be read, nothing more is moved and the queue has the descriptor's error. Other queues lose nothing."""
    mm = await with_errors(dut, mrrs=512)
    rng, bed = mm.rng, mm.bed
    others = [mm.add(OF_PF, is_c2h, 2) for is_c2h in (H2C, C2H)]
    cases = [(change, is_c2h) for change in CHANGES for is_c2h in (H2C, C2H)]
    for change, is_c2h in rng.sample(cases, rounds(len(cases), 2)):
        mm.memory.pauses = rng.choice((0.0, 0.0, 0.3))
        queue = mm.queues.get((4, is_c2h)) or mm.add(4, is_c2h, 2)
        before = [mm.post(queue, rng.randint(0, 3000)) for _ in range(rng.randrange(3))]
        index = queue.pidx
        move = mm.post(queue, rng.randint(66 * PAGE, 80 * PAGE))
        for _ in range(rng.randrange(3)):
            mm.post(queue, rng.randint(0, 3000))
        parked: list[int] = []  # bytes that had been moved

        def read(addr, queue=queue, move=move, index=index, change=change, parked=parked) -> None:
            if addr != queue.base + 32 * index or not move.moved or parked:
                return
            end = move.card + move.moved
            assert end % PAGE == 0 and move.moved < move.count, "parked at a cut"
            left = move.count - move.moved
            if change in ELSEWHERE:
                cuts = end // PAGE - move.card // PAGE
                move.host, move.card = (at >> PLACE << PLACE | rng.getrandbits(20) for at in (move.host, move.card))
                move.moved = cuts * PAGE - move.card % PAGE
            length = LENGTHS.get(ELSEWHERE.get(change, change))
            if length:
                move.count = move.moved + length(rng, move.moved, left)
                mm.write_descriptor(move, index)
            parked.append(move.moved)

        bed.host.reading.append(read)
        mm.ring(queue)
        await bed.until(lambda move=move: move.moved)
        if change == "unreadable":
            bed.host.bad.add(queue.base >> BUFFER)
        if change == "pidx_back":
            mm.driver.doorbell(queue.func, queue.relative, 8 if is_c2h else 4, index | 1 << 16)
        begin = bed.cycle
        while not parked and bed.cycle < begin + 3 * WAIT_CYCLES:
            for other in others:
                if not other.moves:
                    mm.post(other, rng.randint(1, PAGE))
                    mm.ring(other)
            await bed.steps(100)
        if change == "pidx_back":
            assert not parked and not queue.error, "it is not posted now"
            mm.ring(queue)
        await mm.drain()
        bed.host.reading.remove(read)
        assert parked and not any(other.moves or other.error for other in others)
        if parked[0] < move.count and change != "unreadable":
            assert not queue.moves and not queue.error
            continue
        assert queue.cidx == index and queue.moves[0] is move and not any(one in queue.moves for one in before)
        assert move.moved == parked[0]
        why = {"read": True} if change == "unreadable" else {"sub_type": PARAM}
        await check_error(mm, queue, DSC_ERROR, PIDX_ERROR, **why)


@pytest.mark.parametrize("test, model", mm_cases(__file__, cocotb_tests(__name__)))
def test_qdma_mm_turns(test, model):
    mm_bench(model=model).run(__name__, test)


@long_run(__file__)
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_mm_turns_long(test):
    mm_bench().run(__name__, test, long_seed=1)


FAULTS = (
    Fault("counted_from_the_turn_on", "qdma_mm_turn.sv", "else if (skips) count_q <= moved;", "", "beside_a_long_one"),
    Fault("part_outlives_its_end", "qdma_fetch_turn.sv", "(was_draining ? hw_word.is_part : retire_q.is_rewound)",
          "(hw_word.is_part | retire_q.is_rewound)", "long_ones_together"),
    Fault("parked_counts", "qdma_mm_finish.sv", "current.is_dropped | current.is_parked;", "current.is_dropped;",
          "long_ones_together"),
    Fault("rewound_to_the_last", "qdma_mm_finish.sv", "parked_q ? parked_index_q : current.index", "current.index",
          "long_ones_together"),
    Fault("goes_on_for_ever", "qdma_mm_turn.sv", "assign is_over = turn_q[TURN_BITS];", "assign is_over = 1'b0;",
          "beside_a_long_one"),
    Fault("shortened_goes_on", "qdma_mm_cut.sv", "if (skips_q && !covers)", "if (1'b0)", "changed_while_parked"),
    Fault("others_not_seen", "qdma_fetch.sv", "others_wait = waits & enable", "others_wait = 1'b0",
          "beside_a_long_one"),
)  # fmt: skip


@long_run(__file__)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_qdma_mm_turns_sees(fault):
    must_see(mm_bench(), fault, __name__)
