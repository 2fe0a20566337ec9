# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What both formats share: packets, the interfaces they were captured on, and damage."""

from dataclasses import dataclass
from typing import BinaryIO

ETHERNET = 1
LINK_TYPES = {
    0: "BSD loopback",
    9: "PPP",
    12: "raw IP",
    14: "raw IP",
    101: "raw IP",
    105: "IEEE 802.11",
    108: "OpenBSD loopback",
    113: "Linux cooked",
    127: "IEEE 802.11 with radiotap",
    187: "Bluetooth",
    189: "USB",
    220: "USB",
    227: "CAN",
    228: "raw IPv4",
    229: "raw IPv6",
    252: "upper PDUs",
    276: "Linux cooked v2",
}
FCS_BYTES = 4
SKIP_BYTES = 1 << 16


class Damaged(Exception):
    """The file cannot be read beyond this point."""


@dataclass(frozen=True)
class Interface:
    """`name`: from the capture, or the interface's number. `fcs_bytes`: at the end of each frame."""

    name: str
    link_type: int
    snap_bytes: int = 0  # 0: no limit
    fcs_bytes: int = 0

    @property
    def kind(self) -> str:
        known = LINK_TYPES.get(self.link_type)
        return f"link type {self.link_type}" + (f", {known}" if known else "") + ", not Ethernet"


@dataclass(frozen=True)
class Packet:
    """`problem`: why an intact block gives no frame; the other fields are then meaningless."""

    interface: Interface | None
    data: bytes = b""
    wire_bytes: int = 0
    fcs_bytes: int = 0
    problem: str = ""


class Stream:
    """Bytes of a capture, decompressed; if they end too early, Damaged says where."""

    def __init__(self, file: BinaryIO, head: bytes):
        """`head`: bytes that have been read already."""
        self._file, self._head = file, head
        self.offset = 0

    def at_end(self) -> bool:
        self._head = self._head or self._file.read(1)
        return not self._head

    def read(self, count: int, what: str) -> bytes:
        data, self._head = self._head[:count], self._head[count:]
        if len(data) < count:
            data += self._file.read(count - len(data))
        if len(data) < count:
            raise Damaged(f"it ends in the middle of {what}, which begins at or before byte {self.offset}")
        self.offset += count
        return data

    def skip(self, count: int, what: str) -> None:
        while count:
            step = min(count, SKIP_BYTES)
            self.read(step, what)
            count -= step


def printable(text: bytes) -> str:
    """A name from a capture, made safe for a terminal."""
    return "".join(each if each.isprintable() else "?" for each in text.decode(errors="replace"))[:64]
