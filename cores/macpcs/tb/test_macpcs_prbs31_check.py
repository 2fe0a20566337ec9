# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_prbs31_check: counts wrong bits as clause 49.2.12 wants it, word by word, and is not fooled by a dead line."""

import os

import cocotb
import pytest

from macpcs_prbs31 import Prbs31
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

WIDTH = parameter("WIDTH", 32)
LATENCY = {16: 7, 32: 8}[WIDTH]


def words_of(line: int, n: int):
    return [line >> WIDTH * i & (1 << WIDTH) - 1 for i in range(n)]


async def count(dut, words, enable=None) -> list[int]:
    """Errors of each word; those of the first ones mean nothing, the module has no history for them."""
    s = Stepper(dut, ["errors"])
    enable = enable or [1] * len(words)
    out = []
    for word, on in zip([*words, *[0] * LATENCY], [*enable, *[0] * LATENCY], strict=True):
        out.append((await s.step(data=word, enable=on)).errors)
    return out[LATENCY:]


@cocotb.test()
async def isolated_errors(dut):
    """One count for each wrong bit, in its word."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    n_words = 2000
    line = Prbs31(rng.randrange(2**31 - 1)).bits(n_words * WIDTH)
    want, at = [0] * n_words, 200
    while at < n_words * WIDTH - 200:
        line ^= 1 << at
        want[at // WIDTH] += 1
        at += 63 + rng.randrange(60)  # all three mismatches of one are over before the next
    got = await count(dut, words_of(line, n_words))
    settle = 100 // WIDTH
    assert got[settle:] == want[settle:] and sum(want) > 200


@cocotb.test()
async def bursts(dut):
    """Up to three wrong bits next to each other: exact."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    n_words = 3000
    line = Prbs31(rng.randrange(2**31 - 1)).bits(n_words * WIDTH)
    want, at = [0] * n_words, 200
    while at < n_words * WIDTH - 300:
        for i in range(rng.randrange(1, 4)):
            line ^= 1 << at + i
            want[(at + i) // WIDTH] += 1
        at += 90 + rng.randrange(60)
    got = await count(dut, words_of(line, n_words))
    settle = 100 // WIDTH
    assert got[settle:] == want[settle:]


@cocotb.test()
async def good_line(dut):
    """No false counts: from anywhere in the pattern, once 62 bits have been seen, nor when enable changes."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for _ in range(5):
        n_words = 300
        before = rng.getrandbits(20 * WIDTH)  # something else
        line = before | Prbs31(rng.randrange(2**31 - 1)).bits(n_words * WIDTH) << 20 * WIDTH
        got = await count(dut, words_of(line, n_words + 20))
        assert any(got[:20]) and not any(got[20 + 96 // WIDTH :])
        enable = [rng.getrandbits(1) for _ in range(n_words)]
        line = Prbs31(rng.randrange(2**31 - 1)).bits(n_words * WIDTH)
        line ^= 1 << WIDTH * 100 + 3
        enable[98:104] = rng.choice([[1, 1, 1, 1, 1, 1], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]])
        got = await count(dut, words_of(line, n_words), enable)
        assert [n for n in range(96 // WIDTH, n_words) if got[n]] == ([100] if enable[100] else [])
        assert got[100] == enable[100]


@cocotb.test()
async def no_pattern(dut):
    """Dead lines, and lines with something else on them: at least one error in any 1000 bits."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    n_words = 600
    mask = (1 << WIDTH) - 1
    for words in (
        [0] * n_words,
        [mask] * n_words,
        [0x5555_5555 & mask] * n_words,
        [rng.getrandbits(WIDTH)] * n_words,
        [rng.getrandbits(WIDTH) for _ in range(n_words)],
        words_of(Prbs31(1).bits(n_words * WIDTH) ^ (1 << n_words * WIDTH) - 1, n_words),  # not inverted
    ):
        got = (await count(dut, words))[4:]
        window = 1000 // WIDTH
        assert all(any(got[i : i + window]) for i in range(len(got) - window))
        assert max(got) <= WIDTH


@cocotb.test()
async def long_run_of_ones(dut):
    """30 ones in a row are part of the pattern (31 of the shift register's zeros are not): no error."""
    line = (1 << 31) - 2  # the next 31 bits of this history begin with what follows the longest run
    good = line | Prbs31(line).bits(400) << 31
    n_words = 431 // WIDTH
    got = await count(dut, words_of(good, n_words))
    assert not any(got[96 // WIDTH + 1 :])
    # The longest run itself, in the midst of what belongs to it: the recurrence backwards gives what comes before.
    bits = [line >> i & 1 for i in range(31)]
    for _ in range(100):
        bits.insert(0, 1 ^ bits[30] ^ bits[2])
    line = sum(bit << i for i, bit in enumerate(bits))
    line |= Prbs31(line >> 100).bits(300) << 131
    assert "1" * 30 in f"{line:b}" and "1" * 31 not in f"{line:b}"[:-3]
    for shift in range(0, WIDTH, 3):
        got = await count(dut, words_of(line >> shift, (400 - shift) // WIDTH))
        assert not any(got[96 // WIDTH :]), shift


@pytest.mark.parametrize("width", main_and_kept(__file__, [32, 16]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_prbs31_check(width, test):
    sources = [path for path in rtl("macpcs") if path.stem == "macpcs_prbs31_check"]
    Bench("macpcs_prbs31_check", sources, {"WIDTH": width}).run(__name__, test)
