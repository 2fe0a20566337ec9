# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Resets of any length in the midst of everything: what comes after one is as if nothing had been before."""

import os

import cocotb
import pytest
from cocotb.triggers import RisingEdge, with_timeout

from ate_model import Connection, raw_chunk, tcp_chunk
from ate_play import DUE, OWN, PERIOD_PS, Bed, Script, ate_bench
from test_ate_hold import held
from test_ate_mistakes import padded, small
from test_ate_tx import ANY
from ullnic_tb import cocotb_tests, parameter, rounds, seeded

RIGHT, DISABLED, TAGGED, SOFTWARE = 3, 4, 5, 6  # connections that are used before resets
FIRST = 7  # of those that are used after one
# With a shallow mirror, one frame still in it must leave room for the next.
LONGEST = 50 if parameter("MIRROR_DEPTH", 1024) > 64 else 8
STARTS = (0,) if parameter("HOLD", 0) else (0, ANY)


def anything(rng) -> Script:
    """What a user may do, right and wrong."""
    script = Script()
    late = 0xF000 | DUE["csum"] << 8 | DUE["length"] << 4 | DUE["conn"]
    for _ in range(40):
        gap, size, start = rng.choice((1, 2, 3, 5, 20)), rng.randrange(60), rng.choice(STARTS)
        octets, kind = rng.randbytes(size), rng.random()
        if kind < 0.5:
            due = {"conn": rng.randrange(4), "length": rng.randrange(6), "csum": rng.randrange(13)}
            script.payload(rng.choice((RIGHT, TAGGED, DISABLED)), octets, gap, start=start, **due)
        elif kind < 0.75:
            length, eof = rng.choice((size, size + 4, 1)), rng.random() < 0.5
            script.words(octets, gap, conn=RIGHT, length=length, late=late, eof=eof, start=start)
        else:
            script.words(octets, gap, raw=True, eof=rng.random() < 0.7)
    return script


async def software(bed, rng) -> None:
    """Chunks that are sent, refused or dropped; and registers."""
    while True:
        octets = rng.randbytes(rng.randrange(40))
        chunks = (tcp_chunk(SOFTWARE, octets), tcp_chunk(DISABLED, octets), raw_chunk(b"\x02" + octets), b"none")
        await bed.chunk(rng.choice(chunks))
        if rng.random() < 0.5:
            await bed.cycles(rng.randrange(1, 40))


async def registers(bed, rng) -> None:
    while True:
        if rng.random() < 0.5:
            await bed.read(OWN + 4 * rng.randrange(32))
        else:
            await bed.write(OWN + 12, rng.getrandbits(1))


async def host(bed, rng) -> None:
    """The mirror's reader comes and goes."""
    while True:
        bed.mirror_ready = rng.random() < 0.5
        await bed.cycles(rng.randrange(1, 60))


@cocotb.test()
async def at_any_time(dut):
    """User, software and mirror in full traffic, a reset of a cycle or more, and traffic from its end on."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = await Bed(dut).reset()
    for index in (RIGHT, SOFTWARE):
        await bed.open(index, Connection.random(rng))
    await bed.open(DISABLED, Connection.random(rng, control=0))
    await bed.open(TAGGED, Connection.random(rng, vlan=5))
    for turn in range(rounds(300, 8)):
        mine, its = FIRST + turn % 4, FIRST + 4 + turn % 4
        user, other = Connection.random(rng, vlan=rng.choice((None, 7))), Connection.random(rng)
        await bed.open(mine, user)
        await bed.open(its, other)
        playing = cocotb.start_soon(bed.play(anything(rng)))
        before = [cocotb.start_soon(task(bed, rng)) for task in (software, registers, host)]
        for _ in range(rng.randrange(20, 400)):
            await bed.clock()
        for task in (playing, *before):
            task.cancel()
        bed.mirror_ready = True

        script = Script()
        payloads, raw = [rng.randbytes(rng.randrange(LONGEST)) for _ in range(3)], rng.randbytes(rng.randrange(60, 80))
        counted, cycles = turn % 2, rng.choice((1, 1, 2, 5))
        for i, payload in enumerate(payloads):
            start = rng.choice(STARTS)
            due = {"conn": 4, "length": 1, "csum": 1} if start else {}
            # After a short reset the MAC still sends words from before: an idle block must follow them.
            gap = rng.randrange(1, 12) + ((6 if counted else 6 // cycles) if i == 0 else 0)
            script.payload(mine, payload, gap, start=start, **due)
        script.words(raw, rng.randrange(1, 12), raw=True)
        await bed.reset_again(cycles, rest=0, script=Script() if counted else script)
        if counted:
            await bed.clock()  # a master may offer nothing in the cycle after a reset
            assert (await bed.read(OWN + 12))[0] == 0
            counts = await bed.counters(after_reset=True)
            await bed.restart(script)
        chunk, raw_of_software = rng.randbytes(rng.randrange(LONGEST)), b"\x02" + rng.randbytes(rng.randrange(60, 80))
        await bed.chunk(tcp_chunk(its, chunk))
        await bed.chunk(raw_chunk(raw_of_software))
        line = await with_timeout(cocotb.start_soon(bed.played(tail=600)), 10_000 * PERIOD_PS, "ps")
        frames, chunks = [user.frame(payload) for payload in payloads], [other.frame(chunk)]
        assert sorted(line.good(from_block=4)) == sorted(
            padded(each) for each in (*frames, *chunks, raw, raw_of_software)
        ), turn
        assert (line.bad(), line.underruns) == (0, 0), turn
        assert [frame for frame, bad in bed.mirror if frame in frames and not bad] == frames, turn
        assert len(bed.mirror) == len(frames) + len(chunks) and (chunks[0], False) in bed.mirror, turn
        assert (await bed.seq(mine), await bed.seq(its)) == (user.seq, other.seq), turn
        if counted:
            more = {"sent_user": len(frames), "sent_host": 1, "sent_raw": 2}
            after = await bed.counters()
            assert after == counts | {name: counts.get(name, 0) + n for name, n in more.items()}, turn


async def cut(bed, script: Script, cycle: int) -> None:
    """A reset of one cycle, so many cycles after the script has begun."""
    await bed.reset_again(rest=40, script=Script())
    await bed.restart(script)
    for _ in range(cycle):
        await bed.clock()
    bed.there = list(bed.mirror)
    await bed.reset_again(1, script=Script())


@cocotb.test()
async def end_in_each_cycle(dut):
    """A reset of one cycle in each cycle of a frame's end: SEQ moves if its last word has been taken before, it counts
    if that was one cycle earlier, and it is in the mirror whole or not at all.
    """
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = await Bed(dut).reset()
    connection = Connection.random(rng)
    await bed.open(RIGHT, connection)
    script = Script()
    script.payload(RIGHT, b"four", 10)
    frame = connection.frame(b"four")
    moved, counted, mirrored, seq, sent = [], [], [], await bed.seq(RIGHT), 0
    for cycle in range(24, 54):
        await cut(bed, script, cycle)
        moved.append(await bed.seq(RIGHT) != seq)
        seq = await bed.seq(RIGHT)
        counts = await bed.counters()
        counted.append(counts.get("sent_user", 0) > sent)
        sent += counted[-1]
        assert counts == ({"sent_user": sent} if sent else {})
        mirrored.append(bool(bed.there))
        whole = [(len(octets), bad) for octets, bad in bed.there]
        assert not bed.mirror and whole in ([], [(len(frame), False)])
    assert all(each == sorted(each) and each[-1] for each in (moved, counted, mirrored))
    assert moved.index(True) + 1 == counted.index(True) < mirrored.index(True)


@cocotb.test()
async def start_in_each_cycle(dut):
    """A reset of one cycle in each cycle of a frame's start, and the next one leaves."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = await Bed(dut).reset()
    await bed.open(RIGHT, Connection.random(rng))
    raw, payload = Script(), Script()
    raw.words(rng.randbytes(60), 10, raw=True)
    payload.payload(RIGHT, b"four", 10)
    for script in (raw, payload):
        for cycle in range(9, 18):
            await cut(bed, script, cycle)
            counts = await bed.counters()
            await bed.restart(raw)
            await with_timeout(RisingEdge(dut.done), 1000 * PERIOD_PS, "ps")
            assert await bed.counters() == counts | {"sent_raw": counts.get("sent_raw", 0) + 1}, cycle


BENCHES = {
    "32": small(32),
    "32 held": held(32),
    "16": {"PMA_DATA_WIDTH": 16, "USER_CHECK": 0},
    "16 held": held(16),
}
CASES = [(test, bench) for test in cocotb_tests(__name__) for bench in BENCHES]
# A frame that is held begins and ends later.
CASES = [(test, bench) for test, bench in CASES if test == "at_any_time" or "held" not in bench]


@pytest.mark.parametrize("test, bench", CASES)
def test_ate_reset(test, bench):
    ate_bench(**BENCHES[bench]).run(__name__, test)
