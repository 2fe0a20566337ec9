# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Measures points on this machine, one process each, and shows the remaining time."""

import os
import signal
import subprocess
import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

from ullnic.errors import UllnicError
from ullnic.paths import ROOT, module_command
from ullnic.points.point import Point
from ullnic.progress import StatusLine
from ullnic.report.remaining import Remaining
from ullnic.toolchain import tool_env

LAUNCH = module_command("ullnic")
SHOWN_LINES = 12  # of the output of a failed point


class Pool:
    """`jobs` processes at once."""

    def __init__(self, jobs: int):
        self.jobs = jobs
        self._lock = threading.Lock()
        self._running: dict[str, subprocess.Popen] = {}
        self._stopped = False

    def run(self, points: Sequence[Point]) -> None:
        """Raises UllnicError for the first point that fails; the others are ended."""
        status, self.remaining = StatusLine("measuring"), Remaining(points, self.jobs)
        with ThreadPoolExecutor(self.jobs) as threads:
            runs = {threads.submit(self._measure, point): point for point in points}
            pending = set(runs)
            try:
                while pending:
                    done, pending = wait(pending, 0.3, FIRST_EXCEPTION)
                    for each in done:
                        each.result()
                    with self._lock:
                        names, left = ", ".join(self._running), self.remaining.text()
                    status.step = f"{len(runs) - len(pending)} of {len(runs)} points, {left}; {names}"
                    status.update()
            except BaseException:
                self._stop()
                for each in pending:
                    each.cancel()
                status.end("stopped")
                raise
        status.end(f"{len(points)} points")

    def _measure(self, point: Point) -> None:
        with self._lock:
            if self._stopped:
                return
            process = subprocess.Popen(
                [*LAUNCH, *point.argv()],
                cwd=ROOT,
                env=tool_env(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=True,  # a process group, so that its children end with it
            )
            self._running[point.name] = process
            self.remaining.began(point)
        said, _ = process.communicate()
        with self._lock:
            del self._running[point.name]
            self.remaining.done(point)
        if process.returncode and not self._stopped:
            excerpt = "\n".join(said.strip().splitlines()[-SHOWN_LINES:])
            raise UllnicError(f"{point.name} failed:\n{excerpt}", f"repeat it with: {point.command}")

    def _stop(self) -> None:
        with self._lock:
            self._stopped = True
            for process in self._running.values():
                os.killpg(process.pid, signal.SIGTERM)
