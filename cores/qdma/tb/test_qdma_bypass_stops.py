# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Queues with bypass that are stopped, by a command or a function level reset, wherever their descriptors are: with the
fetch, on their way to the user, at the user, back in the core. And a user that stands still."""

import cocotb
import pytest

from qdma_bypass_bed import (
    C2H,
    H2C,
    add_h2c,
    add_mm,
    bypass_bench,
    channel_of,
    disable_h2c,
    disable_mm,
    known,
    rates,
    user,
)
from qdma_bypass_user import C2H_MM, CHANNELS, H2C_MM, H2C_ST
from qdma_contract import CLEAR, FMAP, INVALIDATE, WRITE
from qdma_mm_bed import Mm, ready_mm
from qdma_planted import Fault, must_see
from qdma_top_bed import QUEUES
from qdma_top_driver import OF_PF, RING_OF_2049, all_out
from test_qdma_mm import some
from test_qdma_top import post_some
from ullnic_tb import cocotb_tests, long_run, rounds

OPERATIONS = (INVALIDATE, CLEAR, WRITE)
STOP_CYCLES = 2000  # of a command, while the user of packets and the card stand by
MAPS = {0: OF_PF << 32, 7: OF_PF | QUEUES - OF_PF << 32}


def draw_rates(driver) -> None:
    rng = driver.rng
    slow = {name: rng.choice((1.0, 1.0, 0.3, 0.02)) for name in ("out", "in")}
    rates(driver, **slow, packet=rng.choice((1.0, 1.0, 0.3)), write=rng.choice((1.0, 0.3)))


@cocotb.test()
async def disabled(dut):
    """By each command, under traffic, beside a user that is slow: once the command is not busy, nothing of the queue is
    read or written, and none of its descriptors leaves. Others lose nothing; set up again at once, it works."""
    mm = await ready_mm(dut, latency=(100, 140))
    driver = mm.driver
    bed, rng = driver.bed, driver.rng
    queues = [add_h2c(driver, qid, 2) for qid in (0, 1, 24)]
    copies = [add_mm(mm, 4, H2C, 1), add_mm(mm, 4, C2H, 1)]
    others = [driver.add_h2c(2, 2)]
    other_copies = [mm.add(5, H2C, 1), mm.add(5, C2H, 1)]
    for turn in range(rounds(120, 12)):
        draw_rates(driver)
        for _ in range(20):
            for queue in (*queues, *others):
                if queue.room() and len(bed.requests) < 6:
                    post_some(driver, queue)
            for copy in (*copies, *other_copies):
                if copy.room() and len(bed.requests) < 6 and rng.random() < 0.3:
                    some(mm, copy)
            await bed.steps(rng.randrange(20))
        operation = OPERATIONS[turn // 2 % 3]
        if turn % 2:
            victim = queues[turn // 2 % 3]
            await disable_h2c(driver, victim, operation)
            queues[turn // 2 % 3] = add_h2c(driver, victim.qid, 2)
            post_some(driver, queues[turn // 2 % 3])
        else:
            victim = copies[turn // 2 % 2]
            await disable_mm(mm, victim, operation)
            mm.enable(victim)
            known(mm, victim)
            some(mm, victim)
        rates(driver)
        await mm.drain()
        await bed.settle()
        all_out(driver)
    assert all(set(user(driver, number).stopped) for number in range(CHANNELS))


@cocotb.test()
async def stands_still(dut):
    """A user that accepts no descriptors: queues without bypass go on, commands end, of any queue. Then it continues,
    and all descriptors of the queues that were not stopped come."""
    mm = await ready_mm(dut)
    driver = mm.driver
    bed = driver.bed
    first, second = add_h2c(driver, 0, RING_OF_2049), add_h2c(driver, 1, 2)
    internal, leaving = driver.add_h2c(2, 2), driver.add_h2c(3, 2)
    copies = [add_mm(mm, 4, H2C, 2), add_mm(mm, 5, H2C, 2), mm.add(6, H2C, 2)]
    await bed.settle()
    rates(driver, out=0.0)
    for _ in range(700):  # more than are on their way to the user
        driver.post(first, [64])
    for _ in range(40):
        driver.post(second, [64])
    for queue in (first, second):
        driver.ring(queue)
    for copy in copies:
        for _ in range(60):
            mm.post(copy, 64)
        mm.ring(copy)
    await bed.steps(3000)
    assert user(driver, H2C_ST).shown["qid"] == 0 and user(driver, H2C_MM).shown
    begin = bed.cycle
    for _ in range(20):
        for queue in (internal, leaving):
            post_some(driver, queue)
        await bed.until(lambda: not internal.wanted and not leaving.wanted)
    assert bed.cycle - begin < 20 * 600 and not copies[2].moves
    # One without bypass; that which is shown; one after it
    assert await driver.disable_h2c(leaving, INVALIDATE) < STOP_CYCLES
    assert await disable_mm(mm, copies[2], INVALIDATE) < STOP_CYCLES
    assert await disable_h2c(driver, first, INVALIDATE) < STOP_CYCLES
    assert await disable_mm(mm, copies[1], INVALIDATE) < STOP_CYCLES
    await bed.steps(600)
    assert user(driver, H2C_ST).shown["qid"] == 1
    rates(driver)
    await bed.settle()
    assert not copies[0].moves and copies[0].done == 60
    all_out(driver)
    for queue in (add_h2c(driver, 0, 2), second, internal):
        post_some(driver, queue)
    await bed.settle()
    all_out(driver)


@cocotb.test()
async def half_a_packet(dut):
    """A user that provides the begin of a packet, and nothing more: other queues without bypass go on, commands end."""
    mm = await ready_mm(dut)
    driver = mm.driver
    bed = driver.bed
    internal = driver.add_h2c(2, 2)
    for operation in OPERATIONS:
        mine = add_h2c(driver, 0, 2)
        post_some(driver, mine)
        await bed.settle()
        cut = []

        def halves(number: int, descriptor: dict, cut=cut) -> list[dict]:
            """The first one of a packet alone."""
            if number != H2C_ST:
                return [descriptor]
            cut.append(descriptor["sop"])
            return [descriptor] if len(cut) == 1 else []

        bed.bypass.changes = halves
        driver.post(mine, [100, 200, 300])
        driver.ring(mine)
        await bed.settle()
        assert cut == [1, 0, 0] and mine.wanted
        post_some(driver, internal)
        await bed.settle()
        assert not internal.wanted
        assert await disable_h2c(driver, mine, operation) < STOP_CYCLES
        bed.bypass.changes = lambda number, descriptor: [descriptor]
        del driver.gone[0]
    again = add_h2c(driver, 0, 2)
    for queue in (again, internal):
        post_some(driver, queue)
    await bed.settle()
    all_out(driver)


@cocotb.test()
async def careless(dut):
    """A user that goes on with descriptors of queues that were stopped: the core drops them."""
    mm = await ready_mm(dut)
    driver = mm.driver
    bed, rng = driver.bed, driver.rng
    bed.bypass.forgets = False
    other = add_h2c(driver, 1, 2)
    for turn in range(6):
        queue, copy = add_h2c(driver, 0, 2), add_mm(mm, 4, bool(turn % 2), 2)
        await bed.settle()
        rates(driver, **{"in": 0.0})
        for _ in range(20):
            driver.post(queue, [64])
            mm.post(copy, 64)
        driver.ring(queue)
        mm.ring(copy)
        await bed.steps(rng.randint(100, 1500))
        had = [len(user(driver, number).waits) for number in range(CHANNELS)]
        before = list(bed.bypass.dropped)
        await disable_h2c(driver, queue, INVALIDATE)
        await disable_mm(mm, copy, INVALIDATE)
        rates(driver)
        post_some(driver, other)
        await bed.settle()
        for number in (H2C_ST, channel_of(copy)):
            assert bed.bypass.dropped[number] - before[number] >= had[number]
        all_out(driver)
        for channel in bed.bypass.channels:
            channel.open_qid = None


class Function:
    """Queues with and without bypass of a function, under traffic."""

    def __init__(self, mm: Mm, func: int):
        self.mm, self.driver, self.func = mm, mm.driver, func
        self.first = OF_PF if func else 0

    async def set_up(self) -> None:
        bed, driver, mm, first = self.driver.bed, self.driver, self.mm, self.first
        bed.quiet.discard(self.func)
        bed.context(FMAP, self.func, MAPS[self.func])
        self.h2c = [add_h2c(driver, first, 2), add_h2c(driver, first + 1, 1), driver.add_h2c(first + 2, 2)]
        if not hasattr(self, "copies"):
            self.copies = [add_mm(mm, first + 3, is_c2h, 1) for is_c2h in (H2C, C2H)]
        else:
            for copy in self.copies:
                mm.enable(copy)
                known(mm, copy)
        self.is_alive = True

    def serve(self) -> None:
        rng = self.driver.rng
        queue, copy = rng.choice(self.h2c), rng.choice(self.copies)
        if queue.room():
            post_some(self.driver, queue)
        if copy.room():
            some(self.mm, copy)

    def channels(self) -> list[tuple[int, int]]:
        return [(H2C_ST, self.first), (H2C_ST, self.first + 1), (H2C_MM, self.first + 3), (C2H_MM, self.first + 3)]

    async def reset(self) -> None:
        bed, driver = self.driver.bed, self.driver
        self.is_alive = False
        bed.bypass.disabling |= set(self.channels())
        if driver.rng.random() < 0.5:
            await bed.reset_by_port(self.func, lambda: None)
        else:
            await bed.reset_by_register(self.func, 0x1100 if self.func else 0x2500)
        for number, qid in self.channels():
            bed.bypass.ended(number, qid)
        for copy in self.copies:
            copy.is_disabled = True
        for queue in self.h2c:
            driver.freed |= queue.buffers
            driver.freed_rings.add(queue.base >> 32)
            driver.gone[queue.qid] = driver.h2c.pop(queue.qid)


@cocotb.test()
async def resets(dut):
    """Function level resets at random moments: no TLP of the function, and none of its descriptors leaves; others lose
    nothing; set up again, it works."""
    mm = await ready_mm(dut, latency=(30, 160))
    driver = mm.driver
    bed, rng = driver.bed, driver.rng
    functions = [Function(mm, 0), Function(mm, 7)]
    for function in functions:
        await function.set_up()
    await bed.settle()
    mm_each = bed.each

    def step(cycle: int) -> None:
        mm_each(cycle)
        for function in functions:
            if function.is_alive and rng.random() < 0.02 and len(bed.requests) < 6:
                function.serve()

    for _ in range(rounds(30, 2)):
        draw_rates(driver)
        bed.each = step
        await bed.steps(rng.randint(1, 900))
        victim = rng.choice(functions)
        await victim.reset()
        rates(driver)
        await bed.steps(rng.choice((0, 100, 600)))
        await victim.set_up()
        await bed.steps(300)
        bed.each = mm_each
        await mm.drain()
        await bed.settle()
        all_out(driver)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_bypass_stops(test):
    bypass_bench().run(__name__, test)


@long_run(__file__)
@pytest.mark.parametrize("test", ["disabled", "resets"])
def test_qdma_bypass_stops_long(test):
    bypass_bench().run(__name__, test, long_seed=1)


BYPASS, OUT, IN = "qdma_bypass.sv", "qdma_bypass_out.sv", "qdma_bypass_in.sv"
FAULTS = (
    Fault("stays_live", "qdma_bypass_queues.sv", ".write    (clearing | note.valid | end_valid),",
          ".write    (clearing | note.valid),", "careless"),
    Fault("leaves_after_stop", OUT, "if (qids[scan_q[BITS-1:0]] == remove_qid)", "if (1'b0)", "stands_still"),
    Fault("shown_after_stop", OUT, "assign is_removed = remove_valid & (out.qid == remove_qid);",
          "assign is_removed = 1'b0 & remove_valid;", "stands_still"),
    Fault("engine_not_waited_for", BYPASS, "if (engine_flushed || ended_q) state_q <= STATUS;", "state_q <= STATUS;",
          "disabled"),
    Fault("half_is_kept", IN, "if (discards) begin", "if (1'b0) begin", "half_a_packet"),
)  # fmt: skip


@long_run(__file__)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_qdma_bypass_stops_sees(fault):
    must_see(bypass_bench(), fault, __name__)
