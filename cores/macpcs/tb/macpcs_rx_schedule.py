# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The outputs of macpcs_rx_lock to the receiver's other modules, cycle by cycle, on a line that it is locked to."""

from dataclasses import dataclass

from baser_gearbox import Place, ends, slot_of


@dataclass(frozen=True)
class Cycle:
    place: Place | None  # payload word that completes in this cycle
    next: Place | None
    end_bit: int
    end_bit_next: (
        int  # header of the next block ends there, in the cycle before its first payload word; until a block's
    )
    #                    header is judged, in its first slot or with 16-bit words in its second, still that block's own

    @property
    def slot(self) -> int:
        return slot_of(self.place)

    @property
    def first_next(self) -> bool:
        return self.next is not None and self.next.pos == 0

    @property
    def type_late(self) -> bool:
        """The type byte does not end in the word that holds the header's end; for 32-bit words."""
        return self.end_bit_next + 8 >= 32

    @property
    def half_type_block(self) -> int | None:
        """As type_block, for the first four bits of the type byte."""
        if self.end_bit_next + 4 >= 32:
            return self.place.block if self.slot == 0 else None
        return self.next.block if self.first_next else None

    @property
    def type_block(self) -> int | None:
        """The block whose type byte becomes complete in this cycle, if there is one."""
        if self.type_late:
            return self.place.block if self.slot == 0 else None
        return self.next.block if self.first_next else None


def cycles(n_words: int, first_bit: int, width: int = 32) -> list[Cycle]:
    places, judged = ends(width, n_words + 1, first_bit), 32 // width - 1
    out, end_bit = [], None
    for place, next_ in zip(places, places[1:], strict=False):
        if place is not None:
            end_bit = place.bit
            end_bit_next = end_bit if place.pos <= judged else (end_bit + 2) % width
        elif end_bit is not None:
            end_bit = end_bit_next  # a stall: the previous block is over
        if end_bit is None:
            end_bit = end_bit_next = next_.bit
        out.append(Cycle(place, next_, end_bit, end_bit_next))
    return out
