# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The register window, and what the user sees of his window: window_available and tx_credit."""

import os

import cocotb
import pytest

from ate_model import CHECK, ENABLE, Connection, swap32
from ate_play import OWN, Bed, ate_bench
from test_ate_mistakes import SMALL, small
from ullnic_tb import cocotb_tests, main_and_kept, seeded

LAST = SMALL["CONNECTIONS"] - 1


@cocotb.test()
async def read_back(dut):
    """Each word of each connection keeps its own value; word 15 and partial writes are refused."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = await Bed(dut).reset()
    values = {64 * i + 4 * word: rng.getrandbits(32) for i in range(LAST + 1) for word in range(15)}
    order = list(values)
    rng.shuffle(order)
    for address in order:
        assert await bed.write(address, values[address]) == 0
    for address, value in values.items():
        assert await bed.read(address) == (value, 0), hex(address)
    for i in (0, LAST):
        assert await bed.write(64 * i + 60, 1) == 2
        assert (await bed.read(64 * i + 60))[1] == 2
        for strobe in (0, 1, 7, 14):
            assert await bed.write(64 * i, ~values[64 * i] & 0xFFFFFFFF, strobe) == 2
        assert await bed.write(64 * i + 2, 0) == 2
        assert (await bed.read(64 * i + 1))[1] == 2
        assert await bed.read(64 * i) == (values[64 * i], 0)


@cocotb.test()
async def own(dut):
    """The engine's own registers: what can be read, what can be written, and nothing else."""
    bed = await Bed(dut).reset()
    assert await bed.read(OWN) == (0x41544530, 0)
    assert await bed.read(OWN + 4) == (0x00010001, 0)
    assert await bed.read(OWN + 8) == (SMALL["MAX_PAYLOAD"] << 16 | LAST, 0)
    assert await bed.read(OWN + 12) == (0, 0)
    assert await bed.write(OWN + 12, 0xFFFFFFFF) == 0
    assert await bed.read(OWN + 12) == (1, 0)
    assert await bed.write(OWN + 12, 0, 3) == 2
    assert await bed.read(OWN + 12) == (1, 0)
    assert await bed.write(OWN + 12, 0) == 0
    assert await bed.read(OWN + 12) == (0, 0)
    for offset in (0, 4, 8, 64):
        assert await bed.write(OWN + offset, 5) == 2
    for offset in (16, 60, 128, 64 * (LAST + 1) - 4):
        assert (await bed.read(OWN + offset))[1] == 2
        assert await bed.write(OWN + offset, 1) == 2
    for word in range(16):
        assert await bed.read(OWN + 64 + 4 * word) == (0, 0)


@cocotb.test()
async def window(dut):
    """Two cycles after connection and length they are right, wherever SEQ stands."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = await Bed(dut).reset()
    connections = []
    for i, ahead in enumerate((0, 1, 99, 65535, 65536, 1 << 30, (1 << 31) - 1, 1 << 31, -1, -1000, 5, 5)):
        seq = rng.choice((rng.getrandbits(32), (1 << 32) - 2, 0))
        connection = Connection.random(rng, seq=seq, max_seq=(seq + ahead) % (1 << 32), control=ENABLE | CHECK)
        connection.control = {10: 0, 11: ENABLE}.get(i, ENABLE | CHECK)
        connections.append((connection, ahead))
        await bed.open(i, connection)
    dut.watch.value = 1
    asked, answered = [], 0
    for _ in range(600):
        if not asked or rng.random() < 0.3:
            i = rng.randrange(len(connections))
            ahead = connections[i][1]
            near = max(0, min(ahead + rng.randrange(-1, 2), 65535))
            length = rng.choice((0, 1, 65535, rng.getrandbits(16), near))
        dut.watch_conn.value, dut.watch_length.value = i, length
        await bed.clock()
        # The port shows this question from this edge on; two edges later the answer must be there.
        asked.append((i, length))
        await bed.half()
        if len(asked) >= 3 and asked[-1] == asked[-2] == asked[-3]:
            connection, ahead = connections[i]
            left = ahead if 0 <= ahead < 1 << 31 else 0
            enabled, checked = connection.control & ENABLE, connection.control & CHECK
            fits = length == 0 or not checked or (0 <= ahead < 1 << 31 and length <= ahead)
            assert int(dut.tx_credit.value) == (0 if not enabled else left if checked else 0xFFFFFFFF)
            assert int(dut.window_available.value) == int(bool(enabled and fits)), (i, length, ahead)
            answered += 1
    assert answered > 100


@cocotb.test()
async def window_moves(dut):
    """Software's MAX_SEQ and SEQ show without a new question."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed = await Bed(dut).reset()
    connection = Connection.random(rng, seq=0xFFFFFFF0, max_seq=0xFFFFFFF0, control=ENABLE | CHECK)
    await bed.open(LAST, connection)
    dut.watch.value, dut.watch_conn.value, dut.watch_length.value = 1, LAST, 32
    await bed.cycles(4)
    assert (int(dut.window_available.value), int(dut.tx_credit.value)) == (0, 0)
    await bed.write(64 * LAST + 52, swap32(0x10))
    await bed.cycles(4)
    assert (int(dut.window_available.value), int(dut.tx_credit.value)) == (1, 32)
    await bed.write(64 * LAST + 28, swap32(0xFFFFFFF1))
    await bed.cycles(4)
    assert (int(dut.window_available.value), int(dut.tx_credit.value)) == (0, 31)


@pytest.mark.parametrize("width", main_and_kept(__file__, (32, 16)))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_ate_registers(test, width):
    ate_bench(**small(width)).run("test_ate_registers", test)
