# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_rx_check: the verdict on frames of every length around the limits, against zlib."""

import os

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, Timer

from baser import fcs, fcs_good
from macpcs_beats import NO_BEAT, beat, beats_of, errors, fields
from ullnic_tb import Bench, Stepper, main_and_kept, parameter, rtl, seeded

WIDTH = parameter("WIDTH", 32)
LATENCY, MIN_BYTES, CHECKED = parameter("LATENCY", 1), parameter("MIN_BYTES", 64), not parameter("CRC32_DISABLE", 0)
BYTES = WIDTH // 8


class Check:
    """Steps the module and compares every cycle: when verdicts come and what they say, beat_q and length."""

    def __init__(self, dut):
        self.dut, self.rng = dut, seeded(os.environ["ULLNIC_TEST_NAME"])
        self.stepper = Stepper(dut, ["beat_q", "status_valid", "status", "length"])
        self.due, self.before, self.length, self.seen = [], NO_BEAT, None, set()

    async def reset(self):
        await self.stepper.reset(beat=NO_BEAT, code_error=0, max_length=0)

    async def cycle(self, value, code_error):
        out = await self.stepper.step(beat=value, code_error=code_error)
        assert out.beat_q == self.before or not self.before >> 37 and not out.beat_q >> 37
        assert self.length is None or out.length == self.length
        self.before, self.length = value, None
        assert bool(out.status_valid) == (bool(self.due) and self.due[0][0] == self.stepper.cycle)
        if out.status_valid:
            _, want, n_bytes = self.due.pop(0)
            assert errors(out.status) == want, f"{errors(out.status)}, wanted {want} of {n_bytes} bytes"
            self.length = min(n_bytes, 65535)

    async def junk(self, cycles: int):
        for _ in range(cycles):
            await self.cycle(NO_BEAT, self.rng.getrandbits(1))

    def judge(self, octets: bytes, cut: bool, max_length: int) -> None:
        """The beat that is given next is the last one of a frame of these bytes."""
        want = {"code"} if cut else set() if fcs_good(octets) or not CHECKED else {"fcs"}
        want |= {"runt"} if len(octets) < MIN_BYTES else set()
        want |= {"oversize"} if len(octets) > max_length else set()
        self.seen.add(frozenset(want))
        self.due.append((self.stepper.cycle + 1 + LATENCY, want, len(octets)))

    async def same_words(self, word: int, n_words: int):
        """The same word for long, without a look at the outputs."""
        self.stepper.set(beat=beat(word, (1 << BYTES) - 1), code_error=0)
        clock = Clock(self.dut.clk, 2, "ns")
        clock.start(start_high=False)
        await ClockCycles(self.dut.clk, n_words, RisingEdge)
        clock.stop()
        self.dut.clk.value = 0
        await Timer(1, "ns")
        self.stepper.cycle += n_words
        self.before = beat(word, (1 << BYTES) - 1)


@cocotb.test()
async def verdicts(dut):
    """All lengths around both limits, for several values of max_length."""
    check = Check(dut)
    await check.reset()
    rng = check.rng
    for max_length in [0, 1, 2, 3, 5, rng.randrange(6, 60), MIN_BYTES - 1, MIN_BYTES, *range(300, 304), 1518, 65535]:
        await check.junk(4)
        check.stepper.set(max_length=max_length)
        near = range(max(max_length - BYTES - 1, 0), min(max_length, 1600) + BYTES + 3)
        lengths = {*range(6), *range(max(MIN_BYTES - BYTES - 1, 0), MIN_BYTES + BYTES + 2), *near, rng.randrange(2000)}
        for n in rng.sample([*lengths], len(lengths)):
            octets = rng.randbytes(max(n - 4, 0))
            octets += rng.choice([fcs(octets), fcs(octets), rng.randbytes(4)])
            octets = octets[:n]
            cut = rng.random() < 0.2
            for value in beats_of(octets, cut or rng.random() < 0.5, BYTES):
                while rng.random() < 0.1:
                    await check.junk(1)
                last = value >> 36 & 1
                if last:
                    check.judge(octets, cut, max_length)
                await check.cycle(value, cut if last else rng.getrandbits(1))
            # Behind a frame that ended with the word before, another can follow at once, else after a preamble.
            await check.junk(rng.choice([0, 0, 1, 2, 3, 10] if fields(value)[2] == 0 else [2, 3, 10]))
    await check.junk(4)
    assert not check.due
    assert {frozenset(), frozenset({"runt"}), frozenset({"oversize"}), frozenset({"runt", "oversize"})} <= check.seen
    assert any("fcs" in want for want in check.seen) == CHECKED


@cocotb.test()
async def giants(dut):
    """As long as the counter reaches, and far beyond; every such frame is followed by a short one."""
    check = Check(dut)
    await check.reset()
    rng = check.rng
    for max_length, lengths in [
        (65535, [65533, 65534, 65535, 65536, 65537, 131072 + 65]),
        (65532, [65532, 65533]),
        (9622, [9622, 9623, 65536 + 9622]),
        (0, [65536]),
    ]:
        await check.junk(4)
        check.stepper.set(max_length=max_length)
        for n in lengths:
            word = rng.getrandbits(WIDTH)
            octets = word.to_bytes(BYTES, "little") * (n // BYTES - 4)
            octets += rng.randbytes(n - 4 - len(octets))
            octets += fcs(octets)
            await check.same_words(word, n // BYTES - 4)
            tail = beats_of(octets[n // BYTES * BYTES - 4 * BYTES :], rng.random() < 0.5, BYTES)
            assert sum(fields(value)[2].bit_count() for value in tail) + (n // BYTES - 4) * BYTES == n
            for value in tail:
                if value is tail[-1]:
                    check.judge(octets, False, max_length)
                await check.cycle(value, 0)
            await check.junk(3)
            octets = rng.randbytes(60)
            octets += fcs(octets)
            for value in (values := beats_of(octets, n_bytes=BYTES)):
                if value is values[-1]:
                    check.judge(octets, False, max_length)
                await check.cycle(value, 0)
            await check.junk(3)
    assert not check.due
    assert {frozenset(), frozenset({"oversize"})} <= check.seen


CHEAP_16 = {"LATENCY": 0, "WIDTH": 16, "MIN_BYTES": 62, "CRC32_DISABLE": 1}


@pytest.mark.parametrize(
    "parameters",
    main_and_kept(
        __file__,
        [
            {},
            {"LATENCY": 0, "MIN_BYTES": 61},
            {"MIN_BYTES": 8},
            {"MIN_BYTES": 63, "CRC32_DISABLE": 1},
            {"LATENCY": 2},
            {"LATENCY": 2, "WIDTH": 16},
            {"LATENCY": 1, "WIDTH": 16, "MIN_BYTES": 65},
            CHEAP_16,
        ],
    ),
    ids=lambda parameters: "-".join(f"{name[:3].lower()}{value}" for name, value in parameters.items()) or "default",
)
def test_rx_check(parameters):
    Bench("macpcs_rx_check", rtl("common", "macpcs"), parameters).run(__name__, "verdicts")


@pytest.mark.parametrize(
    "parameters", main_and_kept(__file__, [{}, {"LATENCY": 2, "WIDTH": 16}, CHEAP_16]), ids=["32", "16", "16-at-once"]
)
def test_rx_check_giants(parameters):
    Bench("macpcs_rx_check", rtl("common", "macpcs"), parameters).run(__name__, "giants")
