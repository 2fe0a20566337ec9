# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Waits for a run's processes, while the display shows their progress."""

import time
from collections.abc import Callable, Iterable

from rich.console import Console

from ullnic.errors import UllnicError
from ullnic.run.display import Display
from ullnic.run.signals import Interrupted

STALL_TIMEOUT_S = 60  # longer than TCP needs to recover from a burst of losses
TICK_S = 0.1


def wait_until(
    condition: Callable[[], bool],
    what: str,
    look: Callable[[], None],
    progress: Callable[[], object] = lambda: None,
    complaints: Callable[[], Iterable[str]] = list,
) -> None:
    """Calls `look` until the condition holds, and gives up when `progress` has not changed for a long time.

    `look` shows the state, and raises UllnicError if an awaited process has died; `complaints` are the processes'
    messages so far.
    """
    last, since_s = None, time.monotonic()
    while not condition():
        look()
        now = progress()
        if now != last:
            last, since_s = now, time.monotonic()
        if time.monotonic() - since_s > STALL_TIMEOUT_S:
            said = " | ".join(complaints())[-500:]
            raise UllnicError(
                f"{what}: nothing has moved for {STALL_TIMEOUT_S} s" + (f"; {said}" if said else ""),
                "look at the end of the captures; faults that lose nearly everything do this",
            )
        time.sleep(TICK_S)


def stay(console: Console, lines: Iterable[str], display: Display, look: Callable[[], None]) -> None:
    """Prints the lines, then calls `look` until a signal."""
    for line in lines:
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    try:
        with display:
            display.begin("keep")
            while True:
                look()
                time.sleep(TICK_S)
    except Interrupted:
        return
