# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic soak dpdk`: the distribution's dpdk-testpmd forwards millions of packets from one port of the virtual card to
the other, by the project's driver."""

import os
import random
import struct
import threading
import time
from pathlib import Path

import click

from ullnic import apt
from ullnic import dpdk as installation
from ullnic.cards import DEFAULT, NAMES
from ullnic.errors import UllnicError
from ullnic.options import SEED, Finite

FRAMES = 1000  # of the capture, which is sent repeatedly
ENHANCED_PACKET = 6
REPORT_EVERY_S = 20
SILENT_S = 60
# Preamble, FCS and minimum gap: bytes that a frame takes on the line besides its own.
OVERHEAD = 24
GAP_BYTES = 16  # the part of them after a frame

EXAMPLES = """\b
Examples:
  ./ullnic soak dpdk                        10 million packets of 60 bytes, an hour
  ./ullnic soak dpdk --packets 100000       a hundredth of it
  ./ullnic soak dpdk --dma model            with the functional model of the DMA, which is faster"""


class Arrivals(threading.Thread):
    """Reads the capture of the far end through a FIFO while it is written: each frame must be the next one."""

    def __init__(self, path: Path, frames: list[bytes], expected: int):
        super().__init__(daemon=True)
        os.mkfifo(path)
        self.path, self.frames, self.expected = path, frames, expected
        self.count, self.wrong = 0, ""
        self.start()

    def run(self) -> None:
        with open(self.path, "rb", buffering=1 << 20) as file:
            while len(head := file.read(8)) == 8:
                kind, length = struct.unpack("<II", head)
                body = file.read(length - 8)
                if kind == ENHANCED_PACKET and not self.wrong:
                    captured = struct.unpack_from("<I", body, 12)[0]
                    if body[20 : 20 + captured] != self.frames[self.count % len(self.frames)]:
                        self.wrong = f"packet {self.count} is not the one that was sent"
                    self.count += 1


def made_frames(rng: random.Random, length: int) -> list[bytes]:
    from scapy.layers.inet import IP, UDP
    from scapy.layers.l2 import Ether

    head = bytes(Ether(dst="02:00:00:00:00:01", src="02:00:00:00:00:02") / IP(dst="198.18.0.2") / UDP())
    return [head + rng.randbytes(length - len(head)) for _ in range(FRAMES)]


@click.command(epilog=EXAMPLES)
@click.option("--packets", type=click.IntRange(FRAMES), default=10_000_000, show_default=True, help="In thousands.")
@click.option("--bytes", "length", type=click.IntRange(60, 1514), default=60, show_default=True, help="Without FCS.")
@click.option("--card", type=click.Choice(NAMES), default=DEFAULT, show_default=True)
@click.option("--dma", type=click.Choice(["rtl", "model"]), default="rtl", show_default=True)
@click.option("--load", type=Finite(0.01, 1), default=0.5, show_default=True, help="Of the line's rate.")
@click.option("--seed", type=SEED, help="Of the packets' bytes; drawn if it is not given.")
def dpdk(packets, length, card, dma, load, seed) -> int:
    """Forward packets by DPDK's testpmd and the driver net_ullnic, as an ordinary user.

    Each has to arrive at the other line once, in order, byte for byte. Exit code 1 if one did not. At the full rate of
    both lines what has queued up while the program did not run never leaves: on a busy machine packets are missed then.
    """
    if absent := installation.absent():
        raise UllnicError("DPDK is not installed", apt.remedy(absent))
    import tempfile

    seed = random.SystemRandom().randrange(2**31) if seed is None else seed
    print(f"seed {seed}", flush=True)
    frames = made_frames(random.Random(seed), length)
    with tempfile.TemporaryDirectory(prefix="ullnic-dpdk-") as folder:
        options = ("--card", card, "--dma", dma)
        gap = GAP_BYTES + round((length + OVERHEAD) * (1 / load - 1))
        amount = f"loop={packets // FRAMES},gap={gap}-{gap}"
        arrivals = Arrivals(Path(folder) / "forwarded", frames, packets // FRAMES * FRAMES)
        return forward(Path(folder) / "card", arrivals, installation.build(card), amount, options)


def forward(
    folder: Path, arrivals: Arrivals, programs: tuple[Path, Path], amount: str, options: tuple[str, ...]
) -> int:
    from ullnic.dpdk.testpmd import Card, Testpmd

    sim, plugin = programs
    source = f"pcap:{folder / 'in-0.pcap'},start={folder / 'start'},{amount}"
    ports = (source, f"pcap:{folder / 'in-1.pcap'},out={arrivals.path}")
    card = Card(folder, sim, {0: arrivals.frames}, *options, ports=ports)
    pmd = Testpmd(plugin, card.name)
    try:
        pmd.forward("io retry")
        start_s = time.monotonic()
        card.start()
        wait_for(arrivals, card)
        took_s = time.monotonic() - start_s
        counters = {port: pmd.counters(port) for port in (0, 1)}
        pmd.quit()
        card.stop()
        arrivals.join(SILENT_S)
    finally:
        pmd.kill()
        card.kill()
    return judge(arrivals, counters, took_s)


def wait_for(arrivals: Arrivals, card) -> None:
    """Waits until the line has carried all of them, or is silent."""
    packets = arrivals.expected
    seen, seen_s = -1, time.monotonic()
    start_s = reported_s = seen_s
    while time.monotonic() - seen_s < SILENT_S:
        card.simulator.check()
        done = card.simulator.status["ports"][1]["from_card"]["frames"] if card.simulator.status else 0
        now_s = time.monotonic()
        if done != seen:
            seen, seen_s = done, now_s
        if done >= packets or arrivals.wrong:
            return
        if now_s - reported_s >= REPORT_EVERY_S:
            reported_s = now_s
            rate = done / (now_s - start_s)
            left_min = (packets - done) / max(1, rate) / 60
            print(f"{done} of {packets} packets, {rate:.0f} a second, {left_min:.0f} minutes left", flush=True)
        time.sleep(0.2)


def judge(arrivals: Arrivals, counters: dict[int, dict[str, int]], took_s: float) -> int:
    packets = arrivals.expected
    received, sent = counters[0]["rx_good_packets"], counters[1]["tx_good_packets"]
    missed = sum(counters[port]["rx_missed_errors"] + counters[port]["rx_errors"] for port in (0, 1))
    print(f"{packets} packets in {took_s:.0f} s: {packets / took_s:.0f} a second")
    print(f"received {received}, sent {sent}, missed {missed}; arrived {arrivals.count}, each the next one")
    wrong = arrivals.wrong or (
        f"{packets - arrivals.count} packets did not arrive" if arrivals.count != packets else ""
    )
    if not wrong and (received, sent, missed) != (packets, packets, 0):
        wrong = "the driver's statistics are not those of the line"
    if wrong:
        print(f"WRONG: {wrong}")
        for port, values in counters.items():
            print(f"port {port}: " + ", ".join(f"{name} {value}" for name, value in values.items() if value))
    return 1 if wrong else 0
