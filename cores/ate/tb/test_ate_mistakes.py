# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What the engine does when the user breaks a rule: the frame is refused or leaves with a wrong FCS, it counts, SEQ
stays, and the next frame is right."""

import os

import cocotb
import pytest

from ate_model import CHECK, ENABLE, Connection, raw_chunk, tcp_chunk
from ate_play import AMEND, CYCLE_BEFORE, DUE, OWN, STAYS, WIDTH, Bed, Script, ate_bench, due_of
from ullnic_tb import cocotb_tests, configurations, main_and_kept, seeded

SMALL = configurations("ate")["small"]["parameters"]


def small(width: int, amend: int | None = None) -> dict[str, int]:
    """With 16 bits a frame begins before the mirror knows how much room the one before it has left."""
    amend = width == 32 if amend is None else amend
    return SMALL | {"PMA_DATA_WIDTH": width, "AMEND": int(amend), "MIRROR_DEPTH": SMALL["MIRROR_DEPTH"] * 32 // width}


GAP = 70  # cycles: a frame has left


def padded(octets: bytes) -> bytes:
    return octets.ljust(60, b"\0")


async def bed_with(dut, rng, **given) -> tuple[Bed, Connection]:
    bed = await Bed(dut).reset()
    connection = Connection.random(rng, **given)
    await bed.open(3, connection)
    return bed, connection


def sent(bed, connection, payloads) -> list[bytes]:
    """The mirror against the line of events: frames that are not bad carry these payloads in order; moves SEQ on."""
    frames = [connection.frame(payload) for payload in payloads]
    assert [octets for octets, bad in bed.mirror if not bad] == frames
    return frames


@cocotb.test()
async def later_than_due(dut):
    """One cycle after its deadline a field spoils its frame, unless the MAC was late too; a wrong frame never has a
    right FCS."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    await bed.open(2, Connection.random(rng))  # what payload_conn_id shows before it is right
    before = 0
    # With 16 bits a frame waits for its connection. With AMEND there is no late checksum, see checksum_at_ack.
    for name in ("conn", "length") if AMEND else DUE if WIDTH == 32 else ("length", "csum"):
        script, payloads = Script(), []
        for _ in range(120 if WIDTH == 32 else 160):
            payloads.append(rng.randbytes(rng.randrange(1, 60)))
            start = rng.choice((1, 2)) if WIDTH == 16 else 0
            late = due_of(start)[name] + (-1 if name == "conn" else 1)
            script.payload(3, payloads[-1], GAP + rng.randrange(33), start=start, **{name: late})
        line = await bed.play(script)
        remaining, good = list(payloads), []
        for frame in line.received.frames:
            payload = remaining.pop(0)
            if frame.good:
                want = padded(connection.frame(payload))
                assert frame.payload == want, name
                good.append(payload)
        assert not remaining
        counters = await bed.counters()
        wrong = counters.get("bad_late", 0) + counters.get("bad_length", 0)
        assert line.bad() == line.errors == len(payloads) - len(good) == wrong - before
        # With 32 bits half of the frames begin at once; of those, few meet the cycle in 33 that has no word. With 16
        # bits about one in five is seen, and frames near to each other meet the same words of the round.
        assert line.bad() >= 5, f"{name}: {line.bad()} of {len(payloads)} frames noticed"
        before = wrong
    assert await bed.seq(3) == connection.seq


@cocotb.test()
async def changed_before_ack(dut):
    """A length or checksum that changes after its deadline, though the header was right, spoils the frame."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    script = Script()
    for size in (1, 2, 3, 4, 5, 50):
        script.payload(3, rng.randbytes(size), GAP, change=9)
    script.payload(3, b"right", GAP)
    line = await bed.play(script)
    assert line.bad() == 6
    assert line.good() == [padded(frame) for frame in sent(bed, connection, [b"right"])]
    assert await bed.counters() == {"bad_late": 6, "sent_user": 1}
    assert await bed.seq(3) == connection.seq


@cocotb.test()
async def not_payload_length(dut):
    """Fewer words than payload_length, more, another last one, none at all, too many bytes: each frame is cut."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    late = 0xF000 | DUE["csum"] << 8 | DUE["length"] << 4 | DUE["conn"]
    script, right = Script(), []
    wrong = [(4, 8), (8, 4), (8, 7), (7, 8), (9, 0), (3, 9), (60, 4), (101, 101), (400, 400)]
    for i, (size, length) in enumerate(wrong):
        script.words(rng.randbytes(size), GAP, conn=3, length=length, late=late)
        right.append(bytes([i]))
        script.payload(3, right[-1], GAP if i % 2 else 1)
    for size, end in ((13, "behind it"), (60, "the new one")):
        script.words(rng.randbytes(13), GAP, conn=3, length=size, late=late, eof=False)
        right.append(end.encode())
        script.payload(3, right[-1], 1)
    line = await bed.play(script)
    assert line.good() == [padded(frame) for frame in sent(bed, connection, right)]
    assert line.bad() == line.errors == len(wrong) + 2 and line.underruns == 0
    assert await bed.counters() == {"bad_length": len(wrong) + 2, "sent_user": len(right)}
    beyond = [size for size, length in wrong if -(-size // 4) > max(1, -(-length // 4)) or length > 100]
    assert int(dut.drops.value) == len(beyond) == 5  # of those that are cut the last word is dropped
    assert await bed.seq(3) == connection.seq
    assert max(len(frame.octets) for frame in line.received.frames) < 160


@cocotb.test()
async def refused(dut):
    """No such connection, or not enabled: nothing leaves, and the next frame does at once. With AMEND that is so in
    strict mode; otherwise it leaves with a wrong FCS."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    await bed.open(4, Connection.random(rng, control=0))
    # Those that an identifier beyond the table would find
    for index in (0, 15):
        await bed.open(index, Connection.random(rng))
    script = Script()
    absent = (4, 5, 16, 31, 3 + 16, 0x8000, 0x8003, 0xFFFF)
    for conn in absent:
        script.payload(conn, rng.randbytes(9), GAP, conn=max(1, DUE["conn"]))
    script.payload(3, b"x", 2, conn=max(1, DUE["conn"]))
    if AMEND:
        assert await bed.write(OWN + 12, 1) == 0
    line = await bed.play(script)
    assert line.good() == [padded(frame) for frame in sent(bed, connection, [b"x"])] and line.bad() == 0
    assert await bed.counters() == {"no_conn": len(absent), "sent_user": 1}
    assert int(dut.drops.value) == len(absent)
    if not AMEND:
        return

    # In advisory mode it is found out when the frame has begun, with the connection in time or not.
    assert await bed.write(OWN + 12, 0) == 0
    bed.mirror.clear()
    script = Script()
    for conn in absent:
        script.payload(conn, rng.randbytes(rng.randrange(50)), GAP, conn=rng.choice((0, 1, 5)))
        script.payload(3, b"y", GAP)
    line = await bed.play(script)
    assert line.good() == [padded(frame) for frame in sent(bed, connection, [b"y"] * len(absent))]
    assert line.bad() == line.errors == len(absent) and [bad for _, bad in bed.mirror] == [True, False] * len(absent)
    assert await bed.counters() == {"no_conn": 2 * len(absent), "sent_user": 1 + len(absent)}
    assert int(dut.drops.value) == 0
    assert await bed.seq(3) == connection.seq


@cocotb.test()
async def strict(dut):
    """In strict mode what does not fit is refused; if its length came too late for that, it leaves with a wrong FCS.
    Pure ACKs always leave. In advisory mode everything does."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    connection.control, connection.max_seq = ENABLE | CHECK, (connection.seq + 20) & 0xFFFFFFFF
    await bed.open(3, connection)
    early = {"length": 15, "conn": 3}
    script = Script()
    script.payload(3, b"y" * 19, GAP, **early)
    script.payload(3, b"no", GAP, **early)
    script.payload(3, b"", GAP, **early)
    script.payload(3, b"!", GAP, **early)
    script.payload(3, b"", 3, **early)
    script.payload(3, b"no", 3, **early)
    assert await bed.write(OWN + 12, 1) == 0
    line = await bed.play(script)
    frames = sent(bed, connection, [b"y" * 19, b"", b"!", b""])
    assert line.good() == [padded(frame) for frame in frames] and line.bad() == 0
    assert await bed.counters() == {"no_window": 2, "sent_user": 4}
    assert int(dut.drops.value) == 2

    # An ACK until it begins, for which the window is open; in cycle 4 it is four bytes.
    script = Script()
    script.payload(3, b"late", GAP, conn=1)
    line = await bed.play(script)
    # With 16 bits the frame waits until its connection has been looked at.
    assert line.bad() == line.errors == (WIDTH == 32) and not line.good()
    found = await bed.counters()
    assert (found.get("bad_window", 0), found["no_window"]) == ((1, 2) if WIDTH == 32 else (0, 3))
    assert int(dut.drops.value) == (WIDTH == 16)
    assert await bed.seq(3) == connection.seq

    bed.mirror.clear()
    assert await bed.write(OWN + 12, 0) == 0
    script = Script()
    script.payload(3, b"advisory", GAP)
    line = await bed.play(script)
    assert line.good() == [padded(frame) for frame in sent(bed, connection, [b"advisory"])]


@cocotb.test()
async def strict_in_time(dut):
    """In strict mode, connection and length one cycle before tx_sof_net: nothing that fits is refused, whatever was
    shown before; what does not fit has no right FCS, and is refused if the connection has stood for two cycles."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    closed = Connection.random(rng, control=ENABLE | CHECK)
    closed.max_seq = closed.seq
    await bed.open(2, closed)  # what payload_conn_id shows before
    connection.control, connection.max_seq = ENABLE | CHECK, (connection.seq + 100) & 0xFFFFFFFF
    await bed.open(3, connection)
    assert await bed.write(OWN + 12, 1) == 0
    script, payloads = Script(), []
    for n in (1, 30, 2, 60, 7):
        payloads.append(rng.randbytes(n))
        script.payload(3, payloads[-1], rng.choice((GAP, 40, 41)), length=STAYS, conn=1)
    script.payload(3, b"one more", GAP, length=STAYS, conn=1)
    line = await bed.play(script)
    assert line.good() == [padded(frame) for frame in sent(bed, connection, payloads)]
    # With 16 bits a frame waits until its connection has been looked at.
    assert line.bad() == line.errors == (WIDTH == 32)
    assert await bed.counters() == {"sent_user": 5, "bad_window" if WIDTH == 32 else "no_window": 1}
    script = Script()
    script.payload(3, b"one more", GAP, length=STAYS, conn=2)
    line = await bed.play(script)
    assert line.received.frames == []
    assert (await bed.counters())["no_window"] == 1 + (WIDTH == 16)


@cocotb.test()
async def strict_with_a_late_length(dut):
    """In strict mode, a connection that has stood for long and a length that comes one cycle before tx_sof_net: nothing
    that fits is refused, though the length that was shown before does not fit."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    connection.control, connection.max_seq = ENABLE | CHECK, (connection.seq + 400) & 0xFFFFFFFF
    await bed.open(3, connection)
    assert await bed.write(OWN + 12, 1) == 0
    script, payloads = Script(), []
    for conn in range(1, 14):
        payloads.append(rng.randbytes(rng.randrange(1, 30)))
        script.payload(3, payloads[-1], rng.choice((GAP, 40, 41)), length=CYCLE_BEFORE, conn=conn)
    line = await bed.play(script)
    assert line.good() == [padded(frame) for frame in sent(bed, connection, payloads)] and line.bad() == 0
    assert await bed.counters() == {"sent_user": len(payloads)}


@cocotb.test()
async def refused_for_one_reason(dut):
    """The mirror's room comes and goes beside frames for which the window is open, in strict mode: those that are
    refused are counted as refused for want of room, in whatever cycle it comes back."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    assert await bed.write(OWN + 12, 1) == 0
    script, frames = Script(), 800
    for _ in range(frames):
        script.payload(3, rng.randbytes(20), 40, length=STAYS, conn=3)
    playing = cocotb.start_soon(bed.play(script))
    while not playing.done():
        bed.mirror_ready = True
        await bed.cycles(rng.randrange(3, 25))
        bed.mirror_ready = False
        await bed.cycles(rng.randrange(20, 90))
    bed.mirror_ready = True
    await bed.cycles(300)
    counters = await bed.counters()
    assert set(counters) == {"sent_user", "no_room"} and sum(counters.values()) == frames
    assert counters["no_room"] > frames // 10 and len(bed.mirror) == counters["sent_user"]


@cocotb.test()
async def checksum_at_ack(dut):
    """With AMEND the checksum is taken with the first tx_ack_net: what is not there then is a wrong checksum under a
    right FCS. With a tag it is taken a cycle before, and has to stay."""
    if not AMEND:
        return
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, plain = await bed_with(dut, rng)
    tagged = Connection.random(rng, vlan=7)
    await bed.open(9, tagged)
    script, frames = Script(), []
    for i in range(120):
        payload = rng.randbytes(rng.randrange(1, 30))
        index, connection = rng.choice(((3, plain), (9, tagged)))
        script.payload(index, payload, GAP + i, csum=13)
        frames.append((index, connection, payload))
    line = await bed.play(script)
    at = {3: 50, 9: 54}  # of the TCP checksum
    right, wrong = {3: 0, 9: 0}, {3: 0, 9: 0}
    for frame, (index, connection, payload) in zip(line.received.frames, frames, strict=True):
        want, there = padded(connection.frame(payload, sent=frame.good)), at[index]
        (right if frame.good and frame.payload == want else wrong)[index] += 1
        if index == 3:
            assert frame.good and frame.payload[:there] + want[there : there + 2] + frame.payload[there + 2 :] == want
        else:
            assert not frame.good or frame.payload == want
    assert all((*right.values(), *wrong.values()))
    counters = await bed.counters()
    assert counters["bad_late"] == line.bad() == line.errors > 0 and sum(counters.values()) == len(frames)


@cocotb.test()
async def mirror_is_never_lost(dut):
    """While the host does not take the mirror, frames leave as long as it has room; then they are refused."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    bed.mirror_ready = False
    script = Script()
    for i in range(8):
        script.payload(3, bytes([i]) * 20, GAP)
    line = await bed.play(script)
    counters = await bed.counters()
    n = counters["sent_user"]
    assert 1 <= n < 8 and counters == {"sent_user": n, "no_room": 8 - n}
    dut.watch.value, dut.watch_conn.value, dut.watch_length.value = 1, 3, 1
    await bed.cycles(4)
    assert int(dut.window_available.value) == 0
    # Software's raw frame needs no room, its payload waits for it
    await bed.chunk(raw_chunk(b"\x02" + rng.randbytes(70)))
    await bed.chunk(tcp_chunk(3, b"waits"))
    await bed.cycles(300)
    assert await bed.counters() == counters | {"sent_raw": 1}
    bed.mirror_ready = True
    await bed.cycles(300)
    assert int(dut.window_available.value) == 1
    assert await bed.counters() == counters | {"sent_raw": 1, "sent_host": 1}
    frames = sent(bed, connection, [bytes([i]) * 20 for i in range(n)] + [b"waits"])[:n]
    assert line.good() == [padded(frame) for frame in frames]


@cocotb.test()
async def chunks_of_one_word(dut):
    """Chunks that have ended when they begin, as fast as they are taken: each counts, also beside the user's frames."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, _ = await bed_with(dut, rng)
    script = Script()
    for _ in range(60):
        script.payload(5, rng.randbytes(4), rng.randrange(2, 5), conn=max(1, DUE["conn"]), length=15)
    assert await bed.write(OWN + 12, 1) == 0
    playing = cocotb.start_soon(bed.play(script))
    chunks = 300
    for _ in range(chunks):
        await bed.chunk(rng.randbytes(4))
    await playing
    assert await bed.counters() == {"no_conn": 60, "bad_chunk": chunks}


@cocotb.test()
async def raw_without_end(dut):
    """A raw frame that does not end is cut at MAX_RAW with a wrong FCS, and so is one that a new frame follows."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    script = Script()
    script.words(rng.randbytes(400), GAP, raw=True)
    script.payload(3, b"next", GAP)
    script.words(rng.randbytes(80), GAP, raw=True, eof=False)
    script.payload(3, b"last", 1)
    script.raw(whole := rng.randbytes(256), 1)
    line = await bed.play(script)
    frames = sent(bed, connection, [b"next", b"last"])
    assert line.good() == [padded(frame) for frame in frames] + [whole]
    assert line.bad() == 2 and max(len(frame.octets) for frame in line.received.frames) == 260
    assert await bed.counters() == {"bad_raw": 2, "sent_user": 2, "sent_raw": 1}


@cocotb.test()
async def reset_in_mid_frame(dut):
    """The frame ends, strict mode too; connections and counters stay, and the next frame is right."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    script = Script()
    script.payload(3, b"before", GAP)
    await bed.play(script)
    first = sent(bed, connection, [b"before"])
    assert await bed.write(OWN + 12, 1) == 0
    script = Script()
    script.payload(3, rng.randbytes(100), 5, conn=1)
    playing = cocotb.start_soon(bed.play(script))
    for _ in range(33):
        await bed.clock()
    dut.rst.value = 1
    await bed.cycles(2)
    playing.cancel()
    dut.go.value = 0
    await bed.cycles(4)
    dut.rst.value = 0
    await bed.cycles(4)
    assert (await bed.read(OWN + 12))[0] == 0
    script = Script()
    script.payload(3, b"behind", GAP)
    line = await bed.play(script)
    assert line.good() == [padded(connection.frame(b"behind"))] and line.bad() == 0
    assert len(bed.mirror) == len(first) + 1 and await bed.counters() == {"sent_user": 2}


@pytest.mark.parametrize(("width", "amend"), main_and_kept(__file__, ((32, 1), (32, 0), (16, 0))))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_ate_mistakes(test, width, amend):
    ate_bench(**small(width, amend)).run("test_ate_mistakes", test)
