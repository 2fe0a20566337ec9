# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a core's tests on models with counters, below build/coverage/CORE, and says which points of its RTL were met."""

import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from ullnic.coverage.points import BLOCK, Point
from ullnic.errors import UllnicError
from ullnic.mutate.campaign import ENDED, POLL_S, lines_of
from ullnic.mutate.faults import Source, constant_functions
from ullnic.paths import BUILD, ROOT, module_command
from ullnic.progress import log_tail
from ullnic.toolchain import tool_env

CORES = ROOT / "cores"
UNUSED = "unused"  # the name of what reads inputs that nothing needs
BRANCHES = ("if", "elsif", "else", "case")


class Coverage:
    """Of a core: its points, and how often each was met."""

    def __init__(self, core: str, counts: dict[Point, int], tests: int):
        self.core = core
        self.tests = tests
        self.counts = {point: count for point, count in counts.items() if not self._is_left_out(point)}

    @cached_property
    def modules(self) -> dict[str, dict[str, tuple[int, int]]]:
        """Of each module and kind of points: how many were met, and how many there are."""
        found = defaultdict(lambda: defaultdict(lambda: (0, 0)))
        for point, count in sorted(self.counts.items()):
            met, all_ = found[point.module][point.kind]
            found[point.module][point.kind] = met + (count > 0), all_ + 1
        return found

    def total(self, kind: str) -> tuple[int, int]:
        each = [kinds[kind] for kinds in self.modules.values()]
        return sum(met for met, _ in each), sum(all_ for _, all_ in each)

    def missed(self, kind: str = BLOCK, modules: Iterable[str] = ()) -> list[Point]:
        """Those that no test has met; of all modules, or of these."""
        return sorted(
            point
            for point, count in self.counts.items()
            if not count and point.kind == kind and (not modules or point.module in modules)
        )

    def code(self, point: Point) -> str:
        return self._lines(point.file)[point.line - 1].strip()

    def _is_left_out(self, point: Point) -> bool:
        """What only the elaboration runs, what reads unused inputs, and the branches that Verilator counts after they
        have returned.
        """
        code = self.code(point)
        returns = point.text in BRANCHES and "return" in code
        return returns or UNUSED in code or point.line in self._constant_lines[point.file]

    @cached_property
    def _texts(self) -> dict[str, str]:
        return {path.name: path.read_text() for path in sorted((CORES / self.core / "rtl").glob("*.sv"))}

    def _lines(self, file: str) -> list[str]:
        return self._texts[file].splitlines()

    @cached_property
    def _constant_lines(self) -> dict[str, set[int]]:
        """The lines of functions that are called only where a constant is wanted."""
        sources = [Source(name, text) for name, text in self._texts.items()]
        constant = constant_functions(sources)
        return {
            source.name: {line for name, lines in source.function_lines.items() if name in constant for line in lines}
            for source in sources
        }


def measure(core: str, seed: int, jobs: int, progress: Callable[[str], None], all_parameters: bool = False) -> Coverage:
    """Of the ordinary tests of the core, with this seed; also of those that are kept for their parameters. Raises
    UllnicError if one fails.
    """
    folder = BUILD / "coverage" / core
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder) as scratch:
        results = Path(scratch) / "results"
        files = sorted((CORES / core / "tb").glob("test_*.py"))
        processes = [
            _start(all_parameters, seed, mine, results, folder / f"{job}.log")
            for job in range(jobs)
            if (mine := files[job::jobs])
        ]
        try:
            while any(each.poll() is None for each in processes):
                time.sleep(POLL_S)
                progress(f"{_tests(lines_of(results))} tests of {core} have run")
        finally:
            for each in processes:
                each.terminate()
                each.wait()
        lines = lines_of(results)
    if failed := [line["test"] for line in lines if not line.get("passed", True)]:
        raise UllnicError(
            f"these fail: {', '.join(failed[:5])}" + " ..." * (len(failed) > 5),
            f"ULLNIC_SEED={seed} ./ullnic test -- cores/{core}; if that passes, report it with the logs in {folder}",
        )
    for each in processes:
        if each.returncode not in ENDED:
            said = "\n".join(log_tail(log, 20) for log in sorted(folder.glob("*.log")))
            raise UllnicError(f"pytest ended with {each.returncode}:\n{said}", f"the logs are in {folder}")
    counts = Counter()
    rtl = CORES / core / "rtl"
    for line in lines:
        if "point" in line and Path(line["point"][0]).parent == rtl:
            file, *rest = line["point"]
            counts[Point(Path(file).name, *rest)] += line["count"]
    if not counts:
        raise UllnicError(f"no test of {core} runs a model of its RTL", f"look at the logs in {folder}")
    return Coverage(core, counts, _tests(lines))


def _tests(lines: list[dict]) -> int:
    return sum("test" in line for line in lines)


def _start(all_parameters: bool, seed: int, files: list[Path], results: Path, log: Path) -> subprocess.Popen:
    env = tool_env() | {
        "ULLNIC_COVERAGE": str(results),
        "ULLNIC_COVERAGE_KEPT": str(int(all_parameters)),
        "ULLNIC_SEED": str(seed),
        "ULLNIC_BUILD": str(log.parent),
    }
    argv = module_command("ullnic.coverage.pytest_coverage", "-c", "common/pytest_alone.ini", *files)
    with log.open("w") as output:
        return subprocess.Popen(
            argv, cwd=CORES, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
