# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Times of received datagrams. The card here counts like CLOCK_MONOTONIC: its times differ from the system's."""

import pytest

from option_code import LINKS, SINK

NEWS = """
say("ready")
link = socket.socket(type=socket.SOCK_DGRAM)
link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(PEER))
for _ in range(2):
    heard()
    link.sendto(b"news", ADDRESS)
"""
CHECKS = """
US, NS, ALL = 29, 35, 37  # SO_TIMESTAMP, SO_TIMESTAMPNS, SO_TIMESTAMPING
RX_HARDWARE, RX_SOFTWARE, SOFTWARE, RAW_HARDWARE, TX_HARDWARE = 4, 8, 16, 64, 1
link = socket.socket(type=socket.SOCK_DGRAM)
def stamps(room=512):
    data, control, flags, address = link.recvmsg(100, room)
    assert data == b"news", data
    return {kind: struct.unpack("=%dq" % (len(value) // 8), value) for _, kind, value in control}, flags
def now():
    return time.monotonic_ns(), time.time_ns()
def hear(**more):
    before = now()
    say("go")
    times, flags = stamps(**more)
    return before, times, flags, now()
def between(before, seconds, fraction, after, unit=1):
    assert before // 1000 - 1 <= (seconds * 10**9 + fraction * unit) // 1000 <= after // 1000 + 1
"""


@pytest.mark.parametrize(
    ("setup", "address"),
    [
        ('OPTIONS\nlink.bind(("10.9.1.2", 6003))', "10.9.1.2"),
        ('link.bind(("10.9.1.2", 6003))\nOPTIONS', "10.9.1.2"),
        ('link.bind(("", 6003))\nOPTIONS\nJOIN', "239.1.2.3"),
        ("OPTIONS\nlink.connect((PEER, 6004))\nsay(link.getsockname()[1])", None),
        ("link.connect((PEER, 6004))\nOPTIONS\nsay(link.getsockname()[1])", None),
    ],
    ids=["before-bind", "after-bind", "group", "before-connect", "after-connect"],
)
def test_stamps(bench, setup, address):
    options = "link.setsockopt(socket.SOL_SOCKET, ALL, RX_HARDWARE | RX_SOFTWARE | SOFTWARE | RAW_HARDWARE)\n"
    options += "link.setsockopt(socket.SOL_SOCKET, NS, 1)"
    join = "link.setsockopt(0, socket.IP_ADD_MEMBERSHIP, socket.inet_aton('239.1.2.3') + socket.inet_aton('10.9.1.2'))"
    program = bench.program(
        CHECKS
        + setup.replace("OPTIONS", options).replace("JOIN", join)
        + """
assert link.getsockopt(socket.SOL_SOCKET, ALL) == 92 and link.getsockopt(socket.SOL_SOCKET, NS) == 1
before, times, flags, after = hear()
assert set(times) == {NS, ALL} and flags == 0, (times, flags)
between(before[1], *times[NS], after[1])
between(before[1], *times[ALL][:2], after[1])
assert times[ALL][2:4] == (0, 0)
between(before[0], *times[ALL][4:], after[0])
link.setsockopt(socket.SOL_SOCKET, ALL, RX_HARDWARE | RAW_HARDWARE)
link.setsockopt(socket.SOL_SOCKET, US, 1)
assert link.getsockopt(socket.SOL_SOCKET, NS) == 0
before, times, flags, after = hear()
assert set(times) == {US, ALL} and times[ALL][:4] == (0,) * 4
between(before[1], *times[US], after[1], 1000)
between(before[0], *times[ALL][4:], after[0])
"""
    )
    if address is None:
        port = int(program.read_line())
        news = NEWS.replace("ADDRESS", f'("10.9.1.2", {port})').replace("for _", "link.bind((PEER, 6004))\nfor _", 1)
    else:
        news = NEWS.replace("ADDRESS", f'("{address}", 6003)')
    peer = bench.peer(news)
    for _ in range(2):
        assert program.read_line() == "go", program.process.stderr.read()
        peer.tell()
    program.finish()
    assert program.err == ""


def test_stamps_that_are_not_there(bench):
    """Too small a buffer; no option; an unavailable time is refused with a line, not returned as zero."""
    program = bench.program(
        CHECKS
        + """
def attempt(link, name, value):
    try:
        link.setsockopt(socket.SOL_SOCKET, name, value)
        say("ok")
    except OSError as error:
        say(errno.errorcode[error.errno])
link.bind(("10.9.1.2", 6003))
attempt(link, ALL, TX_HARDWARE | RAW_HARDWARE)
before, times, flags, after = hear()
assert times == {} and flags == 0
attempt(link, ALL, RX_HARDWARE | RAW_HARDWARE)
before, times, flags, after = hear(room=40)
assert times == {} and flags == socket.MSG_CTRUNC, (times, flags)
stream = socket.create_connection((PEER, 5000))
attempt(stream, ALL, RX_HARDWARE | RAW_HARDWARE)
"""
    )
    peer = bench.peer(
        "server = listen()\n" + NEWS.replace("ADDRESS", '("10.9.1.2", 6003)').replace('say("ready")', "") + "heard()"
    )
    said = []
    while (line := program.read_line()) != "":
        said.append(line)
        if line == "go":
            peer.tell()
    program.finish()
    assert said == ["ENOTSUP", "go", "ok", "go", "ENOTSUP"]
    for words in ("not of what is sent", "no times of received bytes on TCP"):
        assert words in program.err, program.err


EACH_BIT = (
    LINKS
    + """
SENT, NOT_THERE, KNOWN = {0, 1, 8, 9}, {13, 15}, range(16)
for bit in range(32):
    value = struct.pack("I", 1 << bit)
    said = err(bound.setsockopt, SOL, 37, value)
    if bit in KNOWN:
        assert said == ("EOPNOTSUPP" if bit in SENT | NOT_THERE else "ok"), (bit, said)
        assert said != "ok" or bound.getsockopt(SOL, 37, 4) == value, bit
        assert err(tcp.setsockopt, SOL, 37, value) == "EOPNOTSUPP", bit
    elif bit > 20:
        assert said == "EINVAL", (bit, said)
assert err(tcp.setsockopt, SOL, 37, bytes(4)) == "ok" and err(bound.setsockopt, SOL, 37, bytes(3)) == "EINVAL"
# The flags, and a clock's index, as from Linux 5.13 on.
assert bound.setsockopt(SOL, 37, 24) is None
whole = struct.pack("ii", 24, 0)
assert [bound.getsockopt(SOL, 37, room) for room in (1, 4, 6, 8, 100)] == [whole[:room] for room in (1, 4, 6, 8, 100)]
# Set before the card could take the socket: left to the kernel if the card does not have it.
for kind, port, is_cards in (socket.SOCK_DGRAM, 6000, lambda bit: bit not in SENT | NOT_THERE), \\
                            (socket.SOCK_STREAM, 5000, lambda bit: False):
    for bit in set(KNOWN) - {15}:  # BIND_PHC needs a clock
        link = socket.socket(type=kind)
        if err(link.setsockopt, SOL, 37, 1 << bit) == "ok":
            link.connect((PEER, port))
            assert link.getsockname()[0] == ("10.9.1.2" if is_cards(bit) else PEER), (kind, bit)
"""
)


def test_each_bit_of_so_timestamping(bench):
    bench.peer(SINK)
    bench.program(EACH_BIT).finish()


def test_options_apply_to_what_waits_already(bench):
    """Each change at once, however little time has passed since the last datagram."""
    program = bench.program("""
SOL, IP = socket.SOL_SOCKET, socket.IPPROTO_IP
link = socket.socket(type=socket.SOCK_DGRAM)
link.bind(("10.9.1.2", 6001))
say("ready")
heard()
assert link.recv(10) == b"news"
time.sleep(0.2)
for level, option, kind in ((SOL, 35, 35), (SOL, 29, 29), (IP, 12, 2)):  # SO_TIMESTAMPNS, SO_TIMESTAMP, IP_RECVTTL
    for turn in range(24):
        link.setsockopt(level, option, 1 - turn % 2)
        data, control, _, _ = link.recvmsg(10, 200)
        assert [each[:2] for each in control] == [(level, kind)] * (1 - turn % 2), (option, turn, control)
""")
    assert program.read_line() == "ready"
    bench.peer("""
say("ready")
link = socket.socket(type=socket.SOCK_DGRAM)
for _ in range(80):
    link.sendto(b"news", ("10.9.1.2", 6001))
""").finish()
    program.tell()
    program.finish()
