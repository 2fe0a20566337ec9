# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""One part of a case of side_by_side.py: case_part.py CASE program|peer ME PEER. Says "ready", waits for a line, runs.

A case uses the names of this module."""

import ctypes
import errno
import fcntl
import hashlib
import json
import mmap
import os
import random
import re
import select
import selectors
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

MODULES = (
    ctypes,
    errno,
    fcntl,
    hashlib,
    json,
    mmap,
    os,
    random,
    re,
    select,
    selectors,
    signal,
    socket,
    struct,
    subprocess,
    sys,
)
MODULES += (tempfile, threading, time)
DIAL_PATIENCE_S = 10


def out(*words, **options) -> None:
    print(*words, **{"flush": True} | options)


def err(function, *arguments):
    """The call's result, or the name of its errno."""
    try:
        return function(*arguments)
    except OSError as error:
        return errno.errorcode.get(error.errno, type(error).__name__)


def serve(address: tuple[str, int], backlog: int = 128) -> socket.socket:
    """A listening TCP socket."""
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(address)
    server.listen(backlog)
    return server


def dial(address: tuple[str, int]) -> socket.socket:
    """A connected TCP socket; the other side's serve() may be late."""
    end = time.monotonic() + DIAL_PATIENCE_S
    while True:
        client = socket.socket()
        try:
            client.connect(address)
            return client
        except ConnectionRefusedError:
            client.close()
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def text_of(got):
    """Bytes as length and sum, anything else unchanged."""
    return (len(got), sum(got)) if isinstance(got, bytes) else got


def data_of(count: int) -> bytes:
    return bytes(n & 255 for n in range(count))


def name_of(address, ports: tuple[int, ...]):
    """An address without a port number that the kernel chose; an errno unchanged."""
    if not isinstance(address, tuple):
        return address
    return address[0], address[1] if address[1] in (0, *ports) else "any"


def events(link, hidden: int = select.POLLERR) -> list[str]:
    """TCP sockets of the card do not report POLLERR for an error that nobody asked for (host/sockets/README.md)."""
    poll = select.poll()
    poll.register(link, select.POLLIN | select.POLLOUT | select.POLLPRI | select.POLLRDHUP)
    return [hex(mask & ~hidden) for _, mask in poll.poll(0)]


def tcp_state(link: socket.socket):
    number = link.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
    return "FIN-WAIT" if number in (4, 5) else number  # the peer decides when the ACK arrives


def main(case: str, part: str, me: str, peer: str) -> None:
    names = {module.__name__: module for module in MODULES} | {"ME": me, "PEER": peer, "__name__": "case"}
    names |= {"out": out, "err": err, "serve": serve, "dial": dial}
    names |= {"text_of": text_of, "data_of": data_of, "name_of": name_of, "events": events, "tcp_state": tcp_state}
    with open(case) as file:
        exec(compile(file.read(), case, "exec"), names)
    out("ready")
    sys.stdin.readline()
    names[part]()


if __name__ == "__main__":
    main(*sys.argv[1:])
