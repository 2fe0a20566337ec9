# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic test --seeds` runs all random tests and no others; each repeats from its printed seed."""

import ast
import re
import sys
from types import ModuleType

import pytest

from cli_call import run
from running_tests import running_tests
from test_cli_testing import no_part_of_this_run, run_test
from ullnic.paths import ROOT
from ullnic.pytest_seed import draws
from ullnic.toolchain import tool_env

RANDOM = """
def test_it(seed):
    assert seed % 3 != {bad}
def test_other(seed):
    assert seed >= 0
def test_plain():
    open({count!r}, "a").close()
"""
UNMARKED = """
def test_it():
    print("seed 5 (repeat with ULLNIC_SEED=5)")
"""
# Python's generators without a seed, or with one from the system.
UNSEEDED = {"SystemRandom", "urandom", "token_bytes", "token_hex", "uuid4", "default_rng"}
FOLDERS = ("cores/*/tb", "cards/*/tb", "tests/*", "host/tests/*")
SEEDS_OF_ITS_OWN = re.compile(r"random_device|\bsrand\(|\brand\(|default_random_engine|Rng \w+\(\d+\)|\.seed = \d")
DRAWS_THE_SEED = {"sim/tests/test_support.h", "host/tests/libullnic/card_process.cc"}


@pytest.fixture
def seeds(ullnic, tmp_path, monkeypatch):
    """Runs a toy test with three seeds, starting with 7."""
    monkeypatch.setenv("ULLNIC_SEED", "7")
    no_part_of_this_run(monkeypatch)
    return lambda text, *options: run_test(ullnic, tmp_path, text, "--seeds", "3", *options)


@running_tests(__file__)
def test_each_seed_is_tried_and_a_failure_is_repeated(seeds, tmp_path, monkeypatch):
    text = RANDOM.format(bad=2, count=str(tmp_path / "count"))  # 8
    done = seeds(text)
    said = done.stdout.splitlines()
    assert done.returncode == 1, done.stdout + done.stderr
    assert said[0] == "3 seeds from 7 on (repeat with ULLNIC_SEED=7)"
    assert said[-1].startswith("2 random tests, 3 seeds from 7 on, 6 runs, 1 failed")
    assert not (tmp_path / "count").exists(), "a test that draws nothing has run"
    [repeat] = [line for line in said if "./ullnic test" in line]
    assert re.match(r"  ULLNIC_SEED=8 \./ullnic test -- \S*::test_it$", repeat)
    for seed, code in ((8, 1), (9, 0)):
        monkeypatch.setenv("ULLNIC_SEED", str(seed))
        argv = [ROOT / ".venv/bin/python", "-m", "pytest", "-c", ROOT / "pyproject.toml", tmp_path / "test_toy.py"]
        done = run(*argv, **tool_env())
        assert done.returncode == code and f"repeat with ULLNIC_SEED={seed}" in done.stdout


@running_tests(__file__)
def test_all_good(seeds, tmp_path):
    done = seeds(RANDOM.format(bad=3, count=str(tmp_path / "count")), "-k", "it or other")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "2 random tests, 3 seeds from 7 on, 6 runs, none failed"


def test_no_random_test_is_an_error(seeds):
    done = seeds("def test_it():\n    pass\n")
    assert done.returncode == 1
    assert "error: no random test matches" in done.stderr and "remedy:" in done.stderr


def test_output_that_is_not_captured_is_an_error(seeds, monkeypatch):
    monkeypatch.setenv("PYTEST_ADDOPTS", "-s")
    done = seeds("def test_it(seed):\n    pass\n")
    assert done.returncode == 1 and "leave -s out" in done.stderr


def test_file_that_cannot_be_read_is_an_error(seeds):
    done = seeds("import no_such_module\n")
    assert done.returncode == 1 and "no_such_module" in done.stderr and "remedy:" in done.stderr


def test_a_test_that_draws_by_itself_is_seen(ullnic, tmp_path):
    """The next such test cannot be left out of --seeds silently."""
    done = run_test(ullnic, tmp_path, UNMARKED)
    assert done.returncode == 1 and "its seed is not the run's" in done.stdout


def test_a_bench_that_draws_is_found_through_its_helpers(monkeypatch):
    def module(name: str, file: str, **names) -> ModuleType:
        made = ModuleType(name)
        vars(made).update(names, __file__=f"{ROOT}/{file}")
        monkeypatch.setitem(sys.modules, name, made)
        return made

    class Bed: ...

    Bed.__module__ = "helper_of_helper"
    module("helper_of_helper", "cores/toy/tb/helper_of_helper.py", seeded=print)
    helper = module("helper", "cores/toy/tb/helper.py", Bed=Bed)
    assert draws(module("test_toy", "cores/toy/tb/test_toy.py", any_name=helper))
    assert draws(module("test_itself", "cores/toy/tb/test_itself.py", seeded=print))
    assert not draws(module("test_plain", "cores/toy/tb/test_plain.py", rtl=run))
    module("helper_of_helper", ".venv/lib/helper_of_helper.py", seeded=print)
    assert not draws(module("test_of_others", "cores/toy/tb/test_of_others.py", Bed=Bed))


def test_every_source_of_chance_is_the_seed():
    """In the tests' sources: no test draws from the system, or from a seed of its own."""
    found = []
    for folder in FOLDERS:
        for path in sorted(ROOT.glob(f"{folder}/**/*.py")):
            calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
            found += [f"{path.relative_to(ROOT)}:{call.lineno}" for call in calls if own_chance(call)]
    for folder in ("sim/tests", "host/tests"):
        for path in sorted([*ROOT.glob(f"{folder}/**/*.cc"), *ROOT.glob(f"{folder}/**/*.h")]):
            lines = enumerate(path.read_text().splitlines(), 1)
            if (name := str(path.relative_to(ROOT))) not in DRAWS_THE_SEED:
                found += [f"{name}:{number}" for number, line in lines if SEEDS_OF_ITS_OWN.search(line)]
    assert found == ["cores/common/tb/ullnic_tb/seed.py:11"]  # which draws the seed


def own_chance(call: ast.Call) -> bool:
    name = getattr(call.func, "attr", getattr(call.func, "id", None))
    module = getattr(getattr(call.func, "value", None), "id", None)
    if name in UNSEEDED:
        return not call.args or name != "default_rng"
    fixed = all(isinstance(argument, ast.Constant) for argument in call.args)
    return module == "random" and (name != "Random" or fixed)


@pytest.mark.parametrize("text", ["random.random()", "random.Random(5)", "random.Random()", "np.random.default_rng()"])
def test_a_source_of_its_own_is_seen(text):
    assert own_chance(ast.parse(text).body[0].value)
    assert not own_chance(ast.parse("random.Random(seed)").body[0].value)
