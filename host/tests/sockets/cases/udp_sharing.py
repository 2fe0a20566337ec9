# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Several sockets on one UDP port number: which one receives what is sent to the card's address, a group or the
network's broadcast address, and when the peer learns that none does.
"""

REUSE, SHARE = socket.SO_REUSEADDR, socket.SO_REUSEPORT
PORT, GROUP = 6001, "239.9.9.9"


def udp(*options, bound=None, group=None):
    s = socket.socket(type=socket.SOCK_DGRAM)
    for option in options:
        s.setsockopt(socket.SOL_SOCKET, option, 1)
    if bound is not None:
        s.bind((bound, PORT))
    if group is not None:
        s.setsockopt(0, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(group) + socket.inet_aton(ME))
    return s


def ask(what):
    control.sendall(what.encode() + b"\n")
    assert control.recv(1) == b"d"


def heard(*sockets):
    time.sleep(0.2)
    result = []
    for s in sockets:
        s.setblocking(False)
        texts = []
        while isinstance(data := err(s.recv, 100), bytes):
            texts.append(data.decode())
        result.append(sorted(texts))
    return result


def close(*sockets):
    for s in sockets:
        s.close()


def program():
    global control
    control = dial((PEER, 6000))
    a, b = udp(REUSE, bound=ME), udp(REUSE, bound=ME)
    ask("unicast")
    out("the last one", heard(a, b))
    b.close()
    ask("unicast")
    out("the other", heard(a))
    b = udp(REUSE, bound=ME)
    b.connect((PEER, 6002))
    ask("unicast")
    out("connected to the sender", heard(a, b), b.getsockname(), b.getpeername())
    b.connect((PEER, 6003))
    ask("unicast")
    out("connected to another", heard(a, b))
    a.close()
    ask("refused")  # only the connected one exists
    out(err(b.listen))
    b.close()
    ask("refused")

    a, b = udp(SHARE, bound=ME), udp(SHARE, bound=ME)
    ask("many")
    texts = heard(a, b)
    out("shared by peers", len(texts[0] + texts[1]), all(texts))
    others = [udp(*options) for options in ((), (REUSE,), (SHARE,))]
    out([err(s.bind, (ME, PORT)) for s in others])
    close(a, b, *others)

    a, b = udp(REUSE, bound=GROUP, group=GROUP), udp(REUSE, bound=ME)
    ask("both")
    out("group and unicast", heard(a, b))
    close(a, b)
    a = udp(bound=GROUP, group=GROUP)
    ask("refused")
    b = udp(bound=ME)  # another address: no conflict
    ask("both")
    out(heard(a, b))
    a.sendto(b"from a group's socket", (PEER, 6002))
    ask("reply")
    ask("both")
    a.setblocking(True)
    out(a.recvfrom(100), a.getsockname())
    close(a, b)

    a, b = udp(REUSE, bound="", group=GROUP), udp(REUSE, bound="", group=GROUP)
    ask("broadcast")
    out("broadcast", heard(a, b))
    close(a, b)
    many = [udp(REUSE, bound="", group=GROUP) for _ in range(20)]
    ask("both")
    out("many", heard(*many))
    close(*many)
    control.close()


def peer():
    link, _ = serve((PEER, 6000)).accept()
    s = socket.socket(type=socket.SOCK_DGRAM)
    s.bind((PEER, 6002))
    s.setsockopt(0, socket.IP_MULTICAST_IF, socket.inet_aton(PEER))
    s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    s.settimeout(5)
    for line in link.makefile():
        what = line.strip()
        if what in ("unicast", "both"):
            s.sendto(b"unicast", (ME, PORT))
        if what == "both":
            s.sendto(b"group", (GROUP, PORT))
        if what == "broadcast":
            s.sendto(b"broadcast", ("10.9.1.255", PORT))
        if what == "many":
            for _ in range(60):
                socket.socket(type=socket.SOCK_DGRAM).sendto(b"m", (ME, PORT))
        while what == "reply" and not out_reply(s):
            pass
        if what == "refused":
            t = socket.socket(type=socket.SOCK_DGRAM)
            t.settimeout(5)
            t.connect((ME, PORT))
            t.send(b"anybody?")
            out(err(t.recv, 9))
        link.sendall(b"d")


def out_reply(s):
    """Prints what was received, except refusals of earlier datagrams."""
    try:
        out(s.recvfrom(100))
        return True
    except ConnectionRefusedError:
        return False
