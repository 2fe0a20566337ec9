# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""qdma_mailbox by itself, against qdma_mailbox_model: random accesses of many functions, messages between PFs and their
VFs, interrupts, functions that are reset."""

import re

import cocotb
import pytest

from qdma_bed import CORE
from qdma_mailbox_model import (
    ACKS,
    COMMAND,
    ENABLE,
    INBOUND,
    MAX_PFS,
    OUTBOUND,
    RECEIVE,
    SEND,
    STATUS,
    TARGET,
    VECTOR,
    WORDS,
    Mailbox,
)
from qdma_planted import Fault, must_see
from qdma_write_bed import PACKAGES, names, running_test
from ullnic_tb import Bench, Stepper, cocotb_tests, long_run, main_and_kept, parameter, rounds, rtl, seeded

OUTPUTS = names(
    "clearing access_ready access_done read_data refused clean_ready clean_done interrupt_valid interrupt_func "
    "interrupt_vector"
)
IDLE = dict.fromkeys(names("access_valid access clean_valid clean_func interrupt_ready"), 0)
INTERRUPT_CYCLES = 40  # from a cause, idle
ACCESS_CYCLES = 5
HANG_CYCLES = 20000
BENCHES = {"small": (2, 4, 2), "uneven": (2, 9, 7), "one": (1, 4, 4), "full": (4, 252, 63)}
MODULES = (
    "qdma_mailbox_pkg",
    "qdma_context_ram",
    "qdma_arbiter",
    "qdma_id_queue",
    "qdma_mailbox_access",
    "qdma_mailbox_clean",
    "qdma_mailbox",
)
FIRST_IN_ORDER, ANY = True, False  # whether a PF receives from the first sender alone


class Bed:
    def __init__(self, dut):
        self.rng = seeded(running_test())
        self.s = Stepper(dut, OUTPUTS)
        self.model = Mailbox(parameter("PFS", 0), parameter("VFS", 0), parameter("SHARE", 0))
        self.functions = list(self.model.own)
        self.interrupts: list[tuple[int, int, int]] = []  # cycle, function, vector
        self.events = dict.fromkeys(self.functions, 0)  # that have not had an interrupt
        self.ready_rate, self.was_valid = 1.0, False

    async def start(self) -> "Bed":
        await self.s.reset(**IDLE)
        while (await self.s.step()).clearing:
            pass
        return self

    async def step(self, **inputs: int):
        ready = int(self.rng.random() < self.ready_rate)
        out = await self.s.step(interrupt_ready=ready, **inputs)
        if out.interrupt_valid and not self.was_valid:
            func, own = out.interrupt_func, self.model.own[out.interrupt_func]
            assert own.is_enabled and self.model.has_cause(func), f"function {func}: an interrupt without a cause"
            assert own.vector == out.interrupt_vector
            assert self.events[func], f"function {func}: two interrupts of one event"
            self.events[func] -= 1
            own.is_due = False
            self.interrupts.append((self.s.cycle, func, out.interrupt_vector))
        self.was_valid = bool(out.interrupt_valid and not ready)
        return out

    async def access(self, func: int, offset: int, value: int | None = None) -> int:
        """Held against the model, but of the first sender, where a PF has received from another."""
        word = (value or 0) | offset << 32 | func << 44 | (value is not None) << 52
        begin = self.s.cycle
        while not (await self.step(access_valid=1, access=word)).access_ready:
            assert self.s.cycle - begin < HANG_CYCLES
        begin = self.s.cycle
        while not (out := await self.step(access_valid=0)).access_done:
            assert self.s.cycle - begin < ACCESS_CYCLES
        before = {f: own.is_due for f, own in self.model.own.items()}
        for own in self.model.own.values():
            own.is_due = False
        if value is None:
            wanted, refused = self.model.read(func, offset)
            same = out.read_data == wanted or self.other_sender(func, offset, out.read_data, wanted)
            assert same, f"function {func}, {offset:#x}: {out.read_data:#x}, not {wanted:#x}"
        else:
            refused = self.model.write(func, offset, value)
        assert out.refused == refused, f"function {func}, {offset:#x}, {value}: refused {out.refused}"
        for f, own in self.model.own.items():
            self.events[f] += own.is_due
            own.is_due |= before[f]
        return out.read_data

    def other_sender(self, func: int, offset: int, got: int, wanted: int) -> bool:
        return (
            self.order is ANY
            and offset == STATUS
            and (got ^ wanted) & 15 == 0
            and got >> 4 in self.model.pf[func].queue
        )

    order = FIRST_IN_ORDER

    async def clean(self, func: int) -> None:
        begin = self.s.cycle
        while not (await self.step(clean_valid=1, clean_func=func)).clean_ready:
            assert self.s.cycle - begin < HANG_CYCLES
        while not (out := await self.step(clean_valid=0)).clean_done:
            assert self.s.cycle - begin < HANG_CYCLES
        assert not (out.interrupt_valid and out.interrupt_func == func), f"function {func} has an interrupt"
        assert not (await self.step()).clean_done, "for a cycle"
        self.model.clean(func)
        self.events[func] = 0
        self.interrupts_after(func)

    def interrupts_after(self, func: int) -> None:
        assert not self.model.own[func].is_enabled

    def settle_cycles(self) -> int:
        return INTERRUPT_CYCLES * (2 + sum(own.is_due for own in self.model.own.values()))

    def due(self) -> list[int]:
        """Functions that have had no interrupt after the last event, and have a cause."""
        own = self.model.own.items()
        return [func for func, each in own if each.is_due and each.is_enabled and self.model.has_cause(func)]

    async def all_interrupted(self) -> None:
        self.ready_rate = 1.0
        limit = self.s.cycle + self.settle_cycles()
        while functions := self.due():
            assert self.s.cycle < limit, f"functions {functions}: no interrupt after the last event"
            await self.step()

    async def settle(self) -> None:
        """As above, and nothing more comes."""
        self.ready_rate = 1.0
        for _ in range(self.settle_cycles()):
            await self.step()
        assert not self.due(), "no interrupt after the last event"

    # --- As a driver does it

    async def send(self, func: int, words: list[int], to: int | None = None) -> None:
        if to is not None:
            await self.access(func, TARGET, to)
        for i, word in enumerate(words):
            await self.access(func, OUTBOUND + 4 * i, word)
        await self.access(func, COMMAND, SEND)

    async def receive(self, func: int) -> tuple[int, list[int]] | None:
        status = await self.access(func, STATUS)
        if not status & 1:
            return None
        if func < MAX_PFS:
            await self.access(func, TARGET, status >> 4)
        words = [await self.access(func, INBOUND + 4 * i) for i in range(WORDS)]
        await self.access(func, COMMAND, RECEIVE)
        return status >> 4, words


@cocotb.test()
async def conversations(dut):
    """Requests of VFs and answers of their PFs, in the way of the public drivers: each word, the order of the requests,
    acknowledgements, an interrupt of each."""
    bed = await Bed(dut).start()
    rng, model = bed.rng, bed.model
    for func in bed.functions:
        await bed.access(func, VECTOR, rng.getrandbits(5))
        await bed.access(func, ENABLE, 1)
    vfs = rng.sample(list(model.to_pf), min(len(model.to_pf), 24))
    asked = {}
    for vf in vfs:
        asked[vf] = [rng.getrandbits(32) for _ in range(WORDS)]
        await bed.send(vf, asked[vf])
        assert await bed.access(vf, STATUS) & 2
    await bed.settle()
    for pf in range(model.pfs):
        order = [vf for vf in vfs if model.parent(vf) == pf]
        if order:
            assert any(func == pf for _, func, _ in bed.interrupts)
        for vf in order:
            assert await bed.receive(pf) == (vf, asked[vf])
            answer = [rng.getrandbits(32) for _ in range(WORDS)]
            await bed.send(pf, answer, to=vf)
            await bed.settle()
            assert bed.interrupts[-1][1] == vf
            assert await bed.receive(vf) == (0, answer)
            await bed.settle()
            assert bed.interrupts[-1][1] == pf
            assert await bed.access(pf, ACKS + 4 * (vf // 32)) == 1 << vf % 32
            await bed.access(pf, ACKS + 4 * (vf // 32), 1 << vf % 32)
            assert not await bed.access(pf, STATUS) & 4
        assert await bed.receive(pf) is None


@cocotb.test()
async def isolated(dut):
    """Of a VF nobody but its PF sees or moves anything; a PF has nothing with the VFs of others, nor with PFs."""
    bed = await Bed(dut).start()
    rng, model = bed.rng, bed.model
    vfs = rng.sample(list(model.to_pf), min(len(model.to_pf), 8))
    words = {vf: [rng.getrandbits(32) | 1 for _ in range(WORDS)] for vf in vfs}
    for vf in vfs:
        # What is not sent yet is not seen by the other either.
        pf = model.parent(vf)
        await bed.access(pf, TARGET, vf)
        for func, peer in ((vf, pf), (pf, vf)):
            await bed.access(func, OUTBOUND, rng.getrandbits(32) | 1)
            assert await bed.access(peer, INBOUND) == 0
        await bed.send(vf, words[vf])
        await bed.send(model.parent(vf), words[vf], to=vf)
    others = rng.sample(bed.functions, min(len(bed.functions), 12))
    for func in others:
        for target in [*vfs, *range(MAX_PFS), 256 + vfs[0], 0xFFF]:
            if func < MAX_PFS and target in model.to_pf and model.parent(target) == func:
                continue
            if func >= MAX_PFS and target == func:
                continue
            await bed.access(func, TARGET, target)
            if func < MAX_PFS:
                for offset in (
                    INBOUND,
                    OUTBOUND,
                    INBOUND + 4 * rng.randrange(WORDS),
                    OUTBOUND + 4 * rng.randrange(WORDS),
                ):
                    assert await bed.access(func, offset) == 0
                    await bed.access(func, offset, rng.getrandbits(32))
                for command in (SEND, RECEIVE, SEND | RECEIVE):
                    await bed.access(func, COMMAND, command)
            else:
                for i in range(8):
                    await bed.access(func, ACKS + 4 * i, 0xFFFFFFFF)
    for vf in vfs:
        pf = model.parent(vf)
        await bed.access(pf, STATUS)
        await bed.access(pf, TARGET, vf)
        assert [await bed.access(pf, INBOUND + 4 * i) for i in range(WORDS)] == words[vf]
        assert await bed.receive(vf) == (0, words[vf])
    await bed.settle()


async def mix(bed: Bed, count: int, resets: float) -> None:
    rng, model = bed.rng, bed.model
    # Of few PFs: so several VFs of each wait at once.
    pfs = rng.sample(range(model.pfs), min(model.pfs, 2))
    vfs = [vf for vf in model.to_pf if model.parent(vf) in pfs]
    busy = rng.sample(vfs, min(len(vfs), 10))
    of_pf = {pf: [vf for vf in busy if model.parent(vf) == pf] or busy for pf in range(model.pfs)}
    functions = [*range(model.pfs), *pfs * 4, *busy, *busy]
    receives = True  # PFs do
    for _ in range(count):
        if rng.random() < 0.05:
            await bed.all_interrupted()
            receives = not receives
        func, kind = rng.choice(functions), rng.random()
        bed.ready_rate = rng.choice((1.0, 0.5, 0.02))
        if kind < resets:
            await bed.clean(func)
        elif kind < 0.3:
            if rng.random() < 0.7:
                if receives or func >= MAX_PFS:
                    await bed.receive(func)
            else:
                is_strict = func < MAX_PFS and bed.order is FIRST_IN_ORDER
                await bed.access(func, COMMAND, SEND if is_strict else rng.choice((1, 2, 3)))
        elif kind < 0.5:
            pf = func < MAX_PFS
            words = [rng.getrandbits(32) for _ in range(rng.choice((0, 1, 3, WORDS)))]
            await bed.send(func, words, rng.choice((*of_pf[func], rng.randrange(300))) if pf else None)
        elif kind < 0.6:
            await bed.access(func, ENABLE, rng.choice((1, 1, 0)))
        elif kind < 0.65:
            await bed.access(func, VECTOR, rng.getrandbits(32))
        elif kind < 0.75 and bed.order is ANY and func < MAX_PFS:
            await bed.access(func, TARGET, rng.choice((*of_pf[func], rng.choice(busy))))
            await bed.access(func, COMMAND, RECEIVE)
        else:
            offset = rng.choice(
                (0, 4, 8, 12, 16, 0x14, 0x20, 0x3C, 0x40, 0x100, 0x800, 0x87C, 0x880, 0xC00, 0xC7C, 0xFFC)
            )
            offset = rng.choice((offset, offset, 4 * rng.randrange(1024)))
            is_command = offset == COMMAND and bed.order is FIRST_IN_ORDER
            await bed.access(func, offset, rng.getrandbits(32) if rng.random() < 0.5 and not is_command else None)
        for _ in range(rng.choice((0, 0, 3, 60))):
            await bed.step()


@cocotb.test()
async def anything(dut):
    """Random accesses, in and out of the mailbox, of PFs and VFs; each answer as the model's."""
    bed = await Bed(dut).start()
    await mix(bed, rounds(6000, 900), 0)
    await bed.settle()
    assert len(bed.interrupts) > 20


@cocotb.test()
async def any_order(dut):
    """PFs that receive from any sender: what they see is a sender whose message waits; nothing is lost."""
    bed = await Bed(dut).start()
    bed.order = ANY
    await mix(bed, rounds(6000, 900), 0)
    await bed.settle()
    assert len(bed.interrupts) > 20


@cocotb.test()
async def resets(dut):
    """Functions are reset meanwhile: nothing is left of theirs, all of the others' stays."""
    bed = await Bed(dut).start()
    bed.order = ANY
    await mix(bed, rounds(6000, 500), 0.05)
    await bed.settle()


@cocotb.test()
async def armed(dut):
    """An interrupt that is enabled with a cause pending is sent at once; none while it is not enabled."""
    bed = await Bed(dut).start()
    vf = bed.rng.choice(list(bed.model.to_pf))
    pf = bed.model.parent(vf)
    await bed.send(vf, [1])
    await bed.send(pf, [2], to=vf)
    await bed.settle()
    assert not bed.interrupts
    for func in (pf, vf, pf, vf):  # without a change: a second write sends a second one
        await bed.access(func, ENABLE, 1)
        begin = bed.s.cycle
        await bed.settle()
        assert bed.interrupts[-1][1:] == (func, 0) and bed.interrupts[-1][0] - begin <= INTERRUPT_CYCLES
    await bed.access(vf, ENABLE, 0)
    await bed.receive(vf)  # an event of the PF
    await bed.settle()
    assert [func for _, func, _ in bed.interrupts] == [pf, vf, pf, vf, pf]


def test_header():
    """The places that the RTL and the model have are those of the register description."""
    header = (CORE / "regs" / "generated" / "qdma_mailbox_regs.h").read_text()
    package = (CORE / "rtl" / "qdma_mailbox_pkg.sv").read_text()
    places = {"STATUS": STATUS, "COMMAND": COMMAND, "VECTOR": VECTOR, "TARGET": TARGET, "ENABLE": ENABLE}
    places |= {"ACKS": ACKS, "INBOUND": INBOUND, "OUTBOUND": OUTBOUND}
    for name, offset in places.items():
        assert f"offset_t REG_{name} = 12'h{offset:03X};" in package
    found, at = {}, 0
    for bits, name, count in re.findall(r"^ +uint(8|32)_t (\w+)(?:\[(\w+)\])?;", header, re.MULTILINE):
        found[name] = at
        at += int(bits) // 8 * int(count or "1", 0)
    assert {name: found.get(name) for name in places} == places


def mailbox_bench(config: str) -> Bench:
    pfs, vfs, share = BENCHES[config]
    sources = [CORE / "rtl" / f"{name}.sv" for name in (*PACKAGES, *MODULES)]
    parameters = {"PFS": pfs, "VFS": vfs, "SHARE": share}
    return Bench("qdma_mailbox", [*rtl("common"), *sources], parameters, starts_with_zeros=True)


@pytest.mark.parametrize("config", main_and_kept(__file__, BENCHES, lambda config: config == "full"))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_mailbox(test, config):
    mailbox_bench(config).run(__name__, test)


BOX, ACCESS, CLEAN = "qdma_mailbox.sv", "qdma_mailbox_access.sv", "qdma_mailbox_clean.sv"
FAULTS = (
    Fault("anothers_vf", BOX, "& (parent(access_target[7:0], SHARE) == access.func)", "", "isolated"),
    Fault("no_vf", BOX, "has_vf(access_target, VFS) &", "", "isolated"),
    Fault("vf_has_acks", ACCESS, "clears_acks = access.is_write & is_pf;", "clears_acks = access.is_write;",
          "isolated"),
    Fault("vf_has_a_target", ACCESS, "writes_target = access.is_write & is_pf;", "writes_target = access.is_write;",
          "anything"),
    Fault("overwritten", ACCESS, "writes_word = access.is_write & can_send;",
          "writes_word = access.is_write & has_link;", "anything"),
    Fault("sent_twice", ACCESS, "has_link & ~(is_pf ? link.is_posted : link.is_sent)", "has_link", "anything"),
    Fault("words_of_before", ACCESS, "can_receive & inbound_words[index] ?", "can_receive ?", "anything"),
    Fault("seen_before_sent", ACCESS, "can_receive & inbound_words[index] ?", "inbound_words[index] ?", "isolated"),
    Fault("ack_lost", BOX, "(clears_acks | (receives & ~is_pf_q))", "clears_acks", "conversations"),
    Fault("arm_ignored", BOX, "(sends | receives | arms);", "(sends | receives);", "armed"),
    Fault("interrupt_without_cause", BOX, "link_q.is_enabled & cause;", "link_q.is_enabled;", "anything"),
    Fault("gone_message_stays", BOX, "(acts & (kind_q == IS_SENDER) & ~link_q.is_sent)", "1'b0", "any_order"),
    Fault("inbox_survives", CLEAN, "link_next.is_posted    = 1'b0;", "", "resets"),
    Fault("anothers_cleaned", CLEAN, "& (parent(index, SHARE) == func)", "", "resets"),
)  # fmt: skip


@long_run(__file__)
@pytest.mark.parametrize("test", ("anything", "any_order", "resets"))
def test_qdma_mailbox_long(test):
    mailbox_bench("full").run(__name__, test, long_seed=1)


@long_run(__file__)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_qdma_mailbox_sees(fault):
    must_see(mailbox_bench("uneven"), fault, __name__)
