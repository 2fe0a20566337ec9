# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic soak`: random points under hostile and degraded conditions, run by the soak program (sim/) in a pool of
processes.

sim/src/soak defines what a point checks, and how long a link may take to recover. Points use the reported
configurations, and some with generics drawn at random.
"""

import json
import math
import random
import shlex
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from ullnic import apt
from ullnic.build import build_sim
from ullnic.configs import NAMES
from ullnic.dpdk.soak import dpdk
from ullnic.errors import UllnicError
from ullnic.fuzz.hostile import hostile
from ullnic.options import SEED, Finite, configs_option, jobs_option
from ullnic.paths import BUILD
from ullnic.random_generics import RandomConfig, draw
from ullnic.run.toe.soak import toe
from ullnic.run.trade.soak import ate
from ullnic.soak_qdma import qdma
from ullnic.soak_rtl import rtl

DIRECTORY = BUILD / "soak"
POINT_LIMIT_S = 300  # of wall time; the program's own watchdog, in virtual time, is far below it
COUNTS = ("sent", "delivered", "bad", "lost", "relocks", "overflows", "resets", "lengths", "cycles")
MAX_BYTES = 9600  # the longest frame, without FCS
# Covers every length, short and long ones mixed, so that each point takes equally long: coprime to 9600.
LENGTH_STEP = 7177
LENGTHS_A_FRAME = 2  # a point with every length has this many times the frames of another: five of 1000 cover all
PROVEN_PPM = 200  # between the two sides of a FIFO
RANDOM_SETS = 2

Options = dict[str, float]


def _log(rng: random.Random, low: float, high: float) -> float:
    """A random number whose logarithm is uniform, rounded to three digits: it is part of a command line."""
    return float(f"{math.exp(rng.uniform(math.log(low), math.log(high))):.3g}")


def _ppm(rng: random.Random) -> Options:
    """Each end's clock is within 100 ppm."""
    return {"clock-ppm": rng.choice((-200, -100, 0, 100, 200, rng.randint(-200, 200)))}


def _stall(rng: random.Random) -> Options:
    edges = rng.choice((1, 2, 8, 20, 200))
    return {"stall": _log(rng, 1e-3, 0.3) / edges, "stall-edges": edges}


def _loss(rng: random.Random) -> Options:
    return {"loss-cycles": _log(rng, 3e3, 1e5), "loss-length": int(_log(rng, 2, 2e4))}


HARM: dict[str, Callable[[random.Random], Options]] = {
    "bit errors": lambda rng: {"ber": _log(rng, 1e-9, 1e-3)},
    "slips": lambda rng: {"slip-bits": _log(rng, 2e4, 5e6)},
    "loss of signal": _loss,
    "resets": lambda rng: {"reset-cycles": _log(rng, 500, 5e4)},
    "back-pressure": _stall,
    "clocks far off": lambda rng: {"clock-ppm": rng.choice((-1, 1)) * int(_log(rng, 300, 8e4))},
}
EVERY_LENGTH = "every length"
CONDITIONS = ("none", EVERY_LENGTH, *HARM, "all at once")


@dataclass(frozen=True)
class Point:
    config: str
    condition: str
    options: tuple[tuple[str, float], ...]

    def command(self, program: Path) -> list[str]:
        words = [str(program), "--config", self.config]
        for name, value in self.options:
            words += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
        return words


def draw_point(rng: random.Random, config: str, condition: str, frames: int, first_length: int = 1) -> Point:
    options: Options = {"seed": rng.randrange(1 << 32), "frames": frames, "delay-ui": rng.randrange(64, 3000)}
    options |= _ppm(rng)
    room_ppm = min(100, PROVEN_PPM - abs(options["clock-ppm"]))  # a FIFO crosses from one end's clock to the other's
    options["user-ppm"] = rng.randint(-room_ppm, room_ppm)
    if condition == EVERY_LENGTH:
        options |= {"frames": LENGTHS_A_FRAME * frames, "episodes": 1, "max-len": MAX_BYTES}
        options |= {"first-len": first_length, "len-step": LENGTH_STEP}
    elif rng.random() < 0.3:  # mostly starts and ends of frames
        options["max-len"] = rng.randint(64, 300)
    names = [name for name in HARM if name != "clocks far off"] if condition == "all at once" else [condition]
    for name in names:
        if name in HARM:
            options |= HARM[name](rng)
    return Point(config, condition, tuple(options.items()))


def points(seed: int, configs: Sequence[str], frames: int) -> Iterator[Point]:
    """Endless: each configuration under each condition in turn, with values drawn from the seed.

    Where one point with every length stops, the next one of the same configuration continues.
    """
    rng = random.Random(seed)
    length = {config: rng.randint(1, MAX_BYTES) for config in configs}
    while True:
        for condition in CONDITIONS:
            for config in configs:
                yield draw_point(rng, config, condition, frames, length[config])
                if condition == EVERY_LENGTH:
                    steps = LENGTHS_A_FRAME * frames
                    length[config] = (length[config] - 1 + steps * LENGTH_STEP) % MAX_BYTES + 1


def random_sets(seed: int, count: int) -> tuple[RandomConfig, ...]:
    """Drawn by a separate generator: a larger count begins with the same sets."""
    rng = random.Random(f"generics {seed}")
    return tuple(draw(rng) for _ in range(count))


def run_point(program: Path, point: Point) -> dict:
    """The output of the program for a point; raises UllnicError, with the command that repeats it, on an error."""
    command = point.command(program)
    repeat = f"repeat it with: {shlex.join(command)}"
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=POINT_LIMIT_S)
    except subprocess.TimeoutExpired:
        raise UllnicError(f"{point.config}, {point.condition}: no end after {POINT_LIMIT_S} s", repeat) from None
    if done.returncode:
        text = next((line for line in done.stderr.splitlines() if line.startswith("error: ")), done.stderr.strip())
        text = text.removeprefix("error: ") or f"exit code {done.returncode}"
        raise UllnicError(f"{point.config}, {point.condition}: {text}", repeat)
    return json.loads(done.stdout)


class Totals:
    """Counts by configuration and by condition."""

    def __init__(self) -> None:
        self.points = 0
        self.rows: dict[tuple[str, str], dict[str, float]] = {}

    def add(self, point: Point, result: dict) -> None:
        self.points += 1
        for key in (("configuration", point.config), ("condition", point.condition)):
            row = self.rows.setdefault(key, dict.fromkeys(("points", *COUNTS, "relock_us_max"), 0))
            row["points"] += 1
            for name in COUNTS:
                row[name] += result[name]
            row["relock_us_max"] = max(row["relock_us_max"], result["relock_us_max"])

    def sum(self, name: str) -> int:
        return int(sum(row[name] for (kind, _), row in self.rows.items() if kind == "configuration"))

    def lengths_passed(self, config: str) -> float:
        """The share of the lengths 1 to MAX_BYTES that have passed in both directions in a configuration."""
        row = self.rows.get(("configuration", config), {})
        return min(1.0, row.get("lengths", 0) / MAX_BYTES)

    def tables(self) -> Iterator[Table]:
        columns = ("points", "sent", "delivered", "bad", "lost", "relocks", "resets")
        for kind, order in (("condition", CONDITIONS), ("configuration", NAMES)):
            grid = Table(box=None, padding=(0, 1, 0, 0))
            grid.add_column(kind, no_wrap=True)
            for title in ("points", "sent", "good", "bad", "lost", "relocks", "resets", "back, us"):
                grid.add_column(title, justify="right")
            if kind == "configuration":
                grid.add_column("lengths", justify="right")
            for name in dict.fromkeys((*order, *(name for of, name in self.rows if of == kind))):
                if row := self.rows.get((kind, name)):
                    cells = [*(str(int(row[key])) for key in columns), f"{row['relock_us_max']:.1f}"]
                    if kind == "configuration":
                        cells.append(f"{math.floor(100 * self.lengths_passed(name))} %")
                    grid.add_row(name, *cells)
            yield grid


def run_soak(
    program: Path, source: Iterator[Point], seconds: float, jobs: int, progress: Callable[[Totals], None]
) -> Totals:
    """Runs points until the time is over; points in progress are finished. Raises UllnicError at the first failure.

    There is one thread for each process, which only waits for it.
    """
    totals = Totals()
    end_s = time.monotonic() + seconds
    running: dict[Future, Point] = {}
    with ThreadPoolExecutor(jobs) as pool:
        try:
            while running or time.monotonic() < end_s:
                while len(running) < jobs and time.monotonic() < end_s:
                    point = next(source)
                    running[pool.submit(run_point, program, point)] = point
                done, _ = wait(running, timeout=1, return_when=FIRST_COMPLETED)
                for future in done:
                    totals.add(running.pop(future), future.result())
                progress(totals)
        except UllnicError as error:
            error.totals = totals
            raise
    return totals


def _with_generics(error: UllnicError, sets: Sequence[RandomConfig]) -> UllnicError:
    """If a random set fails, the remedy says how to rebuild its model, for instance after a change."""
    for each in sets:
        if each.name in error.message:
            rebuild = f"./ullnic soak macpcs --generics {DIRECTORY / each.name}.json --minutes 0.01"
            return UllnicError(error.message, f"{error.remedy} (its model anew: {rebuild})")
    return error


def write_report(seed: int, totals: Totals, failure: UllnicError | None, sets: Sequence[RandomConfig]) -> Path:
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    report = {"seed": seed, "points": totals.points, "failure": None}
    if failure:
        report["failure"] = {"message": failure.message, "remedy": failure.remedy}
    for kind in ("condition", "configuration"):
        report[kind] = {name: row for (of, name), row in totals.rows.items() if of == kind}
    report["generics"] = {each.name: each.parameters for each in sets}
    path = DIRECTORY / "macpcs.json"
    path.write_text(json.dumps(report, indent=1) + "\n")
    return path


EXAMPLES = """\b
Examples:
  ./ullnic soak macpcs                                ten minutes of random points
  ./ullnic soak macpcs --minutes 600 --seed 7         a night
  ./ullnic soak macpcs --config rxfifo_pma32_mac32    one configuration only
  ./ullnic soak macpcs --random-generics 8            with eight sets of generics drawn at random
  ./ullnic soak macpcs --generics build/soak/random_0a1b2c3d.json    such a set again, as an earlier soak kept it"""


@click.group(epilog=EXAMPLES)
def soak() -> None:
    """Long runs of a core or card in hostile and rough conditions."""


soak.add_command(ate)
soak.add_command(dpdk)
soak.add_command(hostile)
soak.add_command(qdma)
soak.add_command(toe)
soak.add_command(rtl)


@soak.command(epilog=EXAMPLES)
@click.option(
    "--minutes",
    type=Finite(min=0, min_open=True),
    default=10,
    show_default=True,
    help="How long new points are begun.",
)
@configs_option
@click.option(
    "--random-generics",
    "random_count",
    type=click.IntRange(0, 100),
    metavar="N",
    help="So many sets of generics, drawn at random, beside the reported configurations; a model of each is compiled, "
    f"about half a minute. Default: {RANDOM_SETS}; none with --config or --generics.",
)
@click.option(
    "--generics",
    "files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Only this set of generics, as an earlier soak has kept it; may be given several times.",
)
@click.option("--seed", type=SEED, help="Seed of all points and generics; drawn if it is not given.")
@click.option(
    "--frames",
    type=click.IntRange(1, 1_000_000_000),
    default=1000,
    show_default=True,
    help="Each way, disturbed, at a point.",
)
@jobs_option("How many points run at once.")
def macpcs(
    minutes: float,
    configs: tuple[str, ...],
    random_count: int | None,
    files: tuple[Path, ...],
    seed: int | None,
    frames: int,
    jobs: int,
) -> None:
    """Two ends with clocks of their own, both ways full of frames of 1 to 9600 bytes, under random harm: bit errors,
    slips, loss of signal, resets of any side, back-pressure, clocks apart. One condition goes through every length,
    point by point.

    No damaged frame may pass as good, none may be lost without a cause, and once the harm ends the link must come back
    and carry every frame. Stops at the first failure, with the command that repeats it.
    """
    named = configs or (() if files else NAMES)
    if random_count is None:
        random_count = 0 if configs or files else RANDOM_SETS
    seed = random.SystemRandom().randrange(1 << 31) if seed is None else seed
    console = Console(soft_wrap=True)
    console.print(f"seed {seed}")
    sets = tuple(dict.fromkeys((*map(RandomConfig.read, files), *random_sets(seed, random_count))))
    apt.ensure("soak")
    for each in sets:
        kept = each.write(DIRECTORY)
        generics = " ".join(f"{name}={value}" for name, value in each.parameters.items())
        console.print(f"{kept}: user clocks {each.tx_user_clock} {each.rx_user_clock}, {generics}")
    binaries = build_sim(targets=("ullnic-macpcs-soak",), configs=named, random_configs=sets)
    chosen = (*named, *(each.name for each in sets))
    start_s = time.monotonic()
    failure, totals = None, Totals()
    with console.status("") as status:

        def progress(so_far: Totals) -> None:
            passed_s = time.monotonic() - start_s
            status.update(
                f"{passed_s / 60:.1f} of {minutes:g} min, {so_far.points} points, {so_far.sum('sent')} frames, "
                f"{so_far.sum('relocks')} relocks"
            )

        try:
            source = points(seed, chosen, frames)
            totals = run_soak(binaries / "ullnic-macpcs-soak", source, minutes * 60, jobs, progress)
        except UllnicError as error:
            failure, totals = _with_generics(error, sets), getattr(error, "totals", totals)
    for grid in totals.tables():
        console.print(grid)
        console.print()
    console.print(f"lengths: how many of the frame lengths 1 to {MAX_BYTES} have passed both ways ({EVERY_LENGTH})")
    console.print(f"report: {write_report(seed, totals, failure, sets)}")
    if failure:
        raise failure
    if totals.points < len(CONDITIONS) * len(chosen):
        console.print(f"not every condition met every configuration: that takes {len(CONDITIONS) * len(chosen)} points")
