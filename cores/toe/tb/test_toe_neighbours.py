# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The whole engine while its neighbours' MAC addresses change: what sessions send from then on goes to the new one."""

import cocotb
import pytest
from scapy.layers.inet import TCP
from scapy.layers.l2 import ARP, Ether

from toe_wire import CARD, CLOSE, CONNECT, LISTEN, MAC, PEER, PEER_MAC, Peer, Wire, toe_bench
from ullnic_tb import cocotb_tests

GATEWAY, FAR = "198.18.0.254", "203.0.113.9"
ROUND = 200  # cycles, of four sessions


async def announce(wire: Wire, ip: str, mac: str, reply: bool = False) -> None:
    """A gratuitous ARP (RFC 5944, 4.6: a request or a reply), or the answer to what the engine has asked."""
    who = {"op": 2, "pdst": CARD, "hwdst": MAC} if reply else {"op": 1, "pdst": ip}
    await wire.send(Ether(src=mac, dst=MAC if reply else "ff:ff:ff:ff:ff:ff") / ARP(hwsrc=mac, psrc=ip, **who))


async def opened(wire: Wire, session: int, ip: str, hop: str, mac: str) -> Peer:
    """A connection that the engine opens, and asks for the address of its next hop."""
    await wire.order(CONNECT, session, local=100 + session, peer=80, ip=ip)
    packet = await wire.frame()
    if ARP in packet:
        assert packet[ARP].pdst == hop
        await announce(wire, hop, mac, reply=True)
        packet = await wire.frame()
    assert (str(packet[TCP].flags), packet[Ether].dst) == ("S", mac)
    peer = Peer(wire, session, 100 + session, 80)
    peer.ip, peer.mac = ip, mac
    peer.take(packet)
    await peer.send("SA", options=[("MSS", 1460)])
    peer.seq += 1
    assert (await peer.expect("A"))[Ether].dst == mac
    await wire.event("connected", session)
    return peer


async def heard(wire: Wire, peer: Peer, mac: str) -> None:
    """Payload, its repetition, ACK: all go to this address."""
    data = mac.encode()
    await wire.give(peer.session, data)
    assert (await peer.expect("PA", data))[Ether].dst == mac
    await wire.ticks(12)
    packet = await peer.expect("PA", data)  # sent again
    assert packet[Ether].dst == mac
    peer.take(packet)
    await peer.send("A")
    await peer.say(b"x")
    assert (await peer.expect("A"))[Ether].dst == mac


@cocotb.test()
@pytest.mark.pitfall("new-mac")
async def new_addresses(dut):
    """The peer's and the gateway's, each more than once; nobody else's session goes with them."""
    wire = await Wire(dut).reset(rto=10, gateway=GATEWAY)
    macs = {PEER: PEER_MAC, GATEWAY: "02:00:00:00:00:fe"}
    near = await opened(wire, 1, PEER, PEER, PEER_MAC)
    far = await opened(wire, 3, FAR, GATEWAY, macs[GATEWAY])
    await wire.order(LISTEN, 0, local=7)
    served = await Peer(wire, 0, 7, 50000).connect()
    for turn in range(1, 4):
        for ip in (PEER, GATEWAY):
            macs[ip] = f"02:00:00:00:{turn:02x}:{int(ip == PEER):02x}"
            await announce(wire, ip, macs[ip])
            await wire.cycles(ROUND)
            for peer in (near, far, served):
                await heard(wire, peer, macs[GATEWAY if peer is far else PEER])
    # A repeated announcement, and one of somebody that nobody talks to
    await announce(wire, PEER, macs[PEER])
    await announce(wire, "198.18.0.77", "02:00:00:00:00:77")
    await wire.cycles(ROUND)
    await heard(wire, near, macs[PEER])
    await wire.order(CLOSE, 1)
    assert (await near.expect("FA"))[Ether].dst == macs[PEER]


@cocotb.test()
async def moved_when_silent(dut):
    """The host has gone, and comes back elsewhere: what is sent again finds it."""
    wire = await Wire(dut).reset(rto=10, gateway=GATEWAY)
    peer = await opened(wire, 2, PEER, PEER, PEER_MAC)
    await wire.give(2, b"to nobody")
    await peer.expect("PA", b"to nobody")
    await announce(wire, PEER, "02:00:00:00:00:99")
    await wire.ticks(12)
    assert (await peer.expect("PA", b"to nobody"))[Ether].dst == "02:00:00:00:00:99"


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_neighbours(test):
    toe_bench().run("test_toe_neighbours", test)
