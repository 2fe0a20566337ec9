# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Options that the card honours, invalid values, flags that Linux ignores or has no use for, and ends."""

import array

SOL, TCP, IP, UDP = socket.SOL_SOCKET, socket.IPPROTO_TCP, socket.IPPROTO_IP, socket.IPPROTO_UDP
SWITCHES = [(SOL, 9), (SOL, 2), (SOL, 15), (SOL, 6), (IP, 15), (IP, 24), (TCP, 1), (TCP, 3)]
NUMBERS = [(TCP, 4), (TCP, 5), (TCP, 6), (TCP, 18), (SOL, 36), (SOL, 12), (TCP, 9)]
IGNORED_ON_SEND = (2, 0x100, 0x20, 0x800, 0x2000, 0x4000000, 0x40000000)
IGNORED_ON_RECEIVE = (4, 0x800, 0x8000, 0x4000, 0x4000000, 0x40000000)


def options(link):
    for level, option in SWITCHES:
        for value in (1, 7, 0):
            out(level, option, value, err(link.setsockopt, level, option, value), err(link.getsockopt, level, option))
    for level, option in NUMBERS:
        for value in (-1, 0, 1) if option not in (18, 9, 36, 12) else (0,):
            out(level, option, value, err(link.setsockopt, level, option, value))
    for value in (b"", b"\1", bytes(3), bytes(4), bytes(8), struct.pack("ii", 1, 5)):
        out(err(link.setsockopt, SOL, 13, value), err(link.getsockopt, SOL, 13, 8))
        out(*(err(link.setsockopt, level, option, value) for level, option in SWITCHES if level != IP))
    out(err(link.setsockopt, SOL, 13, bytes(8)), link.getsockopt(SOL, 17, 12), link.getsockopt(SOL, 25, 16))
    for level in (999, 41, 282, 284, 132, 255):
        out(level, err(link.setsockopt, level, 1, 1), err(link.getsockopt, level, 1))
    for level, option in [(SOL, 250), (TCP, 250), (IP, 250), (UDP, 250), (SOL, 3), (SOL, 4), (SOL, 38), (SOL, 39)]:
        out(level, option, err(link.setsockopt, level, option, 1))
    out(err(link.setsockopt, TCP, 13, b"nonsense"), err(link.setsockopt, TCP, 31, b"nonsense"))
    out(err(link.setsockopt, TCP, 13, b"reno"), err(link.getsockopt, TCP, 31, 16))


def flags(link):
    out(*(err(link.send, b"x" * 10, flag) for flag in IGNORED_ON_SEND))
    out(*(err(link.recv, 10, flag | socket.MSG_DONTWAIT) for flag in IGNORED_ON_RECEIVE))


def program():
    stream = dial((PEER, 5000))
    options(stream)
    flags(stream)
    out(err(stream.recv, 1, socket.MSG_OOB), err(stream.shutdown, 9))
    datagrams = socket.socket(type=socket.SOCK_DGRAM)
    datagrams.bind((ME, 5001))
    out(err(datagrams.listen), err(datagrams.send, b"x"))
    out(err(os.write, datagrams.fileno(), b"x"), err(datagrams.sendmsg, [b"x"]))
    datagrams.connect((PEER, 5002))
    options(datagrams)
    flags(datagrams)
    stream.sendall(b"now")
    size = array.array("i", [-1])
    select.select([datagrams], [], [], 5)
    fcntl.ioctl(datagrams, 0x541B, size)  # FIONREAD
    out(size[0], datagrams.recv(10, socket.MSG_TRUNC | socket.MSG_PEEK), datagrams.recv(100))
    select.select([stream], [], [], 5)
    fcntl.ioctl(stream, 0x541B, size)
    out(size[0], len(stream.recv(2, socket.MSG_TRUNC)), stream.recv(100))


def peer():
    server = serve((PEER, 5000))
    u = socket.socket(type=socket.SOCK_DGRAM)
    u.bind((PEER, 5002))
    link, _ = server.accept()
    data = b""
    while not data.endswith(b"now"):
        data += link.recv(1000)
    out(data)
    out(sum(len(u.recv(100)) for _ in range(len(IGNORED_ON_SEND))))
    u.sendto(b"datagram", (ME, 5001))
    link.sendall(b"stream")
    out(link.recv(1))
