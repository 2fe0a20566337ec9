# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Sizes and counts up to their limits and one beyond; a descriptor number that is reused."""

GROUP, ADD_SOURCE, DROP_SOURCE, BLOCK, UNBLOCK = "239.8.0.1", 39, 40, 38, 37
SIZES = (0, 1, 1471, 1472, 1473, 2944, 2953, 65506, 65507)


def ip(*addresses):
    return b"".join(map(socket.inet_aton, addresses))


def digest(data):
    return len(data), hashlib.sha256(data).hexdigest()[:12]


def udp(port, timeout=5):
    s = socket.socket(type=socket.SOCK_DGRAM)
    s.bind((ME, port))
    s.settimeout(timeout)
    return s


def datagrams():
    """Datagrams of every size, in both directions, on a bound and on a connected socket; into buffers that are too
    small.
    """
    bound, connected = udp(5601), socket.socket(type=socket.SOCK_DGRAM)
    connected.settimeout(5)
    connected.connect((PEER, 5600))
    for s in (bound, connected):
        for size in SIZES:
            data = random.Random(size).randbytes(size)
            out(size, s.sendto(data, (PEER, 5600)) if s is bound else s.send(data))
            out("back", *digest(s.recv(70000)))
        out("too long", err(s.sendto if s is bound else s.send, *[bytes(65508)] + [(PEER, 5600)] * (s is bound)))
        for room in (0, 1, 99, 100, 101):
            for flags in (0, socket.MSG_TRUNC, socket.MSG_PEEK, socket.MSG_PEEK | socket.MSG_TRUNC):
                s.sendto(b"x" * 100, (PEER, 5600)) if s is bound else s.send(b"x" * 100)
                memory = bytearray(room)
                got, _, msg_flags, address = s.recvmsg_into([memory], 0, flags)
                out("room", room, flags, got, memory.count(b"x"), msg_flags, address)
                if flags & socket.MSG_PEEK:
                    out("peeked", len(s.recv(200)))
        pieces = [bytes([i]) * i for i in range(63)] + [b""]  # 64, two of them empty
        out("pieces", s.sendmsg(pieces, [], 0, *[(PEER, 5600)] * (s is bound)), *digest(s.recv(9000)))
        rooms = [bytearray(i % 3) for i in range(64)]
        s.sendto(bytes(range(70)), (PEER, 5600)) if s is bound else s.send(bytes(range(70)))
        out("into pieces", s.recvmsg_into(rooms)[::2], b"".join(rooms).hex())
    burst = 130  # more than ullnicd sends at once
    for i in range(burst):
        bound.sendto(b"burst %d" % i, (PEER, 5602))
    out("burst", bound.recv(100))
    bound.close()
    connected.close()


def heard(s, wanted):
    """What the peer sends to the group from now on."""
    control.sendall(b"g")
    control.recv(1)
    s.settimeout(5 if wanted else 0.3)
    return err(s.recv, 100)


def sources():
    """Ten sources of a group: the peer's is kept at any place among the others, while others leave."""
    others = [f"10.9.1.{100 + i}" for i in range(10)]
    for includes in (True, False):
        add, drop = (ADD_SOURCE, DROP_SOURCE) if includes else (BLOCK, UNBLOCK)
        for place in (0, 4, 9):
            s = socket.socket(type=socket.SOCK_DGRAM)
            s.bind(("", 5604))
            s.setsockopt(0, 49, 0)  # IP_MULTICAST_ALL
            if not includes:
                s.setsockopt(0, socket.IP_ADD_MEMBERSHIP, ip(GROUP, ME))
            all_of = others[:place] + [PEER] + others[place:9]
            out(includes, place, [err(s.setsockopt, 0, add, ip(GROUP, ME, source)) for source in all_of])
            out("one more", err(s.setsockopt, 0, add, ip(GROUP, ME, others[9])))
            out("twice", [err(s.setsockopt, 0, add, ip(GROUP, ME, source)) for source in all_of[::3]])
            for gone in (0, 8, 3):
                left = [source for source in all_of if source != PEER]
                all_of.remove(left[gone % len(left)])
                out(err(s.setsockopt, 0, drop, ip(GROUP, ME, left[gone % len(left)])))
                out("gone", err(s.setsockopt, 0, drop, ip(GROUP, ME, left[gone % len(left)])))
            out("heard", heard(s, includes))
            out(err(s.setsockopt, 0, drop, ip(GROUP, ME, PEER)))
            out("heard", heard(s, not includes))
            out("all", [err(s.setsockopt, 0, drop, ip(GROUP, ME, source)) for source in all_of])
            s.close()


def streams():
    """Bytes that are discarded (MSG_TRUNC), before and after ordinary reads; empty parts of a send."""
    s = dial((PEER, 5603))
    for size in (1, 16383, 16384, 16385, 40000):
        left = size
        while left > 0:  # as much of it as has arrived
            left -= len(s.recv(left, socket.MSG_TRUNC))
        out("away", size, left)
    taken = 1 + 16383 + 16384 + 16385 + 40000
    out("peek", s.recv(1, socket.MSG_PEEK), s.recv(5, socket.MSG_WAITALL))
    data = b""
    while len(data) < 100000 - taken - 5:
        data += s.recv(70000)
    out(digest(data))
    pieces = [b"", b"a" * 5, b"", b"", b"b" * 3000] + [b"c"] * 100 + [b""]
    out("gathered", s.sendmsg(pieces), s.sendmsg([]), s.sendmsg([b""]), s.send(b""))
    s.shutdown(socket.SHUT_WR)
    out(s.recv(100), s.recv(100))
    s.close()


def numbers():
    """The number of a former accelerated socket becomes a file, a new socket, a copy of another one."""
    a, b = dial((PEER, 5605)), dial((PEER, 5605))
    fd = a.fileno()
    with tempfile.TemporaryFile() as file:
        file.write(b"file")
        file.seek(0)
        os.dup2(file.fileno(), fd)
        out("a file", os.read(fd, 10), err(a.getpeername), err(a.getsockopt, socket.SOL_SOCKET, socket.SO_TYPE))
    os.dup2(b.fileno(), fd)
    out("a copy", a.getpeername(), a.send(b"by the copy"), b.recv(100))
    b.close()
    out("the copy stays", a.send(b"again"), a.recv(100))
    a.close()
    fresh = socket.socket()
    out("fresh", fresh.fileno() in (fd, fd + 1), err(fresh.getpeername), err(fresh.send, b"x"))
    out(fresh.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR), fresh.getsockopt(socket.IPPROTO_TCP, 1))
    fresh.close()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(30):
        s = dial((PEER, 5605))
        s.send(b"x")
        s.recv(1)
        s.close()
        u = udp(5606)
        u.close()
    time.sleep(0.1)
    out("descriptors", len(os.listdir("/proc/self/fd")) - before)


def watching():
    """Sockets that are watched before they connect, more than 16 of them; some are unwatched later."""
    poller, links = select.epoll(), [socket.socket() for _ in range(20)]
    for i, link in enumerate(links):
        poller.register(link, select.EPOLLIN | (select.EPOLLET if i % 2 else 0))
    for i in (0, 7, 19):
        poller.unregister(links[i])
    poller.modify(links[5], select.EPOLLOUT)
    links[11].close()
    for i, link in enumerate(links):
        if i != 11:
            link.connect((PEER, 5605))
    poller.poll(0)
    for i, link in enumerate(links):
        if i not in (5, 11):
            link.send(b"x")
    events, end = {}, time.monotonic() + 10
    while len(events) < 16 and time.monotonic() < end:
        events |= dict(poller.poll(0.2))
    out("events", [(i, events.get(link.fileno())) for i, link in enumerate(links) if i != 11])
    for link in links:
        link.close()
    out("none left", poller.poll(0))


def program():
    global control
    control = dial((PEER, 5607))
    for part in (datagrams, sources, streams, numbers, watching):
        out(part.__name__)
        part()
    control.close()


def peer():
    def echo(link):
        while isinstance(data := err(link.recv, 65536), bytes) and data:
            link.sendall(data)
        link.close()

    def echo_all(server):
        while True:
            threading.Thread(target=echo, args=(server.accept()[0],), daemon=True).start()

    def reflect(s):
        while True:
            s.sendto(*s.recvfrom(70000))

    def count(s):
        seen, address = [], None
        while len(seen) < 130:
            data, address = s.recvfrom(100)
            seen.append(int(data.split()[1]))
        s.sendto(b"%d in order: %d" % (len(seen), seen == sorted(seen)), address)

    def stream(server):
        link, _ = server.accept()
        link.sendall(b"".join(struct.pack(">I", place) for place in range(25000)))
        data = b""
        while piece := link.recv(65536):
            data += piece
        link.sendall(repr(digest(data)).encode())
        link.close()

    for port, serve_it in ((5600, reflect), (5602, count)):
        s = socket.socket(type=socket.SOCK_DGRAM)
        s.bind((PEER, port))
        threading.Thread(target=serve_it, args=(s,), daemon=True).start()
    for port, serve_it in ((5603, stream), (5605, echo_all)):
        threading.Thread(target=serve_it, args=(serve((PEER, port)),), daemon=True).start()
    sender = socket.socket(type=socket.SOCK_DGRAM)
    sender.setsockopt(0, socket.IP_MULTICAST_IF, ip(PEER))
    link, _ = serve((PEER, 5607)).accept()
    while link.recv(1):
        sender.sendto(b"to the group", (GROUP, 5604))
        link.sendall(b"d")
