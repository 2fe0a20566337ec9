# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Programs that send their own frames on an accelerated connection, by exasock's calls and by Onload's: the kernel at
the other end reads one stream.
"""

import ctypes
import errno
from pathlib import Path

import pytest

from bench import wait_until

SINK = """
link, _ = listen().accept()
parser = Parser()
while data := link.recv(65536):
    parser.feed(data)
assert not parser.rest, "cut"
say(parser.counts["S"], "end")
"""
CALLS = "from delegated_calls import *\n"
# Reads; prints what it has on request.
READER = """
link, _ = listen().accept()
while True:
    data = link.recv(65536)
    say(data.decode() or "end")
    if not data:
        break
"""


def kernel_errors(bench) -> dict[str, int]:
    """The kernel's counts of wrong IPv4 and TCP headers: checksums above all."""
    counters = {}
    lines = [line.split() for line in bench.shell("cat /proc/net/snmp").splitlines()]
    for names, values in zip(lines[::2], lines[1::2], strict=True):
        if names[0] in ("Ip:", "Tcp:"):
            counters |= dict(zip(names[1:], map(int, values[1:]), strict=True))
    return {name: counters[name] for name in ("InHdrErrors", "InErrs", "InCsumErrors")}


@pytest.mark.parametrize("face", ["exasock", "onload"])
def test_delegated_records(make_bench, client, face, seed):
    """Mixed with ordinary sends, over a line that loses, duplicates and swaps frames."""
    bench = make_bench(drop_in=0.03, drop_out=0.03, dup=0.01, swap=0.01, seed=seed)
    peer = bench.peer(SINK)
    program = bench.command([str(client), face, "10.9.1.3", "5000", "300"])
    assert program.finish() == "sent\n", program.err
    assert peer.finish() == "300 end\n"
    assert kernel_errors(bench) == {"InHdrErrors": 0, "InErrs": 0, "InCsumErrors": 0}
    assert bench.stop_daemon()["dropped_out"] > 0


def test_delegated_waits_for_a_segment(bench):
    """exasock's calls do not report the window: there is no header while a segment does not fit, and the peer's lost
    window update is solicited. A peer whose window never fits a segment gets what fits.
    """
    peer = bench.peer("""
from forged import *
say("ready")
link = Link(port=5401).accept(window=3000, options=mss(1460))
link.send("A", window=500)
time.sleep(0.1)
say("closed")
probe = link.receive(3)
assert probe is not None and not payload(probe) and probe.seq == link.theirs - 1, probe
say("asked")
time.sleep(0.5)
link.send("A", window=3000)
link.collect(1460)
say("whole")
link = Link(port=5402).accept(window=300, options=mss(1460))
assert link.collect(200, window=300) == bytes(200)
say("small")
""")
    program = bench.program(
        CALLS
        + """
link = socket.create_connection(("10.9.1.77", 5401))
heard()
for _ in range(3):
    assert build(link) == "EAGAIN"
heard()
assert build(link) == "EAGAIN"
while (header := build(link)) == "EAGAIN":
    time.sleep(0.01)
data = bytes(1460)
transmit(frame(header, data))
assert advance(link, data) == 0
small = socket.create_connection(("10.9.1.77", 5402))
data = bytes(200)
transmit(frame(build(small), data))
assert advance(small, data) == 0
heard()
"""
    )
    for line in ("closed", "asked"):
        assert peer.read_line() == line
        program.tell()
    assert peer.read_line() == "whole"
    assert peer.finish() == "small\n"
    program.tell()
    program.finish()


def test_delegated_least_windows(bench):
    """To the byte: Onload's call reports a window down to one byte, exasock's down to one segment."""
    peer = bench.peer("""
from forged import *
say("ready")
link = Link(port=5401).accept(window=3000, options=mss(1460))
for window in (0, 1, 1459, 1460):
    link.send("A", window=window)
    time.sleep(0.1)
    say(window)
    heard()
""")
    program = bench.program(
        CALLS
        + """
link = socket.create_connection(("10.9.1.77", 5401))
while heard():
    state, ds = prepare(link, 10)
    if state == OK:
        assert cancel(link) == 0
    say(state, ds.send_wnd, build(link))
"""
    )
    said = []
    for _ in range(4):
        peer.read_line()
        program.tell()
        said.append(program.read_line())
        peer.tell()
    assert said == ["4 0 EAGAIN", "0 1 EAGAIN", "0 1459 EAGAIN", "0 1460 54"]
    program.kill()


def test_delegated_without_acceleration(bench, client):
    bench.peer("listen().accept()")
    program = bench.start([str(client), "exasock", "10.9.1.3", "5000", "1"])
    assert program.finish(code=1) == "get_device: Operation not supported\n"


# Calls of both libraries with all arguments zero: result and errno without acceleration.
WITHOUT = {
    "exasock_loaded": (0, 0),
    "exasock_version_code": (0, 0),
    "exasock_version_text": (0, 0),
    "exasock_tcp_get_device": (-1, errno.EOPNOTSUPP),
    "exasock_tcp_build_header": (-1, errno.EOPNOTSUPP),
    "exasock_tcp_send_advance": (-1, errno.EOPNOTSUPP),
    "onload_delegated_send_prepare": (1, 0),  # ONLOAD_DELEGATED_SEND_RC_BAD_SOCKET
    "onload_delegated_send_complete": (-1, errno.ENOSYS),
    "onload_delegated_send_cancel": (-1, errno.ENOSYS),
}


@pytest.mark.parametrize("name", WITHOUT)
def test_each_call_without_acceleration(host_build, name):
    library = "libexasock_ext.so" if name.startswith("exasock") else "libonload_ext.so"
    function = getattr(ctypes.CDLL(str(host_build / "lib" / library), use_errno=True), name)
    ctypes.set_errno(0)
    assert (function(0, 0, 0, 0, 0), ctypes.get_errno()) == WITHOUT[name]


def test_delegated_not_repeated_without_need(bench):
    """What the program has sent is on the line once; the next ordinary bytes follow it."""
    peer = bench.peer(READER)
    program = bench.program(
        CALLS
        + """
link = socket.create_connection((PEER, 5000))
for number in range(20):
    data = b"own %02d" % number
    header = build(link)
    while header == "EAGAIN":
        header = build(link)
    transmit(frame(header, data))
    assert advance(link, data) == 0
    heard()
link.sendall(b"last")
heard()
"""
    )
    for number in range(20):
        assert peer.read_line() == f"own {number:02}"
        program.tell()
    assert peer.read_line() == "last"
    program.tell()
    program.finish()
    assert bench.stop_daemon()["raw_payloads"] == 21


@pytest.mark.parametrize("pieces", [1, 3])
def test_delegated_acknowledged_before_the_report(bench, pieces):
    """The peer has the bytes, and has answered, long before they are reported to the daemon."""
    peer = bench.peer("""
link, _ = listen().accept()
data = b""
while len(data) < 600:
    data += link.recv(1000)
link.sendall(b"have it")
while more := link.recv(1000):
    data += more
say(data == b"".join(bytes([65 + i]) * 200 for i in range(4)))
""")
    program = bench.program(
        CALLS
        + f"""
link = socket.create_connection((PEER, 5000))
state, ds = prepare(link, 700)
assert state == OK
data = b"".join(bytes([65 + i]) * 200 for i in range(3))
for part in range(3):  # three frames with headers of one call
    piece = data[200 * part:200 * part + 200]
    transmit(frame(ds.headers_len, piece))
    seq = struct.unpack_from(">I", room, ds.seq_offset)[0]
    struct.pack_into(">I", room, ds.seq_offset, seq + 200)
assert link.recv(100) == b"have it"
step = 600 // {pieces}
for place in range(0, 600, step):
    assert complete(link, data[place:place + step]) == step
assert cancel(link) == 0
link.sendall(b"D" * 200)
link.close()
"""
    )
    program.finish()
    assert peer.finish() == "True\n"
    assert program.err == ""
    assert bench.stop_daemon()["raw_payloads"] == 4, "sent again what the peer had"


def test_delegated_leaves_nagle_alone(make_bench, tmp_path):
    """Small writes after an unacknowledged delegated one are still sent as one segment."""
    gate = tmp_path / "gate"
    bench = make_bench(gate=gate)
    peer = bench.peer(READER)
    program = bench.program(
        CALLS
        + f"gate = {str(gate)!r}"
        + """
link = socket.create_connection((PEER, 5000))
state, ds = prepare(link, 4)
open(gate, "w").close()
transmit(frame(ds.headers_len, b"own "))
assert complete(link, b"own ") == 4
for _ in range(10):
    link.send(b"y")
    time.sleep(0.01)
os.unlink(gate)
heard()
"""
    )
    assert peer.read_line() == "own"
    assert peer.read_line() == "y" * 10
    program.tell()
    program.finish()
    assert bench.stop_daemon()["raw_payloads"] < 6


def test_delegated_lost_frame_is_repeated(bench):
    """The program reports data that was never sent: the stack retransmits it."""
    peer = bench.peer(READER)
    program = bench.program(
        CALLS
        + """
link = socket.create_connection((PEER, 5000))
assert prepare(link, 11)[0] == OK
assert complete(link, b"never left ") == 11
heard()
"""
    )
    assert peer.read_line() == "never left"
    program.tell()
    program.finish()


def test_delegated_late_acknowledgement_of_a_part(bench):
    """The second of two frames is lost; the report comes after the ACK for the first."""
    peer = bench.peer("""
link, _ = listen().accept()
assert link.recv(100) == b"first "
link.sendall(b"one")
say(link.recv(100).decode())
""")
    program = bench.program(
        CALLS
        + """
link = socket.create_connection((PEER, 5000))
state, ds = prepare(link, 12)
transmit(frame(ds.headers_len, b"first "))
assert link.recv(10) == b"one"
assert complete(link, b"first second") == 12
heard()
"""
    )
    assert peer.read_line() == "second"
    program.tell()
    program.finish()


def test_delegated_unreported(bench):
    """The peer has bytes that the program does not report: no stream with a gap, but a reset, and a line in the log."""
    bench.peer("""
server = listen()
for _ in range(3):
    link, _ = server.accept()
    link.recv(100)
    link.sendall(b"have it")
    say("got it")
heard()
""")
    program = bench.program(
        CALLS
        + """
def send_and_forget():
    link = socket.create_connection((PEER, 5000))
    state, ds = prepare(link, 100)
    transmit(frame(ds.headers_len, b"lost child"))
    assert link.recv(100) == b"have it"
    return link
def attempt(action):
    try:
        say(action())
    except OSError as error:
        say(errno.errorcode[error.errno])
link = send_and_forget()
say(cancel(link))
attempt(lambda: link.recv(1))
link = send_and_forget()
link.send(b"other bytes")
attempt(lambda: link.recv(1))
link = send_and_forget()
link.shutdown(socket.SHUT_WR)
attempt(lambda: link.recv(1))
"""
    )
    assert program.finish() == "EBADMSG\nEBADMSG\nEBADMSG\nEBADMSG\n"
    assert "the program sent itself and did not report" in program.err


@pytest.mark.parametrize(("ahead", "result"), [(10, "EBADMSG"), (11, "0")])
def test_delegated_acknowledged_too_much(bench, ahead, result):
    """The peer acknowledges bytes that were never reported: accepted as far as the program may have sent them."""
    peer = bench.peer(f"""
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
wire.bind(("tap0", 0))
link, _ = listen().accept()
link.sendall(b"from the peer")
heard()
while True:
    data = wire.recv(2000)
    if data.endswith(b"from the peer"):
        break
packet = Ether(data)
packet[TCP].ack += {ahead}
del packet[TCP].chksum
wire.send(bytes(packet))
try:
    socket.create_connection(("10.9.1.2", 9))
except ConnectionRefusedError:
    say("through")  # with what came before, too
heard()
""")
    program = bench.program(
        CALLS
        + """
link = socket.create_connection((PEER, 5000))
assert link.recv(100) == b"from the peer"
assert prepare(link, 10)[0] == OK
say("prepared")
heard()
say(cancel(link))
"""
    )
    assert program.read_line() == "prepared"
    peer.tell()
    assert peer.read_line() == "through"
    program.tell()
    assert program.finish() == f"{result}\n"


def test_delegated_errors(bench):
    peer = bench.peer("""
server = listen()
server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
links = [server.accept()[0] for _ in range(4)]
heard()
links[3].setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
links.pop().close()
heard()
""")
    program = bench.program(
        CALLS
        + """
say("sockets", build(socket.socket()), prepare(socket.socket(), 1)[0], complete(socket.socket(), b""))
datagram = socket.socket(type=socket.SOCK_DGRAM)
datagram.connect((PEER, 6000))
say(build(datagram), prepare(datagram, 1)[0], cancel(datagram), advance(datagram, b"x"))
say("devices", device_of(socket.socket()), device_of(datagram))
early = socket.socket()
early.bind(("10.9.1.2", 0))
say("unconnected", build(early), prepare(early, 1)[0])
link = socket.create_connection((PEER, 5000))
say("arguments", build(link, 53), build(link, 2000, 1), device_of(link))
say("lengths", set_length(53, 1), set_length(54, 65496), set_length(54, 65495))
say("sums", sum_up(53, b"x"), sum_up(54, b"x" * 65496))
say("small", prepare(link, 1, 0, 53)[0], prepare(link, 1, 0, 0)[1].headers_len)
say("beyond", prepare(link, 10)[0], complete(link, b"x" * 11), cancel(link), complete(link, b"x"), advance(link, b"x"))
assert prepare(link, 10)[0] == OK
say("beyond", advance(link, b"x" * 65536))
link.sendall(b"ordinary")
say("void", complete(link, b"x"))
ate = socket.socket()
ate.setsockopt(0x200, 3, 5)
ate.connect((PEER, 5000))
say("engine", build(ate), prepare(ate, 1)[0])
full = socket.create_connection((PEER, 5000))
full.setblocking(False)
while select.select([], [full], [], 0.5)[1]:
    full.send(b"x" * 65536)
say("full", build(full), prepare(full, 1)[0] in (SENDQ_BUSY, NOWIN))
link.shutdown(socket.SHUT_WR)
end = time.monotonic() + 5
while build(link) != "EPIPE":
    assert time.monotonic() < end
say("shut", prepare(link, 1)[0])
ended = socket.create_connection((PEER, 5000))
assert prepare(ended, 10)[0] == OK
say("reset it")
select.select([ended], [], [])
say("ended", complete(ended, b"x"), advance(ended, b"x"), prepare(ended, 1)[0])
"""
    )
    said = []
    while (line := program.read_line()) != "":
        said.append(line)
        if line == "reset it":
            peer.tell()
    program.finish()
    assert said == [
        "sockets ENOTSUP 1 ENOTTY",
        "ENOTSUP 1 ENOTTY ENOTSUP",
        "devices ENOTSUP ENOTSUP",
        "unconnected ENOTCONN 1",
        "arguments EINVAL EINVAL 0",
        "lengths EINVAL EINVAL 0",
        "sums EINVAL EINVAL",
        "small 2 54",
        "beyond 0 EMSGSIZE 0 EINVAL EINVAL",
        "beyond EMSGSIZE",
        "void EINVAL",
        "engine ENOTSUP 1",
        "full EAGAIN True",
        "shut 1",
        "reset it",
        "ended ECONNRESET ECONNRESET 1",
    ]
    for words in ("is not an accelerated TCP socket", "owns its sequence number", "no headers are out", "has room for"):
        assert words in program.err, program.err


PLACES = (
    CALLS
    + """
link = socket.create_connection((PEER, 5000))
first = check_places(link, HEADER)
data = b"own " * 100
for _ in range(2):
    assert prepare(link, 400)[0] == OK
    transmit(frame(HEADER + 40, data))
    assert complete(link, data) == 400
    assert link.recv(10) == b"have it"
assert (check_places(link, HEADER) - first) % 2**32 == 800
link.close()
"""
)
ANSWERING = """
link, _ = listen().accept()
for _ in range(2):
    assert link.recv(400, socket.MSG_WAITALL) == b"own " * 100
    link.sendall(b"have it")
say(link.recv(10))
"""


def test_delegated_places(bench):
    """Each number that describes the parts of the headers; frames made with them are on the line once."""
    peer = bench.peer(ANSWERING)
    bench.program(PLACES.replace("HEADER", "14")).finish()
    assert peer.finish() == "b''\n"
    assert bench.stop_daemon()["raw_payloads"] == 2


@pytest.mark.parametrize("pieces", [1, 2])
def test_delegated_by_the_header_file(bench, client, pieces):
    """The inline functions of Onload's header write to the offsets that prepare() returns: over a good line nothing is
    retransmitted, and each frame is on it once.
    """
    peer = bench.peer(SINK)
    # Records 0 and 1 have 7 and 3933 bytes (delegated_client.c), in segments of up to 1460.
    assert bench.command([str(client), "onload", "10.9.1.3", "5000", str(pieces)]).finish() == "sent\n"
    assert peer.finish() == f"{pieces} end\n"
    assert bench.stop_daemon()["raw_payloads"] == (1 if pieces == 1 else 4)


def test_delegated_windows(make_bench, tmp_path):
    """Without ACKs the congestion window fills: that is reported, not enforced. Then the peer's window closes."""
    gate = tmp_path / "gate"
    bench = make_bench(gate=gate)
    peer = bench.peer("""
server = listen()
server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
link, _ = server.accept()
size = 0
heard()
while data := link.recv(65536):
    size += len(data)
say(size)
""")
    program = bench.program(
        CALLS
        + f"""
gate = {str(gate)!r}
"""
        + """
link = socket.create_connection((PEER, 5000))
size = 0
def send_until(wanted):
    global size
    end = time.monotonic() + 10
    while True:
        assert time.monotonic() < end
        state, ds = prepare(link, 5000)
        if state == wanted:
            return ds
        if state not in (OK, NOCWIN):
            continue
        data = b"w" * min(ds.mss, ds.send_wnd)
        transmit(frame(ds.headers_len, data))
        assert complete(link, data) == len(data)
        size += len(data)
open(gate, "w").close()
ds = send_until(NOCWIN)
assert ds.cong_wnd < ds.mss and ds.send_wnd > 0
os.unlink(gate)
ds = send_until(NOWIN)
assert ds.send_wnd == 0
say(size)
heard()
link.close()
"""
    )
    size = int(program.read_line())
    assert size > 3000
    peer.tell()
    program.tell()
    program.finish()
    assert peer.finish() == f"{size}\n"


def test_delegated_neighbours(bench):
    """The next hop's address has left the daemon's table, because it has talked to so many others."""
    bench.shell("for n in $(seq 10 200); do ip addr add 10.9.1.$n/24 dev tap0; done")
    bench.peer("links = [listen().accept()[0]]\nheard()")
    program = bench.program(
        CALLS
        + """
link = socket.create_connection((PEER, 5000))
many = socket.socket(type=socket.SOCK_DGRAM)
for _ in range(3):  # so many are no reason to forget a connection's
    for n in range(10, 60):
        many.sendto(b"x", (f"10.9.1.{n}", 6000))
    time.sleep(0.03)
    assert prepare(link, 10)[0] == OK
def forget():
    for n in range(10, 201):
        many.sendto(b"x", (f"10.9.1.{n}", 6000))
def until(want, flags):
    end = time.monotonic() + 10
    while True:
        forget()
        state, ds = prepare(link, 10, flags)
        if (state, room.raw[:6]) == want or state == want:
            return say("found", flags)
        assert time.monotonic() < end, (state, room.raw[:6])
forget()
until(NOARP, 0)
assert build(link) in (54, "EAGAIN")
until((OK, bytes(6)), IGNORE_ARP)
mac = bytes.fromhex(heard())
until(NOARP, 0)
def resolving():
    started = time.monotonic()
    assert prepare(link, 10, RESOLVE_ARP)[0] == NOARP  # nobody answers now
    return time.monotonic() - started
# The shortest: on a busy machine a single step of the wait takes as long as all of them should.
assert min(resolving() for _ in range(20)) >= 0.001
say("asked")
heard()
until((OK, mac), RESOLVE_ARP)
"""
    )
    assert [program.read_line() for _ in range(2)] == ["found 0", "found 1"]
    mac = bench.shell("ip -o link show tap0").split("link/ether ")[1].split()[0]
    bench.shell("ip link set dev tap0 arp off")
    program.tell(mac.replace(":", ""))
    assert [program.read_line() for _ in range(2)] == ["found 0", "asked"]
    bench.shell("ip link set dev tap0 arp on")
    program.tell()
    assert program.finish() == "found 2\n"


def test_raw_port_of_a_daemon(bench):
    """`ullnicd:` in libullnic: frames are sent in order and unchanged; unavailable functions are refused."""
    descriptors = Path(f"/proc/{bench.daemon.process.pid}/fd")
    before = len(list(descriptors.iterdir()))
    peer = bench.peer("""
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x88B5))
wire.bind(("tap0", 0))
say("ready")
for number in range(500):
    frame = wire.recv(2000)
    assert struct.unpack_from(">I", frame, 14)[0] == number, number
    assert len(frame) == max(60, 18 + number) and not any(frame[18:]), number
    if number % 100 == 99:
        say("more")
""")
    program = bench.program(
        CALLS
        + """
for number in range(500):
    transmit(b"\\xff" * 6 + b"\\x02" * 6 + b"\\x88\\xb5" + struct.pack(">I", number) + bytes(number))
    if number % 100 == 99:
        heard()
other = c_void_p()
calls = [
    library.ullnic_port_open(card, 7, byref(other)),
    library.ullnic_receive(port, room),
    library.ullnic_port_arm(port),
    library.ullnic_send_payload(port, 0, b"x", c_size_t(1)),
    library.ullnic_send_raw(port, b"x", c_size_t(1)),
    library.ullnic_port_open(card, 0, byref(other)),
]
say(*[errno.errorcode[-call] for call in calls])
library.ullnic_port_close(port)
assert library.ullnic_port_open(card, 0, byref(port)) == 0
library.ullnic_close(card)
"""
    )
    for _ in range(5):
        assert peer.read_line() == "more", peer.finish()
        program.tell()
    assert program.finish() == "EINVAL ENOTSUP ENOTSUP ENOTSUP EINVAL EBUSY\n"
    peer.finish()
    wait_until(lambda: len(list(descriptors.iterdir())) == before)
