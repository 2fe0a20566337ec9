# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_tx_fcs: frames of any length against zlib, with pauses between the words."""

import os
import zlib

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, cocotb_tests, rtl, seeded


@cocotb.test()
async def frames(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = Stepper(dut, ["crc"])
    for length in [*range(1, 70), *(rng.randrange(1, 300) for _ in range(30))]:
        octets = rng.randbytes(length)
        for at in range(0, length, 4):
            word = octets[at : at + 4]
            while rng.random() < 0.2:
                await s.step(step=0, first=rng.getrandbits(1), data=rng.getrandbits(32), bytes=rng.getrandbits(2))
            await s.step(step=1, first=at == 0, data=int.from_bytes(word, "little"), bytes=len(word) % 4)
        assert (await s.look()).crc ^ 0xFFFFFFFF == zlib.crc32(octets)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_tx_fcs(test):
    Bench("macpcs_tx_fcs", rtl("common", "macpcs")).run(__name__, test)
