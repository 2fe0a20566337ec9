# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The whole engine with HOST_EN: each frame for us is the engine's or the host's, whole, and never both."""

import os
import zlib
from collections import Counter

import cocotb
import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption, IPOption_RR, fragment
from scapy.layers.l2 import ARP, Dot1Q, Ether
from scapy.packet import Raw

from toe_wire import CARD, MAC, PEER, PEER_MAC, Wire, kept, number, served, still_there, toe_bench
from ullnic_tb import cocotb_tests, main_and_kept, parameter, reader, seeded

# Of host_t, lowest bit first
KINDS = ("fragments", "options", "udp", "icmp", "protocols", "types", "addresses", "broadcast")
BIT = {name: 1 << i for i, name in enumerate(KINDS)}
DEFAULT, ALL = BIT["fragments"] | BIT["options"], 255
EVERYONE = "ff:ff:ff:ff:ff:ff"
WATCHED = (
    *("rx_status_valid", "m_host_tvalid", "m_host_tready", "m_host_tdata", "m_host_tkeep", "m_host_tlast"),
    *("stat_host", "stat_drop"),
)
FCS, ECHO, ERRORS = parameter("RX_FCS", 1), parameter("ICMP_SERVER_EN", 1), parameter("SOFT_ERRORS_EN", 0)
FIFO_BYTES = parameter("HOST_FIFO_BYTES", 4096)
LATENCY = 4  # cycles from the verdict to the first word


def ether(destination: str = MAC) -> Ether:
    return Ether(src=PEER_MAC, dst=destination)


def ip(**fields) -> IP:
    return IP(**({"src": PEER, "dst": CARD} | fields))


def padded(packet) -> bytes:
    return bytes(packet).ljust(60, b"\0")


def options(length: int) -> list[IPOption]:
    """So many bytes of them: record route, and what fills up."""
    count = (length - 3) // 4
    octets = bytes(IPOption_RR(length=3 + 4 * count, pointer=4, routers=["0.0.0.0"] * count)) if count else b""
    return [IPOption(octets)] * bool(count) + [IPOption(b"\x01")] * (length - len(octets))


def ones_sum_right(header: bytes) -> bool:
    total = sum(int.from_bytes(header[at : at + 2]) for at in range(0, len(header), 2))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total == 0xFFFF


def kind_of(octets: bytes, vlan: int = 0) -> str:
    """What a good frame is: one of KINDS, 'wrong' (for us, and not to be passed), 'engine' or 'others'."""
    destination, octets = octets[:6], octets[12:]
    tagged = octets[:2] == b"\x81\x00"
    if tagged != bool(vlan) and not (tagged and int.from_bytes(octets[2:4]) & 0xFFF == 0):
        return "others"
    if tagged:
        if int.from_bytes(octets[2:4]) & 0xFFF != vlan & 0xFFF or octets[4:6] == b"\x81\x00":
            return "others"
        octets = octets[4:]
    everyone = destination == b"\xff" * 6
    if not everyone and destination != number(MAC, ":", 16).to_bytes(6):
        return "others"
    ethertype, packet = octets[:2], octets[2:]
    if ethertype == b"\x08\x06":
        return "engine"
    if ethertype != b"\x08\x00":
        return "broadcast" if everyone else "types"
    header, total = 4 * (packet[0] & 15), int.from_bytes(packet[2:4])
    if packet[0] >> 4 != 4 or header < 20 or total < header or not ones_sum_right(packet[:header]):
        wrong = True
    elif total > len(packet):
        return "short"
    else:
        wrong = False
    protocol = packet[9]
    if everyone:
        kind = "broadcast"
    elif packet[0] >> 4 != 4 or header < 20 or packet[16:20] != number(CARD).to_bytes(4):
        kind = "addresses"
    elif int.from_bytes(packet[6:8]) & 0x3FFF:
        kind = "fragments"
    elif header > 20:
        kind = "options"
    elif protocol == 6:
        return "engine"
    elif protocol == 1:
        echo = ECHO and packet[20:22] == b"\x08\x00"
        about_tcp = ERRORS and packet[20] in (3, 11, 12) and packet[37] == 6
        if echo or about_tcp:
            return "engine"
        kind = "icmp"
    else:
        kind = "udp" if protocol == 17 else "protocols"
    return "wrong" if wrong else kind


class Host:
    """What comes out of m_host_*: whole frames; `pace` is how often it takes a word."""

    def __init__(self, wire: Wire, pace: float = 1.0, pass_bits: int = DEFAULT):
        self.wire, self.dut, self.pace = wire, wire.dut, pace
        self.frames: list[bytes] = []
        self.counts = [0, 0, 0]  # passed, full, refused
        self.drops = Counter()
        self.rng = seeded(os.environ["ULLNIC_TEST_NAME"])
        self.first_at = self.verdict_at = -1
        self.dut.host.value = pass_bits
        cocotb.start_soon(self._watch())

    async def _watch(self):
        dut, frame, offer, look = self.dut, bytearray(), None, reader(WATCHED)
        while True:
            dut.m_host_tready.value = int(self.rng.random() < self.pace)
            await self.wire.edge
            seen = look()
            if seen.rx_status_valid:
                self.verdict_at = self.wire.cycle
            if seen.m_host_tvalid:
                beat = seen.m_host_tdata, seen.m_host_tkeep, seen.m_host_tlast
                assert offer is None or beat == offer, "what is on offer has changed"
                if not frame and offer is None:
                    self.first_at = self.wire.cycle
                offer = beat
                if seen.m_host_tready:
                    offer = None
                    assert beat[1] == 15 or beat[2] and beat[1] in (1, 3, 7), beat
                    frame += kept(seen.m_host_tdata, seen.m_host_tkeep, 4)
                    if beat[2]:
                        self.frames.append(bytes(frame))
                        frame = bytearray()
            else:
                assert offer is None, "what was on offer is gone"
            for bit in range(3):
                self.counts[bit] += seen.stat_host >> bit & 1
            for bit in range(7):
                self.drops[bit] += seen.stat_drop >> bit & 1

    async def empty(self, cycles: int = 40):
        while True:
            before = len(self.frames)
            await self.wire.cycles(cycles)
            if len(self.frames) == before and not int(self.dut.m_host_tvalid.value):
                return

    async def gets(self, *frames, refused: int = 0):
        """These and no others, since the last time; the engine has nothing to say."""
        await self.empty(20)
        assert self.frames == [padded(frame) for frame in frames]
        assert self.counts == [len(frames), 0, refused], self.counts
        assert not self.wire.frames and not self.wire.events
        self.frames, self.counts = [], [0, 0, 0]


async def burst(wire: Wire, frames, gap: int = 0, late: int = 0) -> None:
    """Frames one behind the other: (bytes without FCS, good); the verdict `late` cycles behind the last word."""
    dut = wire.dut
    for octets, good in frames:
        if FCS:
            octets += zlib.crc32(octets).to_bytes(4, "little")
        words = [octets[at : at + 4] for at in range(0, len(octets), 4)]
        for at in range(len(words) + max(gap, late)):
            there = at < len(words)
            dut.s_mac_tvalid.value = int(there)
            if there:
                dut.s_mac_tdata.value = int.from_bytes(words[at], "little")
                dut.s_mac_tkeep.value = (1 << len(words[at])) - 1
            dut.s_mac_tlast.value = int(at == len(words) - 1)
            dut.rx_status_valid.value = int(at == len(words) - 1 + late)
            dut.rx_status_good.value = int(good)
            await wire.edge
    dut.s_mac_tvalid.value = dut.s_mac_tlast.value = dut.rx_status_valid.value = 0


async def started(dut, pace: float = 1.0, pass_bits: int = DEFAULT, vlan: int = 0):
    wire = await Wire(dut).reset()
    dut.vlan.value = vlan
    await wire.cycles(50)
    wire.frames.clear()  # a change of an interface is announced
    return wire, Host(wire, pace, pass_bits)


@cocotb.test()
async def fragments(dut):
    """First, middle and last ones of TCP, UDP and ICMP, with options too: byte by byte; the engine counts them."""
    wire, peer = await served(dut)
    host = Host(wire)
    inner = (
        TCP(sport=peer.port, dport=7, flags="PA", seq=peer.seq, ack=peer.ack),
        UDP(sport=5, dport=6),
        ICMP(type=8),
    )
    for layer in inner:
        for head in ({}, {"options": options(12)}, {"options": options(40)}):
            parts = fragment(ip(id=77, **head) / layer / Raw(bytes(range(200)) * 2), fragsize=128)
            assert len(parts) == 4
            before = host.drops.copy()
            for part in parts:
                await burst(wire, [(padded(ether() / part), True)], gap=6, late=1)
            await host.gets(*(ether() / part for part in parts))
            counted = 2 if not head else 1  # stat_fragment, stat_ip_options
            assert host.drops - before == Counter({counted: len(parts)})
    await still_there(wire, peer)


@cocotb.test()
async def second_one_looks_like_tcp(dut):
    """A fragment whose bytes are a segment that the session waits for, byte for byte, is none."""
    wire, peer = await served(dut)
    host = Host(wire)
    segment = (
        ip() / TCP(sport=peer.port, dport=7, flags="PA", seq=peer.seq, ack=peer.ack, window=8000) / Raw(b"a trap!!")
    )
    octets = bytes(IP(bytes(segment))[TCP])  # with its checksum, right
    whole = bytes(TCP(sport=peer.port, dport=7, flags="PA", seq=peer.seq, ack=peer.ack) / Raw(bytes(12))) + octets
    for start, stop, more in ((0, 32, 1), (32, 64, 0), (32, 48, 1), (0, 32, 1)):
        part = ether() / ip(proto=6, frag=start // 8, flags=more) / Raw(whole[start:stop])
        if start == 32 and not more:
            assert bytes(part[IP].payload)[:20] == octets[:20], "the trap is none"
        for times in range(2):
            dut.host.value = ALL if times else 0
            await burst(wire, [(padded(part), True)], gap=6, late=1)
            await host.gets(*[part] * times, refused=1 - times)
    assert not wire.payload.get(0)
    await still_there(wire, peer)


@cocotb.test()
async def ip_options(dut):
    """Each header of 6 to 15 words, of each protocol, also of the session's own segments: the host's, and counted."""
    wire, peer = await served(dut)
    host = Host(wire)
    for words in range(6, 16):
        head = options(4 * (words - 5))
        for layer in (
            TCP(sport=peer.port, dport=7, flags="PA", seq=peer.seq, ack=peer.ack) / Raw(b"not in order"),
            TCP(sport=9, dport=7, flags="S"),
            UDP(sport=1, dport=2) / Raw(b"u" * words),
            ICMP(type=8) / Raw(b"ping"),
        ):
            frame = ether() / ip(options=head) / layer
            assert IP(bytes(frame[IP])).ihl == words
            before = host.drops.copy()
            await burst(wire, [(padded(frame), True)], gap=6, late=1)
            await host.gets(frame)
            assert host.drops - before == Counter({1: 1})
            # One bit of it is wrong, and the MAC has not seen it
            octets = bytearray(padded(frame))
            octets[14 + host.rng.choice([at for at in range(4 * words) if at not in (0, 2, 3, *range(16, 20))])] ^= 4
            if kind_of(bytes(octets)) == "wrong":
                await burst(wire, [(bytes(octets), True)], gap=6, late=1)
                await host.gets(refused=1)
    assert not wire.payload.get(0)
    await still_there(wire, peer)


def one_of_each() -> dict[str, Ether]:
    return {
        "fragments": ether() / ip(flags=1) / UDP() / Raw(b"f" * 24),
        "options": ether() / ip(options=options(8)) / UDP() / Raw(b"o"),
        "udp": ether() / ip() / UDP(sport=67, dport=68) / Raw(b"u" * 50),
        "icmp": ether() / ip() / ICMP(type=0) / Raw(b"reply"),
        "protocols": ether() / ip(proto=89) / Raw(b"ospf" * 10),
        "types": Ether(src=PEER_MAC, dst=MAC, type=0x86DD) / Raw(b"\x60" + bytes(60)),
        "addresses": ether() / ip(dst="198.18.0.9") / TCP(dport=7, flags="S"),
        "broadcast": ether(EVERYONE) / ip(dst="255.255.255.255") / UDP(sport=68, dport=67) / Raw(b"dhcp"),
    }


@cocotb.test()
async def each_bit(dut):
    """Each kind by its own bit, which may change between two frames; none of another's."""
    wire, host = await started(dut)
    each = one_of_each()
    for name, frame in each.items():
        assert kind_of(padded(frame)) == name
        for bits in (BIT[name], ALL & ~BIT[name], ALL, 0):
            dut.host.value = bits
            await burst(wire, [(padded(frame), True)], gap=6, late=1)
            await host.gets(*[frame] * bool(bits & BIT[name]), refused=int(not bits & BIT[name]))


@cocotb.test()
async def not_for_us(dut):
    """What is for others or the engine's is neither passed nor refused; the engine answers as if there were no host."""
    wire, host = await started(dut, pass_bits=ALL)
    others = (
        ether("02:00:00:00:00:71") / ip() / UDP(),
        ether("01:00:5e:00:00:01") / ip(dst="224.0.0.1") / UDP(),
        ether() / Dot1Q(vlan=5) / ip() / UDP(),
        ether() / Dot1Q(vlan=0) / Dot1Q(vlan=0) / ip() / UDP(),
    )
    for frame in others:
        assert kind_of(padded(frame)) == "others"
        await burst(wire, [(padded(frame), True)], gap=6, late=1)
    await host.gets()
    for frame in (
        Ether(src=PEER_MAC, dst=EVERYONE) / ARP(hwsrc=PEER_MAC, psrc=PEER, pdst=CARD),
        ether() / ip() / TCP(sport=4, dport=5, flags="S"),
        *([ether() / ip() / ICMP(type=8) / Raw(b"ping")] if ECHO else []),
    ):
        await burst(wire, [(padded(frame), True)], gap=6, late=1)
        await wire.frame()
        await host.gets()
    # The engine's, and wrong: it is not passed either
    for frame in (
        ether() / ip() / TCP(sport=4, dport=5, flags="S", chksum=1),
        ether() / ip() / TCP(sport=4, dport=5, flags="S", dataofs=2),
        ether(EVERYONE) / ARP(hwsrc=PEER_MAC, psrc=PEER, pdst=CARD, op=9),
        *([ether() / ip() / ICMP(type=8, chksum=1)] if ECHO else []),
    ):
        await burst(wire, [(padded(frame), True)], gap=6, late=1)
    await host.gets()


@cocotb.test()
async def icmp(dut):
    """Errors about TCP are the engine's if it reports them; all others, and what is not built, are the host's."""
    wire, host = await started(dut, pass_bits=BIT["icmp"])
    for kind in (3, 11, 12):
        for layer in (TCP(sport=7, dport=9), UDP(sport=7, dport=9)):
            frame = ether() / ip() / ICMP(type=kind, code=1) / Raw(bytes(IP(src=CARD, dst=PEER) / layer)[:28])
            engine = ERRORS and isinstance(layer, TCP)
            assert kind_of(padded(frame)) == ("engine" if engine else "icmp")
            await burst(wire, [(padded(frame), True)], gap=6, late=1)
            await host.gets(*[] if engine else [frame])
    for kind, code in ((0, 0), (8, 1), (4, 0), (5, 1), (13, 0)):
        frame = ether() / ip() / ICMP(type=kind, code=code) / Raw(bytes(IP(src=CARD, dst=PEER) / TCP())[:28])
        await burst(wire, [(padded(frame), True)], gap=6, late=1)
        await host.gets(frame)
    frame = ether() / ip() / ICMP(type=8) / Raw(b"ping")
    await burst(wire, [(padded(frame), True)], gap=6, late=1)
    if ECHO:
        assert (await wire.frame())[ICMP].type == 0
        await host.gets()
    else:
        await host.gets(frame)


@cocotb.test()
async def tags(dut):
    """With the interface's VLAN, whatever the priority: with its tag to the host; without, or another's, not at all."""
    wire, host = await started(dut, pass_bits=ALL, vlan=2 << 13 | 300)
    for name, untagged in one_of_each().items():
        for tag, there in ((300, 1), (7 << 13 | 300, 1), (1 << 12 | 300, 1), (301, 0), (0, 0), (None, 0)):
            frame = untagged
            if tag is not None:
                frame = untagged.copy()
                inner, ethertype = frame.payload, frame.type
                frame.remove_payload()
                frame.type = 0x8100
                frame = frame / Raw(tag.to_bytes(2) + ethertype.to_bytes(2) + bytes(inner))
            assert kind_of(padded(frame), 300) == (name if there else "others")
            await burst(wire, [(padded(frame), True)], gap=6, late=1)
            await host.gets(*[frame] * there)


@cocotb.test()
async def bad(dut):
    """A frame with a wrong FCS, or shorter than its packet, is for nobody, and what comes behind it is whole."""
    wire, host = await started(dut, pass_bits=ALL)
    for name, frame in one_of_each().items():
        for late in (0, 1, 4):
            await burst(wire, [(padded(frame), False), (padded(frame), True), (padded(frame), False)], 6, late)
            await host.gets(frame)
        if IP in frame:
            octets = bytes(ether() / ip(len=70, proto=89) / Raw(bytes(25)))
            assert kind_of(octets) == "short", name
            await burst(wire, [(octets, True), (padded(frame), True)], gap=6)
            await host.gets(frame)
    for length in (1, 3, 4, 5, 8, 9, 13, 17):  # of a frame that ends at once, as none does behind macpcs
        await burst(wire, [(b"\xff" * length, False), (padded(each := one_of_each()["udp"]), True)])
        await host.gets(each)
    for wrong in (
        ether() / ip(version=5) / UDP(),
        ether() / ip(ihl=4) / UDP(),
        ether() / ip(len=19) / UDP(),
        ether() / ip(chksum=1, proto=89),
        ether() / ip(chksum=1, flags=1),
        ether() / ip(chksum=1, dst="198.18.0.9"),
        ether(EVERYONE) / ip(chksum=1),
        ether() / ip(options=options(8), len=27),
    ):
        assert kind_of(padded(wrong)) == "wrong", wrong.summary()
        await burst(wire, [(padded(wrong), True)], gap=6)
        await host.gets(refused=1)


@cocotb.test()
async def in_time(dut):
    """The first word is on offer as many cycles behind the verdict as the head of the module says."""
    wire, host = await started(dut)
    frame = padded(one_of_each()["options"])
    for late in (0, 1, 3):
        await burst(wire, [(frame, True)], late=late, gap=0)
        await host.gets(Ether(frame))
        assert host.first_at - host.verdict_at == LATENCY


@cocotb.test()
async def no_room(dut):
    """What does not fit is lost as a whole and counted, what fits is whole; room comes back."""
    wire, host = await started(dut, pace=0.0, pass_bits=ALL)
    rng, words = host.rng, FIFO_BYTES // 4
    for turn in range(6):
        # Nobody takes anything: the first ones, up to the FIFO and the registers behind it
        sent = [padded(ether() / ip() / UDP() / Raw(rng.randbytes(rng.randrange(0, 600)))) for _ in range(30)]
        if turn == 3:
            sent[0] = padded(ether() / ip() / UDP() / Raw(bytes(FIFO_BYTES)))  # never fits
        if turn == 4:
            sent = [padded(ether() / ip() / UDP() / Raw(rng.randbytes(8))) for _ in range(words // 15 + 10)]
        host.pace = 0.0
        gap = rng.choice((0, 5))
        await burst(wire, [(octets, True) for octets in sent], gap=gap, late=0)
        await wire.cycles(20)
        passed, full, refused = host.counts
        assert passed + full == len(sent) and full and passed and refused == 0
        host.pace = rng.choice((0.3, 1.0))
        await host.empty()
        # In order, no more than there is room for but two words.  None was lost that had room, unless it came without a
        # pause behind one that had none: what that had taken is given back behind the next one's word 0
        taken, used, lost = host.frames, 0, False
        assert len(taken) == passed
        for octets in sent:
            need = -(-len(octets) // 4)
            if taken and taken[0] == octets:
                taken = taken[1:]
                used += need
                assert used <= words + 2
                lost = False
            else:
                assert used + need > words - 2 or (lost and not gap)
                lost = used + need > words - 2
        assert not taken, "not sent, or not in this order"
        host.frames, host.counts = [], [0, 0, 0]
        host.pace = 1.0
        await burst(wire, [(sent[-1], True)], gap=6)
        await host.gets(Ether(sent[-1]))


async def everything(dut, gap, late, pace, count):
    """Random frames: the host gets what the model says, in order, and no other; all of it is counted."""
    wire, host = await started(dut, pace=pace)
    rng = host.rng
    total = Counter()
    wants = {*KINDS, "engine", "others", "wrong", "bad"}
    for turn in range(10 * count):
        if turn >= count and wants <= {*total}:
            break
        dut.host.value = bits = rng.getrandbits(8)
        sent = [(mixed(rng), rng.random() < 0.9) for _ in range(20)]
        await burst(wire, sent, gap=gap, late=late)
        await host.empty(30)
        wanted, refused = [], 0
        for octets, good in sent:
            kind = kind_of(octets) if good else "bad"
            total[kind] += 1
            if BIT.get(kind, 0) & bits:
                wanted.append(octets)
            elif kind in BIT or kind == "wrong":
                refused += 1
        assert host.frames == wanted
        assert host.counts == [len(wanted), 0, refused]
        host.frames, host.counts = [], [0, 0, 0]
    assert wants <= {*total}, total


def mixed(rng) -> bytes:
    """A frame for us or not, right or wrong."""
    destination = rng.choice((MAC,) * 6 + (EVERYONE, "02:00:00:00:00:99"))
    tag = rng.choice((None,) * 6 + (0, 5 << 13, 9))
    if rng.random() < 0.1:
        ethertype, body = rng.choice((0x86DD, 0x0600, 46)), rng.randbytes(rng.randrange(40, 90))
    elif rng.random() < 0.1:
        ethertype, body = 0x0806, bytes(ARP(hwsrc=PEER_MAC, psrc=PEER, pdst=CARD, op=rng.choice((1, 7))))
    else:
        head = {}
        if rng.random() < 0.4:
            head["options"] = options(4 * rng.randrange(1, 11))
        if rng.random() < 0.3:
            head |= {"flags": rng.choice((1, 0, 2)), "frag": rng.choice((0, 1, 8191))}
        if rng.random() < 0.1:
            head["dst"] = "198.18.0.77"
        if rng.random() < 0.1:
            head["chksum"] = rng.getrandbits(16)
        layer = rng.choice(
            (
                TCP(sport=rng.randrange(1, 9), dport=rng.randrange(1, 9), flags=rng.choice(("S", "R", "A"))),
                UDP(),
                ICMP(type=rng.choice((0, 8, 3))),
                None,
            )
        )
        if layer is None:
            head["proto"] = rng.choice((2, 50, 89, 132))
        else:
            head["proto"] = {TCP: 6, UDP: 17, ICMP: 1}[type(layer)]
        body = bytes(ip(**head) / (layer or Raw(b"")) / Raw(rng.randbytes(rng.choice((0, 1, 2, 3, 30, 60)))))
        ethertype = 0x0800
    front = number(destination, ":", 16).to_bytes(6) + number(PEER_MAC, ":", 16).to_bytes(6)
    if tag is not None:
        front += b"\x81\x00" + tag.to_bytes(2)
    return (front + ethertype.to_bytes(2) + body).ljust(60, b"\0")


@cocotb.test()
async def anything(dut):
    await everything(dut, gap=6, late=1, pace=1.0, count=25)


@cocotb.test()
async def anything_at_once(dut):
    """Not a cycle between two frames, the verdict with the last word: more than a line can bring."""
    await everything(dut, gap=0, late=0, pace=1.0, count=25)


@cocotb.test()
async def line_rate(dut):
    """Frames of 64 bytes with the least gap, for the host, the engine and others: none is lost, though the host
    takes a word in four of five cycles only."""
    wire, host = await started(dut, pace=0.8, pass_bits=ALL)
    rng, sent = host.rng, []
    for number_ in range(1000):
        layer = UDP(sport=number_, dport=9) / Raw(rng.randbytes(18))
        frame = rng.choice(
            (ether() / ip() / layer, ether() / ip(flags=1) / layer, ether("02:00:00:00:00:99") / ip() / layer)
        )
        if rng.random() < 0.05:
            frame = ether() / ip() / ICMP(type=8) / Raw(rng.randbytes(18))
        sent.append(padded(frame))
        assert len(sent[-1]) == 60
    await burst(wire, [(octets, True) for octets in sent], gap=5, late=1)
    await host.empty()
    assert host.frames == [octets for octets in sent if kind_of(octets) in BIT]
    assert host.counts == [len(host.frames), 0, 0]
    assert len(wire.frames) == (sum(kind_of(octets) == "engine" for octets in sent) if ECHO else 0)


@cocotb.test()
async def none_without(dut):
    """HOST_EN 0: nothing comes out, whatever is set; the engine counts as ever."""
    wire, host = await started(dut, pass_bits=ALL)
    for frame in one_of_each().values():
        await burst(wire, [(padded(frame), True)], gap=6, late=1)
    await host.gets()
    assert host.drops == Counter({2: 1, 1: 1})


CASES = {
    "host": {},
    "no_fcs": {"RX_FCS": 0},
    "no_servers": {"ICMP_SERVER_EN": 0, "SOFT_ERRORS_EN": 0},
    "soft_errors": {"SOFT_ERRORS_EN": 1, "HOST_FIFO_BYTES": 16384},
}
NOT_ALONE = ("none_without",)


@pytest.mark.parametrize("test", [test for test in cocotb_tests(__name__) if test not in NOT_ALONE])
@pytest.mark.parametrize("case", main_and_kept(__file__, ("host", "no_fcs")))
def test_toe_host(case, test):
    toe_bench(HOST_EN=1, **CASES[case]).run(__name__, test)


@pytest.mark.parametrize("test", ("icmp", "not_for_us", "anything"))
@pytest.mark.parametrize("case", main_and_kept(__file__, ("no_servers", "soft_errors"), lambda _: False))
def test_toe_host_and_icmp(case, test):
    toe_bench(HOST_EN=1, **CASES[case]).run(__name__, test)


def test_toe_without_host():
    toe_bench().run(__name__, "none_without")
