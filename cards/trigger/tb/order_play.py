# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Python side of order_bench.sv: received frames as words, registers, and the resulting orders."""

from dataclasses import dataclass, field
from pathlib import Path

from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge, Timer, with_timeout

from ate_model import fold, le_sum
from ullnic_tb import Bench, parameter, rtl

CARDS = Path(__file__).resolve().parents[2]
WIDTH = parameter("PMA_DATA_WIDTH", 16)
CROSSING = parameter("TRIGGER_CROSSING", 0)
STAC_T0 = parameter("STAC_T0", 0)
BYTES = WIDTH // 8
TICKS = 32 // WIDTH  # of tx_clk in one of tx_user_clk
BASE_PS = 776 * WIDTH // 16  # half a period of tx_clk, even
CONTROL, STATUS, TRIGGERS = 0x0C, 0x20, 0x40
ARMED, BUSY, LOCKED_WRITE = 1, 2, 1 << 8
COUNTERS = ["triggers", "orders", "disarmed", "window", "busy", "ate"] + (["waited"] if not STAC_T0 else [])
AGAIN = 16  # cycles of tx_user_clk after the last word's acknowledgement: by then the next order may begin
LINE_MIN = 16 // BYTES  # words from a frame's first to the next one's: each has a start and a terminate block
# Matches during the end of an order may be accepted or refused.


def order_bench(stac_t0: bool, width: int, crossing: int = 0) -> Bench:
    regs = [
        CARDS / card / "regs" / "generated" / f"{card}_{name}.sv"
        for name in ("regs_pkg", "regs")
        for card in ("trigger", "stac_t0")
    ]
    logic = [
        path
        for card in ("trigger", "stac_t0")
        for path in sorted((CARDS / card / "rtl").glob("*.sv"))
        if not path.stem.endswith("_card")
    ]
    sources = [*regs[:2], *rtl("common"), *regs[2:], *logic, Path(__file__).with_name("order_bench.sv")]
    parameters = {"STAC_T0": int(stac_t0), "PMA_DATA_WIDTH": width, "TRIGGER_CROSSING": crossing}
    return Bench("order_bench", sources, parameters)


@dataclass
class Received:
    """Words as macpcs delivers them, one line a cycle, and the frames in them: (line of each word, its octets)."""

    rng: object
    lines: list[str] = field(default_factory=list)
    frames: list[tuple[list[int], bytes]] = field(default_factory=list)
    first: int = -LINE_MIN

    def idle(self, cycles: int) -> None:
        """Without valid the bus has random values."""
        for _ in range(cycles):
            self.lines.append(f"{self.rng.choice((0, 2)):x} {self.rng.getrandbits(BYTES):x} {self._junk(BYTES):x}")

    def _junk(self, n: int) -> int:
        return self.rng.choice(((1 << 8 * n) - 1, self.rng.getrandbits(8 * n)))

    def frame(self, octets: bytes, gap: int = 0, cut: bool = False, holes: float = 0.03) -> None:
        """`cut`: ends without its last word, as at a bad block."""
        self.idle(max(gap, self.first + LINE_MIN - len(self.lines)))
        self.first, at, delivered = len(self.lines), [], b""
        parts = [octets[i : i + BYTES] for i in range(0, len(octets), BYTES)]
        # The end of a frame can come alone, after its last word.
        if cut:
            parts[-1:] = [b""]
        elif not parts or (len(parts[-1]) == BYTES and self.rng.random() < 0.5):
            parts.append(b"")
        for i, part in enumerate(parts):
            while self.rng.random() < holes:
                self.idle(1)
            last = i == len(parts) - 1
            data = int.from_bytes(part, "little") | self._junk(BYTES - len(part)) << 8 * len(part)
            at.append(len(self.lines))
            delivered += part
            self.lines.append(f"{2 * last + 1:x} {(1 << len(part)) - 1:x} {data:x}")
        self.frames.append((at, delivered))

    def decisions(self, deciding_byte) -> list[int]:
        """Lines of the words that decide; `deciding_byte` gives a frame's byte that makes it a trigger, or None."""
        found = [(at, deciding_byte(octets)) for at, octets in self.frames]
        return [at[byte // BYTES] for at, byte in found if byte is not None]


@dataclass
class Order:
    start: int | None  # line of rx.hex
    meta: list[int]
    ack_cycle: int
    last: int  # line of the last word's acceptance
    payload: bytes


@dataclass
class Bed:
    dut: object
    status: int = STATUS  # address of STATUS
    directory: Path = field(default_factory=Path.cwd)

    async def reset(self, rx_ps: int = 0) -> "Bed":
        """`rx_ps`: half a period of rx_clk is so much longer, where it is a clock of its own."""
        dut = self.dut
        for name in ("go", "frame", "refuse", "s_axil_awvalid", "s_axil_wvalid", "s_axil_arvalid"):
            getattr(dut, name).value = 0
        for name in ("window", "armed", "rst", "s_axil_bready", "s_axil_rready"):
            getattr(dut, name).value = 1
        dut.wait_cycles.value = 11
        Clock(dut.base_clk, BASE_PS, "ps").start()
        Clock(dut.base_rx_clk, BASE_PS + rx_ps, "ps").start()
        await Timer(200, "ns")
        await RisingEdge(dut.clk)
        dut.rst.value = 0
        await self.cycles(8)
        return self

    async def cycles(self, n: int) -> None:
        await Timer(n * 2 * TICKS * BASE_PS, "ps")
        await RisingEdge(self.dut.clk)

    # --- Registers

    async def write(self, address: int, value: int, strobe: int = 15) -> int:
        """The response: 0 or 2."""
        dut = self.dut
        dut.s_axil_awaddr.value, dut.s_axil_wdata.value, dut.s_axil_wstrb.value = address, value, strobe
        dut.s_axil_awvalid.value = dut.s_axil_wvalid.value = 1
        await self._until(dut.s_axil_awready)
        dut.s_axil_awvalid.value = dut.s_axil_wvalid.value = 0
        return (await self._until(dut.s_axil_bvalid, dut.s_axil_bresp))[0]

    async def read(self, address: int) -> tuple[int, int]:
        """Value and response."""
        dut = self.dut
        dut.s_axil_araddr.value, dut.s_axil_arvalid.value = address, 1
        await self._until(dut.s_axil_arready)
        dut.s_axil_arvalid.value = 0
        return await self._until(dut.s_axil_rvalid, dut.s_axil_rdata, dut.s_axil_rresp)

    async def _until(self, signal, *values) -> tuple[int, ...]:
        """The values in the cycle in which it is high; returns behind the edge that ends it."""
        for _ in range(100):
            await FallingEdge(self.dut.clk)
            if int(signal.value):
                seen = tuple(int(value.value) for value in values)
                await RisingEdge(self.dut.clk)
                return seen
        raise AssertionError(f"{signal._name} stays low")

    async def set(self, **registers: int) -> None:
        """Registers by address, r0x10=...: each write has to be answered well."""
        for name, value in registers.items():
            assert await self.write(int(name[1:], 16), value) == 0, name

    async def arm(self, wanted: int = ARMED, may_wait: bool = False) -> int:
        """Arms anew, and gives STATUS when it has one of these bits."""
        await self.set(r0x0c=0)
        await self.set(r0x0c=1 | may_wait << 1)
        for _ in range(50):
            status = (await self.read(self.status))[0]
            if status & wanted:
                return status
        raise AssertionError(f"STATUS stays 0x{status:x}")

    async def counters(self) -> dict[str, int]:
        """Those that are not zero."""
        found = {name: (await self.read(TRIGGERS + 4 * i))[0] for i, name in enumerate(COUNTERS)}
        return {name: value for name, value in found.items() if value}

    # --- Frames

    async def play(self, received: Received, tail: int = 200) -> list[Order]:
        received.idle(4)
        self.directory.joinpath("rx.hex").write_text("\n".join(received.lines) + "\n")
        dut = self.dut
        dut.go.value = 1
        await Timer(4 * 2 * BASE_PS, "ps")
        if int(dut.done.value):
            raise AssertionError("done before the end")
        await with_timeout(RisingEdge(dut.done), (len(received.lines) + 1000) * 2 * BASE_PS, "ps")
        await self.cycles(tail)
        dut.go.value = 0
        await self.cycles(8)
        return self.orders()

    def orders(self) -> list[Order]:
        orders, start = [], None
        for kind, *values in (line.split() for line in self.directory.joinpath("out.txt").read_text().splitlines()):
            if kind == "S":
                assert start is None, "tx_start before the order before was taken"
                start = int(values[0])
            elif kind == "M":
                orders.append(Order(start, [int(v, 16) for v in values[1:]], int(values[0]), 0, b""))
                start = None
            else:
                line, (eof, size, data) = int(values[0]), (int(v, 16) for v in values[1:])
                count = (size or 4) if eof else 4
                orders[-1].payload += data.to_bytes(4, "little")[:count]
                orders[-1].last = line
        assert start is None, "tx_start without an order"
        return orders


def check_orders(orders: list[Order], decisions: list[int], delay: int, slack: int = 0) -> int:
    """Each order begins `delay` cycles after a deciding word, and each match without an order came during another one.

    `slack`: additional cycles that a synchroniser may take. Returns how many matches were refused.
    """
    left, refused = list(orders), 0
    free_from = busy_until = -1
    for line in decisions:
        at = line + delay
        if left and at <= left[0].start <= at + slack:
            order = left.pop(0)
            assert order.start >= busy_until, f"line {line}: an order began while one was going out"
            busy_until, free_from = order.last, order.last + AGAIN * TICKS
        else:
            assert at <= free_from, f"line {line}: a trigger has made no order"
            refused += 1
    assert not left, f"an order without a trigger, in line {left[0].start}"
    return refused


def check_payload(order: Order, conn: int, payload: bytes) -> None:
    """The sent payload, and the metadata from when they were due to the end."""
    assert order.payload == payload
    conn_due, conn_ack, length_due, length_ack, csum_due, csum_ack = order.meta
    assert (conn_due, conn_ack) == (conn, conn)
    assert (length_due, length_ack) == (len(payload), len(payload))
    assert csum_due == csum_ack and fold(csum_ack) == fold(le_sum(payload))
