# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The watchdog of the DMA in RTL, armed by `ullnic-info` while `ullnicd` holds the card: a queue that stands still is
reported by its number, with the events before that, and queues with progress never are.
"""

import os
import re
import signal
import subprocess
import time

import pytest

from bench import wait_until
from trade_bench import trade
from ullnic.run.trade.parts import ORDER_PORT, SERVER

CONNECTION = 5
FRAMES = 2300  # the queue has 2047 buffers; the RTL of the port stores some frames more
LIMIT_US, TICK_CYCLES = 150, 512  # of 64 queues
LIMIT_CYCLES = -(-LIMIT_US * 250 // TICK_CYCLES) * TICK_CYCLES
LIMIT_MS = f"{LIMIT_CYCLES * 4e-6:.3f}"


@pytest.fixture
def info(bench):
    def call(*argv: str) -> str:
        command = [bench.build / "bin" / "ullnic-info", "--card", f"ullnicd:{bench.sockets.daemon}", *argv]
        done = subprocess.run(bench.inside([*map(str, command)]), capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


@pytest.fixture
def armed(info):
    yield info("--limit", f"{LIMIT_US}us", "watchdog", "arm")
    assert "watchdog: " in info("watchdog", "disarm")


def flood(bench, frames: int) -> None:
    """Frames for nobody, to the order port."""
    bench.net("wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)")
    bench.net(f"wire.bind(({SERVER.ifname!r}, 0))")
    bench.net(f"[wire.send(b'\\xff' * 6 + bytes(6) + b'\\x88\\xb5' + bytes(46)) for _ in range({frames})] and None")


def edges(bench) -> int:
    """Of the DMA's clock, since its reset."""
    return bench.card.status["host"]["edges"]


def stands(bench) -> bool:
    """The DMA's clock has stopped, as it does when the watchdog is armed no longer."""
    before = edges(bench)
    for _ in range(10):
        time.sleep(0.1)
        if edges(bench) != before:
            return False
    return True


def test_queues_with_progress_are_not_found(bench, info, armed):
    assert f"watchdog: armed, has found nothing; limit {LIMIT_MS} ms, trace\n" in armed
    assert "watchdog: armed, has found nothing" in info("errors")
    trade(bench, CONNECTION)
    begin = edges(bench)
    wait_until(lambda: edges(bench) > begin + 5 * LIMIT_CYCLES)
    bench.silence()
    bench.program("writer.stop()")
    begin = edges(bench)
    wait_until(lambda: edges(bench) > begin + 5 * LIMIT_CYCLES)
    assert "watchdog: armed, has found nothing" in info("watchdog"), "while it is idle"
    assert "watchdog: off\n" in info("watchdog", "disarm")


def test_a_program_that_does_not_read_its_queue(bench, info, armed):
    """The daemon stands still until the buffers are used up: a C2H queue with work, and without progress."""
    begin = edges(bench)
    os.kill(bench.daemon.process.pid, signal.SIGSTOP)
    try:
        flood(bench, FRAMES)
        wait_until(lambda: edges(bench) > begin + LIMIT_CYCLES)
        wait_until(lambda: stands(bench))
    finally:
        os.kill(bench.daemon.process.pid, signal.SIGCONT)
    for said in (info("watchdog"), info("errors")):
        heading = (
            f"watchdog: C2H queue {ORDER_PORT} has had work and made no progress for {LIMIT_MS} ms; before that, 64 eve"
        )
        assert heading in said, said
        events = re.findall(r"^ +(-?\d+\.\d+) us  queue (\d+) +(.*)$", said, re.MULTILINE)
        assert len(events) == 64 and [float(e[0]) for e in events] == sorted(float(e[0]) for e in events)
        refused = "C2H packet is refused, answer 1: no buffer, or its completion ring is full"
        assert (str(ORDER_PORT), refused) in [event[1:] for event in events]
        assert sum(event[2] == "C2H packet is accepted" for event in events) > 10
    assert "watchdog: C2H has made no progress" in info("queue", str(ORDER_PORT))
    # It is of use again: armed with the events of that queue, it finds nothing.
    info("--limit", f"{LIMIT_US}us", "watchdog", "arm", str(ORDER_PORT))
    flood(bench, 100)
    begin = edges(bench)
    wait_until(lambda: edges(bench) > begin + 5 * LIMIT_CYCLES)
    assert f"armed, has found nothing; limit {LIMIT_MS} ms, trace of queue {ORDER_PORT} alone\n" in info("watchdog")
