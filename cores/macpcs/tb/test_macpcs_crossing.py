# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs with bridges and FIFOs: frames of every length from and to the user's own clocks, both directions at once."""

import struct
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge, Timer, with_timeout

from baser import BLOCK_TYPES, HEADER_DATA, IDLE_BLOCK, Line, control_block, fcs, padded, scramble_blocks, to_words
from baser_rx import decode, descramble_blocks, find_lock, to_blocks
from macpcs_bench import TICKS, WIDTH, MacpcsBench, TxScript, read_rx
from macpcs_configs import CROSSINGS, LATE_CROSSINGS, crossing
from macpcs_rx_model import check, complete, expect
from ullnic_tb import cocotb_tests, main_and_kept

TICK_PS = 776
RESETS = ("tx_rst", "s_axis_rst", "rx_rst", "m_axis_rst")


class CrossBench(MacpcsBench):
    """Plays a script and a line at once."""

    async def play(self, script: TxScript, words, during=None):
        """The words on the transmitted line after its last reset, and what the receiver's user got."""
        dut = self.dut
        Path("tx_in.hex").write_text("".join([f"{line & (1 << 40) - 1:011x}\n" for line in script.lines]))
        Path("rx_in.hex").write_text("".join([f"{word:09x}\n" for word in words]))
        for name in ("tx_go", "rx_go"):
            getattr(dut, name).value = 0
        for name in RESETS:
            getattr(dut, name).value = 1
        dut.rx_ppm.value = self.rng.choice([0, 100, 200])
        Clock(dut.tick, TICK_PS, "ps").start()
        await Timer(100 * TICK_PS, "ps")
        for name in self.rng.sample(RESETS, 4):
            await Timer(TICK_PS * self.rng.randrange(1, 30), "ps")
            getattr(dut, name).value = 0
        await Timer(200 * TICK_PS, "ps")  # a FIFO is ready
        dut.tx_go.value = dut.rx_go.value = 1
        if during is not None:
            await during(dut)
        limit = (20_000 + 8 * (len(words) + 2 * len(script.lines))) * TICK_PS
        for done in (dut.rx_done, dut.tx_done):
            if not int(done.value):
                await with_timeout(RisingEdge(done), limit, "ps")
        await Timer(600 * TICK_PS, "ps")
        dut.tx_go.value = dut.rx_go.value = 0
        await Timer(20 * TICK_PS, "ps")
        await ReadOnly()
        assert during or not int(dut.overflow.value), "the receive FIFO was full"  # a reset may cut a frame
        return Path("tx_out.hex"), Path("rx_out.hex")


def whole_lines(path: Path, digits: int) -> bytes:
    """The file is still open: its last line may be missing in part."""
    text = path.read_text()
    return bytes.fromhex(text[: len(text) // (digits + 1) * (digits + 1)])


def sent(path: Path):
    cycles = list(struct.iter_unpack(">BI", whole_lines(path, 10)))
    first = max((i + 1 for i, (rst, _) in enumerate(cycles) if rst), default=0)
    words = [word for _, word in cycles[first:]]
    at = find_lock(words, width=WIDTH)
    assert at is not None, "no block lock on the transmitted line"
    return decode(descramble_blocks(to_blocks(words, at % 66, WIDTH)))


def received(path: Path):
    return read_rx(whole_lines(path, 14))


def received_after_pause(path: Path, cycles: int):
    """What came after the last pause of so many cycles: a reset on one side alone cuts a frame in two for the user."""
    raw = whole_lines(path, 14)
    busy = [
        n for n, (flags, _, _) in enumerate(struct.iter_unpack(">HBI", raw)) if flags & 0x6001
    ]  # sof, status, tvalid
    begin = max(after for before, after in zip(busy, busy[1:], strict=False) if after - before > cycles)
    return read_rx(raw[7 * begin :])


def lengths(rng) -> list[int]:
    """A few hundred from 1 to 1600, all the short ones and each remainder by 16 among the long ones."""
    out = [*range(1, 140), *range(1500, 1532), *(rng.randrange(140, 1600) for _ in range(40)), 1600]
    rng.shuffle(out)
    return out


def script_of(payloads, rng) -> TxScript:
    script = TxScript().idle(12)
    for payload in payloads:
        for _ in range(rng.choice([0, 0, 0, 1, 2, 3, 20])):
            script.junk(rng)
        script.frame(payload)
    return script.idle(100)


def line_of(payloads, rng) -> Line:
    line = Line().idle_blocks(400)
    for payload in payloads:
        line.idle(rng.choice([0, 0, 0, 1, 4, 5, 12, 40])).frame(payload)
    return line


@cocotb.test()
async def every_length(dut):
    bench = CrossBench(dut)
    out, in_ = ([bench.rng.randbytes(n) for n in lengths(bench.rng)] for _ in range(2))
    line = line_of(in_, bench.rng)
    words = line.idle_blocks(40).words(bench.rng.randrange(66), width=WIDTH)
    tx_out, rx_out = await bench.play(script_of(out, bench.rng), words)
    got = sent(tx_out)
    assert not got.violations, got.violations[:5]
    assert [f.octets for f in got.frames] == [padded(p) + fcs(padded(p)) for p in out]
    check(received(rx_out).frames, [complete(f.octets) for f in line.frames])


@cocotb.test()
async def malformed(dut):
    """Frames mangled at random: each is delivered and judged as the model has it, the verdict with its last word."""
    bench = CrossBench(dut)
    blocks, n_bad = Line().idle_blocks(400).blocks(), 0
    for _ in range(400):
        frame = Line().frame(bench.rng.randbytes(bench.rng.randrange(130)), bench.rng.choice([0, 4])).blocks()
        for _ in range(bench.rng.choice([0, 0, 1, 2])):
            at, what = bench.rng.randrange(len(frame)), bench.rng.randrange(5)
            if what == 0:
                frame[at] ^= 1 << bench.rng.randrange(2, 66)
            elif what == 1 and n_bad < 15:  # 16 would be a high error ratio
                frame[at] &= ~3
                n_bad += 1
            elif what == 2:
                frame[at] = control_block(bench.rng.choice([*BLOCK_TYPES]), bench.rng.getrandbits(56))
            elif what == 3:
                frame[at] = control_block(bench.rng.getrandbits(8), bench.rng.getrandbits(56))
            else:
                frame[at] = HEADER_DATA | bench.rng.getrandbits(64) << 2
        blocks += frame + [IDLE_BLOCK] * bench.rng.choice([0, 0, 1, 3])
    blocks += [IDLE_BLOCK] * 60
    words = to_words(scramble_blocks(blocks), bench.rng.randrange(66), width=WIDTH)
    _, rx_out = await bench.play(TxScript().idle(10), words)
    model = expect(blocks)
    check(received(rx_out).frames, model.wants)
    assert any(want.errors for want in model.wants) and any(not want.errors for want in model.wants)


@cocotb.test()
async def resets(dut):
    """Each of the four resets in the midst of frames: what comes after, both ways, is clean."""
    bench = CrossBench(dut)
    long = [bench.rng.randbytes(bench.rng.randrange(60, 600)) for _ in range(60)]
    after = [bench.rng.randbytes(bench.rng.randrange(60, 200)) for _ in range(20)]
    script = TxScript().idle(12)
    for payload in long:
        script.frame(payload)
    script.idle(6000)
    for payload in after:
        script.frame(payload)
    line = line_of(long, bench.rng).idle_blocks(800)
    for payload in after:
        line.idle(bench.rng.choice([0, 5, 12])).frame(payload)
    words = line.idle_blocks(60).words(bench.rng.randrange(66), width=WIDTH)

    async def during(dut):
        # The frames begin after the lead-in of the line.
        await Timer(TICK_PS * 4000, "ps")
        for name in bench.rng.sample(RESETS, 4):
            await Timer(TICK_PS * bench.rng.randrange(400, 1000), "ps")
            getattr(dut, name).value = 1
            await Timer(TICK_PS * bench.rng.choice([8, 20, 100]), "ps")
            getattr(dut, name).value = 0

    tx_out, rx_out = await bench.play(script.idle(100 * TICKS), words, during)
    got = sent(tx_out)
    wire = [f.octets for f in got.frames]
    wanted = [padded(p) + fcs(padded(p)) for p in after]
    assert wire[-len(after) :] == wanted, f"{len(wire)} frames, {sum(octets in wire for octets in wanted)} of the last"
    record = received_after_pause(rx_out, 800)
    check(record.frames, [complete(f.octets) for f in line.frames[-len(after) :]])


@pytest.mark.parametrize(
    "config", main_and_kept(__file__, CROSSINGS, lambda name: name.startswith(("nofifo", "txrxfifo")))
)
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_macpcs_crossing(config, test):
    crossing(config).run(__name__, test)


@pytest.mark.parametrize("config", main_and_kept(__file__, LATE_CROSSINGS))
@pytest.mark.parametrize("test", ["malformed", "resets"])
def test_macpcs_crossing_late(config, test):
    crossing(config, late=True).run(__name__, test)
