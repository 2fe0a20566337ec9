# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Limits of a user of ullnicd; refusals give a reason. test_sockets_starving.py tests the effect on others."""

import contextlib
import errno
import re
import socket
import subprocess
import time
from pathlib import Path

import pytest

from bench import CARD, PEER, wait_until
from control import Control
from users import NOBODY, as_user, root_only

# Accepts connections, and closes each when the other end has.
CLOSING = """
server = listen()
def close(link):
    link.recv(1)
    link.close()
while True:
    threading.Thread(target=close, args=(server.accept()[0],), daemon=True).start()
"""
GROUPS = "net.ipv4.igmp_max_memberships"


def descriptors(bench) -> int:
    return len(list(Path(f"/proc/{bench.daemon.process.pid}/fd").iterdir()))


def processor_s(bench) -> float:
    fields = Path(f"/proc/{bench.daemon.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def memory_kib(bench) -> int:
    return int(re.search(r"RssAnon:\s+(\d+)", Path(f"/proc/{bench.daemon.process.pid}/status").read_text())[1])


def is_closed(link: socket.socket) -> bool:
    link.setblocking(False)
    try:
        return link.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


def used(control: Control) -> dict:
    return control.ask("PROBE").usage


@pytest.fixture
def limited(make_bench, layout):
    """A bench with limits, and a way to send requests."""

    def make(*limits: str):
        bench = make_bench(daemon=tuple(word for limit in limits for word in ("--limit", limit)))
        return bench, Control(bench.socket, layout)

    return make


def test_idle_connections_make_room(limited):
    """The longest idle connection is closed when another one arrives; an active one is answered."""
    bench, control = limited("connections=20")
    before = descriptors(bench)
    links = [control.connect() for _ in range(20)]
    for link in links[:5]:
        assert control.ask("PROBE", link=link).error == 0
    more = []
    for _ in range(200):
        more.append(control.connect())
        assert control.ask("PROBE", link=more[-1]).error == 0
        assert descriptors(bench) <= before + 21
    assert all(is_closed(link) for link in links), "those that had asked before the others"
    assert used(control)["refused"] == 0


def test_idle_time(limited):
    """A connection without requests is closed after a time, an active one is not."""
    _, control = limited("idle=1")
    silent, asking = control.connect(), control.connect()
    begin = time.monotonic()
    while not is_closed(silent):
        assert control.ask("PROBE", link=asking).error == 0
        time.sleep(0.05)
        assert time.monotonic() < begin + 5
    assert time.monotonic() > begin + 0.9
    assert control.ask("PROBE", link=asking).error == 0


def test_no_random_numbers(make_bench, layout, tmp_path):
    """A socket without an unpredictable id is refused; the daemon continues, and serves sockets later."""
    dry = tmp_path / "dry"
    bench = make_bench(dry=dry)
    control = Control(bench.socket, layout)
    before = descriptors(bench)
    dry.touch()
    for _ in range(3):
        assert control.ask("BIND", local_ip=CARD).error == errno.ENOMEM
        assert control.ask("PROBE").error == 0
    assert used(control)["sockets"] == 0
    wait_until(lambda: descriptors(bench) <= before + 1)
    dry.unlink()
    reply = control.ask("BIND", local_ip=CARD)
    assert reply.error == 0 and used(control)["sockets"] == 1


@pytest.mark.parametrize("is_first", [True, False], ids=["first", "another"])
def test_no_memory_for_a_connection(make_bench, layout, tmp_path, is_first):
    """A user's first connection, for which the daemon also records the user, or one more. It is refused with the
    reason; existing connections continue, and so does the daemon once it has memory.
    """
    full = tmp_path / "full"
    bench = make_bench(full=full)
    control = Control(bench.socket, layout)
    held = [] if is_first else [control.connect()]
    for link in held:
        assert control.ask("PROBE", link=link).error == 0
    full.touch()
    for _ in range(3):
        reply = control.ask("PROBE")
        assert (reply.error, reply.turned_away) == (errno.ENOMEM, 1)
        assert reply.text == "ullnicd has no memory"
        for link in held:
            assert control.ask("PROBE", link=link).error == 0
    full.unlink()
    assert control.ask("PROBE").error == 0 and used(control)["connections"] == 1 + len(held)


def test_no_memory_for_what_is_asked(make_bench, layout, tmp_path):
    """Each request that allocates something reports it and leaves nothing; existing objects stay, and every request
    succeeds later.
    """
    full = tmp_path / "full"
    bench = make_bench(full=full)
    control = Control(bench.socket, layout)
    link = control.connect()
    kept = control.ask("BIND", link=link, local_ip=CARD, datagram=1)
    unbound = control.ask("BIND", link=link, local_ip=CARD, datagram=1, unbound=1)
    requests = [
        ("BIND", {"local_ip": CARD}),
        ("BIND", {"local_ip": CARD, "datagram": 1}),
        ("CONNECT", {"peer_ip": PEER, "peer_port": 5000}),
        ("CONNECT", {"peer_ip": PEER, "peer_port": 5000, "datagram": 1}),
        ("CONNECT", {"id": unbound.id, "peer_ip": PEER, "peer_port": 5000, "datagram": 1}),
        ("GROUP", {"id": kept.id, "peer_ip": "239.1.2.3", "local_ip": CARD}),
    ]
    before = used(control)
    full.touch()
    for op, fields in 2 * requests:
        reply = control.ask(op, link=link, **fields)
        assert (reply.error, reply.fd) == (errno.ENOMEM, None), (op, fields)
    assert control.ask("QUERY", link=link, id=kept.id).error == 0
    full.unlink()
    assert used(control) == before
    replies = [control.ask(op, link=link, **fields) for op, fields in requests]
    assert [reply.error for reply in replies] == [0] * len(requests)
    assert used(control)["memberships"] == 1


NO_SOCKET = "ullnicd has no descriptors or memory for another socket"
HAND_OVER = "ullnicd cannot hand over a descriptor (Too many references: cannot splice): raise its ulimit -n"
FAILING = {  # calls of the system, and what a request for a socket returns if one fails
    "socketpair": (errno.EMFILE, NO_SOCKET),
    "getsockopt": (errno.ENOPROTOOPT, NO_SOCKET),
    "epoll_ctl": (errno.ENOSPC, NO_SOCKET),
    "sendmsg": (errno.ETOOMANYREFS, HAND_OVER),
}


@pytest.fixture
def failing(make_bench, layout, tmp_path):
    """A bench, its control, and a folder whose files name the calls that fail."""
    fails = tmp_path / "fails"
    fails.mkdir()
    bench = make_bench(fails=fails)
    return bench, Control(bench.socket, layout), fails


def test_calls_that_fail(failing):
    """Each request for a socket reports the call that failed and leaves neither socket nor descriptor."""
    bench, control, fails = failing
    link = control.connect()
    assert control.ask("PROBE", link=link).error == 0
    before = descriptors(bench)
    for call, (error, text) in FAILING.items():
        (fails / call).touch()
        for op, fields in [
            ("BIND", {"local_ip": CARD}),
            ("BIND", {"local_ip": CARD, "datagram": 1}),
            ("CONNECT", {"peer_ip": PEER, "peer_port": 5000, "datagram": 1}),
            ("RAW", {"value": 0}),
        ]:
            reply = control.ask(op, link=link, **fields)
            assert (reply.error, reply.text, reply.fd) == (error, text, None), (call, op)
        (fails / call).unlink()
        wait_until(lambda: descriptors(bench) == before and used(control)["sockets"] == 0)
    assert control.ask("BIND", link=link, local_ip=CARD).error == 0


def test_a_reply_counts_as_read_when_one_byte_is_left(failing):
    """Linux counts that long what has been read, and reports nothing after it: a request that waits is answered."""
    _, control, fails = failing
    (fails / "ioctl").touch()
    link = control.connect()
    link.settimeout(5)
    for _ in range(4):
        link.send(control.request("PROBE"))
    for _ in range(4):
        assert control.parse(link.recv(4096)).error == 0


def test_connection_that_cannot_be_watched(failing):
    """It is closed at once: nothing of it is left."""
    bench, control, fails = failing
    before = descriptors(bench)
    (fails / "epoll_ctl").touch()
    links = [control.connect() for _ in range(3)]
    assert [link.recv(10) for link in links] == [b""] * 3
    (fails / "epoll_ctl").unlink()
    wait_until(lambda: descriptors(bench) == before)
    assert used(control)["connections"] == 1


@pytest.mark.parametrize("size", [1, 2, 3000])
def test_descriptor_of_a_message_that_is_no_request(bench, control, size):
    """It is closed, as is the connection."""
    before = descriptors(bench)
    for _ in range(3):
        link = control.connect()
        socket.send_fds(link, [b"x" * size], [0])
        assert link.recv(10) == b""
    wait_until(lambda: descriptors(bench) == before)


@pytest.mark.parametrize("call", ["socketpair", "sendmsg"])
def test_accepted_connection_that_cannot_be_handed_over(failing, call):
    """The peer is reset; the listening socket accepts the next one, and nothing is left."""
    bench, control, fails = failing
    program = bench.program("""
server = socket.create_server(("10.9.1.2", 7000))
say("ready")
link = server.accept()[0]
say(link.recv(10))
""")
    assert program.read_line() == "ready"
    link = control.connect()
    assert control.ask("PROBE", link=link).error == 0  # the requests before it are done, to the last close()
    before = descriptors(bench)
    (fails / call).touch()
    peer = bench.peer("""
say("ready")
for _ in range(3):
    try:
        link = socket.create_connection(("10.9.1.2", 7000))
        say(link.recv(1))
    except ConnectionResetError:
        say("reset")
heard()
socket.create_connection(("10.9.1.2", 7000)).send(b"fourth")
""")
    assert [peer.read_line() for _ in range(3)] == ["reset"] * 3
    wait_until(lambda: descriptors(bench) == before)
    (fails / call).unlink()
    peer.tell()
    peer.finish()
    assert program.finish() == "b'fourth'\n"
    bench.stop_daemon()
    said = re.findall(r"not handed over: (.*)", bench.daemon_says)
    assert said == ["Too many references: cannot splice"] * (call == "sendmsg")


def test_unread_replies(limited):
    """A connection has at most one unread reply: the next request waits for it, and brings no socket meanwhile."""
    bench, control = limited()
    before, links = descriptors(bench), []
    for _ in range(30):
        link = control.connect()
        link.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            for _ in range(500):
                link.send(control.request("BIND", local_ip=CARD))
        links.append(link)
    time.sleep(0.5)
    assert used(control)["sockets"] == 30
    assert descriptors(bench) <= before + 2 * 30 + 2
    for link in links[:10]:  # they read, and are answered
        link.settimeout(5)
        for _ in range(5):
            message, fds, _, _ = socket.recv_fds(link, 4096, 1)
            assert control.parse(message).error == 0
            socket.socket(fileno=fds[0]).close()
    for link in links:
        link.close()
    wait_until(lambda: used(control)["sockets"] == 0)
    wait_until(lambda: descriptors(bench) <= before + 1)


def test_connections_with_unread_replies_are_refused_more(limited):
    """They are not closed for others, otherwise their user could have unlimited descriptors in flight."""
    _, control = limited("connections=8")
    links = [control.connect() for _ in range(8)]
    for link in links:
        link.send(control.request("BIND", local_ip=CARD))
    time.sleep(0.2)
    reply = control.ask("PROBE")
    assert (reply.error, reply.turned_away) == (errno.ENOBUFS, 1)
    assert "has 8 connections, the limit" in reply.text and "--limit connections=NUMBER" in reply.text
    socket.recv_fds(links[0], 4096, 1)
    wait_until(lambda: control.ask("PROBE").error == 0)


@pytest.mark.parametrize("kind", ["TCP", "UDP", "connected"])
def test_sockets(limited, kind):
    """One more than the limit is ENOBUFS, with cause and remedy, one line of log and a count of all refusals."""
    bench, control = limited("sockets=10")
    bench.peer(CLOSING)

    def make():
        if kind == "connected":
            return control.ask("CONNECT", peer_ip=PEER, peer_port=5000)
        return control.ask("BIND", local_ip=CARD, datagram=int(kind == "UDP"))

    kept = [make() for _ in range(10)]
    assert {reply.error for reply in kept} == {0}
    for _ in range(20):
        reply = make()
        assert reply.error == errno.ENOBUFS and reply.fd is None
        assert "has 10 sockets, the limit: close some, or start ullnicd with --limit sockets=NUMBER" in reply.text
    assert used(control) == {"connections": 1, "sockets": 10, "memberships": 0, "refused": 20} | {"_": 0}
    kept[0].fd.close()
    wait_until(lambda: make().error == 0)
    program = bench.program(
        """
links = []
try:
    while len(links) < 11:
        links.append(socket.socket())
        links[-1].bind(("10.9.1.2", 0))
except OSError as error:
    say(errno.errorcode[error.errno], len(links))
"""
    )
    assert program.finish().startswith("ENOBUFS")
    assert "--limit sockets=NUMBER" in program.err
    for reply in kept:
        reply.fd.close()
    bench.stop_daemon()
    assert bench.daemon_says.count("refused: user") == 1


def test_sockets_in_time_wait_make_room(limited):
    """Consecutive connections are not refused because of those in TIME-WAIT, which count."""
    bench, control = limited("sockets=10")
    bench.peer(CLOSING)
    most = 0
    for _ in range(60):
        reply = control.ask("CONNECT", peer_ip=PEER, peer_port=5000)
        assert reply.error == 0, reply.text
        reply.fd.settimeout(5)
        reply.fd.shutdown(socket.SHUT_WR)
        assert reply.fd.recv(1) == b""
        reply.fd.close()
        most = max(most, used(control)["sockets"])
    assert 5 < most <= 10


def test_memberships(limited):
    """The limit is for all sockets of a user together."""
    bench, control = limited("memberships=30")
    links = [control.ask("BIND", local_ip=CARD, datagram=1) for _ in range(3)]

    def join(number: int):
        ids = links[number % 3].id
        return control.ask("GROUP", id=ids, peer_ip=f"239.1.1.{number}", local_ip=CARD)

    assert {join(number).error for number in range(30)} == {0}
    reply = join(30)
    assert reply.error == errno.ENOBUFS and "--limit memberships=NUMBER" in reply.text
    links[0].fd.close()
    wait_until(lambda: used(control)["memberships"] == 20)
    assert join(31).error == 0
    for link in links:
        link.fd.close()
    wait_until(lambda: used(control)["memberships"] == 0)


def test_joins_are_cheap(limited):
    """With the maximum of memberships of a user, a join and a leave cost about as much as the first ones."""
    bench, control = limited()
    bench.shell(f"sysctl -q {GROUPS}=30000")
    member = control.ask("BIND", local_ip=CARD, datagram=1)
    link = control.connect()

    def change(action: int, number: int) -> None:
        fields = {"peer_ip": f"239.0.{number >> 8}.{number & 255}", "local_ip": CARD, "group_action": action}
        assert control.ask("GROUP", link=link, id=member.id, **fields).error == 0

    def cost(number: int) -> float:
        before = processor_s(bench)
        for _ in range(3000):
            change(0, number)
            change(1, number)
        return processor_s(bench) - before

    few = cost(4095)
    for number in range(4095):
        change(0, number)
    many = cost(4095)
    print(f"CPU time of 3000 joins and leaves: {few:.2f} s, and {many:.2f} s with 4,095 other groups")
    assert many < 3 * few + 0.1
    begin = time.monotonic()
    member.fd.close()
    assert control.ask("PROBE", link=link).error == 0
    took = time.monotonic() - begin
    print(f"a request while the socket with 4,095 groups closes: {took:.3f} s")
    assert took < 0.5


@root_only
def test_one_user_does_not_take_all_descriptors(shared):
    """However high the limits are, a user may have at most as many sockets as it leaves free."""
    _, control = shared("--allow-user", "nobody", "--limit", "sockets=100000", descriptors=400)

    def take():
        kept = []
        while (reply := control.ask("BIND", local_ip=CARD, datagram=1)).error == 0:
            kept.append(reply.fd)
        return [len(kept), reply.error, reply.text]

    count, error, text = as_user(NOBODY, take)
    assert error == errno.ENOBUFS and "ulimit -n" in text
    assert 120 < count < 200
    own = [control.ask("BIND", local_ip=CARD, datagram=1) for _ in range(50)]
    assert {reply.error for reply in own} == {0}


@pytest.mark.parametrize(
    "text",
    ["", "sockets", "sockets=", "sockets=0", "sockets=x", "sockets=1x", "socket=5", "idle=-1", "sockets=1000001"],
)
def test_wrong_limits(host_build, text):
    argv = [
        str(host_build / "bin" / "ullnicd-fake"),
        "--card",
        "fake:tap0",
        "--address",
        f"0={CARD}/24",
        "--limit",
        text,
    ]
    done = subprocess.run(argv, text=True, capture_output=True, timeout=10)
    assert done.returncode == 2 and "give NAME=NUMBER, a name of --help and a number from 1 on" in done.stderr


def test_version_and_unknown_options(host_build):
    ullnicd = str(host_build / "bin" / "ullnicd-fake")
    version = (Path(__file__).parents[3] / "VERSION").read_text().strip()
    done = subprocess.run([ullnicd, "--version"], text=True, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"ullnicd {version}\n", "")
    usage = subprocess.run([ullnicd, "--help"], text=True, capture_output=True).stdout
    done = subprocess.run([ullnicd, "--no-such-option"], text=True, capture_output=True)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.endswith(usage)


def test_help_names_limits_and_defaults(host_build):
    done = subprocess.run([str(host_build / "bin" / "ullnicd-fake"), "--help"], text=True, capture_output=True)
    for name in ("connections", "sockets", "memberships", "idle"):
        assert re.search(rf"^ +{name} .*\(default: \d+\)$", done.stdout, re.MULTILINE), done.stdout
    for option in ("--allow-user", "--allow-group", "--card-group", "--verbose"):
        assert option in done.stdout
