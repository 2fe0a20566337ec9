# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A source of packets, completion rings and a write channel for qdma_c2h_bench.

Each write and each entry is checked against the buffers that the driver posted, in order, cut by the buffer size alone.
"""

from collections import deque

from qdma_bed import CORE
from qdma_c2h_model import (
    DEEP,
    DEPTH,
    HOLD,
    INVALID,
    ROOM_CYCLES,
    ROOM_DROP,
    ROOM_FULL,
    ROOM_INVALID,
    ROOM_YES,
    SIZES,
    STOPS,
    TOO_LONG,
    YES,
    C2hQueue,
    Packet,
)
from qdma_contract import DROP_EMPTY, INLINE, PREFETCH_VALID
from qdma_host import enabled
from qdma_rings import DSC_PND, IDL_STP_B, Rings, fetch_sources
from qdma_write_bed import running_test
from ullnic_tb import Bench, seeded

MAX_PAYLOAD = {128: 0, 256: 1, 512: 2, 1024: 3, 4096: 5}  # as the PCIe configuration has it


def c2h_sources() -> list:
    names = (
        "h2c_pkg",
        "write_pkg",
        "c2h_pkg",
        "queue_bits",
        "small_fifo",
        "large_ram",
        "c2h_cut",
        "c2h_step",
        "c2h_rotate",
    )
    names += (
        "c2h_size",
        "c2h_stock",
        "c2h_admit",
        "c2h_retire",
        "c2h_places",
        "c2h_store",
        "c2h_walk",
        "c2h_inline",
        "c2h_intake",
        "c2h_entries",
        "c2h_post",
        "c2h_writer",
        "c2h_stop",
        "c2h",
    )
    own = [CORE / "rtl" / f"qdma_{name}.sv" for name in names]
    return [*fetch_sources(), *own, CORE / "tb" / "qdma_c2h_bench.sv"]


class Rig(Rings):
    outputs = ("ask_ready", "answer_valid", "answer_qid", "answer", "buffer_event", "buffer_event_qid", "beat_ready")
    outputs += ("done_valid", "done_qid", "done_flags", "stop_ready", "stop_done", "reserve_valid", "reserve_qid")
    outputs += ("reserve_wide",)
    outputs += ("post_valid", "post_qid", "post_flags", "post_used", "post_length", "post_user", "payload_valid")
    outputs += ("payload_last", "payload_func", "payload_addr", "payload_dwords", "payload_be", "payload_data")
    outputs += ("status_valid", "status_qid", "status_cidx", "status_error", "stat_granted", "stat_held")
    outputs += ("stat_no_buffers", "stat_ring_full", "stat_invalid", "stat_too_long", "stat_hold_cycles")
    outputs += ("stat_mismatched", "stat_stopped", "invalid_valid", "too_long_valid")
    inputs_low = ("pf_write", "pf_ready", "ask_valid", "beat_valid", "stop_valid", "reserve_ready", "room_valid")
    inputs_low += ("post_ready", "payload_ready", "status_ready", "ask_marker", "beat_last", "user_flags")

    def __init__(self, dut, rng, *, mps=256, **host):
        super().__init__(dut, rng, **host)
        self.mps = mps  # of max_payload
        sizes = sum(size << 16 * i for i, size in enumerate(SIZES))
        self.idle = dict.fromkeys(self.inputs_low, 0)
        self.idle |= {"max_payload": MAX_PAYLOAD[mps], "buffer_sizes": sizes}
        self.asks: deque[Packet] = deque()
        self.asked: deque[Packet] = deque()  # without an answer
        self.sending: deque[tuple] = deque()  # packet, block, is last
        self.granted: deque[Packet] = deque()  # not written
        self.entries: deque[Packet] = deque()  # not posted
        self.leaving: deque[Packet] = deque()  # not done
        self.rooms: deque[tuple[int, int]] = deque()  # cycle, answer
        self.prefetch: deque[tuple[int, int]] = deque()
        self.answers = [0] * 5
        self.answer_log: list[tuple[int, int, int]] = []  # cycle, queue, answer
        self.asked_at: list[int] = []
        self.beat_at: list[tuple[int, bool]] = []
        self.payload_at: list[int] = []
        self.writes: list[tuple[int, int, int]] = []  # cycle of the last beat, queue, bytes
        self.post_at: list[tuple[int, int]] = []
        self.status: dict[int, tuple[int, int]] = {}
        self.tlp = None
        self.stop_qid = self.stop_is_open = None
        self.stop_begun = 0
        self.stopped_at: dict[int, int] = {}
        self.before_stops: list[Packet] = []  # the last packet that was granted before each stop
        self.inlined = 0  # entries of inline packets
        self.ask_shown = self.beat_shown = False
        self.source_stalls = False
        self.out = None

    def set_max_payload(self, mps: int) -> None:
        """While nothing is under way."""
        self.mps = mps
        self.s.set(max_payload=MAX_PAYLOAD[mps])

    # --- The driver
    async def add_queue(self, size: int, size_ix: int = 3, *, drop=False, valid=True, inline=False) -> C2hQueue:
        plain = await self.add(size, 0)
        queue = C2hQueue(plain.qid, plain.func, plain.size, plain.base, 0)
        self.queues[queue.qid] = queue
        self.set_prefetch(queue, size_ix, drop=drop, valid=valid, inline=inline)
        return queue

    def set_prefetch(self, queue: C2hQueue, size_ix: int, *, drop=False, valid=True, inline=False) -> None:
        queue.size_ix, queue.inline = size_ix, inline
        self.prefetch.append((queue.qid, size_ix << 1 | INLINE * inline | DROP_EMPTY * drop | PREFETCH_VALID * valid))

    def room(self, queue: C2hQueue) -> int:
        return queue.size - 2 - len(queue.buffers)

    def put(self, queue: C2hQueue, count: int, address=None) -> None:
        """Puts buffers into the ring; `address` of each, random by default. Without a doorbell."""
        for _ in range(count):
            addr = address() if address else self.rng.getrandbits(40) | 1 << 50
            self.memory.write(queue.base + 8 * queue.pidx, addr.to_bytes(8, "little"))
            queue.buffers.append(addr)
            queue.pidx = queue.after(queue.pidx)

    async def give(self, queue: C2hQueue, count: int, address=None) -> None:
        self.put(queue, count, address)
        await self.ring(queue, queue.pidx)

    # --- The source
    def packet(self, queue: C2hQueue, count: int, *, actual=None, **more) -> Packet:
        rng = self.rng
        data = rng.randbytes(count if actual is None else actual)
        more.setdefault("user", rng.getrandbits(512))
        packet = Packet(queue, count, data, flags=rng.getrandbits(6), **more)
        self.asks.append(packet)
        return packet

    def free_places(self, queue: C2hQueue, count: int) -> None:
        """Software has advanced CIDX of the completion ring."""
        queue.places += count
        self.ask_again(queue)

    def ask_again(self, queue: C2hQueue) -> None:
        queue.event_at = self.s.cycle
        # After the valid one.
        shown = [self.asks.popleft()] if self.ask_shown else []
        self.asks.extendleft(reversed(queue.held))
        self.asks.extendleft(shown)
        queue.held.clear()

    # --- A cycle
    def inputs(self, cycle: int, ready: float = 1.0, ask: float = 1.0, beat: float = 1.0, room: float = 1.0) -> dict:
        chance = lambda rate: int(self.rng.random() < rate)  # noqa: E731
        ins = {"payload_ready": chance(ready), "post_ready": chance(ready), "status_ready": chance(ready)}
        ins |= {
            "reserve_ready": chance(room),
            "pf_ready": chance(room),
            "room_valid": 0,
            "pf_write": 0,
            "stop_valid": 0,
        }
        self.ask_shown = bool(self.asks) and (self.ask_shown or bool(chance(ask)))
        ins["ask_valid"] = int(self.ask_shown)
        if self.ask_shown:
            head = self.asks[0]
            ins |= {"ask_qid": head.queue.qid, "ask_bytes": head.asked, "ask_completion": int(head.completion)}
            ins["ask_marker"] = int(head.marker)
        was_shown = self.beat_shown
        self.beat_shown = was_shown or (bool(self.sending) and bool(chance(beat)) and not self.source_stalls)
        ins["beat_valid"] = int(self.beat_shown)
        if self.beat_shown and not was_shown:
            packet, block, last = self.sending[0]
            filled = block + self.rng.randbytes(64 - len(block))
            ins |= {"beat_data": int.from_bytes(filled, "little"), "beat_bytes": len(block), "beat_last": int(last)}
            ins |= {"user_data": packet.user if last else 0, "user_flags": packet.flags if last else 0}
        if self.rooms and self.rooms[0][0] <= cycle:
            ins |= {"room_valid": 1, "room": self.rooms.popleft()[1]}
        if self.prefetch:
            qid, word = self.prefetch.popleft()
            ins |= {"pf_write": 1, "pf_qid": qid, "pf_word": word}
        if self.stop_qid is not None:
            ins |= {"stop_valid": 1, "stop_qid": self.stop_qid}
        return ins

    def seen_read(self, read) -> None:
        pass

    def seen(self, cycle: int, ins: dict, out) -> None:
        self.out = out
        if out.payload_valid:
            self.payload_at.append(cycle)
            if ins["payload_ready"]:
                self.seen_payload(cycle, out)
        if out.post_valid and ins["post_ready"]:
            self.seen_post(cycle, out)
        if ins["ask_valid"] and out.ask_ready:
            self.asked.append(self.asks.popleft())
            self.asked[-1].asked_at = cycle
            self.asked_at.append(cycle)
            self.ask_shown = False
        if out.reserve_valid and ins["reserve_ready"]:
            room = self.reserve(self.queues[out.reserve_qid], bool(out.reserve_wide))
            self.rooms.append((cycle + ROOM_CYCLES, room))
        if ins["beat_valid"] and out.beat_ready:
            packet, _, last = self.sending.popleft()
            self.beat_at.append((cycle, last))
            self.beat_shown = False
            packet.arrived = packet.arrived or last
        if out.stop_done:
            self.finish_stop(cycle)
        if self.stop_qid is not None and out.stop_ready:
            self.begin_stop()
        if out.answer_valid:
            self.seen_answer(cycle, out)
        if out.buffer_event:
            self.ask_again(self.queues[out.buffer_event_qid])
        if out.done_valid:
            self.seen_done(out)
        if out.status_valid and ins["status_ready"]:
            self.status[out.status_qid] = (out.status_cidx, out.status_error)

    @staticmethod
    def reserve(queue: C2hQueue, is_wide: bool) -> int:
        assert not is_wide or queue.inline, "an entry of 64 bytes for a queue without inline packets"
        if queue.room_invalid or (is_wide and queue.is_narrow):
            return ROOM_INVALID
        if queue.places == 0:
            return ROOM_DROP if queue.room_drops else ROOM_FULL
        if queue.places is not None:
            queue.places -= 1
        return ROOM_YES

    def seen_answer(self, cycle: int, out) -> None:
        packet = self.asked.popleft()
        queue = packet.queue
        assert out.answer_qid == queue.qid
        assert (out.invalid_valid, out.too_long_valid) == (out.answer == INVALID, out.answer == TOO_LONG)
        self.answers[out.answer] += 1
        self.answer_log.append((cycle, queue.qid, out.answer))
        queue.answers.append(out.answer)
        if out.answer == HOLD:
            # An event after the ask counts for it.
            if queue.event_at > packet.asked_at:
                self.asks.append(packet)
            else:
                queue.held.append(packet)
        if out.answer == YES:
            self.grant(packet)

    def grant(self, packet: Packet) -> None:
        queue = packet.queue
        assert not (queue.is_narrow and packet.is_inline()), "an inline packet that its entry cannot hold"
        if queue.qid == self.stop_is_open:
            assert self.s.cycle <= self.stop_begun + 1, "a grant of a queue that is being stopped"
            packet.stopped = True
        size, data = SIZES[queue.size_ix] or 1, packet.payload
        for i in range(0, 0 if packet.is_inline() else len(data), size):
            assert queue.buffers, f"queue {queue.qid}: a packet got a buffer that was not posted"
            packet.writes.append((queue.buffers.popleft(), data[i : i + size]))
        for block, last in packet.beats():
            self.sending.append((packet, block, last))
        self.granted.append(packet)
        self.leaving.append(packet)
        if packet.completion:
            self.entries.append(packet)
        queue.got += 1

    def seen_payload(self, cycle: int, out) -> None:
        data = out.payload_data.to_bytes(64, "little")
        if self.tlp is None:
            self.tlp = (out.payload_func, out.payload_addr, out.payload_dwords, out.payload_be, b"")
        *header, so_far = self.tlp
        assert header == [out.payload_func, out.payload_addr, out.payload_dwords, out.payload_be], (
            "a header that changes"
        )
        self.tlp = (*header, so_far + data)
        assert out.payload_last == (len(so_far) + 64 >= 4 * out.payload_dwords)
        if out.payload_last:
            self.check_write(cycle, *self.tlp)
            self.tlp = None

    def check_write(self, cycle: int, func: int, addr: int, dwords: int, be: int, data: bytes) -> None:
        first, count = enabled(addr, dwords, be)
        assert addr % 4 == 0 and count <= self.mps
        assert first // self.mps == (first + count - 1) // self.mps, "a write crosses MPS"
        written = data[first - addr :][:count]
        while self.granted:
            packet = self.granted[0]
            if packet.writes and packet.writes[0][0] == first and not packet.dead:
                break
            assert not packet.writes or packet.stopped, f"queue {packet.queue.qid}: a write to {first:#x}"
            self.written(cycle)
        assert self.granted, f"a write to {first:#x}, which is no packet's"
        start, left = packet.writes[0]
        assert func == packet.queue.func
        assert written == left[:count], f"queue {packet.queue.qid}: wrong bytes at {first:#x}"
        assert count == len(left) or (first + count) % 64 == 0, "a write that ends within a line"
        packet.writes.popleft()
        if count < len(left):
            packet.writes.appendleft((start + count, left[count:]))
        self.writes.append((cycle, packet.queue.qid, count))
        if not packet.writes:
            self.written(cycle)

    def written(self, cycle: int) -> None:
        self.granted.popleft().sent_at = cycle

    def seen_post(self, cycle: int, out) -> None:
        while (
            self.entries
            and self.entries[0].stopped
            and (
                self.entries[0].dead
                or self.entries[0].queue.qid != out.post_qid
                or self.entries[0].entry()[0] != out.post_user
            )
        ):
            self.entries.popleft()
        assert self.entries, f"queue {out.post_qid}: an entry of no packet"
        packet = self.entries.popleft()
        assert not packet.writes or packet.stopped, "an entry before its payload"
        is_without = not packet.asked or packet.is_inline()
        assert packet.sent_at is None or packet.sent_at < cycle or is_without, "an entry before its payload"
        assert packet.arrived
        assert out.post_qid == packet.queue.qid
        assert out.post_length == packet.asked
        assert (out.post_user, out.post_flags, out.post_used) == packet.entry()
        self.inlined += packet.is_inline()
        self.post_at.append((cycle, packet.queue.qid))

    def seen_done(self, out) -> None:
        packet = self.leaving.popleft()
        assert packet.arrived and out.done_qid == packet.queue.qid
        assert out.done_flags & 3 == packet.mismatched << 1 | packet.marker
        assert not out.done_flags & 4 or packet.stopped
        if not packet.writes and packet in self.granted and self.granted[0] is packet:
            self.granted.popleft()

    # --- Stop
    def may_stop(self) -> bool:
        """Whether a stop is accepted while the source stalls."""
        under_way = {id(packet) for packet in self.leaving}
        self.before_stops = [packet for packet in self.before_stops if id(packet) in under_way]
        return len(self.before_stops) < STOPS

    def begin_stop(self) -> None:
        self.before_stops.extend(list(self.leaving)[-1:])
        self.stop_is_open, self.stop_qid = self.stop_qid, None
        self.stop_begun = self.s.cycle
        for packet in self.leaving:
            if packet.queue.qid == self.stop_is_open:
                packet.stopped = True

    def finish_stop(self, cycle: int) -> None:
        for packet in self.leaving:
            if packet.queue.qid == self.stop_is_open:
                packet.dead = True
        self.queues[self.stop_is_open].buffers.clear()
        self.stopped_at[self.stop_is_open] = cycle
        self.stop_is_open = None

    async def stop(self, queue: C2hQueue, limit: int = 3000, **rates) -> int:
        """As the driver invalidates: qen = 0, then the stop. Cycles that it took."""
        await self.write(queue.qid, 0, 1 << 32)
        self.stop_qid = queue.qid
        begin = self.s.cycle
        while self.stop_qid is not None or self.stop_is_open is not None:
            assert self.s.cycle - begin < limit, "a stop that does not end"
            await self.step(**rates)
        return self.s.cycle - begin

    # --- Ends
    def is_busy(self) -> bool:
        return bool(self.asks or self.asked or self.sending or self.leaving or self.events or self.tlp)

    async def drain(self, limit: int = 20000, **rates) -> None:
        """Until all packets that are not held have left."""
        begin, quiet = self.s.cycle, 0
        while quiet < 60:
            assert self.s.cycle - begin < limit, (len(self.asks), len(self.asked), len(self.sending), len(self.leaving))
            await self.step(**rates)
            quiet = 0 if self.is_busy() or self.host.reads else quiet + 1
        assert not any(packet.writes and not packet.stopped for packet in self.granted)
        assert not [packet for packet in self.entries if not packet.stopped]

    async def check_none_held(self) -> None:
        """No queue is counted as one that waits for buffers."""
        before = self.out.stat_hold_cycles
        await self.step()
        assert self.out.stat_hold_cycles == before

    async def check_taken(self, queue: C2hQueue) -> None:
        """No buffers are left of all that were posted, and the fetch has no batch under way."""
        assert not queue.buffers
        hw = await self.read(queue.qid, hw=1)
        assert hw >> 43 & 15 == 0 and hw & 0xFFFF == queue.pidx and hw & (IDL_STP_B | DSC_PND) == IDL_STP_B


def rig_of(dut, rng=None, **more) -> Rig:
    return Rig(dut, rng or seeded(running_test()), **more)


def c2h_bench() -> Bench:
    # Assertions of the blocks hold after the first reset.
    parameters = {"QUEUES": 64, "PLACES": 256, "DEPTH": DEPTH, "DEEP": DEEP}
    return Bench("qdma_c2h_bench", c2h_sources(), parameters, starts_with_zeros=True)
