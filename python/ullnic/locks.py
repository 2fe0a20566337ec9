# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A lock between processes. Standard library only: the set-up uses it."""

import errno
import fcntl
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.links import open_no_link


@contextmanager
def file_lock(path: Path, what: str) -> Iterator[int]:
    """Holds `path` locked, waiting for another holder; yields the file descriptor.

    A child that inherits the descriptor keeps the lock if this process is killed, so that nothing runs beside an
    orphan. A normal end releases it: the awaited work is done, and other children may live on.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = open(path, "a", opener=open_no_link)  # noqa: SIM115 (closed below)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise UllnicError(f"{path} is a symbolic link: nothing is written through it", f"rm {path}") from error
        raise UllnicError(
            f"cannot write {error.filename}: {error.strerror}",
            "run it as the user who owns this directory, or copy the directory to a place of your own",
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"ullnic: waiting for another {what} to end ...", file=sys.stderr, flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock.fileno()
        fcntl.flock(lock, fcntl.LOCK_UN)
