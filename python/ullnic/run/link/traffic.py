# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""python -m ullnic.run.link.traffic ROLE ...: the programs that talk across the link, one process each.

They speak JSON lines on standard output: {"event": "listening"}, {"bytes": N} as progress, and at the end {"event":
"done", "bytes": N, "sha256": ...}. Sender and receiver each hash their own bytes.
"""

import argparse
import hashlib
import json
import random
import socket
import socketserver
import sys
import time
import urllib.request
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

CHUNK_BYTES = 1 << 16
REPORT_INTERVAL_S = 0.2


class Progress:
    """Counts and hashes a stream of bytes and reports on it now and then."""

    def __init__(self):
        self.count_bytes = 0
        self.hash = hashlib.sha256()
        self.next_report_s = 0.0

    def add(self, data: bytes) -> None:
        self.count_bytes += len(data)
        self.hash.update(data)
        if time.monotonic() >= self.next_report_s:
            self.next_report_s = time.monotonic() + REPORT_INTERVAL_S
            say(bytes=self.count_bytes)

    def done(self) -> None:
        say(event="done", bytes=self.count_bytes, sha256=self.hash.hexdigest())


def say(**event) -> None:
    print(json.dumps(event), flush=True)


def send(options) -> None:
    """Sends seeded random bytes to whoever connects, and waits for the other end to close, so that no reset occurs."""
    numbers = random.Random(options.seed)
    progress = Progress()
    with socket.create_server((options.ip, options.port)) as server:
        say(event="listening")
        connection, _ = server.accept()
    with connection:
        while left_bytes := options.bytes - progress.count_bytes:
            data = numbers.randbytes(min(CHUNK_BYTES, left_bytes))
            connection.sendall(data)
            progress.add(data)
        connection.shutdown(socket.SHUT_WR)
        if connection.recv(1):
            sys.exit("send: the receiver sent something back")
    progress.done()


def receive(options) -> None:
    progress = Progress()
    with socket.create_connection((options.ip, options.port)) as connection:
        while data := connection.recv(CHUNK_BYTES):
            progress.add(data)
    progress.done()


class FileServer(ThreadingHTTPServer):
    """Python's own HTTP server, without its look-up of the host's name, which could wait for a DNS server."""

    def server_bind(self):
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]


def serve(options) -> None:
    handler = partial(SimpleHTTPRequestHandler, directory=options.directory)
    with FileServer((options.ip, options.port), handler) as server:
        say(event="listening")
        server.serve_forever()


def fetch(options) -> None:
    """An HTTP download for machines without curl."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    progress = Progress()
    with opener.open(options.url, timeout=60) as response, open(options.file, "wb") as file:
        while data := response.read(CHUNK_BYTES):
            file.write(data)
            progress.add(data)
    progress.done()


def main() -> None:
    parser = argparse.ArgumentParser(prog="ullnic.run.link.traffic")
    roles = parser.add_subparsers(required=True)
    for role, names in (
        (receive, "ip port"),
        (send, "ip port bytes seed"),
        (serve, "ip port directory"),
        (fetch, "url file"),
    ):
        sub = roles.add_parser(role.__name__)
        sub.set_defaults(role=role)
        for name in names.split():
            sub.add_argument(name, type=int if name in ("port", "bytes") else str)
    options = parser.parse_args()
    try:
        options.role(options)
    except OSError as error:
        sys.exit(f"{options.role.__name__}: {error}")


if __name__ == "__main__":
    main()
