# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Which socket receives what: groups, several sockets on a port, connected ones, sources, unicast besides."""

A, B, PORT = "239.3.0.1", "239.3.0.2", 5300
ADD_SOURCE, DROP_SOURCE, BLOCK, UNBLOCK = 39, 40, 38, 37  # IP_..._SOURCE
MULTICAST_ALL = 49


def ip(*addresses):
    return b"".join(map(socket.inet_aton, addresses))


def member(*groups, bound="", port=PORT, options=(socket.SO_REUSEADDR,), early=False):
    s = socket.socket(type=socket.SOCK_DGRAM)
    for option in options:
        s.setsockopt(socket.SOL_SOCKET, option, 1)
    if not early:
        s.bind((bound, port))
    for group in groups:
        s.setsockopt(0, socket.IP_ADD_MEMBERSHIP, ip(group, ME))
    if early:
        s.bind((bound, port))
    s.settimeout(5)
    return s


def ask(*names):
    """The peer sends one datagram of each kind."""
    control.sendall(json.dumps(names).encode() + b"\n")
    assert control.recv(1) == b"d"
    time.sleep(0.05)  # through the card


def heard(*sockets):
    """Everything received, until nothing more arrives."""
    texts = []
    for s in sockets:
        s.setblocking(False)
        text = ""
        while isinstance(data := err(s.recv, 100), bytes):
            text += data.decode() + " "
        texts.append(text.strip() or "nothing")
    return " | ".join(texts)


def show(what, *sockets, sends=("A", "B", "other", "uni")):
    ask(*sends)
    out(what, ":", heard(*sockets))


def close(*sockets):
    for s in sockets:
        s.close()


def program():
    global control
    control = dial((PEER, 5299))
    for what, make in (
        ("one group", lambda: [member(A), member(A)]),
        ("a group each", lambda: [member(A), member(B)]),
        ("bound to the groups", lambda: [member(A, bound=A), member(B, bound=B)]),
        ("any and group", lambda: [member(A), member(B, bound=B)]),
        ("joined before bind", lambda: [member(A, early=True), member(B, bound=B, early=True)]),
        ("both groups", lambda: [member(A, B), member(A)]),
        (
            "SO_REUSEPORT",
            lambda: [member(A, options=(socket.SO_REUSEPORT,)), member(A, options=(socket.SO_REUSEPORT,))],
        ),
        ("with a unicast one", lambda: [member(A), member(bound=ME), member(A)]),
    ):
        sockets = make()
        shares = what == "SO_REUSEPORT"  # the kernel's choice is random
        show(what, *sockets, sends=("A", "B") if shares else ("A", "B", "other", "uni"))
        out([s.getsockname() for s in sockets])
        if shares:
            ask("uni", "uni", "uni")
            out("all to one:", sorted(heard(*sockets).split(" | ")))
        close(*sockets)

    a, b = member(A), member(B)
    a.setsockopt(0, MULTICAST_ALL, 0)
    show("IP_MULTICAST_ALL 0", a, b)
    b.close()
    show("one closed", a)
    b = member(A)
    out(err(a.setsockopt, 0, socket.IP_DROP_MEMBERSHIP, ip(A, ME)))
    show("one left", a, b)
    a.setsockopt(0, MULTICAST_ALL, 1)
    show("one left, IP_MULTICAST_ALL 1", a, b)
    close(a, b)
    a = member(A)
    close(member(A), member(A, B))
    show("others closed", a)
    pid = os.fork()  # a copy keeps the membership
    if pid == 0:
        time.sleep(0.5)
        os._exit(0)
    os.waitpid(pid, 0)
    show("a child ended", a)
    a.close()

    a, b, c = member(A), member(A), member(A, bound=ME)
    a.connect((PEER, 5301))
    b.connect((PEER, 5999))
    show("connected", a, b, c)
    out(a.getsockname(), b.getsockname(), a.getpeername())
    close(a, b, c)

    a, b = member(), member()
    out(err(a.setsockopt, 0, ADD_SOURCE, ip(A, ME, PEER)), err(b.setsockopt, 0, ADD_SOURCE, ip(A, ME, "10.9.1.77")))
    show("sources", a, b)
    out(err(b.setsockopt, 0, ADD_SOURCE, ip(A, ME, PEER)), err(a.setsockopt, 0, DROP_SOURCE, ip(A, ME, PEER)))
    a.setsockopt(0, MULTICAST_ALL, 0)
    show("other sources", a, b)
    close(a, b)
    a = member(A)
    out(err(a.setsockopt, 0, BLOCK, ip(A, ME, PEER)))
    show("blocked", a)
    out(err(a.setsockopt, 0, UNBLOCK, ip(A, ME, PEER)))
    show("not blocked any more", a)
    a.close()

    # Without SO_REUSEADDR a port number belongs to one socket.
    a = member(A, options=())
    b = socket.socket(type=socket.SOCK_DGRAM)
    out("in use", err(b.bind, ("", PORT)), err(b.bind, (A, PORT)), err(b.bind, (ME, PORT)))
    b.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    out("in use", err(b.bind, ("", PORT)))
    a.close()
    out("free", err(b.bind, ("", PORT)))
    b.close()
    close(a := member(bound=ME, options=()))
    a = member(bound=ME, options=())
    out("free", a.getsockname())
    a.close()

    # What sockets of the same machine send to each other.
    a, b, s = member(A), member(A, bound=A), socket.socket(type=socket.SOCK_DGRAM)
    s.setsockopt(0, socket.IP_MULTICAST_IF, ip(ME))
    s.sendto(b"own", (A, PORT))
    time.sleep(0.2)
    out("own:", heard(a, b))
    a.setsockopt(0, socket.IP_MULTICAST_IF, ip(ME))
    a.sendto(b"from-member", (A, PORT))
    s.sendto(b"to-me", (ME, PORT))
    time.sleep(0.2)
    out("own:", heard(a, b))
    s.connect((A, PORT))
    s.send(b"connected")
    time.sleep(0.2)
    out("own:", heard(a, b), s.getsockname()[0], s.getpeername())
    control.close()


def peer():
    link, _ = serve((PEER, 5299)).accept()
    s = socket.socket(type=socket.SOCK_DGRAM)
    s.bind((PEER, 5301))
    s.setsockopt(0, socket.IP_MULTICAST_IF, socket.inet_aton(PEER))
    places = {"A": (A, PORT), "B": (B, PORT), "other": ("239.3.0.9", PORT), "uni": (ME, PORT)}
    for line in link.makefile():
        for name in json.loads(line):
            s.sendto(name.encode(), places[name])
        link.sendall(b"d")
