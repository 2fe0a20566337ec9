# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""order_merge: each order once, in its side's order, what is offered stays, nobody waits for two of the other's."""

import os
from pathlib import Path

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, cocotb_tests, rtl, seeded

SIDES = ("app", "host")


async def run(dut, cycles: int, offer: dict[str, float], pace: float) -> None:
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    stepper = Stepper(dut, ("m_valid", "m_order", "app_ready", "host_ready"))
    await stepper.reset(app_valid=0, host_valid=0, app_order=0, host_order=0, m_ready=0)
    given, taken, order = {side: [] for side in SIDES}, [], dict.fromkeys(SIDES)
    waiting, before = dict.fromkeys(SIDES, 0), None
    for _ in range(cycles):
        for side in SIDES:
            if order[side] is None and rng.random() < offer[side]:
                order[side] = SIDES.index(side) << 126 | rng.getrandbits(126)
        ready = int(rng.random() < pace)
        inputs = {f"{side}_valid": int(order[side] is not None) for side in SIDES}
        seen = await stepper.step(m_ready=ready, **inputs, **{f"{side}_order": order[side] or 0 for side in SIDES})
        assert before is None or (seen.m_valid and seen.m_order == before), "what was on offer has changed"
        before = seen.m_order if seen.m_valid and not ready else None
        if seen.m_valid and ready:
            taken.append(seen.m_order)
        gone = [side for side in SIDES if order[side] is not None and getattr(seen, f"{side}_ready")]
        assert len(gone) <= 1 and not (gone and seen.m_valid), "ready depends on m_ready"
        for side in gone:
            given[side].append(order[side])
            order[side], waiting[side] = None, 0
            other = SIDES[1 - SIDES.index(side)]
            waiting[other] += order[other] is not None
            assert waiting[other] <= 1, f"{other} waits for more than one order"
    for side in SIDES:
        mine = [number for number in taken if number >> 126 == SIDES.index(side)]
        assert mine == given[side][: len(mine)] and len(given[side]) - len(mine) <= 1
        assert len(mine) > 50 or not offer[side]


@cocotb.test()
async def both(dut):
    await run(dut, 3000, {"app": 0.4, "host": 0.4}, 0.5)


@cocotb.test()
async def always(dut):
    await run(dut, 2000, {"app": 1.0, "host": 1.0}, 0.6)


@cocotb.test()
async def one_side(dut):
    for side in SIDES:
        await run(dut, 1000, {name: float(name == side) for name in SIDES}, 0.7)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_order_merge(test):
    packages = [path for path in rtl("toe") if path.stem == "toe_pkg"]
    source = Path(__file__).resolve().parents[1] / "rtl" / "order_merge.sv"
    Bench("order_merge", [*packages, source], {}).run("test_order_merge", test)
