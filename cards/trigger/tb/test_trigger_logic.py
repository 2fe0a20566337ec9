# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The trigger card's logic alone: what triggers and when, the payload, every refusal, registers."""

import os

import cocotb
import pytest

from order_play import (
    ARMED,
    BUSY,
    CROSSING,
    LOCKED_WRITE,
    STATUS,
    TICKS,
    WIDTH,
    Bed,
    Received,
    check_orders,
    check_payload,
    order_bench,
)
from ullnic_tb import cocotb_tests, main_and_kept, seeded

CONNECTION, LENGTH, LIMIT, NUMBER, TEMPLATE = 0x10, 0x14, 0x18, 0x1C, 0x100
LIMIT_REACHED, BAD_LENGTH, BAD_CONNECTION = 1 << 4, 1 << 5, 1 << 6
WORDS = 64
# Cycles from the deciding word to tx_start; and with a synchroniser, from its earliest to its latest.
DELAY, SLACK = (3, 2) if CROSSING else (1, 0)
FAR = 220 * TICKS  # between frames, cycles: an order has ended


def deciding_byte(octets: bytes) -> int | None:
    return 3 if octets[:4] == b"\xff" * 4 else None


def near_miss(rng) -> bytes:
    """No trigger, by little."""
    head = bytearray(b"\xff" * 4)
    head[rng.randrange(4)] ^= 1 << rng.randrange(8)
    tail = b"\xff" * rng.choice((0, 1, 60, 61))
    return rng.choice(
        (bytes(head) + tail, b"\xff" * rng.randrange(4), rng.randbytes(2) + b"\xff" * 62, b"\xfe" + b"\xff" * 63)
    )


def hit(rng) -> bytes:
    return b"\xff" * 4 + rng.choice((b"", rng.randbytes(rng.choice((1, 2, 3, 4, 56, 60, 61, 300)))))


async def bed_with(dut, rng, length: int, conn: int = 7):
    """Armed, with a random template."""
    bed = await Bed(dut).reset(rng.choice((-2, 0, 2)))
    template = rng.choice((rng.randbytes(4 * WORDS), b"\xff" * 4 * WORDS))
    for i in range(WORDS):
        await bed.write(TEMPLATE + 4 * i, int.from_bytes(template[4 * i : 4 * i + 4], "little"))
    await bed.set(r0x10=conn, r0x14=length)
    await bed.arm()
    return bed, template


def payload(template: bytes, length: int, number: int) -> bytes:
    return (number & 0xFFFFFFFF).to_bytes(4, "big") + template[4:length]


@cocotb.test()
async def every_length(dut):
    """Each order's words, metadata and number, for each remainder and the ends of the range; all kinds of frames."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    sent = seen = 0
    for length in (4, 5, 6, 7, 8, 9, 255, 256, rng.randrange(10, 255)):
        if not sent:
            bed, template = await bed_with(dut, rng, length)
        else:
            await bed.set(r0x14=length)
            await bed.arm()
        received = Received(rng)
        for _ in range(12):
            received.frame(hit(rng), FAR)
            for _ in range(rng.randrange(3)):
                received.frame(near_miss(rng), rng.randrange(4), cut=rng.random() < 0.1)
        decisions = received.decisions(deciding_byte)
        dut.wait_cycles.value = rng.choice((9, 11, 12, 40))
        orders = await bed.play(received)
        assert check_orders(orders, decisions, DELAY, SLACK) == 0
        for i, order in enumerate(orders):
            check_payload(order, 7, payload(template, length, sent + i + 1))
        sent, seen = sent + len(orders), seen + len(decisions)
        assert await bed.counters() == {"triggers": seen, "orders": sent}
        assert (await bed.read(NUMBER))[0] == sent


@cocotb.test()
async def close_together(dut):
    """Triggers as close as a line can carry them: each makes an order or is refused as busy, and none is lost."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, template = await bed_with(dut, rng, 20)
    received = Received(rng)
    for i in range(1500):
        octets = hit(rng) if rng.random() < 0.7 else near_miss(rng)
        received.frame(octets, rng.choice((0, 0, 1, 2, 3, rng.randrange(60))), cut=rng.random() < 0.05)
        if i % 100 == 0:
            received.idle(FAR)
    decisions = received.decisions(deciding_byte)
    orders = await bed.play(received)
    refused = check_orders(orders, decisions, DELAY, SLACK)
    assert len(orders) > 50 and refused > 200
    for i, order in enumerate(orders):
        check_payload(order, 7, payload(template, 20, i + 1))
    counters = await bed.counters()
    assert counters == {"triggers": len(decisions), "orders": len(orders), "busy": refused}


@cocotb.test()
async def refusals(dut):
    """Each reason has its counter, and what was refused sends nothing later."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, template = await bed_with(dut, rng, 9)

    async def some(n: int = 5):
        received = Received(rng)
        for _ in range(n):
            received.frame(hit(rng), FAR)
            received.frame(near_miss(rng), 2)
        return await bed.play(received, tail=600), len(received.decisions(deciding_byte))

    expected = {"triggers": 0, "orders": 0}

    async def count(**more):
        for name, value in more.items():
            expected[name] = expected.get(name, 0) + value
        assert await bed.counters() == {name: value for name, value in expected.items() if value}

    dut.window.value = 0
    orders, n = await some()
    assert not orders
    await count(triggers=n, window=n)
    dut.window.value = 1
    orders, n = await some()
    assert len(orders) == n
    await count(triggers=n, orders=n)
    dut.armed.value = 0
    orders, n = await some()
    assert not orders
    await count(triggers=n, window=n)
    dut.armed.value = 1
    await bed.set(r0x0c=0)
    orders, n = await some()
    assert not orders
    await count(triggers=n, disarmed=n)
    await bed.arm()
    # What ate drops has no number: the next order has it.
    last = expected["orders"]
    dut.refuse.value = 1
    for wait in (1, rng.randrange(9, 60)):  # late, too: a frame of software's went first
        dut.wait_cycles.value = wait
        orders, n = await some()
        assert [order.payload for order in orders] == [payload(template, 9, last + 1)] * n
        await count(triggers=n, ate=n)
    dut.refuse.value, dut.wait_cycles.value = 0, 11
    orders, n = await some()
    assert [order.payload for order in orders] == [payload(template, 9, last + 1 + i) for i in range(n)]
    await count(triggers=n, orders=n)


WAITS = {  # how a wait ends: how many triggers have an order, and what the first one's end is counted as
    "frame_over": (1, "orders"),  # software's frame leaves, and the window shows behind it
    "armed": (1, "orders"),  # the window shows all the time, ate needs some cycles more
    "closed": (0, "window"),  # there is no frame, and the window stays closed
    "frame_stays": (0, "window"),  # a frame that the MAC does not take
    "disarmed": (0, "disarmed"),
    "ate_refuses": (0, "ate"),
}


async def one_wait(dut, bed, rng, end: str) -> tuple[list, int]:
    """A trigger that has to wait, some while it waits, and its end; the orders, and how many came meanwhile."""
    dut.window.value, dut.armed.value, dut.frame.value = end == "armed", 0, end != "closed"
    dut.refuse.value = end == "ate_refuses"
    received, more = Received(rng), rng.randrange(3)
    received.idle(20 * TICKS)
    for _ in range(1 + more):
        received.frame(hit(rng)[:4], 3 * TICKS)
    playing = cocotb.start_soon(bed.play(received, tail=1300 if end == "frame_stays" else 200))
    if end == "closed":  # its wait is short: the others are too late for it, but for those that come at once
        orders = await playing
        dut.window.value = 1  # nothing is left that could be sent
        await bed.cycles(40)
        return orders, more
    await bed.cycles(60)
    assert (await bed.read(STATUS))[0] & BUSY
    await bed.cycles(rng.randrange(1, 40))
    if end == "disarmed":
        await bed.set(r0x0c=0)
    elif end == "armed":
        dut.armed.value = 1
    elif end != "frame_stays":
        dut.frame.value = 0
        await bed.cycles(rng.randrange(1, 12))
        dut.window.value = 1
    return await playing, more


@cocotb.test()
async def waiting(dut):
    """With may_wait one trigger at a time waits behind software's frame, and each ends in one counter."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, template = await bed_with(dut, rng, 9)
    expected, number = dict.fromkeys(("triggers", "orders", "disarmed", "window", "busy", "ate", "waited"), 0), 0
    for end in [*WAITS, *rng.choices(list(WAITS), k=12)]:
        await bed.arm(may_wait=True)
        orders, more = await one_wait(dut, bed, rng, end)
        sent, counter = WAITS[end]
        counters = {name: 0 for name in expected} | await bed.counters()
        expected["triggers"] += 1 + more
        if end == "closed":
            waited = counters["waited"] - expected["waited"]
            assert 1 <= waited <= 1 + more
            expected["waited"] += waited
            expected["window"] += waited
            expected["busy"] += 1 + more - waited
        else:
            expected["waited"] += 1
            expected["busy"] += more
            expected[counter] += 1
        assert counters == expected, end
        if end == "ate_refuses":
            assert [order.payload for order in orders] == [payload(template, 9, number + 1)]
            continue
        assert len(orders) == sent, end
        for order in orders:
            number += 1
            assert order.start is None, "no tx_start: ate has it from tx_sof_net"
            check_payload(order, 7, payload(template, 9, number))
    # What can go at once goes at once all the same.
    dut.window.value, dut.armed.value, dut.frame.value, dut.refuse.value = 1, 1, 0, 0
    await bed.arm(may_wait=True)
    received = Received(rng)
    for _ in range(20):
        received.frame(hit(rng), FAR)
    orders = await bed.play(received)
    assert check_orders(orders, received.decisions(deciding_byte), DELAY, SLACK) == 0


@cocotb.test()
async def limit_and_number(dut):
    """It stops after LIMIT orders; the number goes on, or from where software sets it, past 2^32, too."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, template = await bed_with(dut, rng, 6)
    for start in (rng.getrandbits(31), 0xA5C3FFFE, 0xFFFFFFFE):
        await bed.set(r0x0c=0)
        await bed.cycles(10)
        await bed.set(r0x18=3, r0x1c=start)
        await bed.arm()
        received = Received(rng)
        for _ in range(6):
            received.frame(hit(rng), FAR)
        orders = await bed.play(received)
        assert len(orders) == 3
        for i, order in enumerate(orders):
            check_payload(order, 7, payload(template, 6, start + 1 + i))
        assert (await bed.read(STATUS))[0] & (ARMED | BUSY | LIMIT_REACHED) == LIMIT_REACHED
    assert await bed.counters() == {"triggers": 18, "orders": 9, "disarmed": 9}


@cocotb.test()
async def registers(dut):
    """Bad settings do not arm and say why; a template or number that is in use stays; what is not there is SLVERR."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, template = await bed_with(dut, rng, 8)
    assert (await bed.read(0))[0] == 0x54524947
    assert (await bed.read(8))[0] == 256 << 16 | CROSSING << 8 | WIDTH
    assert (await bed.read(TEMPLATE + 8))[0] == int.from_bytes(template[8:12], "little")
    # In use
    for address in (TEMPLATE + 4, NUMBER):
        before = await bed.read(address)
        assert (await bed.read(STATUS))[0] & LOCKED_WRITE == 0
        assert await bed.write(address, 0x12345678) == 0
        assert (await bed.read(STATUS))[0] & LOCKED_WRITE
        await bed.set(r0x20=LOCKED_WRITE)
        assert await bed.read(address) == before
    # Taken when it is armed, not before
    await bed.set(r0x10=9, r0x14=4)
    received = Received(rng)
    received.frame(hit(rng), FAR)
    (order,) = await bed.play(received)
    check_payload(order, 7, payload(template, 8, 1))
    for length, conn, reason in (
        (3, 0, BAD_LENGTH),
        (0, 0, BAD_LENGTH),
        (257, 0, BAD_LENGTH),
        (0xFFFF, 0, BAD_LENGTH),
        (8, 512, BAD_CONNECTION),
        (8, 0xFFFF, BAD_CONNECTION),
        (3, 512, BAD_LENGTH | BAD_CONNECTION),
    ):
        await bed.set(r0x14=length, r0x10=conn)
        status = await bed.arm(BAD_LENGTH | BAD_CONNECTION | ARMED)
        assert status & (ARMED | BAD_LENGTH | BAD_CONNECTION) == reason
        received = Received(rng)
        received.frame(hit(rng), FAR)
        assert not await bed.play(received)
    await bed.set(r0x14=5, r0x10=511)
    await bed.arm()
    for address in (0x24, 0x5C, 0xFC, 0x200, 0x300, 0x400, 0x4000, 0x7FFC):
        assert (await bed.read(address))[1] == 2 and await bed.write(address, 1) == 2, hex(address)
    for address in (0x00, 0x04, 0x08, 0x40, 0x58):
        before = await bed.read(address)
        assert await bed.write(address, 0xFFFFFFFF) == 2 and await bed.read(address) == before, hex(address)
    received = Received(rng)
    received.frame(hit(rng), FAR)
    (order,) = await bed.play(received)
    check_payload(order, 511, payload(template, 5, 2))


@cocotb.test()
async def settings_in_mid_order(dut):
    """An order is whole, with the settings before or behind, wherever software disarms, changes them and arms again."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    old = (100, 7)
    bed, template = await bed_with(dut, rng, *old)
    seen = {"old": 0, "new": 0, "none": 0}
    turns = 100  # so that each end is met
    for _ in range(turns):
        received, new = Received(rng), (rng.randrange(4, 257), (old[1] + rng.randrange(1, 512)) % 512)
        received.idle(rng.choice((rng.randrange(5, 60), rng.randrange(60, 250))) * TICKS)
        received.frame(hit(rng))
        playing = cocotb.start_soon(bed.play(received, tail=300))
        await bed.cycles(rng.randrange(1, 70))
        await bed.set(r0x0c=0)
        await bed.set(r0x14=new[0], r0x10=new[1])
        await bed.set(r0x0c=1)
        orders, number = await playing, seen["old"] + seen["new"] + 1
        if not orders:
            seen["none"] += 1
        elif orders[0].meta[0] == old[1]:
            seen["old"] += 1
            check_payload(orders[0], old[1], payload(template, old[0], number))
        else:
            seen["new"] += 1
            check_payload(orders[0], new[1], payload(template, new[0], number))
        old = new
    assert min(seen.values()) > 0, seen
    assert await bed.counters() == {
        "triggers": turns,
        "orders": seen["old"] + seen["new"],
        "disarmed": seen["none"],
    }


@pytest.mark.parametrize("test", cocotb_tests(__name__))
@pytest.mark.parametrize("width", main_and_kept(__file__, [16, 32]))
def test_trigger_logic(width, test):
    order_bench(False, width).run("test_trigger_logic", test)


@pytest.mark.parametrize("test", ["every_length", "close_together", "waiting"])
@pytest.mark.parametrize("width", main_and_kept(__file__, [16, 32]))
def test_trigger_crossing(width, test):
    order_bench(False, width, crossing=1).run("test_trigger_logic", test)
