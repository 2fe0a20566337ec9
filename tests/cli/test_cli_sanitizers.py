# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic test --sanitizers`: its programs detect faults, and it passes only if each of its runs does."""

import json
import subprocess
import sys

import pytest

from ullnic.errors import UllnicError
from ullnic.paths import ROOT
from ullnic.sanitizers import RUNS, run_sanitizers
from ullnic.toolchain import tool_env, which

PROJECT = f"""
cmake_minimum_required(VERSION 3.22)
project(faulty C)
set(CMAKE_BUILD_TYPE Release)
include({ROOT}/cmake/Hardening.cmake)
find_package(Threads REQUIRED)
add_executable(faulty faulty.c)
target_link_libraries(faulty PRIVATE Threads::Threads)
"""
OVERRUN = "#include <stdlib.h>\nint main(int n, char** a) { char* p = malloc(n); (void)a; return p[n]; }\n"
LEAK = "#include <stdlib.h>\nint main(void) { volatile char* p = malloc(9); p[1] = 1; p = 0; return p != 0; }\n"
OVERFLOW = "#include <limits.h>\nint main(int n, char** a) { (void)a; return (INT_MAX - 1 + n + n) == 0; }\n"
RACE = """
#include <pthread.h>
static int shared;
static void* add(void* none) { shared++; return none; }
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, add, 0);
  add(0);
  return pthread_join(other, 0);
}
"""


@pytest.mark.parametrize(
    "sanitizers, source, finding",
    [
        ("address,undefined", OVERRUN, "heap-buffer-overflow"),
        ("address,undefined", LEAK, "detected memory leaks"),
        ("address,undefined", OVERFLOW, "signed integer overflow"),
        ("thread", RACE, "data race"),
    ],
    ids=["overrun", "leak", "overflow", "race"],
)
def test_a_fault_ends_its_program(tmp_path, sanitizers, source, finding):
    assert sanitizers in [run.sanitizers for run in RUNS]
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    (tmp_path / "faulty.c").write_text(source)
    configure = [which("cmake"), "-S", tmp_path, "-B", tmp_path / "build", "-G", "Ninja"]
    subprocess.run([*configure, f"-DULLNIC_SANITIZE={sanitizers}"], check=True, capture_output=True, env=tool_env())
    subprocess.run([which("ninja"), "-C", tmp_path / "build"], check=True, capture_output=True, env=tool_env())
    ended = subprocess.run([tmp_path / "build" / "faulty"], capture_output=True, text=True)
    assert ended.returncode != 0 and finding in ended.stderr, ended.stderr


# Replaces pytest: records how it was called, and ends with the wanted code.
CALL = "import json, os, sys; print(json.dumps([os.environ['ULLNIC_SANITIZED'], sys.argv[2:]])); sys.exit({code})"


def called(capfd, code: str, *arguments: str) -> tuple[int, list]:
    """The result and the recorded calls."""
    done = run_sanitizers([sys.executable, "-I", "-c", CALL.format(code=code), "call"], arguments, tool_env())
    return done, [json.loads(line) for line in capfd.readouterr().out.splitlines() if line.startswith("[")]


def test_every_run_is_made_and_one_failure_is_enough(capfd):
    everything = [[run.sanitizers, list(run.paths)] for run in RUNS]
    assert called(capfd, "0") == (0, everything)
    for run in RUNS:
        assert called(capfd, f"os.environ['ULLNIC_SANITIZED'] == {run.sanitizers!r}") == (1, everything)
    paths = ["tests/host/test_host_ctest.py", "-x"]
    assert called(capfd, "0", *paths) == (0, [[run.sanitizers, paths] for run in RUNS])


def test_nothing_tested_is_an_error():
    with pytest.raises(UllnicError, match="nothing was tested"):
        run_sanitizers([sys.executable, "-I", "-c", "import sys; sys.exit(5)"], [], tool_env())


def test_the_paths_are_there():
    assert all((ROOT / path).exists() for run in RUNS for path in run.paths)
