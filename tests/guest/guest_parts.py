# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Stand-ins for the parts of a guest."""

import lzma
import struct
from pathlib import Path

from ullnic.guest.image import Kernel
from ullnic.guest.qemu import Qemu
from ullnic.guest.store import Parts
from ullnic.guest.trees import LIST, Tree

RELEASE = "6.1.0-1-amd64"
PVH_NOTE = struct.pack("<III", 4, 8, 18) + b"Xen\0" + bytes(8)
ELF = b"\x7fELF" + bytes(60) + PVH_NOTE
MODULES = {
    "kernel/drivers/virtio/virtio_pci.ko": ["kernel/drivers/virtio/virtio.ko"],
    "kernel/drivers/virtio/virtio.ko": [],
    "kernel/net/9p/9pnet_virtio.ko.xz": ["kernel/net/9p/9pnet.ko", "kernel/drivers/virtio/virtio.ko"],
    "kernel/net/9p/9pnet.ko": [],
    "kernel/fs/9p/9p.ko": ["kernel/net/9p/9pnet.ko"],
    "kernel/drivers/net/virtio_net.ko": ["kernel/drivers/virtio/virtio.ko"],
}


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def bz_image(payload: bytes, magic: bytes = b"HdrS") -> bytes:
    """Laid out according to Linux's boot protocol: three sectors, then the code that contains the payload."""
    head = bytearray(3 * 512)
    head[0x1F1] = 2
    head[0x202:0x206] = magic
    struct.pack_into("<II", head, 0x248, 64, len(payload))
    return bytes(head) + bytes(64) + payload + b"what follows"


def kernel_tree(root: Path) -> Kernel:
    modules = root / "usr" / "lib" / "modules" / RELEASE
    (root / "boot").mkdir(parents=True, exist_ok=True)
    (root / "boot" / f"vmlinuz-{RELEASE}").write_bytes(bz_image(lzma.compress(ELF) + b"size"))
    for name in MODULES:
        (modules / name).parent.mkdir(parents=True, exist_ok=True)
        (modules / name).write_bytes(name.encode())
    (modules / "modules.dep").write_text("".join(f"{name}: {' '.join(each)}\n" for name, each in MODULES.items()))
    (modules / "modules.dep.bin").write_bytes(b"index")
    (root / LIST).write_text(f"linux-image-{RELEASE}\t6.1.1-1\n")
    return Kernel(Tree(root))


def userland_tree(root: Path) -> Tree:
    (root / "usr" / "bin").mkdir(parents=True)
    (root / "etc").mkdir()
    (root / "bin").symlink_to("usr/bin")
    script(root / "usr" / "bin" / "busybox", "exit 1")
    (root / "usr" / "bin" / "empty").touch()
    (root / "etc" / "passwd").write_text("that of the packages\n")
    (root / "etc" / "odd").write_bytes(b"three")  # a length that needs padding
    (root / LIST).write_text("busybox-static\t1.35\n")
    return Tree(root)


def parts(folder: Path, qemu: Path) -> Parts:
    initramfs = folder / "initramfs.cpio"
    initramfs.write_bytes(b"")
    return Parts(Qemu((str(qemu),)), kernel_tree(folder / "kernel"), initramfs)
