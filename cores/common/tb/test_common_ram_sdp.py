# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""ram_sdp: zero at first, a word a cycle after it is asked for, the old one where both ports meet, and kept."""

import os

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, cocotb_tests, rtl, seeded


@cocotb.test()
async def against_a_list(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = Stepper(dut, ["rd_data"])
    words, shown = [0] * 16, None
    for _ in range(2000):
        wr_en, wr_addr, wr_data = rng.getrandbits(1), rng.randrange(16), rng.getrandbits(9)
        rd_en, rd_addr = rng.getrandbits(1), rng.choice((wr_addr, rng.randrange(16)))
        out = await s.step(wr_en=wr_en, wr_addr=wr_addr, wr_data=wr_data, rd_en=rd_en, rd_addr=rd_addr)
        assert shown in (None, out.rd_data)
        if rd_en:
            shown = words[rd_addr]
        if wr_en:
            words[wr_addr] = wr_data


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_ram_sdp(test):
    sources = [path for path in rtl("common") if path.stem == "ram_sdp"]
    Bench("ram_sdp", sources, {"WIDTH": 9, "DEPTH": 16}).run(__name__, test)
