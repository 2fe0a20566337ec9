# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""At the far end of both ports, in a network namespace: `linux_peer.py SEED BYTES BEAT INTERFACE...`

Port 5001 receives bytes, 5002 sends BYTES random ones drawn from SEED, 5003 reports the digests of both, 5004 the
number of frames of BEAT_TYPE received on each interface. While the file BEAT exists, a frame of BEAT_TYPE is sent on
the first one now and then. Requests for 10.78.N.1 in VLAN 5 are answered here, since this kernel may have no VLANs.
"""

import hashlib
import random
import socket
import struct
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

ADDRESS = bytes([2, 0, 0, 0, 0, 5])
BEAT_TYPE = b"\x88\xb5"
SOL_PACKET, PACKET_AUXDATA, PACKET_OUTGOING = 263, 8, 4
VLAN_VALID = 0x10
last = {"taken": "none", "given": "none"}
beats: dict[str, int] = {}
chance = random.Random(int(sys.argv[1]))


def serve(port, talk) -> None:
    listener = socket.create_server(("", port))

    def loop():
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=run, args=(connection,), daemon=True).start()

    def run(connection):
        with connection, suppress(OSError):  # the guest may close its end, and the module may be unloaded
            talk(connection)

    threading.Thread(target=loop, daemon=True).start()


def take(connection) -> None:
    digest, count = hashlib.sha256(), 0
    while data := connection.recv(1 << 16):
        digest.update(data)
        count += len(data)
    last["taken"] = f"{digest.hexdigest()} {count}"


def give(connection) -> None:
    data = chance.randbytes(int(sys.argv[2]))
    last["given"] = f"{hashlib.sha256(data).hexdigest()} {len(data)}"
    connection.sendall(data)


def say(connection) -> None:
    connection.sendall("".join(f"{line}\n" for line in last.values()).encode())


def say_beats(connection) -> None:
    connection.sendall("".join(f"beats_{name}={count}\n" for name, count in beats.items()).encode())


def checksum(data: bytes) -> int:
    total = sum(struct.unpack(f"!{(len(data) + 1) // 2}H", data + bytes(len(data) % 2)))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def answer(frame: bytes, tag: bytes, mine: bytes) -> bytes | None:
    """Answers ARP and ICMP for the address `mine`; the frame's tag has been removed."""
    head = frame[6:12] + ADDRESS + tag + frame[12:14]
    if frame[12:14] == b"\x08\x06" and frame[38:42] == mine:
        return head + frame[14:20] + b"\0\2" + ADDRESS + mine + frame[22:32]
    if frame[12:14] == b"\x08\x00" and frame[23] == 1 and frame[34] == 8 and frame[30:34] == mine:
        end = 14 + struct.unpack("!H", frame[16:18])[0]
        echo = b"\0\0\0\0" + frame[38:end]
        sums = struct.pack("!H", checksum(echo))
        return head + frame[14:26] + frame[30:34] + frame[26:30] + echo[:2] + sums + echo[4:]
    return None


def untag(frame: bytes, ancillary) -> tuple[bytes, bytes]:
    """The frame without its tag, and the tag. Linux removes the tag of a received frame."""
    for _, kind, data in ancillary:
        if kind == PACKET_AUXDATA and struct.unpack_from("I", data)[0] & VLAN_VALID:
            return frame, b"\x81\x00" + struct.pack("!H", struct.unpack_from("H", data, 16)[0])
    if frame[12:14] == b"\x81\x00":
        return frame[:12] + frame[16:], frame[12:16]
    return frame, b""


def listen(number: int, interface: str) -> socket.socket:
    packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    packets.bind((interface, 0))
    packets.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
    beats[interface] = 0

    def loop():
        while True:
            frame, ancillary, _, sender = packets.recvmsg(1 << 16, 256)
            if sender[2] == PACKET_OUTGOING:
                continue
            frame, tag = untag(frame, ancillary)
            beats[interface] += frame[12:14] == BEAT_TYPE
            if tag and (reply := answer(frame, tag, socket.inet_aton(f"10.78.{number}.1"))):
                packets.send(reply)

    threading.Thread(target=loop, daemon=True).start()
    return packets


def main() -> None:
    for port, talk in ((5001, take), (5002, give), (5003, say), (5004, say_beats)):
        serve(port, talk)
    sockets = [listen(number, name) for number, name in enumerate(sys.argv[4:])]
    print("ready", flush=True)
    while True:
        if Path(sys.argv[3]).exists():
            sockets[0].send(b"\xff" * 6 + ADDRESS + BEAT_TYPE + bytes(46))
        time.sleep(0.02)


if __name__ == "__main__":
    main()
