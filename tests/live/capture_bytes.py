# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Captures made byte by byte: pcap, and the blocks of pcapng, in either byte order."""

import struct
import zlib

ETHERNET, RAW_IP, COOKED = 1, 101, 113
SECTION, INTERFACE, OLD_PACKET, SIMPLE_PACKET, NAMES, PACKET = 0x0A0D0D0A, 1, 2, 3, 4, 6


def frame(number: int, size_bytes: int = 64) -> bytes:
    return (b"\x02\0\0\0\0\1\x02\0\0\0\0\2\x88\xb5" + number.to_bytes(4, "big")).ljust(size_bytes, b"\x5a")[:size_bytes]


def with_fcs(data: bytes) -> bytes:
    return data + zlib.crc32(data).to_bytes(4, "little")


def pcap(*frames: bytes | tuple[bytes, int], order: str = "<", magic: int = 0xA1B2C3D4, link_type: int = 1) -> bytes:
    """A cut frame is given with its length on the wire."""
    data = struct.pack(f"{order}IHHiIII", magic, 2, 4, 0, 0, 65535, link_type)
    for each in frames:
        captured, wire_bytes = each if isinstance(each, tuple) else (each, len(each))
        data += struct.pack(f"{order}IIII", 1, 2, len(captured), wire_bytes)
        data += struct.pack(f"{order}IHBB", 3, 4, 5, 0) if magic == 0xA1B2CD34 else b""
        data += captured
    return data


def block(kind: int, body: bytes, order: str = "<") -> bytes:
    body += bytes(-len(body) % 4)
    length = struct.pack(f"{order}I", len(body) + 12)
    return struct.pack(f"{order}I", kind) + length + body + length


def option(code: int, data: bytes, order: str = "<") -> bytes:
    return struct.pack(f"{order}HH", code, len(data)) + data + bytes(-len(data) % 4)


def section(order: str = "<", major: int = 1, options: bytes = b"") -> bytes:
    return block(SECTION, struct.pack(f"{order}IHHq", 0x1A2B3C4D, major, 0, -1) + options, order)


def interface(link_type: int = 1, snap_bytes: int = 0, options: bytes = b"", order: str = "<") -> bytes:
    return block(INTERFACE, struct.pack(f"{order}HHI", link_type, 0, snap_bytes) + options, order)


def packet(
    data: bytes,
    number: int = 0,
    wire_bytes: int | None = None,
    options: bytes = b"",
    order: str = "<",
    kind: int = PACKET,
) -> bytes:
    """`number`: that of the interface."""
    wire_bytes = len(data) if wire_bytes is None else wire_bytes
    head = struct.pack(f"{order}I", number) if kind == PACKET else struct.pack(f"{order}HH", number, 0)
    body = head + struct.pack(f"{order}IIII", 7, 8, len(data), wire_bytes) + data + bytes(-len(data) % 4) + options
    return block(kind, body, order)


def simple(data: bytes, wire_bytes: int | None = None, order: str = "<") -> bytes:
    return block(SIMPLE_PACKET, struct.pack(f"{order}I", len(data) if wire_bytes is None else wire_bytes) + data, order)
