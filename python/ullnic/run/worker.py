# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A program that reports in JSON lines, inside one of the namespaces or not."""

import json
import os
import subprocess
import threading

from ullnic.errors import UllnicError
from ullnic.paths import module_command
from ullnic.run.netns import Namespace


class Worker:
    """`event` holds everything the program's JSON lines have reported, the newest value of each key."""

    def __init__(self, namespace: Namespace | None, name: str, argv: list[str], env: dict[str, str] | None = None):
        """`namespace`: None for this process's own. `env`: added to this process's environment."""
        self.name = f"{name} in namespace {namespace.end.name}" if namespace else name
        self.event: dict = {}
        self.process = subprocess.Popen(
            namespace.command(*argv) if namespace else argv,
            env={**os.environ, **(env or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.lines: list[str] = []
        self.complaints: list[str] = []
        self.readers = [threading.Thread(target=reader, daemon=True) for reader in (self._read, self._read_stderr)]
        for reader in self.readers:
            reader.start()

    @classmethod
    def traffic(cls, namespace: Namespace, role: str, *arguments) -> "Worker":
        """Starts a role of ullnic.run.link.traffic."""
        return cls(namespace, role, module_command("ullnic.run.link.traffic", role, *arguments))

    def close_stdin(self) -> None:
        self.process.stdin.close()

    def _read(self) -> None:
        for line in self.process.stdout:
            self.lines.append(line.rstrip())
            if line.startswith("{"):
                self.event.update(json.loads(line))

    def _read_stderr(self) -> None:
        self.complaints.extend(line.rstrip() for line in self.process.stderr)

    @property
    def count_bytes(self) -> int:
        return self.event.get("bytes", 0)

    def ended(self) -> bool:
        """True once it has ended; raises an error if it failed."""
        if self.process.poll() is None:
            return False
        for reader in self.readers:
            reader.join(timeout=5)
        if self.process.returncode != 0:
            said = " | ".join(self.complaints)[-500:] or f"exit code {self.process.returncode}"
            raise UllnicError(f"{self.name} failed: {said}")
        return True

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
