# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""connect() that does not wait, called until it returns the outcome; the state of a socket whose connection failed; and
addresses in use, whatever SO_REUSEADDR says.
"""


def tcp(port=None):
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if port is not None:
        s.bind((ME, port))
    return s


def until(s, address):
    """All results until it is no longer in progress."""
    answers, end = [], time.monotonic() + 5
    while time.monotonic() < end:
        answers.append(err(s.connect, address))
        if answers[-1] not in ("EINPROGRESS", "EALREADY"):
            break
        time.sleep(0.05)
    return answers[0], answers[-1]


def program():
    dial((PEER, 5490)).close()  # the peer is listening
    s = tcp()
    s.setblocking(False)
    out("connected", until(s, (PEER, 5491)), err(s.connect, (PEER, 5491)), s.send(b"x"))
    s.close()
    s = tcp(5493)
    s.setblocking(False)
    out("refused", until(s, (PEER, 5499)), err(s.recv, 1), err(s.send, b"x"))
    out("refused", until(s, (PEER, 5499)), s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))
    out("from its port", until(s, (PEER, 5491)), s.getsockname(), s.send(b"y"))
    s.close()
    s = tcp()
    s.setblocking(False)
    out("asked for", err(s.connect, (PEER, 5499)), select.select([], [s], [], 5)[1] == [s])
    out("asked for", s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), err(s.connect, (PEER, 5499)))
    s.setblocking(True)
    out("waits", err(s.connect, (PEER, 5499)), err(s.connect, (PEER, 5491)), err(s.connect, (PEER, 5491)))
    s.close()
    server = tcp(5494)
    other = tcp(5494)
    server.listen()
    out("taken", err(other.listen), err(tcp, 5494) == "EADDRINUSE")
    server.connect_ex((PEER, 5491))
    out("listens", err(server.connect, (PEER, 5491)), server.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))
    server.close()
    out("free", err(other.listen))
    anywhere = tcp()
    anywhere.listen()
    out("listens", err(anywhere.connect, (PEER, 5491)), err(anywhere.bind, (ME, 5495)))
    dial((PEER, 5492)).close()


def peer():
    servers = [serve((PEER, port)) for port in (5490, 5491, 5492)]
    servers[2].accept()
    servers[1].setblocking(False)
    while isinstance(got := err(servers[1].accept), tuple):
        out(got[0].recv(10))
