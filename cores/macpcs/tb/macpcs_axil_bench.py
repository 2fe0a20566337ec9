# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Python side of the tests of macpcs_axil: the expected register map, and a master on the bus."""

import os
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

from ullnic_tb import checkers, parameter, seeded

CORES = Path(__file__).resolve().parents[2]
SOURCES = [
    CORES / "macpcs/regs/generated/macpcs_regs_pkg.sv",
    CORES / "common/rtl/cdc_bits.sv",
    CORES / "common/rtl/cdc_source.sv",
    CORES / "common/rtl/cdc_handshake.sv",
    CORES / "macpcs/regs/generated/macpcs_regs.sv",
    CORES / "macpcs/rtl/macpcs_stats.sv",
    CORES / "macpcs/rtl/macpcs_axil.sv",
    *checkers(),
    CORES / "macpcs/tb/macpcs_axil_checks.sv",
]

# The map, written down independently.
ID, VERSION, CAPABILITY, FIFO_DEPTH, TX_CLK_FREQ, RX_CLK_FREQ, FRAME_LENGTH, PAUSE_LENGTH = range(0x00, 0x20, 4)
CONTROL, MAC_ADDRESS_LO, MAC_ADDRESS_HI, MAX_LENGTH, CAPABILITY2 = range(0x20, 0x34, 4)
STATUS, STICKY, SNAPSHOT = range(0x40, 0x4C, 4)
RX_STATS, TX_STATS = 0x80, 0x100
RX_COUNTERS, TX_COUNTERS = 16, 5
WRITABLE = {  # address: bits that are stored
    CONTROL: 0x0003330F,
    MAC_ADDRESS_LO: 0xFFFFFFFF,
    MAC_ADDRESS_HI: 0xFFFF,
    MAX_LENGTH: 0xFFFF,
}
READ_ONLY = [ID, VERSION, CAPABILITY, FIFO_DEPTH, TX_CLK_FREQ, RX_CLK_FREQ, FRAME_LENGTH, PAUSE_LENGTH, STATUS]
READ_ONLY += [CAPABILITY2]
READ_ONLY += [*range(RX_STATS, RX_STATS + RX_COUNTERS * 8, 4), *range(TX_STATS, TX_STATS + TX_COUNTERS * 8, 4)]
NOTHING = sorted({*range(0, 0x200, 4)} - {*READ_ONLY, *WRITABLE, STICKY, SNAPSHOT})
RX_PULSES = ["fcs", "code", "runt", "oversize", "pause", "overflow", "lock_lost"]  # in the map's order
WRONG = RX_PULSES[:4]
STICKY_BITS = {"block_lock": 0, "hi_ber": 1, "local_fault": 2, "remote_fault": 3, "link_up": 4, "watchdog": 6}
GOOD = {"block_lock": 1, "hi_ber": 0, "local_fault": 0, "remote_fault": 0, "link_up": 1, "watchdog": 0}
BAD_AFTER, RX_RESET, TX_RESET = 1 << 5, 1 << 8, 1 << 9
ACCESS_US = 20  # of virtual time: limit of an access with the slowest clock and back-pressure


def generic(name):
    defaults = {"PMA_DATA_WIDTH": 32, "MAC_TX_DATA_WIDTH": 32, "MAC_RX_DATA_WIDTH": 32}
    defaults |= {"DUAL_CLOCK_FIFO_TX_DEPTH": 16, "DUAL_CLOCK_FIFO_RX_DEPTH": 16, "MAC_RX_MAX_PKT_LENGTH": 9622}
    defaults |= {"MAC_RX_MIN_PKT_LENGTH": 64, "MAC_TX_PADDING_SIZE": 64, "MAC_TX_IFG_COUNT": 12}
    defaults |= {"MAC_RX_CHECK_SFD": 1}
    defaults |= {"MAC_TX_CRC32_ADD": 1, "MAC_TX_CRC32_CORRUPTED_ON_ERROR": 1}
    defaults |= {"MAC_TX_CLK_FREQ_KHZ": 322266, "MAC_RX_CLK_FREQ_KHZ": 322266}
    return parameter(name, defaults.get(name, 0))


def reset_values():
    flags = ["SYNC_DUAL_CLOCK_TX_ENABLE", "SYNC_DUAL_CLOCK_RX_ENABLE", "DUAL_CLOCK_FIFO_TX_ENABLE"]
    flags += ["DUAL_CLOCK_FIFO_RX_ENABLE", "MAC_RX_CRC32_REMOVE"]
    capability = sum(generic(name) << 24 + i for i, name in enumerate(flags))
    for i, name in enumerate(["PMA_DATA_WIDTH", "MAC_TX_DATA_WIDTH", "MAC_RX_DATA_WIDTH"]):
        capability |= generic(name) << 8 * i
    more = {16: "MAC_RX_CRC32_DISABLE", 17: "MAC_RX_ERROR_DELAYED_ENABLE", 18: "MAC_RX_ADDRESS_FILTER_ENABLE"}
    more |= {19: "MAC_RX_LATE_VERDICT_ENABLE", 23: "MAC_RX_CHECK_SFD", 26: "MAC_RX_CHECK_PREAMBLE"}
    more |= {20: "MAC_TX_CRC32_DISABLE", 21: "MAC_TX_CRC32_ADD", 22: "MAC_TX_CRC32_CORRUPTED_ON_ERROR"}
    more |= {24: "PMA_LOOPBACK_ENABLE", 25: "USER_LOOPBACK_ENABLE"}
    return {
        ID: int.from_bytes(b"MPCS", "big"),
        VERSION: 1 << 16 | 1,
        CAPABILITY: capability,
        FIFO_DEPTH: generic("DUAL_CLOCK_FIFO_TX_DEPTH") << 16 | generic("DUAL_CLOCK_FIFO_RX_DEPTH"),
        TX_CLK_FREQ: generic("MAC_TX_CLK_FREQ_KHZ"),
        RX_CLK_FREQ: generic("MAC_RX_CLK_FREQ_KHZ"),
        FRAME_LENGTH: generic("MAC_RX_MIN_PKT_LENGTH") << 16 | generic("MAC_TX_PADDING_SIZE"),
        PAUSE_LENGTH: generic("MAC_TX_PAUSE_LENGTH"),
        CONTROL: 0,
        MAC_ADDRESS_LO: 0,
        MAC_ADDRESS_HI: 0,
        MAX_LENGTH: generic("MAC_RX_MAX_PKT_LENGTH"),
        CAPABILITY2: generic("MAC_TX_IFG_COUNT") | sum(generic(name) << bit for bit, name in more.items()),
        SNAPSHOT: 0,
    }


class Bus:
    """The core's three clocks, quiet inputs, and a master whose accesses must end in time."""

    def __init__(self, dut, rng):
        self.dut, self.rng = dut, rng
        self.periods_ps = {"tx": 1552, "rx": 1550 + 2 * rng.randrange(2), "axil": rng.randrange(1000, 16000, 2)}
        for name in [n for n in dir(dut) if n.startswith("stat_")]:
            getattr(dut, name).value = 0
        for name, value in GOOD.items():
            getattr(dut, f"rx_{name}").value = value
        for name in self.periods_ps:
            getattr(dut, f"{name}_rst").value = 1
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.axil_clk, dut.axil_rst)
        for logger in (self.master.write_if.log, self.master.read_if.log):
            logger.setLevel("WARNING")
        self.clocks = {n: Clock(getattr(dut, f"{n}_clk"), ps, "ps") for n, ps in self.periods_ps.items()}

    async def start(self):
        for name, clock in self.clocks.items():
            await Timer(self.rng.randrange(1, self.periods_ps[name]), "ps")
            clock.start()
        await Timer(10 * max(self.periods_ps.values()), "ps")
        for name in self.clocks:
            await RisingEdge(getattr(self.dut, f"{name}_clk"))
            getattr(self.dut, f"{name}_rst").value = 0
        await Timer(20 * max(self.periods_ps.values()), "ps")
        return self

    def back_pressure(self, share=0.5):
        def pauses():
            while True:
                yield self.rng.random() < share

        write, read = self.master.write_if, self.master.read_if
        for channel in (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel):
            channel.set_pause_generator(pauses())

    async def access(self, operation):
        return await with_timeout(cocotb.start_soon(operation), ACCESS_US, "us")

    async def read(self, address, resp=AxiResp.OKAY):
        done = await self.access(self.master.read(address, 4))
        assert done.resp == resp, f"read of {address:#x}: {done.resp.name}"
        return int.from_bytes(done.data, "little")

    async def write(self, address, value, resp=AxiResp.OKAY, length=4):
        done = await self.access(self.master.write(address, value.to_bytes(length, "little")))
        assert done.resp == resp, f"write of {address:#x}: {done.resp.name}"

    async def take(self, mask=3, polls=200):
        await self.write(SNAPSHOT, mask)
        for _ in range(polls):
            if await self.read(SNAPSHOT) & mask == 0:
                return
        raise AssertionError("the snapshot does not end")

    async def counters(self, base, count):
        words = [await self.read(base + 4 * i) for i in range(2 * count)]
        return tuple(words[2 * i] | words[2 * i + 1] << 32 for i in range(count))

    async def reset(self):
        """Of the bus alone."""
        self.dut.axil_rst.value = 1
        for _ in range(self.rng.choice([1, 3])):
            await RisingEdge(self.dut.axil_clk)
        self.dut.axil_rst.value = 0
        await RisingEdge(self.dut.axil_clk)

    async def pulse(self, domain, name, value=1):
        """For one cycle."""
        handle = getattr(self.dut, name)
        before = int(handle.value)
        await RisingEdge(getattr(self.dut, f"{domain}_clk"))
        handle.value = value
        await RisingEdge(getattr(self.dut, f"{domain}_clk"))
        handle.value = before


async def started(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    return await Bus(dut, rng).start(), rng
