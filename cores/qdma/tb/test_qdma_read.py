# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The read engine: cuts, tags, credits, order, throughput, and every way in which a completion can be wrong."""

import os
from collections import deque

import cocotb
import pytest

from qdma_bed import CORE, HERE
from qdma_host import FAULTS, NO_ERROR, Host, Memory
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

CLIENTS, TAGS = parameter("CLIENTS", 2), parameter("TAGS", 256)
MAX_CHUNK = 1024
REQUEST_CYCLES = 2  # from the acceptance of a request to its read TLP: the README's figures
BEAT_CYCLES = 4  # from the last beat of a chunk's completion to its first beat of the client
LATENCY = 175  # cycles, 700 ns
OUTPUTS = ("request_ready", "beat_valid", "beat_offset", "beat_bytes", "beat_last", "beat_error", "beat_cookie")
OUTPUTS += ("beat_data", "read_valid", "read_func", "read_addr", "read_dwords", "read_be", "read_tag")
OUTPUTS += ("stat_chunks", "stat_unexpected", "failed", "failed_read")
HEADER = {"completion_tag": 8, "completion_dwords": 11, "byte_count": 13, "lower_addr": 7}  # of a completion, bits
IDLE = {"request_valid": 0, "beat_ready": 0, "read_ready": 0, "completion_valid": 0, "completion_last": 0}


def chunks_of(addr: int, count: int, mrrs: int) -> list[tuple[int, int]]:
    cut, chunks = min(mrrs, MAX_CHUNK), []
    while count:
        n = min(count, cut - addr % cut)
        chunks.append((addr, n))
        addr, count = addr + n, count - n
    return chunks


class Rig:
    """Steps the engine with a host, and holds the beats of each client against its requests."""

    def __init__(self, dut, rng, **host):
        self.s, self.rng = Stepper(dut, OUTPUTS), rng
        self.memory = Memory(rng)
        self.host = Host(rng, self.memory, **host)
        self.waiting = [deque() for _ in range(CLIENTS)]  # requests
        self.asked = [deque() for _ in range(CLIENTS)]  # requests that were accepted, as chunks
        self.offered = [False] * CLIENTS
        self.beats_at = [[] for _ in range(CLIENTS)]  # cycles
        self.requests_at = [[] for _ in range(CLIENTS)]
        self.reads_at, self.ended_at = [], []
        self.done = 0
        self.within_part = False
        self.failures: list[tuple[int, ...]] = []  # error, tag, function, address, client, queue
        self.queues: dict[tuple[int, int], int] = {}  # by the address of a chunk, and its tag

    async def start(self, credit_limit: int = 1023) -> "Rig":
        mrrs = {128: 0, 256: 1, 512: 2, 1024: 3, 2048: 4, 4096: 5}[self.host.mrrs]
        await self.s.reset(**IDLE, max_read_request=mrrs, credit_limit=credit_limit)
        return self

    def ask(self, client: int, addr: int, count: int) -> None:
        """Addresses of a client are its own, so that a read shows whose it is."""
        self.waiting[client].append((self.rng.getrandbits(8), client << 60 | addr, count, self.rng.getrandbits(64)))

    def idle(self) -> bool:
        return not any(self.waiting) and not any(self.asked)

    async def step(self, *, request=1.0, ready=(1.0,) * CLIENTS, read=1.0) -> None:
        rng, s, cycle = self.rng, self.s, self.s.cycle
        fields = {"request_func": 0, "request_addr": 0, "request_bytes": 0, "request_cookie": 0}
        for i in range(CLIENTS):
            self.offered[i] = bool(self.waiting[i]) and (self.offered[i] or rng.random() < request)
            if self.offered[i]:
                widths = {"request_func": 8, "request_addr": 64, "request_bytes": 16, "request_cookie": 64}
                for (name, width), value in zip(widths.items(), self.waiting[i][0], strict=True):
                    fields[name] |= value << width * i
        valid = sum(self.offered[i] << i for i in range(CLIENTS))
        beat_ready = sum((rng.random() < ready[i]) << i for i in range(CLIENTS))
        read_ready = int(rng.random() < read)
        beat = self.host.beat(cycle)
        if beat.get("completion_valid"):
            if self.within_part:  # the header is valid with the first beat only
                beat |= {name: ~beat[name] & (1 << width) - 1 for name, width in HEADER.items()}
            self.within_part = not beat["completion_last"]
            if beat["completion_last"]:
                self.ended_at.append(cycle)
        out = await s.step(request_valid=valid, **fields, beat_ready=beat_ready, read_ready=read_ready, **beat)
        for i in range(CLIENTS):
            if valid >> i & out.request_ready >> i & 1:
                func, addr, count, cookie = self.waiting[i].popleft()
                self.offered[i] = False
                self.asked[i].append((func, cookie, deque(chunks_of(addr, count, self.host.mrrs))))
                self.requests_at[i].append(cycle)
            if (out.beat_valid & beat_ready) >> i & 1:
                self.beats_at[i].append(cycle)
                self.check_beat(i, out)
        if out.read_valid and read_ready:
            self.reads_at.append(cycle)
            header = (out.read_tag, out.read_func, out.read_addr, out.read_dwords, out.read_be)
            self.check_read(self.host.accept(cycle, *header))
        if out.failed:
            word = out.failed_read
            fields = (word >> 94, word >> 83 & 0xFF, word >> 64 & 0xFF, word & (1 << 64) - 1)
            self.failures.append((*fields, word >> 91 & 7, word >> 72 & 0x7FF))
        self.out = out

    def check_read(self, read) -> None:
        """The next chunk of its client that has not been asked for."""
        client = read.addr >> 60
        for func, cookie, chunks in self.asked[client]:
            for i, chunk in enumerate(chunks):
                if len(chunk) == 2:
                    assert (func, *chunk) == (read.func, read.addr, read.count)
                    self.queues[read.addr, read.tag] = cookie & 0x7FF
                    chunks[i] = (*chunk, self.host.outcome[-1][2])
                    return
        raise AssertionError(f"a read of nothing: {read}")

    def check_beat(self, i: int, out) -> None:
        bytes_, offset, error = (
            out.beat_bytes >> 7 * i & 127,
            out.beat_offset >> 6 * i & 63,
            out.beat_error >> 3 * i & 7,
        )
        _, cookie, chunks = self.asked[i][0]
        addr, count, wanted = chunks[0]
        last = len(chunks) == 1
        assert out.beat_cookie >> 64 * i & (1 << 64) - 1 == cookie
        assert error == wanted, f"client {i}, {addr:#x}, {count}: error {error}, not {wanted}"
        if error != NO_ERROR:
            assert (bytes_, out.beat_last >> i & 1) == (0, last)
            chunks.popleft()
        else:
            n = min(count, 64 - addr % 64)
            assert (offset, bytes_, out.beat_last >> i & 1) == (addr % 64, n, last and n == count)
            data = (out.beat_data >> 512 * i & (1 << 512) - 1).to_bytes(64, "little")[offset : offset + n]
            assert data == self.memory.read(addr, n), f"client {i}, {addr:#x}"
            chunks.popleft()
            if n < count:
                chunks.appendleft((addr + n, count - n, NO_ERROR))
        if not chunks:
            self.asked[i].popleft()
            self.done += 1

    async def finish(self, limit: int = 20000, **rates) -> None:
        while not self.idle():
            assert self.s.cycle < limit, f"stuck: {self.done} done, {self.asked}"
            await self.step(**rates)

    async def settle(self) -> None:
        for _ in range(12):
            await self.step()

    def check_stats(self) -> None:
        chunks = [self.out.stat_chunks >> 32 * i & 0xFFFFFFFF for i in range(6)]
        assert chunks == self.host.errors
        assert self.out.stat_unexpected == self.host.unexpected
        wanted = [(*each, each[3] >> 60, self.queues[each[3], each[1]]) for each in self.host.failed]
        assert sorted(self.failures) == sorted(wanted), "each read that has failed, once"


def random_request(rng) -> tuple[int, int]:
    most = rng.choice((80, 80, 600, 600, 5000))
    count = 64 if rng.random() < 0.3 else rng.randint(1, most)
    addr = rng.getrandbits(40)
    if rng.random() < 0.5:
        addr &= ~63
    if rng.random() < 0.2:
        addr = (addr & ~4095) + 4096 - rng.randint(1, 70)
    return addr, count


async def random_run(dut, *, requests=120, strays=0.0, credit_limit=1023, **host):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for ready in (1.0, 0.5):
        rig = await Rig(dut, rng, mrrs=rng.choice((128, 256, 512, 1024, 4096)), **host).start(credit_limit)
        for _ in range(requests):
            rig.ask(rng.randrange(CLIENTS), *random_request(rng))
        while not rig.idle():
            assert rig.s.cycle < 30000, f"stuck: {rig.done} done"
            is_sure = rig.host.closed and not rig.host.beats and len(rig.host.reads) < TAGS // 2
            if is_sure and rng.random() < strays:
                rig.host.stray()
            await rig.step(request=0.7, ready=(ready,) * CLIENTS, read=0.8)
        await rig.settle()
        rig.check_stats()
        assert rig.host.most_lines <= credit_limit
    return rig


@cocotb.test()
async def random_requests(dut):
    """Any lengths and addresses, parts cut at any multiple of 64, in any order of the reads."""
    await random_run(dut)


@cocotb.test()
async def random_faults(dut):
    """A fault costs its chunk, with its code, and nothing else; completions of closed tags cost nothing."""
    rig = await random_run(dut, requests=200, strays=0.25, fault_rate=0.15)
    assert rig.host.unexpected > 0 and all(rig.host.errors)


@cocotb.test()
async def few_credits(dut):
    """With place for 20 lines of completions there are never more under way, and nothing hangs."""
    await random_run(dut, requests=60, credit_limit=20, fault_rate=0.05)


@cocotb.test()
async def every_fault(dut):
    """Each fault in each part of a chunk of four parts, between chunks that are good."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for kind, error in FAULTS.items():
        rig = await Rig(dut, rng, mrrs=256, in_order=True, part=64).start()
        for i in range(12):
            rig.ask(i % CLIENTS, 0x10000 + 256 * i, 256)
        rig.host.next_fault, rig.host.fault_rate = lambda kind=kind: kind, 0.4
        while not rig.host.errors[error]:
            rig.ask(0, 0x20000, 256)
            await rig.finish()
        await rig.settle()
        rig.check_stats()
        assert sum(rig.host.errors) == rig.host.errors[0] + rig.host.errors[error]


def gaps(cycles: list[int]) -> int:
    return cycles[-1] - cycles[0] + 1 - len(cycles)


@cocotb.test()
async def throughput_64(dut):
    """Reads of 64 bytes, 700 ns away: a request, a read TLP and a beat in each cycle."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng, latency=(LATENCY, LATENCY), in_order=True).start()
    for i in range(600):
        rig.ask(0, 0x40000 + 64 * i, 64)
    await rig.finish()
    assert len(rig.beats_at[0]) == 600
    assert gaps(rig.requests_at[0]) == gaps(rig.reads_at) == gaps(rig.beats_at[0]) == 0


@cocotb.test()
async def throughput_large(dut):
    """4096 bytes at MRRS 512, from two clients in turn: the lines are a beat in each cycle, together."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng, latency=(LATENCY, LATENCY), in_order=True, part=512).start()
    for i in range(10):
        rig.ask(i % CLIENTS, 0x40000 + 4096 * i, 4096)
    await rig.finish()
    beats = sorted(rig.beats_at[0] + rig.beats_at[1])
    assert len(beats) == 640 and beats[-1] - beats[0] + 1 <= 640 + 8


@cocotb.test()
async def stalled_client(dut):
    """A client that accepts no beats does not stop the other one."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng).start()
    for _ in range(150):
        rig.ask(0, *random_request(rng))
    for i in range(200):
        rig.ask(1, 0x1000 + 64 * i, 64)
    while rig.waiting[1] or rig.asked[1]:
        assert rig.s.cycle < 3000
        await rig.step(ready=(0.0, 1.0))
    await rig.finish()


@cocotb.test()
async def latency(dut):
    """Alone: request to read TLP, completion to beat."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    rig = await Rig(dut, rng, in_order=True).start()
    for _ in range(5):
        await rig.settle()
        rig.ask(1, 0x7000, 64)
        await rig.finish()
        assert rig.reads_at[-1] - rig.requests_at[1][-1] == REQUEST_CYCLES
        assert rig.beats_at[1][-1] - rig.ended_at[-1] == BEAT_CYCLES


def cases() -> list[tuple[str, int]]:
    """With 8 tags, too, what does not count cycles."""
    tests = cocotb_tests(__name__)
    return [
        (test, tags) for test in tests for tags in (256, 8) if tags == 256 or test.startswith(("random", "stalled"))
    ]


@pytest.mark.parametrize("test, tags", main_and_kept(__file__, cases(), lambda _, tags: tags == 256))
def test_qdma_read(test, tags):
    names = ("tlp_pkg", "read_pkg", "arbiter", "read_split", "tags", "read_credit", "read_failed", "read_track")
    names += ("reorder", "read")
    own = [CORE / "rtl" / f"qdma_{name}.sv" for name in names]
    checkers = CORE.parent / "common" / "sva" / "axis_checker.sv"
    common = [path for path in rtl("common") if path.stem in ("ram_sdp", "axis_register")]
    sources = [*common, *own, checkers, HERE / "qdma_read_bench.sv"]
    sizes = {"TAGS": tags, "LINES": 512 if tags == 256 else 64, "ENTRIES": tags}
    Bench("qdma_read_bench", sources, {"CLIENTS": 2, **sizes}).run(__name__, test)
