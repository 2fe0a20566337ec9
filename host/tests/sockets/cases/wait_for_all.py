# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""MSG_WAITALL when less arrives: the error that ends the wait is for the next call, and is not lost."""

ALL, PEEK, NOW, TRUNC = socket.MSG_WAITALL, socket.MSG_PEEK, socket.MSG_DONTWAIT, socket.MSG_TRUNC
LATE_S, SOON_S = 0.3, 0.08
LARGE = 3_000_000  # more than the buffers hold


def limited(link, flags):
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 0, 200_000))
    start = time.monotonic()
    got = text_of(err(link.recv, 5000, flags))
    return got, 0.15 < time.monotonic() - start < 1


def scattered(link, flags, sizes=(0, 70, 0, 7, 9000)):
    buffers = [bytearray(size) for size in sizes]
    got = err(link.recvmsg_into, buffers, 0, flags)
    return got[:3] if isinstance(got, tuple) else got, [sum(buffer) for buffer in buffers]


def interrupted(link, flags):
    signal.signal(signal.SIGALRM, stopped)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        return text_of(err(link.recv, 5000, flags))
    except InterruptedError:
        return "interrupted"


def stopped(*_):
    raise InterruptedError


def discarded(link, flags, size=5000):
    buffer = bytearray(size)
    return err(link.recv_into, buffer, size, flags | TRUNC), sum(buffer)


WAYS = {
    "recv": lambda link, flags: text_of(err(link.recv, 5000, flags)),
    "recvfrom": lambda link, flags: err(link.recvfrom_into, bytearray(5000), 5000, flags),
    "recvmsg": scattered,
    "exactly": lambda link, flags: text_of(err(link.recv, 100, flags)),
    "peek": lambda link, flags: text_of(err(link.recv, 5000, flags | PEEK)),
    "peek exactly": lambda link, flags: text_of(err(link.recv, 100, flags | PEEK)),
    "discard": discarded,
    "peek discard": lambda link, flags: discarded(link, flags | PEEK),
    "nothing": lambda link, flags: scattered(link, flags, ()),
}
# (way, flags, whether the end comes during the call, the end, bytes sent)
STEPS = [
    (way, flags, late, end, 100)
    for way in WAYS
    for flags, late, end in (
        (ALL | NOW, False, "reset"),
        (ALL, False, "reset"),
        (ALL, True, "reset"),
        (ALL, True, "close"),
    )
]
STEPS += [(way, 0, False, "reset", 100) for way in ("recvmsg", "discard", "peek discard")]
STEPS += [(way, ALL, False, end, 0) for way in ("recv", "recvmsg", "peek") for end in ("reset", "close")]


def program():
    server = serve((ME, 5441))
    for way, flags, late, end, count in STEPS:
        link, _ = server.accept()
        time.sleep(0 if late else SOON_S)
        out(way, hex(flags), "late" if late else "early", end, count, WAYS[way](link, flags))
        for call in (WAYS["recv"], WAYS["exactly"]):
            out(" then", call(link, NOW))
        out(" error", link.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))
        link.close()
    for call in (limited, interrupted):
        link, _ = server.accept()
        time.sleep(SOON_S)
        out(call(link, ALL), text_of(err(link.recv, 5000, NOW)))
        link.close()
    for call in (lambda link: text_of(err(link.recv, LARGE, ALL)), lambda link: discarded(link, ALL, LARGE)):
        link, _ = server.accept()
        out(call(link), call(link))
        link.close()


def peer():
    for _, _, late, end, count in STEPS:
        link = dial((ME, 5441))
        link.send(data_of(count))
        time.sleep(LATE_S if late else 0)
        if end == "reset":
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        link.close()
    for _ in range(2):
        link = dial((ME, 5441))
        link.send(data_of(100))
        link.recv(1)
    for _ in range(2):
        link = dial((ME, 5441))
        link.sendall(data_of(LARGE + 1000))
        link.close()
