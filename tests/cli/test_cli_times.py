# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Times of tests: they are recorded and shown, select a fast run's tests, and divide them among shards."""

import pytest

from test_cli_testing import no_part_of_this_run, run_test
from ullnic import pytest_times
from ullnic.paths import ROOT
from ullnic.pytest_times import (
    FAST,
    LITTLE,
    TOO_DEAR,
    beside_budget,
    interleaved,
    parsed,
    part_of,
    quickest,
    recorded,
    shard,
)

TESTS = [f"tests/toy/test_{file}.py::test_{number}" for file in "abcde" for number in range(20)]


@pytest.fixture
def times(monkeypatch):
    """As if these times had been recorded."""
    found = {}
    monkeypatch.setattr(pytest_times, "recorded", lambda: found)
    return found


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_every_test_is_in_one_shard_and_files_stay_whole(times, count):
    times |= {"tests/toy/test_a.py::test_0": 30.0, "tests/toy/test_b.py::test_1": 29.0}
    shards = [shard(TESTS, which, count) for which in range(1, count + 1)]
    assert sorted(test for part in shards for test in part) == sorted(TESTS)
    files = [{test.partition("::")[0] for test in part} for part in shards]
    assert sum(map(len, files)) == 5
    assert count == 1 or not {"tests/toy/test_a.py", "tests/toy/test_b.py"} <= files[0], "both dear files in one shard"


def test_of_the_project_shards_are_balanced():
    tests = recorded()
    parts = [sum(map(tests.get, shard(tests, which, 3))) for which in (1, 2, 3)]
    assert len(tests) > 1000 and max(parts) < 1.05 * min(parts)


def test_a_fast_run_has_the_quickest_of_each_file(times):
    slow, dear = "tests/toy/test_a.py::test_3", "tests/toy/test_z.py::test_0"
    times |= {slow: FAST + 1, dear: TOO_DEAR}
    chosen = quickest([*TESTS, dear])
    assert {test.partition("::")[0] for test in chosen} == {f"tests/toy/test_{file}.py" for file in "abcde"}
    assert not {slow, dear} & chosen
    assert 5 * (FAST / LITTLE - 1) < len(chosen) <= 5 * (FAST / LITTLE + 1)
    assert quickest([slow]) == {slow}, "one of each file, although it takes longer"
    kept = {test for test in TESTS if "test_a.py" in test or test.endswith("_0")}
    chosen = quickest(TESTS, kept)
    assert {test.partition("::")[0] for test in chosen & kept} == {"tests/toy/test_a.py"}, "a file with nothing else"
    assert {test.partition("::")[0] for test in chosen - kept} == {f"tests/toy/test_{file}.py" for file in "bcde"}


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "1/0", "-1/2", "a/b", "1/2/3"])
def test_no_shard_is_refused(text):
    with pytest.raises(ValueError, match="K/N"):
        parsed(text)


def test_the_command_refuses_it_before_it_builds(ullnic):
    done = ullnic("test", "--shard", "3/2")
    assert done.returncode == 2 and "3/2" in done.stderr and "K/N" in done.stderr


def test_the_command_runs_one_shard(ullnic, tmp_path, monkeypatch):
    no_part_of_this_run(monkeypatch)
    counts = [run_test(ullnic, tmp_path, "def test_it():\n    pass\n", "--shard", f"{k}/2") for k in (1, 2)]
    assert sorted("1 passed" in done.stdout for done in counts) == [False, True]


def test_what_waits_is_spread_over_the_run(monkeypatch):
    """A third of each kind's seconds in each third of the run, files whole and in order."""
    busy = [f"cores/toe/tb/test_{n}.py::test[{case}]" for n in range(3) for case in "ab"]
    waits = [f"tests/live/test_{n}.py::test" for n in range(6)]
    monkeypatch.setattr(pytest_times, "recorded", lambda: dict.fromkeys(busy + waits, 1.0))
    order = interleaved(busy + waits)
    assert [test for test in order if test in busy] == busy and [test for test in order if test in waits] == waits
    for third in range(3):
        assert {*order[4 * third : 4 * third + 4]} == {*busy[2 * third :][:2], *waits[2 * third :][:2]}


def test_parts_that_wait_are_there():
    assert pytest_times.waiting_parts() <= {part_of(test) for test in recorded()}


def test_parts_stand_beside_their_budget(monkeypatch, tmp_path):
    budget = tmp_path / "tests" / "budget.toml"
    budget.parent.mkdir()
    budget.write_text('[seconds]\n"tests/toy" = 10\n"cores/toe" = 10\n')
    monkeypatch.setattr(pytest_times, "BUDGET", budget)
    monkeypatch.setattr(pytest_times, "ROOT", tmp_path)
    took = {TESTS[0]: 6.0, TESTS[-1]: 5.0, "cores/toe/tb/test_x.py::y": 9.0, "cores/new/tb/test_x.py::y": 1.0}
    first, second, third = beside_budget(took)
    assert "11.0" in first and "of 10" in first and "tests/toy  over" in first
    assert "9.0" in second and "over" not in second
    assert "no budget in tests/budget.toml" in third


def test_every_part_has_a_budget():
    """A new card's tests need not be recorded yet."""
    parts = {part_of(test) for test in recorded()}
    unrecorded = pytest_times.budgets().keys() - parts
    assert parts <= pytest_times.budgets().keys() and all((ROOT / part / "card.toml").exists() for part in unrecorded)
