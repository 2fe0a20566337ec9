# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Folders that Debian packages are unpacked into, and how their programs run without being installed."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.progress import StatusLine

LIST = "packages.tsv"  # name and version of each; written last, so it marks a complete tree
MERGED = ("bin", "lib", "lib64", "sbin")  # links into usr: packages of older releases still use both names
LIBRARIES = "usr/lib/x86_64-linux-gnu"
LOADER = f"{LIBRARIES}/ld-linux-x86-64.so.2"
UNUSED = (  # in any package: not needed
    *(f"usr/share/{name}" for name in ("doc", "man", "locale", "info", "bash-completion", "lintian", "bug")),
    "lib/x86_64-linux-gnu/gconv",
)


@dataclass(frozen=True)
class Tree:
    """Unpacked packages."""

    root: Path

    def whole(self) -> bool:
        return (self.root / LIST).is_file()

    def versions(self) -> dict[str, str]:
        """Versions of the packages, by name."""
        return dict(line.split("\t") for line in (self.root / LIST).read_text().splitlines())

    def command(self, program: str) -> list[str]:
        """Runs a program with the tree's own loader and libraries, so that none of the system's is mixed in.

        `program`: relative to the root.
        """
        loader = [self.root / LOADER, "--inhibit-cache", "--library-path", self.root / LIBRARIES]
        return [*map(str, loader), "--argv0", Path(program).name, str(self.root / program)]


def unpack(label: str, packages: Sequence[Path], root: Path, unused: Iterable[str] = ()) -> Tree:
    """Makes the tree `root` of packages, replacing an older one; `unused`: patterns of files to leave out."""
    fresh = root.with_name(root.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)  # left by a killed command
    for name in MERGED:
        (fresh / "usr" / name).mkdir(parents=True)
        (fresh / name).symlink_to(f"usr/{name}")
    status, lines = StatusLine(label), []
    for count, package in enumerate(packages, 1):
        status.step = f"{count} of {len(packages)}"
        status.update()
        lines.append(unpack_one(package, fresh, (*UNUSED, *unused)))
        package.unlink()
    status.end("done")
    (fresh / LIST).write_text("".join(f"{line}\n" for line in sorted(lines)))
    old = root.with_name(root.name + ".old")
    shutil.rmtree(old, ignore_errors=True)
    if root.exists():
        root.rename(old)  # a guest may still run from there
    fresh.rename(root)
    shutil.rmtree(old, ignore_errors=True)
    return Tree(root)


def unpack_one(package: Path, root: Path, unused: Iterable[str]) -> str:
    """Returns the package's line in LIST."""
    tar = [
        "tar",
        "--extract",
        "--directory",
        root,
        "--keep-directory-symlink",
    ]  # `dpkg-deb --extract` does not keep them
    tar += ["--no-same-owner", "--no-same-permissions", *(f"--exclude={pattern}" for pattern in unused)]
    show = ["dpkg-deb", "--show", "--showformat", "${Package}\\t${Version}", package]
    with tempfile.TemporaryFile("w+") as said:
        reader = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE, stderr=said)
        with reader:
            writer = subprocess.run(tar, stdin=reader.stdout, stdout=subprocess.DEVNULL, stderr=said)
        shown = subprocess.run(show, stdout=subprocess.PIPE, stderr=said, text=True)
        if reader.returncode or writer.returncode or shown.returncode:
            said.seek(0)
            raise UllnicError(
                f"{package.name} cannot be unpacked: {said.read().strip()[-500:]}", "check the free disk space"
            )
    return shown.stdout
