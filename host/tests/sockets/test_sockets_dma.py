# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The DMA of a card that ullnicd holds: what its control socket shows of it and to whom, and how `ullnic-info queue`,
`ullnic-info errors` and `ullnic-info watchdog` display it; the watchdog is armed.
"""

import errno
import itertools
import os
import random
import re
import struct
import subprocess
import threading
from pathlib import Path

import pytest

from bench import Job
from users import GROUP, NOBODY, OTHER, as_user, root_only

HEADER = Path(__file__).parents[2] / "include/ullnic/dma.h"
QUEUES, LAST = 2048, 2**32 - 1
EVENTS, EVENTS_OF_REPLY, EVERY_QUEUE, MOST_TICKS = 64, 32, 0xFFFF, 0x7FFF
DMA_OPS = ("DMA_QUEUE", "DMA_ERRORS", "DMA_EVENTS", "DMA_WATCH")


def fields_of(name: str) -> dict[str, int]:
    """Words of each member of a structure of the public header, in order."""
    body = re.search(rf"struct {name} {{(.*?)}};", HEADER.read_text(), re.DOTALL)[1]
    return {field: int(count or 1) for field, count in re.findall(r"uint32_t (\w+)(?:\[(\d+)\])?;", body)}


QUEUE, ERRORS = fields_of("ullnic_dma_queue"), fields_of("ullnic_dma_errors")


def packed(fields: dict[str, int], values: dict) -> bytes:
    assert values.keys() <= fields.keys(), values.keys() - fields.keys()
    words = []
    for name, count in fields.items():
        value = values.get(name, 0)
        given = list(value) if isinstance(value, (tuple, list)) else [value]
        words += given + [0] * (count - len(given))
    return struct.pack(f"={len(words)}I", *words)


def word(reply, fields: dict[str, int], name: str) -> int:
    return reply.words[list(itertools.accumulate(fields.values(), initial=0))[list(fields).index(name)]]


# --- the control socket


def test_each_queue_and_the_errors(control):
    for queue in (0, 1, 7, QUEUES - 1):
        reply = control.ask("DMA_QUEUE", value=queue)
        assert (reply.error, reply.fd) == (0, None)
        assert word(reply, QUEUE, "queue") == queue
        assert word(reply, QUEUE, "status_interval") == LAST - queue
    reply = control.ask("DMA_ERRORS")
    assert (reply.error, word(reply, ERRORS, "glbl_err_stat"), word(reply, ERRORS, "h2c_first_err_qid")) == (0, 512, 7)


@pytest.mark.parametrize("queue", [QUEUES, QUEUES + 1, 2**16, 2**31, LAST])
def test_queues_that_are_not_there(control, queue):
    reply = control.ask("DMA_QUEUE", value=queue)
    assert reply.error == errno.EINVAL
    assert f"no queue {queue}; give one" in reply.text


def test_malformed_requests(bench, control):
    """Other fields are ignored; bytes after the request end the connection; others are served in the meantime."""
    noise = {"id": 5, "address": LAST, "delegated_bytes": LAST, "local_ip": "1.2.3.4", "datagram": 1, "ate_id": 77}
    noise["options"] = bytes([0xFF]) * control.layout["control_options"]["size"][1]
    with control.connect() as shown:
        assert control.ask("DMA_QUEUE", value=3, shown=shown.fileno(), **noise).error == 0
        assert control.ask("DMA_ERRORS", value=LAST, shown=shown.fileno(), **noise).error == 0
    for op in DMA_OPS:
        whole = control.request(op, value=1)
        for message in (whole + b"more", whole[:-1], whole[:16]):
            with control.connect() as link:
                link.send(message)
                assert link.recv(4096) == b"", "it was answered"
    assert control.ask("PROBE").error == 0
    assert bench.daemon.process.poll() is None


def test_many_at_once(control):
    """Replies match their requests, whatever other clients request."""
    wrong = []

    def look(first: int) -> None:
        for queue in range(first, first + 100):
            with control.connect() as link:
                found = word(control.ask("DMA_QUEUE", link=link, value=queue), QUEUE, "queue")
            if found != queue:
                wrong.append((queue, found))

    threads = [threading.Thread(target=look, args=(200 * number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@root_only
@pytest.mark.parametrize(
    ("user", "group", "allowed"), [(NOBODY, None, False), (OTHER, None, False), (OTHER, GROUP, True), (0, 0, True)]
)
def test_who_may_see_the_dma(shared, user, group, allowed):
    """As for registers: root, the own user, the members of --card-group."""
    _, control = shared("--allow-user", "nobody", "--allow-user", str(OTHER), "--card-group", str(GROUP))

    def attempt(op: str):
        reply = control.ask(op, value=0)
        return [reply.error, reply.text, any(reply.words)]

    for op in DMA_OPS:
        error, text, _ = as_user(user, lambda op=op: attempt(op), group)
        served = errno.EIO if op == "DMA_EVENTS" else errno.ENOTSUP if op == "DMA_WATCH" else 0  # it has no watchdog
        assert error == (served if allowed else errno.EPERM), op
        assert allowed or ("see its DMA" in text and "--card-group" in text)


@root_only
def test_the_tool_says_why_not_and_what_to_do(shared, host_build, open_folder):
    bench, _ = shared("--allow-user", "nobody")
    bench.socket.chmod(0o777)
    for name in ("bin/ullnic-info", "lib/libullnic.so.0"):  # to where that user can reach them
        (open_folder / name).parent.mkdir(exist_ok=True)
        (open_folder / name).write_bytes((host_build / name).read_bytes())
        (open_folder / name).chmod(0o755)
    argv = ["setpriv", f"--reuid={NOBODY}", "--clear-groups", str(open_folder / "bin/ullnic-info"), "--card"]
    for subject in (["queue", "0"], ["errors"], ["watchdog"], ["watchdog", "arm"]):
        done = subprocess.run(
            [*argv, f"ullnicd:{bench.socket}", *subject],
            capture_output=True, text=True, env={"LD_LIBRARY_PATH": str(open_folder / "lib")},
        )  # fmt: skip
        assert done.returncode == 1
        assert f"user {NOBODY} may not use the card's registers" in done.stderr
        assert "--card-group GROUP" in done.stderr


# --- the words of ullnic-info


class Info:
    """A bench whose DMA returns what a test has planted."""

    def __init__(self, make_bench, host_build, folder: Path):
        self.file, self.tool = folder / "dma", host_build / "bin" / "ullnic-info"
        self.plant({}, {}, {})
        self.bench = make_bench(dma=self.file)

    def plant(self, first: dict, second: dict, errors: dict, events: tuple[tuple[int, int], ...] = ()) -> None:
        words = struct.pack(f"={2 * EVENTS}I", *itertools.chain(*events), *[0] * 2 * (EVENTS - len(events)))
        self.file.write_bytes(packed(QUEUE, first) + packed(QUEUE, second) + packed(ERRORS, errors) + words)

    def watchdog(self) -> list[int]:
        """Its registers: control, limit, tick, status."""
        words = struct.unpack_from(f"={sum(ERRORS.values())}I", self.file.read_bytes(), 2 * len(packed(QUEUE, {})))
        at = list(itertools.accumulate(ERRORS.values(), initial=0))[list(ERRORS).index("watchdog")]
        return list(words[at : at + 4])

    def call(self, *argv: str) -> subprocess.CompletedProcess:
        command = [self.tool, "--card", f"ullnicd:{self.bench.socket}", *argv]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    def run(self, *argv: str) -> str:
        done = self.call(*argv)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def queue(self, first: dict, second: dict | None = None, *options: str) -> str:
        self.plant(first, first if second is None else second, {})
        return self.run("queue", "3", *options)

    def errors(self, errors: dict, *options: str, events: tuple[tuple[int, int], ...] = ()) -> str:
        self.plant({}, {}, errors, events)
        return self.run("errors", *options)


@pytest.fixture
def info(make_bench, host_build, tmp_path) -> Info:
    return Info(make_bench, host_build, tmp_path)


ENABLED, BAD_DSC, BAD_DMA = 1, 1 << 26, 1 << 27
FUNCTION = {"map": (0, 8)}


def sw(pidx: int = 0, word_0: int = 0, word_1: int = ENABLED, word_4: int = 0) -> list[int]:
    return [pidx | word_0, word_1, 0x1000, 0x1, word_4]


def hw(cidx: int = 0, batches: int = 0, credits: int = 0) -> list[int]:
    return [cidx | credits << 16, batches << 11]


def ring(pidx: int = 0, cidx: int = 0, word_0: int = 0, word_3: int = 1 << 28, word_4: int = 0) -> list[int]:
    """A completion context."""
    return [word_0, 0x40, (pidx & 15) << 28, pidx >> 4 | cidx << 12 | word_3, word_4, 0]


def c2h(**changes) -> dict:
    """A C2H queue with everything it needs."""
    usual = {"sw_c2h": sw(100), "hw_c2h": hw(61), "c2h_ring": 2049, "prefetch": (0, 1 << 13), "buffer_bytes": 2048}
    return FUNCTION | usual | {"completion": ring(61, 61), "completion_ring": 2049} | changes


def h2c(**changes) -> dict:
    return FUNCTION | {"sw_h2c": sw(1783), "hw_h2c": hw(1744), "h2c_ring": 2049} | changes


ALL_BITS = 0xFFFFFFFF
WAITS = [
    (h2c(), "H2C (host to card): waits for the card: 39 descriptors posted and not fetched\n"),
    (h2c(hw_h2c=hw(1782, batches=2)), "waits for the card: 1 descriptor posted and not fetched, 2 batches of descr"),
    (h2c(sw_h2c=sw(3), hw_h2c=hw(2040)), "waits for the card: 11 descriptors posted and not fetched\n"),
    (h2c(hw_h2c=hw(1783)), "waits for the program: all descriptors that it has posted are fetched\n"),
    (h2c(hw_h2c=hw(1783, batches=1)), "waits for the card: all descriptors are fetched, 1 batch of descriptors under"),
    (h2c(sw_h2c=sw(5, word_1=BAD_DSC)), "stopped by an error of a descriptor, of the ring's context or of a doorbell"),
    (h2c(sw_h2c=sw(5, word_1=BAD_DMA | ENABLED)), "stopped by an error of a transfer, CIDX 1744, such as an address"),
    (h2c(sw_h2c=sw(5, word_1=0)), "H2C (host to card): disabled, by its program or because its completion ring"),
    (h2c(sw_h2c=sw(5, word_1=ENABLED | 7 << 12), h2c_ring=0), "cannot run: entry 7 of the ring sizes, which it names"),
    (h2c(sw_h2c=sw(2048)), "cannot run: an index is beyond the ring of 2048 entries\n"),
    ({}, "H2C (host to card): not in use: no program has set it up\n"),
    (c2h(), "C2H (card to host): waits for packets: 39 buffers posted and not fetched\n"),
    (c2h(hw_c2h=hw(100)), "waits for the program: all buffers that it has posted are fetched\n"),
    (c2h(hw_c2h=hw(100, batches=3)), "waits for packets, or for the program: all buffers are fetched, 3 batches"),
    (c2h(prefetch=(0, 0)), "accepts no packet: its prefetch context is not valid\n"),
    (c2h(prefetch=(ALL_BITS, ALL_BITS ^ 1 << 13)), "accepts no packet: its prefetch context is not valid\n"),
    (c2h(completion=ring(word_3=0b1110 << 28, word_0=1)), "accepts no packet: its completion ring is not valid\n"),
    (c2h(completion=ring(word_3=0, word_0=1)), "accepts no packet: its completion ring is not valid\n"),
    (c2h(completion=ring(9, 10)), "waits for the program: the completion ring is full, 2047 entries are unread"),
    (c2h(completion=ring(9, 10)), "completions: full: the program has not moved its index\n"),
    (c2h(completion=ring(9, 10, word_4=4)), "waits for packets: 39 buffers posted"),
    (c2h(sw_c2h=sw(5, word_1=BAD_DMA), completion=ring(word_3=2 << 29)), "completions: stopped: an error of the"),
    (c2h(completion=ring(word_3=1 << 29)), "completions: stopped: the program has written a CIDX outside"),
    (c2h(completion=ring(5, 4)), "completions: 1 entry is unread, by the CIDX that the program has written\n"),
    (c2h(completion=ring(2040, 3)), "2037 unread, room for 10\n"),
    (c2h(completion=ring(65535, 1)), "completions: an index is beyond the ring of 2048 entries\n"),
    # At each limit of rings and indexes
    (h2c(sw_h2c=sw(2047), hw_h2c=hw(2047)), "waits for the program: all descriptors"),
    (h2c(sw_h2c=sw(0), hw_h2c=hw(2047)), "waits for the card: 1 descriptor posted and not fetched\n"),
    (h2c(sw_h2c=sw(0), hw_h2c=hw(2048)), "cannot run: an index is beyond the ring of 2048 entries\n"),
    (h2c(sw_h2c=sw(1), hw_h2c=hw(0), h2c_ring=3), "waits for the card: 1 descriptor posted and not fetched\n"),
    (h2c(sw_h2c=sw(0), hw_h2c=hw(0), h2c_ring=2), "cannot run: entry 0 of the ring sizes, which it names, is 2\n"),
    (h2c(sw_h2c=[0, 0, 0, 0, 1]), "H2C (host to card): disabled"),
    (c2h(sw_c2h=sw(62)), "waits for packets: 1 buffer posted and not fetched\n"),
    (c2h(completion=ring(9, 9)), "completions: empty: the program has read all\n"),
    (c2h(completion=ring(9, 11)), "waits for packets: 39 buffers posted"),
    (c2h(completion=ring(9, 11)), "2046 unread, room for 1\n"),
    (c2h(completion=ring(2048, 1)), "completions: an index is beyond the ring of 2048 entries\n"),
    (c2h(completion=ring(1, 2048)), "completions: an index is beyond the ring of 2048 entries\n"),
    (c2h(completion=ring(0, 0), completion_ring=3), "completions: empty"),
    (c2h(completion=ring(0, 0), completion_ring=2), "completions: cannot run: entry 0 of the ring sizes"),
    (c2h(completion=ring(word_3=0, word_0=1)), "completions: not valid\n"),
    (c2h(completion=ring(word_3=3 << 29)), "completions: stopped: an entry for a full ring\n"),
]
WATCHDOG = 1 << 17  # of extensions
LINES = [
    (
        h2c(sw_h2c=sw(9, word_1=ENABLED | 1 << 20), hw_h2c=hw(9), extensions=WATCHDOG, progress=(4 << 16 | 9, 3, 0)),
        "progress     data of descriptors is read up to 9, is at the card up to 4, status is written with CIDX 3; 5 are"
        " not at the card: it waits for the host's data, or for the card to accept it\n",
    ),
    (
        h2c(sw_h2c=sw(9), hw_h2c=hw(9), extensions=WATCHDOG, progress=(4 << 16 | 5, 3, 0)),
        "is at the card up to 4; 5 are not at the card: it waits for room, or the host's answers\n",
    ),
    (h2c(sw_h2c=sw(9), extensions=WATCHDOG, progress=(9 << 16 | 9, 3, 0)), "up to 9, is at the card up to 9\n"),
    (c2h(extensions=WATCHDOG, progress=(0, 0, 39)), "progress     39 buffers are fetched and without a packet\n"),
    (c2h(extensions=WATCHDOG, progress=(0, 0, 1)), "progress     1 buffer is fetched and without a packet\n"),
    (c2h(queue=3, watchdog_status=3 << 30 | 3), "watchdog: C2H has made no progress; see `ullnic-info errors`\n"),
    (h2c(sw_h2c=sw(word_1=ENABLED | 1 << 21, word_4=5)), "interrupt    not armed, by vector 5\n"),
    (h2c(sw_h2c=sw(word_0=1 << 16, word_1=ENABLED | 1 << 21, word_4=5)), "interrupt    armed, by vector 5\n"),
    (h2c(sw_h2c=sw(word_1=ENABLED | 1 << 21 | 1 << 29)), "not armed, and one waits for that: the program must arm it,"),
    (h2c(sw_h2c=sw(word_1=ENABLED | 1 << 21, word_4=1 << 11 | 6)), "by way of interrupt ring 6\n"),
    (h2c(sw_h2c=sw(word_1=ENABLED | 1 << 2 | 1 << 20)), "status       when all is done\n"),
    (h2c(sw_h2c=sw(word_1=ENABLED | 2 << 2 | 1 << 20), status_interval=3), "status       every 32 descriptors\n"),
    (h2c(sw_h2c=sw(word_1=ENABLED | 1 << 16)), "ring         2048 entries of 16 bytes each, at 0x100001000\n"),
    (h2c(hw_h2c=hw(4, credits=17)), "credits      17 used\n"),
    (c2h(), "buffers      2048 bytes each\n"),
    (c2h(prefetch=(1 << 26, 1 << 13)), "prefetch     has an error\n"),
    (c2h(completion=ring(word_0=1 << 2)), "trigger      every entry\n"),
    (c2h(completion=ring(word_0=2 << 2), count_threshold=64), "count, or the card's logic; count 64 entries\n"),
    (
        c2h(completion=ring(word_0=5 << 2, word_4=1), count_threshold=8, timer_ticks=50, tick_clocks=25),
        "timer or count, or the card's logic; count 8 entries; timer 5.0 us, which runs\n",
    ),
    (c2h(completion=ring(word_0=4 << 2), timer_ticks=1, tick_clocks=25), "timer 0.1 us, which does not run\n"),
    (c2h(completion=ring(word_0=7 << 2)), "trigger      of no known mode\n"),
    (c2h(completion=ring(word_0=2 | 1 << 25, word_4=9 << 4)), "armed: the next trigger sends one by vector 9\n"),
    (c2h(completion=ring(word_0=2, word_4=9 << 4)), "not armed: the program must write CIDX before the"),
    (c2h(completion=ring(word_0=1)), "status       at each trigger\n"),
    (c2h(completion=ring(word_0=3 << 2)), "trigger      the card's logic\n"),
    (
        c2h(completion=ring(word_0=5 << 2)),
        "trigger      timer or count, or the card's logic; count 0 entries; timer 0.0 us",
    ),
    (c2h(completion=ring(word_3=1 << 28 | 1 << 31)), "trigger      off; the card's logic has asked for one\n"),
    (c2h(completion=ring(word_0=2 | 1 << 25, word_4=1 << 15 | 9 << 4)), "sends one by way of interrupt ring 9\n"),
    (c2h(completion=ring(word_0=2 | 2 << 25)), "interrupt    not armed: the program"),
    (c2h(completion=ring(1, word_0=1 << 27)), "written      PIDX 1, has not moved for 100 ms, colour 1\n"),
    (c2h(completion=[0, 0x40, 5, 1 << 28, 0, 3 << 14]), "entries of 8 bytes each, at 0x1400000100c\n"),
    (c2h(completion=ring()), "status       off\n    interrupt    off\n"),
    (c2h(prefetch=(1, 1 << 13)), "prefetch     bypass\n"),
    (c2h(sw_c2h=sw(100, word_1=ENABLED | 2 << 16)), "ring         2048 entries of 32 bytes each, at 0x100001000\n"),
    (h2c(h2c_ring=0), "ring         0 entries of 8 bytes each"),
    (h2c(), "status       off\n    interrupt    off\n"),
    (h2c(sw_h2c=sw(word_1=ENABLED | 1 << 20)), "status       only after an error\n"),
    (
        h2c(sw_h2c=sw(word_1=ENABLED | 3 << 2 | 1 << 20), status_interval=8),
        "status       when all is done, and every 4 descriptors\n",
    ),
    (c2h(map=(3, 1)), "queue 3, number 0 of function 0\n"),
    (c2h(map=(0, 3)), "queue 3, none of function 0, which has 3 from 0 on\n"),
    (c2h(map=(4, 1)), "queue 3, none of function 0, which has 1 from 4 on\n"),
    (c2h(map=(0, 4)), "queue 3, number 3 of function 0\n"),
    (c2h(map=(16, 4), function=2), "queue 3, none of function 2, which has 4 from 16 on\n"),
]


def test_what_a_queue_waits_for(info):
    for state, text in WAITS + LINES:
        said = info.queue(state)
        assert text in said, f"{text!r} is not in\n{said}"


def test_what_moves(info):
    said = info.queue(h2c(), h2c(hw_h2c=hw(1750)))
    assert "moves packets; now it waits for the card: 33 descriptors posted" in said
    assert "CIDX 1750, moved within 100 ms; 33 descriptors are" in said
    assert "PIDX 1783, has not moved for 100 ms\n" in said


def test_fields_that_nothing_keeps_are_not_shown(info):
    """A 0 in them may mean that the hardware does not count there."""
    said = info.queue(h2c() | c2h())
    assert "credit" not in said and "batch" not in said and "raw" not in said


def test_raw_queue(info):
    said = info.queue(h2c(credit_h2c=0xABC), None, "--raw")
    assert re.search(r"raw software H2C +000006f7 00000001 00001000 00000001( 00000000){4}\n", said)
    assert re.search(r"raw credit H2C +00000abc\n", said)
    assert len(re.findall("^    raw ", said, re.MULTILINE)) == 10


def test_any_words_are_printed(info, seed):
    """Whatever a DMA returns, the tool ends normally."""
    chance = random.Random(seed)
    for _ in range(40):
        first, second = (
            {name: [chance.getrandbits(32) for _ in range(count)] for name, count in QUEUE.items()} for _ in range(2)
        )
        errors = {name: [chance.getrandbits(32) for _ in range(count)] for name, count in ERRORS.items()}
        events = tuple((chance.getrandbits(32), chance.getrandbits(32)) for _ in range(EVENTS))
        info.plant(first, second, errors, events)
        assert info.run("queue", "3").startswith("queue 3")
        assert info.run("errors", "--raw").startswith("errors of the DMA")


CASES = [
    ({}, ["cleared: none\n", "error interrupt: not set up\n", "descriptors (GLBL_DSC_ERR_STS): none\n"]),
    (
        {"dsc_err_sts": 1 << 21, "dsc_err_log": (1 << 31 | 5, 21, 1744 << 16 | 9999)},
        [
            "cleared: some\n",
            "bit 21 dsc            a doorbell with a PIDX outside",
            "(masked: nobody is notified)",
            "first: dsc, H2C queue 5, a doorbell with PIDX 9999 when it was 1744\n",
        ],
    ),
    (
        {"dsc_err_sts": 1 << 20, "dsc_err_msk": 1 << 20, "dsc_err_log": (3 << 30 | 2047, 33 << 12 | 20, 0)},
        ["a transfer of data has failed\n", "first: dma, C2H queue 2047, CIDX 33\n"],
    ),
    (
        {
            "dsc_err_sts": 1 << 20 | 1 << 2,
            "dsc_err_log": (1 << 31 | 6, 9 << 12 | 2 << 5 | 20, 0),
            "read_err_log": (1 << 31 | 2 << 20 | 2 << 16 | 6, 3 << 16 | 77, 0x89ABC000, 0x1234567),
        },
        [
            "first: dma, H2C queue 6, CIDX 9\n",
            "kind:  ur_ca, the host does not answer at an address: not mapped, or not the function's; remedy: keep ",
            "first read that has failed: of payload, H2C queue 6, function 3, at 0x123456789abc000, tag 77: completer",
        ],
    ),
    (
        {"dsc_err_sts": 1 << 20 | 1 << 9, "dsc_err_log": (1 << 31, 9 << 5 | 20, 0)},
        ["bit 9  timeout        the host has not answered", "kind:  timeout, the host has not", "(lspci -vv)\n"],
    ),
    (
        {"trq_err_sts": 1 << 5, "trq_err_log": 2 << 27 | 3 << 17 | 0x18098},
        ["first: at 0x18098 of BAR0, by function 3, the doorbell C2H PIDX of its queue 9\n"],
    ),
    (
        {"trq_err_sts": 1 << 5, "trq_err_log": 2 << 27 | 5 << 17 | 0x301C},
        ["by function 5, the doorbell completion CIDX of its queue 1\n"],
    ),
    (
        {"trq_err_sts": 1 << 5, "trq_err_log": 0x18004},
        ["first: at 0x18004 of BAR0, the doorbell H2C PIDX of its queue 0\n"],
    ),
    (
        {"trq_err_sts": 3, "trq_err_log": 1 << 27 | 0x1F0},
        ["csr_unmapped", "vf_access_err", "first: at 0x001f0 of BAR0, by function 0\n"],
    ),
    ({"c2h_err_stat": 1 << 14, "c2h_first_err_qid": 14 << 16 | 6}, ["first: wrb_cidx_err, queue 6\n"]),
    ({"h2c_err_stat": 1, "h2c_first_err_qid": 4}, ["H2C_ERR_STAT): errors are set", "first: zero_len_ds, queue 4"]),
    ({"c2h_err_stat": 1 << 30}, ["bit 30 ?              not one that this tool knows"]),
    ({"glbl_err_stat": 1 << 9}, ["a context command for a queue, ring or function that is not there (masked"]),
    ({"glbl_err_int": 1 << 24 | 2 << 12}, ["error interrupt: armed, vector 2 of function 0\n"]),
    (
        {"glbl_err_int": 1 << 23 | 2 << 12 | 1, "glbl_err_stat": 12, "glbl_err_mask": 8},
        [
            "not armed: it has been sent, or never was armed, by way of interrupt ring 2 of function 1\n",
            "does not tell of 0x00000004 of GLBL_ERR_STAT, which GLBL_ERR_MASK masks\n",
        ],
    ),
]


def test_errors_in_words(info):
    for errors, texts in CASES:
        said = info.errors(errors)
        for text in texts:
            assert text in said, f"{text!r} is not in\n{said}"
        assert "raw" not in said


# Bits of each leaf that have a name; "context commands" has no others.
KNOWN = {
    "descriptors": {1: "poison", 2: "ur_ca", 3: "bcnt", 4: "param", 9: "timeout", 20: "dma", 21: "dsc"},
    "accesses of BAR0": {0: "csr_unmapped", 1: "vf_access_err", 4: "qspc_unmapped", 5: "qid_range"},
    "C2H": {
        **{1: "len_mismatch", 4: "desc_rsp_err", 7: "msi_int_fail"},
        **{12: "wrb_inv_q_err", 13: "wrb_qfull_err", 14: "wrb_cidx_err"},
    },
    "H2C": {0: "zero_len_ds", 2: "no_dma_ds"},
    "context commands": {9: "ind_ctxt_cmd", 10: "ind_ctxt_cmd"},
}


@pytest.mark.parametrize("masked", [False, True])
def test_every_bit_of_every_leaf(info, masked):
    """Each bit is shown with its own name or with none, never with one of another leaf."""
    leaves = ("dsc_err_sts", "trq_err_sts", "c2h_err_stat", "h2c_err_stat", "glbl_err_stat")
    masks = ("dsc_err_msk", "trq_err_msk", "c2h_err_mask", "h2c_err_mask", "glbl_err_mask")
    said = info.errors(dict.fromkeys(leaves, LAST) | dict.fromkeys(masks, 0 if masked else LAST))
    shown, leaf = {}, ""
    for line in said.splitlines():
        if title := re.match(r"  (\S.*) \(\w+\): errors are set$", line):
            leaf = title[1]
        elif bit := re.match(r"    bit (\d+) +(\S+) +(.*)$", line):
            assert ("not one that this tool knows" in line) == (bit[2] == "?"), line
            assert bit[3].endswith(" (masked: nobody is notified)") == masked, line
            shown.setdefault(leaf, {})[int(bit[1])] = bit[2]
    assert shown.keys() == KNOWN.keys()
    for title, bits in KNOWN.items():
        there = bits if title == "context commands" else range(32)
        assert shown[title] == {bit: bits.get(bit, "?") for bit in there}, title


FIRST = [
    ({"dsc_err_sts": 4, "dsc_err_log": (1 << 31 | 8191, 0, 1)}, "first: of an unknown kind, H2C queue 8191\n"),
    ({"dsc_err_sts": 4, "dsc_err_log": (1 << 31, 21, 0)}, "first: dsc, H2C queue 0\n"),
    ({"dsc_err_sts": 4, "dsc_err_log": (1 << 31, 2, 7)}, "first: ur_ca, H2C queue 0\n"),
    ({"trq_err_sts": 1, "trq_err_log": 0x17FFC}, "first: at 0x17ffc of BAR0\n"),
    ({"trq_err_sts": 1, "trq_err_log": 0x18000}, "at 0x18000 of BAR0, the doorbell interrupt ring of its queue 0\n"),
    ({"trq_err_sts": 1, "trq_err_log": 2 << 27 | 0x2FFC}, "first: at 0x02ffc of BAR0, by function 0\n"),
    ({"trq_err_sts": 1, "trq_err_log": 2 << 27 | 0x3000}, "the doorbell interrupt ring of its queue 0\n"),
    ({"trq_err_sts": 1, "trq_err_log": 2 << 27 | 0x17FFC}, "the doorbell completion CIDX of its queue 5375\n"),
    ({"trq_err_sts": 1, "trq_err_log": 1 << 27 | 1 << 17 | 0x18004}, "first: at 0x18004 of BAR0, by function 1\n"),
    ({"c2h_err_stat": 1, "c2h_first_err_qid": 31 << 16 | 8191}, "first: of an unknown kind, queue 8191\n"),
    ({"c2h_err_stat": 1, "c2h_first_err_qid": 1 << 21 | 1 << 16}, "first: len_mismatch, queue 0\n"),
    ({"h2c_err_stat": 1, "h2c_first_err_qid": 1 << 20 | 2 << 16}, "first: no_dma_ds, queue 0\n"),
]


THERE = {"extensions": WATCHDOG}
TICK = 16384  # cycles
EVENT = ((6 << 16 | 12, 1000), (4 << 27 | 6 << 16 | 11, 1250), (1 << 31 | 8 << 27 | 7 << 16 | 1, 2000))
EVENT += ((14 << 27 | 5 << 16 | 1, 2250),)


def test_the_watchdog(info):
    assert "watchdog" not in info.errors({})
    assert "watchdog: off\n" in info.errors(THERE)
    armed = {"watchdog": (1, 10, TICK, EVENTS << 16)}
    assert "watchdog: armed, has found nothing; limit 0.655 ms, trace\n" in info.errors(THERE | armed)
    armed = {"watchdog": (3 | 2047 << 16, 10, TICK, EVENTS << 16)}
    assert "watchdog: armed, has found nothing; limit 0.655 ms, trace of queue 2047 alone\n" in info.errors(
        THERE | armed
    )
    found = THERE | {"watchdog": (0, 10, TICK, 1 << 31 | 4 << 16 | 6)}
    for said in (info.errors(found, events=EVENT), info.run("watchdog")):
        for text in (
            "watchdog: H2C queue 6 has had work and made no progress for 0.655 ms; before that, 4 events\n",
            "    -5.000 us  queue 6    H2C doorbell, PIDX 12\n",
            "    -4.000 us  queue 6    H2C descriptors are read, from 11\n",
            "queue 7    C2H packet is refused, answer 1: no buffer, or its completion ring is full (events before it ",
            "0.000 us  queue 5    stopped by an error, H2C\n",
        ):
            assert text in said, f"{text!r} is not in\n{said}"
    said = info.errors(THERE | {"watchdog": (2 | 1 << 16, 1, 1, 3 << 30 | 1)})
    assert "C2H queue 1 has had work" in said and "before that, 0 events of queue 1 alone\n" in said


@pytest.mark.parametrize("count", [1, 31, 32, 33, 63, 64])
def test_every_event_is_shown(info, count):
    """Also when a reply has no room for them."""
    events = tuple((n % 3 << 27 | n << 16 | 7 * n, 250 * n) for n in range(count))
    found = THERE | {"watchdog": (0, 1, 1, 3 << 30 | count << 16 | 1)}
    said = info.errors(found, "--raw", events=events)
    assert [int(n) for n in re.findall(r" us  queue (\d+) ", said)] == list(range(count))
    assert [int(n, 16) for n in re.findall(r"raw event, cycle +\w+ (\w+)\n", said)] == [250 * n for n in range(count)]
    names = ("H2C doorbell, PIDX", "C2H doorbell, PIDX", "completion doorbell, CIDX")
    for n in range(count):
        assert f"{n - count + 1:10.3f} us  queue {n:<4} {names[n % 3]} {7 * n}\n" in said


def test_events_that_are_not_there(control):
    for first, count in ((0, EVENTS_OF_REPLY + 1), (0, LAST), (EVENTS, 1), (EVENTS - 1, 2), (LAST, 1), (LAST, LAST)):
        assert control.ask("DMA_EVENTS", address=first, value=count).error == errno.EINVAL, (first, count)


def test_the_watchdog_is_armed(info):
    """With the usual limit, with one of each unit, for one queue, again, and disarmed."""
    found = 1 << 31 | EVENTS << 16 | 6
    cases = [
        ((), 153, 1),  # 10 ms are 152.6 ticks
        (("--limit", "65.536us"), 1, 1),
        (("--limit", "65.537us"), 2, 1),
        (("-l", "0.001us"), 1, 1),
        (("--limit", "1.5ms"), 23, 1),
        (("--limit", "2s"), 30518, 1),
    ]
    for options, ticks, control in cases:
        info.plant({}, {}, THERE | {"watchdog": (0, 7, TICK, found)})
        said = info.run(*options, "watchdog", "arm")
        assert info.watchdog() == [control, ticks, TICK, 0], options
        assert f"watchdog: armed, has found nothing; limit {ticks * 0.065536:.3f} ms, trace\n" in said
        assert "opens the card" not in said, "the daemon holds it"
    for queue in (0, 5, QUEUES - 1):
        info.run("watchdog", "arm", str(queue))
        assert info.watchdog()[0] == 3 | queue << 16
    assert "watchdog: off\n" in info.run("watchdog", "disarm")
    assert info.watchdog() == [0, 153, TICK, 0]
    assert "watchdog: off\n" in info.run("watchdog")
    info.plant({}, {}, THERE | {"watchdog": (0, 7, TICK, found)})
    assert "made no progress" in info.run("watchdog", "disarm"), "what was found stays"


def test_a_card_without_a_watchdog(info):
    for argv in (["watchdog"], ["watchdog", "arm"], ["watchdog", "disarm"], ["--limit", "1s", "watchdog", "arm", "0"]):
        done = info.call(*argv)
        assert done.returncode == 1 and "its DMA has no watchdog" in done.stderr, argv


WRONG = [
    (["watchdog", "on"], "watchdog 'on'? There are arm and disarm"),
    (["watchdog", "disarm", "0"], "watchdog disarm takes no argument"),
    (["watchdog", "arm", "0", "1"], "give one number of a queue at most"),
    (["watchdog", "arm", "x"], "'x' is no number of a queue"),
    (["--limit", "10ms", "watchdog"], "--limit is for watchdog arm"),
    (["--limit", "10ms", "watchdog", "disarm"], "--limit is for watchdog arm"),
    (["--limit", "10ms", "errors"], "--limit is for watchdog arm"),
    (["--limit", "10ms"], "--limit is for watchdog arm"),
    *(
        (["--limit", text, "watchdog", "arm"], f"--limit {text}: give a time as in 500us, 10ms or 1s")
        for text in ("", "10", "ms", "10 ms", "-1ms", "0s", "nan s", "infs", "1e999s", "10msx", "10m")
    ),
    (["--limit", "2.2s", "watchdog", "arm"], "--limit: this DMA waits for 2147418us at most"),
]


def test_wrong_uses_of_the_watchdog(info):
    info.plant({}, {}, THERE | {"watchdog": (0, 7, TICK, 0)})
    for argv, text in WRONG:
        done = info.call(*argv)
        assert done.returncode == 2 and text in done.stderr, (argv, done.stderr)
        assert info.watchdog() == [0, 7, TICK, 0], argv


def test_the_first_error_of_a_kind(info):
    for errors, text in FIRST:
        said = info.errors(errors)
        assert text in said, f"{text!r} is not in\n{said}"
    assert "first" not in info.errors({"dsc_err_sts": 4, "dsc_err_log": (LAST >> 1, LAST, LAST)}), "not valid"


def test_old_logs_are_not_shown(info):
    """Logs of a cleared leaf: logs stay, errors do not."""
    said = info.errors({"trq_err_log": 0x18004, "c2h_first_err_qid": 5, "dsc_err_log": (1 << 31, 20, 0)})
    assert "first" not in said and "cleared: none" in said


def test_raw_errors(info):
    said = info.errors({"dsc_err_log": (1, 2, 3)}, "-r")
    assert re.search(r"raw GLBL_DSC_ERR_LOG0-2 +00000001 00000002 00000003\n", said)
    assert len(re.findall("^    raw ", said, re.MULTILINE)) == 18


def test_a_read_that_fails(info):
    """At the second look at a queue, at the first, and of the errors: the reason, and no state that was not read."""
    for planted, argv in (
        (packed(QUEUE, {}), ("queue", "3")),
        (b"", ("queue", "3")),
        (packed(QUEUE, {}) * 2, ("errors",)),
    ):
        info.file.write_bytes(planted)
        done = info.call(*argv)
        assert (done.returncode, done.stdout) == (1, ""), argv
        assert "the card does not answer" in done.stderr


# --- all together


@pytest.fixture
def model_program(host_build):
    """Not among what the other tests need."""
    name = "libullnic-test-card"
    if "ULLNIC_HOST_BUILD" not in os.environ:
        from ullnic.build import build_host

        build_host(progress=False, targets=(name,))
    return host_build / "bin" / name


def test_through_the_daemon_of_a_card(host_build, model_program, tmp_path):
    """ullnicd over libullnic over the DMA's model: its own queue, while it runs; looking causes no error."""
    card, path, tool = tmp_path / "card", tmp_path / "s", host_build / "bin" / "ullnic-info"
    model = Job([str(model_program), "--socket", str(card)])
    daemon = None
    try:
        assert model.read_line() == "ready"
        daemon = Job(
            [str(host_build / "bin" / "ullnicd"), "--card", f"vfio-user:{card}", "--socket", str(path)]
            + ["--address", "1=10.9.1.2/24", "--unconfined"]
        )
        assert daemon.read_line() == "ready"

        def run(*argv: str, code: int = 0) -> str:
            done = subprocess.run([tool, "--card", f"ullnicd:{path}", *argv], capture_output=True, text=True)
            assert done.returncode == code, done.stderr
            return done.stdout + done.stderr

        said = run("queue", "1")
        assert "reset" not in said
        assert "H2C (host to card): waits for the program: all descriptors" in said
        assert "waits for packets: 2047 buffers posted and not fetched\n" in said
        assert "interrupt    armed: the next trigger sends one by vector 1\n" in said
        assert "not in use" in run("queue", "0")
        assert "no queue 2048; give one of its 2048" in run("queue", "2048", code=1)
        assert "cleared: none" in run("errors"), "looking was an error of its own"
        assert "card trigger" in run()
    finally:
        for job in (daemon, model):
            if job is not None:
                job.kill()
                job.last_words()


def test_wrong_use(host_build):
    tool = host_build / "bin" / "ullnic-info"
    for argv, text in (
        (["queue"], "give one number of a queue, as in: queue 0"),
        (["queue", "0", "1"], "give one number of a queue"),
        (["queue", "x"], "'x' is no number of a queue"),
        (["queue", ""], "'' is no number of a queue"),
        (["queue", "99999999999999999999"], "is no number of a queue"),
        (["queue", "3x"], "'3x' is no number of a queue"),
        (["errors", "0"], "errors takes no argument"),
        (["queues"], "what is 'queues'? A card is named with --card; else there are queue N, errors and watchdog"),
    ):
        done = subprocess.run([tool, *argv], capture_output=True, text=True)
        assert done.returncode == 2 and text in done.stderr and "usage: ullnic-info" in done.stderr, argv
    text = subprocess.run([tool, "--help"], capture_output=True, text=True).stdout
    assert "queue N" in text and "errors" in text and "--raw" in text
