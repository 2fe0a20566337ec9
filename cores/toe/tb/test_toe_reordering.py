# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The whole engine with a reorder memory: what comes after a hole waits for it, and is acknowledged at once."""

import cocotb
import pytest
from scapy.layers.inet import TCP

from test_toe import toe_bench
from toe_wire import CLOSE, LISTEN, Peer, Wire, judged
from ullnic_tb import cocotb_tests

WINDOW = 8192


async def served(dut, session: int = 0, **given) -> tuple[Wire, Peer]:
    wire = await Wire(dut).reset()
    await wire.order(LISTEN, session, local=7)
    return wire, await Peer(wire, session, 7, 50000, **given).connect()


@cocotb.test()
@pytest.mark.rfc9293("SHLD-31")
@pytest.mark.pitfall("overlap", "sequence-wrap")
async def filled(dut):
    """Each segment behind a hole is answered at once, and so is the one that fills it (RFC 5681, 4.2)."""
    wire, peer = await served(dut, seq=0xFFFFFFF0)
    data = bytes(range(250)) * 4
    for at in (900, 700, 300, 400):
        await peer.send("PA", data[at : at + 100], seq=peer.seq + at & 0xFFFFFFFF)
        await peer.expect("A", window=WINDOW)
    assert wire.payload.get(0) is None
    peer.seq = peer.seq + 500 & 0xFFFFFFFF
    await peer.send("PA", data[:300], seq=peer.seq - 500 & 0xFFFFFFFF)
    await peer.expect("A")
    # A part of a gap, with old data before it; then the rest, in one piece that has everything
    await peer.send("PA", data[450:600], seq=peer.seq - 50 & 0xFFFFFFFF)
    peer.seq = peer.seq + 100 & 0xFFFFFFFF
    await peer.expect("A")
    await peer.send("PA", data[600:], seq=peer.seq)
    peer.seq = peer.seq + 200 & 0xFFFFFFFF  # up to the piece from 700 on, and over it
    await peer.expect("A")
    peer.seq = peer.seq + 200 & 0xFFFFFFFF
    await peer.send("PA", data[800:], seq=peer.seq - 200 & 0xFFFFFFFF)
    await peer.expect("A")
    await wire.cycles(400)
    assert wire.payload[0] == data and wire.drops == 0


@cocotb.test()
@pytest.mark.rfc9293("SHLD-31")
@pytest.mark.pitfall("fin-past-hole")
async def fin_behind_a_hole(dut):
    """FIN counts when all before it has come, behind the payload; it need not be sent again."""
    wire, peer = await served(dut)
    for payload in (b"", b"and the rest"):
        wire.payload.clear()
        await peer.send("FPA", payload, seq=peer.seq + 5)
        await peer.expect("A")
        await wire.silence(300)
        assert not wire.events
        await peer.send("PA", b"first")
        peer.seq += 5 + len(payload) + 1
        answer = await wire.segment("A")
        if answer[TCP].ack != peer.seq:  # of the payload; that of the FIN follows
            answer = await wire.segment("A")
        assert answer[TCP].ack == peer.seq
        await wire.event("peer_closed", 0)
        assert wire.payload[0] == b"first" + payload
        await wire.order(CLOSE, 0)
        peer.take(await peer.expect("FA"))
        await peer.send("A")
        await wire.event("closed", 0)
        if not payload:
            peer = await Peer(wire, 0, 7, 50001).connect()


@cocotb.test()
async def fin_waits_for_the_user(dut):
    """While the payload before it waits in the memory, because the user takes nothing, a FIN is not reported."""
    wire, peer = await served(dut, session=2)
    others = []
    for session in (1, 3):
        await wire.order(LISTEN, session, local=7 + session)
        others.append(await Peer(wire, session, 7 + session, 50000).connect())
    dut.m_axis_tready.value = 0
    for other in others:  # their windows are the FIFO
        for _ in range(WINDOW // 1024):
            await other.say(bytes(1024))
            await wire.cycles(50)
    await peer.send("PA", b"x" * 1400, seq=peer.seq + 1400)
    await peer.say(b"y" * 1400)
    peer.seq += 1400
    await peer.send("FA")
    await wire.cycles(1000)
    wire.frames.clear()
    assert not wire.events
    dut.m_axis_tready.value = 1
    await wire.event("peer_closed", 2, limit=8000)
    peer.seq += 1
    await wire.cycles(3000)
    assert wire.payload[2] == b"y" * 1400 + b"x" * 1400
    acks = [judged(frame)[TCP] for frame in wire.frames]
    assert [tcp.ack for tcp in acks if tcp.sport == 7][-1] == peer.seq


@cocotb.test()
async def forgotten(dut):
    """What waits behind a hole when the connection is reset never comes to the next peer's user."""
    wire, peer = await served(dut)
    await peer.send("PA", b"old and secret", seq=peer.seq + 5)
    await peer.expect("A")
    await peer.send("R")
    await wire.event("reset", 0)
    peer = await Peer(wire, 0, 7, 50001, seq=peer.seq - 1).connect()
    await peer.send("PA", b"fresh")
    await wire.ticks(6)
    await wire.cycles(600)
    assert wire.payload[0] == b"fresh"
    assert judged(wire.frames[-1])[TCP].ack == peer.seq + 5


@cocotb.test()
async def window(dut):
    """Payload in the memory is not taken: the window is smaller by it, from when it is acknowledged on."""
    wire, peer = await served(dut)
    dut.m_axis_tready.value = 0
    edge, left = 0, WINDOW
    for _ in range(3):
        await peer.send("PA", bytes(1000), seq=peer.seq + 1000)
        await peer.expect("A", window=left)
        await peer.send("PA", bytes(1000))
        peer.seq, left = peer.seq + 2000, left - 2000
        await peer.expect("A", window=left)
        assert peer.seq + left >= edge
        edge = peer.seq + left
    dut.m_axis_tready.value = 1
    await wire.cycles(3000)
    update = judged(wire.frames[-1])[TCP]
    assert update.ack == peer.seq and WINDOW - update.window < 2 * 1460
    assert len(wire.payload[0]) == 6000


@cocotb.test()
async def latency(dut):
    """As without the memory, before a hole and when all of one has been delivered."""
    wire, peer = await served(dut, window=65535)
    for size in (1, 2, 7, 8, 9, 64, 1460):
        for _ in range(3):
            await wire.cycles(400)
            await peer.say(bytes(size))
            assert wire.segment_out - wire.frame_in <= (15 if size > 6 else 14), size
        await peer.send("PA", bytes(size), seq=peer.seq + size)
        await peer.send("PA", bytes(size))
        peer.seq += 2 * size
        await wire.cycles(400)
        assert len(wire.segments[-1][1]) > 0


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_reordering(test):
    toe_bench(RX_REORDERING_EN=1, INSTANT_ACK_EN=0, RX_WINDOW_BYTES=WINDOW).run(__name__, test)
