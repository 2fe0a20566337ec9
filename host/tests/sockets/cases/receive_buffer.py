# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""SO_RCVBUF: what a socket buffers while its program does not read."""

COUNT, SIZE = 3000, 200


def about(n):
    return "none" if n == 0 else "few" if n < 30 else "a hundred or two" if n < 400 else "most" if n < COUNT else "all"


def program():
    control = dial((PEER, 5419))
    for size, early in ((None, True), (8 << 20, True), (8 << 20, False), (4096, True), (4096, False), (0, True)):
        s = socket.socket(type=socket.SOCK_DGRAM)
        if size is not None and early:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, size)
        s.bind((ME, 5420))
        if size is not None and not early:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, size)
        control.sendall(b"go")
        control.recv(1)
        time.sleep(0.4)
        s.setblocking(False)
        n = 0
        while isinstance(err(s.recv, 2000), bytes):
            n += 1
        out(size, early, about(n), s.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF))
        s.close()
    for size in (2304, 20000):
        for early in (True, False):  # for a socket that connects, for a listener's
            s = socket.socket()
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, size)
            if early:
                s.connect((PEER, 5421))
            else:
                s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                s.bind((ME, 5422))
                s.listen()
                control.sendall(b"li")
                s, _ = s.accept()
            control.recv(1)  # the peer has sent what it could
            got, began = hashlib.sha256(), time.monotonic()
            while data := s.recv(65536):
                got.update(data)
            out("in time" if time.monotonic() - began < 8 else "slow: the window does not open")
            out(size, early, s.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF), got.hexdigest()[:16])


def peer():
    server, p = serve((PEER, 5421)), socket.socket(type=socket.SOCK_DGRAM)
    control, _ = serve((PEER, 5419)).accept()
    for _ in range(6):
        control.recv(2)
        for _ in range(COUNT):
            p.sendto(b"x" * SIZE, (ME, 5420))
        control.sendall(b"!")
    for i in range(4):
        if i % 2 == 0:
            s, _ = server.accept()
        else:
            control.recv(2)
            s = dial((ME, 5422))
        s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
        s.setblocking(False)
        data, sent = random.Random(i).randbytes(150000), 0
        while select.select([], [s], [], 0.3)[1] and sent < len(data):
            sent += s.send(data[sent : sent + 1000])
        out(i, "stopped" if sent < 100000 else "sent all")
        control.sendall(b"!")
        s.setblocking(True)
        s.sendall(data[sent:])
        s.close()
