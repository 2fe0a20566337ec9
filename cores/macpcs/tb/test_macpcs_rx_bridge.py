# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_rx_bridge, and macpcs_rx_pack in it: the octets of each frame in 32-bit words, each once, at the first
slow edge that can have it."""

import os

import cocotb
import pytest

from macpcs_beats import NO_BEAT, beat, fields
from ullnic_tb import Bench, Stepper, cocotb_tests, rtl, seeded

SOURCES = [path for path in rtl("macpcs") if path.stem in ("macpcs_pkg", "macpcs_rx_pack", "macpcs_rx_bridge")]


def beats16(octets: bytes, empty_end: bool) -> list[int]:
    words = [octets[i : i + 2] for i in range(0, len(octets), 2)]
    if not words or (empty_end and len(words[-1]) == 2):
        words.append(b"")
    return [
        beat(int.from_bytes(word.ljust(2, b"\xa5"), "little"), (1 << len(word)) - 1, i == len(words) - 1)
        for i, word in enumerate(words)
    ]


def line(rng, tight: bool):
    """(beat, status, sof) in each cycle, and the frames. Each frame has a cycle without a beat."""
    out, frames = [], []
    for _ in range(60):
        octets = rng.randbytes(rng.choice([*range(20), *range(20), 60, 61, 62, 63]))
        status = rng.getrandbits(4)
        frames.append((octets, status))
        beats = [
            (word, status if word >> 36 & 1 else rng.getrandbits(4)) for word in beats16(octets, rng.random() < 0.5)
        ]
        # A bubble anywhere before the last beat; more of them at random.
        cycles = list(beats)
        for _ in range(1 if tight else rng.choice([1, 2, 3, 20])):
            cycles.insert(rng.randrange(len(cycles)), (NO_BEAT, rng.getrandbits(4)))
        if not tight and rng.random() < 0.5:
            cycles = [(NO_BEAT, 0)] * rng.randrange(6) + cycles
        out += cycles
    sof_in, sofs = 0, []
    for _ in out:
        sofs.append(sof_in == 0 and rng.random() < 0.5)
        sof_in = 3 if sofs[-1] else max(sof_in - 1, 0)
    idle = [(NO_BEAT, 0, 0)] * 12
    return [(word, status, sof) for (word, status), sof in zip(out, sofs, strict=True)] + idle, frames


@cocotb.test()
async def frames(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = Stepper(dut, ["out", "out_status", "out_sof"])
    for phase in (0, 1):
        for tight in (False, True):
            await s.reset(**{"in": NO_BEAT}, in_status=0, sof=0, second=0)
            cycles, wanted = line(rng, tight)
            got, octets = [], b""
            half = False  # a half of the frame waits for its second
            shown = []  # slow edges at which words must be shown, in order
            sof_at = []
            for n, (word, status, sof) in enumerate(cycles):
                second = (n + phase) % 2 == 1
                out = await s.step(**{"in": word}, in_status=status, sof=sof, second=second)
                valid, last, _, _ = fields(word)
                # This cycle's word is in a register from n + 1 on: the first slow edge is at the end of n + 1 or n + 2,
                # and each slow edge shows one word.
                first_edge = n + 1 if not second else n + 2
                if valid and (half or last):
                    shown.append(max(first_edge, shown[-1] + 2 if shown else 0))
                    half = False
                elif valid:
                    half = True
                if sof:
                    sof_at.append(first_edge)
                if second:
                    assert out.out_sof == (n in sof_at)
                    valid, last, keep, data = fields(out.out)
                    assert valid == (n in shown)
                    if valid:
                        assert keep == 15 or (last and keep in (0, 1, 3, 7))
                        octets += data.to_bytes(4, "little")[: keep.bit_length()]
                        if last:
                            got.append((octets, out.out_status))
                            octets = b""
            assert got == wanted


@cocotb.test()
async def reset_drops(dut):
    """After a reset nothing is left of what came before it."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = Stepper(dut, ["out", "out_status", "out_sof"])
    for _ in range(60):
        await s.reset(1, **{"in": NO_BEAT}, in_status=0, sof=0, second=0)
        for n in range(8):
            word = {2: beat(0x1111, 3), 3: beat(0x2222, 3, True)}.get(n, NO_BEAT)
            out = await s.step(**{"in": word}, in_status=5, sof=0, second=n % 2)
            valid, last, keep, data = fields(out.out)
            if n % 2:
                assert not out.out_sof and valid == (n == 5)
                assert not valid or (last, keep, data, out.out_status) == (True, 15, 0x22221111, 5)
        for n in range(rng.randrange(1, 5)):
            last = rng.random() < 0.5
            await s.step(**{"in": beat(rng.getrandbits(16), 3, last)}, in_status=0, sof=1, second=n % 2)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_rx_bridge(test):
    Bench("macpcs_rx_bridge", SOURCES).run(__name__, test)
