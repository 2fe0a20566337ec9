# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Inputs of fuzz targets by name: records of 16 bytes, as defined in tests/fuzz/records.h."""

from collections.abc import Mapping
from pathlib import Path

RECORD_BYTES = 16


def little(value: int, count: int = 2) -> list[int]:
    """A number as argument bytes."""
    return list((value & (1 << 8 * count) - 1).to_bytes(count, "little"))


def record(operation: int, *arguments: int) -> bytes:
    """An operation with its arguments; missing ones are 0."""
    return bytes([operation, *arguments]).ljust(RECORD_BYTES, b"\0")


def whole(data: bytes) -> bytes:
    """Bytes that follow an operation."""
    return data.ljust(-(-len(data) // RECORD_BYTES) * RECORD_BYTES, b"\0")


def write(folder: Path, inputs: Mapping[str, bytes]) -> None:
    """Keeps other files of the folder: they may be inputs that a fuzzer found."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in inputs.items():
        (folder / name).write_bytes(data)
