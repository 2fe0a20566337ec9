# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""frame_fifo: whole frames in order, none that was dropped or found no place, and what room promises."""

import os

import cocotb
import pytest

from ullnic_tb import Bench, Stepper, cocotb_tests, parameter, rtl, seeded

DEPTH, NEED, WIDTH = parameter("DEPTH", 16), parameter("NEED", 6), parameter("WIDTH", 8)
OUTPUTS = ("room", "rd_valid", "rd_data", "rd_last")
IDLE = {"wr_valid": 0, "wr_data": 0, "wr_last": 0, "wr_drop": 0, "rd_ready": 0}


async def fresh(dut) -> Stepper:
    s = Stepper(dut, OUTPUTS)
    await s.reset(**IDLE)
    return s


@cocotb.test()
async def order(dut):
    """Frames of up to NEED - 2 words, begun with room, come out whole and in order, but those that are dropped."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for ready_rate in (1, 0.7, 0.3):
        s = await fresh(dut)
        writing, expected, begun, held = [], [], [], None
        for cycle in range(2500):
            out = await s.look()
            if not writing and out.room and cycle < 2300 and rng.random() < 0.5:
                writing = [rng.getrandbits(WIDTH) for _ in range(rng.randrange(1, NEED - 1))]
                begun = list(writing)
            write, last, drop = bool(writing) and rng.random() < 0.8, len(writing) == 1, rng.random() < 0.2
            ready = rng.random() < ready_rate
            seen = (out.rd_data, out.rd_last)
            assert held is None or (out.rd_valid and seen == held)
            held = seen if out.rd_valid and not ready else None
            await s.step(
                wr_valid=write,
                wr_data=writing[0] if write else rng.getrandbits(WIDTH),
                wr_last=last if write else rng.getrandbits(1),
                wr_drop=drop,
                rd_ready=ready,
            )
            if out.rd_valid and ready:
                assert seen == expected.pop(0)
            if write:
                writing.pop(0)
                if last and not drop:
                    expected += [(word, i == len(begun) - 1) for i, word in enumerate(begun)]
        for _ in range(2 * DEPTH):
            out = await s.step(**IDLE | {"rd_ready": 1})
            if out.rd_valid:
                assert (out.rd_data, out.rd_last) == expected.pop(0)
        assert not expected


@cocotb.test()
async def latency(dut):
    """Nothing of a frame shows before its end; then its first word two cycles later, and a word a cycle."""
    s = await fresh(dut)
    for n in range(1, NEED):
        for i in range(n):
            out = await s.step(**IDLE | {"wr_valid": 1, "wr_data": i, "wr_last": i == n - 1, "rd_ready": 1})
            assert not out.rd_valid
        assert not (await s.step(**IDLE)).rd_valid
        for i in range(n):
            out = await s.step(**IDLE | {"rd_ready": 1})
            assert (out.rd_valid, out.rd_data, out.rd_last) == (1, i, i == n - 1)
        assert not (await s.step(**IDLE)).rd_valid


@cocotb.test()
async def too_long(dut):
    """A frame that finds no place is dropped to its end, however long, and the ones before and behind it come whole."""
    s = await fresh(dut)

    async def write(words):
        for i, word in enumerate(words):
            await s.step(**IDLE | {"wr_valid": 1, "wr_data": word, "wr_last": i == len(words) - 1})

    for n in (DEPTH - 2, DEPTH - 1, DEPTH, DEPTH + 1, 3 * DEPTH):
        await write([200, 201])
        await write([5] * n)
        await write([100, 101])
        got = []
        for _ in range(2 * DEPTH):
            out = await s.step(**IDLE | {"rd_ready": 1})
            if out.rd_valid:
                got.append(out.rd_data)
        # One word of the first frame has left the RAM, for the output. Then there is no place for both of the third.
        second, third = ([5] * n, []) if n <= DEPTH - 1 else ([], [100, 101])
        assert got == [200, 201, *second, *third], n


@cocotb.test()
async def room_comes_back(dut):
    """A frame that once found no place is dropped, though there is place for its later words."""
    s = await fresh(dut)
    for i in range(DEPTH - 3):
        await s.step(**IDLE | {"wr_valid": 1, "wr_data": i, "wr_last": 1})
    got = []
    for i in range(12):
        ready = int(i >= 7)
        out = await s.step(**IDLE | {"wr_valid": 1, "wr_data": 77, "wr_last": i == 11, "rd_ready": ready})
        got += [out.rd_data] if out.rd_valid and ready else []
    await s.step(**IDLE | {"wr_valid": 1, "wr_data": 100, "wr_last": 1})
    for _ in range(2 * DEPTH):
        out = await s.step(**IDLE | {"rd_ready": 1})
        got += [out.rd_data] if out.rd_valid else []
    assert got == [*range(DEPTH - 3), 100]


@cocotb.test()
async def room_is_kept(dut):
    """room goes with the words inside, two cycles late, and a reset empties everything."""
    s = await fresh(dut)
    for i in range(DEPTH):
        await s.step(**IDLE | {"wr_valid": 1, "wr_data": i, "wr_last": 1})
        await s.step(**IDLE)
        out = await s.step(**IDLE)
        inside = i  # one is in the output
        assert out.room == (DEPTH - inside >= NEED), i
    s.set(rst=1)
    await s.step(**IDLE)
    s.set(rst=0)
    await s.step(**IDLE)
    out = await s.step(**IDLE)
    assert out.room and not out.rd_valid


@cocotb.test()
async def resets(dut):
    """In the midst of whatever is written and read: no room and no word while they last, then room and one frame."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    s = await fresh(dut)
    for _ in range(150):
        for _ in range(rng.randrange(3 * DEPTH)):
            inputs = {name: int(rng.random() < 0.7) for name in ("wr_valid", "rd_ready")}
            inputs |= {name: int(rng.random() < 0.2) for name in ("wr_last", "wr_drop")}
            await s.step(**inputs, wr_data=rng.getrandbits(WIDTH))
        cycles = rng.randrange(1, 4)
        for cycle in range(cycles):
            out = await s.step(**IDLE | {"wr_valid": rng.getrandbits(1)}, rst=1)
            assert not cycle or not (out.room or out.rd_valid)
        out = await s.step(**IDLE, rst=0)
        assert not (out.room or out.rd_valid)
        words = [rng.getrandbits(WIDTH) for _ in range(NEED - 2)]
        for i, word in enumerate(words):
            out = await s.step(**IDLE | {"wr_valid": 1, "wr_data": word, "wr_last": i == len(words) - 1})
            assert out.room and not out.rd_valid
        await s.step(**IDLE)
        for i, word in enumerate(words):
            out = await s.step(**IDLE | {"rd_ready": 1})
            assert (out.rd_valid, out.rd_data, out.rd_last) == (1, word, i == len(words) - 1)
        assert not (await s.step(**IDLE)).rd_valid


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_frame_fifo(test):
    sources = [path for path in rtl("common") if path.stem in ("ram_sdp", "frame_fifo")]
    Bench("frame_fifo", sources, {"DEPTH": 16, "NEED": 6, "WIDTH": 8}).run(__name__, test)
