# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic soak rtl`: hostile input for the RTL of cores and cards, from a seed, run by the fuzzers of sim/src/fuzz.

The head of each fuzzer's source says what it sends, and which invariants it checks.
"""

import json
import random
import shlex
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from rich.console import Console

from ullnic import apt
from ullnic.build import build_sim
from ullnic.cards import FOLDERS, Card, fuzzers
from ullnic.errors import UllnicError
from ullnic.options import SEED


def title(card: Card) -> str:
    clock = ", with a transmit clock of its own" if card.crossing else ""
    return f"the {FOLDERS[card.kind].name} card, {card.pma_bits} bits{clock}"


CORES = {
    "ate": "the transmit engine, 32 bits, with amendments",
    "ate_plain": "the transmit engine, 32 bits, without amendments",
    "ate_16": "the transmit engine, 16 bits",
    "toe_card": "the TCP/IP stack with its MAC, PCS and applications",
    "macpcs": "the MAC and PCS, 32 bits, without FIFOs",
    "macpcs_16": "the MAC and PCS, 16 bits, without FIFOs",
    "macpcs_rxfifo_16": "the MAC and PCS, 16-bit transceiver, 32-bit user, with a receive FIFO",
    "macpcs_fifos": "the MAC and PCS, 32 bits, with FIFOs both ways",
    "qdma": "the DMA, physical and virtual functions, good and hostile drivers",
    "qdma_256": "the DMA with all of its 256 functions, a few of them hostile",
    **{name: title(card) for name, card in fuzzers().items()},
}
EXAMPLES = """\b
Examples:
  ./ullnic soak rtl                                   a million frames for each core
  ./ullnic soak rtl --core ate --frames 10000000      ten million for one
  ./ullnic soak rtl --core ate_16 --seed 7            the same frames again"""


def program_of(core: str) -> str:
    return f"ullnic-fuzz-{core}"


def run_fuzzer(program: Path, frames: int, seed: int, progress: Callable[[dict], None]) -> dict:
    """The fuzzer's summary: frames, cycles, events. Raises UllnicError with the command that repeats a fault."""
    command = [str(program), "--frames", str(frames), "--seed", str(seed)]
    last = None
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for last in _events(process.stdout):
            if last["event"] == "status":
                progress(last)
    repeat = f"repeat it with: {shlex.join(command)}"
    if last is None or last["event"] not in ("summary", "error"):
        raise UllnicError(f"{program.name} ended without a summary, exit code {process.returncode}", repeat)
    if last["event"] == "error" or process.returncode:
        raise UllnicError(f"{program.name}: {last.get('message', f'exit code {process.returncode}')}", repeat)
    return last


def _events(lines) -> Iterator[dict]:
    for line in lines:
        if line.startswith("{"):
            yield json.loads(line)


@click.command(epilog=EXAMPLES)
@click.option("--core", "cores", multiple=True, type=click.Choice(tuple(CORES)), help="Default: all, one by one.")
@click.option(
    "--frames",
    type=click.IntRange(1, 1_000_000_000_000),
    default=1_000_000,
    show_default=True,
    help="Good and hostile ones, that each core is given at least; of the DMA, TLPs and packets.",
)
@click.option("--seed", type=SEED, help="Drawn if it is not given.")
def rtl(cores: tuple[str, ...], frames: int, seed: int | None) -> None:
    """Hostile input at every port of a core or card: frames, chunks, payload, registers, TLPs, half of them good.

    No hang, no state lost, no byte changed of what keeps the rules; the transmit engine counts every frame once.
    Stops at the first fault, with exit code 1 and the command that repeats it.
    """
    cores = cores or tuple(CORES)
    seed = random.SystemRandom().randrange(1 << 31) if seed is None else seed
    console = Console(soft_wrap=True)
    console.print(f"seed {seed}")
    apt.ensure("soak")
    binaries = build_sim(targets=tuple(map(program_of, cores)))
    for core in cores:
        with console.status(f"{core}: {CORES[core]}") as status:

            def progress(so_far: dict, core: str = core) -> None:
                status.update(f"{core}: {so_far['frames']} of {frames} frames, {so_far['cycles']} cycles")

            summary = run_fuzzer(binaries / program_of(core), frames, seed, progress)
        rate = summary["frames"] / max(summary["wall_s"], 1e-9)
        console.print(f"{core}: {summary['frames']} frames in {summary['wall_s']:.1f} s, {rate:.0f} a second, no fault")
        console.print(f"  {json.dumps(summary['met'])}")
