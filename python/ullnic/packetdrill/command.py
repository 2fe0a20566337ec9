# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic packetdrill`: runs scripts against the TCP/IP engine in virtual time."""

import os
import subprocess
from pathlib import Path

import click

from ullnic import apt
from ullnic.errors import UllnicError
from ullnic.options import OutputFolder
from ullnic.packetdrill.flags import ENGINES, EngineFlags, check_flags
from ullnic.toolchain import cpu_count, which

EXAMPLES = """\b
Examples:
  ./ullnic packetdrill tests/packetdrill/*.pkt             the project's own scripts
  ./ullnic packetdrill my.pkt --verbose                    what went in and out, with times
  ./ullnic packetdrill my.pkt --flags rto_min=1000         settings of the engine
  ./ullnic packetdrill my.pkt --pcapng DIR                 and a capture, for Wireshark
  ./ullnic packetdrill my.pkt --program packetdrill        with packetdrill itself
  ./ullnic packetdrill --suite DIR --program packetdrill   how many of a public suite's scripts pass"""


@click.command(epilog=EXAMPLES)
@click.argument("scripts", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--flags",
    type=EngineFlags(),
    default="",
    metavar="NAME=VALUE,...",
    help="Settings of the engine (docs/packetdrill.md).",
)
@click.option("--pcapng", type=OutputFolder(), help="Write NAME.pcapng of each here.")
@click.option("--program", metavar="PROGRAM", help="Run this packetdrill instead of the own runner.")
@click.option("--verbose", "-v", is_flag=True, help="Show every packet and call, with virtual time.")
@click.option(
    "--suite",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Count what of the public suite in this folder passes, adapted (docs/packetdrill.md), with both engines.",
)
@click.option("--kernel", is_flag=True, help="With --suite: count what this machine's kernel passes, too (root only).")
@click.option("--update-docs", metavar="NAME", help="With --suite: put the counts into docs/packetdrill.md as NAME's.")
def packetdrill(
    scripts: tuple[Path, ...],
    flags: str,
    pcapng: Path | None,
    program: str | None,
    verbose: bool,
    suite: Path | None,
    kernel: bool,
    update_docs: str | None,
) -> int:
    """Run packetdrill SCRIPTS against the TCP/IP engine (cores/toe) in virtual time.

    The own runner knows a subset of packetdrill's language. Exit code 0 only if every script passed; of a suite, if it
    was counted.
    """
    from ullnic.packetdrill.library import build_library

    if suite:
        if scripts or flags or pcapng or verbose or not program:
            raise click.UsageError("--suite goes with --program, --kernel and --update-docs only, and needs --program")
        return count(suite, find(program), kernel, update_docs)
    if not scripts:
        raise click.UsageError("name scripts, or a folder of them with --suite")
    if kernel or update_docs:
        raise click.UsageError("--kernel and --update-docs go with --suite")
    check(scripts, pcapng, program)
    apt.ensure("packetdrill")
    library, failed = build_library(), 0
    for path in scripts:
        chosen = flags
        if pcapng:
            pcapng.mkdir(parents=True, exist_ok=True)
            chosen = ",".join(filter(None, (flags, f"pcapng={pcapng / path.stem}.pcapng")))
        why = foreign(program, library, path, chosen, verbose) if program else own(library, path, chosen, verbose)
        click.echo(f"{'FAIL' if why else 'ok  '} {path}" + (f": {why}" if why else ""))
        failed += why is not None
    click.echo(f"{len(scripts) - failed} of {len(scripts)} scripts passed")
    return 1 if failed else 0


def count(folder: Path, program: str, kernel: bool, update_docs: str | None) -> int:
    """The counts of a public suite."""
    from ullnic.measure.markdown import update_block
    from ullnic.packetdrill.library import build_library
    from ullnic.packetdrill.suite import KERNEL, Suite, passing, table, with_kernel, with_library
    from ullnic.paths import ROOT

    if kernel and os.geteuid() != 0:
        raise UllnicError("--kernel makes network namespaces", "run it as root, or leave it out")
    suite, workers = Suite(folder.resolve()), cpu_count()
    if not suite.scripts:
        raise UllnicError(f"there is no script of IPv4 in {folder}", "name the folder of a suite, with files *.pkt")
    apt.ensure("packetdrill")
    library = build_library()
    passed = {name: passing(suite, with_library(program, library, name), workers) for name in ENGINES}
    if kernel:
        passed[KERNEL] = passing(suite, with_kernel(program), workers)
    text = "\n".join(table(suite, passed))
    click.echo(text)
    if update_docs:
        update_block(ROOT / "docs/packetdrill.md", f"packetdrill {update_docs}", text)
    return 0


def check(scripts: tuple[Path, ...], pcapng: Path | None, program: str | None) -> None:
    """Checks early what would otherwise be refused only after the build."""
    from ullnic.packetdrill.script import parse

    if pcapng and len({path.stem for path in scripts}) < len(scripts):
        raise click.UsageError("--pcapng names each capture as its script: two of these have the same name")
    if program:
        find(program)
        return
    for path in scripts:
        try:
            check_flags(parse(path).options.get("so_flags", ""))
        except ValueError as error:
            raise UllnicError(f"{path}: --so_flags: {error}", "see docs/packetdrill.md") from None


def find(program: str) -> str:
    found = which(program)
    if found is None:
        raise UllnicError(f"there is no program '{program}'", "install packetdrill, or name its path")
    return found


def own(library: Path, path: Path, flags: str = "", verbose: bool = False) -> str | None:
    """Runs a script with the own runner; returns why it failed."""
    from ullnic.packetdrill.runner import Failure, Runner
    from ullnic.packetdrill.script import parse

    runner = Runner(library, parse(path), flags)
    try:
        runner.run()
    except Failure as failure:
        return str(failure)
    finally:
        if verbose:
            click.echo("\n".join(runner.log))
    return None


def foreign(program: str, library: Path, path: Path, flags: str = "", verbose: bool = False) -> str | None:
    """The same with packetdrill itself."""
    argv = [
        find(program),
        f"--so_filename={library}",
        *([f"--so_flags={flags}"] if flags else []),
        *(["-v"] if verbose else []),
    ]
    done = subprocess.run([*argv, path.name], cwd=path.parent, capture_output=True, text=True, timeout=300)
    if verbose:
        click.echo(done.stdout)
    return None if done.returncode == 0 else (done.stderr or done.stdout).strip() or f"exit code {done.returncode}"
