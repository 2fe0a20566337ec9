# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Options, flags and control messages: what the card does not do is refused, and what is accepted is done."""

import re
from pathlib import Path

import pytest

PRELOAD = Path(__file__).parents[2] / "sockets" / "preload"
SINK = """
server = listen()
while True:
    link, _ = server.accept()
    threading.Thread(target=lambda link: [None for _ in iter(lambda: link.recv(65536), b"")], args=(link,)).start()
"""
LINKS = """
def err(call, *arguments):
    try:
        result = call(*arguments)
    except OSError as error:
        return "EOPNOTSUPP" if error.errno == errno.EOPNOTSUPP else errno.errorcode[error.errno]
    return "ok" if result is None else result
def links():
    tcp = socket.create_connection((PEER, 5000))
    udp = socket.socket(type=socket.SOCK_DGRAM)
    udp.connect((PEER, 6000))
    bound = socket.socket(type=socket.SOCK_DGRAM)
    bound.bind(("10.9.1.2", 0))
    return {"tcp": tcp, "udp": udp, "bound": bound}
tcp, udp, bound = links().values()
assert tcp.getsockname()[0] == udp.getsockname()[0] == "10.9.1.2"
SOL, TCP, UDP, IP = socket.SOL_SOCKET, socket.IPPROTO_TCP, socket.IPPROTO_UDP, socket.IPPROTO_IP
"""
REFUSED = """
one = struct.pack("i", 1)
for name, level, option, value, expected in [
    ("TCP_ULP", TCP, 31, b"tls", "ENOENT"), ("TCP_ULP", TCP, 31, b"espintcp", "ENOENT"),
    ("TLS_TX", 282, 1, bytes(40), "ENOPROTOOPT"), ("TLS_RX", 282, 2, bytes(40), "ENOPROTOOPT"),
    ("TCP_MD5SIG", TCP, 14, bytes(216), "ENOPROTOOPT"), ("TCP_MD5SIG_EXT", TCP, 32, bytes(216), "ENOPROTOOPT"),
    ("TCP_AO_ADD_KEY", TCP, 38, bytes(300), "ENOPROTOOPT"), ("TCP_AO_INFO", TCP, 40, bytes(64), "ENOPROTOOPT"),
    ("TCP_CONGESTION", TCP, 13, b"nonsense", "ENOENT"), ("TCP_CONGESTION", TCP, 13, b"cubic", "ENOENT"),
    ("TCP_CONGESTION", TCP, 13, b"renoir", "ENOENT"), ("TCP_CONGESTION", TCP, 13, b"ren", "ENOENT"),
    ("TCP_FASTOPEN", TCP, 23, one, "EOPNOTSUPP"), ("TCP_FASTOPEN_CONNECT", TCP, 30, one, "EOPNOTSUPP"),
    ("TCP_DEFER_ACCEPT", TCP, 9, one, "ENOPROTOOPT"), ("TCP_WINDOW_CLAMP", TCP, 10, one, "ENOPROTOOPT"),
    ("TCP_REPAIR", TCP, 19, one, "ENOPROTOOPT"), ("TCP_SAVE_SYN", TCP, 27, one, "ENOPROTOOPT"),
    ("TCP_MAXSEG", TCP, 2, struct.pack("i", 600), "ENOPROTOOPT"), ("TCP_INQ", TCP, 36, one, "ENOPROTOOPT"),
    ("TCP_SYNCNT", TCP, 7, one, "ENOPROTOOPT"), ("TCP_LINGER2", TCP, 8, one, "ENOPROTOOPT"),
    ("TCP_NOTSENT_LOWAT", TCP, 25, one, "ENOPROTOOPT"), ("TCP 250", TCP, 250, one, "ENOPROTOOPT"),
    ("UDP_SEGMENT on TCP", UDP, 103, one, "ENOPROTOOPT"),
]:
    assert err(tcp.setsockopt, level, option, value) == expected, (name, err(tcp.setsockopt, level, option, value))
for link in (tcp, udp, bound):
    for name, level, option, value, expected in [
        ("level 999", 999, 1, one, "ENOPROTOOPT"), ("IPV6_TCLASS", 41, 67, one, "ENOPROTOOPT"),
        ("IPV6_V6ONLY", 41, 26, one, "ENOPROTOOPT"), ("MPTCP", 284, 1, one, "ENOPROTOOPT"),
        ("SCTP", 132, 1, one, "ENOPROTOOPT"), ("raw", 255, 1, one, "ENOPROTOOPT"),
        ("SOL_SOCKET 250", SOL, 250, one, "ENOPROTOOPT"), ("IP 250", IP, 250, one, "ENOPROTOOPT"),
        ("SO_BINDTODEVICE", SOL, 25, b"lo\\0", "ENOPROTOOPT"), ("SO_MARK", SOL, 36, one, "ENOPROTOOPT"),
        ("SO_PRIORITY", SOL, 12, one, "ENOPROTOOPT"), ("SO_ZEROCOPY", SOL, 60, one, "EOPNOTSUPP"),
        ("SO_TXTIME", SOL, 61, bytes(8), "ENOPROTOOPT"), ("SO_DONTROUTE", SOL, 5, one, "ENOPROTOOPT"),
        ("SO_MAX_PACING_RATE", SOL, 47, struct.pack("i", 9999), "ENOPROTOOPT"),
        ("SO_INCOMING_CPU", SOL, 49, one, "ENOPROTOOPT"), ("SO_ATTACH_FILTER", SOL, 26, bytes(16), "ENOPROTOOPT"),
        ("SO_ATTACH_BPF", SOL, 50, one, "ENOPROTOOPT"), ("SO_PEEK_OFF", SOL, 42, bytes(4), "EOPNOTSUPP"),
        ("SO_PASSCRED", SOL, 16, one, "EOPNOTSUPP"), ("SO_RCVLOWAT", SOL, 18, struct.pack("i", 9), "ENOPROTOOPT"),
        ("SO_RXQ_OVFL", SOL, 40, one, "ENOPROTOOPT"), ("SO_NO_CHECK", SOL, 11, one, "ENOPROTOOPT"),
        ("SO_BUSY_POLL", SOL, 46, one, "ENOPROTOOPT"), ("SO_SNDBUFFORCE", SOL, 32, one, "EPERM"),
        ("SO_TYPE", SOL, 3, one, "ENOPROTOOPT"), ("SO_ERROR", SOL, 4, one, "ENOPROTOOPT"),
        ("IP_OPTIONS", IP, 4, b"\\1\\1\\1\\0", "ENOPROTOOPT"), ("IP_TRANSPARENT", IP, 19, one, "ENOPROTOOPT"),
        ("IP_HDRINCL", IP, 3, one, "ENOPROTOOPT"), ("IP_RECVERR", IP, 11, one, "ENOPROTOOPT"),
        ("IP_MINTTL", IP, 21, one, "ENOPROTOOPT"),
        ("IP_MTU_DISCOVER", IP, 10, struct.pack("i", 2), "EINVAL"),
        ("IP_XFRM_POLICY", IP, 17, bytes(64), "ENOPROTOOPT"), ("SO_TIMESTAMP_NEW", SOL, 63, one, "ENOPROTOOPT"),
    ]:
        told = err(link.setsockopt, level, option, value)
        assert told == expected, (name, told)
    for level in (999, 41, 282, 284, 132):
        assert err(link.getsockopt, level, 1) == "EOPNOTSUPP", level
for flags, expected in [(1 << 13, "EOPNOTSUPP"), (1 << 15, "EOPNOTSUPP"), (1 << 28, "EINVAL"), (1, "EOPNOTSUPP")]:
    assert err(bound.setsockopt, SOL, 37, flags) == expected, hex(flags)  # SO_TIMESTAMPING
assert err(bound.setsockopt, SOL, 29, b"\\1") == "EINVAL"
for link in (udp, bound):
    for option in (1, 100, 103, 104):  # UDP_CORK, UDP_ENCAP, UDP_SEGMENT, UDP_GRO
        assert err(link.setsockopt, UDP, option, 1) == "ENOPROTOOPT", option
        assert err(link.setsockopt, UDP, option, 0) == "ok" and link.getsockopt(UDP, option) == 0
    assert err(link.setsockopt, TCP, 1, 1) == "ENOPROTOOPT" and err(link.getsockopt, TCP, 1) == "EOPNOTSUPP"
"""
ACCEPTED = """
for option, value in [(1, 1), (3, 1), (4, 77), (5, 7), (6, 3), (18, 1234), (12, 0)]:
    tcp.setsockopt(TCP, option, value)
    assert tcp.getsockopt(TCP, option) == value, option
for option, value in [(4, 0), (4, 32768), (5, -1), (6, 128), (18, -1)]:
    assert err(tcp.setsockopt, TCP, option, value) == "EINVAL", (option, value)
tcp.setsockopt(TCP, 3, 0)
tcp.setsockopt(TCP, 13, b"reno")
assert tcp.getsockopt(TCP, 13, 64) == b"reno".ljust(16, b"\\0") and tcp.getsockopt(TCP, 31, 16) == b""
for link in (tcp, udp, bound):
    for option in (9, 2, 15, 6):  # SO_KEEPALIVE, SO_REUSEADDR, SO_REUSEPORT, SO_BROADCAST
        for value in (1, 0):
            link.setsockopt(SOL, option, value)
            assert link.getsockopt(SOL, option) == value, option
    for option in (5, 11, 12, 36, 40, 46, 60):  # off, and may be set so
        link.setsockopt(SOL, option, 0)
        assert link.getsockopt(SOL, option) == 0, option
    link.setsockopt(SOL, 25, b"")
    assert link.getsockopt(SOL, 25, 16) == b"" == link.getsockopt(IP, 4, 40)
    link.setsockopt(IP, 4, b"")
    link.setsockopt(SOL, 13, struct.pack("ii", 1, 5))
    assert link.getsockopt(SOL, 13, 8) == struct.pack("ii", 1, 5)
    link.setsockopt(SOL, 13, struct.pack("ii", 0, 0))
    assert struct.unpack("iii", link.getsockopt(SOL, 17, 12)) == (0, -1, -1)  # SO_PEERCRED: not ullnicd's
    for option, value in [(15, 1), (24, 1), (10, 0)]:  # IP_FREEBIND, IP_BIND_ADDRESS_NO_PORT, IP_MTU_DISCOVER
        link.setsockopt(IP, option, value)
        assert link.getsockopt(IP, option) == value, option
"""
MEMORY = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def set_(link, level, option, value, length):
    result = libc.setsockopt(link.fileno(), level, option, ctypes.c_void_p(value), ctypes.c_uint(length))
    return "ok" if result == 0 else errno.errorcode[ctypes.get_errno()]
def get(link, level, option, value, length):
    result = libc.getsockopt(link.fileno(), level, option, ctypes.c_void_p(value), ctypes.c_void_p(length))
    return "ok" if result == 0 else errno.errorcode[ctypes.get_errno()]
four, minus = ctypes.c_uint(4), ctypes.c_int(-1)
kernel = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
kernel[1].bind(("127.0.0.1", 0))
for number, link in enumerate((tcp, udp)):
    options = [(SOL, 2), (SOL, 9), (SOL, 13), (SOL, 20), (IP, 11), (999, 1), (41, 26)]
    for level, option in options + [(TCP, 1)] * (link is tcp):
        for value in (0, 8):
            for length in (0, 1, 3, 4, 0xffffffff):
                if link is udp and level == SOL and option == 20 and length == 1:
                    continue
                told = set_(link, level, option, value, length), set_(kernel[number], level, option, value, length)
                assert told[0] == told[1], (level, option, value, length, told)
        for address, size in [(0, ctypes.addressof(four)), (8, ctypes.addressof(four)), (0, 0), (0, 8),
                              (ctypes.addressof(four), ctypes.addressof(minus))]:
            told = [get(each, level, option, address, size) for each in (link, kernel[number])]
            assert told[0] == told[1], (level, option, address, size, told)
            four.value = 4
"""


def test_options_that_are_not_there(bench):
    """Refused with Linux's errno; those that are accepted read back; a bad pointer or length is the kernel's errno."""
    bench.peer(SINK)
    assert bench.program(LINKS + REFUSED + ACCEPTED + MEMORY + "say('all')").finish() == "all\n"


def test_each_option_is_explained():
    """Rows of the table and of the page are the same."""
    rows = set(re.findall(r"\((?:SOL_SOCKET|IPPROTO_\w+), (\w+)", (PRELOAD / "option_table.c").read_text()))
    page = (PRELOAD.parent / "README.md").read_text()
    missing = {row for row in rows if not re.search(rf"\b{row}\b", page)}
    assert len(rows) > 80 and not missing


FLAGS = """
data = b"x" * 100
for flag, expected in [(1, "EOPNOTSUPP"), (0x20000000, "EOPNOTSUPP"), (0x10, "EOPNOTSUPP"), (0x80, "EOPNOTSUPP"),
                       (0x1000, "EOPNOTSUPP"), (0x2000000, "EOPNOTSUPP"), (4, 100), (0x800, 100), (0x4000000, 100),
                       (0x100, 100), (2, 100), (0x40, 100), (0x4000, 100), (0x8000, 100)]:
    assert err(tcp.send, data, flag) == expected, (hex(flag), err(tcp.send, data, flag))
for link in (udp, bound):
    address = [(PEER, 6000)] if link is bound else []
    def send(flag):
        return link.sendto(data, flag, *address) if address else link.send(data, flag)
    for flag, expected in [(1, "EOPNOTSUPP"), (4, "EOPNOTSUPP"), (0x8000, "EOPNOTSUPP"), (0x10, "EOPNOTSUPP"),
                           (0x20000000, "EOPNOTSUPP"), (0x800, 100), (0x4000000, 100), (2, 100), (0x80, 100)]:
        assert err(send, flag) == expected, (hex(flag), err(send, flag))
assert err(udp.sendto, b"x", (PEER, 6001)) == "EISCONN" and udp.sendto(b"x", (PEER, 6000)) == 1
assert err(bound.sendto, b"x", ("10.9.1.255", 6000)) == "EACCES"
bound.setsockopt(SOL, 6, 1)
assert bound.sendto(b"x", ("10.9.1.255", 6000)) == 1
lonely = socket.socket(type=socket.SOCK_DGRAM)
assert err(lonely.connect, ("10.9.1.255", 6000)) == "EACCES"
assert err(socket.socket().connect, ("10.9.1.255", 6000)) == "ENETUNREACH"
for level, kind, value in [(SOL, 1, struct.pack("i", 0)), (SOL, 2, bytes(12)), (SOL, 61, bytes(8)), (IP, 8, bytes(12)),
                           (UDP, 103, struct.pack("H", 50)), (SOL, 37, struct.pack("i", 1)), (999, 1, b"x")]:
    for link in (tcp, udp):
        assert err(link.sendmsg, [b"x"], [(level, kind, value)]) == "EINVAL", (level, kind)
    assert err(bound.sendmsg, [b"x"], [(level, kind, value)], 0, (PEER, 6000)) == "EINVAL", (level, kind)
for flag, expected in [(0x2000, "EAGAIN"), (0x40000000, "EAGAIN"), (0x8000000, "EOPNOTSUPP")]:
    for link in (tcp, udp, bound):
        assert err(link.recv, 10, flag | 0x40) == expected, (hex(flag), err(link.recv, 10, flag | 0x40))
assert err(tcp.recv, 10, 1) == "EINVAL"
fast = socket.socket()
assert err(fast.sendto, b"x", 0x20000000, (PEER, 5000)) == "EOPNOTSUPP"
fast.connect((PEER, 5000))
fast.shutdown(2)
say("all")
"""


def test_flags_that_are_not_there(bench):
    """Of send, receive, and control messages. Nothing of what was refused arrives."""
    peer = bench.peer("""
sink = socket.socket(type=socket.SOCK_DGRAM)
sink.bind((PEER, 6000))
server = listen()
link, _ = server.accept()
other, _ = server.accept()
size = sum(len(part) for part in iter(lambda: link.recv(65536), b""))
sink.settimeout(0.5)
sizes = []
try:
    while True:
        sizes.append(len(sink.recv(1000)))
except TimeoutError:
    pass
say(size, sizes.count(100), sizes.count(1), len(sizes))
""")
    assert bench.program(LINKS + FLAGS).finish() == "all\n"
    assert peer.finish() == "800 8 1 9\n"


BEFORE = """
import ctypes
libc = ctypes.CDLL(None)
def connected(level, option, value, kind=socket.SOCK_STREAM, protocol=0):
    link = socket.socket(type=kind, proto=protocol)
    link.setsockopt(level, option, value)
    link.connect((PEER, 5000 if kind == socket.SOCK_STREAM else 6000))
    return link.getsockname()[0]
TCP, UDP, IP, SOL, D = socket.IPPROTO_TCP, socket.IPPROTO_UDP, socket.IPPROTO_IP, socket.SOL_SOCKET, socket.SOCK_DGRAM
md5 = struct.pack("=HH4s120xBBHI80s", 2, socket.htons(5000), socket.inet_aton(PEER), 0, 0, 0, 0, b"")
for level, option, value, kind in [
    (TCP, 13, b"cubic", 1), (TCP, 30, 1, 1), (TCP, 25, 9999, 1), (TCP, 10, 99999, 1), (TCP, 2, 600, 1), (TCP, 7, 2, 1),
    (SOL, 25, b"lo", D), (SOL, 12, 3, 1), (SOL, 47, 9999, 1), (SOL, 42, 0, D), (SOL, 60, 1, 1), (SOL, 37, 16, 1),
    (SOL, 37, 1, D), (SOL, 26, struct.pack("HxxxxxxP", 1, 0), D), (IP, 10, 2, D), (IP, 11, 1, D),
    (IP, 21, 10, 1), (UDP, 103, 1000, D), (UDP, 1, 1, D),
]:
    if option == 26:
        code = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0xffffffff))
        value = struct.pack("H6xQ", 1, ctypes.addressof(code))
    try:
        assert connected(level, option, value, kind) != "10.9.1.2", (level, option)
    except OSError as error:
        assert option == 25 and error.errno == errno.ENETUNREACH, (level, option, error)  # `lo` does not reach it
for level, option, value, kind in [
    (TCP, 13, b"reno", 1), (TCP, 12, 1, 1), (TCP, 3, 1, 1), (IP, 10, 0, D), (IP, 24, 1, 1), (SOL, 6, 1, D),
    (SOL, 15, 1, 1), (SOL, 12, 0, 1), (IP, 8, 1, D), (SOL, 10, 1, 1),
]:
    assert connected(level, option, value, kind) == "10.9.1.2", (level, option)
try:
    sctp = socket.socket(proto=262)  # MPTCP, if this kernel has it
    sctp.connect((PEER, 5000))
    assert sctp.getsockname()[0] == PEER
    print("not accelerated: protocol 262", file=sys.stderr)
except OSError:
    print("not accelerated: protocol 262", file=sys.stderr)
engine = socket.socket()
engine.setsockopt(0x200, 3, 1)
engine.setsockopt(TCP, 13, b"cubic")
try:
    engine.connect((PEER, 5000))
except OSError as error:
    say(errno.errorcode[error.errno])
"""


def test_options_that_were_set_before(bench):
    """The kernel took them; a socket that the card cannot have so stays the kernel's, with a line; or it fails."""
    bench.peer(SINK)
    program = bench.program(BEFORE)
    assert program.finish() == "ENOTSUP\n"
    names = (
        "TCP_CONGESTION TCP_FASTOPEN_CONNECT TCP_NOTSENT_LOWAT TCP_WINDOW_CLAMP TCP_MAXSEG TCP_SYNCNT SO_BINDTODEVICE"
    )
    names += " SO_PRIORITY SO_MAX_PACING_RATE SO_PEEK_OFF SO_ZEROCOPY SO_ATTACH_FILTER IP_MTU_DISCOVER"
    names += " IP_RECVERR IP_MINTTL UDP_SEGMENT UDP_CORK"
    for name in names.split():
        assert f"not accelerated: the program set {name}, which the card does not do" in program.err, name
    assert "the program set times of what is sent" in program.err and "protocol 262" in program.err
    # Where the line says no, the ordinary way is not silently taken.
    said = bench.program(BEFORE.partition("for level")[0] + "say(connected(TCP, 13, b'cubic'))", "--require")
    said.finish(1)
    assert "Operation not supported" in said.err and "TCP_CONGESTION" in said.err


def test_nothing_crosses_in_clear(bench):
    """OpenSSL with kTLS: it must not believe that the kernel encrypts."""
    peer = bench.peer("""
link, _ = listen().accept()
seen = b""
while part := link.recv(65536):
    seen += part
say(b"hunter2" in seen, len(seen))
""")
    program = bench.program("""
import ctypes
link = socket.create_connection((PEER, 5000))
# What OpenSSL does at the handshake's end (BIO_set_ktls): the module first, then the keys, then plain writes.
libc = ctypes.CDLL(None, use_errno=True)
keys = struct.pack("=HH8s16s4s8s", 0x304, 51, bytes(8), bytes(16), bytes(4), bytes(8))
module = libc.setsockopt(link.fileno(), socket.IPPROTO_TCP, 31, b"tls", 4)
say(module, errno.errorcode[ctypes.get_errno()])
say(libc.setsockopt(link.fileno(), 282, 1, keys, len(keys)), errno.errorcode[ctypes.get_errno()])
link.sendall(b"in records of the program's own" if module else b"PASSWORD=hunter2")
""")
    assert program.finish() == "-1 ENOENT\n-1 ENOPROTOOPT\n"
    assert peer.finish() == "False 31\n"


def test_openssl_with_ktls(bench, tmp_path):
    """A whole handshake with OP_ENABLE_KTLS: the secret is encrypted, whoever does it."""
    from subprocess import run

    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=peer", "-days", "1"]
    run([*make, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    peer = bench.peer(f"""
import ssl
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain({str(certificate)!r}, {str(key)!r})
link, _ = listen().accept()
incoming, outgoing, seen = ssl.MemoryBIO(), ssl.MemoryBIO(), b""
tls = context.wrap_bio(incoming, outgoing, server_side=True)
def step(call):
    global seen
    while True:
        try:
            return call()
        except ssl.SSLWantReadError:
            link.sendall(outgoing.read())
            part = link.recv(65536)
            seen += part
            incoming.write(part) if part else incoming.write_eof()
step(tls.do_handshake)
link.sendall(outgoing.read())
try:
    say(step(lambda: tls.read(1000)).decode(), b"hunter2" in seen)
except ssl.SSLError as error:
    say(error.reason, b"hunter2" in seen)
""")
    program = bench.program("""
import ssl
context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
context.options |= 8  # OP_ENABLE_KTLS, which older versions of Python do not name
with context.wrap_socket(socket.create_connection((PEER, 5000))) as link:
    link.sendall(b"PASSWORD=hunter2")
    time.sleep(0.2)
""")
    program.finish()
    assert peer.finish() == "PASSWORD=hunter2 False\n"


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
    for _ in range(4):
        assert program.read_line() == "next", program.process.stderr.read()
        if len(said) < 3 and _ > 0:
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
    """close() waits until the peer has all, at most for the time; not if it is not the last."""
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
        told = bench.program(LINGER.replace("COPY", str(copy))).finish().split()
        assert least <= float(told[1]) <= most, told
    peer.kill()


def test_listeners_that_share_a_port(bench):
    """SO_REUSEPORT: connections are shared out, also when one listener goes; without it the address is in use."""
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
    """Bytes that wait, bytes that are not acknowledged, shutdown(), listen() and accept4() of what cannot."""
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
    time.sleep(0.2)
    assert number(link, FIONREAD) == 7, number(link, FIONREAD)
    link.recv(100)
    assert number(link, FIONREAD) == 30
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
    """O_ASYNC, F_SETOWN and F_SETSIG that were set before connect() go on."""
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


@pytest.mark.parametrize("gone", [False, True], ids=["daemon", "no-daemon"])
def test_required(bench, gone):
    """exasock --require: what would stay the kernel's fails, and a line says why; loopback and unix sockets do not."""
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


def elf(path: Path, **changes) -> Path:
    """A program's file that is linked statically: a header without parts."""
    fields = {"class": 2, "machine": 62} | changes
    path.write_bytes(
        b"\x7fELF" + bytes([fields["class"], 1, 1]) + bytes(9) + b"\x02\0" + bytes([fields["machine"], 0]) + bytes(44)
    )
    path.chmod(0o755)
    return path


def test_start_is_required(bench, tmp_path):
    """Nothing starts with --require if ullnicd does not answer, or if sockets cannot be taken from the program."""
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
    assert "--require" in bench.command([], "--help").finish(0) + bench.jobs[-1].err


def stale_socket(folder: Path) -> Path:
    import socket

    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as dead:
        dead.bind(str(folder / "dead.sock"))
    return folder / "dead.sock"
