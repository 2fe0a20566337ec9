# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The card's counters, as the run shows them."""

from rich.console import Console
from rich.table import Table

from ullnic.run.display import Display

NAMES = {
    "connected": "connected",
    "peer_closed": "peer closed",
    "closed": "closed",
    "reset": "reset by peer",
    "timed_out": "timed out",
    "tx_dropped": "send refused",
    "urgent": "urgent",
}


def toe_display(console: Console, **settings) -> Display:
    """`settings`: other settings of Display."""
    return Display(console, counters, errors, **settings)


def errors(status: dict) -> int:
    return status.get("port", {}).get("from_card", {}).get("violations", 0)


def counters(status: dict) -> Table:
    """Frames in each direction, and what has become of the sessions."""
    table = Table(box=None, pad_edge=False, padding=(0, 2), header_style="dim")
    table.add_column("       frames in", justify="right")
    for name in ("out", *NAMES.values()):
        table.add_column(name, justify="right")
    port, sessions = status.get("port", {}), status.get("sessions", {})
    frames = [port.get(way, {}).get("frames", 0) for way in ("to_card", "from_card")]
    table.add_row(*(f"{value:,}" for value in (*frames, *(sessions.get(name, 0) for name in NAMES))))
    return table
