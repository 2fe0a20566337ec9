# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_rx_preamble: each wrong octet that is checked is reported in its cycle, after starts in both lanes, and
nothing else is."""

import os

import cocotb
import pytest

from baser import HEADER_DATA, PREAMBLE, control_block
from macpcs_rx_schedule import cycles
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

WIDTH = parameter("WIDTH", 32)
BYTES = WIDTH // 8
HALF_END = 32 // WIDTH - 1  # slot
CHECKED = [bool(parameter("CHECK_PREAMBLE", 0))] * 6 + [bool(parameter("CHECK_SFD", 1))]
REPORTED = 1 if WIDTH == 32 else 2  # cycles after the one in which a word completes


def preamble(rng) -> bytes:
    octets = bytearray(PREAMBLE)
    if rng.random() < 0.6:
        octets[rng.randrange(7)] ^= rng.choice([1 << rng.randrange(8), rng.randrange(1, 256)])
    return bytes(octets)


@cocotb.test()
async def starts(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = Stepper(dut, ["bad"])
    # kind: 0 or 4 for a start in that lane, "d" data, "o" other; wrong: octets of the block's payload that are
    blocks, kinds, wrong, rest = [], [], [], None
    for _ in range(3000):  # so many that none of the octets is missed by chance
        kind = rng.choice(["d", "d", "o", 0, 4, 4])
        octets = preamble(rng)
        wrong.append(set())
        if kind == 0:
            blocks.append(control_block(0x78, int.from_bytes(octets, "little")))
            wrong[-1] = {1 + i for i in range(7) if CHECKED[i] and octets[i] != PREAMBLE[i]}
        elif kind == 4:
            type_ = rng.choice([0x33, 0x66])
            blocks.append(control_block(type_, int.from_bytes(octets[:3], "little") << 32 | rng.getrandbits(32)))
            wrong[-1] = {5 + i for i in range(3) if CHECKED[i] and octets[i] != PREAMBLE[i]}
        elif kind == "d":
            payload = (rest or rng.randbytes(4)) + rng.randbytes(4)
            blocks.append(HEADER_DATA | int.from_bytes(payload, "little") << 2)
            if rest:
                wrong[-1] = {i for i in range(4) if CHECKED[3 + i] and rest[i] != PREAMBLE[3 + i]}
        else:
            blocks.append(control_block(0x1E, rng.getrandbits(56)))
        rest = octets[3:] if kind == 4 else None
        kinds.append(kind)
    await s.reset(start=0, start_lane4=0, half_of_lane4=0, word_q=0)
    want, reported, before, seen = {}, 0, (0, None), set()
    schedule = cycles(66 * len(blocks) // WIDTH - 8, rng.randrange(66), WIDTH)
    for n, cycle in enumerate(schedule):
        place = cycle.place
        word, block = rng.getrandbits(WIDTH), None
        if place is not None and place.block >= 0:
            block = place.block
            word = blocks[block] >> 2 + WIDTH * place.pos & (1 << WIDTH) - 1
            mine = range(BYTES * place.pos, BYTES * (place.pos + 1))
            if wrong[block] & {*mine}:
                want[n + REPORTED] = block
        at = 1 if WIDTH == 32 else 2  # slot in which the start is reported
        start = block is not None and place.pos == at and kinds[block] in (0, 4)
        out = await s.step(
            start=start,
            start_lane4=kinds[block] == 4 if start else rng.getrandbits(1),
            half_of_lane4=block is not None
            and block > 0
            and kinds[block - 1] == 4
            and kinds[block] == "d"
            and place.pos == HALF_END,
            word_q=before[0],
        )
        assert out.bad == (n in want), f"cycle {n}, block {before[1]}: {want.get(n)}"
        reported += out.bad
        if n in want:
            seen |= {(kinds[want[n]], i) for i in wrong[want[n]]}
        before = word, block
    assert reported >= 15 * sum(CHECKED)
    # In the start block of lane 0; in that of lane 4; in the block after that.
    assert len(seen) == sum(CHECKED) + sum(CHECKED[:3]) + sum(CHECKED[3:]), "not every octet was wrong"


@pytest.mark.parametrize("width", main_and_kept(__file__, [32, 16]))
@pytest.mark.parametrize("preamble_checked, sfd_checked", [(0, 0), (0, 1), (1, 0), (1, 1)])
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_rx_preamble(width, preamble_checked, sfd_checked, test):
    parameters = {"WIDTH": width, "CHECK_PREAMBLE": preamble_checked, "CHECK_SFD": sfd_checked}
    Bench("macpcs_rx_preamble", rtl("common", "macpcs"), parameters).run(__name__, test)
