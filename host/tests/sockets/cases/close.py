# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What close() does to bytes in flight, with a receive buffer of each size and in each direction."""

SIZES = (None, 2304, 20000, 65536, 1 << 20)


def program():
    control = dial((PEER, 5432))  # the peer listens
    for size in SIZES:
        for read in (0, 5000):  # everything that the peer has sent
            s = socket.socket()
            if size is not None:
                s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, size)
            s.connect((PEER, 5430))
            s.sendall(b"x" * 300000)
            while read:
                read -= len(s.recv(read))
            s.close()
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 20000)
    server.bind((ME, 5431))
    server.listen()
    control.close()
    s, _ = server.accept()
    s.sendall(b"x" * 300000)
    s.close()


def read_all(s):
    count = 0
    while isinstance(data := err(s.recv, 65536), bytes) and data:
        count += len(data)
    return count, data


def peer():
    server = serve((PEER, 5430))
    control, _ = serve((PEER, 5432)).accept()
    for size in SIZES:
        for read in (0, 5000):
            s, _ = server.accept()
            s.sendall(b"y" * read)
            out(size, read, *read_all(s))
            s.close()
    control.recv(1)
    out(*read_all(dial((ME, 5431))))
