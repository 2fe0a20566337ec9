# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest: tests whose results are kept by the digest of all that they depend on.

Such a test is marked `deep(digest=...)`, a function without arguments that computes it, with `any_seed=True` if it
draws from the run's seed; then `./ullnic test --seeds` runs it, too. `./ullnic test --deep` runs these tests and
records the digests with which they passed, in the file deep.tsv beside the test's, which is committed. Any other run
holds the record against what is there now, which takes no time, and fails where it differs: so nothing is left out
silently.
"""

import os
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pytest

from ullnic.paths import ROOT
from ullnic.pytest_seed import LOG as SEED_LOG

RECORDS = "deep.tsv"
HEADER = "# What passed: the digest of all that a test depends on, and the test. Written by ./ullnic test --deep.\n"
PROPERTY = "deep"  # of a report: folder, name and digest of a test that has passed
NOT_CURRENT = "not current"  # of a report: folder of a test whose record is not


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--deep", action="store_true", help="run the deep tests, and record those that pass")
    parser.addoption("--stale", action="store_true", help="with --deep: only those whose record is not current")


@cache
def records(folder: Path) -> dict[str, str]:
    """The recorded digest of each test (its file's name and its own) of a folder."""
    file = folder / RECORDS
    lines = file.read_text().splitlines() if file.exists() else []
    return {name: digest for digest, name in (line.split("\t") for line in lines if not line.startswith("#"))}


def write_records(folder: Path, found: dict[str, str]) -> None:
    lines = [f"{digest}\t{name}\n" for name, digest in sorted(found.items())]
    (folder / RECORDS).write_text(HEADER + "".join(lines))


def name_of(item: pytest.Item) -> str:
    """That a test has in the records of its folder."""
    return f"{item.path.name}::{item.nodeid.partition('::')[2]}"


def digest_of(item: pytest.Item) -> str:
    return item.get_closest_marker("deep").kwargs["digest"]()


def is_current(item: pytest.Item) -> bool:
    return records(item.path.parent).get(name_of(item)) == digest_of(item)


class Recorded(pytest.Item):
    """Stands for a deep test where that does not run: neither it nor its fixtures. Passes if the record is current."""

    def runtest(self) -> None:
        if not is_current(self):
            self.user_properties.append((NOT_CURRENT, os.path.relpath(self.path.parent, ROOT)))
            raise Changed("what this deep test depends on has changed since it last passed, or it has never passed")

    def repr_failure(self, excinfo: pytest.ExceptionInfo) -> str:
        return str(excinfo.value) if excinfo.errisinstance(ValueError) else super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, self.name


class Changed(ValueError):
    """The record is not current. (A digest that cannot be computed is a ValueError, too.)"""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.option.deep:
        items[:] = [recorded(item) if is_kept(item) else item for item in items]
    elif config.option.stale:
        current = {item for item in items if item.get_closest_marker("deep") and has_passed(item)}
        config.hook.pytest_deselected(items=list(current))
        items[:] = [item for item in items if item not in current]


def is_kept(item: pytest.Item) -> bool:
    """Whether this run looks at the test's record only."""
    mark = item.get_closest_marker("deep")
    return bool(mark) and not (mark.kwargs.get("any_seed") and SEED_LOG in os.environ)


def has_passed(item: pytest.Item) -> bool:
    try:
        return is_current(item)
    except ValueError:  # no digest: running the test says why
        return False


def recorded(item: pytest.Item) -> Recorded:
    stand_in = Recorded.from_parent(item.parent, name=item.name)
    stand_in.own_markers = item.own_markers
    return stand_in


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    report = yield
    mark = item.get_closest_marker("deep")
    if mark and item.config.option.deep and report.when == "call" and report.passed:
        report.user_properties.append((PROPERTY, (str(item.path.parent), name_of(item), digest_of(item))))
    return report


class Summary:
    """In the process that receives all results: one remedy for all records that are not current."""

    def __init__(self):
        self.folders: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.folders.update(value for name, value in report.user_properties if name == NOT_CURRENT)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.folders:
            terminalreporter.section("deep tests whose result is not current")
            for folder, count in sorted(self.folders.items()):
                terminalreporter.write_line(f"{count:6}  {folder}")
            command = f"./ullnic test --deep --stale -- {' '.join(sorted(self.folders))}"
            terminalreporter.write_line(f"remedy: {command}, and commit {RECORDS}")


class Recorder:
    """In the process that hears of all results: renews the records of what has passed, however the run ends."""

    def __init__(self):
        self.passed: dict[str, dict[str, str]] = defaultdict(dict)  # folder, test: digest

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == PROPERTY:
                folder, test, digest = value
                self.passed[folder][test] = digest

    def pytest_sessionfinish(self) -> None:
        for folder, found in self.passed.items():
            write_records(Path(folder), records(Path(folder)) | found)


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder() if config.option.deep else Summary())
