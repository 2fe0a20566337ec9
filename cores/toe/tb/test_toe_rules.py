# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The whole engine: what RFC 9293 asks for and no other test shows, from the wire to the user."""

import cocotb
import pytest
from scapy.layers.inet import ICMP, IP, TCP
from scapy.layers.l2 import ARP, Ether
from scapy.packet import Raw

from toe_wire import (
    ABORT,
    CARD,
    CLOSE,
    CONNECT,
    LISTEN,
    MAC,
    MASK32,
    PEER,
    PEER_MAC,
    Peer,
    Wire,
    judged,
    served,
    still_there,
    toe_bench,
)
from ullnic_tb import cocotb_tests, kept, parameter

ROUTER = "198.18.0.254"
EVERYONE = "ff:ff:ff:ff:ff:ff"


@cocotb.test()
@pytest.mark.rfc9293("MUST-30", "MUST-31")
async def urgent_data(dut):
    """Urgent data, in one segment or in many, come to the user in line; the pointer may be anything."""
    wire, peer = await served(dut)
    said = b""
    for number, pointer in enumerate((0, 1, 5, 6, 0xFFFF, 0xFFFF, 10)):
        data = b"urgent%d" % number
        await peer.send("PAU", data, urgptr=pointer)
        peer.seq += len(data)
        said += data
        await peer.expect("A")
    assert wire.payload[0] == said
    assert not wire.events


@cocotb.test()
@pytest.mark.rfc9293("MUST-55", "MUST-56")
async def icmp_errors(dut):
    """Source quench and errors, soft and hard, about a connection: nothing is sent, and it goes on."""
    wire, peer = await served(dut)
    await wire.give(0, b"lost on the way")
    sent = await peer.expect("PA", b"lost on the way")
    peer.take(sent)
    await peer.send("A")
    quoted = bytes(sent[IP])[:28]
    kinds = [(4, 0), *((3, code) for code in range(6)), (11, 0), (11, 1), (12, 0)]
    for kind, code in kinds:
        for source in (PEER, ROUTER):
            error = IP(src=source, dst=CARD) / ICMP(type=kind, code=code) / Raw(quoted)
            await wire.send(Ether(src=PEER_MAC, dst=MAC) / error)
    await wire.silence(300)
    await still_there(wire, peer)
    # While it connects, too
    await wire.order(CONNECT, 1, local=30000, peer=80)
    request = await wire.frame()
    assert request[ARP].pdst == PEER
    await wire.send(Ether(src=PEER_MAC, dst=MAC) / ARP(op=2, hwsrc=PEER_MAC, psrc=PEER, hwdst=MAC, pdst=CARD))
    syn = await wire.segment("S")
    error = IP(src=ROUTER, dst=CARD) / ICMP(type=3, code=1) / Raw(bytes(syn[IP])[:28])
    await wire.send(Ether(src=PEER_MAC, dst=MAC) / error)
    await wire.silence(300)
    other = Peer(wire, 1, 30000, 80)
    other.take(syn)
    await other.send("SA")
    await wire.segment("A")
    await wire.event("connected", 1)


@cocotb.test()
@pytest.mark.rfc9293("MUST-57")
async def not_for_us(dut):
    """Segments for a broadcast or multicast address of either layer: silence, and the session listens on."""
    wire = await Wire(dut).reset()
    await wire.order(LISTEN, 0, local=7)
    peer = Peer(wire, 0, 7, 50000)
    group = "01:00:5e:00:00:01"
    for ip in ("255.255.255.255", "198.18.0.255", "224.0.0.1", "239.255.0.7"):
        for mac in (EVERYONE, group, MAC):
            for flags in ("S", "A", "PA", "FA"):
                packet = peer.packet(flags, b"x" * ("P" in flags))
                packet[IP].dst, packet[Ether].dst = ip, mac
                await wire.send(packet)
    for mac in (EVERYONE, group):
        for flags in ("S", "A"):
            packet = peer.packet(flags)
            packet[Ether].dst = mac
            await wire.send(packet)
    await wire.silence(300)
    assert not wire.events and not wire.payload
    await peer.connect()


@cocotb.test()
@pytest.mark.rfc9293("MUST-63")
async def impossible_senders(dut):
    """From an address that no host can have: silence, be it a SYN for a session that listens, or a stray."""
    wire = await Wire(dut).reset()
    await wire.order(LISTEN, 0, local=7)
    peer = Peer(wire, 0, 7, 50000)
    senders = ("0.0.0.0", "0.1.2.3", "127.0.0.1", "127.255.255.255", "224.0.0.1", "239.1.2.3", "240.0.0.1")
    for ip in (*senders, "255.255.255.255", "198.18.0.255"):
        for flags in ("S", "A", "PA"):
            packet = peer.packet(flags, b"x" * ("P" in flags))
            packet[IP].src = ip
            await wire.send(packet)
    await wire.silence(300)
    assert not wire.events and not wire.payload
    # Their neighbours are hosts
    for number, ip in enumerate(("1.0.0.1", "126.255.255.255", "128.0.0.1", "223.255.255.255", "198.18.1.255")):
        packet = peer.packet("A", ack=number)
        packet[IP].src = ip
        await wire.send(packet)
        answer = await wire.segment("R", seq=number)
        assert answer[IP].dst == ip
    await peer.connect()


@cocotb.test()
@pytest.mark.rfc9293("MUST-65")
async def no_options_without_syn(dut):
    """The life of a connection, with something lost and an abort: only SYNs have options."""
    wire, peer = await served(dut, rto=10)
    seen = []
    await peer.say(b"question")
    seen.append(await peer.expect("A"))
    await wire.give(0, b"answer")
    seen.append(await peer.expect("PA", b"answer"))
    await wire.ticks(12)
    seen.append(await peer.expect("PA", b"answer"))
    peer.take(seen[-1])
    await peer.send("A")
    await wire.order(CLOSE, 0)
    seen.append(await peer.expect("FA"))
    await wire.order(ABORT, 0)
    seen.append(await wire.segment("RA"))
    await peer.send("A")
    seen.append(await wire.segment("R"))
    assert [(packet[TCP].dataofs, packet[TCP].options, packet[TCP].urgptr) for packet in seen] == [(5, [], 0)] * len(
        seen
    )


async def pushed(wire, peer, pieces: list[bytes]) -> int:
    """Sends these in order, until one is not taken; returns how many were.  The right edge never goes back (3.8.6)."""
    edge = 0
    for i, piece in enumerate(pieces):
        await peer.send("PA", piece)
        answer = (await wire.segment("A"))[TCP]
        assert answer.ack + answer.window >= edge, (i, answer.ack, answer.window)
        edge = answer.ack + answer.window
        assert peer.seq + len(piece) <= edge  # the window that it uses has been advertised
        if answer.ack == peer.seq:
            return i
        assert answer.ack == peer.seq + len(piece)
        peer.seq = answer.ack
    return len(pieces)


@cocotb.test()
@pytest.mark.rfc9293("SHLD-14")
async def tiny_segments(dut):
    """Segments of a byte within the window, more than the FIFO has places for: the window stays; what finds no
    place is counted and asked for at once, and arrives when it is sent again."""
    wire, peer = await served(dut)
    dut.m_axis_tready.value = 0
    stream = [bytes([i]) for i in range(200)]
    sent = await pushed(wire, peer, stream)
    assert 60 <= sent < 70 and wire.drops == 1
    assert await pushed(wire, peer, stream[sent:]) == 0 and wire.drops == 2
    dut.m_axis_tready.value = 1
    await wire.cycles(300)
    assert await pushed(wire, peer, stream[sent:]) == len(stream) - sent
    assert wire.payload[0] == b"".join(stream) and wire.drops == 2


@cocotb.test()
@pytest.mark.rfc9293("SHLD-14")
async def others_fill(dut):
    """Others fill the FIFO that a session was promised a part of: its window does not shrink, and nothing is lost."""
    wire = await Wire(dut).reset()
    peers = []
    for session in range(3):
        await wire.order(LISTEN, session, local=7 + session)
        peers.append(await Peer(wire, session, 7 + session, 50000).connect())
    dut.m_axis_tready.value = 0
    full = [bytes([i]) * 1024 for i in range(8)]
    sent = [await pushed(wire, peer, full) for peer in peers]
    assert sent[0] == 8 and sent[1] in (6, 7) and sent[2] == 0, sent
    assert wire.drops == 2
    dut.m_axis_tready.value = 1
    await wire.cycles(3000)
    wire.frames.clear()  # windows that have opened
    for peer, n in zip(peers, sent, strict=True):
        assert await pushed(wire, peer, full[n:]) == 8 - n
    await wire.cycles(300)
    assert all(wire.payload[session] == b"".join(full) for session in range(3)) and wire.drops == 2


@cocotb.test()
@pytest.mark.rfc9293("MUST-66", "MAY-8")
async def closed_window(dut):
    """The user takes nothing and the window is closed: ACKs count and data go out; then an RST counts."""
    wire, peer = await served(dut)
    dut.m_axis_tready.value = 0
    left = parameter("RX_WINDOW_BYTES", 8192)
    while left:
        size = min(left, 1460)
        await peer.say(bytes(size))
        left -= size
        await peer.expect("A", window=left)
    await peer.send("PA", b"\0", seq=peer.seq - 1)  # a probe
    await peer.expect("A", window=0)
    for data in (b"ours", b"still go"):
        await wire.give(0, data)
        peer.take(await peer.expect("PA", data))
        await peer.send("A")
    await peer.send("PA", b"\0")  # a byte for which there is no room
    await peer.expect("A", window=0)
    await peer.send("R", seq=peer.seq + 1)  # not in the window, which is closed: RFC 5961, 3.2
    await wire.silence(300)
    assert not wire.events
    await peer.send("R")
    await wire.event("reset", 0)


@cocotb.test()
@pytest.mark.rfc9293("SHLD-2")
async def reset_with_data(dut):
    """An RST with a diagnostic text resets, and the text is not the user's."""
    wire, peer = await served(dut)
    await peer.send("R", b"no such user")
    await wire.event("reset", 0)
    await wire.silence(300)
    assert not wire.segments


@cocotb.test()
@pytest.mark.rfc9293("MUST-58", "MUST-59")
async def acks_together(dut):
    """Segments that arrive while the line is taken have one ACK, of the last, though each asks for one at once."""
    wire = await Wire(dut).reset()
    for session in (0, 1):
        await wire.order(LISTEN, session, local=7 + session)
    peer = await Peer(wire, 0, 7, 50000).connect()
    other = await Peer(wire, 1, 8, 50000).connect()
    data = bytes(1460)
    await wire.give(1, data)
    for number in range(6):
        await peer.say(b"%d" % number)
    assert not wire.frames  # the line has been taken all the time
    await other.expect("PA", data)
    await peer.expect("A")
    await wire.silence(300)
    assert wire.payload[0] == b"012345"


@cocotb.test()
async def nothing_to_a_listener(dut):
    """3.10.7.2, fourth: without SYN, RST and ACK a listening session drops it in silence; a closed port answers it."""
    wire = await Wire(dut).reset()
    await wire.order(LISTEN, 0, local=7)
    kinds = [(flags, data) for flags in ("", "F", "P", "FP", "U", "FUPEC") for data in (b"", b"x", bytes(700))]
    for number, (flags, data) in enumerate(kinds):
        listener = Peer(wire, 0, 7, 40000 + number, seq=0xFFFFFF00)
        await listener.send(flags, data)
        await wire.silence(300)
        closed = Peer(wire, 0, 8, 40000 + number, seq=0xFFFFFF00)
        await closed.send(flags, data)
        end = closed.seq + len(data) + ("F" in flags) & MASK32
        await wire.segment("RA", seq=0, ack=end, sport=8, dport=closed.port)
    # It still listens
    peer = await Peer(wire, 0, 7, 50000).connect()
    await still_there(wire, peer)
    await peer.send("F", b"nothing")  # 3.10.7.4, fifth: no ACK
    await wire.silence(300)
    # Its port, where no session listens by now
    other = Peer(wire, 0, 7, 50001)
    await other.send("F")
    await wire.segment("RA", seq=0, ack=other.seq + 1, dport=50001)
    await still_there(wire, peer)


@cocotb.test()
@pytest.mark.rfc9293("MUST-39")
async def small_window(dut):
    """A window closes, and opens again when its user has taken half of it, even if that is less than a segment."""
    wire, peer = await served(dut)
    window = left = parameter("RX_WINDOW_BYTES", 8192)
    dut.m_axis_tready.value = 0
    size = min(window // 2, 1460)
    while left:
        piece = min(size, left)
        left -= piece
        await peer.say(bytes(piece))
        await peer.expect("A", window=left)
    dut.m_axis_tready.value = 1
    await wire.cycles(window // 8 + 400)
    await wire.ticks(2)
    assert [judged(frame)[TCP].window for frame in wire.frames][-1] >= window // 2
    wire.frames.clear()
    await peer.say(bytes(size))
    await peer.expect("A")
    assert len(wire.payload[0]) == window + size


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_rules(test):
    toe_bench().run(__name__, test)


@kept(__file__)
@pytest.mark.parametrize("window", (1000, 1459, 100))
def test_toe_small_window(window):
    toe_bench(RX_WINDOW_BYTES=window).run(__name__, "small_window")
