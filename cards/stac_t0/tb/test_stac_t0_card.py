# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The whole stac_t0 card: market data on port 1's line, orders on port 0's, which scapy makes for comparison."""

import os

import cocotb
import pytest

from ate_model import CHECK, ENABLE, Connection
from baser import Line, padded
from order_card import ATE, CROSSING, USER, Card, latencies, order_card
from stac_t0_model import LONG, SHORT, Model, market_data, random_index
from ullnic_tb import cocotb_tests, kept, main_and_kept, seeded

STATUS = 0x24
STRICT = 0xC


async def play(card: Card, line: Line, connections: dict[int, Connection], room: dict[int, int], length: int) -> list:
    """Plays the line; each order has to be the next trigger's that had room. Its start, and its trigger."""
    sent, model = await card.play(), Model()
    made, closed, number = [], 0, 0
    triggers = [frame for frame in line.frames if model.deciding_byte(frame.octets) is not None]
    for frame in triggers:
        index, payload = model.answer(frame.octets, number + 1, length)
        if room.get(index, 0) <= 0:
            closed += 1
            continue
        room[index] -= 1
        order = sent[number]
        assert order.frame.good and order.frame.payload == padded(connections[index].frame(payload)), number
        made.append((order, frame))
        number += 1
    assert len(sent) == number
    expected = {"triggers": len(triggers), "orders": number, "window": closed}
    assert await card.counters() == {name: value for name, value in expected.items() if value}
    return made


def frames(rng, n: int, conns, gap: int, share: float = 0.7) -> Line:
    line = Line()
    for _ in range(n):
        index = random_index(rng, 0x3FF, rng.random() < share)
        line.frame(market_data(rng, rng.choice((LONG, SHORT)), rng.choice(conns), index), lane=rng.choice((0, 4, None)))
        line.idle(gap + rng.randrange(80))
    return line


@cocotb.test()
async def one_connection(dut):
    """Each trigger makes an order with its index, and on one connection each begins as early as it can."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    line, connection = frames(rng, 150, [5], 200), Connection.random(rng)
    card = await Card(dut, rng, line).started()
    await card.open(5, connection)
    await card.arm(STATUS)
    made = await play(card, line, {5: connection}, {5: len(line.frames)}, 12)
    if CROSSING:
        return
    for kind, at in ((SHORT, 47), (LONG, 275)):
        # From the end of the byte that decides: the block of a whole frame's byte has no other character to step over.
        ui = [
            order.start_bit - card.bit(frame.start_char + 8 + at + 7) - 8
            for order, frame in made
            if frame.octets[42] == kind
        ]
        latencies(f"type {kind:x}, index's last byte to start of frame", ui)


@cocotb.test()
async def many_connections(dut):
    """The window that counts is that of the connection that the frame names, whatever the frame before named."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    length = rng.randrange(12, 40)
    room = {0: 1000, 511: 7, 3: 0, 300: 1000, 1: 3}  # orders
    line = frames(rng, 150, [*room, 77, 512, 0xFFFF], 300)
    card = await Card(dut, rng, line).started()
    connections = {}
    for index, orders in room.items():
        connection = connections[index] = Connection.random(rng, control=ENABLE | CHECK)
        connection.max_seq = (connection.seq + orders * length + rng.randrange(length)) & 0xFFFFFFFF
        await card.open(index, connection)
    await card.write(USER + 0x10, length)
    if rng.random() < 0.5:
        await card.write(ATE + STRICT, 1)
    await card.arm(STATUS)
    await play(card, line, connections, dict(room), length)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
@pytest.mark.parametrize("width", main_and_kept(__file__, [16, 32]))
def test_stac_t0_card(width, test):
    order_card(True, width).run("test_stac_t0_card", test)


@kept(__file__)
def test_stac_t0_card_crossing():
    order_card(True, 32, crossing=1).run("test_stac_t0_card", "many_connections")
