# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Software's chunks: payloads that get the connection's next SEQ, raw frames, what is no chunk, and the user's frames
between them."""

import os

import cocotb
import pytest
from cocotb.triggers import with_timeout

from ate_model import CHECK, ENABLE, Connection, raw_chunk, tcp_chunk
from ate_play import OWN, PERIOD_PS, WIDTH, Script, ate_bench
from test_ate_mistakes import bed_with, padded, sent, small
from ullnic_tb import cocotb_tests, main_and_kept, seeded


@cocotb.test()
async def chunks(dut):
    """Every length of a payload and of a raw frame, in order."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    playing = cocotb.start_soon(bed.play(Script(lines=["8 0 ffff 0 3 0 0 0"]), tail=20))
    frames, payloads = [], []
    for size in [*range(0, 19), 97, 98, 99, 100]:
        if rng.random() < 0.5:
            await bed.cycles(rng.randrange(1, 200))
        payloads.append(rng.randbytes(size))
        await bed.chunk(tcp_chunk(3, payloads[-1]))
        frames.append(None)
        raw = rng.randbytes(size + 1 if size < 60 else size + 58)
        await bed.chunk(raw_chunk(raw))
        frames.append(raw)
    await bed.cycles(400)
    dut.go.value = 0
    playing.cancel()
    await bed.cycles(4)
    line = bed.line()
    made = iter(sent(bed, connection, payloads))
    assert line.good() == [padded(next(made) if frame is None else frame) for frame in frames]
    assert line.bad() == 0 and line.underruns == 0
    assert await bed.counters() == {"sent_host": len(payloads), "sent_raw": len(payloads)}
    assert await bed.seq(3) == connection.seq


@cocotb.test()
async def with_the_user(dut):
    """User and software on one connection: each byte has its SEQ once, whoever sends it; the mirror has the order."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    script = Script()
    users = [b"U%03d" % i for i in range(60)]
    hosts = [b"host %03d" % i for i in range(40)]
    for payload in users:
        script.payload(3, payload, rng.choice((1, 2, 30, 60)))
    playing = cocotb.start_soon(bed.play(script))
    for payload in hosts:
        await bed.chunk(tcp_chunk(3, payload))
        await bed.cycles(rng.randrange(1, 60))
    line = await with_timeout(playing, 20000 * PERIOD_PS, "ps")
    assert line.bad() == 0 and line.underruns == 0
    payloads = [frame[54:] for frame, _ in bed.mirror]
    assert [p for p in payloads if p[:1] == b"U"] == users
    assert [p for p in payloads if p[:1] == b"h"] == hosts
    assert line.good() == [padded(frame) for frame in sent(bed, connection, payloads)]
    assert await bed.counters() == {"sent_user": len(users), "sent_host": len(hosts)}
    # The line was taken in turn: not all of one and then all of the other.
    turns = sum(a[:1] != b[:1] for a, b in zip(payloads, payloads[1:], strict=False))
    assert turns > 10, turns


@cocotb.test()
async def resets(dut):
    """At any time of software's chunks: what comes after it is as if nothing had been before."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    for turn in range(24):
        for chunk in (raw_chunk(bytes(90)), tcp_chunk(3, rng.randbytes(60)))[turn % 2 :]:
            waiting = cocotb.start_soon(bed.chunk(chunk))
            await bed.cycles(rng.randrange(4, 60))
            waiting.cancel()
        await bed.reset_again()
        connection = Connection.random(rng)
        await bed.open(3, connection)
        script = Script()
        script.payload(3, b"the user's", 150)
        playing = cocotb.start_soon(bed.play(script, tail=100))
        raw = rng.randbytes(70)
        await bed.chunk(tcp_chunk(3, b"software's"))
        await bed.chunk(raw_chunk(raw))
        line = await with_timeout(playing, 5000 * PERIOD_PS, "ps")
        first, last = sent(bed, connection, [b"software's", b"the user's"])
        assert line.good() == [padded(first), raw, padded(last)], turn
        assert line.bad() == 0 and line.underruns == 0, turn


@cocotb.test()
async def user_goes_first(dut):
    """With both waiting for the end of a frame, the user's is next."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    script = Script()
    for i in range(10):
        script.payload(3, b"U%d" % i + bytes(20), 50 if i == 0 else 1)
    playing = cocotb.start_soon(bed.play(script))
    await bed.cycles(60)
    await bed.chunk(tcp_chunk(3, b"host"))
    line = await with_timeout(playing, 5000 * PERIOD_PS, "ps")
    payloads = [frame[54:] for frame, _ in bed.mirror]
    assert [p[:1] for p in payloads] == [b"U"] * 10 + [b"h"]
    assert line.good() == [padded(frame) for frame in sent(bed, connection, payloads)]


@cocotb.test()
async def never_refused(dut):
    """Software's payloads wait for room in the mirror, and strict mode does not hold them back."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    connection.control, connection.max_seq = ENABLE | CHECK, connection.seq
    await bed.open(3, connection)
    assert await bed.write(OWN + 12, 1) == 0
    playing = cocotb.start_soon(bed.play(Script(lines=["8 0 ffff 0 3 0 0 0"]), tail=20))
    bed.mirror_ready = False
    # With 16 bits the bench has a deeper mirror.
    payloads = [b"payload number %d" % i for i in range(4 if WIDTH == 32 else 6)]
    for payload in payloads:
        await bed.chunk(tcp_chunk(3, payload))
        await bed.cycles(60)
    held = (await bed.counters())["sent_host"]
    assert 1 <= held < len(payloads)
    bed.mirror_ready = True
    await bed.cycles(500)
    dut.go.value = 0
    playing.cancel()
    await bed.cycles(4)
    line = bed.line()
    assert line.good() == [padded(frame) for frame in sent(bed, connection, payloads)] and line.bad() == 0
    assert await bed.counters() == {"sent_host": len(payloads)}


@cocotb.test()
async def no_chunks(dut):
    """What is no chunk is dropped and counted, and what comes behind it is sent; so are refused ones."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    playing = cocotb.start_soon(bed.play(Script(lines=["8 0 ffff 0 3 0 0 0"]), tail=20))
    good = tcp_chunk(3, b"payload!")
    bad = [
        good[:-4],
        good + bytes(4),
        good[:6] + b"\3" + good[7:],
        good[:6] + b"\0" + good[7:],
        good[:4],
        good[:8],
        good[:4] + b"\x13\0" + good[6:27],
        tcp_chunk(3, bytes(101)),
        raw_chunk(bytes(159)),
        raw_chunk(b""),
        raw_chunk(bytes(4000)),
    ]
    for i, chunk in enumerate(bad):
        await bed.chunk(chunk)
        await bed.chunk(tcp_chunk(3, b"%d" % i))
    for conn in (4, 16, 0xFFFF):
        await bed.chunk(tcp_chunk(conn, b"refused " * 4))
        await bed.chunk(tcp_chunk(conn, b""))
    await bed.chunk(tcp_chunk(3, b"end"))
    await bed.cycles(400)
    dut.go.value = 0
    playing.cancel()
    await bed.cycles(4)
    line = bed.line()
    payloads = [b"%d" % i for i in range(len(bad))] + [b"end"]
    assert line.good() == [padded(frame) for frame in sent(bed, connection, payloads)] and line.bad() == 0
    assert await bed.counters() == {"sent_host": len(payloads), "bad_chunk": len(bad), "no_conn": 6}


@pytest.mark.parametrize("width", main_and_kept(__file__, (32, 16)))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_ate_host(test, width):
    ate_bench(**small(width)).run("test_ate_host", test)
