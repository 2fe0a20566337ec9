# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""MAC_TX_AMEND_ENABLE: words that are changed by bits which come with the next word, against frames and FCS of zlib."""

import cocotb
import pytest

from baser import fcs
from macpcs_bench import MacpcsBench, TxScript, words_of
from macpcs_configs import AMEND_CONFIGS, macpcs
from test_macpcs_tx import END, PADDING, SETTLE, Line, assert_gaps, assert_sent, complement, padded
from ullnic_tb import cocotb_tests, main_and_kept, parameter

BEHIND = 8  # bytes, padding counted, that follow a word which may be changed


def changeable(octets: bytes) -> int:
    """The first so many words."""
    return min((len(padded(octets)) - BEHIND) // 4, (len(octets) - 1) // 4)


def hand_in(script: TxScript, rng, octets: bytes, changed: dict[int, int], user_at: int = -1) -> None:
    """A frame whose word i is given wrong by changed[i], which comes with the next word; junk with the first one."""
    words = words_of(octets)
    for i, (data, keep) in enumerate(words):
        amend = changed.get(i - 1, 0) if i else rng.getrandbits(32)
        script.word(data ^ changed.get(i, 0), keep, i == len(words) - 1, i == user_at, amend)


def random_changes(rng, octets: bytes) -> dict[int, int]:
    share = rng.choice((0.05, 0.3, 1.0))
    kind = rng.choice((lambda: rng.getrandbits(32), lambda: 1 << rng.randrange(32), lambda: 0xFFFFFFFF))
    return {i: kind() for i in range(changeable(octets)) if rng.random() < share}


@cocotb.test()
async def amended(dut):
    """Any bits of any word with eight bytes behind it, in frames of 1 to 130 bytes and some longer, near and apart."""
    bench = MacpcsBench(dut)
    rng = bench.rng
    lengths = [*range(1, 131)] * 3 + [rng.randrange(131, 2000) for _ in range(8)]
    rng.shuffle(lengths)
    handed, script, n_changed = [rng.randbytes(n) for n in lengths], TxScript().reset().idle(SETTLE), 0
    for octets in handed:
        for _ in range(rng.choice((0, 0, 1, 2, 7, 40, rng.randrange(80)))):
            script.junk(rng, amend=rng.getrandbits(32))
        changed = random_changes(rng, octets)
        n_changed += len(changed)
        hand_in(script, rng, octets, changed)
    line = Line(await bench.transmit(script.idle(END)))
    assert_sent(line, handed)
    assert_gaps(line.frames)
    assert n_changed > 1000


@cocotb.test()
async def each_bit(dut):
    """Each bit of the last word that may be changed, for each length of the last word: no bit's share is lost."""
    bench = MacpcsBench(dut)
    script, handed = TxScript().reset().idle(SETTLE), []
    for n in range(PADDING - 4, PADDING):
        for bit in range(32):
            handed.append(bench.rng.randbytes(n))
            hand_in(script, bench.rng, handed[-1], {changeable(handed[-1]) - 1: 1 << bit})
    assert_sent(Line(await bench.transmit(script.idle(END))), handed)


@cocotb.test()
async def too_near_to_the_end(dut):
    """A change with fewer than eight bytes behind it: the frame leaves with a wrong FCS, whatever the bits, and the
    next one is right."""
    bench = MacpcsBench(dut)
    rng = bench.rng
    script, frames = TxScript().reset().idle(SETTLE), []
    for n in range(PADDING - 3, PADDING + 40):
        for at in range((n - BEHIND) // 4, (n - 1) // 4):
            octets, after = rng.randbytes(n), rng.randbytes(rng.randrange(1, 90))
            hand_in(script, rng, octets, {at: rng.choice((1 << rng.randrange(32), rng.randrange(1, 1 << 32)))})
            hand_in(script, rng, after, random_changes(rng, after))
            frames += [(octets, False), (after, True)]
    line = Line(await bench.transmit(script.idle(END))).clean()
    assert len(line.frames) == len(frames) > 50
    for frame, (octets, good) in zip(line.frames, frames, strict=True):
        assert frame.payload == padded(octets) and frame.good == good


@cocotb.test()
async def with_errors(dut):
    """tuser on any word of a frame that is changed: the FCS is the complement of the right one. An underrun: the frame
    is cut with a wrong FCS, and the next one is right."""
    bench = MacpcsBench(dut)
    rng = bench.rng
    script, frames = TxScript().reset().idle(SETTLE), []
    for _ in range(150):
        octets = rng.randbytes(rng.randrange(5, 150))
        words = len(words_of(octets))
        changed = random_changes(rng, octets)
        if rng.random() < 0.5:
            hand_in(script, rng, octets, changed, user_at=rng.randrange(words))
            frames.append((octets, None))
        else:
            at = rng.randrange(1, words)
            changed = {i: bits for i, bits in changed.items() if i < at - 1}
            for i, (data, keep) in enumerate(words_of(octets)[:at]):
                script.word(data ^ changed.get(i, 0), keep, False, False, changed.get(i - 1, 0))
            # With a register stage words wait there: time in which none has to come.
            for _ in range(SETTLE + 60 if parameter("MAC_TX_LATENCY_MODE", 0) else 1):
                script.missing()
            script.word(rng.getrandbits(32), last=True)
            frames.append((octets[: 4 * at], at))
        after = rng.randbytes(rng.randrange(1, 90))
        hand_in(script, rng, after, random_changes(rng, after))
        frames.append((after, 0))
    line = Line(await bench.transmit(script.idle(END))).clean()
    assert len(line.frames) == len(frames)
    for frame, (octets, fate) in zip(line.frames, frames, strict=True):
        if fate == 0:
            assert frame.good and frame.payload == padded(octets)
        elif fate is None:
            assert not frame.good and frame.payload == padded(octets)
            assert frame.octets[-4:] == complement(fcs(frame.payload))
        else:
            assert not frame.good and frame.payload.startswith(octets)
    assert line.count("error") == sum(fate != 0 for _, fate in frames)


@pytest.mark.parametrize("config", main_and_kept(__file__, AMEND_CONFIGS))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_macpcs_tx_amend(test, config):
    macpcs(config).run(__name__, test)
