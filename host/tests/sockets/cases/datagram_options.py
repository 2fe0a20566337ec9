# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What a program learns about received datagrams depends on the options set when it reads them. A datagram that arrived
before has it, too, whoever set the option.
"""

SOL, IP = socket.SOL_SOCKET, socket.IPPROTO_IP
STAMP, STAMP_NS, TTL, TOS, PKTINFO = 29, 35, 12, 13, 8
# Not SO_TIMESTAMPING: the kernel has its time only if any socket of the machine requested times when the datagram
# arrived.
OPTIONS = [(SOL, STAMP), (SOL, STAMP_NS), (IP, TTL), (IP, TOS), (IP, PKTINFO)]
SETTLE_S = 0.05


def by_child(function, *arguments):
    if (child := os.fork()) == 0:
        function(*arguments)
        os._exit(0)
    os.waitpid(child, 0)


def at_once(function, *arguments):
    function(*arguments)


def kinds(link):
    data, ancillary, flags, _ = link.recvmsg(100, 200)
    return data, [(level, kind, len(what)) for level, kind, what in ancillary], flags


def program():
    control = dial((PEER, 5460))
    for level, name in OPTIONS:
        for way in (at_once, by_child):
            link = socket.socket(type=socket.SOCK_DGRAM)
            link.bind((ME, 5461))
            link.connect((PEER, 5462))
            control.sendall(b".")
            control.recv(1)
            time.sleep(SETTLE_S)
            before = kinds(link)
            way(link.setsockopt, level, name, 1)
            time.sleep(SETTLE_S if way is by_child else 0)  # by_child: ullnicd is polled at most once a millisecond
            on = kinds(link)
            way(link.setsockopt, level, name, 0)
            time.sleep(SETTLE_S if way is by_child else 0)
            out(level, name, way.__name__, before, on, kinds(link))
            link.close()


def peer():
    control, _ = serve((PEER, 5460)).accept()
    link = socket.socket(type=socket.SOCK_DGRAM)
    link.bind((PEER, 5462))
    while control.recv(1):
        for data in (b"before", b"on", b"off"):
            link.sendto(data, (ME, 5461))
        control.sendall(b".")
