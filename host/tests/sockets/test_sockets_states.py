# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Every state of a connection against unacceptable segments: numbers at the edges of the window and of the sequence
space, all flags, urgent pointers, windows of any size. ullnicd survives, a bystander is not affected, and correct
segments are accepted afterwards.
"""

import pytest

# All at once, so that the daemon finds them in few rounds. An acceptable reset or SYN would end the connection.
VOLLEY = """
import random
FAR = (2**18, 2**30, 2**31 - 1, 2**31)
NUMBERS = (0, 1, 2, 1399, 59999, 60000, 65534, 65535, 65536, *FAR)
OPTIONS = (b"", b"", mss(1), b"\\1\\3\\3\\x0e", b"\\2\\0\\2\\4", b"\\1\\1\\5\\x0a" + bytes(8))
FLAGS = ("A", "PA", "FA", "UA", "S", "SA", "SF", "R", "RA", "", "F", "FPU", "SR", "EA")
def volley(link, seed, flags=FLAGS, numbers=NUMBERS):
    chance = random.Random(seed)
    with Burst():
        for _ in range(400):
            seq, ack = (chance.choice(numbers) * chance.choice((1, -1)) + chance.choice((-1, 0, 1)) for _ in "sa")
            kind, window = chance.choice(flags), chance.choice((0, 1, 4, 65535))
            data = chance.randbytes(chance.choice((0, 0, 1, 2, 1400)))
            if seq == 0 or "R" in kind and ack == 0:
                seq = 2**31
            more = {"options": chance.choice(OPTIONS), "urgptr": chance.choice((0, 1, 65535))}
            link.send(kind, data, seq, ack, window, **more)
    time.sleep(0.1)
    link.drain()
"""
STATES = {
    "LISTEN": """
for port in (7000, 7001, 9):
    volley(Link(port), SEED + port)
Link().connect().echoes()
""",
    "SYN-SENT": """
link = Link(port=7100)
opening = link.receive(10)
link.card_port, link.theirs = opening.sport, opening.seq + 1
volley(link, SEED, flags=("A", "PA", "FA", "UA", "S", "SF", "", "F", "FPU", "EA"))
""",
    "SYN-RECEIVED": """
link = Link()
link.send("S")
link.next += 1
link.theirs = link.expect("SA").seq + 1
volley(link, SEED, flags=("S", "SA", "SF", "", "F", "FPU", "EA", "UA", "A"))
Link().connect().echoes()
""",
    "ESTABLISHED": """
volley(Link().connect(), SEED)
""",
    "ESTABLISHED, all beyond the window": """
link = Link().connect()
volley(link, SEED, numbers=FAR)
link.send("A")
link.echoes()
""",
    "ESTABLISHED, data under way": """
link = Link().connect()
link.said(b"x" * 1400)
volley(link, SEED, numbers=FAR)
link.send("A")
assert link.collect(1400) == b"x" * 1400
link.echoes()
""",
    "FIN-WAIT-1": """
link = Link(7001).connect()
link.expect("FA")
volley(link, SEED)
link.theirs += 1
link.said(b"", "FA")
""",
    "FIN-WAIT-2": """
link = Link(7001).connect()
link.theirs = link.expect("FA").seq + 1
link.send("A")
volley(link, SEED, numbers=FAR)
link.said(b"", "FA")
link.expect("A", ack=link.next % MODULUS)
volley(link, SEED + 1)
""",
    "CLOSING": """
link = Link(7001).connect()
link.expect("FA")
link.said(b"", "FA")
volley(link, SEED)
link.theirs += 1
link.send("A")
""",
    "CLOSE-WAIT": """
link = Link(7002).connect()
link.said(b"", "FA")
link.expect("A", ack=link.next % MODULUS)
volley(link, SEED)
""",
    "LAST-ACK": """
link = Link(7000).connect()
link.said(b"", "FA")
while "F" not in str(link.receive(3).flags):
    pass
volley(link, SEED)
link.theirs += 1
link.send("A")
""",
    "TIME-WAIT": """
link = Link(7001).connect()
link.theirs = link.expect("FA").seq + 1
link.said(b"", "FA")
link.expect("A", ack=link.next % MODULUS)
volley(link, SEED, ("A", "PA", "FA", "UA", "", "F", "R", "RA"))
link.send("FA", seq=-1)
link.expect("A", ack=link.next % MODULUS)
volley(link, SEED + 1)
""",
}
DIALLER = """
say("ready")
link = socket.create_connection(("10.9.1.77", 7100))
while data := link.recv(100):
    link.sendall(data)
"""


@pytest.mark.parametrize("state", STATES)
def test_volley(attack, seed, state):
    code = VOLLEY + f"SEED = {seed}\n{STATES[state]}"
    if state == "SYN-SENT":
        attack(code, DIALLER)
    else:
        attack(f"{code}\nif {state!r} != 'LISTEN':\n    Link().connect().echoes()")


@pytest.mark.parametrize("window", ["[0]", "[1]", "[0, 65535]", "[3, 2, 1, 0]"])
def test_windows(attack, seed, window):
    """A peer whose window closes, shrinks and opens with each of its segments receives all bytes in the end."""
    attack(f"""
import random
chance = random.Random({seed})
link = Link().connect(window=3000)
data = chance.randbytes(1400)
link.said(data)
got, end = b"", time.monotonic() + 4
while time.monotonic() < end:
    got += link.take(link.receive(0.05))[0]
    link.send("A", window=chance.choice({window}))
while len(got) < len(data):
    got += link.take(link.receive(2))[0]
    link.send("A")
assert got == data
link.echoes()
""")
