# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Timestamps (RFC 7323) of the whole engine against scripts of a peer; options made and read by scapy."""

import os
from collections import deque
from pathlib import Path

import cocotb
import pytest
from scapy.layers.inet import TCP
from scapy.layers.l2 import ARP, Ether

from toe_tcp_play import hash_of, tuple_of
from toe_wire import ABORT, CARD, CLOSE, CONNECT, LISTEN, MAC, MASK32, PEER, PEER_MAC, Peer, Wire, number, toe_bench
from ullnic_tb import cocotb_tests, seeded

SECRET = 0x12345678  # in toe_bench.sv
WEEK = 7 * 24 * 3600 * 1000  # ticks
FRONT, ALIGNED = "front", "aligned"  # where a segment has its timestamps: first, or behind two NOPs


def stamps(packet) -> tuple[int, int] | None:
    return dict(packet[TCP].options).get("Timestamp")


class Stamped(Peer):
    """A peer with timestamps: `clock` is its TSval, `heard` the last one of the engine's."""

    def __init__(self, *args, clock: int = 5000, place: str = ALIGNED, **kwargs):
        super().__init__(*args, **kwargs)
        self.clock, self.heard, self.place = clock, 0, place

    def packet(self, flags, data=b"", *, stamp=None, echo=None, stamped=True, **fields):
        mine = ("Timestamp", ((self.clock if stamp is None else stamp) & MASK32, self.heard if echo is None else echo))
        nops = [("NOP", None)] * 2 if self.place == ALIGNED else []
        options = [*fields.pop("options", ()), *([*nops, mine] if stamped else [])]
        return super().packet(flags, data, options=options, **fields)

    def listen_to(self, packet):
        assert stamps(packet), f"no timestamps: {packet.summary()} {packet[TCP].options}"
        self.heard = stamps(packet)[0]
        return packet

    async def connect(self, **syn) -> "Stamped":
        await self.send("S", ack=0, **({"options": [("MSS", 1460)]} | syn))
        answer = self.listen_to(await self.wire.segment("SA", ack=self.seq + 1 & MASK32))
        assert dict(answer[TCP].options)["MSS"] == 1460 and stamps(answer)[1] == self.clock
        self.seq, self.ack = self.seq + 1 & MASK32, answer[TCP].seq + 1 & MASK32
        await self.send("A")
        await self.wire.event("connected", self.session)
        return self

    async def expect(self, flags, data=b"", *, echo=None, **fields):
        """The next segment: it echoes `clock`, unless said otherwise."""
        packet = self.listen_to(await super().expect(flags, data, **fields))
        assert stamps(packet)[1] == (self.clock if echo is None else echo) & MASK32, "TSecr"
        return packet

    async def answer(self, **fields):
        """The ACK of what has arrived, which may be delayed."""
        await self.wire.ticks(6)
        packet = await self.expect("A", **fields)
        await self.wire.silence(20)
        return packet


async def served(dut, session: int = 0, **peer) -> tuple[Wire, Stamped]:
    wire = await Wire(dut).reset(rto=peer.pop("rto", 100))
    await wire.order(LISTEN, session, local=7)
    return wire, await Stamped(wire, session, 7, 50000, **peer).connect()


@cocotb.test()
async def agreed(dut):
    """Every segment of a session has them: TSval counts ticks, TSecr is the peer's; the next session's are its own."""
    wire, peer = await served(dut)
    begun = peer.heard
    # 7.1: an offset that nobody else can know
    assert (
        begun
        == int(dut.u_toe.gen_timestamps.u_timestamps.clock.value)
        + hash_of(tuple_of(peer.port, peer.local, number(PEER)), SECRET, second=True)
        & MASK32
    )
    for size in (1, 2, 3, 4, 5, 100, 1447, 1448):
        peer.clock += 3
        await wire.ticks(5)
        data = seeded(f"{os.environ['ULLNIC_TEST_NAME']} {size}").randbytes(size)
        await wire.cycles(100)
        await peer.say(data)
        assert wire.segment_out - wire.frame_in <= (18 if size > 6 else 17), size
        await peer.answer()
        for csum in (True, False):
            await wire.cycles(100)
            await wire.give(0, data, csum=csum)
            peer.take(await peer.expect("PA", data))
            if csum:
                assert wire.frame_out - wire.user_in == 1, size
            await peer.send("A")
        assert wire.payload.pop(0) == data
    assert peer.heard - begun & MASK32 == 8 * 11
    await wire.order(CLOSE, 0)
    peer.take(await peer.expect("FA"))
    await peer.send("A")
    offset = peer.heard
    await peer.send("FA")
    peer.seq += 1
    await peer.expect("A")
    await wire.event("peer_closed", 0)
    assert wire.drops == 0
    # Another tuple: another offset
    await wire.order(LISTEN, 1, local=8)
    other = await Stamped(wire, 1, 8, 50000).connect()
    assert (other.heard - offset & MASK32) > 1000
    # One without: none at all
    await wire.order(LISTEN, 2, local=9)
    plain = await Peer(wire, 2, 9, 50000).connect()
    await plain.say(b"hello")
    await wire.ticks(6)
    assert stamps(await plain.expect("A")) is None
    data = bytes(1460)
    await wire.give(2, data)
    assert stamps(await plain.expect("PA", data)) is None
    assert wire.payload[2] == b"hello"


@cocotb.test()
@pytest.mark.rfc9293("MUST-16")
async def offered(dut):
    """Our SYN offers them, with TSecr 0; what the peer's SYN says is done.  A lost SYN goes again with a new TSval."""
    wire = await Wire(dut).reset(rto=10)
    for session, agrees in enumerate((True, False)):
        await wire.order(CONNECT, session, local=30000 + session, peer=80)
        if session == 0:
            await wire.frame()
            await wire.send(arp_answer())
        syn = await wire.segment("S", dport=80)
        value, echo = stamps(syn)
        assert echo == 0 and dict(syn[TCP].options)["MSS"] == 1460 and "WScale" in dict(syn[TCP].options)
        await wire.ticks(11)
        again = await wire.segment("S", dport=80, seq=syn[TCP].seq)
        assert 10 <= stamps(again)[0] - value & MASK32 <= 11
        peer = (Stamped if agrees else Peer)(wire, session, 30000 + session, 80)
        peer.take(again)
        if agrees:
            peer.listen_to(again)
        await peer.send("SA", options=[("MSS", 1000)])
        peer.seq += 1
        packet = await peer.expect("A")
        await wire.event("connected", session)
        assert (stamps(packet) is not None) == agrees
        size = 988 if agrees else 1000  # what is left of the peer's MSS
        await wire.give(session, bytes(size))
        peer.take(await peer.expect("PA", bytes(size)))
        await peer.send("A")
        await wire.order(ABORT, session)
        reset = await wire.segment("RA")
        assert (stamps(reset) is not None) == agrees
        await wire.event("closed", session)


def arp_answer():
    return Ether(src=PEER_MAC, dst=MAC) / ARP(op=2, hwsrc=PEER_MAC, psrc=PEER, hwdst=MAC, pdst=CARD)


@cocotb.test()
async def crossing(dut):
    """SYNs cross: timestamps if the peer's had them."""
    wire = await Wire(dut).reset()
    for session, agrees in enumerate((True, False)):
        await wire.order(CONNECT, session, local=30000 + session, peer=80)
        if session == 0:
            await wire.frame()
            await wire.send(arp_answer())
        syn = await wire.segment("S", dport=80)
        peer = (Stamped if agrees else Peer)(wire, session, 30000 + session, 80)
        await peer.send("S", ack=0, options=[("MSS", 1000)])
        answer = await wire.segment("SA", seq=syn[TCP].seq)
        assert (stamps(answer) is not None) == agrees
        if agrees:
            assert stamps(answer)[1] == peer.clock
            peer.listen_to(answer)
        peer.take(answer)
        peer.seq += 1
        await peer.send("A")
        await wire.event("connected", session)


@cocotb.test()
@pytest.mark.pitfall("paws")
async def paws(dut):
    """A segment older than TS.Recent is dropped and answered; its payload does not even begin to pass (5.3, R1)."""
    for place in (ALIGNED, FRONT):
        wire, peer = await served(dut, clock=0xFFFFFFF0, place=place)
        await peer.say(b"first")
        await peer.answer()
        # Nor does an old one count as an acknowledgement
        await wire.give(0, b"unacknowledged")
        peer.take(await peer.expect("PA", b"unacknowledged"))
        for back in (1, 100, 1 << 30, (1 << 31) - 1, 1 << 31):
            for flags, data in (("PA", b"old"), ("FA", b""), ("PFA", bytes(1000)), ("A", b"")):
                await peer.send(flags, data, stamp=peer.clock - back)
                await peer.expect("A")
        assert wire.segments == [(0, b"first", False)] and not wire.events
        await wire.ticks(101)
        await peer.expect("PA", b"unacknowledged", seq=peer.ack - 14)
        await peer.send("A")
        # As old as the last one, and newer by less than half the circle: over the wrap
        for ahead in (0, 1, 16, 0x7FFFFFFF):
            peer.clock += ahead
            await peer.say(b"new")
            await peer.answer()
        assert wire.payload[0] == b"first" + b"new" * 4
        # A reset is not looked at for its age (5.2)
        await peer.send("R", stamp=peer.clock - 5)
        await wire.event("reset", 0)


@cocotb.test()
@pytest.mark.pitfall("paws")
async def weeks(dut):
    """TS.Recent of a connection that was idle for 24 days does not count any more (5.5), for that of 23 it does."""
    wire, peer = await served(dut)
    clock = dut.u_toe.gen_timestamps.u_timestamps.clock
    for days, old in ((23, True), (25, False), (49, False), (51, False)):
        await peer.say(b"x")
        await peer.answer()
        start = int(clock.value)
        # The walk sees every week
        for week in range(1, days // 7 + 1):
            clock.value = start + week * WEEK & MASK32
            await wire.cycles(50)
        clock.value = start + days * 24 * 3600 * 1000 & MASK32
        await wire.cycles(50)
        peer.clock -= 1000
        await peer.send("PA", b"y")
        if old:
            peer.clock += 1000
        else:
            peer.seq += 1
        await peer.answer()
        assert wire.payload.pop(0) == (b"x" if old else b"xy"), days


@cocotb.test()
async def without(dut):
    """A segment without, or with them at an unknown place, is dropped in silence (3.2); a reset counts."""
    wire, peer = await served(dut)
    other = [("SAck", (1, 2)), ("NOP", None), ("NOP", None)]
    for flags, data in (("PA", b"data"), ("A", b""), ("FA", b""), ("FA", b"end")):
        for words in range(4):
            await peer.send(flags, data, stamped=False, options=[("NOP", None)] * 4 * words)
        await peer.send(flags, data, options=other)
        await peer.send(flags, data, stamped=False, options=other)
    await wire.ticks(10)
    await wire.silence(300)
    assert not wire.segments and not wire.events
    await peer.say(b"data")
    await peer.answer()
    await peer.send("R", stamped=False)
    await wire.event("reset", 0)
    # And on a session without, timestamps mean nothing: another one, whose user gets nothing of what was dropped
    await wire.order(LISTEN, 1, local=8)
    peer = await Peer(wire, 1, 8, 50001).connect()
    for stamp in (5, 4):
        await peer.send("PA", b"plain", options=[("NOP", None), ("NOP", None), ("Timestamp", (stamp, 0))])
        peer.seq += 5
        await wire.ticks(6)
        assert stamps(await peer.expect("A")) is None
    assert wire.payload == {0: b"data", 1: b"plain" * 2}


@cocotb.test()
async def recent(dut):
    """What is echoed is of the segment that made Last.ACK.sent move (4.3): delayed ACKs, holes, what fills them."""
    wire, peer = await served(dut)
    start = peer.clock
    # A: of two segments with one ACK the first
    await peer.say(b"a" * 10)
    peer.clock += 1
    await peer.say(b"b" * 10)
    await peer.expect("A", echo=start)
    # B: behind a hole the last one in order; then that which fills it, though it is older than what came before it
    peer.clock = start + 20
    await peer.send("PA", b"d" * 10, seq=peer.seq + 10, stamp=start + 30)
    await peer.expect("A", echo=start)
    await peer.say(b"c" * 10)
    await peer.answer(echo=start + 20)
    # What lies behind the window does not count, nor does what is damaged
    await peer.send("PA", b"c" * 10, seq=peer.seq - 10, stamp=start + 40)
    await peer.expect("A", echo=start + 20)
    await peer.send("PA", b"damaged", stamp=start + 50, good=False)
    await peer.send("PA", b"damaged", stamp=start + 50, chksum=1)
    await peer.send("A", seq=peer.seq - 1, stamp=start + 60)
    await peer.expect("A", echo=start + 20)
    # What begins before it and goes beyond does
    await peer.send("PA", b"cde", seq=peer.seq - 1, stamp=start + 70)
    await peer.expect("A", echo=start + 70)
    peer.clock = start + 70
    await peer.say(b"e")
    await peer.answer()


@cocotb.test()
async def round_trip(dut):
    """Each ACK of something new is a sample of the time since its TSecr (4.2), also of what was sent again."""
    wire = await Wire(dut).reset(rto=10)
    await wire.order(LISTEN, 0, local=7)
    for port, late, timeout in ((50000, 40, 120), (50001, 70000, 10), (50002, -5, 10)):
        peer = Stamped(wire, 0, 7, port)
        await peer.send("S", ack=0, options=[("MSS", 1460)])
        answer = peer.listen_to(await wire.segment("SA"))
        peer.take(answer)
        peer.seq += 1
        # The first sample: 40, so the timeout is 40 + 4 * 20.  One that cannot be is none.
        await peer.send("A", echo=peer.heard - late & MASK32)
        await wire.event("connected", 0)
        await wire.give(0, b"lost")
        await peer.expect("PA", b"lost")
        await wire.ticks(timeout - 2)
        await wire.silence(100)
        await wire.ticks(4)
        packet = await peer.expect("PA", b"lost")
        peer.take(packet)
        if late == 40:
            # Of a segment that was sent twice: a round trip of 8 ticks
            await wire.ticks(8)
            await peer.send("A", echo=stamps(packet)[0])
            # RFC 6298, 2.3
            variance = 0.75 * 20 + 0.25 * abs(40 - 8)
            mean = 7 / 8 * 40 + 1 / 8 * 8
            timeout = int(mean + 4 * variance)
            await wire.give(0, b"again")
            await peer.expect("PA", b"again")
            await wire.ticks(timeout - 2)
            await wire.silence(100)
            await wire.ticks(4)
            await peer.expect("PA", b"again")
        await wire.order(ABORT, 0)
        await wire.segment("RA")
        await wire.event("closed", 0)
        await wire.order(LISTEN, 0, local=7)


@cocotb.test()
async def own_clock_wraps(dut):
    """Our TSval goes over 2^32 and the round trip is right across it."""
    wire = await Wire(dut).reset(rto=10)
    await wire.order(LISTEN, 0, local=7)
    peer = await Stamped(wire, 0, 7, 50000).connect()
    clock = dut.u_toe.gen_timestamps.u_timestamps.clock
    clock.value = (1 << 32) - 3 - (peer.heard - int(clock.value)) & MASK32
    await wire.cycles(5)
    seen = []
    for _ in range(6):
        await wire.give(0, b"x")
        packet = await peer.expect("PA", b"x")
        seen.append(stamps(packet)[0])
        peer.take(packet)
        await wire.ticks(1)
        await peer.send("A")
    assert seen == [(1 << 32) - 3, (1 << 32) - 2, (1 << 32) - 1, 0, 1, 2]
    # The timeout has stayed the least
    await wire.give(0, b"y")
    await peer.expect("PA", b"y")
    await wire.ticks(11)
    await peer.expect("PA", b"y")


@cocotb.test()
@pytest.mark.pitfall("paws")
async def random_segments(dut):
    """Segments of any place, age and form, against the rules of RFC 7323, 3.2, 4.3 and 5.3."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    wire, peer = await served(dut, clock=rng.getrandbits(32), seq=rng.choice([1000, 0xFFFFFF00]))
    kept_bytes, newest = bytearray(), peer.clock
    taken = old = silent = moved = 0
    for turn in range(2000):
        if turn >= 250 and min(taken, old, silent, moved) >= 5:
            break
        place = peer.place = rng.choice([ALIGNED, FRONT])
        length = rng.choice([0, 1, 2, 3, 4, 40])
        from_next = rng.choice([0, 0, 0, -1, -length, -length - 1, -2, 1, 7])
        later = rng.choice([0, 1, 2, 50, -1, -2, 1 << 20, -(1 << 20), 0x7FFFFFFF, -0x80000000, -0x7FFFFFFF])
        stamped = rng.random() < 0.9
        data = rng.randbytes(length)
        assert not wire.frames
        others = [] if stamped else [("NOP", None)] * 4 * rng.randrange(11)
        fields = {"seq": peer.seq + from_next & MASK32, "stamp": newest + later, "options": others}
        await peer.send("A", data, stamped=stamped, **fields)
        await wire.ticks(6, spacing=20)
        await wire.cycles(60)
        # It announces itself now and then
        wire.frames = deque(frame for frame in wire.frames if TCP in Ether(frame))
        case = f"{place} length {length} at {from_next} stamp {later} stamped {stamped}"
        # Nothing is delayed here, so Last.ACK.sent is RCV.NXT
        reaches = from_next + length > 0 if length else from_next >= 0
        if not stamped:
            assert not wire.frames, case
            silent += 1
            continue
        if later < 0:
            old += 1
        else:
            if from_next <= 0 and reaches:
                moved += bool(later)
                newest = newest + later & MASK32
            if from_next == 0:
                kept_bytes += data
                peer.seq = peer.seq + length & MASK32
                taken += bool(length)
        peer.clock = newest
        pure = not length
        if pure and later >= 0 and from_next >= 0:
            assert not wire.frames, case
        elif pure:
            # Not more than seven in a while
            if wire.frames:
                await peer.expect("A")
        else:
            assert len(wire.frames) == 1, case
            await peer.expect("A")
        assert wire.payload.get(0, b"") == kept_bytes, case
    assert min(taken, old, silent, moved) >= 5, (taken, old, silent, moved)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_stamps(test):
    bench = toe_bench(TIMESTAMPS_EN=1, INSTANT_ACK_EN=0)
    bench.sources.append(Path(__file__).with_name("toe_stamps.vlt"))
    bench.run("test_toe_stamps", test)
