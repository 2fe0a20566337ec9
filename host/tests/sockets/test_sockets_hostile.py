# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Invalid input: frames of a hostile peer, wrong answers, wrong options."""

import ctypes
import errno
import os
import re
import resource
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from bench import SANITIZED, wait_until

HERE = Path(__file__).parent
not_sanitized = pytest.mark.skipif(
    bool(SANITIZED), reason="it loads our library into pytest itself, or counts memory, which the sanitizers keep"
)

# Frames of all kinds from the peer's kernel: random ones, and those of a live connection with changed bytes.
FRAMES = """
import random
chance = random.Random(SEED)
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
wire.bind(("tap0", 0))
wire.setblocking(False)
server = listen()
link, _ = server.accept()
seen = []
for number in range(4000):
    try:
        while len(seen) < 200:
            seen.append(wire.recv(2000))
    except BlockingIOError:
        pass
    if chance.random() < 0.3 or not seen:
        kind = chance.choice((b"\\x08\\x00", b"\\x08\\x06", b"\\x81\\x00", b"\\x86\\xdd", chance.randbytes(2)))
        frame = bytearray(chance.randbytes(12) + kind + chance.randbytes(chance.randint(1, 1400)))
        frame[14] = 0x45
        frame[30:34] = socket.inet_aton("10.9.1.2")
    else:
        frame = bytearray(chance.choice(seen))
        for _ in range(chance.randint(1, 4)):
            frame[chance.randrange(12, len(frame))] = chance.randrange(256)
        del frame[chance.randint(20, 2000):]
    frame[0:6] = CARD
    try:
        wire.send(bytes(frame))
    except BlockingIOError:
        time.sleep(0.001)
    if number % 50 == 0:
        link.sendall(b"x")
say("over")
"""


@pytest.mark.parametrize("run", [1, 2])
def test_hostile_frames(make_bench, seed, run):
    """The daemon survives, and serves the next connection. The peer decides what becomes of the first."""
    seed += run
    bench = make_bench(orders=5, order_gap_us=1000, seed=seed)
    bench.keeps_window = False
    mac = "bytes.fromhex('02554c4c0200')"
    peer = bench.peer(FRAMES.replace("SEED", str(seed)).replace("CARD", mac))
    program = bench.program("""
link = socket.socket()
link.setsockopt(0x200, 3, 5)
link.connect((PEER, 5000))
link.settimeout(1)
try:
    while link.recv(1000):
        link.sendall(b"answer" * 50)
except OSError as error:
    say(error)
""")
    assert peer.finish() == "over\n"
    program.finish()
    bench.shell("ip neigh flush dev tap0")  # any host accepts forged ARP answers; this requests a new one
    bench.peer("""
socket.socket(type=socket.SOCK_DGRAM).sendto(b"", ("10.9.1.2", 9))
link, _ = listen(5001).accept()
link.sendall(link.recv(100))
""")
    after = "link = socket.create_connection((PEER, 5001)); link.sendall(b'well'); say(link.recv(100))"
    assert bench.program(after).finish() == "b'well'\n"


@not_sanitized
def test_registers_through_the_daemon(bench, host_build):
    """Tools reach user logic's registers while ullnicd has the card; the engine's connections remain the daemon's."""
    library = ctypes.CDLL(str(host_build / "lib" / "libullnic.so"))
    library.ullnic_last_error.restype = ctypes.c_char_p
    card, value = ctypes.c_void_p(), ctypes.c_uint32()
    assert library.ullnic_open(f"ullnicd:{bench.socket}".encode(), ctypes.byref(card)) == 0
    assert library.ullnic_write32(card, 0x8004, 0x12345678) == 0
    assert library.ullnic_read32(card, 0x8004, ctypes.byref(value)) == 0
    assert value.value == 0x12345678
    assert library.ullnic_read32(card, 0x8002, ctypes.byref(value)) == -errno.EINVAL
    assert library.ullnic_write32(card, 0x40000 + 48, 1) == -errno.EPERM
    assert b"SO_EXA_ATE" in library.ullnic_last_error()
    bench.stop_daemon()
    assert library.ullnic_read32(card, 0x8004, ctypes.byref(value)) == -errno.ENODEV
    assert b"is ullnicd running" in library.ullnic_last_error()
    library.ullnic_close(card)


@not_sanitized
def test_answers_that_are_none(bench, host_build, tmp_path):
    """libullnic refuses what is not an answer of ullnicd, and keeps no descriptor that it did not request."""
    library = ctypes.CDLL(str(host_build / "lib" / "libullnic.so"))
    library.ullnic_last_error.restype = ctypes.c_char_p
    null = os.open("/dev/null", os.O_RDONLY)

    def serve(listener: socket.socket, change) -> None:
        while True:
            try:
                link, _ = listener.accept()
            except OSError:
                return  # closed
            with link, socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as daemon:
                daemon.connect(str(bench.socket))
                daemon.send(link.recv(65536))
                data, descriptors = change(daemon.recv(65536))
                if data:
                    socket.send_fds(link, [data], descriptors)

    cases = [
        (lambda reply: (reply, []), 0),
        (lambda reply: (reply, [null]), 0),
        (lambda reply: (reply[:-1], []), -errno.EPROTO),
        (lambda reply: (b"", []), -errno.EPROTO),
        (lambda reply: (reply[:-1], [null]), -errno.EPROTO),
        (lambda reply: (bytes([reply[0] ^ 1]) + reply[1:], [null]), -errno.EPROTO),
    ]
    for number, (change, wanted) in enumerate(cases):
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(str(tmp_path / f"{number}.sock"))
        listener.listen()
        thread = threading.Thread(target=serve, args=(listener, change))
        thread.start()
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(3):
            card = ctypes.c_void_p()
            result = library.ullnic_open(f"ullnicd:{tmp_path}/{number}.sock".encode(), ctypes.byref(card))
            assert result == wanted, number
            if result != 0:
                assert b"ullnicd gave no answer; is it of the same version?" in library.ullnic_last_error()
            library.ullnic_close(card)
        wait_until(lambda: len(os.listdir("/proc/self/fd")) <= before)  # noqa: B023
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
        listener.close()
    for length, wanted in ((107, errno.ENODEV), (108, errno.ENAMETOOLONG)):
        path = "/" + "x" * (length - 1)
        assert library.ullnic_open(f"ullnicd:{path}".encode(), ctypes.byref(ctypes.c_void_p())) == -wanted
    os.close(null)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "no --address"),
        (["--address", "10.9.1.2/24"], "give PORT=A.B.C.D/BITS"),
        (["--address", "0=10.9.1/24"], "give PORT=A.B.C.D/BITS"),
        (["--address", "0=10.9.1.2/33"], "give PORT=A.B.C.D/BITS"),
        (["--address", "0=10.9.1.2/31"], "give PORT=A.B.C.D/BITS"),
        (["--address", "0=10.9.1.2/0"], "give PORT=A.B.C.D/BITS"),
        (["--address", "9=10.9.1.2/24"], "give PORT=A.B.C.D/BITS"),
        (["--address", "1=10.9.1.2/24"], "the card has the ports 0 to 0"),
        (["--address", "0=10.9.1.2/24", "--mac", "0=01:02:03:04:05:06"], "not a group's address"),
        (["--address", "0=10.9.1.2/24", "--mac", "0=02:1a:2b:3c:4d"], "give PORT=XX:XX"),
        (["--address", "0=10.9.1.2/24", "--mac", "0=00:00:00:00:00:00"], "not all zeros"),
        (["--address", "0=10.9.1.2/24", "--mac", "0=02: 1:2b:3c:4d:5e"], "give PORT=XX:XX"),
        (["--address", "0=10.9.1.2/24", "--mac", "0=02:-1:2b:3c:4d:5e"], "give PORT=XX:XX"),
        (["--address", "0=10.9.1.2/ 24"], "give PORT=A.B.C.D/BITS"),
        (["--address", "0=10.9.1.2/+24"], "give PORT=A.B.C.D/BITS"),
        (["--address", " 0=10.9.1.2/24"], "give PORT=A.B.C.D/BITS"),
        (["--address", "0=10.9.1.2/24", "--vlan", "0=+5"], "give PORT=ID"),
        (["--address", "0=10.9.1.2/24", "--vlan", "0=5: 1"], "give PORT=ID"),
        (["--address", "0=10.9.1.2/24", "--mac", "0=02:1a:2b:3c:4d:5e:6f"], "give PORT=XX:XX"),
        (["--address", "0=10.9.1.2/24", "--gateway", "0=nowhere"], "give PORT=A.B.C.D"),
        (["--address", "0=10.9.1.2/24", "--gateway", "0=10.9.1"], "give PORT=A.B.C.D"),
        (["--address", "=10.9.1.2/24"], "give PORT=A.B.C.D/BITS"),
        (["--address", "8=10.9.1.2/24"], "give PORT=A.B.C.D/BITS"),
        (["--address", "7=10.9.1.2/24"], "the card has the ports 0 to 0"),
        (["--address", "1=10.9.1.2/30"], "the card has the ports 0 to 0"),
        (["--address", "1=128.0.0.1/1"], "the card has the ports 0 to 0"),
        (["--address", "1=110.119.121.122/24"], "the card has the ports 0 to 0"),
        (["--address", "0=10.9.1.2/"], "give PORT=A.B.C.D/BITS"),
        (["--address", "0=10.9.1.2/24x"], "give PORT=A.B.C.D/BITS"),
        (["--address", "0=10.9.1.2" + "0" * 100 + "/24"], "give PORT=A.B.C.D/BITS"),
        (["--gateway", "0=10.9.1.1"], "port 0 has no --address"),
        (["--address", "0=10.9.1.2/24", "--vlan", "0=0"], "1 to 4094"),
        (["--address", "0=10.9.1.2/24", "--vlan", "0=4095"], "1 to 4094"),
        (["--address", "0=10.9.1.2/24", "--vlan", "0=7:8"], "0 to 7"),
        (["--address", "0=10.9.1.2/24", "--vlan", "0=7;5"], "give PORT=ID"),
        (["--address", "0=10.9.1.2/24", "--vlan", "0=7:5x"], "give PORT=ID"),
        (["--address", "0=10.9.1.2/24", "--vlan", "7"], "give PORT=ID"),
        (["--address", "0=10.9.1.2/24", "--socket", "/" + "x" * 200], "too long for a socket"),
        (["--address", "0=10.9.1.2/24", "--socket", "/proc/nonexistent/ullnicd"], "give --socket PATH"),
        (["--address", "0=10.9.1.2/24", "more"], "what is this?"),
    ],
)
def test_wrong_options(bench, host_build, options, words):
    argv = bench.inside([str(host_build / "bin" / "ullnicd-fake"), "--card", "fake:tap1", *options])
    done = subprocess.run(argv, text=True, capture_output=True, timeout=10)
    assert done.returncode in (1, 2) and words in done.stderr, done


@pytest.mark.parametrize(
    ("options", "mac"),
    [((), "02:55:4c:4c:02:00"), (("--mac", "0=02:1a:2b:3c:4d:5e"), "02:1a:2b:3c:4d:5e")],
    ids=["own", "given"],
)
def test_address_and_gateway(make_bench, options, mac):
    """The port's MAC address, each byte of it, as the peer's kernel learns it; and the route to another network: a peer
    that is not on the line is reached by --gateway.
    """
    bench = make_bench(daemon=(*options, "--gateway", "0=10.9.1.3"))
    bench.shell("ip addr add 192.0.2.1/32 dev lo")
    peer = bench.peer("""
server = socket.create_server(("192.0.2.1", 5000))
say("ready")
link, _ = server.accept()
say(link.recv(10), link.getpeername()[0])
""")
    bench.program("socket.create_connection(('192.0.2.1', 5000)).sendall(b'far')").finish()
    assert peer.finish() == "b'far' 10.9.1.2\n"
    assert f"lladdr {mac} " in bench.shell("ip neigh show 10.9.1.2 dev tap0")


@pytest.mark.parametrize("vlan", ["1", "4094:7"])
def test_edges_of_a_vlan(make_bench, vlan):
    make_bench(daemon=("--vlan", f"0={vlan}"))


def test_second_daemon(bench, host_build):
    argv = [str(host_build / "bin" / "ullnicd-fake"), "--card", "fake:tap1", "--socket", str(bench.socket)]
    done = subprocess.run(
        bench.inside([*argv, "--address", "0=10.9.2.2/24"]), text=True, capture_output=True, timeout=10
    )
    assert done.returncode == 1 and "another ullnicd is running there" in done.stderr


def sleeps(pid: int) -> int:
    """How often it has slept voluntarily: a spinning process does not."""
    return int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(), re.M)[1])


def test_no_descriptors_left(bench):
    """Programs wait, ullnicd does not spin, and continues when there are descriptors again."""
    pid = bench.daemon.process.pid
    limits = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (24, limits[1]))
    clients = []
    for _ in range(40):
        clients.append(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
        clients[-1].connect(str(bench.socket))
    bench.peer("link, _ = listen().accept()\nlink.sendall(b'hello')")
    program = bench.program("link = socket.create_connection((PEER, 5000)); say(link.recv(5), link.getsockname()[0])")
    wait_until(lambda: len(list(Path(f"/proc/{pid}/fd").iterdir())) == 24)
    before = sleeps(pid)
    wait_until(lambda: sleeps(pid) >= before + 4)
    assert program.process.poll() is None
    resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)
    assert program.finish() == "b'hello' 10.9.1.2\n"
    bench.stop_daemon()
    assert bench.daemon_says.count("raise ulimit -n") == 1


def test_descriptors_under_way(bench):
    """The kernel does not let the daemon pass a descriptor on: an immediate error, with the reason."""
    pid = bench.daemon.process.pid
    bench.peer("server = listen()\nheard()")
    here, there = socket.socketpair()
    for _ in range(60):
        socket.send_fds(here, [b"x"], [0])
    limits = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (40, limits[1]))
    code = "try:\n    socket.create_connection((PEER, 5000))\n"
    code += "except OSError as error:\n    say(errno.errorcode[error.errno])"
    program = bench.program(code)
    assert program.finish(timeout=5) == "ETOOMANYREFS\n"
    assert "raise its ulimit -n" in program.err
    here.close()
    there.close()
    resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)
    assert bench.program(code + "\nelse:\n    say('well')").finish() == "well\n"


def held(pid: int) -> tuple[int, int]:
    """A process's memory in KiB, and its descriptors."""
    memory = re.search(r"^RssAnon:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(), re.M)[1]
    return int(memory), len(list(Path(f"/proc/{pid}/fd").iterdir()))


LEAKS = """
import itertools
A, OTHER = "239.7.0.1", "10.9.1.99"
def ip(*addresses):
    return b"".join(map(socket.inet_aton, addresses))
udp = socket.socket(type=socket.SOCK_DGRAM)
udp.bind(("10.9.1.2", 6000))
streams = [socket.socket() for _ in range(2)]
streams[1].setsockopt(0x200, 3, 5)  # the transmit engine's
for link in streams:
    link.connect((PEER, 5000))
def groups():
    udp.setsockopt(0, 39, ip(A, "10.9.1.2", PEER))  # IP_ADD_SOURCE_MEMBERSHIP
    udp.setsockopt(0, 39, ip(A, "10.9.1.2", OTHER))
    udp.setsockopt(0, socket.IP_DROP_MEMBERSHIP, ip(A, "10.9.1.2"))
def refusals():
    for option in (39, 37, socket.IP_DROP_MEMBERSHIP):  # no group, no source, not joined
        try:
            udp.setsockopt(0, option, ip(A if option != 39 else "10.1.1.1", "10.9.1.2", PEER))
        except OSError:
            pass
def datagrams():
    udp.sendto(b"x" * 3000, (PEER, 5001))
    udp.recv(4000)
def echo(link):
    link.sendall(b"x" * 4000)
    size = 0
    while size < 4000:
        size += len(link.recv(4000))
KINDS = [groups, refusals, datagrams, lambda: echo(streams[0]), lambda: echo(streams[1])]
for kind, count in itertools.product(KINDS, (300, 3000)):
    for _ in range(count):
        kind()
    say("done")
    heard()
"""
LEAKS_PEER = """
server = listen()
def reflect(s):
    while True:
        s.sendto(*s.recvfrom(4000))
def echo(link):
    while data := link.recv(65536):
        link.sendall(data)
s = socket.socket(type=socket.SOCK_DGRAM)
s.bind((PEER, 5001))
threading.Thread(target=reflect, args=(s,), daemon=True).start()
for _ in range(2):
    threading.Thread(target=echo, args=(server.accept()[0],), daemon=True).start()
heard()
"""


@not_sanitized
def test_nothing_is_held(bench):
    """Repeated operations of ullnicd cost it no memory and no descriptor."""
    pid = bench.daemon.process.pid
    bench.peer(LEAKS_PEER)
    program = bench.program(LEAKS)
    for kind in ("groups", "refusals", "datagrams", "stream", "engine"):
        seen = []
        for _ in range(2):
            assert program.read_line() == "done", program.process.stderr.read()
            time.sleep(0.2)  # the last request has ended
            seen.append(held(pid))
            program.tell()
        (memory, descriptors), (memory_after, descriptors_after) = seen
        assert memory_after - memory < 60, (kind, seen)  # 3000 times 32 bytes, the least of malloc(), were 94
        assert descriptors == descriptors_after, kind
    program.finish()


def test_card_goes_away(bench):
    daemon, bench.daemon = bench.daemon, None
    bench.shell("ip link del tap0")
    daemon.finish(code=1, timeout=5)
    assert "port 0: the card went away" in daemon.err


def test_tests_are_killed(tmp_path, host_build):
    """Nothing of them remains, least of all running: as a test's own process, killed while a daemon is busy."""
    code = f"""
import sys, time
from pathlib import Path
from bench import Bench
bench = Bench(Path({str(tmp_path / "inner")!r}), Path({str(host_build)!r}), orders=5)
peer = bench.peer("link, _ = listen().accept()\\nwhile link.recv(65536):\\n    pass")
program = bench.program("link = socket.socket()\\nlink.setsockopt(0x200, 3, 5)\\nlink.connect((PEER, 5000))\\n"
                        "say('up')\\ntime.sleep(60)")
assert program.read_line() == "up"
print(*(job.process.pid for job in (bench.daemon, bench.holder, peer, program)), flush=True)
time.sleep(60)
"""
    path = {"PYTHONPATH": str(HERE)}
    tests = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=os.environ | path)
    pids = tests.stdout.readline().split()
    tests.kill()
    tests.wait()
    assert len(pids) == 4
    wait_until(lambda: not any(is_alive(pid) for pid in pids))


def is_alive(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False
