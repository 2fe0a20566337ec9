# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Segments on which lwIP would assert (host/sockets/lwip/README.md): ullnicd survives, an innocent connection
continues, a bystander is not affected.
"""

import pytest

# A program that writes on request: by then the test has set its peer's window.
WRITER = """
say("ready")
link = socket.create_connection(("10.9.1.77", 7100))
def write_on():
    try:
        for _ in range(40):
            link.sendall(b"0123456789")
            time.sleep(0.02)
        TAIL
    except OSError:
        pass
    heard()
write_on()
"""


@pytest.mark.parametrize("distance", [2**31 - 1, 2**31, 2**31 + 1])
@pytest.mark.parametrize("length", [0, 1, 2, 1460])
def test_far_sequence(attack, distance, length):
    """Beyond half of the sequence space, where before and after cannot be distinguished."""
    says = attack(
        f"link = Link().connect()\nfor _ in range(3):\n    link.send('PA', b'x' * {length}, seq={distance})\n"
        "link.echoes()"
    )
    assert "outside of the receive window" in says


@pytest.mark.parametrize("size", [0, 1, 2, 4, 535])
def test_mss_without_syn(attack, size):
    """After a window of 0, so that longer segments wait."""
    attack(
        f"""
link = Link(port=7100).accept()
link.collect(10, window=0)
time.sleep(0.2)
for _ in range(5):
    link.send("A", window=0, options=mss({size}))
    time.sleep(0.05)
link.collect(100)
""",
        WRITER.replace("TAIL", ""),
    )


@pytest.mark.parametrize("first", [0, 1, 2, 95])
@pytest.mark.parametrize("then", [1, 4, 20])
def test_window_opens_a_little(attack, first, then):
    """Segments that were cut while the window was 0 are longer than half of the first one."""
    attack(
        f"""
link = Link(port=7100).accept(window={first})
time.sleep(0.2)
for _ in range(5):
    link.send("A", window={then})
    time.sleep(0.05)
link.collect(100)
""",
        WRITER.replace("TAIL", ""),
    )


@pytest.mark.parametrize("tail", ["", "link.shutdown(1)", "link.close()"])
def test_probe_is_acknowledged(attack, tail):
    """The byte, or the FIN, of a window probe is acknowledged, and the window stays closed; nothing is left."""
    attack(
        """
link = Link(port=7100).accept(window=0)
end = time.monotonic() + 3
while time.monotonic() < end:
    if any(link.take(link.receive(0.2))):
        link.send("A", window=0)
""",
        WRITER.replace("range(40)", "range(1)").replace('b"0123456789"', 'b"0"').replace("TAIL", tail),
    )


def test_end_of_a_split_segment(attack):
    """The FIN of a segment that is split for a small window follows all of its bytes."""
    attack(
        """
link = Link(port=7100).accept(window=0)
time.sleep(0.5)
link.send("A", window=7)
got, over, end = b"", False, time.monotonic() + 8
while not over and time.monotonic() < end:
    data, over = link.take(link.receive(0.2))
    got += data
    if data or over:
        link.send("A", window=7 if len(got) < 20 else 60000)
assert over and got == b"0123456789" * 4, (over, got)
""",
        WRITER.replace("range(40)", "range(4)").replace("time.sleep(0.02)", "pass").replace("TAIL", "link.close()"),
    )


FILL = """
    for place in range(0, {start}, 1280):
        link.send('A', b'y' * min(1280, {start} - place), seq=place)
"""
# Where the first segments begin, and those segments; the window is 65535 bytes.
OUT_OF_ORDER = {
    "beyond the window": (65534, "link.send('A', b'x' * 1000, seq=65534)"),
    "FIN beyond the window": (64535, "link.send('FA', b'x' * 1000, seq=64535)"),
    "replaced by one beyond the window": (
        65000,
        "link.send('A', b'x' * 10, seq=65000); link.send('A', b'x' * 1000, seq=65000)",
    ),
    "before one that waits": (
        65400,
        "link.send('FA', b'x' * 135, seq=65400); link.send('A', b'x' * 1000, seq=65400)",
    ),
}


@pytest.mark.parametrize("kind", OUT_OF_ORDER)
def test_out_of_order(attack, kind):
    """Then the gap is filled before the program has read anything, and lwIP processes the queued segments."""
    start, first = OUT_OF_ORDER[kind]
    says = attack(f"""
link = Link(7002).connect()
with Burst():
    {first}
{FILL.format(start=start)}
time.sleep(0.2)
Link().connect().echoes()
""")
    assert "beyond the receive window" in says


TO_THE_END = "[link.send('A', b'a' * 1285, seq=place) for place in range(0, 65535, 1285)]"
AFTER_THE_END = {
    "in order": "link.send('A', b'a' * 100)",
    "in order, to the window's end": TO_THE_END,
    "out of order": "link.send('A', b'b' * 90, seq=1); link.send('A', b'a')",
    "out of order, to the window's end": f"link.send('A', b'b' * 65, seq=65470); {TO_THE_END}",
    "another end": "link.send('FA', b'b' * 20, seq=35); link.send('A', b'a' * 35)",
}


@pytest.mark.parametrize("place", [50, 65480])
@pytest.mark.parametrize("kind", AFTER_THE_END)
def test_bytes_after_the_end(attack, kind, place):
    """An out-of-order FIN ends the stream; segments that cover it and continue beyond are not part of it."""
    says = attack(f"""
link = Link(7002).connect()
with Burst():
    link.send('FA', b'e' * 10, seq={place})
    {AFTER_THE_END[kind]}
time.sleep(0.2)
Link().connect().echoes()
""")
    covers = place == 50 or "window" in kind or "end" in kind
    assert ("after the peer's FIN" in says) == covers


OPTIONS = {
    "no length": b"\1\1\1\2",
    "length 0": b"\2\0\5\xb4",
    "length 1": b"\2\1\5\xb4",
    "longer than all": b"\2\xff\5\xb4",
    "MSS of 3": b"\2\3\5\0",
    "MSS of 5": b"\2\5\5\xb4\0\0\0\0",
    "MSS 0": b"\2\4\0\0",
    "MSS 1": b"\2\4\0\1",
    "MSS 4": b"\2\4\0\4",
    "MSS 65535": b"\2\4\xff\xff",
    "two MSS": b"\2\4\0\1\2\4\0\2",
    "scale 15": b"\1\3\3\x0f",
    "scale 255": b"\1\3\3\xff",
    "two scales": b"\1\3\3\2\1\3\3\x0e",
    "scale of 2": b"\1\1\3\2",
    "times": b"\1\1\x08\x0a\0\0\0\1\0\0\0\0",
    "times, cut": b"\1\1\x08\x0a",
    "SACK": b"\1\1\5\x0a\0\0\0\1\xff\xff\xff\xff",
    "unknown, length 0": b"\xfe\0\0\0",
    "40 times nothing": b"\1" * 40,
    "40 of one": b"\xfd\x28" + bytes(38),
}


def test_options(attack):
    """Malformed and unusual options, in SYN, in place of SYN-ACK and in data: a usable connection continues."""
    code = "".join(
        f"""
link = Link().connect(options={options})
for flags in ('PA', 'A'):
    link.send(flags, options={options})
link.echoes(bytes(range(200)))
link.said(b'x', options={options})
assert link.collect(1) == b'x'
"""
        for options in OPTIONS.values()
    )
    says = attack(code)
    assert "malformed options" in says


def test_nothing_after_the_end_of_options(attack):
    """Whatever follows is no option: it is neither read nor counted."""
    code = "".join(
        f"link = Link().connect(options={options})\nlink.said(b'x', options={options})\nlink.collect(1)\n"
        for options in (bytes(4), b"\2\4\5\xb4\0\xff\xff\xff", b"\1\1\1\0\2\4\0\1", b"\0\xfd\0\1")
    )
    assert "options" not in attack(code)


def test_another_syn(attack):
    """The same SYN again, with a window scale that the first did not have, to a listener whose window is limited."""
    attack(
        """
link = Link(7003)
link.send("S")
link.drain()
for _ in range(3):
    link.send("S", options=b"\\1\\3\\3\\7")
link.next += 1
link.theirs = link.expect("SA").seq + 1
link.drain()
link.send("A")
link.echoes()
""",
        """
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
server.bind(("10.9.1.2", 7003))
server.listen()
say("ready")
link, _ = server.accept()
while data := link.recv(100):
    link.sendall(data)
""",
    )


def test_least_mss(attack):
    """A peer that requests segments of one byte gets segments of 48."""
    attack("""
link = Link().connect(options=mss(1))
link.said(b'x' * 1000)
sizes = []
while sum(sizes) < 1000:
    if data := link.take(link.receive(2))[0]:
        sizes.append(len(data))
        link.send('A')
assert max(sizes) == 48, sizes
""")
