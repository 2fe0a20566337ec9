# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What is set on one descriptor of a socket applies to its copies, in this process, a child, and another program."""

SOL, TIMES = socket.SOL_SOCKET, 29
TO_ALL = ("10.9.1.255", 5482)


def received(link):
    select.select([link], [], [], 5)
    data, items, _, _ = link.recvmsg(100, 200)
    return data, [(level, kind, len(value)) for level, kind, value in items]


def allowed(link):
    return err(link.sendto, b"to all", TO_ALL) != "EACCES"


def in_child(function, link):
    front, back = os.pipe()
    if (child := os.fork()) == 0:
        os.write(back, repr(function(link)).encode())
        os._exit(0)
    os.close(back)
    os.waitpid(child, 0)
    with open(front) as file:
        return file.read()


def passed(link):
    ours, its = socket.socketpair()
    with ours, its:
        socket.send_fds(ours, [b"x"], [link.fileno()])
        return socket.socket(fileno=socket.recv_fds(its, 1, 1)[1][0])


def program():
    control = dial((PEER, 5480))
    link = socket.socket(type=socket.SOCK_DGRAM)
    link.bind((ME, 5481))
    copies = {"dup": link.dup(), "passed": passed(link)}
    for value in (1, 0):
        for who in (link, *copies.values()):
            who.setsockopt(SOL, socket.SO_BROADCAST, value)
            out(value, [allowed(each) for each in (link, *copies.values())], in_child(allowed, link))
            who.setsockopt(SOL, socket.SO_BROADCAST, 1 - value)
        link.setsockopt(SOL, socket.SO_BROADCAST, value)
    for who, name in ((link, "first"), *zip(copies.values(), copies, strict=True)):
        for value in (1, 0):
            who.setsockopt(SOL, TIMES, value)
            for reader in (link, *copies.values()):
                control.sendall(b".")
                out(name, value, received(reader), err(reader.getsockopt, SOL, TIMES))
            control.sendall(b".")
            out(in_child(received, link))
    copies["dup"].connect((PEER, 5482))
    out([err(each.send, b"connected") for each in (link, *copies.values())], link.getpeername())
    server = serve((ME, 5483))
    twin = passed(server)
    control.sendall(b".")
    select.select([twin], [], [], 5)
    near, _ = twin.accept()
    near.sendall(b"accepted on a copy")
    copy = near.dup()
    near.setsockopt(SOL, socket.SO_LINGER, struct.pack("ii", 1, 0))
    near.close()
    out(copy.send(b"still there"))
    control.recv(1)
    copy.close()  # with a reset: the option is the socket's
    control.sendall(b".")
    control.recv(1)


def peer():
    server, link = serve((PEER, 5480)), socket.socket(type=socket.SOCK_DGRAM)
    link.bind((PEER, 5482))
    control, _ = server.accept()
    for _ in range(3 * 2 * 4):
        control.recv(1)
        link.sendto(b"data", (ME, 5481))
    out([link.recvfrom(100) for _ in range(3)])
    control.recv(1)
    far = dial((ME, 5483))
    data = b""
    while not data.endswith(b"there"):
        data += far.recv(100)
    out(data)
    control.sendall(b".")
    control.recv(1)
    time.sleep(0.1)
    out(err(far.recv, 10))
    control.sendall(b".")
