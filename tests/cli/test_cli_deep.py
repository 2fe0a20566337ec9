# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic test --deep`: a result is kept as long as nothing that it depends on has changed, and no longer."""

import pytest

from running_tests import running_tests
from test_cli_testing import no_part_of_this_run, run_test
from ullnic.deep import digest, hardware, imported
from ullnic.paths import ROOT
from ullnic.pytest_deep import RECORDS

TOY = """
import pytest
from pathlib import Path
HERE = Path(__file__).parent
def depends_on(name, **more):
    return pytest.mark.deep(digest=(HERE / name).read_text, **more)
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

    def run(*options, more=""):
        (tmp_path / "ran").write_text("")
        done = run_test(ullnic, tmp_path, TOY + more, *options)
        return done.returncode, done.stdout, (tmp_path / "ran").read_text().split()

    return run


@running_tests(__file__)
def test_a_result_is_kept_until_something_changes(toy, tmp_path):
    code, said, ran = toy()
    assert (code, ran) == (1, []) and "2 failed, 1 passed" in said
    failures = said.split(" short test summary info ")[0]  # the summary repeats them whole if CI is set
    assert failures.count("it has never passed") == 2 and said.count("remedy: ./ullnic test --deep --stale -- ") == 1
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


@running_tests(__file__)
def test_what_fails_is_not_recorded(toy, tmp_path):
    (tmp_path / "b").write_text("bad")
    assert toy("--deep")[0] == 1
    records = (tmp_path / RECORDS).read_text()
    assert "test_toy.py::test_a\n" in records and "test_b" not in records
    code, said, _ = toy()
    assert code == 1 and "1 failed, 2 passed" in said


DRAWS = """
@depends_on("a", any_seed=True)
def test_draws(seed):
    say(seed)
@depends_on("b")
def test_draws_from_its_own(seed):
    say("never")
"""


@running_tests(__file__)
def test_what_draws_from_the_run_s_seed_runs_with_many(toy, tmp_path, monkeypatch):
    monkeypatch.setenv("ULLNIC_SEED", "5")
    code, said, ran = toy("--deep", more=DRAWS)
    assert (code, ran) == (0, ["fixture", "a", "b", "5", "never"])
    code, said, ran = toy("--seeds", "2", more=DRAWS)
    assert (code, ran) == (0, ["5", "6"]), said
    code, said, ran = toy(more=DRAWS)
    assert (code, ran) == (0, [])


def test_a_bench_depends_on_what_it_imports_and_on_the_modules_below():
    bench = ROOT / "cores/toe/tb"
    found = imported(str(bench / "test_toe_sack.py"))
    assert {bench / "test_toe_sack.py", bench / "toe_wire.py", ROOT / "cores/common/tb/ullnic_tb/runner.py"} <= {*found}
    assert bench / "test_toe_arp.py" not in found
    assert bench / "test_toe_tx_races.py" in imported(str(bench / "test_toe_tx_outside.py"))  # run by its name
    of_trigger = imported(str(ROOT / "cards/stac_t0/tb/test_stac_t0_logic.py"))
    assert ROOT / "cards/trigger/tb/order_play.py" in of_trigger
    made_of = {*hardware(bench.parent)}
    assert {ROOT / "cores/toe/rtl", ROOT / "cores/toe/regs/generated", bench / "toe_hash_bench.sv"} <= made_of
    assert not any(folder.match("toe/regs") for folder in made_of), "a description of a register"


def test_options_that_do_not_go_together(ullnic):
    for options in (["--stale"], ["--deep", "--sanitizers"], ["--deep", "--seeds", "2"]):
        refused = ullnic("test", *options)
        assert refused.returncode == 2 and "--deep" in refused.stderr


def test_a_file_that_is_gone_is_named():
    with pytest.raises(ValueError, match=r"depends on .*no/such/file.sv, which is not there"):
        digest(("no/such/file.sv",))
