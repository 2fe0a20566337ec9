# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Frames as macpcs delivers them, and their expected results in the receive path; scapy makes the frames."""

import zlib
from dataclasses import dataclass, field

from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Dot1Q, Ether

from toe_structs import interface_number
from toe_structs import interfaces_number as array_of

MASK32 = (1 << 32) - 1
BEHIND = 14


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
        mac, vlan = int.from_bytes(self.mac, "big"), {"vlan_on": int(self.vlan is not None), "vlan": self.vlan or 0}
        return interface_number(enable=self.enable, mac=mac, ip=ip_number(self.ip), **vlan)

    @classmethod
    def random(cls, rng, **given) -> "Interface":
        return cls(**({"mac": bytes([2]) + rng.randbytes(5), "ip": ip_text(rng.getrandbits(32))} | given))


def interfaces_number(interfaces: list[Interface]) -> int:
    return array_of(interface.number() for interface in interfaces)


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
