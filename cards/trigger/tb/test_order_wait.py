# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""order_wait against a model, cycle by cycle: credit that is just enough or not, and events in one cycle."""

import os
from collections import Counter
from pathlib import Path

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, cocotb_tests, parameter, seeded

QUIET, LIMIT = parameter("QUIET", 5), parameter("LIMIT", 32)
OUTPUTS = ("waiting", "go", "gave_up", "withdrawn")


def credits(length: int) -> tuple[int, ...]:
    """About the boundaries: the order's length, and a carry into the upper half."""
    return (0, length - 1, length, length + 1, 0xFFFF, 0x10000, 0x10000 + length - 1, 0x80000000, 0xFFFFFFFF)


@cocotb.test()
async def random(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    stepper, met = Stepper(dut, OUTPUTS), Counter()
    zero = dict.fromkeys(("late", "armed", "window_available", "tx_credit", "length", "tx_armed", "tx_frame"), 0)
    await stepper.reset(**zero)
    waiting, cycles, quiet, was_open, was_armed, length = False, 0, 0, False, False, 9
    calm = ready = 0.5
    for cycle in range(200_000):
        if cycle >= 20_000 and len(met) == 11 and min(met.values()) > 3:
            break
        if cycle % 50 == 0:
            calm, ready = rng.choice(((0.5, 0.5), (0.98, 0.02), (0.02, 0.02), (1.0, 0.5), (0.9, 0.0)))
            length = rng.choice((1, 4, 9, 256, 0xFFFF))
        late, armed, reset = rng.random() < 0.2, rng.random() < 0.98, rng.random() < 0.005
        window, tx_armed, frame = rng.random() < ready, rng.random() < 0.7, rng.random() < 1 - calm
        credit = rng.choice(credits(length))
        seen = await stepper.step(
            rst=int(reset),
            late=int(late),
            armed=int(armed),
            window_available=int(window),
            tx_credit=credit,
            length=length,
            tx_armed=int(tx_armed),
            tx_frame=int(frame),
        )
        is_open = window and credit >= length
        go = waiting and armed and is_open and (not was_open or (was_armed and tx_armed))
        over = quiet == QUIET or cycles == LIMIT - 1
        withdrawn, gave_up = waiting and not armed, waiting and armed and not go and over
        assert (seen.waiting, seen.go, seen.gave_up, seen.withdrawn) == (waiting, go, gave_up, withdrawn), cycle
        met["just enough"] += go and credit == length
        met["one byte too few"] += waiting and window and credit == length - 1
        met["enough by the upper half alone"] += go and credit >> 16 != 0 and credit & 0xFFFF < length
        met["goes when its time is over"] += go and over
        met["withdrawn when it could go"] += withdrawn and is_open
        met["no frame for long enough"] += gave_up and quiet == QUIET and cycles < LIMIT - 1
        met["too long"] += gave_up and quiet < QUIET
        met["another as one ends"] += late and (go or gave_up or withdrawn)
        met["frame in the last quiet cycle"] += waiting and frame and quiet == QUIET - 1
        met["second cycle, not armed any more"] += waiting and is_open and was_open and was_armed and not tx_armed
        met["reset beside a trigger"] += late and reset
        quiet = 0 if not waiting or frame else (quiet + 1) % (1 << QUIET.bit_length())
        cycles = (cycles + 1) % LIMIT if waiting else 0
        waiting = (late or (waiting and not (go or gave_up or withdrawn))) and not reset
        was_open, was_armed = is_open, tx_armed
    assert len(met) == 11 and all(count > 3 for count in met.values()), met


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_order_wait(test):
    source = Path(__file__).resolve().parents[1] / "rtl" / "order_wait.sv"
    Bench("order_wait", [source], {"QUIET": 5, "LIMIT": 32}).run("test_order_wait", test)
