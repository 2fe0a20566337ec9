# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""10GBASE-R on the wire, receiving side, strict: words -> lock -> blocks -> frames, with every violation named.

From IEEE 802.3 clause 49: figures 49-12 (lock), 49-7 (formats) and 49-17 (receive states), 49.2.10 (descrambler).
"""

import struct
from dataclasses import dataclass, field

from baser import (
    BLOCK_TYPES,
    CONTROL_CODES,
    CTRL,
    FIELDS,
    HEADER_CTRL,
    HEADER_DATA,
    IDLE_BLOCK,
    ORDER_CODES,
    PREAMBLE,
    START,
    TERM,
    WIDTH,
    WORD_CODE,
    descramble,
    fcs_good,
    next_state,
)

CONTROL_OF_CODE = {code: char for char, code in CONTROL_CODES.items()}
ORDER_OF_CODE = {code: char for char, code in ORDER_CODES.items()}
# R_TYPE of figure 49-17 for each block type: the class of a block by what it holds.
CLASS = {type_: "S" if "S" in kinds else "T" if "T" in kinds else "C" for type_, kinds in BLOCK_TYPES.items()}


class BlockLock:
    """Figure 49-12. Its input is the validity of each header; it answers whether the boundary has to slip."""

    def __init__(self):
        self.locked, self.count, self.invalid = False, 0, 0

    def header(self, valid: bool) -> bool:
        self.count += 1
        self.invalid += not valid
        if not valid and (self.invalid == 16 or not self.locked):
            self.locked, self.count, self.invalid = False, 0, 0
            return True
        if self.count == 64:
            self.locked |= self.invalid == 0
            self.count, self.invalid = 0, 0
        return False


class Bits:
    """The line as bits, from words of `width` of them."""

    def __init__(self, words, width: int):
        self.octets = struct.pack(f"<{len(words)}{WORD_CODE[width]}", *words) + bytes(16)
        self.n_bits = width * len(words)

    def block(self, at: int) -> int:
        return int.from_bytes(self.octets[at >> 3 : (at >> 3) + 10], "little") >> (at & 7) & ((1 << 66) - 1)


def find_lock(words, width: int = 32) -> int | None:
    return find_lock_in(Bits(words, width))


def find_lock_in(bits: Bits, first_bit: int = 0) -> int | None:
    """Bit at which the block after the 64th good header begins, starting the search at `first_bit`."""
    lock, at = BlockLock(), first_bit
    while at + 66 <= bits.n_bits:
        slip = lock.header(bits.block(at) & 3 in (HEADER_DATA, HEADER_CTRL))
        at += 67 if slip else 66
        if lock.locked:
            return at
    return None


def to_blocks(words, first_bit: int = 0, width: int = 32) -> list[int]:
    bits = Bits(words, width)
    return [bits.block(at) for at in range(first_bit, bits.n_bits - 65, 66)]


def descramble_blocks(blocks, state: int | None = None) -> list[int]:
    """Without a state the first block only fills the descrambler and is left out."""
    out = []
    for block in blocks:
        if state is not None:
            out.append(block & 3 | descramble(block >> 2, state) << 2)
        state = next_state(block >> 2)
    return out


def unpack(block: int):
    """Class by figure 49-17 and the eight characters; class E, with the reason in their place, for anything invalid."""
    header, payload = block & 3, block >> 2
    if header == HEADER_DATA:
        return "D", list(payload.to_bytes(8, "little"))
    if header != HEADER_CTRL:
        return "E", f"sync header {header:02b}"
    type_ = payload & 0xFF
    if type_ not in BLOCK_TYPES:
        return "E", f"block type 0x{type_:02x}"
    chars = [{"S": START, "T": TERM}.get(kind) for kind in BLOCK_TYPES[type_]]
    rest = payload >> 8
    for name, arg in FIELDS[type_]:
        width = arg if name == "z" else WIDTH[name]
        value, rest = rest & ((1 << width) - 1), rest >> width
        if name == "z":
            if value:
                return "E", f"reserved bits 0x{value:x} in a block of type 0x{type_:02x}"
        elif name == "D":
            chars[arg] = value
        else:
            chars[arg] = (CONTROL_OF_CODE if name == "C" else ORDER_OF_CODE).get(value)
            if chars[arg] is None:
                return (
                    "E",
                    f"{'control' if name == 'C' else 'order'} code 0x{value:02x} in a block of type 0x{type_:02x}",
                )
    return CLASS[type_], chars


@dataclass
class Frame:
    octets: bytes  # from the destination address to the FCS
    preamble: bytes  # what was between Start and the destination address
    start_char: int
    end_char: int
    gap_chars: int | None  # from the preceding Terminate, inclusive, to this Start; None for the first

    @property
    def lane(self) -> int:
        return self.start_char % 8

    @property
    def good(self) -> bool:
        return fcs_good(self.octets)

    @property
    def payload(self) -> bytes:
        return self.octets[:-4]


@dataclass
class Received:
    frames: list[Frame] = field(default_factory=list)
    ordered_sets: list[tuple[int, int, bytes]] = field(default_factory=list)  # first character's index, code, octets
    violations: list[str] = field(default_factory=list)


# Figure 49-17: which class may follow in which state; anything else is an error.
FOLLOWS = {"C": "CS", "D": "DT", "T": "CS", "E": "CDT"}


def decode(blocks) -> Received:
    """Unscrambled blocks -> frames. A violation breaks the frame that it is in; that frame is not delivered."""
    out, state, last_term = Received(), "C", None
    octets, start = None, 0
    for index, block in enumerate(blocks):
        if block == IDLE_BLOCK and state in "CT":
            state = "C"
            continue
        if octets is not None and state == "D" and block & 3 == HEADER_DATA:
            octets += (block >> 2).to_bytes(8, "little")
            continue
        class_, chars = unpack(block)
        if class_ == "E":
            out.violations.append(f"block {index}: {chars}")
        elif class_ not in FOLLOWS[state]:
            out.violations.append(f"block {index}: class {class_} in state {state}")
            class_ = "E"
        if class_ == "E":
            state, octets = "E", None
            continue
        if state == "E" and class_ == "D":
            state = "D"
            continue
        for lane, char in enumerate(chars):
            if char in (START, TERM) or char in ORDER_CODES:
                at = 8 * index + lane
            if char == START:
                octets, start = bytearray(), at
            elif char == TERM:
                if octets is not None:
                    gap = None if last_term is None else start - last_term
                    preamble = bytes(octets[:7])
                    if preamble != PREAMBLE:
                        out.violations.append(f"block {start // 8}: preamble {preamble.hex()}")
                    out.frames.append(Frame(bytes(octets[7:]), preamble, start, at, gap))
                last_term, octets = at, None
            elif char in ORDER_CODES:
                out.ordered_sets.append((at, char, bytes(chars[lane + 1 : lane + 4])))
            elif char < CTRL and octets is not None:
                octets.append(char)
        state = {"S": "D", "D": "D", "T": "T", "C": "C"}[class_]
    return out


def receive(words, width: int = 32) -> Received:
    """A line from its first word: lock, then frames. The line must stay locked."""
    first = find_lock(words, width=width)
    if first is None:
        return Received(violations=["no block lock"])
    # Go back to the first block on the line: a transmitter must send blocks directly after reset.
    return decode(descramble_blocks(to_blocks(words, first % 66, width)))
