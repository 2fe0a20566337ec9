# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A pytest plugin: measures how long tests take, and uses these times.

Each run ends with its slowest tests. A complete run also shows the seconds of each part of the project and its budget
(tests/budget.toml, a card's card.toml). Seconds are those of one worker, including the builds that a test waits for.
The recorded ones (--record-times, tests/times.tsv) select the tests of a fast run, divide the tests among shards, and
interleave those that mostly wait (budget.toml) with those that keep a core busy.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Set
from functools import cache

import pytest

from ullnic import toml
from ullnic.card_file import path_of, read_all
from ullnic.paths import ROOT

RECORD = ROOT / "tests" / "times.tsv"
BUDGET = ROOT / "tests" / "budget.toml"
HEADER = "# Seconds of one worker that a test took, if at least {}. Written by ./ullnic test --record-times.\n"
LEAST = 0.2  # seconds; faster tests are not recorded, and count as this
LITTLE = 0.05
FAST = 0.2  # seconds of each file's tests that are in a fast run
TOO_DEAR = 5.0  # seconds; for an unrecorded test
DEAREST = 10
WORTH_TELLING = 30.0  # seconds of a run


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="only the quickest tests of each file")
    parser.addoption("--shard", metavar="K/N", help="only the Kth of N parts, which take about the same time")
    parser.addoption("--record-times", action="store_true", help=f"record what each test takes in {RECORD.name}")


@cache
def recorded() -> dict[str, float]:
    """Seconds of each recorded test."""
    lines = RECORD.read_text().splitlines() if RECORD.exists() else []
    return {test: float(took) for took, test in (line.split("\t", 1) for line in lines if not line.startswith("#"))}


def seconds(test: str) -> float:
    return recorded().get(test, LITTLE)


def by_file(tests: Iterable[str]) -> dict[str, list[str]]:
    files = defaultdict(list)
    for test in tests:
        files[test.partition("::")[0]].append(test)
    return files


def part_of(test: str) -> str:
    """cores/toe, tests/live, host/tests: the unit of a budget."""
    return "/".join(test.split("/")[:2])


def quickest(tests: Iterable[str], kept: Set[str] = frozenset()) -> set[str]:
    """The fastest tests of each file: one, and more as long as their sum is within FAST. The `kept` tests, of which
    only the record is checked, are used for files without others."""
    chosen = set()
    for of_file in by_file(test for test in tests if seconds(test) < TOO_DEAR).values():
        spent = 0.0
        of_file = [test for test in of_file if test not in kept] or of_file
        for number, test in enumerate(sorted(of_file, key=seconds)):
            spent += seconds(test)
            if number and spent > FAST:
                break
            chosen.add(test)
    return chosen


def shard(tests: Iterable[str], which: int, count: int) -> set[str]:
    """The tests of one of `count` shards, 1 to `count`: whole files, the slowest first, each to the shard with the
    least.
    """
    files = by_file(tests)
    weight = {file: sum(map(seconds, of_file)) for file, of_file in files.items()}
    filled = [0.0] * count
    chosen = set()
    for file in sorted(files, key=lambda file: (-weight[file], file)):
        least = filled.index(min(filled))
        filled[least] += weight[file]
        if least == which - 1:
            chosen.update(files[file])
    return chosen


@cache
def waiting_parts() -> frozenset[str]:
    return frozenset(toml.loads(BUDGET.read_text())["waiting"]["parts"])


def interleaved(tests: Iterable[str]) -> list[str]:
    """Whole files, in their order: those of parts that mostly wait are spread evenly among the others, by seconds."""
    kinds: dict[bool, list[tuple[float, list[str]]]] = {False: [], True: []}
    spent = {False: 0.0, True: 0.0}
    for file, of_file in by_file(tests).items():
        waits = part_of(file) in waiting_parts()
        kinds[waits].append((spent[waits], of_file))
        spent[waits] += sum(map(seconds, of_file))
    places = [(before / spent[waits], of_file) for waits, files in kinds.items() for before, of_file in files]
    return [test for _, of_file in sorted(places, key=lambda place: place[0]) for test in of_file]


def parsed(text: str) -> tuple[int, int]:
    """ "2/3" as 2, 3. Raises ValueError."""
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    which, count = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= which <= count:
        raise ValueError(f"{text!r} is no shard: K/N, K from 1 to N")
    return which, count


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    tests = [item.nodeid for item in items]  # in the same order for all workers; the order of a set varies
    if config.option.fast:
        chosen = quickest(tests, {item.nodeid for item in items if item.get_closest_marker("deep")})
        tests = [test for test in tests if test in chosen]
    chosen = shard(tests, *parsed(config.option.shard)) if config.option.shard else set(tests)
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in chosen])
    place = {test: number for number, test in enumerate(interleaved(tests))}
    items[:] = sorted((item for item in items if item.nodeid in chosen), key=lambda item: place[item.nodeid])


class Times:
    """In the process that receives all results."""

    def __init__(self):
        self.took: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.took[report.nodeid] += report.duration

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if session.config.option.record_times:
            before = {} if is_whole(session.config) else recorded()
            write(before | self.took)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
        if sum(self.took.values()) < WORTH_TELLING:
            return
        terminalreporter.section(f"the {DEAREST} dearest tests, seconds")
        for test in sorted(self.took, key=self.took.__getitem__, reverse=True)[:DEAREST]:
            terminalreporter.write_line(f"{self.took[test]:8.1f}  {test}")
        if is_whole(config):
            terminalreporter.section("seconds of each part, of one worker")
            for line in beside_budget(self.took):
                terminalreporter.write_line(line)


def write(took: dict[str, float]) -> None:
    lines = [f"{took[test]:.1f}\t{test}\n" for test in sorted(took) if took[test] >= LEAST]
    RECORD.write_text(HEADER.format(LEAST) + "".join(lines))


def budgets() -> dict[str, int]:
    """Seconds of each part that has a budget."""
    cards = {f"cards/{card.folder}": card.test_seconds for card in read_all(ROOT) if card.test_seconds}
    return toml.loads(BUDGET.read_text())["seconds"] | cards


def budget_file(part: str) -> str:
    folder, _, name = part.partition("/")
    is_card = folder == "cards" and (ROOT / path_of(name)).exists()
    return path_of(name) if is_card else str(BUDGET.relative_to(ROOT))


def beside_budget(took: dict[str, float]) -> list[str]:
    """A line for each part, the slowest first."""
    budget = budgets()
    parts: dict[str, float] = defaultdict(float)
    for test, spent in took.items():
        parts[part_of(test)] += spent
    lines = []
    for part in sorted(parts, key=parts.__getitem__, reverse=True):
        limit = budget.get(part)
        said = f"of {limit}" if limit else f"no budget in {budget_file(part)}"
        over = "  over: make it cheaper, or raise the budget and say why" if limit and parts[part] > limit else ""
        lines.append(f"{parts[part]:8.1f}  {said:>8}  {part}{over}")
    return lines


def is_whole(config: pytest.Config) -> bool:
    """Whether all tests were selected."""
    chosen = (
        config.option.fast,
        config.option.shard,
        config.option.deep,
        config.option.markexpr,
        config.option.keyword,
    )
    return not any(chosen) and config.args_source == config.ArgsSource.TESTPATHS


def pytest_configure(config: pytest.Config) -> None:
    if config.option.shard:
        try:
            parsed(config.option.shard)
        except ValueError as error:
            raise pytest.UsageError(str(error)) from None
    if not hasattr(config, "workerinput") and "PYTEST_XDIST_WORKER" not in os.environ:
        config.pluginmanager.register(Times())
