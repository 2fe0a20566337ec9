# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""toe_rx_parse: every field in its cycle, for frames of all kinds, whole and broken, with pauses; whose they are."""

import os
import struct

import cocotb
import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption_NOP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import ARP, Dot1Q, Ether
from scapy.packet import Raw

from toe_rx_model import BEHIND, Arrival, Interface, ether, interfaces_number, ip_number, link
from toe_structs import RX
from ullnic_tb import Bench, Stepper, main_and_kept, parameter, rtl, seeded
from ullnic_tb.structs import unpack

INTERFACES, FCS = parameter("INTERFACES", 1), parameter("FCS", 1)
EVERYONE = b"\xff" * 6


class Reference:
    """What has to be seen behind each word of a frame, from its bytes."""

    def __init__(self, interfaces):
        self.interfaces = interfaces
        self.known: dict[str, int] = {}

    def begin(self, octets: bytes) -> None:
        self.octets, self.words, self.tags = octets, 0, 0

    def tag(self) -> bool:
        """The next word is one."""
        return self.words == 3 and self.octets[12:14] == b"\x81\x00" and len(self.octets) >= 16

    def index(self) -> int:
        """Of the next word."""
        return min(self.words - self.tags, BEHIND)

    def word(self, whole: bool) -> None:
        """One has passed."""
        index, tag = self.index(), self.tag()
        self.tags += tag
        self.words += 1
        plain = self.octets[:12] + self.octets[12 + 4 * self.tags :]
        if index == 0:
            self.known = {"arp": 0, "ipv4": 0, "options": 0, "mac_match": 0, "ip_match": 0}
            self.is_ip = False
        elif not whole:
            if index == 3:  # junk may look like anything, but the frame is over
                for name in ("arp", "ipv4", "options", "mac_match"):
                    self.known.pop(name)
            if index == 8:
                self.known.pop("ip_match")
        elif tag:
            pass
        elif index == 1:
            self.known["broadcast"] = int(plain[:6] == EVERYONE)
        elif index == 2:
            self.known["smac"] = int.from_bytes(plain[6:12], "big")
        elif index == 3:
            [ethertype] = struct.unpack(">H", plain[12:14])
            version, ihl = plain[14] >> 4, plain[14] & 15
            self.is_ip = ethertype == 0x800 and version == 4 and ihl >= 5
            self.known |= {"arp": int(ethertype == 0x806), "ipv4": int(self.is_ip and ihl == 5)}
            self.known |= {"options": int(self.is_ip and ihl > 5), "mac_match": self.mac_match(ethertype)}
        elif index == 4:
            [self.known["total_length"]] = struct.unpack(">H", plain[16:18])
        elif index == 5:
            self.known["protocol"] = plain[23]
            self.known["fragment"] = int(plain[20] & 0x3F != 0 or plain[21] != 0)
        elif index == 7:
            self.known["sip"] = int.from_bytes(plain[26:30], "big")
        elif index == 8:
            ours = [self.known["mac_match"] >> i & 1 and self.is_ip for i in range(len(self.interfaces))]
            ips = [ip_number(interface.ip) for interface in self.interfaces]
            matches = [bool(on) and ip == int.from_bytes(plain[30:34], "big") for on, ip in zip(ours, ips, strict=True)]
            self.known["ip_match"] = sum(match << i for i, match in enumerate(matches))
            if any(matches):
                self.known["iface"] = matches.index(True)
            if self.known["ipv4"]:
                total = sum(struct.unpack(">10H", plain[14:34]))
                self.known["ip_good"] = int(total % 0xFFFF == 0)

    def mac_match(self, ethertype: int) -> int:
        if ethertype == 0x8100:
            return 0
        tci = struct.unpack(">H", self.octets[14:16])[0] & 0xFFF if self.tags else None
        found = 0
        for i, interface in enumerate(self.interfaces):
            mine = interface.enable and self.octets[:6] in (interface.mac, EVERYONE)
            vlan = tci == interface.vlan & 0xFFF if interface.vlan is not None else not tci
            found |= int(bool(mine and vlan)) << i
        return found

    def good(self) -> bool:
        """The frame is over: it was as long as it says."""
        last = self.words - self.tags - 1
        if not self.is_ip:
            return last >= 4
        return last >= 5 and len(self.octets) - 4 * self.tags >= 14 + self.known["total_length"] + 4 * FCS


def some_interfaces(rng) -> list[Interface]:
    one = Interface.random(rng)
    chosen = [one]
    for i in range(1, INTERFACES):
        given = {"vlan": rng.getrandbits(16) | 1 if i % 2 else None, "enable": int(i != 5)}
        if rng.random() < 0.5:
            given["mac"] = one.mac  # one port with several addresses
        if rng.random() < 0.3:
            given["ip"] = one.ip
        chosen.append(Interface.random(rng, **given))
    return chosen


def some_frame(rng, interfaces) -> bytes:
    interface = rng.choice(interfaces)
    dmac = rng.choice([None] * 6 + [EVERYONE, rng.randbytes(6), interface.mac[:5] + rng.randbytes(1)])
    header = link(interface, rng.randbytes(6), dmac, rng.randrange(8))
    if rng.random() < 0.2:  # another tag, or one that should not be
        tag = Dot1Q(prio=rng.randrange(8), dei=rng.getrandbits(1), vlan=rng.choice([0, 0, rng.getrandbits(12)]))
        header = rng.choice([header / tag, Ether(dst=header.dst, src=header.src) / tag])
    elif rng.random() < 0.1:
        header = Ether(dst=header.dst, src=header.src)
    ips = {"src": ".".join(str(rng.randrange(256)) for _ in range(4)), "dst": interface.ip}
    if rng.random() < 0.1:
        ips["dst"] = rng.choice(["255.255.255.255", interface.ip.rsplit(".", 1)[0] + ".77", "1.2.3.4"])
    ips |= {"id": rng.getrandbits(16), "ttl": rng.randrange(256), "tos": rng.randrange(256)}
    payload = Raw(rng.randbytes(rng.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 33, 200])))
    upper = rng.choice([TCP(), UDP(), ICMP()]) / payload
    kind = rng.randrange(12)
    if kind == 0:
        packet = header / ARP(op=rng.randrange(1, 3), psrc=ips["src"], pdst=interface.ip)
    elif kind == 1:
        packet = header / IP(**ips, options=[IPOption_NOP()] * rng.randrange(1, 9)) / upper
    elif kind == 2:
        packet = header / IP(**ips, flags=rng.choice(["MF", 0]), frag=rng.choice([0, 1, 0x100, 0x1FFF])) / upper
    elif kind == 3:
        packet = header / IPv6() / upper
    elif kind == 4:  # wrong checksum, version or header length
        wrong = rng.choice(
            [{"chksum": rng.getrandbits(16)}, {"version": rng.randrange(16)}, {"ihl": rng.randrange(16)}]
        )
        packet = header / IP(**ips, **wrong) / upper
    elif kind == 5:  # a total length that is not the frame's
        packet = header / IP(**ips, len=rng.choice([0, 20, 44, 45, 46, 47, 48, 49, 50, 51, 52, 65535])) / upper
    elif kind == 6:
        packet = header / Raw(rng.randbytes(rng.randrange(70)))
    else:
        packet = header / IP(**ips, flags=rng.choice(["DF", 0])) / upper
    octets = bytes(packet)
    if kind == 7:
        octets = octets[: rng.randrange(len(octets))]  # ends too early
    return octets


async def play(dut, frames, name_seed: str, interfaces, rng, arrival_of) -> None:
    s = Stepper(dut, ("rx",))
    dut.iface.value = interfaces_number(interfaces)
    idle = {"s_axis_tvalid": 0, "s_axis_tdata": 0, "s_axis_tkeep": 0, "s_axis_tlast": 0}
    await s.reset(**idle, rx_status_valid=0, rx_status_good=0)
    reference = Reference(interfaces)
    for number, octets in enumerate(frames):
        arrival = arrival_of()
        reference.begin(octets)
        for word in arrival.cycles(octets, rng):
            rx = unpack(RX, (await s.step(**word.inputs(rng))).rx)
            where = f"{name_seed}: frame {number}, word {reference.words}: {octets.hex()}"
            assert rx["valid"] == word.valid and rx["end_valid"] == word.end, where
            for field, value in reference.known.items():
                assert rx[field] == value, f"{field} is {rx[field]:x}, not {value:x}; {where}"
            if word.valid:
                assert (rx["index"], rx["tag"]) == (reference.index(), reference.tag()), where
                got = rx["word"], rx["keep"], rx["last"]
                assert got == (word.data, word.keep, int(word.last)), where
                reference.word(word.keep == 15)
            if word.end:
                assert rx["end_good"] == int(word.good and reference.good()), where
                assert rx["end_short"] == int(word.good and not reference.good()), where


@cocotb.test()
@pytest.mark.pitfall("ip-options")
async def fields(dut):
    """Frames of all kinds, one behind the other and with pauses."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    for _ in range(6):
        interfaces = some_interfaces(rng)
        frames = [some_frame(rng, interfaces) for _ in range(150)]
        frames = [ether(frame, pad=rng.random() < 0.7) if FCS else frame.ljust(60, b"\0") for frame in frames]
        gap = rng.choice([0, 0, 0.3])

        def arrival(gap=gap):
            good, behind = rng.random() < 0.9, rng.choice([0, 0, 1, 5])
            return Arrival(gap, behind, good, empty=rng.random() < 0.7, idle=rng.choice([0, 0, 1, 4]))

        await play(dut, frames, "fields", interfaces, rng, arrival)


@cocotb.test()
async def runts(dut):
    """Frames of no byte to 70, cut from a good one, each behind a good one: never good before they are whole."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    interfaces = some_interfaces(rng)
    header = link(interfaces[0], rng.randbytes(6))
    whole = bytes(header / IP(src="10.0.0.1", dst=interfaces[0].ip) / TCP() / Raw(bytes(range(16))))
    frames = []
    for n in range(71):
        frames += [whole[:n] + bytes(4 * FCS), ether(whole)]
    for empty in (True, False):
        await play(dut, frames, "runts", interfaces, rng, lambda empty=empty: Arrival(behind=0, empty=empty))
    await play(dut, [frame[4 * FCS :] for frame in frames], "junk", interfaces, rng, Arrival)


@cocotb.test()
@pytest.mark.pitfall("padding")
async def lengths(dut):
    """A frame is good from the byte on that its IP length says, whatever follows, tagged or not."""
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    interfaces = [Interface.random(rng) for _ in range(INTERFACES)]
    frames = []
    for n in range(24):
        for header in (link(interfaces[0], rng.randbytes(6)), link(interfaces[0], rng.randbytes(6)) / Dot1Q(vlan=0)):
            packet = bytes(header / IP(src="10.0.0.1", dst=interfaces[0].ip) / UDP() / Raw(bytes(n)))
            frames += [packet[: len(packet) + cut] + bytes(max(0, cut) + 4 * FCS) for cut in range(-6, 7)]
    good = []
    s = Stepper(dut, ("rx",))
    dut.iface.value = interfaces_number(interfaces)
    await s.reset(s_axis_tvalid=0, s_axis_tdata=0, s_axis_tkeep=0, s_axis_tlast=0, rx_status_valid=0, rx_status_good=0)
    for empty in (True, False):
        for octets in frames:
            for word in Arrival(behind=rng.randrange(2), empty=empty).cycles(octets, rng):
                rx = unpack(RX, (await s.step(**word.inputs(rng))).rx)
                if word.end:
                    good.append(bool(rx["end_good"]))
    assert good == [cut >= 0 for _ in range(2 * 24 * 2) for cut in range(-6, 7)]


CASES = [(1, 1), (4, 1), (8, 0)]


@pytest.mark.parametrize("interfaces, fcs", main_and_kept(__file__, CASES))
@pytest.mark.parametrize("test", ["fields", "runts", "lengths"])
def test_toe_rx_parse(test, interfaces, fcs):
    sources = [path for path in rtl("toe") if path.stem in ("toe_pkg", "toe_rx_ones", "toe_rx_parse")]
    Bench("toe_rx_parse", sources, {"INTERFACES": interfaces, "FCS": fcs}).run(__name__, test)
