# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_hash_pkg and toe_cuckoo.py are the same hash; with it toe_lookup's algorithm finds a place for each tuple."""

import os
from itertools import pairwise
from pathlib import Path

import cocotb
import numpy as np
import pytest
from cocotb.triggers import Timer

from toe_cuckoo import Tables, hashed, tuple_bits
from ullnic_tb import Bench, cocotb_tests, main_and_kept, parameter, rtl, seeded

WAYS = parameter("WAYS", 2)


@cocotb.test()
async def as_the_model(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    sizes = (32, 3, 32, 16, 16)
    values = [[0] * 5, *([int(i == j) << bit for j in range(5)] for i, n in enumerate(sizes) for bit in range(n))]
    values += [[rng.getrandbits(n) for n in sizes] for _ in range(1000)]
    expected = hashed(*np.array(values, np.uint64).T, WAYS)
    for i, (secret, *fields) in enumerate(values):
        dut.secret.value, dut.tuple.value = secret, tuple_bits(*fields)
        await Timer(1, "ns")
        place = int(dut.place.value)
        assert [place >> 9 * way & 0x1FF for way in range(WAYS)] == [int(of[i]) for of in expected]


@pytest.mark.parametrize("ways", main_and_kept(__file__, [2, 1, 4]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_hash(test, ways):
    stems = ("toe_pkg", "toe_hash_pkg", "toe_hash_peer", "toe_hash_own")
    sources = [path for path in rtl("toe") if path.stem in stems]
    bench = Path(__file__).with_name("toe_hash_bench.sv")
    Bench("toe_hash_bench", [*sources, bench], {"WAYS": ways}).run(__name__, test)


def tuples(kind: str, rng, tables: int, count: int):
    """Interface, peer's address and port, and local port, as chance, a network of hosts, or a stranger gives them."""

    def some(limit, columns=count):
        return rng.integers(0, limit, (tables, columns), np.uint64)

    one, each = np.zeros((tables, count), np.uint64), np.arange(count, dtype=np.uint64)
    address, low = np.uint64(0xFFFFFFFF), np.uint64(0xFFFF)
    match kind:
        case "chance":
            return some(8), some(1 << 32), some(1 << 16), some(1 << 16)
        case "a peer's ports":
            return one, one + some(1 << 32, 1), some(1 << 16, 1) + each & low, one + some(1 << 16, 1)
        case "every other port":
            return one, one + some(1 << 32, 1), some(1 << 16, 1) + np.uint64(2) * each & low, one + some(1 << 16, 1)
        case "peers in a row":
            return one, some(1 << 32, 1) + each & address, one + some(1 << 16, 1), one + some(1 << 16, 1)
        case "networks in a row":
            return one, some(1 << 32, 1) + (each << np.uint64(8)) & address, one + some(1 << 16, 1), one + np.uint64(80)
        case "both ports":
            return one, one + some(1 << 32, 1), some(1 << 16, 1) + each & low, some(1 << 16, 1) + each & low
        case "our ports":
            return one, one + some(1 << 32, 1), one + some(1 << 16, 1), some(1 << 16, 1) + each & low


KINDS = (
    "chance",
    "a peer's ports",
    "every other port",
    "peers in a row",
    "networks in a row",
    "both ports",
    "our ports",
)


def fill(kind: str, sessions: int, fills: int, rng, churn: int = 0) -> Tables:
    """Full tables, each with its own secret; then `churn` tuples more, each in the place of one that leaves."""
    ways, count = 2 if sessions <= 128 else 4, sessions + churn
    fields = tuples(kind, rng, fills, count)
    secret = rng.integers(0, 1 << 32, (fills, 1), np.uint64)
    filled, all_tables = Tables(np.stack(hashed(secret, *fields, ways))), np.arange(fills)
    present = np.tile(np.arange(sessions), (fills, 1))
    for number in range(sessions):
        filled.insert(all_tables, present[:, number])
    for number in range(sessions, count):
        out = rng.integers(0, sessions, fills)
        filled.remove(all_tables, present[all_tables, out])
        present[all_tables, out] = number
        filled.insert(all_tables, present[all_tables, out])
    assert (filled.held() == sessions).all() or filled.refused.any()
    return filled


# Full tables that refused a tuple. Two ways of 512 places for 128 tuples: with the worst kind, networks in a row, 7 of
# 600,000 did, so with 2,000 three are met once in half a million runs.
MOST_REFUSING = {64: 0, 128: 2, 1024: 0}


@pytest.mark.parametrize("sessions, fills, churn", [(64, 20_000, 0), (64, 200, 500), (128, 2000, 0), (1024, 100, 100)])
@pytest.mark.parametrize("kind", KINDS)
def test_place_for_each(kind, sessions, fills, churn):
    """A full table of 64 or 1,024 refuses no tuple, one of 128 hardly ever: more than STASH in the stash are rare."""
    rng = np.random.default_rng(seeded(f"{kind}, {sessions}").getrandbits(64))
    sizes = [*range(0, fills, 5000), fills]
    runs = [fill(kind, sessions, end - begin, rng, churn) for begin, end in pairwise(sizes)]
    aside, refusing = sum(run.put_aside for run in runs), sum(np.count_nonzero(run.refused) for run in runs)
    print(f"{fills} fills: {aside} put aside, {refusing} refuse, {max(run.longest for run in runs)} kicks at most")
    assert refusing <= MOST_REFUSING[sessions]


def test_model_refuses():
    """Six tuples with one place in each of two ways: two places, two aside, two refused."""
    full = Tables(np.zeros((2, 1, 6), np.uint16))
    for number in range(6):
        full.insert(np.zeros(1, np.int64), np.array([number]))
    assert (full.put_aside, full.refused.tolist()) == (2, [2])
    assert full.held().tolist() == [4]
