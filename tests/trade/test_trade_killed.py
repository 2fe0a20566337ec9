# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Card or daemon end while triggers fire, over the card's RTL: nothing hangs, each process reports why, the rest is
clean.
"""

from bench import PATIENCE_S, wait_until
from trade_bench import loss_of, trade
from ullnic.run.trade.records import RECORD_BYTES

CONNECTION = 5
LAST_ORDERS = 5


def frames_out(bench) -> int:
    """Frames that have left the card's order port."""
    return bench.card.status["ports"][1]["from_card"]["frames"]


def settle(bench):
    """Triggers stop, and the daemon knows of every order: a message that was sent after them is acknowledged."""
    bench.silence()
    wait_until(lambda: bench.sink()["orders"] == bench.logic()["number"])
    sent = bench.program("writer.sent")
    wait_until(lambda: bench.program("writer.sent - outstanding(link)") > sent)


def test_daemon_is_killed(bench):
    """The program learns of it, the card is off by itself, and the next daemon has all of it."""
    trade(bench, CONNECTION)
    bench.daemon.kill()
    wait_until(lambda: bench.program("writer.end"))
    assert bench.program("writer.end") == "ECONNRESET"
    assert "ullnicd is gone" in bench.end_program()
    for _ in range(2):  # until the market has continued for a while and nothing is sent
        seen = bench.card.status["triggers"]
        wait_until(lambda before=seen: bench.card.status["triggers"] > before + 50)
        frames = frames_out(bench)
    bench.silence()
    assert frames_out(bench) == frames and bench.sink()["end"] == ""

    bench.start_daemon()
    assert bench.logic()["armed"] is False and bench.enabled() == []
    bench.net("sink.link.send(b'are you there?')")
    wait_until(lambda: bench.sink()["end"] == "ECONNRESET")
    trade(bench, CONNECTION)
    bench.silence()
    orders, messages = bench.disarm(), bench.program("writer.stop()")
    bench.program("link.close()")
    wait_until(lambda: bench.sink()["end"])
    assert bench.sink() | {"messages": messages, "orders": orders, "end": "end"} == bench.sink()


def test_daemon_is_ended(bench):
    """As a user does: the peer sees a reset with hardware's number, the program the reason and the possible loss."""
    trade(bench, CONNECTION)
    daemon, port = bench.daemon, bench.program("link.getsockname()[1]")
    bench.stop_daemon()
    bench.silence()
    wait_until(lambda: bench.sink()["end"] and bench.program("writer.end"))
    assert (bench.sink()["end"], bench.program("writer.end")) == ("ECONNRESET", "ENETDOWN")
    sent = bench.program("writer.sent")
    known, unknown, unsent = loss_of(bench.end_program())
    # An earlier connection that its peer has not closed is ended and reported, too
    reported = [line for line in daemon.complaints if f":{port} to " in line]
    assert loss_of("\n".join(reported))[0] == known <= bench.sink()["bytes"] <= known + unknown
    bench.start_daemon()
    assert bench.enabled() == []
    sent += bench.logic()["number"] * RECORD_BYTES
    assert sent - (known + unknown + unsent) in (
        0,
        RECORD_BYTES,
    )  # one write between the daemon's count and its end


def test_card_is_killed(bench):
    """Daemon and program report it and end; missing data is reported. A new card and daemon serve the next program."""
    trade(bench, CONNECTION)
    daemon = bench.daemon
    settle(bench)
    bench.net(f"market.fire({LAST_ORDERS})")
    bench.kill_card()
    wait_until(lambda: bench.program("writer.end"))
    assert bench.program("writer.end") == "ENODEV"
    assert bench.program.error("accelerated(6)") in ("ENETDOWN", "ENOPROTOOPT")  # the daemon is ending, or gone
    assert daemon.process.wait(PATIENCE_S) == 1
    assert bench.program.error("accelerated(6)") == "ENOPROTOOPT"
    sent = bench.program("writer.sent")
    text = bench.end_program()
    known, unknown, unsent = loss_of(text)
    assert "the card is gone" in text and "start it" in text
    got = bench.sink()
    # The count may lack the last orders, whose mirror frames died with the card, and one write (see above).
    unmirrored = LAST_ORDERS * RECORD_BYTES
    assert known <= got["bytes"] <= known + unknown + unmirrored
    lost = sent + got["orders"] * RECORD_BYTES - (known + unknown + unsent)
    assert -unknown <= lost <= unmirrored + RECORD_BYTES
    said = "\n".join(daemon.complaints)
    assert "the virtual card has ended" in said and loss_of(said)[:1] == (known,)

    bench.start_daemon()
    trade(bench, CONNECTION)
