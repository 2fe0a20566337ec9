# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic test`: builds the simulation and runs pytest on everything, with the project's tools on PATH."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import click

from ullnic import apt
from ullnic.build import HOST_SOURCE, SOURCE, build_host, build_sim
from ullnic.errors import UllnicError
from ullnic.paths import ROOT
from ullnic.pytest_times import parsed
from ullnic.sanitizers import run_sanitizers
from ullnic.seeds import NOTHING_COLLECTED, run_seeds
from ullnic.toolchain import cpu_count, tool_env

EXAMPLES = """\b
Examples:
  ./ullnic test                              everything
  ./ullnic test --fast                       the quickest tests of each file
  ./ullnic test -k gearbox                   tests whose name has "gearbox" in it
  ./ullnic test -- cores/macpcs/tb -x        pytest's own arguments come after --
  ./ullnic test --workers 1 -- -s -vv -k tx  one after the other, output shown
  ./ullnic test --seeds 50                   the random tests with fifty seeds
  ./ullnic test --deep --stale               what a change has made of the deep tests, recorded anew
  ./ullnic test --shard 2/3                  the second of three parts, for three machines
  ./ullnic test --sanitizers                 those of C and C++, looking for faults of memory and threads
  ULLNIC_SEED=7 ./ullnic test                everything, with this seed"""


@click.command(epilog=EXAMPLES)
@click.option("--fast", is_flag=True, help="The quickest tests of each file, none marked slow.")
@click.option("-k", "expression", metavar="EXPRESSION", help="Only tests whose names match (pytest's -k).")
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=lambda: cpu_count() + 2,
    show_default="two more than cores, since some tests wait",
    help="How many tests run at once.",
)
@click.option(
    "--seeds",
    type=click.IntRange(1, 100000),
    metavar="N",
    help="Only the random tests, with N seeds one after the other; each failure with the command that repeats it.",
)
@click.option(
    "--sanitizers",
    is_flag=True,
    help="The tests of C and C++ only, with AddressSanitizer and UBSan, then those with threads with ThreadSanitizer.",
)
@click.option(
    "--deep",
    is_flag=True,
    help="Only the deep tests: proofs, planted faults, long sweeps. Records what passes (deep.tsv, to be committed); "
    "the other runs fail where a record does not fit the sources any more.",
)
@click.option("--stale", is_flag=True, help="With --deep: only the tests whose record is not current.")
@click.option("--shard", metavar="K/N", help="The Kth of N parts that take about the same time, for hosted CI.")
@click.option("--record-times", is_flag=True, help="Record what each test takes (tests/times.tsv, to be committed).")
@click.argument("pytest_args", nargs=-1, type=click.UNPROCESSED)
def test(
    fast: bool,
    expression: str | None,
    workers: int,
    seeds: int | None,
    sanitizers: bool,
    deep: bool,
    stale: bool,
    shard: str | None,
    record_times: bool,
    pytest_args: tuple[str, ...],
) -> int:
    """Run the tests: each core's, and those that cross cores. PYTEST_ARGS (after --) go to pytest as they are.

    The last line is pytest's count, with the time taken. Exit code 0 only if at least one test ran and all passed.

    Random tests draw from one seed a run, which is new each time and printed; ULLNIC_SEED sets it. With --seeds the
    first one is ULLNIC_SEED, or new, and the others follow it.
    """
    check_paths(pytest_args)
    apt.ensure("test")
    if sanitizers and seeds is not None:
        raise click.UsageError("--sanitizers and --seeds do not go together")
    if deep and (sanitizers or seeds is not None):
        raise click.UsageError("--deep goes neither with --sanitizers nor with --seeds")
    if stale and not deep:
        raise click.UsageError("--stale says which of the deep tests run: it goes with --deep")
    if shard is not None:
        try:
            parsed(shard)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--shard") from None
    chosen = bool(pytest_args or expression or sanitizers or seeds is not None)
    with nullcontext() if chosen or workers == 1 else compiling_test_files():
        if (SOURCE / "CMakeLists.txt").exists() and not sanitizers:
            build_sim(targets=("all",))
        if (HOST_SOURCE / "CMakeLists.txt").exists() and not sanitizers:
            build_host(targets=("all", "libullnic-tests"))
    argv = isolated_pytest()
    if workers > 1:
        argv += ["--tx", f"{workers}*popen//python={sys.executable} -I"]
    # A file's tests share what they build: on two workers, the second would only wait for it. Files are sorted as in
    # testpaths, not by the number of tests.
    argv += ["--dist", "loadfile", "--no-loadscope-reorder"]
    argv += ["--deep"] * deep + ["--stale"] * stale + ["--fast"] * fast + ["--record-times"] * record_times
    argv += [f"--shard={shard}"] * (shard is not None)
    marks = ["not slow"] * fast + ["random"] * (seeds is not None) + ["deep"] * deep
    if marks:
        argv += ["-m", " and ".join(marks)]
    if expression:
        argv += ["-k", expression]
    if sanitizers:
        return run_sanitizers(argv, pytest_args, tool_env())
    if seeds is not None:
        return run_seeds(seeds, [*argv, *pytest_args], tool_env())
    process = subprocess.Popen([*argv, *pytest_args], cwd=ROOT, env=tool_env())
    try:
        code = process.wait()
    except KeyboardInterrupt:  # pytest received it too; let it end its tests and print its count
        process.wait()
        raise
    if code == NOTHING_COLLECTED and stale:
        print("the records of these deep tests are current")
        return 0
    if code == NOTHING_COLLECTED:
        raise UllnicError("no test matches, so nothing was tested", "look at -k, --fast and the paths given")
    return code


@contextmanager
def compiling_test_files() -> Iterator[None]:
    """Compiles the test files once, in the background, in the first run of a tree.

    Otherwise each of the workers would, since they start at the same time; it takes most of the time of their
    collection.
    """
    if any(ROOT.glob("tests/*/__pycache__")):
        yield
        return
    argv = [*isolated_pytest(), "--collect-only", "--quiet"]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(argv, cwd=ROOT, env=tool_env(), **quiet) as process:
        try:
            yield
        except BaseException:
            process.terminate()
            raise


def isolated_pytest() -> list[str]:
    """pytest that imports nothing from the current directory."""
    return [sys.executable, "-I", "-m", "pytest"]


def check_paths(pytest_args: tuple[str, ...]) -> None:
    """Refuses, before a build, an argument that can only be a path and does not exist."""
    for before, each in zip(("", *pytest_args), pytest_args, strict=False):
        is_path = not each.startswith("-") and not before.startswith("-") and ("/" in each or each.endswith(".py"))
        if is_path and not (ROOT / each.split("::")[0]).exists():
            raise click.UsageError(f"there is no '{each}' in {ROOT}")
