# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A switch's access port in Python, as the kernel may have no VLAN devices: tagged frames on the card's cable, untagged
ones on an interface of the kernel's.

tagger.py CABLE INTERFACE TAG [HEX]: creates INTERFACE, prints "ready", and ends with an error at a frame from the card
that does not carry the whole TAG, priority << 13
VLAN. Its own tags have priority 0. The first frame from the card that contains the bytes HEX is lost. It ends without
an error when CABLE disappears, which it does once the card has stopped.
"""

import errno
import fcntl
import os
import select
import socket
import struct
import sys

TUNSETIFF, TAP_WITHOUT_HEADER = 0x400454CA, 0x1002
SOL_PACKET, PACKET_AUXDATA, VLAN_VALID, OUTGOING, ALL = 263, 8, 0x10, 4, 3
VLAN_MASK, LONGEST = 0xFFF, 2048
CABLE_IS_GONE = (errno.ENETDOWN, errno.ENXIO, errno.ENODEV)


def tag_of(auxiliary: list) -> int | None:
    """The kernel removes tags from frames and reports them separately."""
    for level, kind, data in auxiliary:
        if (level, kind) == (SOL_PACKET, PACKET_AUXDATA):
            status, _, _, _, _, tag, _ = struct.unpack("=IIIHHHH", data)
            return tag if status & VLAN_VALID else None
    return None


def main(cable: str, interface: str, tag: int, lost: bytes) -> None:
    tap = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH22x", interface.encode(), TAP_WITHOUT_HEADER))
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL))
    wire.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
    wire.bind((cable, 0))
    print("ready", flush=True)
    while True:
        readable, _, _ = select.select([tap, wire], [], [])
        if tap in readable:
            frame = os.read(tap, LONGEST)
            wire.send(frame[:12] + struct.pack(">HH", 0x8100, tag & VLAN_MASK) + frame[12:])
        if wire in readable:
            frame, auxiliary, _, address = wire.recvmsg(LONGEST, 128)
            if address[2] == OUTGOING:
                continue
            if tag_of(auxiliary) != tag:
                sys.exit(f"a frame with the tag {tag_of(auxiliary)}: {frame.hex()}")
            if lost and lost in frame:
                lost = b""
                continue
            os.write(tap, frame)


try:
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), bytes.fromhex("".join(sys.argv[4:])))
except OSError as error:
    if error.errno not in CABLE_IS_GONE:
        raise
