# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""TIME-WAIT at the card, segment by segment (RFC 9293, 3.10.7.4). A peer that reconnects: cases/reconnect.py."""

from pathlib import Path

import pytest

from bench import wait_until

# A handmade peer, without the kernel's TCP; its numbers are absolute.
BY_HAND = """
from forged import *
link = Link(7000, 5401, start=0)
def send(flags, seq, ack=0, data=b""):
    link.send(flags, data, seq, ack)
def answer():
    return link.receive(0.4)
expect = link.expect
def time_wait(seq):
    '''A connection that the card has closed first. Returns the next sequence numbers of both.'''
    send("S", seq)
    first = expect("SA")
    send("A", seq + 1, first.seq + 1)
    last = expect("FA")
    send("A", seq + 1, last.seq + 1)
    send("FA", seq + 1, last.seq + 1)
    expect("A", ack=(seq + 2) % 2**32)
    return (seq + 2) % 2**32, (last.seq + 1) % 2**32
say("ready")
heard()
"""
SERVER = """
server = socket.create_server(("10.9.1.2", 7000))
say("ready")
while True:
    server.accept()[0].close()
"""
NEW_AND_OLD = """
for start in (1000, 2**32 - 2, 2**31 - 1):
    theirs, ours = time_wait(start)
    send("S", theirs - 1)  # an old duplicate
    expect("A", ack=theirs, seq=ours)
    send("S", theirs)  # not beyond what was received
    segment = answer()
    assert segment is None or "S" not in str(segment.flags), segment.summary()
    send("SA", theirs + 100, ours)
    segment = answer()
    assert segment is None or "S" not in str(segment.flags), segment.summary()
    send("S", theirs + 1)
    opened = expect("SA", ack=(theirs + 2) % 2**32)
    assert (opened.seq - ours) % 2**32 == 65537, "not as on Linux: just beyond the largest unscaled window"
    send("R", theirs + 2)
    while answer() is not None:
        pass
say("well")
"""
RESETS = """
theirs, ours = time_wait(5000)
for seq in (theirs - 1, theirs + 1, theirs + 10000):
    send("R", seq)
    send("FA", theirs - 1, ours)  # it is still there
    expect("A", ack=theirs)
send("R", theirs)
send("FA", theirs - 1, ours)
expect("RA")
say("well")
"""


@pytest.mark.parametrize("steps", [NEW_AND_OLD, RESETS], ids=["new_and_old", "resets"])
def test_time_wait(bench, steps):
    program = bench.program(SERVER)
    assert program.read_line() == "ready"
    peer = bench.peer(BY_HAND + steps)
    peer.tell()
    assert peer.finish() == "well\n"


def test_time_wait_without_a_listener(bench):
    """A SYN finds no listener: the old connection stays, and answers."""
    program = bench.program("""
server = socket.create_server(("10.9.1.2", 7000))
say("ready")
server.accept()[0].close()
server.close()
say("closed")
heard()
""")
    assert program.read_line() == "ready"
    peer = bench.peer(
        BY_HAND
        + """
theirs, ours = time_wait(9000)
say("waiting")
heard()
send("S", theirs + 70000)
expect("A", ack=theirs, seq=ours)
say("well")
"""
    )
    peer.tell()
    assert peer.read_line() == "waiting"
    assert program.read_line() == "closed"
    peer.tell()
    assert peer.finish() == "well\n"
    program.tell()
    program.finish()


def test_ends_leave_no_descriptor(bench):
    """Whichever end closes first, at once or later, by a reset, or without having read: ullnicd closes its end of the
    pair.
    """
    bench.peer("""
def serve(link):
    first = link.recv(1)
    if first == b"p":  # the peer ends first
        link.shutdown(socket.SHUT_WR)
    elif first == b"r":
        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        link.close()
        return
    elif first == b"u":
        link.send(b"unread")
    try:
        while link.recv(100):
            pass
    except ConnectionResetError:
        pass
    link.close()
server = listen()
while True:
    threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
""")
    program = bench.program("""
for first in b"cshprul" * 6:
    link = socket.create_connection((PEER, 5000))
    link.send(bytes([first]))
    if chr(first) in "sh":
        link.shutdown(socket.SHUT_WR)
        assert link.recv(1) == b""  # TIME-WAIT is the card's
        time.sleep(0.25 if chr(first) == "h" else 0)
    elif chr(first) == "p":
        assert link.recv(1) == b""
    elif chr(first) == "r":
        try:
            link.recv(1)
        except ConnectionResetError:
            pass
    elif chr(first) == "u":
        assert select.select([link], [], [], 5)[0]
    elif chr(first) == "l":
        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    link.close()
say("closed")
heard()
""")
    descriptors = Path(f"/proc/{bench.daemon.process.pid}/fd")
    before = len(list(descriptors.iterdir()))
    assert program.read_line() == "closed", program.process.stderr.read()
    wait_until(lambda: len(list(descriptors.iterdir())) <= before)
    program.tell()
    program.finish()
