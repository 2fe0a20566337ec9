# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The address map of BAR2, and resets of each clock while frames pass."""

import cocotb
import pytest
from cocotb.triggers import Timer
from cocotbext.axi import AxiResp
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether

from ate_model import raw_chunk
from baser import Line, padded
from card_bench import (
    ATE,
    CONNECTIONS,
    COUNTERS,
    MACPCS,
    MIRROR,
    PORT_STATUS,
    RECEIVED,
    TIME_HI,
    TIME_LO,
    USER,
    WIDTH,
    card,
    new,
)
from test_card_mirror import Traffic
from ullnic_tb import cocotb_tests, main_and_kept

PORT, WINDOW, MAX_FRAME = 0x1000, 0x8000, 0x28
HOLES = [0x20, 0x7FFC, USER + 0x40, USER + 0x7FFC, MACPCS + 0x78, MACPCS + 0x200, MACPCS + 0xFFC]
HOLES += [MACPCS + 2 * PORT, MACPCS + 7 * PORT, 0x18000, 0x1FFFC, ATE, ATE + 0xFFC, ATE + PORT + 0x10]
HOLES += [ATE + PORT + 0xFFC, ATE + 2 * PORT, COUNTERS + 0x2C, COUNTERS + 0xFFC, COUNTERS + 2 * PORT, 0x30000, 0x3FFFC]
HOLES += [CONNECTIONS, CONNECTIONS + 0x7FFC, CONNECTIONS + WINDOW + 0x3C, CONNECTIONS + 2 * WINDOW, 0x7FFFC]


@cocotb.test()
async def address_map(dut):
    """Everything is where the map says, and nothing anywhere else."""
    card_ = await new(dut).started()
    assert await card_.read(0) == int.from_bytes(b"ULNC", "big")
    assert await card_.read(4) == 1 << 16 | 1
    assert await card_.read(8) == WIDTH << 16 | 2 << 8
    assert await card_.read(0xC) == 0b10
    assert await card_.read(PORT_STATUS) & 0xFF == 0b11
    assert await card_.read(0x14) == 512
    for port in range(2):
        assert await card_.read(MACPCS + PORT * port) == int.from_bytes(b"MPCS", "big")
    assert await card_.read(ATE + PORT) == int.from_bytes(b"ATE0", "big")
    assert [await card_.read(COUNTERS + PORT * port + MAX_FRAME) for port in range(2)] == [9618, 1518]
    for address in HOLES:
        await card_.refused(address)
    for address in (0, 4, 8, PORT_STATUS, TIME_LO, MACPCS, COUNTERS, COUNTERS + PORT, COUNTERS + MAX_FRAME, ATE + PORT):
        assert (await card_.master.write(address, bytes(4))).resp == AxiResp.SLVERR, hex(address)
    # What can be written, each with a value of its own, and nothing is in two places.
    wanted = {USER + 4 * i: card_.rng.getrandbits(32) for i in range(16)}
    words = [(0, 0), (0, 28), (1, 4), (257, 32), (511, 52), (511, 56)]
    wanted |= {CONNECTIONS + WINDOW + 64 * number + offset: card_.rng.getrandbits(16) for number, offset in words}
    wanted |= {ATE + PORT + 0xC: 1, MACPCS + PORT + 0x2C: 1600, MACPCS + 0x2C: 1700}
    for address, value in wanted.items():
        await card_.write(address, value)
    for address, value in card_.rng.sample(list(wanted.items()), len(wanted)):
        assert await card_.read(address) == value, hex(address)
    assert (await card_.master.write(CONNECTIONS + WINDOW, bytes(2))).resp == AxiResp.SLVERR


@cocotb.test()
async def time(dut):
    """The counter counts cycles of 4 ns from the reset on, and its halves belong together."""
    card_ = await new(dut).started()
    before = await card_.read(TIME_LO)
    await Timer(4000, "ns")
    after = await card_.read(TIME_LO)
    assert 1000 < after - before < 1100
    dut.dut.now_q.value = (5 << 32) - 10
    assert await card_.read(TIME_LO) > (1 << 32) - 11
    await Timer(100, "ns")
    assert await card_.read(TIME_HI) == 4
    await card_.read(TIME_LO)
    assert await card_.read(TIME_HI) == 5


@cocotb.test()
async def transmit_reset(dut):
    """While the transmit clock is in reset its registers answer with an error, and frames are received still."""
    frames = []

    def lines(rng):
        line = Line()
        for _ in range(20):
            frames.append(rng.randbytes(rng.randrange(60, 300)))
            line.frame(frames[-1]).idle(8)
        return (None, line)

    card_ = await new(dut, lines).started()
    dut.tx_rst.value = 1
    await Timer(100, "ns")
    for address in (USER, ATE + PORT, CONNECTIONS + WINDOW):
        await card_.refused(address)
    assert await card_.read(0) and await card_.read(MACPCS)
    await card_.lines_over()
    await card_.idle()
    assert [p.frame for p in await card_.got(1)] == frames
    dut.tx_rst.value = 0
    await Timer(100, "ns")
    assert await card_.read(ATE + PORT) == int.from_bytes(b"ATE0", "big")


@cocotb.test()
async def resets_on_the_way(dut):
    """Resets of the transmit and receive clocks in the midst of frames: what is lost is counted, what is left is whole,
    and what comes later comes."""
    traffic = Traffic(240, lengths=(0, 100, 1460), raw_share=0.5)
    card_ = await new(dut, packets=traffic).started(echo=1, wait_for=0b10)
    await traffic.connect(card_)
    dut.go.value = 2
    for _ in range(6):
        await Timer(card_.rng.randrange(3000, 8000), "ns")
        which = card_.rng.choice(["tx", "rx", "both"])
        if which != "rx":
            dut.tx_rst.value = 1
        if which != "tx":
            dut.rx_rst.value = 2
        await Timer(card_.rng.randrange(20, 200), "ns")
        dut.tx_rst.value = 0
        dut.rx_rst.value = 0
        while not await card_.read(PORT_STATUS) >> 9 & 1:
            await Timer(1, "us")
    await card_.idle()
    packets = await card_.got(1)
    received = [p.frame for p in packets if p.kind == RECEIVED]
    mirrored = [p.frame for p in packets if p.kind == MIRROR]
    raw = {padded(octets) for octets, mirror in traffic.sent if not mirror}
    # A lost payload moves SEQ of those behind it, so a frame of a connection is known by its ends and its payload.
    ends = {each.dmac + each.smac for each in traffic.connections}
    for octets in (*mirrored, *(f for f in received if f not in raw)):
        datagram = Ether(octets)[IP]
        assert octets[:12] in ends and bytes(datagram[TCP].payload)[: datagram.len - 40] in traffic.payloads
        assert octets not in raw
    assert len(received) > 60 and len(mirrored) > 30
    left = iter([padded(octets) for octets, mirror in traffic.sent if not mirror])
    assert all(octets in left for octets in received if octets in raw), "a raw frame came twice, or out of order"
    counters = await card_.counters(1)
    assert counters["packets"] == len(packets) == counters["rx_frames"] + counters["mirror_frames"]
    assert counters["chunks"] + counters["chunks_cut"] + counters["chunks_refused"] == 240
    assert counters["chunks_refused"] == 0


@cocotb.test()
async def host_reset(dut):
    """A reset of the host in the midst of received frames: numbers begin anew, and the frames behind it are whole."""
    frames = []

    def lines(rng):
        line = Line()
        for _ in range(120):
            frames.append(rng.randbytes(rng.randrange(60, 600)))
            line.frame(frames[-1]).idle(8)
        return (line, None)

    card_ = await new(dut, lines).started(wait_for=0)
    while not int(dut.c2h_packets.value) & 0xFFFF:
        await Timer(1, "us")
    await Timer(card_.rng.randrange(5000, 15000), "ns")
    await card_.flush()
    before = int(dut.c2h_packets.value) & 0xFFFF
    dut.host_rst.value = 1
    await Timer(100, "ns")
    dut.host_rst.value = 0
    await card_.lines_over()
    await card_.idle()
    packets = await card_.got(0, after_reset=True)
    assert 0 < len(packets) < len(frames) - before
    assert [p.frame for p in packets] == frames[-len(packets) :]
    counters = await card_.counters(0)
    assert counters["rx_frames"] == counters["packets"] == len(packets)
    assert len(frames) - before - len(packets) <= 4 and counters["rx_cut"] <= 1 and counters["rx_bad"] == 0


@cocotb.test()
async def chunk_after_reset(dut):
    """A chunk that a transmit reset has cut does not spoil the one behind it."""
    chunks = []

    def packets(rng):
        for _ in range(40):
            chunks.append(rng.randbytes(1500))
        return ((), [raw_chunk(octets) for octets in chunks])

    card_ = await new(dut, packets=packets).started()
    dut.go.value = 2
    await Timer(card_.rng.randrange(2000, 5000), "ns")
    dut.tx_rst.value = 1
    await Timer(100, "ns")
    dut.tx_rst.value = 0
    await card_.idle()
    sent = await card_.sent(1)  # since the reset
    assert len(sent) >= 20 and sent == chunks[-len(sent) :]
    counters = await card_.counters(1)
    assert counters["chunks"] + counters["chunks_cut"] == 40 and counters["chunks_cut"] <= 1


@pytest.mark.parametrize("width", main_and_kept(__file__, [32, 16]))
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_card_registers(width, test):
    card(width).run(__name__, test)
