# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The example card, and a socket before it whose messages and shared memory a test may change."""

import array
import json
import mmap
import os
import socket
import struct
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

HEADER_BYTES = 16  # of a vfio-user message: id, command, bytes, flags, error
DMA_MAP, REGION_WRITE = 2, 10
DOORBELLS = 0x18000


class ExampleCard:
    def __init__(self, program: Path, path: Path):
        command = [str(program), "--socket", str(path), "--exit-on-stdin-eof"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert json.loads(self.process.stdout.readline())["event"] == "ready"
        self.path = path
        self.name = f"vfio-user:{path}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


class Between:
    """Passes messages of one program to a card and back. Subclasses lose or forge something.

    The memory that the program shares with the card is `self.memory` as soon as it exists.
    """

    def __init__(self, card: ExampleCard, path: Path):
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen()
        self.name = f"vfio-user:{path}"
        self.card = socket.socket(socket.AF_UNIX)
        self.card.connect(str(card.path))
        self.memory = None
        self.rung = threading.Event()  # the first doorbell
        self.threads = [threading.Thread(target=self.serve, daemon=True)]
        self.threads[0].start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for end in (self.listener, self.card):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        for thread in self.threads:
            thread.join(20)

    def serve(self):
        program, _ = self.listener.accept()
        answers = threading.Thread(target=self.answers, args=(program,), daemon=True)
        self.threads.append(answers)
        answers.start()
        waiting, fds = b"", []
        with suppress(OSError):
            while True:
                data, ancillary, *_ = program.recvmsg(1 << 16, socket.CMSG_SPACE(64))
                if not data:
                    break
                fds += [fd for *_, sent in ancillary for fd in array.array("i", sent)]
                waiting += data
                while len(waiting) >= HEADER_BYTES:
                    command, size = struct.unpack_from("<xxHI", waiting)
                    if len(waiting) < size:
                        break
                    # A descriptor may arrive with messages before its own.
                    self.message(command, waiting[:size], [fds.pop(0)] if command == DMA_MAP else [])
                    waiting = waiting[size:]
        with suppress(OSError):
            self.card.shutdown(socket.SHUT_RDWR)

    def message(self, command: int, data: bytes, fds: list[int]):
        if command == DMA_MAP and self.memory is None:
            self.memory = mmap.mmap(fds[0], 0)
        if command != REGION_WRITE or self.passes_write(*struct.unpack_from("<QI", data, HEADER_BYTES)):
            sent = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
            self.card.sendmsg([data], sent)
        for fd in fds:
            os.close(fd)

    def answers(self, program):
        with suppress(OSError):
            while data := self.card.recv(1 << 16):
                program.sendall(data)
        with suppress(OSError):
            program.shutdown(socket.SHUT_RDWR)

    def passes_write(self, offset: int, region: int) -> bool:
        if region == 0 and offset >= DOORBELLS:
            self.rung.set()
        return True


class Deaf(Between):
    """No doorbell reaches the card."""

    def passes_write(self, offset: int, region: int) -> bool:
        return region != 0 or offset < DOORBELLS


class Forger(Between):
    """Bytes of the shared memory that are overwritten, over and over, from the first doorbell on."""

    def __init__(self, card: ExampleCard, path: Path, at: int, data: bytes):
        self.at, self.data = at, data
        super().__init__(card, path)

    def passes_write(self, offset: int, region: int) -> bool:
        if region == 0 and offset >= DOORBELLS and not self.rung.is_set():
            self.rung.set()
            forging = threading.Thread(target=self.forge, daemon=True)
            self.threads.append(forging)
            forging.start()
        return True

    def forge(self):
        while self.card.fileno() >= 0:
            self.memory[self.at : self.at + len(self.data)] = self.data
