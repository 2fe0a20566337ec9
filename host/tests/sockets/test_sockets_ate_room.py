# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A connection on which hardware also sends, and what the daemon keeps for retransmission."""

# Window scale 6. Nothing is acknowledged until so much is in flight; then everything is. A busy machine may lose frames
# on their way to this program: the number of the last one counts, and the answer to an old segment shows it, too.
PEER = """
link = Link(port=7100).accept(options=mss(1460) + bytes([1, 3, 3, 6]))
def in_flight():
    if (segment := link.receive(1)) is None:
        link.send("A", seq=-1)
        return 0
    count = (segment.seq + len(payload(segment)) - link.theirs) % MODULUS
    return count if count < MODULUS // 2 else 0
def acknowledge(count):
    link.theirs += count
    link.send("A")
def collect(left):
    while left > 0:
        if (count := in_flight()) > 0:
            acknowledge(count)
            left -= count
collect(700000)
flight = 0
while flight < 350000:
    flight = max(flight, in_flight())
acknowledge(flight)
collect(100000)
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
    # A retransmission timeout would leave too small a congestion window for such a flight.
    card = {"orders": 5, "order_gap_us": 1000, "order_bytes": 1400, "lag_us": 5000, "lwip_slower": 1000}
    says = attack(PEER, WRITER, **card)
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
