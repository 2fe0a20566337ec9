# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic test` and .ci/run pass on pytest's result, and untested runs do not pass."""

import os
import re
import shutil

import pytest

from cli_call import run
from ullnic import testing
from ullnic.paths import ROOT

COUNT = re.compile(r"^=+ .*\d+ (passed|failed).* in [\d.]+s.*=+$")
PASSES, FAILS = "def test_it():\n    assert True\n", "def test_it():\n    assert False\n"
SLOW = "import pytest\n@pytest.mark.slow\ndef test_it():\n    assert False\n"


def run_test(ullnic, tmp_path, text, *options):
    (tmp_path / "test_toy.py").write_text(text)
    return ullnic("test", "--workers", "1", *options, "--", tmp_path / "test_toy.py", "-c", ROOT / "pyproject.toml",
                  timeout_s=800)  # fmt: skip


def no_part_of_this_run(monkeypatch):
    """Processes started here do not belong to the run of this test."""
    for name in [name for name in os.environ if name.startswith("PYTEST_XDIST")]:
        monkeypatch.delenv(name)


def test_pass_ends_with_the_count(ullnic, tmp_path):
    done = run_test(ullnic, tmp_path, PASSES)
    assert done.returncode == 0, done.stdout + done.stderr
    assert COUNT.match(done.stdout.splitlines()[-1]) and "1 passed" in done.stdout.splitlines()[-1]


def test_failure_is_a_failure(ullnic, tmp_path):
    done = run_test(ullnic, tmp_path, FAILS)
    assert done.returncode == 1
    assert "1 failed" in done.stdout.splitlines()[-1]


def test_file_that_cannot_be_read_is_a_failure(ullnic, tmp_path):
    done = run_test(ullnic, tmp_path, "import no_such_module\n")
    assert done.returncode not in (0, 130)
    assert "no_such_module" in done.stdout and "1 error" in done.stdout.splitlines()[-1]


def test_fast_leaves_slow_tests_out_and_says_if_nothing_is_left(ullnic, tmp_path):
    assert run_test(ullnic, tmp_path, SLOW).returncode == 1
    done = run_test(ullnic, tmp_path, SLOW, "--fast")
    assert done.returncode == 1
    assert "error: no test matches" in done.stderr and "remedy:" in done.stderr


def test_expression_selects(ullnic, tmp_path):
    both = PASSES + "def test_other():\n    assert False\n"
    assert run_test(ullnic, tmp_path, both, "-k", "test_it").returncode == 0
    assert run_test(ullnic, tmp_path, both, "-k", "other").returncode == 1


@pytest.mark.parametrize(
    "test_line, test_code, lint_code, expected_code, last_line",
    [
        ("=== 3 passed in 1.20s ===", 0, 0, 0, "=== 3 passed in 1.20s ==="),
        ("=== 3 passed in 61.20s (0:01:01) ===", 0, 1, 1, "=== 3 passed in 61.20s (0:01:01) ==="),
        ("=== 1 failed, 2 passed in 1.20s ===", 1, 0, 1, "=== 1 failed, 2 passed in 1.20s ==="),
        ("=== no tests ran in 0.01s ===", 5, 0, 1, "0 passed, 1 failed (no test ran)"),
        ("error: building the simulation failed", 1, 0, 1, "0 passed, 1 failed (no test ran)"),
        ("", 0, 0, 1, "0 passed, 1 failed (no test ran)"),
    ],
)
def test_ci(tmp_path, test_line, test_code, lint_code, expected_code, last_line):
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    stand_in = tmp_path / "ullnic"  # its output and exit code are this test's input
    stand_in.write_text(
        f'#!/bin/sh\nif [ "$1" = test ]; then echo "{test_line}"; exit {test_code}; fi\necho linted\nexit {lint_code}\n'
    )
    stand_in.chmod(0o755)
    done = run(tmp_path / ".ci" / "run", cwd="/")
    assert "linted" in done.stdout
    assert (done.returncode, done.stdout.splitlines()[-1]) == (expected_code, last_line)


def test_the_first_run_compiles_all_test_files_once(tmp_path, monkeypatch):
    """The workers find the compiled files; later runs skip this step."""
    file = tmp_path / "tests" / "part" / "test_toy.py"
    file.parent.mkdir(parents=True)
    file.write_text(PASSES)
    monkeypatch.setattr(testing, "ROOT", tmp_path)
    with testing.compiling_test_files():
        pass
    assert len(list(file.parent.glob("__pycache__/test_toy.*-pytest-*.pyc"))) == 1
    monkeypatch.setattr(testing.subprocess, "Popen", None)
    with testing.compiling_test_files():
        pass
