# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The indirect context commands: every bit of every context by its mask, the four operations, what is refused, and that
engines at full rate neither delay a command nor lose an update."""

import cocotb
import pytest

from qdma_bed import Bed, parameters, qdma_bench, running_test
from qdma_contract import (
    BAD_INDEX,
    BAD_SELECTOR,
    CLEAR,
    COMMAND,
    CONTEXTS,
    GLOBAL_STATUS,
    HW_H2C,
    INVALIDATE,
    READ,
    SW_H2C,
    WRITE,
)
from qdma_model import Model
from ullnic_tb import cocotb_tests, long_run, rounds, seeded

DATA_AND_MASK = {"dwords": 16, "last_be": 15}
LIMIT_CYCLES = 64  # of a command, by the contract


def packed(words: list[int]) -> int:
    return sum(word << 32 * i for i, word in enumerate(words))


class Both:
    """The same commands to the RTL and to the model."""

    def __init__(self, bed: Bed, model: Model):
        self.bed, self.model = bed, model

    async def command(self, selector: int, operation: int, index: int, data=None, mask=None) -> None:
        if data is not None:
            await self.bed.tlp(0, 0x804, write=True, data=packed([*data, *mask]), **DATA_AND_MASK)
            for i in range(8):
                self.model.write(0, 0x804 + 4 * i, data[i])
                self.model.write(0, 0x824 + 4 * i, mask[i])
        await self.bed.command(selector, operation, index)
        self.model.write(0, COMMAND, index << 7 | operation << 5 | selector << 1)

    async def check(self, selector: int, index: int) -> None:
        await self.command(selector, READ, index)
        got = await self.bed.tlp(0, 0x804, write=False, dwords=8, last_be=15)
        wanted = packed([self.model.read(0, 0x804 + 4 * i) for i in range(8)])
        assert got % (1 << 256) == wanted, f"{CONTEXTS[selector].name} {index}: {got:#x}, not {wanted:#x}"


def count_of(selector: int, queues: int) -> int:
    return CONTEXTS[selector].count or queues


@cocotb.test()
async def each_bit(dut):
    """Each bit, or each twelfth, alone, by its mask, on a context of zeros; reserved bits stay 0."""
    queues, pfs, vfs = parameters()
    both = Both(await Bed(dut).reset(), Model(queues, pfs, vfs))
    step = rounds(1, 12)
    first_bit = seeded(running_test()).randrange(step)
    for selector, context in CONTEXTS.items():
        index = count_of(selector, queues) - 1
        bits = range(first_bit, min(256, 32 * len(context.words) + 32), step)
        for first in range(0, len(bits), 16):  # so many at a time
            for bit in bits[first : first + 16]:
                mask = [1 << bit % 32 if i == bit // 32 else 0 for i in range(8)]
                await both.command(selector, WRITE, index, [0xFFFFFFFF] * 8, mask)
            await both.check(selector, index)
            await both.command(selector, CLEAR, index)


@cocotb.test()
async def operations(dut):
    """Random commands on all kinds, first and last contexts among them: one changes, the others stay."""
    rng = seeded(running_test())
    queues, pfs, vfs = parameters()
    both = Both(await Bed(dut).reset(), Model(queues, pfs, vfs))
    places = [(s, i) for s in CONTEXTS for i in (0, 1, rng.randrange(2, 100), count_of(s, queues) - 1)]
    for _ in range(300):
        selector, index = rng.choice(places)
        operation = rng.choice((CLEAR, WRITE, WRITE, WRITE, READ, INVALIDATE))
        data = [rng.getrandbits(32) for _ in range(8)]
        mask = rng.choice(([0xFFFFFFFF] * 8, [rng.getrandbits(32) for _ in range(8)], [0] * 8))
        await both.command(selector, operation, index, data, mask)
        await both.check(*rng.choice(((selector, index), rng.choice(places))))
    for selector, index in places:
        await both.check(selector, index)


@cocotb.test()
async def invalidate(dut):
    """It clears the valid bit and keeps the rest, of each kind that has one; the others keep all."""
    queues, pfs, vfs = parameters()
    both = Both(await Bed(dut).reset(), Model(queues, pfs, vfs))
    for selector, context in CONTEXTS.items():
        await both.command(selector, WRITE, 5, [0xFFFFFFFF] * 8, [0xFFFFFFFF] * 8)
        await both.command(selector, INVALIDATE, 5)
        wanted = [*context.words, *[0] * (8 - len(context.words))]
        if context.valid:
            wanted[context.valid[0]] &= ~(1 << context.valid[1])
        assert await both.bed.read_context(selector, 5) == wanted, context.name


@cocotb.test()
async def refused(dut):
    """A selector without a context, an index that is not there: nothing changes, a read gives 0, an error says so."""
    queues, pfs, vfs = parameters()
    bed = await Bed(dut).reset()
    both = Both(bed, Model(queues, pfs, vfs))
    ones = [0xFFFFFFFF] * 8
    for selector in range(16):
        if selector in CONTEXTS:
            bad = [count_of(selector, queues), 8191] + ([2048] if queues < 2048 else [])
            for index in (0, count_of(selector, queues) - 1):
                await both.command(selector, CLEAR, index)
        else:
            bad = [0, 3]
        wanted = 1 << (BAD_INDEX if selector in CONTEXTS else BAD_SELECTOR)
        for index in bad:
            for operation in (WRITE, CLEAR, INVALIDATE, READ):
                await both.command(selector, operation, index, ones, ones)
                assert await bed.read(0, GLOBAL_STATUS) == wanted, (selector, operation, index)
                await bed.write(0, GLOBAL_STATUS, wanted)
                assert await bed.read(0, GLOBAL_STATUS) == 0
            for i in range(8):
                assert await bed.read(0, 0x804 + 4 * i) == 0
        both.model.command_errors = 0
        if selector in CONTEXTS:
            for index in (0, count_of(selector, queues) - 1):
                await both.check(selector, index)


@cocotb.test()
async def beside_engines(dut):
    """Engines use all ports in each cycle, one adds 1 to a context that commands write: none is lost or late."""
    rng = seeded(running_test())
    queues, pfs, vfs = parameters()
    bed = await Bed(dut).reset()
    both = Both(bed, Model(queues, pfs, vfs))
    dut.busy.value = 1
    for selector in CONTEXTS:
        for operation in (WRITE, READ, INVALIDATE, CLEAR):
            await bed.command(selector, operation, 3)
            first = int(dut.cycle.value)
            await bed.read(0, COMMAND)  # waits for the command
            assert int(dut.cycle.value) - first < LIMIT_CYCLES
    dut.counting.value = 1
    pending = 0
    for _ in range(60):
        pending = rng.getrandbits(3)
        mask = [0, 0xFFFFFFFF, *[0] * 6]
        await both.command(HW_H2C, WRITE, 0, [rng.getrandbits(32), pending << 8, *[0] * 6], mask)
        words = await bed.read_context(HW_H2C, 0)
        assert words[1] == pending << 8
    dut.counting.value = 0
    await bed.settle()
    words = await bed.read_context(HW_H2C, 0)
    assert words[0] == int(dut.counted.value) > 1000
    assert words[1] == pending << 8


@cocotb.test()
async def order_of_errors(dut):
    """Bit 26 of a software context is the descriptor's error, bit 27 that of the DMA: as engines see them."""
    bed = await Bed(dut).reset()
    dut.busy.value = 1
    for descriptor, dma in ((1, 0), (0, 1)):
        for queue in range(4):
            await bed.write_context(SW_H2C, queue, [0, descriptor << 26 | dma << 27])
        await bed.settle()
        assert int(dut.seen_error.value) == dma << 1 | descriptor


@cocotb.test()
async def reset_again(dut):
    """A reset in the midst of a command clears all contexts and registers; the first TLP after it waits for that."""
    queues = parameters()[0]
    bed = await Bed(dut).reset()
    ones = [0xFFFFFFFF] * 8
    places = [(selector, i) for selector in CONTEXTS for i in (0, count_of(selector, queues) - 1)]
    for selector, index in places:
        await bed.write_context(selector, index, ones)
    for _ in range(3):
        await bed.command(SW_H2C, WRITE, 0)
    dut.rst.value = 1
    await bed.cycles(1)
    dut.rst.value = 0
    for selector, index in places:
        assert await bed.read_context(selector, index) == [0] * 8, CONTEXTS[selector].name
    assert await bed.read(0, 0x824) == 0


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_contexts(test):
    qdma_bench().run("test_qdma_contexts", test)


@long_run(__file__)
def test_qdma_contexts_each_bit():
    qdma_bench().run(__name__, "each_bit", long_seed=1)
