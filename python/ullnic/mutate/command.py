# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic mutate`: the command."""

import random

import click
from rich.console import Console

from ullnic import apt
from ullnic.errors import UllnicError
from ullnic.locks import file_lock
from ullnic.mutate.campaign import CORES, Campaign
from ullnic.mutate.host import HOST, HostCampaign
from ullnic.options import SEED, Finite, jobs_option

EXAMPLES = """\b
Examples:
  ./ullnic mutate ate                                    a hundred faults
  ./ullnic mutate qdma --faults 1000 --seed 7            a thousand, the same again each time
  ./ullnic mutate toe --module toe_reno --faults 30      in one module
  ./ullnic mutate host --module sockets/daemon           in the host software, in one folder"""


@click.command(epilog=EXAMPLES)
@click.argument("core", type=click.Choice([*sorted(path.parent.name for path in CORES.glob("*/rtl")), HOST]))
@click.option("--faults", "count", type=click.IntRange(1), default=100, show_default=True, help="How many are drawn.")
@click.option("--seed", type=SEED, help="Of the draw; drawn itself if it is not given.")
@click.option(
    "--module",
    "modules",
    multiple=True,
    metavar="NAME",
    help="Only in this one, in host a file's stem or a folder; may be given several times.",
)
@click.option(
    "--seconds",
    type=Finite(min=0, min_open=True),
    default=60,
    show_default=True,
    help="For how long tests are begun with one fault: those of the smallest models, in host the quickest, come first.",
)
@jobs_option("How many tests run at once.")
def mutate(core: str, count: int, seed: int | None, modules: tuple[str, ...], seconds: float, jobs: int) -> int:
    """Plant random faults in a core's RTL or the host software, one at a time, and run tests until one sees it.

    Each fault is one change that people make: a limit or a constant off by one, a condition negated or without one of
    its terms, another operator, an assignment removed. A survivor changes nothing that can be seen, and is then listed
    with the reason in the core's equivalent.toml; or a test is missing. Deep tests other than proofs are not run.
    """
    apt.ensure("test")
    seed = random.SystemRandom().randrange(1 << 31) if seed is None else seed
    campaign = HostCampaign(seed, jobs) if core == HOST else Campaign(core, seed, jobs)
    if unknown := sorted(set(modules) - campaign.choices()):
        raise click.BadParameter(f"no fault can be planted in {', '.join(unknown)}", param_hint="--module")
    with file_lock(campaign.folder.with_suffix(".lock"), f"mutate {core}"), Console().status("") as status:
        campaign.prepare(status.update)
        drawn = campaign.draw(count, modules, status.update)
        if not drawn:
            raise UllnicError(f"there is nothing to plant{campaign.passed_over()}", "choose more, or other, modules")
        click.echo(f"{len(drawn)} of {len(campaign.faults)} faults, seed {seed}{campaign.passed_over()}")
        outcomes = campaign.outcomes(drawn, seconds, status.update)
    for each in sorted(outcomes, key=lambda outcome: (outcome.fault.file, outcome.fault.line)):
        if each.seen_by is None:
            click.echo(each)
    seen = sum(each.seen_by is not None for each in outcomes)
    click.echo(f"{seen} of {len(outcomes)} faults are seen, {seen / len(outcomes):.0%}")
    return 0
