# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic soak hostile`: runs the fuzz targets for a long time."""

import json
import random
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from ullnic import apt
from ullnic.errors import UllnicError
from ullnic.fuzz.running import Outcome, Progress, run
from ullnic.fuzz.targets import DIRECTORY, TARGETS, command
from ullnic.options import SEED, Finite, jobs_option, once_each

EXAMPLES = """\b
Examples:
  ./ullnic soak hostile                            an hour of each target
  ./ullnic soak hostile --minutes 600 --jobs 4     a night
  ./ullnic soak hostile --only wire --seed 7       one target only"""


def grid(outcomes: Mapping[str, Outcome], seconds: float) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0))
    table.add_column("target", no_wrap=True)
    for title in ("runs", "runs/s", "edges", "features"):
        table.add_column(title, justify="right")
    table.add_column("found")
    for name, each in outcomes.items():
        done = each.progress
        cells = (done.runs, round(done.runs / seconds), done.edges, done.features)
        table.add_row(name, *map(str, cells), each.fault or "nothing")
    return table


def write_report(seed: int, minutes: float, outcomes: Mapping[str, Outcome]) -> Path:
    targets = {
        name: vars(each.progress) | {"fault": each.fault, "repeat": each.repeat} for name, each in outcomes.items()
    }
    path = DIRECTORY / "hostile.json"
    path.write_text(json.dumps({"seed": seed, "minutes": minutes, "targets": targets}, indent=1) + "\n")
    return path


@click.command(epilog=EXAMPLES)
@click.option(
    "--minutes", type=Finite(min=0, min_open=True), default=60, show_default=True, help="How long each target runs."
)
@click.option(
    "--only",
    "names",
    multiple=True,
    type=click.Choice(tuple(TARGETS)),
    callback=once_each,
    metavar="TARGET",
    help="Only this one; may be given several times. One of: "
    + "; ".join(f"{each.name} ({each.what})" for each in TARGETS.values())
    + ".",
)
@click.option("--seed", type=SEED, help="Of the new inputs; drawn if it is not given.")
@jobs_option("How many targets run at once.")
def hostile(minutes: float, names: tuple[str, ...], seed: int | None, jobs: int) -> None:
    """What others send, made by fuzzers: frames, requests, messages, files, a card's memory. Built with the address and
    undefined behaviour sanitizers.

    First come the inputs in the tree, among them one for each fault that was ever found, then new ones, which are kept
    in build/fuzz and begun with next time. A fault ends its target; the others go on. Exit code 1 if there was one: the
    input is kept, and the command that repeats it is shown.
    """
    seed = random.SystemRandom().randrange(1 << 31) if seed is None else seed
    console = Console(soft_wrap=True)
    console.print(f"seed {seed}")
    apt.ensure("soak")
    apt.ensure("soak hostile")
    chosen = [TARGETS[name] for name in names or TARGETS]
    calls = {each.name: command(each) for each in chosen}
    now = dict.fromkeys(calls, Progress())
    start_s = time.monotonic()
    rounds = -(-len(chosen) // jobs)
    with console.status("") as status, ThreadPoolExecutor(jobs) as pool:

        def report(name: str, progress: Progress) -> None:
            now[name] = progress
            reached = ", ".join(
                f"{name} {each.runs} runs, {each.edges} edges" for name, each in now.items() if each.runs
            )
            status.update(f"{(time.monotonic() - start_s) / 60:.1f} of {rounds * minutes:g} min: {reached}")

        running = {
            each.name: pool.submit(
                run, each, calls[each.name], minutes * 60, seed, each.folder / "corpus",
                lambda progress, name=each.name: report(name, progress),
            )
            for each in chosen
        }  # fmt: skip
        outcomes = {name: future.result() for name, future in running.items()}
    console.print(grid(outcomes, minutes * 60))
    console.print(f"report: {write_report(seed, minutes, outcomes)}")
    faults = {name: each for name, each in outcomes.items() if each.fault}
    for name, each in faults.items():
        console.print(f"{name}: {each.fault}\n  repeat it with: {each.repeat}", markup=False, highlight=False)
    if faults:
        raise UllnicError(
            f"a fault was found by {', '.join(faults)} (seed {seed})",
            "mend it, and keep its input in the corpus (host/fuzz/README.md)",
        )
