# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic lint`: the checkers, what each checks, and the table of what they found."""

import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import click

from ullnic import apt
from ullnic.card_file import SHARED, check_files, read_all
from ullnic.core_configs import check_all, row, settings
from ullnic.errors import UllnicError
from ullnic.paths import ROOT, module_command
from ullnic.sources import Sources, project_files, without_licence
from ullnic.toolchain import cpu_count, find_verilator, tool_env, which
from ullnic.waivers import judged, waivers

# A generate branch that no configuration builds is never checked, so each top is also elaborated with these parameters.
# Those of cards are in their card.toml.
VARIANTS = {
    "card_dma": ["PORTS=1", "PORTS=8"],
    "toe": ["SESSION_COUNT=512 HOST_EN=1 TX_RETRANSMIT_MEM_EXTERNAL=1"],
    "qdma": ["MM=1", "QUEUES=64 PFS=1 VFS=4 INLINE=1 WATCHDOG=1", settings(row("qdma", "queues_128").parameters)],
}


def variants() -> dict[str, list[str]]:
    return VARIANTS | {card.top: list(card.lint) for card in read_all(ROOT)}


FUSESOC = Path("build/fusesoc")  # from the project's root, in which the checkers run
VERIBLE_FORMAT = ["verible-verilog-format", "--column_limit=120", "--inplace"]  # with --verify it writes nothing


@dataclass(frozen=True)
class Checker:
    name: str
    looks_at: Callable[[Sources], list[Path]]
    commands: Callable[[list[Path], bool], list[list[str | Path]]]  # of the files and of --fix
    fixes: bool = False


@dataclass(frozen=True)
class Outcome:
    checker: Checker
    files: int
    output: str  # empty: nothing found
    time_s: float


def configurations() -> list[Path]:
    """Of Verilator: waivers, and the signals made visible to a simulation."""
    return sorted(path for path in project_files() if path.suffix == ".vlt")


def by_hand(files: list[Path]) -> list[Path]:
    """Without the output of ./ullnic regs, whose layout is not ours."""
    return [path for path in files if "generated" not in path.parts]


def verilator_commands(tops: list[Path], fix: bool) -> list[list[str | Path]]:
    """Without waivers: judged() applies them, and so knows those that cover nothing."""
    base = [find_verilator(), "--lint-only", "-Wall", "--quiet", "-Wno-fatal", "--top"]
    quiet = unused_constants(tops)
    return [
        [*base, top.stem, *(f"-G{setting}" for setting in variant.split()), *quiet[top], "-f", top]
        for top, variant in read_with(tops)
    ]


def read_with(tops: list[Path]) -> list[tuple[Path, str]]:
    more = variants()
    return [(top, variant) for top in tops for variant in ["", *more.get(top.stem, [])]]


def unused_constants(tops: list[Path]) -> dict[Path, list[str]]:
    """Parts of a card have packages with constants for its other parts; cards can declare the same."""
    allowed = [card.top for card in read_all(ROOT) if card.unused_constants]
    parts = [top for top in tops if top.parts[0] == "cores" or top.parts[:2] == ("cards", SHARED)]
    return {top: ["-Wno-UNUSEDPARAM"] if top in parts or top.stem in allowed else [] for top in tops}


def slang_commands(tops: list[Path], fix: bool) -> list[list[str | Path]]:
    base = module_command("ullnic.slang", "--top")
    return [
        [*base, top.stem, *(f"-G{setting}" for setting in variant.split()), "-f", top]
        for top, variant in read_with(tops)
    ]


def fusesoc_commands(cores: list[Path], fix: bool) -> list[list[str | Path]]:
    """Each lint target of each core; writes only below FUSESOC and ignores the user's own settings."""
    import yaml

    if not which("make"):
        raise UllnicError("make is not installed; FuseSoC runs its lint targets with it", apt.install_line(["make"]))
    settings = ROOT / FUSESOC / "fusesoc.conf"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("[main]\ncache_root = cache\nlibrary_root = libraries\n")  # relative to this file
    roots = [f"--cores-root={folder}" for folder in dict.fromkeys(core.parts[0] for core in cores)]
    base = ["fusesoc", "--monochrome", "--config", FUSESOC / settings.name, *roots, "run", "--no-export"]
    commands = []
    for core in cores:
        described = yaml.safe_load((ROOT / core).read_text())
        targets = [name for name in described.get("targets") or {} if name.split("_")[0] == "lint"]
        if not targets:
            raise UllnicError(f"{core} has no target lint", "add one, as in cores/macpcs/macpcs.core")
        commands += [[*base, f"--build-root={FUSESOC}", f"--target={name}", described["name"]] for name in targets]
    return commands


def quoting(sources: Sources) -> list[Path]:
    """Files that quote RTL or name its signals, and the RTL."""
    tests = [path for path in sources.python if path.parent.name in ("tb", "formal") and path.name.startswith("test_")]
    return [*tests, *configurations(), *sources.verilog]


CHECKERS = (
    Checker("licence", lambda sources: sources.licensed, lambda files, fix: []),
    Checker("anchors", quoting, lambda files, fix: [[*module_command("ullnic.anchors"), *files]]),
    Checker("verilator", lambda sources: sources.tops, verilator_commands),
    Checker(
        "waivers",
        lambda sources: [*configurations(), *sources.verilog],
        lambda files, fix: [[*module_command("ullnic.waivers"), *files]],
    ),
    Checker("slang", lambda sources: sources.tops, slang_commands),
    Checker("fusesoc", lambda sources: sources.cores, fusesoc_commands),
    Checker(
        "verible",
        lambda sources: by_hand(sources.verilog),
        lambda files, fix: [["verible-verilog-lint", "--rules_config=.rules.verible_lint", *files]],
    ),
    Checker(
        "verible format",
        lambda sources: by_hand(sources.verilog),
        lambda files, fix: [[*VERIBLE_FORMAT, *([] if fix else ["--verify"]), *files]],
        fixes=True,
    ),
    Checker(
        "ruff",
        lambda sources: sources.python,
        lambda files, fix: [["ruff", "check", "--quiet", *(["--fix"] if fix else []), *files]],
        fixes=True,
    ),
    Checker(
        "ruff format",
        lambda sources: sources.python,
        lambda files, fix: [["ruff", "format", "--quiet", *([] if fix else ["--diff"]), *files]],
        fixes=True,
    ),
    Checker(
        "clang-format",
        lambda sources: by_hand(sources.cpp),
        lambda files, fix: [["clang-format", *(["-i"] if fix else ["--dry-run", "--Werror"]), *files]],
        fixes=True,
    ),
    Checker(
        "documents",
        lambda sources: sources.pages,
        lambda files, fix: [[*module_command("ullnic.documents"), *files]],
    ),
    Checker("cells", lambda sources: sources.pages, lambda files, fix: [[*module_command("ullnic.cells"), *files]]),
    Checker("words", lambda sources: sources.pages, lambda files, fix: [[*module_command("ullnic.words"), *files]]),
    Checker("shellcheck", lambda sources: sources.shell, lambda files, fix: [["shellcheck", *files]]),
)


def run_checker(checker: Checker, files: list[Path], fix: bool, env: dict[str, str]) -> Outcome:
    start_s = time.monotonic()
    reports = list(without_licence(files)) if checker.name == "licence" else []
    outputs = []
    for command in checker.commands(files, fix):
        try:
            done = subprocess.run(
                command,
                cwd=ROOT,
                env=env,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
            )
        except FileNotFoundError:
            raise UllnicError(f"{command[0]} is not installed", "rm -r .venv, then run ./ullnic again") from None
        said = done.stdout.strip()
        if done.returncode != 0:
            reports.append(said or f"{command[0]} ended with exit code {done.returncode}")
        outputs.append(said)
    if checker.name == "verilator" and not reports:
        known = [waiver for path in configurations() for waiver in waivers(ROOT / path, path)]
        reports += judged(outputs, known)
    return Outcome(checker, len(files), "\n".join(dict.fromkeys(reports)), time.monotonic() - start_s)


def outcomes(wanted: tuple[str, ...], fix: bool) -> Iterator[Outcome]:
    """Runs the checkers in parallel; with --fix one after the other, those that repair first."""
    check_files(ROOT, read_all(ROOT))
    check_all(ROOT)
    sources, env = Sources.find(), tool_env()
    chosen = [checker for checker in CHECKERS if not wanted or checker.name in wanted]
    work = [(checker, files) for checker in chosen if (files := checker.looks_at(sources))]
    with ThreadPoolExecutor(1 if fix else cpu_count()) as pool:
        yield from pool.map(lambda item: run_checker(*item, fix, env), sorted(work, key=lambda item: not item[0].fixes))


EXAMPLES = """\b
Examples:
  ./ullnic lint                          everything
  ./ullnic lint --fix                    repair the layout and what else can be, then check
  ./ullnic lint --only verilator         one checker; may be given more than once"""


@click.command(epilog=EXAMPLES)
@click.option("--fix", is_flag=True, help="Repair what can be: layout, and some of what ruff finds.")
@click.option(
    "--only",
    "wanted",
    multiple=True,
    type=click.Choice([checker.name for checker in CHECKERS]),
    help="Only this checker.",
)
def lint(fix: bool, wanted: tuple[str, ...]) -> int:
    """Check style and likely faults in all sources.

    SystemVerilog with Verilator, slang and verible, each core's description with FuseSoC (its lint targets), Python
    with ruff, C++ with clang-format, shell scripts with shellcheck, the licence line in every source file; as
    waivers, that those of Verilator's lint have reasons and are not in sources; as documents, that what pages link to
    is there; as words, that pages use the field's; as cells, that those of tables are short; as anchors, that the
    texts and signals of RTL that tests rely on are there.
    Exit code 1 if anything is found.
    """
    apt.ensure("lint")
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("checker", "files", "result", "time"):
        table.add_column(heading, justify="right" if heading in ("files", "time") else "left")
    found = repairable = 0
    for outcome in outcomes(wanted, fix):
        if outcome.output:
            found += 1
            repairable += outcome.checker.fixes
            click.echo(f"--- {outcome.checker.name}\n{outcome.output}\n")
        result = Text("faults found", "bold red") if outcome.output else Text("ok", "green")
        table.add_row(outcome.checker.name, str(outcome.files), result, f"{outcome.time_s:.1f} s")
    Console().print(table)
    if repairable and not fix:
        click.echo("./ullnic lint --fix repairs layout, and some of what ruff finds")
    return 1 if found else 0
