# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Connections of a peer that sends nearly correct segments: lwIP (lwip_box.c) survives, and leaks nothing."""

import random
import struct

import pytest

from box import CARD, TCP, arp, checksum, packet

SOURCE = bytes([10, 9, 1, 3])
THEIRS = 0x7FFFF800  # lwip_box.c
MODULUS = 2**32
FIN, SYN, RST, PSH, ACK, URG = 1, 2, 4, 8, 16, 32
WINDOWS = (0, 0, 1, 2, 4, 7, 95, 96, 97, 536, 1460, 65535)
OPTIONS = (b"", b"", b"", b"\2\4\5\xb4", b"\2\4\0\1", b"\2\4\2\0\1\3\3\7", b"\1\3\3\x0e", b"\2\0\0\0", b"\1\1\1\2")


class Peer:
    """One connection. It does not read the answers: lwIP's first number is known."""

    def __init__(self, chance: random.Random):
        self.chance = chance
        self.card_port, self.port = chance.choice((7, 9, 13)), chance.randrange(1024, 65536)
        self.start = chance.choice((1000, 2**31 - 2000, 2**32 - 2000))
        self.sent = self.acked = 0

    def segment(self, flags: int, seq: int, ack: int, data: bytes = b"", options: bytes = b"") -> bytes:
        head = struct.pack(
            ">HHIIBBHHH",
            self.port,
            self.card_port,
            (self.start + seq) % MODULUS,
            (THEIRS + ack) % MODULUS,
            5 + len(options) // 4 << 4,
            flags,
            self.chance.choice(WINDOWS),
            0,
            self.chance.choice((0, 0, 1, 65535)),
        )
        pseudo = SOURCE + CARD + struct.pack(">BBH", 0, TCP, len(head) + len(options) + len(data))
        total = checksum(pseudo + head + options + data)
        return packet(TCP, head[:16] + struct.pack(">H", total) + head[18:] + options + data, SOURCE)

    def open(self) -> list[bytes]:
        options = [self.chance.choice(OPTIONS) for _ in range(3)]
        first = [self.segment(SYN, 0, 0, options=options[n]) for n in range(self.chance.choice((1, 1, 2)))]
        self.sent = self.acked = 1
        return [*first, self.segment(ACK, 1, 1, options=options[2])]

    def next(self) -> bytes:
        chance = self.chance
        flags = chance.choice(
            (ACK, ACK, ACK, ACK | PSH, ACK | PSH, ACK | FIN, ACK | URG, ACK | SYN, SYN, FIN, ACK | RST, 0)
        )
        data = chance.randbytes(chance.choice((0, 0, 1, 3, 100, 1000, 1400)))
        if flags & RST and chance.random() < 0.9:
            flags = ACK
        near = (0, 0, 0, 1, -1, -100, 50, 1000, 3000, 64000, 65000, 65534, 65535, 65536)
        far = (2**31 - 1, 2**31, 2**31 + 1, -(2**18), 2**18, 2**30)
        seq = self.sent + chance.choice(near if chance.random() < 0.9 else far)
        self.acked += chance.choice((0, 0, 0, 1, 2, 48, 1460)) if chance.random() < 0.5 else 0
        ack = self.acked + chance.choice((0, 0, 0, -1, 1, 2, 1000, 2**31) if chance.random() < 0.3 else (0,))
        if seq == self.sent and chance.random() < 0.8:
            self.sent += len(data) + (flags & FIN)
        return self.segment(flags, seq, ack, data, chance.choice(OPTIONS))


@pytest.mark.parametrize("run", range(4))
def test_random_segments(box, seed, run):
    chance = random.Random(seed + run)
    box.put(arp(SOURCE))
    before = box.idle()
    for _ in range(150):
        box.put(arp(SOURCE))
        peers = [Peer(chance) for _ in range(4)]
        for peer in peers:
            for frame in peer.open():
                box.put(frame)
        for _ in range(100):
            box.put(chance.choice(peers).next())
            if chance.random() < 0.2:
                box.wait(chance.choice((10, 20, 40, 100, 300, 1000, 10_000)))
        box.ask()
    box.end()
    assert box.idle() <= before
