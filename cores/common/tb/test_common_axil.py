# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""axil_cdc and axil_demux (axil_bench.sv): each access ends, once, at its slave, whatever clocks and resets do."""

import itertools
import os
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import Timer
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

from ullnic_tb import Bench, cocotb_tests, rtl, seeded

S_PS, TIMEOUT = 4000, 256
BENCH = Bench("axil_bench", [*rtl("common"), Path(__file__).with_name("axil_bench.sv")])


class Sides:
    def __init__(self, dut):
        self.dut, self.rng = dut, seeded(os.environ["ULLNIC_TEST_NAME"])
        self.model = {}
        self.answered = [0, 0, 0]
        dut.s_rst.value = dut.m_rst.value = 1
        dut.deaf.value = 0
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.s_clk, dut.s_rst)
        for interface in (self.master.write_if, self.master.read_if):
            interface.log.setLevel("WARNING")

    async def started(self, m_ps: int) -> "Sides":
        Clock(self.dut.s_clk, S_PS, "ps").start()
        await Timer(self.rng.randrange(1, 3000), "ps")
        self.m_clock = Clock(self.dut.m_clk, m_ps, "ps")
        self.m_clock.start()
        await Timer(20 * max(S_PS, m_ps), "ps")
        self.dut.s_rst.value = self.dut.m_rst.value = 0
        await Timer(20 * max(S_PS, m_ps), "ps")
        return self

    def pause(self) -> None:
        """The master is not ready, or offers nothing, in some of the cycles."""
        write, read = self.master.write_if, self.master.read_if
        for channel in (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel):
            channel.set_pause_generator(self.rng.random() < 0.4 for _ in itertools.count())

    async def access(self) -> None:
        """One at random, and what has to come of it."""
        slave, word = self.rng.randrange(4), self.rng.choice([*range(16), *range(16), 16, 63])
        address = slave << 8 | word << 2
        there = slave < 3 and word < 16
        if self.rng.random() < 0.5:
            octets = self.rng.randbytes(self.rng.choice([4, 4, 4, 2]))
            good = there and len(octets) == 4
            assert (await self.master.write(address, octets)).resp == (AxiResp.OKAY if good else AxiResp.SLVERR)
            if good:
                self.model[address] = octets
        else:
            done = await self.master.read(address, 4)
            assert done.resp == (AxiResp.OKAY if there else AxiResp.SLVERR)
            if there:
                assert done.data == self.model.get(address, bytes(4)), hex(address)
        if slave < 3:
            self.answered[slave] += 1

    def check_once(self) -> None:
        value = int(self.dut.accesses.value)
        assert [value >> 16 * i & 0xFFFF for i in range(3)] == self.answered


async def traffic(dut, m_ps: int) -> None:
    sides = await Sides(dut).started(m_ps)
    for number in range(300):
        if number == 100:
            sides.pause()
        await sides.access()
    sides.check_once()


@cocotb.test()
async def fast(dut):
    """Reads and writes come to their slaves once, and end; the far clock is faster."""
    await traffic(dut, 1552)


@cocotb.test()
async def near(dut):
    await traffic(dut, 3104)


@cocotb.test()
async def slow(dut):
    await traffic(dut, 17_002)


@cocotb.test()
async def both_at_once(dut):
    """A read and a write that are offered together both end."""
    sides = await Sides(dut).started(3104)
    for i in range(60):
        octets = sides.rng.randbytes(4)
        write = cocotb.start_soon(sides.master.write(0x100 + 4 * (i % 16), octets))
        read = cocotb.start_soon(sides.master.read(0x204, 4))
        assert (await write).resp == AxiResp.OKAY
        assert (await read).data == bytes(4)
        assert (await sides.master.read(0x100 + 4 * (i % 16), 4)).data == octets


@cocotb.test()
async def resets(dut):
    """In a reset of the far side accesses end with an error at once; a reset in the midst of one ends it, too."""
    sides = await Sides(dut).started(3104)
    for _ in range(30):
        await sides.access()
        started = cocotb.start_soon(sides.master.read(0x104, 4))
        await Timer(sides.rng.randrange(1, 100_000), "ps")
        dut.m_rst.value = 1
        assert (await started).resp in (AxiResp.OKAY, AxiResp.SLVERR)
        at = get_sim_time("ps")
        assert (await sides.master.read(0x104, 4)).resp == AxiResp.SLVERR
        assert (await sides.master.write(0x108, bytes(4))).resp == AxiResp.SLVERR
        assert get_sim_time("ps") - at < 2 * 40 * S_PS
        dut.m_rst.value = 0
        await Timer(20_000, "ps")


@cocotb.test()
async def dead_clock(dut):
    """With the far clock standing still accesses end with an error, and a late answer is nobody's."""
    sides = await Sides(dut).started(3104)
    for address in (0x104, 0x108):
        await sides.master.write(address, address.to_bytes(4, "little"))
    for late in range(4):
        sides.m_clock.stop()
        at = get_sim_time("ps")
        for _ in range(1 + late):
            assert (await sides.master.read(0x104, 4)).resp == AxiResp.SLVERR
        assert get_sim_time("ps") - at < (1 + late) * (TIMEOUT + 20) * S_PS
        sides.m_clock.start()
        for address in (0x108, 0x104, 0x108):  # the answer to the old read of 0x104 comes meanwhile
            assert (await sides.master.read(address, 4)).data == address.to_bytes(4, "little")


@cocotb.test()
async def deaf_slave(dut):
    """A slave that does not answer costs a time, and after a reset of its side the others answer again."""
    sides = await Sides(dut).started(3104)
    dut.deaf.value = 0b010
    assert (await sides.master.write(0x100, bytes(4))).resp == AxiResp.SLVERR
    assert (await sides.master.read(0x000, 4)).resp == AxiResp.SLVERR, "its side still waits"
    dut.deaf.value = 0
    dut.m_rst.value = 1
    await Timer(100, "ns")
    dut.m_rst.value = 0
    await Timer(100, "ns")
    assert (await sides.master.read(0x000, 4)).data == bytes(4)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_common_axil(test):
    BENCH.run(__name__, test)
