# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The user of qdma that sends C2H packets.

It asks for each packet, holds those that find no room until an event of their queue, and sends those that are granted,
in the order of the answers.
"""

from collections import deque
from dataclasses import dataclass, field

YES, HOLD, DROP, INVALID, TOO_LONG = range(5)
SOURCE_OUTPUTS = (
    *("c2h_ask_ready", "c2h_answer_valid", "c2h_answer_qid", "c2h_answer", "s_axis_c2h_tready"),
    *("c2h_buffer_event", "c2h_buffer_event_qid", "c2h_room_event", "c2h_room_event_qid"),
    *("c2h_done_valid", "c2h_done_qid", "c2h_done_marker", "c2h_done_mismatched", "c2h_done_stopped"),
)
SOURCE_IDLE = dict.fromkeys(
    (
        *("c2h_ask_valid", "c2h_ask_qid", "c2h_ask_len", "c2h_ask_has_cmpt", "c2h_ask_marker"),
        *("s_axis_c2h_tvalid", "s_axis_c2h_tdata", "s_axis_c2h_tlast", "s_axis_c2h_tuser_mty"),
        *("s_axis_c2h_tuser_zero_byte", "s_axis_c2h_tuser_cmpt_data", "s_axis_c2h_tuser_cmpt_user_trig"),
        *("s_axis_c2h_tuser_cmpt_user_format", "s_axis_c2h_tuser_cmpt_place", "s_axis_c2h_tuser_cmpt_err"),
    ),
    0,
)


@dataclass
class Packet:
    qid: int
    data: bytes
    asked: int  # requested bytes
    completion: bool = True
    marker: bool = False
    user: int = 0
    trigger: int = 0
    user_format: int = 0
    place: int = 0
    error: int = 0
    asked_at: int = 0
    first_at: int | None = None  # its first beat was accepted
    last_at: int | None = None  # its last one
    regions: list = field(default_factory=list)  # of host memory, for checks
    is_done: bool = False
    is_inline: bool = False  # granted, and it goes into its entry

    @property
    def payload(self) -> bytes:
        """The payload according to the grant."""
        return self.data[: self.asked].ljust(self.asked, b"\0")

    @property
    def is_mismatched(self) -> bool:
        return len(self.data) != self.asked


class Source:
    """`granted` is called with each granted packet, `done` with each packet that has left, and whether its queue was
    stopped. `answers` has the answers of each queue. While `is_stalled`, no beat is sent.
    """

    def __init__(self, rng):
        self.rng = rng
        self.asks: deque[Packet] = deque()
        self.asked: deque[Packet] = deque()  # without an answer
        self.held: dict[int, deque[Packet]] = {}
        self.sending: deque[Packet] = deque()
        self.leaving: deque[Packet] = deque()  # not done
        self.beats: deque[tuple[bytes, bool]] = deque()  # of the packet that is being sent
        self.events: dict[int, int] = {}  # cycle of the last, by queue
        self.closed: dict[int, int] = {}  # the ask whose answer was INVALID, by queue, until the next one
        self.answers: dict[int, list[int]] = {}
        self.granted = self.done = lambda *_: None
        self.rates = {"ask": 1.0, "beat": 1.0}
        self.ask_shown = self.beat_shown = self.is_stalled = False

    def packet(self, qid: int, data: bytes, **more) -> Packet:
        packet = Packet(qid, data, more.pop("asked", len(data)), **more)
        self.asks.append(packet)
        return packet

    def forget(self, qid: int) -> None:
        """Gives up the packets of a queue without an answer, except the one whose ask is valid."""
        kept = [packet for i, packet in enumerate(self.asks) if packet.qid != qid or (i == 0 and self.ask_shown)]
        self.asks = deque(kept)
        self.held.pop(qid, None)

    def is_busy(self) -> bool:
        return bool(self.asks or self.asked or self.sending or self.leaving)

    def _chance(self, what: str) -> bool:
        return self.rates[what] >= 1.0 or self.rng.random() < self.rates[what]

    def inputs(self) -> dict[str, int]:
        self.ask_shown = bool(self.asks) and (self.ask_shown or self._chance("ask"))
        inputs = {"c2h_ask_valid": int(self.ask_shown)}
        if self.ask_shown:
            head = self.asks[0]
            inputs |= {"c2h_ask_qid": head.qid, "c2h_ask_len": head.asked, "c2h_ask_marker": int(head.marker)}
            inputs["c2h_ask_has_cmpt"] = int(head.completion)
        if not self.beats and self.sending:
            data = self.sending[0].data
            blocks = [data[i : i + 64] for i in range(0, len(data), 64)] or [b""]
            self.beats.extend((block, i == len(blocks) - 1) for i, block in enumerate(blocks))
        was_shown = self.beat_shown
        self.beat_shown = was_shown or (bool(self.beats) and not self.is_stalled and self._chance("beat"))
        inputs["s_axis_c2h_tvalid"] = int(self.beat_shown)
        if self.beat_shown and not was_shown:
            packet, (block, last) = self.sending[0], self.beats[0]
            inputs["s_axis_c2h_tdata"] = int.from_bytes(block, "little")
            inputs |= {"s_axis_c2h_tlast": int(last), "s_axis_c2h_tuser_zero_byte": int(not block)}
            inputs["s_axis_c2h_tuser_mty"] = 64 - len(block) & 63
            side = (packet.user, packet.trigger, packet.user_format, packet.place, packet.error)
            fields = ("data", "user_trig", "user_format", "place", "err")
            inputs |= {
                f"s_axis_c2h_tuser_cmpt_{name}": value if last else 0 for name, value in zip(fields, side, strict=True)
            }
        return inputs

    def seen(self, cycle: int, out) -> None:
        if self.ask_shown and out.c2h_ask_ready:
            self.asked.append(self.asks.popleft())
            self.asked[-1].asked_at = cycle
            self.ask_shown = False
        if self.beat_shown and out.s_axis_c2h_tready:
            packet = self.sending[0]
            if packet.first_at is None:
                packet.first_at = cycle
            if self.beats.popleft()[1]:
                packet.last_at = cycle
                self.sending.popleft()
            self.beat_shown = False
        if out.c2h_answer_valid:
            self._answer(out.c2h_answer_qid, out.c2h_answer)
        if out.c2h_buffer_event:
            self._event(cycle, out.c2h_buffer_event_qid)
        if out.c2h_room_event:
            self._event(cycle, out.c2h_room_event_qid)
        if out.c2h_done_valid:
            packet = self.leaving.popleft()
            assert packet.last_at is not None and out.c2h_done_qid == packet.qid
            assert (out.c2h_done_marker, out.c2h_done_mismatched) == (packet.marker, packet.is_mismatched)
            packet.is_done = True
            self.done(packet, bool(out.c2h_done_stopped))

    def _answer(self, qid: int, answer: int) -> None:
        packet = self.asked.popleft()
        assert qid == packet.qid
        self.answers.setdefault(qid, []).append(answer)
        if answer == INVALID:
            self.closed[qid] = packet.asked_at
        elif answer != TOO_LONG:
            closed = self.closed.pop(qid, None)
            assert closed is None or self.events.get(qid, -1) > closed, "a source that waits for an event never asks"
        if answer == YES:
            self.granted(packet)
            self.sending.append(packet)
            self.leaving.append(packet)
        elif answer == HOLD:
            # An event after the ask counts for it.
            if self.events.get(qid, -1) > packet.asked_at:
                self.asks.append(packet)
            else:
                self.held.setdefault(qid, deque()).append(packet)

    def _event(self, cycle: int, qid: int) -> None:
        self.events[qid] = cycle
        # After the valid one
        shown = [self.asks.popleft()] if self.ask_shown else []
        self.asks.extendleft(reversed(self.held.pop(qid, ())))
        self.asks.extendleft(shown)
