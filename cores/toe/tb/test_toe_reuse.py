# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A session's next connection while the last one's frames still wait for the line: nothing goes to the wrong peer."""

import cocotb
import pytest
from scapy.layers.inet import TCP
from scapy.layers.l2 import ARP, Ether

from toe_wire import ABORT, CARD, CONNECT, LISTEN, MASK32, PEER, PEER_MAC, Peer, Wire, judged, toe_bench
from ullnic_tb import cocotb_tests

OTHER_MAC = "02:00:00:00:00:0b"


async def busy_line(wire: Wire) -> Peer:
    """Session 0, whose frames keep others waiting."""
    await wire.order(LISTEN, 0, local=7)
    return await Peer(wire, 0, 7, 50000, window=60000).connect()


async def occupy(wire: Wire, packets: int) -> None:
    """So many long frames from here on."""
    for _ in range(packets):
        await wire.give(0, bytes(1300), csum=True)


def other(wire: Wire) -> Peer:
    """The session's next peer."""
    peer = Peer(wire, 1, 8, 50002, seq=70000)
    peer.mac = OTHER_MAC
    return peer


async def to_each(wire: Wire, cycles: int = 2500) -> dict[int, list]:
    """What leaves, for each port of a peer: judged segments, each to the MAC address of its peer."""
    await wire.cycles(cycles)
    found: dict[int, list] = {50000: [], 50001: [], 50002: []}
    while wire.frames:
        packet = judged(wire.frames.popleft())
        assert packet[Ether].dst == (OTHER_MAC if packet[TCP].dport == 50002 else PEER_MAC)
        found[packet[TCP].dport].append(packet[TCP])
    return found


@cocotb.test()
async def reset_of_an_abort(dut):
    """DO_ABORT, DO_LISTEN and the next peer's SYN, all while a long frame leaves: the RST goes to whom it is for."""
    wire = await Wire(dut).reset()
    await busy_line(wire)
    await wire.order(LISTEN, 1, local=8)
    peer = await Peer(wire, 1, 8, 50001).connect()
    cocotb.start_soon(occupy(wire, 1))
    await wire.cycles(10)
    await wire.order(ABORT, 1)
    await wire.order(LISTEN, 1, local=8)
    await wire.listens(1)
    await other(wire).send("S", ack=0)
    found = await to_each(wire)
    [reset] = found[50001]
    assert (str(reset.flags), reset.seq, reset.ack) == ("RA", peer.ack, peer.seq)
    assert [str(segment.flags) for segment in found[50002]] == ["SA"]


@cocotb.test()
async def reset_of_a_timeout(dut):
    """Nobody answers any more, the session listens again, and its next peer is there before the RST has left."""
    wire = await Wire(dut).reset(rto=5)
    await wire.order(LISTEN, 1, local=8)
    peer = await Peer(wire, 1, 8, 50001).connect()
    await wire.give(1, b"no answer")
    await wire.ticks(5 * (1 + 2 + 4 + 8 + 16))
    wire.frames.clear()
    first = await busy_line(wire)
    for _ in range(3):
        cocotb.start_soon(occupy(wire, 2))
        await wire.cycles(100)
        await wire.ticks(1, spacing=40)
        if wire.events:
            break
        first.ack = first.ack + 2600 & MASK32
        await wire.cycles(1000)
        await first.send("A")
        wire.frames.clear()
    await wire.event("timed_out", 1)
    await other(wire).send("S", ack=0)
    found = await to_each(wire)
    assert [(str(segment.flags), segment.seq) for segment in found[50001]] == [("RA", peer.ack + 9 & MASK32)]
    assert [str(segment.flags) for segment in found[50002]] == ["SA"]


@cocotb.test()
async def what_the_user_gave(dut):
    """What waits for the line when its connection is reset is not the next peer's, whose first SYN may have to be
    repeated; neither is a packet whose end comes later.  Sequence numbers begin anew."""
    wire = await Wire(dut).reset()
    first = await busy_line(wire)
    await wire.order(LISTEN, 1, local=8)
    for late in (False, True):
        peer = await Peer(wire, 1, 8, 50001).connect()
        if late:
            dut.s_axis_tdest.value, dut.tx_length_given.value, dut.s_axis_tvalid.value = 1, 0, 1
            dut.s_axis_tkeep.value, dut.s_axis_tlast.value = 255, 0
            await wire.cycles(3)
            dut.s_axis_tvalid.value = 0
        else:
            await occupy(wire, 1)
            await wire.give(1, b"of the old connection", csum=True)
        await peer.send("R")
        await wire.event("reset", 1)
        following = other(wire)
        await following.send("S", ack=0)
        await wire.cycles(600)
        if late:
            assert not wire.frames  # before his packet has ended there is no other connection
            dut.s_axis_tvalid.value, dut.s_axis_tlast.value = 1, 1
            await wire.cycles(1)
            dut.s_axis_tvalid.value, dut.s_axis_tlast.value = 0, 0
            await wire.cycles(100)
        answers = (await to_each(wire, 100))[50002]
        if not answers:
            await following.send("S", ack=0)
            answers = (await to_each(wire, 300))[50002]
        assert [str(segment.flags) for segment in answers] == ["SA"]
        following.seq, following.ack = following.seq + 1, answers[0].seq + 1 & MASK32
        await following.send("A")
        await wire.event("connected", 1)
        for data in (b"of the new one", b"and so on"):
            await wire.give(1, data)
            answer = await following.expect("PA", data)
            following.ack = answer[TCP].seq + len(data) & MASK32
            await following.send("A")
        await following.send("R")
        await wire.event("reset", 1)
        first.ack = first.ack + 1300 & MASK32
        await first.send("A")


async def reset_unread(wire: Wire) -> None:
    """Session 1, reset by its peer while its payload waits for the user."""
    await wire.order(LISTEN, 1, local=8)
    peer = await Peer(wire, 1, 8, 50001).connect()
    wire.dut.m_axis_tready.value = 0
    await peer.say(b"of the old connection")
    await wire.cycles(200)
    await peer.send("R")
    await wire.event("reset", 1)
    wire.frames.clear()


@cocotb.test()
async def what_the_user_has_not_taken(dut):
    """While payload of a reset connection waits for the user, the session has no other one: what he is given behind
    EV_CONNECTED is the new peer's."""
    wire = await Wire(dut).reset()
    await reset_unread(wire)
    following = other(wire)
    await following.send("S", ack=0)
    await wire.cycles(600)
    assert not wire.frames and not wire.payload.get(1)
    dut.m_axis_tready.value = 1
    await wire.cycles(100)
    assert not wire.frames and bytes(wire.payload.pop(1)) == b"of the old connection"
    following = await Peer(wire, 1, 8, 50002, seq=90000).connect()
    await following.say(b"of the new one")
    await wire.cycles(100)
    assert bytes(wire.payload.pop(1)) == b"of the new one"


@cocotb.test()
async def connect_behind_what_is_not_taken(dut):
    """Nor does DO_CONNECT begin one; it waits."""
    wire = await Wire(dut).reset(gateway="198.18.0.1")
    arp = Ether(src=PEER_MAC, dst="ff:ff:ff:ff:ff:ff") / ARP(op=1, hwsrc=PEER_MAC, psrc=PEER, pdst=CARD)
    await wire.send(arp)
    await wire.frame()
    await reset_unread(wire)
    await wire.order(ABORT, 1)
    cocotb.start_soon(wire.order(CONNECT, 1, local=9, peer=50003))
    await wire.cycles(600)
    assert not wire.frames
    dut.m_axis_tready.value = 1
    await wire.cycles(300)
    assert [str(judged(frame)[TCP].flags) for frame in wire.frames] == ["S"]
    assert bytes(wire.payload[1]) == b"of the old connection"


@cocotb.test()
async def connect_behind_data(dut):
    """DO_CONNECT of a session that still has something in the queue waits; then it gets its own numbers."""
    wire = await Wire(dut).reset(gateway="198.18.0.1")
    await busy_line(wire)
    await wire.order(LISTEN, 1, local=8)
    await Peer(wire, 1, 8, 50001).connect()
    arp = Ether(src=PEER_MAC, dst="ff:ff:ff:ff:ff:ff") / ARP(op=1, hwsrc=PEER_MAC, psrc=PEER, pdst=CARD)
    await wire.send(arp)
    await wire.frame()
    cocotb.start_soon(occupy(wire, 1))
    await wire.cycles(200)
    await wire.give(1, b"of the old connection", csum=True)
    await wire.order(ABORT, 1)
    await wire.order(CONNECT, 1, local=9, peer=50003)
    await wire.cycles(2000)
    frames = [judged(frame)[TCP] for frame in wire.frames if TCP in judged(frame)]
    frames = [segment for segment in frames if segment.dport != 50000]
    assert [(segment.dport, str(segment.flags)) for segment in frames] == [(50001, "RA"), (50003, "S")]
    wire.frames.clear()
    peer = Peer(wire, 1, 9, 50003)
    peer.ack = frames[1].seq + 1 & MASK32
    await peer.send("SA", options=[("MSS", 1460)])
    peer.seq += 1
    await peer.expect("A")
    await wire.give(1, b"new")
    await peer.expect("PA", b"new")


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_reuse(test):
    toe_bench().run("test_toe_reuse", test)
