# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The whole engine against scripts of a peer: connections opened, used and closed; every frame judged by scapy."""

import os

import cocotb
import pytest
from scapy.layers.inet import ICMP, IP, TCP
from scapy.layers.l2 import ARP, Ether
from scapy.packet import Raw

from toe_wire import ABORT, CARD, CLOSE, CONNECT, LISTEN, MAC, PEER, PEER_MAC, TX_BYTES, Peer, Wire, judged, toe_bench
from ullnic_tb import cocotb_tests, kept, parameter, seeded


@cocotb.test()
async def arp_and_ping(dut):
    """A request for its address is answered; an echo request comes back whole."""
    wire = await Wire(dut).reset()
    await wire.send(Ether(src=PEER_MAC, dst="ff:ff:ff:ff:ff:ff") / ARP(op=1, hwsrc=PEER_MAC, psrc=PEER, pdst=CARD))
    answer = await wire.frame()
    assert (answer[Ether].dst, answer[ARP].op, answer[ARP].hwsrc, answer[ARP].psrc) == (PEER_MAC, 2, MAC, CARD)
    for size in (0, 1, 56, 57, 1472):
        data = seeded(os.environ["ULLNIC_TEST_NAME"]).randbytes(size)
        await wire.send(Ether(src=PEER_MAC, dst=MAC) / IP(src=PEER, dst=CARD) / ICMP(id=7, seq=size) / Raw(data))
        answer = await wire.frame()
        assert (answer[IP].src, answer[IP].dst, answer[ICMP].type, answer[ICMP].seq) == (CARD, PEER, 0, size)
        assert bytes(answer[ICMP].payload) == data


@cocotb.test()
@pytest.mark.rfc9293("MUST-2", "MUST-14", "MUST-67", "SHLD-5", "MAY-3", "MUST-61")
@pytest.mark.pitfall("sequence-wrap")
async def served(dut):
    """A listening session: handshake, payload both ways, the peer closes first, the session listens again."""
    wire = await Wire(dut).reset()
    await wire.order(LISTEN, 2, local=5000)
    for port in (40000, 40001):
        peer = await Peer(wire, 2, 5000, port, seq=0xFFFFFFF0).connect()
        for data in (b"x", b"hello, RTL", bytes(range(256)) * 5):
            await peer.say(data)
            await peer.expect("A")
            await wire.give(2, data[::-1])
            answer = await peer.expect("PA", data[::-1])
            peer.take(answer)
            await peer.send("A")
        assert wire.payload.pop(2) == b"x" + b"hello, RTL" + bytes(range(256)) * 5
        await peer.send("FA")
        peer.seq = peer.seq + 1 & 0xFFFFFFFF
        await peer.expect("A")
        await wire.event("peer_closed", 2)
        await wire.order(CLOSE, 2)
        peer.take(await peer.expect("FA"))
        await peer.send("A")
        await wire.event("closed", 2)
    assert wire.drops == 0


@cocotb.test()
async def syn_from_a_damaged_address(dut):
    """A SYN whose Ethernet source was damaged on the way comes again: the answer goes to where that one is from."""
    wire = await Wire(dut).reset()
    await wire.order(LISTEN, 0, local=7)
    peer = Peer(wire, 0, 7, 50000)
    for peer.mac in ("06:00:00:00:00:0a", PEER_MAC):
        await peer.send("S", ack=0, options=[("MSS", 1460)])
        answer = await wire.segment("SA", ack=peer.seq + 1)
        assert answer[Ether].dst == peer.mac
    peer.take(answer)
    peer.seq += 1
    await peer.send("A")
    await wire.event("connected", 0)
    await wire.give(0, b"hello")
    assert (await peer.expect("PA", b"hello"))[Ether].dst == PEER_MAC


@cocotb.test()
@pytest.mark.rfc9293("MUST-12")
async def connects(dut):
    """A client: ARP, handshake, payload, it closes first and waits out TIME-WAIT.  The session had a peer before."""
    wire = await Wire(dut).reset(time_wait=5)
    await wire.order(LISTEN, 1, local=7)
    await Peer(wire, 1, 7, 50000).connect()
    await wire.order(ABORT, 1)
    await wire.segment("RA")
    await wire.event("closed", 1)
    await wire.order(CONNECT, 1, local=30000, peer=80)
    request = await wire.frame()
    assert (request[ARP].op, request[ARP].pdst, request[Ether].dst) == (1, PEER, "ff:ff:ff:ff:ff:ff")
    await wire.send(Ether(src=PEER_MAC, dst=MAC) / ARP(op=2, hwsrc=PEER_MAC, psrc=PEER, hwdst=MAC, pdst=CARD))
    syn = await wire.segment("S", sport=30000, dport=80, ack=0)
    peer = Peer(wire, 1, 30000, 80)
    peer.take(syn)
    await peer.send("SA", options=[("MSS", 1000)])
    peer.seq += 1
    await peer.expect("A")
    await wire.event("connected", 1)
    await wire.give(1, b"GET / HTTP/1.0\r\n\r\n")
    peer.take(await peer.expect("PA", b"GET / HTTP/1.0\r\n\r\n"))
    await peer.say(b"the page")
    await peer.expect("A")
    await wire.order(CLOSE, 1)
    peer.take(await peer.expect("FA"))
    await peer.send("A")
    await peer.send("FA")
    peer.seq += 1
    await peer.expect("A")
    await wire.event("peer_closed", 1)
    await wire.ticks(8)
    await wire.event("closed", 1)
    assert wire.payload[1] == b"the page"


@cocotb.test()
@pytest.mark.rfc9293("MUST-61")
async def lost_data_are_sent_again(dut):
    """What is not acknowledged goes again after the timeout, from the retransmit memory, until it is."""
    wire = await Wire(dut).reset(rto=10)
    await wire.order(LISTEN, 0, local=7)
    peer = await Peer(wire, 0, 7, 50000).connect()
    data = bytes(range(1, 200))
    await wire.give(0, data)
    await peer.expect("PA", data)
    await wire.ticks(12)
    await peer.expect("PA", data)
    await wire.ticks(22)  # the second one waits twice as long
    peer.take(await peer.expect("PA", data))
    await peer.send("A")
    await wire.ticks(60)
    await wire.silence(100)


@cocotb.test()
@pytest.mark.rfc9293("MAY-13")
@pytest.mark.pitfall("instant-ack")
async def hole(dut):
    """What comes behind a hole is not taken, and asks for the hole at once; then everything comes in order."""
    wire = await Wire(dut).reset()
    await wire.order(LISTEN, 0, local=7)
    peer = await Peer(wire, 0, 7, 50000).connect()
    await peer.send("PA", b"second", seq=peer.seq + 5)
    await peer.expect("A")
    await peer.say(b"first")
    await peer.expect("A")
    await peer.say(b"second")
    await peer.expect("A")
    assert wire.payload[0] == b"firstsecond"


@cocotb.test()
@pytest.mark.pitfall("rst-numbers")
async def strays(dut):
    """Segments of no connection get the reset that RFC 9293, 3.10.7.1 says; a closed port refuses."""
    wire = await Wire(dut).reset()
    peer = Peer(wire, 0, 1234, 50000, seq=77)
    await peer.send("S")
    await wire.segment("RA", seq=0, ack=78)
    await peer.send("A", ack=5000)
    await wire.segment("R", seq=5000, ack=0)
    await peer.send("PA", b"abc", ack=6000)
    await wire.segment("R", seq=6000, ack=0)
    await peer.send("F")
    await wire.segment("RA", seq=0, ack=78)
    await peer.send("R")
    await peer.send("RA")
    await wire.silence(300)


@cocotb.test()
@pytest.mark.rfc9293("MUST-12")
@pytest.mark.pitfall("blind-rst")
async def reset_by_peer(dut):
    """RST with the right number ends the connection; one inside the window is challenged (RFC 5961)."""
    wire = await Wire(dut).reset()
    await wire.order(LISTEN, 3, local=7)
    peer = await Peer(wire, 3, 7, 50000).connect()
    await peer.send("R", seq=peer.seq + 100)
    await peer.expect("A")
    await peer.send("R", seq=peer.seq - 1)
    await wire.silence(200)
    await peer.send("R")
    await wire.event("reset", 3)
    await wire.silence(200)
    await Peer(wire, 3, 7, 50001).connect()


@cocotb.test()
@pytest.mark.rfc9293("MUST-3")
@pytest.mark.pitfall("cut-through-damage")
async def damaged(dut):
    """Frames with a wrong FCS or checksum are as if they had not come; their payload is taken back."""
    wire = await Wire(dut).reset()
    await wire.order(LISTEN, 0, local=7)
    peer = await Peer(wire, 0, 7, 50000).connect()
    await peer.send("PA", b"damaged on the line", good=False)
    packet = peer.packet("PA", b"damaged on the way")
    packet[TCP].chksum = 0x1234
    await wire.send(packet)
    await wire.silence(300)
    assert wire.payload.get(0) is None
    await peer.say(b"whole")
    await peer.expect("A")
    assert wire.payload[0] == b"whole"


@cocotb.test()
async def aborts(dut):
    """The user's abort resets the connection; the session is free at once."""
    wire = await Wire(dut).reset()
    await wire.order(LISTEN, 1, local=7)
    peer = await Peer(wire, 1, 7, 50000).connect()
    await wire.order(ABORT, 1)
    packet = await wire.segment("RA")
    assert packet[TCP].seq == peer.ack
    await wire.event("closed", 1)
    await peer.send("PA", b"late")
    await wire.segment("R", seq=peer.ack)


@cocotb.test()
async def answer_before_the_handshake_is_known(dut):
    """The handshake's ACK is lost, data come: an answer of the user that comes before EV_CONNECTED is not lost."""
    wire = await Wire(dut).reset()
    await wire.order(LISTEN, 0, local=7)
    peer = Peer(wire, 0, 7, 50000)
    await peer.send("S", ack=0)
    peer.take(await wire.segment("SA"))
    peer.seq += 1
    cocotb.start_soon(peer.say(b"question"))
    while not wire.payload.get(0):
        await wire.cycles(1)
    assert not wire.events
    await wire.give(0, b"answer")
    packet = await wire.frame()
    if not bytes(packet[TCP].payload):  # the acknowledgement may go before
        packet = await wire.frame()
    assert bytes(packet[TCP].payload) == b"answer"
    assert wire.events.popleft() == ("connected", 0) and not wire.events


@cocotb.test()
async def forged_acks_give_no_payload(dut):
    """RFC 9293, 3.10.7.4: in SYN-RECEIVED only our SYN can be acknowledged.  What acknowledges anything else is reset,
    and its payload never reaches the user; nor later, as long as nothing else was sent."""
    wire = await Wire(dut).reset()
    await wire.order(LISTEN, 0, local=7)
    peer = Peer(wire, 0, 7, 50000)
    await peer.send("S", ack=0)
    peer.take(await wire.segment("SA"))
    peer.seq += 1
    for behind in (1, 2, 5000, 2 * 4096 - 1):  # within the retransmit memory's range of it
        forged = peer.ack - behind & 0xFFFFFFFF
        await peer.send("PA", b"forged", ack=forged)
        await wire.segment("R", seq=forged)
    assert not wire.segments
    await peer.send("A")
    await wire.event("connected", 0)
    await peer.send("PA", b"forged", ack=peer.ack - 1)
    await wire.cycles(100)
    assert not wire.segments
    wire.frames.clear()
    await wire.give(0, b"more than nothing")
    await wire.segment("PA", seq=peer.ack)
    await peer.say(b"before it has come")
    await peer.expect("A", seq=peer.ack + 17)
    assert wire.payload[0] == b"before it has come"
    # A FIN is more than nothing, too
    await wire.order(LISTEN, 1, local=8)
    peer = await Peer(wire, 1, 8, 50001).connect()
    await wire.order(CLOSE, 1)
    await peer.expect("FA")
    await peer.say(b"crosses the FIN")
    await peer.expect("A", seq=peer.ack + 1)
    assert wire.payload[1] == b"crosses the FIN"


@cocotb.test()
async def close_behind_data(dut):
    """The user closes right behind his last payload, which waits for the line: it goes first, without a timeout."""
    wire = await Wire(dut).reset()
    await wire.order(LISTEN, 0, local=7)
    peer = await Peer(wire, 0, 7, 50000).connect()
    pieces = [bytes([number]) * 1300 for number in range(3)]
    for piece in pieces:
        await wire.give(0, piece)
    await wire.order(CLOSE, 0)
    for piece in pieces:
        peer.take(await peer.expect("PA", piece))
        await peer.send("A")
    peer.take(await peer.expect("FA"))
    await peer.send("A")


@cocotb.test()
async def long_packet(dut):
    """Ten thousand bytes in one packet to a peer of MSS 1000: in segments of that, as its ACKs allow; then FIN."""
    wire = await Wire(dut).reset()
    await wire.order(LISTEN, 0, local=7)
    peer = Peer(wire, 0, 7, 50000)
    await peer.send("S", ack=0, options=[("MSS", 1000)])
    peer.take(await wire.segment("SA"))
    peer.seq += 1
    await peer.send("A")
    await wire.event("connected", 0)
    data = bytes(number * 7 & 255 for number in range(10_000))
    task = cocotb.start_soon(wire.give(0, data, length=False))
    for at in range(0, len(data), 1000):
        peer.take(await peer.expect("PA", data[at : at + 1000]))
        await peer.send("A")
        if at == 5000:
            await wire.order(CLOSE, 1)  # another session's
            await wire.event("bad_command", 1)
    await task
    await wire.order(CLOSE, 0)
    await peer.expect("FA")


@cocotb.test()
@pytest.mark.rfc9293("SHLD-14", "MUST-39", "MAY-8")
async def slow_user(dut):
    """What waits for its user makes a session's window smaller, and no other's; then the peer gets a window update."""
    wire = await Wire(dut).reset()
    for session in (0, 1):
        await wire.order(LISTEN, session, local=7 + session)
    peers = [await Peer(wire, session, 7 + session, 50000).connect() for session in (0, 1)]
    window = parameter("RX_WINDOW_BYTES", 8192)
    dut.m_axis_tready.value = 0
    left = window
    for size in (1000, 1460, 1, 1460, 1460):
        await peers[0].say(bytes(size))
        left -= size
        await peers[0].expect("A", window=left)
    await peers[1].say(b"hello")
    await peers[1].expect("A", window=window - 5)
    dut.m_axis_tready.value = 1
    await wire.cycles(800)
    updates = [judged(frame) for frame in wire.frames]
    assert [packet[TCP].sport for packet in updates] == [7]
    assert window - updates[0][TCP].window < 2 * 1460  # what is left to advertise is not worth a segment
    assert len(wire.payload[0]) == window - left and wire.payload[1] == b"hello"


@cocotb.test()
@pytest.mark.rfc9293("MUST-60")
@pytest.mark.pitfall("odd-length")
async def latency(dut):
    """Cut-through: a cycle to the MAC, 13 to the first byte or 15 to the first beat of 64 bits at the user; and a cycle
    for each register of the pipes.  64 bits at the MAC: as many words, half as often, and a cycle to change them."""
    tx_pipe, rx_pipe = parameter("TX_OUTPUT_PIPE_COUNT", 0), parameter("RX_OUTPUT_PIPE_COUNT", 0)
    tx_pipe += parameter("TCP2MAC_DATA_WIDTH", 32) == 64
    rx_pipe += parameter("MAC2TCP_DATA_WIDTH", 32) == 64
    wire = await Wire(dut).reset()
    await wire.order(LISTEN, 0, local=7)
    peer = await Peer(wire, 0, 7, 50000, window=65535).connect()
    for size in (1, 2, 3, 6, 7, 8, 9, 64, 511, 1460):
        data = bytes(size)
        await wire.cycles(100)
        await peer.say(data)
        assert wire.segment_out - wire.frame_in <= (15 if size > 6 else 14) + rx_pipe, size
        await peer.expect("A")
        await wire.cycles(100)
        closed = 0  # not in the cycle in which the gearbox pauses, one in 33; at 64 bits one of three without tready
        while closed < (1 if TX_BYTES == 4 else 3):
            closed = 0 if int(dut.m_mac_tready.value) else closed + 1
            if closed < (1 if TX_BYTES == 4 else 3):
                await wire.cycles(1)
        await wire.give(0, data, csum=True)
        peer.take(await peer.expect("PA", data))
        assert wire.frame_out - wire.user_in == 1 + tx_pipe, size
        await peer.send("A")


@cocotb.test()
async def given_before(dut):
    """What is given for a session that is not open: dropped and reported, or with TX_DROP_IF_NOT_ESTABLISHED_EN = 0 it
    waits for the next connection, at its number, and SYNs are answered; what was begun in one is not gone on with."""
    drops = parameter("TX_DROP_IF_NOT_ESTABLISHED_EN", 1)
    wire = await Wire(dut).reset()

    async def give(data: bytes, known: str, taken: list[int]) -> None:
        await wire.give(0, data, length=known != "nothing", csum=known == "csum")
        taken.append(wire.cycle)

    await wire.order(LISTEN, 0, local=7)
    for port, size, known in (
        (50000, 700, "length"),
        (50001, 1, "csum"),
        (50002, 1460, "csum"),
        (50003, 3000, "nothing"),
    ):
        data = bytes(number * port >> 4 & 255 for number in range(size))
        taken = []  # the cycle in which its last beat was
        task = cocotb.start_soon(give(data, known, taken))
        await wire.cycles(900)
        await wire.silence(1)
        assert task.done() or not drops
        if drops:
            await wire.event("tx_dropped", 0)
        peer = await Peer(wire, 0, 7, port, seq=port, window=20000).connect()
        for at in range(0, 0 if drops else size, 1456 if size > 1460 else size):
            part = data[at : at + (1456 if size > 1460 else size)]
            peer.take(await peer.expect("PA", part))
            await peer.send("A")
        await task
        if known == "length" and not drops:
            assert wire.frame_out < taken[0], "the length that was given has been forgotten"
        await wire.give(0, b"and more")
        peer.take(await peer.expect("PA", b"and more"))
        await peer.send("R")
        await wire.event("reset", 0)
    # A packet that the connection's end cuts: its rest is dropped
    peer = await Peer(wire, 0, 7, 50004, window=1460).connect()
    task = cocotb.start_soon(wire.give(0, bytes(3000), length=False))
    await peer.expect("PA", bytes(1456))
    await wire.cycles(300)
    await peer.send("R")
    await wire.cycles(300)
    assert task.done() and ("tx_dropped", 0) in wire.events
    wire.events.clear()
    wire.frames.clear()
    await Peer(wire, 0, 7, 50005, seq=77).connect()
    await wire.silence(300)


@cocotb.test()
@pytest.mark.pitfall("ring-wrap")
async def ring(dut):
    """Thrice the retransmit memory through it, each segment lost once: what comes again is what was sent."""
    wire = await Wire(dut).reset(rto=10)
    await wire.order(LISTEN, 0, local=7)
    peer = await Peer(wire, 0, 7, 50000).connect()
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    left = 3 * parameter("TX_RETRANSMIT_MEM_DEPTH", 4096)
    while left > 0:
        data = rng.randbytes(rng.choice((1, 777, 1460)))
        left -= len(data)
        await wire.give(0, data)
        await peer.expect("PA", data)
        await wire.ticks(12)
        peer.take(await peer.expect("PA", data))
        await peer.send("A")


@cocotb.test()
async def lengths(dut):
    """Frames of every length modulo 8, the next one as soon as the line can have it, the verdict with the last word or
    behind it; a bad one among them is asked for again."""
    wire = await Wire(dut).reset()
    await wire.order(LISTEN, 0, local=7)
    peer = await Peer(wire, 0, 7, 50000).connect()
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    given = b""
    for turn in range(4):
        for size in range(20, 30):
            data = rng.randbytes(size)
            await wire.send(peer.packet("PA", data), gap=4, verdict_with_last=bool(turn & 1))
            given += data
            peer.seq += size
        await peer.send("PA", bytes(turn), good=False)
        await wire.cycles(300)
        acknowledged = [judged(frame)[TCP].ack for frame in wire.frames]
        assert acknowledged[-1] == peer.seq and wire.payload[0] == given
        wire.frames.clear()
    for size in (*range(1, 18), 1459, 1460):
        data = rng.randbytes(size)
        await wire.give(0, data, csum=bool(size & 1))
        peer.take(await peer.expect("PA", data))
        await peer.send("A")
    assert wire.drops == 0


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe(test):
    toe_bench().run("test_toe", test)


@kept(__file__)
@pytest.mark.parametrize("test", ("latency", "close_behind_data"))
def test_toe_pipes(test):
    """Frames leave without a pause, later by the pipe (the line's other end is judged by scapy as ever)."""
    toe_bench(TX_OUTPUT_PIPE_COUNT=2, RX_OUTPUT_PIPE_COUNT=1).run("test_toe", test)


WIDE = (
    "latency",
    "arp_and_ping",
    "served",
    "lost_data_are_sent_again",
    "damaged",
    "close_behind_data",
    "long_packet",
    "lengths",
)


@pytest.mark.parametrize("test", WIDE)
def test_toe_wide(test):
    toe_bench(MAC2TCP_DATA_WIDTH=64, TCP2MAC_DATA_WIDTH=64).run("test_toe", test)


@kept(__file__)
@pytest.mark.parametrize("received, sent", ((64, 32), (32, 64)))
def test_toe_one_side_wide(received, sent):
    toe_bench(MAC2TCP_DATA_WIDTH=received, TCP2MAC_DATA_WIDTH=sent).run("test_toe", "latency")


MEMORIES = [(latency, write, "lost_data_are_sent_again") for latency, write in ((2, 2), (8, 8), (16, 24))]
MEMORIES += [(8, 8, test) for test in ("latency", "close_behind_data")]
MEMORIES += [(16, 24, test) for test in ("served", "long_packet", "ring")]


@kept(__file__)
@pytest.mark.parametrize(("latency", "write", "test"), MEMORIES)
def test_toe_memory_outside(latency, write, test):
    """The retransmit memory is outside; the latencies to the wire are the same."""
    memory = {"TX_RETRANSMIT_MEM_LATENCY": latency, "TX_RETRANSMIT_MEM_WRITE_LAG": write}
    toe_bench(TX_RETRANSMIT_MEM_EXTERNAL=1, **memory).run("test_toe", test)


@kept(__file__)
def test_toe_memory_inside():
    """A memory inside with registers behind it: no latency on the wire."""
    toe_bench(TX_RETRANSMIT_MEM_LATENCY=6).run("test_toe", "latency")


@kept(__file__)
def test_toe_given_before_held():
    toe_bench(TX_DROP_IF_NOT_ESTABLISHED_EN=0).run("test_toe", "given_before")
