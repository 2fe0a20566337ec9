# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Opens a capture: a file or a pipe, plain or compressed. Refuses what cannot be a capture."""

import errno
import io
import os
import shlex
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from ullnic.captures import pcap, pcapng
from ullnic.captures.compressed import COMPRESSED, OTHERS, Decompressor, Joined
from ullnic.captures.packets import Packet, Stream
from ullnic.errors import UllnicError

HEAD_BYTES = 6  # the longest magic number
NOT_OF_WIRESHARK = ("bzip2", "xz", "zstd")  # the last one, in some builds of it
REMEDY = "give an existing pcap or pcapng file of an Ethernet interface"


class Capture:
    """An open file or pipe. `path`: as the user named it."""

    def __init__(self, path: Path):
        check_path(path)
        self.path = path
        self._compression = ""
        self._open = ExitStack()
        try:
            mode = os.stat(path).st_mode
            self.is_pipe = not stat.S_ISREG(mode)
            if stat.S_ISFIFO(mode):  # opening it may wait for the writer
                print(f"ullnic: reading the capture from {path}, to its end ...", file=sys.stderr, flush=True)
            self._file = self._open.enter_context(open(path, "rb"))  # noqa: SIM115
        except OSError as error:
            raise unreadable(path, error) from error
        if self._file.isatty():
            raise UllnicError(f"the capture {path} cannot be read: it is a terminal", "give a file or a pipe")
        self.status = os.fstat(self._file.fileno())

    def close(self) -> None:
        self._open.close()

    def packets(self) -> Iterator[Packet]:
        """Raises UllnicError if it is no capture, Damaged if it cannot be read any further."""
        try:
            file, head = self._file, self._file.read(HEAD_BYTES)
            for magic, (name, open_it) in COMPRESSED.items():
                if head.startswith(magic):
                    whole = io.BufferedReader(Joined(head, file))
                    file = self._open.enter_context(Decompressor(name, open_it(whole)))
                    head = file.read(HEAD_BYTES)
                    self._compression = name
                    break
            yield from self._reader(head)(Stream(file, head))
        except OSError as error:
            raise unreadable(self.path, error) from error

    def _reader(self, head: bytes) -> Callable[[Stream], Iterator[Packet]]:
        if not head:
            cause = "see why the program that writes it wrote nothing; or " if self.is_pipe else ""
            raise UllnicError(f"the capture {self.path} is empty: there is not one byte in it", cause + REMEDY)
        if head.startswith(pcapng.MAGIC):
            return pcapng.packets
        if pcap.byte_order(head):
            return pcap.packets
        for magic, (name, remedy) in OTHERS.items():
            if head.startswith(magic):
                raise UllnicError(f"the capture {self.path} is compressed by {name}, which is not read here", remedy)
        raise UllnicError(
            f"unknown file format: {self.path} begins with the bytes {head.hex(' ')}; pcap and pcapng do not",
            f"{REMEDY}; editcap FILE NEW.pcapng (of Wireshark) converts other formats of captures",
        )

    def repair(self, frames: int) -> str:
        """The remedy for damage after this many frames."""
        if self.is_pipe:
            return "let the program that writes the pipe end in order (tcpdump: SIGINT, not SIGKILL)"
        if not frames:
            return "capture again: no frame comes before the damage"
        file, first = shlex.quote(str(self.path)), ""
        if self._compression in NOT_OF_WIRESHARK:
            file, first = "CUT", f"{self._compression} -dc {file} >CUT; "
        keeps = f"keeps the {frames} frames before the damage"
        return f"{first}editcap {file} NEW.pcapng (of Wireshark) {keeps}; or capture again"


def check_path(path: Path) -> None:
    """Refuses, without opening it, what cannot be read."""
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if stat.S_ISSOCK(mode):
            raise OSError(errno.ENXIO, "It is a socket")
        if not os.access(path, os.R_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the name
        raise unreadable(path, error) from error


def unreadable(path: Path, error: Exception) -> UllnicError:
    what = "does not exist" if isinstance(error, FileNotFoundError) else "cannot be read"
    return UllnicError(f"the capture {path} {what}: {getattr(error, 'strerror', None) or error}", REMEDY)
