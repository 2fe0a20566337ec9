# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Obligations of completion rings, for rings that a test sets up.

Entries are pending in the order of their posts and may leave in writes of any number. When a status leaves, and with
which indices, is the block's choice within bounds: the model checks each status against what can be true at that time.
Timers and triggers that must fire are noted with the cycle by which their status must have left.
"""

from dataclasses import dataclass, field

OFF, EVERY, USER_COUNT, USER, USER_TIMER, ALL = range(6)
COUNTED, TIMED = (USER_COUNT, ALL), (USER_TIMER, ALL)
CIDX_ERROR = 1


@dataclass
class Ring:
    qid: int
    func: int
    base: int
    size_ix: int
    entries: int  # besides the status
    entry_bytes: int
    mode: int = OFF
    count_ix: int = 0
    timer_ix: int = 0
    en_stat: int = 1
    en_int: int = 1
    full_upd: int = 1
    vector: int = 0
    aggregated: int = 0
    drop: int = 0
    unlimited: int = 0
    pidx: int = 0
    cidx: int = 0
    posted: int = 0  # total of entries: this many are in `posts`
    written: int = 0
    status_at: int = 0  # written when the last status left
    posts: list = field(default_factory=list)
    earlier: list[int] = field(default_factory=list)  # CIDX values since the last status, replaced by later doorbells
    is_broken: bool = False
    statuses: int = 0
    causes: int = 0
    arms: int = 0
    rung_at: int = 0  # the last doorbell

    def words(self) -> int:
        """The context, as the driver writes it."""
        code = self.entry_bytes.bit_length() - 4
        word = self.en_stat | self.en_int << 1 | self.mode << 2 | self.func << 5 | self.count_ix << 17
        word |= self.timer_ix << 21 | 1 << 27 | self.size_ix << 28
        word |= (self.base >> 6) << 32 | code << 90 | self.pidx << 92 | self.cidx << 108 | 1 << 124
        word |= self.full_upd << 129 | self.unlimited << 130 | self.vector << 132 | self.aggregated << 143
        word |= 1 << 146  # direction C2H
        return word | (self.base >> 2 & 15) << 174 | self.drop << 191

    def colour(self, number: int) -> int:
        return 1 ^ (number // self.entries & 1)

    def address(self, number: int) -> int:
        return self.base + number % self.entries * self.entry_bytes

    def expected(self, number: int, entry: dict, colour_place, error_place) -> int:
        value = entry["user"] & ((1 << 8 * self.entry_bytes) - 1)
        colour = self.colour(number)
        if entry["format"]:
            for place, bit in ((colour_place, colour), (error_place, entry["error"]), (0, 1)):
                value = value & ~(1 << place) | bit << place
            return value & ((1 << 8 * self.entry_bytes) - 1)
        low = colour << 1 | entry["error"] << 2 | entry["used"] << 3 | entry["length"] << 4
        return value & ~0xFFFFF | low

    def write(self, addr: int, data: bytes, colour_places, error_places) -> int:
        """Entries have been written: each must be the next pending one. Returns how many."""
        assert len(data) % self.entry_bytes == 0 and data
        count = len(data) // self.entry_bytes
        for i in range(count):
            number = self.written
            assert number < len(self.posts), f"queue {self.qid}: an entry that was not posted"
            assert addr + i * self.entry_bytes == self.address(number), f"queue {self.qid}: entry {number} at {addr:#x}"
            entry = self.posts[number]
            place = entry["place"]
            wanted = self.expected(number, entry, colour_places[place], error_places[place])
            got = int.from_bytes(data[i * self.entry_bytes : (i + 1) * self.entry_bytes], "little")
            assert got == wanted, f"queue {self.qid}: entry {number} is {got:#x}, not {wanted:#x}"
            self.written += 1
        return count

    def status(self, addr: int, value: int) -> None:
        assert self.en_stat and addr == self.base + self.entries * self.entry_bytes
        self.check_status(value)
        self.status_at = self.written
        self.statuses += 1
        self.check_arms()

    def check_status(self, value: int) -> None:
        """It counts exactly the written entries, which are all that were posted before it."""
        pidx, cidx, colour = value & 0xFFFF, value >> 16 & 0xFFFF, value >> 32 & 1
        state, error = value >> 33 & 3, value >> 35 & 3
        assert (pidx, colour) == (self.written % self.entries, self.colour(self.written)), f"queue {self.qid}: {pidx}"
        known = [*self.earlier, self.cidx]
        assert cidx in known and state == 0 and value >> 37 == 0
        self.earlier = known[known.index(cidx) : -1]
        assert error == (CIDX_ERROR if self.is_broken else 0)

    def acknowledge(self, cidx: int) -> None:
        """A doorbell: a status that was formed before it has another CIDX."""
        self.earlier.append(self.cidx)
        self.cidx = cidx

    def check_arms(self) -> None:
        """Each arming takes effect once, by status and interrupt."""
        if not self.en_stat or not self.en_int:
            assert self.statuses + self.causes <= self.arms, f"queue {self.qid}: more than once an arming"
        assert max(self.statuses, self.causes) <= self.arms, f"queue {self.qid}: more than once an arming"

    def cause(self, value: int) -> None:
        """interrupt_cause_t: {qid, is_c2h, func, is_aggregated, vector, status}"""
        assert self.en_int
        assert value >> 36 + 1 & 0x7FF == self.vector and value >> 48 & 1 == self.aggregated
        assert value >> 49 & 0xFFF == self.func and value >> 61 & 1 == 1 and value >> 62 == self.qid
        self.check_status(value & ((1 << 37) - 1))
        if self.en_stat:
            assert self.status_at == self.written and self.statuses == self.causes + 1, "interrupt before its status"
        self.causes += 1
        self.check_arms()

    def unread(self) -> int:
        return (self.posted - self.cidx) % self.entries
