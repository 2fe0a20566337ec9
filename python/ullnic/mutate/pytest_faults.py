# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""pytest with a plugin: runs tests once for each fault, until one sees it.

The faults are in the models of a core (schemata.py), or one in the host software. It runs in a copy of the cores, or of
the project. Its orders are a file of JSON that ULLNIC_FAULTS names. There, `results` is the file to
which it adds a line of JSON for each test or fault. The rest is one of these:

- `tests`: nothing is planted, each test runs once. Of those that run a model: top modules, outcome, seconds.
- `profiles`: a folder, for each test one in it with the profiles of the programs that it runs. The test, its folder,
  outcome, seconds.
- `faults`: for each number the names of tests to run, with the seconds that each may take, and for all together
  `seconds`. The test that sees it, or none, how many were run, and how many are left.
- `proofs`: for each number a source, and a text to put in its place while the proofs of that source run, for `seconds`
  each at most. The same of proofs.
"""

import json
import os
import signal
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

from ullnic.mutate.coverage import PROFILE, PROFILE_NAME
from ullnic.mutate.schemata import VARIABLE

ORDERS = json.loads(Path(os.environ["ULLNIC_FAULTS"]).read_text())


class Hangs(BaseException):
    """No test catches it, and the simulator ends with it."""


@contextmanager
def limit(seconds: float):
    def ring(_signal, _frame):
        raise Hangs

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def write(**line) -> None:
    with open(ORDERS["results"], "a") as output:
        output.write(json.dumps(line) + "\n")


def name_of(item: pytest.Item) -> str:
    """Unlike pytest's own, the same whatever else is run."""
    return f"{item.path.name}::{item.name}"


def run(item: pytest.Item) -> bool:
    """Whether it passed. What it said goes to pytest's log."""
    item._initrequest()
    failed = [report for report in runtestprotocol(item, log=False, nextitem=None) if report.failed]
    for report in failed:
        print(report.nodeid, report.longreprtext[-2000:], sep="\n", flush=True)
    return not failed


def run_until_seen(number: str, tests: list[tuple[pytest.Item, float]], seconds: float) -> None:
    """The tests, each with its limit of seconds, until one fails or the time of all is over."""
    start_s, seen_by, ran = time.monotonic(), None, 0
    for item, most in tests:
        if time.monotonic() - start_s > seconds:
            break
        ran += 1
        try:
            with limit(most):
                passed = run(item)
        except Hangs:
            passed = False
        if not passed:
            seen_by = name_of(item)
            break
    write(fault=int(number), seen_by=seen_by, ran=ran, left=len(tests) - ran)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    os.environ.pop(VARIABLE, None)
    if "faults" in ORDERS:
        plant_in_models(session.items)
    elif "profiles" in ORDERS:
        profile(session.items)
    elif "proofs" in ORDERS:
        plant_in_sources(session.items)
    else:
        measure(session.items)
    return True


def measure(items: list[pytest.Item]) -> None:
    from ullnic_tb.runner import Bench

    tops = set()
    run_bench = Bench.run

    def noted(bench, *args, **kwargs):
        tops.add(bench.top)
        bench.build()
        noted.start_s = time.monotonic()
        return run_bench(bench, *args, **kwargs)

    Bench.run = noted
    for item in items:
        tops.clear()
        noted.start_s = time.monotonic()
        passed = run(item)
        if tops:  # others cannot see a fault of a model
            seconds = time.monotonic() - noted.start_s
            write(test=name_of(item), tops=sorted(tops), passed=passed, seconds=round(seconds, 3))


def profile(items: list[pytest.Item]) -> None:
    for number, item in enumerate(items):
        folder = Path(ORDERS["profiles"]) / str(number)
        folder.mkdir(parents=True)
        folder.chmod(0o777)  # programs of other users write there, too
        os.environ[PROFILE] = str(folder / PROFILE_NAME)
        start_s = time.monotonic()
        passed = run(item)
        write(test=name_of(item), profiles=str(folder), passed=passed, seconds=round(time.monotonic() - start_s, 3))


def plant_in_models(items: list[pytest.Item]) -> None:
    by_name = {name_of(item): item for item in items}
    for number, tests in ORDERS["faults"].items():
        os.environ[VARIABLE] = number
        run_until_seen(number, [(by_name[name], most) for name, most in tests], ORDERS["seconds"])


def plant_in_sources(items: list[pytest.Item]) -> None:
    import formal_run
    from ullnic_places import CORES

    for number, (source, text) in ORDERS["proofs"].items():
        proofs = [item for item in items if source in sources_of(item)]
        original = (CORES / source).read_text()
        (CORES / source).write_text(text)
        formal_run._text.cache_clear()
        run_until_seen(number, [(item, ORDERS["seconds"]) for item in proofs], float("inf"))
        (CORES / source).write_text(original)


def sources_of(item: pytest.Item) -> tuple[str, ...]:
    """Of a proof, without a fault that is planted in it."""
    params = getattr(getattr(item, "callspec", None), "params", {})
    return params["proof"].sources if "proof" in params and params.get("mutation") is None else ()


if __name__ == "__main__":
    sys.exit(pytest.main(sys.argv[1:], plugins=[sys.modules[__name__]]))
