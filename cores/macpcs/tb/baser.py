# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""10GBASE-R on the wire, transmitting side, written from IEEE 802.3 clauses 46 and 49. It shares nothing with the RTL.

Characters: the value of a lane in clause 46. A data octet is 0..255; a control character is CTRL
its octet. Blocks: a 66-bit integer, bit 0 is sent first: two bits of sync header, then 64 bits of payload. Words:
integers of 32 bits, or 16 according to `width`, bit 0 is sent first.
"""

import struct
import zlib
from dataclasses import dataclass

CTRL = 0x100
IDLE, LPI, START, TERM, ERROR = (CTRL | octet for octet in (0x07, 0x06, 0xFB, 0xFD, 0xFE))
SEQ_OS, SIG_OS = CTRL | 0x9C, CTRL | 0x5C

# 802.3 writes headers as they are sent, first bit left: "01" before data, "10" before control.
HEADER_DATA, HEADER_CTRL = 0b10, 0b01

# Table 49-1: control characters and their 7-bit codes; the O column has 4-bit codes.
CONTROL_CODES = {
    IDLE: 0x00,
    LPI: 0x06,
    ERROR: 0x1E,
    CTRL | 0x1C: 0x2D,
    CTRL | 0x3C: 0x33,
    CTRL | 0x7C: 0x4B,
    CTRL | 0xBC: 0x55,
    CTRL | 0xDC: 0x66,
    CTRL | 0xF7: 0x78,
}
ORDER_CODES = {SEQ_OS: 0x0, SIG_OS: 0xF}

# Figure 49-7. Kinds of the eight characters -> block type and the fields after it, in the order of transmission:
# D data octet, C 7-bit control code, O 4-bit order code, each with its lane; z that many zero bits.
FORMATS = {
    "CCCCCCCC": (0x1E, "C0 C1 C2 C3 C4 C5 C6 C7"),
    "CCCCODDD": (0x2D, "C0 C1 C2 C3 O4 D5 D6 D7"),
    "CCCCSDDD": (0x33, "C0 C1 C2 C3 z4 D5 D6 D7"),
    "ODDDSDDD": (0x66, "D1 D2 D3 O0 z4 D5 D6 D7"),
    "ODDDODDD": (0x55, "D1 D2 D3 O0 O4 D5 D6 D7"),
    "SDDDDDDD": (0x78, "D1 D2 D3 D4 D5 D6 D7"),
    "ODDDCCCC": (0x4B, "D1 D2 D3 O0 C4 C5 C6 C7"),
    "TCCCCCCC": (0x87, "z7 C1 C2 C3 C4 C5 C6 C7"),
    "DTCCCCCC": (0x99, "D0 z6 C2 C3 C4 C5 C6 C7"),
    "DDTCCCCC": (0xAA, "D0 D1 z5 C3 C4 C5 C6 C7"),
    "DDDTCCCC": (0xB4, "D0 D1 D2 z4 C4 C5 C6 C7"),
    "DDDDTCCC": (0xCC, "D0 D1 D2 D3 z3 C5 C6 C7"),
    "DDDDDTCC": (0xD2, "D0 D1 D2 D3 D4 z2 C6 C7"),
    "DDDDDDTC": (0xE1, "D0 D1 D2 D3 D4 D5 z1 C7"),
    "DDDDDDDT": (0xFF, "D0 D1 D2 D3 D4 D5 D6"),
}
BLOCK_TYPES = {type_: kinds for kinds, (type_, _) in FORMATS.items()}
FIELDS = {type_: [(f[0], int(f[1])) for f in fields.split()] for type_, fields in FORMATS.values()}
WIDTH = {"D": 8, "C": 7, "O": 4}

PREAMBLE = bytes([0x55] * 6 + [0xD5])  # the octet after Start: it replaces the first preamble octet
MASK58, MASK64 = (1 << 58) - 1, (1 << 64) - 1


def fcs(octets: bytes) -> bytes:
    """Frame check sequence of 802.3 3.2.9, in the order of transmission."""
    return zlib.crc32(octets).to_bytes(4, "little")


def fcs_good(octets_with_fcs: bytes) -> bool:
    return len(octets_with_fcs) >= 4 and fcs(octets_with_fcs[:-4]) == octets_with_fcs[-4:]


def padded(octets: bytes) -> bytes:
    """According to 802.3 4.2.3.3: at least 64 octets with the FCS."""
    return octets + bytes(max(0, 60 - len(octets)))


def kind(char: int) -> str:
    if char < CTRL:
        return "D"
    if char in CONTROL_CODES:
        return "C"
    return {START: "S", TERM: "T", SEQ_OS: "O", SIG_OS: "O"}[char]


def encode(chars) -> int:
    """Eight characters -> block, unscrambled (49.2.4)."""
    kinds = "".join(map(kind, chars))
    if kinds == "DDDDDDDD":
        return HEADER_DATA | int.from_bytes(bytes(chars), "little") << 2
    if kinds not in FORMATS:
        raise ValueError(f"no block format of figure 49-7 holds {kinds}")
    type_ = FORMATS[kinds][0]
    block, shift = HEADER_CTRL | type_ << 2, 10
    for name, arg in FIELDS[type_]:
        if name == "z":
            shift += arg
            continue
        codes = {"D": None, "C": CONTROL_CODES, "O": ORDER_CODES}[name]
        block |= (codes[chars[arg]] if codes else chars[arg]) << shift
        shift += WIDTH[name]
    assert shift == 66 or type_ in (0x78, 0xFF)
    return block


IDLE_CHARS = [IDLE] * 8
IDLE_BLOCK = encode(IDLE_CHARS)


def control_block(type_: int, rest: int = 0, header: int = HEADER_CTRL) -> int:
    """A block of any type, well formed or not: `rest` follows the type octet."""
    return header | (type_ & 0xFF) << 2 | (rest & ((1 << 56) - 1)) << 10


def scramble(payload: int, state: int) -> int:
    """One payload through 1 + x^39 + x^58 (49.2.6). Bit 57 of the state is the latest scrambled bit."""
    low = (payload ^ state ^ state >> 19) & ((1 << 39) - 1)  # the taps are only in the past
    high = (payload >> 39) ^ low ^ (state >> 39 | low << 19)  # x^39 reaches the bits just made, x^58 still the past
    return low | (high & ((1 << 25) - 1)) << 39


def descramble(payload: int, state: int) -> int:
    past = state | payload << 58  # bit 58 + i is payload bit i
    return (payload ^ past >> 19 ^ past) & MASK64


def next_state(scrambled: int) -> int:
    return scrambled >> 6


def scramble_blocks(blocks, state: int = MASK58):
    """Scrambled payloads with unchanged headers."""
    out = []
    for block in blocks:
        payload = scramble(block >> 2, state)
        state = next_state(payload)
        out.append(block & 3 | payload << 2)
    return out


WORD_CODE = {16: "H", 32: "I"}  # of struct


def to_words(blocks, offset_bits: int = 0, filler: int = 0, width: int = 32) -> list[int]:
    """Consecutive blocks as words, after `offset_bits` bits of `filler`; an incomplete last word is left out."""
    octets = bytearray()
    whole = len(blocks) - len(blocks) % 4
    for i in range(0, whole, 4):  # four blocks are 33 octets
        a, b, c, d = blocks[i : i + 4]
        octets += (a | b << 66 | c << 132 | d << 198).to_bytes(33, "little")
    bits = int.from_bytes(octets, "little")
    for i, block in enumerate(blocks[whole:], whole):
        bits |= block << 66 * i
    bits = bits << offset_bits | filler & ((1 << offset_bits) - 1)
    n_words = (66 * len(blocks) + offset_bits) // width
    octets = (bits & ((1 << width * n_words) - 1)).to_bytes(width // 8 * n_words, "little")
    return list(struct.unpack(f"<{n_words}{WORD_CODE[width]}", octets))


@dataclass
class Placed:
    """A frame and its place on the line."""

    octets: bytes  # from the destination address to the FCS, both included
    start_char: int  # index of its Start character
    end_char: int  # index of its Terminate character

    @property
    def lane(self) -> int:
        return self.start_char % 8


class Line:
    """The data of a link partner, character by character; a test can lay malformed blocks over it."""

    def __init__(self):
        self.chars: list[int] = []
        self.frames: list[Placed] = []
        self.raw: dict[int, int] = {}  # block index -> block that replaces the encoded one
        self.bad_headers: dict[int, int] = {}  # block index -> sync header that is sent

    @property
    def block_index(self) -> int:
        """Index of the next character's block."""
        return len(self.chars) // 8

    def idle(self, n_chars: int) -> "Line":
        self.chars += [IDLE] * n_chars
        return self

    def align(self, lane: int = 0) -> "Line":
        return self.idle((lane - len(self.chars)) % 8)

    def idle_blocks(self, n_blocks: int) -> "Line":
        return self.align().idle(8 * n_blocks)

    def to_start(self, lane: int | None) -> None:
        """Idles up to the next possible start of a frame, in either lane or in the one wanted."""

        def allowed(at):
            in_block = self.chars[at - at % 8 :]
            return TERM not in in_block and (at % 8 == lane if lane is not None else at % 4 == 0)

        while not allowed(len(self.chars)):
            self.chars.append(IDLE)

    def frame(
        self, octets: bytes, lane: int | None = None, check: bytes | None = None, preamble: bytes = PREAMBLE
    ) -> "Line":
        """One frame with its FCS (or `check` in its place, b"" for none), and its Terminate."""
        self.to_start(lane)
        octets = octets + (fcs(octets) if check is None else check)
        start = len(self.chars)
        self.chars += [START, *preamble, *octets, TERM]
        self.frames.append(Placed(octets, start, len(self.chars) - 1))
        return self

    def ordered_set(self, octets: bytes, code: int = SEQ_OS, lane: int | None = None) -> "Line":
        self.to_start(lane)
        self.chars += [code, *octets]
        return self

    def block(self, block: int) -> "Line":
        """This block, at the next block boundary."""
        self.align()
        self.raw[self.block_index] = block
        return self.idle(8)

    def blocks(self) -> list[int]:
        self.align()
        out = []
        for i in range(0, len(self.chars), 8):
            chars = self.chars[i : i + 8]
            if i // 8 in self.raw:
                block = self.raw[i // 8]
            elif max(chars) < CTRL:
                block = HEADER_DATA | int.from_bytes(bytes(chars), "little") << 2
            else:
                block = IDLE_BLOCK if chars == IDLE_CHARS else encode(chars)
            if i // 8 in self.bad_headers:
                block = block & ~3 | self.bad_headers[i // 8]
            out.append(block)
        return out

    def words(self, offset_bits: int = 0, state: int = MASK58, width: int = 32) -> list[int]:
        return to_words(scramble_blocks(self.blocks(), state), offset_bits, width=width)
