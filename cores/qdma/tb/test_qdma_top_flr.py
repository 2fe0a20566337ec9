# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Function level reset at random moments of traffic, by register and by the PCIe block: bounded, then no TLP of the
function, nothing of it left; the others lose nothing; set up again, it works."""

import cocotb
import pytest

from qdma_completion_model import ALL, EVERY, USER_TIMER
from qdma_contract import (
    COMPLETION,
    CONTEXTS,
    FMAP,
    HW_C2H,
    HW_H2C,
    INTERRUPT,
    PF_MSIX,
    PREFETCH,
    SW_C2H,
    SW_H2C,
    VF_MSIX,
)
from qdma_mailbox_model import ENABLE, STATUS, VECTOR
from qdma_planted import Fault, must_see
from qdma_top_bed import QUEUES, TOPS, top_bench
from qdma_top_c2h import SIZE_64, SIZE_256
from qdma_top_driver import OF_PF, Driver, all_out, ready
from qdma_top_functions import Box
from test_qdma_top_c2h import RING_9, RING_33, RING_129, add, all_in, any_count, drain
from ullnic_tb import cocotb_tests, long_run, main_and_kept, rounds

REGISTERS = {0: (0x2500, 0x22500), 7: (0x1100, 0x5100)}
QUEUES_OF = {0: ((0, 1), (2, 3)), 7: ((OF_PF, OF_PF + 1), (OF_PF + 2, OF_PF + 3))}
ROUNDS, SEEDS = 30, (1,)  # of long runs, with each of both tops: 60 resets
LAST_RING = 255  # of interrupts; each function has one of its own, counted down from it
USER = 6  # vector of the interrupts of the user
STALLED_CYCLES = 20000  # more than a reset takes
MAPS = {0: OF_PF << 32, 7: OF_PF | QUEUES - OF_PF << 32}


class Function:
    """A function with H2C and C2H queues, interrupts, and a mailbox, in traffic; `inline` adds its C2H queues, if they
    are not those of `add`."""

    def __init__(self, driver: Driver, func: int, inline=None):
        self.inline = inline
        self.driver, self.bed, self.rng, self.func = driver, driver.bed, driver.rng, func
        self.is_alive = False

    async def set_up(self) -> None:
        bed, driver, rng = self.bed, self.driver, self.rng
        bed.quiet.discard(self.func)
        bed.context(FMAP, self.func, MAPS[self.func])
        for vector in range(1, USER + 1):
            bed.vector(self.func, vector)
        self.box = Box(bed, self.func)
        aggregated = rng.random() < 0.5
        self.ring = LAST_RING - self.func
        if aggregated:
            driver.add_interrupt_ring(self.ring, self.func, 5)
        h2c, c2h = QUEUES_OF[self.func]
        self.h2c = [driver.add_h2c(qid, rng.choice((0, 1, 2)), vector=1 + i) for i, qid in enumerate(h2c)]
        self.c2h = []
        for i, qid in enumerate(c2h):
            ring = {"mode": rng.choice((EVERY, USER_TIMER, ALL)), "timer_ix": rng.randrange(16)}
            ring |= {"aggregated": 1} if aggregated and i else {}
            size = rng.choice((RING_9, RING_33, RING_129))
            vector = self.ring if aggregated and i else 3 + i
            buffer = rng.choice((SIZE_64, SIZE_256))
            if self.inline:
                self.c2h.append(self.inline(driver, qid, size_ix=size, buffer_ix=buffer, vector=vector, **ring))
            else:
                self.c2h.append(add(driver, qid, size, buffer, cmpt_ix=RING_33, vector=vector, **ring))
        await bed.read(0, 0)  # after all of these
        self.first_message, self.first_answer = len(bed.messages), len(bed.user_irq_answers)
        self.is_alive = True

    def step(self, count: int | None = None) -> None:
        """Packets of the source."""
        queue, ring = self.rng.choice(self.c2h)
        if self.driver.pending[queue.qid] < 3 and not queue.is_dead:
            self.driver.send(ring, any_count(self.rng, queue) % 700 if count is None else count)

    def serve(self) -> None:
        rng, queue = self.rng, self.rng.choice(self.h2c)
        for _ in range(min(queue.room(), rng.choice((0, 1, 4)))):
            self.driver.post(queue, [rng.choice((64, rng.randint(1, 2000)))], flags=rng.random() < 0.5)
        self.driver.ring(queue, arm=rng.random() < 0.5)
        for _, ring in self.c2h:
            if rng.random() < 0.6:  # else its rings may become full
                self.driver.serve(ring)
        interrupts = self.driver.interrupt_ring.get(self.ring)
        if interrupts and rng.random() < 0.3:
            self.driver.read_interrupt_ring(interrupts)

    def user_interrupt(self) -> None:
        if not self.bed.user_irqs:
            self.bed.user_irqs.append((self.func, USER))

    def check_user_interrupts(self) -> None:
        """Each since it was set up had ack and one message."""
        answers = [ack for *place, ack in self.bed.user_irq_answers[self.first_answer :] if place == [self.func, USER]]
        messages = [m for m in self.bed.messages[self.first_message :] if m[1:] == (self.func, USER)]
        assert all(answers) and len(messages) == len(answers)

    def begins(self) -> None:
        self.is_alive = False
        self.driver.disabling |= {queue.qid for queue, _ in self.c2h}

    def ends(self) -> None:
        """No DMA of its queues from now on."""
        for queue, _ in self.c2h:
            queue.is_dead = True
            self.driver.disabling.discard(queue.qid)

    async def forget(self) -> None:
        """What the driver and the user side have of it."""
        for queue, _ in self.c2h:
            self.bed.source.forget(queue.qid)
        await self.bed.steps(400)
        for queue, _ in self.c2h:
            self.bed.source.forget(queue.qid)
            del self.driver.c2h.queues[queue.qid], self.driver.cmpt[queue.qid]
        for queue in self.h2c:
            del self.driver.h2c[queue.qid]
        self.driver.interrupt_ring.pop(self.ring, None)


async def check_empty(function: Function) -> None:
    """Its contexts, map, mailbox and table are as after a reset of the card."""
    bed, func = function.bed, function.func
    for qid in [qid for qids in QUEUES_OF[func] for qid in qids]:
        for selector in (SW_C2H, SW_H2C, HW_C2H, HW_H2C, COMPLETION, PREFETCH):
            assert await bed.read_context(selector, qid) == 0, f"{CONTEXTS[selector].name} {qid}"
    assert await bed.read_context(FMAP, func) == 0
    assert await bed.read_context(INTERRUPT, LAST_RING - func) == 0
    table, pending = VF_MSIX if func >= 4 else PF_MSIX
    assert await bed.read(func, pending) == 0
    for vector in range(8):
        assert await bed.read(func, table + 16 * vector + 12) == 1
    box = function.box
    assert [await box.read(at) for at in (STATUS, VECTOR, ENABLE)] == [0, 0, 0]


async def reset(function: Function) -> int:
    """By either way; cycles that it took."""
    bed, func = function.bed, function.func
    function.begins()
    begin, first_answer = bed.cycle, len(bed.user_irq_answers)

    def meanwhile() -> None:
        """What it writes changes nothing; interrupts of the user fail."""
        bed.user_irqs.append((func, USER))
        table, _ = VF_MSIX if func >= 4 else PF_MSIX
        bed.write(func, table + 16 * 3 + 12, 0)
        function.box.write(ENABLE, 1)
        function.driver.doorbell(func, 0, 4, 1)

    if bed.rng.random() < 0.5:
        await bed.reset_by_port(func, meanwhile)
        assert (func, USER, False) in bed.user_irq_answers[first_answer:]
    else:
        await bed.reset_by_register(func, bed.rng.choice(REGISTERS[func]))
    function.ends()
    return bed.cycle - begin


@cocotb.test()
async def resets(dut):
    """See above; ROUNDS of them in a long run."""
    driver = await ready(dut, latency=(30, 160))
    bed, rng = driver.bed, driver.rng
    functions = {func: Function(driver, func) for func in QUEUES_OF}
    for function in functions.values():
        await function.set_up()

    def step(_: int) -> None:
        for function in functions.values():
            if function.is_alive and rng.random() < traffic:
                function.step()
            if function.is_alive and rng.random() < 0.02 and len(bed.requests) < 6:
                function.serve()
            if function.is_alive and rng.random() < traffic:
                function.user_interrupt()

    longest = 0
    for _ in range(rounds(ROUNDS, 2)):
        traffic = rng.choice((0.01, 0.1))
        bed.rates |= {"write": rng.choice((1.0, 0.7, 0.3)), "read": rng.choice((1.0, 0.5))}
        bed.rates["packet"] = rng.choice((1.0, 0.5))
        bed.source.rates["beat"] = rng.choice((1.0, 0.5))
        bed.each = step
        await bed.steps(rng.randint(1, 700))
        victim = functions[rng.choice(list(functions))]
        longest = max(longest, await reset(victim))
        await bed.steps(rng.choice((0, 100, 600)))
        bed.rates |= dict.fromkeys(bed.rates, 1.0)
        await victim.forget()
        await check_empty(victim)
        await victim.set_up()
        await bed.steps(300)
        # All that was posted comes, of both.
        bed.each = lambda *_: None
        for function in functions.values():
            for queue in function.h2c:
                driver.ring(queue)
        await drain(driver)
        await bed.settle(60)
        all_out(driver)
        all_in(driver)
        for function in functions.values():
            function.check_user_interrupts()
    print(f"resets took {longest} cycles at most")


@cocotb.test()
async def stalled(dut):
    """The user accepts no H2C packet, so descriptors of the function wait for their payload to be read: it is not done
    until they have been, and reads nothing after that."""
    driver = await ready(dut)
    bed = driver.bed
    bed.context(FMAP, 7, MAPS[7])
    queue = driver.add_h2c(OF_PF, RING_129)
    await bed.settle()
    bed.rates["packet"] = 0.0
    for _ in range(60):
        driver.post(queue, [2000])
    driver.ring(queue)
    await bed.steps(1500)
    bed.in_process |= 1 << 7
    await bed.steps(STALLED_CYCLES)
    assert bed.in_process, "it is done, and reads are left"
    bed.rates["packet"] = 1.0
    await bed.until(lambda: not bed.in_process)
    await bed.steps(3000)
    assert not bed.host.reads


@pytest.mark.parametrize("top", main_and_kept(__file__, TOPS))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_top_flr(test, top):
    top_bench(top).run(__name__, test)


@long_run(__file__)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("top", TOPS)
def test_qdma_top_flr_long(top, seed):
    top_bench(top).run(__name__, "resets", long_seed=seed)


FLR, BAR = "qdma_flr.sv", "qdma_bar.sv"
FAULTS = (
    Fault("reads_left", FLR, "if (!stops_busy) state_q <= DRAIN", "state_q <= DRAIN", "stalled"),
    Fault("anothers_context", FLR, "(names_it && word_q != '0)", "(word_q != '0)", "resets"),
    Fault("map_left", FLR, "state_q inside {MAP_CLEAR, CLEAR, RING_CLEAR} ?", "state_q inside {CLEAR, RING_CLEAR} ?",
          "resets"),
    Fault("not_masked", "qdma_msix.sv", "if (write_q && pending_read_q) word_next = '0;", "", "resets"),
    Fault("accesses_go_on", BAR, "= reset_active & (access.func == reset_func);", "= 1'b0;", "resets"),
)  # fmt: skip


@long_run(__file__)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_qdma_top_flr_sees(fault):
    must_see(top_bench(TOPS[0]), fault, __name__)
