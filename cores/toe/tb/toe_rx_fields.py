# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The output of toe_rx_parse for frames: rx_t of toe_pkg, cycle by cycle, for benches of the modules after it.

Where the contract of rx_t promises nothing, a field has a random value.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from toe_structs import RX, interface_number, interfaces_number
from ullnic_tb.structs import pack

# The word after which a field is valid
KNOWN = {
    "mac_match": 3,
    "broadcast": 1,
    "smac": 2,
    "arp": 3,
    "ipv4": 3,
    "options": 3,
    "total_length": 4,
    "fragment": 5,
    "protocol": 5,
    "sip": 7,
    "ip_match": 8,
    "ip_good": 8,
    "iface": 8,
}
BEHIND = 14
EVERYONE = b"\xff" * 6


@dataclass(frozen=True)
class Interface:
    """iface_t of toe_pkg."""

    mac: bytes
    ip: bytes
    enable: bool = True
    vlan: int | None = None  # priority, DEI, identifier
    mask: int = 0xFFFFFF00
    gateway: int = 0

    def packed(self) -> int:
        mac, ip, vlan = int.from_bytes(self.mac), int.from_bytes(self.ip), {"vlan_on": int(self.vlan is not None)}
        vlan |= {"vlan": self.vlan or 0}
        return interface_number(enable=int(self.enable), mac=mac, ip=ip, mask=self.mask, gateway=self.gateway, **vlan)


def packed_interfaces(interfaces) -> int:
    return interfaces_number(interface.packed() for interface in interfaces)


def ones_sum(octets: bytes) -> int:
    total = sum(int.from_bytes(octets[i : i + 2].ljust(2, b"\0")) for i in range(0, len(octets), 2))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def wrong_checksum(octets: bytes, at: int, mask: int) -> bytes:
    """Changes the checksum at this place in the bits of `mask`; without any it becomes 0. It is never correct."""
    right = int.from_bytes(octets[at : at + 2], "big")
    return octets[:at] + (right ^ (mask or right or 1)).to_bytes(2, "big") + octets[at + 2 :]


class Parsed:
    """The fields of one frame (without FCS): the value of each once it is known."""

    def __init__(self, octets: bytes, interfaces):
        self.tagged = octets[12:14] == b"\x81\x00"
        tag = int.from_bytes(octets[14:16]) & 0xFFF if self.tagged else None
        plain = octets[:12] + octets[16:] if self.tagged else octets
        plain = plain.ljust(56, b"\0")
        twice = self.tagged and plain[12:14] == b"\x81\x00"
        ip = plain[14:34]
        everyone = plain[:6] == EVERYONE
        mac_match = ip_match = 0
        for i, interface in enumerate(interfaces):
            # Identifier 0 is a priority without a VLAN; a frame with a second tag matches no interface.
            in_vlan = not tag if interface.vlan is None else tag == interface.vlan & 0xFFF
            if interface.enable and in_vlan and not twice and (everyone or plain[:6] == interface.mac):
                mac_match |= 1 << i
                ip_match |= (ip[16:20] == interface.ip) << i
        ipv4 = plain[12:14] == b"\x08\x00" and ip[0] >> 4 == 4
        self.values = {
            "mac_match": mac_match,
            "broadcast": int(everyone),
            "smac": int.from_bytes(plain[6:12]),
            "arp": int(plain[12:14] == b"\x08\x06"),
            "ipv4": int(ipv4 and ip[0] == 0x45),
            "options": int(ipv4 and ip[0] > 0x45),
            "total_length": int.from_bytes(ip[2:4]),
            "fragment": int(int.from_bytes(ip[6:8]) & 0x3FFF != 0),
            "protocol": ip[9],
            "sip": int.from_bytes(ip[12:16]),
            "ip_match": ip_match,
            "ip_good": int(ones_sum(ip) == 0xFFFF),
            "iface": (ip_match & -ip_match).bit_length() - 1 if ip_match else 0,
        }
        self.whole = not ipv4 or len(octets) - 4 * self.tagged >= 14 + self.values["total_length"]


class RxModel:
    """Turns frames into the values of the port rx, one each cycle."""

    def __init__(self, interfaces, rng, fcs: bool = True):
        self.interfaces, self.rng, self.fcs = interfaces, rng, fcs
        self.known: dict[str, int] = {}

    def idle(self, **signals: int) -> int:
        now = {name: self.rng.getrandbits(bits) for name, bits in RX.items()}
        return pack(RX, now | {"valid": 0, "end_valid": 0} | self.known | signals)

    def frame(self, octets: bytes, good: bool = True, pauses: float = 0.0, late: int = 0) -> Iterator[int]:
        """The words of a frame; its verdict comes `late` cycles after the last one."""
        parsed = Parsed(octets, self.interfaces)
        good = good and parsed.whole
        if self.fcs:
            octets += zlib.crc32(octets).to_bytes(4, "little")
        index = 0
        # Whole words may be followed by a last one without bytes.
        end = len(octets) + (len(octets) % 4 == 0 and self.rng.getrandbits(1))
        for offset in range(0, end, 4):
            while self.rng.random() < pauses:
                yield self.idle()
            part = octets[offset : offset + 4]
            last = offset + 4 >= end
            tag = parsed.tagged and offset == 12
            word = int.from_bytes(part + self.rng.randbytes(4 - len(part)), "little")
            signals = {"valid": 1, "word": word, "keep": (1 << len(part)) - 1, "last": int(last)}
            signals |= {"index": min(index, BEHIND), "tag": int(tag)}
            if last and not late:
                signals |= {"end_valid": 1, "end_good": int(good)}
            yield self.idle(**signals)
            if offset == 0:
                self.known = {}
            if not tag:
                self.known |= {name: parsed.values[name] for name, word in KNOWN.items() if word == index}
                index += 1
        for i in range(late):
            now = i == late - 1
            yield self.idle(**{"end_valid": 1, "end_good": int(good)} if now else {})
