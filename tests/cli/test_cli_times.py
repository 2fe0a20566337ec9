# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests cost, parts that take about the same time, and the first tests of each file."""

import json

import pytest

from ullnic import pytest_times
from ullnic.budget import tomllib
from ullnic.paths import ROOT

TOY = """
import pytest
@pytest.mark.slow
def test_slow():
    pass
def test_a():
    pass
def test_b():
    pass
"""


def run_toys(ullnic, tmp_path, *options) -> set[str]:
    """The tests that passed, of three files."""
    for name in "xyz":
        (tmp_path / f"test_{name}.py").write_text(TOY)
    done = ullnic("test", "--workers", "1", *options, "--", tmp_path, "-c", ROOT / "pyproject.toml", "-v",
                  timeout_s=800)  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    passed = [line.split()[0].rpartition("/")[2] for line in done.stdout.splitlines() if " PASSED" in line]
    assert len(passed) == len(set(passed))
    return set(passed)


def test_fast_takes_the_first_of_each_file_that_is_not_slow(ullnic, tmp_path):
    assert run_toys(ullnic, tmp_path, "--fast") == {f"test_{name}.py::test_a" for name in "xyz"}


def test_shards_are_all_tests_each_once(ullnic, tmp_path):
    parts = [run_toys(ullnic, tmp_path, "--shard", f"{number}/2") for number in (1, 2)]
    assert parts[0] and parts[1] and not parts[0] & parts[1]
    assert parts[0] | parts[1] == run_toys(ullnic, tmp_path)


@pytest.mark.parametrize("wrong", ["0/2", "3/2", "1", "1/0", "a/b", "-1/2", ""])
def test_wrong_shards_are_refused(ullnic, wrong):
    done = ullnic("test", "--shard", wrong)
    assert done.returncode == 2
    assert f"'{wrong}' is not K/N" in done.stderr


def test_times_are_recorded_of_whole_runs_only(ullnic):
    done = ullnic("test", "--record-times", "--fast")
    assert done.returncode == 2 and "whole run" in done.stderr


@pytest.mark.parametrize("of", [1, 2, 3, 7])
def test_shards_take_about_the_same_time(of):
    seconds = pytest_times.recorded()
    files = list(seconds)
    parts = [pytest_times.files_of_shard(number, of, seconds, files) for number in range(1, of + 1)]
    assert sorted(file for part in parts for file in part) == sorted(files)
    cost = [sum(seconds[file] for file in part) for part in parts]
    assert max(cost) - min(cost) <= max(seconds.values())


def test_a_new_file_has_a_shard():
    parts = [pytest_times.files_of_shard(number, 2, {"a": 5.0, "b": 1.0}, ["a", "b", "new"]) for number in (1, 2)]
    assert sorted(file for part in parts for file in part) == ["a", "b", "new"]


def test_costs_name_what_is_over_its_budget():
    files = {"cores/toe/tb/test_x.py": 30.0, "cores/toe/formal/test_y.py": 15.0, "host/tests/sockets/test_z.py": 2.0,
             "tests/new/test_n.py": 1.0}  # fmt: skip
    tests = {f"{file}::test": seconds for file, seconds in files.items()}
    said = pytest_times.costs(files, tests, {"cores/toe": 40, "host/tests/sockets": 5})
    by_area = {line.split()[0]: line for line in said if line}
    assert by_area["cores/toe"].split()[1:3] == ["45", "40"] and by_area["cores/toe"].endswith("over its budget")
    assert by_area["host/tests/sockets"].split()[1:] == ["2", "5"]
    assert "no budget" in by_area["tests/new"]
    assert [line.split()[1] for line in said[-4:]] == [f"{file}::test" for file in files]


def test_what_a_run_cost_is_kept_beside_that_of_other_files(tmp_path, monkeypatch):
    monkeypatch.setattr(pytest_times, "LAST", tmp_path / "build" / "times.json")
    pytest_times.keep({"a": 1.0, "b": 2.0})
    pytest_times.keep({"b": 3.0})
    assert json.loads(pytest_times.LAST.read_text()) == {"a": 1.0, "b": 3.0}
    monkeypatch.setattr(pytest_times, "RECORDED", tmp_path / "times.toml")
    pytest_times.record()
    assert pytest_times.recorded() == {"a": 1.0, "b": 3.0}


def test_every_area_has_a_budget_and_every_recorded_file_is_there():
    areas = {pytest_times.area_of(str(path.relative_to(ROOT))) for folder in ("cores", "cards", "host/tests", "tests")
             for path in (ROOT / folder).rglob("test_*.py")}  # fmt: skip
    assert areas == set(tomllib.loads(pytest_times.BUDGET.read_text())["seconds"])
    assert [file for file in pytest_times.recorded() if not (ROOT / file).exists()] == []
