# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The user's side of the example design between an AXI4-Lite master and a model of the DMA.

The model has queues with room for a number of packets, answers asks in order after a few cycles, and reports when a
queue has room.
"""

from collections import deque
from dataclasses import dataclass
from pathlib import Path

from ullnic_tb import Bench, Stepper, parameter

ROOT = Path(__file__).resolve().parents[3]
CARD = ROOT / "cards" / "qdma_example"
QUEUES, LOOP_BEATS = 40, 16
YES, HOLD, DROP, INVALID, TOO_LONG = range(5)
OKAY, SLVERR = 0, 2
QID, LEN, CONTROL, H2C_CONTROL, H2C_STATUS, H2C_COUNT, C2H_STATUS, COUNT = 0, 4, 8, 0xC, 0x10, 0x14, 0x18, 0x20
WINDOW, LATENCY_CONTROL, LATENCY_ENABLE = 0x100, 0x108, 2
LATENCY = tuple(range(0x10C, 0x12C, 4))  # maximum, minimum, sum, packets, the low half first
DATA, SIZE, SCRATCH, DROPPED, ACCEPTED, PACKET_LENGTH = 0x30, 0x50, 0x60, 0x88, 0x8C, 0x90
INTERRUPT, INTERRUPT_MASK, INTERRUPT_VECTOR = 0x94, 0x98, 0x9C
LOOP, START, IMMEDIATE, NO_COMPLETION, MARKER = 1, 2, 4, 8, 1 << 5
DUMP, STOP, DROP_ENABLE = 1 << 17 | 1 << 20, 1 << 18 | 1 << 21, 1 << 19
CLEAR = 1
OUTPUTS = (
    *("s_axil_awready", "s_axil_wready", "s_axil_bresp", "s_axil_bvalid", "s_axil_arready", "s_axil_rdata"),
    *("s_axil_rresp", "s_axil_rvalid", "s_axis_h2c_tready", "c2h_ask_valid", "c2h_ask_qid", "c2h_ask_len"),
    *("c2h_ask_has_cmpt", "c2h_ask_marker", "m_axis_c2h_tvalid", "m_axis_c2h_tdata", "m_axis_c2h_tlast"),
    *("m_axis_c2h_tuser_mty", "m_axis_c2h_tuser_zero_byte", "m_axis_c2h_tuser_cmpt_data", "moves"),
    *("m_axis_c2h_tuser_cmpt_user_trig", "m_axis_c2h_tuser_cmpt_user_format", "m_axis_c2h_tuser_cmpt_place"),
    *("m_axis_c2h_tuser_cmpt_err", "stat_loop_dropped", "user_irq_valid", "user_irq_func", "user_irq_vector"),
)
HELD = ("c2h_ask_qid", "c2h_ask_len", "c2h_ask_has_cmpt", "c2h_ask_marker")
SHOWN = tuple(name for name in OUTPUTS if name.startswith("m_axis_c2h_t") and name != "m_axis_c2h_tvalid")


def example_bench() -> Bench:
    qdma, common = ROOT / "cores" / "qdma" / "rtl", ROOT / "cores" / "common" / "rtl"
    packages = ("qdma_context_pkg", "qdma_tlp_pkg", "qdma_c2h_pkg")
    names = ("pkg", "axil", "ask", "turns", "generator", "loop", "send", "checker", "latency", "interrupt", "user")
    sources = [common / "axil_demux.sv", common / "ram_sdp.sv", *(qdma / f"{name}.sv" for name in packages)]
    sources += [qdma / "qdma_small_fifo.sv", *sorted((CARD / "regs" / "generated").glob("*.sv"), reverse=True)]
    sources.sort(key=lambda path: not path.stem.endswith("_pkg"))
    sources += [CARD / "rtl" / f"example_{name}.sv" for name in names]
    return Bench("example_user", sources, {"QUEUES": QUEUES, "LOOP_BEATS": LOOP_BEATS})


def numbers(first: int, count: int) -> bytes:
    """Bytes of the pattern, starting at a number."""
    words = [(first + i & 0xFFFF).to_bytes(2, "little") for i in range((count + 1) // 2)]
    return b"".join(words)[:count]


def start_data(packets: int, count: int) -> list[bytes]:
    """The packets of one start."""
    return [numbers(i * ((count + 1) // 2), count) for i in range(packets)]


@dataclass
class Packet:
    qid: int
    count: int
    completion: bool
    marker: bool
    data: bytes = b""
    entry: int = 0
    trigger: int = 0
    user_format: int = 0
    place: int = 0


class Bed:
    """`room` has the packets that each queue accepts, None for an invalid queue. `answer` may override the answer.

    Packets are added to `received` with their last beat; if their queue is in `stopped`, they leave as stopped.
    """

    def __init__(self, dut, rng):
        self.rng = rng
        self.stepper = Stepper(dut, OUTPUTS)
        self.room: dict[int, int | None] = {}
        self.answer = lambda ask: None
        self.asks: deque[tuple[int, Packet]] = deque()  # with the cycle of the answer
        self.granted: deque[Packet] = deque()
        self.data = b""
        self.received: list[Packet] = []
        self.leaving: deque[tuple[int, Packet]] = deque()
        self.events: deque[int] = deque()
        self.stopped: set[int] = set()
        self.asked: list[Packet] = []
        self.answers: list[int] = []
        self.h2c: deque[tuple[bytes, bool, int, bool, bool]] = deque()  # beats
        self.h2c_shown = False
        self.rates = {"ask": 1.0, "beat": 1.0, "h2c": 1.0}
        self.delays = (8, 20)  # cycles until an answer
        self.before = None
        self.last_moved = 0
        self.interrupts: list[tuple[int, int, bool]] = []  # function, vector, whether it had ack
        self.interrupt: tuple[int, int, int] | None = None  # that is not answered: when it is; function, vector
        self.interrupt_fails = lambda func, vector: False

    async def reset(self) -> "Bed":
        idle = ("awaddr", "awvalid", "wdata", "wstrb", "wvalid", "bready", "araddr", "arvalid", "rready")
        inputs = {f"s_axil_{name}": 0 for name in idle}
        inputs |= {f"s_axis_h2c_t{name}": 0 for name in ("valid", "data", "last")}
        inputs |= {f"s_axis_h2c_tuser_{name}": 0 for name in ("qid", "mty", "zero_byte", "err")}
        inputs |= dict.fromkeys(("c2h_ask_ready", "c2h_answer_valid", "c2h_answer", "c2h_buffer_event"), 0)
        inputs |= dict.fromkeys(("c2h_buffer_event_qid", "c2h_room_event", "c2h_room_event_qid"), 0)
        inputs |= {"user_irq_ack": 0, "user_irq_fail": 0}
        inputs |= dict.fromkeys(("m_axis_c2h_tready", "c2h_done_valid", "c2h_done_marker", "c2h_done_stopped"), 0)
        await self.stepper.reset(**inputs)
        return self

    # --- The DMA
    def give(self, qid: int, room: int | None, *, event: bool = True) -> None:
        """Sets the room of a queue, and reports it."""
        self.room[qid] = room
        if event:
            self.events.append(qid)

    def _answer(self, ask: Packet) -> int:
        answer = self.answer(ask)
        room = self.room.get(ask.qid)
        if answer is None:
            answer = INVALID if room is None else YES if ask.marker or room > 0 else HOLD
        if answer == YES:
            if not ask.marker:
                self.room[ask.qid] -= 1
            self.granted.append(ask)
        self.answers.append(answer)
        return answer

    def _chance(self, what: str) -> int:
        return int(self.rng.random() < self.rates[what])

    def _held(self, seen, valid: str, ready: str, names: tuple[str, ...]) -> None:
        """An output that was valid and not accepted is unchanged."""
        if self.before and getattr(self.before, valid) and not self.stepper_inputs[ready]:
            assert getattr(seen, valid), f"{valid} fell before it was accepted"
            for name in names:
                assert getattr(seen, name) == getattr(self.before, name), name

    async def step(self, **inputs: int):
        cycle = self.stepper.cycle
        inputs |= {"c2h_ask_ready": self._chance("ask"), "m_axis_c2h_tready": self._chance("beat")}
        inputs |= dict.fromkeys(("c2h_answer_valid", "c2h_buffer_event", "c2h_room_event", "c2h_done_valid"), 0)
        inputs |= self._answer_interrupt(cycle)
        if self.asks and self.asks[0][0] <= cycle:
            inputs |= {"c2h_answer_valid": 1, "c2h_answer": self._answer(self.asks.popleft()[1])}
        for kind in ("buffer", "room"):
            if self.events and self.rng.random() < 0.7:
                inputs |= {f"c2h_{kind}_event": 1, f"c2h_{kind}_event_qid": self.events.popleft()}
        if self.leaving and self.leaving[0][0] <= cycle:
            packet = self.leaving.popleft()[1]
            stopped = int(packet.qid in self.stopped)
            inputs |= {"c2h_done_valid": 1, "c2h_done_marker": int(packet.marker), "c2h_done_stopped": stopped}
        if self.h2c and (self.h2c_shown or self._chance("h2c")):
            data, last, qid, zero, error = self.h2c[0]
            self.h2c_shown = True
            inputs |= {"s_axis_h2c_tvalid": 1, "s_axis_h2c_tdata": int.from_bytes(data, "little")}
            inputs |= {"s_axis_h2c_tlast": int(last), "s_axis_h2c_tuser_qid": qid, "s_axis_h2c_tuser_err": int(error)}
            inputs |= {"s_axis_h2c_tuser_mty": 64 - len(data) & 63, "s_axis_h2c_tuser_zero_byte": int(zero)}
        else:
            inputs["s_axis_h2c_tvalid"] = 0
        if any(inputs[name] for name in ("c2h_answer_valid", "c2h_buffer_event", "c2h_room_event", "c2h_done_valid")):
            self.last_moved = cycle
        seen = await self.stepper.step(**inputs)
        self._held(seen, "c2h_ask_valid", "c2h_ask_ready", HELD)
        self._held(seen, "m_axis_c2h_tvalid", "m_axis_c2h_tready", SHOWN[:3])
        self._interrupt(seen, inputs["user_irq_ack"] or inputs["user_irq_fail"])
        self.before, self.stepper_inputs = seen, inputs
        if seen.c2h_ask_valid and inputs["c2h_ask_ready"]:
            ask = Packet(seen.c2h_ask_qid, seen.c2h_ask_len, bool(seen.c2h_ask_has_cmpt), bool(seen.c2h_ask_marker))
            self.asked.append(ask)
            at = max(cycle + self.rng.randint(*self.delays), self.asks[-1][0] + 1 if self.asks else 0)
            self.asks.append((at, ask))
            self.last_moved = cycle
        if seen.m_axis_c2h_tvalid and inputs["m_axis_c2h_tready"]:
            self._beat(seen)
            self.last_moved = cycle
        if inputs["s_axis_h2c_tvalid"] and seen.s_axis_h2c_tready:
            self.h2c.popleft()
            self.h2c_shown = False
            self.last_moved = cycle
        return seen

    def _answer_interrupt(self, cycle: int) -> dict[str, int]:
        """Ack or fail, when it is time."""
        answer = {"user_irq_ack": 0, "user_irq_fail": 0}
        if self.interrupt and self.interrupt[0] <= cycle:
            _, func, vector = self.interrupt
            fails = self.interrupt_fails(func, vector)
            self.interrupts.append((func, vector, not fails))
            answer["user_irq_fail" if fails else "user_irq_ack"] = 1
            self.last_moved = cycle
        return answer

    def _interrupt(self, seen, is_answered: int) -> None:
        """One is held until its answer; in that cycle it is the one that is answered."""
        if self.interrupt:
            assert seen.user_irq_valid and (seen.user_irq_func, seen.user_irq_vector) == self.interrupt[1:]
        elif seen.user_irq_valid:
            at = self.stepper.cycle + self.rng.choice((1, 6, 60))
            self.interrupt = at, seen.user_irq_func, seen.user_irq_vector
        if self.interrupt:
            assert seen.moves
        if is_answered:
            self.interrupt = None

    def _beat(self, seen) -> None:
        assert self.granted, "a beat of a packet that was not granted"
        packet = self.granted[0]
        empty = seen.m_axis_c2h_tuser_mty
        assert not empty or seen.m_axis_c2h_tlast
        count = 0 if seen.m_axis_c2h_tuser_zero_byte else 64 - empty
        self.data += seen.m_axis_c2h_tdata.to_bytes(64, "little")[:count]
        assert len(self.data) <= packet.count
        if not seen.m_axis_c2h_tlast:
            return
        assert len(self.data) == packet.count, (len(self.data), packet.count)
        packet.data, self.data = self.data, b""
        packet.entry, packet.trigger = seen.m_axis_c2h_tuser_cmpt_data, seen.m_axis_c2h_tuser_cmpt_user_trig
        packet.user_format, packet.place = seen.m_axis_c2h_tuser_cmpt_user_format, seen.m_axis_c2h_tuser_cmpt_place
        assert seen.m_axis_c2h_tuser_cmpt_err == 0
        self.granted.popleft()
        self.received.append(packet)
        self.leaving.append((self.stepper.cycle + self.rng.randint(1, 30), packet))

    # --- H2C
    def send(self, qid: int, data: bytes, *, error: bool = False) -> None:
        blocks = [data[i : i + 64] for i in range(0, len(data), 64)] or [b""]
        for i, block in enumerate(blocks):
            last = i == len(blocks) - 1
            self.h2c.append((block, last, qid, not block, error and last))

    # --- Registers
    async def write(self, address: int, value: int, strobes: int = 15) -> int:
        """The response."""
        inputs = {"s_axil_awaddr": address, "s_axil_wdata": value, "s_axil_wstrb": strobes, "s_axil_bready": 1}
        waits = {"aw", "w"}
        for _ in range(100):
            seen = await self.step(s_axil_awvalid=int("aw" in waits), s_axil_wvalid=int("w" in waits), **inputs)
            waits -= {name for name in ("aw", "w") if getattr(seen, f"s_axil_{name}ready")}
            if seen.s_axil_bvalid:
                self.stepper.set(s_axil_bready=0)
                return seen.s_axil_bresp
        raise AssertionError(f"no answer to a write of {address:#x}")

    async def access(self, address: int) -> tuple[int, int]:
        """Response and data of a read."""
        is_waiting = True
        for _ in range(100):
            seen = await self.step(s_axil_araddr=address, s_axil_arvalid=int(is_waiting), s_axil_rready=1)
            is_waiting &= not seen.s_axil_arready
            if seen.s_axil_rvalid:
                self.stepper.set(s_axil_rready=0)
                return seen.s_axil_rresp, seen.s_axil_rdata
        raise AssertionError(f"no answer to a read of {address:#x}")

    async def read(self, address: int) -> int:
        response, value = await self.access(address)
        assert response == OKAY, f"{address:#x}"
        return value

    async def steps(self, count: int) -> None:
        for _ in range(count):
            await self.step()

    async def until(self, holds, most: int = 20_000) -> None:
        for _ in range(most):
            if holds():
                return
            await self.step()
        raise AssertionError("it did not come about")

    async def settle(self, quiet: int = 120) -> None:
        """Nothing has moved for that many cycles, and nothing is under way."""
        start = self.stepper.cycle
        await self.until(
            lambda: (
                self.stepper.cycle - max(self.last_moved, start) > quiet
                and not (self.asks or self.leaving or self.events or (self.h2c and self.h2c_shown is False))
            ),
            200_000,
        )

    async def start(self, qid: int, count: int, packets: int, control: int = START) -> None:
        for address, value in ((QID, qid), (LEN, count), (COUNT, packets), (CONTROL, control)):
            assert await self.write(address, value) == OKAY


def queues() -> int:
    return parameter("QUEUES", QUEUES)
