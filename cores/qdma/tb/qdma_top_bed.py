# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A host around qdma: memory, MSI-X, accesses to BAR 0, a source of C2H packets.

It sees the channels of TLPs and the ports for packets, and nothing inside. A step is a cycle; a test's requests are
queued, and executed in later steps.
"""

from collections import deque

from qdma_bed import CORE, sources
from qdma_boundary import Channels, UltraScalePlus
from qdma_bypass_user import BYPASS_IDLE, BYPASS_OUTPUTS, BypassUser
from qdma_card_memory import CARD_IDLE, CARD_OUTPUTS, CardMemory
from qdma_contract import BYTE_COUNT, COMMAND, DSC, PF_MSIX, POISON, UR_CA, VF_MSIX
from qdma_contract import TIMEOUT as TIMEOUT_BIT
from qdma_host import ABORTED, MISMATCH, POISONED, TIMEOUT, UNSUPPORTED, Host, Memory, enabled
from qdma_source import SOURCE_IDLE, SOURCE_OUTPUTS, Source
from qdma_write_bed import names
from ullnic_tb import Bench, Stepper, parameter

QUEUES, PFS, VFS = 64, 2, 4
LIMITED = 2  # H2C queues that have a room at the user, where there is neither adapter nor memory-mapped transfer
MUCH_ROOM = (1 << 10 * LIMITED) - 1
OUTPUTS = names(
    "clearing m_axis_h2c_tvalid m_axis_h2c_tdata m_axis_h2c_tlast m_axis_h2c_tuser_qid m_axis_h2c_tuser_port_id "
    "m_axis_h2c_tuser_mdata m_axis_h2c_tuser_mty m_axis_h2c_tuser_zero_byte m_axis_h2c_tuser_err"
)
IDLE = {"m_axis_h2c_tready": 0}
USER_IRQ_OUTPUTS = ("user_irq_ack", "user_irq_fail")
TOPS = ("qdma", "qdma_usp")
MPS = 256
BUFFER = 13  # bits: a buffer of payload is 8 KiB, aligned
MSIX_BASE = 0xFEE0_0000
OK = 0
KINDS = {UNSUPPORTED: UR_CA, ABORTED: UR_CA, POISONED: POISON, TIMEOUT: TIMEOUT_BIT, MISMATCH: BYTE_COUNT}
RESET_CYCLES = 60000  # of one function, with the transfers that the bench has in flight
BEGIN_CYCLES = 400  # until it is detected, and no access of BAR 0 is in progress


def top_bench(
    top: str, *, mm: bool = False, bypass: bool = False, inline: bool = False, watchdog: bool = False
) -> Bench:
    """qdma, with or without memory-mapped transfers, bypass, inline receive, watchdog; qdma_usp, with the PCIe adapter,
    has the first."""
    has_adapter = top != TOPS[0]
    checks = ["qdma_top_checks.sv"]
    checks += ["qdma_mm_checks.sv"] if mm or has_adapter else []
    checks += ["qdma_usp_no_pause.sv", "qdma_usp_checks.sv"] if has_adapter else []
    parameters = {"QUEUES": QUEUES, "PFS": PFS, "VFS": VFS, "MM": int(mm or has_adapter)}
    parameters |= {"BYPASS": 1} if bypass else {}
    parameters |= {"INLINE": 1} if inline else {}
    parameters |= {"WATCHDOG": 1} if watchdog else {}
    parameters |= {} if mm or has_adapter else {"H2C_LIMITED": LIMITED}
    return Bench(top, [*sources(), *(CORE / "tb" / name for name in checks)], parameters, optimized=True)


class TopHost(Host):
    """Records how much of each buffer has been read; a read of a bad buffer, or a bad page of a ring, fails.

    Each of `reading` is called with the address of each read.
    """

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.answered: dict[int, int] = {}
        self.bad: set[int] = set()
        self.reading: list = []
        self.read_addresses: list[tuple[int, int]] = []  # cycle, address

    def accept(self, cycle: int, tag: int, func: int, addr: int, dwords: int, be: int):
        self.fault_rate = float(addr >> BUFFER in self.bad)
        self.read_addresses.append((cycle, addr))
        for seen in self.reading:
            seen(addr)
        return super().accept(cycle, tag, func, addr, dwords, be)

    def _close(self, read) -> None:
        super()._close(read)
        buffer = read.addr >> BUFFER
        self.answered[buffer] = self.answered.get(buffer, 0) + read.count


class Bed:
    """`packet`, `written` and `message` are called with the outputs; `each` in each step."""

    has_user_irq = True  # the port for interrupts of the user is one of the top level

    def __init__(self, dut, rng, **host):
        self.dut, self.rng, self.memory = dut, rng, Memory(rng)
        self.boundary = (Channels if dut._name == TOPS[0] else UltraScalePlus)(self)
        self.bypass = BypassUser(self) if parameter("BYPASS", 0) else None
        self.card_memory = CardMemory(rng) if parameter("MM", 0) else None
        more = (BYPASS_OUTPUTS, self.bypass), (CARD_OUTPUTS, self.card_memory), (USER_IRQ_OUTPUTS, self.has_user_irq)
        outputs = [name for group, are_there in more if are_there for name in group]
        self.s = Stepper(dut, (*OUTPUTS, *SOURCE_OUTPUTS, *self.boundary.OUTPUTS, *outputs))
        self.source = Source(rng)
        self.host = TopHost(rng, self.memory, **host)
        self.requests: deque[dict] = deque()
        self.answers: dict[int, int] = {}
        self.accepted: dict[int, int] = {}  # cycle, by tag
        self.tag = 0
        self.words: dict[int, int] = {}  # what the card has written, by the address of a dword
        self.messages: list[tuple[int, int, int]] = []  # cycle, function, vector
        self.user_irqs: deque[tuple[int, int]] = deque()  # interrupts of the user: function, vector
        self.user_irq_answers: list[tuple[int, int, bool]] = []  # the same with ack
        self.vectors: dict[tuple[int, int], tuple[int, int]] = {}  # address and data, to function and vector
        self.packet = self.written = self.message = self.each = lambda *_: None
        self.quiet: set[int] = set()  # functions that were reset, until they are set up again: they must send no TLP
        self.in_process = 0  # functions that the PCIe block resets
        self.rates = {"packet": 1.0, "write": 1.0, "read": 1.0}

    @property
    def cycle(self) -> int:
        return self.s.cycle

    async def start(self, credits: int = 1023) -> "Bed":
        settings = self.boundary.settings(MPS, self.host.mrrs, credits)
        idle = (BYPASS_IDLE if self.bypass else {}) | (CARD_IDLE if self.card_memory else {}) | self._user_irq()
        idle |= {"h2c_room": MUCH_ROOM} if parameter("H2C_LIMITED", 0) else {}
        await self.s.reset(**IDLE, **SOURCE_IDLE, **idle, **self.boundary.IDLE, **settings)
        while (await self.step()).clearing:
            pass
        return self

    # --- Accesses to BAR 0

    def access(self, func: int, addr: int, values: list[int] | None = None, dwords: int = 1) -> int:
        """Sends a TLP: a write of these dwords, or a read. Returns its tag."""
        self.tag = (self.tag + 1) % 256
        count = len(values) if values else dwords
        self.requests.append(
            {
                "is_write": int(values is not None),
                "func": func,
                "addr": addr,
                "dwords": count,
                "first_be": 15,
                "last_be": 15 if count > 1 else 0,
                "tag": self.tag,
                "data": sum(value << 32 * i for i, value in enumerate(values or ())),
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

    async def check_descriptor_error(
        self, bit: int, qid: int, *, is_c2h=False, cidx=None, read=False, sub_type=0
    ) -> None:
        """The first error of a descriptor ring: leaf and logs. `read`: it is one of a read of the host, of any kind."""
        addresses = (DSC[0], 0x25C, 0x260, 0x1E00, 0x1E04, 0x1E08, 0x1E0C)
        status, log0, log1, *read_log = [await self.read(0, address) for address in addresses]
        assert log0 == 1 << 31 | is_c2h << 30 | qid
        logged = log1 >> 5 & 15
        kinds = {KINDS[error] for error, *_ in self.host.failed} if read else {sub_type}
        assert log1 & 31 == bit and logged in kinds, f"{log1:#x}, not {kinds}"
        assert status == 1 << bit | (1 << logged if read else 0), hex(status)
        assert cidx is None or log1 >> 12 == cidx
        if read:
            assert read_log[0] >> 31 and read_log[0] & 0x1FFF == qid
            first = (read_log[0] >> 20 & 7, read_log[1] & 0xFF, read_log[1] >> 16, read_log[2] | read_log[3] << 32)
            assert first in self.host.failed
        self.host.failed.clear()

    async def until_not_busy(self, limit: int = 40000) -> None:
        """As a driver waits for its command."""
        begin = self.cycle
        while await self.read(0, COMMAND) & 1:
            assert self.cycle - begin < limit, "the command stays busy"

    def vector(self, func: int, vector: int, masked: int = 0) -> None:
        addr, data = MSIX_BASE | func << 12 | vector << 4, func << 16 | vector
        self.vectors[addr, data] = func, vector
        self.write(func, (PF_MSIX if func < 4 else VF_MSIX)[0] + 16 * vector, addr, 0, data, masked)

    # --- Steps

    def is_ready(self, what: str) -> int:
        return int(self.rng.random() < self.rates[what])

    async def step(self):
        cycle = self.s.cycle
        packet_ready = self.is_ready("packet")
        inputs = self.boundary.inputs(cycle)
        inputs.update(self.source.inputs(), m_axis_h2c_tready=packet_ready)
        inputs.update(self.boundary.resets(self.in_process), **self._user_irq())
        if self.bypass:
            inputs.update(self.bypass.inputs())
        if self.card_memory:
            inputs.update(self.card_memory.inputs())
        out = await self.s.step(**inputs)
        self.is_busy = self.boundary.seen(cycle, out) or out.m_axis_h2c_tvalid
        if self.bypass:
            self.bypass.seen(out)
            self.is_busy |= self.bypass.is_busy()
        if self.card_memory:
            self.card_memory.seen(out)
        if out.m_axis_h2c_tvalid and packet_ready:
            self.packet(cycle, out)
        if self.has_user_irq and (out.user_irq_ack or out.user_irq_fail):
            assert not (out.user_irq_ack and out.user_irq_fail)
            self.user_irq_answers.append((*self.user_irqs.popleft(), bool(out.user_irq_ack)))
        self.source.seen(cycle, out)
        self.each(cycle)
        return out

    def _user_irq(self) -> dict[str, int]:
        """The first of the interrupts of the user, until it has an answer."""
        if not self.has_user_irq:
            return {}
        func, vector = self.user_irqs[0] if self.user_irqs else (0, 0)
        return {"user_irq_valid": int(bool(self.user_irqs)), "user_irq_func": func, "user_irq_vector": vector}

    async def user_irq(self, func: int, vector: int) -> bool:
        """Whether it has ack."""
        self.user_irqs.append((func, vector))
        await self.until(lambda: not self.user_irqs, 2000)
        return self.user_irq_answers[-1][2]

    # --- Function level reset

    async def reset_by_port(self, func: int, meanwhile) -> None:
        """As the PCIe block does it, which takes its bit back then. `meanwhile` is called after the begin."""
        self.in_process |= 1 << func
        await self.steps(BEGIN_CYCLES)
        meanwhile()
        await self.until(lambda: not self.in_process >> func & 1, RESET_CYCLES)

    async def reset_by_register(self, func: int, addr: int) -> None:
        self.write(func, addr, 1)
        begin = self.cycle
        while await self.read(func, addr) & 1:
            assert self.cycle - begin < RESET_CYCLES
        self.quiet.add(func)

    def reset_done(self, func: int) -> None:
        if self.in_process >> func & 1:
            self.quiet.add(func)
            self.in_process &= ~(1 << func)

    def sent(self, func: int) -> None:
        """The PCIe block has accepted a TLP."""
        assert func not in self.quiet, f"function {func}: a TLP after its reset"

    # --- What has come, as the boundary finds it

    def request_accepted(self, cycle: int) -> None:
        self.accepted[self.requests.popleft()["tag"]] = cycle

    def answered(self, status: int, tag: int, data: int) -> None:
        assert status == OK
        self.answers[tag] = data

    def host_write(self, func: int, addr: int, dwords: int, be: int, data: bytes) -> None:
        first, count = enabled(addr, dwords, be)
        assert addr // 4096 == (addr + 4 * dwords - 1) // 4096
        if first == addr and count == 4 * dwords:
            for i in range(0, count, 4):
                self.words[addr + i] = int.from_bytes(data[i : i + 4], "little")
        vector = self.vectors.get((addr, int.from_bytes(data[:4], "little"))) if count == 4 else None
        if vector:
            assert func == vector[0]
            self.messages.append((self.cycle, *vector))
            self.message(*vector)
        else:
            self.written(func, first, data[first - addr :][:count])

    async def steps(self, count: int) -> None:
        for _ in range(count):
            await self.step()

    async def until(self, condition, limit: int = 40000) -> None:
        begin = self.cycle
        while not condition():
            assert self.cycle - begin < limit, "it hangs"
            await self.step()

    async def settle(self, quiet: int = 300, limit: int = 400_000) -> None:
        """Until all accesses are done and nothing has left for a while."""
        await self.until(lambda: not self.requests)
        begin, rest = self.cycle, quiet
        while rest:
            assert self.cycle - begin < limit, "it goes on for ever"
            await self.step()
            busy = self.is_busy or self.host.reads or self.requests or self.source.is_busy()
            rest = quiet if busy else rest - 1
