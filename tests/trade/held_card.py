# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The card without a daemon: libullnic's calls for the transmit engine, and the mirror frames."""

import ctypes
import socket
import struct
import time
from pathlib import Path

from bench import PATIENCE_S, wait_until
from trade_bench import Registers
from ullnic.run.trade.parts import CARD_IP, ORDER_PORT, SERVER, TCP_PORT
from ullnic.run.trade.records import RECORD_BYTES, order

CONTROL, CONNECTION, LENGTH, LIMIT, NUMBER, STATUS, TEMPLATE = (
    0x8000 + offset for offset in (0x0C, 0x10, 0x14, 0x18, 0x1C, 0x20, 0x100)
)
FRAME_SENT = 1


class Frame(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.POINTER(ctypes.c_uint8)),
        ("len", ctypes.c_uint16),
        ("type", ctypes.c_uint8),
        ("port", ctypes.c_uint8),
        ("seq", ctypes.c_uint32),
        ("timestamp", ctypes.c_uint64),
    )


class Connection(ctypes.Structure):
    _fields_ = (
        ("local_mac", ctypes.c_uint8 * 6),
        ("peer_mac", ctypes.c_uint8 * 6),
        ("local_ip", ctypes.c_uint32),
        ("peer_ip", ctypes.c_uint32),
        ("local_port", ctypes.c_uint16),
        ("peer_port", ctypes.c_uint16),
        ("seq", ctypes.c_uint32),
        ("ack", ctypes.c_uint32),
        ("window", ctypes.c_uint16),
        ("check_max_seq", ctypes.c_bool),
        ("max_seq", ctypes.c_uint32),
        ("vlan", ctypes.c_int),
    )


def network(address: str) -> int:
    return struct.unpack("=I", socket.inet_aton(address))[0]


def bytes_of(mac: str):
    return (ctypes.c_uint8 * 6)(*bytes.fromhex(mac.replace(":", "")))


class HeldCard(Registers):
    def __init__(self, library: Path, path: Path):
        super().__init__(library, f"vfio-user:{path}")
        self.port = ctypes.c_void_p()
        self._check(self.library.ullnic_port_open(self.card, ORDER_PORT, ctypes.byref(self.port)))

    def connect(self, number: int, tag: int, mac: str, seq: int) -> None:
        """To the server's address; no connection is open there."""
        connection = Connection(
            bytes_of(mac), bytes_of(SERVER.mac), network(CARD_IP), network(SERVER.ip), vlan=tag, seq=seq, window=1000
        )
        connection.local_port, connection.peer_port = socket.htons(7000), socket.htons(TCP_PORT)
        self._check(self.library.ullnic_ate_setup(self.card, ORDER_PORT, number, ctypes.byref(connection)))
        self._check(self.library.ullnic_ate_enable(self.card, ORDER_PORT, number))

    def arm(self, number: int) -> None:
        """Orders are those of records.py."""
        for place, word in enumerate(struct.unpack("<8I", order(0))):
            self.write(TEMPLATE + 4 * place, word)
        for register, value in ((CONNECTION, number), (LENGTH, RECORD_BYTES), (LIMIT, 0), (NUMBER, 0), (CONTROL, 1)):
            self.write(register, value)
        wait_until(lambda: self.read(STATUS) & 1)

    def send(self, number: int, payload: bytes) -> None:
        """Sends by the engine."""
        self._check(self.library.ullnic_send_payload(self.port, ctypes.c_uint16(number), payload, len(payload)))

    def mirrors(self, count: int) -> list[bytes]:
        """The next mirror frames; received frames are skipped."""
        frames, frame, end_s = [], Frame(), time.monotonic() + PATIENCE_S
        while len(frames) < count:
            assert time.monotonic() < end_s, f"{len(frames)} of {count} mirror frames"
            got = self.library.ullnic_receive(self.port, ctypes.byref(frame))
            if got == 1 and frame.type == FRAME_SENT:
                frames.append(ctypes.string_at(frame.data, frame.len))
            self._check(min(got, 0))
        return frames
