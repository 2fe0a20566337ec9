# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The whole engine: RST, SYN and a pure ACK in each state at each place relative to the advertised window.

What RFC 9293, 3.10.7.4 asks for, with RFC 5961: first the place, then RST (second), SYN (fourth), ACK (fifth).
"""

import os

import cocotb
import pytest
from scapy.layers.l2 import ARP, Ether

from toe_wire import (
    ABORT,
    CARD,
    CLOSE,
    CONNECT,
    LISTEN,
    LISTENS,
    MAC,
    MASK32,
    PEER,
    PEER_MAC,
    Peer,
    Wire,
    served,
    still_there,
    toe_bench,
)
from ullnic_tb import cocotb_tests, kept, long_run, rounds, seeded

CLOSED, SYN_RCVD, ESTABLISHED, FIN_WAIT_1, FIN_WAIT_2, CLOSE_WAIT, CLOSING, LAST_ACK, TIME_WAIT = 0, *range(3, 11)
SEQS = (50000, 0xFFFFFFFF, 0xFFFF_E000)  # the peer's: the window lies before, after and across the wrap
BEFORE, AFTER = 0x7FFF_0000, 0x7FFF_0000


class Place:
    """A connection in one state: the peer knows the numbers and the advertised window."""

    def __init__(self, wire: Wire, peer: Peer, state: int, event: str | None):
        self.wire, self.peer, self.state, self.event = wire, peer, state, event
        self.advertised = 0

    def looks(self) -> int:
        return int(self.wire.dut.look_state.value)

    async def at(self, state: int) -> None:
        self.wire.dut.look_sid.value = self.peer.session
        await self.wire.cycles(300)
        assert self.looks() == state, f"state {self.looks()}, not {state}"

    def leave_out_arp(self) -> None:
        """What the engine announces."""
        frames = self.wire.frames
        for frame in [each for each in frames if ARP in Ether(each)]:
            frames.remove(frame)

    async def answered(self) -> None:
        """An ACK of what we are at, and nothing else."""
        await self.wire.cycles(300)
        self.leave_out_arp()
        await self.peer.expect("A")
        self.leave_out_arp()
        assert not self.wire.frames
        await self.at(self.state)
        assert not self.wire.events

    async def nothing(self) -> None:
        await self.at(self.state)
        await self.wire.silence(300)
        assert not self.wire.events

    async def over(self, state: int, event: str | None) -> None:
        await self.at(state)
        await self.wire.silence(300)
        assert list(self.wire.events) == ([(event, self.peer.session)] if event else [])
        self.wire.events.clear()

    def offsets(self) -> dict[str, tuple[int, ...]]:
        """From RCV.NXT."""
        wnd = self.advertised
        inside = {1, wnd // 2, wnd - 1} - {0}
        return {"exact": (0,), "inside": tuple(sorted(inside)), "outside": (-1, -BEFORE, wnd, wnd + 1, AFTER)}


async def make(wire: Wire, name: str, seq: int) -> Place:
    """A new connection of session 0 in this state, its ARP entry known."""
    dut = wire.dut
    dut.m_axis_tready.value = 1
    passive = name in ("syn_rcvd", "close_wait", "last_ack", "established")
    peer = Peer(wire, 0, 7, 50000, seq=seq)
    if passive:
        await wire.order(LISTEN, 0, local=7)
        await wire.listens(0)
        await peer.send("S", ack=0, options=[("MSS", 1460)])
    else:
        await wire.order(CONNECT, 0, local=7, peer=50000)
        await resolved(wire)
        peer.take(await wire.segment("S"))
        if name == "opened":
            await peer.send("S", ack=0, options=[("MSS", 1460)])
        else:
            await peer.send("SA", options=[("MSS", 1460)])
    peer.seq = seq + 1 & MASK32
    last = await wire.segment("SA" if passive or name == "opened" else "A", ack=peer.seq)
    peer.take(last)
    place = Place(wire, peer, SYN_RCVD, None if passive else "refused")
    if name not in ("syn_rcvd", "opened"):
        if passive:
            await peer.send("A")
        await wire.event("connected", 0)
        place.state, place.event = ESTABLISHED, "reset"
    if name in ("close_wait", "last_ack"):
        last = await fin(peer)
        place.state = CLOSE_WAIT
    if name in ("last_ack", "fin_wait_1", "fin_wait_2", "closing", "time_wait"):
        await wire.order(CLOSE, 0)
        last = await peer.expect("FA")
        place.state, place.event = (LAST_ACK, "closed") if name == "last_ack" else (FIN_WAIT_1, "reset")
        if name in ("fin_wait_2", "time_wait"):
            peer.take(last)
            await peer.send("A")
            place.state = FIN_WAIT_2
        elif name == "closing":
            peer.ack = peer.ack + 1 & MASK32  # our answers are after the FIN
            last = await fin(peer, ack=peer.ack - 1 & MASK32)
            place.state, place.event = CLOSING, "closed"
        else:
            peer.ack = peer.ack + 1 & MASK32
        if name == "time_wait":
            last = await fin(peer)
            place.state, place.event = TIME_WAIT, "closed"
    place.advertised = last["TCP"].window
    assert place.advertised > 2
    await place.at(place.state)
    return place


async def resolved(wire: Wire) -> None:
    """ARP for the peer, if it is asked for."""
    asked = await wire.frame()
    if ARP in asked:
        answer = ARP(op="is-at", hwsrc=PEER_MAC, psrc=PEER, hwdst=MAC, pdst=CARD)
        await wire.send(Ether(src=PEER_MAC, dst=MAC) / answer)
    else:
        wire.frames.appendleft(bytes(asked))


async def fin(peer: Peer, **fields):
    await peer.send("FA", **fields)
    peer.seq = peer.seq + 1 & MASK32
    await peer.wire.event("peer_closed", peer.session)
    return await peer.expect("A")


async def forget(place: Place) -> None:
    """The session is closed, whatever it was."""
    await place.wire.order(ABORT, 0)
    await place.wire.cycles(300)
    place.wire.events.clear()
    place.wire.frames.clear()
    await place.at(CLOSED)


def unacknowledged(name: str) -> int:
    """Our FIN or SYN, in the states in which an ACK of it would end them."""
    return int(name in ("syn_rcvd", "opened", "fin_wait_1", "closing", "last_ack"))


STATES = (
    *("syn_rcvd", "opened", "established", "fin_wait_1", "fin_wait_2"),
    *("close_wait", "closing", "last_ack", "time_wait"),
)
PASSIVE = ("syn_rcvd", "established", "close_wait", "last_ack")


def tried() -> list[tuple[str, int]]:
    """States, and the peer's first sequence number: all of them in a long run, else each third one."""
    numbered = [(name, SEQS[number % len(SEQS)]) for number, name in enumerate(STATES)]
    step = rounds(1, 3)
    return numbered[seeded(os.environ["ULLNIC_TEST_NAME"]).randrange(step) :: step]


@cocotb.test()
@pytest.mark.pitfall("blind-rst")
async def resets(dut):
    """RFC 5961, 3.2: exact ends the connection, elsewhere in the window it is challenged, outside nothing happens."""
    wire = await Wire(dut).reset(rto=60000, time_wait=60000)
    for name, seq in tried():
        for flags in ("R", "RA"):
            place = await make(wire, name, seq)
            peer, acks = place.peer, (place.peer.ack, place.peer.ack - 1, place.peer.ack + 5)
            for ack in acks if flags == "RA" else (0,):
                for offset in place.offsets()["outside"]:
                    await peer.send(flags, seq=peer.seq + offset & MASK32, ack=ack & MASK32)
                    await place.nothing()
            for offset in place.offsets()["inside"]:
                await peer.send(flags, seq=peer.seq + offset & MASK32, ack=peer.ack)
                await place.answered()
            await peer.send(flags, ack=peer.ack)
            await place.over(LISTENS if name in PASSIVE else CLOSED, place.event)
            if name in PASSIVE:
                await forget(place)


@cocotb.test()
@pytest.mark.pitfall("blind-syn")
async def syns(dut):
    """RFC 5961, 4: challenged wherever it lies; in SYN-RECEIVED by a passive open the session listens again."""
    wire = await Wire(dut).reset(rto=60000, time_wait=60000)
    for name, seq in tried():
        for flags in ("S", "SA"):
            place = await make(wire, name, seq)
            peer = place.peer
            ack = peer.ack - unacknowledged(name) if flags == "SA" else 0
            for kind, offsets in place.offsets().items():
                for offset in offsets:
                    if name in ("syn_rcvd", "opened") and offset == -1:
                        continue  # the peer's own SYN
                    await peer.send(flags, seq=peer.seq + offset & MASK32, ack=ack & MASK32)
                    if name == "syn_rcvd" and kind != "outside":
                        await place.over(LISTENS, None)
                        await forget(place)
                        place = await make(wire, name, seq)
                        peer = place.peer
                        ack = peer.ack - unacknowledged(name) if flags == "SA" else 0
                    else:
                        await calm(place)
                        await place.answered()
            await forget(place)


async def calm(place: Place) -> None:
    """Challenges count anew: so many in 256 ticks."""
    await place.wire.ticks(40, spacing=4)


@cocotb.test()
async def acks(dut):
    """A pure ACK outside is answered; inside it counts, and is answered in TIME-WAIT if it is not exact."""
    wire = await Wire(dut).reset(rto=60000, time_wait=60000)
    for name, seq in tried():
        place = await make(wire, name, seq)
        peer = place.peer
        ack = peer.ack - unacknowledged(name) & MASK32
        for offset in place.offsets()["outside"]:
            await peer.send("A", seq=peer.seq + offset & MASK32, ack=ack)
            await calm(place)
            await place.answered()
        for offset in (0, *place.offsets()["inside"]):
            if name in ("syn_rcvd", "opened"):
                break
            is_answered = name == "time_wait" and offset != 0
            if is_answered:
                await calm(place)
            # With a window of its own, so that it is no duplicate ACK
            await peer.send("A", seq=peer.seq + offset & MASK32, ack=ack, window=peer.window - offset % 100)
            await (place.answered() if is_answered else place.nothing())
        if name == "time_wait":  # the wait is not prolonged by it, and it ends
            await wire.ticks(100)
        await forget(place)
    # In SYN-RECEIVED, inside: the connection is open
    for name in ("syn_rcvd", "opened"):
        place = await make(wire, name, SEQS[1])
        for offset in place.offsets()["inside"]:
            await place.peer.send("A", seq=place.peer.seq + offset & MASK32)
            await place.over(ESTABLISHED, "connected")
            await still_there(wire, place.peer)
            await forget(place)
            place = await make(wire, name, SEQS[1])
        await forget(place)


@cocotb.test()
@pytest.mark.rfc9293("MUST-66")
async def a_window_of_none(dut):
    """With a closed window only RCV.NXT is exact, and all else outside."""
    wire, peer = await served(dut, rto=60000)
    dut.m_axis_tready.value = 0
    left = 8192
    while left:
        size = min(left, 1460)
        await peer.say(bytes(size))
        left = (await peer.expect("A"))["TCP"].window
    place = Place(wire, peer, ESTABLISHED, "reset")
    for offset in (-1, 1, 2, 1460, 8192):
        await peer.send("R", seq=peer.seq + offset & MASK32)
        await place.nothing()
    await peer.send("A")
    await place.nothing()
    await peer.send("R")
    await place.over(LISTENS, "reset")


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_places(test):
    toe_bench().run(__name__, test)


REORDERING = {"RX_REORDERING_EN": 1, "SACK_EN": 1, "TIMESTAMPS_EN": 1}


@kept(__file__)
@pytest.mark.parametrize("test", ("resets", "acks"))
def test_toe_places_reordering(test):
    """The same with a reorder memory, SACK and timestamps built in."""
    toe_bench(**REORDERING).run(__name__, test)


@long_run(__file__)
@pytest.mark.parametrize("test", ("resets", "syns", "acks"))
def test_toe_places_long(test):
    toe_bench().run(__name__, test, long_seed=1)


@long_run(__file__)
@pytest.mark.parametrize("test", ("resets", "acks"))
def test_toe_places_reordering_long(test):
    toe_bench(**REORDERING).run(__name__, test, long_seed=1)
