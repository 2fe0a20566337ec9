# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""radix4_select: every position, with powers of four and others, in steps of one and two."""

import os
from pathlib import Path

import cocotb
import pytest
from cocotb.triggers import Timer

from ullnic_tb import Bench, cocotb_tests, parameter, rtl, seeded

WIDTH, POSITIONS, STEP = parameter("WIDTH", 1), parameter("POSITIONS", 4), parameter("STEP", 1)


@cocotb.test()
async def every_position(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for _ in range(40):
        window = rng.getrandbits(WIDTH + STEP * (POSITIONS - 1))
        dut.window.value = window
        for sel in rng.sample(range(POSITIONS), POSITIONS):
            dut.sel.value = sel
            await Timer(1, "ns")
            assert int(dut.y.value) == window >> STEP * sel & (1 << WIDTH) - 1, f"position {sel}"


@pytest.mark.parametrize(
    "parameters",
    [
        {"WIDTH": 33, "POSITIONS": 32, "NAMED": 1},
        {"WIDTH": 16, "POSITIONS": 8, "STEP": 2},
        {"WIDTH": 3, "POSITIONS": 16, "STEP": 3},
        {"WIDTH": 5, "POSITIONS": 2},
        {"WIDTH": 1, "POSITIONS": 4},
    ],
    ids=lambda parameters: "-".join(map(str, parameters.values())),
)
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_radix4_select(parameters, test):
    sources = [path for path in rtl("common") if path.stem in ("mux4", "radix4_select")]
    Bench("radix4_bench", [*sources, Path(__file__).with_name("radix4_bench.sv")], parameters).run(__name__, test)
