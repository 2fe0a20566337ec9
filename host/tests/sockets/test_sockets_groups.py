# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Multicast: which socket receives what, and the IGMP messages on the cable."""

import pytest
from scapy.layers.igmp import IGMP
from scapy.layers.inet import IP, IPOption_Router_Alert
from scapy.layers.l2 import Ether

from bench import PEER

REPORT, LEAVE = 0x16, 0x17
# IGMP messages that the card's port sends.
WATCH = """
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x800))
wire.bind(("tap0", 0))
query = bytes.fromhex(QUERY)
say("ready")
while True:
    for source in select.select([wire, sys.stdin], [], [])[0]:
        if source is wire:
            frame, address = wire.recvfrom(2000)
            header = 14 + (frame[14] & 15) * 4
            if frame[23] == 2 and address[2] != 4:
                say(frame[header], socket.inet_ntoa(frame[header + 4:header + 8]))
        elif heard() == "query":
            wire.send(query)
        else:
            sys.exit()
"""
MEMBER = """
def open_member(port, *actions):
    link = socket.socket(type=socket.SOCK_DGRAM)
    link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    link.bind(("", port))
    for action in actions:
        action(link)
    return link
def change(level, name, group, address="10.9.1.2", more=b""):
    return lambda link: link.setsockopt(level, name, socket.inet_aton(group) + socket.inet_aton(address) + more)
def join(group, *more):
    return change(0, socket.IP_ADD_MEMBERSHIP, group, *more)
def leave(group):
    return change(0, socket.IP_DROP_MEMBERSHIP, group)
def listen_in(group, *more):
    return change(0x200, 2, group, *more)
def attempt(action, *arguments):
    try:
        action(*arguments)
        say("ok")
    except OSError as error:
        say(errno.errorcode[error.errno])
"""


def send(bench, group: str, port: int, text: str, source: str = PEER) -> None:
    code = 'say("ready"); link = socket.socket(type=socket.SOCK_DGRAM)\n'
    code += "link.setsockopt(0, socket.IP_MULTICAST_IF, socket.inet_aton('SOURCE'))\n".replace("SOURCE", source)
    bench.peer(code + f'link.sendto({text.encode()!r}, ("{group}", {port}))').finish()


@pytest.fixture
def watch(bench):
    query = Ether(dst="01:00:5e:00:00:01", src="02:00:00:00:00:03")
    query /= IP(src="10.9.1.3", dst="224.0.0.1", ttl=1, options=[IPOption_Router_Alert()])
    query /= IGMP(type=0x11, mrcode=3, gaddr="0.0.0.0")
    return bench.peer(WATCH.replace("QUERY", repr(bytes(query).hex())))


def hears_join(watch, group: str) -> None:
    """The report of a join, and its repetition within half a second: from then on nothing is sent unsolicited."""
    for _ in range(2):
        assert watch.read_line() == f"{REPORT} {group}"


def test_group_in_silence(bench, watch):
    """SO_EXA_MCAST_LISTEN: data arrives, and the network sees no IGMP, not even an answer to a query."""
    program = bench.program(
        MEMBER
        + """
link = open_member(6003, listen_in("239.1.2.3", *ANY))
say("in")
say(link.recv(100).decode())
loud = open_member(6009, join("239.1.2.9"))
heard()
""".replace("*ANY", '"0.0.0.0"')
    )
    assert program.read_line() == "in"
    send(bench, "239.1.2.3", 6003, "news")
    assert program.read_line() == "news"
    hears_join(watch, "239.1.2.9")  # the first report on the network: the other one
    watch.tell("query")
    assert watch.read_line() == f"{REPORT} 239.1.2.9"
    program.tell()
    program.finish()
    assert watch.read_line() == f"{LEAVE} 239.1.2.9"
    watch.tell("end")
    assert watch.finish() == "", "something was reported of the silent group"


def test_group_loud_and_silent(bench, watch):
    """One socket of two listens silently: the network sees only the other one's join and leave."""
    program = bench.program(
        MEMBER
        + """
silent = open_member(6003, listen_in("239.1.2.3"))
loud = open_member(6004, join("239.1.2.3"))
again = open_member(6005, join("239.1.2.3"))
heard()
loud.close()
heard()
leave("239.1.2.3")(again)
heard()
say(silent.recv(100).decode())
attempt(leave("239.1.2.3"), again)
attempt(listen_in("239.1.2.3"), silent)
"""
    )
    hears_join(watch, "239.1.2.3")
    program.tell()
    program.tell()
    assert watch.read_line() == f"{LEAVE} 239.1.2.3"
    program.tell()
    send(bench, "239.1.2.3", 6003, "still here")
    assert program.finish() == "still here\nEADDRNOTAVAIL\nEADDRINUSE\n"
    watch.tell("end")
    assert watch.finish() == ""


def test_group_of_two_ports(make_bench):
    """With two ports, "any" means none; each receives from its own cable only."""
    bench = make_bench(cables="tap0+tap1", daemon=("--address", "1=10.9.2.2/24"))
    bench.shell("ip addr add 10.9.2.3/24 dev tap1 && ip link set tap1 up")
    program = bench.program(
        MEMBER
        + """
attempt(listen_in("239.1.2.3", "0.0.0.0"), socket.socket(type=socket.SOCK_DGRAM))
link = open_member(6003, listen_in("239.1.2.3", "10.9.2.2"))
say("in")
say(*link.recvfrom(100))
"""
    )
    assert program.read_line() == "ENOTSUP"
    assert program.read_line() == "in"
    send(bench, "239.1.2.3", 6003, "first cable")
    send(bench, "239.1.2.3", 6003, "second cable", source="10.9.2.3")
    assert program.finish().startswith("b'second cable' ('10.9.2.3', ")
    assert "give the address of one" in program.err


def test_groups_of_two_ports_in_one_socket(make_bench):
    """Like feeds A and B on two cables. What is sent to a peer leaves through the port that reaches it."""
    bench = make_bench(cables="tap0+tap1", daemon=("--address", "1=10.9.2.2/24"))
    bench.shell("ip addr add 10.9.2.3/24 dev tap1 && ip link set tap1 up")
    program = bench.program(
        MEMBER
        + """
both = open_member(6003, join("239.1.2.3"), join("239.1.2.4", "10.9.2.2"), join("239.1.2.3", "10.9.2.2"))
one = open_member(6003, join("239.1.2.4", "10.9.2.2"))
one.setsockopt(0, 49, 0)  # IP_MULTICAST_ALL
say("in")
for link, count in ((both, 3), (one, 1)):
    got = [link.recvfrom(100) for _ in range(count)]
    say(*sorted(f"{data} of {address[0]}" for data, address in got))
    link.setblocking(False)
    attempt(link.recv, 100)
both.sendto(b"to one", ("10.9.1.3", 6010))
both.sendto(b"to two", ("10.9.2.3", 6010))
both.setsockopt(0, socket.IP_MULTICAST_IF, socket.inet_aton("10.9.2.2"))
both.sendto(b"to a group", ("239.1.2.9", 6010))
heard()
"""
    )
    assert program.read_line() == "in"
    listener = bench.peer("""
link = socket.socket(type=socket.SOCK_DGRAM)
link.bind(("", 6010))
link.setsockopt(0, socket.IP_ADD_MEMBERSHIP, socket.inet_aton("239.1.2.9") + socket.inet_aton("10.9.2.3"))
say("ready")
for _ in range(3):
    say(*link.recvfrom(100))
""")
    send(bench, "239.1.2.3", 6003, "first")
    send(bench, "239.1.2.4", 6003, "nobody is in it there")
    send(bench, "239.1.2.3", 6003, "second", source="10.9.2.3")
    send(bench, "239.1.2.4", 6003, "third", source="10.9.2.3")
    assert program.read_line() == "b'first' of 10.9.1.3 b'second' of 10.9.2.3 b'third' of 10.9.2.3"
    assert program.read_line() == "EAGAIN"
    assert program.read_line() == "b'third' of 10.9.2.3"
    assert program.read_line() == "EAGAIN"
    said = [listener.read_line().split("', 6003")[0] for _ in range(3)]
    assert said == ["b'to one' ('10.9.1.2", "b'to two' ('10.9.2.2", "b'to a group' ('10.9.2.2"]
    program.tell()
    program.finish()


def test_group_errors(bench):
    program = bench.program(
        MEMBER
        + """
link = socket.socket(type=socket.SOCK_DGRAM)
attempt(listen_in("10.1.2.3"), link)
attempt(listen_in("239.1.2.3", "10.9.7.7"), link)
attempt(listen_in("239.1.2.3", "0.0.0.0", struct.pack("=i", 1)), link)
attempt(listen_in("239.1.2.3"), socket.socket())
disabled = socket.socket(type=socket.SOCK_DGRAM)
disabled.setsockopt(0x200, 1, 1)
attempt(listen_in("239.1.2.3"), disabled)
"""
    )
    assert program.finish() == "EINVAL\nEINVAL\nEINVAL\nEPERM\nEPERM\n"
    assert "has no interface index" in program.err


def test_member_connects_by_either_port(make_bench):
    """A socket without a bound address takes the port and the address that reach its peer, and others once it is
    disconnected.
    """
    bench = make_bench(cables="tap0+tap1", daemon=("--address", "1=10.9.2.2/24"))
    bench.shell("ip addr add 10.9.2.3/24 dev tap1 && ip link set tap1 up")
    peer = bench.peer("""
link = socket.socket(type=socket.SOCK_DGRAM)
link.bind(("", 6010))
say("ready")
for _ in range(3):
    data, address = link.recvfrom(100)
    say(data, *address)
    link.sendto(b"heard " + data, address)
""")
    program = bench.program(
        MEMBER
        + """
import ctypes
link = open_member(6003, join("239.1.2.3"))
link.settimeout(5)
for peer in ("10.9.2.3", "10.9.1.3", "10.9.2.3"):
    link.connect((peer, 6010))
    link.send(peer.encode())
    say(*link.getsockname(), link.recv(100))
    assert ctypes.CDLL(None).connect(link.fileno(), bytes(16), 16) == 0
    say(*link.getsockname())
"""
    )
    ways = [("10.9.2.3", "10.9.2.2"), ("10.9.1.3", "10.9.1.2"), ("10.9.2.3", "10.9.2.2")]
    assert program.finish() == "".join(f"{own} 6003 b'heard {its}'\n0.0.0.0 6003\n" for its, own in ways)
    assert peer.finish() == "".join(f"b'{its}' {own} 6003\n" for its, own in ways)
