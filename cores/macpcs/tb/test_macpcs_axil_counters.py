# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_axil: status that is kept, counters without loss, and a bus that never hangs."""

import cocotb
import pytest
from cocotb.triggers import FallingEdge, RisingEdge, Timer

from macpcs_axil_bench import (
    BAD_AFTER,
    GOOD,
    READ_ONLY,
    RX_COUNTERS,
    RX_PULSES,
    RX_RESET,
    RX_STATS,
    SNAPSHOT,
    SOURCES,
    STATUS,
    STICKY,
    STICKY_BITS,
    TX_COUNTERS,
    TX_RESET,
    TX_STATS,
    WRITABLE,
    WRONG,
    started,
)
from ullnic_tb import Bench, cocotb_tests


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
        part = bits & rng.getrandbits(7)
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


@cocotb.test()
async def frame_that_the_block_after_it_makes_bad(dut):
    """Its pulse is kept in a sticky bit, and shows nowhere in the status."""
    bus, _ = await started(dut)
    await Timer(1, "us")
    await bus.write(STICKY, 0xFFFFFFFF)
    await bus.pulse("rx", "stat_rx_bad_after", 1)
    await Timer(1, "us")
    assert await bus.read(STATUS) == 0x11
    assert await bus.read(STICKY) == BAD_AFTER
    await bus.write(STICKY, BAD_AFTER)
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
    """Events in every cycle of both domains, snapshots at any time: each is the totals of a cycle; the last the sum.

    Some are asked for after a reset of the bus, while the one of before it is still under way: they are newer.
    """
    bus, rng = await started(dut)
    events = {"rx": Events(dut, "rx", rng), "tx": Events(dut, "tx", rng)}

    async def clocks_stand_still():
        for name in events:
            bus.clocks[name].stop()
        await Timer(rng.randrange(1, 40) * bus.periods_ps["axil"], "ps")
        for name in events:
            bus.clocks[name].start()

    for n in range(15):
        await Timer(rng.randrange(1, 400_000), "ps")
        if n == 14:
            for source in events.values():
                source.quiet = True
            await Timer(5000, "ps")
        mask = 3 if n == 14 else rng.randrange(1, 4)
        if n % 2:
            await bus.write(SNAPSHOT, 3)
            await Timer(rng.randrange(1, 100_000), "ps")
            cocotb.start_soon(clocks_stand_still())
            await bus.reset()
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
            await bus.reset()
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
def test_macpcs_axil_counters(test):
    Bench("macpcs_axil", SOURCES).run(__name__, test)
