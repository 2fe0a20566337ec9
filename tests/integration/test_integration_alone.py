# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A copied core, with cores/common beside it in a folder of another name, is complete: its tests and proofs run without
python/ullnic and write nothing into the copy.
"""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from modules import CORES
from ullnic.deep import deep
from ullnic.paths import BUILD, ROOT

# Files of unit tests and of proofs, and what is run of them: a test, a proof, a planted fault that it detects.
SLICES = {
    "macpcs": ("test_macpcs_prbs31_check", "test_macpcs_crossing_formal", "no_pattern-32 or tx_bridge] or taken_twice"),
    "ate": ("test_ate_counters", "test_ate_formal", "counters or window_fits] or no_pure_ack"),
    "toe": ("test_toe_events", "test_toe_fifo_formal", "events or fifo_ahead] or ends_early"),
    "qdma": ("test_qdma_write_arbiter", "test_qdma_formal", "arbiter[order] or first_one] or two_groups"),
}
COPY = "copied"  # not `cores`
PYTEST = ("-m", "pytest", "-c", "common/pytest_alone.ini")


@pytest.fixture
def copies(tmp_path) -> Path:
    folder = tmp_path / COPY
    copy("common", folder)
    # What Python finds before the project's package.
    (tmp_path / "ullnic.py").write_text("raise ImportError('a copied core imports ullnic')\n")
    return folder


def copy(core: str, folder: Path) -> None:
    shutil.copytree(CORES / core, folder / core, ignore=shutil.ignore_patterns("__pycache__"))


def files(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


def python(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess:
    """Python in the copies, which finds no package `ullnic`."""
    names = ("PATH", "CCACHE_DIR", "ULLNIC_VERILATOR")
    env = {name: os.environ[name] for name in names if name in os.environ}
    env |= {"HOME": str(folder.parent / "home"), "PYTHONPATH": str(folder.parent)} | variables
    argv = [sys.executable, "-B", *arguments]
    return subprocess.run(argv, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def sources(core: str) -> list[Path]:
    """What the tests and proofs of a copy read."""
    return [
        file
        for folder in ("common", core)
        for file in sorted((CORES / folder).rglob("*"))
        if file.suffix in (".py", ".sv", ".f", ".vlt", ".ini", ".toml", ".rdl")
    ]


@pytest.mark.parametrize("core", [pytest.param(core, marks=deep(__file__, partial(sources, core))) for core in SLICES])
def test_runs_its_tests_and_proofs(copies, core):
    copy(core, copies)
    before = files(copies)
    test, proof, chosen = SLICES[core]
    argv = [*PYTEST, "-rA", "-k", chosen, f"{core}/tb/{test}.py", f"{core}/formal/{proof}.py"]
    # The simulator is the one of the project's tests: to build another takes 15 s.
    done = python(copies, *argv, ULLNIC_BUILD=str(BUILD))
    assert done.returncode == 0, done.stdout[-3000:]
    assert done.stdout.count("\nPASSED") >= 3, done.stdout
    assert files(copies) == before


def test_writes_below_common_unless_told_otherwise(copies):
    said = python(copies / "common" / "tb", "-c", "import ullnic_places; print(ullnic_places.BUILD)").stdout
    assert said == f"{copies / 'common' / 'build'}\n"


def test_the_tests_of_ate_that_need_the_mac_are_left_out_by_name(copies):
    copy("ate", copies)
    said = python(copies, *PYTEST, "--collect-only", "ate/tb").stdout
    assert "are left out: test_ate_ends.py, " in said and "error" not in said and "test_ate_counters" in said


def imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_no_core_imports_ullnic():
    """Except for the marks whose results the project keeps, which a copy does without."""
    found = [
        str(file.relative_to(ROOT))
        for file in sorted(CORES.rglob("*.py"))
        if any(name.partition(".")[0] == "ullnic" for name in imports(file))
    ]
    assert found == ["cores/common/tb/ullnic_tb/records.py"]
