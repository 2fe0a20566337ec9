# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The receiver of macpcs fed with malformed lines: each bad frame is flagged, the frames around it are clean.

macpcs_rx_model says what is expected, block by block; each test compares frames, octets, flags and counters with it.
"""

import cocotb
import pytest

from baser import (
    BLOCK_TYPES,
    HEADER_DATA,
    PREAMBLE,
    Line,
    control_block,
    encode,
    fcs,
    scramble_blocks,
    to_words,
)
from macpcs_bench import WIDTH, MacpcsBench
from macpcs_configs import CONFIGS, is_main, macpcs
from macpcs_rx_model import CHECKED, CHECKS_PREAMBLE, CHECKS_SFD, DELAYED, MIN_BYTES, TERMINATES, check, expect
from ullnic_tb import cocotb_tests, main_and_kept

LEAD_IN = Line().idle_blocks(400).blocks()
MOST_BAD_HEADERS = 15  # of a line, which is shorter than 125 us: with 16 nothing is received for a while


class Blocks:
    """A line as a list of blocks, to be mangled at will."""

    def __init__(self, rng):
        self.rng, self.list = rng, list(LEAD_IN)

    def idle(self, n_blocks: int) -> None:
        self.list += Line().idle_blocks(n_blocks).blocks()

    def frame(self, octets: bytes | None = None, lane: int | None = None, **options) -> list[int]:
        """The blocks of a frame, not yet sent."""
        if octets is None:
            octets = self.rng.randbytes(self.rng.randrange(64, 120))
        lane = self.rng.choice([0, 4]) if lane is None else lane
        return Line().frame(octets, lane, **options).blocks()

    def send(self, blocks) -> None:
        self.list += blocks

    def clean(self) -> None:
        """What must not be touched by whatever came before: a good frame, after as little as one block of idles."""
        self.idle(self.rng.randrange(1, 4))
        self.send(self.frame())

    async def check(self, bench):
        self.idle(8)
        model = expect(self.list)
        record = await bench.receive(to_words(scramble_blocks(self.list), self.rng.randrange(66), width=WIDTH))
        check(record.frames, model.wants)
        assert len(record.lock_rises) == 1 and not record.lock_lost
        assert len(record.bad_headers) == model.bad_headers
        assert len(record.bad_blocks) == model.bad_blocks
        assert len(record.bad_after) == model.bad_after
        return model


@cocotb.test()
async def block_types_in_a_frame(dut):
    """Each of the 256 type octets in the place of a data block, with zeros and with junk behind it."""
    bench = MacpcsBench(dut)
    line, tried = Blocks(bench.rng), set()
    for type_ in range(256):
        for rest in (0, bench.rng.getrandbits(56)):
            frame = line.frame()
            # Not the terminate block: another one of its kind leaves a good frame.
            at = bench.rng.randrange(1, len(frame) - 1)
            frame[at] = control_block(type_, rest)
            tried.add(type_)
            line.send(frame)
            line.clean()
    model = await line.check(bench)
    assert len(tried) == 256
    # Clean frames, and no others, are good.
    assert sum(not want.errors for want in model.wants) == 2 * 256


@cocotb.test()
async def block_types_between_frames(dut):
    """Each of the 256 type octets among idles: no frame but for the three starts, which begin a bad one."""
    bench = MacpcsBench(dut)
    line = Blocks(bench.rng)
    for type_ in range(256):
        for rest in (0, bench.rng.getrandbits(56)):
            line.idle(bench.rng.randrange(3))
            line.send([control_block(type_, rest)])
            line.clean()
    model = await line.check(bench)
    starts = sum("S" in kinds for kinds in BLOCK_TYPES.values())
    assert len(model.wants) == 2 * 256 + 2 * starts


@cocotb.test()
async def missing_terminate(dut):
    """Data, then idles, an ordered set, the next start in either lane, or data for long; and data from nowhere."""
    bench = MacpcsBench(dut)
    line = Blocks(bench.rng)
    for _ in range(40):
        for follow in ("idle", "ordered", "start", "data"):
            frame = line.frame(bench.rng.randbytes(bench.rng.randrange(8, 120)))
            line.send(frame[: bench.rng.randrange(1, len(frame))])
            if follow == "ordered":
                line.send(Line().ordered_set(b"\0\0\1", lane=bench.rng.choice([0, 4])).blocks())
            elif follow == "start":
                line.send(line.frame())
            elif follow == "data":
                line.send([HEADER_DATA | bench.rng.getrandbits(64) << 2 for _ in range(bench.rng.randrange(1, 300))])
            line.clean()
        line.idle(2)
        line.send([HEADER_DATA | bench.rng.getrandbits(64) << 2 for _ in range(bench.rng.randrange(1, 5))])
        line.clean()
    await line.check(bench)


@cocotb.test()
async def start_in_a_frame(dut):
    """A new start in the place of any block of a frame, its terminate included: the old frame is cut, the new good."""
    bench = MacpcsBench(dut)
    line, n_starts = Blocks(bench.rng), 0
    for lane in (0, 4):
        for _ in range(4):
            frame = line.frame(bench.rng.randbytes(75), lane)
            for at in range(1, len(frame) + 1):
                for new_lane in (0, 4):
                    line.send([*frame[:at], *line.frame(lane=new_lane)])
                    n_starts += 2
                    line.clean()
                    n_starts += 1
    model = await line.check(bench)
    assert len(model.wants) == n_starts


@cocotb.test()
async def bad_headers(dut):
    """A sync header 00 or 11 on each block of a frame and around it; too few for a high error ratio."""
    bench = MacpcsBench(dut)
    line, n_bad, expected = Blocks(bench.rng), 0, []  # `expected`: of each frame, is it good; its bytes, or None

    async def finish():
        nonlocal line, n_bad, expected
        model = await line.check(bench)
        for want, (good, octets) in zip(model.wants, expected, strict=True):
            assert octets in (None, want.octets) and good == ("code" not in want.errors)
        line, n_bad, expected = Blocks(bench.rng), 0, []

    for n in (0, 3, 60, 61, 62, 63, 64, 65, 66, 67):
        for lane in (0, 4):
            frame = Line().frame(bench.rng.randbytes(n), lane)
            octets, blocks, idle = frame.frames[0].octets, frame.blocks(), Line().idle_blocks(1).blocks()
            last = len(blocks) - 1
            damages = [[at] for at in range(last + 2)]
            if DELAYED:  # several in one frame, all of its data blocks too
                damages += [range(1, last), bench.rng.sample(range(1, last + 1), min(2, last))]
            for damage in damages:
                if n_bad + len(damage) > MOST_BAD_HEADERS:
                    await finish()
                mangled = [*blocks, *idle]
                for at in damage:
                    mangled[at] = mangled[at] & ~3 | bench.rng.choice([0b00, 0b11])
                n_bad += len(damage)
                line.send(mangled)
                line.clean()

                def upto(block):
                    return octets[: max(8 * (block - 1) - lane, 0)]  # noqa: B023

                first = min(damage, default=last + 1)
                if first > last:
                    expected.append((True, octets))
                elif DELAYED and last in damage:  # the terminate block passes for data too, and the idle one is the end
                    expected.append((False, upto(last) + (mangled[last] >> 2).to_bytes(8, "little")))
                elif first > 0:  # else the frame never began
                    nothing = first == 1 and lane == 4  # is promised
                    expected.append((False, octets if DELAYED else None if nothing else upto(first)))
                expected.append((True, None))
    await finish()


@cocotb.test()
async def block_after_a_frame(dut):
    """What may not follow a terminate block: data, a second terminate block, an unknown type, a bad header. A frame
    that an early verdict calls good is counted, a late one calls it bad; what may follow does neither."""
    bench = MacpcsBench(dut)
    for right in (True, False):
        line, n_bad = Blocks(bench.rng), 0
        for n in range(64, 72):  # the FCS ends in every octet, and nothing is a runt
            for lane in (0, 4):
                for after in ("data", "terminate", "unknown", "header", "idle", "ordered", "start"):
                    octets = bench.rng.randbytes(n)
                    line.send(line.frame(octets, lane, check=fcs(octets) if right else b"\0\0\0\0"))
                    n_bad += after in ("data", "terminate", "unknown") or after == "header" and n < 67
                    if after == "data":
                        line.send([HEADER_DATA | bench.rng.getrandbits(64) << 2])
                    elif after == "terminate":
                        line.send([control_block(bench.rng.choice([*TERMINATES]), bench.rng.getrandbits(56))])
                    elif after == "unknown":
                        line.send([control_block(bench.rng.choice([0x00, 0x1F, 0x79, 0x34]), 0)])
                    elif after == "header" and n < 67:  # 6: few enough for the error ratio
                        line.send([bench.rng.getrandbits(64) << 2 | bench.rng.choice([0, 3])])
                    elif after == "ordered":
                        line.send(Line().ordered_set(b"\0\0\1", lane=bench.rng.choice([0, 4])).blocks())
                    elif after == "start":
                        line.send(line.frame())
                    line.clean()
        model = await line.check(bench)
        assert model.bad_after == (n_bad if right or not CHECKED else 0)


@cocotb.test()
async def wrong_preamble(dut):
    """Each octet of the preamble and the start delimiter wrong, alone and together: bad where they are checked."""
    bench = MacpcsBench(dut)
    line, n_bad, checked = Blocks(bench.rng), 0, [CHECKS_PREAMBLE] * 6 + [CHECKS_SFD]
    for lane in (0, 4):
        for n in (0, 1, 5, 60, 63):
            for _ in range(4):
                for at in range(7):
                    preamble = bytearray(PREAMBLE)
                    preamble[at] ^= bench.rng.choice([1 << bench.rng.randrange(8), bench.rng.randrange(1, 256)])
                    line.send(line.frame(bench.rng.randbytes(n), lane, preamble=bytes(preamble)))
                    line.clean()
                    n_bad += checked[at]
            line.send(line.frame(bench.rng.randbytes(n), lane, preamble=(anything := bench.rng.randbytes(7))))
            line.clean()
            n_bad += any(checked[i] and anything[i] != PREAMBLE[i] for i in range(7))
        # Frames so short that they end while the preamble is still looked at; in lane 4 some end before it does.
        for n in range(5):
            for at in range(7):
                preamble = bytearray(PREAMBLE)
                preamble[at] ^= 1 << bench.rng.randrange(8)
                for _ in range(3):
                    line.send(line.frame(bench.rng.randbytes(n), lane, check=b"", preamble=bytes(preamble)))
                    line.clean()
                    n_bad += checked[at] and (lane == 0 or n == 4)
    model = await line.check(bench)
    assert sum("code" in want.errors for want in model.wants) == n_bad


@cocotb.test()
async def runts(dut):
    """0 to 63 octets between preamble and terminate, with a right FCS where it fits and with none; both lanes."""
    bench = MacpcsBench(dut)
    line = Blocks(bench.rng)
    for lane in (0, 4):
        for n in range(64):
            octets = bench.rng.randbytes(max(0, n - 4))
            line.send(line.frame(octets, lane, check=fcs(octets) if n >= 4 else bench.rng.randbytes(n)))
            line.send(line.frame(bench.rng.randbytes(n), lane, check=b""))
            line.clean()
    model = await line.check(bench)
    assert sum("runt" in want.errors for want in model.wants) >= 2 * 2 * min(64, MIN_BYTES)


@cocotb.test()
async def over_before_it_begins(dut):
    """A lane-4 start whose other half of the preamble never comes, and starts one after the other."""
    bench = MacpcsBench(dut)
    line, n_bad = Blocks(bench.rng), 0
    starts = [
        control_block(0x78, int.from_bytes(PREAMBLE, "little")),
        control_block(0x33, 0x555555 << 32),
        control_block(0x66, 0x555555 << 32),
    ]
    assert starts[0] == encode([0x1FB, *PREAMBLE])
    for _ in range(60):
        for start in starts:
            line.send([start])
            for _ in range(bench.rng.choice([0, 0, 1, 2, 5])):
                line.send([bench.rng.choice(starts)])
            bad_header = bench.rng.random() < 0.5
            n_bad += bad_header
            control = control_block(bench.rng.choice([*BLOCK_TYPES]), bench.rng.getrandbits(56))
            line.send([bench.rng.getrandbits(64) << 2 if bad_header else control])
            line.clean()
            if n_bad == MOST_BAD_HEADERS:
                await line.check(bench)
                line, n_bad = Blocks(bench.rng), 0
    await line.check(bench)


@cocotb.test()
async def anything(dut):
    """Frames mangled at random, several ways at once, on 20 lines."""
    bench = MacpcsBench(dut)

    def mangle(blocks):
        blocks = list(blocks)
        for _ in range(bench.rng.choice([0, 1, 1, 2, 4])):
            at = bench.rng.randrange(len(blocks))
            what = bench.rng.randrange(7)
            if what == 0:
                blocks[at] ^= 1 << bench.rng.randrange(2, 66)
            elif (
                what == 1
                and recent_bad[-1] < len(line.list) + at - 80
                and len(recent_bad) <= MOST_BAD_HEADERS  # it begins with one that is none
            ):
                blocks[at] = blocks[at] & ~3 | bench.rng.choice([0b00, 0b11])
                recent_bad.append(len(line.list) + len(blocks))
            elif what == 2:
                blocks[at] = control_block(
                    bench.rng.choice([*BLOCK_TYPES]), bench.rng.choice([0, bench.rng.getrandbits(56)])
                )
            elif what == 3:
                blocks[at] = control_block(bench.rng.getrandbits(8), bench.rng.getrandbits(56))
            elif what == 4:
                blocks[at] = HEADER_DATA | bench.rng.getrandbits(64) << 2
            elif what == 5:
                blocks.insert(at, blocks[bench.rng.randrange(len(blocks))])
            elif len(blocks) > 1:
                del blocks[at]
        return blocks

    for _ in range(20):
        line, recent_bad = Blocks(bench.rng), [0]
        for _ in range(100):
            length = bench.rng.choice([0, 1, 4, 20, 60, 61, 64, bench.rng.randrange(200)])
            line.send(mangle(line.frame(bench.rng.randbytes(length))))
            line.idle(bench.rng.choice([0, 0, 1, 3]))
        line.clean()
        model = await line.check(bench)
        assert any(not want.errors for want in model.wants) and any(want.errors for want in model.wants)


@pytest.mark.parametrize("config", main_and_kept(__file__, CONFIGS, is_main))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_macpcs_rx_malformed(config, test):
    macpcs(config).run(__name__, test)


@pytest.mark.parametrize("config", main_and_kept(__file__, ["late", "late_strip", "narrow_late"]))
@pytest.mark.parametrize("test", ["block_after_a_frame", "block_types_in_a_frame", "start_in_a_frame", "anything"])
def test_macpcs_rx_malformed_late(config, test):
    macpcs(config).run(__name__, test)


@pytest.mark.parametrize("config", main_and_kept(__file__, ["delayed", "narrow_delayed"]))
@pytest.mark.parametrize("test", ["bad_headers", "over_before_it_begins", "anything"])
def test_macpcs_rx_malformed_delayed(config, test):
    macpcs(config).run(__name__, test)


OF_THE_LINE = (
    ("delayed", "test_macpcs_lock", "lost_in_a_frame"),
    ("delayed", "test_macpcs_rx_bits", "bit_errors"),
    ("narrow_delayed", "test_macpcs_lock", "lost_in_a_frame"),
)


@pytest.mark.parametrize(
    "config, module, test", main_and_kept(__file__, OF_THE_LINE, lambda config, *_: config == "delayed")
)
def test_macpcs_rx_line_delayed(config, module, test):
    """Loss of lock and a high error ratio end a frame in delayed mode too."""
    macpcs(config).run(module, test)
