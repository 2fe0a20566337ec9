# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic coverage`: the command."""

import click
from rich.console import Console
from rich.table import Table

from ullnic import apt
from ullnic.coverage.limits import check
from ullnic.coverage.measure import CORES, Coverage, measure
from ullnic.coverage.points import BLOCK, CONDITION
from ullnic.locks import file_lock
from ullnic.options import SEED, jobs_option
from ullnic.paths import BUILD

EXAMPLES = """\b
Examples:
  ./ullnic coverage ate                          a table of its modules, and the blocks that no test runs
  ./ullnic coverage toe --module toe_reno        also the conditions of one module that are never met
  ./ullnic coverage macpcs --check               fails where coverage.toml of the core asks for more"""


@click.command(epilog=EXAMPLES)
@click.argument("core", type=click.Choice(sorted(path.parent.name for path in CORES.glob("*/rtl"))))
@click.option(
    "--module", "modules", multiple=True, metavar="NAME", help="Show its conditions, too; may be given several times."
)
@click.option("--seed", type=SEED, default=1, show_default=True, help="Of the random tests.")
@click.option(
    "--all-parameters",
    is_flag=True,
    help="Also by the tests that are deep only for their parameters. Takes several times as long.",
)
@click.option("--check", "is_checked", is_flag=True, help="Fail if it is less than the core's coverage.toml asks for.")
@jobs_option("How many tests run at once.")
def coverage(core: str, modules: tuple[str, ...], seed: int, all_parameters: bool, is_checked: bool, jobs: int) -> int:
    """Count what a core's tests run of its RTL: which blocks and conditions, in the ordinary tests.

    A block is a branch of a decision, or the statements between two. A condition is one way in which an expression of
    one bit becomes true or false; some of them are impossible. Proofs and other deep tests do not count.
    """
    if all_parameters and is_checked:
        raise click.UsageError("--check is for the ordinary tests: it does not go with --all-parameters")
    known = {path.stem for path in (CORES / core / "rtl").glob("*.sv")}
    if unknown := sorted(set(modules) - known):
        raise click.BadParameter(f"{core} has no {', '.join(unknown)}", param_hint="--module")
    apt.ensure("test")
    with file_lock(BUILD / "coverage" / f"{core}.lock", f"coverage {core}"), Console().status("") as status:
        found = measure(core, seed, jobs, status.update, all_parameters)
    show(found, modules)
    if is_checked:
        check(found)
    return 0


def show(found: Coverage, modules: tuple[str, ...]) -> None:
    table = Table(title=f"{found.core}: {found.tests} tests", box=None)
    for name in ("module", "blocks", "conditions"):
        table.add_column(name, justify="left" if name == "module" else "right")
    for name, kinds in sorted(found.modules.items()):
        table.add_row(name, said(kinds[BLOCK]), said(kinds[CONDITION]))
    table.add_row("all", said(found.total(BLOCK)), said(found.total(CONDITION)))
    Console(width=100).print(table)
    missed = found.missed(BLOCK) + (found.missed(CONDITION, modules) if modules else [])
    for point in missed:
        click.echo(f"cores/{found.core}/rtl/{point.file}:{point.line}: {point.kind} {point.text}: {found.code(point)}")


def said(counted: tuple[int, int]) -> str:
    met, all_ = counted
    return f"{met} of {all_}" if all_ else ""
