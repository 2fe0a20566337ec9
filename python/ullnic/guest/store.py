# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What a guest consists of, in the project's cache: fetched on first use, or on request."""

import platform
import shutil
from dataclasses import dataclass
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.guest.image import PACKAGES, UNUSED_KERNEL, Kernel, initramfs
from ullnic.guest.qemu import Qemu, fetch, of_machine, of_tree
from ullnic.guest.repository import KEYRING, Repository, Source, ask_machine, needs_apt
from ullnic.guest.trees import Tree, unpack
from ullnic.locks import file_lock
from ullnic.paths import CACHE

FOLDER = CACHE / "guest"
STABLE = "stable"  # of a mirror that the user names


@dataclass(frozen=True)
class Parts:
    """The parts of a guest."""

    qemu: Qemu
    kernel: Kernel
    initramfs: Path


class Store:
    """A folder of unpacked packages, and a repository that is opened when one is missing."""

    def __init__(self, folder: Path, mirror: str | None, renew: bool = False):
        self.folder, self.mirror, self.renew = folder, mirror, renew
        self.log = folder / "fetch.log"
        self.opened: Repository | None = None

    def repository(self) -> Repository:
        if not self.opened:
            needs_apt()
            if self.mirror and not KEYRING.exists():
                raise UllnicError(
                    f"{KEYRING} is missing, which tells Debian's packages from forged ones",
                    "install the package debian-archive-keyring",
                )
            sources = [Source(self.mirror.rstrip("/"), STABLE)] if self.mirror else ask_machine()
            self.opened = Repository(self.folder / "apt", sources, self.log)
        return self.opened

    def missing(self, tree: Tree) -> bool:
        return self.renew or not tree.whole()

    def close(self) -> None:
        shutil.rmtree(self.folder / "apt", ignore_errors=True)

    def userland(self) -> Tree:
        tree = Tree(self.folder / "userland")
        if self.missing(tree):
            packages = self.repository().fetch("fetching the guest's packages", PACKAGES)
            tree = unpack("unpacking the guest's packages", packages, tree.root)
        return tree

    def qemu(self) -> Qemu:
        """The machine's QEMU if it is suitable."""
        found, why_not = of_machine()
        if found:
            return found
        tree = Tree(self.folder / "qemu")
        if self.missing(tree):
            tree = fetch(tree.root, self.repository(), why_not)
        return of_tree(tree)

    def kernel(self, package: str, userland: Tree) -> Kernel:
        kernel = Kernel(Tree(self.folder / package))
        if self.missing(kernel.tree):
            real = self._real_kernel(package)
            packages = self.repository().fetch(f"fetching {real}", [real], dependencies=False)
            kernel = Kernel(unpack(f"unpacking {real}", packages, kernel.tree.root, UNUSED_KERNEL))
        if not (kernel.modules / "modules.dep").exists():
            kernel.extract()
            kernel.list_modules(userland, self.log)
        kernel.check()
        return kernel

    def _real_kernel(self, package: str) -> str:
        """linux-image-6.1.0-56-amd64 for linux-image-amd64."""
        repository = self.repository()
        if not repository.versions(package):
            raise UllnicError(
                f"there is no package {package}", "apt-cache search linux-image lists those that there are"
            )
        kernels = [each for each in repository.depends(package) if each.startswith("linux-image-")]
        return kernels[0] if kernels else package


def prepare(kernel_package: str, mirror: str | None = None, renew: bool = False, folder: Path = FOLDER) -> Parts:
    """`renew`: fetches the packages again; `folder`: where they are kept."""
    if platform.machine() != "x86_64":
        raise UllnicError(f"the guest is one for x86-64; this machine is {platform.machine()}", "use another machine")
    with file_lock(folder / "lock", "fetch of the guest's packages"):
        store = Store(folder, mirror, renew)
        try:
            userland = store.userland()
            kernel = store.kernel(kernel_package, userland)  # before the sources of other releases are added
            found = store.qemu()
            return Parts(found, kernel, initramfs(folder, userland, kernel))
        finally:
            store.close()
