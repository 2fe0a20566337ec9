# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Accelerated TCP against the kernel: data, connecting, waiting, ends."""

import time
from pathlib import Path

import pytest

from bench import wait_until

ECHO = """
server = listen()
while True:
    link, _ = server.accept()
    threading.Thread(target=echo, args=(link,), daemon=True).start()
"""
# Sends random bytes and reads them back at the same time.
EXCHANGE = """
import random
size, seed = SIZE, SEED
data = random.Random(seed).randbytes(size)
link = socket.create_connection((PEER, 5000))
def write():
    link.sendall(data)
    link.shutdown(socket.SHUT_WR)
threading.Thread(target=write).start()
back = hashlib.sha256()
while part := link.recv(65536):
    back.update(part)
assert back.digest() == hashlib.sha256(data).digest(), f"seed {seed}: the stream came back different"
link.close()
say("same")
"""


def exchange(size: int, seed: int) -> str:
    return EXCHANGE.replace("SIZE", str(size)).replace("SEED", str(seed))


def test_stream_both_ways(bench, seed):
    bench.peer(ECHO)
    program = bench.program(exchange(8_000_000, seed))
    assert program.finish() == "same\n"
    assert program.err == ""
    bench.stop_daemon()
    assert "connected" in bench.daemon_says


@pytest.mark.parametrize("run", [1, 2])
def test_stream_over_a_bad_line(make_bench, seed, run):
    seed += run
    bench = make_bench(drop_in=0.01, drop_out=0.01, dup=0.01, swap=0.01, seed=seed)
    bench.peer(ECHO)
    assert bench.program(exchange(3_000_000, seed)).finish() == "same\n"
    stats = bench.stop_daemon()
    assert min(stats[key] for key in ("dropped_in", "dropped_out", "doubled", "swapped")) > 0


def test_two_programs_at_once(bench, seed):
    bench.peer(ECHO)
    programs = [bench.program(exchange(2_000_000, seed + run)) for run in (1, 2)]
    assert [program.finish() for program in programs] == ["same\n"] * 2


def test_names_and_options(bench):
    bench.peer(ECHO)
    program = bench.program("""
link = socket.socket()
link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
link.settimeout(5)
link.connect((PEER, 5000))
assert link.getpeername() == (PEER, 5000)
assert link.getsockname()[0] == "10.9.1.2" and link.getsockname()[1] > 0
again = socket.socket(fileno=os.dup(link.fileno()))  # asks the descriptor what it is
assert (again.family, again.type, again.proto) == (socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP), again
assert again.getpeername() == (PEER, 5000)
assert link.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1
assert link.getsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG) == 1460
assert link.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 8)[0] == 1
link.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
assert link.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
link.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
for _ in range(3):  # writable again, whatever the buffer
    assert select.select([], [link], [], 2)[1]
    link.sendall(b"x" * 3000)
    got = b""
    while len(got) < 3000:
        got += link.recv(3000)
link.connect((PEER, 5000))  # with a time limit Python has not waited in connect(): this says what became of it
try:
    link.connect((PEER, 5000))
except OSError as error:
    assert error.errno == errno.EISCONN, error
else:
    raise AssertionError("connected twice")
""")
    program.finish()


def test_connect_that_fails(bench):
    program = bench.program("""
link = socket.socket()
try:
    link.connect((PEER, 5999))
except ConnectionRefusedError:
    say("refused")
listener = socket.create_server((PEER, 5998))  # the kernel's own address: stays the kernel's
link.connect((PEER, 5998))  # the same socket may try again
say(link.getpeername())
later = socket.socket()
later.setblocking(False)
assert later.connect_ex((PEER, 5999)) == errno.EINPROGRESS
assert select.select([], [later], [], 5)[1]
say(errno.errorcode[later.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)])
nobody = socket.socket()
nobody.setblocking(False)
assert nobody.connect_ex(("10.9.1.77", 5999)) == errno.EINPROGRESS
assert nobody.connect_ex(("10.9.1.77", 5999)) == errno.EALREADY
assert not select.select([], [nobody], [], 0.5)[1], "writable without a connection"
try:
    nobody.send(b"too early")
except BlockingIOError:
    pass
assert select.select([], [nobody], [], 10)[1]
say(errno.errorcode[nobody.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)])
""")
    assert program.finish() == "refused\n('10.9.1.3', 5998)\nECONNREFUSED\nEHOSTUNREACH\n"
    assert "nothing listens there" in program.err and "(ARP)" in program.err


def test_waiting_for_many_kinds(bench):
    """An epoll that the socket joined before it was connected, poll, select, a pipe and a kernel's socket."""
    bench.peer(ECHO)
    program = bench.program("""
link, pipe = socket.socket(), os.pipe()
link.setblocking(False)
epoll = select.epoll()
epoll.register(link.fileno(), select.EPOLLIN | select.EPOLLOUT)
epoll.register(pipe[0], select.EPOLLIN)
assert link.connect_ex((PEER, 5000)) == errno.EINPROGRESS
end = time.monotonic() + 5
while (link.fileno(), select.EPOLLOUT) not in epoll.poll(1):
    assert time.monotonic() < end
assert link.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0
epoll.modify(link.fileno(), select.EPOLLIN)
assert epoll.poll(0.05) == []
os.write(pipe[1], b"p")
assert epoll.poll(1) == [(pipe[0], select.EPOLLIN)]
link.send(b"hello")
os.read(pipe[0], 1)
assert epoll.poll(2) == [(link.fileno(), select.EPOLLIN)]
poll = select.poll()
poll.register(link, select.POLLIN)
assert poll.poll(1000) == [(link.fileno(), select.POLLIN)]
assert select.select([link, pipe[0]], [], [], 1)[0] == [link]
assert link.recv(100) == b"hello"
epoll.unregister(link.fileno())

import asyncio
async def both():
    server = await asyncio.start_server(lambda r, w: w.write(b"kernel"), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    (kernel, _), (card, out) = await asyncio.gather(asyncio.open_connection("127.0.0.1", port),
                                                    asyncio.open_connection(PEER, 5000))
    out.write(b"card")
    return await asyncio.gather(kernel.read(6), card.read(4))
assert asyncio.run(both()) == [b"kernel", b"card"]
""")
    program.finish()


def test_other_processes_use_the_connection(bench):
    """fork() and exec(): the descriptor stays usable, and the program after exec() recognises it."""
    bench.peer(ECHO)
    program = bench.program("""
import subprocess
link = socket.create_connection((PEER, 5000))
if os.fork() == 0:
    link.sendall(b"child ")
    os._exit(0)
os.wait()
code = "import socket, sys; s = socket.socket(fileno=int(sys.argv[1])); s.sendall(b'heir'); print(s.getpeername())"
print(subprocess.run([sys.executable, "-c", code, str(link.fileno())], pass_fds=[link.fileno()], text=True,
                     stdout=subprocess.PIPE, check=True).stdout, end="")
got = b""
while len(got) < 10:
    got += link.recv(100)
say(got.decode())
""")
    assert program.finish() == "('10.9.1.3', 5000)\nchild heir\n"


def test_peer_closes_first(bench):
    bench.peer("""
link, _ = listen().accept()
link.sendall(b"x" * 500000)
link.shutdown(socket.SHUT_WR)
size = 0
while part := link.recv(65536):
    size += len(part)
say(size)
""")
    program = bench.program("""
link = socket.create_connection((PEER, 5000))
time.sleep(0.2)  # the end of stream arrives before the data are read
size = 0
while part := link.recv(65536):
    size += len(part)
assert size == 500000 and link.recv(1) == b""
link.sendall(b"y" * 300000)
link.close()
""")
    program.finish()
    assert bench.jobs[0].finish() == "300000\n"


@pytest.mark.parametrize("writes", [False, True])
def test_peer_resets(bench, writes):
    """Linux's error, and a report of the missing bytes: here none, since the peer's answer acknowledged all."""
    peer = bench.peer("""
link, _ = listen().accept()
link.sendall(link.recv(5))
heard()
link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
link.close()
""")
    program = bench.program(f"""
import signal
signal.signal(signal.SIGPIPE, signal.SIG_IGN)
link = socket.create_connection((PEER, 5000))
link.sendall(b"hello")
say(link.recv(5))
time.sleep(0.3)
assert select.select([link], [], [], 2)[0]
for attempt in range(2):
    try:
        say(link.send(b"more") if {writes} else link.recv(100))
    except OSError as error:
        say(errno.errorcode[error.errno])
""")
    assert program.read_line() == "b'hello'"
    peer.tell()
    assert program.finish() == ("ECONNRESET\nEPIPE\n" if writes else "ECONNRESET\nb''\n")
    assert "the peer reset the connection; all 5 bytes of the stream were acknowledged" in program.err


def test_closed_window(bench):
    """The peer does not read for a while: nothing is lost, and the program is blocked."""
    peer = bench.peer("""
server = listen()
server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
link, _ = server.accept()
heard()
digest, size = hashlib.sha256(), 0
while part := link.recv(4096):
    digest.update(part)
    size += len(part)
say(size, digest.hexdigest())
""")
    program = bench.program("""
data = bytes(range(256)) * 12000
link = socket.create_connection((PEER, 5000))
link.setblocking(False)
sent = 0
while select.select([], [link], [], 0.7)[1]:
    sent += link.send(data[sent:sent + 65536])
say(sent)
link.setblocking(True)
link.sendall(data[sent:])
say(hashlib.sha256(data).hexdigest())
""")
    stuck = int(program.read_line())
    assert 8192 < stuck < 2_500_000
    peer.tell()
    digest = program.finish().strip()
    assert peer.finish() == f"{256 * 12000} {digest}\n"


def test_program_is_killed(bench):
    peer = bench.peer("""
link, _ = listen().accept()
size = 0
while part := link.recv(65536):
    size += len(part)
say(size)
""")
    program = bench.program("""
link = socket.create_connection((PEER, 5000))
link.sendall(b"z" * 100000)
say("sent")
time.sleep(60)
""")
    assert program.read_line() == "sent"
    program.kill()
    assert peer.finish(timeout=10) == "100000\n"


def test_daemon_is_killed(bench):
    """A clear error, no hang."""
    bench.peer(ECHO)
    program = bench.program("""
link = socket.create_connection((PEER, 5000))
say("connected")
started = time.monotonic()
try:
    link.recv(10)
except ConnectionResetError:
    say("reset")
try:
    socket.create_connection((PEER, 5000), timeout=5)
    say("the kernel's")
except OSError as error:
    say(error)
""")
    assert program.read_line() == "connected"
    daemon, bench.daemon = bench.daemon, None
    daemon.kill()
    daemon.process.wait()
    program.finish(timeout=10)
    assert program.out.startswith("reset\n")
    assert "ullnicd is gone" in program.err and "ullnicd does not answer" in program.err


@pytest.mark.parametrize("timeout_ms", [1, 1000])
def test_peer_dies(bench, timeout_ms):
    bench.peer(ECHO)
    program = bench.program(f"""
link = socket.create_connection((PEER, 5000))
link.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, {timeout_ms})
say("connected")
heard()
link.sendall(b"into the void")
try:
    link.recv(10)
except TimeoutError as error:
    say(errno.errorcode[error.errno])
""")
    assert program.read_line() == "connected"
    bench.shell("ip link set tap0 down")
    program.tell()
    assert program.finish(timeout=10) == "ETIMEDOUT\n"
    assert "from byte 0 of the stream on, 13 bytes were sent but not acknowledged" in program.err


@pytest.mark.parametrize("timeout_ms", [1, 600])
def test_no_answer_while_connecting(bench, timeout_ms):
    """TCP_USER_TIMEOUT counts from the first SYN on."""
    bench.peer("""
from forged import *
say("ready")
while receive(5000, 20):
    pass
""")
    program = bench.program(f"""
link = socket.socket()
link.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, {timeout_ms})
started = time.monotonic()
try:
    link.connect(("10.9.1.77", 5000))
except TimeoutError as error:
    say(errno.errorcode[error.errno], {timeout_ms / 1000} <= time.monotonic() - started < {timeout_ms / 1000 + 1})
""")
    assert program.finish(timeout=5) == "ETIMEDOUT True\n"


def test_linger_zero_resets(bench):
    peer = bench.peer("""
link, _ = listen().accept()
try:
    while link.recv(100):
        pass
    say("end")
except ConnectionResetError:
    say("reset")
""")
    bench.program("""
link = socket.create_connection((PEER, 5000))
link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
link.close()
""").finish()
    assert peer.finish() == "reset\n"


def test_kernel_sockets_stay(bench):
    """One line says why; the switches."""
    code = """
server = socket.create_server(("127.0.0.1", 0))
bench = socket.create_connection(server.getsockname())
other = socket.socket()
try:
    other.connect(("192.0.2.1", 9))
except OSError as error:
    say(errno.errorcode[error.errno])
"""
    program = bench.program(code)
    assert program.finish() == "ENETUNREACH\n"
    assert "192.0.2.1:9: not accelerated: no port of the card reaches it" in program.err
    assert bench.program(code, "--no-warn").finish() == "ENETUNREACH\n"
    assert bench.jobs[-1].err == ""
    bench.peer(ECHO)
    off = "link = socket.create_connection((PEER, 5000)); say(link.getsockname()[0])"
    program = bench.program(off, "--no-auto")
    assert program.finish() == "10.9.1.3\n"
    assert "EXASOCK_DEFAULT_DISABLE" in program.err
    wish = "link = socket.socket(); link.setsockopt(0x200, 1, 0); "
    wish += "link.connect((PEER, 5000)); say(link.getsockname()[0])"
    assert bench.program(wish, "--no-auto").finish() == "10.9.1.2\n"
    plain = wish.replace("1, 0)", "1, 1)", 1)
    program = bench.program(plain)
    assert program.finish() == "10.9.1.3\n"
    assert "SO_EXA_NO_ACCEL" in program.err
    assert "through port 0 of the card" in (job := bench.program(off, "--trace")).finish() + job.err


def test_wrapper_without_a_daemon(bench):
    job = bench.command(["true"], env={"ULLNICD_SOCKET": "/nonexistent.sock"})
    job.finish(code=1)
    assert "ullnicd is not running" in job.err and "--address" in job.err
    job = bench.command([], "--what")
    job.finish(code=2)
    assert "usage: exasock" in job.err


@pytest.mark.parametrize("id_end", [0, 0xFFFF], ids=["first", "last"])
def test_all_ids_have_their_turn(make_bench, id_end):
    """Sockets that share one slot of the daemon's table, be it the first or the last: each is found, leaves without the
    others, and learns of the daemon's end.
    """
    bench = make_bench(id_end=id_end)
    bench.peer("server = listen()\nlinks = [server.accept()[0] for _ in range(4)]\nlinks[0].recv(5)\nheard()")
    program = bench.program("""
links = [socket.create_connection((PEER, 5000)) for _ in range(4)]
links.pop(1).close()  # neither the first nor the last of them
links[0].sendall(b"first")
say("connected")
for link in links:
    try:
        link.recv(10)
    except OSError as error:
        say(errno.errorcode[error.errno])
""")
    assert program.read_line() == "connected"
    bench.stop_daemon()
    assert program.finish(timeout=5) == "ENETDOWN\n" * 3


def test_sigterm_tells_programs(bench):
    bench.peer(ECHO)
    program = bench.program("""
link = socket.create_connection((PEER, 5000))
say("connected")
try:
    link.recv(10)
except OSError as error:
    say(errno.errorcode[error.errno])
""")
    assert program.read_line() == "connected"
    started = time.monotonic()
    bench.stop_daemon()
    assert time.monotonic() - started < 3
    assert program.finish(timeout=5) == "ENETDOWN\n"
    assert "ullnicd was ended" in bench.daemon_says


def test_many_short_connections(bench):
    bench.peer(ECHO)
    program = bench.program("""
for number in range(300):
    with socket.create_connection((PEER, 5000)) as link:
        link.sendall(b"%d" % number)
        assert link.recv(10) == b"%d" % number
""")
    program.finish()
    pid = bench.daemon.process.pid
    wait_until(lambda: len(list(Path(f"/proc/{pid}/fd").iterdir())) < 30)


def test_interrupted_connect(bench):
    """A signal during connect(): EINTR, and the connection continues by itself."""
    job = bench.program("""
import ctypes, signal
libc = ctypes.CDLL(None, use_errno=True)
signal.signal(signal.SIGALRM, lambda *_: None)
signal.siginterrupt(signal.SIGALRM, True)
link = socket.socket()
signal.setitimer(signal.ITIMER_REAL, 0.3)
address = struct.pack("=HH4s8x", socket.AF_INET, socket.htons(5000), socket.inet_aton("10.9.1.77"))
result = libc.connect(link.fileno(), address, len(address))
say(result, errno.errorcode[ctypes.get_errno()])
""")
    assert job.finish(timeout=20) == "-1 EINTR\n"
