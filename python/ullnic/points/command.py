# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic run-point`."""

import click

from ullnic import apt
from ullnic.options import FRAMES, SEED, configs_option_of
from ullnic.points.plan import (
    DEFAULT_FRAMES,
    DEFAULT_SEED,
    SIMULATED_CONFIGS,
    all_points,
    build_for,
    find,
    measure,
)

EXAMPLES = """\b
Examples:
  ./ullnic run-point --list
  ./ullnic run-point macpcs/latency/nofifo_pma32_mac32/transceiver
  ./ullnic run-point macpcs/latency/nofifo_pma32_mac32/wire --frames 100000 --seed 7"""

frames_option = click.option(
    "--frames",
    type=FRAMES,
    default=DEFAULT_FRAMES,
    show_default=True,
    help="Frames of a latency sweep; other simulated points have a part of it.",
)
seed_option = click.option(
    "--seed", type=SEED, default=DEFAULT_SEED, show_default=True, help="Seed of frames and gaps."
)


@click.command("run-point", epilog=EXAMPLES)
@click.argument("name", required=False)
@frames_option
@seed_option
@click.option("--force", is_flag=True, help="Measure again what has been measured.")
@click.option(
    "--build", is_flag=True, help="Only build what the points of all configurations (--config: of some) need."
)
@configs_option_of(SIMULATED_CONFIGS)
@click.option("--list", "list_all", is_flag=True, help="Show the names of all points and what has been measured.")
def run_point(
    name: str | None, frames: int, seed: int, force: bool, build: bool, configs: tuple[str, ...], list_all: bool
) -> None:
    """Measure one point of the report and keep its result as JSON.

    NAME is CORE/KIND/CONFIGURATION/VARIANT. The result is kept in build/points (ULLNIC_POINTS names another folder)
    under a key of the sources, the tools and the options, so nothing is measured twice. What the point needs is built
    first. The path of the result is the only output.
    """
    if list_all:
        for point in sorted(all_points(frames=frames, seed=seed), key=lambda point: point.name):
            click.echo(f"{point.name:60} {'measured' if point.result() is not None else '-'}")
        return
    if build:
        apt.ensure("run-point")
        build_for(configs or SIMULATED_CONFIGS)
        return
    if configs:
        raise click.UsageError("--config goes with --build only: a point's name says its configuration.")
    if name is None:
        raise click.UsageError("Missing argument 'NAME'; --list shows all.")
    point = find(name, frames, seed)
    if force or point.result() is None:
        apt.ensure("run-point")
        measure(point)
    click.echo(point.path)
