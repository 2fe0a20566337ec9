# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The picture of docs/architecture.md: a card with user logic, its path of data, its clock domains and crossings.

`./ullnic docs --pictures` writes it.
"""

from pathlib import Path

from ullnic.site.drawing import MUTED, Drawing

PICTURE = Path("docs/images/architecture.svg")
RX, TX, HOST, CROSSING = "#e3f1e4", "#e4ecf8", "#f7efdd", "#ffd9a8"
WIDTH, HEIGHT = 1180, 690
LINE_Y = 104  # of the path from line to line
LEFT, RIGHT, HOST_TOP, HOST_END = 130, 1050, 300, 545  # of the clock domains
BORDER = 455  # between the receive and the transmit clock


def architecture() -> str:
    drawing = Drawing(WIDTH, HEIGHT, "Architecture of a card: path of data, clock domains and crossings")
    domains(drawing)
    line_to_line(drawing)
    to_and_from_host(drawing)
    host(drawing)
    return drawing.svg()


def domains(drawing: Drawing) -> None:
    rest = RIGHT - BORDER
    for x, y, width, height, fill in (
        (LEFT, 20, BORDER - LEFT, HOST_TOP - 20, RX),
        (BORDER, 20, rest, HOST_TOP - 20, TX),
        (LEFT, HOST_TOP, RIGHT - LEFT, HOST_END - HOST_TOP, HOST),
    ):
        drawing.rectangle(x, y, width, height, fill)
    for x, y, name, about in (
        (LEFT, 20, "rx_clk", "recovered, one a port; 644.53 or 322.27 MHz"),
        (BORDER, 20, "tx_clk, tx_user_clk", "644.53 or 322.27 MHz, and 322.27 MHz with aligned edges"),
        (LEFT, HOST_END - 44, "host_clk", "250 MHz, unrelated to the others"),
    ):
        drawing.text(x + 10, y + 18, name, bold=True)
        drawing.text(x + 10, y + 33, about, 11, MUTED)


def line_to_line(drawing: Drawing) -> None:
    """What an order takes: from port 0 to port 1 without a FIFO."""
    y, height = LINE_Y, 84
    middle = y + height / 2
    drawing.box(10, y, 100, height, ["transceiver", "of port 0", "clock recovery"])
    drawing.box(165, y, 120, height, ["macpcs", "receive", "align, decode,", "check"])
    user = ["user logic", "match: rx_clk; order: tx_user_clk", "no crossing if tx_clk is rx_clk"]
    drawing.box(330, y, 250, height, [*user, "else cdc_bits in order_start"])
    drawing.box(640, y, 130, height, ["ate", "TCP segment", "from tx_start"])
    drawing.box(870, y, 130, height, ["macpcs", "transmit", "frame, line code"])
    drawing.box(1070, y, 100, height, ["transceiver", "of port 1"])
    for left, right, label in (
        (110, 165, "pma_rx"),
        (285, 330, "user_rx"),
        (580, 640, "tx_start"),
        (770, 870, "m_axis"),
        (1000, 1070, "pma_tx"),
    ):
        drawing.arrow((left, middle), (right, middle), label=label, wide=True)


def to_and_from_host(drawing: Drawing) -> None:
    """The crossings between the line's clocks and the host's, on the border of the two."""
    below = LINE_Y + 84
    y, height = HOST_TOP - 30, 60
    for x, width, lines in (
        (150, 150, ["card_rx", "async_fifo"]),
        (315, 225, ["macpcs_axil, macpcs_stats", "cdc_handshake, cdc_bits", "registers and counters"]),
        (560, 120, ["axil_cdc", "cdc_handshake"]),
        (695, 120, ["card_tx", "async_fifo"]),
        (830, 190, ["card_mirror", "async_fifo", "cdc_handshake: fence"]),
    ):
        drawing.box(x, y, width, height, lines, CROSSING)
    drawing.arrow((225, below), (225, y))
    drawing.arrow((427, y), (427, 228), (262, 228), (262, below), both=True)
    drawing.arrow((427, 228), (890, 228), (890, below))
    drawing.arrow((620, y), (620, 244), (560, 244), (560, below), both=True)
    drawing.arrow((620, 244), (660, 244), (660, below))
    drawing.arrow((755, y), (755, 258), (700, 258), (700, below))
    drawing.arrow((745, below), (745, 212), (940, 212), (940, y))


def host(drawing: Drawing) -> None:
    top, height = 370, 56
    drawing.box(150, top, 150, height, ["card_store", "good frames only"])
    drawing.box(830, top, 190, height, ["card_store", "mirror frames"])
    drawing.box(430, top, 250, height, ["card_axil", "address map of BAR 2"])
    drawing.box(150, 440, 150, 48, ["card_merge", "order, packet number"])
    queues = "a queue for each port; up to 2048 queues, 4 PFs, 252 VFs; completion rings, interrupts"
    drawing.box(330, 440, 690, 48, ["card_dma and qdma", queues])
    crossing_end = HOST_TOP + 30
    drawing.arrow((225, crossing_end), (225, top))
    drawing.arrow((427, crossing_end), (427, 350), (480, 350), (480, top), both=True)
    drawing.arrow((620, crossing_end), (620, top), both=True)
    drawing.arrow((755, 440), (755, crossing_end))
    drawing.arrow((925, crossing_end), (925, top))
    drawing.arrow((555, 440), (555, top + height))
    drawing.arrow((830, 410), (720, 410), (720, 433), (310, 433), (310, 452), (300, 452))
    drawing.arrow((225, top + height), (225, 440))
    drawing.arrow((300, 472), (330, 472))
    drawing.box(430, 570, 490, 40, ["PCIe block of the FPGA (qdma_usp), or a model of the link"])
    programs = "the same programs on the virtual card and on a board"
    drawing.box(430, 636, 490, 44, ["host: libullnic, ullnicd, DPDK, ullnic.ko", programs])
    drawing.arrow((675, 488), (675, 570), both=True)
    drawing.arrow((675, 610), (675, 636), both=True)
    drawing.rectangle(150, 580, 26, 18, CROSSING, "#3a4957", rx=4)
    drawing.text(184, 594, "clock crossing", 12, MUTED)
    drawing.arrow((150, 618), (176, 618), wide=True)
    drawing.text(184, 622, "path of an order", 12, MUTED)
