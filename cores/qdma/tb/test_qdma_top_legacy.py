# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The legacy interrupt through the whole of qdma: pending bits and wires of PFs, in place of MSI-X messages."""

import cocotb
import pytest

from qdma_boundary import EVERYONE
from qdma_contract import ERROR_INTERRUPT, GLOBAL_MASK, TRQ
from qdma_top_bed import TOPS, top_bench
from qdma_top_driver import ready
from ullnic_tb import cocotb_tests, main_and_kept

CONFIG, ENABLE, PENDING = 0x2C4, 1, 2
VECTOR, NOWHERE, ALL_BITS = 3, 0x1F0, 0xFFFFFFFF


@cocotb.test()
async def queues(dut):
    """Packets of two queues, C2H and H2C, whose program only acts when it is interrupted. When it has read the pending
    bit, what caused the interrupt is in its memory. No MSI-X message is sent."""
    driver = await ready(dut)
    bed, rng = driver.bed, driver.rng
    bed.vector(0, VECTOR)
    driver.c2h.prefetch(5)
    ring, queue = driver.add_cmpt(5, 1, 16, vector=VECTOR), driver.add_h2c(6, 2, vector=VECTOR)
    bed.write(0, CONFIG, ENABLE)
    await bed.settle()
    for turn in range(60):
        bed.rates["write"] = rng.choice((1.0, 0.5, 0.1))
        is_c2h, before = rng.random() < 0.5, queue.statuses
        if is_c2h:
            driver.send(ring)
        else:
            driver.post(queue, [rng.randint(1, 200)])
            driver.ring(queue, arm=True)
        await bed.until(lambda: bed.boundary.inta)
        assert bed.boundary.intx == 1
        assert await bed.read(0, CONFIG) == ENABLE | PENDING
        bed.rates["write"] = 1.0
        assert driver.poll(ring) if is_c2h else queue.statuses > before, f"turn {turn}: an interrupt before its status"
        bed.write(0, CONFIG, ENABLE | PENDING)
        if is_c2h:
            driver.arm(ring)
        await bed.until(lambda: not bed.boundary.inta)
        await bed.settle(60)
        assert not bed.boundary.inta and await bed.read(0, CONFIG) == ENABLE
    assert not bed.messages and ring.posted > 10 and queue.statuses > 10
    # Disabled: messages again.
    bed.write(0, CONFIG, 0)
    driver.send(ring)
    await bed.settle()
    assert len(bed.messages) == 1 and not bed.boundary.intx


@cocotb.test()
async def functions(dut):
    """Each PF has its own pending bit, which others do not clear; a VF and the user keep MSI-X. A reset clears the bit
    of its function."""
    driver = await ready(dut)
    bed = driver.bed
    for func in (0, 7):
        bed.vector(func, VECTOR)
    driver.c2h.prefetch(5)
    driver.c2h.prefetch(30)
    of_pf, of_vf = driver.add_cmpt(5, 1, 16, vector=VECTOR), driver.add_cmpt(30, 1, 16, vector=VECTOR)
    bed.write(0, GLOBAL_MASK, ALL_BITS)
    bed.write(0, TRQ[1], ALL_BITS)
    bed.write(0, CONFIG, ENABLE)

    async def error_of_pf_1() -> None:
        """An error, and the error interrupt of PF 1."""
        bed.write(0, TRQ[0], ALL_BITS)
        bed.write(0, ERROR_INTERRUPT, 1 | 1 << 24)
        await bed.read(0, NOWHERE)
        await bed.until(lambda: bed.boundary.intx & 2)

    await error_of_pf_1()
    assert [await bed.read(func, CONFIG) for func in (0, 1)] == [ENABLE, ENABLE | PENDING]
    driver.send(of_pf)
    await bed.until(lambda: bed.boundary.intx == 3)
    for func, value, left in ((0, ENABLE, 3), (1, ENABLE, 3), (0, ENABLE | PENDING, 2), (0, ENABLE | PENDING, 2)):
        bed.write(func, CONFIG, value)
        await bed.settle(60)
        assert bed.boundary.intx == left and bed.boundary.inta
        assert [await bed.read(func, CONFIG) for func in (0, 1)] == [
            ENABLE | left << 1 & PENDING,
            ENABLE | left & PENDING,
        ]
    # Without the enable the bit stays, the wire does not.
    bed.write(0, CONFIG, 0)
    await bed.settle(60)
    assert not bed.boundary.intx and not bed.boundary.inta and await bed.read(1, CONFIG) == PENDING
    bed.write(1, CONFIG, ENABLE)
    await bed.settle(60)
    assert bed.boundary.intx == 2 and bed.boundary.inta
    if dut._name != TOPS[0]:
        for disabled, wire in ((1, 1), (2, 0), (3, 0), (0, 1)):
            bed.boundary.intx_disabled = disabled
            bed.s.set(**bed.boundary.masters(EVERYONE))
            await bed.steps(80)
            assert bed.boundary.intx == 2 and bed.boundary.inta == wire, "the status does not depend on it"
    assert not bed.messages
    driver.send(of_vf)
    await bed.settle()
    assert await bed.user_irq(0, VECTOR)
    await bed.settle()
    assert [message[1:] for message in bed.messages] == [(7, VECTOR), (0, VECTOR)]
    await bed.reset_by_port(1, lambda: None)
    await bed.settle(60)
    assert not bed.boundary.intx and not bed.boundary.inta and await bed.read(1, CONFIG) == ENABLE


@cocotb.test()
async def many(dut):
    """Causes at any moments, also while the bit is being cleared: none is lost, if the program clears the bit before it
    looks."""
    driver = await ready(dut)
    bed, rng = driver.bed, driver.rng
    bed.vector(0, VECTOR)
    rings = []
    for qid in range(6):
        driver.c2h.prefetch(qid)
        rings.append(driver.add_cmpt(qid, 2, 16, vector=VECTOR))
    bed.write(0, CONFIG, ENABLE)
    await bed.settle()
    interrupts = 0

    async def serve() -> None:
        bed.write(0, CONFIG, ENABLE | PENDING)
        assert await bed.read(0, CONFIG) & ENABLE  # after the write
        for ring in rings:
            if driver.poll(ring):
                driver.arm(ring)

    for _ in range(40):
        bed.rates["write"] = rng.choice((1.0, 0.5))
        for _ in range(rng.randint(1, 12)):
            driver.send(rng.choice(rings))
            await bed.steps(rng.choice((0, 1, 20)))
            if bed.boundary.inta and not bed.requests:
                interrupts += 1
                await serve()
    for _ in range(100):
        await bed.settle(100)
        if not bed.boundary.inta:
            break
        await serve()
    assert not bed.boundary.intx and not bed.messages and interrupts > 20
    for ring in rings:
        assert driver.poll(ring) == 0 and driver.entries[ring.qid] == ring.posted, f"queue {ring.qid}"


@pytest.mark.parametrize("top", main_and_kept(__file__, TOPS))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_top_legacy(top, test):
    top_bench(top).run(__name__, test)
