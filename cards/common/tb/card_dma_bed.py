# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Both sides of card_dma: the user side of qdma as specified in cores/qdma/docs/c2h.md and h2c.md, and a card's host
ports.

They check each rule of the interfaces in each cycle, and every packet.
"""

import os
from collections import deque
from dataclasses import dataclass, field

from ullnic_tb import Stepper, parameter, seeded

PORTS = parameter("PORTS", 2)
H2C_DEPTH, C2H_DEPTH = parameter("H2C_DEPTH", 256), parameter("C2H_DEPTH", 64)
STUCK_CYCLES = parameter("STUCK_CYCLES", 25000)
BEAT, WORD, HEADER = 64, 8, 16
YES, HOLD, DROP, INVALID, TOO_LONG = range(5)
ANSWER_CYCLES = 13  # cores/qdma/docs/c2h.md
STATS = ("h2c_error", "h2c_too_long", "h2c_no_port", "h2c_empty", "h2c_stuck")
STATS += ("c2h_dropped", "c2h_invalid", "c2h_too_long")
TO_CARD = ("m_h2c_tdata", "m_h2c_tkeep", "m_h2c_tvalid", "m_h2c_tlast", "s_c2h_tready")
PLAIN = ("data", "user_trig", "user_format", "place", "err")  # of an entry: all 0
OUTPUTS = (
    *TO_CARD,
    *("s_axis_h2c_tready", "c2h_ask_valid", "c2h_ask_qid", "c2h_ask_len", "c2h_ask_has_cmpt", "c2h_ask_marker"),
    *("m_axis_c2h_tvalid", "m_axis_c2h_tdata", "m_axis_c2h_tlast", "m_axis_c2h_tuser_mty"),
    "m_axis_c2h_tuser_zero_byte",
    *(f"m_axis_c2h_tuser_cmpt_{name}" for name in PLAIN),
    *(f"stat_{name}" for name in STATS),
    "unasked",
)
BITS = {
    **{"s_axis_h2c_tvalid": 1, "s_axis_h2c_tdata": 512, "s_axis_h2c_tlast": 1, "s_axis_h2c_tuser_qid": 11},
    **{"s_axis_h2c_tuser_mty": 6, "s_axis_h2c_tuser_zero_byte": 1, "s_axis_h2c_tuser_err": 1},
    **{"c2h_ask_ready": 1, "c2h_answer_valid": 1, "c2h_answer_qid": 11, "c2h_answer": 3, "c2h_buffer_event": 1},
    **{"c2h_buffer_event_qid": 11, "c2h_room_event": 1, "c2h_room_event_qid": 11, "m_axis_c2h_tready": 1},
    **{"m_h2c_tready": PORTS, "s_c2h_tdata": 64 * PORTS, "s_c2h_tkeep": 8 * PORTS, "s_c2h_tvalid": PORTS},
    **{"s_c2h_tlast": PORTS, "flush": 1, "rst": 1},
}


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[i : i + size] for i in range(0, len(data), size)] or [b""]


def card_packet(rng, frame: int, said: int | None = None) -> bytes:
    """A packet of the card with a frame of this many bytes; `said`: the length in its header, if it is wrong."""
    return (frame if said is None else said).to_bytes(2, "little") + rng.randbytes(HEADER - 2 + frame)


@dataclass
class H2c:
    """A packet of qdma.

    `fails_at`: the beat with the error, which ends it, and has no bytes; or, with `goes_on`, a beat of the packet,
    which has its length. `finds_port_stuck`: the card accepts nothing for too long, and the store is full.
    """

    qid: int
    data: bytes
    fails_at: int | None = None
    goes_on: bool = False
    finds_port_stuck: bool = False

    def beats(self) -> list[tuple[bytes, int, int]]:
        beats = [[block, 0, 0] for block in cut(self.data, BEAT)]
        if self.fails_at is not None and self.goes_on:
            beats[self.fails_at % len(beats)][2] = 1
        elif self.fails_at is not None:
            beats = [*beats[: self.fails_at], [b"", 0, 1]]
        beats[-1][1] = 1
        return [tuple(beat) for beat in beats]

    def arrives(self) -> bool:
        fits = 0 < len(self.data) <= BEAT * H2C_DEPTH
        return self.fails_at is None and self.qid < PORTS and fits and not self.finds_port_stuck


@dataclass
class C2h:
    """A packet of the card."""

    port: int
    data: bytes
    asked: int | None = None  # bytes; known once its first word has been accepted
    first_at: int | None = None
    last_at: int | None = None
    shown_at: int | None = None  # the last ask
    asked_at: int | None = None
    granted_at: int | None = None
    beat_at: int | None = None
    done_at: int | None = None
    answers: list[int] = field(default_factory=list)


@dataclass
class Words:
    """An AXI-Stream of words or beats: a valid unit is held until it is accepted."""

    units: deque = field(default_factory=deque)
    is_shown: bool = False

    def show(self, chance: bool) -> bool:
        self.is_shown = bool(self.units) and (self.is_shown or chance)
        return self.is_shown


class Bed:
    """`answer` decides each ask: its answer, and for those that hold or close a queue the cycles from the ask to the
    event, or None.

    `delay` returns the cycles from an ask to its answer. `rates` are probabilities in a cycle; those of ports are
    lists.
    """

    def __init__(self, dut, name: str | None = None):
        self.dut = dut
        self.rng = seeded(name or os.environ["ULLNIC_TEST_NAME"])
        self.rates = dict.fromkeys(("h2c", "ask_ready", "beat_ready"), 1.0) | {"noise": 0.0}
        self.rates |= {name: [1.0] * PORTS for name in ("card", "card_ready")}
        self.answer = lambda packet: (YES, None)
        self.delay = lambda: ANSWER_CYCLES
        self.is_mixed = False  # changes the inputs within a cycle
        self.s = Stepper(dut, OUTPUTS)
        self.cycle = 0
        self.flush = self.was_flush = 0
        self.h2c, self.h2c_sent = Words(), deque()
        self.card = [Words() for _ in range(PORTS)]
        self.h2c_wanted = [deque() for _ in range(PORTS)]  # what the card must receive
        self.h2c_got = [bytearray() for _ in range(PORTS)]
        self.h2c_done = [[] for _ in range(PORTS)]
        self.word_cycles = [[] for _ in range(PORTS)]  # in which the card received a word
        self.held_word = [None] * PORTS
        self.unasked = [deque() for _ in range(PORTS)]  # packets of the card whose first word was accepted
        self.asking: list[C2h | None] = [None] * PORTS
        self.held: list[C2h | None] = [None] * PORTS
        self.held_since = [0] * PORTS
        self.closed = [False] * PORTS  # since C2H_INVALID, until an event
        self.unasked_gone = 0
        self.shown_ask = self.held_beat = None
        self.pending: deque[tuple[int, C2h, int]] = deque()  # answers: cycle, receiver, answer
        self.events: dict[int, list[int]] = {}
        self.last_event = [-1] * PORTS
        self.sending: deque[C2h] = deque()
        self.got = bytearray()
        self.done: list[C2h] = []
        self.gone: list[C2h] = []  # dropped
        self.flushed = 0
        self.stats = dict.fromkeys(STATS, 0)

    async def started(self) -> "Bed":
        await self.s.reset(cycles=3, **{name: 0 for name in BITS if name != "rst"})
        return self

    def chance(self, rate: float) -> bool:
        return rate >= 1.0 or self.rng.random() < rate

    # ------------------------------------------------------------ what is sent

    def send(self, *packets: H2c) -> None:
        for packet in packets:
            beats = packet.beats()
            self.h2c.units.extend((packet, i, beat) for i, beat in enumerate(beats))

    def give(self, *packets: C2h) -> None:
        for packet in packets:
            words = cut(packet.data, WORD)
            self.card[packet.port].units.extend((packet, i, i == len(words) - 1, word) for i, word in enumerate(words))

    def is_busy(self) -> bool:
        waits = any(self.h2c_wanted) or any(self.unasked) or any(self.asking)
        return bool(self.h2c.units or any(port.units for port in self.card) or waits or self.sending)

    async def run(self, limit: int, until=None) -> None:
        """Until all is sent and has arrived."""
        until = until or (lambda: not self.is_busy())
        for _ in range(limit):
            if until():
                return
            await self.step()
        raise AssertionError(f"not at an end after {limit} cycles")

    async def quiet(self, cycles: int = 60) -> None:
        """All has arrived: nothing else comes, and the counters are right."""
        for _ in range(cycles):
            out = await self.step()
            assert not (out.m_h2c_tvalid or out.c2h_ask_valid or out.m_axis_c2h_tvalid)
        assert {name: getattr(out, f"stat_{name}") for name in STATS} == self.stats

    # ------------------------------------------------------------ a cycle

    def noise(self, name: str) -> int:
        return self.rng.getrandbits(BITS[name])

    def inputs(self) -> dict[str, int]:
        dirt = self.rates["noise"] > 0
        inputs = {name: self.noise(name) if dirt else 0 for name in BITS if name != "rst"}
        inputs |= {"flush": self.flush, "c2h_ask_ready": int(self.chance(self.rates["ask_ready"]))}
        inputs["m_axis_c2h_tready"] = int(self.chance(self.rates["beat_ready"]))
        inputs["m_h2c_tready"] = sum(self.chance(rate) << i for i, rate in enumerate(self.rates["card_ready"]))
        inputs["s_axis_h2c_tvalid"] = int(self.h2c.show(self.chance(self.rates["h2c"])))
        if self.h2c.is_shown:
            packet, _, (block, last, error) = self.h2c.units[0]
            self.fill(inputs, "s_axis_h2c_tdata", 0, block, BEAT)
            inputs |= {"s_axis_h2c_tlast": last, "s_axis_h2c_tuser_qid": packet.qid, "s_axis_h2c_tuser_err": error}
            inputs |= {"s_axis_h2c_tuser_mty": -len(block) & 63, "s_axis_h2c_tuser_zero_byte": int(not block)}
        inputs["s_c2h_tvalid"] = 0
        for port, words in enumerate(self.card):
            if words.show(self.chance(self.rates["card"][port])):
                _, _, last, word = words.units[0]
                self.fill(inputs, "s_c2h_tdata", port, word, WORD)
                inputs["s_c2h_tvalid"] |= 1 << port
                inputs["s_c2h_tlast"] = inputs["s_c2h_tlast"] & ~(1 << port) | last << port
                keep = ((1 << len(word)) - 1) << WORD * port
                inputs["s_c2h_tkeep"] = inputs["s_c2h_tkeep"] & ~(0xFF << WORD * port) | keep
        inputs["c2h_answer_valid"] = int(bool(self.pending) and self.pending[0][0] <= self.cycle)
        if inputs["c2h_answer_valid"]:
            _, packet, answer = self.pending[0]
            inputs |= {"c2h_answer_qid": packet.port, "c2h_answer": answer}
        queues = self.events.get(self.cycle, [])
        kinds = ["buffer", "room"]
        self.rng.shuffle(kinds)
        for kind in kinds:
            qid = queues.pop() if queues else None
            if qid is None and self.chance(self.rates["noise"]):
                qid = self.rng.choice((PORTS, PORTS + 8, 1024, 2047))  # without an owner
            inputs[f"c2h_{kind}_event"] = int(qid is not None)
            if qid is not None:
                inputs[f"c2h_{kind}_event_qid"] = qid
                if qid < PORTS:
                    self.last_event[qid] = self.cycle
                    self.closed[qid] = False
        if queues:
            self.events.setdefault(self.cycle + 1, []).extend(queues)
        return inputs

    @staticmethod
    def fill(inputs: dict[str, int], name: str, field_: int, octets: bytes, size: int) -> None:
        """Sets these bytes; those after them keep their values."""
        mask = ((1 << 8 * len(octets)) - 1) << 8 * size * field_
        inputs[name] = inputs[name] & ~mask | int.from_bytes(octets, "little") << 8 * size * field_

    async def step(self):
        inputs = self.inputs()
        if self.is_mixed:
            # Other inputs before the edge: the outputs to the card must not follow them.
            others = {name: self.noise(name) for name in BITS if name not in ("rst", "flush")}
            seen = [await self.s.look(**others | {"flush": self.rng.getrandbits(1)}), await self.s.look(**inputs)]
            assert len({tuple(getattr(out, name) for name in TO_CARD) for out in seen}) == 1
        out = await self.s.step(**inputs)
        if self.flush and not self.was_flush:
            self.begin_flush(out)
        self.see_h2c(inputs, out)
        if not self.flush:
            self.see_unasked(out)
        self.see_card(inputs, out)
        if self.flush:
            assert not out.c2h_ask_valid
        else:
            self.see_ask(inputs, out)
            self.see_answer(inputs)
            self.see_beat(inputs, out)
        self.was_flush = self.flush
        self.cycle += 1
        return out

    def see_h2c(self, inputs, out) -> None:
        if inputs["s_axis_h2c_tvalid"] and out.s_axis_h2c_tready:
            packet, _, (_, last, _) = self.h2c.units.popleft()
            self.h2c.is_shown = False
            if last and not self.flush:
                if packet.arrives():
                    self.h2c_wanted[packet.qid].append((self.cycle, packet.data))
                elif packet.qid >= PORTS:
                    self.stats["h2c_no_port"] += 1
                elif packet.fails_at is not None:
                    self.stats["h2c_error"] += 1
                elif packet.finds_port_stuck:
                    self.stats["h2c_stuck"] += 1
                else:
                    self.stats["h2c_too_long" if packet.data else "h2c_empty"] += 1
        for port in range(PORTS):
            valid = out.m_h2c_tvalid >> port & 1
            shown = tuple(
                getattr(out, f"m_h2c_t{name}") >> size * port & (1 << size) - 1
                for name, size in (("data", 64), ("keep", 8), ("last", 1))
            )
            if self.held_word[port] is not None:
                assert valid and shown == self.held_word[port], "the card sees another word than it has been shown"
            elif self.was_flush and valid:
                assert self.h2c_got[port], "a packet begins while flush is high"
            self.held_word[port] = shown if valid and not inputs["m_h2c_tready"] >> port & 1 else None
            if valid and inputs["m_h2c_tready"] >> port & 1:
                data, keep, last = shown
                assert self.h2c_wanted[port], "a packet that was not sent, or dropped"
                wanted = self.h2c_wanted[port][0][1]
                assert keep == 0xFF or (last and keep in [(1 << n) - 1 for n in range(1, 8)])
                got = self.h2c_got[port]
                got += data.to_bytes(8, "little")[: keep.bit_length()]
                assert wanted.startswith(got) and last == (len(got) == len(wanted)), (len(got), len(wanted))
                self.word_cycles[port].append(self.cycle)
                if last:
                    self.h2c_done[port].append(self.h2c_wanted[port].popleft())
                    got.clear()

    def see_card(self, inputs, out) -> None:
        for port in range(PORTS):
            if inputs["s_c2h_tvalid"] >> port & out.s_c2h_tready >> port & 1:
                packet, i, last, _ = self.card[port].units.popleft()
                self.card[port].is_shown = False
                if i == 0:
                    packet.first_at = self.cycle
                    said = inputs["s_c2h_tdata"] >> 64 * port & 0xFFFF
                    packet.asked = min(said + HEADER, 0xFFFF)
                    if self.flush:
                        self.flushed += 1
                    else:
                        self.unasked[port].append(packet)
                if last:
                    packet.last_at = self.cycle

    def see_unasked(self, out) -> None:
        """Packets of closed queues, for which qdma sees no ask."""
        for port in range(PORTS):
            if out.unasked >> port & 1:
                assert self.closed[port] and self.asking[port] is None, "dropped without an ask"
                self.gone.append(self.unasked[port].popleft())
                self.stats["c2h_invalid"] += 1
                self.unasked_gone += 1

    def see_ask(self, inputs, out) -> None:
        shown = (out.c2h_ask_qid, out.c2h_ask_len) if out.c2h_ask_valid else None
        assert self.shown_ask is None or shown == self.shown_ask, "an ask that was shown has changed"
        self.shown_ask = None
        if not shown:
            return
        port = out.c2h_ask_qid
        assert port < PORTS and out.c2h_ask_has_cmpt and not out.c2h_ask_marker
        assert self.asking[port] is None, "asked for before the answer"
        packet = self.unasked[port][0]
        assert out.c2h_ask_len == packet.asked
        if packet.shown_at is None or packet.asked_at is not None:
            packet.shown_at, packet.asked_at = self.cycle, None
            assert not self.closed[port], "asked for, though the queue is closed"
            if self.held[port] is not None:
                assert self.last_event[port] >= self.held_since[port], "asked for again without an event"
        if not inputs["c2h_ask_ready"]:
            self.shown_ask = shown
            return
        self.held[port] = None
        packet.asked_at = self.cycle
        self.asking[port] = packet
        answer, event = self.answer(packet)
        at = max(self.cycle + self.delay(), self.pending[-1][0] + 1 if self.pending else 0)
        self.pending.append((at, packet, answer))
        if answer in (HOLD, INVALID) and event is not None:
            self.events.setdefault(self.cycle + event, []).append(port)

    def see_answer(self, inputs) -> None:
        if not inputs["c2h_answer_valid"]:
            return
        _, packet, answer = self.pending.popleft()
        port = packet.port
        self.asking[port] = None
        packet.answers.append(answer)
        if answer == HOLD:
            # The event that repeats the ask may have arrived since the ask became valid.
            self.held[port], self.held_since[port] = packet, packet.shown_at
            return
        self.unasked[port].popleft()
        packet.granted_at = self.cycle
        if answer == YES:
            self.sending.append(packet)
        else:
            self.gone.append(packet)
            names = {DROP: "c2h_dropped", INVALID: "c2h_invalid", TOO_LONG: "c2h_too_long"}
            self.stats[names[answer]] += 1
            self.closed[port] = answer == INVALID and self.last_event[port] < packet.shown_at

    def see_beat(self, inputs, out) -> None:
        assert not out.m_axis_c2h_tuser_zero_byte
        assert not any(getattr(out, f"m_axis_c2h_tuser_cmpt_{name}") for name in PLAIN)
        beat = (out.m_axis_c2h_tdata, out.m_axis_c2h_tlast, out.m_axis_c2h_tuser_mty)
        valid = out.m_axis_c2h_tvalid
        assert self.held_beat is None or (valid and beat == self.held_beat), "a beat that was shown has changed"
        self.held_beat = beat if valid and not inputs["m_axis_c2h_tready"] else None
        if not valid:
            return
        assert self.sending, "a beat of no granted packet"
        packet = self.sending[0]
        if packet.beat_at is None:
            packet.beat_at = self.cycle
        if self.held_beat:
            return
        data, last, mty = beat
        assert last or not mty
        self.got += data.to_bytes(BEAT, "little")[: BEAT - mty]
        assert packet.data.startswith(self.got) and last == (len(self.got) == len(packet.data))
        if last:
            packet.done_at = self.cycle
            self.done.append(self.sending.popleft())
            self.got.clear()

    # ------------------------------------------------------------ flush

    def begin_flush(self, out) -> None:
        """qdma is reset: it forgets everything. Of the packets for the card, only one that has become valid remains."""
        self.pending.clear()
        self.events.clear()
        self.got.clear()
        self.shown_ask = self.held_beat = None
        for port in range(PORTS):
            self.asking[port] = self.held[port] = None
            self.closed[port] = False
            self.flushed += len(self.unasked[port])
            self.unasked[port].clear()
            is_shown = self.h2c_got[port] or out.m_h2c_tvalid >> port & 1
            wanted = self.h2c_wanted[port]
            self.h2c_wanted[port] = deque(list(wanted)[: 1 if is_shown else 0])
        self.flushed += len(self.sending)
        self.sending.clear()

    async def flushes(self, cycles: int, resets_after: int) -> None:
        """`resets_after`: cycles in which qdma still sends."""
        self.flush = 1
        for i in range(cycles):
            if i == resets_after:
                # qdma forgets the packet that it was sending; packets that it has not begun follow later.
                self.h2c.is_shown = False
                while self.h2c.units and self.h2c.units[0][1]:
                    self.h2c.units.popleft()
                waits, self.h2c = self.h2c, Words()
            await self.step()
        self.h2c = waits
        self.flush = 0


async def fresh(dut) -> Bed:
    return await Bed(dut).started()
