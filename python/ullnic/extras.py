# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Python packages that few users need: each extra is installed on first use, into its own environment."""

import hashlib
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ullnic import installed
from ullnic.apt import PYTHON
from ullnic.bootstrap import LOG, STAMP, Packages, install_packages, make_venv, write_file
from ullnic.errors import UllnicError
from ullnic.locks import file_lock
from ullnic.paths import BUILD, CACHE, ROOT, VENV


@dataclass(frozen=True)
class Extra:
    """`python`: the oldest suitable version; `without`: how to do without the extra."""

    packages: Packages
    purpose: str
    python: tuple[int, int]
    without: str

    @property
    def stamp(self) -> Path:
        """Written last; says that the environment is complete, and what it was made from. Removed with .venv."""
        return self.packages.venv / STAMP.name

    @property
    def key(self) -> str:
        return hashlib.sha256(self.packages.lockfile.read_bytes()).hexdigest()

    def installed(self) -> bool:
        with suppress(OSError):
            venv = self.packages.venv
            whole = os.access(venv / "bin" / "python", os.X_OK) and not installed.fault(str(venv))
            return whole and self.stamp.read_text() == self.key
        return False


EXTRAS = {
    "cluster": Extra(
        Packages(ROOT / "requirements-cluster.lock", VENV / "cluster", CACHE / "wheels-cluster"),
        "Snakemake",
        (3, 11),
        "leave --executor out",
    ),
    "fuzz": Extra(
        Packages(ROOT / "requirements-fuzz.lock", VENV / "fuzz", CACHE / "wheels-fuzz"),
        "Atheris",
        (3, 10),
        "name the other targets with --only",
    ),
    "mutate": Extra(
        Packages(ROOT / "requirements-mutate.lock", VENV / "mutate", CACHE / "wheels-mutate"),
        "universalmutator",
        (3, 10),
        "name a core: ./ullnic mutate CORE",
    ),
    "docs": Extra(
        Packages(ROOT / "requirements-docs.lock", VENV / "docs", CACHE / "wheels-docs"),
        "MkDocs",
        (3, 11),
        "read the pages as they are; ./ullnic docs --check checks their links",
    ),
}


def ensure(name: str) -> Path:
    """Installs the extra unless it is installed; returns the folder of its commands."""
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
                _install(extra, lock)
    return extra.packages.venv / "bin"


def _install(extra: Extra, lock: int) -> None:
    print(f"ullnic: first use of {extra.purpose}, installing it (about a minute)", file=sys.stderr, flush=True)
    LOG.write_text("")
    before = os.umask(0o022)  # other users can use what root installs
    try:
        make_venv(extra.packages.venv, lock)
        install_packages(extra.packages, lock)
        installed.record(str(extra.packages.venv))
        write_file(extra.stamp, extra.key)
    finally:
        os.umask(before)
