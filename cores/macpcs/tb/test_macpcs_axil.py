# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_axil: the register map as it is documented, configuration that crosses whole, answers in time."""

import zlib

import cocotb
import pytest
from cocotb.triggers import Combine, FallingEdge, RisingEdge, Timer
from cocotbext.axi import AxiResp

from macpcs_axil_bench import (
    CONTROL,
    MAC_ADDRESS_HI,
    MAC_ADDRESS_LO,
    MAX_LENGTH,
    NOTHING,
    READ_ONLY,
    RX_COUNTERS,
    RX_STATS,
    SNAPSHOT,
    SOURCES,
    STATUS,
    TX_COUNTERS,
    TX_STATS,
    WRITABLE,
    generic,
    reset_values,
    started,
)
from ullnic_tb import Bench, cocotb_tests

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
