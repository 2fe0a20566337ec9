# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A network namespace with ullnicd in it, over a card modelled in C whose cable is a TAP device.

The kernel at the other end of the cable is the peer. Programs run under `exasock`, peers without it.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

HERE = Path(__file__).parent
CARD, PEER = "10.9.1.2", "10.9.1.3"
PATIENCE_S = 60
SANITIZED = os.environ.get("ULLNIC_SANITIZED", "")
# At its end, a sanitizer inspects the process from outside, and looks for files.
UNCONFINED = ("--unconfined",) if SANITIZED else ()
PRELUDE = "import errno, hashlib, os, select, socket, struct, sys, threading, time\nfrom records import *\n"


class Job:
    """A process; its output is kept."""

    def __init__(self, argv: list[str], env: dict[str, str] | None = None):
        self.process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | (env or {}),
            start_new_session=True,
        )

    def read_line(self) -> str:
        """Its next line; the process is killed if it is silent for too long."""
        watchdog = threading.Timer(PATIENCE_S, self.kill)
        watchdog.start()
        try:
            # Byte by byte: what a buffer has read beyond the line would be lost to finish().
            line = b""
            while not line.endswith(b"\n") and (octet := os.read(self.process.stdout.fileno(), 1)):
                line += octet
            return line.decode().strip()
        finally:
            watchdog.cancel()

    def tell(self, line: str = "go") -> None:
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def finish(self, code: int | None = 0, timeout: float = PATIENCE_S) -> str:
        """Waits for its end. Returns its stdout."""
        try:
            self.out, self.err = self.process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            self.out, self.err = self.process.communicate()
            raise AssertionError(f"still running after {timeout} s\nstdout: {self.out}\nstderr: {self.err}") from None
        if code is not None:
            assert self.process.returncode == code, f"exit {self.process.returncode}\n{self.out}\n{self.err}"
        return self.out

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()

    def last_words(self) -> str:
        """How it ended, and its unread output; killed if it has not ended."""
        code = self.process.poll()
        self.kill()
        if self.process.stdout.closed:
            return ""
        with contextlib.suppress(subprocess.TimeoutExpired):  # a child of it holds the pipes
            self.out, self.err = self.process.communicate(timeout=5)
            ended = "was still running" if code is None else f"exit {code}"
            return f"{self.process.args[-1]}\n-- {ended}\n{tail(self.out)}{tail(self.err)}"
        return ""


class Namespace:
    """A separate network, and the programs in it.

    `all_users`: it needs root and has root's users; else it has one user, who appears as root in it.
    """

    def __init__(self, all_users: bool = False):
        self.jobs: list[Job] = []
        self.users = [] if all_users else ["--map-root-user"]
        self.holder = Job(["unshare", *self.users, "--net", "sh", "-c", "ip link set lo up; echo up; exec cat"])
        assert self.holder.read_line() == "up", self.holder.process.stderr.read()

    def inside(self, argv: list[str]) -> list[str]:
        """Runs in the namespace; it dies with the tests, even if those are killed."""
        pid = str(self.holder.process.pid)
        users = ["--user", "--preserve-credentials"] if self.users else []
        enter = ["nsenter", "-t", pid, *users, "--net", "--"]
        return [*enter, "setpriv", "--pdeathsig", "KILL", "--", *argv]

    def shell(self, script: str) -> str:
        done = subprocess.run(self.inside(["sh", "-c", script]), text=True, capture_output=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self, argv: list[str], env: dict[str, str] | None = None) -> Job:
        job = Job(self.inside(argv), {"PYTHONPATH": str(HERE)} | (env or {}))
        self.jobs.append(job)
        return job

    def end_jobs(self) -> None:
        for job in self.jobs:
            if words := job.last_words():
                print(words)  # pytest shows it if the test has failed

    def close(self) -> None:
        self.end_jobs()
        self.holder.kill()


class Bench(Namespace):
    def __init__(
        self,
        folder: Path,
        build: Path,
        daemon: tuple[str, ...] = (),
        all_users: bool = False,
        socket: Path | None = None,
        **card,
    ):
        super().__init__(all_users)
        folder.mkdir()
        self.folder, self.build = folder, build
        self.socket, self.stats_file = socket or folder / "ullnicd.sock", folder / "stats.json"
        self.daemon: Job | None = None
        self.keeps_window = True  # False: the test forges segments, which may shrink a window
        self.start_daemon(daemon, **card)

    def start_daemon(self, options: tuple[str, ...] = (), **card) -> None:
        keys = {"seed": 1, "stats": self.stats_file} | card
        cables = keys.pop("cables", "tap0")  # one for each port: "tap0+tap1"
        descriptors = keys.pop("descriptors", None)  # limit of its open descriptors
        limited = ["prlimit", f"--nofile={descriptors}"] if descriptors else []
        name = f"fake:{cables}," + ",".join(f"{key}={value}" for key, value in keys.items())
        ullnicd = [*limited, str(self.build / "bin" / "ullnicd-fake"), "--card", name, "--socket", str(self.socket)]
        # At its end it drops its own memory without freeing it, which is not a leak.
        env = {"ASAN_OPTIONS": "detect_leaks=0"}
        options = (*UNCONFINED, *options)
        self.daemon = Job(self.inside([*ullnicd, "--address", f"0={CARD}/24", "--verbose", *options]), env)
        assert self.daemon.read_line() == "ready", self.daemon.process.stderr.read()
        # The queue: what the daemon does not accept at once must not be lost on the cable.
        self.shell(f"ip addr add {PEER}/24 dev tap0 && ip link set tap0 txqueuelen 20000 up")
        # No ICMP rate limit; in a container that forbids this setting, a test that needs more than a few errors waits
        # for them.
        self.shell("(echo 0 >/proc/sys/net/ipv4/icmp_ratelimit) 2>/dev/null || true")

    def start(self, argv: list[str], env: dict[str, str] | None = None) -> Job:
        return super().start(argv, {"ULLNICD_SOCKET": str(self.socket)} | (env or {}))

    def python(self, code: str) -> Job:
        """A Python program with the kernel's sockets."""
        return self.start([sys.executable, "-c", PRELUDE + code])

    def peer(self, code: str) -> Job:
        """The same, after it has printed its first line, which reports that it is ready."""
        job = self.python(code)
        line = job.read_line()
        assert line == "ready", f"{line}\n{job.process.stderr.read() if line == '' else ''}"
        return job

    def program(self, code: str, *options: str, env: dict[str, str] | None = None) -> Job:
        """A Python program with accelerated sockets."""
        return self.command([sys.executable, "-c", PRELUDE + code], *options, env=env)

    def command(self, argv: list[str], *options: str, env: dict[str, str] | None = None) -> Job:
        exasock = str(self.build / "bin" / "exasock")
        settings = {"EXASOCK_PATH": str(self.build / "lib")} | sanitizer_settings() | (env or {})
        return self.start([exasock, *options, *argv], settings)

    def stop_daemon(self) -> dict:
        """Ends ullnicd as a user does. Returns the frames that its card saw."""
        daemon, self.daemon = self.daemon, None
        daemon.process.send_signal(signal.SIGTERM)
        daemon.finish()
        self.daemon_says = daemon.err
        print(tail(daemon.err))
        stats = json.loads(self.stats_file.read_text())
        if self.keeps_window:
            assert stats["beyond_window"] == 0, "the engine sent past the peer's window"
        return stats

    def close(self) -> None:
        self.end_jobs()
        try:
            if self.daemon is not None:
                assert self.stop_daemon()["enabled"] == 0, "the engine was left enabled"
        finally:
            if self.daemon is not None:
                self.daemon.kill()
            super().close()


def sanitizer_flags() -> list[str]:
    """For a test's program that is compiled to use our libraries."""
    return [f"-fsanitize={SANITIZED}"] if SANITIZED else []


def sanitizer_settings() -> dict[str, str]:
    """For a program built without the sanitizers when its preloaded library has them."""
    if "address" not in SANITIZED:
        return {}
    found = subprocess.run(["cc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    # After our library, whose functions are called first; and Python's own leaks are not ours.
    options = f"{os.environ.get('ASAN_OPTIONS', '')}:verify_asan_link_order=0:detect_leaks=0"
    return {"LD_PRELOAD": str(Path(found.stdout.strip()).resolve()), "ASAN_OPTIONS": options}


def tail(text: str, lines: int = 30) -> str:
    return "".join(text.splitlines(keepends=True)[-lines:])


def wait_until(condition, timeout: float = PATIENCE_S) -> None:
    end = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.02)
