# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The whole trigger card: trigger frames on port 0's line, orders on port 1's, which scapy makes for comparison."""

import os

import cocotb
import pytest

from ate_model import CHECK, ENABLE, Connection
from baser import Line, padded
from order_card import CROSSING, USER, WIDTH, Card, latencies, order_card
from test_trigger_logic import deciding_byte, hit, near_miss
from ullnic_tb import cocotb_tests, seeded

STATUS = 0x20
# The most UI from start of frame to start of frame, without the transceiver, in any phase of the two lines: with 16-bit
# words and 160 UI of transceiver 36 ns.
MOST_UI = {16: 211, 32: 260}[WIDTH]


def market_data(rng, n: int, share: float, gap: int) -> Line:
    line = Line()
    for _ in range(n):
        octets = hit(rng) if rng.random() < share else near_miss(rng)
        # A frame with a wrong FCS triggers all the same.
        line.frame(octets, check=rng.choice((None, None, b"", b"bad!")), lane=rng.choice((0, 4, None)))
        line.idle(gap + rng.randrange(80))
    return line


async def card_with(dut, rng, line: Line, connection: Connection, length: int):
    card = await Card(dut, rng, line).started()
    template = rng.randbytes(256)
    for i in range(64):
        await card.write(USER + 0x100 + 4 * i, int.from_bytes(template[4 * i : 4 * i + 4], "little"))
    await card.open(300, connection)
    await card.write(USER + 0x10, 300)
    await card.write(USER + 0x14, length)
    await card.arm(STATUS)
    return card, template


@cocotb.test()
async def every_trigger(dut):
    """Each trigger makes an order, whole, numbered, with right checksums, as early as it can in every phase."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    line, connection, length = market_data(rng, 300, 0.7, 220), Connection.random(rng), rng.randrange(4, 41)
    card, template = await card_with(dut, rng, line, connection, length)
    sent = await card.play()
    triggers = [frame for frame in line.frames if deciding_byte(frame.octets) is not None]
    assert await card.counters() == {"triggers": len(triggers), "orders": len(triggers)}
    assert len(sent) == len(triggers)
    for i, order in enumerate(sent):
        payload = (i + 1).to_bytes(4, "big") + template[4:length]
        assert order.frame.good and order.frame.payload == padded(connection.frame(payload))
    if not CROSSING:
        ui = [order.start_bit - card.bit(frame.start_char) for order, frame in zip(sent, triggers, strict=True)]
        assert latencies("start of frame to start of frame", ui)[2] <= MOST_UI


@cocotb.test()
async def window(dut):
    """Orders stop where the window ends, and what was refused is not sent when it opens."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    line, connection, length = market_data(rng, 12, 1, 300), Connection.random(rng, control=ENABLE | CHECK), 50
    room = rng.randrange(1, 9)
    connection.max_seq = (connection.seq + room * length + rng.randrange(length)) & 0xFFFFFFFF
    card, template = await card_with(dut, rng, line, connection, length)
    sent = await card.play()
    triggers = [frame for frame in line.frames if deciding_byte(frame.octets) is not None]
    assert await card.counters() == {"triggers": len(triggers), "orders": room, "window": len(triggers) - room}
    payloads = [(i + 1).to_bytes(4, "big") + template[4:length] for i in range(room)]
    assert [order.frame.payload for order in sent] == [padded(connection.frame(payload)) for payload in payloads]


@pytest.mark.parametrize("test", cocotb_tests(__name__))
@pytest.mark.parametrize("width", [16, 32])
def test_trigger_card(width, test):
    order_card(False, width).run("test_trigger_card", test)


def test_trigger_card_crossing():
    order_card(False, 16, crossing=1).run("test_trigger_card", "every_trigger")
