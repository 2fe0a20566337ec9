# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A case of side_by_side.py with calls drawn from SEED, which a line before this text sets.

The program makes random calls on a few UDP sockets, the peer sends to their ports and to groups, and both print what
they receive.
"""

ROUNDS, STEPS, SOCKETS = 4, 24, 3
SETTLE_S = 0.04  # until the other end's actions have arrived
PEER_PORTS, CLOSED, PORTS, GROUPS = (5451, 5452), 5459, (5461, 5462, 5463), ("239.4.5.6", "239.4.5.7")
KNOWN = (*PEER_PORTS, CLOSED, *PORTS)
PEERS = [(PEER, port) for port in PEER_PORTS]
TARGETS = PEERS * 3 + [(ME, PORTS[0]), (ME, PORTS[1]), (PEER, 0)]
FIONREAD, SIOCOUTQ = 0x541B, 0x5411
MOST = 65507
SIZES, BIG = (0, 1, 18, 100, 1472, 1473, 4000), (9000, 20000, MOST, MOST + 1)
FLAGS = {"": 0, "peek": socket.MSG_PEEK, "wait": socket.MSG_WAITALL, "whole": socket.MSG_TRUNC}
FLAGS["peek whole"] = socket.MSG_PEEK | socket.MSG_TRUNC
SOL, IP = socket.SOL_SOCKET, socket.IPPROTO_IP
OPTIONS = {
    "type": (SOL, socket.SO_TYPE),
    "domain": (SOL, socket.SO_DOMAIN),
    "protocol": (SOL, socket.SO_PROTOCOL),
    "listens": (SOL, socket.SO_ACCEPTCONN),
    "error": (SOL, socket.SO_ERROR),
    "reuse": (SOL, socket.SO_REUSEADDR),
    "share": (SOL, socket.SO_REUSEPORT),
    "broadcast": (SOL, socket.SO_BROADCAST),
    "keepalive": (SOL, socket.SO_KEEPALIVE),
    "ttl": (IP, socket.IP_TTL),
    "tos": (IP, socket.IP_TOS),
    "group ttl": (IP, socket.IP_MULTICAST_TTL),
    "loop": (IP, socket.IP_MULTICAST_LOOP),
    "all groups": (IP, 49),
    "receive ttl": (IP, 12),
    "receive tos": (IP, 13),
}
MAY_SET = ("broadcast", "keepalive", "ttl", "tos", "group ttl", "loop", "all groups")
libc = ctypes.CDLL(None, use_errno=True)


def received(link, count, flag):
    buffer = bytearray(count)
    got = err(link.recvfrom_into, buffer, 0, FLAGS[flag] | socket.MSG_DONTWAIT)
    return (got[0], sum(buffer), name_of(got[1], KNOWN)) if isinstance(got, tuple) else got


def received_message(link, count, room):
    got = err(link.recvmsg, count, room, socket.MSG_DONTWAIT)
    if not isinstance(got, tuple):
        return got
    return text_of(got[0]), [(*item[:2], item[2].hex()) for item in got[1]], got[2], name_of(got[3], KNOWN)


def sent(link, count, kind):
    data = data_of(count)
    if link.getsockname()[1] == 0:
        return "unbound"  # Linux binds it to a port even if the send fails
    if kind == "message":
        return err(link.sendmsg, [data[:10], data[10:]], [], socket.MSG_DONTWAIT)
    if kind == "write":
        return err(os.write, link.fileno(), data)
    return err(link.send, data, socket.MSG_DONTWAIT)


def sent_to(link, count, target, kind):
    data = data_of(count)
    if link.getsockname()[1] == 0 and (count > MOST or target[1] == 0):
        return "unbound"
    if kind == "message":
        return err(link.sendmsg, [data], [], socket.MSG_DONTWAIT, target)
    return err(link.sendto, data, socket.MSG_DONTWAIT, target)


def disconnected(link):
    unspecified = struct.pack("=H14x", socket.AF_UNSPEC)
    if libc.connect(link.fileno(), unspecified, len(unspecified)) < 0:
        return errno.errorcode[ctypes.get_errno()]
    return name_of(err(link.getpeername), KNOWN)


def names(link):
    return name_of(link.getsockname(), KNOWN), name_of(err(link.getpeername), KNOWN)


def option_set(link, name, value):
    return err(link.setsockopt, *OPTIONS[name], value), err(link.getsockopt, *OPTIONS[name])


def number_of(link, what):
    number = bytearray(4)
    return err(fcntl.ioctl, link, what, number), int.from_bytes(number, "little")


def membership(link, option, group):
    return err(link.setsockopt, IP, option, socket.inet_aton(group) + socket.inet_aton(ME))


def refused(link, chance):
    """No socket has the port: the next call reports it. Earlier datagrams are read first; Linux delivers them later."""
    if link.getsockname()[0] == "0.0.0.0":
        return "unbound"
    said = [err(link.connect, (PEER, CLOSED))]
    while isinstance(err(link.recv, 1, socket.MSG_DONTWAIT), bytes):
        pass
    for _ in range(5):  # a kernel may limit the rate of ICMP errors to a few a second
        said.append(err(link.send, b"to nobody"))
        if select.select([link], [], [], 1.2)[0]:
            break
    for call in chance.choices(("send", "send to", "receive", "receive message", "error", "bytes", "connect"), k=3):
        if call == "error":
            said.append((call, link.getsockopt(SOL, socket.SO_ERROR)))
        elif call != "connect" or chance.random() < 0.5:
            said.append((call, CALLS[call](link, chance)))
        time.sleep(SETTLE_S)  # a datagram that was sent is refused again
    said.append(disconnected(link))
    while err(link.recv, 1, socket.MSG_DONTWAIT) != "EAGAIN":
        pass
    return said


def timed_out(link):
    err(link.setsockopt, SOL, socket.SO_RCVTIMEO, struct.pack("ll", 0, 20_000))
    return text_of(err(link.recv, 2000))


def shut(link):
    """Shuts down a socket of the card for sending: what arrives after SHUT_RD is dropped there (README.md)."""
    return "unbound" if link.getsockname()[0] == "0.0.0.0" else err(link.shutdown, 1)


def size(chance):
    return chance.choice(BIG if chance.random() < 0.1 else SIZES)


CALLS = {
    "bind": lambda link, chance: err(link.bind, (ME, chance.choice((0, *PORTS, *PORTS)))),
    "connect": lambda link, chance: (err(link.connect, chance.choice(PEERS)), names(link)),
    "disconnect": lambda link, chance: disconnected(link),
    "send": lambda link, chance: sent(link, size(chance), chance.choice(("", "message", "write"))),
    "send to": lambda link, chance: sent_to(link, size(chance), chance.choice(TARGETS), chance.choice(("", "message"))),
    "receive": lambda link, chance: received(link, chance.choice((0, 1, 100, 9000)), chance.choice(tuple(FLAGS))),
    "receive message": lambda link, chance: received_message(
        link, chance.choice((1, 100, 9000)), chance.choice((0, 200))
    ),
    "poll": lambda link, chance: events(link, 0),
    "names": lambda link, chance: names(link),
    "get": lambda link, chance: err(link.getsockopt, *OPTIONS[chance.choice(tuple(OPTIONS))]),
    "set": lambda link, chance: option_set(link, chance.choice(MAY_SET), chance.choice((0, 1, 7))),
    "bytes": lambda link, chance: number_of(link, FIONREAD),
    "outstanding": lambda link, chance: number_of(link, SIOCOUTQ),
    "wait": lambda link, chance: timed_out(link),
    "refused": refused,
    "shutdown": lambda link, chance: shut(link),
    "join": lambda link, chance: membership(link, socket.IP_ADD_MEMBERSHIP, chance.choice(GROUPS)),
    "leave": lambda link, chance: membership(link, socket.IP_DROP_MEMBERSHIP, chance.choice(GROUPS)),
    "listen": lambda link, chance: err(link.listen, 1),
    "accept": lambda link, chance: err(link.accept),
}
WEIGHTS = {"bind": 2, "connect": 2, "send": 5, "send to": 5, "receive": 6, "receive message": 5, "poll": 4}
WEIGHTS |= {name: 0.4 for name in ("listen", "accept", "shutdown", "wait")}


def story(chance, shares):
    """Which end makes which call, on which socket (the peer: to which port), with which draws. Among sockets that share
    a port, Linux also considers on which processor a formerly connected one last received: these are never connected.
    """
    names = [name for name in CALLS if not (shares and name in ("connect", "disconnect", "refused"))]
    kinds = chance.choices(names, [WEIGHTS.get(name, 1) for name in names], k=STEPS)
    peers = [chance.random() < 0.35 for _ in kinds]
    return [
        ("peer" if peer else "program", chance.randrange(SOCKETS), kind, chance.randrange(2**32))
        for peer, kind in zip(peers, kinds, strict=True)
    ]


def prepared(chance, shares):
    link = socket.socket(type=socket.SOCK_DGRAM)
    for name in ("receive ttl", "receive tos", "reuse"):
        if chance.random() < 0.3 if name != "reuse" else shares:
            link.setsockopt(*OPTIONS[name], 1)
    if chance.random() < 0.7:
        out("binds", err(link.bind, (ME, chance.choice(PORTS))))
    return link


def program():
    chance, control = random.Random(SEED), dial((PEER, 5450))
    for _ in range(ROUNDS):
        shares = chance.random() < 0.3
        steps = story(chance, shares)
        links = [prepared(random.Random(chance.random()), shares) for _ in range(SOCKETS)]
        control.sendall(b".")
        for number, (who, place, kind, seed) in enumerate(steps):
            if who == "peer":
                control.recv(1)
                continue
            out(number, place, kind, CALLS[kind](links[place], random.Random(seed)))
            time.sleep(SETTLE_S)
            control.sendall(b".")
        for link in links:
            link.close()
        control.recv(1)


def emptied(link):
    link.setblocking(False)
    while isinstance(got := err(link.recvfrom, 70_000), tuple):
        out("got", text_of(got[0]), name_of(got[1], KNOWN))


def peer():
    chance, links = random.Random(SEED), []
    for port in PEER_PORTS:
        links.append(socket.socket(type=socket.SOCK_DGRAM))
        links[-1].bind((PEER, port))
        links[-1].setsockopt(IP, socket.IP_MULTICAST_IF, socket.inet_aton(PEER))
        links[-1].setsockopt(IP, socket.IP_MULTICAST_LOOP, 1)
    control, _ = serve((PEER, 5450)).accept()
    for _ in range(ROUNDS):
        steps, _ = story(chance, chance.random() < 0.3), [chance.random() for _ in range(SOCKETS)]
        control.recv(1)
        for who, place, _, seed in steps:
            if who != "peer":
                control.recv(1)
                continue
            own = random.Random(seed)
            link = own.choice(links)
            target = own.choice((ME, ME, ME, *GROUPS)), PORTS[place]
            err(link.sendto, data_of(own.choice(SIZES)), target)
            time.sleep(SETTLE_S)
            for link in links:
                emptied(link)
            control.sendall(b".")
        for link in links:
            emptied(link)
        control.sendall(b".")
