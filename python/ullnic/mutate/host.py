# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Faults in copies of the host software, and the tests that run their lines, below build/mutate/host."""

import hashlib
import json
import os
import queue
import shutil
import subprocess
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path, PurePath

from ullnic import apt, extras
from ullnic.build import build_sim
from ullnic.errors import UllnicError
from ullnic.mutate.campaign import Draw, Outcome, patience, require_passed, so_far
from ullnic.mutate.coverage import Coverage, programs, ran_lines
from ullnic.mutate.equivalent import NAME, without_equivalent
from ullnic.mutate.faults import Fault
from ullnic.mutate.tree import TEARDOWN_S, Tree
from ullnic.paths import ROOT
from ullnic.sources import project_files

HOST = "host"
SOURCES = (".c", ".h")
# Not of these folders of host: the kernel module is not run by these tests, the others are tests.
LEFT_OUT = ("host/tests/", "host/fuzz/", "host/linux/")
# Not the tests of what is installed and of how it is compiled: they look at files, and build for minutes.
TESTS = ("host/tests", "tests/host/test_host_ctest.py", "tests/dpdk")
# What the lines and their tests depend on, besides the virtual cards.
DEPENDS = ("VERSION", "cmake/", "host/", "sim/src/qdma/", "tests/dpdk/", "tests/host/")
CARDS = ("trigger_pma16", "trigger_pma32", "stac_t0_pma16")
CARD_PROGRAMS = ("ullnic-card", "ullnic-qdma-example")
TESTS_S = 3 * 3600  # for all tests once


class LineFault(Fault):
    """One line becomes another, or two."""

    @property
    def code(self) -> str:
        return self.text


class HostCampaign(Draw):
    def __init__(self, seed: int, jobs: int):
        super().__init__(HOST, seed, jobs)
        self.trees = [Tree(self.folder / f"tree{job}") for job in range(jobs)]
        self.not_compiled = self.same_code = 0

    def prepare(self, progress: Callable[[str], None]) -> None:
        """Builds the copies, and runs all tests without a fault, unless the last campaign did so with these sources."""
        apt.ensure(apt.MUTATE)
        self.sim = build_sim(targets=CARD_PROGRAMS, configs=CARDS)
        for number, tree in enumerate(self.trees, 1):
            progress(f"building copy {number} of {self.jobs} of the host software")
            tree.update(ROOT)
            tree.make()
        saved, key = self.folder / "coverage.json", self._key()
        found = Coverage.load(saved, key)
        if found is None:
            found = self._measure(progress)
            found.save(saved, key)
        self.coverage = found

    def _key(self) -> str:
        digest = hashlib.sha256(subprocess.run(["clang", "--version"], capture_output=True, check=True).stdout)
        files = {path for path in map(str, project_files()) if path.startswith(DEPENDS)}
        for path in sorted(files - {f"{HOST}/{NAME}"}):
            digest.update(f"{path}\0".encode() + hashlib.sha256((ROOT / path).read_bytes()).digest())
        return digest.hexdigest()

    def _measure(self, progress: Callable[[str], None]) -> Coverage:
        profiles = self.folder / "profiles"
        shutil.rmtree(profiles, ignore_errors=True)
        ended: dict[int, list[dict]] = {}

        def said(job: int, lines: list[dict]) -> None:
            ended[job] = lines
            progress(f"{sum(map(len, ended.values()))} tests without a fault")

        def run(job: int) -> list[dict]:
            files, order = self.test_files[job :: self.jobs], {"profiles": str(profiles / str(job))}
            if not files:
                return []
            return self.trees[job].test(order, files, self.seed, self.sim, lambda lines: said(job, lines), TESTS_S)

        found = [each for lines in self._at_once(run, range(self.jobs)) for each in lines]
        require_passed(found, " ".join(TESTS), self.folder)
        coverage = Coverage()
        built = [programs(tree.build) for tree in self.trees]
        for number, each in enumerate(found, 1):
            progress(f"lines of {number} of {len(found)} tests")
            folder = Path(each["profiles"])
            job = int(folder.parent.name)
            ran = ran_lines(self.trees[job].folder, built[job], folder)
            ran = {file: lines for file, lines in ran.items() if is_drawn_from(file)}
            if ran:
                coverage.add(each["test"], each["seconds"], ran)
        shutil.rmtree(profiles)
        if not coverage.tests:
            raise UllnicError("no test runs a program of the host software", f"look at the logs in {self.folder}")
        return coverage

    @cached_property
    def test_files(self) -> list[str]:
        files = sorted(path for path in map(str, project_files()) if path.startswith(TESTS))
        return [path for path in files if PurePath(path).match("test_*.py")]

    @cached_property
    def faults(self) -> list[Fault]:
        files = sorted(file for file in self.coverage.lines if (ROOT / file).exists())
        python = extras.ensure("mutate") / "python"
        argv = [str(python), "-m", "ullnic.mutate.universal", *files]
        env = os.environ | {"PYTHONPATH": str(ROOT / "python")}
        said = subprocess.run(argv, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        changed = json.loads(said.stdout)
        return without_equivalent(ROOT / HOST, (each for file in files for each in self._of(file, changed[file])))

    def _of(self, file: str, changed: Iterable[tuple[int, str]]) -> Iterable[Fault]:
        lines = (ROOT / file).read_text().splitlines()
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line.encode()) + 1)
        for number, text in changed:
            if number in self.coverage.lines[file]:
                old = lines[number - 1]
                yield LineFault(file, number, starts[number - 1], starts[number] - 1, old, text.rstrip("\n"))

    def names(self, fault: Fault) -> set[str]:
        return names_of(fault.file)

    def choices(self) -> set[str]:
        return {name for file in map(str, project_files()) if is_drawn_from(file) for name in names_of(file)}

    def changes_something(self, fault: Fault) -> bool:
        for before, after in self.trees[0].object_codes(fault):
            if after is None:
                self.not_compiled += 1
                return False
            if before != after:
                return True
        self.same_code += 1
        return False

    def passed_over(self) -> str:
        return f"; besides, {self.not_compiled} do not compile and {self.same_code} change no object code"

    def outcomes(self, faults: list[Fault], seconds: float, progress: Callable[[str], None]) -> list[Outcome]:
        free: queue.Queue[Tree] = queue.Queue()
        for tree in self.trees:
            free.put(tree)
        ended: list[dict] = []

        def run(fault: Fault) -> Outcome:
            tree = free.get()
            try:
                seen_by, ran, left = self._try(tree, fault, seconds)
            finally:
                free.put(tree)
            ended.append({"seen_by": seen_by})
            progress(so_far(ended, len(faults), "tests"))
            return Outcome(fault, seen_by, ran, left, where="", what="tests")

        return self._at_once(run, faults)

    def _try(self, tree: Tree, fault: Fault, seconds: float) -> tuple[str | None, int, int]:
        tests = self.coverage.of(fault.file, fault.line)
        if not tests:
            return None, 0, 0
        limits = [(name, patience(each)) for name, each in tests]
        files = {PurePath(file).name: file for file in self.test_files}
        paths = sorted({files[name.split("::")[0]] for name, _ in limits})
        try:
            with tree.planted(fault):
                if not tree.make_with_fault():
                    return "the build", 0, 0
                order = {"faults": {"1": limits}, "seconds": seconds}
                most = seconds + max(limit for _, limit in limits) + TEARDOWN_S
                found = tree.test(order, paths, self.seed, self.sim, lambda lines: None, most)
        finally:
            tree.rebuild(fault.file)
        return (found[0]["seen_by"], found[0]["ran"], found[0]["left"]) if found else ("the end of pytest", 1, 0)

    def _at_once(self, run: Callable, orders: Iterable) -> list:
        with ThreadPoolExecutor(self.jobs) as pool:
            try:
                return list(pool.map(run, orders))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for tree in self.trees:
                    tree.stop()
                raise


def names_of(file: str) -> set[str]:
    """Its stem, and each folder: its path below host, and its name."""
    path = PurePath(file).relative_to(HOST)
    folders = list(path.parents)[:-1]
    return {path.stem, *map(str, folders), *(each.name for each in folders)}


def is_drawn_from(file: str) -> bool:
    return file.startswith(f"{HOST}/") and file.endswith(SOURCES) and not file.startswith(LEFT_OUT)
