# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Block lock on a line that has no link partner at its other end: the link goes down, and comes up with a partner."""

import cocotb
import pytest

from baser import Line, scramble_blocks, to_words
from macpcs_bench import WIDTH, MacpcsBench
from macpcs_configs import macpcs
from ullnic_tb import cocotb_tests, main_and_kept

WINDOW_BLOCKS = 1289062 // 66  # of 125 us
LEAD_IN = 400  # blocks
FOLLOWS = 300  # blocks, in which a status comes after its cause
INVERTED = (1 << WIDTH) - 1
IDLE = Line().idle_blocks(1).blocks()
ALTERNATING = int.from_bytes(b"\x55" * (WIDTH // 8), "little")


def cycles(blocks: int) -> int:
    return 66 * blocks // WIDTH


def frames(rng, blocks: int, octets: int, gap: int) -> list[int]:
    """Frames of about so many octets, with so many idle blocks after each, in about so many blocks."""
    some = []
    for _ in range(8):
        some += Line().frame(rng.randbytes(octets + rng.randrange(8)), rng.choice([0, 4])).blocks()
        some += gap * IDLE
    return some * (blocks // len(some))


def line_of(blocks: list[int], offset: int) -> list[int]:
    return to_words(scramble_blocks(blocks), offset, width=WIDTH)


@cocotb.test()
async def a_partner(dut):
    """Whatever it sends: idle, a fault, frames of each size without a whole block of idles between."""
    bench = MacpcsBench(dut)
    lines = {
        "idle": IDLE * (5 * WINDOW_BLOCKS // 4),
        "short frames": frames(bench.rng, 5 * WINDOW_BLOCKS // 4, 60, 0),
        "long frames": frames(bench.rng, 5 * WINDOW_BLOCKS // 4, 9000, 0),
        "remote fault": Line().ordered_set(b"\0\0\2", lane=0).blocks() * (5 * WINDOW_BLOCKS // 4),
        "local fault, upper lane": Line().ordered_set(b"\0\0\1", lane=4).blocks() * (5 * WINDOW_BLOCKS // 4),
    }
    for name, blocks in lines.items():
        record = await bench.receive(line_of(IDLE * LEAD_IN + blocks + IDLE * 8, bench.rng.randrange(66)))
        assert not any(record.watchdog), name
        assert record.link_up[-1] == ("fault" not in name), name


@cocotb.test()
async def a_line_that_alternates(dut):
    """Right sync headers for ever, and not one right block: as of a transceiver without signal. Then a partner."""
    bench = MacpcsBench(dut)
    nothing = cycles(2 * WINDOW_BLOCKS + FOLLOWS)
    partner = line_of(IDLE * (3 * LEAD_IN), bench.rng.randrange(66))
    record = await bench.receive([ALTERNATING] * nothing + partner)
    assert record.lock_rises[0] < cycles(80) and len(record.bad_blocks) > 1.9 * WINDOW_BLOCKS
    down = record.watchdog.index(True)
    assert down < cycles(WINDOW_BLOCKS + 80)
    assert record.link_up[down - 1], "nothing else takes the link down"
    assert not any(record.link_up[down + cycles(FOLLOWS) : nothing])
    assert record.link_up[-1] and not record.watchdog[-1]


@cocotb.test()
async def inverted_polarity(dut):
    """With each load of frames: some of their blocks pass for right ones, none for a sign of a partner."""
    bench = MacpcsBench(dut)
    for octets, gap in ((60, 2000), (1000, 20), (60, 0), (9000, 1)):
        blocks = frames(bench.rng, 9 * WINDOW_BLOCKS // 4, octets, gap)
        words = [word ^ INVERTED for word in line_of(IDLE * LEAD_IN + blocks, bench.rng.randrange(66))]
        # What passed for a frame at the end goes on for ever: a few bad headers end it.
        record = await bench.receive(words + [0] * cycles(8))
        assert record.lock_rises and len(record.bad_headers) <= 9
        down = record.watchdog.index(True)
        assert down < cycles(LEAD_IN + WINDOW_BLOCKS)
        assert all(record.watchdog[down:]), (octets, gap)
        assert not any(record.link_up[down + cycles(FOLLOWS) :]), (octets, gap)


@pytest.mark.parametrize("config", main_and_kept(__file__, ["plain", "narrow"]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_macpcs_rx_watchdog(config, test):
    macpcs(config).run(__name__, test)
