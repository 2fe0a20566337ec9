# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A port with an engine that hears itself: each frame that it sends comes back at once, so the order of mirror and
received frames is seen at its tightest."""

import cocotb
import pytest
from cocotb.triggers import Timer

from ate_model import Connection, raw_chunk, tcp_chunk
from baser import padded
from card_bench import ATE, MIRROR, RECEIVED, card, new
from ullnic_tb import cocotb_tests, main_and_kept

CONNECTIONS = 4
FRAMES = 150  # received and mirrored at once they are more than the host's 16 Gb/s, so not many fit
COUNTER_SENT_HOST = ATE + 0x1000 + 0x44


class Traffic:
    """Payloads on some connections and raw frames; `sent`: each frame of the line, and whether it is mirrored."""

    def __init__(self, frames: int, lengths=(0, 1, 6, 100, 1460), raw_share: float = 0.4):
        self.frames, self.lengths, self.raw_share = frames, lengths, raw_share
        self.sent: list[tuple[bytes, bool]] = []
        self.payloads: set[bytes] = set()

    def __call__(self, rng):
        self.connections = [Connection.random(rng, vlan=rng.choice([None, 5])) for _ in range(CONNECTIONS)]
        self.registers = [Connection(**vars(each)) for each in self.connections]
        chunks = []
        for _ in range(self.frames):
            if rng.random() < self.raw_share:
                octets = rng.randbytes(rng.choice([60, 61, 64, 500]))
                chunks.append(raw_chunk(octets))
                self.sent.append((octets, False))
            else:
                number = rng.randrange(CONNECTIONS)
                payload = rng.randbytes(rng.choice(self.lengths))
                chunks.append(tcp_chunk(number, payload))
                self.payloads.add(payload)
                self.sent.append((self.connections[number].frame(payload), True))
        return ((), chunks)

    async def connect(self, card_, port: int = 1) -> None:
        for number, each in enumerate(self.registers):
            await card_.connect(each, number, port)


def check(packets, traffic: Traffic, all_received: bool = True) -> int:
    """Each frame is there as it left, and no received frame before the mirror of one that left before it; the number of
    received frames."""
    mirrored = [octets for octets, mirror in traffic.sent if mirror]
    assert [p.frame for p in packets if p.kind == MIRROR] == mirrored
    assert {p.kind for p in packets} <= {MIRROR, RECEIVED}
    line = [padded(octets) for octets, _ in traffic.sent]
    before = [0]  # mirror frames that left before each frame of the line
    for _, mirror in traffic.sent:
        before.append(before[-1] + mirror)
    at, mirrors, received = 0, 0, 0
    for packet in packets:
        if packet.kind == MIRROR:
            mirrors += 1
            continue
        received += 1
        while line[at] != packet.frame:
            assert not all_received, f"frame {at} of the line was not received"
            at += 1
        assert mirrors >= before[at], f"received frame {at} came {before[at] - mirrors} mirror frames too early"
        at += 1
    assert received == len(line) or not all_received
    return received


async def run(dut, traffic, modes: int = 0b0101):
    card_ = new(dut, packets=traffic)
    dut.host_mode.value = modes
    await card_.started(echo=1, wait_for=0b10)
    await traffic.connect(card_)
    dut.go.value = 2
    return card_


@cocotb.test()
async def order(dut):
    """Long and short frames: the mirror of each is there before what came after it had left."""
    traffic = Traffic(FRAMES)
    card_ = await run(dut, traffic)
    await card_.idle()
    check(await card_.got(1), traffic)
    counters = await card_.counters(1)
    mirrored = sum(mirror for _, mirror in traffic.sent)
    assert counters["rx_frames"] == counters["chunks"] == FRAMES
    assert counters["mirror_frames"] == mirrored == await card_.read(COUNTER_SENT_HOST)
    assert counters["packets"] == FRAMES + mirrored
    assert counters["rx_no_room"] == counters["rx_cut"] == counters["mirror_cut"] == counters["rx_bad"] == 0


@cocotb.test()
async def slow_host(dut):
    """A host that often is not ready."""
    traffic = Traffic(200)
    card_ = await run(dut, traffic, modes=0b1001)
    await card_.idle()
    received = check(await card_.got(1), traffic, all_received=False)
    counters = await card_.counters(1)
    assert counters["rx_frames"] == received and counters["rx_no_room"] == 200 - received


@cocotb.test()
async def stopped_host(dut):
    """A host that reads nothing stops the engine; what was received meanwhile is dropped whole, no mirror frame is."""
    traffic = Traffic(60, lengths=(1000, 1460), raw_share=0.2)
    card_ = await run(dut, traffic, modes=0b0001)
    stopped, before = 0, -1
    while stopped != before or not stopped:  # a frame takes 1.2 us
        await Timer(5, "us")
        before, stopped = stopped, await card_.read(COUNTER_SENT_HOST)
    assert 3 <= stopped < 20, "the mirror has no room, and the engine waits"
    assert int(dut.c2h_packets.value) == 0
    dut.host_mode.value = 0b0101
    await card_.idle()
    received = check(await card_.got(1), traffic, all_received=False)
    counters = await card_.counters(1)
    assert counters["rx_frames"] == received and counters["rx_frames"] + counters["rx_no_room"] == 60


@pytest.mark.parametrize("width", main_and_kept(__file__, [32, 16]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_card_mirror(width, test):
    card(width).run(__name__, test)
