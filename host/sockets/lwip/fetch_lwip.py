#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Puts the sources of the distribution's lwIP package into a folder; no privilege, nothing of the system changes.

../../cmake/source_package.py says how. Of all sources, these and a user's own, only those are taken that the checks in
this folder were written for: VERSION, byte for byte (SHA256). Standard library only.
"""

import argparse
import hashlib
import os
import shutil
import sys
import tarfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "cmake"))
from source_package import FetchError, fetch  # noqa: E402

VERSION = "2.1.3"
SHA256 = "4c5c4772d96f3bda080474917cf4ba0f1650f82e9f9893fcaab802199418b632"  # see digest()
COMPILED = ("core/*.c", "core/ipv4/*.c", "netif/ethernet.c", "include/**/*.h")  # and what it includes, in src/
REMEDY = f"get lwIP {VERSION} (Debian 12's source package lwip, or its release), set LWIP_DIR to the folder with src/"


def digest(folder: Path) -> str:
    """Digest of the names and contents of the sources, independent of line endings and packing."""
    source = folder / "src"
    names = sorted({path.relative_to(source).as_posix() for glob in COMPILED for path in source.glob(glob)})
    total = hashlib.sha256()
    for name in names:
        data = (source / name).read_bytes().replace(b"\r\n", b"\n")
        total.update(f"{name} {hashlib.sha256(data).hexdigest()}\n".encode())
    return total.hexdigest()


def check(folder: Path) -> None:
    if (found := digest(folder)) != SHA256:
        raise FetchError(f"{folder} does not hold lwIP {VERSION}: SHA-256 {found}, not {SHA256}")


def unpack(archive: Path, folder: Path) -> None:
    with tarfile.open(archive) as tar:
        top = tar.getnames()[0].split("/")[0]
        for member in tar.getmembers():  # only files and folders below its own top
            if member.name.split("/")[0] != top or ".." in member.name.split("/"):
                raise FetchError(f"{archive.name}: {member.name} lies outside of {top}/")
        tar.extractall(folder.parent, members=[m for m in tar.getmembers() if m.isfile() or m.isdir()])
    (folder.parent / top).rename(folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="to be made: will have src/Filelists.cmake")
    parser.add_argument(
        "--check", action="store_true", help="fetch nothing: look whether the folder holds the right ones"
    )
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    work = folder.with_name(f"{folder.name}.download-{os.getpid()}")
    try:
        if arguments.check:
            check(folder)
        if arguments.check or digest(folder) == SHA256:
            return 0
        shutil.rmtree(folder, ignore_errors=True)
        work.mkdir(parents=True)
        unpack(fetch("lwip", work), work / "unpacked")
        check(work / "unpacked")
        (work / "unpacked").rename(folder)
    except (FetchError, OSError, tarfile.TarError) as error:
        print(f"fetch_lwip: no sources of lwIP: {error}\nRemedy: {REMEDY}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
