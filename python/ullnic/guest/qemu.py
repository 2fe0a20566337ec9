# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Finds a QEMU that supports vfio-user, or fetches one."""

import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.guest.repository import Repository, Source, Version, later_suites
from ullnic.guest.trees import LIBRARIES, Tree, unpack
from ullnic.toolchain import which

MIN_QEMU = (10, 1)  # the first one with the device vfio-user-pci
PROGRAM = "qemu-system-x86_64"
PACKAGE = "qemu-system-x86"
REMEDY = "install QEMU 10.1 or newer yourself, and name it: ULLNIC_QEMU=/path/to/qemu-system-x86_64 ./ullnic guest"


@dataclass(frozen=True)
class Qemu:
    command: tuple[str, ...]
    env: dict[str, str] = field(default_factory=dict)

    @property
    def version(self) -> tuple[int, int] | None:
        """(11, 1) for "QEMU emulator version 11.1.3 (...)"; None if the answer is not QEMU's."""
        answer = self._ask("--version")
        match = re.match(r"QEMU emulator version (\d+)\.(\d+)", answer.stdout) if answer else None
        return (int(match[1]), int(match[2])) if match else None

    def fault(self) -> str:
        """Why this QEMU is unsuitable; empty if it is suitable."""
        version = self.version
        if version is None:
            return "does not answer like QEMU"
        if version < MIN_QEMU:
            return f"is version {version[0]}.{version[1]}, and vfio-user came with {MIN_QEMU[0]}.{MIN_QEMU[1]}"
        answer = self._ask("-device", "vfio-user-pci,help")
        if answer is None or answer.returncode != 0:
            return "was built without the device vfio-user-pci"
        return ""

    def _ask(self, *arguments: str) -> subprocess.CompletedProcess | None:
        try:
            return subprocess.run(
                [*self.command, *arguments], capture_output=True, text=True, timeout=60, env=os.environ | self.env
            )
        except (OSError, subprocess.TimeoutExpired):
            return None


def of_machine() -> tuple[Qemu | None, str]:
    """The installed QEMU, or why there is no suitable one; raises an error if the user named an unsuitable one."""
    chosen = os.environ.get("ULLNIC_QEMU")
    path = chosen or which(PROGRAM)
    if not path:
        return None, f"{PROGRAM} is not installed"
    qemu = Qemu((path,))
    fault = qemu.fault()
    if fault and chosen:
        raise UllnicError(f"ULLNIC_QEMU={chosen} {fault}", "unset it, or name another one")
    return (None, f"{path} {fault}") if fault else (qemu, "")


def of_tree(tree: Tree) -> Qemu:
    """The QEMU that `fetch` has unpacked."""
    share = tree.root / "usr" / "share"
    data = [part for name in ("qemu", "seabios") for part in ("-L", str(share / name))]
    modules = {"QEMU_MODULE_DIR": str(tree.root / LIBRARIES / "qemu")}
    qemu = Qemu((*tree.command(f"usr/bin/{PROGRAM}"), *data), modules)
    if fault := qemu.fault():
        raise UllnicError(f"the QEMU in {tree.root} {fault}", f"./ullnic guest --renew fetches it again; or {REMEDY}")
    return qemu


def fetch(root: Path, repository: Repository, why_not: str) -> Tree:
    """Unpacks into `root` the first QEMU that is new enough, from this release or a later one."""
    mirror = repository.sources[0]
    tried = []
    for suite in (mirror.suite, *later_suites(mirror.suite)):
        if suite != mirror.suite:
            try:
                repository.add([Source(mirror.uri, suite)])
            except UllnicError as error:
                tried.append(f"{suite}: {error.message.splitlines()[-1]}")
                continue
        if version := new_enough(repository.versions(PACKAGE)):
            label = f"fetching QEMU {version.text} from Debian's {version.suite}"
            packages = repository.fetch(label, [PACKAGE], version.suite)
            return unpack("unpacking QEMU", packages, root)
        tried.append(f"{suite}: too old")
    raise UllnicError(f"{why_not}, and no suite of {mirror.uri} has a newer one ({'; '.join(tried)})", REMEDY)


def new_enough(versions: list[Version]) -> Version | None:
    return next((each for each in versions if each.upstream >= MIN_QEMU), None)
