# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Drives qdma_completion_bench, one cycle each step, and checks its output against the rings of the model."""

from collections import deque

from qdma_completion_model import Ring
from qdma_write_bed import lanes, names
from ullnic_tb import Stepper

MODULES = (
    "qdma_arbiter",
    "qdma_context_ram",
    "qdma_first",
    "qdma_fifo",
    "qdma_completion_ring_pkg",
    "qdma_id_queue",
    "qdma_timer_wheel",
)
MODULES += (
    "qdma_completion_next",
    "qdma_completion_ring",
    "qdma_completion_leave",
    "qdma_completion_slots",
    "qdma_completion_room",
)
MODULES += ("qdma_completion",)
OUTPUTS = names(
    "clearing command_ready read_valid read_word door_ready reserve_ready answer_valid answer_qid answer "
    "room_event room_qid post_ready completion_valid completion_last completion_func completion_addr "
    "completion_dwords completion_data status_valid status_func status_addr status_dwords status_data "
    "cause_valid cause refused_valid refused_qid refused_full cidx_error cidx_error_qid stat_refused stat_discarded "
    "stat_full_cycles stat_full_end stat_full_end_qid stat_full_end_cycles"
)
SIZES = [9, 17, 3, 33, 65, 8, 130, 34] * 2  # with the status slot
COUNTS = [0, 1, 2, 4, 7, 16, 30, 3] * 2
TICKS = [0, 1, 2, 3, 5, 9, 14, 40] * 2
COLOUR_PLACES = [20, 1, 31, 63, 40, 5, 33]
ERROR_PLACES = [21, 2, 30, 62, 41, 6, 34]
ACCESS_CYCLES = 4  # minimum between doorbells or commands
CHANGE_CYCLES = 20  # until a doorbell or command takes effect
LIMIT = 5000  # cycles until everything that waits is accepted
YES, FULL, DROP, INVALID = range(4)


class Bed:
    def __init__(self, dut):
        self.s = Stepper(dut, OUTPUTS)
        self.rings: dict[int, Ring] = {}
        self.posts, self.doors, self.commands, self.reserves = deque(), deque(), deque(), deque()
        self.beats: list[bytes] = []
        self.writes: list[tuple[int, int, int]] = []  # cycle, queue, entries
        self.notices: list[tuple[int, str, int]] = []  # cycle, what, queue
        self.answers, self.room_events, self.refused, self.cidx_errors, self.full_ends = [], [], [], [], []
        self.refused_full: list[int] = []
        self.reads: list[int] = []
        self.posted_at: list[int] = []
        self.sending: dict[int, tuple] = {}
        self.wide: set[int] = set()  # queues whose reservations are for entries of 64 bytes

    @property
    def cycle(self) -> int:
        return self.s.cycle

    async def reset(self, tick_cycles: int = 12, coalesce: int = 200) -> "Bed":
        inputs = names(
            "command_valid command_qid command_read command_word door_valid door_qid door_data "
            "reserve_valid reserve_qid reserve_wide post_valid post_qid post_trigger post_format post_place post_error "
            "post_used post_length post_user channel_is_idle completion_ready status_ready cause_ready"
        )
        await self.s.reset(
            **dict.fromkeys(inputs, 0),
            ring_size=lanes(SIZES, 16),
            count_threshold=lanes(COUNTS, 16),
            timer_ticks=lanes(TICKS, 16),
            tick_cycles=tick_cycles,
            coalesce_cycles=coalesce,
            colour_place=lanes(COLOUR_PLACES, 9),
            error_place=lanes(ERROR_PLACES, 9),
        )
        while (await self.s.step()).clearing:
            pass
        for _ in range(8):  # the wheel is cleared
            await self.s.step()
        return self

    def ring(self, qid: int, size_ix: int = 0, entry_bytes: int = 16, **more: int) -> Ring:
        """Creates a ring by a command that writes its context."""
        base = more.pop("base", 0x1_0000_0000 + qid * 0x10000)
        ring = Ring(qid, qid % 200, base, size_ix, SIZES[size_ix] - 1, entry_bytes, vector=qid + 3, **more)
        self.rings[qid] = ring
        self.commands.append((qid, 0, ring.words()))
        return ring

    def command(self, qid: int, word: int = 0, read: int = 0) -> None:
        self.commands.append((qid, read, word))

    def door(self, ring: Ring, cidx: int, mode=None, count_ix=None, timer_ix=None) -> None:
        ring.mode = ring.mode if mode is None else mode
        ring.count_ix = ring.count_ix if count_ix is None else count_ix
        ring.timer_ix = ring.timer_ix if timer_ix is None else timer_ix
        data = cidx | ring.count_ix << 16 | ring.timer_ix << 20 | ring.mode << 24 | ring.en_stat << 27
        self.doors.append((ring.qid, data | ring.en_int << 28))

    def post(self, ring: Ring, rng, trigger: int = 0, form: int | None = None) -> None:
        """Posts an entry of a packet that has its place."""
        places = [i for i in range(7) if COLOUR_PLACES[i] < 8 * ring.entry_bytes]
        entry = {
            "user": rng.getrandbits(512),
            "trigger": trigger,
            "format": rng.getrandbits(1) if form is None else form,
            "place": rng.choice(places),
            "error": rng.getrandbits(1),
            "used": rng.getrandbits(1),
            "length": rng.getrandbits(16),
        }
        self.posts.append((ring.qid, entry))

    def send(self, ring: Ring, rng, trigger: int = 0) -> None:
        """As a source does: reserves a place, and posts once it has one."""
        self.reserves.append(ring.qid)
        self.sending[ring.qid] = (rng, trigger)

    async def step(self, ready=(1, 1, 1), idle: int | None = None, show_post: bool = True):
        """A cycle. `idle`: as the channel says; else it is idle when nothing is shown to it."""
        post = self.posts[0] if self.posts and (show_post or self._post_held) else None
        # Accesses to BAR 0 are sequential.
        is_access_time = self.cycle >= self._access_after
        command = self.commands[0] if self.commands and is_access_time else None
        door = self.doors[0] if self.doors and is_access_time and not command else None
        entry = post[1] if post else None
        inputs = {"post_valid": int(post is not None), "door_valid": int(door is not None)}
        if post:
            inputs |= {f"post_{key}": entry[key] for key in ("user", "trigger", "format", "place", "error", "used")}
            inputs |= {"post_length": entry["length"], "post_qid": post[0]}
        if door:
            inputs |= {"door_qid": door[0], "door_data": door[1]}
        inputs["command_valid"] = int(command is not None)
        if command:
            inputs |= {"command_qid": command[0], "command_read": command[1], "command_word": command[2]}
        inputs["reserve_valid"] = int(bool(self.reserves))
        if self.reserves:
            inputs["reserve_qid"] = self.reserves[0]
            inputs["reserve_wide"] = int(self.reserves[0] in self.wide)
        inputs |= {"completion_ready": ready[0], "status_ready": ready[1], "cause_ready": ready[2]}
        out = await self.s.step(**inputs, channel_is_idle=self._idle if idle is None else idle)
        self._idle = int(not (out.completion_valid or out.status_valid or out.cause_valid))
        self._post_held = post is not None and not out.post_ready
        if post and out.post_ready:
            self._posted(*self.posts.popleft())
        if (door and out.door_ready) or (command and out.command_ready):
            self._access_after = self.cycle + self.access_cycles
        if door and out.door_ready:
            self._rung(*self.doors.popleft())
        if command and out.command_ready:
            self.commands.popleft()
        if self.reserves and out.reserve_ready:
            self.reserves.popleft()
        self._collect(out, ready)
        return out

    _idle = 1
    _post_held = False
    _access_after = 0
    access_cycles = ACCESS_CYCLES

    async def steps(self, count: int, **more) -> None:
        for _ in range(count):
            await self.step(**more)

    async def settle(self, count: int = 60, **more) -> None:
        """Until all has been accepted, and a while more."""
        limit, count = self.cycle + LIMIT, count + CHANGE_CYCLES * (len(self.commands) + len(self.doors))
        while self.posts or self.doors or self.commands or self.reserves:
            assert self.cycle < limit, "it hangs"
            await self.step(**more)
        await self.steps(count, **more)

    def _posted(self, qid: int, entry: dict) -> None:
        self.posted_at.append(self.cycle)
        ring = self.rings.get(qid)
        if ring:
            ring.posts.append(entry)
            ring.posted += 1

    def _rung(self, qid: int, data: int) -> None:
        ring = self.rings.get(qid)
        if ring:
            ring.acknowledge(data & 0xFFFF)
            ring.arms += 1
            ring.rung_at = self.cycle

    def _collect(self, out, ready) -> None:
        if out.completion_valid and ready[0]:
            self.beats.append(out.completion_data.to_bytes(64, "little"))
            if out.completion_last:
                data = b"".join(self.beats)
                self.beats = []
                assert 0 <= len(data) - 4 * out.completion_dwords < 64
                first, last = out.completion_addr, out.completion_addr + 4 * out.completion_dwords - 1
                assert first // 128 == last // 128, "not within one aligned 128 bytes"
                ring = self._at(first)
                assert out.completion_func == ring.func
                count = ring.write(first, data[: 4 * out.completion_dwords], COLOUR_PLACES, ERROR_PLACES)
                self.writes.append((self.cycle, ring.qid, count))
        if out.status_valid and ready[1]:
            ring = self._at(out.status_addr)
            assert (out.status_func, out.status_dwords) == (ring.func, 2)
            ring.status(out.status_addr, out.status_data)
            self.notices.append((self.cycle, "status", ring.qid))
        if out.cause_valid and ready[2]:
            qid = out.cause >> 62
            self.rings[qid].cause(out.cause)
            self.notices.append((self.cycle, "cause", qid))
        if out.answer_valid:
            self.answers.append((out.answer_qid, out.answer))
            if out.answer_qid in self.sending:
                rng, trigger = self.sending.pop(out.answer_qid)
                if out.answer == YES:
                    self.post(self.rings[out.answer_qid], rng, trigger)
        if out.room_event:
            self.room_events.append((self.cycle, out.room_qid))
        if out.refused_valid:
            self.refused.append(out.refused_qid)
            self.refused_full.append(out.refused_full)
        if out.cidx_error:
            self.cidx_errors.append(out.cidx_error_qid)
        if out.stat_full_end:
            self.full_ends.append((self.cycle, out.stat_full_end_qid, out.stat_full_end_cycles))
        if out.read_valid:
            self.reads.append(out.read_word)

    def _at(self, addr: int) -> Ring:
        for ring in self.rings.values():
            if ring.base <= addr < ring.base + (ring.entries + 1) * ring.entry_bytes:
                return ring
        raise AssertionError(f"a write to {addr:#x}, which is no ring's")
