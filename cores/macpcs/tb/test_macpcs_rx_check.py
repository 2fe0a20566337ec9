# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_rx_check: the verdict on frames of every length around the limits, against zlib."""

import os

import cocotb
import pytest

from baser import fcs, fcs_good
from macpcs_beats import NO_BEAT, beats_of, errors, fields
from ullnic_tb import Bench, Stepper, cocotb_tests, parameter, rtl, seeded

WIDTH = parameter("WIDTH", 32)
LATENCY, MIN_BYTES, MAX_BYTES = parameter("LATENCY", 1), parameter("MIN_BYTES", 64), parameter("MAX_BYTES", 9622)


@cocotb.test()
async def verdicts(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = Stepper(dut, ["beat_q", "status_valid", "status"])
    await s.reset(beat=NO_BEAT, code_error=0)
    lengths = [
        *range(12),
        *range(MIN_BYTES - 9, MIN_BYTES + 10),
        *range(MAX_BYTES - 9, MAX_BYTES + 10),
        4 * MAX_BYTES + 3,
    ]
    due, before, seen = [], NO_BEAT, set()

    async def cycle(beat, code_error):
        nonlocal before
        out = await s.step(beat=beat, code_error=code_error)
        assert out.beat_q == before or not before >> 37 and not out.beat_q >> 37
        before = beat
        assert bool(out.status_valid) == (bool(due) and due[0][0] == s.cycle)
        if out.status_valid:
            assert errors(out.status) == due.pop(0)[1]

    for n in rng.sample(lengths * 2, 2 * len(lengths)):
        octets = rng.randbytes(max(n - 4, 0))
        octets += rng.choice([fcs(octets), fcs(octets), rng.randbytes(4)])
        octets = octets[:n]
        cut = rng.random() < 0.2
        want = {"code"} if cut else set() if fcs_good(octets) else {"fcs"}
        want |= {"runt"} if n < MIN_BYTES else set()
        want |= {"oversize"} if n > MAX_BYTES else set()
        seen.add(frozenset(want))
        for beat in beats_of(octets, cut or rng.random() < 0.5, WIDTH // 8):
            while rng.random() < 0.1:
                await cycle(NO_BEAT, rng.getrandbits(1))
            last = beat >> 36 & 1
            if last:
                due.append((s.cycle + 1 + LATENCY, want))
            await cycle(beat, cut if last else rng.getrandbits(1))
        # Behind a frame that ended with the word before, another can follow at once, else after a preamble at least.
        for _ in range(rng.choice([0, 0, 1, 2, 3, 10] if fields(beat)[2] == 0 else [2, 3, 10])):
            await cycle(NO_BEAT, rng.getrandbits(1))
    assert not due
    assert {frozenset(), frozenset({"fcs"}), frozenset({"runt"}), frozenset({"oversize"})} <= seen


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"LATENCY": 0, "MIN_BYTES": 61, "MAX_BYTES": 1519},
        {"MIN_BYTES": 8, "MAX_BYTES": 1522},
        {"MIN_BYTES": 63, "MAX_BYTES": 1520},
        {"LATENCY": 2},
        {"LATENCY": 2, "WIDTH": 16},
        {"LATENCY": 1, "WIDTH": 16, "MIN_BYTES": 65, "MAX_BYTES": 1519},
        {"LATENCY": 0, "WIDTH": 16, "MIN_BYTES": 62, "MAX_BYTES": 1522},
    ],
    ids=lambda parameters: "-".join(f"{name[:3].lower()}{value}" for name, value in parameters.items()) or "default",
)
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_rx_check(parameters, test):
    Bench("macpcs_rx_check", rtl("common", "macpcs"), parameters).run(__name__, test)
