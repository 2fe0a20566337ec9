# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The algorithm of toe_hash_pkg and toe_lookup on many tables at once: how often does a tuple find no place?"""

from dataclasses import dataclass, field

import numpy as np

POLYNOMIALS = (0x25F, 0x2DB, 0x34F, 0x3CD)
MIXED = 64  # bits of a tuple without the low ones of its local port, at most
PLACES = 512
MASK24 = np.uint64(0xFFFFFF)


def tuple_bits(iface, peer_ip, peer_port, local_port):
    """tuple_t of the RTL, as Python integers."""
    return iface << 64 | peer_ip << 32 | peer_port << 16 | local_port


def _columns(polynomial: int) -> list[int]:
    power, columns = 1, []
    for i in range(9 + MIXED):
        if i >= 9:
            columns.append(power)
        power <<= 1
        if power & 0x200:
            power ^= polynomial
    return columns


def _byte_table(polynomial: int) -> np.ndarray:
    """What each byte of the mixed bits adds to the remainder."""
    columns = _columns(polynomial)
    table = np.zeros((8, 256), np.uint16)
    for byte in range(8):
        for bit in range(8):
            table[byte, (np.arange(256) >> bit & 1).astype(bool)] ^= columns[8 * byte + bit]
    return table


TABLES = [_byte_table(polynomial) for polynomial in POLYNOMIALS]


def _rotate(x, n):
    return ((x << np.uint64(n)) | (x >> np.uint64(24 - n))) & MASK24


def _round(x, a, b):
    return ((_rotate(x, 7) ^ a) & (_rotate(x, 8) ^ b)) ^ _rotate(x, 14)


def hashed(secret, iface, peer_ip, peer_port, local_port, ways: int, index: int = 9) -> list[np.ndarray]:
    """The place of each tuple in each way, `index` bits, 3 at least; the other arguments are arrays of uint64."""
    bits = [((secret >> np.uint64(n)) | (secret << np.uint64(32 - n))) & MASK24 for n in (0, 8, 16, 24, 4, 20)]
    high, low = peer_ip >> np.uint64(8), (peer_ip & np.uint64(0xFF)) << np.uint64(16) | peer_port
    high = high ^ _round(low, bits[0], bits[1])
    low = low ^ _round(high, bits[2], bits[3])
    high = high ^ _round(low, bits[4], bits[5])
    own = iface << np.uint64(64 - index) | local_port >> np.uint64(index) << np.uint64(48)
    mixed = own | high << np.uint64(24) | low
    places = []
    for table in TABLES[:ways]:
        place = local_port.astype(np.uint16)
        for byte in range(8):
            place = place ^ table[byte][(mixed >> np.uint64(8 * byte) & np.uint64(0xFF)).astype(np.int64)]
        places.append(place & ((1 << index) - 1))
    return places


@dataclass
class Tables:
    """Empty tables, one for each row of `places` (ways, tables, tuples), for tuples that are inserted and removed by
    number.
    """

    places: np.ndarray
    kicks: int = 31
    stash: int = 2
    kicked: int = 0  # displacements
    longest: int = 0  # most that a tuple needed
    put_aside: int = 0  # tuples moved to the stash
    refused: np.ndarray = field(init=False)  # tuples, by table
    there: np.ndarray = field(init=False)
    aside: np.ndarray = field(init=False)

    def __post_init__(self):
        ways, tables, _ = self.places.shape
        self.there = np.full((ways, tables, PLACES), -1, np.int32)
        self.aside = np.full((tables, self.stash), -1, np.int32)
        self.refused = np.zeros(tables, np.int64)

    def insert(self, tables: np.ndarray, tuples: np.ndarray) -> None:
        """Inserts one tuple into each of these tables."""
        ways = len(self.there)
        hand, way = tuples.astype(np.int64), np.zeros(len(tables), np.int64)
        for kick in range(self.kicks + 1):
            waiting = np.ones(len(tables), bool)
            for w in range(ways):
                place = self.places[w, tables, hand]
                put = waiting & (self.there[w, tables, place] < 0)
                self.there[w, tables[put], place[put]] = hand[put]
                waiting &= ~put
            if kick == 0:
                full = waiting & (self.aside >= 0).all(axis=1)[tables]
                self.refused[tables[full]] += 1
                waiting &= ~full
            tables, hand, way = tables[waiting], hand[waiting], way[waiting]
            if not len(tables):
                return
            if kick < self.kicks:
                self.kicked += len(tables)
                self.longest = max(self.longest, kick + 1)
                place = self.places[way, tables, hand]
                victim = self.there[way, tables, place].astype(np.int64)
                self.there[way, tables, place] = hand
                hand, way = victim, (way + 1) % ways
        self.put_aside += len(tables)
        self.aside[tables, (self.aside[tables] < 0).argmax(axis=1)] = hand

    def remove(self, tables: np.ndarray, tuples: np.ndarray) -> None:
        for w in range(len(self.there)):
            place = self.places[w, tables, tuples]
            here = self.there[w, tables, place] == tuples
            self.there[w, tables[here], place[here]] = -1
        row = self.aside[tables]
        self.aside[tables] = np.where(row == tuples[:, None], -1, row)

    def held(self) -> np.ndarray:
        """Number of tuples in each table."""
        return (self.there >= 0).sum(axis=(0, 2)) + (self.aside >= 0).sum(axis=1)
