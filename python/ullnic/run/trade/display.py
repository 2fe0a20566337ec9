# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The card's counters as the run shows them."""

from rich.table import Table

PORTS = ("market data", "orders")
FAULTS = ("refused", "dropped_in", "dropped_out")


def amount(value: float) -> str:
    return f"{value:,.0f}"


def errors(status: dict) -> int:
    """Frames that the ports could not accept, and breaches of the standard by the card."""
    ports = status.get("ports", [])
    return sum(port.get(name, 0) for port in ports for name in FAULTS) + sum(
        port.get("from_card", {}).get("violations", 0) for port in ports
    )


def counters(status: dict) -> Table:
    """Frames in each direction at each port."""
    table = Table(box=None, pad_edge=False, padding=(0, 2), header_style="dim")
    table.add_column("       ")
    for name in ("to the card", "from the card", "with wrong FCS", "dropped"):
        table.add_column(name, justify="right")
    for name, port in zip(PORTS, status.get("ports", ({}, {})), strict=True):
        to_card, from_card = port.get("to_card", {}), port.get("from_card", {})
        cells = (to_card.get("frames", 0), from_card.get("frames", 0), from_card.get("bad_frames", 0))
        table.add_row(f"       {name}", *(f"{cell:,}" for cell in (*cells, sum(port.get(each, 0) for each in FAULTS))))
    return table
