# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Each request, naming a socket in each state: forbidden ones are refused, and ullnicd, built with sanitizers, accesses
nothing that was freed.
"""

import errno
import itertools
import os
import random
import struct
import time

import pytest

from bench import CARD, PEER, wait_until
from control import Control

SERVER = """
server = listen()
server.settimeout(0.1)
links = []
while True:  # takes connections and keeps them; a byte asks for a reset
    try:
        links.append(server.accept()[0])
    except TimeoutError:
        pass
    for link in list(links):
        if select.select([link], [], [], 0)[0]:
            if link.recv(10) == b"reset":
                link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            link.close()
            links.remove(link)
"""
ENGINE = itertools.cycle(range(100, 500))  # its connections; one is not free at once
GROUP = "239.1.2.3"


def bind(control: Control, **fields):
    reply = control.ask("BIND", local_ip=CARD, **fields)
    assert reply.error == 0 and reply.fd is not None, reply
    return reply


def connect(control: Control, port: int = 5000, wait: bool = True, **fields):
    reply = control.ask("CONNECT", **{"peer_ip": PEER} | fields, peer_port=port)
    assert reply.error == 0 and reply.fd is not None, reply
    if wait:
        wait_until(lambda: control.ask("QUERY", id=reply.id).state != STATES.index("connecting"))
    return reply


def listening(control: Control):
    reply = bind(control)
    assert control.ask("LISTEN", id=reply.id, backlog=5).error == 0
    return reply


def closed(make, then=lambda control, reply: None):
    def closing(control: Control):
        reply = make(control)
        reply.fd.close()
        then(control, reply)
        return reply

    return closing


def retired(control: Control, reply) -> None:
    wait_until(lambda: control.ask("QUERY", id=reply.id).state == STATES.index("closed"))


def reset(control: Control):
    reply = connect(control)
    reply.fd.send(b"reset")
    retired(control, reply)
    return reply


def refused(control: Control):
    reply = connect(control, port=5999)
    retired(control, reply)
    return reply


def time_wait(control: Control):
    """Both ends have closed; the program still holds it."""
    reply = connect(control)
    reply.fd.shutdown(1)
    reply.fd.settimeout(5)
    assert reply.fd.recv(10) == b""
    retired(control, reply)
    return reply


STATES = ["bound", "connecting", "connected", "listening", "closed"]  # enum control_state
DATAGRAM = {"datagram": 1}
# How a socket enters each state, and what it is then: the columns of MAY.
SOCKETS = {
    "bound": (bind, "bound"),
    "connecting": (lambda c: connect(c, wait=False, peer_ip="10.9.1.77"), "connecting"),
    "connected": (connect, "connected"),
    "engine": (lambda c: connect(c, ate_id=next(ENGINE)), "connected"),
    "listening": (listening, "listening"),
    "time-wait": (time_wait, "ended"),
    "reset": (reset, "ended"),
    "refused": (refused, "ended"),
    "datagram": (lambda c: bind(c, **DATAGRAM), "datagram"),
    "datagram without an address": (lambda c: bind(c, **DATAGRAM, unbound=1), "unbound"),
    "datagram with a peer": (lambda c: connect(c, wait=False, **DATAGRAM), "datagram"),
    "bound, closing": (closed(bind), "closing"),
    "bound, closed": (closed(bind, retired), "gone"),
    "connecting, closing": (closed(lambda c: connect(c, wait=False, peer_ip="10.9.1.77")), "closing"),
    "connected, closing": (closed(connect), "closing"),
    "connected, closed": (closed(connect, retired), "gone"),
    "connected, long closed": (closed(connect, lambda c, r: (retired(c, r), time.sleep(0.3))), "gone"),
    "engine, closing": (closed(lambda c: connect(c, ate_id=next(ENGINE))), "closing"),
    "engine, closed": (closed(lambda c: connect(c, ate_id=next(ENGINE)), retired), "gone"),
    "listening, closed": (closed(listening, retired), "gone"),
    "datagram, closed": (closed(lambda c: bind(c, **DATAGRAM), retired), "gone"),
    "time-wait, closed": (closed(time_wait, retired), "ended"),
}
KINDS = ["bound", "connecting", "connected", "listening", "ended", "datagram", "unbound", "gone"]
Z, BADF, INVAL, OPNOTSUPP = 0, errno.EBADF, errno.EINVAL, errno.EOPNOTSUPP
ENDED = (errno.EPIPE, errno.ECONNRESET, errno.ECONNREFUSED, errno.ETIMEDOUT)
ALREADY, ISCONN, ADDRNOTAVAIL = errno.EALREADY, errno.EISCONN, errno.EADDRNOTAVAIL
# The answer to each request in each state; a tuple: one of them. A closing socket is in its former state, or gone.
MAY = {
    #            bound      connecting connected  listening  ended      datagram   unbound    gone
    "BIND": (OPNOTSUPP, OPNOTSUPP, OPNOTSUPP, OPNOTSUPP, OPNOTSUPP, INVAL, Z, BADF),
    "CONNECT": (Z, ALREADY, ISCONN, ISCONN, BADF, INVAL, INVAL, BADF),
    "CONNECT datagram": (INVAL, INVAL, INVAL, INVAL, BADF, Z, Z, BADF),
    "CONNECT engine": (Z, ALREADY, ISCONN, ISCONN, BADF, INVAL, INVAL, BADF),
    "CONNECT datagram engine": (INVAL, INVAL, INVAL, INVAL, BADF, INVAL, INVAL, BADF),
    "LISTEN": (Z, INVAL, INVAL, Z, INVAL, OPNOTSUPP, OPNOTSUPP, BADF),
    "QUERY": (Z, Z, Z, Z, Z, Z, Z, Z),
    "OPTIONS": (Z, Z, Z, Z, Z, Z, Z, BADF),
    "GROUP": (OPNOTSUPP, OPNOTSUPP, OPNOTSUPP, OPNOTSUPP, OPNOTSUPP, Z, Z, BADF),
    "GROUP leave": (OPNOTSUPP, OPNOTSUPP, OPNOTSUPP, OPNOTSUPP, OPNOTSUPP, ADDRNOTAVAIL, ADDRNOTAVAIL, BADF),
    "GROUP unknown": (OPNOTSUPP, OPNOTSUPP, OPNOTSUPP, OPNOTSUPP, OPNOTSUPP, INVAL, INVAL, BADF),
    "DELEGATE": (Z, Z, Z, Z, Z, Z, Z, BADF),
    "DELEGATED": (INVAL, INVAL, INVAL, INVAL, ENDED, OPNOTSUPP, OPNOTSUPP, BADF),
    "UNDELEGATE": (Z, Z, Z, Z, Z, OPNOTSUPP, OPNOTSUPP, BADF),
    "DISCONNECT": (OPNOTSUPP, OPNOTSUPP, OPNOTSUPP, OPNOTSUPP, OPNOTSUPP, Z, Z, BADF),
    "MORE": (Z, Z, Z, Z, Z, OPNOTSUPP, OPNOTSUPP, BADF),
    "LINGER": (Z, Z, Z, Z, Z, Z, Z, Z),
}
FIELDS = {
    "BIND": {"local_ip": CARD, "local_port": 0},
    "CONNECT": {"peer_ip": PEER, "peer_port": 5000},
    "CONNECT datagram": {"peer_ip": PEER, "peer_port": 5000, "datagram": 1},
    "CONNECT engine": {"peer_ip": PEER, "peer_port": 5000, "ate_id": 9},
    "CONNECT datagram engine": {"peer_ip": PEER, "peer_port": 5000, "ate_id": 9, "datagram": 1},
    "GROUP": {"peer_ip": GROUP, "local_ip": CARD},
    "GROUP leave": {"peer_ip": GROUP, "local_ip": CARD, "group_action": 1},
    "GROUP unknown": {"peer_ip": GROUP, "local_ip": CARD, "group_action": 6},
    "DELEGATE": {"delegated_bytes": 1000},
    "DELEGATED": {"data": b"x" * 100},
    "MORE": {"value": 1000},
}


def fits(answer: int, wanted) -> bool:
    return answer in wanted if isinstance(wanted, tuple) else answer == wanted


@pytest.fixture
def asked(make_bench, sanitized_build, layout):
    bench = make_bench(build=sanitized_build, orders=99, daemon=("--unconfined",))  # the sanitizers open files
    bench.peer(SERVER)
    return Control(bench.socket, layout)


@pytest.mark.parametrize("state", SOCKETS)
def test_each_request_in_each_state(asked, state, seed):
    """A retired socket only reports what became of it, and no request does what the socket's kind does not allow."""
    make, nature = SOCKETS[state]
    noise = {"options": random.Random(seed).randbytes(asked.layout["control_options"]["size"][1])}
    for name, answers in MAY.items():
        for number, fields in enumerate([{}, noise] if name == "OPTIONS" else [{}]):
            reply = make(asked)
            answer = asked.ask(name.split()[0], id=reply.id, **FIELDS.get(name, {}) | fields)
            if number == 1:
                assert answer.error in (0, errno.EBADF, errno.EADDRNOTAVAIL, errno.ENOPROTOOPT), answer
            elif nature == "closing":
                wanted = answers if name.startswith("DELEGATED") else {*answers, ALREADY}
                assert any(fits(answer.error, one) for one in wanted), (name, answer)
            else:
                assert fits(answer.error, answers[KINDS.index(nature)]), (name, answer)
            assert answer.fd is None
            if state != "connecting":
                reply.fd.close()
    assert asked.ask("PROBE").error == 0


def test_requests_without_a_socket(asked):
    """No id, one that never existed, one of a socket that cannot be named, invalid operations: all refused alike."""
    raw = asked.ask("RAW", value=0)
    assert raw.error == 0 and raw.id == 0 and raw.fd is not None
    text = {asked.ask(op.split()[0], id=number, **FIELDS.get(op, {})).text for op in MAY for number in (1, 2**63 + 5)}
    assert text == {"ullnicd does not know this socket (any more)"}
    for op in ("LISTEN", "OPTIONS", "GROUP", "DELEGATE", "UNDELEGATE", "MORE", "LINGER", "QUERY"):
        assert asked.ask(op, id=0).error == errno.EBADF
    for op in (0, 20, 100, 2**32 - 1):
        assert asked.ask(op, id=bind(asked).id).error == errno.EINVAL
    pipe, _ = os.pipe()
    for shown in (0, pipe, asked.connect().fileno()):  # no socket of ullnicd's
        assert asked.ask("QUERY", id=0, shown=shown).error == errno.EBADF
    assert asked.ask("QUERY", id=0, shown=raw.fd.fileno()).error == errno.EBADF


def engines_busy(control: Control, count: int = 512) -> list[int]:
    """Connections of the engine in use: a request reserves one for a moment."""
    busy = []
    for number in range(count):
        reply = control.ask("CONNECT", peer_ip=PEER, peer_port=5000, ate_id=number)
        assert reply.error in (0, errno.EBUSY), reply
        if reply.error == errno.EBUSY:
            busy.append(number)
        else:
            reply.fd.close()
    return busy


def vanish(control: Control, **fields) -> None:
    """Sends a request, and disappears before the answer."""
    link = control.connect()
    link.send(control.request("CONNECT", peer_ip=PEER, **fields))
    link.close()


def bound_twice(control: Control) -> tuple[int, list[object]]:
    """Connects from an address that already has this connection (SO_REUSEADDR)."""
    options = control.options(reuse_address=1)
    kept = []
    for ate in (-1, 20):
        kept.append(bind(control, local_port=4001, options=options))
        answer = control.ask("CONNECT", id=kept[-1].id, peer_ip=PEER, peer_port=5000, ate_id=ate)
    state = control.ask("QUERY", id=kept[-1].id)
    assert (state.state, state.ate_id) == (STATES.index("bound"), -1), "what failed is bound, as before"
    return answer.error, kept


def test_engine_connections_are_released(asked):
    """However and at whatever point connecting fails, the engine's connection is freed."""
    kept = [bind(asked, **DATAGRAM) for _ in range(8)]
    for number, reply in enumerate(kept):
        fields = {"id": reply.id, "peer_ip": PEER, "peer_port": 5000, "ate_id": 10 + number, "datagram": number % 2}
        assert asked.ask("CONNECT", **fields).error == errno.EINVAL
    error, twice = bound_twice(asked)
    assert error == errno.EADDRNOTAVAIL
    port = bind(asked)
    fields = {"peer_ip": PEER, "peer_port": 5000, "ate_id": 21}
    in_use = asked.ask("CONNECT", local_port=struct.unpack(">H", struct.pack("=H", port.local_port))[0], **fields)
    assert in_use.error == errno.EADDRINUSE and in_use.fd is None
    assert asked.ask("CONNECT", **fields, options=asked.options(ttl=1)).error == errno.ENOPROTOOPT
    kept += [connect(asked, port=5999, ate_id=22)]  # no socket listens there
    kept += [connect(asked, wait=False, peer_ip="10.9.1.77", ate_id=23)]  # no host answers for this address
    kept += [reset_by_peer := connect(asked, ate_id=24)]
    reset_by_peer.fd.send(b"reset")
    for number in range(25, 60):
        vanish(asked, peer_port=5000, ate_id=number)
    twice_named = asked.ask("CONNECT", **fields | {"ate_id": 512})
    assert twice_named.error == errno.EINVAL and "0 to 511" in twice_named.text
    wait_until(lambda: asked.ask("QUERY", id=kept[-2].id).state == STATES.index("closed"))
    port.fd.close()
    wait_until(lambda: engines_busy(asked, 64) == [])


def test_hostile_requests(bench, control, seed):
    """Any bytes on the control socket are refused, and no other client is delayed."""
    chance = random.Random(seed)
    good = 0
    for number in range(300):  # half of them with a correct header
        with control.connect() as link:
            right = control.layout["control_request"]["size"][1]
            size = chance.choice((0, 1, 8, 64, right - 1, right, right, 4000))
            head = struct.pack(
                "=IIQ", control.layout["MAGIC"], chance.randrange(20), chance.randrange(3) * chance.getrandbits(63)
            )
            request = (head + chance.randbytes(4000))[:size] if number % 2 else chance.randbytes(size)
            link.send(request)
            good += len(link.recv(1000)) > 0 if size else 0
    assert good > 0, "no request had the right length"
    bench.peer("link, _ = listen().accept()\nlink.sendall(b'served')")
    assert bench.program("say(socket.create_connection((PEER, 5000)).recv(10))").finish() == "b'served'\n"


OWN_ID = """
from control import Control
def own_id(link):
    return Control().ask("QUERY", shown=link.fileno()).id
"""


@pytest.mark.parametrize("run", [1, 2])
def test_hostile_delegation(bench, control, seed, run):
    """Another program of the user interferes with a live connection: it takes headers, reports bytes that were never
    sent and cancels, while the connection's own program writes. The daemon survives and reports the outcome.
    """
    chance = random.Random(seed + run)
    bench.peer("""
server = listen()
while True:
    link, _ = server.accept()
    threading.Thread(target=lambda link: [None for _ in iter(lambda: link.recv(65536), b"")], args=(link,)).start()
""")
    program = bench.program(
        OWN_ID
        + """
link = socket.create_connection((PEER, 5000))
say(own_id(link))
try:
    while True:
        link.sendall(b"x" * 3000)
        time.sleep(0.001)
except OSError as error:
    say(errno.errorcode[error.errno])
"""
    )
    number = int(program.read_line())
    for _ in range(400):
        data = chance.randbytes(chance.choice((0, 1, 500, 20000)))
        op = chance.choice(("DELEGATE", "DELEGATED", "UNDELEGATE"))
        control.ask(op, id=number, delegated_bytes=chance.getrandbits(16), data=data if op == "DELEGATED" else b"")
    program.kill()
    after = "link = socket.create_connection((PEER, 5000)); link.sendall(b'well'); say('well')"
    assert bench.program(after).finish() == "well\n"


def test_hostile_datagrams(bench, control):
    """Requests for a closed UDP socket: it joins nothing, binds nothing, and is forgotten in time."""
    member = """
link = socket.socket(type=socket.SOCK_DGRAM)
link.setsockopt(0, socket.IP_ADD_MEMBERSHIP, socket.inet_aton("239.1.2.3") + socket.inet_aton("10.9.1.2"))
link.bind(("", 6003))
"""
    program = bench.program(OWN_ID + member + "say(own_id(link))\nheard()")
    number = int(program.read_line())
    program.tell()
    program.finish()
    for op, peer in (("GROUP", "239.1.2.4"), ("BIND", PEER), ("CONNECT", PEER)):
        for action in range(8):
            fields = {"peer_ip": peer, "local_port": 6003, "group_action": action, "datagram": 1}
            assert control.ask(op, id=number, **fields).error == errno.EBADF
    many = """
for _ in range(4200):
    link = socket.socket(type=socket.SOCK_DGRAM)
    link.bind(("10.9.1.2", 0))
    link.close()
"""
    program = bench.program(many + member.replace('.2.3"', '.2.4"') + "say('up')\nsay(link.recv(100))")
    assert program.read_line() == "up"
    bench.peer("""
say("ready")
link = socket.socket(type=socket.SOCK_DGRAM)
link.setsockopt(0, socket.IP_MULTICAST_IF, socket.inet_aton(PEER))
link.sendto(b"well", ("239.1.2.4", 6003))
""").finish()
    assert program.finish() == "b'well'\n"
