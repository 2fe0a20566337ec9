# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""order_send alone: each order's words, whether it counts as sent or refused, at the exact cycle, and resets."""

import os
from collections import Counter
from pathlib import Path

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, cocotb_tests, seeded

OUTPUTS = ("index", "busy", "sending", "sent", "refused", "tx_data_net", "tx_sof_net", "tx_eof_net", "tx_len_net")
AGAIN = 10  # as in the module


@cocotb.test()
async def random(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    stepper, met = Stepper(dut, OUTPUTS), Counter()
    await stepper.reset(start=0, length=4, word=0, tx_ack_net=0, tx_drop_net=0)
    rests = 0

    async def step(**inputs: int):
        """One cycle; `word` follows `index`."""
        given = {"start": 0, "tx_ack_net": 0, "tx_drop_net": rng.getrandbits(1)} | inputs
        shown = await stepper.look(length=length, **given)
        assert shown.index < len(words), "a word beyond the order"
        return await stepper.step(word=words[shown.index])

    for turn in range(8000):
        if turn >= 800 and len(met) == 4 and min(met.values()) > 20:
            break
        length = rng.choice((1, 2, 3, 4, 5, 7, 8, 9, 12, rng.randrange(1, 60)))
        words = [rng.getrandbits(32) for _ in range(length // 4 + 3)]
        for _ in range(rests := rng.choice((0, 0, 1, 5))):
            seen = await step()
            assert not (seen.busy or seen.tx_sof_net or seen.sent or seen.refused)
        seen = await step(start=1)
        assert not seen.busy and not seen.tx_sof_net
        met["at the first cycle that may be"] += not rests
        first = rng.choice((0, 1, rng.randrange(30)))
        pace, taken, cycle, dropped = rng.choice((1.0, 0.5)), [], 0, 0
        cut = rng.randrange(20) if rng.random() < 0.1 else None
        while cut is None or cycle < cut:
            ack = cycle >= first if not taken else rng.random() < pace
            drop = rng.getrandbits(1)
            seen = await step(tx_ack_net=int(ack), tx_drop_net=drop)
            last = len(taken) == (length - 1) // 4
            assert seen.busy and seen.sending and seen.tx_sof_net == (not taken)
            assert (seen.tx_data_net, seen.tx_eof_net) == (words[len(taken)], last)
            assert not last or seen.tx_len_net == length % 4
            assert (seen.sent, seen.refused) == (ack and last and not drop, ack and last and drop)
            met["cut, and only the rest is dropped"] += bool(ack and last and taken and drop and not dropped)
            met["the other way round"] += bool(ack and last and taken and not drop and dropped)
            dropped = drop if ack else dropped
            taken += [seen.tx_data_net] * ack
            cycle += 1
            if ack and last:
                break
        else:
            met["reset in mid-order"] += 1
            await stepper.reset(tx_ack_net=rng.getrandbits(1), start=rng.getrandbits(1))
            stepper.set(start=0)
            await step()
            continue
        for _ in range(AGAIN + 1):  # a start does not come in them, a trigger is busy
            seen = await step(tx_ack_net=rng.getrandbits(1))
            assert seen.busy and not (seen.sending or seen.sent or seen.refused or seen.tx_sof_net)
    assert len(met) == 4 and all(count > 20 for count in met.values()), met


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_order_send(test):
    source = Path(__file__).resolve().parents[1] / "rtl" / "order_send.sv"
    Bench("order_send", [source]).run("test_order_send", test)
