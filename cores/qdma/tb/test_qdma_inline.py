# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Inline receive through the whole of qdma: a small packet is in its completion entry, needs no buffer and no write of
payload, and is in order with the other packets of its queue. A queue that has not opted in is as ever."""

import cocotb
import pytest

from qdma_completion_model import ALL, EVERY, USER_TIMER, Ring
from qdma_contract import (
    BAD_LENGTH,
    C2H,
    CLEAR,
    COMPLETION,
    INLINE_BYTES,
    INVALID_QUEUE,
    INVALIDATE,
    MISC_CAP,
    PREFETCH,
    WRITE,
)
from qdma_planted import Fault, must_see
from qdma_source import DROP, HOLD, INVALID, YES
from qdma_top_bed import TOPS, top_bench
from qdma_top_c2h import SIZE_64, SIZE_256, C2h
from qdma_top_driver import Driver, ready
from test_qdma_top_c2h import RING_9, RING_33, RING_65, RING_129, STOP_CYCLES, add, all_in, drain, under_stalls
from test_qdma_top_flr import Function, reset
from ullnic_tb import Bench, cocotb_tests, long_run, main_and_kept, parameter, rounds

INLINE_RECEIVE = 1 << 8  # of MISC_CAP


def add_inline(driver: Driver, qid: int, *, buffers: int | None = None, buffer_ix: int = SIZE_64,
               size_ix: int = RING_33, cmpt_ix: int = RING_65, entry_bytes: int = 64, drop_empty: bool = False,
               vector: int | None = None, **ring: int) -> tuple[C2h, Ring]:  # fmt: skip
    """A queue that has opted in; `buffers` are posted, all that fit by default."""
    settings = {"en_int": int(vector is not None), "vector": vector or 0, "mode": EVERY} | ring
    completions = driver.add_cmpt(qid, cmpt_ix, entry_bytes, **settings)
    driver.formats[qid] = 0, 0  # an inline packet has the contract's format
    queue = driver.c2h.add(qid, size_ix, buffer_ix, drop=drop_empty, inline=True)
    if buffers != 0:
        driver.c2h.give(queue, buffers)
    return queue, completions


def small_or_not(rng, most: int = 1984) -> int:
    """Bytes of a packet: half of them inline, the ends of what fits among them."""
    ends = (0, 1, 3, 4, INLINE_BYTES - 1, INLINE_BYTES, INLINE_BYTES + 1, 64, 65)
    return min(most, rng.choice((rng.choice(ends), rng.randint(1, INLINE_BYTES), rng.randint(1, 300))))


@cocotb.test()
async def packets(dut):
    """Inline and other packets in any order, on queues of a PF and a VF with and without it, around all rings, with all
    kinds of triggers, while channels stall and H2C packets flow; the driver works when it is interrupted."""
    driver = await ready(dut)
    bed, rng = driver.bed, driver.rng
    assert bool(await bed.read(0, MISC_CAP) & INLINE_RECEIVE) and parameter("INLINE", 0)
    added = []
    for i, qid in enumerate((0, 1, 2, 24, 25, 26)):
        sizes = {"buffer_ix": rng.choice((SIZE_64, SIZE_256)), "cmpt_ix": rng.choice((RING_9, RING_33))}
        mode = {"mode": (EVERY, USER_TIMER, ALL)[i % 3], "timer_ix": rng.randrange(16)}
        added.append(add_inline(driver, qid, vector=qid % 8, en_stat=i & 1, **sizes, **mode))
    plain = [add(driver, qid, RING_33, SIZE_256, cmpt_ix=RING_33, vector=qid % 8) for qid in (3, 27)]
    queues = [*added, *added, *plain]
    await under_stalls(
        driver, queues, 0.4, lambda ring: driver.send(ring, small_or_not(rng), trigger=int(rng.random() < 0.1))
    )
    for queue, ring in added:
        assert queue.inlined > 10 and queue.packets > 3 and ring.posted > ring.entries
        assert bed.source.answers[queue.qid].count(YES) == ring.posted
    for queue, _ in plain:
        assert queue.packets > 5 and not queue.inlined
    assert not driver.other_messages


@cocotb.test()
async def each_length(dut):
    """Each length up to 70. A packet without an entry is not inline."""
    driver = await ready(dut)
    queue, ring = add_inline(driver, 1, size_ix=RING_129, cmpt_ix=RING_129)
    await driver.bed.settle()
    for count in range(71):
        driver.send(ring, count)
    driver.send(ring, 40, completion=False)
    await drain(driver)
    assert (queue.inlined, queue.packets, ring.posted) == (INLINE_BYTES, 70 - INLINE_BYTES + 1, 71)
    assert sum(count for _, count in driver.c2h.writes) == sum(range(INLINE_BYTES + 1, 71)) + 40


@cocotb.test()
async def without_buffers(dut):
    """A queue without descriptors has its inline packets. Another packet waits, or is dropped, as the queue is set, and
    goes on once there are buffers."""
    driver = await ready(dut)
    bed = driver.bed
    queues = [add_inline(driver, qid, buffers=0, drop_empty=qid == 2) for qid in (1, 2)]
    await bed.settle()
    for queue, ring in queues:
        for _ in range(100):
            driver.send(ring, bed.rng.randint(1, INLINE_BYTES))
        await bed.settle()
        while ring.written > driver.entries[ring.qid]:
            driver.poll(ring)
            driver.arm(ring)
            await bed.settle()
        assert ring.written == 100 == queue.inlined and not driver.c2h.writes
        driver.send(ring, 64)
        driver.send(ring, 7)
        await bed.settle()
        assert bed.source.answers[queue.qid][-2:] == [DROP if queue.qid == 2 else HOLD, YES]
    driver.pending[2] = 0
    driver.c2h.give(queues[0][0])
    await drain(driver)
    assert queues[0][0].packets == 1 and queues[0][1].written == 102 and queues[1][1].written == 101


@cocotb.test()
async def full_rings(dut):
    """A full completion ring holds inline packets, or drops them, as it is set; other queues lose nothing, and those
    that are held go on by themselves."""
    driver = await ready(dut)
    bed = driver.bed
    holds, drops = [add_inline(driver, qid, buffers=0, cmpt_ix=RING_9, drop=int(qid == 1)) for qid in (0, 1)]
    good, other = add_inline(driver, 4), add(driver, 24, RING_33, SIZE_256, cmpt_ix=RING_33)
    await bed.settle()
    for turn in range(8):
        for _, ring in (holds, drops, good, other):
            for _ in range(8):
                driver.send(ring, bed.rng.randint(1, INLINE_BYTES))
        await drain(driver, [good[1], other[1]])
        assert good[1].posted == other[1].posted == 8 * (turn + 1)
    places = holds[1].entries - 1
    assert holds[1].posted == drops[1].posted == places
    assert bed.source.answers[1].count(DROP) == 64 - places == int(dut.stat_c2h_ring_full.value)
    assert set(bed.source.answers[0]) == {YES, HOLD} and int(dut.stat_full_cycles.value) > 0
    await drain(driver, [holds[1]])
    assert holds[1].posted == 64
    driver.pending[1] = 0
    driver.serve(drops[1])
    await bed.settle()
    driver.send(drops[1], 60)
    await drain(driver, [drops[1]])
    assert drops[1].posted == places + 1


@cocotb.test()
async def small_entries(dut):
    """In a ring whose entries are too small inline packets are refused, with the leaf of C2H. Set up with entries of 64
    bytes, the source has an event, and they come."""
    driver = await ready(dut)
    bed = driver.bed
    queue, ring = add_inline(driver, 1, entry_bytes=32)
    await bed.settle()
    packet = driver.send(ring, INLINE_BYTES)
    await bed.settle()
    assert bed.source.answers[1] == [INVALID] and not packet.is_inline
    assert await bed.read(0, C2H[0]) == 1 << INVALID_QUEUE and await bed.read(0, 0xB30) & 0x7FF == 1
    bed.write(0, C2H[0], 1 << INVALID_QUEUE)
    events = bed.source.events.get(1)
    bed.context(COMPLETION, 1, 0, INVALIDATE)
    ring = driver.add_cmpt(1, RING_65, 64, en_int=0)
    driver.formats[1] = 0, 0
    await bed.settle()
    assert bed.source.events[1] != events
    driver.send(ring, INLINE_BYTES)
    driver.send(ring, 64)
    await drain(driver)
    assert (queue.inlined, queue.packets) == (1, 1)


@cocotb.test()
async def wrong_lengths(dut):
    """A packet with another length than was granted costs itself: the entry has the error; what is missing is zeros,
    and nothing is kept of one with more beats than granted."""
    driver = await ready(dut)
    bed = driver.bed
    queue, ring = add_inline(driver, 4)
    await bed.settle()
    lengths = ((60, 59), (59, 60), (10, 0), (1, 64), (60, 65), (33, 640), (64, 10), (61, 60))
    for said, sent in lengths:
        driver.send(ring, bed.rng.randbytes(sent), asked=said)
        driver.send(ring, 50)
        await drain(driver)
        assert await bed.read(0, C2H[0]) == 1 << BAD_LENGTH and await bed.read(0, 0xB30) & 0x7FF == 4
        bed.write(0, C2H[0], 1 << BAD_LENGTH)
    assert int(dut.stat_c2h_mismatched.value) == len(lengths) and queue.inlined == len(lengths) * 2 - 2


@cocotb.test()
async def disabled(dut):
    """A queue is disabled under inline and other traffic, by each of the commands: once they are not busy, no payload
    of it is written, only inline packets until its other contexts are invalidated. Set up again, with or without
    inline packets, it works. The others lose nothing."""
    driver = await ready(dut, latency=(100, 140))
    bed, rng = driver.bed, driver.rng
    queues = [add_inline(driver, qid, cmpt_ix=RING_129) for qid in (0, 1, 2, 24)]
    longest = 0
    await bed.settle()

    def step(_: int) -> None:
        queue, ring = rng.choice(queues)
        if rng.random() < 0.6 and driver.pending[queue.qid] < 4 and not queue.is_dead:
            driver.send(ring, small_or_not(rng))

    for turn in range(rounds(24, 12)):
        bed.rates["write"] = bed.source.rates["beat"] = rng.choice((1.0, 1.0, 0.5))
        bed.each = step
        for _ in range(6):
            await bed.steps(rng.randint(5, 80))
            for _, ring in queues:
                if len(bed.requests) < 4:
                    driver.serve(ring)
        victim, ring = queues[turn % 4]
        bed.source.is_stalled = turn % 3 == 0
        longest = max(longest, await driver.c2h.disable(victim, (INVALIDATE, CLEAR, WRITE)[turn % 3]))
        await bed.steps(rng.randint(0, 60))
        bed.source.is_stalled = False
        bed.each = lambda *_: None
        await bed.settle(60)
        await driver.c2h.remove(victim)
        await drain(driver, [ring for queue, ring in queues if queue is not victim])
        again = add_inline if rng.random() < 0.5 else add
        more = {} if again is add_inline else {"ring_ix": RING_33, "buffer_ix": SIZE_256}
        queues[turn % 4] = again(driver, victim.qid, cmpt_ix=RING_129, **more)
        await bed.settle(20)
        driver.send(queues[turn % 4][1], 60)
        await drain(driver)
        all_in(driver)
    print(f"disabled: the command was busy for {longest} cycles at most")
    assert longest < STOP_CYCLES[dut._name] and int(dut.stat_c2h_stopped.value) > 0


@cocotb.test()
async def opted_out(dut):
    """A queue without buffers that opts in under traffic has its inline packets from then on, as the source sees by an
    event; one that opts out needs buffers again."""
    driver = await ready(dut)
    bed = driver.bed
    queue, ring = add_inline(driver, 1, buffers=0)
    await bed.settle()
    for turn in range(6):
        queue.inline = turn % 2 == 1
        events = bed.source.events.get(1)
        driver.c2h.prefetch(1, SIZE_64, inline=queue.inline)
        await bed.settle()
        assert bed.source.events[1] != events
        held = len(bed.source.held.get(1, ()))
        before = queue.inlined
        driver.send(ring, 30)
        await bed.settle()
        # What was held without it is asked for again at the event.
        assert queue.inlined == before + queue.inline and len(bed.source.held.get(1, ())) == held + (not queue.inline)
        if queue.inline:
            assert not held
    assert await bed.read_context(PREFETCH, 1) == 1 << 45 | 1 << 8


@cocotb.test()
async def resets(dut):
    """Function level resets in inline traffic: no TLP of the function after them, nothing of the other lost."""
    driver = await ready(dut, latency=(30, 160))
    bed, rng = driver.bed, driver.rng
    functions = {func: Function(driver, func, add_inline) for func in (0, 7)}
    for function in functions.values():
        await function.set_up()

    def step(_: int) -> None:
        for function in functions.values():
            if function.is_alive and rng.random() < 0.2:
                function.step(small_or_not(rng))
            if function.is_alive and rng.random() < 0.02 and len(bed.requests) < 6:
                function.serve()

    for _ in range(rounds(12, 2)):
        bed.rates["write"] = rng.choice((1.0, 0.5))
        bed.each = step
        await bed.steps(rng.randint(1, 700))
        victim = functions[rng.choice(list(functions))]
        await reset(victim)
        await bed.steps(rng.choice((0, 100, 600)))
        bed.rates["write"] = 1.0
        await victim.forget()
        await victim.set_up()
        bed.each = lambda *_: None
        await drain(driver)
        all_in(driver)


@cocotb.test()
async def absent(dut):
    """Without INLINE the capability is 0, and the bit of the prefetch context does nothing."""
    driver = await ready(dut)
    bed = driver.bed
    assert not await bed.read(0, MISC_CAP) & INLINE_RECEIVE
    queue, ring = add_inline(driver, 1)
    queue.inline = False  # what it has
    await bed.settle()
    for count in range(1, 20):
        driver.send(ring, count)
    await drain(driver)
    assert queue.packets == 19 and not queue.inlined


WITHOUT = "absent"


def bench(top: str) -> Bench:
    """With the watchdog, too: its tests have the same model."""
    return top_bench(top, inline=True, watchdog=True)


@pytest.mark.parametrize("top", main_and_kept(__file__, TOPS))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_inline(test, top):
    (top_bench(top) if test == WITHOUT else bench(top)).run(__name__, test)


@long_run(__file__)
@pytest.mark.parametrize("test", ("packets", "disabled", "resets"))
def test_qdma_inline_long(test):
    bench(TOPS[1]).run(__name__, test, long_seed=1)


SIZE, INTAKE, ROOM = "qdma_c2h_size.sv", "qdma_c2h_intake.sv", "qdma_completion_room.sv"
INTO = "qdma_c2h_inline.sv"
FAULTS = (
    Fault("limit_too_high", SIZE, "ask_2_q.bytes <= 16'(INLINE_BYTES)", "ask_2_q.bytes <= 16'(INLINE_BYTES + 1)",
          "each_length"),
    Fault("without_an_entry", SIZE, "ask_2_q.has_completion & is_small", "is_small", "each_length"),
    Fault("takes_a_buffer", SIZE, "found.ask.bytes == '0 || goes_inline", "found.ask.bytes == '0",
          "without_buffers"),
    Fault("payload_too", INTAKE, "(left != '0) & ~is_inline", "left != '0", "packets"),
    Fault("descriptor_used", "qdma_c2h_post.sv", "(INLINE & entry.packet.is_inline)", "1'b0", "each_length"),
    Fault("rest_not_cleared", INTO, "6'(i) < bytes ? data[8*i+:8] : '0", "data[8*i+:8]", "wrong_lengths"),
    Fault("any_entry", ROOM, "~(INLINE & wide_2_q & ~word.is_wide)", "1'b1", "small_entries"),
    Fault("others_refused", ROOM, "(INLINE & wide_2_q & ~word.is_wide)", "(INLINE & ~word.is_wide)", "packets"),
)  # fmt: skip


@long_run(__file__)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_qdma_inline_sees(fault):
    must_see(bench(TOPS[0]), fault, __name__)
