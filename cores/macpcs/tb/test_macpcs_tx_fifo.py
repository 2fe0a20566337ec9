# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_tx_fifo: frames through two clocks to a core that takes 32 words in 33 cycles; resets of either side."""

import os

import cocotb
import pytest

from macpcs_clocks import Clocks, read
from ullnic_tb import Bench, cocotb_tests, main_and_kept, parameter, rtl, seeded

NAMES = ("macpcs_tx_fifo", "axis_narrow", "cdc_bits", "cdc_source", "cdc_reset", "async_fifo")
SOURCES = [path for path in rtl("common", "macpcs") if path.stem in NAMES]
SYNC_EDGES = 3  # the third edge of tx_clk after the one that took a word sees it


class Core:
    """What macpcs_tx does with its user: `got` are the frames, as octets, None for a poisoned one."""

    def __init__(self, rng, width: int):
        self.rng, self.width = rng, width
        self.got, self.underruns = [], 0
        self.stall = rng.randrange(33)
        self.cycle, self.eager = 0, False
        self.reset()

    def reset(self) -> None:
        self.state, self.octets, self.poison, self.gap, self.ready = "idle", b"", False, 3, False

    def edge(self, valid, data, keep, last, user) -> None:
        """An edge of tx_clk, which sees these and the `ready` of this cycle."""
        if self.ready and self.state != "swallow":
            if valid:
                n = self.width // 8
                good = keep == (1 << n) - 1 or (last and keep in (1, 3, 7)[: n - 1])
                self.poison |= user or not good
                self.octets += data.to_bytes(n, "little")[: keep.bit_length()]
                self.state = "frame"
                if last:
                    self._end("idle")
            elif self.state == "frame":
                self.underruns += 1
                self.poison = True
                self._end("swallow")
        elif self.ready and valid and last:
            self.state, self.gap = "idle", self.rng.randrange(3, 20)
        self.cycle += 1
        self.gap = max(self.gap - 1, 0)
        stall = self.cycle % 33 == self.stall
        if self.state == "idle":
            # On offer once in a block or so, whether the user offers a word or not.
            self.ready = self.gap == 0 and not stall and (self.eager or self.rng.random() < 0.5)
        else:
            self.ready = self.state == "swallow" or not stall

    def _end(self, state: str) -> None:
        self.got.append(None if self.poison else self.octets)
        self.octets, self.poison, self.state, self.gap = b"", False, state, self.rng.randrange(3, 20)


class Bed:
    def __init__(self, rng, ppm: float = 0):
        self.rng = rng
        self.width, self.core_width = parameter("WIDTH", 32), parameter("CORE_WIDTH", 32)
        user = 1e9 / parameter("S_AXIS_CLK_FREQ_KHZ", 322265) / (1 + ppm * 1e-6)
        core = 32e6 / 10312.5 * self.core_width / 32
        clocks = {"s_axis_clk": (user, rng.random() * user), "tx_clk": (core, rng.random() * core)}
        self.clocks = Clocks(clocks)
        self.clocks.set(s_axis_rst=0, tx_rst=0, m_axis_tready=0, s_axis_tvalid=0)
        self.core = Core(rng, self.core_width)
        self.words = []  # of the frame that the user is giving; [0] is shown
        self.shown = False
        self.queue = []  # frames to give
        self.user_gap = 0
        self.core_edges, self.seen_before = 0, False
        self.taken_at = []  # per word: core edges before it was taken
        self.offers = []  # core edge at which a frame's first word was first offered
        self.s_rst = self.tx_rst = 0

    def _word(self):
        octets, last = self.words[0]
        n = self.width // 8
        fill = octets + self.rng.randbytes(n - len(octets))
        return int.from_bytes(fill, "little"), (1 << len(octets)) - 1, last

    def _user(self) -> None:
        """What the user shows in his next cycle: never a pause in a frame."""
        n = self.width // 8
        if not self.words:
            if self.user_gap:
                self.user_gap -= 1
            elif self.queue:
                octets = self.queue.pop(0)
                parts = [octets[i : i + n] for i in range(0, len(octets), n)]
                self.words = [(part, i == len(parts) - 1) for i, part in enumerate(parts)]
                self.user_gap = self.rng.choice(self.gaps)
        self.shown = bool(self.words)
        data, keep, last = self._word() if self.words else (0, 0, 0)
        self.clocks.set(
            s_axis_tvalid=self.shown, s_axis_tdata=data, s_axis_tkeep=keep, s_axis_tlast=last, s_axis_tuser=0
        )

    gaps = (0, 0, 1, 30)

    async def edge(self) -> list[str]:
        core = self.core
        names = await self.clocks.to_edge()
        took = False
        if "s_axis_clk" in names and self.shown and not self.s_rst and read("s_axis_tready")[0]:
            took = True
        if "tx_clk" in names:
            self.core_edges += 1
            valid, *rest = read(*(f"m_axis_{name}" for name in ("tvalid", "tdata", "tkeep", "tlast", "tuser")))
            if core.state == "idle" and valid and not self.seen_before:
                self.offers.append(self.core_edges)
            self.seen_before = valid and core.state == "idle" and not (core.ready and rest[2])
            if self.tx_rst:
                core.reset()
            else:
                core.edge(valid, *rest)
            if core.state != "idle":
                self.seen_before = False
        if took:
            self.words.pop(0)
            self.taken_at.append(self.core_edges)
        await self.clocks.edge(names)
        if "s_axis_clk" in names:
            self._user()
            self.clocks.set(s_axis_rst=self.s_rst)
        if "tx_clk" in names:
            self.clocks.set(m_axis_tready=core.ready, tx_rst=self.tx_rst)
        return names

    async def run(self, edges: int) -> None:
        for _ in range(edges):
            await self.edge()

    async def begin(self) -> None:
        self.s_rst = self.tx_rst = 1
        await self.run(10)
        self.s_rst = self.tx_rst = 0
        await self.run(60)

    async def reset(self, clock: str) -> None:
        """Of this clock's side, for some cycles."""
        name = {"s_axis_clk": "s_rst", "tx_clk": "tx_rst"}[clock]
        setattr(self, name, 1)
        for _ in range(self.rng.choice([1, 1, 2, 12])):
            while clock not in await self.edge():
                pass
        setattr(self, name, 0)

    async def finish(self, limit: int = 100000) -> None:
        """Until the user has nothing more to give, and the core has had time for it."""
        while (self.queue or self.words) and limit:
            await self.edge()
            limit -= 1
        assert limit, "the user is not served"
        await self.run(300)
        assert self.core.state == "idle"


def payloads(rng, n: int, jumbo: bool) -> list[bytes]:
    lengths = rng.sample([*range(1, 20), *range(57, 70), *range(200, 220)], n)
    if jumbo:
        lengths[n // 2] = 9618
    return [rng.randbytes(length) for length in lengths]


def are_in_order(got: list[bytes | None], sent: list[bytes]) -> bool:
    """Once each; some may be missing, none is poisoned."""
    rest = iter(sent)
    return all(frame in rest for frame in got)


@cocotb.test()
async def frames(dut):
    """Every frame, whole and in order, without an underrun, with the user's clock 200 ppm off and a jumbo frame."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for ppm in (200, -200):
        bed = Bed(rng, ppm)
        await bed.begin()
        sent = payloads(rng, 30, jumbo=ppm < 0)
        bed.queue = list(sent)
        await bed.finish()
        assert bed.core.underruns == 0 and bed.core.got == sent


@cocotb.test()
async def first_word_in_time(dut):
    """A frame is offered at the third edge of tx_clk after the user's START-th word, or his last, has been taken."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    start = parameter("WANTED_START", 1)
    bed = Bed(rng, -200)
    bed.gaps, bed.core.eager = (70,), True
    await bed.begin()
    sent = [rng.randbytes(n) for n in (1, 3, 4, 5, 8, 9, 12, 13, 60, 61, 62, 63, 100, 131, 200) * 3]
    bed.queue = list(sent)
    await bed.finish()
    assert bed.core.underruns == 0 and bed.core.got == sent
    n, due = 0, []
    for frame in sent:
        words = -(-len(frame) * 8 // bed.width)
        due.append(bed.taken_at[n + min(words, start) - 1] + SYNC_EDGES)
        n += words
    assert bed.offers == due


@cocotb.test()
async def too_early(dut):
    """Why a slow user clock needs START_WORDS: 1 gives underruns at 312.5 MHz; frames that follow are whole."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = Bed(rng, -200)
    bed.gaps, bed.core.eager = (70,), True
    await bed.begin()
    sent = [rng.randbytes(n) for n in rng.sample(range(20, 400), 40)]
    bed.queue = list(sent)
    await bed.finish()
    assert all(got in (None, want) for got, want in zip(bed.core.got, sent, strict=True))
    assert bed.core.got.count(None) == bed.core.underruns > 0


@cocotb.test()
async def tx_resets(dut):
    """The core is reset in mid-frame: what it then gets are whole frames, in order, and soon every one."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = Bed(rng, rng.choice([200, -200]))
    await bed.begin()
    for _ in range(25):
        sent = payloads(rng, 5, jumbo=False)
        bed.queue, bed.core.got = list(sent), []
        await bed.run(rng.randrange(20, 400))
        await bed.reset("tx_clk")
        await bed.finish()
        assert are_in_order(bed.core.got, sent)
        late = rng.randbytes(rng.randrange(1, 100))
        bed.queue = [late]
        await bed.finish()
        assert bed.core.got[-1] == late and bed.core.underruns == 0


@cocotb.test()
async def user_resets(dut):
    """The user is reset in mid-frame: that frame is poisoned or whole or never begun; the next is whole. So it is where
    the core was reset just before, and the rest of a frame is being dropped."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = Bed(rng, rng.choice([200, -200]))
    await bed.begin()
    poisoned = 0
    for _ in range(40):
        sent = payloads(rng, 4, jumbo=False)
        bed.queue, bed.core.got = list(sent), []
        await bed.run(rng.randrange(20, 300))
        core_too = rng.random() < 0.5
        if core_too:
            await bed.reset("tx_clk")
            await bed.run(rng.randrange(40))
        bed.queue, bed.words = [], []
        await bed.reset("s_axis_clk")
        late = rng.randbytes(rng.randrange(1, 100))
        bed.queue = [late]
        await bed.finish()
        got = bed.core.got
        assert got[-1] == late, "the first frame after the reset"
        whole = [frame for frame in got[:-1] if frame is not None]
        assert are_in_order(whole, sent) if core_too else whole == sent[: len(whole)]
        assert None not in got[:-2]
        poisoned += None in got
    assert poisoned > 5


# WIDTH, CORE_WIDTH, user clock in kHz, and the START_WORDS that this takes, worked out by trying all words of a frame.
CONFIGS = [
    (32, 32, 350000, 1),
    (32, 32, 322266, 2),
    (32, 32, 312500, 3),
    (32, 16, 322266, 2),
    (32, 16, 350000, 1),
    (16, 16, 644531, 2),
    (32, 32, 310000, 22),
]


def run(test: str, config, start: int) -> None:
    width, core, khz, wanted = config
    parameters = {"WIDTH": width, "CORE_WIDTH": core, "S_AXIS_CLK_FREQ_KHZ": khz, "START_WORDS": start}
    parameters |= {"TX_CLK_FREQ_KHZ": 644531 if core == 16 else 322266}
    parameters["DEPTH"] = max(8, 1 << (wanted + 6).bit_length())
    bench = Bench("macpcs_tx_fifo", SOURCES, parameters, starts_with_zeros=True)
    os.environ["ULLNIC_PARAM_WANTED_START"] = str(wanted)
    bench.run(__name__, test)


@pytest.mark.parametrize(
    "config", main_and_kept(__file__, [(each,) for each in CONFIGS]), ids=lambda c: "-".join(map(str, c[:3]))
)
@pytest.mark.parametrize("test", ["frames", "first_word_in_time"])
def test_tx_fifo(test, config):
    run(test, config, 0)


@pytest.mark.parametrize(
    "config", main_and_kept(__file__, [(CONFIGS[each],) for each in (0, 1, 3)]), ids=lambda c: "-".join(map(str, c[:3]))
)
@pytest.mark.parametrize("test", ["tx_resets", "user_resets"])
def test_tx_fifo_resets(test, config):
    run(test, config, 0)


def test_too_early():
    run("too_early", CONFIGS[2], 1)


def test_all_run():
    assert set(cocotb_tests(__name__)) == {"frames", "first_word_in_time", "tx_resets", "user_resets", "too_early"}
