# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""shutdown() ends a stream gracefully, whatever SO_LINGER says of close(): with or without data, before or after the
peer's end, in one direction or both, and with received data that nobody has read.
"""

import itertools

HOWS = (socket.SHUT_WR, socket.SHUT_RDWR)
WAYS = list(itertools.product(HOWS, (False, True), ("program", "peer"), (b"", b"abc"), (b"", b"peer's")))
SETTLE_S = 0.04  # until the other end's actions have arrived
RESET_AT_CLOSE = struct.pack("ii", 1, 0)


def meet(control):
    time.sleep(SETTLE_S)
    control.sendall(b".")
    control.recv(1)


def program():
    server = serve((ME, 5450))
    control, _ = server.accept()
    for how, resets, first, data, _ in WAYS:
        link, _ = server.accept()
        if resets:
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_AT_CLOSE)
        link.send(data)
        meet(control)
        if first == "peer":
            meet(control)
        shut = err(link.shutdown, how)
        meet(control)
        link.setblocking(False)
        out(how, resets, first, data, shut, err(link.recv, 10), err(link.recv, 10), err(link.send, b"x"))
        out(err(link.setsockopt, socket.IPPROTO_TCP, socket.TCP_NODELAY, 1), err(link.getsockname)[1])
        meet(control)
        meet(control)
        link.close()


def peer():
    control = dial((ME, 5450))
    for how, resets, first, _, data in WAYS:
        link = dial((ME, 5450))
        link.send(data)
        meet(control)
        if first == "peer":
            link.shutdown(socket.SHUT_WR)
            meet(control)
        meet(control)
        meet(control)
        link.setblocking(False)
        out(how, resets, first, data, err(link.recv, 10), err(link.recv, 10), tcp_state(link))
        err(link.shutdown, socket.SHUT_WR)
        meet(control)
        link.close()
