# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""crc32_pkg against zlib, whose CRC-32 is that of IEEE 802.3."""

import os
import zlib
from pathlib import Path

import cocotb
import pytest
from cocotb.triggers import Timer

from ullnic_tb import Bench, cocotb_tests, rtl, seeded

ONES = 0xFFFFFFFF


def register_after(crc: int, octets: bytes) -> int:
    """zlib keeps the complement of the register."""
    return zlib.crc32(octets, crc ^ ONES) ^ ONES


@cocotb.test()
async def words_and_parts_of_words(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for _ in range(2000):
        n = rng.randrange(1, 5)
        crc, octets = rng.getrandbits(32), rng.randbytes(n)
        dut.crc.value, dut.data.value, dut.bytes.value = crc, int.from_bytes(octets, "little"), n % 4
        await Timer(1, "ns")
        assert int(dut.word.value) == register_after(crc, octets)


@cocotb.test()
async def halfwords(dut):
    """Two bytes at a time, and a last one alone."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for _ in range(2000):
        crc, octets = rng.getrandbits(32), rng.randbytes(rng.randrange(1, 3))
        dut.crc.value, dut.bytes.value = crc, len(octets)
        dut.data.value = rng.getrandbits(16) << 16 | int.from_bytes(octets.ljust(2, b"\x5a"), "little")
        await Timer(1, "ns")
        assert int(dut.half.value) == register_after(crc, octets)


@cocotb.test()
async def check_value(dut):
    """The catalogue's check value, 0xCBF43926 over "123456789" (RevEng, CRC-32/ISO-HDLC)."""
    crc = ONES
    for part in (b"1234", b"5678", b"9"):
        dut.crc.value, dut.data.value, dut.bytes.value = crc, int.from_bytes(part, "little"), len(part) % 4
        await Timer(1, "ns")
        crc = int(dut.word.value)
    assert crc ^ ONES == 0xCBF43926


@cocotb.test()
async def shifted_back(dut):
    """crc32_unshift undoes as many bits: four zero octets lead from its result to where it began."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for _ in range(500):
        crc = rng.getrandbits(32)
        dut.crc.value = crc
        await Timer(1, "ns")
        assert int(dut.unshift1.value) == crc
        assert register_after(int(dut.unshift4.value), bytes(4)) == crc


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_crc32(test):
    Bench("crc32_bench", [*rtl("common"), Path(__file__).with_name("crc32_bench.sv")]).run(__name__, test)
