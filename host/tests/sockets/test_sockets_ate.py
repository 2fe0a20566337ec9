# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Connections on which hardware also sends: each order of hardware and each record of software reaches the kernel at
the other end once, in order, and none inside another.
"""

import re
import subprocess
import time
from pathlib import Path

import pytest
from scapy.layers.l2 import ARP, Ether

from bench import CARD, PEER, SANITIZED, sanitizer_flags

HERE = Path(__file__).parent
INCLUDE = HERE.parents[1] / "include"
# Reads records until the end; prints how many of each kind, and how it ended.
SINK = """
link, _ = listen().accept()
parser = Parser()
try:
    while data := link.recv(65536):
        parser.feed(data)
    end = "end"
except ConnectionResetError:
    end = "reset"
assert end == "reset" or not parser.rest, "cut"
say(parser.counts["H"], parser.counts["S"], end)
"""
# It also says when more orders than LEAST have come.
SINK_OF_ORDERS = SINK.replace("parser = Parser()", "parser, is_full = Parser(), False").replace(
    "parser.feed(data)\n",
    """parser.feed(data)
        if parser.counts["H"] > LEAST and not is_full:
            is_full = True
            say("several")
""",
)
CONNECT = """
link = socket.socket()
link.setsockopt(0x200, 3, ID)
link.connect((PEER, 5000))
"""


def connect(number: int = 5) -> str:
    return CONNECT.replace("ID", str(number))


def writer(count: int, seed: int, most: int = 1460, number: int = 5) -> str:
    return (
        connect(number)
        + f"""
import random
chance = random.Random({seed})
for counter in range({count}):
    link.sendall(record("S", counter, chance.randint(HEAD, {most})))
"""
    )


def test_ate_mixed(make_bench, seed):
    """Orders fall between the program's writes; all of them arrive, including those that fired before close()."""
    bench = make_bench(orders=5, order_gap_us=100, order_bytes=300, seed=seed)
    peer = bench.peer(SINK)
    program = bench.program(writer(3000, seed) + "link.close()")
    program.finish()
    hardware, software, end = peer.finish().split()
    stats = bench.stop_daemon()
    assert (int(software), end) == (3000, "end")
    assert int(hardware) == stats["orders_sent"] > 100
    assert stats["no_conn"] == 0 and stats["payloads"] >= 3000
    assert stats["raw_payloads"] < 300, "software repeats what hardware has sent, without need"
    assert program.err == ""


@pytest.mark.parametrize("run", [1, 2, 3])
def test_ate_over_a_bad_line(make_bench, seed, run):
    """Software retransmits what hardware sent, from the mirror."""
    seed += run
    faults = {"drop_in": 0.03, "drop_out": 0.01, "dup": 0.01, "swap": 0.01}
    bench = make_bench(orders=5, order_gap_us=300, order_bytes=1400, seed=seed, **faults)
    peer = bench.peer(SINK)
    bench.program(writer(1500, seed) + "link.close()").finish()
    hardware, software, end = peer.finish().split()
    stats = bench.stop_daemon()
    assert (int(hardware), int(software), end) == (stats["orders_sent"], 1500, "end")
    assert min(stats[key] for key in ("dropped_in", "dropped_out", "doubled", "swapped")) > 0
    assert stats["orders_sent"] > 20


def test_ate_long_writes(make_bench, seed):
    """Writes longer than a segment are split, but no byte is lost or moved. While the card's ring is full, as it is at
    random, ullnicd looks at it every millisecond; afterwards it sleeps.
    """
    bench = make_bench()
    peer = bench.peer(SINK)
    bench.program(writer(150, seed, most=60000) + "link.close()").finish()
    assert peer.finish() == "0 150 end\n"
    status = Path(f"/proc/{bench.daemon.process.pid}/status")

    def sleeps():
        return int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", status.read_text(), re.MULTILINE)[1])

    before = sleeps()
    time.sleep(0.5)
    assert sleeps() - before < 100
    assert bench.stop_daemon()["payloads"] > 1500


def test_ate_receives_and_acknowledges(make_bench):
    """The peer's data arrives while hardware sends; ACK and window are sent by the engine."""
    bench = make_bench(orders=5, order_gap_us=500)
    peer = bench.peer("""
link, _ = listen().accept()
digest = hashlib.sha256()
for number in range(300):
    data = bytes([number & 255]) * 9000
    digest.update(data)
    link.sendall(data)
link.shutdown(socket.SHUT_WR)
parser = Parser()
while data := link.recv(65536):
    parser.feed(data)
say(parser.counts["H"], digest.hexdigest())
""")
    program = bench.program(
        connect()
        + """
digest, size = hashlib.sha256(), 0
while data := link.recv(65536):
    digest.update(data)
    size += len(data)
    if size < 300000:
        time.sleep(0.02)  # the window closes
link.close()
say(digest.hexdigest())
"""
    )
    digest = program.finish().strip()
    hardware, peers = peer.finish().split()
    assert digest == peers
    stats = bench.stop_daemon()
    assert int(hardware) == stats["orders_sent"] > 0
    assert stats["acks"] > 10


@pytest.mark.parametrize("wrap", [1 << 31, 1 << 32], ids=["signed", "unsigned"])
def test_ate_closed_window(make_bench, wrap):
    """The peer stops reading during orders and writes: MAX_SEQ stops hardware, the socket stops software. This also
    holds while the limits of MAX_SEQ are on both sides of the sequence number's wrap.
    """
    bench = make_bench(orders=5, order_gap_us=200, order_bytes=1000, wrap=wrap)
    peer = bench.peer("""
server = listen()
server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
link, _ = server.accept()
heard()
parser = Parser()
while data := link.recv(8192):
    parser.feed(data)
say(parser.counts["H"], parser.counts["S"])
""")
    program = bench.program(
        connect()
        + """
link.setblocking(False)
counter = 0
while select.select([], [link], [], 1)[1]:
    try:
        assert link.send(record("S", counter, 1000)) == 1000
        counter += 1
    except BlockingIOError:
        pass
say(counter)
link.setblocking(True)
link.sendall(record("S", counter, 1000))
link.close()
"""
    )
    count = int(program.read_line())
    assert count > 10
    peer.tell()
    program.finish()
    hardware, software = map(int, peer.finish().split())
    stats = bench.stop_daemon()
    assert (hardware, software) == (stats["orders_sent"], count + 1)


def test_ate_lost_window_update(make_bench, tmp_path):
    """Nothing is in flight and the window update that opens the window is lost: probes solicit it."""
    gate = tmp_path / "gate"
    bench = make_bench(gate=gate)
    peer = bench.peer("""
server = listen()
server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
link, _ = server.accept()
heard()
parser = Parser()
parser.feed(link.recv(65536))  # the update goes nowhere
say("read")
while data := link.recv(8192):
    parser.feed(data)
say(parser.counts["S"])
""")
    program = bench.program(
        connect()
        + """
link.settimeout(30)
for counter in range(400):
    link.sendall(record("S", counter, 1000))
    if counter == 20:
        say("sent")
link.close()
"""
    )
    assert program.read_line() == "sent"
    time.sleep(0.3)
    gate.touch()
    peer.tell()
    assert peer.read_line() == "read"
    time.sleep(0.2)
    gate.unlink()
    program.finish()
    assert peer.finish() == "400\n"


def test_ate_window_of_less_than_a_payload(bench):
    """A payload is split to fit a window that has never had room for it, if nothing is in flight. A payload for which
    the window once had room waits until it has again. Only probes are sent while the window is closed.
    """
    peer = bench.peer("""
from forged import *
say("ready")
link = Link(port=5401).accept(window=300, options=mss(1460))
link.send("A", window=300)
time.sleep(0.1)  # it has come before anything is written
say("open")
got = b""
def sends(count):
    global got
    while not payload(segment := link.receive(3)):
        pass
    new, _ = link.take(segment)
    assert len(new) == count, segment
    got += new
def waits():
    for segment in link.drain(0.35):
        assert not payload(segment) and 0 < (link.theirs - segment.seq) % MODULUS < 500, segment
sends(300)
link.send("A", window=0)
waits()
link.send("A", window=300)
sends(300)
link.send("A", ack=-300, window=350)  # it is in flight
waits()
link.send("A", window=100)
sends(100)  # of 450
link.send("A", window=100)
waits()
link.send("A", window=350)
sends(350)
assert got == bytes(i % 251 for i in range(1050))
say("whole")
""")
    program = bench.program(
        connect().replace("(PEER, 5000)", '("10.9.1.77", 5401)')
        + """
heard()
link.sendall(bytes(i % 251 for i in range(1050)))
heard()
"""
    )
    assert peer.read_line() == "open"
    program.tell()
    assert peer.finish() == "whole\n"
    program.tell()
    program.finish()
    assert bench.stop_daemon()["payloads"] == 4


def test_ate_cuts_a_payload_before_the_timeout(bench):
    """A window that once had room for all of a payload, and now only for a part: the payload is split when half of
    TCP_USER_TIMEOUT is over, not before and not too late.
    """
    peer = bench.peer("""
from forged import *
say("ready")
link = Link(port=5401).accept(window=300, options=mss(1460))
link.send("A", window=300)
time.sleep(0.1)  # it has come before anything is written
say("open")
def next_data():
    while (segment := link.receive(3)) is not None and not payload(segment):
        pass
    return len(link.take(segment)[0])
assert next_data() == 300
began = time.monotonic()
link.send("A", window=100)
assert next_data() == 100
took = time.monotonic() - began
assert 0.8 <= took < 1.5, took
link.send("RA")
say("cut")
""")
    program = bench.program(
        connect().replace("(PEER, 5000)", '("10.9.1.77", 5401)')
        + """
link.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1600)
heard()
link.sendall(bytes(600))
try:
    link.recv(1)
except OSError as error:
    say(errno.errorcode[error.errno])
"""
    )
    assert peer.read_line() == "open"
    program.tell()
    assert peer.finish() == "cut\n"
    assert program.finish() == "ECONNRESET\n"


@pytest.mark.parametrize("timeout_ms", [1, 400])
def test_ate_silent_peer(make_bench, tmp_path, timeout_ms):
    """Hardware has filled the window, and all is acknowledged. While the peer answers probes, one in 500 ms as Linux
    does, the connection lasts, however short TCP_USER_TIMEOUT is. Once the peer is silent, the connection ends.
    """
    gate = tmp_path / "gate"
    bench = make_bench(orders=5, order_gap_us=100, order_bytes=500, gate=gate)
    bench.peer("""
from forged import *
say("ready")
link = Link(port=5401).accept(window=3000, options=mss(1460))
left, answered = 3000, 0
while True:
    if (segment := link.receive(1)) is None:
        continue
    data, _ = link.take(segment)
    if not data and time.monotonic() < answered + 0.5:
        continue
    left, answered = left - len(data), time.monotonic()
    link.send("A", window=left)
""")
    program = bench.program(
        connect().replace("(PEER, 5000)", '("10.9.1.77", 5401)')
        + f"""
def ended(patience_s):
    link.settimeout(patience_s)
    try:
        link.recv(10)
    except TimeoutError as error:
        say(errno.errorcode.get(error.errno))
time.sleep(0.5)
link.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, {timeout_ms})
ended(1.5)
heard()
ended(10)
"""
    )
    assert program.read_line() == "None"
    gate.touch()
    program.tell()
    assert program.finish() == "ETIMEDOUT\n"


@pytest.mark.parametrize("lag_us", [0, 30000])
def test_ate_close_while_orders_fire(make_bench, lag_us):
    """FIN follows the last order, however late the mirror is."""
    bench = make_bench(orders=5, order_gap_us=0 if lag_us == 0 else 1000, order_bytes=60, lag_us=lag_us)
    least = 100 if lag_us == 0 else 5
    peer = bench.peer(SINK_OF_ORDERS.replace("LEAST", str(least)))
    program = bench.program(connect() + "heard()\nlink.close()")
    assert peer.read_line() == "several"
    program.tell()
    program.finish()
    hardware, software, end = peer.finish().split()
    stats = bench.stop_daemon()
    assert (int(hardware), software, end) == (stats["orders_sent"], "0", "end")
    assert stats["orders_sent"] > least


@pytest.mark.parametrize("end", ["link.close()", "link.shutdown(socket.SHUT_WR)\nlink.recv(1)"], ids=["close", "half"])
def test_ate_close_with_payloads_under_way(make_bench, end):
    """The engine drops what it has not sent when it is disabled, which so waits for the last payload's mirror."""
    bench = make_bench(lag_us=100000)
    peer = bench.peer(SINK)
    code = connect() + "for counter in range(6):\n    link.sendall(record('S', counter, 500))\n"
    bench.program(code + end).finish()
    assert peer.finish() == "0 6 end\n"
    stats = bench.stop_daemon()
    assert (stats["early_disables"], stats["disables"], stats["raw_payloads"]) == (0, 1, 0)


@pytest.mark.parametrize("end", ["link.close()", "link.shutdown(socket.SHUT_WR)\nlink.recv(1)"], ids=["close", "half"])
def test_ate_close_with_orders_under_way(make_bench, end):
    """Orders still leave after the engine is disabled. FIN follows the last of them, since SEQ is read until it is
    stable: here it advances between every two reads.
    """
    late = {"late_orders": 5, "late_gap_us": 3000}
    bench = make_bench(orders=5, order_gap_us=1000, order_bytes=60, order_count=20, **late)
    peer = bench.peer(SINK)
    bench.program(connect() + f"time.sleep(0.01)\n{end}").finish()
    hardware, software, ended = peer.finish().split()
    stats = bench.stop_daemon()
    assert (int(hardware), software, ended) == (stats["orders_sent"], "0", "end")
    assert 5 <= stats["orders_sent"] <= 20


# Counts the engine's data frames on the wire by their destination address; lwIP's have no DF. Says when the first one
# and the fiftieth one go to the new address, and at the end how many went to another one after the first.
NEW_ADDRESS = "02:00:00:00:00:99"
WATCHER = f"""
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x800))
wire.bind(("tap0", 0))
say("ready")
new = other = 0
while (ready := select.select([wire, sys.stdin], [], [])[0]) != [sys.stdin]:
    frame = wire.recv(2000)
    payload = int.from_bytes(frame[16:18], "big") - 40
    if frame[26:30] != socket.inet_aton("{CARD}") or not frame[20] & 0x40 or payload == 0:
        continue
    if frame[:6] == bytes.fromhex("{NEW_ADDRESS.replace(":", "")}"):
        new += 1
        if new in (1, 50):
            say(new)
    elif new > 0:
        other += 1
say(other)
"""


@pytest.mark.parametrize("late", ["", "lag_us", "queue_us"])
def test_ate_follows_the_next_hop(make_bench, seed, late):
    """Its MAC address changes during orders and writes: no byte is lost, and hardware sends to the new one. A payload
    that is still in the engine would be dropped while the connection is disabled for that.
    """
    settings = {late: {"lag_us": 2000, "queue_us": 20000}[late]} if late else {}
    bench = make_bench(orders=5, order_gap_us=3000, order_bytes=100, seed=seed, **settings)
    peer = bench.peer(SINK)
    watcher = bench.peer(WATCHER)
    program = bench.program(
        writer(100, seed)
        + """
say("on the way")
while not select.select([sys.stdin], [], [], 0.003)[0]:
    counter += 1
    link.sendall(record("S", counter, 700))
link.close()
say(counter + 1)
"""
    )
    assert program.read_line() == "on the way"
    mac = NEW_ADDRESS
    announcement = Ether(src=mac, dst="ff:ff:ff:ff:ff:ff") / ARP(op=2, hwsrc=mac, psrc=PEER, hwdst=mac, pdst=PEER)
    wire = 'wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW); wire.bind(("tap0", 0))'
    bench.python(f"{wire}; wire.send({bytes(announcement)!r})").finish()
    # The daemon looks every 100 ms. If the engine holds a payload each time, the change is made once the old address
    # does not answer any more.
    time.sleep(0.15)
    bench.shell(f"ip link set tap0 address {mac}")
    assert (watcher.read_line(), watcher.read_line()) == ("1", "50")
    program.tell()
    count = int(program.finish())
    hardware, software, end = peer.finish().split()
    watcher.tell()
    assert watcher.finish() == "0\n", "hardware's frames went to the old address"
    stats = bench.stop_daemon()
    assert bench.daemon_says.count("the next hop's MAC address changed") == 1
    assert (int(hardware), int(software), end) == (stats["orders_sent"], count, "end")
    assert stats["no_conn"] == 0 and "is enabled" not in bench.daemon_says


def test_ate_lost_mirror(make_bench):
    """What hardware sent is no longer known, so it cannot be retransmitted: the connection ends at once, with the
    reason, which is reported once however many mirrors follow.
    """
    bench = make_bench(orders=5, order_gap_us=500, order_bytes=60, lose_mirror=3)
    peer = bench.peer(SINK)
    program = bench.program(
        connect()
        + """
try:
    link.recv(1)
except OSError as error:
    say(errno.errorcode[error.errno])
"""
    )
    assert peer.finish().endswith(" reset\n")
    assert program.finish(timeout=3) == "EPROTO\n"
    bench.stop_daemon()
    assert len(re.findall(r"mirror of \d+ bytes at \d+, expected \d+", bench.daemon_says)) == 1


def test_ate_half_close(make_bench, seed):
    """shutdown() also stops hardware's sending; the answer is still received."""
    bench = make_bench(orders=5, order_gap_us=300)
    peer = bench.peer("""
link, _ = listen().accept()
parser = Parser()
while data := link.recv(65536):
    parser.feed(data)
link.sendall(b"%d" % parser.counts["S"])
""")
    program = bench.program(
        writer(200, seed)
        + """
link.shutdown(socket.SHUT_WR)
say(link.recv(100).decode(), link.recv(100))
"""
    )
    assert program.finish() == "200 b''\n"
    peer.finish()


def test_ate_half_close_while_the_peer_sends(bench):
    """The engine is disabled once, however often the peer's data wakes the daemon until SEQ is stable: else FIN would
    wait for the peer's silence.
    """
    peer = bench.peer("""
link, _ = listen().accept()
link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
while not select.select([link], [], [], 0.0005)[0]:
    link.send(b"x")
say(link.recv(1))
""")
    program = bench.program(connect() + "link.shutdown(socket.SHUT_WR)\nheard()")  # it does not read
    assert peer.finish() == "b''\n"
    program.tell()
    program.finish()
    assert bench.stop_daemon()["disables"] == 1


def test_ate_program_is_killed(make_bench, seed):
    """The card is left clean: the id serves the next connection."""
    bench = make_bench(orders=5, order_gap_us=100)
    peer = bench.peer(SINK.replace("listen()", "(server := listen())"))
    program = bench.program(writer(100, seed) + "say('sent')\ntime.sleep(60)")
    assert program.read_line() == "sent"
    program.kill()
    hardware, software, end = peer.finish(timeout=10).split()
    assert (int(software), end) == (100, "end")
    peer = bench.peer(SINK)
    bench.program("deadline = time.monotonic() + 5\n" + connect() + "link.close()").finish()
    assert peer.finish().split()[2] == "end"


def test_ate_peer_resets(make_bench, tmp_path):
    """Unacknowledged bytes of hardware are reported."""
    gate = tmp_path / "gate"
    bench = make_bench(orders=5, order_gap_us=100, gate=gate)
    peer = bench.peer("""
server = listen()
link, _ = server.accept()
link.recv(5)
say("heard")
heard()
link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
link.close()
say("closed")
again = server.accept()  # one that is let go of is reset: connect() may see that
time.sleep(60)
""")
    program = bench.program(
        connect()
        + """
link.sendall(record("S", 0, 100))
try:
    while link.recv(100):
        pass
except ConnectionResetError:
    say("reset")
try:
    link.send(b"x")
except BrokenPipeError:
    say("EPIPE")
"""
        + connect()
        + "say('again')"
    )
    assert peer.read_line() == "heard"
    gate.touch()
    time.sleep(0.1)  # orders are sent, and their ACKs are lost
    peer.tell()
    assert peer.read_line() == "closed"
    gate.unlink()
    assert program.finish() == "reset\nEPIPE\nagain\n"
    assert "hardware's among them" in program.err
    lost = re.search(r"from byte (\d+) of the stream on, (\d+) bytes were sent", program.err)
    assert lost and int(lost[2]) > 0


def test_ate_linger_zero(make_bench):
    """The reset has hardware's sequence number: the kernel accepts it."""
    bench = make_bench(orders=5, order_gap_us=50)
    peer = bench.peer(SINK)
    bench.program(
        connect()
        + """
link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
time.sleep(0.2)
link.close()
"""
    ).finish()
    assert peer.finish(timeout=10).split()[2] == "reset"


def test_ate_many_connections(make_bench, seed):
    """Hardware sends on all of them."""
    count = 128
    bench = make_bench(orders=0, orders_to=count - 1, order_gap_us=4000, seed=seed)
    peer = bench.peer(f"""
server = listen()
links = [server.accept()[0] for _ in range({count})]
parsers = {{link: Parser() for link in links}}
while links:
    for link in select.select(links, [], [])[0]:
        if data := link.recv(65536):
            parsers[link].feed(data)
        else:
            links.remove(link)
say(sum(p.counts["H"] for p in parsers.values()), min(p.counts["S"] for p in parsers.values()))
""")
    bench.program(f"""
links = []
for number in range({count}):
    link = socket.socket()
    link.setsockopt(0x200, 3, number)
    link.connect((PEER, 5000))
    links.append(link)
for counter in range(20):
    for link in links:
        link.sendall(record("S", counter, 200))
for link in links:
    link.close()
""").finish()
    hardware, least = map(int, peer.finish().split())
    assert least == 20
    assert hardware == bench.stop_daemon()["orders_sent"] > count


def test_ate_has_a_fixed_ip_header(bench):
    bench.peer("server = listen()\nlinks = [server.accept() for _ in range(2)]\nheard()")
    program = bench.program("""
link = socket.socket()
link.setsockopt(0, socket.IP_TTL, 5)
link.setsockopt(0x200, 3, 1)
say(errno.errorcode[link.connect_ex((PEER, 5000))])
link.setsockopt(0, socket.IP_TTL, -1)
link.connect((PEER, 5000))
for name, value in ((socket.IP_TOS, 8), (socket.IP_TTL, 63), (socket.IP_TTL, 64)):
    try:
        link.setsockopt(0, name, value)
        say("ok")
    except OSError as error:
        say(errno.errorcode[error.errno])
say(link.getsockopt(0, socket.IP_TOS), link.getsockopt(0, socket.IP_TTL))
""")
    assert program.finish() == "ENOPROTOOPT\nENOPROTOOPT\nENOPROTOOPT\nok\n0 64\n"
    assert "the transmit engine sends with IP_TTL 64 and IP_TOS 0 only" in program.err


def test_ate_errors(make_bench):
    bench = make_bench(refuse=9)
    bench.peer("server = listen()\nlinks = [server.accept() for _ in range(9)]\n")
    program = bench.program("""
def attempt(action):
    try:
        action()
        say("ok")
    except OSError as error:
        say(errno.errorcode[error.errno])  # ENOTSUP is EOPNOTSUPP
def ate(number, kind=socket.SOCK_STREAM, peer=(PEER, 5000)):
    link = socket.socket(socket.AF_INET, kind)
    link.setsockopt(0x200, 3, number)
    link.connect(peer)
    return link
attempt(lambda: ate(1, socket.SOCK_DGRAM))  # a wrong socket
attempt(lambda: socket.socket(socket.AF_INET6).setsockopt(0x200, 3, 1))
disabled = socket.socket()
disabled.setsockopt(0x200, 1, 1)
attempt(lambda: disabled.setsockopt(0x200, 3, 1))
attempt(lambda: disabled.setsockopt(0x200, 1, 0))  # for good
first = ate(1)
attempt(lambda: first.setsockopt(0x200, 3, 2))  # connected
attempt(lambda: first.setsockopt(0x200, 1, 1))
attempt(lambda: first.setsockopt(0x200, 77, 1))
attempt(lambda: socket.socket().setsockopt(0x200, 3, -2))
attempt(lambda: ate(512))
attempt(lambda: ate(1))  # in use
attempt(lambda: ate(3, peer=("192.0.2.1", 9)))  # not through the card
attempt(lambda: ate(9))  # the engine refuses
listening = socket.socket()
listening.bind(("10.9.1.2", 7000))
listening.setsockopt(0x200, 3, 4)
attempt(lambda: listening.listen())
server = socket.create_server((PEER, 7001))
attempt(lambda: server.setsockopt(0x200, 3, 4))
first.close()
end = time.monotonic() + 5
while True:  # free again as soon as hardware is quiet
    try:
        ate(1)
        break
    except OSError as error:
        assert error.errno == errno.EBUSY and time.monotonic() < end
unset = socket.socket()
unset.setsockopt(0x200, 3, 5)
unset.setsockopt(0x200, 3, -1)
assert unset.getsockopt(0x200, 3) == 0xFFFFFFFF or unset.getsockopt(0x200, 3) == -1
""")
    expected = "ENOPROTOOPT EINVAL EINVAL EBUSY ENETUNREACH ECANCELED ENOTSUP ENOTSUP"
    assert program.finish().split() == [*6 * ["EPERM"], *expected.split()]
    for words in ("0 to 511, not 512", "connection 1 of port 0 is in use", "could not be set up", "no port of"):
        assert words in program.err, program.err


def test_ate_without_an_engine(make_bench):
    bench = make_bench(engines=0)
    code = "socket.socket().setsockopt(0x200, 3, 1)"
    job = bench.program(f"try:\n    {code}\nexcept OSError as error:\n    say(errno.errorcode[error.errno])")
    assert job.finish() == "ENOPROTOOPT\n"
    assert "no port that ullnicd uses has a TCP transmit engine" in job.err


@pytest.mark.parametrize("compiler", [["cc", "-std=c11"], ["c++", "-std=c++17", "-x", "c++"]])
def test_ate_program_in_c(bench, tmp_path, host_build, compiler):
    program = tmp_path / "ate_client"
    flags = [*sanitizer_flags(), "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-O2", f"-I{INCLUDE}"]
    flags += [] if SANITIZED else ["-D_FORTIFY_SOURCE=2"]
    libraries = [f"-L{host_build / 'lib'}", "-lexasock_ext", f"-Wl,-rpath,{host_build / 'lib'}"]
    subprocess.run([*compiler, *flags, HERE / "ate_client.c", "-o", program, *libraries], check=True)
    peer = bench.peer("link, _ = listen().accept()\nsay(link.recv(100).decode())\nlink.sendall(b'thanks')")
    job = bench.command([str(program), "10.9.1.3", "5000", "17"])
    expected = "loaded 1 version 2.7.0 (ullnic)\nconnected, connection 17, ullnic0 port 0\nanswer: thanks\n"
    assert job.finish() == expected
    assert peer.finish() == "hot\n"
    job = bench.command([str(program), "10.9.1.3", "5000", "-1"])
    assert job.finish(code=1).splitlines()[-1] == "connect: Invalid argument"
    job = bench.start([str(program), "10.9.1.3", "5000", "17"])  # without acceleration
    job.finish(code=1)
    assert job.out == "loaded 0 version none\nconnect: Protocol not available\n"
