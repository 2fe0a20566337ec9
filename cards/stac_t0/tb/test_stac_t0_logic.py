# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The stac_t0 card's logic alone: both shapes of frames, mask, connection from the frame, echoed index, refusals."""

import os

import cocotb
import pytest

from order_play import (
    ARMED,
    CROSSING,
    LOCKED_WRITE,
    TICKS,
    WIDTH,
    Bed,
    Received,
    check_orders,
    check_payload,
    order_bench,
)
from stac_t0_model import LONG, SHORT, Model, market_data, random_index
from ullnic_tb import cocotb_tests, main_and_kept, seeded

LENGTH, TYPES, MASK_LO, MASK_HI, NUMBER = 0x10, 0x14, 0x18, 0x1C, 0x20
STAC_STATUS = 0x24
BAD_LENGTH = 1 << 5
MAX_LENGTH = 1460
# Cycles from the deciding word to tx_start; and with a synchroniser, from its earliest to its latest.
DELAY, SLACK = (5, 2) if CROSSING else (1, 0)
OTHER = Model(1 << 63, 7, 9)  # settings that differ from those of a reset
FAR = 100 * TICKS  # between frames, cycles: an order of 12 bytes has ended


async def bed_with(dut, rng, model: Model, length: int = 12) -> Bed:
    bed = await Bed(dut, status=STAC_STATUS).reset(rng.choice((-2, 0, 2)))
    await bed.set(r0x10=length, r0x14=model.short_type << 8 | model.long_type)
    await bed.set(r0x18=model.mask & 0xFFFFFFFF, r0x1c=model.mask >> 32)
    await bed.arm()
    return bed


def some_frame(rng, model: Model, conn: int, hits: bool) -> bytes:
    """Triggers and near misses: a wrong type or bit of the index, frames that end before it, other lengths; or, with
    `hits`, a trigger."""
    kinds = (model.long_type, model.short_type, model.short_type)
    kind = rng.choice(kinds if hits else (*kinds, rng.getrandbits(8)))
    known = {model.long_type: LONG, model.short_type: SHORT}.get(kind)
    index = random_index(rng, model.mask, hits or rng.random() < 0.7)
    octets = bytearray(market_data(rng, known or SHORT, conn, index))
    octets[42] = kind
    if not hits and rng.random() < 0.15:
        octets = octets[: rng.choice((0, 1, 41, 42, 43, 44, 45, 46, 47, 53, 54, 55, 60, 275, 281, 282, 283))]
    return bytes(octets)


def check(orders, received: Received, model: Model, length: int, number: int) -> int:
    """All of them; how many matches were refused."""
    decisions = [(at, octets, model.deciding_byte(octets)) for at, octets in received.frames]
    decisions = [(at[byte // (WIDTH // 8)], octets) for at, octets, byte in decisions if byte is not None]
    refused = check_orders(orders, [line for line, _ in decisions], DELAY, SLACK)
    for i, order in enumerate(orders):
        # The last decision that can have made it.
        octets = [octets for line, octets in decisions if line + DELAY <= order.start][-1]
        check_payload(order, *model.answer(octets, number + i, length))
    return refused


async def one_run(bed: Bed, rng, model: Model, length: int, number: int, n: int, gaps) -> tuple[int, int]:
    """Frames on changing connections, a third of them triggers for certain; orders and refused ones."""
    received, conn, certain = Received(rng), 0, set(rng.sample(range(n), n // 3))
    for i in range(n):
        conn, hits = rng.choice((conn, rng.getrandbits(16))), i in certain
        cut = not hits and rng.random() < 0.02
        received.frame(some_frame(rng, model, conn, hits), rng.choice(gaps), cut=cut)
    orders = await bed.play(received, tail=200 + length)
    return len(orders), check(orders, received, model, length, number)


@cocotb.test()
async def both_shapes(dut):
    """Orders begin one cycle behind the index's last byte, on the frame's connection, with its index, for any mask."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    model = Model()
    bed, total = await bed_with(dut, rng, model), 0
    for mask in (0x3FF, 0, 1 << 63, 1, (1 << 64) - 1, 0xFF << rng.randrange(56), 1 << rng.randrange(64)):
        model.mask = mask
        await bed.set(r0x18=mask & 0xFFFFFFFF, r0x1c=mask >> 32)
        await bed.arm()
        orders, refused = await one_run(bed, rng, model, 12, total + 1, 60, (FAR, FAR + 1, FAR + 2))
        assert refused == 0 and orders > 10
        total += orders
        assert await bed.counters() == {"triggers": total, "orders": total}


@cocotb.test()
async def lengths_and_types(dut):
    """Any length; types that software chooses, also the same for both shapes."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, number = await bed_with(dut, rng, Model()), 1
    for length, long_type, short_type in (
        (13, 0x42, 0x41),
        (14, 7, 9),
        (15, 0, 0xFF),
        (16, 0x41, 0x42),
        (rng.randrange(17, 1460), 0x41, 0x42),
        (MAX_LENGTH, 1, 2),
    ):
        model = Model(rng.choice((0, 0x3FF)), long_type, short_type)
        await bed.set(r0x10=length, r0x14=short_type << 8 | long_type, r0x18=model.mask)
        await bed.arm()
        orders, refused = await one_run(bed, rng, model, length, number, 25, ((60 + length) * TICKS,))
        assert refused == 0 and orders
        number += orders
    model = Model(0, 5, 5)
    await bed.set(r0x10=12, r0x14=0x0505, r0x18=0)
    await bed.arm()
    received = Received(rng)
    received.frame(market_data(rng, LONG, 3, 4)[:42] + b"\5" + market_data(rng, LONG, 3, 4)[43:], FAR)
    assert len(await bed.play(received)) == 2


@cocotb.test()
async def close_together(dut):
    """As close as a line can carry them: each trigger makes an order or is refused as busy."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    model = Model()
    bed = await bed_with(dut, rng, model)
    orders, refused = await one_run(bed, rng, model, 12, 1, 700, (0, 0, 1, 2, 5, 20))
    assert orders > 100 and refused > 20
    assert await bed.counters() == {"triggers": orders + refused, "orders": orders, "busy": refused}


@cocotb.test()
async def refusals(dut):
    """Each reason has its counter, and what was refused sends nothing later."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    model, expected = Model(), {}
    bed = await bed_with(dut, rng, model)

    async def some(name: str, n: int = 6):
        received = Received(rng)
        for i in range(n):
            received.frame(market_data(rng, (LONG, SHORT)[i % 2], i, random_index(rng, model.mask, True)), FAR)
        orders = await bed.play(received, tail=400)
        for each in ("triggers", name):
            expected[each] = expected.get(each, 0) + n
        assert await bed.counters() == expected
        return orders

    assert len(await some("orders")) == 6
    dut.window.value = 0
    assert not await some("window")
    dut.window.value = 1
    await bed.set(r0x0c=0)
    assert not await some("disarmed")
    await bed.arm()
    dut.refuse.value = 1
    for wait in (1, rng.randrange(9, 60)):  # late, too: a frame of software's went first
        dut.wait_cycles.value = wait
        assert [order.payload[:4] for order in await some("ate")] == [(7).to_bytes(4, "big")] * 6
    dut.refuse.value, dut.wait_cycles.value = 0, 11
    assert [order.payload[:4] for order in await some("orders")] == [(7 + i).to_bytes(4, "big") for i in range(6)]


@cocotb.test()
async def as_reset(dut):
    """Until software arms, the types and the mask are those of the reset, also after a reset while others were in use:
    frames count as triggers by them."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    bed, model = await Bed(dut, status=STAC_STATUS).reset(rng.choice((-2, 0, 2))), Model()

    async def disarmed() -> None:
        received, hits = Received(rng), 0
        for kind in (LONG, SHORT, OTHER.long_type, OTHER.short_type) * 2:
            for index in (0, 0xFFFFFFFFFFFFFC00, 0x200, 1):
                octets = bytearray(market_data(rng, kind if kind in (LONG, SHORT) else LONG, 3, index))
                octets[42] = kind
                hits += model.deciding_byte(octets) is not None
                received.frame(bytes(octets), FAR)
        assert not await bed.play(received, tail=400)
        assert hits == 8 and await bed.counters() == {"triggers": hits, "disarmed": hits}

    await disarmed()
    mask = OTHER.mask
    await bed.set(r0x10=40, r0x14=OTHER.short_type << 8 | OTHER.long_type, r0x18=mask & 0xFFFFFFFF, r0x1c=mask >> 32)
    await bed.arm()
    dut.rst.value = 1
    await bed.cycles(40)
    dut.rst.value = 0
    await bed.cycles(8)
    await disarmed()


@cocotb.test()
async def registers(dut):
    """A bad length does not arm; settings are taken when it is armed; what is not there is SLVERR."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    model = Model()
    bed = await bed_with(dut, rng, model)
    assert (await bed.read(0))[0] == 0x53545430
    assert (await bed.read(8))[0] == MAX_LENGTH << 16 | 1 << 12 | CROSSING << 8 | WIDTH
    assert await bed.write(NUMBER, 99) == 0 and (await bed.read(NUMBER))[0] == 0
    assert (await bed.read(STAC_STATUS))[0] & LOCKED_WRITE
    await bed.set(r0x24=LOCKED_WRITE)
    assert (await bed.read(STAC_STATUS))[0] & (LOCKED_WRITE | ARMED) == ARMED
    await bed.set(r0x10=40, r0x14=0, r0x18=0xFFFFFFFF, r0x1c=0xFFFFFFFF)
    assert (await one_run(bed, rng, model, 12, 1, 20, (FAR,)))[0]
    for length in (0, 11, 1461, 0xFFFF):
        await bed.set(r0x10=length)
        assert await bed.arm(BAD_LENGTH | ARMED) & (BAD_LENGTH | ARMED) == BAD_LENGTH
    for address in (0x28, 0x58, 0x7C, 0x80, 0x8C, 0xC0, 0x100, 0x10C, 0x200, 0x4000, 0x7FFC):
        assert (await bed.read(address))[1] == 2 and await bed.write(address, 1) == 2, hex(address)
    for address in (0x00, 0x04, 0x08, 0x40, 0x54):
        before = await bed.read(address)
        assert await bed.write(address, 0xFFFFFFFF) == 2 and await bed.read(address) == before, hex(address)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
@pytest.mark.parametrize("width", main_and_kept(__file__, [16, 32]))
def test_stac_t0_logic(width, test):
    order_bench(True, width).run("test_stac_t0_logic", test)


@pytest.mark.parametrize("test", ["both_shapes", "close_together"])
@pytest.mark.parametrize("width", main_and_kept(__file__, [16, 32]))
def test_stac_t0_crossing(width, test):
    order_bench(True, width, crossing=1).run("test_stac_t0_logic", test)
