# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The whole engine: what TCP in hardware fails at, from the wire to the user.  cores/toe/pitfalls.toml lists it."""

import os

import cocotb
import pytest
from scapy.layers.inet import IP, TCP, IPOption_NOP
from scapy.layers.l2 import Ether
from scapy.packet import Raw

from toe_wire import CARD, PEER, served, still_there, toe_bench
from ullnic_tb import cocotb_tests, long_run, parameter, rounds, seeded


@cocotb.test()
@pytest.mark.pitfall("ip-options")
async def ip_options_and_fragments(dut):
    """Dropped and counted, each once, whatever they hold; the connection goes on."""
    wire, peer = await served(dut)
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for flags, data in (("S", b""), ("PA", b"data"), ("R", b""), ("FA", b"")):
        optional = peer.packet(flags, data)
        optional[IP].options = [IPOption_NOP()] * rng.randrange(1, 9)
        first = peer.packet(flags, data)
        first[IP].flags = "MF"
        behind = peer.packet(flags, data)
        behind[IP].frag = rng.randrange(1, 0x2000)
        for packet in (optional, first, behind):
            dropped = wire.drops
            await wire.send(packet)
            await wire.cycles(4)
            assert wire.drops == dropped + 1, packet.summary()
    await wire.silence(300)
    assert not wire.events and not wire.segments
    await still_there(wire, peer)


@cocotb.test()
@pytest.mark.pitfall("window-advertised-twice")
async def window_advertised_once(dut):
    """The user takes a segment, which makes the window worth an ACK, and sends: whichever is first, the other is no
    duplicate ACK."""
    wire, peer = await served(dut)
    dut.m_axis_tready.value = 0
    for _ in range(parameter("RX_WINDOW_BYTES", 8192) // 1460):
        await peer.say(bytes(1460))
        packet = await peer.expect("A")
    before = packet[TCP].ack, packet[TCP].ack + packet[TCP].window
    updates = {"A": 0, "PA": 0}

    async def send_after(cycles: int) -> None:
        await wire.cycles(cycles)
        await wire.give(0, b"answer")

    step = rounds(1, 2)
    for wait in range(170 + seeded(os.environ["ULLNIC_TEST_NAME"]).randrange(step), 260, step):
        sending = cocotb.start_soon(send_after(wait))
        taken = len(wire.segments)
        dut.m_axis_tready.value = 1
        while len(wire.segments) == taken:
            await wire.cycles(1)
        dut.m_axis_tready.value = 0
        await sending
        await wire.cycles(150)
        while wire.frames:
            packet = await wire.frame()
            tcp = packet[TCP]
            advertised = tcp.ack, tcp.ack + tcp.window
            assert "P" in tcp.flags or advertised > before, f"sent after {wait} cycles: {advertised} again"
            updates[str(tcp.flags)] += advertised > before
            before = advertised
            peer.take(packet)
        await peer.say(bytes(1460))
        packet = await peer.expect("A")
        before = packet[TCP].ack, packet[TCP].ack + packet[TCP].window
    assert min(updates.values()) > 10 // step, updates


def checked(packet) -> int:
    """The TCP checksum as scapy computes it."""
    again = packet.copy()
    del again[TCP].chksum
    return Ether(bytes(again))[TCP].chksum


@cocotb.test()
@pytest.mark.pitfall("checksum-zero")
async def checksum_of_zero(dut):
    """A sum whose checksum is 0 goes out as 0; it is right when it comes as 0, or as 0xFFFF, and wrong as 1."""
    wire, peer = await served(dut)
    for length in (2, 4, 64):
        packet = peer.packet("PA", bytes(length))
        data = checked(packet).to_bytes(2, "big") + bytes(length - 2)
        assert checked(peer.packet("PA", data)) == 0
        for value in (1, 0xFFFE):
            await peer.send("PA", data, chksum=value)
        await wire.silence(200)
        for value in (0, 0xFFFF) if length == 2 else (0,):
            await peer.send("PA", data, chksum=value)
            peer.seq += length
            window = (await peer.expect("A"))[TCP].window
            packet = peer.packet("PA", bytes(length))
            data = checked(packet).to_bytes(2, "big") + bytes(length - 2)
        for through in (False, True):
            fields = {"seq": peer.ack, "ack": peer.seq, "window": window}
            ours = IP(src=CARD, dst=PEER) / TCP(sport=7, dport=50000, flags="PA", **fields) / Raw(bytes(length))
            data = checked(Ether() / ours).to_bytes(2, "big") + bytes(length - 2)
            await wire.give(0, data, csum=through)
            sent = await peer.expect("PA", data)
            assert sent[TCP].chksum == 0
            peer.take(sent)
            await peer.send("A")


@cocotb.test()
@pytest.mark.pitfall("padding")
async def padding(dut):
    """What stands behind the IP packet in a short frame, be it 0 or not, is not the user's."""
    wire, peer = await served(dut)
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    said = b""
    for length in (0, 1, 2, 3, 4, 5, 6, 7):
        for more in (0, 1, 2, 3, 4, 30):
            data = rng.randbytes(length)
            packet = peer.packet("PA", data)
            await wire.send(Ether(bytes(packet) + rng.randbytes(max(0, 60 - len(packet)) + more)))
            peer.seq += length
            said += data
            if length:
                await peer.expect("A")
    await wire.silence(100)
    assert wire.payload[0] == said


@cocotb.test()
@pytest.mark.pitfall("overlap")
async def overlap(dut):
    """What is sent again, cut otherwise: each byte comes once, and the peer learns at once where to go on."""
    wire, peer = await served(dut)
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    stream, at, start = rng.randbytes(3000), 0, peer.seq
    while at < len(stream):
        begin = max(0, at - rng.choice((0, 1, 10, 200)))
        end = min(len(stream), begin + rng.randrange(1, 400))
        await peer.send("PA", stream[begin:end], seq=start + begin)
        answer = await wire.segment("A", seq=peer.ack)
        acked = answer[TCP].ack - start
        assert acked == at or acked == max(at, end)
        at = acked
    assert wire.payload[0] == stream


@cocotb.test()
@pytest.mark.pitfall("window-full")
async def window_fills(dut):
    """What finds no room in the peer's window goes as soon as there is room, and no byte before."""
    wire, peer = await served(dut, window=3000)
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    pieces = [rng.randbytes(1460) for _ in range(4)]

    async def give():
        for piece in pieces:
            await wire.give(0, piece)

    giving = cocotb.start_soon(give())
    first = await peer.expect("PA", pieces[0])
    peer.take(first)
    second = await peer.expect("PA", pieces[1])
    await wire.silence(1000)
    await peer.send("A", window=2919)  # the second is on its way: a byte is missing for the third
    await wire.silence(1000)
    await peer.send("A", window=2920)
    peer.take(second)
    third = await peer.expect("PA", pieces[2])
    await wire.silence(1000)
    peer.take(third)
    await peer.send("A")
    peer.take(await peer.expect("PA", pieces[3]))
    await peer.send("A")
    await giving
    await wire.silence(200)


@cocotb.test()
@pytest.mark.rfc9293("MUST-36", "SHLD-29", "SHLD-30")
@pytest.mark.pitfall("zero-window")
async def window_closes(dut):
    """A closed window is probed ever more seldom; its update is lost, and the answer to a probe opens it."""
    wire, peer = await served(dut, rto=10)
    await wire.give(0, b"fills it")
    peer.take(await peer.expect("PA", b"fills it"))
    peer.window = 0
    await peer.send("A")
    await wire.cycles(100)
    giving = cocotb.start_soon(wire.give(0, b"waits"))
    for ticks in (10, 20, 40):
        await wire.ticks(ticks - 4)
        await wire.silence(10)
        await wire.ticks(5)
        await peer.expect("A", seq=peer.ack - 1)
        await peer.send("A")
    # The update that opens it is lost here
    peer.window = 8000
    await wire.ticks(74)
    await wire.silence(10)
    await wire.ticks(6)
    await peer.expect("A", seq=peer.ack - 1)
    await peer.send("A")
    peer.take(await peer.expect("PA", b"waits"))
    await peer.send("A")
    await giving


@cocotb.test()
@pytest.mark.pitfall("ring-wrap")
async def lost_at_the_end_of_the_ring(dut):
    """Segments that lie over the end of the retransmit memory are lost, and come again as they were."""
    wire, peer = await served(dut, rto=10, window=20000)
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    ring, at = parameter("TX_RETRANSMIT_MEM_DEPTH", 4096), peer.ack % parameter("TX_RETRANSMIT_MEM_DEPTH", 4096)
    for behind in (1, 700, 1459):
        while at + 1460 <= ring:  # not over the end yet
            size = min(1460, max(1, ring - at - behind))
            data = rng.randbytes(size)
            await wire.give(0, data)
            peer.take(await peer.expect("PA", data))
            await peer.send("A")
            at += size
        data = rng.randbytes(1460)
        await wire.give(0, data)
        await peer.expect("PA", data)
        await wire.ticks(12)
        peer.take(await peer.expect("PA", data))
        await peer.send("A")
        at = (at + 1460) % ring
    await wire.silence(100)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_pitfalls(test):
    toe_bench().run(__name__, test)


@long_run(__file__)
def test_toe_pitfalls_long():
    toe_bench().run(__name__, "window_advertised_once", long_seed=1)
