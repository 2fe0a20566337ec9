# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What the whole engine reports by SACK (RFC 2018, 2 to 4), against a model, and accepts; options by scapy."""

import os

import cocotb
import pytest
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from scapy.packet import Raw

from test_toe_stamps import arp_answer
from toe_wire import ABORT, CARD, CLOSE, CONNECT, LISTEN, MAC, MASK32, Peer, Wire, toe_bench
from ullnic_tb import cocotb_tests, main_and_kept, seeded

PERMITTED = ("SAckOK", b"")
LEAST = 100  # bytes of a segment here


def blocks(packet) -> list[tuple[int, int]]:
    flat = dict(packet[TCP].options).get("SAck", ())
    return list(zip(flat[::2], flat[1::2], strict=True))


class Teller(Peer):
    """A peer whose SYN has SACK-permitted, if it shall; with timestamps, if the engine has them."""

    permits, stamped = True, False

    def packet(self, flags, data=b"", **fields):
        stamps = [("NOP", None), ("NOP", None), ("Timestamp", (1, 0))]
        options = [*(stamps if self.stamped else []), *fields.pop("options", ())]
        if "S" in flags and self.permits:
            options += [PERMITTED]
        return super().packet(flags, data, options=options, **fields)


class Receiver:
    """What RFC 2018 wants reported: intervals in the order in which they were last changed."""

    def __init__(self, nxt: int, most: int, places: int = 4):
        self.nxt, self.most, self.places = nxt, most, places
        self.got: list[tuple[int, int]] = []  # recent ones first

    def segment(self, start: int, stop: int) -> None:
        here = max(start, self.nxt)
        # The engine takes the first part that is new
        first = here
        for left, right in sorted(self.got):
            if left <= first < right:
                first = right
        end = min([stop, *(left for left, _ in self.got if left > first)])
        touched = [(left, right) for left, right in self.got if left <= end and first <= right]
        if first < end and (touched or first == self.nxt or len(self.got) < self.places):
            left = min([first, *(left for left, _ in touched)])
            right = max([end, *(right for _, right in touched)])
            self.got = [block for block in self.got if block not in touched]
            if left == self.nxt:
                self.nxt = right
            else:
                self.got.insert(0, (left, right))
        else:
            self.got.sort(key=lambda block: not block[0] <= here < block[1])

    def reported(self) -> list[tuple[int, int]]:
        return [(left & MASK32, right & MASK32) for left, right in self.got[: self.most]]


def configured(dut) -> tuple[bool, bool]:
    """Whether the engine has timestamps, and a memory for what is behind a hole."""
    return bool(int(dut.TIMESTAMPS_EN.value)), bool(int(dut.RX_REORDERING_EN.value))


async def listening(dut) -> Wire:
    wire = await Wire(dut).reset()
    for session in range(3):
        await wire.order(LISTEN, session, local=7 + session)
    return wire


async def opened(wire: Wire, session: int, *, permits: bool = True, seq: int = 1000, mss: int = 1460) -> Teller:
    peer = Teller(wire, session, 7 + session, 50000 + session, seq=seq)
    peer.permits, peer.stamped = permits, configured(wire.dut)[0]
    await peer.send("S", ack=0, options=[("MSS", mss)])
    answer = await wire.segment("SA", ack=seq + 1 & MASK32)
    options = dict(answer[TCP].options)
    assert ("SAckOK" in options) == permits and options["MSS"] == 1460, options
    peer.seq, peer.ack = seq + 1 & MASK32, answer[TCP].seq + 1 & MASK32
    await peer.send("A")
    await wire.event("connected", session)
    return peer


@cocotb.test()
async def agreed(dut):
    """Offered in our SYN, with window scale, and answered to one that has it; the SYN that comes again is the same."""
    wire = await listening(dut)
    stamped, _ = configured(dut)
    for session, (permits, scaled) in enumerate([(True, False), (True, True), (False, True)]):
        peer = Teller(wire, session, 7 + session, 50000 + session)
        peer.permits, peer.stamped = permits, stamped
        options = [("MSS", 1460), *([("WScale", 3)] if scaled else [])]
        await peer.send("S", ack=0, options=options)
        for _ in range(2):
            answer = await wire.segment("SA", ack=1001)
            names = [name for name, _ in answer[TCP].options if name != "NOP"]
            want = [
                *(["Timestamp"] if stamped else []),
                "MSS",
                *(["WScale"] if scaled else []),
                *(["SAckOK"] if permits else []),
            ]
            assert sorted(names) == sorted(want), answer[TCP].options
            assert dict(answer[TCP].options)["MSS"] == 1460 and not bytes(answer[TCP].payload)
            await peer.send("S", ack=0, options=options)
        await wire.segment("SA")


@cocotb.test()
async def offered(dut):
    """Our SYN offers it; the session has it if the peer's SYN does, crossing ours or not."""
    wire = await listening(dut)
    stamped, reorders = configured(dut)
    for count, (permits, crossing) in enumerate([(True, False), (False, False), (True, True), (False, True)]):
        await wire.order(CONNECT, 3, local=4000 + count, peer=80)
        if count == 0:
            await wire.frame()
            await wire.send(arp_answer())
        syn = await wire.segment("S", dport=80)
        names = sorted(name for name, _ in syn[TCP].options if name != "NOP")
        assert names == sorted(["MSS", "WScale", "SAckOK", *(["Timestamp"] if stamped else [])]), syn[TCP].options
        peer = Teller(wire, 3, 4000 + count, 80)
        peer.permits, peer.stamped = permits, stamped
        peer.take(syn)
        if crossing:
            await peer.send("S", ack=0, options=[("MSS", 1000)])
            answer = await wire.segment("SA", ack=peer.seq + 1)
            assert ("SAckOK" in dict(answer[TCP].options)) == permits, answer[TCP].options
            peer.seq += 1
            await peer.send("A")
        else:
            await peer.send("SA", options=[("MSS", 1000)])
            peer.seq += 1
            await peer.expect("A")
        await wire.event("connected", 3)
        await peer.send("A", b"behind", seq=peer.seq + 10)
        answer = await peer.expect("A")
        assert blocks(answer) == ([(peer.seq + 10, peer.seq + 16)] if permits and reorders else [])
        await wire.order(ABORT, 3)
        await wire.segment("RA")
        await wire.event("closed", 3)
        await wire.silence(1000)


@cocotb.test()
async def reported(dut):
    """Segments behind holes, into them, twice, over several: each ACK has the model's blocks, in its order."""
    wire = await listening(dut)
    stamped, reorders = configured(dut)
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    longest = 0
    for session, seq in enumerate((1000, (1 << 32) - 2000, (1 << 31) - 2000)):
        peer = await opened(wire, session, seq=seq)
        model = Receiver(peer.seq, 3 if stamped else 4)
        data = rng.randbytes(6000)
        begin = peer.seq
        holes = [] if session else [2, 4, 6, 8]  # as many as an ACK has blocks for: chance may not give them
        while model.nxt < begin + len(data):
            ahead, count = rng.choice([-1, 0, 1, 1, 2, 2, 3, 4, 5, 6, 8, 10, 12]), rng.choice([1, 1, 1, 2, 3, 5])
            if holes:
                ahead, count = holes.pop(0), 1
            first = max(0, (model.nxt - begin) // LEAST + ahead)
            start, stop = (min(len(data), LEAST * chunk) for chunk in (first, first + count))
            if start == stop:
                continue
            await peer.send("A", data[start:stop], seq=begin + start & MASK32)
            if reorders:
                model.segment(begin + start, begin + stop)
            elif begin + start == model.nxt:
                model.nxt = begin + stop
            answer = await wire.segment("A", ack=model.nxt & MASK32, seq=peer.ack)
            assert blocks(answer) == model.reported(), f"session {session}: {blocks(answer)}, not {model.reported()}"
            assert not bytes(answer[TCP].payload)
            longest = max(longest, len(model.reported()))
        await wire.cycles(3000)
        assert wire.payload[session] == data
    assert longest == (0 if not reorders else 3 if stamped else 4)


@cocotb.test()
async def not_agreed(dut):
    """A peer whose SYN has it not gets no blocks; those that it sends itself does no harm."""
    wire = await listening(dut)
    peer = await opened(wire, 0, permits=False)
    for at in (1000, 3000, 2000):
        await peer.send("A", bytes(100), seq=peer.seq + at, options=[("SAck", (peer.ack, peer.ack + 5))])
        answer = await wire.segment("A", ack=peer.seq)
        assert not {"SAck", "SAckOK"} & set(dict(answer[TCP].options)), answer[TCP].options


@cocotb.test()
async def beside_data(dut):
    """Blocks are in pure ACKs alone: a segment of data that goes first does not take the ACK with it."""
    wire = await listening(dut)
    _, reorders = configured(dut)
    peer = await opened(wire, 0)

    async def speak():
        for _ in range(3):
            await wire.give(0, bytes(1000))

    for at in (200, 400, 600):
        cocotb.start_soon(speak())
        await wire.cycles(100)  # the first is on the line, and the user's go before an ACK
        await peer.send("A", bytes(100), seq=peer.seq + at)
        seen = [await wire.frame() for _ in range(3 + reorders)]
        sizes = [len(packet[TCP].payload) for packet in seen]
        assert sorted(sizes)[-3:] == [1000] * 3 or not reorders
        for packet, size in zip(seen, sizes, strict=True):
            assert bool(blocks(packet)) == (size == 0 and reorders), packet.summary()
            if size == 0 and reorders:
                assert blocks(packet)[0] == (peer.seq + at, peer.seq + at + 100)
        await wire.cycles(1000)
        wire.frames.clear()
        peer.ack += 3000
        await peer.send("A")
    await wire.silence(1000)


@cocotb.test()
async def sent_again(dut):
    """The frame behind one with blocks is sent again: its sum is that of its own payload."""
    wire = await listening(dut)
    _, reorders = configured(dut)
    peer = await opened(wire, 0)
    data = bytes(range(1, 201))
    await wire.give(0, data)
    assert bytes((await wire.segment("PA"))[TCP].payload) == data
    await peer.send("A", bytes(100), seq=peer.seq + 200)
    assert bool(blocks(await wire.segment("A"))) == reorders
    for _ in range(2):
        await wire.ticks(210)
        again = await wire.segment("PA", seq=peer.ack)
        assert bytes(again[TCP].payload) == data and not blocks(again)
    await peer.send("A", bytes(50), seq=peer.seq + 400)
    assert bool(blocks(await wire.segment("A"))) == reorders


async def raw(peer: Teller, options: bytes) -> None:
    """An ACK with these bytes as options, behind timestamps if there are any."""
    stamps = bytes.fromhex("0101080a0000000100000000") if peer.stamped else b""
    fields = {"seq": peer.seq, "ack": peer.ack, "window": peer.window}
    options = stamps + options
    assert len(options) % 4 == 0
    tcp = TCP(sport=peer.port, dport=peer.local, flags="A", dataofs=5 + len(options) // 4, **fields)
    await peer.wire.send(Ether(src=peer.mac, dst=MAC) / IP(src=peer.ip, dst=CARD, ttl=64) / tcp / Raw(options))


@cocotb.test()
async def heard(dut):
    """Blocks wherever the option stands, behind what is malformed, too; those of a malformed option are none."""
    wire = await listening(dut)
    for session in range(3):
        peer = await opened(wire, session, mss=200 + 12 * configured(dut)[0])
        for _ in range(4):  # the initial window
            await wire.give(session, bytes(range(200)))
            await wire.segment("PA")
        edges = [peer.ack + at for at in (200, 800)]
        block = b"".join((edge & MASK32).to_bytes(4, "big") for edge in edges)
        for bad in (
            b"\1\1\5\x09" + block,  # a byte of it is missing
            b"\5\x0b" + block + b"\1\1",
            b"\1\1\5\x12" + block,  # two blocks, and an end behind one
            b"\5\0" + block + b"\1\1",
            b"\5\1" + block + b"\1\1",
            b"\5\xca" + block + b"\1\1",
            b"\1\0\5\x0a" + block,  # behind the list's end
            b"\xfe\x0c\5\x0a" + block,  # in another option
            b"\1\1\4\x0a" + block,
            b"\1\1\1\5",
            b"\1\1\5\2",
        ):
            await raw(peer, bad)
            await wire.silence(300)
            await peer.send("A", window=peer.window - 1)  # so that none is a duplicate
        good = (
            b"\1\1\5\x0a" + block,
            b"\5\x0a" + block + b"\1\1",
            b"\xfe\5\0\0\0\5\x12" + bytes(8) + block + b"\1",
        )
        await raw(peer, good[session])
        again = await wire.segment("PA", seq=peer.ack)
        assert bytes(again[TCP].payload) == bytes(range(200))
        peer.ack += 800
        await peer.send("A")
        await peer.say(b"on")
        await peer.expect("A")


@cocotb.test()
async def forgotten(dut):
    """What waited behind a hole of a connection that is over is not reported in the next one."""
    wire = await listening(dut)
    _, reorders = configured(dut)
    peer = await opened(wire, 0)
    await peer.send("A", bytes(100), seq=peer.seq + 1000)
    assert bool(blocks(await wire.segment("A"))) == reorders
    await peer.send("R")
    await wire.event("reset", 0)
    await wire.listens(0)
    peer = await opened(wire, 0, seq=1500)
    await peer.say(b"here")
    answer = await peer.expect("A")
    assert not blocks(answer)
    await peer.send("A", b"there", seq=peer.seq + 10)
    assert blocks(await wire.segment("A")) == ([(peer.seq + 10, peer.seq + 15)] if reorders else [])


@cocotb.test()
async def end(dut):
    """FIN behind a hole: the ACK has the block, and behind the last byte none; no ACK follows a RST of the user's."""
    wire = await listening(dut)
    _, reorders = configured(dut)
    peer = await opened(wire, 0)
    await peer.send("FA", b"end", seq=peer.seq + 5)
    assert blocks(await wire.segment("A")) == ([(peer.seq + 5, peer.seq + 8)] if reorders else [])
    await peer.say(b"hello")
    if not reorders:
        await peer.expect("A")
        await peer.say(b"end", "FA")
    answer = await wire.segment("A")
    while answer[TCP].ack != peer.seq + (4 if reorders else 0):
        answer = await wire.segment("A")
    assert not blocks(answer)
    await wire.event("peer_closed", 0)
    await wire.order(CLOSE, 0)
    await wire.segment("FA")


@pytest.mark.parametrize(
    "parameters",
    main_and_kept(__file__, [{}, {"TIMESTAMPS_EN": 1}, {"RX_REORDERING_EN": 0}]),
    ids=["plain", "stamps", "in-order"],
)
@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_toe_sack(test, parameters):
    toe_bench(**{"SACK_EN": 1, "RX_REORDERING_EN": 1} | parameters).run(__name__, test)
