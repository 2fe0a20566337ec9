# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Frames of user logic on the line: the engine with a MAC against a bare MAC that is given scapy's frames."""

import os

import cocotb
import pytest

from ate_model import BANK, CHECK, ENABLE, Connection
from ate_play import Bed, Script, ate_bench
from ullnic_tb import cocotb_tests, main_and_kept, seeded

ALIGNED = 0x8000  # of a gap: in this cycle modulo 33
SIZES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 31, 64, 100, 333)


def padded(octets: bytes) -> bytes:
    return octets.ljust(60, b"\0")


@cocotb.test()
async def no_cycle_added(dut):
    """Both lines are the same bit for bit in every phase of the gearbox, and each frame is the one that scapy made."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = await Bed(dut).reset()
    connections = {index: Connection.random(rng) for index in (0, 1, 255, 256, 510)}
    connections[511] = Connection.random(rng, control=ENABLE | BANK, vlan=rng.getrandbits(16))
    connections[300] = Connection.random(rng, vlan=0x2007)
    for index, connection in connections.items():
        await bed.open(index, connection)
    script, accelerated, everything = Script(), [], []
    for i in range(250):
        # Close to each other; then, with the line idle, in each word of the gearbox's round of 33.
        gap = rng.choice((1, 1, 2, 5, 60)) if i < 217 else ALIGNED | (i - 217) << 8 | 80
        if rng.random() < 0.15:
            frame = rng.randbytes(rng.choice((1, 3, 4, 5, 60, 61, 62, 63, 200)))
            script.raw(frame, gap)
        else:
            index = rng.choice(list(connections))
            payload = rng.randbytes(rng.choice((*SIZES, 1460) if i % 20 == 0 else SIZES if i < 217 else SIZES[:9]))
            if rng.random() < 0.1:
                payload = rng.choice((b"\xff", b"\0")) * len(payload)
            script.payload(index, payload, gap)
            frame = connections[index].frame(payload)
            script.expect(frame)
            accelerated.append(frame)
        everything.append(padded(frame))
    line = await bed.play(script)
    assert line.good() == everything
    assert (line.differ, line.errors, line.underruns) == (0, 0, 0)
    # A frame is offered in each of the 33, and starts at once in 16 of them.
    at_once = {cycle % 33 for cycle in set(line.sof_cycles) & set(line.start_cycles)}
    assert len(line.start_cycles) == len(everything) == len(line.sof_cycles)
    assert (len({cycle % 33 for cycle in line.sof_cycles}), len(at_once)) == (33, 16)
    print(f"{len(everything)} frames, {line.cycles} cycles, both lines alike")
    assert bed.mirror == [(frame, False) for frame in accelerated]
    for index, connection in connections.items():
        assert await bed.seq(index) == connection.seq
    raw = len(everything) - len(accelerated)
    assert await bed.counters() == {"sent_user": len(accelerated), "sent_raw": raw}


@cocotb.test()
async def banks(dut):
    """ACK and WINDOW are swapped together by one bit, which is obeyed from the next frame on."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = await Bed(dut).reset()
    connection = Connection.random(rng, control=ENABLE | CHECK)
    connection.max_seq = (connection.seq + 1000) & 0xFFFFFFFF
    await bed.open(7, connection)
    for bank in (BANK, 0, BANK):
        connection.ack, connection.window = rng.getrandbits(32), rng.getrandbits(16)
        connection.control = ENABLE | CHECK | bank
        values = connection.registers()
        offset = 40 if bank else 32
        script = Script()
        for word in (offset, offset + 4):
            assert await bed.write(64 * 7 + word, values[word]) == 0
        await bed.write(64 * 7 + 48, connection.control)
        script.payload(7, b"bank", 3)
        script.expect(frame := connection.frame(b"bank"))
        line = await bed.play(script)
        assert line.good() == [padded(frame)] and line.differ == 0


@pytest.mark.parametrize("amend", main_and_kept(__file__, (1, 0)))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_ate_line(test, amend):
    ate_bench(AMEND=amend).run("test_ate_line", test)
