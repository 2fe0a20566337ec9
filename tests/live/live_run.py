# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Starts `ullnic run` and `ullnic run link` for the tests, and finds what they leave behind."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# A process of user 1000 without any capability, whoever runs the tests: an ordinary user's rights.
ORDINARY_USER = ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--"]
END_TIMEOUT_S = 10


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "ullnic", "run", *arguments]


def run(*arguments: str, prefix: list[str] | None = None, timeout_s: int = 180) -> subprocess.CompletedProcess:
    """Runs the link's demonstration to its end; command and output go into the test's log."""
    return run_argv([*(prefix or []), *command("link", *arguments)], timeout_s)


def run_trade(*arguments: str, prefix: list[str] | None = None, timeout_s: int = 300) -> subprocess.CompletedProcess:
    """Runs market data and orders to its end."""
    return run_argv([*(prefix or []), *command(*arguments)], timeout_s)


def run_argv(argv: list[str], timeout_s: int) -> subprocess.CompletedProcess:
    print("$", " ".join(argv))
    done = subprocess.run(argv, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=timeout_s)
    print(done.stdout[-4000:], done.stderr[-4000:], sep="\n")
    return done


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "python")}


def good_summary(out_dir: Path, done: subprocess.CompletedProcess) -> dict:
    assert done.returncode == 0, done.stderr
    summary = json.loads((out_dir / "summary.json").read_text())
    assert summary["ok"] and summary["failures"] == []
    return summary


class Background:
    """A run in progress while the test acts on it."""

    def __init__(self, *arguments: str, prefix: list[str] | None = None):
        argv = [*(prefix or []), *command(*arguments)]
        print("$", " ".join(argv))
        self.text = ""
        self.process = subprocess.Popen(
            argv,
            cwd=ROOT,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def wait_for(self, pattern: str) -> re.Match:
        """Reads up to the first line with the pattern."""
        for line in self.process.stdout:
            self.text += line
            if match := re.search(pattern, line):
                return match
        raise AssertionError(f"ended without '{pattern}':\n{self.text}")

    def finish(self, timeout_s: int = 60) -> int:
        watchdog = threading.Timer(timeout_s, self.process.kill)
        watchdog.start()
        self.text += self.process.stdout.read()  # communicate() would miss what wait_for() has already read
        self.process.wait(timeout_s)
        watchdog.cancel()
        print(self.text)
        return self.process.returncode

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def stat_fields(pid: int) -> list[str] | None:
    """Fields of /proc/PID/stat from the state on; None for a process that is gone or only waits to be reaped."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in "ZX" else fields


def all_pids() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def descendants(pid: int) -> list[tuple[int, str]]:
    """(pid, start time) of every process under `pid`, and itself; the start time identifies a reused number."""
    stats = {each: fields for each in all_pids() if (fields := stat_fields(each))}
    found, todo = [], [pid]
    while todo:
        parent = todo.pop()
        if parent in stats:
            found.append((parent, stats[parent][19]))
        todo += [each for each, fields in stats.items() if int(fields[1]) == parent]
    return found


def crash(pid: int, name: str) -> None:
    """Ends the only program of this name under `pid` as a crash would."""
    found = [each for each, _ in descendants(pid) if program(each) == name]
    assert len(found) == 1, found
    os.kill(found[0], signal.SIGSEGV)


def program(pid: int) -> str:
    return Path(os.fsdecode(Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0])).name


def network_namespaces(pids: list[int]) -> set[str]:
    """Network namespaces of the given processes, except our own."""
    found = {namespace for pid in pids if (namespace := network_namespace(pid))}
    return found - {os.readlink("/proc/self/ns/net")}


def network_namespace(pid: int) -> str | None:
    try:
        return os.readlink(f"/proc/{pid}/ns/net")
    except OSError:
        return None


class Leftovers:
    """Records a run's processes and network namespaces; `check` asserts that none of them remains."""

    def __init__(self, pid: int):
        self.processes = descendants(pid)
        self.namespaces = network_namespaces([pid for pid, _ in self.processes])
        print("processes", self.processes, "network namespaces", self.namespaces)

    def check(self) -> None:
        deadline = time.monotonic() + END_TIMEOUT_S
        while (left := self.left()) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not left, f"left behind: {left}"

    def left(self) -> list[str]:
        processes = [
            f"process {pid}" for pid, start in self.processes if (fields := stat_fields(pid)) and fields[19] == start
        ]
        namespaces = [
            f"{namespace} of process {pid}"
            for pid in all_pids()
            if (namespace := network_namespace(pid)) in self.namespaces
        ]
        return processes + namespaces
