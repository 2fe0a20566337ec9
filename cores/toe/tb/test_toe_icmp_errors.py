# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The whole engine with SOFT_ERRORS_EN: ICMP errors reach the user of the connection they are about, and end none."""

import os

import cocotb
import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.l2 import ARP, Dot1Q, Ether
from scapy.packet import Raw

from toe_wire import (
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
    served,
    still_there,
    toe_bench,
)
from ullnic_tb import cocotb_tests, long_run, rounds, seeded

ROUTER = "198.18.0.254"
REPORTED, BAD, UNMATCHED, BUSY = range(4)
ROUND = 700  # cycles: two rounds of the walk over 4 sessions, with all that it may wait for


def error(quoted: bytes, kind: int = 3, code: int = 1, source: str = ROUTER, mtu: int = 0, **ip) -> Ether:
    icmp = ICMP(type=kind, code=code, nexthopmtu=mtu) if (kind, code) == (3, 4) else ICMP(type=kind, code=code)
    return Ether(src=PEER_MAC, dst=MAC) / IP(src=source, dst=CARD, **ip) / icmp / Raw(quoted)


def quoted(sent, octets: int = 28, ip: dict | None = None, tcp: dict | None = None) -> bytes:
    """The beginning of what we have sent, as a router sees it, with these fields changed."""
    packet = IP(bytes(sent[IP]))
    packet.ttl = 57
    for name, value in (ip or {}).items():
        setattr(packet, name, value)
    for name, value in (tcp or {}).items():
        setattr(packet[TCP], name, value)
    del packet.chksum
    return bytes(packet)[:octets]


async def under_way(dut, data: bytes = b"on the way", **given):
    """Session 0 is connected, and what it has sent is not acknowledged."""
    wire, peer = await served(dut, **given)
    await wire.give(0, data)
    return wire, peer, await peer.expect("PA", data)


async def counted(wire: Wire, which: int | None) -> None:
    """What has just been sent is counted, as `which`; the user gets its event, or nothing happens."""
    before = wire.icmp_before
    for _ in range(ROUND // 50):
        await wire.cycles(50)
        if wire.icmp != before and (which != REPORTED or wire.events):
            break
    if which == REPORTED:
        assert [name for name, _ in wire.events] == ["icmp_error"], list(wire.events)
    else:
        assert not wire.events, list(wire.events)
    expected = [count + (kind == which) for kind, count in enumerate(before)]
    assert wire.icmp == expected
    wire.icmp_before = expected
    assert not wire.frames


@cocotb.test()
@pytest.mark.rfc9293("MUST-47", "MUST-54", "MUST-56", "SHLD-25")
async def reported(dut):
    """Each kind and code, from the peer or a router, tagged or not: an event with both; it goes on."""
    wire, peer, sent = await under_way(dut)
    kinds = [*((3, code) for code in range(16)), (11, 0), (11, 1), (12, 0), (12, 1), (12, 2)]
    for number, (kind, code) in enumerate(kinds):
        for source in (PEER, ROUTER):
            mtu = 1400 if (kind, code) == (3, 4) else 0
            frame = error(quoted(sent, octets=(28, 29, 38, 500)[number % 4]), kind, code, source, mtu)
            if number % 3 == 0:
                frame = Ether(src=PEER_MAC, dst=MAC) / Dot1Q(prio=3, vlan=0) / frame[IP]
            await wire.send(frame)
            await counted(wire, REPORTED)
            assert wire.events.popleft() == ("icmp_error", 0)
            assert wire.infos[-1] == mtu << 16 | kind << 8 | code
    peer.take(sent)
    await peer.send("A")
    await still_there(wire, peer)


@cocotb.test()
@pytest.mark.rfc9293("MUST-54", "MUST-56")
async def while_connecting(dut):
    """Of our SYN; and of the SYN and ACK to one whose user does not know yet: no event."""
    wire = await Wire(dut).reset()
    await wire.order(CONNECT, 1, local=30000, peer=80)
    assert (await wire.frame())[ARP].pdst == PEER
    await wire.send(Ether(src=PEER_MAC, dst=MAC) / ARP(op=2, hwsrc=PEER_MAC, psrc=PEER, hwdst=MAC, pdst=CARD))
    syn = await wire.segment("S")
    for code in (0, 1, 2, 3, 5):
        await wire.send(error(quoted(syn), code=code))
        await counted(wire, REPORTED)
        assert wire.events.popleft() == ("icmp_error", 1) and wire.infos[-1] == 3 << 8 | code
    peer = Peer(wire, 1, 30000, 80)
    peer.take(syn)
    await peer.send("SA")
    peer.seq += 1
    await wire.segment("A")
    await wire.event("connected", 1)
    await still_there(wire, peer)
    await wire.send(error(quoted(syn)))  # acknowledged by now
    await counted(wire, UNMATCHED)

    await wire.order(LISTEN, 0, local=7)
    other = Peer(wire, 0, 7, 50000)
    await other.send("S")
    answer = await wire.segment("SA")
    await wire.send(error(quoted(answer)))
    await counted(wire, UNMATCHED)
    other.take(answer)
    other.seq += 1
    await other.send("A")
    await wire.event("connected", 0)


@cocotb.test()
@pytest.mark.rfc9293("MUST-54")
@pytest.mark.pitfall("sequence-wrap")
async def sequence(dut):
    """Only of what is under way: SND.UNA to SND.NXT - 1, in front of a FIN and with it (RFC 5927, 4.1)."""
    wire, peer, sent = await under_way(dut, bytes(1000))
    first = sent[TCP].seq
    length = 1000
    for _ in range(2):
        places = {0: REPORTED, 1: REPORTED, length - 1: REPORTED, length: UNMATCHED, -1: UNMATCHED, 1 << 31: UNMATCHED}
        for at, which in (places | {-1000: UNMATCHED, length + 70000: UNMATCHED, 1 << 18: UNMATCHED}).items():
            await wire.send(error(quoted(sent, tcp={"seq": first + at & MASK32})))
            await counted(wire, which)
            wire.events.clear()
        if length == 1000:
            await wire.order(CLOSE, 0)
            await peer.expect("FA", seq=first + 1000 & MASK32)
            length = 1001


@cocotb.test()
@pytest.mark.rfc9293("MUST-54")
async def of_no_session(dut):
    """Every part of what names a connection is compared; what is not TCP is nobody's."""
    wire, _, sent = await under_way(dut)
    for bit in range(16):
        for name in ("sport", "dport"):
            await wire.send(error(quoted(sent, tcp={name: getattr(sent[TCP], name) ^ 1 << bit})))
            await counted(wire, UNMATCHED)
    for ip in ("198.18.0.2", "198.18.128.1", "70.18.0.1"):
        await wire.send(error(quoted(sent, ip={"dst": ip})))
        await counted(wire, UNMATCHED)
    for proto in (1, 17, 7, 22):
        await wire.send(error(quoted(sent, ip={"proto": proto})))
        await counted(wire, UNMATCHED)
    udp = IP(src=CARD, dst=PEER) / UDP(sport=7, dport=50000) / b"12345678"
    await wire.send(error(bytes(udp)))
    await counted(wire, UNMATCHED)
    await wire.send(error(quoted(sent)))
    await counted(wire, REPORTED)


@cocotb.test()
@pytest.mark.rfc9293("MUST-54")
async def malformed(dut):
    """Too short, not what we can have sent, wrong checksums, impossible senders: counted, not reported."""
    wire, peer, sent = await under_way(dut)
    for octets in (0, 1, 4, 19, 20, 21, 24, 27):
        await wire.send(error(quoted(sent, octets)))
        await counted(wire, BAD)
    for fields in ({"src": PEER}, {"src": "198.19.0.7"}, {"frag": 1}, {"frag": 4096}, {"version": 6}, {"ihl": 6}):
        await wire.send(error(quoted(sent, ip=fields)))
        await counted(wire, BAD)
    good = bytearray(bytes(error(quoted(sent))))
    for at in range(14 + 20, len(good)):
        wrong = bytearray(good)
        wrong[at] ^= 1 << at % 8
        if at == 34 and wrong[at] not in (3, 11, 12):
            wrong[at] = 11
        await wire.send(Raw(bytes(wrong)))
        await counted(wire, BAD)
    for source in ("0.0.0.0", "127.0.0.1", "224.0.0.1", "255.255.255.255"):
        await wire.send(error(quoted(sent), source=source))
        await counted(wire, BAD)
    # Cut short on the line: that is counted where all frames are
    await wire.send(Raw(bytes(error(quoted(sent, 500)))[:-440]))
    await counted(wire, None)
    await wire.send(error(quoted(sent)))
    await counted(wire, REPORTED)
    wire.events.clear()
    peer.take(sent)
    await peer.send("A")
    await still_there(wire, peer)


@cocotb.test()
@pytest.mark.rfc9293("MUST-55")
async def not_errors(dut):
    """Source quench, redirect and the rest; what is not for us, or not whole: not even counted here."""
    wire, _, sent = await under_way(dut)
    for kind in (0, 1, 2, 4, 5, 9, 10, 13, 14, 17, 30, 131, 139):
        await wire.send(error(quoted(sent), kind, 0))
        await counted(wire, None)
    for fields in ({"dst": "198.18.0.8"}, {"proto": 6}, {"frag": 3}, {"flags": "MF"}, {"chksum": 0x1234}):
        frame = error(quoted(sent))
        for name, value in fields.items():
            setattr(frame[IP], name, value)
        await wire.send(frame)
        await counted(wire, None)
    frame = error(quoted(sent))
    frame[IP].options = [Raw(b"\x07\x07\x04\0\0\0\0\0")]
    await wire.send(frame)
    await counted(wire, None)
    for mac in ("ff:ff:ff:ff:ff:ff", "02:00:00:00:00:71"):
        frame = error(quoted(sent))
        frame.dst = mac
        await wire.send(frame)
        await counted(wire, None)
    await wire.send(error(quoted(sent)), good=False)
    await counted(wire, None)


@cocotb.test()
@pytest.mark.rfc9293("MUST-47")
async def one_at_a_time(dut):
    """Until the user has taken the event there is none of another; its kind and code stay."""
    wire, _, sent = await under_way(dut)
    dut.event_ready.value = 0
    await wire.send(error(quoted(sent), 3, 1))
    await wire.send(error(quoted(sent), 11, 0))
    await wire.cycles(ROUND)
    for kind, code in ((12, 0), (3, 3), (3, 4)):
        await wire.send(error(quoted(sent), kind, code, mtu=77))
        await wire.send(error(quoted(sent, 20), kind, code))
        await wire.cycles(100)
        assert int(dut.event_valid.value) and int(dut.event_info.value) == 3 << 8 | 1
    assert wire.icmp == [1, 0, 0, 7]
    dut.event_ready.value = 1
    await wire.event("icmp_error", 0)
    assert wire.infos[-1] == 3 << 8 | 1
    await wire.send(error(quoted(sent), 3, 4, mtu=576))
    await wire.event("icmp_error", 0)
    assert wire.infos[-1] == 576 << 16 | 3 << 8 | 4
    assert wire.icmp == [2, 0, 0, 7]


@cocotb.test()
@pytest.mark.rfc9293("MUST-47", "MUST-56", "SHLD-9", "SHLD-10")
async def unanswered(dut):
    """Sent again three times without an answer: reported once, before the end (3.8.3, R1); an answer counts anew."""
    wire, peer, sent = await under_way(dut, rto=20)

    async def repeats(count: int) -> None:
        done = 0
        for _ in range(2000):
            await wire.ticks(1)
            while wire.frames:
                assert bytes((await wire.segment("PA"))[TCP].payload) == b"on the way"
                done += 1
            assert done <= count + 1
            assert done >= count or not wire.events  # the next one leaves with the event
            if wire.events:
                return
        raise AssertionError(f"{done} repetitions, no event")

    await repeats(3)
    assert wire.events.popleft() == ("unanswered", 0)
    await wire.send(error(quoted(sent)))
    await wire.event("icmp_error", 0)
    wire.frames.clear()
    peer.take(sent)
    await peer.send("A")
    await still_there(wire, peer)
    await wire.give(0, b"on the way")
    await peer.expect("PA", b"on the way")
    await repeats(3)
    assert wire.events.popleft() == ("unanswered", 0)
    for _ in range(2000):
        await wire.ticks(1)
        if wire.events:
            break
    assert wire.events.popleft() == ("timed_out", 0)


@cocotb.test()
@pytest.mark.rfc9293("MUST-47", "MUST-54", "MUST-56")
async def chance(dut):
    """Errors of all kinds about three connections that carry data meanwhile: each gets its own events; all go on."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    wire = await Wire(dut).reset()
    peers, sent = [], []
    for session in range(3):
        await wire.order(LISTEN, session, local=7 + session)
        peers.append(await Peer(wire, session, 7 + session, 50000 + rng.randrange(3), window=60000).connect())
        await wire.give(session, bytes(8))
        sent.append(await peers[session].expect("PA", bytes(8)))
    wire.icmp = [0, 0, 0, 0]
    expected: list[tuple[int, int]] = []
    counts = [0, 0, 0, 0]
    for _ in range(rounds(150, 40)):
        session = rng.randrange(3)
        kind, code = rng.choice(((3, rng.randrange(16)), (11, rng.randrange(2)), (12, 0)))
        fault = rng.randrange(8)
        tcp, octets = {}, rng.choice((28, 28, 36, 48))
        if fault == 0:
            tcp["seq"] = sent[session][TCP].seq + rng.choice((-1, 8, 9, rng.randrange(8, 1 << 32))) & MASK32
        if fault == 1:
            tcp[rng.choice(("sport", "dport"))] = rng.randrange(1, 7)
        if fault == 2:
            octets = rng.randrange(28)
        which = BAD if fault == 2 else UNMATCHED if fault < 2 else REPORTED
        if fault == 3:
            tcp["seq"] = sent[session][TCP].seq + rng.randrange(8) & MASK32
        counts[which] += 1
        if which == REPORTED:
            expected.append((session, (kind << 8) + code))
        await wire.send(error(quoted(sent[session], octets, tcp=tcp), kind, code))
        done = sum(wire.icmp) + 1
        for _ in range(60):
            other = peers[rng.randrange(3)]
            await other.say(rng.randbytes(rng.randrange(1, 200)))
            if sum(wire.icmp) >= done:
                break
        wire.frames.clear()
        for _ in range(100):
            if len(wire.events) == len(expected):
                break
            await wire.cycles(10)
    assert wire.icmp == counts
    assert [name for name, _ in wire.events] == ["icmp_error"] * len(expected)
    reported = [(session, info) for (_, session), info in zip(wire.events, wire.infos[-len(expected) :], strict=True)]
    assert reported == expected and len(expected) > rounds(50, 10)
    wire.events.clear()
    wire.frames.clear()
    await wire.cycles(300)
    wire.frames.clear()
    for peer, frame in zip(peers, sent, strict=True):
        peer.take(frame)
        await peer.send("A")
        await still_there(wire, peer)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_icmp_errors(test):
    toe_bench(SOFT_ERRORS_EN=1, RX_URGENT_EN=1).run(__name__, test)


@long_run(__file__)
def test_toe_icmp_errors_long():
    toe_bench(SOFT_ERRORS_EN=1, RX_URGENT_EN=1).run(__name__, "chance", long_seed=1)
