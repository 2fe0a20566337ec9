# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Python packages that few need: each extra is installed when it is first asked for, into an environment of its own."""

import hashlib
import os
import shutil
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ullnic.apt import PYTHON
from ullnic.bootstrap import ATTEMPTS, LOG, PIP_UNSET, write_file
from ullnic.errors import UllnicError
from ullnic.locks import file_lock
from ullnic.paths import BUILD, CACHE, ROOT, VENV
from ullnic.progress import log_tail, run_logged


@dataclass(frozen=True)
class Extra:
    """`python`: the oldest that will do; `without`: how to do without the extra."""

    name: str
    purpose: str
    python: tuple[int, int]
    without: str

    @property
    def lockfile(self) -> Path:
        return ROOT / f"requirements-{self.name}.lock"

    @property
    def venv(self) -> Path:
        """Within .venv, so that it is removed with it."""
        return VENV / self.name

    @property
    def stamp(self) -> Path:
        """Written last; says that the environment is whole, and what it was made of."""
        return self.venv / "ullnic-stamp"

    @property
    def key(self) -> str:
        return hashlib.sha256(self.lockfile.read_bytes()).hexdigest()

    @property
    def wheels(self) -> Path:
        """Beside those of .venv, whose set-up removes all that it does not know."""
        return CACHE / f"wheels-{self.name}" / f"{self.key[:16]}-python{PYTHON}"

    def installed(self) -> bool:
        with suppress(OSError):
            return self.stamp.read_text() == self.key
        return False


EXTRAS = {"cluster": Extra("cluster", "Snakemake", (3, 11), "leave --executor out")}


def ensure(name: str) -> Path:
    """Installs the extra unless it is there; returns the folder of its commands."""
    extra = EXTRAS[name]
    if sys.version_info < extra.python:
        wanted = ".".join(map(str, extra.python))
        raise UllnicError(
            f"{extra.purpose} needs Python {wanted} or newer; this is {PYTHON}",
            f"{extra.without}; or set up anew: rm -r .venv, then ULLNIC_PYTHON=python{wanted} ./ullnic doctor",
        )
    if not extra.installed():
        with file_lock(BUILD / "setup.lock", "set-up") as lock:
            if not extra.installed():  # another process may have done it while this one waited
                before = os.umask(0o022)  # what root installs, others can use
                try:
                    _install(extra, lock)
                finally:
                    os.umask(before)
    return extra.venv / "bin"


def _install(extra: Extra, lock: int) -> None:
    print(f"ullnic: first use of {extra.purpose}, installing it (about a minute)", file=sys.stderr, flush=True)
    LOG.write_text("")
    extra.stamp.unlink(missing_ok=True)
    for variable in PIP_UNSET:
        os.environ.pop(variable, None)
    argv = [sys.executable, "-m", "venv", "--clear", extra.venv]
    if run_logged("virtual environment", argv, LOG, pass_fds=[lock]) != 0:
        raise UllnicError(f"the virtual environment cannot be made:\n{log_tail(LOG, 8)}", f"see {LOG}")
    for attempt in range(1, ATTEMPTS + 1):
        if _packages(extra, lock):
            write_file(extra.stamp, extra.key)
            return
        if attempt < ATTEMPTS:
            print(f"ullnic: that failed, trying again ({attempt} of {ATTEMPTS - 1})", file=sys.stderr, flush=True)
            time.sleep(3 * attempt)
    raise UllnicError(
        f"{extra.purpose} could not be installed; the end of {LOG}:\n{log_tail(LOG, 3)}",
        f"check the network, the package index, and the free disk space; or {extra.without}",
    )


def _packages(extra: Extra, lock: int) -> bool:
    """Downloads to the cache, then installs from there; whether both went well."""
    wheels, complete = extra.wheels, extra.wheels / "complete"
    wheels.mkdir(parents=True, exist_ok=True)
    common = ["--require-hashes", "--requirement", extra.lockfile, "--disable-pip-version-check", "--no-input"]
    if not os.environ.get("PIP_CACHE_DIR"):
        common += ["--cache-dir", CACHE / "pip"]

    def pip(label: str, *arguments: str | Path) -> bool:
        argv = [extra.venv / "bin" / "python", "-m", "pip", *arguments, *common]
        return run_logged(f"{label} {extra.purpose}", argv, LOG, pass_fds=[lock]) == 0

    if not complete.exists():
        if not pip("downloading", "download", "--progress-bar", "off", "--dest", wheels):
            return False
        complete.touch()
    if not pip("installing", "install", "--no-index", "--find-links", wheels):
        complete.unlink()  # damaged, it may be: pip replaces what does not have the hash
        return False
    if CACHE == ROOT / ".cache":  # else other projects may share it
        for old in set(wheels.parent.iterdir()) - {wheels}:
            shutil.rmtree(old, ignore_errors=True)
    return True
