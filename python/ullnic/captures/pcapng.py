# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Reads pcapng (draft-ietf-opsawg-pcapng): any number of sections, each with its own byte order, and of interfaces."""

import struct
from collections.abc import Iterator

from ullnic.captures.packets import ETHERNET, FCS_BYTES, Damaged, Interface, Packet, Stream, printable

SECTION = 0x0A0D0D0A
INTERFACE, OLD_PACKET, SIMPLE_PACKET, PACKET = 1, 2, 3, 6
READ = (INTERFACE, OLD_PACKET, SIMPLE_PACKET, PACKET)  # other blocks are skipped
BYTE_ORDERS = {b"\x4d\x3c\x2b\x1a": "<", b"\x1a\x2b\x3c\x4d": ">"}
MAGIC = SECTION.to_bytes(4, "big")  # the same in either byte order
MOST_BYTES = 16 << 20  # largest block that is read: libpcap's limit
END_OF_OPTIONS, IF_NAME, IF_FCSLEN, PACKET_FLAGS = 0, 2, 13, 2
DAMAGED_ON_WIRE = 0xF1 << 24  # bad FCS, not aligned, no start delimiter, no preamble, bad symbol

TOO_SHORT = "its block is too short for what it says it holds"
UNKNOWN_INTERFACE = "captured on an interface that the file does not describe"
MARKED = "marked by the capture as damaged on the wire"


def packets(stream: Stream) -> Iterator[Packet]:
    order, interfaces = "<", []
    while not stream.at_end():
        what = f"the block at byte {stream.offset}"
        head, found = stream.read(8, what), None
        if head.startswith(MAGIC):
            mark = stream.read(4, what)
            if mark not in BYTE_ORDERS:
                raise Damaged(f"{what} is a section header without a byte-order magic")
            order, interfaces = BYTE_ORDERS[mark], []
        kind, length = struct.unpack(f"{order}II", head)
        if length < (28 if kind == SECTION else 12) or length % 4 or kind in READ and length > MOST_BYTES:
            raise Damaged(f"{what} says that it is {length} bytes long")
        if kind == SECTION:
            major, minor = struct.unpack(f"{order}HH", stream.read(4, what))
            if major != 1:
                raise Damaged(f"{what} begins a section of version {major}.{minor}: the version of pcapng is 1.0")
            stream.skip(length - 20, what)
        elif kind not in READ:
            stream.skip(length - 12, what)
        elif kind == INTERFACE:
            interfaces.append(interface(order, stream.read(length - 12, what), str(len(interfaces)), what))
        else:
            found = packet(kind, order, stream.read(length - 12, what), interfaces)
        if struct.unpack(f"{order}I", stream.read(4, what))[0] != length:
            raise Damaged(f"{what} has two lengths that differ")
        if found:
            yield found


def options(order: str, data: bytes) -> dict[int, bytes]:
    """Options by code; of duplicates, the first."""
    found: dict[int, bytes] = {}
    while len(data) >= 4:
        code, length = struct.unpack_from(f"{order}HH", data)
        if code == END_OF_OPTIONS:
            break
        found.setdefault(code, data[4 : 4 + length])
        data = data[4 + length + -length % 4 :]
    return found


def interface(order: str, body: bytes, number: str, what: str) -> Interface:
    if len(body) < 8:
        raise Damaged(f"{what} is too short to describe an interface")
    link_type, _, snap_bytes = struct.unpack_from(f"{order}HHI", body)
    given = options(order, body[8:])
    fcs = int.from_bytes(given.get(IF_FCSLEN, b""), "little")  # one byte; bytes or, according to the draft, bits
    fcs_bytes = FCS_BYTES if fcs == 8 * FCS_BYTES else fcs
    return Interface(printable(given.get(IF_NAME, b"")) or number, link_type, snap_bytes, fcs_bytes)


def packet(kind: int, order: str, body: bytes, interfaces: list[Interface]) -> Packet:
    fixed = {PACKET: f"{order}IIIII", OLD_PACKET: f"{order}HHIIII", SIMPLE_PACKET: f"{order}I"}[kind]
    fixed_bytes = struct.calcsize(fixed)
    if len(body) < fixed_bytes:
        return Packet(None, problem=TOO_SHORT)
    fields = struct.unpack_from(fixed, body)
    number = 0 if kind == SIMPLE_PACKET else fields[0]
    if number >= len(interfaces):
        return Packet(None, problem=UNKNOWN_INTERFACE)
    of, wire_bytes = interfaces[number], fields[-1]
    if of.link_type != ETHERNET:
        return Packet(of)
    captured_bytes = min(wire_bytes, of.snap_bytes or wire_bytes) if kind == SIMPLE_PACKET else fields[-2]
    if captured_bytes > len(body) - fixed_bytes:
        return Packet(of, problem=TOO_SHORT)
    fcs_bytes = of.fcs_bytes
    rest = body[fixed_bytes + captured_bytes + -captured_bytes % 4 :]
    flags = options(order, rest).get(PACKET_FLAGS, b"") if kind != SIMPLE_PACKET else b""
    if len(flags) == 4:
        word = struct.unpack(f"{order}I", flags)[0]
        if word & DAMAGED_ON_WIRE:
            return Packet(of, problem=MARKED)
        fcs_bytes = word >> 5 & 15 or fcs_bytes
    return Packet(of, body[fixed_bytes : fixed_bytes + captured_bytes], wire_bytes, fcs_bytes)
