# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Reads pcap (draft-ietf-opsawg-pcap): both byte orders, times in µs or ns, and records with headers of 24 bytes."""

import struct
from collections.abc import Iterator

from ullnic.captures.packets import ETHERNET, FCS_BYTES, Damaged, Interface, Packet, Stream

# The magic number in the writer's byte order, and the length of a record's header.
MAGICS = {0xA1B2C3D4: 16, 0xA1B23C4D: 16, 0xA1B2CD34: 24}
HEADER_BYTES = 24
# Limits of a record's length, for Ethernet and for other link types, as in libpcap and Wireshark.
MOST_BYTES, MOST_OTHER_BYTES = 262_144, 128 << 20
FCS_GIVEN = 0x0400_0000
LINK_TYPE = 0x03FF_FFFF


def byte_order(head: bytes) -> str | None:
    """Byte order of a pcap file that begins with these bytes; None if it is no pcap file."""
    for order in "<>" if len(head) >= 4 else "":
        if struct.unpack(f"{order}I", head[:4])[0] in MAGICS:
            return order
    return None


def packets(stream: Stream) -> Iterator[Packet]:
    header = stream.read(HEADER_BYTES, "the file's header")
    order = byte_order(header)
    magic, major, minor, _, _, snap_bytes, network = struct.unpack(f"{order}IHHiIII", header)
    if major != 2:
        raise Damaged(f"its header has version {major}.{minor}: the version of pcap is 2.4")
    interface = Interface("0", network & LINK_TYPE, snap_bytes, fcs_length(network))
    most_bytes = MOST_BYTES if interface.link_type == ETHERNET else MOST_OTHER_BYTES
    fields, more_bytes = struct.Struct(f"{order}IIII"), MAGICS[magic] - 16
    while not stream.at_end():
        start = stream.offset
        _, _, captured_bytes, wire_bytes = fields.unpack(stream.read(fields.size, "a record's header"))
        stream.read(more_bytes, "a record's header")
        if minor < 3 or minor == 3 and captured_bytes > wire_bytes:  # earlier versions had them in the other order
            captured_bytes, wire_bytes = wire_bytes, captured_bytes
        if captured_bytes > most_bytes:
            raise Damaged(f"the record at byte {start} says that it holds {captured_bytes} bytes of a frame")
        if interface.link_type == ETHERNET:
            yield Packet(interface, stream.read(captured_bytes, "a frame"), wire_bytes, interface.fcs_bytes)
        else:
            stream.skip(captured_bytes, "a packet")
            yield Packet(interface)


def fcs_length(network: int) -> int:
    """In bytes. The unit is two bytes; some writers use one byte."""
    words = network >> 28
    if not network & FCS_GIVEN:
        return 0
    return FCS_BYTES if words == FCS_BYTES else 2 * words
