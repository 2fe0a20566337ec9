# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Access control of ullnicd's socket: the mode of its file, other users, what an id serves, registers and frames."""

import ctypes
import errno
import re
import shutil
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from bench import CARD, PEER, PRELUDE
from control import Control
from users import GROUP, NOBODY, OTHER, as_user, root_only


def attempt(control: Control, op: str = "PROBE", **fields):
    """The answer's errno and text, or the errno of connecting."""
    try:
        reply = control.ask(op, **fields)
    except OSError as error:
        return [error.errno, ""]
    return [reply.error, reply.text]


@pytest.mark.parametrize("umask", ["0000", "0077", "0777"])
@pytest.mark.parametrize(
    ("options", "mode", "group"),
    [
        ((), 0o600, None),
        (("--allow-group", str(GROUP)), 0o660, GROUP),
        (("--card-group", str(GROUP)), 0o660, GROUP),
        (("--card-group", str(GROUP), "--allow-group", str(GROUP)), 0o660, GROUP),
        (("--allow-group", str(GROUP), "--allow-group", "0"), 0o666, None),
        (("--allow-user", "nobody"), 0o666, None),
    ],
)
@root_only
def test_mode_of_the_socket(host_build, open_folder, layout, options, mode, group, umask):
    """It does not depend on the umask of the user that starts ullnicd."""
    path, argv = open_folder / "s", [str(host_build / "bin" / "ullnicd-fake"), "--card", "fake:tap0", "--address"]
    argv += [f"0={CARD}/24", "--socket", str(path), *options]
    script = f"umask {umask}; exec " + " ".join(argv)
    with subprocess.Popen(["unshare", "--net", "sh", "-c", script], stdout=subprocess.PIPE, text=True) as daemon:
        try:
            assert daemon.stdout.readline() == "ready\n"
            status = path.stat()
            assert (stat.S_IMODE(status.st_mode), status.st_gid) == (mode, 0 if group is None else group)
        finally:
            daemon.terminate()


@root_only
@pytest.mark.parametrize("mode", [None, 0o777])
def test_other_users_are_turned_away(shared, host_build, open_folder, mode):
    """Even if an administrator widens the file's mode, each kind of request is refused with reason and remedy."""
    bench, control = shared()
    if mode is not None:
        bench.socket.chmod(mode)
    error, text = as_user(NOBODY, lambda: attempt(control))
    assert error == errno.EACCES
    assert text == "" if mode is None else "start it with --allow-user or --allow-group" in text

    def by_library():
        library = ctypes.CDLL(str(host_build / "lib" / "libullnic.so"))
        library.ullnic_last_error.restype = ctypes.c_char_p
        card = ctypes.c_void_p()
        result = library.ullnic_open(f"ullnicd:{bench.socket}".encode(), ctypes.byref(card))
        return [result, library.ullnic_last_error().decode()]

    result, text = as_user(NOBODY, by_library)
    assert result == -errno.EACCES
    assert f"is not for user {NOBODY}: start it with --allow-user or --allow-group" in text
    program = bench.program("""
os.setuid(65534)
try:
    socket.socket().connect((PEER, 5000))
except OSError as error:
    say(errno.errorcode[error.errno])
""")
    assert program.finish() == "ECONNREFUSED\n", "the kernel's socket: nobody listens there"
    assert "is not for user 65534: start it with --allow-user or --allow-group" in program.err
    required = "os.setuid(65534)\ntry:\n    socket.socket().connect((PEER, 5000))\n"
    required += "except OSError as error:\n    say(errno.errorcode[error.errno])"
    assert bench.program(required, "--require").finish() == "EACCES\n"
    for file in ("bin/exasock", "lib/libullnic-sockets.so"):  # to where that user can reach them
        shutil.copy(host_build / file, open_folder)
    as_nobody = ["setpriv", f"--reuid={NOBODY}", "--clear-groups", str(open_folder / "exasock"), "--require", "true"]
    job = bench.start(as_nobody)
    job.finish(code=1)
    assert f"is not for user {NOBODY}: start it with --allow-user or --allow-group" in job.err
    assert control.ask("PROBE").error == 0


@root_only
@pytest.mark.parametrize(
    ("options", "user", "gid", "groups", "allowed"),
    [
        (("--allow-user", "nobody"), NOBODY, None, (), True),
        (("--allow-user", str(OTHER)), OTHER, None, (), True),
        (("--allow-user", "nobody"), OTHER, None, (), False),
        (("--allow-user", "nobody", "--allow-user", str(OTHER)), OTHER, None, (), True),
        (("--allow-group", str(GROUP)), OTHER, GROUP, (), True),
        (("--allow-group", str(GROUP)), OTHER, None, (1, GROUP, 5), True),
        (("--allow-group", str(GROUP)), OTHER, None, (1, 5), False),
        (("--allow-group", "1", "--allow-group", str(GROUP)), OTHER, None, (GROUP,), True),
        (("--card-group", str(GROUP)), OTHER, GROUP, (), True),
    ],
)
def test_who_is_allowed(shared, options, user, gid, groups, allowed):
    """By name and number, by a user's primary group and any other of its groups."""
    bench, control = shared(*options)
    bench.socket.chmod(0o777)  # ullnicd decides, not the mode of the file
    error, _ = as_user(user, lambda: attempt(control), gid, groups)
    assert error == (0 if allowed else errno.EACCES)
    assert attempt(control)[0] == 0, "root always may"


@root_only
def test_own_user_is_allowed(make_bench, open_folder, layout, host_build):
    """ullnicd of an ordinary user serves that user and root."""
    # On some machines only root may open the device file of TAP: this user gets its own.
    tun = f'mknod -m 666 {open_folder}/tun c 10 200 && mount --bind {open_folder}/tun /dev/net/tun && exec "$@"'
    argv = ["unshare", "--mount", "sh", "-c", tun, "sh", "setpriv", f"--reuid={OTHER}", f"--regid={OTHER}"]
    argv += ["--clear-groups", "unshare", "--map-root-user", "--net"]
    open_folder.chmod(0o777)
    path = open_folder / "s"
    argv += [str(host_build / "bin" / "ullnicd-fake"), "--card", "fake:tap0", "--socket", str(path)]
    with subprocess.Popen([*argv, "--address", f"0={CARD}/24"], stdout=subprocess.PIPE, text=True) as daemon:
        try:
            assert daemon.stdout.readline() == "ready\n"
            assert (path.stat().st_uid, stat.S_IMODE(path.stat().st_mode)) == (OTHER, 0o600)
            control = Control(path, layout)
            assert as_user(OTHER, lambda: attempt(control))[0] == 0
            assert as_user(OTHER, lambda: attempt(control, "READ_REGISTER", address=0x8004))[0] == 0
            assert as_user(NOBODY, lambda: attempt(control))[0] == errno.EACCES
        finally:
            daemon.terminate()


VICTIM = """
from control import Control
link = socket.create_connection((PEER, 5000))
udp = socket.socket(type=socket.SOCK_DGRAM)
udp.bind(("10.9.1.2", 6000))
server = socket.socket()
server.bind(("10.9.1.2", 7000))
server.listen()
say(*(Control().ask("QUERY", shown=one.fileno()).id for one in (link, udp, server)))
heard()
link.sendall(b"mine")
say(link.recv(100))
"""
ECHO = "link, _ = listen().accept()\nlink.sendall(link.recv(100) + b' echoed')"
NAMING = (
    "QUERY",
    "OPTIONS",
    "LISTEN",
    "GROUP",
    "DELEGATE",
    "DELEGATED",
    "UNDELEGATE",
    "MORE",
    "LINGER",
    "BIND",
    "CONNECT",
)


@root_only
def test_ids_serve_their_own_user(shared):
    """Another user's id is as unknown as one that never existed, for each request; its owner is not affected."""
    bench, control = shared("--allow-user", "nobody", "--allow-user", str(OTHER))
    bench.peer(ECHO)
    program = bench.program(VICTIM)
    ids = [int(number) for number in program.read_line().split()]

    def ask_all():
        return [[op, *attempt(control, op, id=number)] for op in NAMING for number in (*ids, 12345)]

    for user in (NOBODY, OTHER):
        answers = as_user(user, ask_all)
        assert {(error, text) for _, error, text in answers} == {
            (errno.EBADF, "ullnicd does not know this socket (any more)")
        }
    program.tell()
    assert program.finish() == "b'mine echoed'\n"


@root_only
def test_nothing_to_see_from_outside(shared):
    """/proc/net/unix shows no names of sockets except the daemon's own, and ids cannot be derived from others."""
    bench, control = shared("--allow-user", "nobody")
    bench.peer(ECHO)
    program = bench.program(VICTIM)
    ids = [int(number) for number in program.read_line().split()]
    table = bench.shell("cat /proc/net/unix")
    names = {line.split()[7] for line in table.splitlines()[1:] if len(line.split()) > 7}
    assert names == {str(bench.socket)}
    for number in ids:
        assert f"{number:x}" not in table
    own = [control.ask("BIND", local_ip=CARD).id for _ in range(100)]
    high = {number >> 32 for number in (*own, *ids)}
    assert len(high) > 90, "ids that follow each other"
    program.tell()
    program.finish()


@root_only
def test_descriptor_is_proof(shared):
    """A process that holds a socket's descriptor may send requests for it, like a forked worker that has changed its
    user; guessing its id does not suffice.
    """
    bench, _ = shared("--allow-user", "nobody")
    program = bench.program("""
server = socket.socket()
server.bind(("10.9.1.2", 7000))
server.listen()
say("up")
worker = os.fork()
if worker == 0:
    os.setgroups([])
    os.setuid(65534)
    link, peer = server.accept()
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    say(peer[0], link.getsockname(), link.getpeername()[0], server.getsockname())
    link.sendall(link.recv(100) + b" answered")
    link.close()
    os._exit(0)
os.waitpid(worker, 0)
say(server.getsockname())
""")
    assert program.read_line() == "up"
    peer = bench.start(
        [
            sys.executable,
            "-c",
            PRELUDE
            + """
link = socket.create_connection(("10.9.1.2", 7000))
link.sendall(b"question")
say(link.recv(100))
""",
        ]
    )
    assert peer.finish() == "b'question answered'\n"
    name = f"('{CARD}', 7000)"
    assert program.finish() == f"{PEER} {name} {PEER} {name}\n{name}\n"


@root_only
@pytest.mark.parametrize(
    ("user", "group", "allowed"), [(NOBODY, None, False), (OTHER, None, False), (OTHER, GROUP, True), (0, 0, True)]
)
def test_registers_and_frames(shared, user, group, allowed):
    """Only for root and the members of --card-group, by each of the three requests."""
    _, control = shared("--allow-user", "nobody", "--allow-user", str(OTHER), "--card-group", str(GROUP))
    asks = (("READ_REGISTER", {"address": 0x8004}), ("WRITE_REGISTER", {"address": 0x8004}), ("RAW", {"value": 0}))
    for op, fields in asks:
        error, text = as_user(user, lambda op=op, fields=fields: attempt(control, op, **fields), group)
        assert error == (0 if allowed else errno.EPERM), op
        assert allowed or "--card-group" in text


@root_only
def test_receive_buffer_is_bounded(shared):
    """Only root may set SO_RCVBUF beyond net.core.rmem_max, as with Linux: the memory is ullnicd's, which must be
    allowed to use so much (wmem_max) or be privileged.
    """
    _, control = shared("--allow-user", "nobody", "--unconfined")
    most = 2 * int(Path("/proc/sys/net/core/rmem_max").read_text())

    def buffer_of(user):
        def ask():
            reply = control.ask("BIND", local_ip=CARD, datagram=1, options=control.options(receive_buffer=256 << 20))
            return [reply.error, reply.fd is not None, control.option(reply, "receive_buffer")]

        return as_user(user, ask)

    error, given, size = buffer_of(NOBODY)
    assert (error, given) == (0, True) and 0 < size <= most
    assert buffer_of(0)[2] > most


@root_only
def test_receive_buffer_of_an_unprivileged_daemon(shared):
    """It gives what the kernel gives it, and says so."""
    bench, control = shared()
    most = 2 * int(Path("/proc/sys/net/core/wmem_max").read_text())
    wanted = 256 << 20
    reply = control.ask("BIND", local_ip=CARD, datagram=1, options=control.options(receive_buffer=wanted))
    assert (reply.error, control.option(reply, "receive_buffer")) == (0, most)
    bench.stop_daemon()
    local = f"{CARD}:{socket.ntohs(reply.local_port)}"
    assert f"{local} to 0.0.0.0:0: SO_RCVBUF is {most} bytes, not {wanted}: raise" in bench.daemon_says


@pytest.mark.parametrize("option", ["--allow-user", "--allow-group", "--card-group"])
@pytest.mark.parametrize("name", ["no-such-name", "", "-1", "4294967295", "99999999999999999999", "0x10", "1 "])
def test_unknown_names(host_build, option, name):
    argv = [str(host_build / "bin" / "ullnicd-fake"), "--card", "fake:tap0", "--address", f"0={CARD}/24", option, name]
    done = subprocess.run(argv, text=True, capture_output=True, timeout=10)
    assert done.returncode == 2
    assert re.search(rf"{option} .*: there is no (user|group) .*: give a name of `getent (passwd|group)`", done.stderr)


def test_file_in_the_way(bench, host_build, tmp_path):
    """A file that is no socket is left unchanged; a socket without a listener is removed."""
    argv = [str(host_build / "bin" / "ullnicd-fake"), "--card", "fake:tap1", "--address", "0=10.9.2.2/24", "--socket"]
    file = tmp_path / "precious"
    file.write_text("data")
    done = subprocess.run(bench.inside([*argv, str(file)]), text=True, capture_output=True, timeout=10)
    assert done.returncode == 1 and "no socket is there, which is left as it is" in done.stderr
    assert file.read_text() == "data"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as other:
        other.bind(str(tmp_path / "other"))
        other.listen()
        done = subprocess.run(
            bench.inside([*argv, str(tmp_path / "other")]), text=True, capture_output=True, timeout=10
        )
        assert done.returncode == 1 and "give --socket PATH" in done.stderr
        assert (tmp_path / "other").is_socket(), "it took away what another one listens on"
    left = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    left.bind(str(tmp_path / "left"))
    left.close()
    job = bench.start([*argv, str(tmp_path / "left")])
    assert job.read_line() == "ready"
    job.process.terminate()
    job.finish()
