# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""While one thread sends and gets errors, another one receives: each datagram reaches it."""

CLOSED, COUNT = 5519, 400


def sending(link, over):
    while not over.is_set():
        err(link.send, b"to nobody")
        link.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)


def program():
    control = dial((PEER, 5510))
    link = socket.socket(type=socket.SOCK_DGRAM)
    link.bind((ME, 5511))
    link.connect((PEER, CLOSED))
    over = threading.Event()
    thread = threading.Thread(target=sending, args=(link, over))
    thread.start()
    got = []
    link.settimeout(10)
    while len(got) < COUNT:
        control.sendall(b".")  # then the peer opens the port for one datagram
        while not isinstance(data := err(link.recv, 100), bytes):
            pass
        got.append(data)
    over.set()
    thread.join()
    out(len(got), got == [b"%d" % n for n in range(COUNT)])


def peer():
    control, _ = serve((PEER, 5510)).accept()
    for n in range(COUNT):
        control.recv(1)
        link = socket.socket(type=socket.SOCK_DGRAM)
        link.bind((PEER, CLOSED))
        link.sendto(b"%d" % n, (ME, 5511))
        link.close()
