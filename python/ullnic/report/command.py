# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic report`."""

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console

from ullnic import apt
from ullnic.budget import check
from ullnic.configs import NAMES
from ullnic.options import OutputFolder, configs_option_of, jobs_option
from ullnic.paths import BUILD, ROOT
from ullnic.points.command import frames_option, seed_option
from ullnic.points.plan import ALL_CONFIGS, DEFAULT_FRAMES, DEFAULT_SEED, SIMULATED, all_points, build_for
from ullnic.points.point import Point
from ullnic.report.pool import Pool
from ullnic.report.standing import DOCUMENT
from ullnic.synth.cores import CORES

DIRECTORY = BUILD / "report"
PAGE = "index.html"
PICTURE, PICTURE_SIZE = ROOT / "docs/images/report.png", (1400, 1250)

EXAMPLES = """\b
Examples:
  ./ullnic report                                everything; then open build/report/index.html
  ./ullnic report --config nofifo_pma32_mac32    of one configuration only
  ./ullnic report --frames 100000                more samples
  ./ullnic report --update-docs                  everything, and docs/performance.md renewed
  ./ullnic report --executor slurm --jobs 40     the same points on a cluster (docs/cluster.md)"""


@click.command(epilog=EXAMPLES)
@configs_option_of(ALL_CONFIGS)
@frames_option
@seed_option
@jobs_option("How many points are measured at once.", most=1000)
@click.option(
    "--output",
    "directory",
    type=OutputFolder(),
    default=DIRECTORY,
    show_default="build/report",
    help="Where to write the page and what lies beside it.",
)
@click.option("--update-docs", is_flag=True, help="Put the figures into docs/performance.md.")
@click.option("--picture", is_flag=True, help="Take the README's picture of the page too; needs Chromium.")
@click.option(
    "--executor",
    metavar="NAME",
    help="Measure through Snakemake: local, slurm or kubernetes. Arguments after -- go to Snakemake.",
)
@click.argument("snakemake_args", nargs=-1, type=click.UNPROCESSED)
def report(
    configs: tuple[str, ...],
    frames: int,
    seed: int,
    jobs: int,
    directory: Path,
    update_docs: bool,
    picture: bool,
    executor: str | None,
    snakemake_args: tuple[str, ...],
) -> None:
    """Measure everything and make the report.

    Tick to trade, latency, jitter, line rate, area and timing of every configuration beside the published figures: a
    page, its tables as CSV, all of it as JSON, in build/report. What has been measured and has not changed since is not
    measured again. Exit code 1 if a figure is over its budget.

    --update-docs also writes docs/performance.md, which names the digest of the sources that it stands for. A test
    fails when these have changed.
    """
    usual = (not configs or configs == ALL_CONFIGS) and (frames, seed) == (DEFAULT_FRAMES, DEFAULT_SEED)
    if update_docs and not usual:
        raise click.UsageError("--update-docs writes all configurations; it cannot go with --config, --frames, --seed")
    if snakemake_args and not executor:
        raise click.UsageError(f"'{snakemake_args[0]}' is for Snakemake, and --executor was not given.")
    if executor:
        from ullnic.report.cluster import check_executor

        check_executor(executor)
    if picture:
        from ullnic.report.browser import chromium

        with chromium():  # before the measurements, which would be wasted
            pass
    apt.ensure("report")
    names = configs or ALL_CONFIGS
    points = all_points(names, frames, seed)
    missing = [point for point in points if point.result() is None]
    measure(missing, jobs, executor, snakemake_args)
    make(names, points, frames, seed, directory, update_docs)
    if picture:
        from ullnic.report.browser import screenshot

        screenshot(directory / PAGE, PICTURE, *PICTURE_SIZE)
        click.echo(f"written: {PICTURE.relative_to(ROOT)}")


def measure(missing: Sequence[Point], jobs: int, executor: str | None, snakemake_args: Sequence[str]) -> None:
    simulated = dict.fromkeys(point.config for point in missing if point.kind in SIMULATED)
    if executor:
        from ullnic.report.cluster import run_points

        build = ["run-point", "--build", *(part for name in simulated for part in ("--config", name))]
        run_points(missing, executor, jobs, snakemake_args, build=build if simulated else ())
        return
    if simulated:  # once for all cores, before the points request it
        build_for(simulated)
    if missing:
        Pool(jobs).run(missing)


def make(
    names: Sequence[str], points: Sequence[Point], frames: int, seed: int, directory: Path, update_docs: bool
) -> None:
    """Writes the report from the results."""
    from ullnic.report import area, budgets, content, export, page
    from ullnic.report.results import Results
    from ullnic.synth import pnr_budget

    usual = (frames, seed) == (DEFAULT_FRAMES, DEFAULT_SEED)
    named = "".join(f" --config {name}" for name in names) if tuple(names) != ALL_CONFIGS else ""
    command = f"./ullnic report{named}" + ("" if usual else f" --frames {frames} --seed {seed}")
    results = Results(points, frames)
    limits = content.limits_of(names, results)
    made = content.report(names, results, limits, command)
    directory.mkdir(parents=True, exist_ok=True)
    html = directory / PAGE
    export.write_json(made, directory / "report.json")
    export.write_csv(made, directory / "csv")
    text = export.markdown(made)
    (directory / "report.md").write_text(text)
    html.write_text(page.render(made, json="report.json", csv="csv/{id}.csv"))
    console = Console()
    for each in made.headlines:
        console.print(f"{each.title}: [bold]{each.figure}[/] ({each.beside})", highlight=False, soft_wrap=True)
    console.print(f"page: {html}", highlight=False, soft_wrap=True)
    if update_docs:
        write_document(DOCUMENT, text)
    for core in CORES:
        check(budgets.of_core(core, limits), core)
    for kind in dict.fromkeys(budgets.KINDS.values()):
        check(budgets.of_core(kind, limits), kind)
    pnr_budget.check([area.route_result(name, results) for name in names if name in NAMES], "macpcs")


def write_document(path: Path, text: str) -> None:
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
        click.echo(f"written: {path.relative_to(ROOT)}")
