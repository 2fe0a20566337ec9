# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_rx_join: the last word waits for its verdict, nothing else waits, and nothing changes places."""

import os

import cocotb
import pytest

from macpcs_beats import NO_BEAT, beat, fields
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded


@cocotb.test()
async def order_and_latency(dut):
    """Beats in any cycles. When each must leave follows from when it came: nothing is later than it has to be."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    latency = parameter("LATENCY", 1)
    s = Stepper(dut, ["out", "out_status"])
    for valid_rate, last_rate in ((1, 0.1), (1, 0.5), (1, 1), (0.9, 0.2), (0.5, 0.3), (0.97, 0.02)):
        await s.reset(**{"in": NO_BEAT}, in_status_valid=0, in_status=0)
        due, verdicts, left = [], {}, -1
        for n in range(400):
            word, status = NO_BEAT, rng.getrandbits(4)
            if n < 380 and rng.random() < valid_rate:
                last = rng.random() < last_rate
                word = beat(rng.getrandbits(32), rng.choice([0, 1, 3, 7, 15]) if last else 15, last)
                left = max(left + 1, n + latency * last)
                due.append((left, word))
                if last:
                    verdicts[n + latency] = rng.getrandbits(4)
            elif rng.random() < 0.5:
                word = rng.getrandbits(37)  # no valid
            assert left <= n + latency
            seen = await s.step(**{"in": word}, in_status_valid=n in verdicts, in_status=verdicts.get(n, status))
            valid, is_last, _, _ = fields(seen.out)
            assert valid == bool(due and due[0][0] == n)
            if valid:
                assert seen.out == due.pop(0)[1]
                assert not is_last or seen.out_status == verdicts.pop(n)
        assert not due and not verdicts


@cocotb.test()
async def reset_drops(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    latency = parameter("LATENCY", 1)
    s = Stepper(dut, ["out", "out_status"])
    for _ in range(50):
        await s.reset(1, **{"in": NO_BEAT}, in_status_valid=0, in_status=0)
        for _ in range(latency + 2):
            seen = await s.step(**{"in": NO_BEAT}, in_status_valid=rng.getrandbits(1), in_status=0)
            assert not fields(seen.out)[0]
        for _ in range(latency):
            await s.step(**{"in": beat(1, 15, True)}, in_status_valid=0, in_status=0)


@pytest.mark.parametrize("latency", main_and_kept(__file__, [2, 0, 1, 4, 6]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_rx_join(test, latency):
    sources = [path for path in rtl("macpcs") if path.stem in ("macpcs_pkg", "macpcs_rx_join")]
    Bench("macpcs_rx_join", sources, {"LATENCY": latency}).run(__name__, test)
