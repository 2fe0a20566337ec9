# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The C++ tests of libullnic, one pytest item for each test program."""

import re
import subprocess

import pytest

from ullnic.build import build_host
from ullnic.paths import ROOT
from ullnic.sanitizers import sanitizers

LIST = (ROOT / "host/tests/libullnic/CMakeLists.txt").read_text()
AT_ONCE = 5  # of a program's tests, which mostly wait
PROGRAMS = re.findall(r"^libullnic_test\((\w+)", LIST, re.MULTILINE)
if not sanitizers():
    PROGRAMS += ["libullnic_install"]


def test_there_are_programs():
    assert len(PROGRAMS) >= 5


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program, seed):
    directory = build_host(progress=False, targets=("all", "libullnic-tests"))
    command = ["ctest", "--test-dir", str(directory), "--output-on-failure", "--parallel", str(AT_ONCE)]
    command += ["-R", rf"^{program}(\.|$)"]
    done = subprocess.run(command, capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    passed = re.search(r"100% tests passed, 0 tests failed out of (\d+)", done.stdout)
    assert passed and int(passed[1]) > 0, done.stdout
