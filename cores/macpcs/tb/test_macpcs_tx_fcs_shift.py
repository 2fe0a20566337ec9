# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_tx_fcs_shift: frames of any length against zlib, the FCS taken off by one and two bytes, then zeros."""

import os
import zlib

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, cocotb_tests, rtl, seeded


@cocotb.test()
async def frames(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = Stepper(dut, ["fcs"])
    idle = dict.fromkeys(("init", "feed_two", "feed_one", "shift_one", "shift_two"), 0)

    async def pauses():
        while rng.random() < 0.2:
            await s.step(step=0, **idle | {rng.choice(["feed_two", "feed_one", "shift_one", "shift_two"]): 1})
        while rng.random() < 0.1:
            await s.step(step=1, **idle)

    s.set(data=0, invert=1)
    for length in [*range(1, 70), *(rng.randrange(1, 300) for _ in range(60))]:
        octets, invert = rng.randbytes(length), rng.choice([1, 1, 0])
        for _ in range(rng.randrange(1, 4)):
            await s.step(step=1, **idle | {"init": 1}, data=rng.getrandbits(16), invert=rng.getrandbits(1))
        for at in range(0, length, 2):
            word = octets[at : at + 2]
            s.set(invert=rng.getrandbits(1) if at + 2 < length else invert)
            await pauses()
            feed = "feed_one" if len(word) == 1 else "feed_two"
            await s.step(step=1, **idle | {feed: 1}, data=int.from_bytes(word, "little"))
        want = zlib.crc32(octets) ^ (0 if invert else 0xFFFFFFFF)
        want, got = want.to_bytes(4, "little") + bytes(6), b""
        while len(got) < 8:
            n = rng.choice([1, 2])
            s.set(data=rng.getrandbits(16))
            await pauses()
            out = await s.step(step=1, **idle | {"shift_one" if n == 1 else "shift_two": 1})
            got += out.fcs.to_bytes(2, "little")[:n]
            assert got == want[: len(got)], f"{length} bytes, invert {invert}"


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_tx_fcs_shift(test):
    Bench("macpcs_tx_fcs_shift", rtl("common", "macpcs")).run(__name__, test)
