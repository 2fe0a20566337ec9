# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Python side of macpcs_bench.sv: what is played into macpcs and what was recorded, cycle by cycle."""

import os
import struct
from dataclasses import dataclass, field
from pathlib import Path

from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, with_timeout

from ullnic_tb import parameter, seeded

RESET_CYCLES = 4  # at the start of each run of the receiver
PERIOD_PS = 3104  # near 102400/33; even, so that the clock has two equal halves
WIDTH = parameter("PMA_DATA_WIDTH", 32)  # of the transceiver's words
CROSSED = "cross_bench" in os.environ.get("ULLNIC_TEST_NAME", "")
USER_WIDTH = parameter("MAC_RX_DATA_WIDTH", 32) if CROSSED else WIDTH  # of the user's words
BYTES = USER_WIDTH // 8
FULL = (1 << BYTES) - 1  # tkeep
TICKS = 32 // WIDTH  # cycles in the time of four bytes


# ---------------------------------------------------------------- transmit


@dataclass(frozen=True)
class TxCycle:
    """Values at one rising edge of tx_clk."""

    frame: bool
    error: bool
    underrun: bool
    rst: bool
    valid: bool
    ready: bool
    word: int


@dataclass
class TxScript:
    """The user's actions, one line for each cycle; a held word stays until it is accepted."""

    lines: list[int] = field(default_factory=list)

    def _line(self, *, rst=0, hold=0, valid=0, last=0, user=0, keep=0, data=0, amend=0) -> None:
        flags = rst << 8 | hold << 7 | valid << 6 | last << 5 | user << 4 | keep
        self.lines.append(amend << 41 | flags << 32 | data)

    def reset(self, cycles: int = 4) -> "TxScript":
        for _ in range(cycles):
            self._line(rst=1)
        return self

    def idle(self, cycles: int) -> "TxScript":
        for _ in range(cycles):
            self._line()
        return self

    def junk(self, rng, amend: int = 0) -> "TxScript":
        """A cycle without a word, and random values on the other signals."""
        self._line(
            amend=amend,
            last=rng.getrandbits(1),
            user=rng.getrandbits(1),
            keep=rng.getrandbits(BYTES),
            data=rng.getrandbits(USER_WIDTH),
        )
        return self

    def word(self, data: int, keep: int = FULL, last: bool = False, user: bool = False, amend: int = 0) -> "TxScript":
        self._line(hold=1, valid=1, last=last, user=user, keep=keep, data=data, amend=amend)
        return self

    def glimpse(self, data: int, keep: int = FULL, last: bool = False) -> "TxScript":
        """A word that is offered for one cycle, accepted or not: breaks the user's rule."""
        self._line(valid=1, last=last, keep=keep, data=data)
        return self

    def missing(self, data: int = 0, keep: int = 0, last: bool = False) -> "TxScript":
        """No word in the next cycle in which one is due; the other signals as given."""
        self._line(hold=1, last=last, keep=keep, data=data)
        return self

    def frame(self, octets: bytes, user_at=(), keeps=None, missing_before=(), missing_cycles: int = 1) -> "TxScript":
        """A frame; tuser on the words in `user_at`, tkeep from `keeps` (word -> value), gaps before words."""
        words = words_of(octets)
        for i, (data, keep) in enumerate(words):
            if i in missing_before:
                for _ in range(missing_cycles):
                    self.missing()
            self.word(data, (keeps or {}).get(i, keep), i == len(words) - 1, i in user_at)
        return self


def words_of(octets: bytes, n_bytes: int = BYTES) -> list[tuple[int, int]]:
    """(data, keep) of each word. Unused octets of the last one are random: they must be ignored."""
    out = []
    for i in range(0, len(octets), n_bytes):
        part = octets[i : i + n_bytes]
        out.append((int.from_bytes(part + b"\xa5\x5a\x3c"[: n_bytes - len(part)], "little"), (1 << len(part)) - 1))
    return out


# ---------------------------------------------------------------- receive


@dataclass(frozen=True)
class Status:
    good: bool
    fcs: bool
    code: bool
    runt: bool
    oversize: bool

    @property
    def errors(self) -> frozenset:
        return frozenset(name for name in ("fcs", "code", "runt", "oversize") if getattr(self, name))


@dataclass
class RxFrame:
    """What the receiver's user got for one rx_sof."""

    sof_cycle: int
    octets: bytes = b""
    word_cycles: list[int] = field(default_factory=list)  # cycles of the beats, the last one included
    last_keep: int | None = None
    last_user: bool = False
    status: Status | None = None
    status_cycle: int | None = None

    @property
    def last_cycle(self) -> int:
        return self.word_cycles[-1]


@dataclass
class RxRecord:
    frames: list[RxFrame] = field(default_factory=list)
    lock_rises: list[int] = field(default_factory=list)  # cycle numbers
    lock_falls: list[int] = field(default_factory=list)
    bad_headers: list[int] = field(default_factory=list)
    bad_blocks: list[int] = field(default_factory=list)
    bad_after: list[int] = field(default_factory=list)
    link_up: list[bool] = field(default_factory=list)  # each cycle, from the reset on
    watchdog: list[bool] = field(default_factory=list)
    lock_lost: list[int] = field(default_factory=list)
    cut: list[RxFrame] = field(default_factory=list)  # by rx_rst: they have no tlast, or no status
    cycles: int = 0


def read_rx(raw: bytes) -> RxRecord:
    """Also checks the rules of the port: each sof has its tlast and its status, in order, and nothing else."""
    out, open_frames, unjudged, lock = RxRecord(), [], [], False
    held = parameter("MAC_RX_LATENCY_MODE", 0) or parameter("MAC_RX_CRC32_REMOVE", 0)
    late = parameter("MAC_RX_LATE_VERDICT_ENABLE", 0)
    for cycle, (flags, keep, data) in enumerate(struct.iter_unpack(">HBI", raw)):
        rst, sof, status_valid = flags & 0x8000, flags & 0x4000, flags & 0x2000
        if rst:
            out.cut += unjudged + open_frames
            open_frames, unjudged, lock = [], [], False
            continue
        if keep & 0x10:
            out.bad_after.append(cycle)
        out.link_up.append(bool(keep & 0x40))
        out.watchdog.append(bool(keep & 0x20))
        if flags == (0x80 if lock else 0):  # nothing happens: most cycles
            continue
        keep &= 0xF
        assert not flags & 4, f"cycle {cycle}: overflow without a FIFO"
        if bool(flags & 0x80) != lock:
            lock = not lock
            (out.lock_rises if lock else out.lock_falls).append(cycle)
        for bit, where in ((0x40, out.bad_headers), (0x20, out.bad_blocks), (0x10, out.lock_lost)):
            if flags & bit:
                where.append(cycle)
        if flags & 1:  # tvalid
            assert open_frames, f"cycle {cycle}: a user word without an rx_sof before it"
            frame = open_frames[0]
            assert frame.sof_cycle < cycle, f"cycle {cycle}: the first word is not later than its rx_sof"
            frame.word_cycles.append(cycle)
            last = bool(flags & 2)
            assert keep == FULL or last, f"cycle {cycle}: tkeep {keep:x} before tlast"
            assert keep in (0, 1, 3, 7, 15) and keep <= FULL and data >> USER_WIDTH == 0, (
                f"cycle {cycle}: tkeep {keep:x}"
            )
            assert last or not flags & 8, f"cycle {cycle}: tuser before tlast"
            frame.octets += data.to_bytes(4, "little")[: keep.bit_length()]
            if last:
                frame.last_keep, frame.last_user = keep, bool(flags & 8)
                unjudged.append(open_frames.pop(0))
        if sof:
            # A start may be visible while the last words of the previous frame are in flight (of two frames that are no
            # more than a start each, where the words wait for the verdict), never earlier.
            open_frames.append(RxFrame(cycle))
            out.frames.append(open_frames[-1])
            # After a bridge or FIFO `rx_sof` and the words keep their order, but starts may gather there.
            assert len(open_frames) <= 2 + held + 2 * CROSSED + 2 * late, (
                f"cycle {cycle}: {len(open_frames) - 1} frames have not ended at a new start"
            )
        if status_valid:
            assert unjudged, f"cycle {cycle}: a status without a tlast before it"
            frame = unjudged.pop(0)
            frame.status = Status(*(bool(flags & bit) for bit in (0x1000, 0x800, 0x400, 0x200, 0x100)))
            frame.status_cycle = cycle
            assert frame.status.good == (not frame.status.errors), f"cycle {cycle}: good with an error flag, or neither"
    out.cycles = cycle + 1
    assert not open_frames, f"rx_sof in cycle {open_frames[0].sof_cycle} was never followed by tlast"
    assert not unjudged, f"the frame that ended in cycle {unjudged[0].last_cycle} never had a status"
    return out


# ---------------------------------------------------------------- bench


class MacpcsBench:
    def __init__(self, dut):
        self.dut = dut
        self.rng = seeded(os.environ["ULLNIC_TEST_NAME"])

    async def _play(self, side: str, lines: list[int], digits: int) -> bytes:
        Path(f"{side}_in.hex").write_text("".join([f"%0{digits}x\n" % line for line in lines]))
        clock, go, done = (getattr(self.dut, f"{side}_{name}") for name in ("clk", "go", "done"))
        go.value = 1
        running = Clock(clock, PERIOD_PS, "ps")
        running.start()
        # Held words make a run longer than its file; a transmitter that never accepts one must not hang the test.
        await with_timeout(RisingEdge(done), (4 * len(lines) + 20_000) * PERIOD_PS, "ps")
        go.value = 0
        await RisingEdge(clock)
        await RisingEdge(clock)
        running.stop()
        return bytes.fromhex(Path(f"{side}_out.hex").read_text())

    async def transmit(self, script: TxScript) -> list[TxCycle]:
        raw = await self._play("tx", script.lines, 11)
        return [
            TxCycle(*(bool(flags & bit) for bit in (32, 16, 8, 4, 2, 1)), word)
            for flags, word in struct.iter_unpack(">BI", raw)
        ]

    async def receive(self, words, reset_at=()) -> RxRecord:
        """Plays words into pma_rx_data, after a reset; with rx_rst again at the words of `reset_at`."""
        lines = [1 << 32] * RESET_CYCLES + [1 << 32 | word if i in reset_at else word for i, word in enumerate(words)]
        return read_rx(await self._play("rx", lines, 9))
