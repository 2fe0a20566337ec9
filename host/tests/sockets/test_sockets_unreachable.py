# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""ICMP errors end an attempt to connect if they are about its own SYN, and nothing else (RFC 5927). UDP sockets:
cases/unreachable.py, compared with the kernel.
"""

import pytest

from bench import HERE, PEER

ERRORS = {
    "net": ("type=3, code=0", "ENETUNREACH"),
    "host": ("type=3, code=1", "EHOSTUNREACH"),
    "protocol": ("type=3, code=2", "ENOPROTOOPT"),
    "port": ("type=3, code=3", "ECONNREFUSED"),
    "filtered": ("type=3, code=13", "EHOSTUNREACH"),
    "time": ("type=11, code=0", "EHOSTUNREACH"),
    "malformed": ("type=12, code=0", "EPROTO"),
}
# About the SYN, `about`, whose bytes can be changed; the answer is for the program that sent it.
FORGE = """
from forged import *
from scapy.layers.inet import ICMP, UDP
say("ready")
def syn(port):
    while True:
        frame = Ether(frames.get(timeout=10))
        if ARP in frame and frame[ARP].pdst == ADDRESS:
            answer_arp(frame)
        elif TCP in frame and frame[TCP].dport == port:
            return frame[IP]
def error(about, keep=28, **kind):
    fields = {name: kind.pop(name) for name in ("chksum",) if name in kind}
    message = IP(src="10.9.1.99", dst=CARD) / ICMP(**kind, **fields) / Raw(bytes(about)[:keep])
    wire.send(bytes(Ether(dst=CARD_MAC, src=MAC) / message))
def bent(packet, **fields):
    packet = packet.copy()
    for name, value in fields.items():
        layer = packet[TCP] if name in ("sport", "dport", "seq") else packet
        setattr(layer, name, value)
    return packet
"""
# Each matches this SYN in all but one respect.
NOT_ABOUT_IT = {
    "before": "error(bent(about, seq=(about[TCP].seq - 2) % MODULUS), type=3, code=3)",
    "after": "error(bent(about, seq=(about[TCP].seq + 2) % MODULUS), type=3, code=3)",
    "other_port": "error(bent(about, sport=about[TCP].sport ^ 1), type=3, code=3)",
    "other_peer_port": "error(bent(about, dport=about[TCP].dport ^ 1), type=3, code=3)",
    "other_peer": "error(bent(about, dst='10.9.1.78'), type=3, code=3)",
    "other_source": "error(bent(about, src='10.9.1.1'), type=3, code=3)",
    "fragment": "error(bent(about, frag=1), type=3, code=3)",
    "udp": "error(bent(about, proto=17), type=3, code=3)",
    "not_ip": "error(bent(about, version=6), type=3, code=3)",
    "short": "error(about, keep=27, type=3, code=3)",
    "no_header": "error(about, keep=0, type=3, code=3)",
    "checksum": "error(about, type=3, code=3, chksum=0x1234)",
    "too_big": "error(about, type=3, code=4)",
    "unknown_code": "error(about, type=3, code=16)",
    "quench": "error(about, type=4, code=0)",
}


def connecting(bench, code: str) -> str:
    """The result of connect(), and then the connection, if there is one."""
    forger = bench.peer(FORGE + code)
    program = bench.program("""
link = socket.socket()
try: link.connect(("10.9.1.77", 7300)); print(link.recv(100))
except OSError as error: print(errno.errorcode[error.errno])
""")
    said = program.finish()
    forger.kill()
    return said.strip()


def test_ends_an_attempt(make_bench):
    bench = make_bench()
    codes = {}
    for name, (kind, _) in ERRORS.items():
        codes[name] = connecting(bench, f"error(syn(7300), {kind})\ntime.sleep(60)")
    assert codes == {name: code for name, (_, code) in ERRORS.items()}


# By code, Linux's errno, and whether it is final: only then a UDP socket gets it. 4 is none, 16 is unknown.
CODES = {
    0: ("ENETUNREACH", False),
    1: ("EHOSTUNREACH", False),
    2: ("ENOPROTOOPT", True),
    3: ("ECONNREFUSED", True),
    5: ("ENOTSUP", False),
    6: ("ENETUNREACH", True),
    7: ("EHOSTDOWN", True),
    8: ("ENONET", True),
    9: ("ENETUNREACH", True),
    10: ("EHOSTUNREACH", True),
    11: ("ENETUNREACH", False),
    12: ("EHOSTUNREACH", False),
    13: ("EHOSTUNREACH", True),
    14: ("EHOSTUNREACH", True),
    15: ("EHOSTUNREACH", True),
}


def test_each_code(bench):
    """For an attempt to connect, and for a connected UDP socket."""
    bench.peer(
        FORGE
        + """
while True:
    frame = Ether(frames.get(timeout=30))
    if ARP in frame and frame[ARP].pdst == ADDRESS:
        answer_arp(frame)
    elif IP in frame and frame[IP].dst == ADDRESS:
        error(frame[IP], type=3, code=frame[IP].payload.dport - 7300)
"""
    )
    program = bench.program(f"""
codes = {list(CODES)}
def heard_of(link):
    return errno.errorcode.get(link.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))
for code in codes:
    link = socket.socket()
    try: link.connect(("10.9.1.77", 7300 + code))
    except OSError as error: say(errno.errorcode[error.errno])
links = []
for code in codes:
    links.append(socket.socket(type=socket.SOCK_DGRAM))
    links[-1].connect(("10.9.1.77", 7300 + code))
    links[-1].send(b"x")
assert select.select(links[-1:], [], [], 10)[0]  # those before it have theirs, too
for link in links:
    say(heard_of(link))
""")
    said = program.finish().split()
    assert said == [error for error, _ in CODES.values()] + [
        error if final else "None" for error, final in CODES.values()
    ]


@pytest.mark.parametrize("kind", NOT_ABOUT_IT)
def test_not_about_it(bench, kind):
    """The connection opens, and an error then changes nothing."""
    established = "error(bent(about, seq=(link.theirs) % MODULUS), type=3, code=3)"
    said = connecting(
        bench,
        f"""
about = syn(7300)
{NOT_ABOUT_IT[kind]}
link = Link(port=7300)
link.card_port, link.theirs = about[TCP].sport, about[TCP].seq + 1
link.send("SA")
link.next += 1
{established}
link.said(b"connected")
time.sleep(60)
""",
    )
    assert said == "b'connected'"


def test_error_after_the_datagrams_of_a_batch(bench):
    """recvmmsg() returns the datagrams before the error, the next call the error, and then those after it."""
    batch = (HERE / "cases/batch_errors.py").read_text().split("def program")[0]
    bench.peer(
        f"PEER = {PEER!r}"
        + """
say("ready")
server = socket.socket(type=socket.SOCK_DGRAM); server.bind((PEER, 5512))
_, program = server.recvfrom(1)
server.sendto(b"first", program)
server.close()
time.sleep(0.6)
late = socket.socket(type=socket.SOCK_DGRAM); late.bind((PEER, 5512))
late.sendto(b"after it", program)
time.sleep(60)
"""
    )
    program = bench.program(f"""
import ctypes
{batch}
link = socket.socket(type=socket.SOCK_DGRAM)
link.connect(({PEER!r}, 5512))
link.send(b".")
time.sleep(0.3)
link.send(b"to nobody")
time.sleep(0.6)
say([batch(link, NOW) for _ in range(4)])
""")
    assert program.finish().strip() == "[[5], 'ECONNREFUSED', [8], 'EAGAIN']"
