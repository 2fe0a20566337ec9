# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Listening on the card's address, and UDP."""

import signal

SERVER = """
server = socket.create_server(("10.9.1.2", 7000), backlog=20)
say("ready")
"""


def test_listen_and_accept(bench):
    program = bench.program(
        SERVER
        + """
assert server.getsockname() == ("10.9.1.2", 7000) and server.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) == 1
assert not select.select([server], [], [], 0.1)[0]
server.setblocking(False)
try:
    server.accept()
except BlockingIOError:
    say("none")
links = []
while len(links) < 3:
    assert select.select([server], [], [], 5)[0]
    link, address = server.accept()
    assert address == link.getpeername() and address[0] == PEER, address
    assert link.getsockname() == ("10.9.1.2", 7000)
    links.append(link)
for link in links:
    link.setblocking(True)
    data = b""
    while part := link.recv(65536):
        data += part
    link.sendall(hashlib.sha256(data).hexdigest().encode())
    link.close()
"""
    )
    assert program.read_line() == "ready"
    assert program.read_line() == "none"
    peer = bench.peer("""
say("ready")
links = [socket.create_connection(("10.9.1.2", 7000)) for _ in range(3)]
for number, link in enumerate(links):
    data = bytes([number]) * 300000
    threading.Thread(target=lambda: (link.sendall(data), link.shutdown(socket.SHUT_WR))).start()
    assert link.recv(100).decode() == hashlib.sha256(data).hexdigest()
    assert link.recv(1) == b""
""")
    peer.finish()
    program.finish()


def test_listen_shared_by_processes(bench):
    """Two processes accept from one listening socket, as forking servers do."""
    program = bench.program(
        SERVER
        + """
for _ in range(2):
    if os.fork() == 0:
        while True:
            link, _ = server.accept()
            link.sendall(b"%d" % os.getpid())
            link.close()
os.wait()
"""
    )
    assert program.read_line() == "ready"
    peer = bench.peer("""
say("ready")
seen = set()
for number in range(60):
    with socket.create_connection(("10.9.1.2", 7000)) as link:
        seen.add(link.recv(100))
assert seen and b"" not in seen, seen
""")
    peer.finish()
    bench.shell(f"kill -- -{program.process.pid}")


def test_listen_ends_with_its_program(bench):
    program = bench.program(SERVER + "heard()")
    assert program.read_line() == "ready"
    again = """
try:
    socket.create_server(("10.9.1.2", 7000))
except OSError as error:
    say(errno.errorcode[error.errno])
"""
    assert bench.program(again).finish() == "EADDRINUSE\n"
    program.tell()
    program.finish()
    assert bench.program(again).finish() == ""
    peer = bench.peer("""
say("ready")
try:
    socket.create_connection(("10.9.1.2", 7000))
except ConnectionRefusedError:
    say("refused")
""")
    assert peer.finish() == "refused\n"


def test_listen_ends_before_what_comes_later(bench):
    """A daemon that was stopped meanwhile finds the program's end and a connection to it at the same time."""
    program = bench.program(SERVER + "time.sleep(1000)")
    assert program.read_line() == "ready"
    peer = bench.peer("""
socket.create_connection(("10.9.1.2", 7000))
say("ready")
heard()
link = socket.socket()
link.setblocking(False)
link.connect_ex(("10.9.1.2", 7000))
say("sent")
select.select([], [link], [])
say(errno.errorcode.get(link.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), "connected"))
""")
    bench.daemon.process.send_signal(signal.SIGSTOP)
    try:
        program.kill()
        program.finish(-signal.SIGKILL)
        peer.tell()
        assert peer.read_line() == "sent"
    finally:
        bench.daemon.process.send_signal(signal.SIGCONT)
    assert peer.finish() == "ECONNREFUSED\n"


def test_datagrams_connected(bench):
    bench.peer("""
link = socket.socket(type=socket.SOCK_DGRAM)
link.bind((PEER, 6000))
say("ready")
while True:
    data, address = link.recvfrom(65536)
    link.sendto(data, address)
""")
    program = bench.program("""
link = socket.socket(type=socket.SOCK_DGRAM)
link.connect((PEER, 6000))
assert link.getpeername() == (PEER, 6000) and link.getsockname()[0] == "10.9.1.2"
assert socket.socket(fileno=os.dup(link.fileno())).type == socket.SOCK_DGRAM
link.settimeout(5)
for size in (1, 10, 1472, 0, 5000):  # the last one in fragments
    data = bytes([size & 255]) * size
    link.send(data)
    assert link.recv(65536) == data, size
os.write(link.fileno(), b"written")
assert select.select([link], [], [], 5)[0]
assert os.read(link.fileno(), 4) == b"writ"  # the rest of a datagram is lost
link.setblocking(False)
try:
    link.recv(10)
except BlockingIOError:
    say("none")
""")
    assert program.finish() == "none\n"


def test_datagrams_of_many(bench):
    """A bound socket receives from and answers several peers; one that was never bound sends requests to the card and
    the kernel.
    """
    program = bench.program("""
link = socket.socket(type=socket.SOCK_DGRAM)
link.bind(("10.9.1.2", 6001))
say("ready")
for _ in range(2):
    assert select.select([link], [], [], 5)[0]
    data, address = link.recvfrom(100)
    assert address[0] == PEER
    link.sendto(data + b"!", address)
free = socket.socket(type=socket.SOCK_DGRAM)
free.sendto(b"free", (PEER, 6002))
assert free.getsockname()[0] == "0.0.0.0" and free.getsockname()[1] > 0  # as on Linux
local = socket.socket(type=socket.SOCK_DGRAM)
local.bind(("127.0.0.1", 0))
other = socket.socket(type=socket.SOCK_DGRAM)
other.sendto(b"kernel", local.getsockname())
say(local.recv(100).decode(), link.recvmsg(100)[0].decode())
""")
    assert program.read_line() == "ready"
    peer = bench.peer("""
last = socket.socket(type=socket.SOCK_DGRAM)
last.bind((PEER, 6002))
say("ready")
for name in (b"one", b"two"):
    link = socket.socket(type=socket.SOCK_DGRAM)
    link.settimeout(5)
    link.sendto(name, ("10.9.1.2", 6001))
    assert link.recv(100) == name + b"!"
data, address = last.recvfrom(100)
assert (data, address[0]) == (b"free", "10.9.1.2")
last.sendto(b"last", ("10.9.1.2", 6001))
""")
    peer.finish()
    assert program.finish() == "kernel last\n"


def test_datagrams_multicast(bench):
    program = bench.program("""
link = socket.socket(type=socket.SOCK_DGRAM)
link.bind(("", 6003))
group = socket.inet_aton("239.1.2.3") + socket.inet_aton("10.9.1.2")
link.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
say("ready")
link.settimeout(5)
data, address = link.recvfrom(100)
say(data.decode(), address[0])
try:
    link.setsockopt(0x200, 2, socket.inet_aton("10.1.2.3") + socket.inet_aton("10.9.1.2"))
except OSError as error:
    say(errno.errorcode[error.errno])
""")
    assert program.read_line() == "ready"
    peer = bench.peer("""
say("ready")
link = socket.socket(type=socket.SOCK_DGRAM)
link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(PEER))
link.sendto(b"news", ("239.1.2.3", 6003))
""")
    peer.finish()
    assert program.finish() == "news 10.9.1.3\nEINVAL\n"


BACKLOGS = {0: 1, 1: 1, 2: 2, 256: 255, -1: 255}  # and how many connections may be half open


def test_backlog_limits_half_open_connections(bench):
    """SYNs whose SYN-ACK nobody acknowledges: beyond the backlog they have no answer."""
    program = bench.program(f"""
import ctypes
links = [socket.socket() for _ in range({len(BACKLOGS)})]
for number, (link, backlog) in enumerate(zip(links, {list(BACKLOGS)})):
    link.bind(("10.9.1.2", 7000 + number))
    assert ctypes.CDLL(None).listen(link.fileno(), backlog) == 0
say("ready")
heard()
""")
    assert program.read_line() == "ready"
    peer = bench.peer(f"""
from forged import *
say("ready")
Link(7000).connect().reset()  # the card knows the address now
syns = [Link(7000 + number) for number, most in enumerate({list(BACKLOGS.values())}) for _ in range(most + 2)]
for link in syns:
    link.send("S", options=mss(1460))
answered = set()
while True:
    try:
        frame = Ether(frames.get(timeout=0.5))
    except queue.Empty:
        break
    if ARP in frame and frame[ARP].op == 1:
        answer_arp(frame)
    elif TCP in frame and str(frame[TCP].flags) == "SA":
        answered.add((frame[TCP].sport, frame[TCP].dport))
say([sum(port == 7000 + number for port, _ in answered) for number in range({len(BACKLOGS)})])
finish()
""")
    assert peer.finish() == f"{list(BACKLOGS.values())}\nover\n"
    program.tell()
    program.finish()
