# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the archive that Linux unpacks into its first root file system: cpio in the format "newc".

The same files give the same bytes: root owns all of them, and times are 0.
"""

import stat
from pathlib import Path
from typing import BinaryIO

TRAILER = "TRAILER!!!"


class CpioWriter:
    """Entries are written in the order of the calls; a folder must precede its contents."""

    def __init__(self, file: BinaryIO):
        self.file = file
        self.inode = 0
        self.names: set[str] = set()

    def folder(self, name: str, mode: int = 0o755) -> None:
        """Adds a folder and its parents; does nothing if it exists."""
        parent = name.rpartition("/")[0]
        if parent:
            self.folder(parent)
        if name not in self.names:
            self._entry(name, stat.S_IFDIR | mode)

    def file_of(self, name: str, content: bytes, mode: int = 0o644) -> None:
        self._under(name)
        self._entry(name, stat.S_IFREG | mode, content)

    def link(self, name: str, target: str) -> None:
        self._under(name)
        self._entry(name, stat.S_IFLNK | 0o777, target.encode())

    def device(self, name: str, major: int, minor: int) -> None:
        """Adds a character device."""
        self._under(name)
        self._entry(name, stat.S_IFCHR | 0o600, device=(major, minor))

    def copy(self, path: Path, name: str) -> None:
        """Adds a file, link or folder (without its contents) of this machine."""
        if path.is_symlink():
            self.link(name, str(path.readlink()))
        elif path.is_dir():
            self.folder(name)
        else:
            self.file_of(name, path.read_bytes(), 0o755 if path.stat().st_mode & 0o100 else 0o644)

    def end(self) -> None:
        self._entry(TRAILER, 0)

    def _under(self, name: str) -> None:
        parent = name.rpartition("/")[0]
        if parent and parent not in self.names:
            self.folder(parent)

    def _entry(self, name: str, mode: int, content: bytes = b"", device: tuple[int, int] = (0, 0)) -> None:
        if name in self.names:
            raise ValueError(f"{name} is in the archive already")
        self.names.add(name)
        self.inode += mode != 0
        encoded = name.encode() + b"\0"
        links = 2 if stat.S_ISDIR(mode) else 1
        owner, time, own_device = (0, 0), 0, (0, 0)
        numbers = (self.inode if mode else 0, mode, *owner, links, time, len(content), *own_device, *device)
        header = "070701" + "".join(f"{number:08x}" for number in (*numbers, len(encoded), 0))
        self._padded(header.encode() + encoded)
        self._padded(content)

    def _padded(self, data: bytes) -> None:
        self.file.write(data + bytes(-len(data) % 4))
