# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Streams to an erratic peer (fickle.py): every transmitted byte is the correct one for its position."""

import pytest

CONNECTIONS = 3
WINDOW = 60000
PEER = """
from fickle import *
chance = random.Random({seed})
say("ready")
for port in range({count}):
    link = FickleLink(7100 + port, chance)
    link.run({windows})
    say(link.counts["S"], link.counts["H"])
"""
WRITER = """
import random
chance = random.Random({seed} + 1)
for port in range({count}):
    link = socket.socket()
    {accelerate}
    link.connect(("10.9.1.77", 7100 + port))
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, chance.random() < 0.7)
    longest, pause_s = chance.choice({lengths}), chance.choice((0.001, 0.01, 0.03))
    records = chance.randint(30, 150)
    for number in range(records):
        link.sendall(record("S", number, chance.randint(HEAD, longest)))
        if chance.random() < 0.7:
            time.sleep(pause_s)
    chance.choice((link.close, lambda: link.shutdown(1)))()
    say(records)
    heard()
"""


@pytest.mark.parametrize("accelerated", [False, True], ids=["software", "accelerated"])
def test_every_byte_is_in_its_place(make_bench, seed, accelerated):
    if accelerated:  # orders may fall within a write that exceeds a segment, or the largest window
        bench = make_bench(orders=5, order_gap_us=8000, order_bytes=60, lag_us=2000)
        windows, lengths, accelerate = (WINDOW, 3000), (10, 100, 1400), "link.setsockopt(0x200, 3, 5)"
    else:
        bench, windows, lengths, accelerate = make_bench(), (WINDOW, 3000, 100), (10, 100, 1400, 5000), ""
    peer = bench.peer(PEER.format(seed=seed, count=CONNECTIONS, windows=windows))
    program = bench.program(WRITER.format(seed=seed, count=CONNECTIONS, lengths=lengths, accelerate=accelerate))
    for _ in range(CONNECTIONS):
        counts = peer.read_line()
        assert counts, peer.last_words()
        software, hardware = map(int, counts.split())
        assert int(program.read_line()) == software
        assert (hardware > 0) == accelerated
        program.tell()
    program.finish()


POURER = """
from fickle import *
from records import record
chance = random.Random({seed})
say("ready")
for port in range({count}):
    link = Link(port=7100 + port).accept(options=mss(1460))
    records = chance.randint(1, 60)
    data = b"".join(record("S", number, chance.randint(7, 3000)) for number in range(records))
    pour(link, data, chance)
    say(records)
"""
READER = """
import random
chance = random.Random({seed} + 1)
for port in range({count}):
    link = socket.socket()
    if chance.random() < 0.5:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, chance.choice((3000, 20000)))
    link.connect(("10.9.1.77", 7100 + port))
    parser, pause_s = Parser(), chance.choice((0, 0.001, 0.01))
    while data := link.recv(chance.choice((1, 100, 65536))):
        parser.feed(data)
        if chance.random() < 0.1:
            time.sleep(pause_s)
    assert not parser.rest, "cut"
    link.close()
    say(parser.counts["S"])
"""


def test_every_byte_that_comes_is_in_its_place(make_bench, seed):
    bench = make_bench()
    peer = bench.peer(POURER.format(seed=seed, count=CONNECTIONS))
    program = bench.program(READER.format(seed=seed, count=CONNECTIONS))
    for _ in range(CONNECTIONS):
        records = peer.read_line()
        assert records, peer.last_words()
        read = program.read_line()
        assert read == records, program.last_words()
    program.finish()
