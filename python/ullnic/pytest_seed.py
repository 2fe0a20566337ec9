# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A pytest plugin: one seed for all random tests of a run, printed, and taken from ULLNIC_SEED if that is set.

Tests are random if they use the fixture `seed`, or if their module has ullnic_tb's `seeded` or imports from one that
has it. They are marked `random`. Other tests must not draw: a test without the mark that prints a seed fails, so that
none is left out when many seeds are tried (ullnic.seeds).
"""

import os
import random
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from ullnic.paths import ROOT, VENV

LINE = "repeat with ULLNIC_SEED="
LOG = "ULLNIC_SEED_LOG"  # names a file: how each test ended, whether it has drawn, its name
ONLY = "ULLNIC_SEED_ONLY"  # names a file: the tests to run; others are left out


def drawn_seed() -> int:
    """The run's seed, for what is made when a module is loaded. Such a module uses the fixture, too."""
    return int(os.environ["ULLNIC_SEED"])


@pytest.fixture(scope="session")
def seed() -> int:
    return drawn_seed()


def pytest_configure(config: pytest.Config) -> None:
    if not os.environ.get("ULLNIC_SEED"):  # xdist's workers, and all processes that tests start, read it there
        os.environ["ULLNIC_SEED"] = str(random.SystemRandom().getrandbits(32))


def pytest_report_header() -> str:
    return f"seed of the random tests: {drawn_seed()} ({LINE}{drawn_seed()})"


def pytest_itemcollected(item: pytest.Item) -> None:
    if "seed" in getattr(item, "fixturenames", ()) or draws(item.module):
        item.add_marker(pytest.mark.random)


@cache
def only() -> set[str]:
    """The names of the tests to run; empty: all."""
    return set(Path(os.environ[ONLY]).read_text().splitlines()) if ONLY in os.environ else set()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Reading all test files takes longer than most tests."""
    if only() and collection_path.suffix == ".py":
        file = os.path.relpath(collection_path, config.rootpath)
        return True if file not in {name.split("::")[0] for name in only()} else None
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if names := only():
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in names])
        items[:] = [item for item in items if item.nodeid in names]


@cache
def draws(module: ModuleType) -> bool:
    """Whether a test module has `seeded`, or imports from a module of the project that has it."""
    found, new = set(), {module}
    while new:
        found |= new
        new = {used for each in new for used in map(origin, vars(each).values()) if is_ours(used)} - found
    return any("seeded" in vars(each) for each in found)


def origin(value) -> ModuleType | None:
    return value if isinstance(value, ModuleType) else sys.modules.get(str(getattr(value, "__module__", None)))


def is_ours(module: ModuleType | None) -> bool:
    file = str(getattr(module, "__file__", None))
    return file.startswith(f"{ROOT}/") and not file.startswith(f"{VENV}/")


def pytest_runtest_setup(item: pytest.Item) -> None:
    if "seed" in getattr(item, "fixturenames", ()):
        print(f"{item.name}: seed {drawn_seed()} ({LINE}{drawn_seed()})")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    report = yield
    if report.when == "call" and report.passed and has_drawn(report) and not item.get_closest_marker("random"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} draws, and its seed is not the run's: take the fixture `seed`"
    return report


def has_drawn(report: pytest.TestReport) -> bool:
    return any(LINE in text for _, text in report.sections)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    said = report.when == "call" or not report.passed
    if said and (log := os.environ.get(LOG)) and "PYTEST_XDIST_WORKER" not in os.environ:
        with open(log, "a") as file:
            print(report.outcome, int(has_drawn(report)), report.nodeid, sep="\t", file=file)
