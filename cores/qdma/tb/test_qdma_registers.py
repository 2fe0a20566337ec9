# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Every register of BAR 0 against the contract: value after a reset, bits that can be written, byte enables, what lies
between the registers; and TLPs of every shape."""

import cocotb
import pytest

from qdma_bed import OK, UNSUPPORTED, Bed, parameters, qdma_bench, running_test
from qdma_contract import (
    ALL,
    BAD_LENGTH,
    BYTE_COUNT,
    C2H,
    CIDX_ERROR,
    CLEAR,
    COMMAND,
    CONSTANT,
    CSR_UNMAPPED,
    DSC,
    FULL_QUEUE,
    GLOBAL_STATUS,
    INVALID_QUEUE,
    INVALIDATE,
    NO_INTERRUPT,
    PARAM,
    PF_MSIX,
    PLAIN,
    POISON,
    READ,
    SW_C2H,
    SW_H2C,
    TIMEOUT,
    TRQ,
    UR_CA,
    VF_ACCESS,
    VF_MSIX,
    WRITE,
)
from qdma_model import Model
from ullnic_tb import cocotb_tests, seeded

FLRS = ((0, 0x2500), (1, 0x22500), (4, 0x1100), (7, 0x5100))  # functions, and where each asks for its reset


async def same(bed: Bed, model: Model, func: int, address: int) -> None:
    got, wanted = await bed.read(func, address), model.read(func, address)
    assert got == wanted, f"function {func}, {address:#07x}: {got:#010x}, not {wanted:#010x}"


@cocotb.test()
async def after_reset(dut):
    """Each dword of the registers' 8 KiB, through both PFs; those without a register are an error and read as 0. What
    was written before the reset, or asked for, has no effect after it."""
    rng = seeded(running_test())
    bed = await Bed(dut).reset()
    dut.max_payload.value, dut.max_read_request.value = 1, 2
    for address in PLAIN:
        await bed.write(0, address, rng.getrandbits(32))
    for func, address in FLRS:
        await bed.write(func, address, 1)
    await bed.reset_again()
    model = Model(*parameters(), 1, 2)
    for func, address in FLRS:
        await same(bed, model, func, address)
    for address in range(0, 0x1500, 4):
        await same(bed, model, address // 4 % 2, address)
    for address in (
        0x1DFC,
        *range(0x1E00, 0x1E40, 4),
        0x1FFC,
        0x2000,
        0x2414,
        0x2500,
        0x22400,
        0x2FFFC,
        0x30200,
        0x34008,
        0x17FFC,
        0x20000,
        0x3FFFC,
    ):
        await same(bed, model, 0, address)
    await same(bed, model, 0, TRQ[0])
    await same(bed, model, 0, 0x26C)


@cocotb.test()
async def edges(dut):
    """The first and last dword of each area of a PF and of a VF, and those beside them: the error of each access."""
    bed, model = await Bed(dut).reset(), Model(*parameters())
    areas = [(0x00000, 0x02000), (0x18000, 0x20000), (0x30000, 0x30200), (0x34000, 0x34008)]  # of a PF
    areas += [(0x03000, 0x04000), (0x04000, 0x04200), (0x04800, 0x04808), (0x05014, 0x0501C)]  # of a VF
    addresses = sorted({address for area in areas for edge in area for address in (edge - 4, edge) if address >= 0})
    for func in (0, 1, 4, 7):
        for address in addresses:
            await same(bed, model, func, address)
            await same(bed, model, 0, TRQ[0])
            await same(bed, model, 0, 0x26C)
            await bed.write(0, TRQ[0], 0xFFFFFFFF)
            model.write(0, TRQ[0], 0xFFFFFFFF)
    for address in (0x0FC, 0x3FC, 0x6FC, 0x7FC, 0x8FC, 0xFFC, 0x12FC, 0x14FC):  # a write where there is no register
        for value in (1, 0xFFFFFFFF):
            await bed.write(0, address, value)
            assert await bed.read(0, TRQ[0]) == 1 << CSR_UNMAPPED, hex(address)
            assert await bed.read(0, 0x26C) == 1 << 27 | address
            await bed.write(0, TRQ[0], 1 << CSR_UNMAPPED)
    assert await bed.read(0, TRQ[0]) == 0


@cocotb.test()
async def written(dut):
    """Random values, whole and in part; each register keeps its own; the others do not change."""
    rng = seeded(running_test())
    bed, model = await Bed(dut).reset(), Model(*parameters())
    addresses = [*PLAIN, *CONSTANT, 0x008, 0x104, 0x10C, 0x120, 0x12C, 0x25C, 0x26C, 0xB30, 0x44, 0x1500]
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
        {"dwords": 1, "bar": 1},
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
        for address in (0x5014, 0x501C, 0x4200, 0x47FC, 0x4800, 0x4808, 0x30000, 0x2FFC, 0x5000):
            await bed.write(func, address, 0xFFFFFFFF)
            assert await bed.read(0, TRQ[0]) == 1 << CSR_UNMAPPED, hex(address)
            await bed.write(0, TRQ[0], 1 << CSR_UNMAPPED)
    for func in (2, 3, 8, 255):  # not built
        assert await bed.read(func, 0) == 0
        assert await bed.read(0, TRQ[0]) == 1 << CSR_UNMAPPED
        await bed.write(0, TRQ[0], 1 << CSR_UNMAPPED)
    for address in PLAIN:
        await same(bed, model, 0, address)


@cocotb.test()
async def msix(dut):
    """Each function has an MSI-X table of its own, and pending bits that can only be read."""
    rng = seeded(running_test())
    bed, model = await Bed(dut).reset(), Model(*parameters())
    for func in (0, 1, 4, 7):
        await same(bed, model, func, (VF_MSIX if func >= 4 else PF_MSIX)[0] + 12)
    for _ in range(300):
        func = rng.choice((0, 1, 4, 7))
        table, pending = VF_MSIX if func >= 4 else PF_MSIX
        address = table + 16 * rng.choice((0, 1, 7, 8, 31, rng.randrange(32))) + 4 * rng.randrange(4)
        value, strobe = rng.getrandbits(32), rng.choice((15, 15, *range(1, 16)))
        await bed.write(func, address, value, strobe)
        model.write(func, address, value, strobe)
        await same(bed, model, func, address)
        await same(bed, model, rng.choice((0, 1)), PF_MSIX[0] + address % 512)
        await same(bed, model, func, pending + rng.choice((0, 4)))
    await same(bed, model, 0, TRQ[0])
    await bed.write(1, PF_MSIX[1], 0xFFFFFFFF)
    assert await bed.read(0, TRQ[0]) == 1 << CSR_UNMAPPED


@cocotb.test()
async def settings(dut):
    """What registers set for completion rings; the time of coalescing is a product, with a limit."""
    rng = seeded(running_test())
    bed = await Bed(dut).reset()
    assert int(dut.tick_cycles.value) == 25
    counts, ticks = [rng.getrandbits(16) for _ in range(16)], [rng.getrandbits(16) for _ in range(16)]
    colours, errors = [rng.getrandbits(9) for _ in range(7)], [rng.getrandbits(9) for _ in range(7)]
    for i in range(16):
        await bed.write(0, 0xA00 + 4 * i, ticks[i])
        await bed.write(0, 0xA40 + 4 * i, counts[i])
    for i in range(7):
        await bed.write(0, 0xBC4 + 4 * i, errors[i] << 16 | colours[i])
    await bed.write(0, 0xB0C, 0x12345678)
    await bed.settle()
    assert int(dut.counts.value) == sum(count << 16 * i for i, count in enumerate(counts))
    assert int(dut.ticks.value) == sum(tick << 16 * i for i, tick in enumerate(ticks))
    assert int(dut.colour_place.value) == sum(place << 9 * i for i, place in enumerate(colours))
    assert int(dut.error_place.value) == sum(place << 9 * i for i, place in enumerate(errors))
    assert int(dut.tick_cycles.value) == 0x12345678
    sizes = [rng.getrandbits(16) for _ in range(16)]
    for i, size in enumerate(sizes):
        await bed.write(0, 0xAB0 + 4 * i, size)
    await bed.settle()
    assert int(dut.buffer_sizes.value) == sum(size << 16 * i for i, size in enumerate(sizes))
    pairs = [(25, 5), (0, 7), (7, 0), (255, 257), (256, 256), (4095, 4095), (1, 4095)]
    for value, count in pairs + [(rng.getrandbits(9), rng.getrandbits(9)) for _ in range(10)]:
        await bed.write(0, 0xB50, value << 14 | count << 2)
        await bed.cycles(40)
        assert int(dut.coalesce_cycles.value) == min(value * count, 0xFFFF), (value, count)


async def failed_reads(bed: Bed, rng, errors, engine) -> None:
    """The log of reads has the first one that has failed since the status of descriptor rings was cleared: before its
    error, with it, or in the cycles around the clearing."""

    async def check(wanted: tuple[int, ...] | None) -> None:
        words = [await bed.read(0, 0x1E00 + 4 * i) for i in range(4)]
        if wanted is None:
            assert not words[0] >> 31
            return
        error, client, tag, qid, func, address = wanted
        assert words == [1 << 31 | error << 20 | client << 16 | qid, func << 16 | tag, address & ALL, address >> 32]

    def some() -> tuple[tuple[int, ...], int]:
        widths = (3, 3, 8, 11, 8, 64)  # error, client, tag, queue, function, address
        fields, word = tuple(rng.getrandbits(width) for width in widths), 1
        for value, width in zip(fields, widths, strict=True):
            word = word << width | value
        return fields, word

    await check(None)
    for _ in range(4):
        (first, word), (_, later) = some(), some()
        await errors(read=word)
        await check(first)
        await errors(read=later)
        await errors(engine(3, dma=1, sub_type=UR_CA), read=later)
        await errors(engine(4, dsc=1))
        await bed.write(0, DSC[0], 1 << 20)
        await check(first)
        await bed.write(0, DSC[0], ALL)
        await check(None)
    # A read that fails about when the leaf is cleared is in the log then, or not: never one of before.
    for delay in range(16):
        (_, old), (new, word) = some(), some()
        await errors(engine(3, dma=1), read=old)
        bed.dut.descriptor_error.value, bed.dut.ring_error.value, bed.dut.failed_read.value = 0, 0, word
        clearing = cocotb.start_soon(bed.write(0, DSC[0], ALL))
        await bed.cycles(1 + delay)
        bed.dut.raise_errors.value = int(bed.dut.raise_errors.value) ^ 1
        await clearing
        await bed.settle()
        is_there = await bed.read(0, 0x1E00) >> 31
        await check(new if is_there else None)
        await errors(engine(3, dma=1))
        await bed.write(0, DSC[0], ALL)
    assert await bed.read(0, DSC[0]) == 0


@cocotb.test()
async def engine_errors(dut):
    """Each error of an engine is a bit of its leaf; the leaf logs the first one."""
    bed, rng = await Bed(dut).reset(), seeded(running_test())
    await bed.settle()

    def engine(qid: int, *, dsc: int = 0, dma: int = 0, sub_type: int = 0, cidx: int = 0, is_h2c: int = 0) -> int:
        return (dsc << 32 | dma << 31 | sub_type << 27 | cidx << 11 | qid) << 33 * is_h2c

    async def errors(descriptor: int = 0, rings: int = 0, read: int = 0) -> None:
        await bed.settle()  # what was cleared before
        dut.descriptor_error.value, dut.ring_error.value, dut.failed_read.value = descriptor, rings, read
        dut.raise_errors.value = int(dut.raise_errors.value) ^ 1
        await bed.settle()

    for is_dsc, is_dma, bits, kind in ((1, 0, 1 << 21, 21), (0, 1, 1 << 20, 20), (1, 1, 3 << 20, 21)):
        for is_c2h in (0, 1):
            cidx, sub_type = rng.getrandbits(16), rng.choice((POISON, UR_CA, BYTE_COUNT, PARAM, TIMEOUT))
            more = {"dsc": is_dsc, "dma": is_dma, "sub_type": sub_type, "cidx": cidx, "is_h2c": not is_c2h}
            await errors(engine(100 + is_c2h, **more))
            await errors(engine(5, dma=1, cidx=7))  # a second one: no log
            seen = bits | 1 << 20 | (1 << sub_type if sub_type != PARAM else 0)
            assert await bed.read(0, DSC[0]) == seen
            assert await bed.read(0, 0x25C) == 1 << 31 | is_c2h << 30 | 100 + is_c2h
            wanted = (cidx << 12 | sub_type << 5 | kind, 0)
            assert (await bed.read(0, 0x260), await bed.read(0, 0x27C)) == wanted
            await bed.write(0, DSC[0], seen)
    # One of each direction in a cycle: that of C2H is logged.
    await errors(engine(7, dsc=1, is_h2c=1) | engine(6, dma=1))
    assert await bed.read(0, DSC[0]) == 3 << 20
    assert await bed.read(0, 0x25C) == 1 << 31 | 1 << 30 | 6 and await bed.read(0, 0x260) == 20
    await bed.write(0, DSC[0], 3 << 20)
    await failed_reads(bed, rng, errors, engine)
    kinds = ((15, BAD_LENGTH), (14, CIDX_ERROR), (13, FULL_QUEUE), (12, INVALID_QUEUE), (11, NO_INTERRUPT))
    for bit, kind in kinds:
        for source in range(4):
            await errors(rings=(1 << bit | 77) << 16 * source)
            await errors(rings=1 << 14 | 3)
            assert await bed.read(0, C2H[0]) == 1 << kind | 1 << CIDX_ERROR
            assert await bed.read(0, 0xB30) == kind << 16 | 77
            await bed.write(0, C2H[0], 0xFFFFFFFF)
    await errors(engine(9, dsc=1), 1 << 11 | 9)
    assert await bed.read(0, C2H[0]) == 1 << NO_INTERRUPT and await bed.read(0, DSC[0]) == 1 << 21
    assert await bed.read(0, GLOBAL_STATUS) == 0
    await bed.write(0, DSC[1], 1 << 21)
    await bed.write(0, C2H[1], 1 << NO_INTERRUPT)
    assert await bed.read(0, GLOBAL_STATUS) == 1 << DSC[2] | 1 << C2H[2]


@cocotb.test()
async def command_events(dut):
    """A command that may change a completion context is reported with its queue; others and reads are not."""
    bed = await Bed(dut).reset()
    wanted = 0
    for queue, selector, operation in ((3, 6, 1), (4, 6, 2), (5, 6, 0), (6, 1, 1), (7, 6, 3), (2000, 6, 1)):
        is_event = selector == 6 and operation != 2 and queue < parameters()[0]
        wanted += is_event
        await bed.command(selector, operation, queue)
        await bed.settle()
        assert int(dut.commands.value) == wanted
        assert not is_event or int(dut.command_qid.value) == queue


@cocotb.test()
async def stops(dut):
    """A command that disables a C2H queue stops it, and is busy until the engine is done. Nothing else waits for it, no
    other command stops a queue."""
    bed = await Bed(dut).reset()
    enabled = 1 << 32
    wanted = 0

    async def expect(count: int, qid: int) -> None:
        nonlocal wanted
        wanted += count
        for _ in range(20):
            await bed.settle()
        assert int(dut.stops.value) == wanted and (not count or int(dut.stop_qid.value) == qid)
        assert await bed.read(0, COMMAND) & 1 == 0

    async def context(selector: int, qid: int, operation: int, *, qen: bool, mask: bool = True) -> None:
        for word in range(8):
            await bed.write(0, 0x804 + 4 * word, (enabled if qen else 0) >> 32 * word & 0xFFFFFFFF)
            await bed.write(0, 0x824 + 4 * word, 0xFFFFFFFF if mask else 0xFFFFFFFE)
        await bed.command(selector, operation, qid)

    await context(SW_C2H, 0, WRITE, qen=True)  # what the contexts' RAM reads while nobody asks
    for qid, operation in ((3, INVALIDATE), (4, CLEAR), (5, WRITE)):
        await context(SW_C2H, qid, WRITE, qen=True)
        await context(SW_C2H, qid, WRITE, qen=False, mask=False)  # qen is not written
        await context(SW_H2C, qid, WRITE, qen=True)
        await bed.command(SW_C2H, READ, qid)
        await bed.command(SW_H2C, operation, qid)
        await bed.command(2, operation, qid)
        await expect(0, qid)
        dut.stop_held.value = 1
        await context(SW_C2H, qid, operation, qen=False)
        for _ in range(5):
            assert await bed.read(0, COMMAND) & 1 == 1
        # Accesses go on, and other commands are carried out; a second stop waits.
        await bed.write_context(SW_C2H, 6, [0, 1])
        assert (await bed.read_context(SW_C2H, 6))[1] & 1 == 1
        await bed.command(SW_C2H, INVALIDATE, 6)
        await bed.settle()
        assert int(dut.stops.value) == wanted + 1 and int(dut.stop_qid.value) == qid
        dut.stop_held.value = 0
        await expect(2, 6)
        # Reading stops nothing, whatever the command before did.
        await bed.command(SW_C2H, READ, 6)
        await expect(0, qid)
        # It is disabled now: there is nothing to stop.
        await bed.command(SW_C2H, operation, qid)
        await expect(0, qid)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_registers(test):
    qdma_bench().run("test_qdma_registers", test)
