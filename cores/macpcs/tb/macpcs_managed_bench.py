# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Python side of macpcs_managed_bench.sv: two macpcs_managed back to back, run through their registers.

Both lines are recorded and read by the strict decoder of baser_rx; delivered frames are compared with those on them.
"""

import os
import struct
from dataclasses import dataclass, field
from pathlib import Path

from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

from baser import SEQ_OS, encode, fcs, padded
from baser_rx import decode, descramble_blocks, find_lock, to_blocks
from macpcs_pause import MULTICAST
from ullnic_tb import Bench, checkers, parameter, rtl, seeded

CORES = Path(__file__).resolve().parents[2]
GENERATED = CORES / "macpcs/regs/generated"
SOURCES = [GENERATED / "macpcs_regs_pkg.sv", *rtl("common", "macpcs"), GENERATED / "macpcs_regs.sv", *checkers()]
SOURCES += [Path(__file__).with_name("macpcs_axil_checks.sv")]
WIDTH = parameter("PMA_DATA_WIDTH", 32)
BYTES = WIDTH // 8
NOMINAL_FS = 3_103_030 * WIDTH // 32
AXIL_PS = 24_000
MIN_BYTES, MAX_BYTES, PAUSE_LENGTH = 64, 1518, 24  # of the bench
FILTER = WIDTH == 16  # the bench has the address filter
QUANTUM_PS = 51_200

CONTROL, MAC_LO, MAC_HI, STATUS, STICKY, SNAPSHOT = 0x20, 0x24, 0x28, 0x40, 0x44, 0x48
MAX_LENGTH, CAPABILITY2 = 0x2C, 0x30
TX_PATTERN, RX_PATTERN = (lambda n: n), (lambda n: n << 2)
IGNORE_FAULT, PAUSE_REQUEST, PMA_LOOPBACK, USER_LOOPBACK = (1 << i for i in (8, 9, 12, 13))
ADDRESS_FILTER, PASS_GROUP = 1 << 16, 1 << 17
LOCK, HI_BER, LOCAL, REMOTE, UP = (1 << i for i in range(5))
RX_NAMES = ["bytes_good", "bytes_bad", "pattern_errors", "good", "bad", "fcs", "code", "runt", "oversize", "pause"]
RX_NAMES += ["overflows", "lock_losses", "hi_ber", "bad_headers", "bad_blocks", "filtered"]
TX_NAMES = ["bytes", "frames", "poisoned", "underruns", "pause"]
REMOTE_FAULT_BLOCK = encode([SEQ_OS, 0, 0, 2] * 2)
REACTION = 24 if WIDTH == 32 else 44  # cycles from rx_link_up's fall to the last start on the line
LOCK_US = 45  # slipping through 66 positions, 64 blocks each, and twice the exchange of faults
ENDS = "ab"


# ---------------------------------------------------------------- the users


@dataclass
class User:
    """What a user sends; each frame's octets as expected on the line, and whether the FCS must be wrong."""

    lines: list[int] = field(default_factory=list)
    frames: list[tuple[bytes, bool]] = field(default_factory=list)
    underruns: int = 0
    own_pauses_end: int = 0

    def _line(self, hold=1, valid=0, last=0, user=0, keep=0, data=0):
        self.lines.append(hold << 39 | valid << 38 | last << 37 | user << 36 | keep << 32 | data)

    def frame(self, octets: bytes, error: bool = False, underrun_at: int | None = None) -> None:
        words = range(0, len(octets), BYTES)
        for i, at in enumerate(words):
            if i == underrun_at:
                self._line()
                self.underruns += 1
            part = octets[at : at + BYTES]
            last = i == len(words) - 1
            self._line(1, 1, last, error and last, (1 << len(part)) - 1, int.from_bytes(part, "little"))
        # After an underrun: the words so far, and zeros up to a word or the minimum.
        kept = octets if underrun_at is None else octets[: BYTES * underrun_at]
        self.frames.append((kept, error or underrun_at is not None))

    def pause(self, cycles: int) -> None:
        for _ in range(cycles):
            self._line(hold=0)

    def saturate(self, rng, n_bytes: int, shortest: int = 76, longest: int = 400) -> "User":
        while n_bytes > 0:
            self.frame(rng.randbytes(rng.randrange(shortest, longest)))
            n_bytes -= len(self.frames[-1][0]) + 20
        return self


# ---------------------------------------------------------------- what was recorded


@dataclass
class OnLine:
    octets: bytes
    start_ps: float
    end_ps: float
    start_cycle: int

    @property
    def good(self) -> bool:
        return fcs(self.octets[:-4]) == self.octets[-4:]

    @property
    def poisoned(self) -> bool:
        return bytes(b ^ 0xFF for b in fcs(self.octets[:-4])) == self.octets[-4:]


class LineRecord:
    """A line from the end of tx_rst on."""

    def __init__(self, name: str, zero_ps: float, period_ps: float):
        raw = bytes.fromhex(Path(f"line_{name}.hex").read_text())
        records = list(struct.iter_unpack(">BI", raw))
        self.up = [bool(flags & 2) for flags, _ in records]
        self.words = [word for _, word in records]
        self.zero_ps, self.period_ps = zero_ps, period_ps
        locked_at = find_lock(self.words, width=WIDTH)
        assert locked_at is not None, f"no blocks on line {name}"
        self.first_bit = locked_at % 66  # of the first block's header
        self.blocks = []

    def read(self) -> "LineRecord":
        self.blocks = descramble_blocks(to_blocks(self.words, self.first_bit, WIDTH))  # without the first one
        received = decode(self.blocks)
        assert not received.violations, received.violations[:5]
        self.frames = [self._placed(frame) for frame in received.frames]
        # Remote fault blocks are complete, and contain nothing else.
        assert [s[1:] for s in received.ordered_sets] == [(SEQ_OS, b"\x00\x00\x02")] * len(received.ordered_sets)
        places = [at for at, _, _ in received.ordered_sets]
        assert all(at % 8 == 0 and also == at + 4 for at, also in zip(places[::2], places[1::2], strict=True))
        return self

    def cycle(self, char: int) -> int:
        return (self.first_bit + 66 * (char // 8 + 1) + 2 + char % 8 * 8) // WIDTH

    def _placed(self, frame) -> OnLine:
        start, end = self.cycle(frame.start_char), self.cycle(frame.end_char)
        return OnLine(frame.octets, self.zero_ps + start * self.period_ps, self.zero_ps + end * self.period_ps, start)

    def kinds(self, first_cycle: int, last_cycle: int) -> set[int]:
        """The blocks between two cycles."""
        ats = [(c * WIDTH - self.first_bit) // 66 - 1 for c in (first_cycle, last_cycle)]
        found = set(self.blocks[ats[0] + 1 : ats[1]])
        assert found
        return found

    def starts_need_a_link(self, ignored=()) -> None:
        """No frame starts if this end's receiver has seen no good link for a while."""
        for frame in self.frames:
            at = frame.start_cycle
            if not any(first <= at <= last for first, last in ignored):
                assert any(self.up[max(0, at - REACTION) : at + 1]), f"a start in cycle {at} without a link"


@dataclass
class Delivered:
    octets: bytes = b""
    errors: frozenset | None = None


def read_rx(name: str) -> list[Delivered]:
    frames, unjudged, octets, announced = [], [], bytearray(), 0
    raw = bytes.fromhex(Path(f"rx_{name}.hex").read_text())
    bits = {"fcs": 0x1000, "code": 0x800, "runt": 0x400, "oversize": 0x200}
    for flags, data in struct.iter_unpack(">HI", raw):
        announced += flags >> 15
        if flags & 0x20:
            octets += data.to_bytes(4, "little")[: (flags & 15).bit_length()]
            if flags & 0x40:
                unjudged.append(bytes(octets))
                octets.clear()
        if flags & 0x4000:
            errors = frozenset(name for name, bit in bits.items() if flags & bit)
            assert bool(flags & 0x2000) == (not errors)
            frames.append(Delivered(unjudged.pop(0), errors))
    assert not unjudged and announced == len(frames)
    return frames


# ---------------------------------------------------------------- the link


class Link:
    """Both ends with clocks, users, channels and masters for their registers."""

    def __init__(self, dut, rng, users=None, chan_b=()):
        self.dut, self.rng, self.values = dut, rng, {}
        self.users = users or [User().saturate(rng, 1_000_000) for _ in ENDS]
        for name, user in zip(ENDS, self.users, strict=True):
            Path(f"user_{name}.hex").write_text("".join(f"{line:010x}\n" for line in user.lines))
        Path("chan_a.hex").write_text("")
        Path("chan_b.hex").write_text("".join(f"{word:08x}\n" for word in chan_b))
        ppm = rng.sample([100, -100], 2)
        self.period_fs = [round(NOMINAL_FS * (1 - p / 1e6)) // 2 * 2 for p in ppm]
        self.zero_ps = [0.0, 0.0]
        for name in ("load", "flush"):
            getattr(dut, name).value = 0
        for name in ("go", "pause_req", "flip_go", "flip_mask", "flip_phase", "flip_count", "chan_mode"):
            getattr(dut, name).value = 0
        for end in range(2):
            self.set("chan_shift", end, rng.randrange(WIDTH), 5)
            self.set("tx_rst", end, 1)
            self.set("rx_rst", end, 1)
        dut.axil_rst.value = 1
        self.axil = Clock(dut.axil_clk, AXIL_PS, "ps")
        self.masters = [
            AxiLiteMaster(AxiLiteBus.from_prefix(dut, f"{e}_axil"), dut.axil_clk, dut.axil_rst) for e in ENDS
        ]
        for master in self.masters:
            for interface in (master.write_if, master.read_if):
                interface.log.setLevel("WARNING")

    def set(self, name: str, end: int, value: int, bits: int = 1) -> None:
        """Sets one end's part of a port."""
        mask = (1 << bits) - 1
        old = self.values.get(name, 0)
        self.values[name] = (old & ~(mask << bits * end)) | value << bits * end
        getattr(self.dut, name).value = self.values[name]

    def get(self, name: str, end: int, bits: int = 1) -> int:
        return int(getattr(self.dut, name).value) >> bits * end & ((1 << bits) - 1)

    def channel(self, end: int, mode: int) -> None:
        """The other end's input: 0 the line, 1 zeros, 2 noise, 3 the file."""
        self.set("chan_mode", end, mode, 2)

    # ------------------------------------------------------------ start and end

    async def clocks(self) -> "Link":
        dut = self.dut
        await Timer(1, "ns")
        dut.load.value = 1
        self.axil.start()
        for name, period in zip(ENDS, self.period_fs, strict=True):
            await Timer(self.rng.randrange(1, period // 1000), "ps")
            Clock(getattr(dut, f"{name}_tx_clk"), period, "fs").start()
        await Timer(5 * AXIL_PS, "ps")
        await RisingEdge(dut.axil_clk)
        dut.axil_rst.value = 0
        await Timer(5 * AXIL_PS, "ps")
        return self

    async def release_tx(self, end: int) -> None:
        clk = getattr(self.dut, f"{ENDS[end]}_tx_clk")
        await RisingEdge(clk)
        self.set("tx_rst", end, 0)
        self.zero_ps[end] = get_sim_time("fs") / 1000 + self.period_fs[end] / 1000

    async def release_rx(self, end: int) -> None:
        await RisingEdge(getattr(self.dut, f"{ENDS[1 - end]}_tx_clk"))
        self.set("rx_rst", end, 0)

    async def up(self) -> "Link":
        """Both ends have a link."""
        for _ in range(10 * LOCK_US):
            if int(self.dut.rx_link_up.value) == 3:
                await Timer(200, "ns")
                if int(self.dut.rx_link_up.value) == 3:
                    return self
            await Timer(100, "ns")
        raise AssertionError(f"no link: {[hex(await self.read(end, STATUS)) for end in range(2)]}")

    async def started(self, go: int = 3) -> "Link":
        await self.clocks()
        for end in range(2):
            await self.release_tx(end)
            await self.release_rx(end)
        await self.up()
        for end in range(2):
            await self.write(end, STICKY, 0xFFFF)
        self.dut.go.value = go
        return self

    async def quiet(self) -> None:
        """The users end their frames, and what is on the way arrives."""
        self.dut.go.value = 0
        await Timer(4, "us")

    async def lines(self) -> list[LineRecord]:
        self.dut.flush.value = 0
        await Timer(1, "ns")
        self.dut.flush.value = 1
        await Timer(1, "ns")
        return [LineRecord(ENDS[e], self.zero_ps[e], self.period_fs[e] / 1000) for e in range(2)]

    # ------------------------------------------------------------ registers

    async def read(self, end: int, address: int) -> int:
        done = await self.masters[end].read(address, 4)
        assert done.resp == AxiResp.OKAY
        return int.from_bytes(done.data, "little")

    async def write(self, end: int, address: int, value: int) -> None:
        assert (await self.masters[end].write(address, value.to_bytes(4, "little"))).resp == AxiResp.OKAY
        await Timer(10 * self.period_fs[0], "fs")  # it crosses clocks

    async def status(self, end: int) -> int:
        await Timer(4 * AXIL_PS, "ps")
        return await self.read(end, STATUS)

    async def counters(self, end: int) -> tuple[dict[str, int], dict[str, int]]:
        """A snapshot of both domains: receive, transmit."""
        await self.write(end, SNAPSHOT, 3)
        for _ in range(20):
            if await self.read(end, SNAPSHOT) == 0:
                break
        else:
            raise AssertionError("the snapshot does not end")
        out = []
        for base, names in ((0x80, RX_NAMES), (0x100, TX_NAMES)):
            raw = (await self.masters[end].read(base, 8 * len(names))).data
            out.append(dict(zip(names, struct.unpack(f"<{len(names)}Q", raw), strict=True)))
        return tuple(out)

    # ------------------------------------------------------------ what has to be so

    def check_sent(self, end: int, line: LineRecord, pauses: int = 0) -> None:
        """The user's frames are on the line, complete and in order; besides them there are `pauses` PAUSE frames."""
        own = [f for f in line.frames if f.octets[:6] != MULTICAST]
        taken = self.get("user_frames", end, 16)
        assert len(own) == taken, f"end {ENDS[end]}: {taken} frames were taken, {len(own)} are on the line"
        for frame, (octets, bad) in zip(own, self.users[end].frames, strict=False):
            if bad:
                assert frame.poisoned and frame.octets.startswith(octets)
            else:
                assert frame.octets == padded(octets) + fcs(padded(octets))
        assert len(line.frames) - len(own) == pauses

    def check_delivered(self, end: int, line: LineRecord, lost: int = 0) -> list[Delivered]:
        """The good frames of this end were on the line to it, in this order; `lost` may be missing."""
        delivered = read_rx(ENDS[end])
        good = iter([d.octets for d in delivered if not d.errors])
        wanted = [f.octets for f in line.frames if f.good and MIN_BYTES <= len(f.octets) <= MAX_BYTES]
        missing, octets = 0, next(good, None)
        for frame in wanted:
            if frame == octets:
                octets = next(good, None)
            else:
                missing += 1
        assert octets is None, f"end {ENDS[end]}: a frame was delivered for good that is not on the line"
        assert missing <= lost, f"end {ENDS[end]}: {missing} of {len(wanted)} frames are lost"
        return delivered


def new(dut, users=None, chan_b=()) -> Link:
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    return Link(dut, rng, users(rng) if users else None, chan_b(rng) if chan_b else ())


def managed(width: int) -> Bench:
    bench = Path(__file__).with_name("macpcs_managed_bench.sv")
    return Bench("macpcs_managed_bench", [*SOURCES, bench], {"PMA_DATA_WIDTH": width})
