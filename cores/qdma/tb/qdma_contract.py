# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The public contract as tables: registers of a physical function, and contexts.

Written from the public header and the guide, not from the SystemRDL or the model in C++, so that they check each other.
"""

from dataclasses import dataclass, field

ALL = 0xFFFFFFFF


def _array(first: int, count: int) -> tuple[int, ...]:
    return tuple(first + 4 * i for i in range(count))


# Plain registers: address, (value after a reset, bits that can be written)
PLAIN = dict.fromkeys(
    (
        *(0x04C, *_array(0x080, 8)),
        *(0x0E0, 0x0E8, 0x0F0, 0x0F8, 0x158, 0x15C, 0x160, 0x24C, 0x250, 0x258, 0x268, 0x278, 0x2C8, 0x308),
        *_array(0x804, 8),
        *_array(0x824, 8),
        *(0xA80, 0xA84, 0xAF4, 0xAFC, 0xB00, 0xB08, 0xB50, *_array(0xBC4, 7), 0xE04, 0xE20, 0xE24, 0xE2C),
        *(0x1004, 0x1054, 0x1204, 0x1254, 0x12EC, 0x1400, 0x1404, 0x1408),
        *_array(0x1410, 17),
        *_array(0x1478, 4),
    ),
    (0, ALL),
)
PLAIN |= dict.fromkeys((*_array(0x204, 16), *_array(0xA00, 16), *_array(0xA40, 16), *_array(0xAB0, 16)), (0, 0xFFFF))
PLAIN |= {0xB0C: (25, ALL), 0xB04: (0, 0x3FFFFFFF & ~0)}
# Without MM 0. The driver's error handler reads them, and writes what it has read.
PLAIN |= {0x1040: (0, 0), 0x1240: (0, 0)}

# Read-only constants
CONSTANT = {
    0x000: 0x1FD30000,
    0x100: 0x1FD70000,
    **dict.fromkeys((0x114, 0x118, 0x11C), 3 << 16),  # streaming H2C and C2H alone yet
    0x128: 0,
    0x130: 1 << 16,  # which registers are there that are not the contract's: logs of reads
    0x134: 2 << 24 | 2 << 20 | 2 << 2 | 1 << 1,  # 5.0, internal mode only, FLR; mailbox with VFs
    0xBE0: 64,
    0xBE4: 32,
}
# Of blocks that are not implemented yet
CONSTANT |= dict.fromkeys(
    (
        *(0x0E4, 0x0EC, 0x0F4, 0x0FC, *_array(0x164, 4), *_array(0x1B8, 8), 0x270, 0x274),
        *(*_array(0xA88, 10), 0xAF8, *_array(0xB10, 8), *_array(0xB34, 7), *_array(0xB54, 28), *_array(0xBE8, 6)),
        *(0xE00, *_array(0xE08, 6), 0xE28, 0x1048, 0x1058, 0x105C, 0x10E8, 0x1248, 0x1258, 0x125C),
        *(0x12E8, 0x140C),
    ),
    0,
)
# Not of the contract: logs of reads that have failed, which no access raises; progress and watchdog, without WATCHDOG
CONSTANT |= dict.fromkeys((*_array(0x1E00, 4), *_array(0x1E14, 3), 0x1E28, 0x1E2C, 0x1E34, 0x1E38), 0)
PLAIN |= {0x2C4: (0, 1)}  # legacy interrupt: enable; nothing is pending
PLAIN |= {0x1E10: (0, 0x7FF), 0x1E20: (0, 0x07FF0002), 0x1E24: (0, 0x7FFF), 0x1E30: (0, 0x3F)}
MISC_CAP, RING_SIZES, COMMAND = 0x134, 0x204, 0x844
# Prefetch context, the latter two of them not the contract's; bytes of an inline packet, after the entry's first dword
PREFETCH_VALID, DROP_EMPTY, INLINE = 1 << 45, 1 << 9, 1 << 8
INLINE_BYTES = 60
# Leaves: status register, mask register, bit in GLBL_ERR_STAT, bits that are raised
GLOBAL_STATUS, GLOBAL_MASK, ERROR_INTERRUPT = 0x248, 0x24C, 0xB04
TRQ, DSC, C2H = (0x264, 0x268, 3), (0x254, 0x258, 2), (0xAF0, 0xAF4, 8)
CSR_UNMAPPED, VF_ACCESS, QSPC_UNMAPPED, QID_RANGE = 0, 1, 4, 5
POISON, UR_CA, BYTE_COUNT, PARAM, TIMEOUT = 1, 2, 3, 4, 9  # of DSC, and sub-types in its log
DMA_ERROR, PIDX_ERROR, NO_INTERRUPT, INVALID_QUEUE, FULL_QUEUE, CIDX_ERROR = 20, 21, 7, 12, 13, 14
BAD_LENGTH = 1
BAD_INDEX, BAD_SELECTOR = 9, 10
ARM = 1 << 24
# MSI-X: table and pending bits of a PF, of a VF; there is room for 32 entries, a VF has 8
PF_MSIX, VF_MSIX, MSIX_BYTES = (0x30000, 0x34000), (0x4000, 0x4800), 512
PF_VECTORS, VF_VECTORS = 32, 8


def _bits(*ranges: tuple[int, int]) -> int:
    return sum((1 << high + 1) - (1 << low) for high, low in ranges)


@dataclass(frozen=True)
class Context:
    """`words`: the stored bits of each word; `valid`: word and bit that invalidate clears."""

    name: str
    words: tuple[int, ...]
    valid: tuple[int, int] | None = None
    count: int = 0  # 0: one for each queue


SW_WORDS = (_bits((28, 0)), _bits((31, 12), (8, 0)), ALL, ALL, ALL, _bits((10, 0)))
CONTEXTS = {
    0: Context("software C2H", SW_WORDS, (1, 0)),
    1: Context("software H2C", SW_WORDS, (1, 0)),
    2: Context("hardware C2H", (ALL, _bits((10, 8)))),  # fetch_pnd is the engine's own count: 0 at rest
    3: Context("hardware H2C", (ALL, _bits((10, 8)))),
    4: Context("credit C2H", (_bits((15, 0)),)),
    5: Context("credit H2C", (_bits((15, 0)),)),
    6: Context("completion", (ALL, ALL, ALL, ALL, ALL, _bits((31, 31), (22, 0))), (3, 28)),
    7: Context("prefetch", (_bits((31, 26), (21, 0)), _bits((13, 0))), (1, 13)),
    8: Context("interrupt", (ALL & ~(1 << 12), ALL, ALL, _bits((29, 18), (13, 0))), (0, 0), 256),
    12: Context("function map", (_bits((10, 0)), _bits((11, 0))), None, 256),
}
CLEAR, WRITE, READ, INVALIDATE = range(4)
SW_C2H, SW_H2C, HW_C2H, HW_H2C, COMPLETION, PREFETCH, INTERRUPT, FMAP = 0, 1, 2, 3, 6, 7, 8, 12
BUFFER_SIZE_CSRS = 0xAB0


@dataclass
class Log:
    """The first error of a leaf after its status was 0."""

    status: int = 0
    first: dict = field(default_factory=dict)

    def raise_(self, bit: int, **what) -> None:
        if self.status == 0:
            self.first = what | {"bit": bit}
        self.status |= 1 << bit
