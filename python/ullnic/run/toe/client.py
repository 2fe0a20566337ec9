# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Programs that use the card's applications: python -m ullnic.run.toe.client ROLE ...; they report in JSON lines."""

import argparse
import hashlib
import json
import random
import selectors
import socket
import sys
import threading
import time

CHUNK_BYTES = 1 << 16
REPORT_INTERVAL_S = 0.2
TIMEOUT_S = 60  # longer than any retransmission takes
LINE_BYTES = 64  # of the generator, cards/toe/rtl/app_generator.sv
BLOCK_LINES = 16
REFUSED_WAIT_S = 0.2
VICTIM_WAIT_S = 0.05


def say(**event) -> None:
    print(json.dumps(event), flush=True)


class Reporter:
    def __init__(self):
        self.next_s = 0.0

    def __call__(self, **event) -> None:
        if time.monotonic() >= self.next_s:
            self.next_s = time.monotonic() + REPORT_INTERVAL_S
            say(**event)


def connect(address: tuple[str, int]) -> socket.socket:
    """Waits until the card has a free session."""
    deadline = time.monotonic() + TIMEOUT_S
    while True:
        try:
            return socket.create_connection(address, timeout=TIMEOUT_S)
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise
            time.sleep(REFUSED_WAIT_S)


class Echo:
    """One connection to the echo service: what it sends must come back, byte for byte, and then the end."""

    def __init__(self, address: tuple[str, int], total_bytes: int, seed: str):
        self.numbers = random.Random(seed)
        self.left_bytes, self.got_bytes, self.total_bytes = total_bytes, 0, total_bytes
        self.sent_hash, self.got_hash = hashlib.sha256(), hashlib.sha256()
        self.chunk = memoryview(b"")
        self.finished = False
        self.socket = connect(address)
        self.socket.setblocking(False)

    def fileno(self) -> int:
        return self.socket.fileno()

    @property
    def wants(self) -> int:
        return selectors.EVENT_READ | (selectors.EVENT_WRITE if self.left_bytes else 0)

    def write(self) -> None:
        if not self.chunk:
            data = self.numbers.randbytes(min(CHUNK_BYTES, self.left_bytes))
            self.sent_hash.update(data)
            self.chunk = memoryview(data)
        count_bytes = self.socket.send(self.chunk)
        self.chunk = self.chunk[count_bytes:]
        self.left_bytes -= count_bytes
        if not self.left_bytes:
            self.socket.shutdown(socket.SHUT_WR)

    def read(self) -> None:
        data = self.socket.recv(CHUNK_BYTES)
        self.got_bytes += len(data)
        self.got_hash.update(data)
        self.finished = not data

    @property
    def ok(self) -> bool:
        return self.got_bytes == self.total_bytes and self.sent_hash.digest() == self.got_hash.digest()


def echo(options) -> None:
    """`sessions` connections at once, `bytes` each way in all."""
    share = options.bytes // options.sessions
    shares = [share] * (options.sessions - 1) + [options.bytes - share * (options.sessions - 1)]
    address = (options.ip, options.port)
    echoes = [Echo(address, each, f"{options.seed}-{number}") for number, each in enumerate(shares)]
    report = Reporter()
    with selectors.DefaultSelector() as selector:
        for each in echoes:
            selector.register(each, each.wants)
        while selector.get_map():
            ready = selector.select(TIMEOUT_S)
            if not ready:
                sys.exit(f"nothing has come back for {TIMEOUT_S} s")
            for key, events in ready:
                each = key.fileobj
                if events & selectors.EVENT_READ:
                    each.read()
                if events & selectors.EVENT_WRITE:
                    each.write()
                if each.finished:
                    selector.unregister(each)
                    each.socket.close()
                elif key.events != each.wants:
                    selector.modify(each, each.wants)
            report(bytes=sum(each.got_bytes for each in echoes))
    say(
        event="done",
        bytes=sum(each.got_bytes for each in echoes),
        ok=all(each.ok for each in echoes),
        bad=[number for number, each in enumerate(echoes) if not each.ok],
    )


def lines(options) -> None:
    """Takes so many bytes of the generator, and compares."""
    block = b"".join(
        bytes(0x30 + (line + column) % 64 for column in range(LINE_BYTES - 2)) + b"\r\n" for line in range(BLOCK_LINES)
    )
    report, got = Reporter(), bytearray()
    with socket.create_connection((options.ip, options.port), timeout=TIMEOUT_S) as connection:
        while len(got) < options.bytes:
            data = connection.recv(CHUNK_BYTES)
            if not data:
                sys.exit(f"the generator stopped after {len(got)} bytes")
            got += data
            report(bytes=len(got))
        # Closed with more on its way: the kernel answers that with a reset, as it does to any such peer.
    say(event="done", bytes=len(got), ok=bytes(got) == (block * (len(got) // len(block) + 1))[: len(got)])


def discard(options) -> None:
    """Gives so many bytes to nobody, and waits until the card has closed too."""
    report, left_bytes = Reporter(), options.bytes
    data = random.Random(options.seed).randbytes(CHUNK_BYTES)
    with socket.create_connection((options.ip, options.port), timeout=TIMEOUT_S) as connection:
        while left_bytes:
            left_bytes -= connection.send(data[: min(CHUNK_BYTES, left_bytes)])
            report(bytes=options.bytes - left_bytes)
        connection.shutdown(socket.SHUT_WR)
        back = connection.recv(1)
    say(event="done", bytes=options.bytes, ok=back == b"")


def urgent(options) -> None:
    """Urgent data (MSG_OOB) to the echo service, `count` times: it comes back in line, all of it before more goes."""
    good = 0
    with socket.create_connection((options.ip, options.port), timeout=TIMEOUT_S) as connection:
        for number in range(options.count):
            before, marked = bytes([number % 256]) * (number % 5 * 300), b"urgent %d!" % number
            if before:
                connection.sendall(before)
            connection.send(marked, socket.MSG_OOB)
            back = b""
            while len(back) < len(before + marked):
                data = connection.recv(CHUNK_BYTES)
                if not data:
                    sys.exit(f"closed after {number} times")
                back += data
            good += back == before + marked
    say(event="done", good=good, ok=good == options.count)


class Churn:
    """Connections by several threads: a word to a service, back from the echo, then the end."""

    def __init__(self, options):
        self.options = options
        self.numbers = iter(range(options.count))
        self.lock = threading.Lock()
        self.counts = dict.fromkeys(("connections", "wrong", "refused", "reset", "timed_out"), 0)
        self.report = Reporter()

    def count(self, name: str) -> None:
        with self.lock:
            self.counts[name] += 1
            self.report(**self.counts)

    def run(self, port: int) -> None:
        while True:
            with self.lock:
                number = next(self.numbers, None)
            if number is None:
                return
            word = (number + 1).to_bytes(4, "big") * (1 + number % 16)
            while not self.connect(port, word):
                time.sleep(REFUSED_WAIT_S)

    def connect(self, port: int, word: bytes) -> bool:
        """False: refused, no session of the card was free."""
        try:
            with socket.create_connection((self.options.ip, port), timeout=TIMEOUT_S) as connection:
                connection.sendall(word)
                connection.shutdown(socket.SHUT_WR)
                back = b""
                while data := connection.recv(64):
                    back += data
            wanted = b"" if port == self.options.sink else word
            self.count("connections" if back == wanted else "wrong")
        except ConnectionRefusedError:
            self.count("refused")
            return False
        except TimeoutError:
            self.count("timed_out")
        except OSError:
            self.count("reset")
        return True


def churn(options) -> None:
    """So many connections, `at_once` to the echo service and, if `sink` is not 0, as many to one that discards.

    Which has no place is tried again.
    """
    job = Churn(options)
    ports = [options.port, options.sink] if options.sink else [options.port]
    threads = [threading.Thread(target=job.run, args=(port,)) for port in ports for _ in range(options.at_once)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    say(event="done", **job.counts, ok=job.counts["connections"] == options.count)


def victims(options) -> None:
    """Connections, one after the other, each until somebody resets it; the end comes with that of standard input."""
    counts = {"victims": 0, "survived": 0}
    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    while not ended.is_set():
        try:
            with socket.create_connection((options.ip, options.port), timeout=TIMEOUT_S) as connection:
                while not ended.wait(VICTIM_WAIT_S):
                    connection.sendall(bytes(100))
            counts["survived"] += 1
        except OSError:
            counts["victims"] += 1
        say(**counts)
    say(event="done", **counts, ok=True)


ROLES = (
    (echo, "ip port sessions bytes seed"),
    (lines, "ip port bytes"),
    (discard, "ip port bytes seed"),
    (churn, "ip port sink count at_once"),
    (victims, "ip port"),
    (urgent, "ip port count"),
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="ullnic.run.toe.client", description=__doc__)
    roles = parser.add_subparsers(required=True)
    for role, names in ROLES:
        sub = roles.add_parser(role.__name__, help=role.__doc__)
        sub.set_defaults(role=role)
        for name in names.split():
            sub.add_argument(name, type=str if name in ("ip", "seed") else int)
    options = parser.parse_args()
    try:
        options.role(options)
    except OSError as error:
        sys.exit(f"{options.role.__name__}: {error}")


if __name__ == "__main__":
    main()
