# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""beat_t and rx_error_t of macpcs_pkg as integers."""

NO_BEAT = 0


def beat(data: int, keep: int = 15, last: bool = False) -> int:
    return 1 << 37 | last << 36 | keep << 32 | data


def fields(value: int) -> tuple[bool, bool, int, int]:
    """valid, last, keep, data"""
    return bool(value >> 37), bool(value >> 36 & 1), value >> 32 & 15, value & 0xFFFFFFFF


def errors(value: int) -> set[str]:
    return {name for i, name in enumerate(("oversize", "runt", "code", "fcs")) if value >> i & 1}


def beats_of(octets: bytes, empty_end: bool = False, n_bytes: int = 4) -> list[int]:
    """Beats of a frame, `n_bytes` each; with empty_end it ends, if possible, with a beat without bytes."""
    words = [octets[i : i + n_bytes] for i in range(0, len(octets), n_bytes)]
    if not words or (empty_end and len(words[-1]) == n_bytes):
        words.append(b"")
    return [
        beat(int.from_bytes(word.ljust(n_bytes, b"\x5a"), "little"), (1 << len(word)) - 1, i == len(words) - 1)
        for i, word in enumerate(words)
    ]
