# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a long command with its output in a log and its progress in one line on the screen.

Standard library only: the set-up uses it.
"""

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

HEARTBEAT_S = 15  # how often a line is printed where there is no terminal


class StatusLine:
    """`label: step (12 s)`, rewritten in place on a terminal, printed now and then elsewhere."""

    def __init__(self, label: str):
        self.label = label
        self.step = ""
        self.start_s = time.monotonic()
        self.printed_s = -HEARTBEAT_S
        self.terminal = sys.stderr.isatty()

    def text(self) -> str:
        step = f": {self.step}" if self.step else ""
        return f"{self.label}{step} ({time.monotonic() - self.start_s:.0f} s)"

    def update(self) -> None:
        if self.terminal:
            width = shutil.get_terminal_size().columns - 1
            print(f"\r\x1b[K{self.text()[:width]}", end="", file=sys.stderr, flush=True)
        elif time.monotonic() - self.start_s - self.printed_s >= HEARTBEAT_S:
            self.printed_s = time.monotonic() - self.start_s
            print(self.text(), file=sys.stderr, flush=True)

    def end(self, outcome: str) -> None:
        self.step = outcome
        print(("\r\x1b[K" if self.terminal else "") + self.text(), file=sys.stderr, flush=True)


def run_logged(
    label: str,
    argv: Sequence[str | Path],
    log_path: Path,
    *,
    describe: Callable[[str], str | None] = lambda line: None,
    show: bool = True,
    quiet_start: bool = False,
    env: dict[str, str] | None = None,
    cwd: Path | None = None,
    pass_fds: Sequence[int] = (),
) -> int:
    """Runs argv, appends its output to the log, and returns its exit code.

    `describe` turns a line into a step. With `quiet_start` nothing is shown before the first step, so a command with
    nothing to do stays silent.
    """
    status = StatusLine(label)
    with log_path.open("a", errors="replace") as log:
        log.write(f"\n$ {' '.join(map(str, argv))}\n")
        log.flush()
        process = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=os.environ | (env or {}),
            cwd=cwd,
            pass_fds=pass_fds,
        )

        def pump() -> None:
            for line in process.stdout:
                log.write(line)
                status.step = describe(line.rstrip()) or status.step

        reader = threading.Thread(target=pump, daemon=True)
        reader.start()
        try:
            while reader.is_alive():
                if show and (status.step or not quiet_start):
                    status.update()
                reader.join(0.2)
            code = process.wait()
        except BaseException:  # Ctrl-C or a signal: do not leave it running
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
            if show:
                status.end("stopped")
            raise
    if show and (status.step or not quiet_start):
        status.end("done" if code == 0 else f"failed, exit code {code}")
    return code


def log_tail(path: Path, lines: int) -> str:
    return "\n".join(path.read_text(errors="replace").splitlines()[-lines:])
