# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Options, flags and control messages: unsupported ones are refused, and accepted ones take effect."""

import re
import subprocess
from pathlib import Path

from option_code import LINKS, SINK

PRELOAD = Path(__file__).parents[2] / "sockets" / "preload"
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
        said = err(link.setsockopt, level, option, value)
        assert said == expected, (name, said)
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
                said = set_(link, level, option, value, length), set_(kernel[number], level, option, value, length)
                assert said[0] == said[1], (level, option, value, length, said)
        for address, size in [(0, ctypes.addressof(four)), (8, ctypes.addressof(four)), (0, 0), (0, 8),
                              (ctypes.addressof(four), ctypes.addressof(minus))]:
            said = [get(each, level, option, address, size) for each in (link, kernel[number])]
            assert said[0] == said[1], (level, option, address, size, said)
            four.value = 4
"""


def test_options_that_are_not_there(bench):
    """Refused with Linux's errno; accepted ones read back; a bad pointer or length gives the kernel's errno."""
    bench.peer(SINK)
    assert bench.program(LINKS + REFUSED + ACCEPTED + MEMORY + "say('all')").finish() == "all\n"


EACH_ROW = """
def check(links, usual, other, expected, **options):
    for link in links:
        for level, numbers in options.items():
            for option in numbers:
                level_number = {"sol": SOL, "tcp": TCP, "udp": UDP, "ip": IP}[level]
                said = [err(link.setsockopt, level_number, option, value) for value in (usual, other)]
                assert said == ["ok", expected], (level, option, said)
                assert link.getsockopt(level_number, option) == usual, (level, option)
def refuse(links, expected, level, *numbers):
    for link in links:
        for option in numbers:
            said = [err(link.setsockopt, level, option, value) for value in (0, 1)]
            assert said == [expected, expected], (level, option, said)
every, datagrams = (tcp, udp, bound), (udp, bound)
no = "ENOPROTOOPT"
check(every, 0, 1, no, sol=(1, 5, 11, 36, 40, 41, 43, 44, 45, 46, 62, 69, 73))
check(every, 0, 1, no, ip=(6, 7, 11, 18, 19, 21, 23, 25, 50, 51))
check([tcp], 0, 1, no, tcp=(9, 16, 19, 25, 27, 34, 36, 37), ip=(8, 12, 13, 20))
check([tcp], 0, 1, "EOPNOTSUPP", tcp=(23, 30), sol=(60,))
check(datagrams, 0, 1, no, udp=(1, 100, 101, 102, 103, 104), sol=(10,))
check([tcp], 1, 0, no, sol=(10,))
check([tcp], 6, 7, no, tcp=(7,))
check(every, 1, 2, no, sol=(18,))
check(every, -1, 0, no, sol=(47, 49))
check(every, -1, 0, "EOPNOTSUPP", sol=(42,))
refuse([tcp], no, SOL, 74)
refuse([tcp], no, TCP, 2, 8, 10, 11, 14, 32, 38)
refuse(every, no, SOL, 3, 4, 17, 19, 26, 30, 38, 39, 50, 51, 52, 61, 63, 64, 65)
refuse(every, no, IP, 16, 17)
refuse(every, "ENOENT", SOL, 27)
refuse(every, "EOPNOTSUPP", SOL, 16, 34, 76)
refuse(every, "EPERM", SOL, 32)
for option, least, most in [(4, 1, 32767), (5, 1, 32767), (6, 1, 127), (18, 0, 2**31 - 1)]:
    for value in (least, most):
        tcp.setsockopt(TCP, option, value)
        assert tcp.getsockopt(TCP, option) == value, (option, value)
    for value in (least - 1, *([most + 1] if most < 2**31 - 1 else [])):
        assert err(tcp.setsockopt, TCP, option, value) == "EINVAL", (option, value)
"""


def test_each_row_of_the_table(bench):
    """The current value of an option, which may be set, and the next one, which may not; and both ends of a range."""
    bench.peer(SINK)
    assert bench.program(LINKS + EACH_ROW + "say('all')").finish() == "all\n"


def test_each_option_is_explained():
    """The rows of the table and of the page are the same."""
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
assert udp.sendto(b"x", (PEER, 6000)) == 1
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
    """Flags of send, receive, and control messages. Nothing that was refused arrives."""
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
md5 = struct.pack("=HH4s120xBBHI80s", 2, socket.htons(5000), socket.inet_aton(PEER), 0, 0, 4, 0, b"key!")
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
    link = socket.socket(proto=262)  # MPTCP
except OSError:
    print("protocol 262: this kernel has none", file=sys.stderr)
else:
    link.connect((PEER, 5000))
    assert link.getsockname()[0] == PEER
engine = socket.socket()
engine.setsockopt(0x200, 3, 1)
engine.setsockopt(TCP, 13, b"cubic")
try:
    engine.connect((PEER, 5000))
except OSError as error:
    say(errno.errorcode[error.errno])
"""


def test_options_that_were_set_before(bench):
    """The kernel accepted them; a socket that the card cannot support stays the kernel's, with a line; or it fails."""
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
    # Where the log line refuses, the ordinary path is not taken silently.
    code = BEFORE.partition("for level")[0]
    for option, value, name in [(13, "b'cubic'", "TCP_CONGESTION"), (14, "md5", "TCP_MD5SIG")]:
        required = bench.program(f"{code}connected(TCP, {option}, {value})", "--require")
        required.finish(1)
        assert "Operation not supported" in required.err and f"the program set {name}," in required.err, required.err


def test_descriptor_zero(bench):
    """A program without stdin: a descriptor that a call opens temporarily is 0, and is closed like any other."""
    bench.peer("server = listen()\nlinks = [server.accept()[0] for _ in range(2)]\nheard()")
    code = """
def err(call, *arguments):
    try:
        call(*arguments)
        return "ok"
    except OSError as error:
        return errno.errorcode[error.errno]
server = socket.socket()
streams, datagrams = [[socket.socket(type=kind) for _ in range(2)] for kind in (1, 2)]
os.close(0)
for links in (streams, datagrams):
    links[1].setsockopt(socket.IPPROTO_IP, socket.IP_TOS, 16)  # changes SO_PRIORITY, too
    for link in links:
        link.connect((PEER, 5000))
        say(err(os.fstat, 0), link.getsockname()[0])
server.bind(("10.9.1.2", 0))
server.listen()
say(err(os.fstat, 0))
"""
    assert bench.program(code).finish() == "EBADF 10.9.1.2\n" * 4 + "EBADF\n"


def test_nothing_crosses_in_clear(bench):
    """OpenSSL with kTLS must not assume that the kernel encrypts."""
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
    """A whole handshake with OP_ENABLE_KTLS: the secret is encrypted, by the kernel or OpenSSL."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=peer", "-days", "1"]
    subprocess.run([*make, "-keyout", key, "-out", certificate], check=True, capture_output=True)
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
