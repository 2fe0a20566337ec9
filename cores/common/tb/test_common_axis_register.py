# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""axis_register: order, rate, and that it parts its two sides."""

import os

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, cocotb_tests, rtl, seeded


@cocotb.test()
async def axis_register_keeps_order(dut):
    """Nothing lost, repeated or moved, whatever the two sides do; an offered word stays as it is until it is taken."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = Stepper(dut, ["s_ready", "m_valid", "m_data"])
    for valid_rate, ready_rate in ((1, 1), (1, 0.5), (0.5, 1), (0.5, 0.5), (0.1, 0.9), (0.9, 0.1)):
        await s.reset(s_valid=0, m_ready=0)
        inside, word, held = [], None, None
        for _ in range(400):
            if word is None and rng.random() < valid_rate:
                word = rng.getrandbits(32)
            ready = rng.random() < ready_rate
            out = await s.step(
                s_valid=word is not None, s_data=rng.getrandbits(32) if word is None else word, m_ready=ready
            )
            assert out.m_valid == bool(inside)
            if out.m_valid:
                assert out.m_data == inside[0] and held in (None, out.m_data)
                held = None if ready else out.m_data
                if ready:
                    inside.pop(0)
            if word is not None and out.s_ready:
                inside.append(word)
                word = None
            assert len(inside) <= 2


@cocotb.test()
async def axis_register_full_rate(dut):
    """A word a cycle, one cycle later, with a receiver that is always ready."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = Stepper(dut, ["s_ready", "m_valid", "m_data"])
    await s.reset(s_valid=0, m_ready=1)
    before = None
    for _ in range(100):
        word = rng.getrandbits(32)
        out = await s.step(s_valid=1, s_data=word, m_ready=1)
        assert out.s_ready and out.m_valid == (before is not None) and (before is None or out.m_data == before)
        before = word


@cocotb.test()
async def axis_register_cuts_paths(dut):
    """No output follows an input within the cycle."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = Stepper(dut, ["s_ready", "m_valid", "m_data"])
    await s.reset(s_valid=0, m_ready=0)
    for _ in range(300):
        looks = [
            await s.look(s_valid=rng.getrandbits(1), s_data=rng.getrandbits(32), m_ready=rng.getrandbits(1))
            for _ in range(4)
        ]
        assert all(
            (o.s_ready, o.m_valid, o.m_data * o.m_valid)
            == (looks[0].s_ready, looks[0].m_valid, looks[0].m_data * looks[0].m_valid)
            for o in looks
        )
        await s.step(s_valid=rng.getrandbits(1), s_data=rng.getrandbits(32), m_ready=rng.getrandbits(1))


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_axis_register(test):
    Bench("axis_register", rtl("common")).run(__name__, test)
