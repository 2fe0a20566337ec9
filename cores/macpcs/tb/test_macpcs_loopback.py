# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Loopbacks of macpcs, on the whole of it: every frame is delivered to one place, whole, or damaged for all to see."""

import struct
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge, Timer, with_timeout

from baser import HEADER_DATA, IDLE_BLOCK, Line, control_block, fcs, padded, scramble_blocks, to_words
from baser_rx import decode, descramble_blocks, find_lock, to_blocks
from macpcs_bench import WIDTH, MacpcsBench, TxScript, read_rx
from macpcs_pause import pause_frame
from macpcs_rx_model import STARTS, check, complete, expect
from test_macpcs_tx_amend import hand_in, random_changes
from ullnic_tb import Bench, cocotb_tests, main_and_kept, parameter, rtl

TICK_PS = 776
CYCLE_PS = 2 * TICK_PS * WIDTH // 16
WORDS_BEFORE = 400 * 66 // WIDTH  # idle, for the lock
OWN, PAUSE_LENGTH = bytes.fromhex("02a1b2c3d4e5"), 3


class LoopbackBench(MacpcsBench):
    async def play(self, script: TxScript, words, during=None, ppm: int = 0, **pins: int) -> None:
        """Both files at once; rx_clk is slower than tx_clk by `ppm`. `during` begins with the files."""
        dut = self.dut
        Path("tx_in.hex").write_text("".join([f"{line & ~(1 << 40):019x}\n" for line in script.lines]))
        Path("rx_in.hex").write_text("".join([f"{word:08x}\n" for word in words]))
        pins = dict.fromkeys(("go", "stop", "pause", "noise", "pma_loopback", "user_loopback"), 0) | pins
        pins |= {"tx_rst": 1, "rx_rst": 1, "rx_ppm": max(ppm, 0), "tx_ppm": max(-ppm, 0)}
        for name, value in pins.items():
            getattr(dut, name).value = value
        Clock(dut.tick, TICK_PS, "ps").start()
        await Timer(100 * TICK_PS, "ps")
        for name in self.rng.sample(["tx_rst", "rx_rst"], 2):
            await Timer(TICK_PS * self.rng.randrange(1, 30), "ps")
            getattr(dut, name).value = 0
        await Timer(200 * TICK_PS, "ps")  # a FIFO is ready
        dut.go.value = 1
        if during is not None:
            await during(dut)
        limit = (20_000 + 8 * (len(words) + 2 * len(script.lines))) * TICK_PS
        for done in (dut.rx_done, dut.tx_done):
            if not int(done.value):
                await with_timeout(RisingEdge(done), limit, "ps")
        await Timer(600 * TICK_PS, "ps")
        dut.go.value = 0
        await Timer(20 * TICK_PS, "ps")
        await ReadOnly()

    async def hold(self, name: str, cycles: int) -> None:
        getattr(self.dut, name).value = 1
        await self.cycles(cycles)
        getattr(self.dut, name).value = 0

    async def cycles(self, n: int) -> None:
        await Timer(n * CYCLE_PS + self.rng.randrange(CYCLE_PS), "ps")

    @property
    def overflows(self) -> int:
        return int(self.dut.overflows.value)

    def sent(self):
        """Frames on the transmitted line, from the last tx_rst on."""
        cycles = list(struct.iter_unpack(">BI", whole_lines("tx_out.hex", 10)))
        first = max((i + 1 for i, (rst, _) in enumerate(cycles) if rst), default=0)
        words = [word for _, word in cycles[first:]]
        at = find_lock(words, width=WIDTH)
        assert at is not None, "no block lock on the transmitted line"
        out = decode(descramble_blocks(to_blocks(words, at % 66, WIDTH)))
        assert not out.violations, out.violations[:5]
        return out.frames

    def received(self):
        return read_rx(whole_lines("rx_out.hex", 14)).frames


def whole_lines(path: str, digits: int) -> bytes:
    """The file is still open: its last line may be missing in part."""
    text = Path(path).read_text()
    return bytes.fromhex(text[: len(text) // (digits + 1) * (digits + 1)])


def on_wire(payload: bytes) -> bytes:
    return padded(payload) + fcs(padded(payload))


def without_gap(line: Line, payloads) -> Line:
    """Frames at the smallest gap that 802.3 allows: 12 on average, by deficit idle count (46.3.1.4)."""
    deficit = 0
    for payload in payloads:
        start = line.frames[-1].end_char + 12 if line.frames else len(line.chars) + 4
        rest = start % 4
        down = deficit + rest < 4
        start += -rest if down else 4 - rest
        deficit += rest if down else rest - 4
        line.idle(start - len(line.chars)).frame(payload)
    return line


def script_of(payloads, rng, gaps) -> TxScript:
    script = TxScript().idle(12)
    for payload in payloads:
        script.idle(rng.choice(gaps)).frame(payload)
    return script.idle(10)


@cocotb.test()
async def line_rate(dut):
    """User loopback: bursts without a gap, every length, a jumbo frame, clocks apart: all come back."""
    bench = LoopbackBench(dut)
    ppm, rng = bench.rng.choice([-200, -100, 0, 100, 200]), bench.rng
    print(f"rx_clk is slower by {ppm} ppm")
    jumbos = [rng.randbytes(9600)] if ppm < 100 else [rng.randbytes(9618), rng.randbytes(9600)]
    short = [rng.randbytes(n) for n in (*range(60, 100), *[60] * 40)]
    mixed = [rng.randbytes(rng.randrange(60, 400)) for _ in range(40)]
    payloads = rng.sample(short, len(short)) + jumbos + mixed
    line = without_gap(Line().idle_blocks(400), payloads)
    words = line.idle_blocks(60).words(rng.randrange(66), width=WIDTH)
    users = [rng.randbytes(100), rng.randbytes(60)]

    async def off_at_last(dut):
        await RisingEdge(dut.rx_done)
        await bench.cycles(100)
        dut.user_loopback.value = 0

    await bench.play(script_of(users, rng, [0]), words, off_at_last, ppm, user_loopback=1)
    assert bench.overflows == 0 and int(dut.underruns.value) == 0
    assert [f.octets for f in bench.sent()] == [on_wire(p) for p in payloads + users]
    assert bench.received() == []


@cocotb.test()
async def damaged(dut):
    """User loopback: what was damaged stays damaged, with the words that came; good frames among them are whole."""
    bench = LoopbackBench(dut)
    rng, blocks = bench.rng, Line().idle_blocks(400).blocks()
    limit, n_bad = parameter("MAC_RX_MAX_PKT_LENGTH", 9622), 0
    sizes = [*range(9), *range(40, 61), limit - 5, limit - 4, limit - 3, *(rng.randrange(60, 200) for _ in range(150))]
    for size in rng.sample(sizes, len(sizes)):
        payload = rng.randbytes(size)
        check = None if size > 9000 or rng.random() < 0.7 else (zlib_flip(fcs(payload), rng) if size > 4 else b"")
        frame = Line().frame(payload, rng.choice([0, 4]), check).blocks()
        if size < 9000 and rng.random() < 0.3:
            at, what = rng.randrange(len(frame)), rng.randrange(4)
            if what == 0 and n_bad < 12:  # 16 bad headers would be a high error ratio
                frame[at] &= ~3
                n_bad += 1
            elif what == 1:
                type_ = rng.getrandbits(8)
                # Another start so early: while the first one's frame is padded, the FIFO has no room for the second
                while type_ in STARTS and 0 < at < 10:
                    type_ = rng.getrandbits(8)
                frame[at] = control_block(type_, rng.getrandbits(56))
            elif what == 2:
                frame[at] = HEADER_DATA | rng.getrandbits(64) << 2
            else:
                frame[at] ^= 1 << rng.randrange(2, 66)
        # Short frames grow by padding.
        blocks += frame + [IDLE_BLOCK] * rng.choice([20, 24])
    words = to_words(scramble_blocks(blocks + [IDLE_BLOCK] * 60), rng.randrange(66), width=WIDTH)
    await bench.play(TxScript().idle(10), words, None, rng.choice([-100, 100]), user_loopback=1)
    wants, frames = expect(blocks).wants, bench.sent()
    assert bench.overflows == 0 and int(dut.underruns.value) == 0 and bench.received() == []
    for i, (frame, want) in enumerate(zip(frames, wants, strict=False)):
        where = f"frame {i}: {want.errors}"
        assert frame.good == (not want.errors), where
        if want.octets is not None:
            assert frame.payload == padded(want.octets[:-4]), where
    assert len(frames) == len(wants)
    for error in ("fcs", "code", "runt", "oversize"):
        assert any(error in want.errors for want in wants), error
    assert sum(not want.errors for want in wants) > 40


def zlib_flip(check: bytes, rng) -> bytes:
    return (int.from_bytes(check, "little") ^ 1 << rng.randrange(32)).to_bytes(4, "little")


def with_fcs(frame) -> bytes:
    """What was received, as it was on the line."""
    return frame.octets + (fcs(frame.octets) if parameter("MAC_RX_CRC32_REMOVE", 0) else b"")


def account(bench: LoopbackBench, line: list[bytes], users: list[bytes]) -> tuple[int, int]:
    """Frames of the line, in their order, in one place each or counted; all of the user's. How many went where."""
    sent, got = bench.sent(), bench.received()
    assert all(f.status.good for f in got)
    to_user = [with_fcs(f)[:-4] for f in got]
    whole = [f.payload for f in sent if f.good]
    known = set(users)
    assert [p for p in whole if p in known] == users, "the user's frames"
    back = [p for p in whole if p not in known]
    place = {payload: i for i, payload in enumerate(line)}
    for delivered in (to_user, back):
        order = [place[p] for p in delivered]
        assert order == sorted(order)
    assert len(set(to_user + back)) == len(to_user) + len(back), "a frame in two places"
    assert len(line) - len(to_user) - len(back) == bench.overflows, "frames are missing that were not counted"
    damaged = [f for f in sent if not f.good]
    assert len(damaged) <= bench.overflows
    for frame in damaged:
        # What came of it, then the padding
        assert any(p.startswith(frame.payload.rstrip(b"\0")) for p in line), "the user's frame is damaged"
    assert int(bench.dut.underruns.value) == 0
    return len(to_user), len(back)


@cocotb.test()
async def switching(dut):
    """User loopback on and off at any time, with frames both ways: each goes to one place whole, or is counted."""
    bench = LoopbackBench(dut)
    rng = bench.rng
    line = [rng.randbytes(rng.choice([60, 61, 64, 100, 200])) for _ in range(450)]
    users = [rng.randbytes(rng.choice([60, 63, 90, 400])) for _ in range(100)]
    played = Line().idle_blocks(400)
    for i in range(0, len(line), 10):
        without_gap(played.idle(rng.choice([4, 40, 400])), line[i : i + 10])
    words = played.idle_blocks(100).words(rng.randrange(66), width=WIDTH)

    async def during(dut):
        await bench.cycles(WORDS_BEFORE)
        while not int(dut.rx_done.value):
            await bench.cycles(rng.choice([1, 2, 3, 5, 20, 80, 150, 400]) * 32 // WIDTH)
            dut.user_loopback.value = 1 - int(dut.user_loopback.value)
        dut.user_loopback.value = 0

    await bench.play(script_of(users, rng, [0, 0, 1, 30, 300]), words, during, rng.choice([-100, 0, 100]))
    to_user, back = account(bench, line, users)
    print(f"{to_user} to the user, {back} back, {bench.overflows} lost")
    assert to_user > 40 and back > 40


@cocotb.test()
async def switching_alone(dut):
    """The same with an idle user: nothing is lost or cut, at full load of the line."""
    bench = LoopbackBench(dut)
    rng = bench.rng
    # The long ones do not fit into a FIFO that nobody reads.
    line = [rng.randbytes(rng.choice([60, 61, 64, 400])) for _ in range(350)]
    words = without_gap(Line().idle_blocks(400), line).idle_blocks(100).words(rng.randrange(66), width=WIDTH)

    async def during(dut):
        await bench.cycles(WORDS_BEFORE)
        while not int(dut.rx_done.value):
            await bench.cycles(rng.randrange(1, 150) * 32 // WIDTH)
            dut.user_loopback.value = 1 - int(dut.user_loopback.value)
        dut.user_loopback.value = 0

    await bench.play(TxScript().idle(10), words, during, rng.choice([-100, 0, 100]))
    to_user, back = account(bench, line, [])
    assert bench.overflows == 0 and to_user > 40 and back > 40


@cocotb.test()
async def on_within_a_frame_of_the_user(dut):
    """It is on for some frames of the line while a long one of the user is sent: they follow that one, or are counted;
    none waits until it is on again."""
    bench = LoopbackBench(dut)
    rng = bench.rng
    line = [rng.randbytes(60) for _ in range(150)]
    users = [rng.randbytes(9000), rng.randbytes(100)]
    words = without_gap(Line().idle_blocks(400), line).idle_blocks(100).words(rng.randrange(66), width=WIDTH)

    async def during(dut):
        await bench.cycles(WORDS_BEFORE + rng.randrange(300) * 32 // WIDTH)
        await bench.hold("user_loopback", rng.randrange(30, 60) * 32 // WIDTH)

    await bench.play(script_of(users, rng, [0, 1, 30]), words, during, rng.choice([-100, 0, 100]))
    _, back = account(bench, line, users)
    assert back > 0


@cocotb.test()
async def overflow(dut):
    """The transmitter stops now and then: frames that are lost or cut are counted, one by one; the others are whole."""
    bench = LoopbackBench(dut)
    rng = bench.rng
    line = [rng.randbytes(rng.choice([60, 61, 64, 100, 300])) for _ in range(300)]
    words = without_gap(Line().idle_blocks(400), line).idle_blocks(100).words(rng.randrange(66), width=WIDTH)

    async def during(dut):
        await bench.cycles(WORDS_BEFORE)
        for _ in range(20):
            await bench.cycles(rng.randrange(20, 300) * 32 // WIDTH)
            await bench.hold("stop", rng.randrange(5, 150) * 32 // WIDTH)
        # What the FIFO holds when the loopback goes off is sent all the same.
        dut.stop.value = 1
        await bench.cycles(100 * 32 // WIDTH)
        dut.user_loopback.value = 0
        await bench.cycles(100)
        dut.stop.value = 0

    await bench.play(TxScript().idle(10), words, during, user_loopback=1)
    _, back = account(bench, line, [])
    assert bench.overflows > 10 and back > 30


@cocotb.test()
async def resets(dut):
    """User loopback, either side reset in mid-frame: what is then sent is whole or bad, and soon every frame. Off, the
    receiver's reset does not delay the user's frames.
    """
    bench = LoopbackBench(dut)
    rng = bench.rng
    before = [rng.randbytes(rng.randrange(60, 300)) for _ in range(120)]
    after = [rng.randbytes(rng.randrange(60, 200)) for _ in range(20)]
    users = [rng.randbytes(70) for _ in range(30)]
    played = without_gap(Line().idle_blocks(400), before).idle_blocks(400)
    n_before = 66 * played.block_index // WIDTH
    words = without_gap(played, after).idle_blocks(300).words(rng.randrange(66), width=WIDTH)

    async def during(dut):
        await bench.cycles(WORDS_BEFORE)
        spent = WORDS_BEFORE
        for name in ["tx_rst", *rng.choices(["tx_rst", "rx_rst"], k=5), "rx_rst", "rx_rst"]:
            wait = rng.randrange(100, 300) * 32 // WIDTH
            await bench.cycles(wait)
            await bench.hold(name, rng.choice([1, 2, 20]))
            spent += wait + 20
        await bench.cycles(n_before - spent + 66 * 100 // WIDTH)
        while int(dut.rx_done.value) == 0:
            await bench.cycles(500)
        dut.user_loopback.value = 0
        while int(dut.tx_done.value) == 0:
            await bench.cycles(rng.randrange(30, 60))
            await bench.hold("rx_rst", 1)

    script = TxScript().idle(n_before)
    for payload in users:
        script.frame(payload)
    await bench.play(script, words, during, user_loopback=1)
    frames = bench.sent()
    whole = [f.payload for f in frames if f.good]
    order = [(before + after + users).index(p) for p in whole]
    assert order == sorted(order), "once each, in order"
    assert whole[-50:] == after + users, "every frame when the resets are over, then the user's"
    assert max(f.gap_chars for f in frames[-29:]) <= 15
    # After rx_rst the end of a frame may come a word too late: in its place is anything.
    assert all(any(p.startswith(f.payload.rstrip(b"\0")[:-4]) for p in before) for f in frames if not f.good)
    assert bench.received() == []


@cocotb.test()
async def pma(dut):
    """PMA loopback: frames from s_axis come back while the line is noise; off, the line is back."""
    bench = LoopbackBench(dut)
    rng = bench.rng
    users = [rng.randbytes(rng.randrange(1, 300)) for _ in range(60)]
    line = [rng.randbytes(rng.randrange(60, 300)) for _ in range(60)]
    script = TxScript().idle(3 * WORDS_BEFORE)
    for payload in users:
        script.frame(payload).idle(rng.choice([0, 1, 20]))
    played = Line().idle_blocks(2 * len(script.lines) * WIDTH // 66)
    words = without_gap(played, line).idle_blocks(60).words(rng.randrange(66), width=WIDTH)

    async def during(dut):
        await bench.cycles(rng.randrange(500))
        for name in rng.sample(["tx_rst", "rx_rst"], 2):
            await bench.cycles(rng.randrange(1, 40))
            await bench.hold(name, rng.choice([1, 30]))
        await bench.cycles(WORDS_BEFORE)
        locks_lost = int(dut.locks_lost.value)
        # The clocks wander by two cycles to each side.
        wander, slow, fast = 500, dut.rx_ppm, dut.tx_ppm
        for _ in range(100):
            slow.value, fast.value = 4000, 0
            await bench.cycles(wander)
            wander, slow, fast = 1000, fast, slow
            if int(dut.tx_done.value):
                break
        dut.rx_ppm.value = dut.tx_ppm.value = 0
        await bench.cycles(200)
        assert int(dut.locks_lost.value) == locks_lost
        dut.noise.value = dut.pma_loopback.value = 0

    await bench.play(script, words, during, pma_loopback=1, noise=1)
    frames = bench.received()
    check(frames[: len(users)], [complete(on_wire(p)) for p in users])
    # Where the line comes back the receiver loses its lock, and may see something like a frame in between.
    assert [with_fcs(f) for f in frames[len(users) :] if f.status.good] == [on_wire(p) for p in line]


@cocotb.test()
async def pma_apart(dut):
    """PMA loopback, against the rule, with clocks far apart: frames are lost, none is wrong; off, the line is back."""
    bench = LoopbackBench(dut)
    rng = bench.rng
    users = [rng.randbytes(rng.randrange(60, 200)) for _ in range(150)]
    line = [rng.randbytes(rng.randrange(60, 300)) for _ in range(10)]
    script = TxScript().idle(3 * WORDS_BEFORE)
    for payload in users:
        script.frame(payload).idle(20)
    played = Line().idle_blocks(2 * len(script.lines) * WIDTH // 66)
    words = without_gap(played, line).idle_blocks(60).words(rng.randrange(66), width=WIDTH)

    async def during(dut):
        await with_timeout(RisingEdge(dut.tx_done), 4 * len(script.lines) * CYCLE_PS, "ps")
        dut.noise.value = dut.pma_loopback.value = 0

    await bench.play(script, words, during, rng.choice([-2000, 2000]), pma_loopback=1, noise=1)
    good = [with_fcs(f) for f in bench.received() if f.status.good]
    assert good[-10:] == [on_wire(p) for p in line]
    back = [[on_wire(p) for p in users].index(octets) for octets in good[:-10]]
    assert back == sorted(set(back)), "once each, in order"
    assert 10 < len(back) < 150 and int(dut.locks_lost.value) > 0


class AmendBench(LoopbackBench):
    """Frames of three sources leave: the user's, which are amended, those that come back, and PAUSE frames."""

    pauses = 0

    def sent(self):
        """Without the PAUSE frames, which are counted."""
        frames, own = super().sent(), [on_wire(pause_frame(quanta, OWN)) for quanta in (0, PAUSE_LENGTH)]
        self.pauses = sum(f.octets in own for f in frames)
        return [f for f in frames if f.octets not in own]


def amended_script(users: list[bytes], rng, gaps) -> TxScript:
    """Before each frame, and with its first word, bits that nobody may look at."""
    script = TxScript().idle(12)
    for octets in users:
        for _ in range(rng.choice(gaps)):
            script.junk(rng, amend=rng.getrandbits(32))
        hand_in(script, rng, octets, random_changes(rng, octets))
    return script.idle(10)


@cocotb.test()
async def amended_between_others(dut):
    """Loopback and pause requests come and go: the user's frames are amended, and no other."""
    bench = AmendBench(dut)
    rng = bench.rng
    line = [rng.randbytes(rng.choice([60, 61, 64, 100, 200])) for _ in range(300)]
    users = [rng.randbytes(rng.choice([60, 63, 90, 400])) for _ in range(150)]
    played = Line().idle_blocks(400)
    for i in range(0, len(line), 10):
        without_gap(played.idle(rng.choice([4, 40, 400])), line[i : i + 10])
    words = played.idle_blocks(100).words(rng.randrange(66), width=WIDTH)

    async def during(dut):
        await bench.cycles(WORDS_BEFORE)
        while not int(dut.rx_done.value):
            await bench.cycles(rng.choice([5, 20, 80, 150, 400]))
            name = rng.choice(["user_loopback", "pause"])
            getattr(dut, name).value = 1 - int(getattr(dut, name).value)
        dut.user_loopback.value = dut.pause.value = 0

    await bench.play(amended_script(users, rng, [0, 0, 1, 30]), words, during, rng.choice([-100, 0, 100]))
    _, back = account(bench, line, users)
    print(f"{back} back, {bench.pauses} PAUSE frames, {bench.overflows} lost")
    assert back > 40 and bench.pauses > 20


@cocotb.test()
async def amended_while_paused(dut):
    """The link partner pauses the user, whose next first word waits with bits that nobody may look at."""
    bench = AmendBench(dut)
    rng = bench.rng
    users = [rng.randbytes(rng.choice([60, 63, 90, 400])) for _ in range(150)]
    played = Line().idle_blocks(400)
    for _ in range(60):
        played.idle(rng.choice([40, 400, 4000])).frame(pause_frame(rng.randrange(1, 20), OWN))
    words = played.idle_blocks(100).words(rng.randrange(66), width=WIDTH)
    await bench.play(amended_script(users, rng, [0, 0, 1, 30]), words)
    assert [f.octets for f in bench.sent()] == [on_wire(p) for p in users]
    assert int(dut.paused_cycles.value) > 500 and int(dut.underruns.value) == 0


AMENDED = ("amended_between_others", "amended_while_paused")
TESTS = (
    "line_rate",
    "damaged",
    "switching",
    "switching_alone",
    "on_within_a_frame_of_the_user",
    "overflow",
    "resets",
    "pma",
    "pma_apart",
)
SOURCES = [*rtl("common", "macpcs"), Path(__file__).resolve().parent / "macpcs_loopback_bench.sv"]
STRIP = {"MAC_RX_CRC32_REMOVE": 1, "MAC_TX_PAUSE_LENGTH": 100}  # verdicts with the last word


def run(test: str, **parameters: int) -> None:
    Bench("macpcs_loopback_bench", SOURCES, parameters, starts_with_zeros=True).run(__name__, test)


@pytest.mark.parametrize("pma", main_and_kept(__file__, (32, 16)))
@pytest.mark.parametrize("test", TESTS)
def test_loopback(test, pma):
    run(test, PMA_DATA_WIDTH=pma)


@pytest.mark.parametrize("test", ("damaged", "switching"))
def test_loopback_strip(test):
    run(test, **STRIP)


@pytest.mark.parametrize("test", AMENDED)
def test_loopback_amend(test):
    run(test, MAC_TX_AMEND_ENABLE=1, MAC_TX_PAUSE_LENGTH=PAUSE_LENGTH)


def test_all_run():
    assert set(cocotb_tests(__name__)) == {*TESTS, *AMENDED}
