#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Puts the headers of DPDK that only drivers include into a folder.

The distribution's libdpdk-dev lacks them. They are taken from its source package, of the version that is installed, or
from a source tree of that version. Standard library only.
"""

import argparse
import os
import shutil
import sys
import tarfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cmake"))
from source_package import FetchError, fetch, run  # noqa: E402

HEADERS = (
    "lib/eal/include/dev_driver.h",
    "lib/ethdev/ethdev_driver.h",
    "drivers/bus/pci/bus_pci_driver.h",
    "drivers/bus/vdev/bus_vdev_driver.h",
)


def installed_package() -> str:
    """Version of the source package that libdpdk-dev was built from."""
    return run(["dpkg-query", "--show", "--showformat=${source:Version}", "libdpdk-dev"], Path.cwd()).strip()


def from_package(version: str, work: Path) -> dict[str, bytes]:
    archive = fetch("dpdk", work, installed_package())
    with tarfile.open(archive) as tar:
        top = tar.next().name.split("/")[0]
        read = {"VERSION": None} | dict.fromkeys(HEADERS)
        for member in tar:
            name = member.name.removeprefix(f"{top}/")
            if name in read and member.isfile():
                read[name] = tar.extractfile(member).read()
    return read


def from_tree(source: Path) -> dict[str, bytes]:
    return {name: (source / name).read_bytes() for name in ("VERSION", *HEADERS)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("version", help="of DPDK, as pkg-config has it")
    parser.add_argument("folder", type=Path, help="to be made")
    parser.add_argument("--source", type=Path, help="DPDK's source tree, instead of the distribution's package")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    work = folder.with_name(f"{folder.name}.download-{os.getpid()}")
    try:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        read = from_tree(arguments.source) if arguments.source else from_package(arguments.version, work)
        if missing := [name for name, data in read.items() if data is None]:
            raise FetchError(f"not in the sources: {', '.join(missing)}")
        if (found := read["VERSION"].decode().strip()) != arguments.version:
            raise FetchError(f"the sources are of DPDK {found}, installed is {arguments.version}")
        folder.mkdir(exist_ok=True)
        for name in HEADERS:
            (folder / Path(name).name).write_bytes(read[name])
    except (FetchError, OSError, tarfile.TarError) as error:
        remedy = f"get the sources of DPDK {arguments.version}, and configure with -DDPDK_SOURCE=FOLDER"
        print(f"fetch_headers: no headers of DPDK for drivers: {error}\nRemedy: {remedy}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
