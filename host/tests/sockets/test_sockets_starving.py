# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A user that consumes everything ullnicd provides, as fast as it can: the programs of other users are neither refused
nor delayed. The measurements are compared with those beside a process that only burns processor time: on a machine with
busy cores, an attacker takes its share of them, whatever ullnicd does.
"""

import errno
import os
import re
import statistics
import time

import pytest

from bench import CARD, PEER, wait_until
from users import NOBODY, as_user, root_only

# Round trips of an open connection, then whole connections: each time in microseconds.
VICTIM = """
link = socket.create_connection((PEER, 5000))
link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
def turn(link):
    link.sendall(b"x" * 100)
    size = 0
    while size < 100:
        size += len(link.recv(100))
def timed(action, count):
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        action()
        times.append(int(1e6 * (time.perf_counter() - begin)))
    return times
def whole():
    with socket.create_connection((PEER, 5000)) as one:
        turn(one)
timed(lambda: turn(link), 50)
say("up")
while heard() == "go":
    say(*timed(lambda: turn(link), 1500))
    say(*timed(whole, 100))
"""
ECHO = """
server = listen(PORT)
def echo(link):
    while data := link.recv(65536):
        link.sendall(data)
    link.close()
while True:
    threading.Thread(target=echo, args=(server.accept()[0],), daemon=True).start()
"""
ATTACKER = """
import resource
from control import *
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
os.setgroups([])
os.setuid(65534)
control = Control()
CARD = "10.9.1.2"
def attempt(*arguments, **fields):
    try:
        return control.ask(*arguments, **fields)
    except OSError:
        return None
"""
# Each prints "up" when it has all it can get, and continues.
ATTACKS = {
    "idle connections": """
links = []
def attack():
    links.append(control.connect())
    if len(links) == 3000:
        say("up")
    if len(links) > 5000:
        del links[:2000]
""",
    "knocking": "say('up')\ndef attack():\n    control.connect().close()\n",
    "requests": """
links = [control.connect() for _ in range(50)]
requests = [control.request("BIND", local_ip=CARD), control.request("PROBE"), control.request("QUERY", id=5)]
say("up")
def attack():
    for link in links:
        for request in requests:
            link.send(request)
    for link in links:
        for _ in requests:
            for fd in socket.recv_fds(link, 4096, 1)[1]:
                os.close(fd)
""",
    "unread replies": """
links = []
request = control.request("BIND", local_ip=CARD)
def attack():
    link = control.connect()
    link.setblocking(False)
    links.append(link)
    try:
        for _ in range(500):
            link.send(request)
    except OSError:
        pass
    if len(links) == 300:
        say("up")
    if len(links) > 600:
        del links[:300]
""",
    "sockets": """
kept = [reply for _ in range(4200) if (reply := attempt("BIND", local_ip=CARD)) and reply.fd]
say("up", len(kept))
def attack():
    attempt("BIND", local_ip=CARD)
    kept.pop(0)
    kept.append(attempt("BIND", local_ip=CARD))
""",
    "datagram sockets": """
kept = [reply for _ in range(4200) if (reply := attempt("BIND", local_ip=CARD, datagram=1)) and reply.fd]
say("up", len(kept))
def attack():
    attempt("BIND", local_ip=CARD, datagram=1)
    kept.pop(0)
    kept.append(attempt("BIND", local_ip=CARD, datagram=1))
""",
    "connections": """
def connection():
    reply = attempt("CONNECT", peer_ip="10.9.1.3", peer_port=5001)
    if reply and reply.fd:
        reply.fd.close()
say("up")
attack = connection
""",
    "groups": """
members = [control.ask("BIND", local_ip=CARD, datagram=1) for _ in range(250)]
groups = [(member.id, f"239.{i}.{n}.1") for i, member in enumerate(members) for n in range(20)]
link = control.connect()
def change(action, id, group):
    control.ask("GROUP", link=link, id=id, peer_ip=group, local_ip=CARD, group_action=action)
for id, group in groups:
    change(0, id, group)
say("up")
turns = __import__("itertools").cycle(groups)
def attack():
    id, group = next(turns)
    change(1, id, group)
    change(0, id, group)
""",
}
BUSY = "say('up')\ndef attack():\n    pass\n"
LOOP = "\nwhile True:\n    attack()\n"


def measure(victim) -> tuple[list[int], list[int]]:
    victim.tell()
    times = [victim.read_line() for _ in range(2)]
    assert all(times), victim.process.stderr.read()
    return tuple(sorted(int(time_us) for time_us in line.split()) for line in times)


def usual(times: list[int]) -> int:
    """The quarter point: on busy cores the slower half waits for the scheduler, whose slices are milliseconds."""
    return times[len(times) // 4]


def described(times: list[int]) -> str:
    late = times[len(times) * 99 // 100]
    return f"quarter {usual(times)}, median {statistics.median(times):.0f}, 99 % {late}, longest {times[-1]} us"


@root_only
@pytest.mark.parametrize("attack", ATTACKS)
def test_others_notice_nothing(shared, attack):
    bench, control = shared("--allow-user", "nobody")
    bench.peer(ECHO.replace("PORT", "5000"))
    bench.peer(ECHO.replace("PORT", "5001"))  # the attacker's: an overloaded peer is not ullnicd's fault
    victim = bench.program(VICTIM)
    assert victim.read_line() == "up"
    results = {}
    for name, code in (("alone", None), ("busy", BUSY), ("attacked", ATTACKS[attack])):
        attacker = bench.python(ATTACKER + code + LOOP) if code is not None else None
        if attacker is not None:
            line = attacker.read_line()
            assert line.startswith("up"), attacker.process.stderr.read()
        results[name] = measure(victim)
        if attacker is not None:
            assert attacker.process.poll() is None, attacker.process.stderr.read()
            attacker.kill()
            attacker.process.wait()
        for what, times in zip(("round trips", "connections"), results[name], strict=True):
            print(f"{attack}: {name}: {what}: {described(times)}")
    for number, (what, slack_us) in enumerate((("round trips", 1000), ("connections", 10_000))):
        before = max(usual(results[name][number]) for name in ("alone", "busy"))
        assert usual(results["attacked"][number]) < 4 * before + slack_us, what
        assert results["attacked"][number][-1] < max(2_000_000, 20 * results["busy"][number][-1]), what


@root_only
def test_others_are_remembered(shared):
    """The fate of a connection is reported, however many sockets another user has had since: of those the surplus is
    forgotten.
    """
    _, control = shared("--allow-user", "nobody")
    refused = control.ask("CONNECT", peer_ip=PEER, peer_port=5999)
    wait_until(lambda: control.ask("QUERY", id=refused.id).verdict == errno.ECONNREFUSED)

    def churn():
        link, ids = control.connect(), []
        for _ in range(6000):
            reply = control.ask("BIND", link=link, local_ip=CARD, datagram=1)
            reply.fd.close()
            ids.append(reply.id)
        return ids

    def known():
        return [control.ask("QUERY", id=number).error == 0 for number in (ids[0], ids[1000], ids[-1])]

    ids = as_user(NOBODY, churn)
    time.sleep(0.5)  # the surplus is forgotten a few times a second
    assert as_user(NOBODY, known) == [False, False, True]
    reply = control.ask("QUERY", id=refused.id)
    assert reply.verdict == errno.ECONNREFUSED and "nothing listens there" in reply.text


def test_log_that_nobody_reads(bench, control):
    """It does not stop ullnicd, which reports the number of lost lines when there is room again."""
    bench.peer(ECHO.replace("PORT", "5000"))
    pipe = bench.daemon.process.stderr
    for _ in range(2000):  # a line each of some 50 bytes; the pipe has room for 64 KiB
        reply = control.ask("CONNECT", peer_ip=PEER, peer_port=5000)
        assert reply.error == 0
        reply.fd.settimeout(10)
        reply.fd.send(b"x")
        assert reply.fd.recv(1) == b"x"
        reply.fd.close()
    said = os.read(pipe.fileno(), 1 << 20).decode()
    assert said.count("connected") < 1900
    assert control.ask("CONNECT", peer_ip=PEER, peer_port=5000).error == 0
    wait_until(
        lambda: re.search(r"ullnicd: \d+ lines are lost: stderr was full\n", os.read(pipe.fileno(), 1 << 20).decode())
    )
