# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The whole engine, reset at any moment of any traffic: nothing is left of what was before."""

import os

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.l2 import ARP, Ether
from scapy.packet import Raw

from toe_wire import CARD, CLOSE, CONNECT, LISTEN, MAC, PEER, PEER_MAC, Peer, Wire, judged, still_there, toe_bench
from ullnic_tb import seeded

SESSIONS = 4
TURNS = 4
NOBODY = "198.18.0.99"
CLOSED = 0  # of state_e


def ether(destination: str = MAC) -> Ether:
    return Ether(src=PEER_MAC, dst=destination)


async def line(wire: Wire, peer: Peer, rng) -> None:
    """Segments in order and not, acknowledgements, SYNs, what is not TCP, and what is damaged."""
    arp = ether() / ARP(op=2, hwsrc=PEER_MAC, psrc=PEER, hwdst=MAC, pdst=CARD)
    ping = ether() / IP(src=PEER, dst=CARD) / ICMP(id=7) / Raw(bytes(100))
    other = ether() / IP(src=PEER, dst=CARD) / UDP(sport=1, dport=2) / Raw(bytes(300))
    while True:
        data, kind = rng.randbytes(rng.randrange(1, 600)), rng.random()
        if kind < 0.3:
            await peer.say(data)
        elif kind < 0.5:
            await peer.send("PA", data, seq=peer.seq + rng.randrange(1, 3000))
        elif kind < 0.6:
            await Peer(wire, 0, 7 + rng.randrange(SESSIONS), rng.randrange(1, 1000)).send("S", ack=0)
        else:
            packet = rng.choice((arp, ping, ping, other, other, peer.packet("A")))
            await wire.send(packet, good=rng.random() < 0.9, gap=rng.choice((5, 6, 60)))
        for octets in wire.frames:
            packet = judged(octets)
            if TCP in packet and packet[TCP].sport == peer.local and rng.random() < 0.7:
                peer.take(packet)
        wire.frames.clear()


async def user(wire: Wire, session: int, rng) -> None:
    while True:
        data = rng.randbytes(rng.randrange(1, 1000))
        await wire.give(session, data, length=rng.random() < 0.7, csum=rng.random() < 0.5)


async def orders(wire: Wire, rng) -> None:
    """Connects that are resolved and not, and sessions that listen."""
    while True:
        session = rng.randrange(1, SESSIONS)
        if rng.random() < 0.3:
            await wire.order(LISTEN, session, local=7 + session)
        await wire.order(CONNECT, session, local=3000 + session, peer=9, ip=rng.choice((PEER, NOBODY)))
        for _ in range(rng.randrange(200)):
            await RisingEdge(wire.dut.clk)


async def stalls(wire: Wire, rng) -> None:
    """Ticks, and whether anybody takes payload, events and the host's frames."""
    dut = wire.dut
    while True:
        for name in ("m_axis_tready", "event_ready", "m_host_tready"):
            getattr(dut, name).value = int(rng.random() < 0.5)
        dut.tick.value = int(rng.random() < 0.1)
        for _ in range(rng.choice((1, 1, 5, 30))):
            await RisingEdge(dut.clk)
            dut.tick.value = 0


async def nothing_left(wire: Wire, ping: Ether) -> None:
    """No frame but an announcement and the answer to `ping`, of the user's data only those that came with the ping."""
    dut = wire.dut
    for name in ("m_axis_tready", "event_ready", "m_host_tready"):
        getattr(dut, name).value = 1
    await wire.ticks(30, spacing=10)
    frames = [judged(octets) for octets in wire.frames]
    wire.frames.clear()
    assert [bytes(each[ICMP].payload) for each in frames if ICMP in each] == [bytes(ping[ICMP].payload)]
    announced = [ARP in each and each[ARP].psrc == each[ARP].pdst == CARD for each in frames]
    assert announced.count(False) == 1, [each.summary() for each in frames]
    assert [*wire.events] == [("tx_dropped", 0)] and not wire.payload
    wire.events.clear()
    assert not int(dut.m_axis_tvalid.value) and not int(dut.m_host_tvalid.value)
    for session in range(SESSIONS):
        dut.look_sid.value = session
        await wire.cycles(2)
        assert int(dut.look_state.value) == CLOSED
    await wire.send(ether() / IP(src=PEER, dst=CARD) / TCP(sport=50000, dport=7, flags="S"))
    await wire.segment("RA")


async def connects(wire: Wire) -> None:
    """Of the next hop nothing is known."""
    await wire.order(CONNECT, 1, local=3001, peer=9)
    asked = await wire.frame()
    assert (asked[ARP].op, asked[ARP].pdst, asked[Ether].dst) == (1, PEER, "ff:ff:ff:ff:ff:ff")
    await wire.send(ether() / ARP(op=2, hwsrc=PEER_MAC, psrc=PEER, hwdst=MAC, pdst=CARD))
    await wire.segment("S")
    await wire.order(CLOSE, 1)
    await wire.event("closed", 1)


@cocotb.test()
async def at_any_moment(dut):
    wire, rng = await Wire(dut).reset(), seeded(os.environ["ULLNIC_TEST_NAME"])
    for turn in range(TURNS):
        await wire.order(LISTEN, 0, local=7)
        # Each time with the same numbers: what were left of the last time would fit
        peer = await Peer(wire, 0, 7, 50000).connect()
        await still_there(wire, peer)
        await wire.give(0, b"hello")
        peer.take(await peer.expect("PA", b"hello"))
        await connects(wire)
        traffic = [line(wire, peer, rng), user(wire, 0, rng), orders(wire, rng), stalls(wire, rng)]
        tasks = [cocotb.start_soon(each) for each in traffic]
        await wire.cycles(rng.randrange(300, 1500))
        for task in tasks:
            task.cancel()
        ping = ether() / IP(src=PEER, dst=CARD) / ICMP(id=turn) / Raw(b"ping")
        await wire.reset_again(rng.choice((1, 2, 8)), wire.give(0, b"for nobody"), wire.send(ping))
        await nothing_left(wire, ping)


CASES = {  # models that other tests have, too
    "sack": {"SACK_EN": 1, "RX_REORDERING_EN": 1},
    "host": {"HOST_EN": 1},
}


@pytest.mark.parametrize("case", CASES)
def test_toe_reset(case):
    toe_bench(**CASES[case]).run(__name__, "at_any_moment")
