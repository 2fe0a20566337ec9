# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_rx_filter: frames for us pass, whole and at one latency; of the others nothing is seen but a count."""

import os
from dataclasses import dataclass, field

import cocotb
import pytest

from macpcs_beats import NO_BEAT, beat, fields
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

WIDTH = parameter("WIDTH", 32)
BYTES = WIDTH // 8
VERDICT = parameter("VERDICT_LATENCY", 1)
DEPTH = {32: 8, 16: 9}[WIDTH]  # the latency that the head of the module names
BLOCK = 64 // WIDTH  # cycles
EVERYONE = b"\xff" * 6


# ---------------------------------------------------------------- what macpcs_rx gives


@dataclass
class Frame:
    octets: bytes = b""
    beats: list[int] = field(default_factory=list)  # the cycles that they come in
    status: int = 0

    @property
    def verdict_at(self) -> int:
        return self.beats[-1] + VERDICT


Word = tuple[bytes, bool]  # octets, last


@dataclass
class Received:
    """Beats as a decoder of blocks makes them (figure 49-7): slot by slot, one cycle in 33 without a slot.

    `strip`: the last four bytes of each frame are taken off: its words come 4 bytes later, one of them behind the end.
    """

    rng: object
    strip: bool = False
    slots: list[list[Word]] = field(default_factory=list)  # a word in the slot, and those after it in the cycles after
    cut: bool = False  # the frame under way ends with the next block
    beats: dict[int, int] = field(default_factory=dict)  # cycle: beat_t
    frames: list[Frame] = field(default_factory=list)
    n_cycles: int = 0
    pad: bytes = b""  # what is behind the last byte in its word; else anything

    def block(self) -> None:
        """A start block, or another that has no place in a frame."""
        ends = [[(b"", True)]] if self.cut else [[]]
        self.slots += [[], *ends, *[[]] * (BLOCK - 2)]
        self.cut = False

    def frame(self, octets: bytes, lane: int = 0, cut: str | None = None) -> None:
        """cut: after the whole blocks in `octets`, by "start", that of the next frame, or by "block"."""
        self.block()
        if lane == 4 and len(octets) >= 4:
            self.slots += [[]] * (BLOCK // 2) + [[word] for word in words(octets[:4])]
            octets = octets[4:]
        while len(octets) >= 8:
            self.slots += [[word] for word in words(octets[:8])]
            octets = octets[8:]
        if cut:
            assert not octets
            self.cut = True
            if cut == "block":
                self.block()
        else:
            ends = words(octets) or [(b"", False)]
            self.slots += [[], [*ends[:-1], (ends[-1][0], True)], *[[]] * (BLOCK - 2)]

    def idle(self, blocks: int) -> None:
        for _ in range(blocks):
            self.block()

    def done(self) -> "Received":
        """Gives each word its cycle."""
        self.idle(4 * DEPTH)
        phase, late, cycles = 33 - BLOCK * self.rng.randrange(32 // BLOCK), [], []  # between blocks
        for slot in self.slots:
            for stall in (True, False) if (len(cycles) + phase) % 33 == 0 else (False,):
                if not stall:
                    assert not (late and slot)
                    late = late or [*slot]
                cycles.append(late.pop(0) if late else None)
        self.n_cycles = len(cycles)
        for n, word in enumerate(stripped(cycles) if self.strip else cycles):
            if word is not None:
                self._beat(n, *word)
        return self

    def _beat(self, n: int, octets: bytes, last: bool) -> None:
        if not self.frames or fields(self.beats[self.frames[-1].beats[-1]])[1]:
            self.frames.append(Frame(status=self.rng.getrandbits(4)))
        self.frames[-1].octets += octets
        self.frames[-1].beats.append(n)
        word = (octets + (self.pad * BYTES or self.rng.randbytes(BYTES)))[:BYTES]
        self.beats[n] = beat(int.from_bytes(word, "little"), (1 << len(octets)) - 1, last)


def words(octets: bytes) -> list[Word]:
    return [(octets[i : i + BYTES], False) for i in range(0, len(octets), BYTES)]


def stripped(cycles: list[Word | None]) -> list[Word | None]:
    """Without the last four bytes of each frame. A word leaves when those behind it show that it is not the last."""
    out, held = [None] * len(cycles), b""
    for n, word in enumerate(cycles):
        if word is None:
            continue
        held += word[0]
        if word[1]:
            parts = words(held[:-4]) or [(b"", False)]
            parts[-1] = (parts[-1][0], True)
            # What is held besides the FCS leaves at once as far as it was all there before this word.
            at = n if len(parts) == 2 or word[0] == b"" or parts == [(b"", True)] else n + 1
            out[at : at + len(parts)] = parts
            held = b""
        elif len(held) > 4 + BYTES:
            out[n], held = (held[:BYTES], False), held[BYTES:]
    return out


def random_line(rng, strip: bool, n: int, address) -> Received:
    """Frames of all kinds, half of them with no gap before."""
    line = Received(rng, strip)
    for _ in range(n):
        lane = rng.choice([0, 4])
        length = rng.choice([*range(0, 24), *range(4, 17), *range(60, 70), 8, 12, 16, rng.randrange(70, 300)])
        cut = rng.choice([None, None, "start", "block"])
        if cut:
            length = rng.choice([0, 0, 8, 16, 64]) if lane == 0 else rng.choice([4, 12, 20, 68])
        line.frame((address() + rng.randbytes(300))[:length], lane, cut)
        line.idle(0 if cut == "start" else rng.choice([0, 0, 0, 1, 2, 5]))
    line.frame(address() + bytes(60))
    return line.done()


# ---------------------------------------------------------------- what has to leave


def passes(octets: bytes, own: bytes, pass_group: bool, on: bool = True) -> bool:
    if not on:
        return True
    address = octets[:6]
    return len(address) == 6 and (address in (own, EVERYONE) or (pass_group and address[0] & 1 == 1))


def sof_at(frame: Frame) -> int:
    """When its sof leaves, for a frame that passes."""
    return frame.beats[0] + DEPTH - (2 if len(frame.beats) > 1 else 3)


async def play(s, rng, line: Received, settings) -> list[bool]:
    """Plays the line; `settings(n)` are the inputs of a cycle. Returns of each frame if it has passed, and checks that
    everything of it or nothing has left, and when, and that nothing else has."""
    verdicts = {f.verdict_at: f.status for f in line.frames}
    sofs_in = {max(f.beats[0] - 3, 0) for f in line.frames} if rng.random() < 0.5 else set()  # must not matter
    seen_beats, seen_status, seen_sofs, filtered = {}, {}, [], []
    for n in range(line.n_cycles):
        word = line.beats.get(n, NO_BEAT)
        if word == NO_BEAT and rng.random() < 0.5:
            word = rng.getrandbits(37)  # no valid
        status = verdicts.get(n, rng.getrandbits(4))
        rx = word << 6 | (n in sofs_in) << 5 | (n in verdicts) << 4 | status
        out = await s.step(**{"in": rx}, **settings(n))
        if out.out >> 43:
            seen_beats[n] = out.out >> 6
        if out.out >> 5 & 1:
            seen_sofs.append(n)
        if out.out >> 4 & 1:
            seen_status[n] = out.out & 15
        if out.stat_filtered:
            filtered.append(n)
    passed = [frame.beats[-1] + DEPTH in seen_beats for frame in line.frames]
    want_beats, want_status, want_sofs, want_filtered = {}, {}, [], []
    for frame, has_passed in zip(line.frames, passed, strict=True):
        if has_passed:
            want_beats |= {n + DEPTH: line.beats[n] for n in frame.beats}
            want_status[frame.verdict_at + DEPTH] = frame.status
            want_sofs.append(sof_at(frame))
        else:
            want_filtered.append(frame.beats[-1] + DEPTH)
    assert seen_beats == want_beats
    assert seen_status == want_status
    assert seen_sofs == want_sofs
    assert filtered == want_filtered
    assert all(b - a >= BLOCK for a, b in zip(seen_sofs, seen_sofs[1:], strict=False)), "sofs are not a block apart"
    return passed


def settings_of(own: bytes, on: bool, pass_group: bool):
    return {"own_address": int.from_bytes(own, "big"), "on": on, "pass_group": pass_group}


def near(rng, own: bytes) -> bytes:
    """An address: ours, everyone's, a group's, or one that differs a little."""
    address = bytearray(rng.choice([own, own, EVERYONE, rng.randbytes(6)]))
    if rng.random() < 0.4:
        bit = rng.randrange(48)
        address[bit // 8] ^= 1 << bit % 8
    if rng.random() < 0.1:
        address[0] |= 1
    return bytes(address)


OUTPUTS = ["out", "stat_filtered"]


@cocotb.test()
async def shapes(dut):
    """Of the model: how close beginnings and ends come, which the head of the module relies on."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for strip in (False, True):
        line = random_line(rng, strip, 4000, lambda: rng.randbytes(6))
        pairs = [*zip(line.frames, line.frames[1:], strict=False)]
        assert min(b.beats[0] - a.beats[-1] for a, b in pairs) >= (1 if WIDTH == 32 else 3)
        assert min(b.beats[-1] - a.beats[-1] for a, b in pairs) == BLOCK
        sixth = 6 // BYTES - (WIDTH == 16)  # the word that has the sixth byte
        late = [b.beats[sixth] - a.beats[0] for a, b in pairs if len(a.beats) > 1 and len(b.beats) > sixth]
        assert min(late) > sixth + 2, "two first beats may wait for the same sixth byte"
        assert max(f.beats[sixth] - f.beats[0] for f in line.frames if len(f.beats) > sixth) == sixth + 2


async def fresh(dut, **settings) -> Stepper:
    s = Stepper(dut, OUTPUTS)
    await s.reset(**{"in": 0}, **settings)
    return s


@cocotb.test()
async def frames(dut):
    """Frames of all shapes and addresses, on and off, with and without groups."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for strip in (False, True) if VERDICT == 0 else (False,):
        for on, pass_group in ((0, 0), (0, 1), (1, 0), (1, 1)):
            own = rng.choice([bytes([rng.randrange(256) & 0xFE]) + rng.randbytes(5), b"\x00" * 6])
            line = random_line(rng, strip, 150, lambda own=own: near(rng, own))
            settings = settings_of(own, on, pass_group)
            passed = await play(await fresh(dut, **settings), rng, line, lambda _, s=settings: s)
            wanted = [passes(f.octets, own, pass_group, on) for f in line.frames]
            assert passed == wanted
            assert not on or 5 < sum(passed) < len(passed) - 5


@cocotb.test()
async def each_bit_counts(dut):
    """Ours and everyone's address with each of the 48 bits wrong, and right, at both starts and both shortest ends."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    own = bytes([rng.randrange(256) & 0xFE]) + rng.randbytes(5)
    line, wanted = Received(rng), []
    for right in (own, EVERYONE):
        for bit in rng.sample([*range(48), None, None], 50):
            address = bytearray(right)
            if bit is not None:
                address[bit // 8] ^= 1 << bit % 8
            wanted.append(bit is None)
            line.frame(bytes(address) + rng.randbytes(rng.choice([0, 2, 5, 6, 20])), rng.choice([0, 4]))
            line.idle(rng.choice([0, 1]))
    line.done()
    settings = settings_of(own, 1, 0)
    assert await play(await fresh(dut, **settings), rng, line, lambda _: settings) == wanted


@cocotb.test()
async def short_frames(dut):
    """Every length to 20, both lanes, cut frames in a row: the sixth byte rules."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    own = b"\x02\x11\x22\x33\x44\x55"
    line = Received(rng, pad=own[5:])  # only tkeep differs between a frame of five bytes and one of six
    for _ in range(2):
        for lane in (0, 4):
            for length in rng.sample([*range(21)], 21):
                line.frame((own + rng.randbytes(20))[:length], lane)
                line.idle(rng.randrange(2))
            for length in (0, 0, 0, 8, 0, 16, 0, 8) if lane == 0 else (4, 4, 12, 4, 4, 12):
                line.frame((own + rng.randbytes(20))[:length], lane, "start")
    line.frame(own + bytes(54))
    line.done()
    for on in (1, 0):
        settings = settings_of(own, on, 0)
        passed = await play(await fresh(dut, **settings), rng, line, lambda _, s=settings: s)
        assert passed == [not on or len(f.octets) >= 6 for f in line.frames]


@cocotb.test()
async def settings_change(dut):
    """At any time: a frame is whole or not there, and right where nothing has changed while its first words came."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    owns = [b"\x02\x11\x22\x33\x44\x55", b"\x02\x11\x22\x33\x44\x54"]
    line = random_line(rng, False, 250, lambda: rng.choice([*owns, EVERYONE, b"\x03" + rng.randbytes(5)]))
    now, history = settings_of(owns[0], 1, 0), []

    def settings(_):
        nonlocal now
        if rng.random() < 0.08:
            now = settings_of(rng.choice(owns), rng.getrandbits(1), rng.getrandbits(1))
        history.append(now)
        return now

    passed = await play(await fresh(dut, **now), rng, line, settings)
    judged = [0, 0]
    for frame, has_passed in zip(line.frames, passed, strict=True):
        first = history[frame.beats[0] + 1]
        if all(s == first for s in history[frame.beats[0] + 1 : frame.beats[0] + DEPTH - 2]):
            own = first["own_address"].to_bytes(6, "big")
            assert has_passed == passes(frame.octets, own, first["pass_group"], first["on"])
            judged[has_passed] += 1
    assert min(judged) > 10


@cocotb.test()
async def reset_forgets(dut):
    """Nothing of before a reset comes after it, and the next frame is judged from its first word on: not as the rest of
    one whose first words have matched, although it looks like it."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    own = b"\x02\x11\x22\x33\x44\x55"
    s = await fresh(dut, **settings_of(own, 1, 0))
    for _ in range(40):
        settings = settings_of(own, 1, rng.getrandbits(1))
        before, address = Received(rng), rng.choice([own, EVERYONE, b"\x03" + own[1:]])
        for _ in range(3):
            before.frame(address + rng.randbytes(rng.randrange(30)))
        before.done()
        n_words = rng.randint(1, 4 // BYTES)  # of the address, compared when the reset comes
        at = rng.choice(before.frames).beats[n_words - 1] + 2
        if rng.random() < 0.3:
            at = rng.randrange(1, before.n_cycles - 3 * DEPTH * BLOCK)
        for n in range(at):
            await s.step(**{"in": before.beats.get(n, NO_BEAT) << 6 | (rng.random() < 0.2) << 4}, **settings)
        await s.step(**{"in": before.beats.get(at, NO_BEAT) << 6}, rst=1, **settings)
        s.set(rst=0)
        line, rest = Received(rng), address[n_words * BYTES :]
        line.frame(rng.choice([own, own[::-1], rest, rest]) + bytes(10))
        line.done()
        wanted = passes(line.frames[0].octets, own, settings["pass_group"])
        assert await play(s, rng, line, lambda _, s=settings: s) == [wanted]


SOURCES = [path for path in rtl("macpcs") if path.stem in ("macpcs_pkg", "macpcs_rx_filter")]
# The verdict's latency matters to the first test alone.
CASES = [("frames", width, verdict) for width, late in ((32, 4), (16, 6)) for verdict in (0, 1, 2, late)]
CASES += [(test, *build) for test in cocotb_tests(__name__) if test != "frames" for build in ((32, 2), (16, 1))]


@pytest.mark.parametrize(
    "test, width, verdict", main_and_kept(__file__, CASES, lambda test, width, verdict: (width, verdict) == (32, 2))
)
def test_rx_filter(test, width, verdict):
    Bench("macpcs_rx_filter", SOURCES, {"WIDTH": width, "VERDICT_LATENCY": verdict}).run(__name__, test)
