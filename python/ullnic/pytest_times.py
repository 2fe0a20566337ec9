# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest: what the tests cost, and parts of them.

At the end of a run it says how many seconds each area took beside its budget (tests/budget.toml), and which ten tests
were the dearest. A file's seconds are kept in build/test-times.json; those of a whole run are recorded in
tests/times.toml, by which `--shard K/N` makes parts that take about the same time. `--first N` takes of each file only
the first N tests that are not marked slow.

Seconds are those of all workers together: set-up, test and tear-down, with the models that a test builds.
"""

import json
import re
from collections import Counter, defaultdict
from functools import partial

import pytest

from ullnic.budget import tomllib
from ullnic.paths import BUILD, ROOT

BUDGET = ROOT / "tests" / "budget.toml"
RECORDED = ROOT / "tests" / "times.toml"
LAST = BUILD / "test-times.json"
DEAREST = 10
WORTH_SAYING = 30  # seconds: of a shorter run nobody asks what it cost

spent: Counter[str] = Counter()  # test -> seconds, in the process that reports


def shard(text: str) -> tuple[int, int]:
    """K/N: (K, N). Raises ValueError."""
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise ValueError(f"'{text}' is not K/N with 1 <= K <= N")
    return int(match[1]), int(match[2])


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("ullnic", "parts of the tests")
    group.addoption("--shard", metavar="K/N", type=shard, help="only part K of N; the parts take about the same time")
    group.addoption("--first", metavar="N", type=int, help="of each file only the first N tests that are not slow")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    chosen = items
    if number := config.getoption("first"):
        seen = Counter()
        chosen = [item for item in chosen if not item.get_closest_marker("slow") and counted(seen, item) <= number]
    if part := config.getoption("shard"):
        files = files_of_shard(*part, recorded(), list(dict.fromkeys(map(file_of, chosen))))
        chosen = [item for item in chosen if file_of(item) in files]
    if len(chosen) != len(items):
        kept = set(chosen)
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = chosen


def counted(seen: Counter, item: pytest.Item) -> int:
    seen[file_of(item)] += 1
    return seen[file_of(item)]


def file_of(item: pytest.Item | str) -> str:
    return (item if isinstance(item, str) else item.nodeid).split("::")[0]


def recorded() -> dict[str, float]:
    """Seconds of each file in the last whole run that was recorded."""
    return tomllib.loads(RECORDED.read_text())["seconds"] if RECORDED.exists() else {}


def files_of_shard(number: int, of: int, seconds: dict[str, float], files: list[str]) -> set[str]:
    """The dearest file first, each to the part that has the least so far. A file that has no record counts as the mean.

    The same on every machine: it depends on the names of the files and on what is recorded only."""
    mean = sum(seconds.values()) / len(seconds) if seconds else 1.0
    cost = {file: seconds.get(file, mean) for file in files}
    parts: list[tuple[float, list[str]]] = [(0.0, []) for _ in range(of)]
    for file in sorted(files, key=lambda each: (-cost[each], each)):
        least = min(range(of), key=lambda part: parts[part][0])
        parts[least] = (parts[least][0] + cost[file], [*parts[least][1], file])
    return set(parts[number - 1][1])


def area_of(file: str) -> str:
    """The core, the card or the kind of tests: what has a budget."""
    folders = file.split("/")[:-1]
    return "/".join(folders[: 3 if folders[:1] == ["host"] else 2])


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    spent[report.nodeid] += report.duration


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if hasattr(config, "workerinput") or sum(spent.values()) < WORTH_SAYING:
        return
    files: defaultdict[str, float] = defaultdict(float)
    for test, seconds in spent.items():
        files[file_of(test)] += seconds
    keep(files)
    write = partial(terminalreporter.write_line)
    terminalreporter.section("what the tests cost, in seconds of all workers together")
    for line in costs(files, spent, tomllib.loads(BUDGET.read_text())["seconds"]):
        write(line)


def keep(files: dict[str, float]) -> None:
    """In LAST, beside what other runs have left there."""
    try:
        before = json.loads(LAST.read_text())
    except (OSError, ValueError):
        before = {}
    LAST.parent.mkdir(exist_ok=True)
    LAST.write_text(json.dumps(before | {file: round(seconds, 2) for file, seconds in files.items()}, indent=0))


def record() -> None:
    """Writes tests/times.toml from the last run, which was a whole one."""
    seconds = json.loads(LAST.read_text())
    lines = ["# Seconds of each file's tests, from `./ullnic test --record-times`, for --shard."]
    lines += ["", "[seconds]", *(f'"{file}" = {seconds[file]}' for file in sorted(seconds))]
    RECORDED.write_text("\n".join(lines) + "\n")


def costs(files: dict[str, float], tests: dict[str, float], budget: dict[str, float]) -> list[str]:
    areas: defaultdict[str, float] = defaultdict(float)
    for file, seconds in files.items():
        areas[area_of(file)] += seconds
    lines = [f"{'area':24} {'seconds':>8} {'budget':>8}"]
    for area, seconds in sorted(areas.items(), key=lambda each: -each[1]):
        limit = budget.get(area)
        note = "  no budget in tests/budget.toml" if limit is None else "  over its budget" if seconds > limit else ""
        lines.append(f"{area:24} {seconds:8.0f} {'-' if limit is None else f'{limit:.0f}':>8}{note}")
    lines.append(f"{'all':24} {sum(areas.values()):8.0f} {sum(budget.values()):8.0f}")
    lines += ["", f"the {DEAREST} dearest tests:"]
    dearest = sorted(tests.items(), key=lambda each: -each[1])[:DEAREST]
    return lines + [f"{seconds:8.1f}  {test}" for test, seconds in dearest]
