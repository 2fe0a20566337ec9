# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Market data frames of the stac_t0 card, and their expected effect, from the published description of the frames."""

import struct
from dataclasses import dataclass

LONG, SHORT = 0x41, 0x42
SIZES = {LONG: 503, SHORT: 64}  # without FCS
INDEX_AT = {LONG: 275, SHORT: 47}
TYPE_AT, CONN_AT = 42, 44


def market_data(rng, kind: int, conn: int, index: int, size: int | None = None) -> bytes:
    """A frame of random bytes except for what the card examines."""
    octets = bytearray(rng.choice((b"\xff" * 503, bytes(503), rng.randbytes(503))))
    octets[TYPE_AT] = kind
    struct.pack_into("<H", octets, CONN_AT, conn)
    at = INDEX_AT.get(kind, 47)
    octets[at : at + 8] = index.to_bytes(8, "big")
    return bytes(octets[: SIZES.get(kind, 64) if size is None else size])


def random_index(rng, mask: int, fits: bool) -> int:
    index = rng.choice((rng.getrandbits(64), (1 << 64) - 1)) & ~mask
    if mask and not fits:
        bits = [i for i in range(64) if mask >> i & 1]
        for bit in rng.sample(bits, rng.choice((1, 1, len(bits)))):
            index |= 1 << bit
    return index


@dataclass
class Model:
    mask: int = 0x3FF
    long_type: int = LONG
    short_type: int = SHORT

    def deciding_byte(self, octets: bytes) -> int | None:
        """The frame's byte that makes it a trigger."""
        if len(octets) <= TYPE_AT:
            return None
        for kind, wanted in ((SHORT, self.short_type), (LONG, self.long_type)):
            at = INDEX_AT[kind]
            if octets[TYPE_AT] == wanted and len(octets) >= at + 8:
                index = int.from_bytes(octets[at : at + 8], "big")
                if index & self.mask == 0:
                    return at + 7
        return None

    def answer(self, octets: bytes, number: int, length: int) -> tuple[int, bytes]:
        """Connection and payload of the order."""
        at = self.deciding_byte(octets) - 7
        (conn,) = struct.unpack_from("<H", octets, CONN_AT)
        payload = (number & 0xFFFFFFFF).to_bytes(4, "big") + octets[at : at + 8]
        return conn, payload.ljust(length, b"\0")
