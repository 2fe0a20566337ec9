# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The error of a UDP socket whose peer has no socket on that port: once, at whatever call is next."""

CLOSED = 5509
CALLS = {
    "receive": lambda link: err(link.recv, 10),
    "peek": lambda link: err(link.recv, 10, socket.MSG_PEEK),
    "message": lambda link: err(link.recvmsg, 10, 100),
    "send": lambda link: err(link.send, b"again"),
    "send to": lambda link: err(link.sendto, b"again", (PEER, 5501)),
    "message out": lambda link: err(link.sendmsg, [b"again"]),
    "write": lambda link: err(os.write, link.fileno(), b"again"),
    "read": lambda link: err(os.read, link.fileno(), 10),
    "option": lambda link: errno.errorcode.get(link.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)),
    "connect": lambda link: err(link.connect, (PEER, 5501)),
}


def unanswered(link):
    """Retries until it is refused: a kernel may limit the rate of ICMP errors to a few a second."""
    for _ in range(5):
        link.send(b"to nobody")
        if select.select([link], [], [], 1.2)[0]:
            return True
    return False


def refused(port=CLOSED):
    link = socket.socket(type=socket.SOCK_DGRAM)
    link.connect((PEER, port))
    return link, unanswered(link)


def program():
    control = dial((PEER, 5500))
    for name, call in CALLS.items():
        link, ready = refused()
        out(name, ready, call(link))
        link.settimeout(0.1)
        if name != "connect":
            out(err(link.recv, 10))
    link, ready = refused()
    link.connect((PEER, 5501))
    out(ready, err(link.send, b"to somebody"), err(link.send, b"to somebody"))
    control.sendall(b".")
    link.settimeout(5)
    out(link.recv(100), link.recv(100))
    link, ready = refused()
    out(ready, bytes(fcntl.ioctl(link, 0x541B, bytes(4))), err(link.recv, 10))
    waiting = socket.socket(type=socket.SOCK_DGRAM)
    waiting.connect((PEER, CLOSED))
    threading.Timer(0.3, unanswered, (waiting,)).start()
    out(err(waiting.recv, 10))
    free = socket.socket(type=socket.SOCK_DGRAM)
    free.bind((ME, 0))
    free.sendto(b"to nobody", (PEER, CLOSED))
    free.settimeout(0.3)
    out(err(free.recv, 10), free.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))
    own = socket.socket(type=socket.SOCK_DGRAM)
    own.connect((ME, CLOSED))
    out(own.send(b"to nobody here"))
    own.settimeout(5)
    out(err(own.recv, 10))
    control.sendall(b".")


def peer():
    link = socket.socket(type=socket.SOCK_DGRAM)
    link.bind((PEER, 5501))
    control, _ = serve((PEER, 5500)).accept()
    control.recv(1)
    link.setblocking(False)
    got = []
    while isinstance(one := err(link.recvfrom, 100), tuple):
        got.append(one)
    out([data for data, _ in got])
    for answer in (b"first", b"second"):
        link.sendto(answer, got[-1][1])
    control.recv(1)
