# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A case of side_by_side.py with calls drawn from SEED, which a line before this text sets.

Both ends of a few connections make random calls, in turns, and print the results.
"""

CONNECTIONS, STEPS = 4, 14
SETTLE_S = 0.04  # until the other end's actions have arrived
FIONREAD = 0x541B
FLAGS = {"": 0, "peek": socket.MSG_PEEK, "wait": socket.MSG_WAITALL, "both": socket.MSG_PEEK | socket.MSG_WAITALL}
DISCARDS = (0, socket.MSG_PEEK, socket.MSG_WAITALL)
OPTIONS = {
    "type": (socket.SOL_SOCKET, socket.SO_TYPE),
    "domain": (socket.SOL_SOCKET, socket.SO_DOMAIN),
    "protocol": (socket.SOL_SOCKET, socket.SO_PROTOCOL),
    "listens": (socket.SOL_SOCKET, socket.SO_ACCEPTCONN),
    "error": (socket.SOL_SOCKET, socket.SO_ERROR),
    "keepalive": (socket.SOL_SOCKET, socket.SO_KEEPALIVE),
    "reuse": (socket.SOL_SOCKET, socket.SO_REUSEADDR),
    "no delay": (socket.IPPROTO_TCP, socket.TCP_NODELAY),
    "cork": (socket.IPPROTO_TCP, socket.TCP_CORK),
    "idle": (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE),
    "user timeout": (socket.IPPROTO_TCP, 18),
}
MAY_SET = ("keepalive", "no delay", "idle")


def received(link, count, flag):
    got = err(link.recv, count, FLAGS[flag] | socket.MSG_DONTWAIT)
    return text_of(got)


def received_message(link, count):
    got = err(link.recvmsg, count, 100, socket.MSG_DONTWAIT)
    return (len(got[0]), got[1], got[2]) if isinstance(got, tuple) else got


def discarded(link, count, flags):
    data = bytearray(count)
    return err(link.recv_into, data, count, flags | socket.MSG_TRUNC | socket.MSG_DONTWAIT), sum(data)


def sent(link, count, kind):
    data = data_of(count)
    if kind == "message":
        return err(link.sendmsg, [data[:10], data[10:]], [], socket.MSG_DONTWAIT)
    if kind == "write":
        return err(os.write, link.fileno(), data)
    return err(link.send, data, socket.MSG_DONTWAIT)


def option_set(link, name, value):
    return err(link.setsockopt, *OPTIONS[name], value), err(link.getsockopt, *OPTIONS[name])


def waiting_bytes(link):
    number = bytearray(4)
    return err(fcntl.ioctl, link, FIONREAD, number), number[0] | number[1] << 8


CALLS = {
    "send": lambda link, chance: sent(
        link, chance.choice((1, 100, 1460, 5000)), chance.choice(("", "message", "write"))
    ),
    "recv": lambda link, chance: received(link, chance.choice((1, 50, 1460, 9000)), chance.choice(tuple(FLAGS))),
    "recvmsg": lambda link, chance: received_message(link, chance.choice((1, 50, 9000))),
    "discard": lambda link, chance: discarded(link, chance.choice((1, 50, 9000)), chance.choice(DISCARDS)),
    "poll": lambda link, chance: events(link),
    "shutdown": lambda link, chance: err(link.shutdown, 1),
    "get": lambda link, chance: err(link.getsockopt, *OPTIONS[chance.choice(tuple(OPTIONS))]),
    "set": lambda link, chance: option_set(link, chance.choice(MAY_SET), chance.choice((0, 1, 7))),
    "bytes": lambda link, chance: waiting_bytes(link),
    "state": lambda link, chance: tcp_state(link),
    "names": lambda link, chance: err(link.getpeername) == "ENOTCONN",
    "listen": lambda link, chance: err(link.listen, 1),
    "accept": lambda link, chance: err(link.accept),
    "linger": lambda link, chance: err(
        link.setsockopt, socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", chance.randint(0, 1), 0)
    ),
    "close": lambda link, chance: link.close(),
}
WEIGHTS = {"send": 6, "recv": 6, "poll": 5, "shutdown": 2, "state": 2} | {name: 0.4 for name in ("listen", "accept")}


def story(chance):
    names = tuple(CALLS)
    kinds = chance.choices(names, [WEIGHTS.get(name, 1) for name in names], k=STEPS)
    return [(chance.choice(("program", "peer")), kind, chance.randrange(2**32)) for kind in kinds]


def run(part, control, link, steps):
    for number, (who, kind, seed) in enumerate(steps):
        if who != part:
            control.recv(1)
            continue
        if link.fileno() >= 0:
            out(number, kind, CALLS[kind](link, random.Random(seed)))
        time.sleep(SETTLE_S)
        control.sendall(b".")
    link.close()


def program():
    chance, control = random.Random(SEED), dial((PEER, 5440))
    server = serve((ME, 5441))
    for _ in range(CONNECTIONS):
        steps, opens = story(chance), chance.random() < 0.5
        control.sendall(b".")
        if opens:
            link = dial((PEER, 5442))
        else:
            link, _ = server.accept()
        out("connection", "opens" if opens else "accepts")
        run("program", control, link, steps)


def peer():
    chance, server = random.Random(SEED), serve((PEER, 5442))
    control, _ = serve((PEER, 5440)).accept()
    for _ in range(CONNECTIONS):
        steps, opens = story(chance), chance.random() < 0.5
        control.recv(1)
        if opens:
            link, _ = server.accept()
        else:
            link = dial((ME, 5441))
        run("peer", control, link, steps)
