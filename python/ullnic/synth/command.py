# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic synth`."""

import threading
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TypeVar

import click
from rich.console import Console

from ullnic.budget import budget_path
from ullnic.measure.markdown import update_block
from ullnic.measure.records import write_json
from ullnic.measure.trade_documents import update_caveats
from ullnic.options import OutputFile, configs_option_of, jobs_option
from ullnic.progress import StatusLine
from ullnic.synth import markdown, pnr_budget, pnr_records
from ullnic.synth.budget import check
from ullnic.synth.cores import ALL, CARDS, CORES
from ullnic.synth.display import show_calibration, show_paths, show_pnr, show_resources, show_timing
from ullnic.synth.flow import MOST_PATHS, Result, synthesise
from ullnic.synth.mapping import Mapper, Progress
from ullnic.synth.pnr import PnrResult, place_and_route
from ullnic.synth.records import records

Outcome = TypeVar("Outcome")

QUICK_S = 1.5  # no progress line for steps done by then: they come from the cache

EXAMPLES = """\b
Examples:
  ./ullnic synth macpcs                              all configurations
  ./ullnic synth macpcs --config nofifo_pma16_mac16  one of them
  ./ullnic synth macpcs --paths 5                    the five slowest paths of each clock, cell by cell
  ./ullnic synth macpcs --grade 3 --json synth.json  the faster parts; the records as JSON
  ./ullnic synth trigger                             a card: user logic, and all of it, tick to trade in one piece
  ./ullnic synth macpcs --pnr --pnr-seeds 3          real place and route on an ECP5 too, three times each
  ./ullnic synth --calibrate                         the delay model against posted paths of Vivado"""


@click.command(epilog=EXAMPLES)
@click.argument("core", type=click.Choice(tuple(ALL)), required=False)
@configs_option_of(name for core in ALL.values() for name in core.configs)
@click.option("--grade", type=click.Choice(("2", "3")), default="2", show_default=True, help="Speed grade of the part.")
@click.option(
    "--paths",
    type=click.IntRange(0, MOST_PATHS),
    default=0,
    help="Show so many of the slowest paths of each clock with their cells.  [default: the slowest, its ends only]",
)
@click.option(
    "--json",
    "json_file",
    type=OutputFile(),
    help="Write the records to FILE, one a clock; with --pnr after them those of place and route, which have a device.",
)
@click.option(
    "--budget", "in_budget", is_flag=True, help="Fail if a figure is over its limit in the core's budget.toml."
)
@click.option("--pnr", is_flag=True, help="Place and route it too, on an ECP5: a second opinion, in relative figures.")
@click.option(
    "--pnr-seeds",
    metavar="N",
    type=click.IntRange(1, 20),
    default=1,
    show_default=True,
    help="Place and route with the seeds 1 to N, and give the median of each clock.",
)
@click.option("--update-docs", is_flag=True, help="Put the figures into its README.")
@click.option("--calibrate", is_flag=True, help="Show the delay model against posted paths, and its error.")
@jobs_option("How many processes of yosys or nextpnr run at once.")
def synth(
    core: str | None,
    configs: tuple[str, ...],
    grade: str,
    paths: int,
    json_file: Path | None,
    in_budget: bool,
    pnr: bool,
    pnr_seeds: int,
    update_docs: bool,
    calibrate: bool,
    jobs: int,
) -> None:
    """Resources and estimated timing of a core or card on UltraScale+, without a vendor's tool.

    Yosys maps it; a static timing analysis with three models of net delay says how fast each clock can be. A
    clock is expected to close if the loose model meets the frequency that the configuration needs, marginal if only
    the typical one does. Every port has a register in front of it, of the port's own clock. What is mapped is kept in
    build/synth until the RTL changes.

    With --pnr the core is also placed and routed, with nextpnr, on an ECP5, which takes about half a minute for each
    configuration and seed. Its figures are worth something beside those of another commit only.
    """
    console = Console()
    if calibrate:
        show_calibration(console)
        if core is None:
            return
        console.print()
    if core is None:
        raise click.UsageError(f"Missing argument 'CORE': one of {', '.join(ALL)}.")
    if update_docs and configs:
        raise click.UsageError("--update-docs writes all configurations; it cannot go with --config")
    if pnr_seeds > 1 and not pnr:
        raise click.UsageError("--pnr-seeds says nothing without --pnr")
    if pnr and core not in CORES:
        raise click.UsageError(f"--pnr is for cores: {', '.join(CORES)}")
    unknown = [name for name in configs if name not in ALL[core].configs]
    if unknown:
        raise click.UsageError(f"{core} has no configuration {unknown[0]}: {', '.join(ALL[core].configs)}.")
    chosen = configs or ALL[core].configs
    named = "".join(f" --config {name}" for name in configs)
    command = f"./ullnic synth {core}{named} --grade {grade}"
    results = run_all(core, chosen, int(grade), jobs)
    show_resources(console, results)
    console.print()
    show_timing(console, results)
    for result in results:
        show_paths(console, result, paths)
    routed = run_pnr(core, configs or ALL[core].routed or chosen, pnr_seeds, jobs) if pnr else []
    if routed:
        console.print()
        show_pnr(console, routed)
    if json_file:
        rows = [record for result in results for record in records(result, command)]
        pnr_command = f"{command} --pnr --pnr-seeds {pnr_seeds}"
        rows += [record for result in routed for record in pnr_records.records(result, pnr_command)]
        write_json(json_file, rows)
        console.print(f"\nrecords: {json_file}")
    if update_docs:
        others = at_published_grade(core, chosen, int(grade), jobs)
        update_block(budget_path(core).with_name("README.md"), "synth", markdown.text(results, command, others))
        if core in CARDS:
            update_caveats()
    if in_budget:
        check(results, core)
        if routed:
            pnr_budget.check(routed, core)
        console.print("\nwithin the budget")


def at_published_grade(core: str, configs: tuple[str, ...], grade: int, jobs: int) -> list[Result]:
    """Configurations whose published row is of the other grade only."""
    published, other = ALL[core].published, next(each for each in markdown.GRADES if each != grade)
    names = [
        name for name in configs if published(name, grade) == (None, None) and published(name, other) != (None, None)
    ]
    return run_all(core, tuple(names), other, jobs) if names else []


def run_all(core: str, configs: tuple[str, ...], grade: int, jobs: int) -> list[Result]:
    return run_each(
        f"synth {core}",
        configs,
        jobs,
        lambda name, mapper, progress: synthesise(ALL[core].design(name), mapper, grade, progress),
    )


def run_pnr(core: str, configs: tuple[str, ...], seeds: int, jobs: int) -> list[PnrResult]:
    numbers = tuple(range(1, seeds + 1))
    return run_each(
        f"place and route {core}",
        configs,
        jobs,
        lambda name, mapper, progress: place_and_route(CORES[core].design(name), mapper, numbers, progress),
    )


def run_each(
    label: str, configs: tuple[str, ...], jobs: int, make: Callable[[str, Mapper, Progress], Outcome]
) -> list[Outcome]:
    """One thread for each configuration, which only waits for the tools; `jobs` of these run at once."""
    mapper, status, lock = Mapper(jobs), StatusLine(label), threading.Lock()
    latest: dict[str, str] = {}
    shown = False

    def run(name: str) -> Outcome:
        def progress(step: str) -> None:
            with lock:
                latest[name] = step

        try:
            return make(name, mapper, progress)
        finally:
            with lock:
                latest.pop(name, None)

    with ThreadPoolExecutor(len(configs)) as pool:
        runs = [pool.submit(run, name) for name in configs]
        pending = set(runs)
        try:
            wait(runs, QUICK_S, FIRST_EXCEPTION)
            while pending:
                done, pending = wait(pending, 0.2, FIRST_EXCEPTION)
                for each in done:
                    each.result()  # the first failure cancels the rest
                if pending:
                    with lock:
                        status.step = f"{len(runs) - len(pending)} of {len(runs)} done; {', '.join(latest.values())}"
                    status.update()
                    shown = True
        except BaseException:
            mapper.stop()
            for each in pending:
                each.cancel()
            raise
    if shown:
        status.end("done")
    return [each.result() for each in runs]
