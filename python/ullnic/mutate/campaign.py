# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Faults in a copy of the cores, and their tests and proofs run on it, below build/mutate/CORE."""

import json
import random
import shutil
import subprocess
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from ullnic.errors import UllnicError
from ullnic.mutate.equivalent import without_equivalent
from ullnic.mutate.faults import Fault, Source, constant_functions, reached
from ullnic.mutate.schemata import with_faults
from ullnic.paths import BUILD, ROOT, module_command
from ullnic.progress import log_tail
from ullnic.toolchain import tool_env

CORES = ROOT / "cores"
POLL_S = 1
PROOF_S = 300  # the longest proof takes a tenth of it
ENDED = (0, 1, 5)  # pytest's exit codes: passed, failed, none selected
# A test that takes longer than this with a fault hangs: other processes run beside it.
PATIENCE_S, PATIENCE = 10, 5


@dataclass(frozen=True)
class Outcome:
    fault: Fault
    seen_by: str | None  # a test or a proof
    ran: int  # tests and proofs
    left: int = 0  # tests for which there was no time
    where: str = "cores/"
    what: str = "tests and proofs"

    def __str__(self) -> str:
        if self.seen_by is not None:
            return f"{self.where}{self.fault}: seen by {self.seen_by}"
        if not self.ran and not self.left:
            return f"{self.where}{self.fault}: no test runs this line"
        left = f" (no time for {self.left})" * (self.left > 0)
        return f"{self.where}{self.fault}: survives {self.ran} {self.what}{left}"


class Draw:
    """What a campaign draws its faults from: `part` is a core or "host", `seed` is of the draw and of random tests."""

    faults: list[Fault]  # all that can be planted, without those that change nothing (equivalent.py)

    def __init__(self, part: str, seed: int, jobs: int):
        self.seed = seed
        self.jobs = jobs
        self.folder = BUILD / "mutate" / part

    def prepare(self, progress: Callable[[str], None]) -> None:
        """What must be known before `faults` is."""

    def names(self, fault: Fault) -> set[str]:
        """Those by which `--module` chooses it."""
        return {fault.module}

    def choices(self) -> set[str]:
        """What `--module` may be; known before prepare()."""
        return {name for fault in self.faults for name in self.names(fault)}

    def draw(
        self, count: int, modules: Iterable[str], progress: Callable[[str], None] = lambda text: None
    ) -> list[Fault]:
        """Each time a line, and one of its faults: otherwise half would be in the longest expressions."""
        lines = defaultdict(list)
        for fault in self.faults:
            if not modules or self.names(fault) & set(modules):
                lines[fault.file, fault.line].append(fault)
        rng = random.Random(self.seed)
        drawn = []
        while lines and len(drawn) < count:
            place = rng.choice(list(lines))
            fault = lines[place].pop(rng.randrange(len(lines[place])))
            if not lines[place]:
                del lines[place]
            if self.changes_something(fault):
                drawn.append(fault)
            progress(f"{len(drawn)} of {count} faults drawn")
        return drawn

    def changes_something(self, _fault: Fault) -> bool:
        """Whether it can be planted, as far as is known before it is."""
        return True

    def passed_over(self) -> str:
        """Of the drawn ones, those that were not planted."""
        return ""


class Campaign(Draw):
    """In a core."""

    def __init__(self, core: str, seed: int, jobs: int):
        super().__init__(core, seed, jobs)
        self.core = core
        self.cores = self.folder / "cores"

    def sources(self, core: str) -> list[Source]:
        paths = [path for kind in ("rtl", "tb") for path in sorted(CORES.glob(f"{core}/{kind}/*.sv"))]
        return [Source(str(path.relative_to(CORES)), path.read_text()) for path in paths]

    @cached_property
    def faults(self) -> list[Fault]:
        sources = self.sources(self.core)
        constant = constant_functions(sources)
        rtl = [source for source in sources if source.name.startswith(f"{self.core}/rtl/")]
        return without_equivalent(CORES / self.core, (fault for source in rtl for fault in source.faults(constant)))

    def plant(self, faults: list[Fault]) -> None:
        """Makes the copy. The Nth fault, from 1 on, is in a model that starts with ULLNIC_FAULT=N."""
        shutil.rmtree(self.folder, ignore_errors=True)
        copy_cores(self.cores)
        numbered = defaultdict(dict)
        for number, fault in enumerate(faults, 1):
            numbered[fault.file][number] = fault
        for file, mine in numbered.items():
            (self.cores / file).write_text(with_faults((CORES / file).read_text(), mine))

    def measure(self, progress: Callable[[str], None]) -> list[dict]:
        """Runs all tests without a fault. Those that run a model: their names, top modules and seconds."""
        files = sorted((self.cores / self.core / "tb").glob("test_*.py"))
        orders = [({"tests": True}, self.cores, files[job :: self.jobs]) for job in range(self.jobs)]
        found = self._run(orders, "not deep", lambda lines: progress(f"{len(lines)} tests without a fault"))
        require_passed(found, f"cores/{self.core}", self.folder)
        if not found:
            raise UllnicError(f"no test of {self.core} runs a model", f"look at the logs in {self.folder}")
        return found

    def outcomes(self, faults: list[Fault], seconds: float, progress: Callable[[str], None]) -> list[Outcome]:
        self.plant(faults)
        return self.run(faults, self.measure(progress), seconds, progress)

    def run(
        self, faults: list[Fault], tests: list[dict], seconds: float, progress: Callable[[str], None]
    ) -> list[Outcome]:
        """Runs the tests with each of the faults, until one sees it or the time is over; then the proofs."""
        orders = []
        for job in range(self.jobs):
            numbers = range(job + 1, len(faults) + 1, self.jobs)
            chosen = {number: self.tests_of(faults[number - 1], tests) for number in numbers}
            files = sorted({name.split("::")[0] for each in chosen.values() for name, _ in each})
            paths = [self.cores / self.core / "tb" / file for file in files]
            orders.append(({"faults": chosen, "seconds": seconds}, self.cores, paths))
        by_tests = self._run(orders, "not deep", lambda lines: progress(so_far(lines, len(faults), "tests")))
        outcomes = {number: Outcome(fault, None, 0) for number, fault in enumerate(faults, 1)}
        for each in by_tests:
            number = each.pop("fault")
            outcomes[number] = Outcome(faults[number - 1], **each)
        unseen = [number for number, each in outcomes.items() if each.seen_by is None]
        for each in self._prove(faults, unseen, progress):
            before = outcomes[each["fault"]]
            outcomes[each["fault"]] = replace(before, seen_by=each["seen_by"], ran=before.ran + each["ran"])
        return list(outcomes.values())

    def _prove(self, faults: list[Fault], numbers: list[int], progress: Callable[[str], None]) -> list[dict]:
        """The outcomes of the proofs for these faults. Each process has its own copy, in which it plants them."""
        orders = []
        for job in range(self.jobs):
            mine = {}
            for number in numbers[job :: self.jobs]:
                fault = faults[number - 1]
                mine[number] = fault.file, fault.planted_in((CORES / fault.file).read_text())
            cores = self.folder / f"proofs{job}" / "cores"
            copy_cores(cores)
            paths = sorted((cores / self.core / "formal").glob("test_*.py"))
            orders.append(({"proofs": mine, "seconds": PROOF_S}, cores, paths))
        return self._run(orders, "", lambda lines: progress(so_far(lines, len(numbers), "proofs")))

    def tests_of(self, fault: Fault, tests: list[dict]) -> list[tuple[str, float]]:
        """The tests whose models contain the fault's module: small models first, then quick tests. With time limits."""
        chosen = []
        for test in tests:
            sizes = [len(self.below[top]) for top in test["tops"] if fault.module in self.below.get(top, ())]
            if sizes:
                chosen.append((min(sizes), test["seconds"], test["test"]))
        return [(name, patience(seconds)) for _, seconds, name in sorted(chosen)]

    @cached_property
    def below(self) -> dict[str, set[str]]:
        """The modules and packages that each module needs, and itself."""
        uses = {name: used for source in self.sources("*") for name, used in source.modules.items()}
        return {name: reached({name}, uses) for name in uses}

    def _run(self, orders: list, marks: str, progress: Callable[[list[dict]], None]) -> list[dict]:
        """pytest_faults.py for each of these orders, with a folder of cores and the files of tests, at once. What they
        found.
        """
        with TemporaryDirectory(dir=self.folder) as folder:
            results = Path(folder) / "results"
            processes = []
            for job, (order, cores, paths) in enumerate(orders):
                file = Path(folder) / f"{job}.json"
                file.write_text(json.dumps({**order, "results": str(results)}))
                if paths:
                    processes.append(self._start(file, cores, marks, paths, self.folder / f"{job}.log"))
            try:
                while any(each.poll() is None for each in processes):
                    time.sleep(POLL_S)
                    progress(lines_of(results))
            finally:
                for each in processes:
                    each.terminate()
                    each.wait()
            for each in processes:
                if each.returncode not in ENDED:
                    said = "\n".join(log_tail(log, 20) for log in sorted(self.folder.glob("*.log")))
                    raise UllnicError(f"pytest ended with {each.returncode}:\n{said}", f"the logs are in {self.folder}")
            return lines_of(results)

    def _start(self, orders: Path, cores: Path, marks: str, paths: list[Path], log: Path) -> subprocess.Popen:
        env = tool_env() | {
            "ULLNIC_FAULTS": str(orders),
            "ULLNIC_SEED": str(self.seed),
            "ULLNIC_BUILD": str(cores.parent / "build"),
        }
        argv = module_command("ullnic.mutate.pytest_faults", "-c", "common/pytest_alone.ini", "-s")
        argv += [*(["-m", marks] if marks else []), *map(str, paths)]
        with log.open("w") as output:
            return subprocess.Popen(
                argv, cwd=cores, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
            )


def require_passed(tests: list[dict], places: str, logs: Path) -> None:
    if failed := [each["test"] for each in tests if not each["passed"]]:
        raise UllnicError(
            f"without a fault these fail: {', '.join(failed[:5])}" + " ..." * (len(failed) > 5),
            f"./ullnic test -- {places}; if that passes, report it with the logs in {logs}",
        )


def patience(seconds: float) -> float:
    """For how long a test that takes these seconds is waited for."""
    return PATIENCE_S + PATIENCE * seconds


def copy_cores(folder: Path) -> None:
    shutil.copytree(CORES, folder, ignore=shutil.ignore_patterns("__pycache__"))


def so_far(lines: list[dict], count: int, what: str) -> str:
    return f"{what}: {len(lines)} of {count} faults, {sum(each['seen_by'] is not None for each in lines)} seen"


def lines_of(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
