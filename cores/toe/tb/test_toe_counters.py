# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_counters: each event counts once, in any cycle, all at once and in every cycle of a round."""

import os

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

COUNTERS = parameter("COUNTERS", 8)
ALL = (1 << COUNTERS) - 1


@cocotb.test()
async def random(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    stepper = Stepper(dut, ("count",))
    # There is no reset: what the simulation's start has counted is where the test begins.
    for _ in range(COUNTERS + 2):
        await stepper.step(events=0, index=0)
    counts = [(await stepper.look(index=index)).count for index in range(COUNTERS)]
    for round_ in range(120):
        kind = rng.choice(("all", "one", "some"))
        mine = 1 << rng.randrange(COUNTERS)
        for _ in range(rng.choice((1, COUNTERS - 1, COUNTERS, COUNTERS + 1, 3 * COUNTERS))):
            events = {"all": ALL, "one": mine, "some": rng.getrandbits(COUNTERS)}[kind]
            await stepper.step(events=events)
            for index in range(COUNTERS):
                counts[index] += events >> index & 1
        if round_ % 3 == 0:  # otherwise the next events come at once
            for _ in range(COUNTERS + 2):  # the latency that the module promises
                await stepper.step(events=0)
            for index in range(COUNTERS):
                assert (await stepper.look(index=index)).count == counts[index], index


@pytest.mark.parametrize("test", cocotb_tests(__name__))
@pytest.mark.parametrize("counters", main_and_kept(__file__, [8, 2]))
def test_toe_counters(counters, test):
    sources = [path for path in rtl("toe") if path.stem == "toe_counters"]
    Bench("toe_counters", sources, {"COUNTERS": counters}).run("test_toe_counters", test)
