# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Positions of the payload words of 66-bit blocks in transceiver words, computed bit by bit from their lengths."""

from dataclasses import dataclass

STALL = 0b100  # slot_t: {stall, pos[1:0]}


@dataclass(frozen=True)
class Place:
    """A payload word that starts, or completes, in a transceiver word."""

    block: int
    pos: int  # which payload word of the block
    bit: int  # of the transceiver word: the payload word's first, or last

    @property
    def slot(self) -> int:
        return self.pos


def starts(width: int, n_words: int, first_bit: int = 0) -> list[Place | None]:
    """For each transceiver word the payload word that starts in it; block 0's header is at bit `first_bit`."""
    return _places(width, n_words, first_bit + 2)


def ends(width: int, n_words: int, first_bit: int = 0) -> list[Place | None]:
    """For each transceiver word the payload word that completes in it."""
    return _places(width, n_words, first_bit + 2 + width - 1)


def _places(width: int, n_words: int, bit: int) -> list[Place | None]:
    out: list[Place | None] = [None] * n_words
    for block in range(-1, n_words * width // 66 + 1):
        for pos in range(64 // width):
            word, within = divmod(bit + 66 * block + width * pos, width)
            if 0 <= word < n_words:
                assert out[word] is None
                out[word] = Place(block, pos, within)
    return out


def slot_of(place: Place | None) -> int:
    return STALL if place is None else place.slot
