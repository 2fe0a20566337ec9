# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Refuses symbolic links in build/ or .cache/, so that nothing is written to wherever a link leads.

Build tools write hundreds of files there and check no link, so every command checks first. `build` and `.cache`
themselves may be links of the tree's owner, the user's or root's, to another disk. Standard library only.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.paths import BUILD, CACHE, ROOT


def check_links() -> None:
    """Raises an error if a link lies where commands write."""
    check_root(BUILD)
    for link in foreign_links(BUILD, deep=True):
        _refuse(link)
    if CACHE == ROOT / ".cache":  # otherwise the user has chosen it
        check_root(CACHE)
        for link in foreign_links(CACHE, deep=False):  # below are the tools' own caches, keyed by content
            _refuse(link)


def check_root(folder: Path) -> None:
    """The folder may be a link, but only one of a user who may decide where this tree writes."""
    if folder.is_symlink() and folder.lstat().st_uid not in (0, os.geteuid(), ROOT.stat().st_uid):
        _refuse(folder)


def foreign_links(folder: str | Path, deep: bool) -> Iterator[str]:
    """Links in a folder that name anything but a neighbour (libullnic.so -> libullnic.so.0 is allowed)."""
    try:
        entries = os.scandir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return
    with entries:
        for entry in entries:
            if entry.is_symlink():
                target = os.readlink(entry.path)
                if os.sep in target or target in (os.curdir, os.pardir):
                    yield entry.path
            elif deep and entry.is_dir(follow_symlinks=False):
                yield from foreign_links(entry.path, deep)


def open_no_link(path: str | Path, flags: int) -> int:
    """For open(..., opener=): a link is an error (ELOOP), not followed."""
    return os.open(path, flags | os.O_NOFOLLOW, 0o666)


def _refuse(link: str | Path) -> None:
    raise UllnicError(
        f"{link} is a symbolic link to {os.readlink(link)}: nothing is written through it",
        f"look where it comes from, and remove it (rm {link}); build itself may be a link of yours, to another disk",
    )
