# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""HOLD: no frame is begun that would have to be aborted, whatever the user does; what is right leaves as without."""

import os

import cocotb
import pytest

from ate_model import CHECK, ENABLE, Connection
from ate_play import DUE, OWN, STAYS, WIDTH, Bed, Script, ate_bench
from test_ate_mistakes import GAP, padded, sent, small
from ullnic_tb import cocotb_tests, main_and_kept, seeded

STRICT = OWN + 12
LATE = 0xF000 | DUE["csum"] << 8 | DUE["length"] << 4 | DUE["conn"]


async def bed_with(dut, rng, **given) -> tuple[Bed, Connection]:
    bed = await Bed(dut).reset()
    connection = Connection.random(rng, **given)
    await bed.open(3, connection)
    return bed, connection


def held(width: int, amend: int | None = None) -> dict[str, int]:
    """What is kept leaves in one go: room for that in the mirror."""
    return small(width, amend) | {"MIRROR_DEPTH": 256, "HOLD": 1}


def none_aborted(line) -> None:
    assert line.bad() == line.errors == line.underruns == 0


@cocotb.test()
async def right_frames(dut):
    """Payloads of each length, with metadata as late as they may be, and raw frames between them; none before it is
    whole."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    script, wanted, payloads = Script(), [], []
    for size in (*range(10), 50, 99, 100):
        payloads.append(rng.randbytes(size))
        script.payload(3, payloads[-1], rng.choice((1, 3, GAP)))
        wanted.append(None)
        if size % 3 == 0:
            wanted.append(rng.randbytes(rng.choice((60, 61, 62, 63, 255, 256))))
            script.words(wanted[-1], rng.choice((1, GAP)), raw=True)
    line = await bed.play(script, tail=2000)
    frames = iter(sent(bed, connection, payloads))
    assert line.good() == [each if each else padded(next(frames)) for each in wanted]
    none_aborted(line)
    raw = sum(each is not None for each in wanted)
    assert await bed.counters() == {"sent_user": len(payloads), "sent_raw": raw}
    assert await bed.seq(3) == connection.seq


@cocotb.test()
async def time_of_start(dut):
    """21 cycles and one for each word after tx_sof_net, and what the line's pause takes."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, _ = await bed_with(dut, rng, control=ENABLE)
    script, sizes = Script(), [rng.randrange(101) for _ in range(20)]
    for size in sizes:
        script.payload(3, rng.randbytes(size), 200 + rng.randrange(33))
    line = await bed.play(script, tail=2000)
    none_aborted(line)
    if WIDTH == 32:  # else tx_sof_net is not in the file
        took = [start - sof for sof, start in zip(line.sof_cycles, line.start_cycles, strict=True)]
        for size, cycles in zip(sizes, took, strict=True):
            assert cycles - 21 - max(1, -(-size // 4)) in (0, 1, 2), (size, cycles)


@cocotb.test()
async def wrong_words(dut):
    """Fewer words than payload_length, more, another last one, no end, too many bytes: nothing leaves of these."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    script, right = Script(), []
    wrong = [(4, 8), (8, 4), (8, 7), (7, 8), (9, 0), (3, 9), (60, 4), (101, 101), (400, 400), (100, 65535)]
    for i, (size, length) in enumerate(wrong):
        script.words(rng.randbytes(size), GAP, conn=3, length=length, late=LATE)
        right.append(bytes([i]))
        script.payload(3, right[-1], GAP if i % 2 else 1)
    for size, end in ((13, "behind it"), (60, "the new one")):
        script.words(rng.randbytes(13), GAP, conn=3, length=size, late=LATE, eof=False)
        right.append(end.encode())
        script.payload(3, right[-1], 1)
    for size, eof in ((257, True), (400, True), (300, False), (64, False)):  # raw
        script.words(rng.randbytes(size), GAP, raw=True, eof=eof)
        right.append(b"raw")
        script.payload(3, right[-1], GAP)
    line = await bed.play(script, tail=2000)
    assert line.good() == [padded(frame) for frame in sent(bed, connection, right)]
    none_aborted(line)
    assert await bed.counters() == {"no_frame": len(wrong) + 6, "sent_user": len(right)}
    assert int(dut.drops.value) == len(wrong) + 2  # those with an end
    assert await bed.seq(3) == connection.seq


@cocotb.test()
async def amended(dut):
    """Metadata that come late, or change: nothing leaves with what no longer holds, and none is aborted."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    await bed.open(2, Connection.random(rng))  # what payload_conn_id shows before it is right
    script, right = Script(), []
    for _ in range(40):
        change = rng.choice((STAYS, STAYS, 5, 9, 11))
        due = {"conn": rng.choice((-1, 0, 1, 5)), "length": rng.randrange(13), "csum": rng.randrange(13)}
        payload = rng.randbytes(rng.randrange(1, 60))
        script.payload(3, payload, GAP, change=change, **due)
        if change == STAYS:
            right.append(payload)
    line = await bed.play(script, tail=2000)
    assert line.good() == [padded(frame) for frame in sent(bed, connection, right)]
    none_aborted(line)
    assert await bed.counters() == {"no_frame": 40 - len(right), "sent_user": len(right)}


@cocotb.test()
async def refused_late(dut):
    """No connection, one that comes late, a window that is closed: refused before the frame begins."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    await bed.open(4, Connection.random(rng, control=0))
    connection.control, connection.max_seq = ENABLE | CHECK, (connection.seq + 60) & 0xFFFFFFFF
    await bed.open(3, connection)
    assert await bed.write(STRICT, 1) == 0
    script, right, counts = Script(), [], {"no_conn": 0, "no_window": 0}
    left = 60
    for i in range(40):
        payload = rng.randbytes(rng.choice((0, 1, 19, 40, 41)) if i else 61)  # more than the window, then anything
        conn = (3, 4, 3, 16 + 3, 3, 3, 0xFFFF)[i % 7]
        script.payload(conn, payload, rng.choice((1, GAP)), conn=rng.choice((-1, 0, 1)))
        if conn != 3:
            counts["no_conn"] += 1
        elif len(payload) > left:
            counts["no_window"] += 1
        else:
            left -= len(payload)
            right.append(payload)
    line = await bed.play(script, tail=2000)
    assert line.good() == [padded(frame) for frame in sent(bed, connection, right)]
    none_aborted(line)
    assert await bed.counters() == counts | {"sent_user": len(right)}
    assert await bed.seq(3) == connection.seq


@cocotb.test()
async def while_software_writes(dut):
    """Software disables the connection and moves MAX_SEQ at any moment: each frame leaves right or not at all."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    connection.control, connection.max_seq = ENABLE | CHECK, connection.seq
    await bed.open(3, connection)
    assert await bed.write(STRICT, 1) == 0
    script, count = Script(), 200
    for _ in range(count):
        script.payload(3, rng.randbytes(rng.randrange(1, 30)), rng.randrange(1, 40))
    running = True

    async def software():
        while running:
            ahead = rng.choice((0, 10, 1000, 1 << 20))
            await bed.write(
                64 * 3 + 52, int.from_bytes((connection.seq + ahead & 0xFFFFFFFF).to_bytes(4, "big"), "little")
            )
            await bed.write(64 * 3 + 48, rng.choice((ENABLE | CHECK, ENABLE | CHECK, CHECK)))

    writer = cocotb.start_soon(software())
    line = await bed.play(script, tail=2000)
    running = False
    await writer
    none_aborted(line)
    counts = await bed.counters()
    assert sum(counts.values()) == count and counts["sent_user"] == len(line.good()) == len(bed.mirror)
    assert all(counts.get(name, 0) > 5 for name in ("sent_user", "no_conn", "no_window")), counts


@cocotb.test()
async def window_is_shown(dut):
    """window_available and tx_credit are those of the connection that is shown, while nothing is kept."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, connection = await bed_with(dut, rng)
    connection.control, connection.max_seq = ENABLE | CHECK, (connection.seq + 20) & 0xFFFFFFFF
    await bed.open(3, connection)
    dut.watch.value, dut.watch_conn.value = 1, 3
    for length, fits in ((20, 1), (21, 0), (0, 1)):
        dut.watch_length.value = length
        await bed.cycles(8)
        await bed.half()
        assert (int(dut.window_available.value), int(dut.tx_credit.value)) == (fits, 20)
    dut.watch_conn.value = 4
    await bed.cycles(8)
    await bed.half()
    assert (int(dut.window_available.value), int(dut.tx_credit.value)) == (0, 0)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
@pytest.mark.parametrize("amend", main_and_kept(__file__, (1, 0)))
def test_ate_hold(test, amend):
    ate_bench(**held(32, amend)).run(__name__, test)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_ate_hold_16(test):
    ate_bench(**held(16)).run(__name__, test)
