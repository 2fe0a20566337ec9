# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""qdma_legacy alone: requests, clears, resets and beats of the arbiter at any moments."""

import cocotb
import pytest

from qdma_bed import sources
from qdma_write_bed import running_test
from ullnic_tb import Bench, Stepper, cocotb_tests, seeded

PFS, BEATS = 4, 3
OUTPUTS = ("request_ready", "pending", "intx")


@cocotb.test()
async def any_moments(dut):
    """A bit is set once, after the beats of the arbiter have left it or it is idle, and stays until it is cleared;
    the wire is the bit while the interrupt is enabled."""
    rng = seeded(running_test())
    s = Stepper(dut, OUTPUTS)
    idle = dict.fromkeys(
        ("request_valid", "request_func", "posted_is_idle", "posted_moves", "enable", "clear", "reset_active"), 0
    )
    await s.reset(**idle, reset_func=0)
    pending = wire = enable = sets = drops = 0
    request, waiting = None, None  # a function that is presented; one that is accepted, and beats since
    for _ in range(20000):
        if request is None and rng.random() < 0.3:
            request = rng.randrange(PFS)
        idles, moves = rng.random() < 0.05, rng.random() < 0.5
        clear = rng.getrandbits(PFS) if rng.random() < 0.1 else 0
        reset = rng.randrange(PFS) if rng.random() < 0.02 else None
        enable ^= rng.random() < 0.02
        inputs = {"request_valid": int(request is not None), "request_func": request or 0}
        inputs |= {"posted_is_idle": int(idles), "posted_moves": int(moves), "enable": enable, "clear": clear}
        out = await s.step(**inputs, reset_active=int(reset is not None), reset_func=reset or 0)
        assert (out.pending, out.intx, out.request_ready) == (pending, wire, int(waiting is None))
        wire = pending if enable else 0
        pending &= ~clear
        if waiting is None:
            waiting = None if request is None else (request, 0)
            request = None
        elif idles or waiting[1] == BEATS:
            pending |= 1 << waiting[0]
            waiting, sets = None, sets + 1
        elif reset == waiting[0]:
            waiting, drops = None, drops + 1
        else:
            waiting = waiting[0], waiting[1] + moves
        pending &= ~(1 << reset) if reset is not None else -1
    assert sets > 1000 and drops > 10


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_qdma_legacy(test):
    Bench("qdma_legacy", sources()).run(__name__, test)
