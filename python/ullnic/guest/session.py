# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A guest's life: the card's process, QEMU, and the output of the guest's script; all of it ends together."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.guest.machine import Forward, Machine, Share
from ullnic.guest.store import Parts
from ullnic.paths import BUILD
from ullnic.progress import StatusLine, log_tail
from ullnic.run.process import Simulator
from ullnic.run.signals import SIGNALS, Interrupted, catch_signals, on_signal
from ullnic.toolchain import which

BOOT_TIMEOUT_S = 600  # on a machine that others use, too
END_TIMEOUT_S = 10
TICK_S = 0.05
MOST_SOCKET_PATH = 107  # in bytes: Linux's limit
KEPT = BUILD / "guest"  # logs of failed guests
LOGS = ("console.log", "qemu.log", "card.log")
LOOK = f"its logs are in {KEPT}"


@dataclass(frozen=True)
class CardProgram:
    """What serves the card: a program of the simulation, and its arguments except the socket.

    Each function has a socket; those of virtual functions are beside the physical one's.
    """

    bin_dir: Path
    program: str
    arguments: tuple[str, ...]
    vfs: int = 0

    def sockets(self, folder: Path) -> tuple[Path, ...]:
        return (folder / "card", *(folder / f"card.vf{i}" for i in range(self.vfs)))


@dataclass(frozen=True)
class Session:
    parts: Parts
    card: CardProgram
    memory_mib: int
    cpus: int
    kvm: bool
    iommu: bool
    share: Path | None
    forwards: tuple[Forward, ...]
    script: Path | None
    arguments: tuple[str, ...]

    def run(self) -> int:
        """Boots the guest, and returns its exit code: the script's, or 0 after a shell."""
        before = {number: signal.getsignal(number) for number in SIGNALS}
        catch_signals()
        try:
            with session_folder() as folder:
                return self._run_in(folder)
        except Interrupted as interrupted:
            print(f"\nstopped by {signal.Signals(interrupted.number).name}; guest and card are gone", file=sys.stderr)
            return 128 + interrupted.number
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _run_in(self, folder: Path) -> int:
        job = Job(folder / "job", self.script, self.arguments) if self.script else None
        options = [*self.card.arguments, "--socket", str(folder / "card")]
        card = qemu = None
        try:
            with signals_held():
                card = Simulator(self.card.program, self.card.bin_dir, options, folder / "card.log")
            card.wait_ready()
            machine = self.machine(folder, job)
            with signals_held():
                qemu = start(machine, folder, job)
            return self._follow(qemu, card, job, folder)
        except UllnicError:
            keep_logs(folder)
            raise
        finally:
            if qemu:
                end(qemu)
            if card:
                end(card.process)

    def machine(self, folder: Path, job: "Job | None") -> Machine:
        shares, words = [], []
        if self.share:
            shares.append(Share("share", self.share.resolve()))
            words.append("guest.share")
        if job:
            shares.append(Share("job", job.folder))
            words.append("guest.job")
        elif sys.stdin.isatty():
            columns, rows = shutil.get_terminal_size()
            term = re.sub(r"[^\w.+-]", "", os.environ.get("TERM", ""), flags=re.ASCII)
            words += [f"guest.rows={rows}", f"guest.columns={columns}", f"guest.term={term or 'linux'}"]
        return Machine(
            parts=self.parts,
            sockets=self.card.sockets(folder),
            memory_mib=self.memory_mib,
            cpus=self.cpus,
            kvm=self.kvm,
            iommu=self.iommu,
            shares=tuple(shares),
            forwards=self.forwards,
            words=tuple(words),
        )

    def _follow(self, qemu: subprocess.Popen, card: Simulator, job: "Job | None", folder: Path) -> int:
        ended = False
        while not ended:
            time.sleep(TICK_S)
            ended = qemu.poll() is not None
            if not ended:
                card.check()
            if job:
                job.look()
        if qemu.returncode != 0:
            said = tail(folder / "qemu.log")
            raise UllnicError(f"QEMU ended with exit code {qemu.returncode}:\n{said}", LOOK)
        if not job:
            return 0
        code = job.code()
        if code is None:
            said = tail(folder / "console.log")
            raise UllnicError(f"the guest ended before the script did; the end of its console:\n{said}", LOOK)
        return code


class Job:
    """The folder that passes a script into the guest, and its output and exit code back."""

    def __init__(self, folder: Path, script: Path, arguments: Sequence[str]):
        self.folder = folder
        self.started = folder / "started"
        folder.mkdir()
        shutil.copyfile(script, folder / "script")
        (folder / "script").chmod(0o755)
        command = shlex.join(["/run/job/script", *arguments])
        (folder / "command").write_text(f"cd /share\nexec {command}\n")
        self.boot: StatusLine | None = StatusLine("booting the guest")  # until the script has begun
        self.streams = []
        for name, target in (("stdout", sys.stdout), ("stderr", sys.stderr)):
            (folder / name).touch()
            self.streams.append((open(folder / name, "rb"), target))  # noqa: SIM115 (they live as long as the job)

    def look(self) -> None:
        """Shows the guest's progress, and passes on what the script has written since the last call."""
        if self.boot:
            self._watch_boot(self.boot)
        for source, target in self.streams:
            if data := source.read():
                target.flush()
                target.buffer.write(data)
                target.buffer.flush()

    def _watch_boot(self, boot: StatusLine) -> None:
        boot.update()
        if self.started.exists():
            boot.end("done")
            self.boot = None
        elif time.monotonic() - boot.start_s > BOOT_TIMEOUT_S:
            boot.end("failed")
            raise UllnicError(f"the guest did not boot within {BOOT_TIMEOUT_S} s", LOOK)

    def code(self) -> int | None:
        """The script's exit code; None if it has not ended."""
        with suppress(FileNotFoundError, ValueError):
            return int((self.folder / "code").read_text())
        return None


@contextmanager
def signals_held() -> Iterator[None]:
    """Defers signals to the end of the block: a process that has just been started is then recorded."""
    caught: list[int] = []
    before = {each: signal.signal(each, lambda number, _frame: caught.append(number)) for each in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if caught:
        on_signal(caught[0], None)


@contextmanager
def session_folder() -> Iterator[Path]:
    """A temporary folder whose path is short enough for a socket."""
    usual = Path(tempfile.gettempdir())
    short = len(os.fsencode(usual / "ullnic-guest-12345678" / "card")) <= MOST_SOCKET_PATH
    with tempfile.TemporaryDirectory(prefix="ullnic-guest-", dir=None if short else "/tmp") as folder:
        yield Path(folder)


def start(machine: Machine, folder: Path, job: Job | None) -> subprocess.Popen:
    """Starts QEMU.

    With a job it gets the console's log and its own session, so that Ctrl-C reaches this program alone. Without one it
    gets the terminal, whose keys it passes on to the guest.
    """
    console = f"file:{folder / 'console.log'}" if job else "mon:stdio"
    dies_with_us = [which("setpriv") or "setpriv", "--pdeathsig", "KILL", "--"]
    with open(folder / "qemu.log", "w") as log:
        return subprocess.Popen(
            [*dies_with_us, *machine.command(console)],
            stdin=subprocess.DEVNULL if job else None,
            stdout=log if job else None,
            stderr=log,
            start_new_session=job is not None,
            env=os.environ | machine.parts.qemu.env,
        )


@contextmanager
def terminal_kept() -> Iterator[None]:
    """Restores the terminal's state, which QEMU changes, even if QEMU is killed."""
    try:
        state = termios.tcgetattr(sys.stdin)
    except (termios.error, OSError, ValueError):  # no terminal
        yield
        return
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, state)


def end(process: subprocess.Popen) -> None:
    """Ends it gracefully if possible, else at once."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def keep_logs(folder: Path) -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    for name in LOGS:
        with suppress(FileNotFoundError):
            shutil.copyfile(folder / name, KEPT / name)


def tail(path: Path) -> str:
    return log_tail(path, 8) if path.exists() else ""
