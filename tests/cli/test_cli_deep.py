# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic test --deep`: a result is kept as long as nothing that it depends on has changed, and no longer."""

import pytest

from test_cli_testing import no_part_of_this_run, run_test
from ullnic.deep import digest
from ullnic.pytest_deep import RECORDS

TOY = """
import pytest
from pathlib import Path
HERE = Path(__file__).parent
def depends_on(name):
    return pytest.mark.deep(digest=(HERE / name).read_text)
def say(what):
    with open(HERE / "ran", "a") as file:
        print(what, file=file)
@pytest.fixture
def dear():
    say("fixture")
@depends_on("a")
def test_a(dear):
    say("a")
@depends_on("b")
def test_b():
    say("b")
    assert (HERE / "b").read_text() != "bad"
def test_plain():
    pass
"""


@pytest.fixture
def toy(ullnic, tmp_path, monkeypatch):
    """Runs it with options; returns how it ended, what it said, and what has run."""
    no_part_of_this_run(monkeypatch)
    for name in ("a", "b"):
        (tmp_path / name).write_text("first")

    def run(*options):
        (tmp_path / "ran").write_text("")
        done = run_test(ullnic, tmp_path, TOY, *options)
        return done.returncode, done.stdout, (tmp_path / "ran").read_text().split()

    return run


def test_a_result_is_kept_until_something_changes(toy, tmp_path):
    code, said, ran = toy()
    assert (code, ran) == (1, []) and "2 failed, 1 passed" in said
    assert "remedy: ./ullnic test --deep --stale -- " in said and "it has never passed" in said
    code, said, ran = toy("--deep")
    assert (code, ran) == (0, ["fixture", "a", "b"]) and "2 passed" in said
    code, said, ran = toy()
    assert (code, ran) == (0, []) and "3 passed" in said
    code, said, ran = toy("--deep", "--stale")
    assert (code, ran) == (0, []) and "the records of these deep tests are current" in said
    (tmp_path / "a").write_text("second")
    code, said, ran = toy()
    assert (code, ran) == (1, []) and "::test_a" in said and "1 failed, 2 passed" in said
    code, said, ran = toy("--deep", "--stale")
    assert (code, ran) == (0, ["fixture", "a"])
    assert toy()[0] == 0


def test_what_fails_is_not_recorded(toy, tmp_path):
    (tmp_path / "b").write_text("bad")
    assert toy("--deep")[0] == 1
    records = (tmp_path / RECORDS).read_text()
    assert "test_toy.py::test_a\n" in records and "test_b" not in records
    code, said, _ = toy()
    assert code == 1 and "1 failed, 2 passed" in said


def test_options_that_do_not_go_together(ullnic):
    for options in (["--stale"], ["--deep", "--sanitizers"], ["--deep", "--seeds", "2"]):
        refused = ullnic("test", *options)
        assert refused.returncode == 2 and "--deep" in refused.stderr


def test_a_file_that_is_gone_is_named():
    with pytest.raises(ValueError, match=r"depends on .*no/such/file.sv, which is not there"):
        digest(("no/such/file.sv",))
