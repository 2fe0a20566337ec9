# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The link's counters in each direction, as the run shows them."""

from rich.console import Console
from rich.table import Table

from ullnic.run.display import Display

WAYS = (("a_to_b", "A→B"), ("b_to_a", "B→A"))


def link_display(console: Console) -> Display:
    return Display(console, counters, errors)


def errors(status: dict) -> int:
    return sum(status.get(way, {}).get("errors", 0) for way, _ in WAYS)


def counters(status: dict) -> Table:
    """Frames and bytes in each direction."""
    table = Table(box=None, pad_edge=False, padding=(0, 2), header_style="dim")
    table.add_column("       ")
    for name in ("frames", "bytes", "delivered", "errors", "lost"):
        table.add_column(name, justify="right")
    for way, label in WAYS:
        figures = status.get(way, {})
        table.add_row(
            f"       {label}",
            *(f"{figures.get(name, 0):,}" for name in ("frames", "bytes", "delivered", "errors", "lost")),
        )
    return table
