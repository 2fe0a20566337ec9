# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Options of IP, of multicast and of buffers: which values are accepted, what reads back, and which errno the rest has;
before and after the socket becomes the card's.
"""

INT = struct.Struct("i")
NUMBERS = (0, 1, 2, 64, 255, 256, -1, -2, 1 << 20)
BYTES = (b"", b"\5", b"\5\0", INT.pack(7) + b"more")
OPTIONS = {
    "IP_TTL": (0, socket.IP_TTL),
    "IP_TOS": (0, socket.IP_TOS),
    "IP_MULTICAST_TTL": (0, socket.IP_MULTICAST_TTL),
    "IP_MULTICAST_LOOP": (0, socket.IP_MULTICAST_LOOP),
    "IP_MULTICAST_ALL": (0, 49),
    "SO_RCVBUF": (socket.SOL_SOCKET, socket.SO_RCVBUF),
    "SO_REUSEPORT": (socket.SOL_SOCKET, socket.SO_REUSEPORT),
}
A = "239.4.0.1"


def ip(*addresses):
    return b"".join(map(socket.inet_aton, addresses))


def values_of(s):
    return {name: err(s.getsockopt, *option) for name, option in OPTIONS.items()}


def each_value(s):
    for name, option in OPTIONS.items():
        for value in NUMBERS + BYTES:
            out(name, value, err(s.setsockopt, *option, value), err(s.getsockopt, *option))
        out(name, [err(s.getsockopt, *option, room) for room in (1, 2, 4, 8)])


def join_errors(s):
    join, drop, interface = socket.IP_ADD_MEMBERSHIP, socket.IP_DROP_MEMBERSHIP, socket.IP_MULTICAST_IF
    for what, option, value in (
        ("drop, not joined", drop, ip(A, ME)),
        ("join", join, ip(A, ME)),
        ("join twice", join, ip(A, ME)),
        ("join with an index of 0", join, ip("239.4.0.2", ME) + INT.pack(0)),
        ("join with an index of none", join, ip("239.4.0.3", ME) + INT.pack(4242)),
        ("join no group", join, ip("10.1.2.3", ME)),
        ("join on no interface", join, ip(A, "10.77.7.7")),
        ("join, short", join, ip(A)),
        ("join, nothing", join, b""),
        ("drop on another interface", drop, ip(A, "10.77.7.7")),
        ("drop", drop, ip(A, ME)),
        ("drop twice", drop, ip(A, ME)),
        ("drop, short", drop, ip(A)),
        ("drop with an index of 0", drop, ip("239.4.0.2", ME) + INT.pack(0)),
        ("source", 39, ip(A, ME, PEER)),
        ("source twice", 39, ip(A, ME, PEER)),
        ("source of a group without", 40, ip("239.4.0.9", ME, PEER)),
        ("block in a filter of sources", 38, ip(A, ME, PEER)),
        ("join what has sources", join, ip(A, ME)),
        ("drop a source that is not there", 40, ip(A, ME, "10.9.1.99")),
        ("drop the source", 40, ip(A, ME, PEER)),
        ("it is left", drop, ip(A, ME)),
        ("source, short", 39, ip(A, ME)),
        ("source of no group", 39, ip("10.1.2.3", ME, PEER)),
        ("interface", interface, ip(ME)),
        ("interface as a pair", interface, ip(A, ME)),
        ("interface with an index of 0", interface, ip(A, ME) + INT.pack(0)),
        ("no such interface", interface, ip("10.77.7.7")),
        ("interface, short", interface, b"\1\2"),
        ("any interface", interface, ip("0.0.0.0")),
        ("interface again", interface, ip(ME)),
        ("group_req, short", 42, bytes(8)),
        ("group_req of another family", 42, struct.pack("=I4xH126x", 0, socket.AF_INET6)),
    ):
        out(what, err(s.setsockopt, 0, option, value), s.getsockopt(0, interface, 4))
    count = 0
    while (result := err(s.setsockopt, 0, join, ip(f"239.5.0.{count}", ME))) is None:
        count += 1
    out("memberships", count, result)


def program():
    for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM):
        s = socket.socket(type=kind)
        out("fresh", values_of(s))
        for name, value in (("IP_TTL", 9), ("IP_TOS", 0x2B), ("SO_RCVBUF", 70000)):
            s.setsockopt(*OPTIONS[name], value)
        if kind == socket.SOCK_DGRAM:
            for name, value in (("IP_MULTICAST_TTL", 4), ("IP_MULTICAST_LOOP", 0), ("IP_MULTICAST_ALL", 0)):
                s.setsockopt(*OPTIONS[name], value)
        s.bind((ME, 5400))
        out("bound", values_of(s))
        each_value(s)
        out("groups of a bound one")
        if kind == socket.SOCK_DGRAM:
            join_errors(s)
        else:
            out(err(s.setsockopt, 0, socket.IP_ADD_MEMBERSHIP, ip(A, ME)), err(s.setsockopt, 0, 32, ip(ME)))
        s.close()
    s = socket.socket(type=socket.SOCK_DGRAM)
    out("groups before bind()")
    join_errors(s)
    out(s.getsockname(), err(s.bind, ("", 5401)), s.getsockname(), err(s.bind, ("", 5402)))
    s = socket.socket(type=socket.SOCK_DGRAM)
    out(err(s.setsockopt, 0, socket.IP_ADD_MEMBERSHIP, ip(A, ME)), err(s.bind, ("10.77.7.7", 5403)))


def peer():
    pass
