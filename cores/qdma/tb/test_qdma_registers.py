# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Every register of BAR 0 against the contract: value after a reset, bits that can be written, byte enables, what lies
between the registers; and TLPs of every shape."""

import cocotb
import pytest

from qdma_bed import OK, UNSUPPORTED, Bed, parameters, qdma_bench, running_test
from qdma_contract import COMMAND, CONSTANT, CSR_UNMAPPED, PLAIN, TRQ, VF_ACCESS
from qdma_model import Model
from ullnic_tb import cocotb_tests, seeded


async def same(bed: Bed, model: Model, func: int, address: int) -> None:
    got, wanted = await bed.read(func, address), model.read(func, address)
    assert got == wanted, f"function {func}, {address:#07x}: {got:#010x}, not {wanted:#010x}"


@cocotb.test()
async def after_reset(dut):
    """Each dword of the registers' 8 KiB, through both PFs; those without a register are an error and read as 0."""
    dut.max_payload.value, dut.max_read_request.value = 1, 2
    bed = await Bed(dut).reset()
    dut.max_payload.value, dut.max_read_request.value = 1, 2
    model = Model(*parameters(), 1, 2)
    for address in range(0, 0x1500, 4):
        await same(bed, model, address // 4 % 2, address)
    for address in (0x1FFC, 0x2000, 0x2414, 0x2500, 0x22400, 0x30000, 0x17FFC, 0x20000, 0x3FFFC):
        await same(bed, model, 0, address)
    await same(bed, model, 0, TRQ[0])
    await same(bed, model, 0, 0x26C)


@cocotb.test()
async def written(dut):
    """Random values, whole and in part; each register keeps its own; the others do not change."""
    rng = seeded(running_test())
    bed, model = await Bed(dut).reset(), Model(*parameters())
    addresses = [*PLAIN, *CONSTANT, 0x008, 0x104, 0x120, 0x12C, 0x25C, 0x26C, 0xB30, 0x44, 0x1500]
    rng.shuffle(addresses)
    for address in addresses:
        value = rng.getrandbits(32) & ~(1 << 24 if address == 0xB04 else 0)
        strobe = rng.choice((15, 15, *range(16)))
        await bed.write(0, address, value, strobe)
        if strobe:
            model.write(0, address, value, strobe)
    for address in sorted(addresses):
        await same(bed, model, rng.randrange(2), address)


@cocotb.test()
async def shapes(dut):
    """Reads and writes of 1 to 16 dwords with all byte enables; others are refused."""
    rng = seeded(running_test())
    bed, model = await Bed(dut).reset(), Model(*parameters())
    for _ in range(60):
        count = rng.randrange(1, 17)
        first, last = rng.randrange(16), rng.randrange(16) if count > 1 else 0
        strobes = [first, *[15] * (count - 2), *([last] if count > 1 else [])]
        address = 0x804 + 4 * rng.randrange(17 - count) if rng.random() < 0.5 else 0x204 + 4 * rng.randrange(17 - count)
        shape = {"dwords": count, "first_be": first, "last_be": last}
        if rng.random() < 0.5:
            data = rng.getrandbits(512)
            await bed.tlp(1, address, write=True, data=data, **shape)
            for i, strobe in enumerate(strobes):
                if strobe:
                    model.write(1, address + 4 * i, data >> 32 * i & 0xFFFFFFFF, strobe)
        else:
            got = await bed.tlp(1, address, write=False, **shape)
            assert (int(dut.status.value), int(dut.answer_dwords.value)) == (OK, count)
            for i, strobe in enumerate(strobes):
                wanted = model.read(1, address + 4 * i) if strobe else 0
                assert got >> 32 * i & 0xFFFFFFFF == wanted, (hex(address), i)
            enabled = [4 * i + b for i, strobe in enumerate(strobes) for b in range(4) if strobe >> b & 1]
            if count == 1:
                edge = (enabled[0], enabled[-1] - enabled[0] + 1) if enabled else (0, 1)
                lower = int(dut.lower_addr.value)
                assert (lower, int(dut.byte_count.value)) == ((address + edge[0]) % 128, edge[1])
            elif first and last:
                assert int(dut.byte_count.value) == enabled[-1] - enabled[0] + 1
    for refused in (
        {"dwords": 17, "last_be": 15, "beats": 2},
        {"dwords": 1024, "last_be": 15, "beats": 16},
        {"dwords": 1, "bar": 2},
        {"dwords": 1, "bar": 4},
    ):
        for write in (False, True):
            await bed.tlp(0, 0x204, write=write, data=(1 << 512) - 1, **refused)
            model.unsupported(0, 0x204)
            if not write:
                assert (int(dut.status.value), int(dut.answer_dwords.value)) == (UNSUPPORTED, 0)
            await same(bed, model, 0, TRQ[0])
            await bed.write(0, TRQ[0], 0xFFFFFFFF)
            model.write(0, TRQ[0], 0xFFFFFFFF)
    await bed.tlp(0, 0x3FFFC, write=False, dwords=2, last_be=15)
    assert int(dut.status.value) == UNSUPPORTED
    for i in range(16):
        await same(bed, model, 0, 0x204 + 4 * i)


@cocotb.test()
async def virtual_function(dut):
    """A VF sees its version, its user BAR and its doorbells; all else of a PF is an error of its own."""
    bed, model = await Bed(dut).reset(), Model(*parameters())
    for func in (4, 7):
        assert await bed.read(func, 0x5014) >> 16 == 0x1FD3
        assert await bed.read(func, 0x5018) == 0
        assert await bed.read(func, 0x1014) >> 16 != 0x1FD3
        assert await bed.read(0, TRQ[0]) == 1 << VF_ACCESS
        assert await bed.read(0, 0x26C) == 1 << 27 | func << 17 | 0x1014
        await bed.write(0, TRQ[0], 1 << VF_ACCESS)
        for address in (0x000, 0x204, 0x804, COMMAND, 0xB04, 0x18004, 0x1FFFC):
            await bed.write(func, address, 0xFFFFFFFF)
            assert await bed.read(func, address) == 0
            assert await bed.read(0, TRQ[0]) == 1 << VF_ACCESS, hex(address)
            await bed.write(0, TRQ[0], 1 << VF_ACCESS)
        for address in (0x5014, 0x501C, 0x4000, 0x2FFC, 0x5000):
            await bed.write(func, address, 0xFFFFFFFF)
            assert await bed.read(0, TRQ[0]) == 1 << CSR_UNMAPPED, hex(address)
            await bed.write(0, TRQ[0], 1 << CSR_UNMAPPED)
    for func in (2, 3, 8, 255):  # not built
        assert await bed.read(func, 0) == 0
        assert await bed.read(0, TRQ[0]) == 1 << CSR_UNMAPPED
        await bed.write(0, TRQ[0], 1 << CSR_UNMAPPED)
    for address in PLAIN:
        await same(bed, model, 0, address)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_registers(test):
    qdma_bench().run("test_qdma_registers", test)
