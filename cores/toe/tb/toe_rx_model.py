# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Frames as macpcs delivers them, and their expected results in the receive path; scapy makes the frames."""

import zlib
from dataclasses import dataclass, field

from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Dot1Q, Ether

MASK32 = (1 << 32) - 1
BEHIND = 14

# Fields of toe_pkg's types, from the top.
RX = (
    "valid:1 index:4 tag:1 word:32 keep:4 last:1 end_valid:1 end_good:1 end_short:1 "
    "mac_match:8 broadcast:1 smac:48 arp:1 ipv4:1 options:1 "
    "total_length:16 fragment:1 protocol:8 sip:32 ip_match:8 ip_good:1 iface:3"
)
IFACE = "enable:1 vlan_on:1 vlan:16 mac:48 ip:32 mask:32 gateway:32"
TUPLE = "iface:3 peer_ip:32 peer_port:16 local_port:16"
SEGMENT = (
    f"hit:1 sid:10 {TUPLE} peer_mac:48 flags:8 seq:32 ack:32 window:16 length:16 accepted:1 gap:1 mss_on:1 mss:16 "
    "scale_on:1 scale:4 stamp_on:1 old:1 stamp:32 echo:32 urgent:16 upcoming:1 sack_on:1 sack_count:3 sacks:256"
)


def _fields(layout: str) -> list[tuple[str, int]]:
    return [(name, int(bits)) for name, bits in (part.split(":") for part in layout.split())]


def unpacked(layout: str, value: int) -> dict[str, int]:
    found = {}
    for name, bits in reversed(_fields(layout)):
        found[name] = value & ((1 << bits) - 1)
        value >>= bits
    return found


def packed(layout: str, values: dict[str, int]) -> int:
    number = 0
    for name, bits in _fields(layout):
        assert 0 <= values[name] < 1 << bits, name
        number = number << bits | values[name]
    return number


def ip_number(text: str) -> int:
    return int.from_bytes(bytes(int(part) for part in text.split(".")), "big")


def ip_text(number: int) -> str:
    return ".".join(str(octet) for octet in number.to_bytes(4, "big"))


@dataclass
class Interface:
    mac: bytes
    ip: str
    vlan: int | None = None  # priority, DEI, identifier
    enable: int = 1

    def number(self) -> int:
        values = {"enable": self.enable, "vlan_on": int(self.vlan is not None), "vlan": self.vlan or 0}
        values |= {"mac": int.from_bytes(self.mac, "big"), "ip": ip_number(self.ip), "mask": 0, "gateway": 0}
        return packed(IFACE, values)

    @classmethod
    def random(cls, rng, **given) -> "Interface":
        return cls(**({"mac": bytes([2]) + rng.randbytes(5), "ip": ip_text(rng.getrandbits(32))} | given))


def interfaces_number(interfaces: list[Interface]) -> int:
    return sum(interface.number() << 162 * i for i, interface in enumerate(interfaces))


def ether(frame: bytes, pad: bool = True) -> bytes:
    """Padded to 60 bytes, with its FCS."""
    frame = frame.ljust(60, b"\0") if pad else frame
    return frame + zlib.crc32(frame).to_bytes(4, "little")


def link(interface: Interface, smac: bytes, dmac: bytes | None = None, priority: int = 0):
    """The Ethernet header of a frame to an interface."""
    header = Ether(dst=dmac or interface.mac, src=smac)
    if interface.vlan is not None:
        header = header / Dot1Q(prio=priority, vlan=interface.vlan & 0xFFF)
    return header


@dataclass
class Word:
    data: int
    keep: int = 15
    last: bool = False
    end: bool = False  # the verdict comes in this cycle
    good: bool = False
    valid: bool = True

    def inputs(self, rng) -> dict[str, int]:
        """Input ports; undefined values are random."""
        return {
            "s_axis_tvalid": int(self.valid),
            "s_axis_tdata": self.data if self.valid else rng.getrandbits(32),
            "s_axis_tkeep": self.keep if self.valid else rng.getrandbits(4),
            "s_axis_tlast": int(self.last) if self.valid else rng.getrandbits(1),
            "rx_status_valid": int(self.end),
            "rx_status_good": int(self.good) if self.end else rng.getrandbits(1),
        }


@dataclass
class Arrival:
    """How a frame's words arrive: pauses, and the verdict with the last word or after it."""

    gap: float = 0.0  # probability of a pause before a word
    behind: int = 0  # cycles from the last word to the verdict
    good: bool = True
    empty: bool = True  # a frame of whole words has a last one without bytes (otherwise its last bytes come with it)
    idle: int = 0  # cycles after the verdict
    words: list[Word] = field(default_factory=list)

    def cycles(self, octets: bytes, rng) -> list[Word]:
        chunks = [octets[i : i + 4] for i in range(0, len(octets), 4)]
        if not chunks or (self.empty and len(chunks[-1]) == 4):
            chunks.append(b"")
        cycles = []
        for i, chunk in enumerate(chunks):
            while rng.random() < self.gap:
                cycles.append(Word(0, valid=False))
            junk = rng.randbytes(4 - len(chunk))
            last = i == len(chunks) - 1
            cycles.append(Word(int.from_bytes(chunk + junk, "little"), (1 << len(chunk)) - 1, last))
        cycles += [Word(0, valid=False) for _ in range(self.behind)]
        cycles[-1].end, cycles[-1].good = True, self.good
        return cycles + [Word(0, valid=False) for _ in range(self.idle)]


def tcp_frame(interface: Interface, smac: bytes, src: str, payload: bytes = b"", *, ip=None, **tcp) -> bytes:
    """Without padding and FCS."""
    options = {"chksum": tcp.pop("chksum")} if "chksum" in tcp else {}
    header = IP(src=src, dst=interface.ip, **(ip or {})) / TCP(**tcp, **options)
    return bytes(link(interface, smac) / header / payload)
