# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Options and calls that the card implements: what they do."""

from option_code import LINKS

CORK = """
TCP = socket.IPPROTO_TCP
link = socket.create_connection((PEER, 5000))
link.setsockopt(TCP, socket.TCP_NODELAY, 1)
def go():
    say("next")
    heard()
go()
link.setsockopt(TCP, 3, 1)  # TCP_CORK: nothing but whole segments
link.send(b"a" * 100)
link.send(b"b" * 100)
time.sleep(0.1)
link.setsockopt(TCP, 3, 0)
go()
link.send(b"c" * 100, socket.MSG_MORE)
link.send(b"d" * 2000, socket.MSG_MORE)
link.send(b"e" * 100)
go()
link.send(b"f" * 100, socket.MSG_MORE)  # nothing follows: 200 ms
started = time.monotonic()
go()
assert 0.15 < time.monotonic() - started < 1.5, time.monotonic() - started
link.setsockopt(TCP, 3, 1)
link.send(b"g" * 5000)
link.close()
"""
CORK_PEER = """
link, _ = listen().accept()
def take(size):
    parts, total = [], 0
    while total < size:
        parts.append(len(link.recv(65536)))
        total += parts[-1]
        link.setsockopt(socket.IPPROTO_TCP, 12, 1)
    say(*parts)
"""


def test_cork_and_more(bench):
    """Less than a segment waits: for the cork, for the write after MSG_MORE, for 200 ms, for the end."""
    peer = bench.peer(CORK_PEER + "for size in (200, 2200, 100, 5000):\n    take(size)\nassert link.recv(1) == b''")
    program = bench.program(CORK)
    said = []
    for number in range(4):
        assert program.read_line() == "next", program.process.stderr.read()
        if number > 0:
            said.append(peer.read_line())
        program.tell()
    program.finish()
    assert said[0] == "200" and said[2] == "100"
    assert "100" not in said[1].split()
    assert sum(map(int, peer.finish().split())) == 5000


LINGER = """
link = socket.create_connection((PEER, 5000))
link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 3))
link.sendall(b"x" * 300_000)
if COPY:
    copy = os.dup(link.fileno())
say("written")
started = time.monotonic()
link.close()
say("%.1f" % (time.monotonic() - started))
"""


def test_linger_waits(bench):
    """close() waits until the peer has everything, at most for the time; it does not wait if it is not the last."""
    peer = bench.peer("""
server = listen()
server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
for wait in (0.7, 60, 60):
    link, _ = server.accept()
    threading.Thread(target=lambda link=link, wait=wait: (time.sleep(wait), [None for _ in iter(
        lambda: link.recv(65536), b"")]), daemon=True).start()
heard()
""")
    for copy, least, most in [(False, 0.4, 2.9), (False, 2.9, 5), (True, 0, 1)]:
        said = bench.program(LINGER.replace("COPY", str(copy))).finish().split()
        assert least <= float(said[1]) <= most, said
    peer.kill()


CLOSES_AT_ONCE = """
link.setblocking(False)
while select.select([], [link], [], 0.1)[1]:
    link.send(b"x" * 65536)
link.setblocking(True)
started = time.monotonic()
link.close()
say(time.monotonic() - started)
"""


def test_connected_without_linger_waits_for_nothing(bench):
    """close() returns at once although the peer has not read everything."""
    bench.peer("link, _ = listen().accept()\nheard()")
    program = bench.program("link = socket.create_connection((PEER, 5000))" + CLOSES_AT_ONCE)
    assert float(program.finish()) < 0.7


def test_accepted_without_linger_waits_for_nothing(bench):
    program = bench.program(
        """
server = socket.create_server(("10.9.1.2", 7000))
say("listens")
link, _ = server.accept()
"""
        + CLOSES_AT_ONCE
    )
    assert program.read_line() == "listens"
    bench.peer("link = socket.create_connection(('10.9.1.2', 7000))\nsay('ready')\nheard()")
    assert float(program.finish()) < 0.7


def test_listeners_that_share_a_port(bench):
    """SO_REUSEPORT distributes connections, also when one listener leaves; without it the address is in use."""
    program = bench.program("""
def listener(**options):
    server = socket.socket()
    for name, value in options.items():
        server.setsockopt(socket.SOL_SOCKET, getattr(socket, name), value)
    server.bind(("10.9.1.2", 7000))
    server.listen(20)
    return server
def attempt(**options):
    try:
        return listener(**options).close()
    except OSError as error:
        return errno.errorcode[error.errno]
servers = [listener(SO_REUSEPORT=1) for _ in range(3)]
refused = [attempt(), attempt(SO_REUSEADDR=1)]
def take(count):
    taken = [0] * len(servers)
    while sum(taken) < count:
        for ready in select.select(servers, [], [], 5)[0]:
            link, _ = ready.accept()
            taken[servers.index(ready)] += 1
            link.close()
    return taken
say("ready")
say(*refused, *take(9))
servers.pop(0).close()
time.sleep(0.1)
say("next")
say(*take(6))
servers.pop().close()
time.sleep(0.1)
say("next")
say(*take(3))
servers.pop().close()
time.sleep(0.1)
say(attempt(SO_REUSEADDR=1))  # connections are in TIME-WAIT
""")
    assert program.read_line() == "ready", program.process.stderr.read()
    code = "say('ready')\nfor _ in range({}):\n    assert socket.create_connection(('10.9.1.2', 7000)).recv(1) == b''"
    said = []
    for count in (9, 6, 3):
        bench.peer(code.format(count)).finish()
        said += [program.read_line(), program.read_line()]
    assert said == ["EADDRINUSE EADDRINUSE 3 3 3", "next", "3 3", "next", "3", "None"]
    program.finish()


def test_ioctls_and_ends(bench):
    """Unread bytes, unacknowledged bytes, shutdown(), listen() and accept4() on sockets that cannot."""
    bench.peer("""
def serve():
    sink = socket.socket(type=socket.SOCK_DGRAM)
    sink.bind((PEER, 6000))
    while True:
        data, address = sink.recvfrom(1000)
        for size in (7, 30):
            sink.sendto(b"x" * size, address)
threading.Thread(target=serve, daemon=True).start()
server = listen()
while True:
    link, _ = server.accept()
    link.sendall(b"hello")
""")
    program = bench.program(
        LINKS
        + """
import array, fcntl
def number(link, request):
    value = array.array("i", [-1])
    fcntl.ioctl(link.fileno(), request, value)
    return value[0]
FIONREAD, SIOCOUTQ, SIOCATMARK = 0x541B, 0x5411, 0x8905
assert select.select([tcp], [], [], 5)[0] and number(tcp, FIONREAD) == 5
assert len(tcp.recv(3, socket.MSG_TRUNC)) == 3 and tcp.recv(10) == b"lo"
for link in (udp, bound):
    assert number(link, FIONREAD) == 0
    link.sendto(b"x", (PEER, 6000))
    assert select.select([link], [], [], 30)[0] and number(link, FIONREAD) == 7
    link.recv(100)
    assert select.select([link], [], [], 30)[0] and number(link, FIONREAD) == 30
assert number(tcp, SIOCOUTQ) == 0
tcp.setblocking(False)
sent = 0
while select.select([], [tcp], [], 0.3)[1]:
    sent += tcp.send(b"x" * 65536)
waiting = number(tcp, SIOCOUTQ)
assert 1000 < waiting <= sent, (waiting, sent)
for request in (SIOCATMARK, 0x894B, 0x89E0):
    assert err(number, tcp, request) == "ENOTTY", hex(request)
assert err(bound.listen, 1) == "EOPNOTSUPP" and err(udp.listen, 1) == "EOPNOTSUPP"
assert err(bound.shutdown, 2) == "ENOTCONN" and err(tcp.shutdown, 7) == "EINVAL"
server = socket.create_server(("10.9.1.2", 7000))
assert err(number, server, FIONREAD) == "EINVAL" and err(server.shutdown, 1) == "ok"
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
assert libc.accept4(server.fileno(), None, None, 1) == -1 and ctypes.get_errno() == errno.EINVAL
def end():
    time.sleep(0.3)
    server.shutdown(socket.SHUT_RDWR)
threading.Thread(target=end).start()
assert err(server.accept) == "EINVAL"
end = time.monotonic() + 5
while err(lambda: socket.create_server(("10.9.1.2", 7000)).close()) != "ok":
    assert time.monotonic() < end
say("all")
"""
    )
    assert program.finish() == "all\n"
    assert program.err == ""


def test_signal_of_a_socket_that_moves(bench):
    """O_ASYNC, F_SETOWN and F_SETSIG that were set before connect() remain in effect."""
    bench.peer("""
link, _ = listen().accept()
heard()
link.sendall(b"x")
time.sleep(5)
""")
    program = bench.program("""
import fcntl, signal
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
link = socket.socket()
fcntl.fcntl(link, fcntl.F_SETOWN, os.getpid())
fcntl.fcntl(link, 10, signal.SIGUSR1)  # F_SETSIG
fcntl.fcntl(link, fcntl.F_SETFL, os.O_ASYNC)
link.connect((PEER, 5000))
while signal.sigtimedwait([signal.SIGUSR1], 0.2):  # of being connected
    pass
say("ready")
info = signal.sigtimedwait([signal.SIGUSR1], 5)
say(info is not None, fcntl.fcntl(link, fcntl.F_GETOWN) == os.getpid())
""")
    assert program.read_line() == "ready"
    bench.jobs[0].tell()
    assert program.finish() == "True True\n"


WARM = (
    LINKS
    + """
server = socket.create_server(("127.0.0.1", 0))
kernel = socket.create_connection(server.getsockname())
accepted, _ = server.accept()
datagram, receiver = (socket.socket(type=socket.SOCK_DGRAM) for _ in range(2))
receiver.bind(("127.0.0.1", 0))
datagram.connect(receiver.getsockname())
FLAG = 0x100000  # MSG_EXA_WARM
for link in (tcp, udp, kernel, datagram):
    said = link.send(b"warm", FLAG), link.sendmsg([b"war", b"", b"mer"], [], FLAG | socket.MSG_NOSIGNAL)
    say(*said, link.send(b"hot"))
for link, name in ((bound, (PEER, 6000)), (datagram, receiver.getsockname())):
    said = link.sendto(b"warm", FLAG, name), link.sendmsg([b"warmer"], [], FLAG, name)
    say(*said, link.sendto(b"hot", name))
tcp.close()
kernel.close()
say(accepted.recv(100), receiver.recv(100), receiver.recv(100), err(receiver.recv, 1, socket.MSG_DONTWAIT))
"""
)


def test_warm_sends(bench):
    """They return what a send would, on the card's sockets and the kernel's, and nothing is sent."""
    peer = bench.peer("""
sink = socket.socket(type=socket.SOCK_DGRAM)
sink.bind((PEER, 6000))
link, _ = listen().accept()
got = b""
while data := link.recv(100):
    got += data
say(got, sink.recv(100), sink.recv(100))
sink.settimeout(0.1)
try:
    say(sink.recv(100))
except TimeoutError:
    say("no more")
""")
    program = bench.program(WARM)
    assert program.finish() == "4 6 3\n" * 6 + "b'hot' b'hot' b'hot' EAGAIN\n"
    assert program.err.count("MSG_EXA_WARM has no effect on a socket that is not accelerated: nothing is sent") == 1
    assert peer.finish() == "b'hot' b'hot' b'hot'\nno more\n"
