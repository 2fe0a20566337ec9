# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Decompresses a capture as it is read, from a file or a pipe."""

import bz2
import gzip
import io
import lzma
import shutil
import subprocess
import threading
import zlib
from contextlib import suppress
from typing import BinaryIO

from ullnic import apt
from ullnic.captures.packets import Damaged
from ullnic.errors import UllnicError
from ullnic.toolchain import which


class Zstd:
    """The program zstd: Python's own library has it only from 3.14 on."""

    def __init__(self, source: BinaryIO):
        program = which("zstd")
        if not program:
            raise UllnicError("the capture is compressed by zstd, which is not installed", apt.install_line(["zstd"]))
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self._process = subprocess.Popen([program, "--decompress", "--stdout", "--quiet", "--long=31"], **pipes)
        self._feeder = threading.Thread(target=self._feed, args=(source,), daemon=True)
        self._feeder.start()

    def _feed(self, source: BinaryIO) -> None:
        with suppress(OSError), self._process.stdin as sink:  # it may end before its input does
            shutil.copyfileobj(source, sink)

    def read(self, count: int) -> bytes:
        data = self._process.stdout.read(count)
        if len(data) < count and self._process.wait():
            raise OSError(self._process.stderr.read().decode(errors="replace").strip())
        return data

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        self._process.stderr.close()


COMPRESSED = {
    b"\x1f\x8b": ("gzip", lambda file: gzip.GzipFile(fileobj=file)),
    b"\x28\xb5\x2f\xfd": ("zstd", Zstd),
    b"BZh": ("bzip2", bz2.BZ2File),
    b"\xfd7zXZ\0": ("xz", lzma.LZMAFile),
}
OTHERS = {
    b"\x04\x22\x4d\x18": ("lz4", "lz4 -dc FILE >NEW, and give NEW"),
    b"PK\x03\x04": ("zip", "unzip it, and give the file that was in it"),
}


class Decompressor:
    """Wraps a decompressor and reports its errors as damage of the capture."""

    def __init__(self, name: str, file: BinaryIO):
        self._name, self._file = name, file

    def __enter__(self) -> "Decompressor":
        return self

    def __exit__(self, *_) -> None:
        self._file.close()

    def read(self, count: int) -> bytes:
        try:
            return self._file.read(count)
        except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
            raise Damaged(f"{self._name} cannot decompress it to its end: {error}") from error


class Joined(io.RawIOBase):
    """What has been read of a file, followed by the rest of it."""

    def __init__(self, head: bytes, rest: BinaryIO):
        self._head, self._rest = head, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:
        data = self._head[: len(buffer)] or self._rest.read(len(buffer))
        self._head = self._head[len(data) :]
        buffer[: len(data)] = data
        return len(data)
