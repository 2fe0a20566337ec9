# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""PAUSE frames according to IEEE 802.3 annex 31B; without FCS."""

MULTICAST = bytes.fromhex("0180c2000001")


def pause_frame(quanta: int, source: bytes, destination: bytes = MULTICAST) -> bytes:
    return (destination + source + b"\x88\x08" + b"\x00\x01" + quanta.to_bytes(2, "big")).ljust(60, b"\x00")


def pause_quanta(frame: bytes, own: bytes) -> int | None:
    """The request of a good frame, with or without FCS, to the station `own`; None: it is no PAUSE frame."""
    if len(frame) < 18 or frame[:6] not in (MULTICAST, own) or frame[12:16] != b"\x88\x08\x00\x01":
        return None
    return int.from_bytes(frame[16:18], "big")
