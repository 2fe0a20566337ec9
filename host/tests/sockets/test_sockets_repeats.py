# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A peer whose window shrinks until not even the segment to be retransmitted fits. Whatever the program does in the
meantime, the stream is what it has written.
"""

import pytest

WRITER = """
say("ready")
link = socket.create_connection(("10.9.1.77", 7100))
link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
for number in range(WRITES):
    link.sendall(b"%09d " % number)
    time.sleep(0.02)
TAIL
heard()
"""
# Six segments are in flight. The first is acknowledged with a window that ends within the second, then three duplicate
# ACKs request the second.
PEER = """
link = Link(port=7100).accept()
flight = [link.receive(2) for _ in range(6)]
got, over = link.take(flight[0])
for _ in range({acks}):
    link.send("A", window={window})
time.sleep({closed_s})
{meanwhile}
for then in {reopens}:
    link.send("A", window=then)
    time.sleep(0.05)
end = time.monotonic() + 15
while not over and time.monotonic() < end:
    data, over = link.take(link.receive(0.2))
    got += data
    if data or over:
        link.send("A")
assert over and got == b"".join(b"%09d " % number for number in range({writes})), (over, got)
"""


@pytest.mark.parametrize("closed_s", [0.4, 3])
@pytest.mark.parametrize("window", [1, 9])
@pytest.mark.parametrize("writes", [6, 12], ids=["closes", "writes_on"])
def test_window_smaller_than_what_is_repeated(attack, window, writes, closed_s):
    """With `closes` only the FIN is added in the meantime. Three seconds: the retransmission timer has expired."""
    attack(
        PEER.format(window=window, acks=4, closed_s=closed_s, writes=writes, reopens=[60000], meanwhile=""),
        WRITER.replace("WRITES", str(writes)).replace("TAIL", "link.close()"),
    )


@pytest.mark.parametrize("reopens", [[2, 5, 15, 60000], [25, 26, 60000], [60, 60000]])
def test_window_reopens_in_steps(attack, reopens):
    """Each long enough for other segments of the queue."""
    attack(
        PEER.format(window=3, acks=4, closed_s=0.4, writes=12, reopens=reopens, meanwhile=""),
        WRITER.replace("WRITES", "12").replace("TAIL", "link.shutdown(1)"),
    )


@pytest.mark.parametrize("window", [1, 3])
def test_part_of_what_waits_is_acknowledged(attack, window):
    """More than the window's length. Only segments as long as the window arrive, and they are correct."""
    meanwhile = f"""
got += payload(flight[1])[:4]
link.theirs += 4
link.send("A", window={window})
end = time.monotonic() + 4
while not over and time.monotonic() < end:
    data, over = link.take(link.receive(0.2))
    got += data
    assert len(data) <= {window}
    if data or over:
        link.send("A", window={window})
assert len(got) > 14
"""
    attack(
        PEER.format(window=window, acks=4, closed_s=0.4, writes=12, reopens=[60000], meanwhile=meanwhile),
        WRITER.replace("WRITES", "12").replace("TAIL", "link.close()"),
    )


def test_what_is_out_of_order_waits(attack):
    """The peer retransmits the missing segment once, after lwIP's own timeout for it, and must not retransmit the rest.
    That timeout depends on the round trips, which are measured first.
    """
    attack("""
link = Link().connect()
for _ in range(40):
    link.said(b"x")
    link.collect(1)
link.send("PA", b"second", seq=len(b"first"))
time.sleep(2)
link.said(b"first")
link.next += len(b"second")
assert link.collect(len(b"firstsecond")) == b"firstsecond"
""")
