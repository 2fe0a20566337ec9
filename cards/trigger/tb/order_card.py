# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Python side of order_card_bench.sv: lines encoded and decoded by the model of cores/macpcs/tb, registers, times."""

from dataclasses import dataclass
from pathlib import Path

from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

from ate_model import Connection
from baser import Line, scramble_blocks, to_words
from baser_rx import Frame, decode, descramble_blocks, find_lock, to_blocks
from ullnic_tb import Bench, parameter

ROOT = Path(__file__).resolve().parents[3]
WIDTH = parameter("PMA_DATA_WIDTH", 16)
STAC_T0 = parameter("STAC_T0", 0)
CROSSING = parameter("TRIGGER_CROSSING", 0)
BASE_PS = 776 * WIDTH // 16  # half a period of tx_clk, even
HOST_PS = 4000
ORDERS = 0 if STAC_T0 else 1  # port
LOCK_BLOCKS = 66 * 64 + 300  # slipping through 66 positions, 64 blocks each
USER, MACPCS, ATE, CONNECTIONS = 0x8000, 0x10000 + 0x1000 * ORDERS, 0x20000 + 0x1000 * ORDERS, 0x40000 | ORDERS << 15
MACPCS_CONTROL, IGNORE_FAULT = 0x20, 1 << 8
UI_NS = 1 / 10.3125
TRANSCEIVER_UI = {16: 160, 32: 282}[WIDTH]  # both directions, from the reference
COUNTERS = ["triggers", "orders", "disarmed", "window", "busy", "ate"] + (["waited"] if not STAC_T0 else [])


def listed(file_list: Path, base: Path) -> list[Path]:
    found = []
    for line in file_list.read_text().splitlines():
        if line.startswith("-F "):
            inner = (base / line.removeprefix("-F ")).resolve()
            found += listed(inner, inner.parent)
        elif line and not line.startswith("//"):
            found.append((base / line).resolve())
    return found


def order_card(stac_t0: bool, width: int, crossing: int = 0) -> Bench:
    both = [path for card in ("trigger", "stac_t0") for path in listed(ROOT / f"cards/{card}/rtl/{card}_card.f", ROOT)]
    sources = [*dict.fromkeys(both), Path(__file__).with_name("order_card_bench.sv")]
    parameters = {"STAC_T0": int(stac_t0), "PMA_DATA_WIDTH": width, "TRIGGER_CROSSING": crossing}
    return Bench("order_card_bench", sources, parameters)


@dataclass
class Sent:
    """A frame that the order port has sent."""

    frame: Frame
    start_bit: int  # on the line


class Card:
    """`line`: input of the market data port, after idle for the lock; `chunks`: software's, to the order port."""

    def __init__(self, dut, rng, line: Line, chunks=()):
        self.dut, self.rng, self.line = dut, rng, line
        self.offset_bits = rng.randrange(66)
        blocks = Line().idle_blocks(LOCK_BLOCKS).blocks() + line.idle_blocks(400).blocks()
        words = to_words(scramble_blocks(blocks), self.offset_bits, width=WIDTH)
        Path("rx.hex").write_text("".join(f"{word:x}\n" for word in words))
        Path("h2c.hex").write_text("".join(row for chunk in chunks for row in rows_of(chunk)))
        self.line_ps = len(words) * 2 * BASE_PS
        for name in ("load", "go", "flush"):
            getattr(dut, name).value = 0
        dut.rst.value = dut.host_ready.value = 1
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.host_clk, dut.rst)
        for interface in (self.master.write_if, self.master.read_if):
            interface.log.setLevel("WARNING")

    async def started(self) -> "Card":
        dut = self.dut
        await Timer(1, "ns")
        Clock(dut.host_clk, HOST_PS, "ps").start()
        await Timer(self.rng.randrange(1, 3000), "ps")
        Clock(dut.base_clk, BASE_PS, "ps").start()
        Clock(dut.base_rx_clk, BASE_PS + self.rng.choice((-2, 0, 2)), "ps").start()
        await Timer(100, "ns")
        dut.rst.value = 0
        await Timer(200, "ns")
        await self.write(MACPCS + MACPCS_CONTROL, IGNORE_FAULT)
        return self

    async def play(self) -> list[Sent]:
        """The whole line; what the order port has sent."""
        dut = self.dut
        dut.load.value = 1
        await Timer(10, "ns")
        await with_timeout(RisingEdge(dut.done), 2 * self.line_ps, "ps")
        await Timer(500, "ns")
        dut.flush.value = 1
        await Timer(10, "ns")
        return self.sent()

    def sent(self) -> list[Sent]:
        rows = [row.split() for row in Path("sent.hex").read_text().splitlines()]
        words = [int(word, 16) for _, word in rows]
        # With one clock the row and the received word differ by a constant.
        first = int(rows[0][0])
        assert CROSSING or all(int(number) == first + i for i, (number, _) in enumerate(rows))
        locked = find_lock(words, width=WIDTH)
        assert locked is not None, "no blocks on the order port's line"
        first_bit = locked % 66
        received = decode(descramble_blocks(to_blocks(words, first_bit, WIDTH)))
        assert not received.violations, received.violations[:5]

        def bit(char: int) -> int:
            return first_bit + 66 * (char // 8 + 1) + 2 + char % 8 * 8 + first * WIDTH

        return [Sent(frame, bit(frame.start_char)) for frame in received.frames]

    def bit(self, char: int) -> int:
        """Position at which a character of the received line begins; +-8, as block types of starts and ends allow."""
        return self.offset_bits + 66 * (LOCK_BLOCKS + char // 8) + 2 + char % 8 * 8

    # --- Registers

    async def read(self, address: int) -> int:
        done = await self.master.read(address, 4)
        assert done.resp == AxiResp.OKAY, hex(address)
        return int.from_bytes(done.data, "little")

    async def write(self, address: int, value: int) -> None:
        done = await self.master.write(address, value.to_bytes(4, "little"))
        assert done.resp == AxiResp.OKAY, hex(address)

    async def open(self, index: int, connection: Connection) -> None:
        for offset, value in connection.registers().items():
            await self.write(CONNECTIONS + 64 * index + offset, value)

    async def arm(self, status: int, may_wait: bool = False) -> None:
        await self.write(USER + 0x0C, 1 | may_wait << 1)
        for _ in range(20):
            if await self.read(USER + status) & 1:
                return
        raise AssertionError(f"not armed: 0x{await self.read(USER + status):x}")

    async def counters(self) -> dict[str, int]:
        """The user logic's, those that are not zero."""
        found = {name: await self.read(USER + 0x40 + 4 * i) for i, name in enumerate(COUNTERS)}
        return {name: value for name, value in found.items() if value}


def rows_of(packet: bytes) -> list[str]:
    """A packet of the host as lines of h2c.hex."""
    parts = [packet[at : at + 8] for at in range(0, len(packet), 8)]
    return [
        f"{int(i == len(parts) - 1)} {(1 << len(part)) - 1:x} {int.from_bytes(part, 'little'):x}\n"
        for i, part in enumerate(parts)
    ]


def latencies(kind: str, ui: list[int]) -> tuple[int, int, int]:
    """Minimum, median and maximum in UI of the card alone; printed including the transceiver's."""
    ordered = sorted(ui)
    found = ordered[0], ordered[len(ordered) // 2], ordered[-1]
    ns = ", ".join(f"{(value + TRANSCEIVER_UI) * UI_NS:.2f}" for value in found)
    print(f"{kind}: {found} UI, with {TRANSCEIVER_UI} UI of transceiver {ns} ns, {len(ui)} orders", flush=True)
    return found
