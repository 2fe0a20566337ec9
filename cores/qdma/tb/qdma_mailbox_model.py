# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What a mailbox answers and changes, access by access, and which interrupts it must send.

Written from the contract: each pair of a VF and its PF has a message in each direction.
"""

from collections import deque
from dataclasses import dataclass, field

WORDS = 32
MAX_PFS = 4
STATUS, COMMAND, VECTOR, TARGET, ENABLE, ACKS, INBOUND, OUTBOUND = 0, 4, 8, 12, 16, 0x20, 0x800, 0xC00
SEND, RECEIVE = 1, 2
PF_BASE, VF_BASE = 0x22400, 0x5000


@dataclass
class Message:
    """One direction between a VF and its PF: words belong to the waiting message, or to the one being written."""

    words: dict[int, int] = field(default_factory=dict)
    waits: bool = False

    def received(self) -> None:
        self.words, self.waits = {}, False


@dataclass
class Own:
    """The state of one function."""

    vector: int = 0
    is_enabled: int = 0
    is_due: bool = False  # an event arrived after the last interrupt


@dataclass
class Pf:
    target: int = 0
    acks: int = 0
    queue: deque[int] = field(default_factory=deque)  # VFs whose message waits, in order


class Mailbox:
    def __init__(self, pfs: int, vfs: int, share: int | None = None):
        self.pfs, self.vfs = pfs, vfs
        self.share = share or max(1, -(-vfs // pfs))
        self.own = {func: Own() for func in [*range(pfs), *range(MAX_PFS, MAX_PFS + vfs)]}
        self.pf = [Pf() for _ in range(pfs)]
        self.to_pf = {vf: Message() for vf in self.own if vf >= MAX_PFS}
        self.to_vf = {vf: Message() for vf in self.to_pf}

    def parent(self, vf: int) -> int:
        return (vf - MAX_PFS) // self.share

    def pair(self, func: int) -> int | None:
        """The VF of the pair that an access refers to."""
        if func >= MAX_PFS:
            return func
        target = self.pf[func].target
        return target if target in self.to_pf and self.parent(target) == func else None

    def ways(self, func: int, vf: int) -> tuple[Message, Message]:
        """Directions of this function: in, out."""
        return (self.to_vf[vf], self.to_pf[vf]) if func >= MAX_PFS else (self.to_pf[vf], self.to_vf[vf])

    def has_cause(self, func: int) -> bool:
        if func >= MAX_PFS:
            return self.to_vf[func].waits
        return bool(self.pf[func].queue or self.pf[func].acks)

    # --- Accesses: what is read, and whether it is refused

    def read(self, func: int, offset: int) -> tuple[int, bool]:
        vf, is_pf = self.pair(func), func < MAX_PFS
        if INBOUND <= offset < INBOUND + 4 * WORDS or OUTBOUND <= offset < OUTBOUND + 4 * WORDS:
            if vf is None:
                return 0, True
            inbound, outbound = self.ways(func, vf)
            index = offset // 4 % WORDS
            if offset >= OUTBOUND:
                return outbound.words.get(index, 0), False
            return inbound.words.get(index, 0) if inbound.waits else 0, False
        if ACKS <= offset < ACKS + 32:
            return (self.pf[func].acks >> 8 * (offset - ACKS) & 0xFFFFFFFF, False) if is_pf else (0, True)
        if offset == STATUS:
            return self.status(func, vf), False
        if offset == TARGET:
            return (self.pf[func].target, False) if is_pf else (0, True)
        if offset in (VECTOR, ENABLE, COMMAND):
            own = self.own[func]
            return {VECTOR: own.vector, ENABLE: own.is_enabled, COMMAND: 0}[offset], False
        return 0, True

    def status(self, func: int, vf: int | None) -> int:
        value = 0 if vf is None else self.ways(func, vf)[1].waits << 1
        if func >= MAX_PFS:
            return value | self.to_vf[func].waits
        pf = self.pf[func]
        return value | bool(pf.acks) << 2 | (1 | pf.queue[0] << 4 if pf.queue else 0)

    def write(self, func: int, offset: int, value: int) -> bool:
        vf, is_pf = self.pair(func), func < MAX_PFS
        if OUTBOUND <= offset < OUTBOUND + 4 * WORDS:
            if vf is None or self.ways(func, vf)[1].waits:
                return True
            self.ways(func, vf)[1].words[offset // 4 % WORDS] = value
            return False
        if ACKS <= offset < ACKS + 32 and is_pf:
            self.pf[func].acks &= ~(value << 8 * (offset - ACKS))
            return False
        if offset == TARGET and is_pf:
            self.pf[func].target = value & 0xFFF
            return False
        if offset == COMMAND:
            return self.command(func, vf, value)
        if offset == VECTOR:
            self.own[func].vector = value & 31
            return False
        if offset == ENABLE:
            self.own[func].is_enabled = value & 1
            self.own[func].is_due |= bool(value & 1)
            return False
        return True

    def command(self, func: int, vf: int | None, value: int) -> bool:
        if vf is None:
            return bool(value & (SEND | RECEIVE))
        is_pf, refused = func < MAX_PFS, False
        inbound, outbound = self.ways(func, vf)
        peer = vf if is_pf else self.parent(vf)
        if value & SEND:
            refused = outbound.waits
            if not outbound.waits:
                outbound.waits = self.own[peer].is_due = True
                if not is_pf:
                    self.pf[peer].queue.append(vf)
        if value & RECEIVE:
            refused |= not inbound.waits
            if inbound.waits:
                inbound.received()
                self.own[peer].is_due = True
                if is_pf:
                    self.pf[func].queue.remove(vf)
                else:
                    self.pf[peer].acks |= 1 << vf
        return refused

    def clean(self, func: int) -> None:
        """State of a function that is reset: its inbox, its interrupt, acknowledgements, unsent words."""
        self.own[func] = Own()
        if func >= MAX_PFS:
            self.to_vf[func].received()
            if not self.to_pf[func].waits:
                self.to_pf[func].words = {}
            return
        self.pf[func] = Pf()
        for vf in self.to_pf:
            if self.parent(vf) == func:
                if self.to_pf[vf].waits:
                    self.to_pf[vf].received()
                if not self.to_vf[vf].waits:
                    self.to_vf[vf].words = {}
