# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""lwIP alone (lwip_box.c), fed with thousands of handmade frames, without waiting."""

import struct
import subprocess
from pathlib import Path

CARD, CARD_MAC = bytes([10, 9, 1, 2]), b"\x02UUU\x02\0"
PASS, HELD, END = 0xFFFF, 0xFFFE, 0xFFFD
ICMP, TCP, UDP = 1, 6, 17
LONGEST_WAIT_MS = 200_000  # longest timeout in lwIP: TIME-WAIT, reassembly, ARP


def checksum(data: bytes) -> int:
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def packet(protocol: int, data: bytes, source: bytes, identifier: int = 0, field: int = 0) -> bytes:
    """A frame with an IPv4 packet; `field`: flags and offset."""
    head = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(data), identifier, field, 64, protocol, 0, source, CARD)
    head = head[:10] + struct.pack(">H", checksum(head)) + head[12:]
    return (CARD_MAC + b"\2\0\0\0\0" + source[3:] + b"\x08\0" + head + data).ljust(60, b"\0")


def arp(source: bytes) -> bytes:
    """Requests the card's address, so that the card learns this one."""
    mac = b"\2\0\0\0\0" + source[3:]
    body = struct.pack(">HHBBH", 1, 0x800, 6, 4, 1) + mac + source + bytes(6) + CARD
    return (CARD_MAC + mac + b"\x08\x06" + body).ljust(60, b"\0")


class Box:
    def __init__(self, program: Path):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def put(self, frame: bytes) -> None:
        self.process.stdin.write(struct.pack("=H", len(frame)) + frame)

    def wait(self, ms: int) -> None:
        self.process.stdin.write(struct.pack("=HI", PASS, ms))

    def end(self) -> None:
        self.process.stdin.write(struct.pack("=H", END))

    def ask(self) -> tuple[int, int, int]:
        """Blocks that lwIP holds, frames that it has sent, packets that it refused."""
        self.process.stdin.write(struct.pack("=H", HELD))
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, f"lwIP ended: {self.process.wait()}"
        return tuple(map(int, line.split()))

    def idle(self) -> int:
        self.wait(LONGEST_WAIT_MS)
        return self.ask()[0]

    def close(self) -> None:
        self.process.stdin.close()
        assert self.process.wait(10) == 0
        self.process.stdout.close()
