# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The whole engine: what the user sets for a session by itself, and what is done about a peer that does not answer."""

import cocotb
import pytest
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import ARP, Ether

from toe_wire import CARD, CLOSE, LISTEN, MAC, PEER, Peer, Wire, judged, served, toe_bench
from ullnic_tb import main_and_kept, parameter

GATEWAY, FAR = "198.18.0.254", "203.0.113.9"
EVERYONE = "ff:ff:ff:ff:ff:ff"
KEEPALIVE = parameter("KEEPALIVE", 40)
OF_THE_ENGINE = ("dscp", "r2", "keepalive")
OF_ARP = ("doubted_peer", "doubted_gateway", "doubted_nobody", "doubted_seldom")


async def policy(wire: Wire, session: int, own: int = 1, keepalive: int = 0, retries: int = 4, dscp: int = 0) -> None:
    dut = wire.dut
    dut.policy_sid.value = session
    dut.policy_number.value = own << 11 | keepalive << 10 | retries << 6 | dscp
    dut.policy_valid.value = 1
    await wire.edge
    while not int(dut.policy_ready.value):
        await wire.edge
    dut.policy_valid.value = 0


async def three(dut) -> tuple[Wire, list[Peer]]:
    wire = await Wire(dut).reset(rto=10)
    for session in range(3):
        await wire.order(LISTEN, session, local=7 + session)
    return wire, [Peer(wire, session, 7 + session, 50000) for session in range(3)]


@cocotb.test()
@pytest.mark.rfc9293("MUST-48", "SHLD-21", "SHLD-22")
async def dscp(dut):
    """The code point of a session is in each of its frames, from SYN-ACK to FIN, in no other's; it can change."""
    wire, peers = await three(dut)
    values = {0: 46, 1: 0, 2: 1}
    for session in (0, 2):
        await policy(wire, session, dscp=values[session])

    for peer in peers:
        await peer.send("S", ack=0, options=[("MSS", 1460)])
        answer = await wire.segment("SA", ack=peer.seq + 1)
        assert answer[IP].tos == values[peer.session] << 2
        peer.seq, peer.ack = peer.seq + 1, answer[TCP].seq + 1
        await peer.send("A")
        await wire.event("connected", peer.session)
    for turn in range(3):
        for peer in peers:
            tos = values[peer.session] << 2
            await peer.say(b"x")
            assert (await peer.expect("A"))[IP].tos == tos
            for through in (False, True):
                await wire.give(peer.session, b"data", csum=through)
                sent = await peer.expect("PA", b"data")
                assert sent[IP].tos == tos
                peer.take(sent)
            await peer.send("A")
            wire.frames.clear()
        values |= {turn: 63 - turn}
        await policy(wire, turn, dscp=values[turn])
        # Of no session
        stray = Peer(wire, 0, 9999, 50000)
        await stray.send("A", ack=5)
        assert (await wire.segment("R"))[IP].tos == 0
    for peer in peers:
        await wire.order(CLOSE, peer.session)
        assert (await peer.expect("FA"))[IP].tos == values[peer.session] << 2
    # As the settings have it
    await policy(wire, 0, own=0, dscp=5)
    await peers[0].send("R")
    await wire.event("reset", 0)
    await Peer(wire, 0, 7, 50001).send("S", ack=0)
    assert (await wire.segment("SA"))[IP].tos == 0


async def repeated(wire: Wire, peers: list[Peer], ticks: int) -> dict[int, int]:
    """What each session sends within so many ticks."""
    wire.frames.clear()
    await wire.ticks(ticks)
    ports = [packet[TCP].sport for packet in map(judged, wire.frames) if TCP in packet]
    wire.frames.clear()
    return {peer.session: ports.count(7 + peer.session) for peer in peers}


@cocotb.test()
@pytest.mark.rfc9293("MUST-21")
async def r2(dut):
    """Each session is given up after as many retransmissions as its policy says, with an RST; the others go on."""
    wire, peers = await three(dut)
    await policy(wire, 0, retries=1)
    await policy(wire, 2, retries=6)
    for peer in peers:
        await peer.connect()
    for peer in peers:
        await wire.give(peer.session, b"nobody hears")
    await wire.cycles(300)
    # 10, 20, 40, ... ticks: one, four (the settings), six of them, and the RST
    total = dict.fromkeys(range(3), 0)
    for ticks, lost in ((10 + 20 + 5, 0), (310 - 35 + 10, 1), (1270 - 320 + 20, 2)):
        sent = await repeated(wire, peers, ticks)
        await wire.event("timed_out", lost)
        assert not wire.events, wire.events
        assert not any(sent[i] for i in range(lost)), sent
        total = {i: total[i] + sent[i] for i in total}
    assert total == {0: 1 + 1, 1: 4 + 1, 2: 6 + 1}


@cocotb.test()
@pytest.mark.rfc9293("MUST-24", "MUST-25")
async def keepalive(dut):
    """Keepalives of one session turned off, of another turned on; the third has what the settings say."""
    wire, peers = await three(dut)
    for peer in peers:
        await peer.connect()
    await policy(wire, 0, keepalive=0)
    await policy(wire, 1, keepalive=1)
    for _ in range(2):
        await wire.ticks(1)
        sent = await repeated(wire, peers, KEEPALIVE + 5)
        assert sent == {0: 0, 1: 1, 2: 1}, sent
        for peer in peers:
            await peer.send("A")
        await wire.cycles(300)
        wire.frames.clear()
    # And the other way round, in mid-connection
    await policy(wire, 0, keepalive=1)
    await policy(wire, 1, keepalive=0)
    for peer in peers:
        await peer.send("A")
    await wire.cycles(300)
    sent = await repeated(wire, peers, KEEPALIVE + 5)
    assert sent == {0: 1, 1: 0, 2: 1}, sent
    assert not wire.events


async def asked(wire: Wire, limit: int) -> tuple[list[str], int]:
    """Ticks until ARP asks for somebody (who), and what was sent in the meantime."""
    segments = 0
    for _ in range(limit):
        await wire.ticks(1)
        while wire.frames:
            packet = judged(wire.frames.popleft())
            if ARP in packet:
                assert packet[Ether].dst == EVERYONE and packet[ARP].op == 1 and packet[ARP].psrc == CARD
                return packet[ARP].pdst, segments
            segments += 1
    return None, segments


async def answered(wire: Wire, peer: Peer, hop: str, mac: str) -> None:
    await wire.send(Ether(src=mac, dst=MAC) / ARP(op=2, hwsrc=mac, psrc=hop, hwdst=MAC, pdst=CARD))
    await wire.cycles(400)
    wire.frames.clear()  # what was on its way
    peer.ack += len(b"where are you?")
    await peer.send("A")
    await wire.give(0, b"there!")
    sent = await peer.expect("PA", b"there!")
    assert sent[Ether].dst == mac
    peer.take(sent)
    await peer.send("A")
    await wire.silence(400)


@cocotb.test()
@pytest.mark.rfc9293("MUST-20", "SHLD-10")
async def doubted_peer(dut):
    """What is sent a fourth time goes with a question for the peer's address: the answer is where it goes then."""
    wire, peer = await served(dut, rto=10)
    await wire.give(0, b"where are you?")
    await peer.expect("PA", b"where are you?")
    who, segments = await asked(wire, 200)
    assert who == PEER and 3 <= segments <= 4
    wire.frames.clear()
    await answered(wire, peer, PEER, "02:00:00:00:00:77")
    assert not wire.events


@cocotb.test()
@pytest.mark.rfc9293("MUST-20")
async def doubted_gateway(dut):
    """Of a peer in another network the gateway is asked for."""
    wire = await Wire(dut).reset(rto=10, gateway=GATEWAY)
    await wire.order(LISTEN, 0, local=7)
    peer = Peer(wire, 0, 7, 50000)
    peer.ip = FAR
    await peer.connect()
    await wire.give(0, b"where are you?")
    await peer.expect("PA", b"where are you?")
    who, _ = await asked(wire, 200)
    assert who == GATEWAY
    wire.frames.clear()
    await answered(wire, peer, GATEWAY, "02:00:00:00:00:78")


@cocotb.test()
@pytest.mark.rfc9293("MUST-20")
async def doubted_nobody(dut):
    """Of a peer in another network, without a gateway, nobody can be asked for."""
    wire = await Wire(dut).reset(rto=10)
    await wire.order(LISTEN, 0, local=7)
    peer = Peer(wire, 0, 7, 50000)
    peer.ip = FAR
    await peer.connect()
    await wire.give(0, b"where are you?")
    assert await asked(wire, 310) == (None, 5)


@cocotb.test()
@pytest.mark.rfc9293("MUST-20")
async def doubted_seldom(dut):
    """Three sessions have no answer, for long: one question in a second (RFC 1122, 2.3.2.1)."""
    wire, peers = await three(dut)
    for peer in peers:
        await peer.connect()
    for peer in peers:
        await wire.give(peer.session, b"where are you?")
        await wire.ticks(3)
    await wire.cycles(300)
    wire.frames.clear()
    who, _ = await asked(wire, 200)
    assert who == PEER
    who, segments = await asked(wire, 300)
    assert who is None and segments > 3


@pytest.mark.parametrize("test", main_and_kept(__file__, OF_THE_ENGINE, lambda test: test != "keepalive"))
def test_toe_policy(test):
    toe_bench(SESSION_POLICY_EN=1, KEEPALIVE=40 if test == "keepalive" else 0).run(__name__, test)


@pytest.mark.parametrize("test", OF_ARP)
def test_toe_doubt(test):
    toe_bench(ARP_DOUBT_EN=1).run(__name__, test)
