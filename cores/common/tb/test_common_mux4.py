# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""mux4: each input under its own select value, bit by bit."""

import os

import cocotb
import pytest
from cocotb.triggers import Timer

from ullnic_tb import Bench, cocotb_tests, rtl, seeded


@cocotb.test()
async def selects(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for _ in range(300):
        words = [rng.getrandbits(8) for _ in range(4)]
        for i, word in enumerate(words):
            getattr(dut, f"d{i}").value = word
        for i in rng.sample(range(4), 4):
            dut.sel.value = i
            await Timer(1, "ns")
            assert int(dut.y.value) == words[i]


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_mux4(test):
    Bench("mux4", rtl("common"), {"WIDTH": 8}).run(__name__, test)
