# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Random interleavings of register accesses, context commands and doorbells of all functions, hostile ones among them,
against the model of the contract, with idle and with busy engines."""

import cocotb
import pytest

import qdma_mailbox_model as mailbox
from qdma_bed import Bed, parameters, qdma_bench, running_test
from qdma_contract import (
    ARM,
    C2H,
    COMMAND,
    COMPLETION,
    CONSTANT,
    CONTEXTS,
    DSC,
    ERROR_INTERRUPT,
    FMAP,
    GLOBAL_MASK,
    GLOBAL_STATUS,
    INTERRUPT,
    PF_MSIX,
    PLAIN,
    RING_SIZES,
    SW_C2H,
    SW_H2C,
    TRQ,
    VF_MSIX,
)
from qdma_model import Model
from ullnic_tb import cocotb_tests, configurations, main_and_kept, seeded

ACCESSES = 1500
LEAVES = [address for leaf in (TRQ, DSC, C2H) for address in leaf[:2]]


class Traffic:
    def __init__(self, rng, model: Model):
        self.rng, self.model = rng, model
        self.functions = [*range(model.pfs), *(4 + vf for vf in {0, 1, model.vfs - 1})]
        self.base = {func: 8 * i for i, func in enumerate(self.functions)}  # of the function's four queues
        self.queues = [base + i for base in self.base.values() for i in range(4)] + [model.queues - 1]

    def index(self) -> int:
        return self.rng.choice((0, 1, 5, 6, 7, 30, 31, 511, 512, 0xFFFF, self.rng.getrandbits(16)))

    def setup(self) -> list[tuple[int, int, int]]:
        """All functions have four queues, enabled, and an interrupt ring; most rings have 8 to 513 entries."""
        writes = [(RING_SIZES + 4 * i, self.rng.choice((8, 8, 32, 513, 513, 1))) for i in range(16)]
        writes += [(0x824 + 4 * i, 0xFFFFFFFF) for i in range(8)]

        def context(selector: int, index: int, *words: int) -> None:
            writes.extend((0x804 + 4 * i, word) for i, word in enumerate(words))
            writes.append((COMMAND, self.command(selector, 1, index)))

        for func, base in self.base.items():
            context(FMAP, func, base, 4)
            context(INTERRUPT, func, 1, 0, 1 << 3, func << 18)
            for queue in range(base, base + 4):
                ring = self.rng.randrange(16)
                context(SW_C2H, queue, 0, 1 | ring << 12)
                context(SW_H2C, queue, 0, 1 | ring << 12)
                context(COMPLETION, queue, ring << 28, 0, 0, 1 << 28, self.rng.getrandbits(1) << 1)
        writes += [(address, 0xFFFFFFFF) for address in (TRQ[1], DSC[1], C2H[1], GLOBAL_MASK, ERROR_INTERRUPT)]
        return [(0, address, value) for address, value in writes]

    def doorbell(self) -> tuple[int, int, int]:
        rng, func = self.rng, self.rng.choice(self.functions)
        base = 0x18000 if func < 4 else 0x3000
        relative = rng.choice((0, 0, 1, 1, 2, 2, 3, 3, rng.randrange(256), 255))
        kind, value = rng.randrange(4), rng.getrandbits(32) & ~0xFFFF | self.index()
        if kind == 0:
            value = value & 0xFFFF | rng.choice((func, func, rng.choice(self.functions))) << 16
        return func, base + 16 * relative + 4 * kind, value

    def anywhere(self) -> tuple[int, int, int]:
        rng = self.rng
        msix = rng.choice((*PF_MSIX, *VF_MSIX)) + rng.randrange(0, 0x240, 4)
        somewhere = rng.choice((*PLAIN, *CONSTANT, 0x5014))
        address = rng.choice((rng.randrange(0, 0x40000, 4), rng.randrange(0, 0x2000, 4), msix, *[somewhere] * 5))
        return rng.choice((*self.functions, 3, 255)), address, rng.getrandbits(32)

    def mailbox(self) -> tuple[int, int, int]:
        rng, func = self.rng, self.rng.choice(self.functions)
        base = mailbox.PF_BASE if func < 4 else mailbox.VF_BASE
        window = rng.choice((mailbox.INBOUND, mailbox.OUTBOUND)) + 4 * rng.randrange(mailbox.WORDS)
        offset = rng.choice(
            (0, 4, 4, 8, 12, 12, 16, 0x20 + 4 * rng.randrange(8), window, window, 4 * rng.randrange(1024))
        )
        value = rng.getrandbits(32)
        if offset == mailbox.TARGET:
            value = rng.choice(self.functions)
        elif offset == mailbox.COMMAND:
            # A PF receives from the first sender alone: then each status has one that is right.
            value = rng.choice((mailbox.SEND, mailbox.RECEIVE, 3))
            pf = self.model.mailbox.pf[func] if func < 4 else None
            if pf and not (pf.queue and pf.queue[0] == pf.target):
                value = mailbox.SEND
        return func, base + offset, value

    def error_register(self) -> tuple[int, int, int]:
        address = self.rng.choice((*LEAVES, GLOBAL_STATUS, GLOBAL_MASK, ERROR_INTERRUPT))
        value = self.rng.choice((0xFFFFFFFF, self.rng.getrandbits(32), 0))
        return self.rng.randrange(self.model.pfs), address, value | (ARM if address == ERROR_INTERRUPT else 0)

    def context(self) -> list[tuple[int, int, int]]:
        """The writes that set up a context, mostly one that doorbells need, and the command."""
        rng = self.rng
        selector = rng.choice((*CONTEXTS, SW_H2C, SW_C2H, COMPLETION, FMAP, INTERRUPT, FMAP, 9, 15))
        words = [rng.getrandbits(32) for _ in range(8)]
        index = rng.choice((*self.queues, rng.getrandbits(13)))
        if selector == FMAP:
            index = rng.choice(self.functions)
            words[:2] = rng.choice((self.base[index], *self.queues)), rng.choice((1, 3, 4, 4, 2048))
        elif selector == INTERRUPT:
            index = rng.choice(self.functions)
            words[0], words[3] = words[0] | 1, words[3] & ~(0xFFF << 18) | rng.choice((index, 1)) << 18
        elif selector in (SW_H2C, SW_C2H):
            words[1] |= rng.choice((0, 1, 1))
        elif selector == COMPLETION:
            words[3] |= rng.choice((0, 1, 1)) << 28
        mask = rng.choice(([0xFFFFFFFF] * 8, [0xFFFFFFFF] * 8, [rng.getrandbits(32) for _ in range(8)]))
        writes = [(0x804 + 4 * i, word) for i, word in enumerate(words) if rng.random() < 0.7 or i in (0, 1, 3)]
        writes += [(0x824 + 4 * i, word) for i, word in enumerate(mask) if rng.random() < 0.3]
        operation = rng.choice((0, 1, 1, 1, 1, 2, 3))
        writes.append((COMMAND, self.command(selector, operation, index)))
        return [(rng.randrange(self.model.pfs), address, value) for address, value in writes]

    @staticmethod
    def command(selector: int, operation: int, index: int) -> int:
        return index << 7 | operation << 5 | selector << 1


@cocotb.test()
async def interleaved(dut):
    rng = seeded(running_test())
    bed, model = await Bed(dut).reset(), Model(*parameters())
    traffic = Traffic(rng, model)
    for access in traffic.setup():
        await bed.write(*access)
        model.write(*access)
    done = 0

    def met() -> bool:
        return {kind for kind, _ in model.events} == {0, 1, 2, 3} and bool(model.interrupts)

    # More accesses where chance has not met all of it: few doorbells find a queue, few errors an interrupt.
    while done < ACCESSES or (done < 20 * ACCESSES and not met()):
        dut.busy.value = int(rng.random() < 0.5)
        kind = rng.random()
        if kind < 0.15:
            accesses = traffic.context()
        elif kind < 0.65:
            accesses = [traffic.doorbell()]
        elif kind < 0.75:
            accesses = [traffic.mailbox()]
        else:
            accesses = [traffic.anywhere() if kind < 0.85 else traffic.error_register()]
        done += len(accesses)
        for func, address, value in accesses:
            if model.is_flr(func, address) or rng.random() < (0.05 if len(accesses) > 1 else 0.35):
                got, wanted = await bed.read(func, address), model.read(func, address)
                assert got == wanted, f"function {func}, {address:#x}: {got:#x}, not {wanted:#x}"
            else:
                strobe = rng.choice((*[15] * 40, 1, 3, 12, 7))
                await bed.write(func, address, value, strobe)
                model.write(func, address, value, strobe)
        for address in rng.sample((*LEAVES, 0x25C, 0x260, 0x27C, 0x26C, 0xB30, GLOBAL_STATUS, ERROR_INTERRUPT), 2):
            assert await bed.read(0, address) == model.read(0, address), hex(address)
    await bed.settle()
    for selector, index in list(model.contexts):
        command = traffic.command(selector, 2, index)
        await bed.write(0, COMMAND, command)
        model.write(0, COMMAND, command)
        for i in range(8):
            got, wanted = await bed.read(0, 0x804 + 4 * i), model.read(0, 0x804 + 4 * i)
            assert got == wanted, f"{CONTEXTS[selector].name} {index}, word {i}: {got:#x}, not {wanted:#x}"
    assert bed.events == model.events
    assert bed.interrupts == model.interrupts
    assert met()


@pytest.mark.parametrize("config", main_and_kept(__file__, ["bench_128", "queues_2048"]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_random(test, config):
    assert config in configurations("qdma")
    qdma_bench(config).run("test_qdma_random", test)
