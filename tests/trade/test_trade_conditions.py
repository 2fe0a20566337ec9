# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Degraded conditions while triggers fire, over the card's RTL and the kernel's TCP: each byte reported as sent arrives
once, or the error says which did not.
"""

import os
import signal
import time
from contextlib import nullcontext

import pytest

from bench import wait_until
from trade_bench import loss_of, trade
from ullnic.run.trade.records import RECORD_BYTES

CONNECTION = 5
SEND_WINDOW = "(lambda info: info[20] * info[4])(struct.unpack('25I', link.getsockopt(6, socket.TCP_INFO, 100)))"
WIDE_BYTES, UNREAD = 300_000, 4500
KILLED_MESSAGES = 200


def check_story(bench, end: str, messages: int, orders: int) -> None:
    """At the server, all of both streams arrived once, in order and complete, and its connection ended with `end`."""
    wait_until(lambda: bench.sink()["end"])
    got = bench.sink()
    assert got["end"] == end
    assert (got["messages"], got["orders"]) == (messages, orders)
    assert got["bytes"] == (messages + orders) * RECORD_BYTES


@pytest.fixture
def small_server(bench):
    """Its window closes when 16 KiB wait for it, and Linux may shrink an advertised window."""
    bench.sysctl("tcp_shrink_window", 1)
    bench.net("plenty, server = server, listening(50001, receive_bytes=8192)")
    yield 50001
    bench.net("server.close(); server = plenty")
    bench.sysctl("tcp_shrink_window", 0)


def test_peer_resets(bench):
    """ECONNRESET; the reported loss begins where the peer's data ended, and nothing is missing before it."""
    trade(bench, CONNECTION)
    bench.program("writer.gap_s = 0")  # a few of them are on their way to the engine when it is stopped
    messages = bench.sink()["messages"]
    wait_until(lambda: bench.sink()["messages"] > messages + 500)
    bench.net("sink.reset()")
    wait_until(lambda: bench.program("writer.end"))
    bench.silence()
    reported = bench.program("writer.sent") + bench.disarm() * RECORD_BYTES
    assert bench.program("writer.end") == "ECONNRESET"
    assert bench.program.error("link.send(b'x')") == "EPIPE"
    known, unknown, unsent = loss_of(bench.end_program())
    got = bench.sink()
    # The reset discarded what the kernel had acknowledged and its program had not read.
    assert known >= got["bytes"]
    # The program may write once between the daemon's count and its end.
    assert reported - (known + unknown + unsent) in (0, RECORD_BYTES)


def test_peer_dies(bench):
    """ETIMEDOUT when TCP_USER_TIMEOUT is over, whatever hardware still sends, and the id is free again."""
    trade(bench, CONNECTION, timeout_ms=800)
    with bench.cable_out():
        started = time.monotonic()
        bench.program("writer.gap_s, writer.batch = 0, 45")  # it blocks in send() when its socket is full
        wait_until(lambda: bench.program("writer.end"))
        assert 0.7 < time.monotonic() - started < 10
        bench.silence()
        reported = bench.program("writer.sent") + bench.disarm() * RECORD_BYTES
        assert bench.program("writer.end") == "ETIMEDOUT"
        known, unknown, unsent = loss_of(bench.end_program())
        got = bench.sink()
        assert known <= got["bytes"] <= known + unknown
        assert reported == known + unknown + unsent
        wait_until(lambda: bench.enabled() == [])
    bench.net("sink.reset()")


def test_idle_peer_dies(bench):
    """Nothing is in flight: keepalive detects it, and no later order is lost silently."""
    keep = {"SO_KEEPALIVE": 1, "TCP_KEEPIDLE": 1, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 1}
    trade(bench, CONNECTION)
    bench.silence()
    messages = bench.program("writer.stop()")
    wait_until(lambda: bench.program("outstanding(link)") == 0)
    bench.program("sink = Sink(link)")
    for name, value in keep.items():
        level = "SOL_SOCKET" if name == "SO_KEEPALIVE" else "IPPROTO_TCP"
        bench.program(f"link.setsockopt(socket.{level}, socket.{name}, {value})")
    with bench.cable_out():
        wait_until(lambda: bench.program("sink.end"))
        assert bench.program("sink.end") == "ETIMEDOUT"
        wait_until(lambda: bench.enabled() == [])
        number = bench.logic()["number"]
        bench.fire(5)
        assert bench.disarm() == number
    assert "the peer does not answer any more" in bench.end_program()
    wanted = {"orders": number, "messages": messages, "bytes": (number + messages) * RECORD_BYTES}
    assert bench.sink() | wanted == bench.sink()
    bench.net("sink.reset()")


def test_peer_says_no_more(bench):
    """The peer's FIN ends one direction: hardware and software continue in the other."""
    trade(bench, CONNECTION)
    bench.program("sink = Sink(link)")
    bench.net("sink.link.shutdown(socket.SHUT_WR)")
    wait_until(lambda: bench.program("sink.end") == "end")
    before = bench.sink()
    wait_until(lambda: all(bench.sink()[name] > before[name] + 20 for name in ("orders", "messages")))
    messages = bench.program("writer.stop()")
    bench.program("link.close()")
    wait_until(lambda: bench.sink()["end"])
    bench.silence()
    check_story(bench, "end", messages, bench.disarm())


def test_program_resets(bench):
    """SO_LINGER 0: the reset has hardware's sequence number, so the peer accepts it at once."""
    trade(bench, CONNECTION)
    bench.program("writer.stop(); reset(link)")
    wait_until(lambda: bench.sink()["end"])
    assert bench.sink()["end"] == "ECONNRESET"
    wait_until(lambda: bench.enabled() == [])


def test_close_while_orders_fire(bench):
    """FIN follows the last byte of hardware."""
    for delay_s in (0, 0.01, 0.03, 0.05):
        trade(bench, CONNECTION)
        bench.market(gap_s=0.0005)
        time.sleep(delay_s)
        messages = bench.program("writer.stop()")
        bench.program("link.close()")
        wait_until(lambda: bench.sink()["end"])
        bench.silence()
        check_story(bench, "end", messages, bench.disarm())


def test_orders_lost_after_close(bench):
    """The program has closed and all of its own data has arrived; hardware's last bytes have not; ullnicd says so."""
    trade(bench, CONNECTION)
    bench.silence()
    bench.program("writer.stop()")
    wait_until(lambda: bench.logic()["triggers"] == bench.net("market.sent"))
    wait_until(lambda: bench.sink()["bytes"] == bench.program("writer.sent") + bench.logic()["number"] * RECORD_BYTES)
    arrived, orders, said = bench.sink()["bytes"], bench.logic()["number"], len(bench.daemon.complaints)
    with bench.cable_out():
        bench.fire(5, gap_s=0.02)
        bench.program("link.close()")
        wait_until(lambda: bench.enabled() == [])
        bench.net("sink.reset()")  # which the card does not receive; a retransmission gets another answer
    wait_until(lambda: len(bench.daemon.complaints) > said)
    lost = (bench.disarm() - orders) * RECORD_BYTES
    assert loss_of(bench.daemon.complaints[-1]) == (arrived, lost, 0) and lost > 0


def test_program_is_killed(bench, small_server):
    """The peer, whose window is then closed, sees an end after all sent data, hardware's and software's; the next
    program gets the id.
    """
    trade(bench, CONNECTION, port=small_server)
    messages = bench.program("writer.stop()")
    bench.net("sink.on.clear()")
    wait_until(lambda: not bench.logic()["window_available"])
    bench.program(f"for number in range({KILLED_MESSAGES}): link.sendall(software({messages + 1} + number))")
    bench.program.job.kill()
    bench.net("sink.on.set()")
    wait_until(lambda: bench.sink()["end"])
    bench.silence()
    check_story(bench, "end", messages + KILLED_MESSAGES, bench.disarm())
    assert bench.enabled() == []
    bench.program = None
    trade(bench, CONNECTION, port=small_server)
    bench.silence()
    messages, orders = bench.program("writer.stop()"), bench.disarm()
    bench.program("link.close()")
    check_story(bench, "end", messages, orders)


def test_window_closes_and_shrinks(bench, small_server):
    """MAX_SEQ stops hardware and its socket stops software; when the peer reads, all sent data arrives."""
    trade(bench, CONNECTION, port=small_server)
    kernel = bench.counters()

    def events(name: str) -> int:
        return bench.counters().get(name, 1) - kernel.get(name, 0)  # events that this kernel cannot count are assumed

    def close_and_open(receive_bytes: int = 0) -> None:
        refused, orders = bench.logic()["refused_window"], bench.sink()["orders"]
        bench.net("sink.on.clear()")
        if receive_bytes:  # less than was advertised
            bench.net(f"sink.link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, {receive_bytes})")
        wait_until(lambda: bench.logic()["refused_window"] > refused + 20)
        wait_until(lambda: not bench.program("select.select([], [link], [], 0.1)[1]"))
        bench.net("sink.on.set()")
        wait_until(lambda: bench.sink()["orders"] > orders + 20)

    close_and_open()
    assert events("TCPToZeroWindowAdv") + events("TCPWantZeroWindowAdv") > 0
    for _ in range(10):  # until a segment was in flight to where the window had been
        close_and_open(2304)
        if events("BeyondWindow") > 0:
            break
        bench.net("sink.link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)")
    assert events("BeyondWindow") > 0 or not bench.has_sysctl("tcp_shrink_window")
    bench.silence()
    orders, messages = bench.disarm(), bench.program("writer.stop()")
    bench.program("link.close()")
    check_story(bench, "end", messages, orders)


def close_window(bench) -> None:
    """By hardware alone: the program has nothing to send, and nothing is in flight."""
    bench.program("writer.stop()")
    bench.market(gap_s=0.0005)
    bench.net("sink.on.clear()")
    refused = bench.logic()["refused_window"]
    wait_until(lambda: bench.logic()["refused_window"] > refused + 200)
    bench.silence()
    assert not bench.logic()["window_available"]


def test_window_update_is_lost(bench, small_server):
    """Only a probe can discover that the window is open. Until then the peer answers, so TCP_USER_TIMEOUT does not
    expire, however long the window is closed.
    """
    trade(bench, CONNECTION, port=small_server, timeout_ms=800)
    close_window(bench)
    messages, sent = bench.program("writer.messages"), bench.logic()["orders"]
    time.sleep(2)
    bench.program("link.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 60000)")
    with bench.cable_out():
        bench.net("sink.on.set()")
        wait_until(lambda: bench.sink()["bytes"] == (bench.logic()["number"] + messages) * RECORD_BYTES)
        assert not bench.logic()["window_available"]
    wait_until(lambda: bench.logic()["window_available"])
    bench.fire(20)
    assert bench.logic()["orders"] > sent
    bench.program("link.close()")
    wait_until(lambda: bench.sink()["end"])
    check_story(bench, "end", messages, bench.disarm())


@pytest.mark.parametrize("silent", [True, False])
def test_window_stays_closed(bench, small_server, silent):
    """ETIMEDOUT when the peer is silent, and when the program's data waits too long for a peer that answers."""
    trade(bench, CONNECTION, port=small_server, timeout_ms=800)
    close_window(bench)
    reported, before = bench.program("writer.sent"), bench.program("writer.messages")
    bench.program("sink = Sink(link)" if silent else f"writer = Writer(link, messages={before})")
    with bench.cable_out() if silent else nullcontext():
        started = time.monotonic()
        wait_until(lambda: bench.program("sink.end" if silent else "writer.end"))
        assert 0.7 < time.monotonic() - started < 10
    assert bench.program("sink.end" if silent else "writer.end") == "ETIMEDOUT"
    reported += (0 if silent else bench.program("writer.sent")) + bench.disarm() * RECORD_BYTES
    bench.net("sink.on.set()")
    said = bench.end_program()
    assert "the peer does not answer any more" in said
    known, unknown, unsent = loss_of(said)
    assert reported == known + unknown + unsent and (unsent == 0) == silent
    wait_until(lambda: bench.sink()["bytes"] >= known)
    got = bench.sink()
    assert got["bytes"] <= known + unknown


def test_host_does_not_read_the_mirror(bench):
    """The engine refuses before a mirror frame could be lost, and continues when the host reads again."""
    trade(bench, CONNECTION)
    bench.silence()
    # The window is larger than ring and FIFO of the mirror: only the mirror stops hardware.
    bench.program("writer.gap_s, writer.batch = 0, 45")
    wait_until(lambda: bench.program(SEND_WINDOW) > WIDE_BYTES)
    messages = bench.program("writer.stop()")
    wait_until(lambda: bench.sink()["messages"] == messages)
    before, seen, refused = bench.sink()["orders"], bench.card.status["triggers"], bench.logic()["refused_window"]
    os.kill(bench.daemon.process.pid, signal.SIGSTOP)
    bench.net(f"market.fire({UNREAD})")
    wait_until(lambda: bench.card.status["triggers"] == seen + UNREAD)
    wait_until(lambda: bench.sink()["orders"] - before > UNREAD // 5)
    unread = bench.sink()["orders"] - before
    os.kill(bench.daemon.process.pid, signal.SIGCONT)
    assert bench.logic()["refused_window"] - refused > UNREAD // 5
    assert unread * RECORD_BYTES < WIDE_BYTES // 2, "the peer's window or the congestion window ended it"
    bench.fire(50)
    orders = bench.disarm()
    assert orders > before + unread, "hardware does not go on"
    bench.program("link.close()")
    check_story(bench, "end", messages, orders)
