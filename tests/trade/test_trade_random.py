# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Connections of all kinds and with all kinds of ends, drawn at random, over the card's RTL and a faulty line.

ULLNIC_EPISODES=1000 makes it a long run; ULLNIC_SEED repeats one.
"""

import os
import random
import signal
import time

import pytest

from bench import wait_until
from trade_bench import TradeBench, loss_of
from ullnic.run.trade.parts import ORDER_PORT
from ullnic.run.trade.records import RECORD_BYTES

EPISODES = int(os.environ.get("ULLNIC_EPISODES", "5"))
HARM = f"{ORDER_PORT}=drop=0.02,dup=0.02,reorder=0.02"
HARMS = ("dropped", "duplicated", "reordered")
IN_ORDER = ("close", "half close", "kill")
FAILED = {"peer resets": "ECONNRESET", "cable": "ETIMEDOUT"}
USER_TIMEOUT_MS = 1500


@pytest.fixture(scope="module")
def bench(tmp_path_factory, programs, seed):
    folder = tmp_path_factory.mktemp("random") / "bench"
    bench = TradeBench(folder, *programs, "--fault-in", HARM, "--fault-out", HARM, "--seed", str(seed))
    yield bench
    bench.close()


@pytest.mark.timeout(900 + 60 * EPISODES)
def test_episodes(bench, seed):
    chance = random.Random(seed)
    for number in range(EPISODES):
        end = [*IN_ORDER, *FAILED][number % 5] if EPISODES < 20 else chance.choice([*IN_ORDER, *FAILED])
        print(f"episode {number}: {end}", flush=True)
        episode(bench, end, chance)
        bench.tidy()
    ways = bench.card.status["ports"][ORDER_PORT]
    harm = {(way, kind): ways[way]["faults"][kind] for way in ("to_card", "from_card") for kind in HARMS}
    assert min(harm.values()) > 0, harm


def episode(bench, end: str, chance: random.Random) -> None:
    connection, port = chance.randrange(512), 51000 + chance.randrange(1000)
    buffer = chance.choice([0, 8192, 16384])
    bench.net(f"server = listening({port}, receive_bytes={buffer})")
    bench.connect(connection, port=port)
    bench.arm(connection)
    gap_s, batch = chance.choice([0, 0.001, 0.005]), chance.choice([1, 7, 45])  # a segment at most
    bench.program(f"writer = Writer(link, {gap_s}); writer.batch = {batch}")
    # Unread data makes close() a reset, and a reading thread prevents close() from being one at all.
    if reads := end not in ("close", "kill"):
        bench.program("sink = Sink(link)")
    bench.market(chance.choice([0.0003, 0.002]))
    for _ in range(chance.randrange(5)):
        hardship(bench, chance, reads)
    if end in IN_ORDER:
        end_in_order(bench, end)
    else:
        fail(bench, end)
    bench.net("server.close(); sink.link.close()")


def hardship(bench, chance: random.Random, reads: bool) -> None:
    what = chance.choice(["stall", "talk", "daemon stands still", "wait"])
    if what == "stall":
        bench.net("sink.on.clear()")
    if what == "talk" and reads:
        bench.net("sink.link.send(b'x' * 5000)")
    if what == "daemon stands still":
        os.kill(bench.daemon.process.pid, signal.SIGSTOP)
    time.sleep(chance.uniform(0, 0.3))
    os.kill(bench.daemon.process.pid, signal.SIGCONT)
    bench.net("sink.on.set()")


def end_in_order(bench, end: str) -> None:
    """All data arrives."""
    messages = None
    if end == "kill":
        bench.program.job.kill()
        bench.program = None
    else:
        bench.program("writer.stopped = True")
        messages = bench.program("writer.stop()")
        bench.program("link.close()" if end == "close" else "link.shutdown(socket.SHUT_WR)")
    wait_until(lambda: bench.sink()["end"])
    bench.silence()
    got, orders = bench.sink(), bench.disarm()
    if end == "kill":  # during a send()
        messages = got["messages"]
        assert got["bytes"] - (messages + orders) * RECORD_BYTES in range(RECORD_BYTES)
    else:
        assert (got["messages"], got["bytes"]) == (messages, (messages + orders) * RECORD_BYTES)
    assert (got["orders"], got["end"]) == (orders, "end")


def fail(bench, end: str) -> None:
    """Data that may not have arrived is reported, to the byte."""
    if end == "peer resets":
        bench.net("sink.reset()")
        wait_until(lambda: bench.program("writer.end"))
    else:
        bench.program(f"link.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, {USER_TIMEOUT_MS})")
        with bench.cable_out():
            wait_until(lambda: bench.program("writer.end"))
    bench.silence()
    reported = bench.program("writer.sent") + bench.disarm() * RECORD_BYTES
    # As with the kernel's TCP, the first of two threads that use the socket gets the error.
    assert sorted([bench.program("writer.end"), bench.program("sink.end")]) in (
        [FAILED[end], "end"],
        sorted([FAILED[end], "EPIPE"]),
    )
    batch = bench.program("writer.batch")
    known, unknown, unsent = loss_of(bench.end_program())
    got = bench.sink()
    if end == "cable":
        assert known <= got["bytes"] <= known + unknown
    assert 0 <= reported - (known + unknown + unsent) <= batch * RECORD_BYTES
