# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_rx_fault: columns in all their block formats against the link fault machine of clause 46.3.4."""

import os

import cocotb
import pytest

from baser import HEADER_DATA, IDLE, SEQ_OS, SIG_OS, START, encode
from baser_gearbox import ends, slot_of
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

WIDTH = parameter("WIDTH", 32)
LOCAL, REMOTE = (SEQ_OS, 0, 0, 1), (SEQ_OS, 0, 0, 2)
IDLES = (IDLE,) * 4
START_COLUMN = (START, 0x55, 0x55, 0x55)
LOOKALIKES = [
    (SIG_OS, 0, 0, 1),
    (SEQ_OS, 0, 0, 0),
    (SEQ_OS, 0, 0, 3),
    (SEQ_OS, 0, 1, 1),
    (SEQ_OS, 1, 0, 2),
    (SEQ_OS, 0x80, 0, 1),
    (SEQ_OS, 0, 0, 0x81),
]


class LinkFault:
    """Figure 46-9, column by column."""

    def __init__(self):
        self.fault = self.kind = None
        self.count = self.quiet = 0

    def column(self, column) -> None:
        kind = {LOCAL: "local", REMOTE: "remote"}.get(column)
        if kind is None:
            self.quiet += 1
            if self.quiet == 128:
                self.__init__()
            return
        self.quiet = 0
        self.count = self.count + 1 if kind == self.kind else 1
        self.kind = kind
        if self.count >= 4:
            self.fault = kind


def block(columns) -> int:
    return encode([*columns[0], *columns[1]])


class Play:
    """Plays blocks, and holds what comes out, cycle by cycle, against the model."""

    def __init__(self, dut, rng):
        self.s = Stepper(dut, ["local_fault", "remote_fault", "rx_link_ok"])
        self.rng = rng

    async def __call__(self, blocks, resets: float = 0):
        """blocks: (block, the columns that a receiver makes of it, pcs_ok). Returns the fault after each block.

        With `resets`, some cycles are resets. What came before one is forgotten, and a block whose first half did is
        quiet.
        """
        await self.s.reset(slot=0b100, header=1, pcs_ok=1, word_q=0)
        places = ends(WIDTH, (66 * len(blocks)) // WIDTH + 8, self.rng.randrange(66))
        model, due, fault, faults = LinkFault(), {}, None, []
        before, oks, has_first = 0, [None, None], False
        for n, place in enumerate(places):
            bits, columns, ok = block((IDLES, IDLES)), (), 1
            if place is not None and place.block >= len(blocks):
                place = None  # nothing comes behind them
            inside = place is not None and place.block >= 0
            if inside:
                bits, columns, ok = blocks[place.block]
            word = self.rng.getrandbits(WIDTH) if place is None else bits >> 2 + WIDTH * place.pos & (1 << WIDTH) - 1
            rst = self.rng.random() < resets
            out = await self.s.step(slot=slot_of(place), header=bits & 3, pcs_ok=ok, word_q=before, rst=rst)
            before = word
            was, fault = fault, due.get(n, fault)
            assert (out.local_fault, out.remote_fault) == (fault == "local", fault == "remote"), n
            if oks[0] is not None:
                assert out.rx_link_ok == (bool(oks[0]) and was is None)
            oks = [oks[1], ok]
            if rst:
                model, due, fault, oks[0], has_first = LinkFault(), {}, None, 0, False
            if inside and place.pos == 32 // WIDTH - 1:
                has_first = True
            if inside and place.pos == 64 // WIDTH - 1:
                for i in range(2):
                    model.column(LOCAL if not ok else columns[i] if has_first else IDLES)
                    due[n + 4 + i] = model.fault
                faults.append(model.fault)
        assert len(faults) == len(blocks)
        return faults


def plain(columns):
    """Columns, two a block, as blocks that are good and received well."""
    columns = [*columns, *[IDLES] * (len(columns) % 2)]
    return [(block(pair), pair, 1) for pair in zip(columns[::2], columns[1::2], strict=True)]


@cocotb.test()
async def by_hand(dut):
    """Cases whose outcome the text of the standard says."""
    play = Play(dut, seeded(os.environ["ULLNIC_TEST_NAME"]))
    quiet = [IDLES]
    for columns, want in (
        ([LOCAL] * 3, None),
        ([LOCAL] * 4, "local"),
        ([REMOTE] * 4, "remote"),
        ([LOCAL] * 3 + [REMOTE] + [LOCAL] * 3, None),
        ([LOCAL] * 4 + [REMOTE] * 3, "local"),
        ([LOCAL] * 4 + [REMOTE] * 4, "remote"),
        (([LOCAL] + quiet * 127) * 3 + [LOCAL], "local"),
        (([LOCAL] + quiet * 127) * 2 + [LOCAL] + quiet * 128 + [LOCAL], None),
        (quiet + ([REMOTE] + quiet * 127) * 3 + [REMOTE], "remote"),
        ([LOCAL] * 4 + quiet * 127, "local"),
        ([LOCAL] * 5 + quiet * 128, None),
        ([REMOTE] * 4 + quiet * 126 + [LOCAL] + quiet * 127, "remote"),
        ([REMOTE] * 4 + quiet * 126 + [LOCAL] + quiet * 129, None),
    ):
        if len(columns) % 2:
            columns = quiet + columns
        assert (await play(plain(columns)))[-1] == want
    # No block lock: local fault after two blocks, until 64 blocks have been good.
    idle = (block((IDLES, IDLES)), (IDLES, IDLES), 1)
    faults = await play([idle, (*idle[:2], 0), (*idle[:2], 0), *[idle] * 64])
    assert faults == [None, None] + ["local"] * 64 + [None]


@cocotb.test()
async def at_random(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    play = Play(dut, rng)
    seen = set()
    for resets in (0, 0, 0, 0, 0.05, 0.1):
        blocks, gaps = [], [0, 0, 1, 2]
        if not resets:
            gaps += [0, rng.randrange(20), 63, 126, 127, 128, 129]
        while len(blocks) < 900:
            kind = rng.choice([LOCAL, REMOTE])
            for _ in range(rng.randrange(1, 7)):
                gap = rng.choice(gaps)
                blocks += plain([rng.choice([IDLES, IDLES, *LOOKALIKES]) for _ in range(gap)])
                other = rng.choice([IDLES, IDLES, kind, kind, LOCAL, REMOTE, rng.choice(LOOKALIKES)])
                pair = rng.choice([(kind, other), (other, kind), (kind, START_COLUMN)])
                ok = int(rng.random() > 0.03)
                bits = block(pair)
                change = rng.randrange(12)
                if change == 0:  # the same as data: in a frame
                    bits, pair = bits & ~3 | HEADER_DATA, (None, None)
                elif change == 1:  # a bad sync header
                    bits, pair = bits & ~3 | rng.choice([0, 3]), (None, None)
                elif change == 2:  # another type
                    bits = bits & ~0x3FC | rng.choice([0x1E, 0x78, 0x33, 0x87, 0x99, 0xFF, 0x4A, 0x54]) << 2
                    pair = (None, None)
                blocks.append((bits, pair, ok))
        seen |= set(await play(blocks, resets))
    assert seen == {None, "local", "remote"}


@cocotb.test()
async def format_of_remote_fault(dut):
    """The block that the transmitter sends is what the standard makes of two remote fault columns."""
    assert block((REMOTE, REMOTE)) >> 2 == int.from_bytes(bytes.fromhex("5500000200000002"), "little")
    faults = await Play(dut, seeded(os.environ["ULLNIC_TEST_NAME"]))(plain([REMOTE] * 8))
    assert faults == [None, "remote", "remote", "remote"]


@pytest.mark.parametrize("width", main_and_kept(__file__, [32, 16]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_rx_fault(width, test):
    sources = [path for path in rtl("macpcs") if path.stem in ("macpcs_pkg", "macpcs_rx_fault")]
    Bench("macpcs_rx_fault", sources, {"WIDTH": width}).run(__name__, test)
