# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A simulation's process: started, watched and stopped; it reports in JSON lines."""

import json
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from ullnic.errors import UllnicError

READY_TIMEOUT_S = 30
STOP_TIMEOUT_S = 20


class Simulator:
    """`status` is the newest status event; if the process dies, `check` raises an error."""

    def __init__(
        self,
        program: str,
        bin_dir: str | Path,
        arguments: list[str],
        log_path: Path,
        prefix: Sequence[str] = (),
        folder: Path | None = None,
    ):
        """`prefix`: a command that runs the program, nsenter for instance. `folder`: its working directory, if not
        ours.
        """
        self.program = program
        self.status: dict = {}
        self.ready: dict | None = None
        self.summary: dict | None = None
        self.error: dict | None = None
        self.log_path = log_path
        self.command = [*prefix, str(Path(bin_dir) / program), *arguments]
        with open(log_path, "w") as log:
            # A separate session: Ctrl-C reaches this program, which then stops the simulation gracefully.
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
                cwd=folder,
            )
        self.strange: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        for line in self.process.stdout:
            try:
                event = json.loads(line)
                kind = event["event"]
            except (ValueError, TypeError, KeyError):
                self.strange.put(line.rstrip())
                continue
            if kind in ("ready", "status", "summary", "error"):
                setattr(self, kind, event)
            if kind == "summary":
                self.status = event

    def wait_ready(self) -> None:
        deadline = time.monotonic() + READY_TIMEOUT_S
        while self.ready is None:
            self.check()
            if time.monotonic() > deadline:
                raise UllnicError(f"no block lock within {READY_TIMEOUT_S} s: {self.last_words()}")
            time.sleep(0.02)

    def check(self) -> None:
        """Raises an error if the process has ended unexpectedly."""
        if self.process.poll() is None:
            return
        self.reader.join(timeout=5)
        raise self.failure()

    def failure(self) -> UllnicError:
        if self.error:
            return UllnicError(f"{self.program}: {self.error.get('message')}", self.error.get("remedy", ""))
        code = self.process.returncode
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        return UllnicError(
            f"{self.program} {how} during the run: {self.last_words()}", f"its messages: {self.log_path}"
        )

    def last_words(self) -> str:
        lines = self.log_path.read_text(errors="replace").split("\n")
        while not self.strange.empty():
            lines.append(self.strange.get())
        return " | ".join(line.strip() for line in lines if line.strip())[-500:] or "it said nothing"

    def stop(self, timeout_s: float = STOP_TIMEOUT_S) -> dict:
        """Requests the summary and returns it."""
        self.check()
        self.process.send_signal(signal.SIGTERM)
        return self.wait_end(timeout_s)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def wait_end(self, timeout_s: float) -> dict:
        try:
            self.process.wait(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise UllnicError(f"{self.program} did not end within {timeout_s} s: {self.last_words()}") from None
        self.reader.join(timeout=5)
        if self.summary is None:
            raise self.failure()
        if self.process.returncode != 0:  # it found an error by itself
            self.summary["error"] = self.failure().message
        return self.summary
