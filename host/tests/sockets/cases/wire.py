# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""TTL and TOS of sent packets, as the peer finds them in the frames; and what the program learns of the peer's."""

A = "239.6.0.1"
PORT = 5500
PKTINFO, RECVTTL, ORIGINAL = 8, 12, 20  # IP_..., which the module lacks
SOL_PACKET, RX_RING, STATISTICS = 263, 5, 6  # these are missing, too
FRAME_BYTES, FRAMES, FRAMES_A_BLOCK = 2048, 512, 32


def ip(*addresses):
    return b"".join(map(socket.inet_aton, addresses))


def program():
    control = dial((PEER, PORT))
    control.setsockopt(0, socket.IP_TTL, 33)
    control.setsockopt(0, socket.IP_TOS, 0xB8)
    control.sendall(b"changed while connected")

    for settings in ({}, {socket.IP_TTL: 5, socket.IP_TOS: 0x10}, {socket.IP_TTL: 255, socket.IP_TOS: 0xFF}):
        s = socket.socket()
        for name, value in settings.items():
            s.setsockopt(0, name, value)
        s.connect((PEER, PORT))
        s.sendall(b"x" * 5000)
        s.recv(1)
        s.close()
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind((ME, PORT))
    server.setsockopt(0, socket.IP_TTL, 7)
    server.setsockopt(0, socket.IP_TOS, 0x20)
    server.listen()
    for ttl in (None, 77):
        control.sendall(b"!")
        s, _ = server.accept()
        out("accepted", s.getsockopt(0, socket.IP_TTL), s.getsockopt(0, socket.IP_TOS))
        if ttl:
            s.setsockopt(0, socket.IP_TTL, ttl)
        s.sendall(b"served")
        s.recv(10)
        s.close()
        server.setsockopt(0, socket.IP_TTL, 8)

    a, b, c = (socket.socket(type=socket.SOCK_DGRAM) for _ in range(3))
    for s, text in ((a, "a"), (b, "b"), (c, "c")):
        s.setsockopt(0, socket.IP_MULTICAST_IF, ip(ME))
        s.sendto(f"{text} as it is".encode(), (PEER, PORT))
        s.sendto(f"{text} as it is".encode(), (A, PORT))
        s.setsockopt(0, socket.IP_TTL, 10 + ord(text))
        s.setsockopt(0, socket.IP_TOS, 4 * ord(text) & 0xFF)
        s.setsockopt(0, socket.IP_MULTICAST_TTL, 20 + ord(text))
    for s, text in ((a, "a"), (b, "b"), (c, "c")):
        s.sendto(text.encode(), (PEER, PORT))
        s.sendto(text.encode(), (A, PORT))
    c.connect((PEER, PORT))
    c.send(b"connected")
    c.setsockopt(0, socket.IP_TTL, 99)
    c.send(b"connected and changed")
    big = bytes(4000)
    c.send(big)  # in fragments
    d = socket.socket(type=socket.SOCK_DGRAM)
    d.setsockopt(0, socket.IP_TTL, 66)
    d.connect((PEER, PORT))
    d.send(b"set before connect()")
    control.recv(10)

    s = socket.socket(type=socket.SOCK_DGRAM)
    s.bind(("", PORT + 1))
    s.setsockopt(0, socket.IP_ADD_MEMBERSHIP, ip(A, ME))
    for option in (RECVTTL, socket.IP_RECVTOS, PKTINFO, ORIGINAL):
        out(option, s.getsockopt(0, option), err(s.setsockopt, 0, option, 1), s.getsockopt(0, option))
    control.sendall(b"go")
    for _ in range(2):
        data, messages, flags, _ = s.recvmsg(100, 500)
        shown = [
            (level, kind, value[4:] if kind == PKTINFO else value) for level, kind, value in messages
        ]  # without the interface's index, which the kernel assigns
        out(data, shown, flags)
    out(s.recvmsg(100, 40)[2])
    control.close()


def capture():
    """A packet socket and its ring: packet(7). Without a ring, two frames may fill it: Linux counts up to 128 KiB for
    each.
    """
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x800))
    sizes = (FRAME_BYTES * FRAMES_A_BLOCK, FRAMES // FRAMES_A_BLOCK, FRAME_BYTES, FRAMES)
    wire.setsockopt(SOL_PACKET, RX_RING, struct.pack("4I", *sizes))
    return wire, mmap.mmap(wire.fileno(), FRAME_BYTES * FRAMES)


def captured(ring):
    """The frames in the ring, from their IP header on: each after a struct tpacket_hdr."""
    for at in range(0, len(ring), FRAME_BYTES):
        status, _, _, _, network = struct.unpack_from("LIIHH", ring, at)
        if not status:
            return
        yield ring[at + network : at + FRAME_BYTES]


def peer():
    wire, ring = capture()
    udp = socket.socket(type=socket.SOCK_DGRAM)
    udp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    udp.bind(("", PORT))
    udp.setsockopt(0, socket.IP_ADD_MEMBERSHIP, ip(A, PEER))
    udp.setsockopt(0, RECVTTL, 1)
    udp.setsockopt(0, socket.IP_RECVTOS, 1)
    udp.settimeout(5)
    tcp = serve((PEER, PORT))
    control, _ = tcp.accept()
    out(control.recv(100))
    for _ in range(3):
        s, _ = tcp.accept()
        left = 5000
        while left > 0 and (data := s.recv(left)):
            left -= len(data)
        s.sendall(b"!")
        s.recv(1)
        s.close()
    for _ in range(2):
        control.recv(1)
        s = dial((ME, PORT))
        s.recv(10)
        s.sendall(b"!")
        s.recv(1)
        s.close()
    got = []
    for _ in range(16):
        data, messages, _, _ = udp.recvmsg(5000, 100)
        got.append((data[:30], sorted((kind, list(value)) for _, kind, value in messages)))
    out(*sorted(got), sep="\n")
    control.sendall(b"!")
    control.recv(10)
    udp.setsockopt(0, socket.IP_TTL, 3)
    udp.setsockopt(0, socket.IP_TOS, 0x60)
    udp.setsockopt(0, socket.IP_MULTICAST_TTL, 2)
    udp.setsockopt(0, socket.IP_MULTICAST_IF, ip(PEER))
    for _ in range(2):
        udp.sendto(b"unicast", (ME, PORT + 1))
        udp.sendto(b"group", (A, PORT + 1))
    control.recv(1)
    out("frames that the capture lost:", struct.unpack("II", wire.getsockopt(SOL_PACKET, STATISTICS, 8))[1])
    frames = set()
    for frame in captured(ring):
        if frame[12:16] == ip(ME) and frame[9] == 6:
            port, flags = struct.unpack(">H", frame[20:22])[0], frame[33]
            kind = "SYN-ACK" if flags & 0x12 == 0x12 else "SYN" if flags & 2 else "later"
            frames.add(("server" if port == PORT else "client", kind, f"TTL {frame[8]}", f"TOS {frame[1]}"))
    out(*sorted(frames), sep="\n")
