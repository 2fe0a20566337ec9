# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""qdma_write_arbiter: order, rate, fairness, bus master off. Proved, too, are the order, formal/write_order.sv, and the
count of what leaves, formal/moves_count.sv."""

import cocotb
import pytest

from qdma_write_bed import lanes, running_test, write_bench
from ullnic_tb import Stepper, cocotb_tests, seeded

CLIENTS = 4
OUTPUTS = ["client_ready", "posted_valid", "posted_last", "posted_func", "posted_addr", "posted_data"]
OUTPUTS += ["is_idle", "moves", "dropped", "dropped_func"]
ALL_MASTERS = (1 << 256) - 1


class Client:
    """Presents TLPs; knows since when the one it presents has waited."""

    def __init__(self, number: int, rng):
        self.number, self.rng, self.beats, self.count = number, rng, [], 0
        self.since, self.is_open = None, False

    def offer(self, func: int, beats: int) -> None:
        for i in range(beats):
            self.beats.append((i + 1 == beats, func, self.number << 24 | self.count))
            self.count += 1


class Bed:
    def __init__(self, dut, rng):
        self.s = Stepper(dut, OUTPUTS)
        self.clients = [Client(i, rng) for i in range(CLIENTS)]
        self.accepted, self.sent, self.dropped = [], [], []

    async def reset(self, **inputs: int) -> None:
        await self.s.reset(client_valid=0, client_last=0, client_func=0, client_number=0, posted_ready=0,
                           master_enable=ALL_MASTERS, **inputs)  # fmt: skip

    async def step(self, shown=(1, 1, 1, 1), **inputs: int):
        """A cycle. `shown`: whether a client that does not wait yet presents its beat."""
        cycle = self.s.cycle
        heads = []
        for client, show in zip(self.clients, shown, strict=True):
            if client.beats and client.since is None and show:
                client.since = cycle
            heads.append(client.beats[0] if client.since is not None else None)
        beats = [head or (0, 0, 0) for head in heads]
        out = await self.s.step(
            client_valid=lanes([head is not None for head in heads], 1),
            client_last=lanes([beat[0] for beat in beats], 1),
            client_func=lanes([beat[1] for beat in beats], 8),
            client_number=lanes([beat[2] for beat in beats], 32),
            **inputs,
        )
        for client in self.clients:
            if out.client_ready >> client.number & 1:
                assert client.since is not None, "ready without valid"
                last, func, number = client.beats.pop(0)
                if not client.is_open:
                    for other in self.clients:
                        ahead = other is not client and other.since is not None
                        assert not ahead or (other.since, other.number) > (client.since, client.number)
                self.accepted.append((last, func, number))
                client.is_open = not last
                # A TLP that is open and is shown again at once keeps its place.
                client.since = None if last or not client.beats else client.since
        if out.posted_valid and inputs.get("posted_ready", self.s.given["posted_ready"]):
            number = out.posted_addr >> 2
            assert out.posted_data == lanes([number] * 16, 32)
            self.sent.append((out.posted_last, out.posted_func, number))
        if out.dropped:
            self.dropped.append(out.dropped_func)
        return out


@cocotb.test()
async def order(dut):
    """Who waits longest goes first, of those that came together the lower client; nothing is lost or moved."""
    rng = seeded(running_test())
    bed = Bed(dut, rng)
    await bed.reset()
    for rate, ready_rate in ((1, 1), (0.3, 1), (1, 0.4), (0.3, 0.7), (0.05, 1)):
        for _ in range(600):
            for client in bed.clients:
                if len(client.beats) < 4:
                    client.offer(rng.randrange(256), rng.choice((1, 1, 2, 4)))
            await bed.step([rng.random() < rate for _ in range(CLIENTS)], posted_ready=rng.random() < ready_rate)
    for client in bed.clients:
        client.offer(0, 1)
    while any(client.beats for client in bed.clients):
        await bed.step(posted_ready=1)
    for _ in range(6):
        out = await bed.step(posted_ready=1)
    assert out.is_idle and bed.sent == bed.accepted and not bed.dropped
    assert {number >> 24 for _, _, number in bed.sent} == {0, 1, 2, 3}


@cocotb.test()
async def rate(dut):
    """A beat in every cycle, two cycles after it was accepted, whatever the clients are: 64 bytes cost one beat."""
    rng = seeded(running_test())
    bed = Bed(dut, rng)
    await bed.reset()
    for client in bed.clients:
        for _ in range(100):
            client.offer(rng.randrange(256), rng.choice((1, 1, 2)))
    total = sum(len(client.beats) for client in bed.clients)
    first = None
    for cycle in range(total + 2):
        out = await bed.step(posted_ready=1)
        if out.posted_valid and first is None:
            first = cycle
    assert first == 2 and len(bed.sent) == total


@cocotb.test()
async def fair(dut):
    """While a TLP waits, each other client sends at most one, though they always have more."""
    rng = seeded(running_test())
    bed = Bed(dut, rng)
    await bed.reset()
    for quiet in range(CLIENTS):
        for _ in range(60):
            for client in bed.clients:
                if client.number != quiet and len(client.beats) < 4:
                    client.offer(0, rng.choice((1, 3)))
            if rng.random() < 0.2 and not bed.clients[quiet].beats:
                bed.clients[quiet].offer(0, 1)
            begin = len(bed.accepted)
            await bed.step(posted_ready=1)
            assert len(bed.accepted) == begin + 1
    order = [number >> 24 for last, _, number in bed.accepted if last]
    for client in range(CLIENTS):
        others = [i for i, number in enumerate(order) if number == client]
        assert others


@cocotb.test()
async def bus_master_off(dut):
    """TLPs of a function that may not be bus master are dropped whole, and counted; the others are not delayed."""
    rng = seeded(running_test())
    bed = Bed(dut, rng)
    await bed.reset()
    enable = ALL_MASTERS & ~(1 << 3 | 1 << 200)
    for _ in range(800):
        for client in bed.clients:
            if len(client.beats) < 3:
                client.offer(rng.choice((0, 3, 200, 255)), rng.choice((1, 2)))
        await bed.step([rng.random() < 0.5 for _ in range(4)], master_enable=enable, posted_ready=rng.random() < 0.8)
    for client in bed.clients:
        client.offer(1, 1)
    while any(client.beats for client in bed.clients):
        await bed.step(posted_ready=1)
    for _ in range(6):
        await bed.step(posted_ready=1)
    assert bed.sent == [beat for beat in bed.accepted if beat[1] not in (3, 200)]
    assert bed.dropped == [beat[1] for beat in bed.accepted if beat[1] in (3, 200) and beat[0]]
    # All off, and a channel that never accepts: clients still get rid of their TLPs.
    for client in bed.clients:
        client.offer(7, 2)
    for _ in range(12):
        await bed.step(master_enable=0, posted_ready=0)
    assert not any(client.beats for client in bed.clients)


@cocotb.test()
async def moves(dut):
    """What leaves is counted once, accepted or dropped; what is dropped while others wait for the channel is not."""
    rng = seeded(running_test())
    bed = Bed(dut, rng)
    await bed.reset()

    async def counted(cycles: int, ready: float = 1.0) -> int:
        enable = ALL_MASTERS & ~(1 << 3)
        outs = [await bed.step(master_enable=enable, posted_ready=rng.random() < ready) for _ in range(cycles)]
        return sum(out.moves for out in outs)

    bed.clients[0].offer(0, 2)  # fills the channel but for a place
    assert await counted(4, ready=0.0) == 0
    bed.clients[1].offer(0, 1)
    assert await counted(4, ready=0.0) == 0 and len(bed.accepted) == 3
    assert await counted(6) == 3
    bed.clients[0].offer(0, 1)
    assert await counted(4, ready=0.0) == 0
    bed.clients[1].offer(3, 9)
    assert await counted(12, ready=0.0) == 0 and not bed.clients[1].beats
    assert await counted(3) == 1
    bed.clients[1].offer(3, 9)
    assert await counted(12, ready=0.0) == 9
    assert await counted(6) == 0
    bed.accepted.clear()
    bed.sent.clear()
    total = 0
    for _ in range(300):
        for client in bed.clients:
            if len(client.beats) < 3:
                client.offer(rng.choice((0, 3)), rng.choice((1, 2)))
        total += await counted(1, ready=0.7)
    assert len(bed.sent) - 1 <= total <= len(bed.accepted)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_write_arbiter(test):
    write_bench("qdma_write_arbiter", "qdma_write_arbiter").run(__name__, test)
