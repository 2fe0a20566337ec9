# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A case of side_by_side.py with calls drawn from SEED, which a line before this text sets.

TCP sockets of the program are bound, listen, accept, connect and end in any order, the peer connects and ends its own,
and both print the results.
"""

ROUNDS, STEPS, SOCKETS = 3, 28, 3
SETTLE_S = 0.05  # until the other end's actions have arrived
PEER_PORTS, CLOSED, PORTS = (5471, 5472), 5479, (5481, 5482)
KNOWN = (*PEER_PORTS, CLOSED, *PORTS)
SOL = socket.SOL_SOCKET
RESET = struct.pack("ii", 1, 0)


def events_of(link):
    return "HUP" if is_closed(link) else events(link)


def is_closed(link):
    """Linux reports POLLHUP for a socket that is neither connected nor listening; the card's is not writable
    (README.md).
    """
    return tcp_state(link) == 7


def names(link):
    return name_of(err(link.getsockname), KNOWN), name_of(err(link.getpeername), KNOWN)


class Program:
    """Some sockets, and the connections that they have accepted."""

    def __init__(self):
        self.links = [self.fresh() for _ in range(SOCKETS)]
        self.used = set()

    def fresh(self):
        link = socket.socket()
        link.setblocking(False)
        link.setsockopt(SOL, socket.SO_REUSEADDR, 1)
        return link

    def close(self, place):
        """Linux resets connections that were not accepted, the card ends them (README.md): all are accepted first."""
        while isinstance(got := err(self.links[place].accept), tuple):
            got[0].close()
        self.links[place].close()

    def accept(self, place, chance):
        got = err(self.links[place].accept)
        if not isinstance(got, tuple):
            return got
        link, address = got
        self.used.add(link)
        said = name_of(address, KNOWN), names(link), link.getblocking(), events_of(link)
        other = chance.randrange(SOCKETS)
        if other == place:
            link.close()
        else:
            self.close(other)
            self.links[other] = link
            link.setblocking(False)
        return other, said

    def connect(self, place, chance):
        link = self.links[place]
        self.used.add(link)
        said = err(link.connect, (PEER, chance.choice((*PEER_PORTS, *PEER_PORTS, CLOSED))))
        time.sleep(SETTLE_S)
        return said, self.names(place, chance)

    def names(self, place, chance):
        """Linux removes the address when a connection has ended, the card does not."""
        link = self.links[place]
        return "ended" if link in self.used and is_closed(link) else names(link)

    def unused(self, place):
        """On the card, a socket that had a connection can neither bind to another address nor listen (README.md)."""
        if self.links[place] in self.used and is_closed(self.links[place]):
            self.again(place, None)
        return self.links[place]

    def bind(self, place, chance):
        link = self.unused(place)
        return err(link.bind, (ME, chance.choice((0, *PORTS, *PORTS)))), names(link)[0]

    def listen(self, place, chance):
        return err(self.unused(place).listen, 50)  # a smaller one does not limit the card (README.md)

    def again(self, place, chance):
        self.close(place)
        self.links[place] = self.fresh()

    def reset(self, place, chance):
        err(self.links[place].setsockopt, SOL, socket.SO_LINGER, RESET)
        self.again(place, chance)


def with_link(call):
    return lambda program, place, chance: call(program.links[place], chance)


CALLS = {
    "bind": Program.bind,
    "listen": Program.listen,
    "accept": Program.accept,
    "connect": Program.connect,
    "poll": with_link(lambda link, chance: events_of(link)),
    "names": Program.names,
    "error": with_link(lambda link, chance: err(link.getsockopt, SOL, socket.SO_ERROR)),
    "listens": with_link(lambda link, chance: err(link.getsockopt, SOL, socket.SO_ACCEPTCONN)),
    "state": with_link(lambda link, chance: tcp_state(link)),
    "shutdown": with_link(lambda link, chance: is_closed(link) or err(link.shutdown, 1)),
    "send": with_link(lambda link, chance: err(link.send, bytes(chance.choice((1, 3000))))),
    "recv": with_link(lambda link, chance: len(got) if isinstance(got := err(link.recv, 5000), bytes) else got),
    "again": Program.again,
    "reset": Program.reset,
}
WEIGHTS = {"bind": 3, "listen": 4, "accept": 5, "connect": 3, "poll": 4, "shutdown": 1, "error": 2}
PEER_CALLS = ("dial", "dial", "dial", "close", "reset", "send", "look")


def story(chance):
    """Which end makes which call, on which socket, with which draws."""
    kinds = chance.choices(tuple(CALLS), [WEIGHTS.get(name, 2) for name in CALLS], k=STEPS)
    steps = []
    for kind in kinds:
        peer = chance.random() < 0.35
        steps.append(
            (peer, chance.randrange(SOCKETS), chance.choice(PEER_CALLS) if peer else kind, chance.randrange(2**32))
        )
    return steps


def program():
    chance, control = random.Random(SEED), dial((PEER, 5470))
    for _ in range(ROUNDS):
        sockets = Program()
        control.sendall(b".")
        for number, (peers, place, kind, seed) in enumerate(story(chance)):
            if peers:
                control.recv(1)
                continue
            out(number, place, kind, CALLS[kind](sockets, place, random.Random(seed)))
            time.sleep(SETTLE_S)
            control.sendall(b".")
        for place in range(SOCKETS):
            sockets.reset(place, None)
        control.recv(1)


class Peer:
    """Two listening sockets, and what they and dial() have connected."""

    def __init__(self):
        self.servers = [serve((PEER, port)) for port in PEER_PORTS]
        for server in self.servers:
            server.setblocking(False)
        self.links = []

    def collect(self):
        for server in self.servers:
            while isinstance(got := err(server.accept), tuple):
                got[0].setblocking(False)
                self.links.append(got[0])

    def act(self, kind, place, chance):
        self.collect()
        if kind == "dial":
            link = socket.socket()
            link.setblocking(False)
            link.bind((PEER, 0))
            err(link.connect, (ME, PORTS[place % len(PORTS)]))
            select.select([], [link], [], 2)
            self.links.append(link)
            return [names(link)[1], err(link.getsockopt, SOL, socket.SO_ERROR)]
        if not self.links:
            return None
        link = self.links[chance.randrange(len(self.links))]
        if kind == "look":
            return events_of(link), len(got) if isinstance(got := err(link.recv, 9000), bytes) else got
        if kind == "send":
            return err(link.send, bytes(10))
        if kind == "reset":
            link.setsockopt(SOL, socket.SO_LINGER, RESET)
        link.close()
        self.links.remove(link)


def peer():
    chance, sockets = random.Random(SEED), Peer()
    control, _ = serve((PEER, 5470)).accept()
    for _ in range(ROUNDS):
        control.recv(1)
        for number, (peers, place, kind, seed) in enumerate(story(chance)):
            if not peers:
                control.recv(1)
                continue
            out(number, kind, sockets.act(kind, place, random.Random(seed)))
            time.sleep(SETTLE_S)
            control.sendall(b".")
        sockets.collect()
        for link in sockets.links:
            link.setsockopt(SOL, socket.SO_LINGER, RESET)
            link.close()
        sockets.links = []
        time.sleep(SETTLE_S)
        control.sendall(b".")
