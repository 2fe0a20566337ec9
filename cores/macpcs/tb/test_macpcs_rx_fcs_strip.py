# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_rx_fcs_strip: the last four bytes go, the status stays with its frame."""

import os

import cocotb
import pytest

from macpcs_beats import NO_BEAT, beats_of, fields
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

BYTES = parameter("WIDTH", 32) // 8


@cocotb.test()
async def frames(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = Stepper(dut, ["out", "out_status_valid", "out_status"])
    await s.reset(**{"in": NO_BEAT}, in_status=0)
    got, octets, wanted = [], b"", []

    async def cycle(beat, status, rst=0):
        nonlocal octets
        out = await s.step(**{"in": beat}, in_status=status, rst=rst)
        valid, last, keep, data = fields(out.out)
        assert out.out_status_valid == (valid and last)
        if valid:
            assert keep == (1 << BYTES) - 1 or (last and keep in (0, 1, 3, 7) and keep < 1 << BYTES)
            octets += data.to_bytes(4, "little")[: keep.bit_length()]
        if valid and last:
            got.append((octets, out.out_status))
            octets = b""
        if rst:
            octets = b""

    for n in rng.sample([*range(80)] * 4, 320):
        frame, status = rng.randbytes(n), rng.getrandbits(4)
        beats = beats_of(frame, rng.random() < 0.5, BYTES)
        if rng.random() < 0.2:  # a reset in it, or with its last word
            for beat in beats[: rng.randrange(len(beats))]:
                await cycle(beat, rng.getrandbits(4))
            await cycle(rng.choice([NO_BEAT, beats[-1]]), rng.getrandbits(4), rst=1)
            del got[len(wanted) :]  # the last word may have left in the cycle of the reset
            continue
        wanted.append((frame[:-4], status))
        for beat in beats:
            while rng.random() < 0.1:
                await cycle(NO_BEAT, rng.getrandbits(4))
            await cycle(beat, status if beat >> 36 & 1 else rng.getrandbits(4))
        # A beat may follow the last one at once only where that was empty.
        for _ in range(rng.choice([0, 0, 1, 2, 5] if fields(beat)[2] == 0 else [1, 1, 2, 5])):
            await cycle(NO_BEAT, rng.getrandbits(4))
    await cycle(NO_BEAT, 0)
    assert got == wanted


@pytest.mark.parametrize("width", main_and_kept(__file__, [32, 16]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_rx_fcs_strip(width, test):
    Bench("macpcs_rx_fcs_strip", rtl("common", "macpcs"), {"WIDTH": width}).run(__name__, test)
