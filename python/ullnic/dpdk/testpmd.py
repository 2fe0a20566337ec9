# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The distribution's dpdk-testpmd on the virtual card, by the driver's plugin, without privileges.

At the other ends of the card's lines are capture files.
"""

import os
import pty
import re
import select
import subprocess
import time
from pathlib import Path

from scapy.utils import PcapReader, PcapWriter

from ullnic.run.process import Simulator

PATIENCE_S = 60
PROMPT = "testpmd> "
# No huge pages, no PCI, nothing shared with other processes: all that an ordinary user has. (--in-memory, which would
# cover the last one, needs huge pages.)
ALL_USERS = ("--no-huge", "-m", "64", "--no-pci", "--no-shconf", "--no-telemetry")
MBUFS = "--total-num-mbufs=4096"


def write_frames(path: Path, frames: list[bytes]) -> None:
    with PcapWriter(str(path), linktype=1) as writer:
        for frame in frames:
            writer.write(frame)


def read_frames(path: Path) -> list[bytes]:
    with PcapReader(str(path)) as reader:
        return [bytes(packet) for packet in reader]


class Card:
    """A virtual card whose ports send `frames` once they are started, and capture what the card sends.

    `more`: further settings of the capture at the other end of each port.
    """

    def __init__(
        self, folder: Path, programs: Path, frames: dict[int, list[bytes]], *options: str, more: str = "",
        ports: tuple[str, ...] = (), prefix: tuple[str, ...] = (),
    ):  # fmt: skip
        folder.mkdir()
        self.folder, self.start_file = folder, folder / "start"
        self.name = f"vfio-user:{folder / 'card'}"
        arguments = ["--socket", str(folder / "card")]
        for port in (0, 1):
            write_frames(folder / f"in-{port}.pcap", frames.get(port, []))
        for port, what in enumerate(ports or (self.capture(0, more), self.capture(1, more))):
            arguments += ["--port", f"{port}={what}"]
        self.simulator = Simulator("ullnic-card", programs, [*arguments, *options], folder / "card.log", prefix)
        self.simulator.wait_ready()

    def capture(self, port: int, more: str) -> str:
        sent, received = self.folder / f"in-{port}.pcap", self.folder / f"out-{port}.pcapng"
        return f"pcap:{sent},out={received},start={self.start_file}{more}"

    def start(self) -> None:
        self.start_file.write_text("")

    def stop(self) -> dict:
        self.summary = self.simulator.stop()
        assert "error" not in self.summary, self.summary["error"]
        return self.summary

    def sent(self, port: int) -> list[bytes]:
        """What the card has sent, once it has ended."""
        return read_frames(self.folder / f"out-{port}.pcapng")

    def kill(self) -> None:
        if self.simulator.process.poll() is None:
            self.simulator.kill()


def without_privileges(argv: list[str]) -> list[str]:
    """In a user namespace that maps no user: even root has no more rights in it than an ordinary user."""
    return ["unshare", "--user", "setpriv", "--pdeathsig", "KILL", "--", *argv]


def lcores() -> str:
    """Two threads on any processor: a thread bound to one waits long when other processes keep that one busy."""
    processors = ",".join(map(str, sorted(os.sched_getaffinity(0))))
    return f"--lcores=0@({processors}),1@({processors})"


def command(card: str, ports: tuple[int, ...], eal: tuple[str, ...] = ()) -> list[str]:
    devices = [f"--vdev=net_ullnic{port},card={card},port={port}" for port in ports]
    return without_privileges(
        ["dpdk-testpmd", *ALL_USERS, lcores(), "-d", "librte_net_ullnic.so", *devices, *eal, "--"]
    )


def environment(plugin: Path) -> dict[str, str]:
    """DPDK refuses a plugin in a world-writable folder, and searches the library path for one without a folder."""
    return os.environ | {"LD_LIBRARY_PATH": str(plugin)}


def run(plugin: Path, argv: list[str], commands: str = "") -> str:
    """Runs a testpmd that ends by itself, or after `commands`, and returns its output."""
    done = subprocess.run(
        argv, input=commands, env=environment(plugin), text=True, timeout=PATIENCE_S,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    return done.stdout


class Testpmd:
    """An interactive testpmd, on a terminal: otherwise its answers would come after the prompts."""

    __test__ = False

    def __init__(
        self, plugin: Path, card: str, *options: str, ports: tuple[int, ...] = (0, 1), mbufs: str = MBUFS,
        prefix: tuple[str, ...] = (),
    ):  # fmt: skip
        argv = [*prefix, *command(card, ports), "--interactive", "--no-mlockall", "--no-flush-rx", mbufs, *options]
        self.terminal, end = pty.openpty()
        self.process = subprocess.Popen(argv, env=environment(plugin), stdin=end, stdout=end, stderr=end)
        os.close(end)
        self.said = ""  # since the last prompt
        self.log = ""
        self.greeting = self.answer()
        # A burst that finds the ring full is retried: the simulation is slower than the program.
        self("set burst tx delay 50 retry 100000")

    def forward(self, mode: str) -> None:
        self(f"set fwd {mode}")
        self("start")

    def _read(self, until_s: float) -> bool:
        """Returns False if it has closed the terminal."""
        ready, _, _ = select.select([self.terminal], [], [], max(0, until_s - time.monotonic()))
        assert ready, f"silent after: {self.said}"
        try:
            more = os.read(self.terminal, 1 << 16)
        except OSError:  # EIO
            return False
        text = more.decode(errors="replace").replace("\r", "")
        self.said += text
        self.log += text
        return more != b""

    def answer(self) -> str:
        """Its output up to the next prompt."""
        until_s = time.monotonic() + PATIENCE_S
        while PROMPT not in self.said:
            assert self._read(until_s), f"it ended: {self.said}"
        answer, _, self.said = self.said.partition(PROMPT)
        return answer

    def __call__(self, line: str) -> str:
        os.write(self.terminal, f"{line}\n".encode())
        return self.answer()

    def counters(self, port: int) -> dict[str, int]:
        """All extended statistics of a port."""
        return {name: int(value) for name, value in re.findall(r"(\w+): (\d+)", self(f"show port xstats {port}"))}

    def wait(self, port: int, name: str, value: int) -> dict[str, int]:
        """Waits until the counter has reached the value, and returns all of the port's."""
        end_s = time.monotonic() + PATIENCE_S
        while (counters := self.counters(port)).get(name, 0) < value:
            assert time.monotonic() < end_s, f"{name} has not reached {value}: {counters}"
            time.sleep(0.05)
        return counters

    def wait_for(self, *texts: str) -> None:
        """Waits until its output has contained all of them."""
        end_s = time.monotonic() + PATIENCE_S
        while missing := [text for text in texts if text not in self.log]:
            assert time.monotonic() < end_s, f"it has not said {missing}: {self.log}"
            self("show fwd stats all")
            time.sleep(0.05)

    def read_until(self, text: str, count: int) -> None:
        """Reads until its output contains the text `count` times. It gets no command meanwhile: with `set verbose` the
        forwarding thread prints at any time, also within a prompt."""
        until_s = time.monotonic() + PATIENCE_S
        while self.log.count(text) < count:
            assert self._read(until_s), f"it ended: {self.said}"

    def quit(self) -> str:
        """Ends it and returns its whole output."""
        os.write(self.terminal, b"quit\n")
        until_s = time.monotonic() + PATIENCE_S
        while self._read(until_s):
            pass
        assert self.process.wait(PATIENCE_S) == 0, self.said
        return self.log

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.terminal)
