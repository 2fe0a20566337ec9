# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Drives qdma_control_bench: TLPs to BAR 0, and the resulting doorbell events and error interrupts."""

import os
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer, with_timeout

from ullnic_tb import Bench, configurations, parameter, rtl

HERE = Path(__file__).resolve().parent
CORE = HERE.parent
PERIOD_NS = 4
LIMIT_US = 40  # of one TLP, the clearing of 2048 contexts included
OK, UNSUPPORTED = 0, 1


def sources() -> list[Path]:
    """Sources of the core and the common modules that it needs, with the checkers of protocols."""
    own = [CORE / line for line in (CORE / "qdma.f").read_text().splitlines() if line and not line.startswith("//")]
    return [*rtl("common"), *own, *sorted((CORE.parent / "common" / "sva").glob("*.sv"))]


def qdma_bench(config: str = "bench_128") -> Bench:
    return Bench(
        "qdma_control_bench", [*sources(), HERE / "qdma_control_bench.sv"], configurations("qdma")[config]["parameters"]
    )


class Bed:
    def __init__(self, dut):
        self.dut = dut
        self.events: list[tuple[int, int]] = []
        self.interrupts: list[int] = []
        self.tag = 0

    async def reset(self) -> "Bed":
        dut = self.dut
        for name in ("go", "busy", "counting", "max_payload", "max_read_request", "bar", "beats", "data"):
            getattr(dut, name).value = 0
        for name in ("raise_errors", "descriptor_error", "ring_error", "stop_held"):
            getattr(dut, name).value = 0
        for name in ("is_write", "func", "addr", "dwords", "first_be", "last_be", "tag"):
            getattr(dut, name).value = 0
        dut.interrupt_ready.value = 1
        cocotb.start_soon(Clock(dut.clk, PERIOD_NS, "ns").start())
        await self.reset_again()
        cocotb.start_soon(self._watch_events())
        cocotb.start_soon(self._watch_interrupts())
        return self

    async def reset_again(self) -> None:
        """Whatever is under way."""
        self.dut.rst.value = 1
        await self.cycles(4)
        self.dut.rst.value = 0
        await self.cycles(2)

    async def cycles(self, n: int) -> None:
        await Timer(n * PERIOD_NS, "ns")

    async def tlp(self, func, address, *, write, data=0, dwords=1, first_be=15, last_be=0, bar=0, beats=1) -> int:
        """A TLP; of a read, returns the data of the completion, after its header has been checked."""
        dut = self.dut
        self.tag = (self.tag + 1) % 1024
        dut.is_write.value, dut.func.value, dut.addr.value, dut.data.value = int(write), func, address, data
        dut.dwords.value, dut.first_be.value, dut.last_be.value = dwords, first_be, last_be
        dut.bar.value, dut.beats.value, dut.tag.value = bar, beats, self.tag
        dut.go.value = int(dut.go.value) ^ 1
        await with_timeout(dut.done.value_change, LIMIT_US, "us")
        await Timer(1, "ns")
        if write:
            return 0
        assert (int(dut.answer_func.value), int(dut.answer_tag.value)) == (func, self.tag)
        return int(dut.answer.value) if int(dut.status.value) == OK else 0

    async def read(self, func: int, address: int) -> int:
        value = await self.tlp(func, address, write=False)
        assert (int(self.dut.status.value), int(self.dut.answer_dwords.value)) == (OK, 1)
        return value & 0xFFFFFFFF

    async def write(self, func: int, address: int, value: int, strobe: int = 15) -> None:
        await self.tlp(func, address, write=True, data=value, first_be=strobe)

    async def command(self, selector: int, operation: int, index: int) -> None:
        await self.write(0, 0x844, index << 7 | operation << 5 | selector << 1)

    async def write_context(self, selector: int, index: int, words: list[int], mask: list[int] | None = None) -> None:
        for i in range(8):
            await self.write(0, 0x804 + 4 * i, words[i] if i < len(words) else 0)
            await self.write(0, 0x824 + 4 * i, 0xFFFFFFFF if mask is None else mask[i])
        await self.command(selector, 1, index)

    async def read_context(self, selector: int, index: int) -> list[int]:
        await self.command(selector, 2, index)
        return [await self.read(0, 0x804 + 4 * i) for i in range(8)]

    async def settle(self) -> None:
        """Until what has been accepted has had its effects."""
        await self.read(0, 0x80)
        await self.cycles(8)

    async def _watch_events(self) -> None:
        while True:
            await RisingEdge(self.dut.event_valid)
            await Timer(1, "ns")
            self.events.append((int(self.dut.event_kind.value), int(self.dut.event_qid.value)))

    async def _watch_interrupts(self) -> None:
        """As GLBL_ERR_INT has it, without arm."""
        while True:
            await RisingEdge(self.dut.interrupt_valid)
            await Timer(1, "ns")
            value = int(self.dut.interrupt.value)
            host, no_vf, coal = value >> 25, value >> 24 & 1, value >> 23 & 1
            vector, func = value >> 12 & 0x7FF, value & 0xFFF
            self.interrupts.append(host << 26 | no_vf << 25 | coal << 23 | vector << 12 | func)


def parameters() -> tuple[int, int, int]:
    """In a cocotb test: queues, PFs, VFs."""
    return parameter("QUEUES", 0), parameter("PFS", 0), parameter("VFS", 0)


def running_test() -> str:
    return os.environ["ULLNIC_TEST_NAME"]
