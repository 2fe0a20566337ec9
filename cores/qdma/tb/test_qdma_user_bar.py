# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The user BAR: TLPs become accesses of cocotbext-axi's AXI4-Lite slave, in their order, whatever the slave's pace."""

import cocotb
import pytest
from cocotbext.axi import AxiLiteBus, AxiLiteSlave, MemoryRegion

from qdma_bed import OK, UNSUPPORTED, Bed, qdma_bench, running_test
from qdma_contract import CSR_UNMAPPED, TRQ
from ullnic_tb import cocotb_tests, seeded

BAR = 2
BYTES = 1 << 19
REFUSED = 0x7F000  # and what lies above
ALL = 0xFFFFFFFF


class User(MemoryRegion):
    """Memory, but for an area that answers with an error. Keeps the order of the accesses, and whose BAR it is."""

    def __init__(self, dut):
        super().__init__(BYTES)
        self.dut = dut
        self.seen: list[tuple[int, bool, int]] = []

    def _see(self, address: int, is_write: bool) -> None:
        self.seen.append((int(self.dut.m_axil_user_func.value), is_write, address & ~3))
        if address >= REFUSED:
            raise ValueError("refused")

    async def _read(self, address, length, **kwargs):
        self._see(address, False)
        return await super()._read(address, length, **kwargs)

    async def _write(self, address, data, **kwargs):
        self._see(address, True)
        await super()._write(address, data, **kwargs)


def pauses(rng, share: float):
    while True:
        yield rng.random() < share


async def user_bed(dut, rng, share: float) -> tuple[Bed, User]:
    bed, user = await Bed(dut).reset(), User(dut)
    slave = AxiLiteSlave(AxiLiteBus.from_prefix(dut, "m_axil_user"), dut.clk, dut.rst, target=user)
    write, read = slave.write_if, slave.read_if
    for channel in (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel):
        channel.set_pause_generator(pauses(rng, share))
    return bed, user


@cocotb.test()
async def accesses(dut):
    """Reads and writes of 1 to 16 dwords of both PFs, with all byte enables, beside those of BAR 0."""
    rng = seeded(running_test())
    bed, user = await user_bed(dut, rng, rng.choice((0, 0.3, 0.7)))
    memory = bytearray(BYTES)
    for _ in range(80):
        count, func = rng.randrange(1, 17), rng.randrange(2)
        first = rng.randrange(1, 16)
        last = rng.randrange(1, 16) if count > 1 else 0
        strobes = [first, *[15] * (count - 2), *([last] if count > 1 else [])]
        address = 4 * rng.choice((0, rng.randrange(64), REFUSED // 4 - count))
        shape = {"dwords": count, "first_be": first, "last_be": last, "bar": BAR}
        before = len(user.seen)
        is_write = rng.random() < 0.5
        if is_write:
            data = rng.getrandbits(32 * count)
            await bed.tlp(func, address, write=True, data=data, **shape)
            await bed.write(0, 0x80, data & ALL)  # of BAR 0, accepted when the write has been done
            for i in range(4 * count):
                if strobes[i // 4] >> i % 4 & 1:
                    memory[address + i] = data >> 8 * i & 0xFF
        else:
            got = await bed.tlp(func, address, write=False, **shape)
            assert (int(dut.status.value), int(dut.answer_dwords.value)) == (OK, count)
            assert got & (1 << 32 * count) - 1 == int.from_bytes(memory[address : address + 4 * count], "little")
        order = list(dict.fromkeys(user.seen[before:]))  # cocotbext-axi writes each run of bytes by itself
        assert order == [(func, is_write, address + 4 * i) for i in range(count)]
    assert user.mem[:] == bytes(memory)


@cocotb.test()
async def refused(dut):
    """The user's errors: all ones, counted, none of the DMA's. What is beyond the BAR, or a VF's, is unsupported."""
    rng = seeded(running_test())
    bed, user = await user_bed(dut, rng, 0.3)
    for n in range(1, 9):
        if n % 2:
            got = await bed.tlp(0, REFUSED + 4 * n, write=False, bar=BAR)
            assert (int(dut.status.value), got & ALL) == (OK, ALL)
        else:
            await bed.tlp(0, REFUSED + 4 * n, write=True, data=n, bar=BAR)
            await bed.read(0, 0x80)
        assert int(dut.user_refused.value) == n
    assert await bed.read(0, TRQ[0]) == 0
    await bed.tlp(1, 0x100, write=True, data=0x12345678, bar=BAR)
    assert await bed.tlp(0, 0x100, write=False, bar=BAR) & ALL == 0x12345678
    seen = len(user.seen)
    for func, address in ((0, BYTES), (1, BYTES + 0x100), (0, BYTES - 4), (4, 0x100), (7, 0)):
        dwords = 2 if address == BYTES - 4 else 1
        for write in (False, True):
            await bed.tlp(func, address, write=write, dwords=dwords, last_be=15 * (dwords - 1), bar=BAR)
            if not write:
                assert (int(dut.status.value), int(dut.answer_dwords.value)) == (UNSUPPORTED, 0)
            assert await bed.read(0, TRQ[0]) == 1 << CSR_UNMAPPED
            await bed.write(0, TRQ[0], ALL)
    assert len(user.seen) == seen


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_user_bar(test):
    qdma_bench().run("test_qdma_user_bar", test)
