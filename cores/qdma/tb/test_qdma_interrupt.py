# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""qdma_interrupt and qdma_vectors: direct and through rings, masks and pending bits, full rings, doorbells; interrupts
of the user."""

import itertools
from collections import Counter, deque

import cocotb
import pytest

from qdma_write_bed import lanes, names, running_test, write_bench
from ullnic_tb import Stepper, cocotb_tests, seeded

OUTPUTS = names(
    "clearing cause_ready error_ready command_ready door_ready access_ready access_done read_data "
    "write_valid write_func write_addr write_dwords write_data lost lost_qid stat_lost no_vector "
    "mailbox_ready user_irq_ack user_irq_fail stat_user_irq_failed causes_drained"
)
INPUTS = names(
    "cause_valid cause error_valid error command_valid command_ring command_word door_valid door_ring "
    "door_cidx is_enabled is_masked access_valid access_write access_pending access_func access_vector "
    "access_dword access_data access_strobe may_write mailbox_valid mailbox_func mailbox_vector user_irq_valid "
    "user_irq_func user_irq_vector reset_active reset_func drains_causes"
)
FUNCTIONS = 8
PF_VECTORS, VF_VECTORS = 32, 8
RING_BASE = 0x7_0000_0000
CONTROL = 3
ALL = (1 << FUNCTIONS) - 1
LATENCY = 14  # cycles from a cause to its message, alone
USER_LATENCY = 5  # cycles from an interrupt of the user to its message, alone; one more to its answer


class Ring:
    """An interrupt ring as software sees it."""

    def __init__(self, index: int, func: int, vector: int, pages: int, pidx: int = 0):
        self.index, self.func, self.vector, self.pages = index, func, vector, pages
        self.entries = 512 * pages
        self.base = RING_BASE + index * 0x10000
        self.pidx = self.cidx = pidx
        self.colour = 1
        self.written, self.messages = 0, 0

    def word(self) -> int:
        word = 1 | self.vector << 1 | self.colour << 14 | self.base >> 12 << 15
        return word | (self.pages - 1) << 67 | self.pidx << 70 | self.func << 114


class Bed:
    def __init__(self, dut):
        self.s = Stepper(dut, OUTPUTS)
        self.causes = [deque(), deque()]
        self.doors, self.commands, self.errors = deque(), deque(), deque()
        self.rings: dict[int, Ring] = {}
        self.messages, self.entries, self.lost = [], [], []  # messages: (cycle, func, vector)
        self.no_vectors, self.accepted, self.waits = 0, {}, 0

    async def reset(self) -> "Bed":
        await self.s.reset(**dict.fromkeys(INPUTS, 0), write_ready=1)
        self.s.set(is_enabled=ALL, may_write=ALL)
        while (await self.s.step()).clearing:
            pass
        await self.steps(FUNCTIONS)
        for func in range(FUNCTIONS):
            for vector in range(PF_VECTORS if func < 4 else VF_VECTORS):
                await self.table(func, vector)
        return self

    @property
    def cycle(self) -> int:
        return self.s.cycle

    @staticmethod
    def entry(func: int, vector: int) -> tuple[int, int]:
        return 0xFEE00000 | (func << 32) | vector << 4, func << 16 | vector

    async def table(self, func: int, vector: int, masked: int = 0) -> None:
        addr, data = self.entry(func, vector)
        for dword, value in enumerate((addr & 0xFFFFFFFF, addr >> 32, data, masked)):
            await self.access(func, vector, dword, value)

    async def access(self, func, vector, dword=CONTROL, data=0, write=1, pending=0, strobe=15) -> int:
        inputs = {"access_func": func, "access_vector": vector, "access_dword": dword, "access_data": data}
        inputs |= {"access_write": write, "access_pending": pending, "access_strobe": strobe}
        while not (await self.step(access_valid=1, **inputs)).access_ready:
            pass
        for _ in range(8):
            out = await self.step(access_valid=0)
            if out.access_done:
                return out.read_data
        raise AssertionError("an access is not done")

    async def pending(self, func: int) -> int:
        return await self.access(func, 0, write=0, pending=1)

    def cause(self, source: int, qid: int, target: int, *, is_c2h=1, func=0, aggregated=0, status=0) -> None:
        self.causes[source].append(qid << 62 | is_c2h << 61 | func << 49 | aggregated << 48 | target << 37 | status)

    def ring(self, index: int, func: int, vector: int, pages: int = 1, pidx: int = 0) -> Ring:
        ring = self.rings[index] = Ring(index, func, vector, pages, pidx)
        self.commands.append((index, ring.word()))
        return ring

    def door(self, ring: Ring, cidx: int) -> None:
        self.doors.append((ring.index, cidx))

    async def user(self, func: int, vector: int, hold: int = 1000, pace=dict) -> bool:
        """One of the user, valid until its answer, at most `hold` cycles; other inputs by `pace`. True: ack."""
        given = {"user_irq_valid": 1, "user_irq_func": func, "user_irq_vector": vector}
        self.asked = self.cycle
        for i in range(1000):
            # A user that does not hold it shows something else.
            given = given if i < hold else {"user_irq_valid": 0, "user_irq_func": 255, "user_irq_vector": 99}
            out = await self.step(**given, **pace())
            if out.user_irq_ack or out.user_irq_fail:
                assert not (out.user_irq_ack and out.user_irq_fail)
                self.answer = self.cycle
                self.s.set(user_irq_valid=0)
                return bool(out.user_irq_ack)
        raise AssertionError("an interrupt of the user has no answer")

    async def step(self, **inputs: int):
        heads = [queue[0] if queue else None for queue in self.causes]
        self.waits = max(0, self.waits - 1)
        command = self.commands[0] if self.commands and not self.waits else None
        door = self.doors[0] if self.doors and not self.waits and not command else None
        inputs |= {
            "cause_valid": lanes([head is not None for head in heads], 1),
            "cause": lanes([head or 0 for head in heads], 73),
            "error_valid": int(bool(self.errors)),
            "error": self.errors[0] if self.errors else 0,
            "command_valid": int(command is not None),
            "door_valid": int(door is not None),
        }
        if command:
            inputs |= {"command_ring": command[0], "command_word": command[1]}
        if door:
            inputs |= {"door_ring": door[0], "door_cidx": door[1]}
        ready = inputs.get("write_ready", self.s.given.get("write_ready"))
        out = await self.s.step(**inputs)
        for i, queue in enumerate(self.causes):
            if out.cause_ready >> i & 1:
                self.accepted[queue.popleft()] = self.cycle
        if self.errors and out.error_ready:
            self.errors.popleft()
        if command and out.command_ready:
            self.commands.popleft()
            self.waits = 5
        if door and out.door_ready:
            self.rings[door[0]].cidx = door[1]
            self.doors.popleft()
            self.waits = 5
        if out.write_valid and ready:
            self._write(out)
        if out.lost:
            self.lost.append(out.lost_qid)
        self.no_vectors += out.no_vector
        return out

    def _write(self, out) -> None:
        if out.write_dwords == 1:
            func, vector = out.write_data >> 16 & 0xFF, out.write_data & 0xFFFF
            assert (out.write_addr, out.write_data) == self.entry(func, vector) and out.write_func == func
            self.messages.append((self.cycle, func, vector))
            return
        assert out.write_dwords == 2
        ring = self.rings[(out.write_addr - RING_BASE) >> 16]
        assert out.write_func == ring.func and out.write_addr == ring.base + 8 * ring.pidx
        data = out.write_data
        assert data >> 63 == ring.colour and data >> 50 & 0x1FFF == 0 and data >> 37 & 1 == 0
        assert (ring.pidx + 1) % ring.entries != ring.cidx, "an entry that was not read is overwritten"
        ring.pidx = (ring.pidx + 1) % ring.entries
        ring.colour ^= ring.pidx == 0
        ring.written += 1
        self.entries.append((self.cycle, ring.index, data >> 39 & 0x7FF, data >> 38 & 1, data & ((1 << 37) - 1)))

    async def steps(self, count: int, **inputs: int) -> None:
        for _ in range(count):
            await self.step(**inputs)

    async def settle(self, count: int = 80, **inputs: int) -> None:
        limit = self.cycle + 20000
        while any(self.causes) or self.doors or self.commands or self.errors:
            assert self.cycle < limit, "it hangs"
            await self.step(**inputs)
        await self.steps(count, **inputs)


@cocotb.test()
async def direct(dut):
    """Each cause a message, of its function and vector; both directions of a queue; LATENCY cycles."""
    rng = seeded(running_test())
    bed = await Bed(dut).reset()
    wanted = Counter()
    for source in (0, 1):
        for qid in range(32):
            func = rng.randrange(FUNCTIONS)
            vector = rng.randrange(PF_VECTORS if func < 4 else VF_VECTORS)
            bed.cause(source, qid, vector, is_c2h=source, func=func, status=rng.getrandbits(37))
            wanted[func, vector] += 1
    await bed.settle(800)
    assert Counter((func, vector) for _, func, vector in bed.messages) == wanted and not bed.entries
    bed.cause(0, 3, 5)
    await bed.settle(40)
    assert bed.messages[-1][0] - max(bed.accepted.values()) == LATENCY


@cocotb.test()
async def no_such_vector(dut):
    """A vector that the function does not have is counted and stops nothing."""
    bed = await Bed(dut).reset()
    bed.cause(0, 1, 32, func=0)
    bed.cause(0, 2, 8, func=5)
    bed.cause(0, 3, 7, func=5)
    bed.cause(0, 4, 2047, func=1)
    await bed.settle(200)
    assert [(func, vector) for _, func, vector in bed.messages] == [(5, 7)] and bed.no_vectors == 3


@cocotb.test()
async def masks(dut):
    """A masked vector or function keeps its message pending, and sends it once when it may."""
    rng = seeded(running_test())
    bed = await Bed(dut).reset()
    for _ in range(60):
        func, vector = rng.randrange(FUNCTIONS), rng.randrange(VF_VECTORS)
        before = len(bed.messages)
        how = rng.choice(("vector", "function", "off"))
        if how == "vector":
            await bed.access(func, vector, data=1)
        elif how == "function":
            await bed.step(is_masked=1 << func)
        else:
            await bed.step(is_enabled=255 & ~(1 << func))
        times = rng.randrange(1, 4)
        for i in range(times):
            bed.cause(0, rng.randrange(32), vector, func=func, is_c2h=i & 1)
        await bed.settle(200)
        assert len(bed.messages) == before and await bed.pending(func) == 1 << vector
        assert await bed.access(func, vector, write=0) == (how == "vector")
        if how == "vector":
            await bed.access(func, vector, data=0)
        await bed.settle(8 * FUNCTIONS, is_masked=0, is_enabled=255)
        assert [(f, v) for _, f, v in bed.messages[before:]] == [(func, vector)]
        assert await bed.pending(func) == 0


@cocotb.test()
async def table_access(dut):
    """Each byte of each dword; what is not there reads as 0; masked after a reset."""
    rng = seeded(running_test())
    bed = Bed(dut)
    await bed.s.reset(**dict.fromkeys(INPUTS, 0), write_ready=1)
    await bed.steps(700)
    model = {}
    for func in range(FUNCTIONS):
        assert await bed.access(func, 3, write=0) == 1
    for _ in range(600):
        func, vector, dword = rng.randrange(FUNCTIONS), rng.randrange(32), rng.randrange(4)
        exists = vector < (PF_VECTORS if func < 4 else VF_VECTORS)
        if rng.random() < 0.5:
            data, strobe = rng.getrandbits(32), rng.getrandbits(4)
            await bed.access(func, vector, dword, data, strobe=strobe)
            if exists:
                old = model.get((func, vector, dword), 1 if dword == CONTROL else 0)
                keep = sum(0xFF << 8 * i for i in range(4) if not strobe >> i & 1)
                new = old & keep | data & ~keep
                model[func, vector, dword] = new & 1 if dword == CONTROL else new
        elif exists and (dword == CONTROL or (func, vector, dword) in model):
            assert await bed.access(func, vector, dword, write=0) == model.get((func, vector, dword), 1)
        elif not exists:
            assert await bed.access(func, vector, dword, write=0) == 0


@cocotb.test()
async def rings(dut):
    """Entries with colour around several rings, one message until the doorbell, again if something is unread."""
    rng = seeded(running_test())
    bed = await Bed(dut).reset()
    bed.ring(3, 0, 4, pages=1, pidx=500)
    bed.ring(200, 5, 7, pages=2, pidx=1020)
    bed.ring(7, 2, 31, pages=8)
    await bed.settle()
    for ring in bed.rings.values():
        bed.door(ring, ring.pidx)
    await bed.settle()
    pending = Counter()
    for _ in range(120):
        ring = rng.choice(list(bed.rings.values()))
        qid, is_c2h, status = rng.randrange(32), rng.getrandbits(1), rng.getrandbits(37)
        bed.cause(
            rng.getrandbits(1), qid, ring.index, func=rng.randrange(8), aggregated=1, is_c2h=is_c2h, status=status
        )
        pending[ring.index, qid, is_c2h, status] += 1
        await bed.steps(rng.choice((0, 30, 60)), write_ready=rng.random() < 0.9)
        if rng.random() < 0.4:
            bed.door(ring, ring.pidx)
    await bed.settle(2000, write_ready=1)
    came = Counter((ring, qid, is_c2h, status) for _, ring, qid, is_c2h, status in bed.entries)
    # Of two causes of a queue that wait, the newer status may come twice, or once.
    assert set(came) <= set(pending) and len(bed.entries) <= 120
    for ring in bed.rings.values():
        bed.door(ring, ring.pidx)
    await bed.settle(400)
    count = len(bed.messages)
    for ring in bed.rings.values():
        bed.cause(0, ring.index % 32, ring.index, aggregated=1, status=1)
    await bed.settle(200)
    assert sorted((f, v) for _, f, v in bed.messages[count:]) == [(0, 4), (2, 31), (5, 7)]
    # A doorbell that leaves one unread: the message comes again, without another cause.
    ring = bed.rings[7]
    count = len(bed.messages)
    bed.door(ring, (ring.pidx - 1) % ring.entries)
    await bed.settle(100)
    assert [(f, v) for _, f, v in bed.messages[count:]] == [(2, 31)]
    bed.door(ring, ring.pidx)
    await bed.settle(100)
    assert len(bed.messages) == count + 1


@cocotb.test()
async def full_ring(dut):
    """A full ring makes its causes wait, not those of others; with room they leave, none lost."""
    bed = await Bed(dut).reset()
    full, other = bed.ring(1, 0, 1, pidx=510), bed.ring(2, 1, 2)
    await bed.settle()
    bed.door(full, 511 + 2 - 512)  # CIDX 1: room for 510, 511 and no more
    await bed.settle()
    for qid in range(8):
        bed.cause(0, qid, 1, aggregated=1, status=100 + qid)
    await bed.settle(300)
    assert full.written == 2
    for qid in range(8, 12):
        bed.cause(1, qid, 2, aggregated=1, status=200 + qid)
    bed.errors.append(3 << 12 | 1 << 23)  # the error interrupt, through ring 3, which is not valid: lost
    bed.errors.append(5 << 12 | 2)  # direct, function 2
    await bed.settle(300)
    bed.errors.append(1 << 12 | 1 << 23)  # through the full ring: it waits, as causes do
    await bed.settle(600)
    assert other.written == 4 and full.written == 2 and len(bed.lost) == 1
    assert (2, 5) in [(f, v) for _, f, v in bed.messages]
    for cidx in (4, 0x1FF, 3):
        bed.door(full, cidx % 512 if cidx != 0x1FF else full.pidx)
        await bed.settle(400)
    assert full.written == 9
    of_causes = [(qid, status) for _, ring, qid, is_c2h, status in bed.entries if ring == 1 and is_c2h]
    assert sorted(of_causes) == [(q, 100 + q) for q in range(8)]
    bed.errors.append(1 << 12 | 1 << 23)
    await bed.settle(100)
    assert full.written == 10


@cocotb.test()
async def function_reset(dut):
    """Causes and the error interrupt of a function that is being reset are dropped wherever they wait; those of others
    leave. causes_drained comes once none of it is left. Afterwards the function has interrupts again."""
    bed = await Bed(dut).reset()
    full, other, of_other = bed.ring(1, 0, 1, pidx=510), bed.ring(2, 1, 2), bed.ring(3, 1, 4, pidx=510)
    await bed.settle()
    for ring in (full, of_other):  # no room: their causes go round
        bed.door(ring, 511)
    bed.cause(0, 20, 3, func=1, aggregated=1, status=6)
    await bed.settle()
    bed.messages.clear()
    for qid in range(4):
        bed.cause(0, qid, 1, aggregated=1)
    bed.errors.append(1 << 12 | 1 << 23)  # function 0, through the full ring
    await bed.settle(200)
    assert not full.written
    bed.cause(1, 9, 3, func=2)
    await bed.settle(60, write_ready=0)  # its message is held, so all wait
    bed.cause(1, 10, 5)  # direct, function 0
    bed.cause(1, 11, 2, func=1, aggregated=1, status=77)
    await bed.steps(40, write_ready=0, reset_active=1, reset_func=0)
    begin, drained_at = bed.cycle, 0
    for _ in range(4000):  # causes that go round are each seen once: by their count
        out = await bed.step(write_ready=1, reset_active=1, reset_func=0, drains_causes=1)
        drained_at = drained_at or (out.causes_drained and bed.cycle)
    assert drained_at > begin and not full.written
    assert [(f, v) for _, f, v in bed.messages] == [(2, 3), (1, 2)] and other.written == 1
    await bed.steps(4, drains_causes=0)
    for ring in (full, of_other):  # room again: nothing of before the reset comes, and what is of others
        bed.door(ring, 510)
    await bed.settle(200, reset_active=0)
    assert not full.written and of_other.written == 1 and [(f, v) for _, f, v in bed.messages[2:]] == [(1, 4)]
    bed.messages.clear()
    bed.cause(0, 3, 1, aggregated=1, status=5)
    bed.errors.append(7 << 12)
    await bed.settle(200)
    assert full.written == 1 and [(f, v) for _, f, v in bed.messages] in ([(0, 1), (0, 7)], [(0, 7), (0, 1)])
    assert not bed.lost


@cocotb.test()
async def no_ring(dut):
    """A cause for a ring that is not valid, or that no ring can be, is lost, counted and named."""
    bed = await Bed(dut).reset()
    bed.cause(0, 5, 9, aggregated=1)
    bed.cause(0, 6, 300, aggregated=1)
    bed.cause(0, 7, 2)
    await bed.settle(100)
    assert sorted(bed.lost) == [5, 6] and [(f, v) for _, f, v in bed.messages] == [(0, 2)]
    assert (await bed.step()).stat_lost == 2


@cocotb.test()
async def storm(dut):
    """All at once, with masks that come and go and a slow channel: at the end every ring and vector has its message."""
    rng = seeded(running_test())
    bed = await Bed(dut).reset()
    for i in range(6):
        bed.ring(i, i, 2, pages=1, pidx=rng.randrange(512))
    await bed.settle()
    for ring in bed.rings.values():
        bed.door(ring, ring.pidx)
    await bed.settle()
    direct = Counter()
    for _ in range(400):
        qid = rng.randrange(32)
        if rng.random() < 0.5:
            bed.cause(rng.getrandbits(1), qid, rng.randrange(6), aggregated=1, status=rng.getrandbits(37))
        else:
            func = rng.randrange(FUNCTIONS)
            bed.cause(rng.getrandbits(1), qid, 6, func=func)
            direct[func] += 1
        if rng.random() < 0.3:
            ring = bed.rings[rng.randrange(6)]
            bed.door(ring, ring.pidx)
        await bed.steps(
            rng.randrange(20), write_ready=rng.random() < 0.8, is_masked=rng.getrandbits(8) & rng.getrandbits(8)
        )
    await bed.settle(8000, write_ready=1, is_masked=0)
    for func in range(FUNCTIONS):
        assert await bed.pending(func) == 0
    sent = Counter(func for _, func, vector in bed.messages if vector == 6)
    assert all(sent[func] for func in direct) and sum(sent.values()) <= sum(direct.values())
    for ring in bed.rings.values():
        # The last message came after the last doorbell, if something is unread.
        if ring.pidx != ring.cidx:
            last = max((cycle for cycle, f, v in bed.messages if (f, v) == (ring.func, 2)), default=-1)
            first = [cycle for cycle, index, *_ in bed.entries if index == ring.index]
            assert last > first[-((ring.pidx - ring.cidx) % 512)]
    assert not bed.lost and not bed.no_vectors


@cocotb.test()
async def user(dut):
    """What PG302 has for each setting of enable, function mask and vector mask: ack and message, ack and pending, or
    fail and nothing, also later. A pending one leaves once when it may."""
    rng = seeded(running_test())
    bed = await Bed(dut).reset()
    await bed.settle()
    assert await bed.user(0, 5)
    assert (bed.messages[-1][0] - bed.asked, bed.answer - bed.asked) == (USER_LATENCY, USER_LATENCY + 1)
    failed = 0
    for _ in range(6):
        for enabled, function_masked, vector_masked in itertools.product((0, 1), repeat=3):
            func = rng.randrange(FUNCTIONS)
            vector = rng.randrange(PF_VECTORS if func < 4 else VF_VECTORS)
            before, bit = len(bed.messages), 1 << func
            await bed.access(func, vector, data=vector_masked)
            await bed.step(is_enabled=ALL & ~bit | enabled * bit, is_masked=function_masked * bit)
            times = rng.randint(1, 3)
            for _ in range(times):
                is_ack = await bed.user(func, vector, hold=rng.choice((1, 1000)))
                assert is_ack == bool(enabled)
                if enabled and not function_masked and not vector_masked:
                    await bed.steps(2)
                    assert bed.messages[-1][1:] == (func, vector)
            failed += 0 if enabled else times
            is_pending = enabled and (function_masked or vector_masked)
            await bed.settle(20)
            assert await bed.pending(func) == (1 << vector if is_pending else 0)
            sent = times if enabled and not is_pending else 0
            assert [m[1:] for m in bed.messages[before:]] == [(func, vector)] * sent
            await bed.step(is_enabled=ALL, is_masked=0)
            await bed.access(func, vector, data=0)
            await bed.settle(8 * FUNCTIONS)
            assert len(bed.messages) == before + sent + bool(is_pending)
            assert await bed.pending(func) == 0
    assert (await bed.step()).stat_user_irq_failed == failed


@cocotb.test()
async def user_refused(dut):
    """No such function or vector, no bus master: fail, counted; nothing is sent, also later. A pending one waits while
    its function is no bus master."""
    rng = seeded(running_test())
    bed = await Bed(dut).reset()
    failed = 0
    for func, vector in ((8, 0), (255, 0), (0, 32), (3, 2047), (4, 8), (7, 31), (0, 64), (0, 1024 + 5)):
        assert not await bed.user(func, vector)
        failed += 1
        assert await bed.user(func % FUNCTIONS, vector % VF_VECTORS)
    await bed.settle(20)
    count = len(bed.messages)
    assert count == failed
    for _ in range(10):
        func, vector = rng.randrange(FUNCTIONS), rng.randrange(VF_VECTORS)
        # Masked while it may write, then not masked while it may not
        await bed.step(is_masked=1 << func)
        assert await bed.user(func, vector)
        await bed.step(may_write=ALL & ~(1 << func), is_masked=0)
        assert not await bed.user(func, (vector + 1) % VF_VECTORS)
        failed += 1
        await bed.settle(20 * FUNCTIONS)
        assert len(bed.messages) == count and await bed.pending(func) == 1 << vector
        await bed.step(may_write=ALL)
        await bed.settle(8 * FUNCTIONS)
        count += 1
        assert len(bed.messages) == count and bed.messages[-1][1:] == (func, vector)
    out = await bed.step()
    assert out.stat_user_irq_failed == failed and not bed.no_vectors and not bed.lost


@cocotb.test()
async def user_storm(dut):
    """User, mailbox and queues at once, while masks, enables and bus masters come and go, and the channel is slow: each
    ack has a message, none has two; all continue."""
    rng = seeded(running_test())
    bed = await Bed(dut).reset()
    await bed.settle()
    asked, acks, mailbox = {}, Counter(), 0

    def pace() -> dict[str, int]:
        few = rng.getrandbits(8) & rng.getrandbits(8) & rng.getrandbits(8)
        what = rng.choice(("is_enabled", "is_masked", "may_write", ""))
        return {
            "write_ready": int(rng.random() < 0.7),
            **({what: few if what == "is_masked" else ALL & ~few} if what else {}),
        }

    for i in range(250):
        func, vector = rng.randrange(FUNCTIONS), rng.choice((3, 5))
        bed.cause(rng.getrandbits(1), i % 32, 6, func=rng.randrange(FUNCTIONS))
        start = bed.cycle
        if await bed.user(func, vector, pace=pace):
            asked[func, vector] = start
            acks[func, vector] += 1
        for _ in range(rng.choice((0, 0, 7))):
            out = await bed.step(mailbox_valid=1, mailbox_func=func, mailbox_vector=7, **pace())
            while not out.mailbox_ready:
                out = await bed.step(**pace())
            mailbox += 1
        bed.s.set(mailbox_valid=0)
    await bed.settle(4000, write_ready=1, is_masked=0, is_enabled=ALL, may_write=ALL)
    sent = Counter(m[1:] for m in bed.messages if m[2] in (3, 5))
    assert set(sent) == set(acks) and all(sent[key] <= acks[key] for key in sent)
    last = {m[1:]: m[0] for m in bed.messages}
    assert all(last[key] > start for key, start in asked.items())
    assert {m[2] for m in bed.messages} == {3, 5, 6, 7} and not bed.no_vectors
    # The user alone asks in each cycle: queues and mailbox have their turns.
    count = len(bed.messages)
    for i in range(20):
        bed.cause(0, i, 6, func=i % FUNCTIONS)
    given = {"user_irq_valid": 1, "user_irq_func": 0, "user_irq_vector": 3}
    for _ in range(20 * 40):
        await bed.step(**given, mailbox_valid=1, mailbox_func=1, mailbox_vector=7)
    came = Counter(m[2] for m in bed.messages[count:])
    assert came[6] == 20 and came[3] >= 20 and came[7] >= 20, came


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_interrupt(test):
    modules = (
        *("qdma_arbiter", "qdma_context_ram", "qdma_id_queue", "qdma_first", "qdma_interrupt", "qdma_msix"),
        "qdma_legacy",
        *("qdma_merge", "qdma_user_interrupt", "qdma_vectors"),
    )
    write_bench("qdma_interrupt", *modules).run(__name__, test)
