# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The required output of the receiver of macpcs for a sequence of blocks: a model of its contract, block by block.

Unlike baser_rx, which rejects every violation, this defines what happens to malformed input: which frames are
announced, what is delivered of them, which errors are flagged. Control characters besides Start and Terminate are
ignored; a Start inside a frame cuts that frame short and begins a new one. With MAC_RX_ERROR_DELAYED_ENABLE a block
with a bad sync header, in a frame, is a data block that makes the frame bad.
"""

import os
from dataclasses import dataclass, replace

from baser import BLOCK_TYPES, HEADER_CTRL, HEADER_DATA, PREAMBLE, fcs_good
from ullnic_tb import parameter

MIN_BYTES = parameter("MAC_RX_MIN_PKT_LENGTH", 64)
MAX_BYTES = parameter("MAC_RX_MAX_PKT_LENGTH", 9622)
CHECKED = not parameter("MAC_RX_CRC32_DISABLE", 0)  # the FCS is checked
STRIP = bool(parameter("MAC_RX_CRC32_REMOVE", 0))
DELAYED = bool(parameter("MAC_RX_ERROR_DELAYED_ENABLE", parameter("ERROR_DELAYED", 0)))
# Cycles from tlast to the verdict: the words are held back for it, so they are subtracted. With 0 tuser has the
# verdict, too; otherwise tuser is 0.
CRC32_LATENCY = parameter("MAC_RX_CRC32_LATENCY", 2 if parameter("PMA_DATA_WIDTH", 32) == 16 else 1)
JOINED = "cross_bench" in os.environ.get("ULLNIC_TEST_NAME", "")  # a bridge or FIFO delivers both together
CHECKS_PREAMBLE = bool(parameter("MAC_RX_CHECK_PREAMBLE", 0))
CHECKS_SFD = bool(parameter("MAC_RX_CHECK_SFD", 1))
LATE = bool(parameter("MAC_RX_LATE_VERDICT_ENABLE", 0))  # the verdict knows the block after the frame
JUDGED = CRC32_LATENCY if not LATE else 6 if parameter("PMA_DATA_WIDTH", 32) == 16 else 4
VERDICT_LATENCY = 0 if STRIP or JOINED else max(JUDGED - parameter("MAC_RX_LATENCY_MODE", 0), 0)
ALIGNED = VERDICT_LATENCY == 0
STARTS = {type_: kinds.index("S") for type_, kinds in BLOCK_TYPES.items() if "S" in kinds}
TERMINATES = {type_: kinds.index("T") for type_, kinds in BLOCK_TYPES.items() if "T" in kinds}


def length_errors(n_bytes: int) -> set[str]:
    return ({"runt"} if n_bytes < MIN_BYTES else set()) | ({"oversize"} if n_bytes > MAX_BYTES else set())


@dataclass
class Want:
    octets: bytes | None  # with the FCS; None: nothing is promised
    errors: frozenset
    cut: bool = False


def preamble_error(preamble: bytes) -> bool:
    """The seven octets after Start. According to 802.3 the receiver checks the last one, the start frame delimiter
    (4.2.9).
    """
    wrong = [CHECKS_PREAMBLE] * 6 + [CHECKS_SFD]
    return any(check and octet != right for check, octet, right in zip(wrong, preamble, PREAMBLE, strict=False))


def complete(octets: bytes, preamble: bytes = PREAMBLE, code: bool = False) -> Want:
    if code or preamble_error(preamble):
        return Want(octets, frozenset({"code"} | length_errors(len(octets))))
    return Want(
        octets, frozenset(length_errors(len(octets)) | ({"fcs"} if CHECKED and not fcs_good(octets) else set()))
    )


class Model:
    def __init__(self):
        self.wants: list[Want] = []
        self.bad_headers = self.bad_blocks = self.bad_after = 0
        self._terminated = False  # the previous block was a correct terminate block and ended a frame
        self._raw: bytearray | None = None  # data since Start; None outside of a frame
        self._data = False  # a data block or a start in lane 0 has completed the preamble
        self._spoiled = False  # a block with a bad header was accepted as data

    def _end(self, cut: bool, code: bool = False) -> None:
        raw, self._raw = self._raw, None
        if not self._data:
            # It ended in the block that should have held the rest of the preamble, so with 3 bytes at most: an error in
            # any case, but it is unspecified which of its bytes are delivered.
            self.wants.append(Want(None, frozenset({"code"} if cut or code else {"runt"}), cut))
        elif cut:
            octets = bytes(raw[7:])
            self.wants.append(Want(octets, frozenset({"code"} | length_errors(len(octets))), True))
        else:
            self.wants.append(complete(bytes(raw[7:]), bytes(raw[:7]), code or self._spoiled))

    def block(self, block: int) -> None:
        header, payload = block & 3, (block >> 2).to_bytes(8, "little")
        inside, type_ = self._raw is not None, payload[0]
        # 49.2.13.2.3: S or C must follow T, else the frame that T ended is bad.
        if self._terminated and not (header == HEADER_CTRL and type_ in BLOCK_TYPES and type_ not in TERMINATES):
            self.bad_after += not self.wants[-1].errors
            if LATE:
                self.wants[-1] = replace(self.wants[-1], errors=self.wants[-1].errors - {"fcs"} | {"code"})
        self._terminated = inside and header == HEADER_CTRL and type_ in TERMINATES
        if header == HEADER_DATA:
            if inside:
                self._raw += payload
                self._data = True
            self.bad_blocks += not inside
        elif header == HEADER_CTRL and type_ & 0x80:
            # Bit 7 alone makes it a terminate block and bits 6:4 give its bytes; with another wrong bit it still ends
            # the frame, as a bad one.
            known = type_ in TERMINATES
            if inside:
                self._raw += payload[1 : 1 + (type_ >> 4 & 7)]
                self._end(cut=False, code=not known)
            self.bad_blocks += not known or not inside
        elif header == HEADER_CTRL and type_ in STARTS:
            if inside:
                self._end(cut=True)
            self.bad_blocks += inside
            self._raw = bytearray(payload[STARTS[type_] + 1 :])
            self._data, self._spoiled = STARTS[type_] == 0, False
        else:
            self.bad_headers += header != HEADER_CTRL
            self.bad_blocks += inside or header != HEADER_CTRL or type_ not in BLOCK_TYPES
            if inside and DELAYED and header != HEADER_CTRL:
                self._raw += payload
                self._data = self._spoiled = True
            elif inside:
                self._end(cut=True)


def expect(blocks) -> Model:
    model = Model()
    for block in blocks:
        model.block(block)
    return model


def check(frames, wants) -> None:
    """The delivered frames are the required ones, frame by frame."""
    for i, (frame, want) in enumerate(zip(frames, wants, strict=False)):
        where = f"frame {i}, ended in cycle {frame.last_cycle}"
        if want.octets is None:
            assert want.errors <= frame.status.errors, f"{where}: {frame.status.errors}, wanted {want.errors}"
        else:
            assert frame.status.errors == want.errors, f"{where}: {set(frame.status.errors)}, wanted {set(want.errors)}"
            octets = want.octets
            if STRIP and not want.cut:
                octets = octets[:-4]
            if STRIP and want.cut:
                # Words that might have been the FCS are held back; they are dropped at the end.
                assert octets.startswith(frame.octets) and len(octets) - len(frame.octets) <= 8, where
            else:
                assert frame.octets == octets, f"{where}: {frame.octets.hex()}, wanted {octets.hex()}"
        if want.cut and not STRIP:
            assert frame.last_keep == 0, f"{where}: cut short with tkeep {frame.last_keep:x}"
        assert frame.status_cycle - frame.last_cycle == VERDICT_LATENCY, where
        assert frame.last_user == (ALIGNED and not frame.status.good), f"{where}: tuser {frame.last_user}"
    assert len(frames) == len(wants), f"{len(frames)} frames, {len(wants)} wanted"
