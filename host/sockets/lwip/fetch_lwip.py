#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Puts the sources of the distribution's lwIP package into a folder; no privilege, nothing of the system changes.

apt gets its own state and its own list of sources, made from the archives that this system uses already, with
their source packages added; apt checks the signatures. Standard library only.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

REMEDY = "fetch them yourself (Debian's source package lwip, 2.1.3 or newer) and set LWIP_DIR to the folder with src/"


class FetchError(Exception):
    pass


def run(argv: list[str], cwd: Path) -> str:
    done = subprocess.run(argv, cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise FetchError(f"`{' '.join(argv)}` failed:\n{done.stdout.strip()}")
    return done.stdout


def source_list() -> str:
    """The archives that hold the distribution's packages, as deb-src lines."""
    form = "$(SITE)|$(RELEASE)|$(COMPONENT)|$(ORIGIN)"
    rows = run(["apt-get", "indextargets", "--format", form, "Created-By: Packages"], Path.cwd()).split("\n")
    lines = set()
    for row in filter(None, rows):
        site, release, component, origin = row.split("|")
        if origin in ("Debian", "Ubuntu"):
            key = Path(f"/usr/share/keyrings/{origin.lower()}-archive-keyring.gpg")
            signed = f"[signed-by={key}] " if key.exists() else ""
            for part in {component, "main" if origin == "Debian" else "universe"}:
                lines.add(f"deb-src {signed}{site} {release} {part}")
    if not lines:
        raise FetchError("apt knows no archive of Debian or Ubuntu (was `apt-get update` ever run?)")
    return "\n".join(sorted(lines)) + "\n"


def fetch(work: Path) -> Path:
    """Downloads the package's files. Returns its upstream archive."""
    for folder in ("lists/partial", "cache/archives/partial"):
        (work / folder).mkdir(parents=True, exist_ok=True)
    (work / "sources.list").write_text(source_list())
    options = {
        "Dir::Etc::SourceList": work / "sources.list",
        "Dir::Etc::SourceParts": "-",
        "Dir::State": work,
        "Dir::State::Lists": work / "lists",
        "Dir::Cache": work / "cache",
        "APT::Sandbox::User": "",
        "Acquire::Retries": 3,
    }
    apt = ["apt-get", *(word for name, value in options.items() for word in ("-o", f"{name}={value}"))]
    run([*apt, "update"], work)
    run([*apt, "source", "--download-only", "lwip"], work)
    archives = sorted(work.glob("lwip_*.orig.tar.*"))
    if not archives:
        raise FetchError(f"apt brought no lwip_*.orig.tar.* into {work}")
    return archives[-1]


def unpack(archive: Path, folder: Path) -> None:
    with tarfile.open(archive) as tar:
        top = tar.getnames()[0].split("/")[0]
        for member in tar.getmembers():  # nothing but files and folders below its own top
            if member.name.split("/")[0] != top or ".." in member.name.split("/"):
                raise FetchError(f"{archive.name}: {member.name} lies outside of {top}/")
        tar.extractall(folder.parent, members=[m for m in tar.getmembers() if m.isfile() or m.isdir()])
    (folder.parent / top).rename(folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="to be made: will have src/Filelists.cmake")
    folder = parser.parse_args().folder.resolve()
    if (folder / "src" / "Filelists.cmake").exists():
        return 0
    work = folder.with_name(f"{folder.name}.download-{os.getpid()}")
    try:
        shutil.rmtree(folder, ignore_errors=True)
        work.mkdir(parents=True)
        unpack(fetch(work), work / "unpacked")
        (work / "unpacked").rename(folder)
    except (FetchError, OSError, tarfile.TarError) as error:
        print(f"fetch_lwip: no sources of lwIP: {error}\nRemedy: {REMEDY}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
