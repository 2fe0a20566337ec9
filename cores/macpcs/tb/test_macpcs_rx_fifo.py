# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_rx_fifo: frames and starts through two clocks; a full FIFO; resets of either side."""

import os
from dataclasses import dataclass, field
from itertools import pairwise

import cocotb
import pytest

from macpcs_beats import NO_BEAT, beat, errors, fields
from macpcs_clocks import Clocks, read
from ullnic_tb import Bench, cocotb_tests, main_and_kept, parameter, rtl, seeded

NAMES = ("macpcs_pkg", "macpcs_rx_pack", "macpcs_rx_fifo", "macpcs_rx_fifo_sof", "cdc_bits", "cdc_source", "cdc_reset",
         "async_fifo")  # fmt: skip
SOURCES = [path for path in rtl("common", "macpcs") if path.stem in NAMES]
PS_AT_32 = 32 * 1e6 / 10312.5  # a word of 32 bits on the line
IDLE = (NO_BEAT, 0, 0)
FASTEST_PPM = 241_000  # 400 MHz: how fast the user's clock may be with EARLY


@dataclass
class Frame:
    octets: bytes
    status: int


@dataclass
class Line:
    """The joined stream, cycle by cycle: a start block, the words, a gap; one cycle in 33 without anything.

    `dense`: a frame is followed at once by the next start block. A start may be reported up to three cycles early,
    before the last word of the frame before.
    """

    rng: object
    width: int
    code: bool = True  # a frame may have the status of one that the FIFO has cut
    frames: list[Frame] = field(default_factory=list)
    cycles: list[tuple[int, int, int]] = field(default_factory=list)

    def frame(self, n_octets: int, gap: int) -> None:
        rng, n = self.rng, self.width // 8
        octets = rng.randbytes(n_octets)
        status = rng.choice([n for n in range(16) if self.code or errors(n) != {"code"}])
        self.frames.append(Frame(octets, status))
        start = len(self.cycles)
        self._slots([[NO_BEAT, rng.getrandbits(4), 0] for _ in range(64 // self.width)])
        sof = max(start + (2 if self.width == 16 else 0) - rng.choice([0, 0, 0, 1, 2, 3]), 0)
        while any(cycle[2] for cycle in self.cycles[max(sof - 64 // self.width + 1, 0) : sof + 1]):
            sof += 1
        self.cycles[sof][2] = len(self.frames)
        words = [octets[i : i + n] for i in range(0, len(octets), n)]
        if not words or (rng.random() < 0.5 and len(words[-1]) == n):
            words.append(b"")
        for i, word in enumerate(words):
            last = i == len(words) - 1
            data = int.from_bytes(word + rng.randbytes(n - len(word)), "little")
            self._slots([[beat(data, (1 << len(word)) - 1, last), status if last else rng.getrandbits(4), 0]])
        self._slots([[NO_BEAT, 0, 0] for _ in range(gap)])

    def _slots(self, slots) -> None:
        for slot in slots:
            if len(self.cycles) % 33 == 32:
                self.cycles.append([NO_BEAT, 0, 0])
            self.cycles.append(slot)


def likely_starts(rng, cycles, wrong: float) -> list[bool]:
    """Each sof is likely in its cycle or the one before. Others, two cycles apart, are `wrong`: no sof follows."""
    out = [False] * len(cycles)
    for n, (_, _, sof) in enumerate(cycles):
        if sof:
            out[n - (n > 0 and not any(out[max(n - 2, 0) : n]) and rng.random() < 0.5)] = True
    for n, (now, then) in enumerate(pairwise(cycles)):  # not in the last cycle, which others may follow
        if not now[2] and not then[2] and not any(out[max(n - 1, 0) : n + 2]):
            out[n] = rng.random() < wrong
    return out


@dataclass
class Got:
    octets: bytes = b""
    status: int | None = None  # None: not ended


class Bed:
    """Plays a line and takes what comes out."""

    def __init__(self, rng, user_ppm: float = 0, jitter_ps: float = 0):
        self.rng = rng
        self.in_width, self.width = parameter("IN_WIDTH", 32), parameter("WIDTH", 32)
        self.early, self.wrong = parameter("EARLY", 0), 0.3
        rx = PS_AT_32 * self.in_width / 32
        user = PS_AT_32 * self.width / 32 / (1 + user_ppm * 1e-6)
        # With jitter, edges of the two clocks meet: either may be the first.
        first = (100, 100) if jitter_ps else (rng.random() * rx, rng.random() * user)
        self.clocks = Clocks({"rx_clk": (rx, first[0]), "m_axis_clk": (user, first[1])}, rng, jitter_ps)
        self.clocks.set(**{"in": NO_BEAT}, in_status=0, likely=0, sof=0, out_ready=0, rx_rst=0, m_axis_rst=0)
        self.got: list[Got] = []
        self.waiting = []  # frames announced that have not ended
        self.overflows, self.user_edges = 0, 0
        # At which edges of the user's clock starts and words must come, if he is always ready, and do
        self.sof_due, self.word_due, self.sof_at, self.word_at = [], [], [], []
        self.last_due, self.likely_due, self.half = 0, 0, False

    async def edge(self, cycle, ready: bool, rx_rst: bool = False, m_rst: bool = False) -> bool:
        """To the next edge and past it; True if it was one of rx_clk: then `cycle` is what the next one takes."""
        names = await self.clocks.to_edge()
        if "m_axis_clk" in names:
            self.user_edges += 1
            self._look()
        if "rx_clk" in names:
            self.overflows += read("overflow")[0]
            self._write()
        await self.clocks.edge(names)
        if "m_axis_clk" in names:
            self.clocks.set(out_ready=ready, m_axis_rst=m_rst)
            if m_rst:
                self.waiting.clear()
        if "rx_clk" in names:
            self.clocks.set(**{"in": cycle[0]}, in_status=cycle[1], sof=bool(cycle[2]), rx_rst=rx_rst)
            self.clocks.set(likely=len(cycle) > 3 and cycle[3])
        return "rx_clk" in names

    def _write(self) -> None:
        word, sof, likely = read("in", "sof", "likely" if self.early else "sof")
        valid, last, _, _ = fields(word)
        put = valid and (self.half or last or self.width == self.in_width)
        if valid:
            self.half = not put
        if put or likely:
            self.last_due = max(self.user_edges + 3, self.last_due + 1)
        if put:
            self.word_due.append(self.last_due)
        if likely:
            self.likely_due = self.last_due
        if sof:
            self.sof_due.append(self.likely_due)

    def _look(self) -> None:
        out, status, sof, ready, rst = read("out", "out_status", "out_sof", "out_ready", "m_axis_rst")
        if rst:
            return
        if sof:
            self.got.append(Got())
            self.waiting.append(self.got[-1])
            self.sof_at.append(self.user_edges)
        valid, last, keep, data = fields(out)
        if valid and ready:
            self.word_at.append(self.user_edges)
            assert self.waiting, "a word before its start"
            n = self.width // 8
            assert keep == (1 << n) - 1 or (last and keep in (0, 1, 3, 7)[:n])
            self.waiting[0].octets += data.to_bytes(4, "little")[: keep.bit_length()]
            if last:
                self.waiting.pop(0).status = status

    def with_likely(self, cycles) -> list[tuple]:
        """Without EARLY what is likely must not matter."""
        likely = likely_starts(self.rng, cycles, self.wrong)
        return [(*cycle, each) for cycle, each in zip(cycles, likely, strict=True)]

    async def play(self, cycles, ready, drain: int = 60) -> None:
        cycles = self.with_likely([*cycles, *[IDLE] * drain])
        n = 0
        while n < len(cycles):
            n += await self.edge(cycles[n], ready())

    async def begin(self) -> None:
        for _ in range(10):
            await self.edge(IDLE, True, True, True)
        await self.play([], lambda: True, 20)


def random_line(rng, width: int, n: int, jumbo: bool = False, code: bool = True) -> Line:
    line = Line(rng, width, code)
    lengths = [*range(0, 20), *range(60, 72)] * 2 + [rng.randrange(72, 400) for _ in range(6)]
    lengths = rng.sample(lengths, n)
    if jumbo:
        lengths[n // 2] = 9622
    for length in lengths:
        # One gap in two is the shortest there can be: the next start block follows at once.
        line.frame(length, rng.choice([0, 0, 0, 1, 4, 12]))
    return line


@cocotb.test()
async def frames(dut):
    """The user always ready, clocks up to 200 ppm apart, or alike and jittering: frames whole, no word late."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    fastest = [(FASTEST_PPM, 0)] if parameter("EARLY", 0) else []
    for ppm, jitter_ps in ((0, 0), (200, 0), (-200, 0), (0, 30), *fastest):
        bed = Bed(rng, ppm, jitter_ps)
        await bed.begin()
        line = random_line(rng, bed.in_width, 40, jumbo=ppm == -200)
        await bed.play(line.cycles, lambda: True)
        assert [(f.octets, f.status) for f in bed.got] == [(f.octets, f.status) for f in line.frames]
        assert bed.overflows == 0
        # Each start and word is seen at the third edge of the user's clock after it came, or next to the one before.
        assert (bed.sof_at, bed.word_at) == (bed.sof_due, bed.word_due)


@cocotb.test()
async def full(dut):
    """A user who stops: every frame is whole, or cut and flagged, or not announced; `overflow` counts the lost ones."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    lost = 0
    for ready_rate, run in ((0.5, 1), (0.9, 40), (0.5, 30), (0.1, 10), (0.97, 3)):
        bed = Bed(rng, rng.choice([-200, 200]))
        await bed.begin()
        line = random_line(rng, bed.in_width, 50, code=False)
        state = [False]

        def ready(state=state, rate=ready_rate, run=run):
            if rng.random() < 1 / run:
                state[0] = rng.random() < rate
            return state[0]

        await bed.play(line.cycles, ready, 0)
        await bed.play([], lambda: True)
        check_lost(bed, line)
        lost += bed.overflows
        # The next frame is whole.
        late = Line(rng, bed.in_width)
        late.frame(77, 12)
        await bed.play(late.cycles, lambda: True)
        assert (bed.got[-1].octets, bed.got[-1].status) == (late.frames[0].octets, late.frames[0].status)
    assert lost > 50


def check_lost(bed, line) -> None:
    assert not bed.waiting
    sent = cut = 0  # frames of the line looked at, in order; frames that came cut
    for frame in bed.got:
        if errors(frame.status) == {"code"}:
            assert any(f.octets.startswith(frame.octets) for f in line.frames[sent:])
            cut += 1
            continue
        whole = (frame.octets, frame.status)
        sent = next(i + 1 for i, f in enumerate(line.frames) if i >= sent and (f.octets, f.status) == whole)
    assert len(line.frames) == len(bed.got) - cut + bed.overflows


@cocotb.test()
async def resets(dut):
    """Resets of either side at any time: what comes out are frames from their beginning, ended, and soon whole ones."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for side in ("rx_rst", "m_rst"):
        bed = Bed(rng, rng.choice([-200, 0, 200]))
        await bed.begin()
        for _ in range(25):
            line = random_line(rng, bed.in_width, 4, code=False)
            before = len(bed.got)
            cycles = bed.with_likely(line.cycles)
            stop, n = rng.randrange(len(cycles)), 0
            ready = rng.choice([1, 0.5])
            while n < stop:
                n += await bed.edge(cycles[n], rng.random() < ready)
            # A reset of one cycle or more. The receiver's own reset ends what it was receiving.
            length = rng.choice([1, 1, 2, 10])
            while length:
                stepped = await bed.edge(IDLE if side == "rx_rst" else cycles[n], True, **{side: True})
                n += stepped and side == "m_rst" and n + 1 < len(cycles)
                length -= stepped if side == "rx_rst" else rng.random() < 0.5
            if side == "m_rst":
                while n < len(cycles):
                    n += await bed.edge(cycles[n], True)
            await bed.play([], lambda: True, 40)
            assert not bed.waiting, "a frame that was announced has not ended"
            for frame in bed.got[before:]:
                assert (
                    frame.status is None
                    or any((f.octets, f.status) == (frame.octets, frame.status) for f in line.frames)
                    or (
                        errors(frame.status) == {"code"} and any(f.octets.startswith(frame.octets) for f in line.frames)
                    )
                )
                assert frame.status is not None or side == "m_rst"
            late = Line(rng, bed.in_width)
            late.frame(rng.randrange(100), 0)
            await bed.play(late.cycles, lambda: True)
            assert (bed.got[-1].octets, bed.got[-1].status) == (late.frames[0].octets, late.frames[0].status)


@cocotb.test()
async def reset_while_the_user_waits(dut):
    """The writer's reset cuts a frame of a user who is not ready; the next frame comes meanwhile: it is announced."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for _ in range(20):
        bed = Bed(rng, rng.choice([-200, 0, 200]))
        await bed.begin()
        bed.wrong = 0  # while the user waits each takes a place
        line = Line(rng, bed.in_width)
        line.frame(77, 12)
        cycles = bed.with_likely(line.cycles)
        n, stop = 0, rng.randrange(12, 20)
        while n < stop:
            n += await bed.edge(cycles[n], False)
        length = rng.choice([1, 2, 10])
        while length:
            length -= await bed.edge(IDLE, False, rx_rst=True)
        await bed.play([], lambda: False, 40)
        late = Line(rng, bed.in_width)
        late.frame(rng.randrange(12), 0)
        await bed.play(late.cycles, lambda: False, 20)
        await bed.play([], lambda: True, 60)
        assert not bed.waiting
        assert (bed.got[-1].octets, bed.got[-1].status) == (late.frames[0].octets, late.frames[0].status)


@cocotb.test()
async def too_small(dut):
    """Why the depth is 8: with 4 places, which the module refuses, words are lost at the full rate."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = Bed(rng, 0)
    await bed.begin()
    line = Line(rng, bed.in_width)
    for _ in range(20):
        line.frame(200, 0)
    await bed.play(line.cycles, lambda: True)
    assert (bed.overflows > 0) == (parameter("DEPTH", 0) < 8)


WIDTHS = [(32, 32, 0), (16, 32, 0), (16, 16, 0), (32, 32, 1)]


@pytest.mark.parametrize(
    "widths", main_and_kept(__file__, [(each,) for each in WIDTHS]), ids=lambda w: f"{w[0]}to{w[1]}{'_early' * w[2]}"
)
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_rx_fifo(test, widths):
    depth = 4 if test == "too_small" else 8
    parameters = {"IN_WIDTH": widths[0], "WIDTH": widths[1], "DEPTH": depth, "EARLY": widths[2]}
    Bench("macpcs_rx_fifo", SOURCES, parameters, starts_with_zeros=True).run(__name__, test)
