# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""exasock --require: nothing bypasses the card."""

import socket
from pathlib import Path

import pytest

from bench import sanitizer_settings
from option_code import SINK


def test_environment_of_the_start(bench):
    """A program that clears its environment, as nginx does, keeps the daemon and --require."""
    bench.peer(SINK)
    program = bench.program(
        """
import ctypes
ctypes.CDLL(None).clearenv()
say(socket.create_connection((PEER, 5000)).getsockname()[0])
try:
    socket.create_connection(("192.0.2.1", 9), timeout=1)
except OSError as error:
    say(errno.errorcode[error.errno])
""",
        "--require",
    )
    assert program.finish() == "10.9.1.2\nENETUNREACH\n"
    assert "not accelerated: no port of the card reaches it" in program.err


@pytest.mark.parametrize("gone", [False, True], ids=["daemon", "no-daemon"])
def test_required(bench, gone):
    """exasock --require: a socket that would stay the kernel's fails, and a line says why; loopback and unix sockets do
    not.
    """
    bench.peer(SINK)
    bench.shell("ip addr add fd00::3/64 dev tap0 nodad")
    program = bench.program(
        """
def err(call, *arguments):
    try:
        call(*arguments)
        return "ok"
    except OSError as error:
        return errno.errorcode[error.errno]
def fresh(kind=socket.SOCK_STREAM, family=socket.AF_INET):
    return socket.socket(family, kind)
D, SIX = socket.SOCK_DGRAM, socket.AF_INET6
say("ready")
heard()
said = [err(fresh().connect, (PEER, 5000)), err(fresh(D).connect, (PEER, 5000)),
        err(fresh(D).sendto, b"x", (PEER, 9)), err(fresh().bind, ("10.9.1.2", 7000)),
        err(fresh().connect, ("192.0.2.1", 9)), err(fresh(D).sendto, b"x", ("192.0.2.1", 9)),
        err(fresh().bind, (PEER, 0)), err(fresh(D).bind, (PEER, 0)), err(fresh().listen), err(fresh(family=SIX).listen),
        err(fresh(family=SIX).connect, ("fd00::3", 9)), err(fresh(D, SIX).sendto, b"x", ("fd00::3", 9)),
        err(fresh(family=SIX).connect, ("::ffff:10.9.1.3", 5000))]
say(*said)
server = socket.create_server(("127.0.0.1", 0))
socket.create_connection(server.getsockname()).close()
fresh(D).sendto(b"x", ("127.0.0.1", 9))
one, two = socket.socketpair()
one.send(b"x")
unix = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
unix.bind("\\0required")
unix.sendto(b"x", "\\0required")
fresh(D).bind(("", 0))
plain = fresh()
plain.setsockopt(0x200, 1, 1)  # SO_EXA_NO_ACCEL: by the program's own wish
plain.connect((PEER, 5000))
say(plain.getsockname()[0])
""",
        "--require",
    )
    assert program.read_line() == "ready", program.process.stderr.read()
    if gone:
        daemon, bench.daemon = bench.daemon, None
        daemon.kill()
        daemon.process.wait()
        bench.shell("ip addr add 10.9.1.3/24 dev lo || true")
    program.tell()
    said = program.finish().split()
    if gone:
        assert said[:8] == ["ENETDOWN"] * 8
    else:
        refused = ["ENETUNREACH"] * 2 + ["EADDRNOTAVAIL"] * 2
        assert said[:8] == ["ok"] * 4 + refused
        assert "192.0.2.1:9: not accelerated: no port of the card reaches it" in program.err
    assert said[8:13] == ["EADDRNOTAVAIL"] * 2 + ["ENETUNREACH"] * 3
    assert said[13] == "10.9.1.3"
    assert "IPv6" in program.err and "not bound to an address of the card" in program.err


def test_by_its_own_wish(bench):
    """A socket with SO_EXA_NO_ACCEL is the kernel's in every call, also with --require."""
    program = bench.program(
        """
def plain(kind=socket.SOCK_STREAM):
    one = socket.socket(socket.AF_INET, kind)
    one.setsockopt(0x200, 1, 1)
    return one
server = plain()
server.bind((PEER, 0))
server.listen()
address = server.getsockname()
links = [plain(), plain()]
links[0].connect(address)
assert links[1].sendto(b"first", socket.MSG_FASTOPEN, address) == 5
for link in links:
    assert server.accept()[0].getpeername() == link.getsockname() and link.getsockname()[0] == PEER
datagram, other = plain(socket.SOCK_DGRAM), plain(socket.SOCK_DGRAM)
datagram.bind((PEER, 0))
other.sendto(b"one", datagram.getsockname())
other.connect(datagram.getsockname())
other.send(b"two")
assert [datagram.recv(10) for _ in range(2)] == [b"one", b"two"]
port = socket.inet_aton("10.9.1.2")  # of the card: the kernel does not have it
for name, value in ("IP_MULTICAST_IF", port), ("IP_ADD_MEMBERSHIP", socket.inet_aton("239.1.2.3") + port):
    try:
        other.setsockopt(socket.IPPROTO_IP, getattr(socket, name), value)
    except OSError as error:
        say(errno.errorcode[error.errno])
""",
        "--require",
    )
    assert program.finish().split() == ["EADDRNOTAVAIL", "ENODEV"]
    assert all("the program disabled it (SO_EXA_NO_ACCEL)" in line for line in program.err.splitlines()), program.err


def elf(path: Path, **changes) -> Path:
    """A program's file that is linked statically: a header without parts."""
    fields = {"class": 2, "machine": 62} | changes
    path.write_bytes(
        b"\x7fELF" + bytes([fields["class"], 1, 1]) + bytes(9) + b"\x02\0" + bytes([fields["machine"], 0]) + bytes(44)
    )
    path.chmod(0o755)
    return path


def stale_socket(folder: Path) -> Path:
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as dead:
        dead.bind(str(folder / "dead.sock"))
    return folder / "dead.sock"


def test_start_is_required(bench, tmp_path):
    """Nothing starts with --require if ullnicd does not answer, or if the program's sockets cannot be intercepted."""
    script, started = tmp_path / "script", tmp_path / "started"
    script.write_text(f"#!{elf(tmp_path / 'static')}\n")
    script.chmod(0o755)
    cases = [
        ([str(tmp_path / "static")], {}, "linked statically"),
        ([str(script)], {}, "linked statically"),
        ([str(elf(tmp_path / "arm", machine=183))], {}, "another architecture"),
        ([str(elf(tmp_path / "small", **{"class": 1}))], {}, "another architecture"),
        ([str(tmp_path / "nothing")], {}, "No such file"),
        (["touch", str(started)], {"ULLNICD_SOCKET": str(stale_socket(tmp_path))}, "does not answer"),
        (["touch", str(started)], {"ULLNICD_SOCKET": "/nonexistent.sock"}, "is not running"),
    ]
    jobs = [(bench.command(argv, "--require", env=env), words) for argv, env, words in cases]
    jobs += [(bench.command(["touch", str(started)], env={"EXASOCK_REQUIRE": "1"} | cases[-2][1]), "does not answer")]
    for job, words in jobs:
        job.finish(code=1)
        assert words in job.err, job.err
    assert not started.exists()
    assert bench.command(["sh", "-c", "echo started"], "--require").finish() == "started\n"
    plain = tmp_path / "plain"  # neither a program nor "#!": the shell reads it
    plain.write_text("echo by the shell\n")
    plain.chmod(0o755)
    assert bench.command([str(plain)], "--require").finish() == "by the shell\n"
    assert "--require" in bench.command([], "--help").finish(0) + bench.jobs[-1].err


def script(path: Path, interpreter: Path) -> Path:
    path.write_text(f"#!{interpreter}\n" + "# more than one line of a file is read\n" * 20)
    path.chmod(0o755)
    return path


def test_scripts_to_the_last(bench, tmp_path):
    """The longest interpreter name that the kernel accepts, and a byte more; scripts that run scripts, as deep as the
    library follows, and one more. The library is called directly, with the sanitizer's functions before libc's.
    """
    library = bench.build / "lib" / "libullnic-sockets.so"
    settings = sanitizer_settings()
    preload = f"{library}:{settings.pop('LD_PRELOAD', '')}"
    shell = Path("/bin/sh").resolve()

    def checks(program: Path) -> tuple[str, str]:
        job = bench.start(["env", f"LD_PRELOAD={preload}", f"EXASOCK_CHECK={program}", "true"], settings)
        return job.finish(code=None), job.err

    def named(length: int) -> Path:
        folder = tmp_path / ("x" * (length - len(str(tmp_path)) - len("//sh")))
        folder.mkdir()
        (folder / "sh").symlink_to(shell)
        return folder / "sh"

    assert checks(script(tmp_path / "longest", named(253))) == ("ready\n", "")
    said, why = checks(script(tmp_path / "longer", named(254)))
    assert said == "" and "No such file" in why and "Sanitizer" not in why, why
    last = shell
    for number in range(3):
        last = script(tmp_path / f"script{number}", last)
    assert checks(last) == ("ready\n", "")
    said, why = checks(script(tmp_path / "script3", last))
    assert said == "" and "a script of a script of scripts" in why, why
