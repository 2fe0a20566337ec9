# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic test --sanitizers`: repeats the tests of C and C++ on programs built with sanitizers.

Programs and libraries are built in build/sanitize/, the Verilated models plain: their code is Verilator's. Two runs,
because a program can have only one kind: AddressSanitizer (with leaks) and UBSan in all tests that run C or C++, then
ThreadSanitizer in those where several threads run our code. Any finding ends its program, and so fails its test.
"""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from ullnic.errors import UllnicError
from ullnic.paths import ROOT

VARIABLE = "ULLNIC_SANITIZED"  # which sanitizers the programs have, for build.py and the tests


@dataclass(frozen=True)
class Run:
    sanitizers: str  # as for -fsanitize
    paths: tuple[str, ...]


RUNS = (
    Run(
        "address,undefined",
        ("tests/host/test_host_ctest.py", "tests/sim/test_ctest.py", "host/tests/sockets", "host/tests/exanic"),
    ),
    # libullnic's calls of many threads, libexanic's thread that writes rings, the servers of the virtual card.
    Run("thread", ("tests/host/test_host_ctest.py", "tests/sim/test_ctest.py")),
)
OPTIONS = {
    "ASAN_OPTIONS": "detect_stack_use_after_return=1:strict_string_checks=1:check_initialization_order=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "TSAN_OPTIONS": "second_deadlock_stack=1",
}


def run_sanitizers(pytest: Sequence[str], arguments: Sequence[str], env: dict[str, str]) -> int:
    """Runs pytest once for each of RUNS; returns the exit code of the first failed run.

    `arguments`: the user's own for pytest; paths among them replace the usual ones.
    """
    own_paths = [each for each in arguments if (ROOT / each.split("::")[0]).exists()]
    failed = 0
    for run in RUNS:
        print(f"with -fsanitize={run.sanitizers}", flush=True)
        paths = [] if own_paths else run.paths
        settings = OPTIONS | {VARIABLE: run.sanitizers, "ULLNIC_HOST_BUILD": "", "ULLNIC_SIM_BIN": ""}
        code = subprocess.run([*pytest, *arguments, *paths], cwd=ROOT, env=env | settings).returncode
        if code == 5:
            raise UllnicError("no test matches, so nothing was tested", "look at -k and the paths given")
        failed = failed or code
    return failed


def sanitizers() -> str:
    """The sanitizers of the programs that this process builds and runs; empty: none."""
    return os.environ.get(VARIABLE, "")
