# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""example_user: each register, packets of a start and without end, markers, the checker and the loop, at any pace of
the DMA, and what hostile writes at any time may not break."""

import os

import cocotb
import pytest

from example_bed import (
    ACCEPTED,
    C2H_STATUS,
    CLEAR,
    CONTROL,
    COUNT,
    DATA,
    DROP,
    DROP_ENABLE,
    DROPPED,
    DUMP,
    H2C_CONTROL,
    H2C_COUNT,
    H2C_STATUS,
    HOLD,
    IMMEDIATE,
    INTERRUPT,
    INTERRUPT_MASK,
    INTERRUPT_VECTOR,
    INVALID,
    LATENCY,
    LATENCY_CONTROL,
    LATENCY_ENABLE,
    LEN,
    LOOP,
    LOOP_BEATS,
    MARKER,
    NO_COMPLETION,
    OKAY,
    PACKET_LENGTH,
    QID,
    QUEUES,
    SCRATCH,
    SIZE,
    SLVERR,
    START,
    STOP,
    TOO_LONG,
    WINDOW,
    Bed,
    example_bench,
    numbers,
    start_data,
)
from ullnic_tb import cocotb_tests, rounds, seeded

ALL = 0xFFFFFFFF
BITS = {  # that can be written and read
    **{QID: 0x7FF, LEN: 0xFFFF, CONTROL: LOOP | NO_COMPLETION | MARKER | DUMP | STOP | DROP_ENABLE, COUNT: 0x3FF},
    **{DATA + 4 * i: ALL for i in range(8)},
    **{SIZE: 0x177B, SCRATCH: ALL, SCRATCH + 4: ALL, PACKET_LENGTH: 0xFFFF, H2C_CONTROL: 0},
    **{WINDOW: ALL, WINDOW + 4: ALL, LATENCY_CONTROL: LATENCY_ENABLE, INTERRUPT: 0xFF1F0, INTERRUPT_MASK: ALL},
    INTERRUPT_VECTOR: ALL,
}
READ_ONLY = (H2C_STATUS, H2C_COUNT, C2H_STATUS, DROPPED, ACCEPTED, 0xA0, 0xA4, *LATENCY)
RESET = {PACKET_LENGTH: 64, WINDOW: 0xEE6B280}


async def ready(dut, **rates: float) -> Bed:
    bed = Bed(dut, seeded(os.environ["ULLNIC_TEST_NAME"]))
    bed.rates |= rates
    return await bed.reset()


def any_pace(bed: Bed) -> None:
    for what in bed.rates:
        bed.rates[what] = bed.rng.choice((1.0, 0.7, 0.2))
    bed.delays = bed.rng.choice(((1, 1), (8, 20), (3, 200)))


@cocotb.test()
async def registers(dut):
    """Value after reset, bits that keep what is written, byte enables, refused accesses; what reads as 0."""
    bed = await ready(dut)
    minimum = dict.fromkeys(LATENCY[2:4], ALL)
    for address in range(0, 0x200, 4):
        expected = (OKAY, (RESET | minimum).get(address, 0)) if address in BITS or address in READ_ONLY else (SLVERR, 0)
        assert await bed.access(address) == expected, hex(address)
    kept = {address: RESET.get(address, 0) for address in BITS}
    for _ in range(rounds(2000, 300)):
        address = bed.rng.choice(
            (*BITS, *READ_ONLY, 0x1C, 0x24, 0x54, 0x68, 0xA8, 0xFC, 0x12C, 0x1FC, 0x7FFFC, 1 << 31)
        )
        value, strobes = bed.rng.getrandbits(32), bed.rng.randrange(16)
        if address == CONTROL:
            value &= ~(START | IMMEDIATE | MARKER | DUMP)
        if address == INTERRUPT:
            value &= ~1  # 1 until it is answered
        bits = BITS.get(address)
        assert await bed.write(address, value, strobes) == (SLVERR if bits is None else OKAY), hex(address)
        if bits is not None:
            mask = sum(0xFF << 8 * i for i in range(4) if strobes >> i & 1) & bits
            kept[address] = (kept[address] & ~mask) | (value & mask)
        address = bed.rng.choice(tuple(BITS))
        assert await bed.read(address) == kept[address], hex(address)
        if address == INTERRUPT_VECTOR:
            kept[address] = 0
    assert not bed.asked


@cocotb.test()
async def interrupts(dut):
    """By the request bit, and by mask and vector: function and vector, ack and fail, several before an answer; a read
    clears the vector register; what raises none."""
    bed = await ready(dut)
    both = bed.rng.getrandbits(32) | 1
    for i in range(rounds(200, 40)):
        func, vector, fails = bed.rng.randrange(256), bed.rng.randrange(32), bool(bed.rng.getrandbits(1))
        bed.interrupt_fails = lambda func, vector, fails=fails: fails
        before = len(bed.interrupts)
        place = func << 12 | vector << 4
        if i % 2:
            assert await bed.write(INTERRUPT, place | 1) == OKAY
            # It is not taken back, and those that come meanwhile begin with what is there then.
            assert await bed.read(INTERRUPT) & 0xFF1F1 == place | int(len(bed.interrupts) == before)
            if bed.rng.getrandbits(1):
                await bed.write(INTERRUPT, place)
            count = 1
        else:
            await bed.write(INTERRUPT, place)
            await bed.write(INTERRUPT_MASK, 0)
            await bed.write(INTERRUPT_VECTOR, both)
            await bed.write(INTERRUPT_MASK, ALL & ~both)
            await bed.settle()
            assert len(bed.interrupts) == before
            times = bed.rng.randint(1, 3)
            await bed.write(INTERRUPT_MASK, both if times > 1 else 0)
            for _ in range(times - 1):
                await bed.write(INTERRUPT_VECTOR, both | bed.rng.getrandbits(32))
            await bed.write(INTERRUPT_MASK, ALL)
            await bed.settle()
            count = len(bed.interrupts) - before
            assert 1 <= count <= times + 1
            assert await bed.read(INTERRUPT_VECTOR) & both == both
            assert await bed.read(INTERRUPT_VECTOR) == 0
        await bed.settle()
        assert bed.interrupts[before:] == [(func, vector, not fails)] * count
        assert await bed.read(INTERRUPT) == place | int(fails) << 1
    seen = await bed.step()
    assert not seen.moves and not bed.asked


@cocotb.test()
async def lengths(dut):
    """Packets of a start: each length, numbers that go on from packet to packet, each queue, counts."""
    bed = await ready(dut)
    sizes = [*range(1, 150), 4095, 4096, 4097, 65535, *(bed.rng.randint(1, 9000) for _ in range(10))]
    for i, size in enumerate(sizes):
        any_pace(bed)
        qid, packets = (
            bed.rng.randrange(QUEUES),
            1 if size > 9000 else bed.rng.choice((1, 2, 7, 40 if size < 300 else 3)),
        )
        bed.give(qid, packets + bed.rng.randrange(3))
        before = len(bed.received)
        await bed.start(qid, size, packets, START | bed.rng.choice((0, NO_COMPLETION)))
        has_entry = not await bed.read(CONTROL) & NO_COMPLETION
        await bed.until(lambda: len(bed.received) == before + packets, 200_000)  # noqa: B023
        await bed.settle()
        got = bed.received[before:]
        assert [packet.data for packet in got] == start_data(packets, size), (i, size)
        assert all(packet.qid == qid and packet.completion == has_entry for packet in got)
        assert not any(packet.user_format or packet.marker for packet in got)
        assert (await bed.read(ACCEPTED), await bed.read(DROPPED)) == (packets, 0)


@cocotb.test()
async def entries(dut):
    """What the entries of packets and entries alone have."""
    bed = await ready(dut)
    for _ in range(12):
        any_pace(bed)
        data = [bed.rng.getrandbits(32) for _ in range(8)]
        for i, word in enumerate(data):
            await bed.write(DATA + 4 * i, word)
        size = bed.rng.choice((0, 1 << 12)) | bed.rng.choice((0, 1 << 3)) | bed.rng.randrange(8) << 4 | 2
        await bed.write(SIZE, size)
        control = bed.rng.choice((START, IMMEDIATE))
        bed.give(3, 5)
        before = len(bed.received)
        await bed.start(3, 100, 5, control)
        await bed.settle()
        got = bed.received[before:]
        alone = control == IMMEDIATE or size >> 12 == 1
        assert [packet.data for packet in got] == ([b""] * 5 if alone else start_data(5, 100))
        expected = (sum(word << 32 * i for i, word in enumerate(data)), size >> 3 & 1, int(alone), size >> 4 & 7)
        assert all((p.entry, p.trigger, p.user_format, p.place) == expected for p in got) and len(got) == 5


@cocotb.test()
async def no_room(dut):
    """A queue without room: nothing more is asked for until an event, each packet comes once, in order; with drop it is
    dropped. Answers that an event has overtaken are asked for again. A queue that is not valid ends the start."""
    bed = await ready(dut)
    for _ in range(rounds(60, 15)):
        any_pace(bed)
        packets, before = bed.rng.randint(1, 60), len(bed.received)
        bed.give(5, bed.rng.randrange(5))
        await bed.start(5, 70, packets)
        while len(bed.received) < before + packets:
            await bed.settle()
            asked = len(bed.asked)
            await bed.steps(300)
            assert len(bed.asked) == asked, "asked again without an event"
            bed.give(5, bed.rng.randint(1, 9))
            await bed.steps(bed.rng.choice((0, 30, 200)))
        await bed.settle()
        assert [packet.data for packet in bed.received[before:]] == start_data(packets, 70)
        assert (await bed.read(ACCEPTED), await bed.read(DROPPED)) == (packets, 0)
    bed.give(5, 4)
    await bed.start(5, 64, 20, START | DROP_ENABLE)
    await bed.settle()
    assert (await bed.read(ACCEPTED), await bed.read(DROPPED)) == (4, 16)
    for answer in (INVALID, TOO_LONG, DROP):
        bed.answer = lambda ask, answer=answer: answer
        await bed.start(6, 64, 9)
        await bed.settle()
        assert (await bed.read(ACCEPTED), await bed.read(DROPPED)) == (0, 9)
    bed.answer = lambda ask: None
    # Packets of a queue that is stopped after they were granted.
    bed.stopped.add(7)
    bed.give(7, 3)
    await bed.start(7, 64, 3)
    await bed.settle()
    assert (await bed.read(ACCEPTED), await bed.read(DROPPED)) == (0, 3)


@cocotb.test()
async def start_again(dut):
    """A start before the end of the one before is ignored, whatever waits; settings are those of its beginning."""
    bed = await ready(dut, beat=0.5)
    bed.give(1, 100)
    for _ in range(10):
        before = len(bed.received)
        await bed.start(1, 500, 3)
        bed.give(2, 100)
        await bed.start(2, 20, 9)
        await bed.write(LEN, 1)
        await bed.settle()
        assert [packet.data for packet in bed.received[before:]] == start_data(3, 500)
        assert {packet.qid for packet in bed.received[before:]} == {1}
    before = len(bed.received)
    await bed.start(2, 20, 0)
    await bed.start(2, 20, 2)
    await bed.settle()
    assert [packet.data for packet in bed.received[before:]] == start_data(2, 20)


@cocotb.test()
async def without_end(dut):
    """Packets of `dump`: for each queue that has had an event, in turns, until it has no room; stopped and started
    again at any time, packets whole; none is asked for of a queue without an event."""
    bed = await ready(dut)
    for qid in range(QUEUES):
        bed.give(qid, None)  # as a driver clears them: they are not there
    await bed.write(CONTROL, DUMP)
    await bed.settle()
    assert not bed.asked, "before a length is written"
    for _ in range(rounds(30, 8)):
        any_pace(bed)
        size = bed.rng.choice((64, 1, 65, 700))
        await bed.write(PACKET_LENGTH, size)
        asked = len(bed.asked)
        await bed.steps(200)
        assert len(bed.asked) == asked, "queues of before were forgotten"
        chosen = bed.rng.sample(range(QUEUES), bed.rng.randint(1, 6))
        before, room = len(bed.received), {}
        for qid in chosen:
            room[qid] = bed.rng.randint(1, 90)
            bed.give(qid, room[qid])
        await bed.write(CONTROL, DUMP)
        for _ in range(bed.rng.randrange(4)):
            await bed.steps(bed.rng.randint(1, 60))
            await bed.write(CONTROL, bed.rng.choice((0, 1 << 17, 1 << 20)))
            await bed.settle()
            asked = len(bed.asked)
            await bed.steps(100)
            assert len(bed.asked) == asked
            await bed.write(CONTROL, DUMP)
        await bed.settle(400)
        got = bed.received[before:]
        assert {qid: sum(packet.qid == qid for packet in got) for qid in chosen} == room
        assert all(packet.data == numbers(0, size) for packet in got) and len(got) == sum(room.values())
        for qid in chosen:
            bed.give(qid, 5000)
        await bed.steps(300)
        await bed.write(CONTROL, DUMP | bed.rng.choice((STOP, 1 << 18, 1 << 21)))
        await bed.settle()
        await bed.write(CONTROL, DUMP)
        asked = len(bed.asked)
        bed.give(chosen[0], 5000)
        await bed.steps(300)
        assert len(bed.asked) == asked, "stopped until a length is written"
        await bed.write(CONTROL, bed.rng.choice((DUMP, DUMP | STOP)))  # as the tool leaves it
    # Other tools write 0 there, to choose no bypass, whatever the control register has been left with.
    await bed.write(CONTROL, DUMP)
    await bed.write(PACKET_LENGTH, 0)
    asked = len(bed.asked)
    bed.give(0, 9)
    await bed.steps(300)
    assert len(bed.asked) == asked
    # Turns: no queue has all.
    await bed.write(PACKET_LENGTH, 64)
    for qid in range(4):
        bed.give(qid, 1000)
    before = len(bed.received)
    await bed.write(CONTROL, DUMP)
    await bed.until(lambda: len(bed.received) >= before + 600)
    shares = [sum(packet.qid == qid for packet in bed.received[before:]) for qid in range(4)]
    assert min(shares) >= 600 // 4 - 2 * 32, shares
    await bed.write(CONTROL, DROP_ENABLE)
    await bed.settle()
    # Dropped instead of held: the queue is asked for on and on.
    bed.give(0, 5)
    for qid in range(1, QUEUES):
        bed.room[qid] = None
    await bed.start(0, 1, 0, DUMP | DROP_ENABLE)
    await bed.until(lambda: bed.answers[-50:].count(HOLD) > 40)
    await bed.write(CONTROL, 0)
    await bed.settle()
    assert await bed.read(DROPPED) > 40


@cocotb.test()
async def markers(dut):
    """A marker comes after the packets of before, once; its bit stays until the next one; none of a queue that is not
    valid."""
    bed = await ready(dut)
    for _ in range(rounds(40, 10)):
        any_pace(bed)
        qid = bed.rng.randrange(QUEUES)
        bed.give(qid, 50)
        granted = len(bed.answers) + 4
        await bed.start(qid, 300, 4)
        await bed.until(lambda: len(bed.answers) == granted)  # noqa: B023
        await bed.write(CONTROL, MARKER)
        assert not await bed.read(C2H_STATUS) or not bed.leaving
        await bed.until(lambda: any(packet.marker for packet in bed.received))
        await bed.settle()
        marker = bed.received[-1]
        assert marker.marker and marker.data == b"" and not marker.completion and marker.qid == qid
        assert sum(packet.marker for packet in bed.received) == 1 and len(bed.received) == 5
        assert await bed.read(C2H_STATUS) == 1
        assert (await bed.read(ACCEPTED), await bed.read(DROPPED)) == (4, 0)
        await bed.write(CONTROL, bed.rng.choice((0, DUMP | STOP)))
        assert await bed.read(C2H_STATUS) == 0
        bed.received.clear()
    # After packets without end, to the queue of the last one, which are not made meanwhile.
    await bed.write(CONTROL, 0)
    await bed.write(PACKET_LENGTH, 64)
    for other in range(QUEUES):
        bed.room[other] = 0
    bed.give(9, 5000)
    await bed.write(CONTROL, DUMP)
    await bed.until(lambda: len(bed.received) > 30)
    await bed.write(CONTROL, DUMP | MARKER)
    await bed.settle()
    assert bed.received[-1].marker and bed.received[-1].qid == 9 and await bed.read(C2H_STATUS) == 1
    await bed.write(CONTROL, DUMP)
    assert await bed.read(C2H_STATUS) == 0
    await bed.until(lambda: not bed.received[-1].marker)
    await bed.write(CONTROL, 0)
    await bed.settle()
    bed.received.clear()
    bed.room[9] = None
    await bed.write(CONTROL, MARKER)
    await bed.settle()
    assert not bed.received and await bed.read(C2H_STATUS) == 0


@cocotb.test()
async def checker(dut):
    """The pattern matches in packets of any length, begun again or going on; one wrong byte anywhere does not."""
    bed = await ready(dut)
    rng = bed.rng
    assert await bed.read(H2C_STATUS) == 0
    for number in range(rounds(300, 80)):
        any_pace(bed)
        await bed.write(H2C_CONTROL, CLEAR)
        assert await bed.read(H2C_STATUS) & 1 == 0 and await bed.read(H2C_COUNT) == 0
        at, packets, qid = 0, rng.randint(1, 5), rng.randrange(QUEUES)
        data = []
        for _ in range(packets):
            size = rng.choice((rng.randint(1, 130), rng.randint(1, 3000), 64, 128, 0))
            if rng.random() < 0.3:
                at = 0
            data.append(numbers(at, size))
            at += (size + 1) // 2
        fault = rng.choice(("none", "byte", "error", "first"))
        wrong = rng.randrange(packets)
        if fault == "byte" and data[wrong]:
            where = rng.choice((rng.randrange(len(data[wrong])), len(data[wrong]) - 1))
            changed = bytearray(data[wrong])
            changed[where] ^= 1 << rng.randrange(8)
            data[wrong] = bytes(changed)
        if fault == "first":
            data.insert(wrong, numbers(at + 5, 9))
        for i, block in enumerate(data):
            bed.send(qid, block, error=fault == "error" and i == wrong)
        await bed.settle()
        assert await bed.read(H2C_COUNT) == len(data)
        status = await bed.read(H2C_STATUS)
        assert status >> 4 == qid
        is_good = fault == "none" or (fault == "byte" and not data[wrong])
        assert status & 1 == is_good, (number, fault, wrong, [len(block) for block in data])
    assert not bed.asked


@cocotb.test()
async def loop(dut):
    """What comes on a queue goes back on it, whatever its length; what cannot is dropped and counted."""
    bed = await ready(dut)
    rng = bed.rng
    dropped = 0
    for _ in range(rounds(60, 12)):
        any_pace(bed)
        await bed.write(CONTROL, LOOP)
        before, expected, lost = len(bed.received), [], 0
        for _ in range(rng.randint(1, 25)):
            qid = rng.randrange(QUEUES)
            bed.give(qid, 100)
            size = rng.choice((0, 1, 63, 64, 65, rng.randint(1, 64 * LOOP_BEATS), 64 * LOOP_BEATS))
            kind = rng.choice(("good",) * 5 + ("error", "long"))
            data = rng.randbytes(size if kind != "long" else 64 * LOOP_BEATS + rng.choice((1, 64, 1000)))
            bed.send(qid, data, error=kind == "error")
            if kind == "good":
                expected.append((qid, data))
            else:
                lost += 1
        await bed.until(lambda: len(bed.received) == before + len(expected) and not bed.h2c)  # noqa: B023
        seen = await bed.step()
        dropped += lost
        await bed.settle()
        seen = await bed.step()
        assert seen.stat_loop_dropped == dropped
        assert [(packet.qid, packet.data) for packet in bed.received[before:]] == expected
    # A queue that is not valid: its packets are dropped, those behind it go on.
    bed.give(1, None)
    bed.give(2, 10)
    before = len(bed.received)
    for qid in (1, 1, 2, 1, 2):
        bed.send(qid, rng.randbytes(100))
    await bed.settle()
    assert [packet.qid for packet in bed.received[before:]] == [2, 2]
    # One without room stops H2C until it has, or until packets may be dropped.
    bed.give(3, 0)
    data = [rng.randbytes(500) for _ in range(8)]
    for block in data:
        bed.send(3, block)
    await bed.steps(600)
    assert bed.h2c
    bed.give(3, 1)
    await bed.until(lambda: bed.received[-1].data == data[0])
    await bed.write(CONTROL, LOOP | DROP_ENABLE)
    await bed.until(lambda: not bed.h2c)
    await bed.settle()
    assert sum(packet.qid == 3 for packet in bed.received) and bed.received[-1].data == data[0]
    # Without the loop they are checked and gone; the change is between two packets.
    await bed.write(CONTROL, LOOP)
    bed.give(4, 9)
    bed.rates["h2c"] = 0.2
    first = rng.randbytes(640)
    bed.send(4, first)
    bed.send(4, rng.randbytes(640))
    await bed.until(lambda: len(bed.h2c) < 20)
    await bed.write(CONTROL, 0)
    await bed.settle()
    assert bed.received[-1].data == first


@cocotb.test()
async def rates(dut):
    """A beat in each cycle: packets of 64 bytes without end of one queue and of several, long ones of a start."""
    bed = await ready(dut)
    bed.delays = (12, 12)
    await bed.write(PACKET_LENGTH, 64)
    for chosen in ((0,), (0, 7, 33)):
        for qid in range(QUEUES):
            bed.room[qid] = None
        for qid in chosen:
            bed.give(qid, 10**6)
        await bed.write(CONTROL, DUMP)
        await bed.steps(200)
        before, at = len(bed.received), bed.stepper.cycle
        await bed.steps(1000)
        rate = (len(bed.received) - before) / (bed.stepper.cycle - at)
        assert rate > 0.9, (chosen, rate)
        await bed.write(CONTROL, 0)
        await bed.settle()
    bed.give(1, 100)
    await bed.start(1, 4096, 20)
    before, at = len(bed.received), bed.stepper.cycle
    await bed.until(lambda: len(bed.received) == before + 20)
    assert bed.stepper.cycle - at < 20 * 64 + 60


async def latencies(bed: Bed, registers=LATENCY) -> list[int]:
    """Maximum, minimum, sum and packets, read in this order."""
    halves = {address: await bed.read(address) for address in registers}
    return [halves[address] | halves[address + 4] << 32 for address in LATENCY[::2]]


@cocotb.test()
async def latency(dut):
    """Packets with a time stamp that come back: each in one window, snapshots whole, held while they are read."""
    bed = await ready(dut)
    nothing = [0, (1 << 64) - 1, 0, 0]
    assert await latencies(bed) == nothing
    for start in (START, DUMP):
        for size in (8, 64, 200):
            any_pace(bed)
            await bed.write(WINDOW, 0)
            await bed.write(LATENCY_CONTROL, LATENCY_ENABLE | CLEAR)
            await bed.write(PACKET_LENGTH, size)
            before = len(bed.received)
            bed.give(4, 20)
            await bed.start(4, size, 20, start)
            await bed.until(lambda: len(bed.received) == before + 20)  # noqa: B023
            await bed.write(CONTROL, 0)
            got = [packet.data for packet in bed.received[before:]]
            stamps = [int.from_bytes(data[:8], "little") for data in got]
            assert stamps == sorted(set(stamps)) and 0 <= bed.stepper.cycle - stamps[-1] < bed.stepper.cycle
            whole = start_data(20, size) if start == START else [numbers(0, size)] * 20
            assert [data[8:] for data in got] == [data[8:] for data in whole]
            expected = []
            bed.rates["h2c"] = 1.0
            for data in got:
                bed.send(4, data)
            await bed.settle()
            assert await latencies(bed) == nothing, "there is no window"
            window, expected = 3000, []
            await bed.write(LATENCY_CONTROL, LATENCY_ENABLE | CLEAR)
            await bed.write(WINDOW, window)
            for data, stamp in zip(got, stamps, strict=True):
                bed.send(4, data)
                bed.send(4, b"short")
                await bed.until(lambda: len(bed.h2c) == 1)
                expected.append(bed.stepper.cycle - stamp)
                await bed.until(lambda: not bed.h2c)
            await bed.steps(window + 20)
            seen = await latencies(bed)
            offset = seen[0] - max(expected)  # of the stamps' clock, which counts from the end of the reset
            assert abs(offset) < 4
            assert seen[1:] == [min(expected) + offset, sum(expected) + 20 * offset, 20]
    # Held: windows that end while it is being read are lost, and the next one after is whole.
    await bed.write(WINDOW, 500)
    await bed.write(LATENCY_CONTROL, LATENCY_ENABLE | CLEAR)
    for round_ in range(rounds(40, 12)):
        order = list(LATENCY)
        bed.rng.shuffle(order)
        count = bed.rng.randrange(5)
        await bed.steps(510)
        await latencies(bed)  # of some window
        await bed.steps(510)
        for _ in range(count):
            bed.send(1, bed.stepper.cycle.to_bytes(8, "little"))
        assert await bed.read(order[0]) in (0, 0xFFFFFFFF)
        await bed.steps(1200)
        for address in order[1:]:
            assert await bed.read(address) in (0, 0xFFFFFFFF), (round_, "it was held")
    assert await bed.write(LATENCY[0], 5) == SLVERR
    await bed.write(LATENCY_CONTROL, CLEAR)
    assert await latencies(bed) == nothing
    bed.give(4, 1)
    await bed.start(4, 64, 1)
    await bed.settle()
    assert bed.received[-1].data == numbers(0, 64)


@cocotb.test()
async def clock(dut):
    """When a simulation may stop the clock: not while a packet is still to be asked for, however late the answers are,
    nor while latency is measured; but when a queue has no room, and when all has been sent."""
    bed = await ready(dut)

    async def moves(cycles: int) -> set[int]:
        return {(await bed.step()).moves for _ in range(cycles)}

    assert await moves(50) == {0}
    bed.delays = (300, 300)
    bed.give(5, 60)
    await bed.start(5, 64, 80)
    await bed.until(lambda: bed.asked)
    while HOLD not in bed.answers:
        assert await moves(1) == {1}, f"the clock stops after {len(bed.asked)} asks"
    await bed.settle()
    assert len(bed.received) == 60 and await moves(50) == {0}, "the queue has no room"
    bed.give(5, 20)
    await bed.settle()
    assert len(bed.received) == 80 and await moves(50) == {0}
    await bed.write(LATENCY_CONTROL, LATENCY_ENABLE)
    await bed.settle()
    assert await moves(600) == {1}
    await bed.write(LATENCY_CONTROL, 0)
    await bed.settle()
    assert await moves(50) == {0}


@cocotb.test()
async def hostile(dut):
    """Any writes at any time, H2C without sense, queues that come and go: what is granted is sent as it was asked for,
    all come to an end, and then a start does what it should."""
    bed = await ready(dut)
    rng = bed.rng
    for _ in range(rounds(30, 6)):
        any_pace(bed)
        for _ in range(120):
            kind = rng.random()
            if kind < 0.5:
                await bed.write(
                    rng.choice((*BITS, *READ_ONLY, 0x1FC)), rng.getrandbits(32), rng.choice((15, 15, rng.randrange(16)))
                )
            elif kind < 0.7:
                await bed.write(
                    CONTROL, rng.choice((START, DUMP, DUMP | STOP, MARKER, DUMP | MARKER, LOOP, START | LOOP, 0))
                )
            elif kind < 0.85:
                bed.give(rng.randrange(QUEUES), rng.choice((None, 0, 1, 20)), event=rng.random() < 0.8)
            else:
                bed.send(
                    rng.randrange(2048), rng.randbytes(rng.choice((0, 1, 64, 300, 2000))), error=rng.random() < 0.2
                )
            await bed.steps(rng.choice((0, 3, 40)))
        await bed.write(CONTROL, DROP_ENABLE)
        for qid in range(2048):
            bed.room[qid] = None
        bed.events.append(0)
        bed.rates = dict.fromkeys(bed.rates, 1.0)
        await bed.settle()
        await bed.write(LATENCY_CONTROL, 0)
        assert not bed.granted and not bed.h2c and not (await bed.step()).moves
        for address, value in ((CONTROL, 0), (SIZE, 0), (H2C_CONTROL, CLEAR)):
            await bed.write(address, value)
        bed.give(11, 3)
        before = len(bed.received)
        await bed.start(11, 77, 3)
        bed.send(12, numbers(0, 1001))
        await bed.settle()
        assert [packet.data for packet in bed.received[before:]] == start_data(3, 77)
        assert (await bed.read(H2C_STATUS), await bed.read(H2C_COUNT)) == (12 << 4 | 1, 1)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_example_user(test):
    example_bench().run("test_example_user", test)
