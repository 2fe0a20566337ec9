#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the initial captures for the target of the capture readers, corpus/captures.

They are small captures of every kind that the readers distinguish, and one for each fault found so far.
"""

import gzip
import struct
import zlib
from pathlib import Path

from ullnic.fuzz import records

FRAME = bytes(range(60))
FCS = zlib.crc32(FRAME).to_bytes(4, "little")
ETHERNET, COOKED, WITH_FCS = 1, 113, 0x2400_0001
SECTION, INTERFACE, OLD_PACKET, SIMPLE_PACKET, NAMES, PACKET = 0x0A0D0D0A, 1, 2, 3, 4, 6


def pcap(*frames: bytes, magic: int = 0xA1B2C3D4, order: str = "<", network: int = ETHERNET, minor: int = 4,
         wire: int | None = None, more: bytes = b"") -> bytes:  # fmt: skip
    data = struct.pack(f"{order}IHHiIII", magic, 2, minor, 0, 0, 65535, network)
    for frame in frames:
        data += struct.pack(f"{order}IIII", 1, 2, len(frame), len(frame) if wire is None else wire) + more + frame
    return data


def block(kind: int, body: bytes, order: str = "<") -> bytes:
    body += bytes(-len(body) % 4)
    length = struct.pack(f"{order}I", len(body) + 12)
    return struct.pack(f"{order}I", kind) + length + body + length


def section(order: str = "<") -> bytes:
    return block(SECTION, struct.pack(f"{order}IHHq", 0x1A2B3C4D, 1, 0, -1), order)


def option(code: int, value: bytes, order: str = "<") -> bytes:
    return struct.pack(f"{order}HH", code, len(value)) + value + bytes(-len(value) % 4)


def interface(link: int = ETHERNET, snap: int = 0, options: bytes = b"", order: str = "<") -> bytes:
    return block(INTERFACE, struct.pack(f"{order}HHI", link, 0, snap) + options, order)


def packet(
    frame: bytes = FRAME, number: int = 0, wire: int = len(FRAME), options: bytes = b"", order: str = "<"
) -> bytes:
    body = frame + bytes(-len(frame) % 4) + options
    return block(PACKET, struct.pack(f"{order}IIIII", number, 0, 0, len(frame), wire) + body, order)


def simple(frame: bytes = FRAME) -> bytes:
    return block(SIMPLE_PACKET, struct.pack("<I", len(frame)) + frame)


def old(frame: bytes = FRAME) -> bytes:
    return block(OLD_PACKET, struct.pack("<HHIIII", 0, 0, 0, 0, len(frame), len(frame)) + frame)


CAPTURES = {
    "pcap": pcap(FRAME, FRAME[:20]),
    "pcap_big_endian": pcap(FRAME, order=">"),
    "pcap_nanoseconds": pcap(FRAME, magic=0xA1B23C4D),
    # Two libraries read it differently.
    "fault_pcap_modified": pcap(FRAME, magic=0xA1B2CD34, more=bytes(8)),
    "pcap_old_version": pcap(FRAME, minor=2),
    "pcap_fcs": pcap(FRAME + FCS, FRAME + b"\0\0\0\0", network=WITH_FCS),
    "pcap_cooked": pcap(FRAME, network=COOKED),
    # One frame cut by the snap length stopped the whole run.
    "fault_pcap_snap": pcap(FRAME, wire=1500) + pcap(FRAME)[24:],
    "pcap_lengths": pcap(b"", bytes(9619), wire=0)[:3000],
    "pcap_cut": pcap(FRAME, FRAME)[:-7],
    "pcap_beyond": pcap() + struct.pack("<IIII", 0, 0, 0xFFFF_FFFF, 60),
    "ng": section() + interface() + packet() * 2,
    "ng_big_endian": section(">") + interface(order=">") + packet(order=">"),
    "ng_sections": section() + interface() + packet() + section(">") + interface(order=">") + packet(order=">"),
    "fault_ng_simple": section() + interface(snap=40) + simple() + interface() + simple(),
    "ng_old": section() + interface() + old(),
    # Interfaces that differ were reported as damage.
    "fault_ng_mixed": section() + interface() + interface(COOKED) + packet(number=1) + packet(),
    "fault_ng_two_snap": section() + interface(snap=96) + interface(snap=65535) + packet() + packet(number=1),
    "ng_unknown": section() + packet() + interface() + packet(number=7) + block(0x0BAD, b"1234") + packet(),
    "ng_options": section()
    + interface(options=option(2, b"eth\x1b[31m\0") + option(13, b"\4") + option(0, b""))
    + packet(FRAME + FCS, wire=64, options=option(2, struct.pack("<I", 4 << 5)))
    + packet(options=option(2, struct.pack("<I", 1 << 24))),
    "ng_lengths": section() + interface() + packet()[:-4] + struct.pack("<I", 7),
    "ng_short": section() + interface() + block(PACKET, bytes(8)) + block(INTERFACE, b"12"),
    "gzip": gzip.compress(pcap(FRAME), mtime=0),
    "gzip_cut": gzip.compress(section() + interface() + packet(), mtime=0)[:-9],
    "lz4": b"\x04\x22\x4d\x18" + bytes(20),
    "empty": b"",
    "text": b"no capture\n",
}


def main() -> None:
    records.write(Path(__file__).parent / "corpus/captures", CAPTURES)


if __name__ == "__main__":
    main()
