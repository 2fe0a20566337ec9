# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_sack_parse alone: one segment's options after another's, right and wrong."""

import os

import cocotb
import pytest

from toe_raw_bed import toe_sources
from ullnic_tb import Bench, Stepper, cocotb_tests, seeded

END, NOP, SACK = 0, 1, 5
LONGEST = 40  # octets of a header's options
BLOCK = 8


def blocks(options: bytes) -> list[bytes]:
    """RFC 9293, 3.1, and RFC 2018, 3; of two SACK options the first counts."""
    at, found = 0, []
    while at < len(options) and options[at] != END:
        if options[at] == NOP:
            at += 1
            continue
        size = options[at + 1] if at + 1 < len(options) else 0
        if not 2 <= size <= LONGEST or at + size > len(options):
            break
        value = options[at + 2 : at + size]
        if options[at] == SACK and not found and len(value) in (BLOCK, 2 * BLOCK, 3 * BLOCK, 4 * BLOCK):
            found = [value[i : i + BLOCK] for i in range(0, len(value), BLOCK)]
        at += size
    return found


def drawn(rng) -> bytes:
    """Any options, with a multiple of 4 octets."""
    parts = []
    while sum(map(len, parts)) < LONGEST - 2:
        kind = rng.choice((SACK, SACK, SACK, NOP, NOP, END, 2, 8, rng.randrange(256)))
        right = rng.randrange(5) * BLOCK + 2
        size = right if rng.random() < 0.8 else rng.choice((0, 1, 9, 11, 36, 40, 41, 255))
        part = bytes([kind]) if kind in (END, NOP) else bytes([kind, size]) + rng.randbytes(min(size, 38))[2:]
        parts.append(part)
        if rng.random() < 0.3:
            break
    options = b"".join(parts)[:LONGEST]
    return options[: len(options) // 4 * 4] if rng.random() < 0.2 else options.ljust(-(-len(options) // 4) * 4, b"\0")


@cocotb.test()
async def segments(dut):
    """What each has, whatever came before; also if a reset ends the one before."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bench = Stepper(dut, ("busy", "count", "blocks"))
    await bench.reset(start=0, octets_valid=0, octets=0)
    counts = set()
    for _ in range(400):
        options = drawn(rng)
        cut = rng.randrange(len(options) // 2 + 1) if rng.random() < 0.1 else None
        await bench.step(start=1)
        bench.set(start=0)
        for i in range(0, len(options), 2):
            while rng.random() < 0.2:
                await bench.step(octets_valid=0, octets=rng.getrandbits(16))
            await bench.step(octets_valid=1, octets=int.from_bytes(options[i : i + 2], "little"), rst=int(i == cut))
        bench.set(octets_valid=0, rst=0)
        seen = await bench.step()
        while seen.busy:
            seen = await bench.step()
        wanted = blocks(options)
        if cut is not None:
            continue
        assert seen.count == len(wanted), options.hex()
        assert [(seen.blocks >> 64 * i & (1 << 64) - 1).to_bytes(BLOCK) for i in range(len(wanted))] == wanted
        counts.add(len(wanted))
    assert counts == {0, 1, 2, 3, 4}


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_sack_parse(test):
    Bench("toe_sack_parse", toe_sources("toe_sack_parse")).run(__name__, test)
