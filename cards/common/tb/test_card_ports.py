# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""More than two ports, some with an engine: each has its own lines, host streams, registers and counters.

Four ports, because that is fast. ULLNIC_CARD_PORTS and ULLNIC_CARD_ENGINES (bit i: port i has an engine) in the
environment make it others: ../README.md.
"""

import os

import cocotb
import pytest
from cocotbext.axi import AxiResp

from baser import Line, padded
from card_bench import (
    ALL,
    ATE,
    CONNECTIONS,
    COUNTERS,
    MACPCS,
    MIRROR,
    PORT_STATUS,
    PORTS,
    RECEIVED,
    TCP_ENABLES,
    WIDTH,
    card,
    new,
)
from test_card_mirror import Traffic
from ullnic_tb import cocotb_tests

PORT, WINDOW = 0x1000, 0x8000
MAX_LENGTH = 0x2C
ENGINES = [port for port in range(PORTS) if TCP_ENABLES >> port & 1]


@cocotb.test()
async def frames(dut):
    """All ports at once, both ways: what is for one is on that one alone; mirror frames come from engines only."""
    received, traffic = [], [Traffic(20, lengths=(0, 1, 6, 100, 300)) for _ in range(PORTS)]

    def lines(rng):
        for _ in range(PORTS):
            received.append([rng.randbytes(rng.randrange(60, 300)) for _ in range(20)])
        return [line_of(octets, rng) for octets in received]

    card_ = await new(dut, lines, lambda rng: [each(rng)[1] for each in traffic]).started()
    for port in ENGINES:
        await traffic[port].connect(card_, port)
    dut.go.value = ALL
    await card_.lines_over()
    await card_.idle()
    for port in range(PORTS):
        engine = port in ENGINES
        packets = await card_.got(port)
        assert [p.frame for p in packets if p.kind == RECEIVED] == received[port]
        mirrored = [octets for octets, mirror in traffic[port].sent if mirror and engine]
        assert [p.frame for p in packets if p.kind == MIRROR] == mirrored
        sent = [padded(octets) for octets, mirror in traffic[port].sent if engine or not mirror]
        assert await card_.sent(port) == sent
        expected = {"rx_frames": 20, "mirror_frames": len(mirrored), "packets": 20 + len(mirrored)}
        expected |= {"chunks": len(sent), "chunks_refused": 20 - len(sent)}
        counters = await card_.counters(port)
        assert counters == dict.fromkeys(counters, 0) | expected, port


def line_of(frames, rng) -> Line:
    line = Line()
    for octets in frames:
        line.frame(octets).idle(rng.randrange(8, 40))
    return line


@cocotb.test()
async def registers(dut):
    """Each port's registers are its own, and what a port does not have answers SLVERR."""
    up = 0

    def lines(rng):
        nonlocal up
        up = rng.randrange(1, ALL)
        return [Line() if up >> port & 1 else None for port in range(PORTS)]

    card_ = new(dut, lines)
    await card_.started(wait_for=up)
    assert await card_.read(8) == WIDTH << 16 | PORTS << 8
    assert await card_.read(0xC) == TCP_ENABLES
    assert await card_.read(PORT_STATUS) == up << 8 | ALL
    wanted = {}
    for port in range(PORTS):
        assert await card_.read(MACPCS + PORT * port) == int.from_bytes(b"MPCS", "big")
        wanted[MACPCS + PORT * port + MAX_LENGTH] = 1600 + port
        assert (await card_.master.write(COUNTERS + PORT * port, bytes(4))).resp == AxiResp.SLVERR
        if port in ENGINES:
            assert await card_.read(ATE + PORT * port) == int.from_bytes(b"ATE0", "big")
            for word in (0, 511 * 64):
                wanted[CONNECTIONS + WINDOW * port + word] = card_.rng.getrandbits(32)
        else:
            await card_.refused(ATE + PORT * port)
            await card_.refused(CONNECTIONS + WINDOW * port)
    for address, value in wanted.items():
        await card_.write(address, value)
    for address, value in card_.rng.sample(list(wanted.items()), len(wanted)):
        assert await card_.read(address) == value, hex(address)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_card_ports(test):
    ports = int(os.environ.get("ULLNIC_CARD_PORTS", "4"))
    engines = int(os.environ.get("ULLNIC_CARD_ENGINES", "0b0110"), 0)
    card(32, PORTS=ports, TCP_ENABLES=engines).run(__name__, test)
