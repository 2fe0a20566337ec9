# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""python ends.py: an end of a connection that a test controls with snippets of Python.

The same program is the one under the socket library and, on the kernel's own sockets, the server and the source of
market data. A line of standard input is a snippet as a JSON string; a line of standard output is its value, or the name
of the errno it raised.
"""

import contextlib
import errno
import fcntl
import json
import select
import socket
import struct
import sys
import termios
import threading
import time
import traceback

from ullnic.run.trade.market import TRIGGER_MAC
from ullnic.run.trade.parts import SERVER, TCP_PORT
from ullnic.run.trade.records import Stream, software

SOL_EXASOCK, SO_EXA_NO_ACCEL, SO_EXA_ATE = 0x200, 1, 3
CHUNK_BYTES = 1 << 16
TRIGGER = bytes.fromhex(TRIGGER_MAC.replace(":", "")) + bytes.fromhex("0200000000fd0800") + bytes(46)
__all__ = ["Market", "Sink", "Writer", "accelerated", "listening", "outstanding", "reset", "select", "struct"]


def listening(port: int = TCP_PORT, receive_bytes: int = 0) -> socket.socket:
    """A server on the kernel's own stack. With `receive_bytes`, it buffers only this much without reading."""
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if receive_bytes:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    server.bind((SERVER.ip, port))
    server.listen(600)
    return server


def accelerated(number: int, port: int = TCP_PORT, timeout_ms: int = 0, ip: str = SERVER.ip) -> socket.socket:
    """A program's connection on which hardware also sends."""
    link = socket.socket()
    link.setsockopt(SOL_EXASOCK, SO_EXA_ATE, number)
    if timeout_ms:
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, timeout_ms)
    link.connect((ip, port))
    return link


def outstanding(link: socket.socket) -> int:
    """Bytes that were written, also by hardware, and are not acknowledged: SIOCOUTQ."""
    return int.from_bytes(fcntl.ioctl(link, termios.TIOCOUTQ, bytes(4)), sys.byteorder)


def reset(link: socket.socket) -> None:
    link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    link.close()


class Sink(threading.Thread):
    """Receives and checks the stream to its end; pauses while `on` is clear."""

    def __init__(self, link: socket.socket):
        super().__init__(daemon=True)
        self.link, self.stream, self.on, self.end, self.given_up = link, Stream(), threading.Event(), "", False
        self.on.set()
        self.start()

    def run(self) -> None:
        try:
            while self.on.wait() and (data := self.link.recv(CHUNK_BYTES)):
                self.stream.feed(data)
            if not self.given_up:
                self.stream.end()
            self.end = "end"
        except OSError as error:
            self.end = errno.errorcode[error.errno]

    def reset(self) -> None:
        """Resets the connection; a socket on which a thread waits would stay open until data arrives."""
        self.given_up = True
        self.link.shutdown(socket.SHUT_RD)
        self.on.set()
        self.join()
        reset(self.link)

    def report(self) -> dict:
        return self.stream.report() | {"end": self.end}


class Writer(threading.Thread):
    """Sends messages, a few in one send(), until it is stopped or fails; `sent` is what send() reported as sent.
    `messages`: how many were sent on this connection before.
    """

    def __init__(self, link: socket.socket, gap_s: float = 0.002, messages: int = 0):
        super().__init__(daemon=True)
        self.link, self.gap_s, self.batch = link, gap_s, 1
        self.stopped, self.sent, self.messages, self.end = False, 0, messages, ""
        self.start()

    def run(self) -> None:
        try:
            while not self.stopped:
                batch = self.batch
                data = b"".join(software(self.messages + 1 + each) for each in range(batch))
                while data:
                    sent = self.link.send(data)
                    self.sent += sent
                    data = data[sent:]
                self.messages += batch
                time.sleep(self.gap_s)
        except OSError as error:
            self.end = errno.errorcode[error.errno]

    def stop(self) -> int:
        self.stopped = True
        self.join()
        return self.messages


class Market(threading.Thread):
    """Frames that trigger, into the card's market port: a requested number, or one after each gap while `on`."""

    def __init__(self, ifname: str):
        super().__init__(daemon=True)
        self.wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        self.wire.bind((ifname, 0))
        self.gap_s, self.on, self.sent = 0.002, threading.Event(), 0
        self.start()

    def fire(self, count: int, gap_s: float = 0) -> None:
        for _ in range(count):
            self.wire.send(TRIGGER)
            self.sent += 1
            if gap_s:
                time.sleep(gap_s)

    def run(self) -> None:
        with contextlib.suppress(OSError):  # the card has ended, and its device with it
            while self.on.wait():
                self.fire(1, self.gap_s)


def answer(piece: str, scope: dict) -> dict:
    try:
        try:
            code = compile(piece, "<test>", "eval")
        except SyntaxError:
            exec(compile(piece, "<test>", "exec"), scope)
            return {"value": None}
        return {"value": eval(code, scope)}
    except OSError as error:
        return {"errno": errno.errorcode.get(error.errno, str(error)), "text": str(error)}
    except Exception:
        return {"wrong": traceback.format_exc()}


def main() -> None:
    scope = dict(globals())
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line), scope), default=repr), flush=True)


if __name__ == "__main__":
    main()
