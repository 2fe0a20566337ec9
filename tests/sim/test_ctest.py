# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The C++ tests of the virtual card runtime, one pytest item for each test program."""

import re
import subprocess

import pytest

from ullnic.build import DIRECTORY, build_sim
from ullnic.configs import NAMES
from ullnic.paths import ROOT

LIST = (ROOT / "sim/tests/CMakeLists.txt").read_text()
PROGRAMS = re.findall(r"^ullnic_test\((\w+)", LIST, re.MULTILINE)


def test_each_source_is_in_one_of_them():
    sources = (ROOT / "sim/tests").glob("*_test.cc")
    listed = re.findall(r"^  (?:SOURCES )?(\w+_test)\)?$", LIST, re.MULTILINE)
    assert sorted(listed) == sorted(path.stem for path in sources)


def test_every_configuration_is_built():
    build_sim(progress=False, targets=("all",))
    built = {path.stem for path in (DIRECTORY / "cards").glob("*.so")}
    assert built >= set(NAMES)


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program, seed):
    build_sim(progress=False, targets=("all",))
    command = ["ctest", "--test-dir", str(DIRECTORY), "--output-on-failure", "-R", rf"^{program}\."]
    done = subprocess.run(command, capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    passed = re.search(r"100% tests passed, 0 tests failed out of (\d+)", done.stdout)
    assert passed and int(passed[1]) > 0, done.stdout
