# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Python side of ate_bench.sv: registers, the user's actions, chunks, the mirror, and the resulting line."""

from dataclasses import dataclass, field
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer, with_timeout

from ate_model import Connection, le_sum
from baser_rx import receive
from ullnic_tb import Bench, checkers, parameter, rtl

PERIOD_PS = 3104
CONNECTIONS = parameter("CONNECTIONS", 512)
OWN = 64 * CONNECTIONS  # address of the engine's own registers
WIDTH = parameter("PMA_DATA_WIDTH", 32)
TICK_PS = PERIOD_PS * WIDTH // 32
AMEND = bool(parameter("AMEND", int(WIDTH == 32)))
# The latest cycles that the README allows, counted from tx_sof_net; conn is counted backwards. Without tx_start and,
# with 16 bits, by the half of the preceding cycle in which tx_start arrives.
if WIDTH == 16:
    DUE = {"conn": 1, "length": 3, "csum": 9}
else:
    DUE = {"conn": 0, "length": 5, "csum": 12} if AMEND else {"conn": 1, "length": 4, "csum": 11}
DUE_16 = ({"conn": 4, "length": 2, "csum": 8}, {"conn": 3, "length": 3, "csum": 9})
STAYS = 15  # length does not change
CYCLE_BEFORE = 14  # length is valid one cycle before tx_sof_net


def due_of(start: int) -> dict[str, int]:
    return DUE_16[start == 2] if start and WIDTH == 16 else DUE


COUNTERS = {
    "sent_user": 0,
    "sent_host": 1,
    "sent_raw": 2,
    "no_conn": 4,
    "no_room": 5,
    "no_window": 6,
    "no_frame": 7,
    "bad_late": 8,
    "bad_length": 9,
    "bad_window": 10,
    "bad_raw": 11,
    "bad_chunk": 12,
}
ABORTED = 13


def ate_bench(**parameters: int) -> Bench:
    here = Path(__file__).resolve().parent
    # ate_user_check and the protocol checkers assert before the first reset.
    asserts = bool(parameters.get("USER_CHECK", 1))
    bound = [*checkers(), here / "ate_checks.sv"] if asserts else []
    sources = [*rtl("common", "macpcs", "ate"), *bound, here / "ate_bench.sv"]
    return Bench("ate_bench", sources, parameters, starts_with_zeros=asserts)


@dataclass
class Script:
    """The user's actions, and the input that a bare MAC would get."""

    lines: list[str] = field(default_factory=list)
    reference: list[str] = field(default_factory=list)

    def expect(self, octets: bytes, bad: bool = False) -> None:
        """The frame that should be sent; with `bad` its FCS is wrong."""
        for i in range(0, len(octets), 4):
            part, last = octets[i : i + 4], i + 4 >= len(octets)
            keep, data = (1 << len(part)) - 1, int.from_bytes(part, "little")
            self.reference.append(f"{2 * bad + last:x} {keep:x} {data:x}")

    def words(
        self, octets, gap, *, conn=0, length=0, csum=0, late=0, raw=False, expected=True, eof=True, n=None, start=0
    ) -> None:
        """A frame's words as the user presents them; without `octets` one word that is ignored."""
        parts = [octets[i : i + 4] for i in range(0, len(octets), 4)] or [b""]
        for i, part in enumerate(parts):
            last = eof and i == len(parts) - 1
            kind = 16 * start + 8 * expected + 4 * raw + 2 * (i == 0) + last
            size = (len(part) if n is None else n) % 4 if last else 0
            data = int.from_bytes(part + b"\xa5\x5a\xc3\x3c"[len(part) :], "little")
            self.lines.append(f"{kind:x} {size:x} {gap:x} {data:x} {conn:x} {length:x} {csum:x} {late:x}")

    def payload(
        self, index: int, payload: bytes, gap: int = 1, change: int = STAYS, start: int = 0, **due: int
    ) -> None:
        """A payload on a connection, its metadata at the latest possible time, or as `due` says."""
        due = due_of(start) | due
        conn = due["conn"] & 15  # -1: one cycle after tx_sof_net
        late = change << 12 | due["csum"] << 8 | due["length"] << 4 | conn
        self.words(payload, gap, conn=index, length=len(payload), csum=le_sum(payload), late=late, start=start)

    def raw(self, octets: bytes, gap: int = 1) -> None:
        self.words(octets, gap, raw=True)
        self.expect(octets)


class Bed:
    def __init__(self, dut):
        self.dut, self.mirror = dut, []
        self.mirror_ready = True
        self.directory = Path.cwd()

    async def reset(self) -> "Bed":
        dut = self.dut
        for name in (
            "go",
            "watch",
            "watch_conn",
            "watch_length",
            "stray",
            "s_host_tvalid",
            "s_host_tdata",
            "s_host_tlast",
        ):
            getattr(dut, name).value = 0
        for name in ("s_axil_awvalid", "s_axil_wvalid", "s_axil_arvalid", "m_mirror_tready"):
            getattr(dut, name).value = 0
        dut.s_axil_bready.value = 1
        dut.s_axil_rready.value = 1
        dut.rst.value = 1
        cocotb.start_soon(Clock(dut.tick, TICK_PS, "ps").start())
        await self.cycles(4)
        dut.rst.value = 0
        self.mirroring = cocotb.start_soon(self._mirror())
        await self.cycles(4)
        # A reset does not clear the counters: before the first one they have counted random register values.
        self.before = await self._counts()
        self.aborted = int(dut.aborted.value)
        return self

    async def reset_again(self, cycles: int = 4, rest: int = 4, script: "Script | None" = None) -> None:
        """Of so many cycles. At any time if the user begins with another script when it ends, otherwise while it shows
        no first word.
        """
        dut = self.dut
        for name in ("s_host_tvalid", "s_axil_awvalid", "s_axil_wvalid", "s_axil_arvalid", "go"):
            getattr(dut, name).value = 0
        dut.rst.value = 1
        for _ in range(cycles):
            await self.clock()
        self.mirroring.cancel()
        self.mirror.clear()
        dut.rst.value = 0
        if script is not None:
            self.give(script)
        self.mirroring = cocotb.start_soon(self._mirror())
        for _ in range(rest):
            await self.clock()

    async def cycles(self, n: int) -> None:
        await Timer(n * PERIOD_PS, "ps")
        await self.clock()

    async def clock(self) -> None:
        """To the next edge of clk; what is read then is what this edge sees."""
        await RisingEdge(self.dut.tick)
        while WIDTH == 16 and int(self.dut.clk.value):
            await RisingEdge(self.dut.tick)

    async def half(self) -> None:
        """To the middle of the cycle: what registers show now."""
        await Timer(PERIOD_PS // 2, "ps")

    async def _mirror(self) -> None:
        """Frames of the mirror as (octets, bad)."""
        dut, octets = self.dut, b""
        while True:
            ready = self.mirror_ready
            dut.m_mirror_tready.value = int(ready)
            await self.clock()
            if not int(dut.m_mirror_tvalid.value):
                await RisingEdge(dut.m_mirror_tvalid)
                continue
            if not ready:
                continue
            keep = int(dut.m_mirror_tkeep.value)
            octets += int(dut.m_mirror_tdata.value).to_bytes(4, "little")[: keep.bit_length()]
            if int(dut.m_mirror_tlast.value):
                self.mirror.append((octets, bool(int(dut.m_mirror_tuser.value))))
                octets = b""

    async def start(self, index: int, length: int, half: int) -> None:
        """tx_start, in the first or second half of a cycle, with no frame to follow."""
        dut = self.dut
        dut.watch.value, dut.watch_conn.value, dut.watch_length.value = 1, index, length
        await self.cycles(10)
        if half == 2:
            await RisingEdge(dut.tick)
        dut.stray.value = 1
        await RisingEdge(dut.tick)
        dut.stray.value = 0
        await self.cycles(100)
        dut.watch.value = 0

    # --- Registers

    async def write(self, address: int, value: int, strobe: int = 15) -> int:
        """The response: 0 or 2."""
        dut = self.dut
        dut.s_axil_awaddr.value, dut.s_axil_wdata.value, dut.s_axil_wstrb.value = address, value, strobe
        dut.s_axil_awvalid.value = dut.s_axil_wvalid.value = 1
        await self._until(dut.s_axil_awready)
        dut.s_axil_awvalid.value = dut.s_axil_wvalid.value = 0
        await self._until(dut.s_axil_bvalid)
        return int(dut.s_axil_bresp.value)

    async def read(self, address: int) -> tuple[int, int]:
        """Value and response."""
        dut = self.dut
        dut.s_axil_araddr.value, dut.s_axil_arvalid.value = address, 1
        await self._until(dut.s_axil_arready)
        dut.s_axil_arvalid.value = 0
        await self._until(dut.s_axil_rvalid)
        return int(dut.s_axil_rdata.value), int(dut.s_axil_rresp.value)

    async def _until(self, signal) -> None:
        """The edge at which it is seen high."""
        for _ in range(100):
            await self.clock()
            if int(signal.value):
                return
        raise AssertionError(f"{signal._name} stays low")

    async def open(self, index: int, connection: Connection) -> None:
        for offset, value in connection.registers().items():
            assert await self.write(64 * index + offset, value) == 0

    async def seq(self, index: int) -> int:
        return int.from_bytes((await self.read(64 * index + 28))[0].to_bytes(4, "little"), "big")

    async def counters(self, after_reset: bool = False) -> dict[str, int]:
        """Those that are not zero.  ABORTED is what has left with a wrong FCS, whatever else counts it; a reset can
        come between the engine and the MAC.
        """
        await self.cycles(20)
        counts = await self._counts()
        found = {name: counts[i] - self.before[i] & 0xFFFFFFFF for name, i in COUNTERS.items()}
        if after_reset:
            self.before[ABORTED], self.aborted = counts[ABORTED], int(self.dut.aborted.value)
        assert counts[ABORTED] - self.before[ABORTED] == int(self.dut.aborted.value) - self.aborted
        return {name: value for name, value in found.items() if value}

    async def _counts(self) -> dict[int, int]:
        return {i: (await self.read(OWN + 64 + 4 * i))[0] for i in (*COUNTERS.values(), ABORTED)}

    # --- Frames

    async def play(self, script: Script, limit_cycles: int = 100_000, tail: int = 500) -> "Line":
        self.give(script, later=8)
        return await self.played(limit_cycles, tail)

    def give(self, script: Script, later: int = 0) -> None:
        """With the first frame `later`: its first block must not lie before the first whole one of the line."""
        lines = list(script.lines)
        if lines:
            kind, size, gap, *rest = lines[0].split()
            gap = int(gap, 16) if int(gap, 16) & 0x8000 else int(gap, 16) + later
            lines[0] = " ".join((kind, size, f"{gap:x}", *rest))
        self.directory.joinpath("user.hex").write_text("\n".join(lines) + "\n")
        self.directory.joinpath("ref.hex").write_text("\n".join(script.reference) + "\n")
        self.dut.go.value = 1

    async def restart(self, script: Script) -> None:
        """Whatever is played."""
        self.dut.go.value = 0
        await self.clock()
        self.give(script)
        await self.clock()

    async def played(self, limit_cycles: int = 100_000, tail: int = 500) -> "Line":
        """The end of what is played already."""
        if not int(self.dut.done.value):
            await with_timeout(RisingEdge(self.dut.done), limit_cycles * PERIOD_PS, "ps")
        await self.cycles(tail)
        self.dut.go.value = 0
        await self.cycles(4)
        return self.line()

    def line(self) -> "Line":
        """The result of the last run, once `go` is low again."""
        return Line(self.directory / "out.hex", self.dut)

    async def chunk(self, octets: bytes) -> None:
        dut = self.dut
        for i in range(0, len(octets), 4):
            dut.s_host_tdata.value = int.from_bytes(octets[i : i + 4].ljust(4, b"\x77"), "little")
            dut.s_host_tlast.value = int(i + 4 >= len(octets))
            dut.s_host_tvalid.value = 1
            await self._until_long(dut.s_host_tready)
        dut.s_host_tvalid.value = 0

    async def _until_long(self, signal) -> None:
        for _ in range(5000):
            await self.clock()
            if int(signal.value):
                return
        raise AssertionError(f"{signal._name} stays low")


class Line:
    """The result of a run."""

    def __init__(self, path: Path, dut):
        rows = [line.split() for line in path.read_text().splitlines()]
        flags = [int(bits, 16) for bits, _ in rows]
        self.cycles = len(rows)
        self.sof_cycles = [i for i, bits in enumerate(flags) if bits & 2]
        self.start_cycles = [i for i, bits in enumerate(flags) if bits & 1]
        self.received = receive([int(word, 16) for _, word in rows], WIDTH)
        self.differ, self.errors = int(dut.differ.value), int(dut.errors.value)
        self.underruns, self.unarmed = int(dut.underruns.value), int(dut.unarmed.value)

    def good(self, from_block: int = 0) -> list[bytes]:
        """Frames with a correct FCS, without it. Blocks before `from_block` may be wrong: after a short reset some are
        still of what was before.
        """
        wrong = [each for each in self.received.violations if int(each.split()[1].rstrip(":")) >= from_block]
        assert not wrong, wrong[:3]
        return [frame.payload for frame in self.received.frames if frame.good]

    def bad(self) -> int:
        return sum(not frame.good for frame in self.received.frames)
