# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The whole trigger card: trigger frames on port 0's line, orders on port 1's, which scapy makes for comparison."""

import os

import cocotb
import pytest
from cocotb.triggers import Timer

from ate_model import CHECK, ENABLE, Connection, raw_chunk, tcp_chunk
from baser import Line, padded
from order_card import CROSSING, LOCK_BLOCKS, USER, WIDTH, Card, latencies, order_card
from test_trigger_logic import deciding_byte, hit, near_miss
from ullnic_tb import cocotb_tests, kept, main_and_kept, seeded

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


async def card_with(dut, rng, line: Line, connection: Connection, length: int, chunks=(), may_wait: bool = False):
    card = await Card(dut, rng, line, chunks).started()
    template = rng.randbytes(256)
    for i in range(64):
        await card.write(USER + 0x100 + 4 * i, int.from_bytes(template[4 * i : 4 * i + 4], "little"))
    await card.open(300, connection)
    await card.write(USER + 0x10, 300)
    await card.write(USER + 0x14, length)
    await card.arm(STATUS, may_wait)
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


LONGEST_UI = 10 * (8 * (1518 + 4 + 8) + 12 * 8) * 66 // 640  # of a frame of software's, with its gap


async def among_software(dut, may_wait: bool, room: int | None = None):
    """Triggers while software sends without a pause on the same connection; the card, the orders in turn with what they
    followed, and how many triggers there were. Checks all that the port has sent. `room`: bytes of the window."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    line, connection, length = market_data(rng, 120, 1, 500), Connection.random(rng), rng.randrange(4, 200)
    if room is not None:
        connection.control, connection.max_seq = ENABLE | CHECK, (connection.seq + room) & 0xFFFFFFFF
    model = Connection(**vars(connection))
    first_seq, chunks, software = model.seq, [], []
    sizes = (60, 61, 64, 200, 700, 1460)
    for size in [size for _ in range(50) for size in rng.sample(sizes, len(sizes))]:  # never many long ones in a row
        octets = rng.randbytes(size)
        payload = rng.random() < 0.5
        chunks.append(tcp_chunk(300, octets) if payload else raw_chunk(octets))
        software.append((payload, octets))
    card, template = await card_with(dut, rng, line, connection, length, chunks, may_wait)
    playing = cocotb.start_soon(card.play())
    await Timer(LOCK_BLOCKS * 6400, "ps")  # until the triggers come
    dut.go.value = 1
    sent = await playing
    triggers = [frame for frame in line.frames if deciding_byte(frame.octets) is not None]
    orders, at = [], 0
    for each in sent:
        assert each.frame.good
        order = (len(orders) + 1).to_bytes(4, "big") + template[4:length]
        if each.frame.payload == padded(model.frame(order, sent=False)):
            model.frame(order)
            assert room is None or (model.seq - first_seq) & 0xFFFFFFFF <= room, "an order beyond the window"
            orders.append((each, at))
        else:
            payload, octets = software[at]
            assert each.frame.payload == padded(model.frame(octets) if payload else octets), at
            at += 1
    assert at > 30, "software has sent all the time"
    return card, sent, orders, triggers


@cocotb.test()
async def behind_software(dut):
    """With may_wait a trigger in the midst of software's frames has its order behind the one that leaves, or behind the
    next, where that is about to begin; none is refused for them."""
    card, sent, orders, triggers = await among_software(dut, may_wait=True)
    counters = await card.counters()
    assert counters["waited"] > 20 and "window" not in counters and "ate" not in counters
    assert counters["orders"] == len(orders) and len(triggers) == len(orders) + counters.get("busy", 0)
    # Each order belongs to a trigger of its own, the last one before it that could be.
    starts = [card.bit(frame.start_char) for frame in triggers]
    waits, earliest = [], 0
    for order, _ in orders:
        mine = [at for at in starts if earliest <= at < order.start_bit]
        assert mine, "an order without a trigger"
        waits.append(order.start_bit - mine[0])
        earliest = order.start_bit
    if not CROSSING:
        assert max(waits) <= MOST_UI + 2 * LONGEST_UI, max(waits)


@cocotb.test()
async def refused_in_software(dut):
    """Without may_wait the same triggers are refused, but for those that find the port free."""
    card, _, orders, triggers = await among_software(dut, may_wait=False)
    counters = await card.counters()
    assert counters["window"] > 20 and "waited" not in counters
    assert len(triggers) == len(orders) + counters["window"] + counters.get("busy", 0)


@cocotb.test()
async def window_behind_software(dut):
    """What software sends on the connection takes from the window of an order that waits: none goes beyond it."""
    card, _, orders, triggers = await among_software(dut, may_wait=True, room=6_000)
    counters = await card.counters()
    assert counters["window"] > 3 and len(orders) > 3
    assert sum(counters.get(name, 0) for name in ("orders", "window", "busy", "ate")) == len(triggers)
    assert counters["orders"] == len(orders)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
@pytest.mark.parametrize("width", main_and_kept(__file__, [16, 32]))
def test_trigger_card(width, test):
    order_card(False, width).run("test_trigger_card", test)


@kept(__file__)
def test_trigger_card_crossing():
    order_card(False, 16, crossing=1).run("test_trigger_card", "every_trigger")
