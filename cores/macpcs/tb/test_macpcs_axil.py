# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_axil: the register map as it is documented, counters without loss, and a bus that never hangs."""

import os
import zlib
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import Combine, FallingEdge, RisingEdge, Timer, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

from ullnic_tb import Bench, cocotb_tests, parameter, seeded

CORES = Path(__file__).resolve().parents[2]
SOURCES = [
    CORES / "macpcs/regs/generated/macpcs_regs_pkg.sv",
    CORES / "common/rtl/cdc_bits.sv",
    CORES / "common/rtl/cdc_handshake.sv",
    CORES / "macpcs/regs/generated/macpcs_regs.sv",
    CORES / "macpcs/rtl/macpcs_stats.sv",
    CORES / "macpcs/rtl/macpcs_axil.sv",
]
OTHER = [  # builds with every generic away from its default
    {
        "PMA_DATA_WIDTH": 16,
        "MAC_TX_DATA_WIDTH": 16,
        "MAC_RX_DATA_WIDTH": 16,
        "MAC_TX_CLK_FREQ_KHZ": 350000,
        "MAC_RX_CLK_FREQ_KHZ": 644531,
        "MAC_RX_MIN_PKT_LENGTH": 60,
        "MAC_RX_MAX_PKT_LENGTH": 1518,
        "DUAL_CLOCK_FIFO_TX_ENABLE": 1,
        "MAC_RX_CRC32_DISABLE": 1,
        "MAC_RX_ADDRESS_FILTER_ENABLE": 1,
        "MAC_TX_CRC32_ADD": 0,
        "MAC_TX_PADDING_SIZE": 16,
        "PMA_LOOPBACK_ENABLE": 1,
    },
    {
        "SYNC_DUAL_CLOCK_TX_ENABLE": 1,
        "SYNC_DUAL_CLOCK_RX_ENABLE": 1,
        "DUAL_CLOCK_FIFO_RX_ENABLE": 1,
        "DUAL_CLOCK_FIFO_TX_DEPTH": 64,
        "DUAL_CLOCK_FIFO_RX_DEPTH": 4096,
        "MAC_RX_CRC32_REMOVE": 1,
        "MAC_TX_PAUSE_LENGTH": 1000,
        "MAC_RX_ERROR_DELAYED_ENABLE": 1,
        "MAC_TX_CRC32_DISABLE": 1,
        "MAC_TX_CRC32_CORRUPTED_ON_ERROR": 0,
        "MAC_TX_PADDING_SIZE": 256,
        "MAC_TX_IFG_COUNT": 255,
        "USER_LOOPBACK_ENABLE": 1,
    },
]

# The map, written down a second time.
ID, VERSION, CAPABILITY, FIFO_DEPTH, TX_CLK_FREQ, RX_CLK_FREQ, FRAME_LENGTH, PAUSE_LENGTH = range(0x00, 0x20, 4)
CONTROL, MAC_ADDRESS_LO, MAC_ADDRESS_HI, MAX_LENGTH, CAPABILITY2 = range(0x20, 0x34, 4)
STATUS, STICKY, SNAPSHOT = range(0x40, 0x4C, 4)
RX_STATS, TX_STATS = 0x80, 0x100
RX_COUNTERS, TX_COUNTERS = 16, 5
WRITABLE = {  # address: bits that are kept
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
STICKY_BITS = {"block_lock": 0, "hi_ber": 1, "local_fault": 2, "remote_fault": 3, "link_up": 4}
GOOD = {"block_lock": 1, "hi_ber": 0, "local_fault": 0, "remote_fault": 0, "link_up": 1}
RX_RESET, TX_RESET = 1 << 8, 1 << 9
ACCESS_US = 20  # of virtual time: what an access may take with the slowest clock and back-pressure


def generic(name):
    defaults = {"PMA_DATA_WIDTH": 32, "MAC_TX_DATA_WIDTH": 32, "MAC_RX_DATA_WIDTH": 32}
    defaults |= {"DUAL_CLOCK_FIFO_TX_DEPTH": 16, "DUAL_CLOCK_FIFO_RX_DEPTH": 16, "MAC_RX_MAX_PKT_LENGTH": 9622}
    defaults |= {"MAC_RX_MIN_PKT_LENGTH": 64, "MAC_TX_PADDING_SIZE": 64, "MAC_TX_IFG_COUNT": 12}
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
    """The core's three clocks, quiet inputs, and a master whose accesses may not take for ever."""

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


@cocotb.test()
async def reset_values_are_as_documented(dut):
    """All of them, and again after everything was changed and axil_rst came."""
    bus, _ = await started(dut)
    for _ in range(2):
        for address, value in reset_values().items():
            assert await bus.read(address) == value, f"{address:#x}"
        assert await bus.read(STATUS) == 0x11
        for address in WRITABLE:
            await bus.write(address, 0x5A5A5A5A)
        dut.axil_rst.value = 1
        for _ in range(3):
            await RisingEdge(dut.axil_clk)
        dut.axil_rst.value = 0
        await Timer(2, "us")
    assert (
        await bus.counters(RX_STATS, RX_COUNTERS) == (0,) * RX_COUNTERS
        and await bus.counters(TX_STATS, TX_COUNTERS) == (0,) * TX_COUNTERS
    )


@cocotb.test()
async def access_rules(dut):
    """Bits that are kept, byte strobes; SLVERR and no change for what is not there or cannot be written."""
    bus, rng = await started(dut)
    bus.back_pressure(0.2)
    values = {address: reset_values()[address] for address in WRITABLE}
    for _ in range(150):
        address = rng.choice([*WRITABLE])
        length = rng.choice([1, 1, 2, 4])
        offset = rng.randrange(0, 4 - length + 1)
        data = rng.getrandbits(8 * length)
        await bus.write(address + offset, data, length=length)
        mask = ((1 << 8 * length) - 1) << 8 * offset
        values[address] = (values[address] & ~mask | data << 8 * offset) & WRITABLE[address]
        assert await bus.read(address) == values[address]
    for address in READ_ONLY:
        await bus.write(address, rng.getrandbits(32), AxiResp.SLVERR)
    for address in NOTHING:
        await bus.write(address, rng.getrandbits(32), AxiResp.SLVERR)
        await bus.read(address, AxiResp.SLVERR)
    for address, value in {**reset_values(), **values}.items():
        assert await bus.read(address) == value, f"{address:#x}"


@cocotb.test()
async def answers_in_time(dut):
    """As many cycles after the request as the head of the module says, and no access before it was asked for."""
    bus, rng = await started(dut)

    async def cycles(request, response):
        """From the edge that takes the last part of the request to the one that takes the response."""
        taken, count = set(), 0
        while True:
            await FallingEdge(dut.axil_clk)
            if taken == set(request):
                count += 1
            taken |= {
                c for c in request if getattr(dut, f"s_axil_{c}valid").value and getattr(dut, f"s_axil_{c}ready").value
            }
            if getattr(dut, f"s_axil_{response}valid").value and getattr(dut, f"s_axil_{response}ready").value:
                return count

    for _ in range(20):
        watch = cocotb.start_soon(cycles(["ar"], "r"))
        address = rng.choice([*READ_ONLY, *WRITABLE])
        await bus.read(address)
        assert await watch == (3 if address >= RX_STATS else 2), f"{address:#x}"
        watch = cocotb.start_soon(cycles(["aw", "w"], "b"))
        await bus.write(rng.choice([*WRITABLE]), rng.getrandbits(32))
        assert await watch == 2


@cocotb.test()
async def random_traffic(dut):
    """Reads and writes side by side, with back-pressure on all channels: each has its own answer."""
    bus, rng = await started(dut)
    bus.back_pressure(0.5)

    async def owner(address):
        for _ in range(25):
            value = rng.getrandbits(32)
            await bus.write(address, value)
            for _ in range(rng.randrange(3)):
                assert await bus.read(address) == value & WRITABLE[address]

    async def reader():
        known = {a: v for a, v in reset_values().items() if a not in WRITABLE and a != SNAPSHOT}
        for _ in range(80):
            address = rng.choice([*known])
            assert await bus.read(address) == known[address]

    async def stranger():
        for _ in range(60):
            if rng.random() < 0.5:
                await bus.read(rng.choice(NOTHING), AxiResp.SLVERR)
            else:
                await bus.write(rng.choice(NOTHING + READ_ONLY), rng.getrandbits(32), AxiResp.SLVERR)

    async def counter():
        for _ in range(60):
            assert await bus.read(rng.randrange(RX_STATS, RX_STATS + 8 * RX_COUNTERS, 4)) == 0
            assert await bus.read(rng.randrange(TX_STATS, TX_STATS + 8 * TX_COUNTERS, 4)) == 0

    await Combine(*map(cocotb.start_soon, [*map(owner, WRITABLE), reader(), stranger(), counter()]))


@cocotb.test()
async def configuration_arrives(dut):
    """Each field at the outputs of its domains, and nothing else changes."""
    bus, rng = await started(dut)
    for _ in range(25):
        value = {address: rng.getrandbits(32) & mask for address, mask in WRITABLE.items()}
        for address in WRITABLE:
            await bus.write(address, value[address])
        await Timer(2 * bus.periods_ps["axil"] + 6 * 1552, "ps")
        control = value[CONTROL]
        wanted = {
            "tx_prbs31": control & 3 == 1,
            "tx_test_idle": control & 3 == 2,
            "rx_test_prbs31": control >> 2 & 3 == 1,
            "rx_test_idle": control >> 2 & 3 == 2,
            "tx_ignore_fault": control >> 8 & 1,
            "tx_pause_req": control >> 9 & 1,
            "pma_loopback": control >> 12 & 1,
            "user_loopback": control >> 13 & 1,
            "rx_filter": control >> 16 & 1,
            "rx_pass_group": control >> 17 & 1,
            "mac_address": value[MAC_ADDRESS_HI] << 32 | value[MAC_ADDRESS_LO],
            "rx_max_length": value[MAX_LENGTH],
        }
        assert {name: int(getattr(dut, f"cfg_{name}").value) for name in wanted} == wanted


@cocotb.test()
async def longest_frame_crosses_whole(dut):
    """Through resets of both sides and while the receive clock stands still: never a value that was not in the
    register, never an older one after a newer one, and in the end the register's."""
    bus, rng = await started(dut)
    reset_value = generic("MAC_RX_MAX_PKT_LENGTH")
    register, seen = [reset_value], []  # what it has been, in order; what was seen of it

    async def watch():
        while True:
            await RisingEdge(dut.rx_clk)
            value = int(dut.cfg_rx_max_length.value)
            if not seen or value != seen[-1]:
                seen.append(value)

    async def reset(name, cycles):
        await RisingEdge(getattr(dut, f"{name}_clk"))
        getattr(dut, f"{name}_rst").value = 1
        for _ in range(cycles):
            await RisingEdge(getattr(dut, f"{name}_clk"))
        getattr(dut, f"{name}_rst").value = 0

    cocotb.start_soon(watch())
    for _ in range(12):
        resetting, running = None, True
        for _ in range(rng.randrange(1, 8)):
            event = rng.random()
            if event < 0.2 and running and (resetting is None or resetting.done()):
                resetting = cocotb.start_soon(reset("rx", rng.randrange(1, 60)))
            elif event < 0.3 and (resetting is None or resetting.done()):
                running = not running
                bus.clocks["rx"].start() if running else bus.clocks["rx"].stop()
            elif event < 0.4:
                register.append(reset_value)
                await reset("axil", rng.randrange(1, 4))
                await RisingEdge(dut.axil_clk)
            else:
                length = rng.choice([1, 2, 4])
                offset = rng.randrange(2) if length == 1 else 0
                data = rng.getrandbits(8 * length)
                mask = ((1 << 8 * length) - 1) << 8 * offset
                register.append((register[-1] & ~mask | data << 8 * offset) & 0xFFFF)
                await bus.write(MAX_LENGTH + offset, data, length=length)
            await Timer(rng.choice([1, 1, 10_000, 100_000]), "ps")
        if not running:
            bus.clocks["rx"].start()
        if resetting is not None:
            await resetting
        await Timer(1, "us")
        assert await bus.read(MAX_LENGTH) == register[-1] == int(dut.cfg_rx_max_length.value)
        register.append(rng.getrandbits(16))
        resetting = cocotb.start_soon(reset("rx", 200))  # it arrives in a reset
        await bus.write(MAX_LENGTH, register[-1])
        await Timer(2 * bus.periods_ps["axil"] + 6 * 1552, "ps")
        assert int(dut.cfg_rx_max_length.value) == register[-1]
        await resetting
    history = iter(register)
    assert all(value in history for value in seen), "values in an order that they never had"
    assert len(seen) > 12


@cocotb.test()
async def status_and_sticky_status(dut):
    """A pulse of one cycle of the fast clock is kept; 1 clears it, 0 does not; what lasts sets it again."""
    bus, rng = await started(dut)
    await Timer(1, "us")
    assert await bus.read(STICKY) & (RX_RESET | TX_RESET) == RX_RESET | TX_RESET
    await bus.write(STICKY, 0xFFFFFFFF)
    await Timer(1, "us")
    assert await bus.read(STICKY) == 0
    settle_ps = 30 * max(bus.periods_ps.values())
    for _ in range(20):
        names = rng.sample([*GOOD], rng.randrange(1, 4))
        for name in names:  # at once, or while the handshake is under way with the one before
            await bus.pulse("rx", f"rx_{name}", 1 - GOOD[name])
            await Timer(rng.choice([1, 5000, settle_ps]), "ps")
        await Timer(settle_ps, "ps")
        bits = sum(1 << STICKY_BITS[name] for name in names)
        await bus.write(STICKY, 0)
        assert await bus.read(STICKY) == bits
        part = bits & rng.getrandbits(5)
        await bus.write(STICKY, part)
        assert await bus.read(STICKY) == bits & ~part
        await bus.write(STICKY, bits)
        assert await bus.read(STICKY) == 0
        assert await bus.read(STATUS) == 0x11
    for name, good in GOOD.items():
        getattr(dut, f"rx_{name}").value = 1 - good
        await Timer(settle_ps, "ps")
        bit = 1 << STICKY_BITS[name]
        assert await bus.read(STATUS) == 0x11 ^ bit
        await bus.write(STICKY, bit)
        assert await bus.read(STICKY) == bit
        getattr(dut, f"rx_{name}").value = good
        await Timer(settle_ps, "ps")
        assert await bus.read(STICKY) == bit
        await bus.write(STICKY, bit)
        assert await bus.read(STICKY) == 0


class Events:
    """Pours events into one domain, as many as there can be, and keeps the totals that the counters ought to have."""

    def __init__(self, dut, domain, rng):
        self.dut, self.domain, self.rng = dut, domain, rng
        self.quiet, self.full, self.hi_ber = False, False, 0
        self.history = []
        cocotb.start_soon(self._play())

    def _draw(self):
        """Values for the ports, and what they add to the counters. Now and then all of them, for some rounds."""
        rng = self.rng
        if rng.random() < 0.01:
            self.full = not self.full

        def pulse():
            return int(self.full or rng.random() < 0.8)

        if self.domain == "tx":
            pulses = {name: pulse() for name in ("frame", "error", "underrun", "pause")}
            octets = 7 if self.full else rng.randrange(8)
            return pulses | {"bytes": octets}, (octets, *pulses.values())
        pulses = {name: pulse() for name in RX_PULSES}
        late = {name: pulse() for name in ("bad_header", "bad_block", "filtered")}
        frame = pulse()
        for name in WRONG:  # only where a frame ends, and half of these are good
            pulses[name] &= frame
        if rng.getrandbits(1):
            pulses |= dict.fromkeys(WRONG, 0)
        bad = int(any(pulses[name] for name in WRONG))
        good = frame - bad
        length = 4095 if self.full else rng.randrange(4096)  # in a round less than 2^17
        errors = 63 if self.full else rng.randrange(64)
        hi_ber = rng.getrandbits(1)
        begins = hi_ber and not self.hi_ber
        self.hi_ber = hi_ber
        ports = pulses | late | {"frame": frame, "bytes": length, "pattern_errors": errors}
        adds = (good * length, bad * length, errors, good, bad, *pulses.values(), int(begins), *late.values())
        return ports | {"hi_ber": hi_ber}, adds

    def _rest(self):
        names = ["frame", "error", "underrun", "pause", "bytes"]
        if self.domain == "rx":
            names = [*RX_PULSES, "bad_header", "bad_block", "filtered", "frame", "bytes", "pattern_errors", "hi_ber"]
        self.hi_ber = 0
        return dict.fromkeys(names, 0), (0,) * (TX_COUNTERS if self.domain == "tx" else RX_COUNTERS)

    async def _play(self):
        dut, domain = self.dut, self.domain
        ports, adds = self._rest()
        self.totals, before = adds, {}
        while True:
            await RisingEdge(getattr(dut, f"{domain}_clk"))
            self.totals = tuple(map(sum, zip(self.totals, adds, strict=True)))
            if getattr(dut, f"{domain}_rst").value:
                self.totals = (0,) * len(adds)
                self.hi_ber = 0
            self.history.append(self.totals)
            ports, adds = self._rest() if self.quiet else self._draw()
            for name, value in ports.items():
                if before.get(name) != value:
                    getattr(dut, "rx_hi_ber" if name == "hi_ber" else f"stat_{domain}_{name}").value = value
            before = ports


@cocotb.test()
async def counters_lose_nothing(dut):
    """Events in every cycle of both domains, snapshots at any time: each is the totals of a cycle; the last the sum."""
    bus, rng = await started(dut)
    events = {"rx": Events(dut, "rx", rng), "tx": Events(dut, "tx", rng)}
    for n in range(15):
        await Timer(rng.randrange(1, 400_000), "ps")
        if n == 14:
            for source in events.values():
                source.quiet = True
            await Timer(5000, "ps")
        mask = 3 if n == 14 else rng.randrange(1, 4)
        marks = {name: len(source.history) - 1 for name, source in events.items()}
        await bus.take(mask)
        ends = {name: len(source.history) for name, source in events.items()}
        for bit, (name, base, count) in enumerate((("rx", RX_STATS, RX_COUNTERS), ("tx", TX_STATS, TX_COUNTERS))):
            values = await bus.counters(base, count)
            if mask >> bit & 1:
                assert values in events[name].history[marks[name] : ends[name] + 1], name
    for name, base, count in (("rx", RX_STATS, RX_COUNTERS), ("tx", TX_STATS, TX_COUNTERS)):
        assert await bus.counters(base, count) == events[name].totals
        assert all(events[name].totals)


@cocotb.test()
async def never_hangs(dut):
    """Each domain's reset, one of the clocks stopped: every access is answered, and afterwards all is in order."""
    bus, rng = await started(dut)
    events = {"rx": Events(dut, "rx", rng), "tx": Events(dut, "tx", rng)}
    bus.back_pressure(0.2)
    running = {"rx": True, "tx": True}

    async def trouble():
        for _ in range(25):
            await Timer(rng.randrange(1, 300_000), "ps")
            name = rng.choice(["rx", "tx"])
            what = rng.choice(["stop", "reset"])
            if what == "stop" and running[name]:
                bus.clocks[name].stop()
                running[name] = False
            elif not running[name]:
                bus.clocks[name].start()
                running[name] = True
            else:
                clk, rst = getattr(dut, f"{name}_clk"), getattr(dut, f"{name}_rst")
                await RisingEdge(clk)
                rst.value = 1
                for _ in range(rng.choice([1, 2, 5, 40])):
                    await RisingEdge(clk)
                rst.value = 0
        for name in running:
            if not running[name]:
                bus.clocks[name].start()

    troubling = cocotb.start_soon(trouble())
    while not troubling.done():
        choice = rng.random()
        if choice < 0.3:
            await bus.write(SNAPSHOT, rng.getrandbits(2))
        elif choice < 0.6:
            await bus.read(rng.choice(READ_ONLY + [SNAPSHOT, STICKY]))
        elif choice < 0.8:
            await bus.write(STICKY, rng.getrandbits(10))
        elif choice < 0.95:
            await bus.write(rng.choice([*WRITABLE]), rng.getrandbits(32))
        else:
            dut.axil_rst.value = 1
            for _ in range(rng.choice([1, 3])):
                await RisingEdge(dut.axil_clk)
            dut.axil_rst.value = 0
            await RisingEdge(dut.axil_clk)
    await troubling
    for source in events.values():
        source.quiet = True
    await Timer(1, "us")
    await bus.take()
    for name, base, count in (("rx", RX_STATS, RX_COUNTERS), ("tx", TX_STATS, TX_COUNTERS)):
        assert await bus.counters(base, count) == events[name].totals
    for name, bit in (("rx", RX_RESET), ("tx", TX_RESET)):
        await bus.write(STICKY, 0xFFFFFFFF)
        await Timer(1, "us")
        assert await bus.read(STICKY) == 0
        await bus.pulse(name, f"{name}_rst")
        await Timer(1, "us")
        assert await bus.read(STICKY) & (RX_RESET | TX_RESET) == bit
        await FallingEdge(dut.axil_clk)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_macpcs_axil(test):
    Bench("macpcs_axil", SOURCES).run(__name__, test)


class ManyGenerics(Bench):
    """Too many for a file name."""

    @property
    def label(self) -> str:
        return f"{self.top}-{zlib.crc32(repr(sorted(self.parameters.items())).encode()):08x}"


@pytest.mark.parametrize("parameters", OTHER, ids=["first", "second"])
def test_macpcs_axil_of_other_generics(parameters):
    ManyGenerics("macpcs_axil", SOURCES, parameters).run(__name__, "reset_values_are_as_documented")
