# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Descriptor rings in a host's memory, their contexts and doorbells, for the benches of fetch and of H2C."""

from collections import deque

from qdma_bed import CORE
from qdma_host import Host, Memory
from ullnic_tb import Stepper, rtl

IDLE = {"command_valid": 0, "event_valid": 0, "read_ready": 0, "completion_valid": 0, "completion_last": 0}
OUTPUTS = ("clearing", "command_ready", "command_at", "command_word", "context_error", "context_error_qid")
OUTPUTS += ("read_valid", "read_func", "read_addr", "read_dwords", "read_be", "read_tag")
QEN, WBI_CHK, WBI_INTVL, WBK_EN, ERR_DSC, ERR_DMA = 1 << 32, 1 << 34, 1 << 35, 1 << 52, 1 << 58, 1 << 59
BYPASS, IS_MM = 1 << 50, 1 << 63
DSC_PND, IDL_STP_B, EVT_PND, ALL = 1 << 40, 1 << 41, 1 << 42, (1 << 256) - 1
BATCH_BYTES = 512


def fetch_sources() -> list:
    """Sources of both benches."""
    names = (
        "context_pkg",
        "tlp_pkg",
        "pkg",
        "read_pkg",
        "watch_pkg",
        "fetch_pkg",
        "bypass_pkg",
        "arbiter",
        "context_ram",
        "context_store",
    )
    names += ("read_split", "tags", "read_credit", "read_failed", "read_track", "reorder", "read")
    names += ("write_pkg", "active", "bypass_lock", "fetch_turn", "unpack", "fetch_park", "fetch")
    own = [CORE / "rtl" / f"qdma_{name}.sv" for name in names]
    checker = CORE.parent / "common" / "sva" / "axis_checker.sv"
    common = [path for path in rtl("common") if path.stem in ("ram_sdp", "axis_register")]
    return [*common, *own, checker, *(CORE / "tb" / f"qdma_{name}.sv" for name in ("context_pair", "fetch_rig"))]


class Queue:
    def __init__(self, qid, func, size, base, dsc_sz):
        self.qid, self.func, self.size, self.base, self.dsc_sz = qid, func, size, base, dsc_sz
        self.pidx = self.rung = self.next = 0  # posted; in the context; the next descriptor's index
        self.bytes = 8 << dsc_sz
        self.got = 0
        self.stopped = self.disabled = False

    def after(self, index: int, count: int = 1) -> int:
        return (index + count) % (self.size - 1)

    def posted(self) -> int:
        return (self.pidx - self.next) % (self.size - 1)


class Rings:
    """Steps a bench with a host. `seen` is the bench's own check: the outputs of a cycle with the inputs it had."""

    outputs: tuple[str, ...] = ()
    idle: dict[str, int] = {}

    def __init__(self, dut, rng, **host):
        self.s, self.rng, self.memory = Stepper(dut, OUTPUTS + self.outputs), rng, Memory(rng)
        self.host = Host(rng, self.memory, **host)
        self.queues: dict[int, Queue] = {}
        self.sizes = [0] * 16
        self.events: deque[int] = deque()
        self.read_at: list[int] = []
        self.ended_at: list[int] = []  # completion TLPs
        self.context_errors: list[int] = []
        self.last_event = -9
        self.command: dict = {}

    async def start(self):
        mrrs = {128: 0, 256: 1, 512: 2, 1024: 3, 4096: 5}[self.host.mrrs]
        await self.s.reset(**IDLE, **self.idle, max_read_request=mrrs, ring_sizes=0)
        while (await self.s.step()).clearing:
            pass
        return self

    async def add(self, size: int, dsc_sz: int = 1, *, base=None, ring=None, fields=0) -> Queue:
        qid = len(self.queues)
        ring = ring if ring is not None else self.sizes.index(size) if size in self.sizes else self.sizes.index(0)
        self.sizes[ring] = size
        base = base if base is not None else (qid + 1) << 32 | self.rng.getrandbits(8) << 12
        queue = self.queues[qid] = Queue(qid, self.rng.getrandbits(8), size, base, dsc_sz)
        word = QEN | queue.func << 17 | ring << 44 | dsc_sz << 48 | base << 64 | fields
        await self.write(qid, word, ALL)
        return queue

    async def write(self, qid: int, data: int, mask: int, *, hw=0) -> None:
        await self._command(command_is_hw=hw, command_is_write=1, command_qid=qid, command_data=data, command_mask=mask)

    async def read(self, qid: int, *, hw=0) -> int:
        return await self._command(command_is_hw=hw, command_is_write=0, command_qid=qid)

    async def _command(self, **fields) -> int:
        self.command = {"command_valid": 1, **fields}
        while not (await self.step()).command_ready:
            pass
        self.command = {"command_valid": 0}
        while not (out := await self.step()).command_at:
            pass
        return out.command_word

    async def ring(self, queue: Queue, pidx: int) -> None:
        """A doorbell: PIDX, then its event."""
        queue.pidx = pidx
        await self.write(queue.qid, pidx, 0xFFFF)
        self.events.append(queue.qid)

    async def step(self, *, read=1.0, **rates):
        """A cycle; `rates` are the chances that what comes out is accepted."""
        cycle = self.s.cycle
        inputs = {"event_valid": 0}
        if self.events and cycle - self.last_event > 3:
            inputs = {"event_valid": 1, "event_qid": self.events.popleft()}
            self.last_event = cycle
        inputs |= self.inputs(cycle, **rates)
        inputs["read_ready"] = int(self.rng.random() < read)
        inputs["ring_sizes"] = sum(size << 16 * i for i, size in enumerate(self.sizes))
        beat = self.host.beat(cycle)
        if beat["completion_valid"] and beat["completion_last"]:
            self.ended_at.append(cycle)
        out = await self.s.step(**inputs, **beat, **self.command)
        if out.read_valid and inputs["read_ready"]:
            self.seen_read(
                self.host.accept(cycle, out.read_tag, out.read_func, out.read_addr, out.read_dwords, out.read_be)
            )
            self.read_at.append(cycle)
        if out.context_error:
            self.context_errors.append(out.context_error_qid)
        self.seen(cycle, inputs, out)
        return out

    async def check_idle(self, queue: Queue, *, stopped: bool = False) -> None:
        hw, sw = await self.read(queue.qid, hw=1), await self.read(queue.qid)
        assert hw & (DSC_PND | EVT_PND) == 0 and hw >> 43 & 15 == 0
        if stopped:
            assert sw & (ERR_DSC | ERR_DMA) and sw & QEN == 0 and hw & IDL_STP_B == 0
        else:
            assert sw & (ERR_DSC | ERR_DMA) == 0
            assert (hw & 0xFFFF) == queue.pidx and hw & IDL_STP_B == (IDL_STP_B if queue.got else 0)
