# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""ate_counters: every event counts once, those of one cycle and of cycles in turn; a reset changes none.

What was aborted counts beside them.
"""

import os
from collections import Counter

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, cocotb_tests, long_run, rounds, rtl, seeded

RESULTS = (0, 1, 2, 4, 5, 6, 8, 9, 10, 11)
NO_FRAME, BAD_CHUNK, ABORTED = 7, 12, 13


@cocotb.test()
async def random(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    stepper, met, counts = Stepper(dut, ("count",)), Counter(), Counter()
    await stepper.reset(event_valid=0, event_result=0, bad_chunk=0, aborted=0, no_frame=0, index=0)
    since, run, waits, busy = 4, 0, False, 0.5
    for turn in range(rounds(6000, 2000)):
        if turn % 30 == 0:
            busy = rng.choice((0.1, 0.5, 0.9))
        event, result, rst = rng.random() < busy, rng.choice(RESULTS), rng.random() < 0.03
        chunk = since >= 1 and not waits and rng.random() < 0.4
        aborted = event and rng.random() < 0.5
        forgotten = rng.random() < 0.2
        pulses = {"event_valid": event, "bad_chunk": chunk, "aborted": aborted, "no_frame": forgotten, "rst": rst}
        await stepper.step(event_result=result, **{name: int(value) for name, value in pulses.items()})
        met["both in one cycle"] += event and chunk
        met["a chunk's waits for two cycles"] += waits and event
        met["events in turn"] += event and run > 1
        met["a chunk's waits at a reset"] += waits and rst
        met["events at a reset"] += event and rst
        # A reset drops what comes with it and what waits.
        counts[BAD_CHUNK] += waits and not event and not rst
        waits = (chunk or (waits and event)) and not rst
        since, run = 0 if chunk else since + 1, run + 1 if event else 0
        if not rst:
            counts[result] += event
            counts[ABORTED] += aborted
            counts[NO_FRAME] += forgotten
        if turn % 100 == 99:
            for _ in range(3):
                await stepper.step(event_valid=0, bad_chunk=0, aborted=0, no_frame=0, rst=0)
            counts[BAD_CHUNK] += waits
            waits = False
            for index in (*RESULTS, NO_FRAME, BAD_CHUNK, ABORTED):
                assert (await stepper.look(index=index)).count == counts[index], index
    rare = ("a chunk's waits at a reset", "events at a reset")
    assert len(met) == 5 and all(count > (2 if what in rare else 20) for what, count in met.items()), met


def counters_bench() -> Bench:
    return Bench("ate_counters", [path for path in rtl("ate") if path.stem in ("ate_pkg", "ate_counters")])


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_ate_counters(test):
    counters_bench().run(__name__, test)


@long_run(__file__)
def test_ate_counters_long():
    counters_bench().run(__name__, "random", long_seed=1)
