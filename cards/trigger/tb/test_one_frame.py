# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""One frame through the trigger card: in which cycles each module's output is valid. docs/one-frame.md shows them.

The run is always the same: one bit offset, one phase of each clock. What other tests check is only recorded here.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path

import cocotb
from cocotb.triggers import FallingEdge

from ate_model import Connection
from baser import Line, padded
from order_card import ROOT, USER, WIDTH, Card, order_card
from ullnic.deep import deep, hardware
from ullnic.site import one_frame
from ullnic_tb import Bench, seeded
from ullnic_tb.models import BUILD

FRAME = b"\xff" * 4 + bytes(range(60))  # the first four bytes trigger
ORDER_BYTES, CONNECTION = 32, 300
STATUS = 0x20
SHOWN = Path(__file__).with_name("one_frame.vlt")
TRACE = "one_frame.json"  # in the run's folder
SEED = 2  # of the run that the page shows
CYCLES = 520  # of tx_clk, recorded from the first word of the frame on

PORT = "gen_trigger.dut.u_chassis.gen_port[{}].u_port"
RX, TX, LOGIC = PORT.format(0), PORT.format(1), "gen_trigger.dut.u_logic"
MAC_RX, MAC_TX = f"{RX}.u_macpcs.u_macpcs.u_rx", f"{TX}.u_macpcs.u_macpcs.u_tx"
ATE = f"{TX}.gen_tcp.u_ate.u_core"


@dataclass(frozen=True)
class Output:
    """What is recorded of a module: the cycles in which any of the signals is all ones."""

    module: str
    clock: str
    what: str
    signals: tuple[str, ...]


OUTPUTS = (
    Output("macpcs_rx_decode", "rx_clk", "start of frame, rx_sof", (f"{MAC_RX}.u_decode.sof",)),
    Output("macpcs_rx_decode", "rx_clk", "the frame's words, user_rx", (f"{MAC_RX}.u_decode.valid",)),
    Output("trigger_match", "rx_clk", "near: the word with the deciding byte", (f"{LOGIC}.near",)),
    Output("order_start", "tx_clk", "tx_start", (f"{LOGIC}.u_start.tx_start",)),
    Output("ate_early", "tx_clk", "words of the order to the MAC, m_axis", (f"{ATE}.m_axis_tvalid",)),
    Output("macpcs_tx_frame", "tx_clk", "start block", (f"{MAC_TX}.start0", f"{MAC_TX}.start4")),
    Output("order_send", "tx_user_clk", "request, tx_sof_net", (f"{LOGIC}.u_send.tx_sof_net",)),
    Output("ate_engine", "tx_user_clk", "header and payload", (f"{ATE}.tvalid",)),
    Output("order_send", "tx_user_clk", "payload accepted, tx_ack_net", (f"{LOGIC}.u_send.tx_ack_net",)),
    Output("macpcs_rx_check", "rx_clk", "verdict", (f"{MAC_RX}.u_check.status_valid",)),
    Output("card_rx", "host_clk", "received words of 64 bits", (f"{RX}.u_to_host.rx_word_valid",)),
    Output("card_store", "host_clk", "received frame with header", (f"{RX}.u_to_host.rx_valid",)),
    Output("card_merge", "host_clk", "received frame to the host", (f"{RX}.u_to_host.m_c2h_tvalid",)),
    Output("ate_mirror", "tx_user_clk", "copy of the order", (f"{ATE}.m_mirror_tvalid",)),
    Output("card_mirror, card_store", "host_clk", "copy with header", (f"{TX}.u_to_host.mirror_valid",)),
    Output("card_merge", "host_clk", "copy to the host", (f"{TX}.u_to_host.m_c2h_tvalid",)),
)
ON_THE_WAY = 6  # of these are before the order's first bit on pma_tx_data, which is taken from the line


def find(dut, path: str):
    for part in path.split("."):
        name, _, index = part.partition("[")
        dut = getattr(dut, name)
        if index:
            dut = dut[int(index.rstrip("]"))]
    return dut


def is_valid(handle) -> bool:
    return int(handle.value) == (1 << len(handle)) - 1


@cocotb.test()
async def one_frame_through(dut):
    rng = seeded(os.environ["ULLNIC_TEST_NAME"])
    line = Line()
    line.frame(FRAME, lane=0)
    connection = Connection.random(rng)
    card = await Card(dut, rng, line).started()
    await card.open(CONNECTION, connection)
    await card.write(USER + 0x10, CONNECTION)
    await card.write(USER + 0x14, ORDER_BYTES)
    await card.arm(STATUS)
    (frame,) = line.frames
    first_word = card.bit(frame.start_char) // WIDTH
    seen: list[list[int]] = [[] for _ in OUTPUTS]
    handles = [[find(dut, path) for path in output.signals] for output in OUTPUTS]

    async def record() -> None:
        clock = find(dut, "tx_clk")
        while int(dut.word.value) != first_word:
            await FallingEdge(clock)
        for _ in range(CYCLES):
            cycle = int(dut.word.value) - first_word
            for cycles, of_output in zip(seen, handles, strict=True):
                if any(map(is_valid, of_output)):
                    cycles.append(cycle)
            await FallingEdge(clock)

    recording = cocotb.start_soon(record())
    (order,) = await card.play()
    await recording
    assert order.frame.good and order.frame.payload == padded(connection.frame((1).to_bytes(4, "big") + bytes(28)))

    def cycles(start_bit: int, octets: int) -> list[int]:
        """On a line: from the start character to the last byte of the FCS; 66 bits are 8 bytes."""
        return [bit // WIDTH - first_word for bit in (start_bit, start_bit + (8 + octets + 4) * 66 // 8 - 1)]

    received = ["transceiver", "rx_clk", "received frame, pma_rx_data", *cycles(card.bit(frame.start_char), len(FRAME))]
    sent = ["macpcs_tx_line", "tx_clk", "order, pma_tx_data", *cycles(order.start_bit, len(order.frame.payload))]
    missing = [output.what for output, each in zip(OUTPUTS, seen, strict=True) if not each]
    assert not missing, f"never valid: {missing} {seen}"
    rows = [
        [output.module, output.clock, output.what, *first_and_last(each)]
        for output, each in zip(OUTPUTS, seen, strict=True)
    ]
    Path(TRACE).write_text(json.dumps([received, *rows[:ON_THE_WAY], sent, *rows[ON_THE_WAY:]]))


def first_and_last(cycles: list[int]) -> list[int]:
    """Of the first run of cycles without a pause of more than a word of 64 bits."""
    last = cycles[0]
    for cycle in cycles:
        if cycle > last + 8:
            break
        last = cycle
    return [cycles[0], last]


class Traced(Bench):
    """The card's bench with more visible signals, in a directory of its own."""

    @property
    def label(self) -> str:
        return f"one_frame-{super().label}"


def trace(width: int) -> list[list]:
    bench = order_card(False, width)
    traced = Traced(bench.top, [SHOWN, *bench.sources], bench.parameters)
    traced.run(Path(__file__).stem, one_frame_through.name, long_seed=SEED)
    run = BUILD / "run" / f"{traced.label}.{Path(__file__).stem}.{one_frame_through.name}.long{SEED}"
    return json.loads((run / TRACE).read_text())


@deep(
    __file__,
    one_frame.PAGE,
    one_frame.PICTURE,
    "python/ullnic/site/one_frame.py",
    "python/ullnic/site/drawing.py",
    hardware,
)
def test_page_shows_what_a_run_shows():
    """With ULLNIC_ONE_FRAME it only writes what it has recorded: ./ullnic docs --pictures."""
    traces = {width: trace(width) for width in (16, 32)}
    if out := os.environ.get(one_frame.OUT):
        Path(out).write_text(json.dumps(traces))
        return
    rows = {width: one_frame.rows_of(each) for width, each in traces.items()}
    page = (ROOT / one_frame.PAGE).read_text()
    assert page == one_frame.page_with(page, rows), "./ullnic docs --pictures writes the page again"
    assert (ROOT / one_frame.PICTURE).read_text() == one_frame.picture(rows), "./ullnic docs --pictures draws it again"
