# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""pytest with a plugin: the models of benches have counters, and what they count in all tests is added up.

ULLNIC_COVERAGE names the file of the results: a line of JSON for each test, and one for each point at the end. Deep
tests are left out, but with ULLNIC_COVERAGE_KEPT=1 not those that are deep only for their parameters (`kept`).
"""

import json
import os
import sys
from collections import Counter
from dataclasses import astuple
from pathlib import Path

import pytest

from ullnic.coverage.at_end import FILE
from ullnic.coverage.points import parsed

HERE = Path(__file__).resolve().parent
ENTRY = "server:end_with_cocotb"
COUNTS: Counter = Counter()


def write(*lines: dict) -> None:
    with open(os.environ["ULLNIC_COVERAGE"], "a") as output:
        output.writelines(f"{json.dumps(line)}\n" for line in lines)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    with_kept = os.environ["ULLNIC_COVERAGE_KEPT"] == "1"
    deep = {item: mark for item in items if (mark := item.get_closest_marker("deep"))}
    items[:] = [item for item in items if item not in deep or with_kept and deep[item].kwargs.get("any_seed")]


def pytest_collection_finish() -> None:
    """The benches' conftest.py has made ullnic_tb known."""
    from ullnic_tb import models, simulator

    models.VERILATOR_ARGS += ["--coverage-line", "--coverage-expr"]
    models.CXX_ARGS[models.CXX_ARGS.index("-DVM_COVERAGE=0")] = "-DVM_COVERAGE=1"
    models.RUNTIME += ("verilated_cov", str(HERE / "write"))
    simulator.ENTRIES = tuple(
        "ullnic.coverage.at_end:end_with_cocotb" if entry.endswith(ENTRY) else entry for entry in simulator.ENTRIES
    )
    run = simulator.Simulator.run

    def counted(self, model: Path, start_seed: int, log: Path, env: dict[str, str]) -> int:
        code = run(self, model, start_seed, log, env)
        file = log.with_name(FILE)
        if file.exists():
            COUNTS.update(parsed(file.read_text()))
            file.unlink()
        return code

    simulator.Simulator.run = counted


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed or report.when == "call":
        write({"test": report.nodeid, "passed": report.passed})


def pytest_sessionfinish() -> None:
    write(*({"point": astuple(point), "count": count} for point, count in COUNTS.items()))


if __name__ == "__main__":
    sys.exit(pytest.main(sys.argv[1:], plugins=[sys.modules[__name__]]))
