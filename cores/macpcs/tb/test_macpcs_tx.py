# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The transmitter of macpcs against the strict decoder of baser_rx: what the user hands in stands on the line."""

import cocotb
import pytest

from baser import fcs
from baser_rx import Received, decode, descramble_blocks, find_lock, to_blocks
from macpcs_bench import BYTES, FULL, TICKS, WIDTH, MacpcsBench, TxScript, words_of
from macpcs_configs import TX_CONFIGS, is_main, macpcs
from ullnic_tb import cocotb_tests, main_and_kept, parameter

OWN_FCS = bool(parameter("MAC_TX_CRC32_DISABLE", 0))  # the last four bytes that the user hands in are sent as the FCS
TAKEN = (
    4 if OWN_FCS or not parameter("MAC_TX_CRC32_ADD", 1) else 0
)  # bytes of the user's frame in place of which an FCS is sent
HELD = TAKEN // BYTES  # words that the transmitter takes before a frame can start
PADDING = parameter("MAC_TX_PADDING_SIZE", 64)
MINIMUM = PADDING - 4  # bytes before the FCS
IFG = parameter("MAC_TX_IFG_COUNT", 12)
REGISTERS = parameter("PCS_TX_LATENCY_MODE", 0) + parameter("MAC_TX_LATENCY_MODE", 0) + HELD
SETTLE = 12 * TICKS  # cycles after reset or after the last word: more than the longest way through the transmitter
PADDED = (14 + (PADDING + IFG) // 4) * TICKS  # cycles of a padded frame and its gap, and some more
END = SETTLE + 2 * PADDED  # cycles after the last word: its frame can wait in the stages for one that is padded


class Line:
    """What came out of one run: the line from the end of (the last) reset on, decoded."""

    def __init__(self, cycles):
        self.first_cycle = max((i + 1 for i, c in enumerate(cycles) if c.rst), default=0)
        self.cycles = cycles[self.first_cycle :]
        words = [c.word for c in self.cycles]
        locked_at = find_lock(words, width=WIDTH)
        assert locked_at is not None, "no block lock on the transmitted line"
        # The transmitter sends blocks from its reset on: only the first one, which seeds the descrambler, is left out.
        self.first_bit = locked_at % 66 + 66
        blocks = descramble_blocks(to_blocks(words, locked_at % 66, WIDTH))
        self.blocks = blocks
        self.received: Received = decode(blocks)

    @property
    def frames(self):
        return self.received.frames

    def clean(self) -> "Line":
        assert not self.received.violations, self.received.violations[:5]
        return self

    def count(self, what: str) -> int:
        return sum(getattr(c, what) for c in self.cycles)

    def terminate_types(self) -> set[int]:
        return {f.end_char % 8 for f in self.frames}


def complement(octets: bytes) -> bytes:
    return bytes(b ^ 0xFF for b in octets)


def given(rng, n: int) -> bytes:
    """A frame of n bytes as the user hands it in."""
    if not OWN_FCS or n <= 4:
        return rng.randbytes(n)
    data = rng.randbytes(n - 4)
    return data + fcs(data)


def padded(octets: bytes) -> bytes:
    return octets + bytes(max(0, MINIMUM - len(octets)))


def on_line(octets: bytes, bad: bool = False) -> tuple[bytes, bytes | None, bool]:
    """What the user's frame becomes: bytes before the FCS, FCS (None: a wrong one), whether it is made wrong."""
    data, own = (octets[:-4], octets[-4:]) if TAKEN else (octets, b"")
    bad = bad or not data or (OWN_FCS and len(data) < MINIMUM)
    if OWN_FCS and not data:
        return padded(data), None, True
    check = own if OWN_FCS else fcs(padded(data))
    return padded(data), complement(check) if bad else check, bad


def matches(frame, octets: bytes, bad: bool = False) -> bool:
    data, check, bad = on_line(octets, bad)
    return frame.payload == data and (frame.octets[-4:] == check if check else not frame.good)


def assert_sent(line: Line, handed) -> None:
    """Each frame is on the line, padded and with its FCS, in order, and nothing else is."""
    wire = line.clean().frames
    for i, (got, octets) in enumerate(zip(wire, handed, strict=False)):
        assert matches(got, octets), f"frame {i} of {len(octets)} bytes, {octets.hex()}: on the line {got.octets.hex()}"
    assert len(wire) == len(handed), f"{len(wire)} frames on the line, {len(handed)} wanted"
    assert (line.count("frame"), line.count("underrun")) == (len(handed), 0)
    assert line.count("error") == sum(on_line(octets)[2] for octets in handed)


def assert_gaps(frames) -> None:
    """46.3.1.4: a gap may be short by 3 characters at most, and what is taken is given back before more is taken."""
    deficit = 0
    for frame in frames[1:]:
        deficit = max(deficit, 0) + IFG - frame.gap_chars
        assert frame.gap_chars >= IFG - 3 and deficit <= 3, f"gap {frame.gap_chars}, deficit {deficit}"


def assert_mean_gap(frames) -> None:
    """Of frames that waited for each other."""
    gaps = [f.gap_chars for f in frames[1:]]
    for k in range(1, len(gaps) + 1):
        assert 0 <= IFG * k - sum(gaps[:k]) <= 3, f"{len(frames[0].octets)} bytes: gaps {gaps[:k]}"


def poisoned(frame) -> bool:
    """Cut short or with an illegal tkeep: with a CRC the complement, without one some FCS that is not the user's."""
    return not frame.good if OWN_FCS else frame.octets[-4:] == complement(fcs(frame.payload))


@cocotb.test()
async def every_length(dut):
    """1 to 130 bytes and some up to 9600, after random idles with junk beside tvalid; a wrong FCS of the user's too."""
    bench = MacpcsBench(dut)
    short = PADDING + 131  # so that no kind of terminate block is missed by chance
    lengths = [*range(1, short), 1514, 1515, 1516, 1517, 9599, 9600]
    lengths += [bench.rng.randrange(short, 9600) for _ in range(10)]
    bench.rng.shuffle(lengths)
    handed = [given(bench.rng, n) if bench.rng.random() < 0.8 else bench.rng.randbytes(n) for n in lengths]
    script = TxScript().reset().idle(SETTLE)
    for octets in handed:
        for _ in range(bench.rng.choice([0, 0, 1, 2, 3, 5, 20, bench.rng.randrange(80)])):
            script.junk(bench.rng)
        script.frame(octets)
    line = Line(await bench.transmit(script.idle(END)))
    assert_sent(line, handed)
    assert_gaps(line.frames)
    assert line.terminate_types() == set(range(8))
    assert {f.lane for f in line.frames} == {0, 4}


@cocotb.test()
async def back_to_back(dut):
    """Frames that wait for each other: the gap is right on average, exactly, with a deficit of 0 to 3 (46.3.1.4)."""
    bench = MacpcsBench(dut)
    runs = [[TAKEN + n] * 24 for n in range(MINIMUM - 3, MINIMUM + 10)]
    runs += [[bench.rng.randrange(1, 140) for _ in range(150)], [bench.rng.randrange(60, 1600) for _ in range(30)]]
    runs.append(bench.rng.sample(range(1, PADDING + 11), PADDING + 10))
    for lengths in runs:
        handed = [given(bench.rng, n) for n in lengths]
        script = TxScript().reset().idle(bench.rng.randrange(SETTLE, SETTLE + 33))
        for octets in handed:
            script.frame(octets)
        # Enough idles for the decoder to find the block boundary, whatever the frames.
        line = Line(await bench.transmit(script.idle(600 * TICKS)))
        assert_sent(line, handed)
        assert_mean_gap(line.frames)


@cocotb.test()
async def bursts(dut):
    """After a long gap there is no deficit: the rule holds for a burst of waiting frames from its first gap on."""
    bench = MacpcsBench(dut)
    script, handed, n_burst = TxScript().reset().idle(SETTLE), [], 5
    for _ in range(120):
        for _ in range(n_burst):
            handed.append(given(bench.rng, TAKEN + MINIMUM + bench.rng.randrange(8)))
            script.frame(handed[-1])
        script.idle(TICKS * (IFG // 4 + bench.rng.randrange(21, 57)))
    line = Line(await bench.transmit(script.idle(END)))
    assert_sent(line, handed)
    for at in range(0, len(handed), n_burst):
        assert_mean_gap(line.frames[at : at + n_burst])


@cocotb.test()
async def start_is_immediate(dut):
    """A frame offered on an idle line starts in the first block whose payload has not begun to leave before."""
    bench = MacpcsBench(dut)
    script = TxScript().reset().idle(SETTLE)
    n_frames = 800  # so that no phase is missed by chance
    for _ in range(n_frames):
        idles = (21 + IFG // 4) * TICKS
        script.frame(bench.rng.randbytes(MINIMUM + TAKEN)).idle(bench.rng.randrange(idles, idles + 33))
    cycles = await bench.transmit(script.idle(END))
    line = Line(cycles)
    assert len(line.clean().frames) == n_frames
    offers = [i for i in range(1, len(line.cycles)) if line.cycles[i].valid and not line.cycles[i - 1].valid]
    assert len(offers) == n_frames
    waits = set()
    for offer, frame in zip(offers, line.frames, strict=True):
        word = offer + REGISTERS
        # Payload of block b begins at bit first_bit + 66 b + 2: the first one that is not over when `word` leaves.
        block = -((line.first_bit + 2 - WIDTH * word) // 66)
        begin = line.first_bit + 2 + 66 * block
        assert frame.start_char == 8 * block, (
            f"offered in cycle {offer}: starts in block {frame.start_char / 8}, {block} is possible"
        )
        waits.add((begin // WIDTH - word, begin % WIDTH))
    assert {w for w, _ in waits} == set(range(64 // WIDTH + 1))
    assert len(waits) == 33, "not every phase of the gearbox was met"


@cocotb.test()
async def underrun(dut):
    """No word when one is due, before each word of a frame: wrong FCS, the rest swallowed, the next frame clean.

    None is due before the one with which the frame can start: words that are held back do not start it.
    """
    bench = MacpcsBench(dut)
    script, wanted = TxScript().reset().idle(SETTLE), []
    # With a register stage the user's words wait there for the frames before to end: time in which none has to come.
    missing = 1 if parameter("MAC_TX_LATENCY_MODE", 0) == 0 else SETTLE + 2 * PADDED
    positions = [*range(1, max(41, MINIMUM // BYTES + HELD + 3))] * 3
    if PADDING > 64:
        positions = [*range(1, 9), *bench.rng.sample(positions, 60), *range(MINIMUM // BYTES, positions[-1] + 1)]
    bench.rng.shuffle(positions)
    for at in positions:
        octets = given(bench.rng, bench.rng.randrange(BYTES * at + 1, BYTES * at + 80))
        after = given(bench.rng, bench.rng.randrange(1, 100))
        for i, (data, keep) in enumerate(words_of(octets)):
            if i == at:
                for _ in range(missing + bench.rng.choice([0, 0, 1, 40])):
                    script.missing(bench.rng.getrandbits(WIDTH), bench.rng.getrandbits(BYTES), bench.rng.random() < 0.5)
            script.word(data, keep, BYTES * (i + 1) >= len(octets))
        script.idle(bench.rng.choice([0, 0, 1, 10])).frame(after)
        cut = at > HELD
        wanted += [(octets[: BYTES * at] if cut else octets, cut), (after, False)]
    line = Line(await bench.transmit(script.idle(END))).clean()
    assert_gaps(line.frames)
    assert len(line.frames) == len(wanted)
    for frame, (octets, cut) in zip(line.frames, wanted, strict=True):
        if cut:
            assert poisoned(frame)
            # Without a CRC: the complement of the last four bytes that came.
            assert not OWN_FCS or frame.octets[-4:] == complement(octets[-4:])
            data = octets[: len(octets) - TAKEN]
            assert frame.payload.startswith(data)
            assert MINIMUM <= len(frame.payload) <= max(MINIMUM, len(data) + BYTES)
        else:
            assert matches(frame, octets)
    cuts = sum(cut for _, cut in wanted)
    assert cuts == sum(at > HELD for at in positions)
    errors = cuts + sum(on_line(octets)[2] for octets, cut in wanted if not cut)
    assert (line.count("frame"), line.count("underrun"), line.count("error")) == (len(wanted), cuts, errors)


@cocotb.test()
async def user_error(dut):
    """tuser on each word of frames of different lengths: the FCS is the complement, everything else as it was."""
    bench = MacpcsBench(dut)
    corrupts = bool(parameter("MAC_TX_CRC32_CORRUPTED_ON_ERROR", 1))
    script, wanted = TxScript().reset().idle(SETTLE), []
    for n in (1, 4, 5, 30, *range(MINIMUM - 3, MINIMUM + 5), MINIMUM + 30, *range(5 - TAKEN, 1)):
        places = range(-(-(n + TAKEN) // BYTES))
        for at in places if len(places) < 50 else {0, 1, places[-1], *bench.rng.sample(places, 20)}:
            bad, good = given(bench.rng, n + TAKEN), given(bench.rng, bench.rng.randrange(1, 80))
            script.frame(bad, user_at=[at]).idle(bench.rng.choice([0, 0, 3, 30])).frame(good)
            wanted += [(bad, corrupts), (good, False)]
    line = Line(await bench.transmit(script.idle(END))).clean()
    assert len(line.frames) == len(wanted)
    for frame, (octets, bad) in zip(line.frames, wanted, strict=True):
        assert matches(frame, octets, bad)
    assert line.count("error") == sum(on_line(octets, bad)[2] for octets, bad in wanted)
    assert (line.count("frame"), line.count("underrun")) == (len(wanted), 0)


@cocotb.test()
async def illegal_keep(dut):
    """Each value of tkeep on the first, a middle and the last word, in frames with and without padding."""
    bench = MacpcsBench(dut)
    script, wanted = TxScript().reset().idle(SETTLE), []
    for n in (4, 40, 64, 100, *[4 + TAKEN, PADDING + TAKEN][: TAKEN // 2]):
        words = words_of(bench.rng.randbytes(n))
        for at in {0, min(1, len(words) - 1), len(words) // 2, len(words) - 1}:
            is_last = at == len(words) - 1
            for keep in range(FULL + 1):
                octets, good = given(bench.rng, n), given(bench.rng, PADDING + 10)
                script.frame(octets, keeps={at: keep}).idle(bench.rng.choice([0, 3, 30])).frame(good)
                legal = keep == FULL or (is_last and keep in (1, 3, 7))
                if legal:
                    octets = octets[: n - BYTES + keep.bit_count()] if keep != FULL else octets
                else:
                    octets = octets[: max(0, BYTES * at - TAKEN)]
                wanted.append((octets, legal, good))
    line = Line(await bench.transmit(script.idle(END))).clean()
    assert len(line.frames) == 2 * len(wanted)
    for frame, after, (octets, legal, good) in zip(line.frames[::2], line.frames[1::2], wanted, strict=True):
        if legal:
            assert matches(frame, octets)
        else:
            assert poisoned(frame) and frame.payload.startswith(octets)
        assert matches(after, good) and after.good
    assert line.count("error") == sum(not legal or on_line(octets)[2] for octets, legal, _ in wanted)
    assert line.count("frame") == len(line.frames)


@cocotb.test()
async def offer_withdrawn(dut):
    """tvalid falls before the first word was taken, at any time after a frame: never a wrong frame under a good FCS.

    The transmitter may have started on the offer. Then it has been cheated of a frame: it sends a poisoned one and
    swallows up to the next tlast. Or it has not, and nothing happens. The frame after that is clean in both cases.
    The words that are held back have been taken: here the offer that counts is the one behind them.
    """
    bench = MacpcsBench(dut)
    script, trials = TxScript().reset().idle(SETTLE), []
    for wait in [*range((51 + (PADDING + IFG) // 4) * TICKS)] * (3 if PADDING <= 64 else 1):
        held = bench.rng.randbytes(TAKEN)
        first, next_, after = (given(bench.rng, bench.rng.randrange(1, 90)) for _ in range(3))
        script.frame(first).idle(wait)
        for data, keep in words_of(held):
            script.word(data, keep)
        script.glimpse(bench.rng.getrandbits(WIDTH)).idle((38 + (PADDING + IFG) // 2) * TICKS).frame(next_).idle(5)
        script.frame(after).idle(5)
        trials.append((first, held + next_, after))
    line = Line(await bench.transmit(script.idle(END))).clean()
    frames, started, errors = list(line.frames), 0, 0
    for first, next_, after in trials:
        sent = [first, next_, after]
        assert matches(frames.pop(0), first)
        if not matches(frames[0], next_):
            assert poisoned(frames[0])
            started += 1
            sent.remove(next_)
        del frames[0]
        assert matches(frames.pop(0), after)
        errors += sum(on_line(octets)[2] for octets in sent)
    assert not frames
    assert (line.count("underrun"), line.count("frame")) == (started, len(line.frames))
    assert line.count("error") == errors + started
    assert started, "the offer never came where a frame can start"


@cocotb.test()
async def reset_in_frame(dut):
    """Reset at any point of a frame: afterwards blocks at once, and clean frames."""
    bench = MacpcsBench(dut)
    for words_before in [*range(40), *(bench.rng.randrange(400) for _ in range(10))]:
        script = TxScript().reset().idle(SETTLE)
        cut = words_of(bench.rng.randbytes(1600))[:words_before]
        for data, keep in cut:
            script.word(data, keep)
        script.reset(bench.rng.choice([1, 2, 7])).idle(bench.rng.choice([4, 5, SETTLE]))
        handed = [given(bench.rng, bench.rng.randrange(1, 120)) for _ in range(8)]
        for octets in handed:
            script.frame(octets)
        # Enough idles for the decoder to find the block boundary, whatever the frames.
        assert_sent(Line(await bench.transmit(script.idle(600 * TICKS))), handed)


CONFIGS = ["plain", "registered", "strip", "narrow", "narrow_registered", "narrow_strip", *TX_CONFIGS]
# To save time: what another configuration tests as well.
LEFT_OUT = {
    "bursts": ["own_fcs", "narrow_own_fcs"],
    "start_is_immediate": ["replace_fcs", "narrow_own_fcs"],
    "illegal_keep": ["replace_fcs", "narrow_own_fcs"],
    "reset_in_frame": ["replace_fcs", "narrow_replace_fcs"],
}
CASES = [
    (test, config) for test in cocotb_tests(__name__) for config in CONFIGS if config not in LEFT_OUT.get(test, [])
]


@pytest.mark.parametrize(("test", "config"), main_and_kept(__file__, CASES, lambda _, config: is_main(config)))
def test_macpcs_tx(test, config):
    macpcs(config).run(__name__, test)
