# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Each call of a program that cannot ask ullnicd any more: it is gone, or the program has no descriptor left. What
needs no answer goes on; all else is an error.
"""

import pytest

from option_code import LINKS, SINK

# Call, and what it returns without ullnicd and without a descriptor.
CALLS = [
    ("tcp.setsockopt(TCP, 1, 1)", "ENETDOWN", "ENETDOWN"),
    ("tcp.setsockopt(TCP, 3, 1)", "ENETDOWN", "ENETDOWN"),
    ("tcp.setsockopt(IP, 2, 9)", "ENETDOWN", "EMFILE"),
    ("udp.setsockopt(IP, 12, 1)", "ENETDOWN", "EMFILE"),
    ("udp.setsockopt(SOL, 6, 1)", "ENETDOWN", "ENETDOWN"),
    ("udp.setsockopt(SOL, 8, 5000)", "ENETDOWN", "EMFILE"),
    ("udp.setsockopt(SOL, 35, 1)", "ENETDOWN", "ENETDOWN"),
    ("udp.setsockopt(SOL, 13, bytes(8))", "ENETDOWN", "ENETDOWN"),
    ("udp.setsockopt(IP, 32, OWN)", "ENETDOWN", "ENETDOWN"),
    ("udp.setsockopt(IP, 35, GROUP)", "ENETDOWN", "ENETDOWN"),
    ("tcp.setsockopt(EXASOCK, 1, 1)", "EPERM", "EPERM"),
    ("tcp.setsockopt(EXASOCK, 2, 1)", "EPERM", "EPERM"),
    ("tcp.getsockopt(IP, 2)", "ENETDOWN", "ENETDOWN"),
    ("udp.getsockopt(IP, 12)", "ENETDOWN", "ENETDOWN"),
    ("udp.getsockopt(IP, 32, 4)", "ENETDOWN", "ENETDOWN"),
    ("udp.getsockopt(SOL, 35)", "ENETDOWN", "ENETDOWN"),
    ("udp.getsockopt(SOL, 37)", "ENETDOWN", "ENETDOWN"),
    ("tcp.getsockopt(TCP, 1)", "ENETDOWN", "ENETDOWN"),
    ("tcp.getsockopt(TCP, 2)", "ENETDOWN", "ENETDOWN"),
    ("len(tcp.getsockopt(TCP, 11, 200))", "ENETDOWN", "ENETDOWN"),
    ("tcp.getsockopt(SOL, 8)", "ENETDOWN", "ENETDOWN"),
    ("tcp.getsockopt(SOL, 7) > 0", "True", "True"),
    ("tcp.getsockopt(SOL, 4)", "104", "0"),
    ("tcp.getsockopt(SOL, 3)", "1", "1"),
    ("server.getsockopt(SOL, 30)", "1", "1"),
    ("tcp.getpeername()", "ENOTCONN", "ENOBUFS"),
    ("udp.getpeername()", "ENOTCONN", "ENOBUFS"),
    ("tcp.getsockname()", "ENOBUFS", "ENOBUFS"),
    ("bound.getsockname()", "ENOBUFS", "ENOBUFS"),
    ("server.getsockname()", "ENOBUFS", "ENOBUFS"),
    ('tcp.send(b"x")', "EPIPE", "1"),
    ('tcp.send(b"x", socket.MSG_MORE)', "EPIPE", "1"),
    ("tcp.recv(1, NOW)", "b''", "EAGAIN"),
    ('udp.send(b"x")', "EPIPE", "1"),
    ("udp.recv(1, NOW)", "ENETDOWN", "EAGAIN"),
    ('bound.sendto(b"x", (PEER, 6000))', "EPIPE", "1"),
    ('bound.sendto(b"x", ("10.9.1.255", 6000))', "EPIPE", "1"),
    ("bound.connect((PEER, 6001))", "ENETUNREACH", "ENETUNREACH"),
    ("udp.connect((PEER, 6001))", "ENETUNREACH", "ENETUNREACH"),
    ("fresh.connect((PEER, 5000))", "ENETUNREACH", "ENETUNREACH"),
    ("fresh.listen()", "ENETDOWN", "ENETDOWN"),
    ("server.listen()", "ENETDOWN", "ENETDOWN"),
    ("server.accept()", "ENETDOWN", "EAGAIN"),
    ('new.bind(("10.9.1.2", 7002))', "EADDRNOTAVAIL", "EADDRNOTAVAIL"),
    ('datagrams.sendto(b"x", (PEER, 6000))', "ENETUNREACH", "1"),
    ("tcp.shutdown(1)", "ok", "ok"),
    ("udp.shutdown(2)", "ok", "ok"),
    ("tcp.close()", "ok", "ok"),
    ("udp.close()", "ok", "ok"),
]
PROGRAM = (
    LINKS
    + """
import resource
server = socket.create_server(("10.9.1.2", 7000))
server.setblocking(False)
new = socket.socket()
fresh = socket.socket()
fresh.bind(("10.9.1.2", 7001))
datagrams = socket.socket(type=socket.SOCK_DGRAM)
say("ready")
if heard() == "full":
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    try:
        while True:
            os.dup(0)
    except OSError:
        pass
GROUP = socket.inet_aton("239.1.1.1") + socket.inet_aton("10.9.1.2")
EXASOCK, OWN, NOW = 0x200, socket.inet_aton("10.9.1.2"), socket.MSG_DONTWAIT
for call in CALLS:
    code = compile(call, "", "eval")
    said = err(lambda: eval(code))
    sys.stdout.write(f"{call}: {said}\\n")
"""
)


@pytest.mark.parametrize("how", ["gone", "full"])
def test_each_call(bench, how):
    bench.peer(
        f"sinks = [socket.socket(type=socket.SOCK_DGRAM) for _ in range(2)]\n"
        f"for port, sink in enumerate(sinks, 6000):\n    sink.bind((PEER, port))\n{SINK}"
    )
    program = bench.program(f"CALLS = {[call for call, *_ in CALLS]}\n" + PROGRAM)
    assert program.read_line() == "ready"
    if how == "gone":
        daemon, bench.daemon = bench.daemon, None
        daemon.kill()
        daemon.finish(None)
    program.tell(how)
    said = dict(line.rsplit(": ", 1) for line in program.finish().splitlines())
    assert said == {call: (without if how == "gone" else full) for call, without, full in CALLS}
