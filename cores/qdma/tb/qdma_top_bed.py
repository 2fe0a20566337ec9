# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A host around qdma, which sees its channels of TLPs and its ports for packets, and nothing inside: memory, MSI-X,
accesses to BAR 0, a source of C2H packets. A step is a cycle; what a test asks for is queued, and done as steps go
by."""

from collections import deque

from qdma_bed import CORE
from qdma_contract import COMMAND, PF_MSIX, VF_MSIX
from qdma_host import Host, Memory, enabled
from qdma_source import SOURCE_IDLE, SOURCE_OUTPUTS, Source
from qdma_write_bed import names
from ullnic_tb import Bench, Stepper, rtl

QUEUES, PFS, VFS = 32, 2, 4
OUTPUTS = names(
    "clearing bar_request_ready bar_answer_valid bar_answer_status bar_answer_tag bar_answer_data "
    "host_write_valid host_write_func host_write_addr host_write_dwords host_write_first_be host_write_last_be "
    "host_write_data host_write_last host_read_valid host_read_func host_read_addr host_read_dwords host_read_first_be "
    "host_read_last_be host_read_tag m_axis_h2c_tvalid m_axis_h2c_tdata m_axis_h2c_tlast m_axis_h2c_tuser_qid "
    "m_axis_h2c_tuser_port_id m_axis_h2c_tuser_mdata m_axis_h2c_tuser_mty m_axis_h2c_tuser_zero_byte "
    "m_axis_h2c_tuser_err"
)
IDLE = dict.fromkeys(
    names(
        "bar_request_valid bar_request_is_write bar_request_func bar_request_bar bar_request_addr bar_request_dwords "
        "bar_request_first_be bar_request_last_be bar_request_requester bar_request_tag bar_request_tc "
        "bar_request_attr bar_request_data host_completion_valid host_completion_last host_read_ready "
        "host_write_ready m_axis_h2c_tready"
    ),
    0,
)
MPS = 256
BUFFER = 13  # bits: a buffer of payload is 8 KiB, aligned
MSIX_BASE = 0xFEE0_0000
OK = 0


def top_bench() -> Bench:
    common = rtl("common")
    checkers = sorted((CORE.parent / "common" / "sva").glob("*.sv"))
    own = [CORE / line for line in (CORE / "qdma.f").read_text().splitlines() if line and not line.startswith("//")]
    parameters = {"QUEUES": QUEUES, "PFS": PFS, "VFS": VFS}
    return Bench("qdma", [*common, *own, *checkers, CORE / "tb" / "qdma_top_checks.sv"], parameters)


class TopHost(Host):
    """Knows how much of each buffer has been read; a read of a bad buffer, or a bad page of a ring, fails. `reading` is
    called with the address of each read."""

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.answered: dict[int, int] = {}
        self.bad: set[int] = set()
        self.reading = lambda *_: None
        self.read_addresses: list[tuple[int, int]] = []  # cycle, address

    def accept(self, cycle: int, tag: int, func: int, addr: int, dwords: int, be: int):
        self.fault_rate = float(addr >> BUFFER in self.bad)
        self.read_addresses.append((cycle, addr))
        self.reading(addr)
        return super().accept(cycle, tag, func, addr, dwords, be)

    def _close(self, read) -> None:
        super()._close(read)
        buffer = read.addr >> BUFFER
        self.answered[buffer] = self.answered.get(buffer, 0) + read.count


class Bed:
    """`packet`, `written` and `message` are called with what comes out; `each` in each step."""

    def __init__(self, dut, rng, **host):
        self.dut, self.rng, self.memory = dut, rng, Memory(rng)
        self.s = Stepper(dut, (*OUTPUTS, *SOURCE_OUTPUTS))
        self.source = Source(rng)
        self.host = TopHost(rng, self.memory, **host)
        self.requests: deque[dict] = deque()
        self.answers: dict[int, int] = {}
        self.accepted: dict[int, int] = {}  # cycle, by tag
        self.tag = 0
        self.words: dict[int, int] = {}  # what the card has written, by the address of a dword
        self.messages: list[tuple[int, int, int]] = []  # cycle, function, vector
        self.vectors: dict[tuple[int, int], tuple[int, int]] = {}  # address and data, to function and vector
        self.beats: list[bytes] = []
        self.packet = self.written = self.message = self.each = lambda *_: None
        self.rates = {"packet": 1.0, "write": 1.0, "read": 1.0}

    @property
    def cycle(self) -> int:
        return self.s.cycle

    async def start(self, credits: int = 1023) -> "Bed":
        mrrs = {128: 0, 256: 1, 512: 2, 1024: 3}[self.host.mrrs]
        everyone = (1 << 256) - 1
        settings = {"max_payload": MPS // 256, "max_read_request": mrrs, "credit_limit": credits}
        settings |= {"master_enable": everyone, "msix_enable": everyone, "msix_mask": 0}
        await self.s.reset(**IDLE, **SOURCE_IDLE, **settings, bar_request_last=1)
        while (await self.step()).clearing:
            pass
        return self

    # --- Accesses to BAR 0

    def access(self, func: int, addr: int, values: list[int] | None = None, dwords: int = 1) -> int:
        """A TLP: a write of these dwords, or a read. Returns its tag."""
        self.tag = (self.tag + 1) % 1024
        count = len(values) if values else dwords
        self.requests.append(
            {
                "bar_request_is_write": int(values is not None),
                "bar_request_func": func,
                "bar_request_addr": addr,
                "bar_request_dwords": count,
                "bar_request_first_be": 15,
                "bar_request_last_be": 15 if count > 1 else 0,
                "bar_request_tag": self.tag,
                "bar_request_data": sum(value << 32 * i for i, value in enumerate(values or ())),
            }
        )
        return self.tag

    def write(self, func: int, addr: int, *values: int) -> int:
        return self.access(func, addr, list(values))

    async def read(self, func: int, addr: int, dwords: int = 1) -> int:
        tag = self.access(func, addr, dwords=dwords)
        self.answers.pop(tag, None)
        await self.until(lambda: tag in self.answers)
        return self.answers.pop(tag)

    def context(self, selector: int, index: int, word: int, operation: int = 1) -> None:
        """The command of a context: data, mask of ones, command."""
        words = [word >> 32 * i & 0xFFFFFFFF for i in range(8)]
        self.write(0, 0x804, *words, *[0xFFFFFFFF] * 8)
        self.write(0, COMMAND, index << 7 | operation << 5 | selector << 1)

    async def read_context(self, selector: int, index: int) -> int:
        self.write(0, COMMAND, index << 7 | 2 << 5 | selector << 1)
        return await self.read(0, 0x804, 8)

    def vector(self, func: int, vector: int, masked: int = 0) -> None:
        addr, data = MSIX_BASE | func << 12 | vector << 4, func << 16 | vector
        self.vectors[addr, data] = func, vector
        self.write(func, (PF_MSIX if func < 4 else VF_MSIX)[0] + 16 * vector, addr, 0, data, masked)

    # --- Steps

    def _is_ready(self, what: str) -> int:
        return int(self.rng.random() < self.rates[what])

    async def step(self):
        cycle = self.s.cycle
        request = self.requests[0] if self.requests else None
        completion = self.host.beat(cycle)
        inputs = {f"host_completion_{key.removeprefix('completion_')}": value for key, value in completion.items()}
        inputs["bar_request_valid"] = int(request is not None)
        inputs["bar_answer_ready"] = 1
        inputs |= request or {}
        inputs |= self.source.inputs()
        ready = {what: self._is_ready(what) for what in self.rates}
        inputs |= {"m_axis_h2c_tready": ready["packet"], "host_write_ready": ready["write"]}
        inputs["host_read_ready"] = ready["read"]
        out = await self.s.step(**inputs)
        if request and out.bar_request_ready:
            self.accepted[request["bar_request_tag"]] = cycle
            self.requests.popleft()
        if out.bar_answer_valid:
            assert out.bar_answer_status == OK
            self.answers[out.bar_answer_tag] = out.bar_answer_data
        if out.host_read_valid and ready["read"]:
            be = out.host_read_last_be << 4 | out.host_read_first_be
            self.host.accept(cycle, out.host_read_tag, out.host_read_func, out.host_read_addr, out.host_read_dwords, be)
        if out.host_write_valid and ready["write"]:
            self._host_write(out)
        if out.m_axis_h2c_tvalid and ready["packet"]:
            self.packet(cycle, out)
        self.source.seen(cycle, out)
        self.each(cycle)
        return out

    def _host_write(self, out) -> None:
        self.beats.append(out.host_write_data.to_bytes(64, "little"))
        if not out.host_write_last:
            return
        data, self.beats = b"".join(self.beats), []
        addr, dwords = out.host_write_addr, out.host_write_dwords
        be = out.host_write_last_be << 4 | out.host_write_first_be
        first, count = enabled(addr, dwords, be)
        assert 0 <= len(data) - 4 * dwords < 64 and addr // 4096 == (addr + 4 * dwords - 1) // 4096
        if first == addr and count == 4 * dwords:
            for i in range(0, count, 4):
                self.words[addr + i] = int.from_bytes(data[i : i + 4], "little")
        vector = self.vectors.get((addr, int.from_bytes(data[:4], "little"))) if count == 4 else None
        if vector:
            assert out.host_write_func == vector[0]
            self.messages.append((self.cycle, *vector))
            self.message(*vector)
        else:
            self.written(out.host_write_func, first, data[first - addr :][:count])

    async def steps(self, count: int) -> None:
        for _ in range(count):
            await self.step()

    async def until(self, condition, limit: int = 40000) -> None:
        begin = self.cycle
        while not condition():
            assert self.cycle - begin < limit, "it hangs"
            await self.step()

    async def settle(self, quiet: int = 300) -> None:
        """Until all accesses are done and nothing has left for a while."""
        await self.until(lambda: not self.requests)
        rest = quiet
        while rest:
            out = await self.step()
            busy = self.host.reads or out.host_read_valid or out.host_write_valid or out.m_axis_h2c_tvalid
            rest = quiet if busy or self.requests or self.source.is_busy() else rest - 1
