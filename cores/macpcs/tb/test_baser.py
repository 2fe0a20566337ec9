# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The 10GBASE-R model against vectors and definitions that do not come from it, each with its source named."""

import zlib

import pytest
from cocotbext.eth import XgmiiFrame

import baser
from baser import (
    CTRL,
    ERROR,
    HEADER_CTRL,
    HEADER_DATA,
    IDLE,
    LPI,
    MASK58,
    PREAMBLE,
    SEQ_OS,
    SIG_OS,
    START,
    TERM,
    Line,
    control_block,
    encode,
    fcs,
    fcs_good,
    next_state,
    padded,
    scramble,
    scramble_blocks,
    to_words,
)
from baser_rx import BlockLock, decode, descramble_blocks, find_lock, receive, to_blocks, unpack
from ullnic_tb import seeded

D = list(range(0xD0, 0xD8))  # eight data octets that all differ


# ---------------------------------------------------------------- FCS


def crc_by_division(octets: bytes) -> int:
    """802.3 3.2.9 to the letter: M(x), first 32 bits complemented, times x^32, modulo G(x); the remainder complemented.
    Bit 31 of the result is the first bit of the FCS to be sent."""
    bits = [octet >> i & 1 for octet in octets for i in range(8)] + [0] * 32
    bits[:32] = [bit ^ 1 for bit in bits[:32]]
    taps = (32, 26, 23, 22, 16, 12, 11, 10, 8, 7, 5, 4, 2, 1, 0)
    for i in range(len(bits) - 32):
        if bits[i]:
            for power in taps:
                bits[i + 32 - power] ^= 1
    return int("".join(str(bit ^ 1) for bit in bits[-32:]), 2)


def test_fcs_check_value():
    """The check value of CRC-32, over "123456789": R. Williams, A Painless Guide to CRC Error Detection Algorithms,
    1993; also in the RevEng catalogue, entry CRC-32/ISO-HDLC."""
    assert int.from_bytes(fcs(b"123456789"), "little") == 0xCBF43926


def test_fcs_residue():
    """The register after a frame and its FCS is 0xC704DD7B, bit 31 being x^31 (802.3 3.2.9; the RevEng catalogue's
    "residue" is the same bit-reversed, 0xDEBB20E3); zlib returns its complement."""
    rng = seeded("fcs_residue")
    for n in range(100):
        octets = rng.randbytes(n)
        register = zlib.crc32(octets + fcs(octets)) ^ 0xFFFFFFFF
        assert register == 0xDEBB20E3
        assert int(f"{register:032b}"[::-1], 2) == 0xC704DD7B


def test_fcs_by_division():
    rng = seeded("fcs_by_division")
    for n in range(4, 80):
        octets = rng.randbytes(n)
        sent = "".join(f"{octet:08b}"[::-1] for octet in fcs(octets))
        assert int(sent, 2) == crc_by_division(octets)


def test_frame_against_cocotbext_eth():
    """A second opinion on preamble, padding and FCS."""
    rng = seeded("frame_against_cocotbext_eth")
    for n in [*range(1, 70), 1514]:
        octets = rng.randbytes(n)
        other = XgmiiFrame.from_payload(octets)
        assert bytes(other.data) == b"\x55" + PREAMBLE + padded(octets) + fcs(padded(octets))
        assert other.check_fcs() and fcs_good(bytes(other.data)[8:])


# ---------------------------------------------------------------- scrambler


class SerialScrambler:
    """49.2.6: s(n) = d(n) + s(n-39) + s(n-58), a shift register and nothing else."""

    def __init__(self, state: int):
        self.past = [state >> i & 1 for i in range(57, -1, -1)]  # latest first

    def bit(self, bit: int) -> int:
        out = bit ^ self.past[38] ^ self.past[57]
        self.past = [out, *self.past[:-1]]
        return out


def test_scrambler_published_vectors():
    """Sample packet of grouper.ieee.org/groups/802/3/ae/public/jul00/walker_1_0700.pdf (IEEE 802.3ae, July 2000), as
    open cores' tests cite it: scrambler at all ones, an idle block, then a start block."""
    first = scramble(0x000000000000001E, MASK58)
    assert first == 0x7BFFF0800000001E
    assert scramble(0xD555555555555578, next_state(first)) == 0x623016AAAAAD1578


def test_scrambler_against_serial():
    rng = seeded("scrambler_against_serial")
    state = rng.getrandbits(58)
    serial = SerialScrambler(state)
    for _ in range(200):
        payload = rng.getrandbits(64)
        out = scramble(payload, state)
        assert out == sum(serial.bit(payload >> i & 1) << i for i in range(64))
        assert baser.descramble(out, state) == payload
        state = next_state(out)


def test_descrambler_synchronizes_itself():
    """49.2.10: 58 received bits put it right, whatever it held before."""
    rng = seeded("descrambler_synchronizes_itself")
    blocks = [HEADER_DATA | rng.getrandbits(64) << 2 for _ in range(20)]
    line = scramble_blocks(blocks, rng.getrandbits(58))
    assert descramble_blocks(line, rng.getrandbits(58))[1:] == blocks[1:]
    assert descramble_blocks(line) == blocks[1:]


# ---------------------------------------------------------------- blocks


def line_bits(block: int) -> str:
    return "".join(str(block >> i & 1) for i in range(66))


# Figure 49-7, written out by hand as octets of payload; idles (code 0) beside Start, Terminate and ordered sets.
Q, F = SEQ_OS, SIG_OS
I4 = [IDLE] * 4
FIGURE_49_7 = [
    ([IDLE] * 8, "1e 00 00 00 00 00 00 00"),
    ([*I4, Q, *D[5:]], "2d 00 00 00 00 d5 d6 d7"),
    ([*I4, F, *D[5:]], "2d 00 00 00 f0 d5 d6 d7"),
    ([*I4, START, *D[5:]], "33 00 00 00 00 d5 d6 d7"),
    ([Q, *D[1:4], START, *D[5:]], "66 d1 d2 d3 00 d5 d6 d7"),
    ([F, *D[1:4], START, *D[5:]], "66 d1 d2 d3 0f d5 d6 d7"),
    ([Q, *D[1:4], F, *D[5:]], "55 d1 d2 d3 f0 d5 d6 d7"),
    ([F, *D[1:4], Q, *D[5:]], "55 d1 d2 d3 0f d5 d6 d7"),
    ([START, *D[1:]], "78 d1 d2 d3 d4 d5 d6 d7"),
    ([Q, *D[1:4], *I4], "4b d1 d2 d3 00 00 00 00"),
    ([F, *D[1:4], *I4], "4b d1 d2 d3 0f 00 00 00"),
    ([TERM, *[IDLE] * 7], "87 00 00 00 00 00 00 00"),
    ([*D[:1], TERM, *[IDLE] * 6], "99 d0 00 00 00 00 00 00"),
    ([*D[:2], TERM, *[IDLE] * 5], "aa d0 d1 00 00 00 00 00"),
    ([*D[:3], TERM, *[IDLE] * 4], "b4 d0 d1 d2 00 00 00 00"),
    ([*D[:4], TERM, *[IDLE] * 3], "cc d0 d1 d2 d3 00 00 00"),
    ([*D[:5], TERM, *[IDLE] * 2], "d2 d0 d1 d2 d3 d4 00 00"),
    ([*D[:6], TERM, IDLE], "e1 d0 d1 d2 d3 d4 d5 00"),
    ([*D[:7], TERM], "ff d0 d1 d2 d3 d4 d5 d6"),
    # Error characters (code 0x1e, bits 0111100 as sent) in the last place only: it ends with the block in every format.
    ([*[IDLE] * 7, ERROR], "1e 00 00 00 00 00 00 3c"),
    ([Q, *D[1:4], IDLE, IDLE, IDLE, ERROR], "4b d1 d2 d3 00 00 00 3c"),
    ([*D[:6], TERM, ERROR], "e1 d0 d1 d2 d3 d4 d5 3c"),
    ([*D[:1], TERM, *[IDLE] * 5, ERROR], "99 d0 00 00 00 00 00 3c"),
    # and in the first place of the formats that begin with four control characters
    ([ERROR, *[IDLE] * 3, START, *D[5:]], "33 1e 00 00 00 d5 d6 d7"),
    ([IDLE, ERROR, *[IDLE] * 2, Q, *D[5:]], "2d 00 0f 00 00 d5 d6 d7"),
    # LPI, 0x06
    ([LPI, *[IDLE] * 7], "1e 06 00 00 00 00 00 00"),
]


@pytest.mark.parametrize(("chars", "payload"), FIGURE_49_7, ids=[payload for _, payload in FIGURE_49_7])
def test_block_format(chars, payload):
    block = encode(chars)
    assert (block & 3, (block >> 2).to_bytes(8, "little")) == (HEADER_CTRL, bytes.fromhex(payload))
    assert unpack(block)[1] == chars


def test_all_block_types_are_tested():
    assert {int(payload[:2], 16) for _, payload in FIGURE_49_7} == set(baser.BLOCK_TYPES) and len(
        baser.BLOCK_TYPES
    ) == 15


def test_data_block():
    """49.2.4.3: the header of data is sent as 01, that of control as 10; octets least significant bit first."""
    assert line_bits(encode(D)) == "01" + "".join(f"{octet:08b}"[::-1] for octet in D)
    assert line_bits(encode([IDLE] * 8))[:10] == "10" + "01111000"


def test_order_of_control_code_bits():
    """T. Tang's question and R. Walker's answer on the IEEE 802.3 HSSG mail reflector, 2000 (10G_study/email/msg03446
    and msg03521): eight reserved-5 characters, code 0x78, are sent as 01111000 00011110 00111100 and so on."""
    bits = line_bits(encode([CTRL | 0xF7] * 8))
    assert bits[2:26] == "011110000001111000111100"
    assert bits[2:] == "01111000" + "0001111" * 8


def test_unknown_formats_are_refused():
    for chars in ([TERM, IDLE, IDLE, IDLE, START, 1, 2, 3], [START, IDLE, *D[2:]], [IDLE, *D[1:]], [*I4, *D[4:]]):
        with pytest.raises(ValueError):
            encode(chars)


# ---------------------------------------------------------------- line and decoder


def test_words_hold_the_blocks():
    rng = seeded("words_hold_the_blocks")
    blocks = [rng.getrandbits(66) for _ in range(50)]
    for n in range(45, 51):
        for offset in range(0, 70):
            words = to_words(blocks[:n], offset)
            assert len(words) == (66 * n + offset) // 32
            whole = (32 * len(words) - offset) // 66
            assert to_blocks(words, offset) == blocks[:whole] and whole in (n, n - 1)


def test_round_trip():
    rng = seeded("round_trip")
    for offset in range(66):
        line = Line().idle_blocks(300)
        for _ in range(30):
            if rng.random() < 0.3:
                line.ordered_set(b"\0\0" + bytes([rng.randrange(4)]), rng.choice([SEQ_OS, SIG_OS])).idle(
                    rng.choice([0, 4])
                )
            line.idle(rng.randrange(30)).frame(rng.randbytes(rng.randrange(1, 200)))
        out = receive(line.idle_blocks(3).words(offset, rng.getrandbits(58)))
        assert not out.violations
        assert [f.octets for f in out.frames] == [f.octets for f in line.frames] and all(f.good for f in out.frames)
        assert [f.lane for f in out.frames] == [f.lane for f in line.frames]
        ends = [f.end_char for f in line.frames]
        assert [f.gap_chars for f in out.frames[1:]] == [
            f.start_char - end for f, end in zip(line.frames[1:], ends, strict=False)
        ]
        assert len(out.ordered_sets) == sum(c in (SEQ_OS, SIG_OS) for c in line.chars)


IDLES = Line().idle_blocks(2).blocks()
FRAME = Line().frame(bytes(range(60))).blocks()


@pytest.mark.parametrize(
    ("blocks", "violation"),
    [
        ([*IDLES, encode(D)], "class D in state C"),
        ([*IDLES, encode([*D[:3], TERM, *I4])], "class T in state C"),
        ([*FRAME[:3], *IDLES], "class C in state D"),
        ([*FRAME[:3], *FRAME], "class S in state D"),
        ([*FRAME[:3], FRAME[3] & ~3, *FRAME[4:]], "sync header 00"),
        ([*FRAME[:3], FRAME[3] | 3, *FRAME[4:]], "sync header 11"),
        ([*IDLES, control_block(0x00)], "block type 0x00"),
        ([*IDLES, control_block(0x1E, 0x56)], "control code 0x56"),
        ([*IDLES, control_block(0x4B, 0x3 << 24)], "order code 0x03"),
        ([*IDLES, control_block(0x33, 0x1 << 28)], "reserved bits 0x1"),
        ([*FRAME[:3], control_block(0x87, 0x1)], "reserved bits 0x1"),
        (Line().frame(bytes(60), preamble=b"\x55" * 7).blocks(), "preamble 55555555555555"),
    ],
)
def test_decoder_finds_violations(blocks, violation):
    clean = Line().idle_blocks(1).frame(bytes(80)).blocks()
    out = decode([*blocks, *IDLES, *clean])
    assert violation in " ".join(out.violations)
    assert out.frames[-1].good and len(out.frames[-1].payload) == 80


def test_lock_follows_figure_49_12():
    def run(lock, headers):
        return [lock.header(bool(valid)) for valid in headers]

    lock = BlockLock()
    assert run(lock, [1] * 63) == [False] * 63 and not lock.locked
    run(lock, [1])
    assert lock.locked
    assert not any(run(lock, [0] * 15 + [1] * 49)) and lock.locked  # 15 of 64
    assert not any(run(lock, [1] * 49 + [0] * 15)) and lock.locked
    assert run(lock, [0]) == [False] and lock.locked  # a new window: the count has begun anew
    assert run(lock, [0] * 15) == [False] * 14 + [True] and not lock.locked  # the 16th of this one
    assert run(lock, [1, 1, 0]) == [False, False, True]  # out of lock any bad header slips
    run(lock, [1] * 64)
    assert lock.locked


def test_find_lock_on_any_offset():
    line = Line().idle_blocks(400)
    for offset in range(66):
        at = find_lock(line.words(offset))
        assert at is not None and at % 66 == offset and at >= 64 * 66
    assert find_lock([0] * 1000) is None


def test_no_lock_is_a_violation():
    assert receive([0] * 500).violations == ["no block lock"]
