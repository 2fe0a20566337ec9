# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A case of side_by_side.py with calls drawn from SEED, which a line before this text sets.

Descriptors of sockets are copied, replaced, passed to other processes, inherited, watched and closed, and each holder
uses them.
"""

import stat

ROUNDS, STEPS, SLOTS = 3, 30, 8
SETTLE_S = 0.04  # until the other end's actions have arrived
KNOWN = STREAM, DATAGRAM, PEER_DATAGRAM = 5472, 5473, 5474
EVENTS = select.EPOLLIN | select.EPOLLOUT | select.EPOLLPRI | select.EPOLLRDHUP
MODES = {"level": 0, "edge": select.EPOLLET, "once": select.EPOLLONESHOT}
SOL, TCP, IP = socket.SOL_SOCKET, socket.IPPROTO_TCP, socket.IPPROTO_IP
OPTIONS = {
    "type": (SOL, socket.SO_TYPE),
    "protocol": (SOL, socket.SO_PROTOCOL),
    "listens": (SOL, socket.SO_ACCEPTCONN),
    "broadcast": (SOL, socket.SO_BROADCAST),
    "keepalive": (SOL, socket.SO_KEEPALIVE),
    "no delay": (TCP, socket.TCP_NODELAY),
    "ttl": (IP, socket.IP_TTL),
    "receive ttl": (IP, 12),
    "times": (SOL, 29),
}
TIMES = 29  # SO_TIMESTAMP, and its control message
MAY_SET = ("broadcast", "keepalive", "no delay", "ttl", "receive ttl", "times")
OF_DATAGRAMS = ("receive ttl", "times")
# What another program does with its descriptor 9.
OTHER = """
import errno, os, socket, sys
def err(function, *arguments):
    try: return function(*arguments)
    except OSError as error: return errno.errorcode[error.errno]
def use(link):
    print(link.type, link.family, err(link.getpeername) in ("ENOTCONN", "ENOTSOCK"), err(link.send, b"other"))
    print(err(link.recvfrom, 700, socket.MSG_DONTWAIT))
    print(err(link.getsockopt, socket.SOL_SOCKET, socket.SO_BROADCAST))
link = err(lambda: socket.socket(fileno=int(sys.argv[1])))
if isinstance(link, str): print(link)
else: use(link)
"""


def on(fd, function):
    """The result for the socket `fd`, which stays open."""
    link = err(lambda: socket.socket(fileno=fd))
    if isinstance(link, str):
        return link
    try:
        return function(link)
    finally:
        link.detach()


def sent(link, chance):
    data = data_of(chance.choice((1, 18, 100, 1400)))
    how = chance.choice(("send", "message", "write"))
    if how == "message":
        return err(link.sendmsg, [data], [], socket.MSG_DONTWAIT)
    return err(os.write, link.fileno(), data) if how == "write" else err(link.send, data, socket.MSG_DONTWAIT)


def received(link, chance):
    count = chance.choice((1, 50, 3000))
    how = chance.choice(("receive", "peek", "message"))
    if how == "message":
        got = err(link.recvmsg, count, 200, socket.MSG_DONTWAIT)
        if not isinstance(got, tuple):
            return got
        items = [(level, kind, len(data) if kind == TIMES else data.hex()) for level, kind, data in got[1]]
        return text_of(got[0]), items, got[2], name_of(got[3], KNOWN)
    return text_of(err(link.recv, count, socket.MSG_DONTWAIT | (socket.MSG_PEEK if how == "peek" else 0)))


def names(link):
    return link.type, name_of(err(link.getsockname), KNOWN), name_of(err(link.getpeername), KNOWN)


def option_set(link, chance):
    name = chance.choice(MAY_SET)
    if name in OF_DATAGRAMS and link.type != socket.SOCK_DGRAM:
        return None
    value = chance.choice((0, 1, 7))
    return name, err(link.setsockopt, *OPTIONS[name], value), err(link.getsockopt, *OPTIONS[name])


def to_all(link):
    """Whether broadcast is allowed. The kernel's loopback interface has none."""
    if link.type != socket.SOCK_DGRAM:
        return None
    return err(link.sendto, b"to all", socket.MSG_DONTWAIT, ("10.9.1.255", 9)) == "EACCES"


def shut(link):
    """Another process could still send on a UDP socket of the card (README.md)."""
    return err(link.shutdown, 1) if link.type == socket.SOCK_STREAM else None


ON_SOCKET = {
    "send": sent,
    "receive": received,
    "names": lambda link, chance: names(link),
    "get": lambda link, chance: err(link.getsockopt, *OPTIONS[chance.choice(tuple(OPTIONS))]),
    "set": option_set,
    "shutdown": lambda link, chance: shut(link),
    "to all": lambda link, chance: to_all(link),
    "linger": lambda link, chance: err(link.setsockopt, SOL, socket.SO_LINGER, struct.pack("ii", 1, 1)),
}


class Story:
    """The program's descriptors by place, and what watches them."""

    def __init__(self):
        self.slots = [-1] * SLOTS
        self.epolls = [select.epoll() for _ in range(2)]
        self.holders = []
        self.post = socket.socketpair()

    def put(self, chance, fd):
        """Stores a new descriptor; the old one at its place is closed."""
        place = chance.randrange(SLOTS)
        if self.slots[place] >= 0:
            os.close(self.slots[place])
        self.slots[place] = fd
        return place

    def made(self, chance):
        link = socket.socket()
        watch = chance.random() < 0.4
        if watch:
            self.epolls[0].register(link, EVENTS)
        if chance.random() < 0.3:
            option_set(link, chance)
        result = err(link.connect, (PEER, STREAM))
        if chance.random() < 0.3:
            link.setblocking(False)
        return watch, result, self.put(chance, link.detach())

    def made_datagram(self, chance):
        link = socket.socket(type=socket.SOCK_DGRAM)
        link.setsockopt(SOL, socket.SO_REUSEADDR, 1)
        result = err(link.bind, (ME, DATAGRAM)), err(link.connect, (PEER, PEER_DATAGRAM))
        return result, self.put(chance, link.detach())

    def copied(self, fd, chance):
        how = chance.choice(("dup", "fcntl", "fcntl cloexec"))
        if how == "dup":
            copy = err(os.dup, fd)
        else:
            copy = err(fcntl.fcntl, fd, fcntl.F_DUPFD if how == "fcntl" else fcntl.F_DUPFD_CLOEXEC, 30)
        return self.put(chance, copy) if isinstance(copy, int) else copy

    def placed(self, fd, chance):
        """dup2() onto another descriptor, or onto itself."""
        other = chance.choice(self.slots)
        if other < 0:
            return None
        result = err(os.dup2, fd, other, chance.random() < 0.5)
        return result == other or result

    def replaced(self, fd, chance):
        """Replaced by a non-socket with the same number."""
        how = chance.choice(("dup2", "close", "range"))
        if how == "close":
            os.close(fd)
        elif how == "range":
            os.closerange(fd, fd + 1)
        file = os.open("/dev/null", os.O_RDWR)
        if file != fd:
            os.dup2(file, fd)
            os.close(file)
        return err(os.write, fd, b"abc"), err(os.read, fd, 10)

    def closed(self, fd, chance):
        how = chance.choice(("close", "range"))
        if how == "close":
            os.close(fd)
        else:
            os.closerange(fd, fd + 1)
        self.slots[self.slots.index(fd)] = -1

    def passed(self, fd, chance):
        """Through a unix socket, and back."""
        socket.send_fds(self.post[0], [b"x"], [fd, fd])
        _, copies, _, _ = socket.recv_fds(self.post[1], 10, 2)
        return [self.put(chance, copy) for copy in copies]

    def watched(self, fd, chance):
        epoll, mode = chance.choice(self.epolls), chance.choice(tuple(MODES))
        how = chance.choice((epoll.register, epoll.register, epoll.modify))
        return how.__name__, mode, err(how, fd, EVENTS | MODES[mode])

    def unwatched(self, fd, chance):
        return err(chance.choice(self.epolls).unregister, fd)

    def happened(self, chance):
        found = chance.choice(self.epolls).poll(0)
        return sorted(hex(mask & ~select.EPOLLERR) for _, mask in found)

    def polled(self, fd, chance):
        ready = err(lambda: [bool(some) for some in select.select([fd], [fd], [], 0)])
        return events(fd), ready

    def blocks(self, fd, chance):
        if chance.random() < 0.5:
            return err(os.set_blocking, fd, chance.random() < 0.5)
        return err(os.get_blocking, fd), err(os.get_inheritable, fd), stat.S_IFMT(os.fstat(fd).st_mode)

    def by_child(self, fd, chance):
        """A child does it; what it opens or closes is its own."""
        front, back = os.pipe()
        if (child := os.fork()) == 0:
            said = [used(fd, chance) for _ in range(2)]
            if chance.random() < 0.5:
                os.close(fd)
            os.write(back, repr(said).encode())
            os._exit(0)
        os.close(back)
        os.waitpid(child, 0)
        with open(front) as file:
            return file.read()

    def by_other(self, fd, chance):
        done = subprocess.run([sys.executable, "-c", OTHER, str(fd)], pass_fds=[fd], capture_output=True, text=True)
        return done.stdout, done.stderr[-300:] if done.returncode else ""

    def by_stranger(self, fd, chance):
        """A process that has the descriptor only by SCM_RIGHTS."""
        code = "import socket\n_, fds, _, _ = socket.recv_fds(socket.socket(fileno=0), 10, 1)\n"
        code += OTHER.replace("int(sys.argv[1])", "fds[0]")
        ours, its = socket.socketpair()
        with ours, its:
            job = subprocess.Popen(
                [sys.executable, "-c", code], stdin=its, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            socket.send_fds(ours, [b"x"], [fd])
            said, failed = job.communicate()
        return said, failed[-300:] if job.returncode else ""

    def held(self, chance):
        """A child keeps all of them until it ends."""
        if self.holders:
            child = self.holders.pop()
            os.kill(child, signal.SIGKILL)
            return "released", os.waitpid(child, 0)[1]
        if (child := os.fork()) == 0:
            signal.pause()
        self.holders.append(child)
        return "held"

    def ended(self):
        for child in self.holders:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        for fd in self.slots:
            if fd >= 0:
                os.close(fd)
        for thing in (*self.epolls, *self.post):
            thing.close()


def used(fd, chance):
    name = chance.choice(tuple(ON_SOCKET))
    return name, on(fd, lambda link: ON_SOCKET[name](link, chance))


WITHOUT = {"made": Story.made, "made datagram": Story.made_datagram, "happened": Story.happened, "held": Story.held}
WITH = {
    "used": lambda story, fd, chance: used(fd, chance),
    "copied": Story.copied,
    "placed": Story.placed,
    "replaced": Story.replaced,
    "closed": Story.closed,
    "passed": Story.passed,
    "watched": Story.watched,
    "unwatched": Story.unwatched,
    "polled": Story.polled,
    "blocks": Story.blocks,
    "by child": Story.by_child,
    "by other": Story.by_other,
    "by stranger": Story.by_stranger,
}
WEIGHTS = {"used": 8, "made": 3, "made datagram": 2, "happened": 3, "polled": 3, "copied": 2, "by child": 2}
WEIGHTS |= {"held": 0.5, "unwatched": 0.5, "replaced": 0.5}


def steps(chance):
    kinds = (*WITHOUT, *WITH)
    drawn = chance.choices(kinds, [WEIGHTS.get(kind, 1) for kind in kinds], k=STEPS)
    return [("peer" if chance.random() < 0.3 else "program", kind, chance.randrange(2**32)) for kind in drawn]


def program():
    chance, control = random.Random(SEED), dial((PEER, 5470))
    for _ in range(ROUNDS):
        story = Story()
        for number, (who, kind, seed) in enumerate(steps(chance)):
            if who == "peer":
                control.recv(1)
                continue
            own = random.Random(seed)
            open_ones = [fd for fd in story.slots if fd >= 0]
            if kind in WITHOUT:
                out(number, kind, WITHOUT[kind](story, own))
            elif open_ones:
                fd = own.choice(open_ones)
                out(number, kind, story.slots.index(fd), WITH[kind](story, fd, own))
            time.sleep(SETTLE_S)
            control.sendall(b".")
        story.ended()
        control.sendall(b".")
        control.recv(1)


def taken(server, links):
    server.setblocking(False)
    while isinstance(got := err(server.accept), tuple):
        links.append(got[0])
        got[0].setblocking(False)
        out("accepted")


def emptied(links, datagrams):
    for place, link in enumerate(links):
        while link.fileno() >= 0 and (got := err(link.recv, 70_000)) != "EAGAIN":
            out("got", place, text_of(got))
            if not isinstance(got, bytes) or got == b"":
                link.close()
    datagrams.setblocking(False)
    while isinstance(got := err(datagrams.recvfrom, 70_000), tuple):
        out("datagram", text_of(got[0]), name_of(got[1], KNOWN))


def peer():
    chance, server = random.Random(SEED), serve((PEER, STREAM))
    datagrams = socket.socket(type=socket.SOCK_DGRAM)
    datagrams.bind((PEER, PEER_DATAGRAM))
    control, _ = serve((PEER, 5470)).accept()
    for _ in range(ROUNDS):
        links = []
        for who, _, seed in steps(chance):
            if who != "peer":
                control.recv(1)
                continue
            own = random.Random(seed)
            taken(server, links)
            emptied(links, datagrams)
            data = data_of(own.choice((1, 40, 900)))
            for link in links:
                if link.fileno() >= 0 and own.random() < 0.5:
                    err(link.send, data)
                elif link.fileno() >= 0 and own.random() < 0.1:
                    link.shutdown(1)
            for _ in range(own.randrange(3)):
                err(datagrams.sendto, data, (ME, DATAGRAM))
            time.sleep(SETTLE_S)
            control.sendall(b".")
        control.recv(1)
        time.sleep(SETTLE_S)
        taken(server, links)
        emptied(links, datagrams)
        out("left open", sum(link.fileno() >= 0 for link in links))
        control.sendall(b".")
