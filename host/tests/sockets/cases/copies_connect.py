# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""listen() and connect() on one descriptor of a bound socket apply to its copies and to the caller's parent."""

LISTENS = socket.SOL_SOCKET, socket.SO_ACCEPTCONN


def bound(port, kind=socket.SOCK_STREAM):
    link = socket.socket(type=kind)
    link.bind((ME, port))
    return link


def by_child(*calls):
    """The child lives until the next one is created, so that its end has no effect."""
    said, go_on = os.pipe(), os.pipe()
    if (child := os.fork()) == 0:
        for end in (said[0], go_on[1]):
            os.close(end)
        os.write(said[1], repr([err(*call) for call in calls]).encode())
        os.read(go_on[0], 1)
        os._exit(0)
    for end in (said[1], go_on[0]):
        os.close(end)
    out(os.read(said[0], 1000))
    return lambda: (os.close(go_on[1]), os.waitpid(child, 0)[1])[1]


def accepted(link, control):
    control.sendall(b".")
    out(err(link.getsockopt, *LISTENS), select.select([link], [], [], 5)[0] == [link])
    near, _ = link.accept()
    out(near.recv(100))
    near.sendall(b"welcome")


def program():
    control = dial((PEER, 5490))
    first = bound(5491)
    second = first.dup()
    out(err(second.accept), err(second.listen, 5))
    accepted(first, control)
    listener = bound(5492)
    end = by_child((listener.listen, 3))
    accepted(listener, control)
    out(end())
    one = bound(5493)
    two = one.dup()
    out(err(one.connect, (PEER, 5490)), two.getpeername(), two.send(b"by a copy"), one.recv(100))
    link = bound(5494)
    end = by_child((link.connect, (PEER, 5490)))
    out(link.getpeername(), err(link.send, b"by the parent"), link.recv(100), err(link.connect, (PEER, 5490)))
    out(end())
    datagrams = bound(5495, socket.SOCK_DGRAM)
    end = by_child((datagrams.connect, (PEER, 5496)))
    out(datagrams.getpeername(), datagrams.send(b"datagram"))
    out(end())
    datagrams = bound(5497, socket.SOCK_DGRAM)
    out(err(datagrams.send, b"to nobody"))
    end = by_child((datagrams.connect, (PEER, 5496)))
    out(datagrams.send(b"first call"))
    out(end())
    control.recv(1)


def peer():
    server, datagrams = serve((PEER, 5490)), socket.socket(type=socket.SOCK_DGRAM)
    datagrams.bind((PEER, 5496))
    control, _ = server.accept()
    for port in (5491, 5492):
        control.recv(1)
        link = dial((ME, port))
        link.sendall(b"hello")
        out(link.recv(100))
    for _ in range(2):
        link, address = server.accept()
        out(link.recv(100), address)
        link.sendall(b"answer")
    out(datagrams.recvfrom(100), datagrams.recvfrom(100))
    control.sendall(b".")
