# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A MAC of 64 bits: words in halves and halves in words, against queues; at a line's rate, in bursts, and too much."""

import os
from collections import deque

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, rtl, seeded

DEPTH = 32
# Words of the longest burst: half of them leave while it comes. Two places are kept for what ends a frame, so the last
# but one is accepted if it finds no more than DEPTH - 3 words.
LONGEST = 2 * (DEPTH - 2) + 1
RECEIVED = ("m_axis_tdata", "m_axis_tkeep", "m_axis_tvalid", "m_axis_tlast", "m_status_valid", "m_status_good")
SENT = ("s_axis_tready", "m_axis_tdata", "m_axis_tkeep", "m_axis_tvalid", "m_axis_tlast", "m_axis_tuser")


def words_of(octets: bytes, width: int):
    for at in range(0, max(len(octets), 1), width):
        part = octets[at : at + width]
        yield int.from_bytes(part, "little"), (1 << len(part)) - 1, at + width >= len(octets)


async def receive(dut, frames, pace):
    """Frames of (octets, good, cycles from the last word to the verdict, cycles to the next frame); what comes out:
    octets and verdict of each, and the delay of each frame's first half and of its verdict."""
    s = Stepper(dut, RECEIVED)
    idle = {"s_axis_tvalid": 0, "s_axis_tlast": 0, "s_status_valid": 0, "s_status_good": 0}
    await s.reset(2, **idle)
    begun, expected, got, octets, ended = deque(), deque(), [], bytearray(), True

    def see(out):
        nonlocal octets, ended
        if out.m_axis_tvalid:
            if ended and begun:
                got.append([None, None, s.cycle - begun.popleft(), None])
            octets += bytes(out.m_axis_tdata >> 8 * i & 255 for i in range(4) if out.m_axis_tkeep >> i & 1)
            assert out.m_axis_tlast or out.m_axis_tkeep == 15
            ended = bool(out.m_axis_tlast)
            if ended:
                got[-1][0], octets = bytes(octets), bytearray()
        if out.m_status_valid:
            assert ended and got[-1][1] is None, "the verdict is not behind its frame"
            got[-1][1], got[-1][3] = bool(out.m_status_good), s.cycle - expected.popleft()

    async def step(**inputs):
        cycle = s.cycle + 1
        if inputs.get("first"):
            begun.append(cycle)
        if inputs.get("s_status_valid"):
            expected.append(cycle)
        inputs.pop("first", None)
        see(await s.step(**(idle | inputs)))

    for octets_in, good, wait, gap in frames:
        first = True
        for data, keep, last in words_of(octets_in, 8):
            verdict = {"s_status_valid": 1, "s_status_good": int(good)} if last and wait == 0 else {}
            await step(
                s_axis_tdata=data, s_axis_tkeep=keep, s_axis_tvalid=1, s_axis_tlast=int(last), first=first, **verdict
            )
            first = False
            for _ in range(0 if last else pace()):
                await step()
        for i in range(1, gap + 1):
            await step(**({"s_status_valid": 1, "s_status_good": int(good)} if i == wait else {}))
    for _ in range(3 * DEPTH):
        await step()
    return got


@cocotb.test()
async def line(dut):
    """As a line gives them: whole, in order, at once."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    frames = []
    for size in [*range(0, 40), *(rng.randrange(60, 200) for _ in range(100))]:
        wait = rng.randrange(0, 3)
        frames.append((rng.randbytes(size), rng.random() < 0.7, wait, rng.choice((max(wait, 2), 3, 4, 9))))
    got = await receive(dut, frames, lambda: 1 if rng.random() < 0.97 else 2)
    assert len(got) == len(frames)
    for (octets, good, wait, _), (octets_out, verdict, late, late_verdict) in zip(frames, got, strict=True):
        assert (octets_out, verdict) == (octets, good)
        assert late == 1, "the first half"
        words = -(-max(len(octets), 1) // 4)
        assert late_verdict == (2 if (wait, words % 2) in ((0, 0), (1, 0)) else 1), (len(octets), wait)


@cocotb.test()
async def bursts(dut):
    """A frame of as many words as the FIFO has room for, a word a cycle; nothing is lost of any."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    sizes = [8 * LONGEST, *(rng.choice((60, 64, 100, 8 * LONGEST - rng.randrange(60))) for _ in range(40))]
    frames = [(rng.randbytes(size), True, 0, 80) for size in sizes]
    got = await receive(dut, frames, lambda: 0)
    assert [(octets, verdict) for octets, verdict, *_ in got] == [(octets, True) for octets, *_ in frames]


@cocotb.test()
async def too_much(dut):
    """A burst that is too long: that frame is bad, whatever its verdict; the next one is whole."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    sizes = (1000, 60, 8 * LONGEST + 1, 9000, 61)
    frames = [(rng.randbytes(size), True, wait, 100) for size in sizes for wait in (0, 1)]
    got = await receive(dut, frames, lambda: 0)
    assert [verdict for _, verdict, *_ in got] == [len(octets) < 100 for octets, *_ in frames]
    for (octets, *_), (octets_out, verdict, *_) in zip(frames, got, strict=True):
        assert octets == octets_out if verdict else len(octets_out) < len(octets)


@cocotb.test()
async def send(dut):
    """Frames of every length to a MAC that is ready in one cycle of two, or at any time: whole, and to the
    first one without a pause."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = Stepper(dut, SENT)
    await s.reset(2, s_axis_tvalid=0, s_axis_tlast=0, s_axis_tuser=0, m_axis_tready=0)
    for strict in (True, False):
        frames = [
            (rng.randbytes(size), rng.random() < 0.2)
            for size in [*range(1, 40), *(rng.randrange(60, 200) for _ in range(60))]
        ]
        queue = [(*word, bad) for octets, bad in frames for word in words_of(octets, 4)]
        got, octets, ready, offered = [], b"", 0, None
        while queue:
            data, keep, last, bad = queue[0]
            valid = strict or rng.random() < 0.8
            ready = 0 if strict and ready else int(rng.random() < 0.9)
            out = await s.step(
                s_axis_tdata=data,
                s_axis_tkeep=keep,
                s_axis_tvalid=int(valid),
                s_axis_tlast=int(last),
                s_axis_tuser=int(last and bad),
                m_axis_tready=ready,
            )
            if strict and octets and ready:
                assert out.m_axis_tvalid, "a pause within a frame"
            now = (out.m_axis_tdata, out.m_axis_tkeep, out.m_axis_tlast, out.m_axis_tuser)
            if strict and offered is not None:
                assert out.m_axis_tvalid and offered == now, "a word on offer has changed"
            offered = now if out.m_axis_tvalid and not ready else None
            if valid and out.s_axis_tready:
                queue.pop(0)
            if out.m_axis_tvalid and ready:
                octets += bytes(out.m_axis_tdata >> 8 * i & 255 for i in range(8) if out.m_axis_tkeep >> i & 1)
                assert out.m_axis_tlast or out.m_axis_tkeep == 255
                if out.m_axis_tlast:
                    got.append((octets, bool(out.m_axis_tuser)))
                    octets = b""
        assert got == frames


def bench(name: str) -> Bench:
    return Bench(name, [path for path in rtl("toe") if path.stem == name])


@pytest.mark.parametrize("test", ("line", "bursts", "too_much"))
def test_toe_mac_narrow(test):
    bench("toe_mac_narrow").run(__name__, test)


def test_toe_mac_widen():
    bench("toe_mac_widen").run(__name__, "send")
