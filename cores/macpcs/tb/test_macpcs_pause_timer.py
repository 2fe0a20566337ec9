# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_pause_timer: exactly quanta * UNIT_BITS bits of payload, whatever comes between."""

import os

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, RisingEdge, with_timeout
from cocotb.utils import get_sim_time

from baser_gearbox import starts
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

WIDTH = parameter("WIDTH", 32)
UNIT_BITS = parameter("UNIT_BITS", 512)
LATENCY = 2


@cocotb.test()
async def duration(dut):
    """Bits of payload from the start of the pause to its end, on the gearbox's own schedule."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = Stepper(dut, ["active"])
    await s.reset(load=0, quanta=0, step=0)
    for quanta in (1, 2, 3, 7, 16, 17, 100, 255, 256, 257):
        words = quanta * UNIT_BITS // WIDTH
        places = starts(WIDTH, 2 * words + 100, rng.randrange(66))
        bits, was = 0, 0
        for n, place in enumerate(places):
            out = await s.step(load=n == 3, quanta=quanta if n == 3 else rng.getrandbits(16), step=place is not None)
            assert n > 3 + LATENCY or out.active == (n == 3 + LATENCY)
            bits += WIDTH * bool(out.active and place is not None)
            assert was or not out.active or n == 3 + LATENCY
            was = out.active
        assert bits == quanta * UNIT_BITS and not out.active


@cocotb.test()
async def loads_at_any_time(dut):
    """A new load replaces the one before, also in the cycle in which that ends; 0 ends the pause, as a reset does."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = Stepper(dut, ["active"])
    await s.reset(load=0, quanta=0, step=0)
    left, wait, ended, renewed = 0, [None] * (LATENCY - 1), 0, 0
    for _ in range(20000):
        load = rng.random() < rng.choice([0, 0, 0.05])
        quanta = rng.choice([0, 1, 1, 2, 3, rng.randrange(8)])
        step = rng.random() < 0.97
        rst = rng.random() < 0.005
        out = await s.step(load=load, quanta=quanta, step=step, rst=rst)
        assert out.active == (left > 0)
        if rst:
            left, wait = 0, [None] * (LATENCY - 1)
            continue
        if left and step:
            left -= 1
            ended += left == 0
        wait.append(quanta if load else None)
        if (latest := wait.pop(0)) is not None:
            renewed += left > 0
            left = latest * UNIT_BITS // WIDTH
    assert ended > 20 and renewed > 20


@cocotb.test()
async def long_pauses(dut):
    """Every bit of the quanta counts, with a step in each cycle."""
    cocotb.start_soon(Clock(dut.clk, 2, unit="ns").start())
    dut.rst.value, dut.load.value, dut.step.value = 1, 0, 1
    await ClockCycles(dut.clk, 2)
    dut.rst.value = 0
    for quanta in (0xFFFF, 0x5555) if UNIT_BITS // WIDTH == 8 else (0x1234,):
        dut.load.value, dut.quanta.value = 1, quanta
        await ClockCycles(dut.clk, 1)
        dut.load.value, dut.quanta.value = 0, 0
        await with_timeout(RisingEdge(dut.active), 20, "ns")
        begin = get_sim_time("ns")
        await with_timeout(FallingEdge(dut.active), 4 * quanta * UNIT_BITS // WIDTH, "ns")
        assert (get_sim_time("ns") - begin) / 2 * WIDTH == quanta * UNIT_BITS


@pytest.mark.parametrize("width, unit", main_and_kept(__file__, [(32, 512), (32, 256), (16, 512)]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_pause_timer(width, unit, test):
    sources = [path for path in rtl("macpcs") if path.stem == "macpcs_pause_timer"]
    Bench("macpcs_pause_timer", sources, {"WIDTH": width, "UNIT_BITS": unit}).run(__name__, test)
