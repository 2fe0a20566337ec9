# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What the guest boots: a Debian kernel, its modules, and an initramfs of a few Debian packages."""

import hashlib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.guest import cpio, vmlinux
from ullnic.guest.trees import Tree
from ullnic.progress import run_logged

PACKAGES = ("busybox-static", "bash", "kmod", "pciutils", "iproute2", "iputils-ping", "ethtool")
INIT = Path(__file__).with_name("init")
BOOT_MODULES = ("virtio_pci", "9pnet_virtio", "9p")  # until the share with all modules is mounted
MODULE_LISTS = tuple(f"modules.{name}.bin" for name in ("dep", "alias", "symbols", "builtin", "builtin.alias"))
UNUSED_MODULES = tuple(
    f"lib/modules/*/kernel/{name}"
    for name in ("sound", "drivers/gpu", "drivers/media", "drivers/net/wireless", "drivers/staging", "drivers/iio")
)
UNUSED_KERNEL = (*UNUSED_MODULES, "usr/lib/linux-image-*")
FOLDERS = ("dev", "proc", "sys", "run", "tmp", "root", "share", "usr/local/bin", "usr/lib/busybox")
POWEROFF = b"#!/bin/sh\nsync\nexec /bin/busybox %s -f\n"
KERNEL_PACKAGE = re.compile(r"linux-image-[a-z0-9][a-z0-9.+-]*", re.ASCII)


@dataclass(frozen=True)
class Kernel:
    """An unpacked kernel package."""

    tree: Tree

    @property
    def compressed(self) -> Path:
        return next((self.tree.root / "boot").glob("vmlinuz-*"))

    @property
    def uncompressed(self) -> Path:
        return self.tree.root / "boot" / f"vmlinux-{self.release}"

    @property
    def image(self) -> Path:
        """What QEMU boots."""
        return self.uncompressed if self.uncompressed.exists() else self.compressed

    @property
    def release(self) -> str:
        return self.compressed.name.removeprefix("vmlinuz-")

    @property
    def modules(self) -> Path:
        return self.tree.root / "usr" / "lib" / "modules" / self.release

    def extract(self) -> None:
        if kernel := vmlinux.extract(self.compressed.read_bytes()):
            fresh = self.uncompressed.with_suffix(".new")
            fresh.write_bytes(kernel)
            fresh.replace(self.uncompressed)

    def list_modules(self, userland: Tree, log: Path) -> None:
        """Writes the lists that modprobe reads, as the package does on installation."""
        depmod = [*tool(userland, "depmod"), "--basedir", self.tree.root, self.release]
        if run_logged("lists of the kernel's modules", depmod, log, show=False) != 0:
            raise UllnicError(f"depmod failed; what it said is in {log}", "run it with --renew")

    def check(self) -> None:
        """Raises an error if the guest could not mount its shares."""
        built_in = (self.modules / "modules.builtin").read_text() if (self.modules / "modules.builtin").exists() else ""
        for name in BOOT_MODULES:
            if not self.needed([name]) and f"/{name}.ko" not in built_in:
                raise UllnicError(
                    f"the kernel {self.release} has no {name}, which the guest's shares need",
                    "name another one with --kernel-package, or leave that out",
                )

    def needed(self, names: Iterable[str]) -> list[str]:
        """Files of these modules and of their dependencies, relative to `modules`. Built-in modules have no file."""
        files: dict[str, list[str]] = {}
        for line in (self.modules / "modules.dep").read_text().splitlines():
            file, _, needs = line.partition(":")
            files[Path(file).name.partition(".")[0].replace("-", "_")] = [file, *needs.split()]
        return sorted({file for name in names for file in files.get(name.replace("-", "_"), ())})


def tool(userland: Tree, name: str) -> list[str]:
    """One of kmod's programs, all of which are one binary."""
    command = userland.command("usr/bin/kmod")
    return [*command[: command.index("--argv0") + 1], name, command[-1]]


def initramfs(folder: Path, userland: Tree, kernel: Kernel) -> Path:
    """The archive for these packages; written if it does not exist yet."""
    path = folder / f"initramfs-{digest(userland, kernel)}.cpio"
    if not path.exists():
        for old in folder.glob("initramfs-*"):
            old.unlink()
        fresh = path.with_suffix(".new")
        with fresh.open("wb") as file:
            write_initramfs(cpio.CpioWriter(file), userland, kernel)
        fresh.replace(path)
    return path


def digest(userland: Tree, kernel: Kernel) -> str:
    """Digest of everything that the archive depends on."""
    parts = [repr((userland.versions(), kernel.tree.versions())).encode()]
    parts += [source.read_bytes() for source in (INIT, Path(__file__), Path(cpio.__file__))]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


def write_initramfs(archive: cpio.CpioWriter, userland: Tree, kernel: Kernel) -> None:
    for folder in FOLDERS:
        archive.folder(folder, 0o1777 if folder == "tmp" else 0o755)
    archive.device("dev/console", 5, 1)  # the kernel opens it for init
    archive.file_of("init", INIT.read_bytes(), 0o755)
    for name in ("poweroff", "halt", "reboot"):  # busybox's own versions would ask a busybox init
        archive.file_of(f"usr/local/sbin/{name}", POWEROFF % name.encode(), 0o755)
    archive.file_of("etc/passwd", b"root:x:0:0:root:/root:/bin/bash\n")
    archive.file_of("etc/group", b"root:x:0:\n")
    archive.link("usr/bin/sh", "bash")  # busybox's shell prefers its own applets to the packages' programs
    for above, folders, files in os.walk(userland.root):
        folders.sort()
        for name in sorted((*folders, *files)):
            path = Path(above, name)
            inside = str(path.relative_to(userland.root))
            if inside not in archive.names:
                archive.copy(path, inside)
    where = f"usr/lib/modules/{kernel.release}"
    for name in (*MODULE_LISTS, *kernel.needed(BOOT_MODULES)):
        if (kernel.modules / name).exists():
            archive.copy(kernel.modules / name, f"{where}/{name}")
    archive.end()
