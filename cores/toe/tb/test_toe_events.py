# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_events: each event once, in its source's order, not before its time, and none waits for the others for long."""

import os
from collections import Counter

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, cocotb_tests, parameter, rtl, seeded

SOURCES, WAIT = parameter("SOURCES", 3), parameter("WAIT", 4)


@cocotb.test()
async def random(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    stepper, met = Stepper(dut, ("s_ready", "m_valid", "m_code", "m_sid")), Counter()
    zero = {"s_valid": 0, "s_code": 0, "s_sid": 0, "m_ready": 0}
    await stepper.reset(**zero)
    # Code, session, when it was offered: without the cycles in which the user stalled, and with them
    offered: list[tuple[int, int, int, int] | None] = [None] * SOURCES
    taken, shown, gave, stalls, pace, ready = [], None, -99, 0, 0.5, 0.5
    for cycle in range(12_000):
        if cycle % 200 == 0:
            pace, ready = rng.choice(((0.01, 1), (0.2, 0.5), (1, 1), (1, 0.05), (0.3, 0.9)))
        for source in range(SOURCES):
            if offered[source] is None and rng.random() < pace:
                offered[source] = (rng.randrange(16), rng.getrandbits(10), cycle - stalls, cycle)
        code = sum((event[0] if event else rng.randrange(16)) << 4 * i for i, event in enumerate(offered))
        session = sum((event[1] if event else rng.getrandbits(10)) << 10 * i for i, event in enumerate(offered))
        valid = sum((event is not None) << i for i, event in enumerate(offered))
        accepts, reset = rng.random() < ready, rng.random() < 0.002
        seen = await stepper.step(s_valid=valid, s_code=code, s_sid=session, m_ready=int(accepts), rst=int(reset))
        if shown:
            assert seen.m_valid and (seen.m_code, seen.m_sid) == shown, "what was on offer has changed"
        shown = (seen.m_code, seen.m_sid) if seen.m_valid and not accepts and not reset else None
        if seen.m_valid:
            assert taken and (seen.m_code, seen.m_sid) == taken[0]
            if accepts:
                taken.pop(0)
        stalls += (WAIT + 2) * SOURCES if reset else int(seen.m_valid and not accepts)
        gone = [source for source in range(SOURCES) if offered[source] and seen.s_ready >> source & 1]
        assert len(gone) <= 1
        met["reset beside an event"] += bool(gone) and reset
        met["one as the one before leaves"] += bool(gone) and bool(seen.m_valid) and accepts
        for source in gone:
            event = offered[source]
            assert cycle - event[3] >= WAIT, "earlier than it may be known"
            assert cycle - stalls - event[2] <= (WAIT + 1) * SOURCES, "it waits for too many others"
            met["as early as it can be"] += cycle - event[3] == WAIT
            met["one after the other"] += gave == cycle - WAIT - 1
            taken.append(event[:2])
            offered[source], gave = None, cycle
        if reset:
            taken.clear()
            shown = None
    assert len(met) == 4 and all(count > 3 for name, count in met.items() if name != "reset beside an event"), met


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_events(test):
    sources = [path for path in rtl("toe") if path.stem in ("toe_pkg", "toe_events")]
    Bench("toe_events", sources, {"SOURCES": 3, "WAIT": 4}).run("test_toe_events", test)
