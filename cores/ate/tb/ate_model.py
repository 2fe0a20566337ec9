# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The expected behaviour of the engine, with frames made by scapy: it shares no arithmetic with the RTL.

Values are numbers (host order) here; registers() puts them into the public layout.
"""

import struct
from dataclasses import dataclass

from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Dot1Q, Ether

MASK32 = (1 << 32) - 1
ENABLE, CHECK, BANK = 1, 2, 4


def le_sum(octets: bytes) -> int:
    """payload_csum, unfolded: 16-bit words in little-endian order, an odd last byte alone."""
    padded = octets + bytes(len(octets) % 2)
    return sum(struct.unpack(f"<{len(padded) // 2}H", padded))


def fold(value: int) -> int:
    while value >> 16:
        value = (value & 0xFFFF) + (value >> 16)
    return value


def swap32(value: int) -> int:
    return int.from_bytes(value.to_bytes(4, "big"), "little")


def ip_number(text: str) -> int:
    return int.from_bytes(bytes(int(part) for part in text.split(".")), "big")


@dataclass
class Connection:
    dmac: bytes
    smac: bytes
    src: str
    dst: str
    sport: int
    dport: int
    seq: int
    ack: int
    window: int
    max_seq: int = 0
    control: int = ENABLE
    vlan: int | None = None  # priority, DEI, identifier

    def registers(self) -> dict[int, int]:
        """Byte offset -> value, in the order in which software writes them: control last."""
        macs = self.dmac + self.smac
        sip, dip = ip_number(self.src), ip_number(self.dst)
        halves = (sip >> 16) + (sip & 0xFFFF) + (dip >> 16) + (dip & 0xFFFF)
        ip_part, tcp_part = fold(0xC506 + halves), fold(0x501A + halves + self.sport + self.dport)
        bank = 8 if self.control & BANK else 0
        return {
            0: int.from_bytes(macs[0:4], "little"),
            4: int.from_bytes(macs[4:8], "little"),
            8: int.from_bytes(macs[8:12], "little"),
            12: tcp_part << 16 | ip_part,
            16: swap32(sip),
            20: swap32(dip),
            24: int.from_bytes(struct.pack(">HH", self.sport, self.dport), "little"),
            28: swap32(self.seq),
            32 + bank: swap32(self.ack),
            36 + bank: int.from_bytes(struct.pack(">H", self.window), "little") << 16,
            40 - bank: 0xDEADBEEF,
            44 - bank: 0xBEEF0000,
            52: swap32(self.max_seq),
            56: 0 if self.vlan is None else 1 << 16 | self.vlan,
            48: self.control,
        }

    def frame(self, payload: bytes, sent: bool = True) -> bytes:
        """The next frame with this payload, without padding and FCS; SEQ advances if it is `sent`."""
        link = Ether(dst=self.dmac, src=self.smac)
        if self.vlan is not None:
            link = link / Dot1Q(prio=self.vlan >> 13, dei=self.vlan >> 12 & 1, vlan=self.vlan & 0xFFF)
        tcp = TCP(
            sport=self.sport,
            dport=self.dport,
            seq=self.seq,
            ack=self.ack,
            window=self.window,
            flags="PA" if payload else "A",
        )
        frame = link / IP(src=self.src, dst=self.dst, id=0, flags="DF", ttl=64) / tcp
        octets = bytes(frame / payload) if payload else bytes(frame)
        if sent:
            self.seq = (self.seq + len(payload)) & MASK32
        return octets

    @classmethod
    def random(cls, rng, **given) -> "Connection":
        values = {
            "dmac": rng.randbytes(6),
            "smac": rng.randbytes(6),
            "src": ".".join(str(rng.randrange(256)) for _ in range(4)),
            "dst": ".".join(str(rng.randrange(256)) for _ in range(4)),
            "sport": rng.getrandbits(16),
            "dport": rng.getrandbits(16),
            "seq": rng.choice([rng.getrandbits(32), MASK32 - rng.randrange(3000)]),
            "ack": rng.getrandbits(32),
            "window": rng.getrandbits(16),
        }
        return cls(**(values | given))


def raw_chunk(frame: bytes) -> bytes:
    return struct.pack("<HHHBB", 7, 9, len(frame) + 2, 1, 0) + bytes(2) + frame


def tcp_chunk(conn: int, payload: bytes) -> bytes:
    """The checksum is big-endian, the connection little-endian."""
    head = struct.pack("<HHHBB", 7, 9, len(payload) + 20, 2, 0) + b"\xa5\x5a"
    return head + struct.pack(">H", fold(le_sum(payload))) + struct.pack("<H", conn) + b"\x33" * 14 + payload
