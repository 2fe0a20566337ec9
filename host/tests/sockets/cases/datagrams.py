# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Datagram sockets that lose their peer, send to others although they are connected, or are shut down."""

UNSPECIFIED = struct.pack("=H14x", socket.AF_UNSPEC)
libc = ctypes.CDLL(None, use_errno=True)


def udp(port=None):
    s = socket.socket(type=socket.SOCK_DGRAM)
    if port is not None:
        s.bind((ME, port))
    return s


def disconnect(s, address=UNSPECIFIED):
    result = libc.connect(s.fileno(), address, len(address))
    return result if result == 0 else errno.errorcode[ctypes.get_errno()]


def woken(s, how):
    """What shutdown() returns, and what a thread that waits for a datagram receives."""
    got = []
    thread = threading.Thread(target=lambda: got.append(err(s.recv, 100)))
    thread.start()
    time.sleep(0.2)
    said = err(s.shutdown, how)
    thread.join(5)
    return said, got


def program():
    control = dial((PEER, 5460))
    a = udp()
    a.connect((PEER, 5461))
    b = a.dup()
    out("to another", a.sendto(b"other", (PEER, 5462)), a.send(b"peer"), err(a.sendto, b"x", (PEER, 0)))
    out("lost", disconnect(a), a.getsockname(), err(b.getpeername), err(b.send, b"x"))
    out("again", a.connect((PEER, 5462)), b.getpeername(), b.send(b"again"))
    for address in (
        b"",
        b"\0",
        UNSPECIFIED[:2],
        struct.pack("=H", 2),
        struct.pack("=H14x", 2),
        struct.pack("=H26x", 10),
    ):
        out("address", address, disconnect(a, address))
    s = udp(5463)
    out("waits", woken(s, socket.SHUT_RD), err(s.recv, 100, socket.MSG_DONTWAIT), err(s.recv, 100), s.getsockname())
    out("sends", s.sendto(b"still", (PEER, 5461)))
    s = udp(5464)
    s.connect((PEER, 5461))
    out("waits", woken(s, socket.SHUT_RDWR), err(s.send, b"x"), err(s.send, bytes(70_000)), s.getpeername())
    out("port", err(udp, 5464))
    s.close()
    time.sleep(0.2)
    out("port", udp(5464).getsockname())
    out("engine", err(a.accept), err(a.listen))
    control.sendall(b".")
    control.recv(1)


def peer():
    links = []
    for port in (5461, 5462):
        links.append(socket.socket(type=socket.SOCK_DGRAM))
        links[-1].bind((PEER, port))
        links[-1].setblocking(False)
    control, _ = serve((PEER, 5460)).accept()
    control.recv(1)
    time.sleep(0.2)
    for link in links:
        while isinstance(got := err(link.recv, 100), bytes):
            out(link.getsockname(), got)
    control.sendall(b".")
