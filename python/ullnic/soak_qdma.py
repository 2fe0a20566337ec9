# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic soak qdma`: the fuzzer of the DMA's RTL (soak_rtl.py) for a time, with sanitizers, one seed after another."""

import random
import time
from collections import Counter

import click
from rich.console import Console

from ullnic import apt
from ullnic.build import build_sanitized_sim
from ullnic.options import SEED, Finite
from ullnic.soak_rtl import program_of, run_fuzzer

CORE = "qdma"
FRAMES = 200_000  # of a seed
EXAMPLES = """\b
Examples:
  ./ullnic soak qdma                          an hour
  ./ullnic soak qdma --minutes 600            a night
  ./ullnic soak qdma --minutes 5 --seed 7     five minutes, the same again"""


def seeds(first: int):
    """Endless: the first is the one that is shown, so that a fault of it is found again at once."""
    rng = random.Random(first)
    while True:
        yield first
        first = rng.randrange(1 << 31)


@click.command(epilog=EXAMPLES)
@click.option(
    "--minutes",
    type=Finite(min=0, min_open=True),
    default=60,
    show_default=True,
    help="How long new runs of 200,000 TLPs and packets are begun.",
)
@click.option("--seed", type=SEED, help="Of the first run, and of the seeds after it; drawn if it is not given.")
def qdma(minutes: float, seed: int | None) -> None:
    """Guests that write random registers, contexts, descriptors and doorbells of the DMA, beside guests that keep the
    rules. Built with the address and undefined behaviour sanitizers.

    No function's TLPs leave the memory that it named, the others' packets arrive unchanged and in time, and a good
    driver works afterwards. Stops at the first fault, with exit code 1 and the command that repeats it.
    """
    first = random.SystemRandom().randrange(1 << 31) if seed is None else seed
    console = Console(soft_wrap=True)
    console.print(f"seed {first}")
    apt.ensure("soak")
    program = build_sanitized_sim(targets=(program_of(CORE),)) / program_of(CORE)
    end_s = time.monotonic() + 60 * minutes
    total: Counter[str] = Counter()
    with console.status("") as status:

        def progress(so_far: dict) -> None:
            left_min = max(0.0, end_s - time.monotonic()) / 60
            status.update(f"{total['frames'] + so_far['frames']} TLPs and packets, {left_min:.0f} minutes left")

        for each in seeds(first):
            summary = run_fuzzer(program, FRAMES, each, progress)
            total.update({name: summary[name] for name in ("frames", "cycles", "rounds", "wall_s")})
            total.update({"runs": 1})
            if time.monotonic() > end_s:
                break
    done = f"{total['runs']} runs, {total['rounds']} rounds, {total['frames']} TLPs and packets"
    console.print(f"{done} in {total['wall_s']:.0f} s, no fault")
