# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The behaviour of BAR 0, access by access: registers, contexts, doorbells, errors. Written from the contract."""

import qdma_mailbox_model as mailbox
from qdma_contract import (
    ALL,
    ARM,
    BAD_INDEX,
    BAD_SELECTOR,
    C2H,
    CIDX_ERROR,
    CLEAR,
    COMMAND,
    COMPLETION,
    CONSTANT,
    CONTEXTS,
    CSR_UNMAPPED,
    DSC,
    ERROR_INTERRUPT,
    FMAP,
    GLOBAL_MASK,
    GLOBAL_STATUS,
    INTERRUPT,
    INVALID_QUEUE,
    INVALIDATE,
    MSIX_BYTES,
    PF_MSIX,
    PF_VECTORS,
    PIDX_ERROR,
    PLAIN,
    QID_RANGE,
    QSPC_UNMAPPED,
    READ,
    RING_SIZES,
    SW_C2H,
    SW_H2C,
    TRQ,
    VF_ACCESS,
    VF_MSIX,
    VF_VECTORS,
    WRITE,
    Log,
)

MODES = 0x01FE001F  # of word 0 of a completion context: counter and timer, trigger, status and interrupt


class Model:
    def __init__(self, queues: int, pfs: int, vfs: int, max_payload: int = 0, max_read_request: int = 0):
        self.queues, self.pfs, self.vfs = queues, pfs, vfs
        self.plain = {address: value for address, (value, _) in PLAIN.items()}
        self.constant = CONSTANT | {
            0x008: max_payload * 0x11,
            0x00C: max_read_request * 0x11,
            0x104: sum(1 << 6 * pf for pf in range(pfs)),
            0x10C: sum(4 << 6 * pf for pf in range(pfs)),  # BAR 2
            0x120: queues,
        }
        self.constant[0x134] |= vfs > 0
        self.mailbox = mailbox.Mailbox(pfs, vfs)
        self.command = 0
        self.msix: dict[tuple[int, int], int] = {}  # function, offset in the table
        self.contexts: dict[tuple[int, int], list[int]] = {}
        self.ring_cidx: dict[int, int] = {}
        self.leaves = {leaf: Log() for leaf in (TRQ, DSC, C2H)}
        self.command_errors = 0
        self.events: list[tuple[int, int]] = []  # kind, queue
        self.interrupts: list[int] = []  # the earlier value of GLBL_ERR_INT

    # --- Accesses

    def read(self, func: int, address: int) -> int:
        value = self._read(func, address)
        self._interrupt()
        return value

    def write(self, func: int, address: int, value: int, strobe: int = 15) -> None:
        self._write(func, address, value, sum(0xFF << 8 * i for i in range(4) if strobe >> i & 1))
        self._interrupt()

    def unsupported(self, func: int, address: int) -> None:
        self._target(CSR_UNMAPPED, func, address)
        self._interrupt()

    def is_vf(self, func: int) -> bool:
        return 4 <= func < 4 + self.vfs

    def _doorbell(self, func: int, address: int) -> int | None:
        """The function's queue that a doorbell is for."""
        if func < self.pfs and 0x18000 <= address < 0x20000:
            return (address - 0x18000) // 16
        if self.is_vf(func) and 0x3000 <= address < 0x4000:
            return (address - 0x3000) // 16
        return None

    def _msix(self, func: int, address: int) -> tuple[int | None, bool]:
        """Offset in the function's MSI-X table, and whether it is in its pending bits instead."""
        if func >= self.pfs and not self.is_vf(func):
            return None, False
        table, pending = VF_MSIX if self.is_vf(func) else PF_MSIX
        if pending <= address < pending + 8:
            return None, True
        return (address - table if table <= address < table + MSIX_BYTES else None), False

    def _entry(self, func: int, offset: int) -> int:
        if offset // 16 >= (VF_VECTORS if self.is_vf(func) else PF_VECTORS):
            return 0
        return self.msix.get((func, offset), int(offset % 16 == 12))  # masked after a reset

    def is_flr(self, func: int, address: int) -> bool:
        return address in ((0x1100, 0x5100) if self.is_vf(func) else (0x2500, 0x22500)) and func in self.mailbox.own

    def _mailbox(self, func: int, address: int) -> int | None:
        """Offset in the function's mailbox."""
        if self.is_flr(func, address):
            return None
        if not self.vfs or func not in self.mailbox.own or (self.is_vf(func) and address in (0x5014, 0x5018)):
            return None
        offset = address - (mailbox.VF_BASE if self.is_vf(func) else mailbox.PF_BASE)
        return offset if 0 <= offset < 0x1000 else None

    def _mailbox_refused(self, func: int, address: int, offset: int) -> None:
        foreign = self.is_vf(func) and (offset == mailbox.TARGET or mailbox.ACKS <= offset < mailbox.ACKS + 32)
        self._target(VF_ACCESS if foreign else CSR_UNMAPPED, func, address)

    def _read(self, func: int, address: int) -> int:
        if self.is_flr(func, address):
            return 0
        offset = self._mailbox(func, address)
        if offset is not None:
            value, refused = self.mailbox.read(func, offset)
            if refused:
                self._mailbox_refused(func, address, offset)
            return value
        offset, is_pending = self._msix(func, address)
        if is_pending or offset is not None:
            return 0 if is_pending else self._entry(func, offset)
        relative = self._doorbell(func, address)
        if relative is not None:
            return self._read_doorbell(func, address, relative)
        if self.is_vf(func) and address in (0x5014, 0x5018):
            return {0x5014: 0x1FD30220, 0x5018: 0}[address]
        if func < self.pfs:
            value = self._register(func, address)
            if value is not None:
                return value
        self._nowhere(func, address)
        return 0

    def _register(self, func: int, address: int) -> int | None:
        if address in self.plain:
            return self.plain[address]
        if address in self.constant:
            return self.constant[address]
        for status, _, _ in self.leaves:
            if address == status:
                return self.leaves[self._leaf(status)].status
        special = {0x12C: func, COMMAND: self.command, GLOBAL_STATUS: self.global_status()} | self._logs()
        return special.get(address)

    def _write(self, func: int, address: int, value: int, mask: int) -> None:
        relative = self._doorbell(func, address)
        in_mailbox = self._mailbox(func, address)
        offset, _ = self._msix(func, address)
        if in_mailbox is not None and mask == ALL:
            if self.mailbox.write(func, in_mailbox, value):
                self._mailbox_refused(func, address, in_mailbox)
        elif offset is not None:
            if offset // 16 < (VF_VECTORS if self.is_vf(func) else PF_VECTORS):
                kept = mask & (1 if offset % 16 == 12 else ALL)
                self.msix[func, offset] = self._entry(func, offset) & ~kept | value & kept
        elif relative is not None:
            if mask != ALL:
                self._target(QSPC_UNMAPPED, func, address)
            else:
                self._ring_doorbell(func, address, relative, value)
        elif func < self.pfs and address in self.plain:
            mask &= PLAIN[address][1]
            self.plain[address] = self.plain[address] & ~mask | value & mask
        elif func < self.pfs and address in (TRQ[0], DSC[0], C2H[0]):
            self.leaves[self._leaf(address)].status &= ~(value & mask)
        elif func < self.pfs and address == GLOBAL_STATUS:
            self.command_errors &= ~(value & mask)
        elif func < self.pfs and address == COMMAND:
            mask &= 0xFFFFE
            self.command = self.command & ~mask | value & mask
            if mask & 0x60:
                self._command()
        else:
            self._nowhere(func, address)

    def _nowhere(self, func: int, address: int) -> None:
        foreign = self.is_vf(func) and (address < 0x2000 or 0x18000 <= address < 0x20000)
        self._target(VF_ACCESS if foreign else CSR_UNMAPPED, func, address)

    # --- Contexts

    def context(self, selector: int, index: int) -> list[int]:
        return self.contexts.setdefault((selector, index), [0] * 8)

    def _command(self) -> None:
        index, operation, selector = self.command >> 7, self.command >> 5 & 3, self.command >> 1 & 15
        data = [self.plain[0x804 + 4 * i] for i in range(8)]
        mask = [self.plain[0x824 + 4 * i] for i in range(8)]
        result = [0] * 8
        if selector not in CONTEXTS:
            self.command_errors |= 1 << BAD_SELECTOR
        elif index >= (CONTEXTS[selector].count or self.queues):
            self.command_errors |= 1 << BAD_INDEX
        else:
            words = self.context(selector, index)
            result = list(words)
            kept = [*CONTEXTS[selector].words, *[0] * 8]
            valid = CONTEXTS[selector].valid
            if operation == CLEAR:
                words[:] = [0] * 8
                if selector == INTERRUPT:
                    self.ring_cidx.pop(index, None)
            elif operation == WRITE:
                words[:] = [w & ~(m & k) | d & m & k for w, m, k, d in zip(words, mask, kept, data, strict=False)]
            elif operation == INVALIDATE and valid:
                words[valid[0]] &= ~(1 << valid[1])
        if operation == READ:
            self.plain |= {0x804 + 4 * i: result[i] for i in range(8)}

    # --- Doorbells

    def _queue(self, func: int, relative: int) -> int | None:
        base, count = self.context(FMAP, func)[:2]
        return base + relative if relative < count and base + relative < self.queues else None

    def _ring(self, index: int) -> int:
        return self.plain[RING_SIZES + 4 * index]

    def _read_doorbell(self, func: int, address: int, relative: int) -> int:
        kind = address // 4 % 4
        if kind == 0:
            return 0
        qid = self._queue(func, relative)
        if qid is None:
            self._target(QID_RANGE, func, address)
            return 0
        if kind == 3:
            w = self.context(COMPLETION, qid)
            low = w[3] >> 12 & 0xFFFF | (w[0] >> 17 & 15) << 16 | (w[0] >> 21 & 15) << 20
            return low | (w[0] >> 2 & 7) << 24 | (w[0] & 1) << 27 | (w[0] >> 1 & 1) << 28
        return self.context(SW_H2C if kind == 1 else SW_C2H, qid)[0] & 0x1FFFF

    def _ring_doorbell(self, func: int, address: int, relative: int, value: int) -> None:
        kind, index = address // 4 % 4, value & 0xFFFF
        if kind == 0:
            ring = value >> 16 & 255
            words = self.context(INTERRUPT, ring)
            entries = 512 * ((words[2] >> 3 & 7) + 1)
            if not words[0] & 1 or words[3] >> 18 & 0xFFF != func or index >= entries:
                self._target(QID_RANGE, func, address)
            else:
                self.ring_cidx[ring] = index
                self.events.append((0, ring))
            return
        qid = self._queue(func, relative)
        if qid is None:
            self._target(QID_RANGE, func, address)
        elif kind == 3:
            self._completion(qid, index, value)
        else:
            words = self.context(SW_H2C if kind == 1 else SW_C2H, qid)
            if not words[1] & 1 and words[1] >> 26 & 3:  # stopped by an error: the arm alone
                words[0] |= value & 1 << 16
                self.events.append((kind, qid))
            elif words[1] & 1 and index + 1 < self._ring(words[1] >> 12 & 15):
                words[0] = words[0] & ~0xFFFF | index | value & 1 << 16
                self.events.append((kind, qid))
            else:
                self.leaves[DSC].raise_(PIDX_ERROR, qid=qid, c2h=kind == 2, old=words[0] & 0xFFFF, new=index)

    def _completion(self, qid: int, index: int, value: int) -> None:
        words = self.context(COMPLETION, qid)
        if not words[3] >> 28 & 1:
            self.leaves[C2H].raise_(INVALID_QUEUE, qid=qid)
        elif index + 1 >= self._ring(words[0] >> 28):
            self.leaves[C2H].raise_(CIDX_ERROR, qid=qid)
        else:
            words[3] = words[3] & ~0x0FFFF000 | index << 12
            if words[4] >> 1 & 1:
                words[0] &= ~MODES
                words[0] |= (value >> 27 & 1) | (value >> 28 & 1) << 1 | (value >> 24 & 7) << 2
                words[0] |= (value >> 16 & 15) << 17 | (value >> 20 & 15) << 21
            self.events.append((3, qid))

    # --- Errors

    def _leaf(self, status: int) -> tuple[int, int, int]:
        return next(leaf for leaf in self.leaves if leaf[0] == status)

    def _target(self, bit: int, func: int, address: int) -> None:
        target = 2 if bit in (QSPC_UNMAPPED, QID_RANGE) else 1
        self.leaves[TRQ].raise_(bit, log=target << 27 | func << 17 | address & 0x1FFFF)

    def global_status(self) -> int:
        live = sum(1 << bit for (_, mask, bit), log in self.leaves.items() if log.status & self.plain[mask])
        return live | self.command_errors

    def _logs(self) -> dict[int, int]:
        dsc, c2h = self.leaves[DSC], self.leaves[C2H]
        first = dsc.first
        log0 = bool(dsc.status) << 31 | first.get("c2h", 0) << 30 | first.get("qid", 0)
        log2 = first.get("old", 0) << 16 | first.get("new", 0)
        return {
            0x25C: log0,
            0x260: first.get("bit", 0),
            0x27C: log2,
            0x26C: self.leaves[TRQ].first.get("log", 0),
            0xB30: c2h.first.get("bit", 0) << 16 | c2h.first.get("qid", 0),
        }

    def _interrupt(self) -> None:
        """Fires as long as it is armed and a masked cause is present."""
        setting = self.plain[ERROR_INTERRUPT]
        if setting & ARM and self.global_status() & self.plain[GLOBAL_MASK]:
            self.plain[ERROR_INTERRUPT] = setting & ~ARM
            self.interrupts.append(setting & ~ARM)
