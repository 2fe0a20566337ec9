# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Tick to trade in a network namespace: the virtual card with the RTL of the trigger card, ullnicd on it, programs
under the socket library.

A TAP device connects each port to the kernel: the peer of orders, and the market.
"""

import ctypes
import json
import os
import re
import select
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from bench import PATIENCE_S, Bench, Job, wait_until
from ullnic.cards import DEFAULT
from ullnic.paths import ROOT
from ullnic.run.process import Simulator
from ullnic.run.trade.parts import MARKET_PORT, ORDER_PORT, SERVER, Sockets, arm, start_daemon, user_logic

ENDS = Path(__file__).parent / "ends.py"
MARKET_IFNAME = "market"
MARKET_CARD_IP, MARKET_KERNEL_IP = "198.18.1.1", "198.18.1.2"
QUEUE_FRAMES = 20000  # the simulation is slower than the kernel
LOSS = re.compile(r"from byte (\d+) of the stream on, (\d+) bytes were sent but not acknowledged.* and (\d+) not sent")
NO_LOSS = re.compile(r"all (\d+) bytes of the stream were acknowledged")


def loss_of(text: str) -> tuple[int, int, int]:
    """The numbers of a message: bytes that have arrived, that may have arrived, and that were not sent."""
    found = LOSS.findall(text) + [(known, 0, 0) for known in NO_LOSS.findall(text)]
    assert len(found) == 1, text
    return tuple(map(int, found[0]))


class Said(OSError):
    """The answer of an end's Python instead of a value: the name of an errno."""

    def __init__(self, name: str, text: str):
        super().__init__(f"{name}: {text}")
        self.name = name


class End:
    """A process of ends.py."""

    def __init__(self, job: Job):
        self.job = job
        self.answers = b""  # read, not yet requested: several may arrive at once

    def __call__(self, piece: str, timeout_s: float = PATIENCE_S):
        self.begin(piece)
        return self.result(timeout_s)

    def begin(self, piece: str) -> None:
        self.job.tell(json.dumps(piece))

    def result(self, timeout_s: float = PATIENCE_S):
        """The result of the oldest pending snippet."""
        end_s = time.monotonic() + timeout_s
        while b"\n" not in self.answers:
            left_s = max(0, end_s - time.monotonic())
            assert select.select([self.job.process.stdout], [], [], left_s)[0], f"no answer within {timeout_s} s"
            more = os.read(self.job.process.stdout.fileno(), 1 << 16)
            assert more, f"the process ended: {self.job.process.stderr.read()}"
            self.answers += more
        line, _, self.answers = self.answers.partition(b"\n")
        said = json.loads(line)
        assert "wrong" not in said, said["wrong"]
        if "errno" in said:
            raise Said(said["errno"], said["text"])
        return said["value"]

    def error(self, piece: str) -> str:
        """Name of the errno that a snippet ends with."""
        self.begin(piece)
        return self.error_of_result()

    def error_of_result(self) -> str:
        try:
            value = self.result()
        except Said as said:
            return said.name
        raise AssertionError(f"no error, but {value!r}")

    def finish(self) -> str:
        """Ends it. Returns its stderr."""
        self.job.finish()
        return self.job.err


class Registers:
    """The card's registers, through the daemon, with the library that tools use."""

    def __init__(self, library: Path, name: str):
        self.library = ctypes.CDLL(str(library))
        self.library.ullnic_last_error.restype = ctypes.c_char_p
        self.card = ctypes.c_void_p()
        self._check(self.library.ullnic_open(name.encode(), ctypes.byref(self.card)))

    def _check(self, result: int) -> None:
        if result != 0:
            raise OSError(-result, self.library.ullnic_last_error().decode())

    def read(self, address: int) -> int:
        value = ctypes.c_uint32()
        self._check(self.library.ullnic_read32(self.card, ctypes.c_uint32(address), ctypes.byref(value)))
        return value.value

    def write(self, address: int, value: int) -> None:
        self._check(self.library.ullnic_write32(self.card, ctypes.c_uint32(address), ctypes.c_uint32(value)))

    def close(self) -> None:
        self.library.ullnic_close(self.card)


class TradeBench(Bench):
    """`net` is the kernel's end: servers, and `market`. `program` runs under the socket library, if there is one."""

    cable = SERVER.ifname  # at the order port
    daemon_options: tuple[str, ...] = ()

    def __init__(self, folder: Path, sim: Path, host: Path, *card: str):
        """`card`: further options of the virtual card."""
        self.sim, self.card_options, self.sockets = sim, card, Sockets(folder)
        self.card: Simulator | None = None
        self.net: End | None = None
        self.program: End | None = None
        super().__init__(folder, host)

    # ---- the parts

    def inside(self, argv: list[str]) -> list[str]:
        return super().inside(["setpriv", "--pdeathsig", "KILL", "--", *argv])  # everything ends with the tests

    def start_card(self) -> None:
        options = ["--card", DEFAULT, "--socket", str(self.sockets.card), "--status-interval", "0.1"]
        ports = [f"{MARKET_PORT}=tap:{MARKET_IFNAME}", f"{ORDER_PORT}=tap:{self.cable}"]
        options += [part for port in ports for part in ("--port", port)]
        log = self.folder / "ullnic-card.log"
        self.card = Simulator("ullnic-card", self.sim, [*options, *self.card_options], log, self.inside([]))
        self.card.wait_ready()
        self.join_server()
        self.shell(f"""
ip link set {MARKET_IFNAME} txqueuelen {QUEUE_FRAMES} up
ip addr add {MARKET_KERNEL_IP}/24 dev {MARKET_IFNAME}
""")
        if self.net is None:
            self.net = self.end()
            self.net("server = listening()")
        self.net(f"market = Market({MARKET_IFNAME!r})")

    def join_server(self) -> None:
        """The kernel is the host at the other end of the order port's cable."""
        self.shell(f"""
ip link set {SERVER.ifname} address {SERVER.mac} txqueuelen {QUEUE_FRAMES} up
ip addr add {SERVER.ip}/24 dev {SERVER.ifname}
""")

    def start_daemon(self, addresses: tuple[str, ...] = ()) -> None:
        if self.card is None:
            self.start_card()
        more = {"addresses": addresses} if addresses else {}
        options = self.daemon_options
        self.daemon = start_daemon(self.build, self.sockets, prefix=self.inside([]), options=options, **more)

    def stop_daemon(self) -> None:
        """Stops it as a user does."""
        daemon, self.daemon = self.daemon, None
        daemon.process.terminate()
        try:
            wait_until(daemon.ended)
        finally:
            daemon.kill()

    def close(self) -> None:
        for job in self.jobs:
            job.kill()
        try:
            if self.daemon is not None:
                self.stop_daemon()
            if self.card is not None:
                summary, self.card = self.card.stop(), None
                assert "error" not in summary, summary["error"]
        finally:
            if self.card is not None:
                self.card.kill()
            self.holder.kill()

    def end(self, *wrapper: str) -> End:
        env = {"PYTHONPATH": str(ROOT / "python"), "EXASOCK_PATH": str(self.build / "lib")}
        return End(self.start([*wrapper, sys.executable, str(ENDS)], env))

    def start_program(self) -> End:
        program = self.end(str(self.build / "bin" / "exasock"))
        program("None")  # the wrapper, which requires a daemon, is over
        return program

    # ---- what a test does

    def end_program(self) -> str:
        """Returns its stderr."""
        program, self.program = self.program, None
        return program.finish()

    def arm(self, number: int = 0) -> None:
        arm(self.build, self.sockets.daemon, number)

    def logic(self) -> dict:
        return user_logic(self.build, self.sockets.daemon, "status")

    def disarm(self) -> int:
        """Returns how many orders were sent since it was armed."""
        return user_logic(self.build, self.sockets.daemon, "disarm")["number"]

    def connect(self, number: int = 0, **options) -> None:
        """`program` has a `link`, and `net` a `sink` at its other end."""
        if self.program is None:
            self.program = self.start_program()
        self.program(f"link = accelerated({number}, **{options})")
        self.net("sink = Sink(server.accept()[0])")

    def market(self, gap_s: float = 0.002) -> None:
        """Triggers, until silence()."""
        self.net(f"market.gap_s = {gap_s}; market.on.set()")

    def silence(self) -> None:
        self.net("market.on.clear()")

    def fire(self, count: int, gap_s: float = 0) -> None:
        """Fires this many triggers, and waits until the card has seen them."""
        before = self.logic()["triggers"]
        self.net(f"market.fire({count}, {gap_s})")
        wait_until(lambda: self.logic()["triggers"] >= before + count)

    @contextmanager
    def cable_out(self):
        """Unplugs the server's cable: it receives nothing, and nothing that it sends arrives."""
        self.shell(f"ip link set {SERVER.ifname} down")
        try:
            yield
        finally:
            self.shell(f"ip link set {SERVER.ifname} up")

    def has_sysctl(self, name: str) -> bool:
        return Path(f"/proc/sys/net/ipv4/{name}").exists()

    def sysctl(self, name: str, value: int) -> None:
        """A setting of the kernel's TCP, if it exists."""
        if self.has_sysctl(name):
            self.shell(f"echo {value} >/proc/sys/net/ipv4/{name}")

    def counters(self) -> dict[str, int]:
        """Counters of the kernel's TCP: /proc/net/netstat."""
        lines = [line.split() for line in self.shell("grep TcpExt /proc/net/netstat").splitlines()]
        return dict(zip(lines[0][1:], map(int, lines[1][1:]), strict=True))

    def kill_card(self) -> None:
        """With SIGKILL; does not wait for the daemon that was on it."""
        self.card.process.kill()
        self.card.process.wait()
        self.card, self.daemon = None, None

    def sink(self) -> dict:
        report = self.net("sink.report()")
        assert not report["faults"], report  # it counts only from here: waiting for more would not end
        return report

    def enabled(self) -> list[int]:
        """Connections of the order port's engine that hardware may send on."""
        registers = self.registers()
        base = 0x40000 | ORDER_PORT << 15
        return [number for number in range(512) if registers.read(base | number << 6 | 48) & 1]

    def registers(self) -> Registers:
        return Registers(self.build / "lib" / "libullnic.so", f"ullnicd:{self.socket}")

    def tidy(self) -> None:
        """Between tests: the market is silent, the user logic disarmed, no program runs, no connection is enabled."""
        self.silence()
        if self.program is not None:
            self.program.job.kill()
            self.program = None
        if self.daemon is not None:
            self.disarm()
            wait_until(lambda: self.enabled() == [])


def trade(bench: TradeBench, number: int, **options) -> None:
    """Orders and messages are sent on one connection, and the server has received both."""
    bench.connect(number, **options)
    bench.arm(number)
    bench.program("writer = Writer(link)")
    bench.market()
    wait_until(lambda: min(bench.sink()["orders"], bench.sink()["messages"]) > 20)
