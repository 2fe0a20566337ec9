# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_tx_frame and macpcs_tx_frame16: their payload words, put together to blocks and read by the strict decoder."""

import os

import cocotb
import pytest

from baser import HEADER_CTRL, HEADER_DATA, IDLE_BLOCK, PREAMBLE, START, encode, fcs
from baser_gearbox import slot_of, starts
from baser_rx import decode
from macpcs_bench import words_of
from ullnic_tb import Bench, Stepper, cocotb_tests, parameter, rtl, seeded

WIDTH = 16 if "tx_frame16" in os.environ.get("ULLNIC_TEST_NAME", "") else 32
BYTES = WIDTH // 8
WORDS = 64 // WIDTH  # of a block's payload
TICKS = 32 // WIDTH  # cycles in the time of four bytes
AHEAD = WIDTH == 16  # payload words are handed on a slot earlier
PADDING = parameter("PADDING_SIZE", 64)
OUTPUTS = [
    "s_axis_tready",
    "start0",
    "start4",
    "offer0_next",
    "offer4_next",
    "payload_next",
    "control_next",
    "stat_tx_frame",
    "stat_tx_error",
    "stat_tx_underrun",
]
START0 = encode([START, *PREAMBLE])
START4 = encode([0x107] * 4 + [START, *PREAMBLE[:3]])


async def run(dut, beats, n_words: int):
    """Plays (valid, data, keep, last, user) beats, each held until it is taken; blocks and the counts of the pulses."""
    s = Stepper(dut, OUTPUTS)
    idle = {"s_axis_tvalid": 0, "s_axis_tdata": 0, "s_axis_tkeep": 0, "s_axis_tlast": 0, "s_axis_tuser": 0}
    pos_next = {"pos_next": 0} if WIDTH == 16 else {}
    await s.reset(slot=WORDS - 1, block_next=1, step=1, step_next=1, stop=0, send_rf=0, **pos_next, **idle)
    places = starts(WIDTH, n_words + 2)
    pulses = {"frame": 0, "error": 0, "underrun": 0}
    handed, taken, offers = {}, {}, (0, 0)  # (block, pos) -> payload word and control; block -> start
    beats = iter(beats)
    beat = next(beats)
    for n in range(1, n_words):
        here, next_ = places[n - 1], places[n]
        names = ("s_axis_tvalid", "s_axis_tdata", "s_axis_tkeep", "s_axis_tlast", "s_axis_tuser")
        out = await s.step(
            slot=slot_of(here),
            block_next=next_ is not None and next_.pos == 0,
            step=next_ is not None,
            step_next=places[n + 1] is not None,
            **{name: 0 if next_ is None else next_.pos for name in pos_next},
            **dict(zip(names, beat, strict=True)),
        )
        for name in pulses:
            pulses[name] += getattr(out, f"stat_tx_{name}")
        assert not (out.start0 and out.start4)
        assert out.start0 <= offers[0] and out.start4 <= offers[1], "a start that was not on offer"
        offers = out.offer0_next, out.offer4_next
        if out.start0 or out.start4:
            assert here.pos == 0
            taken[here.block] = START0 if out.start0 else START4
        if next_ is not None:
            handed[divmod(WORDS * next_.block + next_.pos + AHEAD, WORDS)] = out.payload_next, out.control_next
        if not beat[0] or out.s_axis_tready:
            beat = next(beats, (0, 0, 0, 0, 0))
    blocks = []
    for number in range(1, next(place.block for place in places[n_words - 2 * WORDS :: -1] if place)):
        words = [handed[number, pos] for pos in range(WORDS)]
        block = (HEADER_CTRL if words[0][1] else HEADER_DATA) | sum(
            word << 2 + WIDTH * pos for pos, (word, _) in enumerate(words)
        )
        if number in taken:
            start, idle_block = taken[number], IDLE_BLOCK
            if WIDTH == 16:  # the fourth word comes late enough to hold the start's
                idle_block |= start >> 50 << 50
            assert block == idle_block, "a start is laid over what must be an idle block"
            block = start
        blocks.append(block)
    return decode(blocks), pulses


def padded(octets: bytes) -> bytes:
    return octets + bytes(max(0, PADDING - 4 - len(octets)))


def beats_of(octets: bytes):
    words = words_of(octets, BYTES)
    return [(1, data, keep, i == len(words) - 1, 0) for i, (data, keep) in enumerate(words)]


@cocotb.test()
async def frames(dut):
    """Every length to 80 and some more, with and without idles between."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    payloads = [rng.randbytes(n) for n in [*range(1, 81), *(rng.randrange(81, 300) for _ in range(10))]]
    rng.shuffle(payloads)
    beats = []
    for payload in payloads:
        junk = 0, rng.getrandbits(WIDTH), rng.getrandbits(BYTES), rng.getrandbits(1), rng.getrandbits(1)
        beats += [junk] * rng.choice([0, 0, 1, 7, 30])
        beats += beats_of(payload)
    received, pulses = await run(dut, beats, 4500 * TICKS)
    assert not received.violations
    assert [f.octets for f in received.frames] == [padded(p) + fcs(padded(p)) for p in payloads]
    assert pulses == {"frame": len(payloads), "error": 0, "underrun": 0}


@cocotb.test()
async def failing_user(dut):
    """tuser, illegal tkeep or an underrun on a random word: the FCS is the complement of the right one."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    beats, kinds = [], []
    for _ in range(80):
        frame = beats_of(rng.randbytes(rng.randrange(5, 150)))
        kind, at = rng.choice(["tuser", "tkeep", "underrun"]), rng.randrange(len(frame))
        if kind == "tuser":
            frame[at] = (*frame[at][:4], 1)
        elif kind == "tkeep":
            illegal = [keep for keep in range(1 << BYTES) if keep & keep + 1 or not keep]
            frame[at] = (1, frame[at][1], rng.choice(illegal), *frame[at][3:])
        else:
            # A stall cycle asks for no word: three cycles without one are sure to hold one that does.
            frame[max(at, 1) : max(at, 1)] = [
                (0, rng.getrandbits(WIDTH), rng.getrandbits(BYTES), rng.getrandbits(1), 0)
            ] * 3
        kinds.append(kind)
        good = rng.randbytes(64)
        beats += [*frame, *[(0, 0, 0, 0, 0)] * rng.choice([0, 5]), *beats_of(good)]
        kinds.append(good)
    received, pulses = await run(dut, beats, 9000 * TICKS)
    assert not received.violations and len(received.frames) == len(kinds)
    for frame, kind in zip(received.frames, kinds, strict=True):
        if isinstance(kind, bytes):
            assert frame.good and frame.payload == kind
        else:
            assert bytes(b ^ 0xFF for b in fcs(frame.payload)) == frame.octets[-4:]
    assert pulses == {"frame": len(kinds), "error": len(kinds) // 2, "underrun": kinds.count("underrun")}


@cocotb.test()
async def waiting_frames(dut):
    """Every length to ten more than is padded, each frame on offer before its gap ends: 12 bytes of it on average."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    payloads = [rng.randbytes(n) for n in rng.sample(range(1, PADDING + 11), PADDING + 10)]
    words = sum(max(PADDING, len(p) + 4) + 20 for p in payloads) // 4 * 33 // 32
    received, pulses = await run(dut, [beat for p in payloads for beat in beats_of(p)], (words + 60) * TICKS)
    assert not received.violations
    assert [f.octets for f in received.frames] == [padded(p) + fcs(padded(p)) for p in payloads]
    assert pulses == {"frame": len(payloads), "error": 0, "underrun": 0}
    gaps = [f.gap_chars for f in received.frames[1:]]
    for k in range(1, len(gaps) + 1):
        assert 0 <= 12 * k - sum(gaps[:k]) <= 3, f"gaps {gaps[:k]}"


@pytest.mark.parametrize("top", ["macpcs_tx_frame", "macpcs_tx_frame16"])
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_tx_frame(top, test):
    Bench(top, rtl("common", "macpcs")).run(__name__, test)


@pytest.mark.parametrize(("top", "padding"), [("macpcs_tx_frame", 60), ("macpcs_tx_frame16", 16)])
def test_padding(top, padding):
    Bench(top, rtl("common", "macpcs"), {"PADDING_SIZE": padding}).run(__name__, "waiting_frames")
