# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The whole engine with RX_URGENT_EN: the user gets an event for urgent data, and can learn how much of it is left."""

import os

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from scapy.layers.inet import TCP
from scapy.layers.l2 import ARP, Ether

from toe_wire import CARD, CONNECT, LISTEN, MAC, MASK32, PEER, PEER_MAC, Peer, Wire, served, toe_bench
from ullnic_tb import cocotb_tests, main_and_kept, parameter, seeded

REORDERING = parameter("RX_REORDERING_EN", 0)
WINDOW = 8192


async def left(wire: Wire, session: int = 0) -> int:
    """What look_urgent says."""
    wire.dut.look_sid.value = session
    await wire.cycles(4)
    return int(wire.dut.look_urgent.value)


async def expect_urgent(wire: Wire, remains: int | None, session: int = 0) -> None:
    """EV_URGENT, and nothing else; None: no event."""
    await wire.cycles(120)
    if remains is None:
        assert not wire.events
        return
    assert list(wire.events) == [("urgent", session)], list(wire.events)
    wire.events.clear()
    assert wire.infos[-1] == remains


@cocotb.test()
@pytest.mark.rfc9293("MUST-30", "MUST-31", "MUST-32", "MUST-33")
async def pointer(dut):
    """An event when there is something urgent, and each time that its end moves on; all of it comes in line."""
    wire, peer = await served(dut)
    dut.m_axis_tready.value = 0
    said = b""
    for data, flags, urgent, remains in (
        (b"none", "PA", 3, None),  # without the flag the field says nothing
        (b"zero", "PAU", 0, None),  # nothing before the pointer
        (b"one", "PAU", 1, 9),  # one byte of these, behind the 8 above
        (b"two", "PAU", 3, 14),
        (b"", "AU", 5, 19),  # before the data
        (b"12", "PAU", 5, None),  # the same end, as it comes nearer: no news
        (b"345", "PAU", 3, None),
        (b"behind", "PA", 0, None),
        (b"far", "PAU", 0xFFFF, 25 + 0xFFFF),
        (b"back", "PAU", 2, None),  # it cannot recede
    ):
        await peer.send(flags, data, urgptr=urgent)
        said += data
        peer.seq += len(data)
        if data:
            await peer.expect("A")
        await expect_urgent(wire, remains)
    end = 25 + 0xFFFF
    assert await left(wire) == end
    dut.m_axis_tready.value = 1
    await wire.cycles(200)
    assert wire.payload[0] == said
    assert await left(wire) == end - len(said)
    # Up to the pointer, in segments without the flag
    while len(said) < end:
        data = bytes(min(1460, end - len(said)))
        await peer.say(data)
        await peer.expect("A")
        said += data
        await wire.cycles(200)
        assert await left(wire) == end - len(said)
    await peer.say(b"normal mode")
    await peer.expect("A")
    assert await left(wire) == 0 and not wire.events


@cocotb.test()
@pytest.mark.rfc9293("MUST-32", "MUST-33")
async def slow_user(dut):
    """What is left goes down as the user takes whole segments; the event has it as of when it is taken."""
    wire, peer = await served(dut)
    dut.m_axis_tready.value = 0
    dut.event_ready.value = 0
    for size in (100, 50, 25):
        await peer.send("PAU", bytes(size), urgptr=size)
        peer.seq += size
        await peer.expect("A")
    await wire.cycles(100)
    assert not wire.events and await left(wire) == 175
    seen = set()
    for _ in range(60):
        dut.m_axis_tready.value = 1
        await RisingEdge(dut.clk)
        dut.m_axis_tready.value = 0
        remains = await left(wire)
        assert remains == 175 - len(wire.payload.get(0, b""))
        assert int(dut.event_info.value) == remains
        seen.add(remains)
    assert seen == {175, 75, 25, 0}
    dut.event_ready.value = 1
    await wire.cycles(100)
    assert list(wire.events) == [("urgent", 0)] * 3 and wire.infos[-3:] == [0, 0, 0]


@cocotb.test()
@pytest.mark.rfc9293("MUST-32")
@pytest.mark.pitfall("sequence-wrap")
async def wrap(dut):
    """Segment, pointer and RCV.NXT on both sides of 2^32."""
    for session, seq in enumerate((0xFFFFFFFF, 0xFFFFFFF0, 0x7FFFFFF8)):
        if session == 0:
            wire = await Wire(dut).reset()
        await wire.order(LISTEN, session, local=7 + session)
        peer = await Peer(wire, session, 7 + session, 50000, seq=seq).connect()
        await peer.send("AU", urgptr=40)
        await expect_urgent(wire, 40, session)
        for at in range(0, 60, 12):
            await peer.send("PAU", bytes(12), urgptr=max(40 - at, 0))
            peer.seq = peer.seq + 12 & MASK32
            await peer.expect("A")
            await expect_urgent(wire, None)
            assert await left(wire, session) == max(40 - at - 12, 0)
        await peer.send("PAU", bytes(20), urgptr=20)
        peer.seq = peer.seq + 20 & MASK32
        await peer.expect("A")
        await expect_urgent(wire, 0, session)


@cocotb.test()
@pytest.mark.rfc9293("MUST-32", "MUST-66")
async def closed_window(dut):
    """The pointer counts though no byte has a place."""
    wire, peer = await served(dut)
    dut.m_axis_tready.value = 0
    for at in range(0, WINDOW, 1024):
        await peer.say(bytes(1024))
        await peer.expect("A", window=WINDOW - at - 1024)
    await peer.send("AU", urgptr=100)
    await expect_urgent(wire, WINDOW + 100)
    await peer.send("PAU", b"\0" * 101, urgptr=101, seq=peer.seq - 100)  # old data, and a probe's byte, perhaps
    await wire.cycles(200)
    assert not wire.events
    wire.frames.clear()
    dut.m_axis_tready.value = 1
    await wire.cycles(3000)
    assert await left(wire) <= 100


@cocotb.test()
@pytest.mark.rfc9293("MUST-32")
async def old_and_wrong(dut):
    """Old segments, and those that do not count: no event."""
    wire, peer = await served(dut)
    for _ in range(3):
        await peer.say(bytes(100))
        await peer.expect("A")
    start = peer.seq
    # All of it old; the pointer in what has been taken, or right at its end
    for back, urgent in ((300, 1), (300, 300), (200, 200), (100, 50)):
        await peer.send("PAU", bytes(100), seq=start - back, urgptr=urgent)
        await peer.expect("A")
    # Not acceptable, whatever the pointer is
    await peer.send("PAU", bytes(100), seq=start - 300, urgptr=310)
    await peer.expect("A")
    # A byte of it is new, and the pointer is old, or right in front of that byte
    for urgent in (1, 299, 300):
        await peer.send("PAU", bytes(301), seq=peer.seq - 300, urgptr=urgent)
        peer.seq += REORDERING
        await peer.expect("A")
        await expect_urgent(wire, None)
        if REORDERING:
            start = peer.seq
    # And behind
    await peer.send("PAU", bytes(301), seq=peer.seq - 300, urgptr=310)
    peer.seq += REORDERING
    await peer.expect("A")
    await expect_urgent(wire, 10 - REORDERING)
    start = peer.seq
    wrong = (
        {"flags": "PU"},  # no ACK
        {"ack": peer.ack + 1},  # of what has not been sent
        {"ack": peer.ack - 100000 & MASK32},
        {"seq": start + 70000},
        {"seq": start - 70000 & MASK32},
        {"chksum": 0x1234},
        {"dport": 8},
    )
    for fields in wrong:
        packet = peer.packet(fields.pop("flags", "AU"), urgptr=500, **{k: v for k, v in fields.items() if k != "dport"})
        packet[TCP].dport = fields.get("dport", 7)
        await wire.send(packet)
    await peer.send("AU", urgptr=500, good=False)
    await wire.cycles(300)
    wire.frames.clear()
    await expect_urgent(wire, None)
    await peer.send("AU", urgptr=10 - REORDERING)
    await expect_urgent(wire, None)
    await peer.send("AU", urgptr=12)
    await expect_urgent(wire, 12)


@cocotb.test()
@pytest.mark.rfc9293("MUST-32")
async def behind_a_hole(dut):
    """Ahead of RCV.NXT: an event at once, though what is before it has not come."""
    wire, peer = await served(dut)
    await peer.send("PAU", bytes(50), seq=peer.seq + 100, urgptr=20)
    await peer.expect("A")
    await expect_urgent(wire, 120)
    await peer.send("PA", bytes(100))
    peer.seq += 150 if REORDERING else 100
    await peer.expect("A")
    await wire.cycles(300)
    assert await left(wire) == (0 if REORDERING else 20)
    if not REORDERING:
        await peer.send("PAU", bytes(50), urgptr=20)
        peer.seq += 50
        await peer.expect("A")
    await expect_urgent(wire, None)
    # More of the same data in another cut: its pointer has been reported
    await peer.send("PAU", bytes(200), seq=peer.seq - 150, urgptr=120)
    peer.seq += 50 if REORDERING else 0
    await peer.expect("A")
    await expect_urgent(wire, None)


@cocotb.test()
@pytest.mark.rfc9293("MUST-32")
async def at_the_ends(dut):
    """With the handshake's ACK and with FIN it counts, behind their events; with SYN and behind FIN not."""
    wire = await Wire(dut).reset()
    await wire.order(LISTEN, 0, local=7)
    peer = Peer(wire, 0, 7, 50000)
    for round_ in range(3):
        peer.seq, peer.ack = 5000 * round_ + 77, 0
        await peer.send("SU", urgptr=9)
        peer.take(await wire.segment("SA", ack=peer.seq + 1))
        peer.seq += 1
        assert await left(wire) == 0  # a pointer of the last connection is no more
        await peer.send("PAU", b"hello", urgptr=5)
        peer.seq += 5
        await peer.expect("A")
        await wire.cycles(100)
        assert list(wire.events) == [("connected", 0), ("urgent", 0)]
        wire.events.clear()
        far = 50000 if round_ == 1 else 2
        await peer.send("FPAU", b"bye", urgptr=far)
        peer.seq += 4
        await peer.expect("A")
        await wire.cycles(100)
        assert list(wire.events) == [("peer_closed", 0), ("urgent", 0)]
        wire.events.clear()
        await peer.send("AU", urgptr=200)
        await expect_urgent(wire, None)
        assert await left(wire) == max(far - 3, 0)
        await peer.send("R")
        await wire.event("reset", 0)
        await wire.listens(0)


@cocotb.test()
@pytest.mark.rfc9293("MUST-32")
async def no_place(dut):
    """A segment with three events, when there is place for any number: none is lost, nor of another session."""
    wire, peer = await served(dut)
    await wire.order(LISTEN, 1, local=8)
    end = 0
    for waiting in range(12, 19):
        other = Peer(wire, 1, 8, 50000, seq=1000 * waiting)
        await other.send("S")
        other.take(await wire.segment("SA", ack=other.seq + 1))
        other.seq += 1
        dut.event_ready.value = 0
        for _ in range(waiting):
            end += 1
            await peer.send("AU", urgptr=end)
        await other.send("FPAU", b"all at once", urgptr=3)
        end += 1
        await peer.send("AU", urgptr=end)
        await wire.cycles(300)
        dut.event_ready.value = 1
        await wire.cycles(500)
        news = [("connected", 1), ("peer_closed", 1), ("urgent", 1)]
        assert list(wire.events) == [("urgent", 0)] * waiting + news + [("urgent", 0)], waiting
        wire.events.clear()
        other.seq += len(b"all at once") + 1
        await other.expect("A", seq=other.ack)
        await other.send("R")
        await wire.event("reset", 1)
        await wire.listens(1)


@cocotb.test()
@pytest.mark.rfc9293("MUST-32")
async def connected_to(dut):
    """A session that has opened actively."""
    wire = await Wire(dut).reset()
    await wire.order(CONNECT, 1, local=30000, peer=80)
    assert (await wire.frame())[ARP].pdst == PEER
    await wire.send(Ether(src=PEER_MAC, dst=MAC) / ARP(op=2, hwsrc=PEER_MAC, psrc=PEER, hwdst=MAC, pdst=CARD))
    syn = await wire.segment("S")
    peer = Peer(wire, 1, 30000, 80)
    peer.take(syn)
    await peer.send("SAU", urgptr=4)
    peer.seq += 1
    await wire.segment("A")
    await wire.event("connected", 1)
    await expect_urgent(wire, None)
    await peer.send("AU", urgptr=4)
    await expect_urgent(wire, 4, 1)


@cocotb.test()
@pytest.mark.rfc9293("MUST-31", "MUST-32", "MUST-33")
async def chance(dut):
    """Two sessions, segments of any kind, a user who pauses: each advance once, in order, and what is left is right."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    wire = await Wire(dut).reset()
    peers = []
    for session in (0, 1):
        await wire.order(LISTEN, session, local=7 + session)
        seq = rng.choice((rng.getrandbits(32), 0xFFFFFF00, 0x7FFFFF00))
        peers.append(await Peer(wire, session, 7 + session, 50000, seq=seq).connect())
    sent, ends, said = [0, 0], [0, 0], [b"", b""]
    expected = []
    rounds = 0
    while len(expected) < 40:
        rounds += 1
        assert rounds < 2000
        session = rng.randrange(2)
        peer = peers[session]
        dut.m_axis_tready.value = int(rng.random() < 0.7)
        kind = rng.randrange(8)
        size = rng.choice((0, 1, 2, 3, 40, rng.randrange(600)))
        urgent = rng.choice((0, 1, size, size + 1, rng.randrange(100), rng.randrange(1000)))
        if len(expected) >= 36 and rng.random() < 0.1:
            urgent = rng.randrange(1 << 16)
        flagged = rng.random() < 0.6
        behind = 0
        if kind == 0:  # old
            behind = rng.randrange(1, 900)
            size = min(size, behind, sent[session])
            behind = min(behind, sent[session])
        data = rng.randbytes(size)
        if size > WINDOW // 2 - len(said[session]) + len(wire.payload.get(session, b"")):
            dut.m_axis_tready.value = 1
            await wire.cycles(600)
        start = sent[session] - behind
        if kind == 0:
            data = said[session][start : start + size]
        good = kind != 1
        await peer.send("PAU" if flagged else "PA", data, seq=peer.seq - behind & MASK32, good=good, urgptr=urgent)
        if not good:
            continue
        end = start + urgent
        if flagged and not behind and end > max(ends[session], sent[session]):
            ends[session] = end
            expected.append(("urgent", session))
        if kind != 0:
            said[session] += data
            sent[session] += size
            peer.seq = peer.seq + size & MASK32
        await wire.cycles(rng.choice((10, 60, 200)))
        if rng.random() < 0.3:
            dut.m_axis_tready.value = 0
            await wire.cycles(60)
            taken = len(wire.payload.get(session, b""))
            assert await left(wire, session) == max(ends[session] - taken, 0)
    dut.m_axis_tready.value = 1
    await wire.cycles(3000)
    assert [bytes(wire.payload[session]) for session in (0, 1)] == said
    assert list(wire.events) == expected
    for session in (0, 1):
        assert await left(wire, session) == max(ends[session] - sent[session], 0)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
@pytest.mark.parametrize(
    "more",
    main_and_kept(__file__, ({}, {"RX_STORE_FORWARD": 1, "RX_REORDERING_EN": 1})),
    ids=("cut-through", "store-reordering"),
)
def test_toe_urgent(more, test):
    toe_bench(RX_URGENT_EN=1, RX_WINDOW_BYTES=WINDOW, **more).run(__name__, test)
