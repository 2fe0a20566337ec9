# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Python side of card_bench.sv: lines encoded and decoded by the model of cores/macpcs/tb, packets of the host,
registers.
"""

import os
import struct
from dataclasses import dataclass
from pathlib import Path

from cocotb.clock import Clock
from cocotb.triggers import Timer
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

from baser import Line, scramble_blocks, to_words
from baser_rx import receive
from ullnic.sources import listed_files
from ullnic_tb import Bench, parameter, seeded

ROOT = Path(__file__).resolve().parents[3]
WIDTH = parameter("PMA_DATA_WIDTH", 32)
PORTS = parameter("PORTS", 2)
TCP_ENABLES = parameter("TCP_ENABLES", 0b10)
PERIOD_FS = 3_103_030 * WIDTH // 32 // 2 * 2
HOST_PS = 4000
ALL = (1 << PORTS) - 1
HOST_TAKES_ALL = sum(1 << 2 * port for port in range(PORTS))
LIMIT_US = 2000  # far more than any of these tests uses
QUIET_CYCLES = 250  # a microsecond: longer than a word needs from one offer to the next, fence and MAC included
LOCK_US = 45  # slipping through 66 positions, 64 blocks each

USER, MACPCS, ATE, COUNTERS, CONNECTIONS = 0x8000, 0x10000, 0x20000, 0x28000, 0x40000
PORT_STATUS, TIME_LO, TIME_HI = 0x10, 0x18, 0x1C
MACPCS_CONTROL, IGNORE_FAULT = 0x20, 1 << 8
NAMES = ["rx_frames", "rx_bad", "rx_no_room", "rx_cut", "mirror_frames", "mirror_cut", "packets"]
NAMES += ["chunks", "chunks_refused", "chunks_cut"]
RECEIVED, MIRROR, MIRROR_BAD = range(3)
HEADER = struct.Struct("<HBBIQ")


def card(width: int, **parameters: int) -> Bench:
    """With two ports, of which the second has an engine, or according to PORTS and TCP_ENABLES."""
    # Tests also set the time counter.
    settable = ROOT / "sim/src/nic/card_time.vlt"
    sources = [*listed_files(ROOT / "cards/common/card.f"), settable, Path(__file__).with_name("card_bench.sv")]
    return Bench("card_bench", sources, {"PMA_DATA_WIDTH": width} | parameters)


@dataclass
class Packet:
    """A packet that the host received."""

    kind: int
    port: int
    sequence: int
    time: int
    frame: bytes


def words_of(packet: bytes, last_keep: int | None = None) -> list[str]:
    """A packet of the host as lines of h2c_I.hex; last_keep: replaces the last word's correct keep."""
    lines = []
    for at in range(0, len(packet), 8):
        part = packet[at : at + 8]
        last = at + 8 >= len(packet)
        keep = (1 << len(part)) - 1
        if last and last_keep is not None:
            keep = last_keep
        lines.append(f"{last << 72 | keep << 64 | int.from_bytes(part, 'little'):019x}\n")
    return lines


class Card:
    """The card with clocks, lines and host. `lines`: input of each port; `packets`: what the host sends."""

    def __init__(self, dut, rng, lines=(None,) * PORTS, packets=((),) * PORTS):
        self.dut, self.rng, self.values = dut, rng, {}
        for port, line in enumerate(lines):
            words = [] if line is None else self.line_words(line)
            Path(f"line_{port}.hex").write_text("".join(f"{word:x}\n" for word in words))
        for port, host in enumerate(packets):
            lines_of_host = [
                word for packet in host for word in (packet if isinstance(packet, list) else words_of(packet))
            ]
            Path(f"h2c_{port}.hex").write_text("".join(lines_of_host))
        for name in ("load", "flush", "go", "echo"):
            getattr(dut, name).value = 0
        dut.host_mode.value = HOST_TAKES_ALL
        dut.tx_rst.value = 1
        dut.rx_rst.value = ALL
        dut.host_rst.value = 1
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.host_clk, dut.host_rst)
        for interface in (self.master.write_if, self.master.read_if):
            interface.log.setLevel("WARNING")

    def line_words(self, line: Line) -> list[int]:
        blocks = Line().idle_blocks(LOCK_US * 1000 * 1000 // 6400 + 100).blocks() + line.idle_blocks(300).blocks()
        return to_words(scramble_blocks(blocks), self.rng.randrange(66), width=WIDTH)

    async def started(self, echo: int = 0, wait_for: int = 0) -> "Card":
        """Out of reset, all transmitters started, the links in `wait_for` (bits) up."""
        dut = self.dut
        dut.echo.value = echo
        await Timer(1, "ns")
        Clock(dut.host_clk, HOST_PS, "ps").start()
        await Timer(self.rng.randrange(1, 3000), "ps")
        Clock(dut.fast_clk, PERIOD_FS, "fs").start()
        await Timer(self.rng.randrange(1, 3000), "ps")
        Clock(dut.own_clk, PERIOD_FS + self.rng.choice([-1, 1]) * PERIOD_FS // 20000 * 2, "fs").start()
        await Timer(100, "ns")
        dut.load.value = 1
        dut.tx_rst.value = 0
        dut.rx_rst.value = 0
        dut.host_rst.value = 0
        await Timer(200, "ns")
        for port in range(PORTS):
            await self.write(MACPCS + 0x1000 * port + MACPCS_CONTROL, IGNORE_FAULT)
        for _ in range(LOCK_US * 10):
            if (await self.read(PORT_STATUS)) >> 8 & wait_for == wait_for:
                return self
            await Timer(200, "ns")
        raise AssertionError("no link")

    async def lines_over(self) -> None:
        """Waits until the lines' files have been played: what they carry is inside, behind it was idle."""
        await self._wait(lambda: int(self.dut.line_done.value) == ALL, "the end of the lines' files")

    async def idle(self) -> None:
        """Waits until the host has sent all, and nothing is on its way any more in either direction."""

        def still() -> bool:
            started = int(self.dut.go.value)
            return (
                int(self.dut.h2c_done.value) & started == started and int(self.dut.quiet_cycles.value) >= QUIET_CYCLES
            )

        await self._wait(still, "silence: a word stays on offer to the host or the MAC, which does not take it")

    async def _wait(self, condition, what: str) -> None:
        for _ in range(LIMIT_US * 2):
            await Timer(500, "ns")  # first, so that what the test has just written is visible
            if condition():
                return
        raise AssertionError(f"{LIMIT_US} us long in vain for {what}")

    # ------------------------------------------------------------ registers

    async def read(self, address: int) -> int:
        done = await self.master.read(address, 4)
        assert done.resp == AxiResp.OKAY, hex(address)
        return int.from_bytes(done.data, "little")

    async def write(self, address: int, value: int) -> None:
        done = await self.master.write(address, value.to_bytes(4, "little"))
        assert done.resp == AxiResp.OKAY, hex(address)

    async def refused(self, address: int) -> None:
        """Neither a read nor a write finds anything there."""
        assert (await self.master.read(address, 4)).resp == AxiResp.SLVERR, hex(address)
        assert (await self.master.write(address, bytes(4))).resp == AxiResp.SLVERR, hex(address)

    async def counters(self, port: int) -> dict[str, int]:
        return {name: await self.read(COUNTERS + 0x1000 * port + 4 * i) for i, name in enumerate(NAMES)}

    async def connect(self, connection, number: int, port: int = 1) -> None:
        for offset, value in connection.registers().items():
            await self.write(CONNECTIONS | port << 15 | number << 6 | offset, value)

    # ------------------------------------------------------------ records

    async def flush(self) -> None:
        self.dut.flush.value = 0
        await Timer(1, "ns")
        self.dut.flush.value = 1
        await Timer(1, "ns")

    async def got(self, port: int, after_reset: bool = False) -> list[Packet]:
        """The host's packets, whose form and numbers are right; after_reset: since the host's last reset."""
        await self.flush()
        packets, octets = [], bytearray()
        lines = Path(f"c2h_{port}.hex").read_text().splitlines()
        if after_reset:
            lines = lines[max(i for i, line in enumerate(lines) if line == "reset") + 1 :]
        for line in lines:
            value = int(line, 16)
            last, keep, data = value >> 72, value >> 64 & 0xFF, value & (1 << 64) - 1
            assert keep == 0xFF or (last and keep & (keep + 1) == 0 and keep), hex(keep)
            octets += data.to_bytes(8, "little")[: keep.bit_length()]
            if last:
                length, kind, number, sequence, time = HEADER.unpack_from(octets)
                assert len(octets) == HEADER.size + length, (len(octets), length)
                packets.append(Packet(kind, number, sequence, time, bytes(octets[HEADER.size :])))
                octets.clear()
        assert not octets, "a packet has no end"
        assert [p.sequence for p in packets] == list(range(len(packets)))
        assert all(p.port == port for p in packets)
        return packets

    async def sent(self, port: int) -> list[bytes]:
        """The frames on the line, whose FCS are right, without it."""
        await self.flush()
        values = [int(line, 16) for line in Path(f"sent_{port}.hex").read_text().splitlines()]
        after_reset = max((i for i, value in enumerate(values) if value >> 32), default=-1) + 1
        received = receive([value & 0xFFFFFFFF for value in values[after_reset:]], WIDTH)
        assert not received.violations, received.violations[:3]
        assert all(frame.good for frame in received.frames)
        return [frame.payload for frame in received.frames]


def new(dut, lines=None, packets=None) -> Card:
    """`lines`, `packets`: functions of the random generator."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    return Card(dut, rng, lines(rng) if lines else (None,) * PORTS, packets(rng) if packets else ((),) * PORTS)
