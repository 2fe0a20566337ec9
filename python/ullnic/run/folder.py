# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The folder that a run's output goes to, and which older ones are kept.

A folder that a run has created contains MARK. It is locked as long as a run writes or reads there, and its time is that
of the last such run. Folders without it are never removed.
"""

import errno
import fcntl
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from ullnic.captures.opening import Capture
from ullnic.errors import UllnicError
from ullnic.links import open_no_link
from ullnic.locks import file_lock
from ullnic.paths import BUILD

RUNS = BUILD / "run"
KEPT_RUNS = 5
FRAMES = ".ullnic-frames.pcap"  # frames of the user's capture, kept during the run
MARK = ".ullnic-run"
MADE_BY_A_RUN = "made by a run, and removed when newer ones have come\n"
DATED = re.compile(r"\d{8}-\d{6}x*")
MOST_LINKS = 40  # the kernel's limit

out_option = click.option(
    "--out",
    "out_dir",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the output.  "
    f"[default: build/run/DATE-TIME; of these, the {KEPT_RUNS} stay that were last made or read by a run]",
)

_locked: dict[Path, int] = {}  # by folder: the descriptor that holds the lock on its mark until the process ends


class RunFolder:
    """`path` exists and is writable; `begin` makes it the newest run."""

    def __init__(self, path: Path, made: bool, writes: Sequence[str]):
        self.path, self.made, self.writes = path, made, writes
        self.begun = False

    def begin(self) -> None:
        """Called once nothing can be refused any more. Removes an earlier run's files with the names to write."""
        self.begun = True
        for name in self.writes:
            with suppress(IsADirectoryError):
                (self.path / name).unlink(missing_ok=True)
        if self.made:
            with clean_up_lock():
                fresh_link = RUNS / f".latest-{os.getpid()}"
                fresh_link.unlink(missing_ok=True)
                fresh_link.symlink_to(self.path.name)
                fresh_link.replace(RUNS / "latest")
                remove_old()


@contextmanager
def run_folder(wanted: Path | None, writes: Sequence[str], reads: Capture | None = None) -> Iterator[RunFolder]:
    """`wanted`: the user's choice. `writes`: names of the files that the run makes. `reads`: a capture that must
    survive.

    A folder in which no run began is removed.
    """
    try:
        existed = bool(wanted) and wanted.exists()
        if wanted:
            wanted.mkdir(parents=True, exist_ok=True)
            folder = RunFolder(wanted.resolve(), False, writes)
            keep_input(folder, reads)
            own(folder.path)
        else:
            folder = RunFolder(dated_folder(), True, writes)
        with tempfile.TemporaryFile(dir=folder.path):
            pass
    except OSError as error:
        raise UllnicError(
            f"the output folder cannot be written: {error}",
            "choose another with --out DIR; or the folder belongs to root after a run as root",
        ) from error
    try:
        yield folder
    finally:
        (folder.path / FRAMES).unlink(missing_ok=True)
        if folder.made and not folder.begun:
            shutil.rmtree(folder.path, ignore_errors=True)
        elif not folder.made:  # the user's folder: no run removes it
            (folder.path / MARK).unlink(missing_ok=True)
            if not existed and not folder.begun:
                with suppress(OSError):
                    folder.path.rmdir()


def keep_input(folder: RunFolder, capture: Capture | None) -> None:
    """Raises an error if the run would overwrite its input, under whatever name."""
    for name in (*folder.writes, FRAMES):
        with suppress(FileNotFoundError):
            if capture and os.path.samestat((folder.path / name).stat(), capture.status):
                raise UllnicError(
                    f"the run would write its own {name} over its input {capture.path}",
                    "choose another folder with --out DIR, or copy the input elsewhere",
                )


def dated_folder() -> Path:
    """A new folder named by the date."""
    latest = RUNS / "latest"
    if latest.exists() and not latest.is_symlink():
        raise UllnicError(f"{latest} is not the link to the newest run", "rename it")
    with clean_up_lock():
        path = RUNS / time.strftime("%Y%m%d-%H%M%S")
        while path.exists():
            path = path.with_name(path.name + "x")
        path.mkdir(parents=True)
        (path / MARK).write_text(MADE_BY_A_RUN)
        own(path)
    return path


def clean_up_lock():
    """Held only briefly, not for a run."""
    RUNS.mkdir(parents=True, exist_ok=True)
    return file_lock(RUNS / ".lock", "run's clean-up")


def own(folder: Path) -> None:
    """Locks it for this process; raises an error if another run writes there."""
    folder = folder.resolve()
    if folder not in _locked:
        _locked[folder] = open_no_link(folder / MARK, os.O_RDWR | os.O_CREAT)
    try:
        with suppress_no_locks():
            fcntl.flock(_locked[folder], fcntl.LOCK_EX | fcntl.LOCK_NB)
            fcntl.flock(_locked[folder], fcntl.LOCK_SH)  # others may read the files there
    except BlockingIOError:
        raise UllnicError(f"another run uses the folder {folder}", "choose another with --out DIR, or wait") from None


@contextmanager
def suppress_no_locks() -> Iterator[None]:
    """Some network file systems have no locks."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS):
            raise


def open_input(path: Path) -> Capture:
    """Opens a capture that the user names. If it is in a run's folder, that folder is kept and counts as just used."""
    runs = RUNS.resolve()
    for place in links_to(path):
        if place.is_relative_to(runs) and len(place.relative_to(runs).parts) > 1:
            folder = runs / place.relative_to(runs).parts[0]
            if (folder / MARK).exists() and folder not in _locked:
                # Another user's folder: this user's runs cannot remove it either.
                with suppress(OSError, UllnicError), clean_up_lock():
                    _locked[folder] = open_no_link(folder / MARK, os.O_RDONLY)
                    fcntl.flock(_locked[folder], fcntl.LOCK_SH | fcntl.LOCK_NB)
                    os.utime(_locked[folder])
    return Capture(path)


def links_to(path: Path) -> Iterator[Path]:
    """The real paths of a file and of each link on the way to it."""
    for _ in range(MOST_LINKS):
        place = Path(os.path.realpath(path.parent)) / path.name
        yield place
        if not place.is_symlink():
            return
        path = place.parent / os.readlink(place)


def remove_old() -> None:
    """Removes the run folders that were unused for longest; never one that is in use."""
    dated = [path for path in RUNS.iterdir() if DATED.fullmatch(path.name) and not path.is_symlink()]
    made = [path for path in dated if is_made_by_a_run(path / MARK)]
    for path in sorted(made, key=last_used)[:-KEPT_RUNS]:
        with suppress(OSError), open(path / MARK, "r+") as mark:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(path, ignore_errors=True)


def is_made_by_a_run(mark: Path) -> bool:
    with suppress(OSError):
        return mark.read_text() == MADE_BY_A_RUN
    return False


def last_used(folder: Path) -> float:
    with suppress(OSError):
        return (folder / MARK).stat().st_mtime
    return 0.0
