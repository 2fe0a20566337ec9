# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The display of a run in progress: a live region on a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Callable

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

PLAIN_FIRST_S, PLAIN_INTERVAL_S = 1.0, 5.0  # interval of progress lines where there is no terminal
PHASE_WIDTH = 6


def make_console(as_json: bool) -> Console:
    """On standard output, or on standard error if that is for JSON; a terminal prints '?' for a character it lacks."""
    stream = sys.stderr if as_json else sys.stdout
    stream.reconfigure(errors="replace")
    return Console(file=stream)


def size_text(size_bytes: float) -> str:
    for unit in ("bytes", "KiB", "MiB"):
        if size_bytes < 1024:
            return f"{size_bytes:.0f} {unit}" if unit == "bytes" else f"{size_bytes:.1f} {unit}"
        size_bytes /= 1024
    return f"{size_bytes:.2f} GiB"


def make_live(console: Console) -> Live | None:
    return Live(console=console, transient=True, auto_refresh=False) if console.is_terminal else None


class Region:
    """The part that is redrawn in `live`, if there is a terminal, as long as the context is active."""

    live: Live | None

    def __enter__(self):
        if self.live:
            self.live.start()
        return self

    def __exit__(self, *_):
        if self.live:
            self.live.stop()


class SharedLive(Region):
    """One live region for the displays of several jobs, below each other."""

    def __init__(self, console: Console):
        self.live = make_live(console)
        self.pictures: dict[int, Group] = {}

    def place(self, number: int) -> "LivePlace | None":
        return LivePlace(self, number) if self.live else None


class LivePlace:
    """Replaces a Display's own region; the whole region decides when to start and stop."""

    def __init__(self, shared: SharedLive, number: int):
        self.shared, self.number = shared, number

    def update(self, picture: Group, refresh: bool) -> None:
        self.shared.pictures[self.number] = picture
        self.shared.live.update(Group(*(each for _, each in sorted(self.shared.pictures.items()))), refresh=refresh)


class Display(Region):
    """Finished phases become lines of their own; the phase under way and the counters are redrawn below.

    `counters` turns a status event into a table, `errors` into a number. `amount_of` formats an amount of progress.
    `label` precedes each line. `live`: a place in a shared region (SharedLive); without it the display creates its own.
    """

    def __init__(
        self,
        console: Console,
        counters: Callable[[dict], Table],
        errors: Callable[[dict], int],
        amount_of: Callable[[float], str] = size_text,
        label: str = "",
        live: "Live | LivePlace | None" = None,
    ):
        self.console = console
        self.counters, self.errors, self.amount_of, self.label = counters, errors, amount_of, label
        self.live = live or make_live(console)
        self.phase = ""
        self.amount: tuple[int, int] | None = None
        self.begin_s = self.plain_due_s = time.monotonic()
        self.rate = Rate()

    def line(self, text: str) -> None:
        self.console.print(self.label + text, highlight=False, soft_wrap=True, markup=False)

    def begin(self, phase: str) -> None:
        self.phase, self.amount = phase, None
        self.begin_s = time.monotonic()
        self.plain_due_s = self.begin_s + PLAIN_FIRST_S

    def end(self, phase: str, ok: bool, text: str) -> None:
        wall_s = time.monotonic() - self.begin_s
        mark, colour = ("ok", "green") if ok else ("FAILED", "bold red")
        self.console.print(
            Text.assemble(
                self.label, (f"{mark:<7}", colour), f"{phase:<{PHASE_WIDTH}} {text}  ", (f"{wall_s:.1f} s", "dim")
            ),
            soft_wrap=True,
        )
        self.phase = ""

    def progress(self, done: int, total: int) -> None:
        self.amount = (done, total)

    def update(self, status: dict) -> None:
        self.rate.update(status)
        if self.live:
            self.live.update(self.picture(status), refresh=True)
        elif time.monotonic() >= self.plain_due_s:
            self.plain_due_s = time.monotonic() + PLAIN_INTERVAL_S
            self.line(
                f"       {self.phase:<{PHASE_WIDTH}} {self.amount_text()}{self.rate.text()}, "
                f"errors {self.errors(status)}"
            )

    def amount_text(self) -> str:
        if not self.amount:
            return ""
        return f"{self.amount_of(self.amount[0])} of {self.amount_of(self.amount[1])}, "

    def picture(self, status: dict) -> Group:
        head = Table.grid(padding=(0, 1))
        done, total = self.amount or (0, 0)
        bar = ProgressBar(total=total, completed=done, width=30) if total else Text("")
        head.add_row(
            Text(f"{self.label}…      {self.phase}"),
            bar,
            Text(self.amount_text() + f"{time.monotonic() - self.begin_s:.0f} s"),
        )
        return Group(head, self.counters(status), Text("       " + self.rate.text(), "dim"))


class Rate:
    """The simulated rate between the last two status events."""

    def __init__(self):
        self.last: dict = {}
        self.cycles_per_s = 0.0

    def update(self, status: dict) -> None:
        if not status or status is self.last:
            return
        wall_s = status["wall_s"] - self.last.get("wall_s", 0)
        if self.last and wall_s > 0:
            self.cycles_per_s = (status["cycles"] - self.last["cycles"]) / wall_s
        self.last = status

    def text(self) -> str:
        return f"{self.cycles_per_s / 1e6:.2f} Mcycle/s"


class Say:
    """Lines of a summary, each with a label."""

    def __init__(self, console: Console):
        self.console = console

    def __call__(self, label: str, text: str = "", style: str = "bold") -> None:
        self.console.print(f"{label:<8}", style=style, end="", highlight=False, markup=False)
        self.console.print(text, highlight=False, markup=False, soft_wrap=True)
