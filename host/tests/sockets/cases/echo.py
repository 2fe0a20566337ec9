# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Bytes and datagrams there and back, and the names of both ends."""


def program():
    s = dial((PEER, 5000))
    s.sendall(b"hello")
    out(s.recv(100), s.getpeername(), s.getsockname()[0] == ME)
    s.shutdown(socket.SHUT_WR)
    out(s.recv(100))
    u = socket.socket(type=socket.SOCK_DGRAM)
    u.bind((ME, 5001))
    out(u.recvfrom(100))
    u.sendto(b"pong", (PEER, 5002))
    out(err(u.bind, (ME, 5003)))
    for listens in (False, True):  # nothing to send or receive on
        t = socket.socket()
        t.bind((ME, 5006))
        if listens:
            t.listen()
        out(err(t.send, b"x"), err(os.write, t.fileno(), b"x"), err(t.recv, 9), err(os.read, t.fileno(), 9))
        t.close()
    v = socket.socket(type=socket.SOCK_DGRAM)
    for port in (5004, 5005):
        v.connect((PEER, port))
        v.send(b"connected")
        out(v.recvfrom(100), v.recvmsg(100)[3])


def peer():
    c, address = serve((PEER, 5000)).accept()
    out(address[0], c.recv(100))
    c.sendall(b"to you")
    out(c.recv(100))
    u = socket.socket(type=socket.SOCK_DGRAM)
    u.bind((PEER, 5002))
    u.settimeout(0.1)
    c.close()
    others = [socket.socket(type=socket.SOCK_DGRAM) for _ in range(2)]
    for i, other in enumerate(others):
        other.bind((PEER, 5004 + i))
    while True:  # until the program has bound its socket
        u.sendto(b"ping", (ME, 5001))
        if (answer := err(u.recvfrom, 100)) == (b"pong", (ME, 5001)):
            out(answer)
            break
    for other in others:
        data, address = other.recvfrom(100)
        other.sendto(data, address)
        other.sendto(data, address)
