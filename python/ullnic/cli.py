# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The command line: subcommands, each loaded only when it is called, and how a failure is shown."""

import errno
import importlib
import os
import sys

import click

from ullnic.errors import UllnicError
from ullnic.links import check_links
from ullnic.paths import VERSION

# name: (module:attribute, the line in the overview, which `--help` prints without loading any module: how the
# subcommand's own help begins)
COMMANDS = {
    "run": ("ullnic.run.command:run", "Tick to trade on the virtual card."),
    "measure": ("ullnic.measure.command:measure", "Measure a core or card in simulation."),
    "synth": ("ullnic.synth.command:synth", "Resources and estimated timing of a core or card."),
    "report": ("ullnic.report.command:report", "Measure everything and make the report."),
    "run-point": ("ullnic.points.command:run_point", "Measure one point of the report."),
    "packetdrill": ("ullnic.packetdrill.command:packetdrill", "Run packetdrill SCRIPTS against the TCP/IP engine."),
    "guest": ("ullnic.guest.command:guest", "Boot a small Debian guest with the virtual card."),
    "soak": ("ullnic.soak:soak", "Long runs of a core or card in hostile and rough conditions."),
    "export": ("ullnic.export:command", "Write a core for tools that do not read its SystemVerilog."),
    "test": ("ullnic.testing:test", "Run the tests."),
    "mutate": (
        "ullnic.mutate.command:mutate",
        "Plant random faults in a core's RTL or the host software",
    ),
    "coverage": ("ullnic.coverage.command:coverage", "Count what a core's tests run of its RTL."),
    "matrix": ("ullnic.matrix:matrix", "Make the page of TCP's requirements and the tests of toe."),
    "regs": ("ullnic.regs:regs", "Make the register block, C header and pages."),
    "docs": ("ullnic.site.command:docs", "Make the site of the project's pages."),
    "lint": ("ullnic.lint:lint", "Check style and likely faults in all sources."),
    "doctor": ("ullnic.doctor:doctor", "Show what is installed, what is missing, and the remedy."),
}

EXAMPLES = """\b
Examples:
  ./ullnic run                  market data in, orders out of the card's RTL, received by the Linux kernel
  ./ullnic run link             ping, TCP and an HTTP download between two kernels, across the simulated link
  ./ullnic run toe              ping, curl, echo and bulk against TCP/IP in RTL
  ./ullnic measure macpcs       the MAC+PCS's latency
  ./ullnic COMMAND --help       a subcommand's options, with examples

\b
Completion of subcommands and options by the Tab key, in this shell:
  eval "$(_ULLNIC_COMPLETE=bash_source ./ullnic)"      (or zsh_source; README.md has fish)

\b
Environment:
  ULLNIC_CACHE       where downloads and compiled objects are kept (default: .cache)
  ULLNIC_PYTHON      the Python that .venv is made from
  ULLNIC_VERILATOR   the Verilator to use
  ULLNIC_QEMU        the QEMU that runs guests
  ULLNIC_DEBUG=1     show the traceback of an error"""


READ_ONLY = ("doctor",)  # commands that write nothing into build/


class LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, attribute = COMMANDS[name][0].split(":")
        return getattr(importlib.import_module(module), attribute)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=LazyGroup, epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """An open ultra-low-latency 10G network card: RTL, and a virtual card that runs it.

    Everything a subcommand needs is set up on first use.
    """
    if ctx.invoked_subcommand not in READ_ONLY:
        check_links()


def main() -> int:
    """Runs the command line and returns the exit code."""
    try:
        result = cli.main(prog_name="ullnic", standalone_mode=False)
        sys.stdout.flush()  # a closed pipe shows here, not in the interpreter's shutdown
        return result if isinstance(result, int) else 0
    except click.ClickException as error:  # wrong usage
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        print("interrupted", file=sys.stderr)
        return 130
    except UllnicError as error:
        if _debug():
            raise
        error.show()
        return error.exit_code
    except OSError as error:
        if error.errno == errno.EPIPE:  # `./ullnic ... | head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        if _debug() or error.filename is None:
            raise
        UllnicError(f"{error.filename}: {error.strerror}", _os_remedy(error)).show()
        return 1


def _debug() -> bool:
    return bool(os.environ.get("ULLNIC_DEBUG"))


def _os_remedy(error: OSError) -> str:
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return "run it as the user who owns that file, or copy the project to a directory of your own"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "free some disk space"
    return "ULLNIC_DEBUG=1 shows where this happened; ./ullnic doctor shows what is missing"
