# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The transmitter of macpcs against the strict decoder of baser_rx: what the user hands in stands on the line."""

import cocotb
import pytest

from baser import fcs, padded
from baser_rx import Received, decode, descramble_blocks, find_lock, to_blocks
from macpcs_bench import BYTES, FULL, TICKS, WIDTH, MacpcsBench, TxScript, words_of
from macpcs_configs import macpcs
from ullnic_tb import cocotb_tests, parameter

REGISTERS = parameter("PCS_TX_LATENCY_MODE", 0) + parameter("MAC_TX_LATENCY_MODE", 0)
SETTLE = 12 * TICKS  # cycles after reset or after the last word: more than the longest way through the transmitter


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


def assert_sent(line: Line, payloads) -> None:
    """Each frame is on the line, padded and with its FCS, in order, and nothing else is."""
    wire = [f.octets for f in line.clean().frames]
    wanted = [padded(p) + fcs(padded(p)) for p in payloads]
    for i, (got, want) in enumerate(zip(wire, wanted, strict=False)):
        assert got == want, f"frame {i} of {len(payloads[i])} bytes: on the line {got.hex()}, wanted {want.hex()}"
    assert len(wire) == len(wanted), f"{len(wire)} frames on the line, {len(wanted)} wanted"
    assert (line.count("frame"), line.count("error"), line.count("underrun")) == (len(payloads), 0, 0)


def assert_gaps(frames) -> None:
    """46.3.1.4: a gap may be short by 3 characters at most, and what is taken is given back before more is taken."""
    deficit = 0
    for frame in frames[1:]:
        deficit = max(deficit, 0) + 12 - frame.gap_chars
        assert frame.gap_chars >= 9 and deficit <= 3, f"gap {frame.gap_chars}, deficit {deficit}"


def poisoned(octets: bytes) -> bool:
    return octets[-4:] == bytes(b ^ 0xFF for b in fcs(octets[:-4]))


@cocotb.test()
async def every_length(dut):
    """1 to 130 bytes and some up to 9600, after random idles with junk beside tvalid."""
    bench = MacpcsBench(dut)
    lengths = [*range(1, 131), 1514, 1515, 1516, 1517, 9599, 9600, *(bench.rng.randrange(131, 9600) for _ in range(10))]
    bench.rng.shuffle(lengths)
    payloads = [bench.rng.randbytes(n) for n in lengths]
    script = TxScript().reset().idle(SETTLE)
    for payload in payloads:
        for _ in range(bench.rng.choice([0, 0, 1, 2, 3, 5, 20, bench.rng.randrange(80)])):
            script.junk(bench.rng)
        script.frame(payload)
    line = Line(await bench.transmit(script.idle(SETTLE + 30 * TICKS)))
    assert_sent(line, payloads)
    assert_gaps(line.frames)
    assert line.terminate_types() == set(range(8))
    assert {f.lane for f in line.frames} == {0, 4}


@cocotb.test()
async def back_to_back(dut):
    """Frames that wait for each other: the gap is 12 on average, exactly, with a deficit of 0 to 3 (46.3.1.4)."""
    bench = MacpcsBench(dut)
    runs = [[n] * 24 for n in range(57, 70)]
    runs += [[bench.rng.randrange(1, 140) for _ in range(150)], [bench.rng.randrange(60, 1600) for _ in range(30)]]
    for lengths in runs:
        payloads = [bench.rng.randbytes(n) for n in lengths]
        script = TxScript().reset().idle(bench.rng.randrange(SETTLE, SETTLE + 33))
        for payload in payloads:
            script.frame(payload)
        line = Line(await bench.transmit(script.idle(SETTLE + 30 * TICKS)))
        assert_sent(line, payloads)
        gaps = [f.gap_chars for f in line.frames[1:]]
        for k in range(1, len(gaps) + 1):
            assert 0 <= 12 * k - sum(gaps[:k]) <= 3, f"{lengths[0]} bytes: gaps {gaps[:k]}"


@cocotb.test()
async def bursts(dut):
    """After a long gap nothing is owed: the deficit rule holds for a burst of waiting frames from its first gap on."""
    bench = MacpcsBench(dut)
    script, payloads, n_burst = TxScript().reset().idle(SETTLE), [], 5
    for _ in range(120):
        for _ in range(n_burst):
            payloads.append(bench.rng.randbytes(bench.rng.randrange(60, 68)))
            script.frame(payloads[-1])
        script.idle(TICKS * bench.rng.randrange(24, 60))
    line = Line(await bench.transmit(script.idle(SETTLE + 30 * TICKS)))
    assert_sent(line, payloads)
    for at in range(0, len(payloads), n_burst):
        gaps = [f.gap_chars for f in line.frames[at + 1 : at + n_burst]]
        for k in range(1, n_burst):
            assert 0 <= 12 * k - sum(gaps[:k]) <= 3, f"gaps {gaps}"


@cocotb.test()
async def start_is_immediate(dut):
    """A frame offered on an idle line starts in the first block whose payload has not begun to leave before."""
    bench = MacpcsBench(dut)
    script = TxScript().reset().idle(SETTLE)
    n_frames = 800  # so that no phase is missed by chance
    for _ in range(n_frames):
        script.frame(bench.rng.randbytes(60)).idle(bench.rng.randrange(24 * TICKS, 24 * TICKS + 33))
    cycles = await bench.transmit(script.idle(SETTLE + 30 * TICKS))
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
    """No word when one is due, before each word of a frame: wrong FCS, the rest swallowed, the next frame clean."""
    bench = MacpcsBench(dut)
    script, wanted = TxScript().reset().idle(SETTLE), []
    # With a register stage the user's words wait there for the gap before to end: time in which none has to come.
    missing = 1 if parameter("MAC_TX_LATENCY_MODE", 0) == 0 else 40 * TICKS
    positions = [*range(1, 41)] * 3
    bench.rng.shuffle(positions)
    for at in positions:
        payload, after = (
            bench.rng.randbytes(bench.rng.randrange(BYTES * at + 1, BYTES * at + 80)),
            bench.rng.randbytes(bench.rng.randrange(1, 100)),
        )
        for i, (data, keep) in enumerate(words_of(payload)):
            if i == at:
                for _ in range(missing + bench.rng.choice([0, 0, 1, 40])):
                    script.missing(bench.rng.getrandbits(WIDTH), bench.rng.getrandbits(BYTES), bench.rng.random() < 0.5)
            script.word(data, keep, BYTES * (i + 1) >= len(payload))
        script.idle(bench.rng.choice([0, 0, 1, 10])).frame(after)
        wanted += [(payload[: BYTES * at], True), (padded(after), False)]
    line = Line(await bench.transmit(script.idle(SETTLE + 30 * TICKS))).clean()
    assert_gaps(line.frames)
    assert len(line.frames) == len(wanted)
    for frame, (octets, cut) in zip(line.frames, wanted, strict=True):
        if cut:
            assert poisoned(frame.octets)
            assert frame.payload.startswith(octets)
            assert 60 <= len(frame.payload) <= max(60, len(octets) + BYTES)
        else:
            assert frame.good and frame.payload == octets
    assert (line.count("frame"), line.count("underrun"), line.count("error")) == (
        2 * len(positions),
        len(positions),
        len(positions),
    )


@cocotb.test()
async def user_error(dut):
    """tuser on each word of frames of different lengths: the FCS is the complement, everything else as it was."""
    bench = MacpcsBench(dut)
    corrupts = bool(parameter("MAC_TX_CRC32_CORRUPTED_ON_ERROR", 1))
    script, wanted = TxScript().reset().idle(SETTLE), []
    for n in (1, 4, 5, 30, 57, 58, 59, 60, 61, 62, 63, 64, 90):
        for at in range(-(-n // BYTES)):
            bad, good = bench.rng.randbytes(n), bench.rng.randbytes(bench.rng.randrange(1, 80))
            script.frame(bad, user_at=[at]).idle(bench.rng.choice([0, 0, 3, 30])).frame(good)
            wanted += [(padded(bad), corrupts), (padded(good), False)]
    line = Line(await bench.transmit(script.idle(SETTLE + 30 * TICKS))).clean()
    assert [f.payload for f in line.frames] == [octets for octets, _ in wanted]
    for frame, (_, bad) in zip(line.frames, wanted, strict=True):
        assert poisoned(frame.octets) if bad else frame.good
    assert line.count("error") == sum(bad for _, bad in wanted)
    assert (line.count("frame"), line.count("underrun")) == (len(wanted), 0)


@cocotb.test()
async def illegal_keep(dut):
    """Each value of tkeep on the first, a middle and the last word, in frames with and without padding."""
    bench = MacpcsBench(dut)
    script, wanted = TxScript().reset().idle(SETTLE), []
    for n in (4, 40, 64, 100):
        words = words_of(bench.rng.randbytes(n))
        for at in {0, len(words) // 2, len(words) - 1}:
            is_last = at == len(words) - 1
            for keep in range(FULL + 1):
                octets, good = bench.rng.randbytes(n), bench.rng.randbytes(70)
                script.frame(octets, keeps={at: keep}).idle(bench.rng.choice([0, 3, 30])).frame(good)
                legal = keep == FULL or (is_last and keep in (1, 3, 7))
                wanted.append(
                    (octets[: len(octets) - BYTES + keep.bit_count()] if legal else octets[: BYTES * at], legal, good)
                )
    line = Line(await bench.transmit(script.idle(SETTLE + 30 * TICKS))).clean()
    assert len(line.frames) == 2 * len(wanted)
    for frame, after, (octets, legal, good) in zip(line.frames[::2], line.frames[1::2], wanted, strict=True):
        if legal:
            assert frame.good and frame.payload == padded(octets)
        else:
            assert poisoned(frame.octets) and frame.payload.startswith(octets)
        assert after.good and after.payload == good
    assert line.count("error") == sum(not legal for _, legal, _ in wanted)
    assert line.count("frame") == len(line.frames)


@cocotb.test()
async def offer_withdrawn(dut):
    """tvalid falls before the first word was taken, at any time after a frame: never a wrong frame under a good FCS.

    The transmitter may have started on the offer. Then it has been cheated of a frame: it sends a poisoned one and
    swallows up to the next tlast. Or it has not, and nothing happens. The frame after that is clean in both cases.
    """
    bench = MacpcsBench(dut)
    script, trials = TxScript().reset().idle(SETTLE), []
    for wait in [*range(70 * TICKS)] * 3:
        first, next_, after = (bench.rng.randbytes(bench.rng.randrange(1, 90)) for _ in range(3))
        script.frame(first).idle(wait).glimpse(bench.rng.getrandbits(WIDTH)).idle(60 * TICKS).frame(next_).idle(
            5
        ).frame(after).idle(5)
        trials.append((first, next_, after))
    line = Line(await bench.transmit(script.idle(SETTLE + 30 * TICKS))).clean()
    frames, started = list(line.frames), 0
    for first, next_, after in trials:
        assert frames[0].good and frames.pop(0).payload == padded(first)
        if frames[0].good:
            assert frames.pop(0).payload == padded(next_)
        else:
            assert poisoned(frames.pop(0).octets)
            started += 1
        assert frames[0].good and frames.pop(0).payload == padded(after)
    assert not frames
    assert (line.count("underrun"), line.count("error"), line.count("frame")) == (started, started, len(line.frames))
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
        payloads = [bench.rng.randbytes(bench.rng.randrange(1, 120)) for _ in range(8)]
        for payload in payloads:
            script.frame(payload)
        # Enough idles for the decoder to find the block boundary, whatever the frames.
        assert_sent(Line(await bench.transmit(script.idle(600 * TICKS))), payloads)


@pytest.mark.parametrize("config", ["plain", "registered", "strip", "narrow", "narrow_registered", "narrow_strip"])
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_macpcs_tx(config, test):
    macpcs(config).run(__name__, test)
