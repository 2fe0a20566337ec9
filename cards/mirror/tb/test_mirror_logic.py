# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The user logic: good frames leave on the other port, whole and in order, and each frame ends in one counter."""

import os
from dataclasses import dataclass, field
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import Timer
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

from ullnic.sources import listed_files
from ullnic_tb import Bench, cocotb_tests, main_and_kept, parameter, seeded

ROOT = Path(__file__).resolve().parents[3]
WIDTH = parameter("PMA_DATA_WIDTH", 32)
BYTES = WIDTH // 8
VERDICT = 2 if WIDTH == 16 else 1  # cycles from a frame's last word to the verdict
BASE_PS = 776 * WIDTH // 16  # half a period of tx_clk, even
GAP_BYTES = 20  # preamble and the least gap
FCS_BYTES = 4
COUNTERS = {"forwarded": 0x40, "bad": 0x60, "no_room": 0x80, "refused": 0xA0}
LIMIT_US = 400
LATENCY = 6  # cycles from the last word in the store to the offer to the engine


def bench(width: int) -> Bench:
    """Of the shell only the path of received frames."""
    listed = listed_files(ROOT / "cards/mirror/rtl/mirror_card.f", ROOT)
    parts = ("cores/common/", "card_rx.sv", "card_store.sv", "cards/mirror/")
    sources = [path for path in listed if any(part in str(path) for part in parts) and path.stem != "mirror_card"]
    return Bench("mirror_bench", [*sources, Path(__file__).with_name("mirror_bench.sv")], {"PMA_DATA_WIDTH": width})


@dataclass
class Received:
    """Words as macpcs gives them, a line a cycle. `good`: the frames that are to leave, without FCS."""

    rng: object
    lines: list[list[int]] = field(default_factory=list)  # flags, keep, data
    good: list[bytes] = field(default_factory=list)
    bad: int = 0

    def idle(self, cycles: int) -> None:
        self.lines += [[0, self.rng.getrandbits(BYTES), self.rng.getrandbits(WIDTH)] for _ in range(cycles)]

    def frame(self, length: int, good: bool = True, gap: int = GAP_BYTES // BYTES) -> None:
        """`length`: without FCS."""
        octets = self.rng.randbytes(length + FCS_BYTES)
        parts = [octets[at : at + BYTES] for at in range(0, len(octets), BYTES)]
        if len(parts[-1]) == BYTES and self.rng.random() < 0.5:
            parts.append(b"")  # the end can come alone
        for part in parts:
            while self.rng.random() < 0.03:
                self.idle(1)
            self.lines.append([1, (1 << len(part)) - 1, int.from_bytes(part, "little")])
        last = len(self.lines) - 1
        self.lines[last][0] |= 2
        self.idle(gap)
        self.lines[last + VERDICT][0] |= 4 * good
        if good:
            self.good.append(octets[:-FCS_BYTES])
        self.bad += not good

    def text(self) -> str:
        return "".join(f"{flags:x} {keep:x} {data:x}\n" for flags, keep, data in self.lines)


class Bed:
    def __init__(self, dut):
        self.dut, self.rng = dut, seeded(os.environ["ULLNIC_TEST_NAME"])
        self.received = [Received(self.rng), Received(self.rng)]
        for name in ("go", "rx_reset", "stall", "refuse"):
            getattr(dut, name).value = 0
        dut.rst.value = 1
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        for interface in (self.master.write_if, self.master.read_if):
            interface.log.setLevel("WARNING")

    async def started(self) -> "Bed":
        Clock(self.dut.base_clk, BASE_PS, "ps").start()
        Clock(self.dut.base_rx_clk, BASE_PS + self.rng.choice((-2, 2)), "ps").start()
        await Timer(200, "ns")
        self.dut.rst.value = 0
        await Timer(100, "ns")
        return self

    async def play(self) -> None:
        for port, received in enumerate(self.received):
            Path(f"rx_{port}.hex").write_text(received.text())
        self.dut.go.value = 1

    async def over(self) -> None:
        """All has been played, and nothing leaves any more."""
        for _ in range(LIMIT_US):
            before = int(self.dut.frames.value)
            await Timer(1, "us")
            if int(self.dut.done.value) == 3 and int(self.dut.frames.value) == before:
                await Timer(1, "us")  # longer than from a frame's end to the start of it on the other port
                if int(self.dut.frames.value) == before:
                    return
        raise AssertionError("it does not end")

    def sent(self, port: int) -> list[bytes]:
        frames, octets = [], b""
        for line in Path(f"out_{port}.txt").read_text().splitlines():
            first, last, length, data = line.split()
            assert (first == "1") == (not octets), "tx_sof_net is beside the first word alone"
            octets += int(data, 16).to_bytes(4, "little")[: (int(length) or 4) if last == "1" else 4]
            if last == "1":
                frames.append(octets)
                octets = b""
        assert not octets
        return frames

    async def read(self, address: int) -> int:
        done = await self.master.read(address, 4)
        assert done.resp == AxiResp.OKAY, hex(address)
        return int.from_bytes(done.data, "little")

    async def counters(self, port: int) -> dict[str, int]:
        """Those that are not zero."""
        found = {name: await self.read(at + 4 * port) for name, at in COUNTERS.items()}
        return {name: value for name, value in found.items() if value}


@cocotb.test()
async def both_ways(dut):
    """All lengths at line rate, bad ones among them, with two clocks."""
    bed = await Bed(dut).started()
    for received in bed.received:
        lengths = [*range(60, 60 + 2 * 8), 1514, 64]
        bed.rng.shuffle(lengths)
        for length in lengths:
            received.frame(length, good=bed.rng.random() < 0.8)
        received.frame(1514, good=False)
    await bed.play()
    await bed.over()
    for port, received in enumerate(bed.received):
        assert bed.sent(1 - port) == received.good
        assert await bed.counters(port) == {"forwarded": len(received.good), "bad": received.bad}


@cocotb.test()
async def no_room(dut):
    """While the other port sends nothing the store fills; what has no room is dropped whole."""
    bed = await Bed(dut).started()
    received = bed.received[0]
    for _ in range(40):
        received.frame(bed.rng.randrange(60, 300))
    dut.stall.value = 0b10
    await bed.play()
    await Timer(int(len(received.lines) * 2 * BASE_PS / 1e3) + 200, "ns")
    assert int(dut.done.value) & 1 and int(dut.frames.value) == 0
    dut.stall.value = 0
    await bed.over()
    sent, left = bed.sent(1), iter(received.good)
    assert all(frame in left for frame in sent), "in order, and whole"
    assert 5 < len(sent) < 40
    assert await bed.counters(0) == {"forwarded": len(sent), "no_room": 40 - len(sent)}


@cocotb.test()
async def resets(dut):
    """A frame that a reset of its clock cuts is dropped; the next is whole."""
    bed = await Bed(dut).started()
    received = bed.received[1]
    for _ in range(20):
        received.frame(bed.rng.randrange(60, 200), gap=60)
    await bed.play()
    for _ in range(4):
        await Timer(bed.rng.randrange(300, 900), "ns")
        dut.rx_reset.value = 0b10
        await Timer(20, "ns")
        dut.rx_reset.value = 0
    await bed.over()
    sent, left = bed.sent(0), iter(received.good)
    assert all(frame in left for frame in sent) and len(sent) >= 10
    found = await bed.counters(1)
    assert found.pop("forwarded") == len(sent) and found.get("bad", 0) <= 20 - len(sent) and len(found) <= 1


@cocotb.test()
async def refused(dut):
    """The engine drops a frame; it was offered as early as the README says."""
    bed = await Bed(dut).started()
    bed.received[0].frame(bed.rng.randrange(60, 120))
    dut.refuse.value = 1
    await bed.play()
    await bed.over()
    assert await bed.counters(0) == {"refused": 1}
    assert int(dut.latency.value) == LATENCY


@cocotb.test()
async def registers(dut):
    bed = await Bed(dut).started()
    assert await bed.read(0) == int.from_bytes(b"MIRR", "big") and await bed.read(4) == 1 << 16
    assert [await bed.counters(port) for port in range(8)] == [{}] * 8
    for address in (0x08, 0x3C, 0xC0, 0x100, 0x140, 0x4000, 0x7FFC):
        assert (await bed.master.read(address, 4)).resp == AxiResp.SLVERR, hex(address)
    assert (await bed.master.write(0x40, bytes(4))).resp == AxiResp.SLVERR


@pytest.mark.parametrize("test", cocotb_tests(__name__))
@pytest.mark.parametrize("width", main_and_kept(__file__, [16, 32]))
def test_mirror_logic(width, test):
    bench(width).run("test_mirror_logic", test)
