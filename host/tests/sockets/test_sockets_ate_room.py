# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A connection on which hardware also sends, and what the daemon keeps for retransmission."""

# Window scale 6. Nothing is acknowledged until nothing more arrives; then everything is. Where a busy machine lets a
# retransmission timeout cut the congestion window, it has to grow again first.
PEER = """
link = Link(port=7100).accept(options=mss(1460) + bytes([1, 3, 3, 6]))
size = 0
for _ in range(6):
    link.collect(700000, patience_s=20)
    flight, quiet = [], 0
    while (size := sum(len(payload(segment)) for segment in flight)) < 350000 and quiet < 4:
        more = link.drain(0.4)
        quiet = 0 if more else quiet + 1  # quiet is also a daemon that a busy machine does not let run
        flight += more
    for segment in flight:
        link.take(segment)
    link.send("A")
    if size > 350000:
        break
assert size > 350000, size
link.collect(100000)
"""
FORGED = """
link = socket.socket()
link.setsockopt(0x200, 3, 5)
link.connect(("10.9.1.77", 7100))
"""
WRITER = (
    'say("ready")'
    + FORGED
    + """
while True:
    link.sendall(bytes(1400))
    time.sleep(0.001)
"""
)


def test_nothing_is_acknowledged(attack):
    """The window is larger than the retransmission buffer. Payloads that the engine has accepted and orders that the
    daemon has not yet seen in the mirror coincide there: the connection must survive.
    """
    says = attack(PEER, WRITER, orders=5, order_gap_us=1000, order_bytes=1400, lag_us=5000)
    assert "no memory" not in says


def test_unacknowledged_bytes_are_counted_beside_orders(make_bench):
    """SIOCOUTQ: the peer has acknowledged many orders, and its window is closed for the program's next bytes."""
    bench = make_bench(orders=5, order_gap_us=100, order_bytes=300)
    peer = bench.peer(
        "from forged import *\nsay('ready')\nlink = Link(port=7100).accept()\nlink.collect(20000, window=3000)\n"
        "link.drain(0.2)\nlink.send('A', window=0)\nsay('closed')\nheard()"
    )
    program = bench.program(
        FORGED
        + """
import fcntl, termios
heard()
link.sendall(bytes(3000))
for _ in range(20):
    time.sleep(0.02)
    assert int.from_bytes(fcntl.ioctl(link, termios.TIOCOUTQ, bytes(4)), sys.byteorder) >= 3000
"""
    )
    assert peer.read_line() == "closed"
    program.tell()
    program.finish()
