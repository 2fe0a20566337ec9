# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Extracts the kernel from its compressed image, so that QEMU starts it directly (PVH).

Decompression by a simulated processor would take most of the boot.
"""

import lzma
import re
import struct
import zlib
from contextlib import suppress

HEADER_MAGIC = slice(0x202, 0x206)  # as in Documentation/arch/x86/boot.rst
SETUP_SECTORS = 0x1F1
PAYLOAD = 0x248  # offset from the protected-mode code, and length
SECTOR = 512
# A Xen note, XEN_ELFNOTE_PHYS32_ENTRY: where QEMU enters.
PVH_NOTE = re.compile(rb"\x04\0\0\0[\x04\x08]\0\0\0\x12\0\0\0Xen\0", re.DOTALL)


def extract(image: bytes) -> bytes | None:
    """The ELF file in a bzImage; None if Python does not support its compression, or QEMU cannot start it."""
    if image[HEADER_MAGIC] != b"HdrS" or len(image) < PAYLOAD + 8:
        return None
    offset, length = struct.unpack_from("<II", image, PAYLOAD)
    start = (image[SETUP_SECTORS] + 1) * SECTOR + offset
    payload = image[start : start + length]
    with suppress(lzma.LZMAError, zlib.error, ValueError):
        kernel = decompress(payload)
        if kernel.startswith(b"\x7fELF") and PVH_NOTE.search(kernel):
            return kernel
    return None


def decompress(payload: bytes) -> bytes:
    """What follows the compressed stream, a length, is ignored."""
    if payload.startswith(b"\xfd7zXZ\0"):
        return lzma.LZMADecompressor().decompress(payload)
    if payload.startswith(b"\x1f\x8b"):
        return zlib.decompressobj(wbits=31).decompress(payload)
    raise ValueError("another compression")
