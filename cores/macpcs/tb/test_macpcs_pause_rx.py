# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""macpcs_pause_rx: PAUSE frames among others, good and bad, with every latency of the verdict."""

import os

import cocotb
import pytest

from baser import fcs
from macpcs_beats import NO_BEAT, beat, fields
from macpcs_pause import MULTICAST, pause_frame, pause_quanta
from ullnic_tb import Bench, Stepper, cocotb_tests, main_and_kept, parameter, rtl, seeded

WIDTH = parameter("WIDTH", 32)
LATENCY = parameter("LATENCY", 1)
PULSE = 5  # cycles after the last beat
OCTETS = WIDTH // 8


def beats(octets: bytes, empty_end: bool) -> list[int]:
    words = [octets[i : i + OCTETS] for i in range(0, len(octets), OCTETS)]
    if not words or (empty_end and len(words[-1]) == OCTETS):
        words.append(b"")
    return [
        beat(int.from_bytes(word.ljust(OCTETS, b"\x5a"), "little"), (1 << len(word)) - 1, i == len(words) - 1)
        for i, word in enumerate(words)
    ]


def some_frame(rng, own: bytes) -> bytes:
    """A PAUSE frame, or one that nearly is."""
    frame = bytearray(pause_frame(rng.getrandbits(16), rng.randbytes(6), rng.choice([MULTICAST, own])))
    match rng.randrange(8):
        case 0:
            frame[rng.randrange(18)] ^= 1 << rng.randrange(8)
        case 1:
            frame[:6] = rng.choice([own[:3] + MULTICAST[3:], MULTICAST[:2] + own[2:], own[:5] + MULTICAST[5:]])
        case 2:
            frame = bytearray(rng.randbytes(rng.randrange(60, 100)))
        case 3:
            frame = frame[: rng.randrange(61)]
        case 4:
            frame += rng.randbytes(rng.randrange(40))
        case 5:
            frame[12:16] = frame[12:16][::-1]
    return bytes(frame)


@cocotb.test()
async def finds_pause_frames(dut):
    """Also with resets, after which nothing comes of what has begun before."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = Stepper(dut, ["pause", "quanta"])
    kinds = set()
    for _ in range(4):
        own = rng.randbytes(6)
        await s.reset(beat=NO_BEAT, status_valid=0, status=0, own_address=int.from_bytes(own, "big"))
        timeline, want = [], {}
        for n in range(2000):
            if n >= 120 and len(want) > 30:
                break
            frame = some_frame(rng, own)
            # The quanta may be neither FCS nor in the last word: so long must a good frame be, or shorter than that.
            good = not 14 <= len(frame) < 18 and rng.random() < 0.8
            status = 0 if good else rng.randrange(1, 16)
            gap_rate = rng.choice([0, 0, 0.3])
            for one in beats(frame + fcs(frame), rng.random() < 0.5):
                while rng.random() < gap_rate:
                    timeline.append((NO_BEAT ^ rng.getrandbits(37), None))
                timeline.append((one, None))
            timeline[-1] = (timeline[-1][0], status)
            quanta = pause_quanta(frame, own)
            kinds.add((good, quanta is None))
            if good and quanta is not None:
                want[len(timeline) - 1 + PULSE] = quanta
            timeline += [(NO_BEAT ^ rng.getrandbits(37), None)] * rng.choice([0, 0, 1, 2, 5])
        timeline += [(NO_BEAT, None)] * 10
        latest, verdicts, inside, cut, since = None, {}, False, False, PULSE
        for n, (one, status) in enumerate(timeline):
            valid, last, *_ = fields(one)
            if valid and cut:  # the rest of a frame in which there was a reset does not come
                one, status, cut = NO_BEAT, None, not last
                if last:
                    want.pop(n + PULSE, None)
            elif valid:
                inside = not last
            since = 0 if valid and last else since + 1
            verdicts[n + LATENCY] = status
            status = verdicts.pop(n, None)
            rst = rng.random() < (0.03 if since < PULSE else 0.004)
            out = await s.step(
                beat=one,
                status_valid=status is not None,
                status=rng.choice([0, rng.getrandbits(4)]) if status is None else status,
                rst=rst,
            )
            assert bool(out.pause) == (n in want), n
            latest = want.get(n, latest)
            assert latest in (None, out.quanta)
            if rst:
                latest, verdicts, inside, cut = None, {}, False, cut or inside
                for late in range(n + 1, n + PULSE + 1):
                    want.pop(late, None)
        assert len(want) > 20
    assert len(kinds) == 4


@cocotb.test()
async def quanta_stays(dut):
    """quanta does not change between pulses, whatever frames come and however bad they are."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = Stepper(dut, ["pause", "quanta"])
    own = rng.randbytes(6)
    await s.reset(beat=NO_BEAT, status_valid=0, status=0, own_address=int.from_bytes(own, "big"))
    seen, pulses, late = None, 0, [None] * 4
    for _ in range(200):
        frame, bad = pause_frame(rng.getrandbits(16), rng.randbytes(6)), rng.random() < 0.5
        for one in beats(frame + fcs(frame), True) + [NO_BEAT] * rng.randrange(3):
            late = [bad if one >> 36 == 3 else None, *late[:3]]
            verdict = late[LATENCY]
            out = await s.step(beat=one, status_valid=verdict is not None, status=8 * bool(verdict))
            if out.pause:
                seen, pulses = out.quanta, pulses + 1
            assert seen in (None, out.quanta)
    assert pulses > 50


@pytest.mark.parametrize("width, latency", main_and_kept(__file__, [(32, 1), (32, 0), (16, 2), (16, 1)]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_pause_rx(width, latency, test):
    sources = [path for path in rtl("macpcs") if path.stem in ("macpcs_pkg", "macpcs_pause_rx")]
    Bench("macpcs_pause_rx", sources, {"WIDTH": width, "LATENCY": latency}).run(__name__, test)
