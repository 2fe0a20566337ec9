# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A frame that has no end, or is refused, and a new one after it: in each word where they can meet."""

import os

import cocotb
import pytest

from ate_model import Connection
from ate_play import DUE, OWN, Script, ate_bench
from test_ate_mistakes import GAP, SMALL, bed_with, padded, sent, small
from ullnic_tb import cocotb_tests, main_and_kept, seeded


@cocotb.test()
async def raw_meets_the_next(dut):
    """A raw frame without an end that the next one follows before, with and after the word at which it is cut. The
    next one, of one word or of several, is whole."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    script, whole, payloads = Script(), [], []
    sizes = [*range(SMALL["MAX_RAW"] - 24, SMALL["MAX_RAW"] + 12, 4)]
    raws = iter(rng.sample([True, False] * len(sizes), 2 * len(sizes)))  # as many of each kind
    for size in sizes:
        for next_size in (3, 40):
            script.words(rng.randbytes(size), GAP, raw=True, eof=False)
            if raw := next(raws):
                script.raw(frame := rng.randbytes(next_size), 1)
            else:
                script.payload(3, frame := rng.randbytes(next_size), 1)
                payloads.append(frame)
            whole.append((raw, frame))
    line = await bed.play(script)
    frames = iter(sent(bed, connection, payloads))
    assert line.good() == [padded(frame if raw else next(frames)) for raw, frame in whole]
    assert line.bad() == line.errors == len(whole) and line.underruns == 0
    lengths = {len(frame.octets) for frame in line.received.frames if not frame.good}
    assert max(lengths) <= SMALL["MAX_RAW"] + 4 and len(lengths) > 4, lengths
    counts = {"bad_raw": len(whole), "sent_user": len(payloads), "sent_raw": len(whole) - len(payloads)}
    assert await bed.counters() == counts


@cocotb.test()
async def refused_and_the_next(dut):
    """A frame that is refused is thrown away to its end, or to the next one's first word."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    await bed.open(4, Connection.random(rng, control=0))
    assert await bed.write(OWN + 12, 1) == 0
    script, payloads = Script(), []
    due = {"conn": max(1, DUE["conn"])}
    for size in (0, 1, 4, 5, 8, 9, 30):
        for eof in (True, False):
            late = 0xF000 | DUE["csum"] << 8 | DUE["length"] << 4 | due["conn"]
            script.words(rng.randbytes(size), GAP, conn=4, length=size, late=late, eof=eof)
            payloads.append(rng.randbytes(rng.choice((2, 20))))
            script.payload(3, payloads[-1], rng.choice((2, 3)), **due)
    line = await bed.play(script)
    assert line.good() == [padded(frame) for frame in sent(bed, connection, payloads)] and line.bad() == 0
    assert await bed.counters() == {"no_conn": len(payloads), "sent_user": len(payloads)}


@pytest.mark.parametrize(("width", "amend"), main_and_kept(__file__, ((32, 1), (32, 0), (16, 0))))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_ate_ends(test, width, amend):
    ate_bench(**small(width, amend)).run("test_ate_ends", test)
