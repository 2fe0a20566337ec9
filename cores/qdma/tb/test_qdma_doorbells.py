# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Doorbells: through the function map, within the ring, of the right function; their errors, logs and interrupt."""

import cocotb
import pytest
from cocotb.triggers import RisingEdge

from qdma_bed import Bed, parameters, qdma_bench
from qdma_contract import (
    ARM,
    C2H,
    CIDX_ERROR,
    COMPLETION,
    DSC,
    ERROR_INTERRUPT,
    FMAP,
    GLOBAL_MASK,
    GLOBAL_STATUS,
    INTERRUPT,
    INVALID_QUEUE,
    PIDX_ERROR,
    QID_RANGE,
    QSPC_UNMAPPED,
    RING_SIZES,
    SW_C2H,
    SW_H2C,
    TRQ,
)
from ullnic_tb import cocotb_tests

H2C_PIDX, C2H_PIDX, CMPT_CIDX = 4, 8, 12
EVENT_CYCLES = 7  # from the TLP's acceptance, alone: the README's figure
RING_EVENT_CYCLES = 5  # of an interrupt ring, which needs no map
VF = 5
RING_OF_64 = 3  # index of its size


def pf(queue: int, kind: int) -> int:
    return 0x18000 + 16 * queue + kind


def vf(queue: int, kind: int) -> int:
    return 0x3000 + 16 * queue + kind


async def ready(dut) -> Bed:
    """PF 0 has queues 0 to 15, PF 1 none, VF 5 queues 16 to 19; all rings of 64 but of queue 3, of 1."""
    bed = await Bed(dut).reset()
    await bed.write(0, RING_SIZES + 4 * RING_OF_64, 64)
    await bed.write(0, RING_SIZES, 1)
    await bed.write_context(FMAP, 0, [0, 16])
    await bed.write_context(FMAP, VF, [16, 4])
    for queue in (0, 3, 15, 16, 19):
        size = 0 if queue == 3 else RING_OF_64
        for selector in (SW_H2C, SW_C2H):
            await bed.write_context(selector, queue, [0, 1 | size << 12])
        await bed.write_context(COMPLETION, queue, [size << 28, 0, 0, 1 << 28, 2])
    return bed


async def errors(bed: Bed, leaf: tuple[int, int, int]) -> int:
    """The leaf's status, which is cleared."""
    value = await bed.read(0, leaf[0])
    await bed.write(0, leaf[0], value)
    return value


@cocotb.test()
async def index(dut):
    """0 to size - 2 are within a ring, the rest are errors with a log and leave the index as it was."""
    bed = await ready(dut)
    for func, address, qid in ((0, pf(15, 0), 15), (VF, vf(3, 0), 19)):
        for kind, selector in ((H2C_PIDX, SW_H2C), (C2H_PIDX, SW_C2H)):
            for good in (0, 1, 62):
                await bed.write(func, address + kind, good)
                assert await bed.read(func, address + kind) == good
            for bad in (63, 64, 0xFFFF):
                await bed.write(func, address + kind, bad)
                assert await bed.read(func, address + kind) == 62
                assert await bed.read(0, 0x25C) == 1 << 31 | (selector == SW_C2H) << 30 | qid
                assert await bed.read(0, 0x260) == PIDX_ERROR
                assert await bed.read(0, 0x27C) == 62 << 16 | bad
                assert await errors(bed, DSC) == 1 << PIDX_ERROR
                assert await bed.read(0, 0x25C) >> 31 == 0
        await bed.write(func, address + CMPT_CIDX, 62)
        await bed.write(func, address + CMPT_CIDX, 63)
        assert await bed.read(func, address + CMPT_CIDX) & 0xFFFF == 62
        assert await bed.read(0, 0xB30) == CIDX_ERROR << 16 | qid
        assert await errors(bed, C2H) == 1 << CIDX_ERROR
    for kind, leaf in ((H2C_PIDX, DSC), (C2H_PIDX, DSC), (CMPT_CIDX, C2H)):
        await bed.write(0, pf(3, kind), 0)  # a ring of 1 has no entry
        assert await errors(bed, leaf)
        await bed.write(0, pf(7, kind), 0)  # not enabled, not valid
        assert await errors(bed, leaf) == 1 << (INVALID_QUEUE if leaf == C2H else PIDX_ERROR)
    assert await bed.read(0, TRQ[0]) == 0
    kinds = [kind for kind in (1, 2) for _ in range(3)]
    assert bed.events == [(k, 15) for k in (*kinds, 3)] + [(k, 19) for k in (*kinds, 3)]


@cocotb.test()
async def stopped_queues(dut):
    """PIDX of a queue that an error has stopped does not move, and this is no other error; its arm counts."""
    bed = await ready(dut)
    for kind, selector in ((H2C_PIDX, SW_H2C), (C2H_PIDX, SW_C2H)):
        for error in (1, 2, 3):
            await bed.write_context(selector, 15, [7, error << 26 | RING_OF_64 << 12])
            for value in (20, 200):
                await bed.write(0, pf(15, kind), value)
                assert await bed.read(0, pf(15, kind)) == 7
            await bed.write(0, pf(15, kind), 20 | 1 << 16)
            assert await bed.read(0, pf(15, kind)) == 7 | 1 << 16
    assert await bed.read(0, DSC[0]) == 0
    assert bed.events == [(kind, 15) for kind in (1, 2) for _ in range(9)]


@cocotb.test()
async def own_queues(dut):
    """A function reaches the queues of its map and no others; a queue beyond the last one is not there."""
    queues = parameters()[0]
    bed = await ready(dut)
    await bed.write_context(FMAP, 4, [queues - 1, 2])
    strangers = [(0, pf(16, 4)), (0, pf(2047, 4)), (1, pf(0, 4)), (VF, vf(4, 4)), (VF, vf(255, 4)), (6, vf(0, 4))]
    for func, address in [*strangers, (4, vf(1, 4))]:
        for kind in (0, 4, 8):
            for write in (True, False):
                if write:
                    await bed.write(func, address + kind, 1)
                else:
                    assert await bed.read(func, address + kind) == 0
                assert await bed.read(0, 0x26C) == 2 << 27 | func << 17 | address + kind
                assert await errors(bed, TRQ) == 1 << QID_RANGE, (func, hex(address + kind))
    assert bed.events == []
    await bed.write(0, pf(0, H2C_PIDX), 1, 3)
    assert await errors(bed, TRQ) == 1 << QSPC_UNMAPPED
    assert await bed.read(0, pf(0, H2C_PIDX)) == 0
    await bed.write(VF, vf(0, H2C_PIDX), 7)
    assert (await bed.read_context(SW_H2C, 16))[0] == 7
    assert (await bed.read_context(SW_H2C, 0))[0] == 0
    # Nor does the map of another function count, which the RAM shows before the one that was asked for.
    await bed.write_context(FMAP, 0, [0, 1])
    await bed.write(VF, vf(3, H2C_PIDX), 9)
    assert (await bed.read_context(SW_H2C, 19))[0] == 9
    assert await bed.read(0, TRQ[0]) == 0


@cocotb.test()
async def settings(dut):
    """Reading +C gives index and modes, and no error; without full_upd a doorbell moves the index only."""
    bed = await ready(dut)
    value = 1 << 28 | 1 << 27 | 5 << 24 | 9 << 20 | 6 << 16 | 33
    await bed.write(0, pf(15, CMPT_CIDX), value)
    assert await bed.read(0, pf(15, CMPT_CIDX)) == value
    assert (await bed.read_context(COMPLETION, 15))[0] & 0x01FE001F == 3 | 5 << 2 | 6 << 17 | 9 << 21
    await bed.write_context(COMPLETION, 15, [0, 0, 0, 0, 0], [0, 0, 0, 0, 2, 0, 0, 0])
    await bed.write(0, pf(15, CMPT_CIDX), 34)
    assert await bed.read(0, pf(15, CMPT_CIDX)) == value + 1
    for leaf in (TRQ, DSC, C2H):
        assert await bed.read(0, leaf[0]) == 0


@cocotb.test()
async def arm(dut):
    """Bit 16 of a PIDX arms the interrupt; a doorbell without it leaves it armed."""
    bed = await ready(dut)
    await bed.write(0, pf(0, H2C_PIDX), 1 << 16 | 5)
    await bed.write(0, pf(0, H2C_PIDX), 6)
    assert (await bed.read_context(SW_H2C, 0))[0] == 1 << 16 | 6


@cocotb.test()
async def interrupt_rings(dut):
    """Only the function in the context of a ring moves its index, within its pages."""
    bed = await ready(dut)
    for ring, func, pages in ((0, 0, 1), (VF, VF, 2), (255, VF, 8)):
        await bed.write_context(INTERRUPT, ring, [1, 0, (pages - 1) << 3, func << 18])
        address = vf(0, 0) if func == VF else pf(0, 0)
        other = pf(0, 0) if func == VF else vf(0, 0)
        last = 512 * pages - 1
        await bed.write(func, address, ring << 16 | last)
        assert await bed.read(0, TRQ[0]) == 0
        for sender, where, index in ((func, address, last + 1), (VF - func, other, 1), (func, address, 0xFFFF)):
            await bed.write(sender, where, ring << 16 | index)
            assert await errors(bed, TRQ) == 1 << QID_RANGE, (ring, sender, index)
        await bed.command(INTERRUPT, 3, ring)
        await bed.write(func, address, ring << 16)
        assert await errors(bed, TRQ) == 1 << QID_RANGE
    await bed.settle()
    assert bed.events == [(0, 0), (0, VF), (0, 255)]
    assert await bed.read(0, pf(0, 0)) == 0


@cocotb.test()
async def error_interrupt(dut):
    """It fires once when it is armed; an error between the clearing of the leaf and of the global register is not
    lost; arming it with a cause pending fires at once; masks hold it back."""
    bed = await ready(dut)
    armed = 7 << 12 | 3 | 1 << 23 | 5 << 26
    bad = (0, pf(0, H2C_PIDX), 0xFFFF)
    await bed.write(0, ERROR_INTERRUPT, armed | ARM)
    await bed.write(*bad)
    await bed.settle()
    assert bed.interrupts == [] and await bed.read(0, GLOBAL_STATUS) == 0
    await bed.write(0, DSC[1], 1 << PIDX_ERROR)
    await bed.settle()
    assert bed.interrupts == [] and await bed.read(0, GLOBAL_STATUS) == 1 << DSC[2]
    await bed.write(0, GLOBAL_MASK, 1 << DSC[2])
    await bed.settle()
    assert bed.interrupts == [armed]
    assert await bed.read(0, ERROR_INTERRUPT) == armed
    # A driver's handler, and an error in the midst of it
    assert await bed.read(0, GLOBAL_STATUS) == 1 << DSC[2]
    assert await errors(bed, DSC) == 1 << PIDX_ERROR
    await bed.write(*bad)
    await bed.write(0, GLOBAL_STATUS, 0xFFFFFFFF)
    await bed.settle()
    assert bed.interrupts == [armed]
    await bed.write(0, ERROR_INTERRUPT, armed | ARM)
    await bed.settle()
    assert bed.interrupts == [armed] * 2
    # No cause, no interrupt; the receiver may be slow
    assert await errors(bed, DSC) == 1 << PIDX_ERROR
    dut.interrupt_ready.value = 0
    await bed.write(0, ERROR_INTERRUPT, armed | ARM)
    await bed.settle()
    assert bed.interrupts == [armed] * 2
    await bed.write(*bad)
    await bed.write(0, ERROR_INTERRUPT, 1 | ARM)  # fires once more when the first is gone
    await bed.settle()
    assert bed.interrupts == [armed] * 3
    dut.interrupt_ready.value = 1
    await bed.settle()
    assert bed.interrupts == [*[armed] * 3, 1]


@cocotb.test()
async def latency(dut):
    """From the acceptance of a doorbell's TLP to its event, on an idle engine."""
    bed = await ready(dut)
    await bed.write_context(INTERRUPT, 0, [1, 0, 0, 0])
    for address, value, wanted in ((pf(0, H2C_PIDX), 1, EVENT_CYCLES), (pf(0, 0), 1, RING_EVENT_CYCLES)):
        await bed.settle()
        cycles = {}

        async def mark(name, trigger, cycles=cycles):
            await trigger
            cycles[name] = int(dut.cycle.value)

        seen = cocotb.start_soon(mark("event", RisingEdge(dut.event_valid)))
        accepted = cocotb.start_soon(mark("accepted", dut.done.value_change))
        await bed.write(0, address, value)
        await accepted
        await seen
        assert cycles["event"] - cycles["accepted"] + 1 == wanted


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_doorbells(test):
    qdma_bench().run("test_qdma_doorbells", test)
