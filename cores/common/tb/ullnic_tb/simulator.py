# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The simulator that a pytest process keeps: it starts with the first test and forks for each (server.py)."""

import atexit
import json
import os
import subprocess
import sys
from pathlib import Path

from ullnic_tb.models import BUILD, make_simulator

HERE = Path(__file__).resolve().parent
# It finds what pytest has compiled when it collected the tests, and compiles the rest where pytest does, if at all.
PYTHON = {"PYTHONDONTWRITEBYTECODE": "1" if sys.dont_write_bytecode else ""}
COCOTB = {
    "COCOTB_ANSI_OUTPUT": "0",
    # Verilator applies cocotb's writes when cocotb would, and drives its clocks, without waking Python for it.
    "COCOTB_TRUST_INERTIAL_WRITES": "1",
    # cocotb uses pytest only for its messages.
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
}
ANSWERS = "ULLNIC_ANSWERS"  # number of the descriptor for the simulator's answers
# cocotb's own start (pygpi.entry), in the process of a test.
ENTRIES = (
    "ullnic_tb.server:serve",
    "cocotb.logging:_configure",
    "cocotb._init:init_package_from_simulation",
    "ullnic_tb.server:end_with_cocotb",
    "cocotb.regression:_run_regression",  # a test that waits for nobody ends within it
)


class Simulator:
    """Runs one test at a time. stop() ends a test that hangs; the next one starts another simulator."""

    def __init__(self):
        self.process: subprocess.Popen | None = None

    def run(self, model: Path, start_seed: int, log: Path, env: dict[str, str]) -> int:
        """Runs the cocotb test that `env` names on the model; its output goes to `log`, whose folder is its working
        directory.

        Returns how the process of the test has ended: its exit code, or minus the signal's number.
        """
        request = {
            "model": str(model),
            "start_seed": start_seed,
            "log": str(log),
            "directory": str(log.parent),
            "path": sys.path,
            "env": {**os.environ, **PYTHON, **COCOTB, **env},
        }
        if self.process is None or self.process.poll() is not None:
            self.start()
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
            answer = self.answers.readline()
        except BaseException:  # pytest's timeout is one of these
            self.stop()
            raise
        if not answer:
            self.stop()
            raise RuntimeError(f"the simulator has ended without an answer; what it said: {self.log}")
        return os.waitstatus_to_exitcode(int(answer))

    def start(self) -> None:
        from cocotb_tools.config import pygpi_entry_point
        from find_libpython import find_libpython

        self.log = BUILD / "run" / f"simulator-{os.getpid()}.log"
        self.log.parent.mkdir(parents=True, exist_ok=True)
        env = {
            **os.environ,
            **PYTHON,
            **COCOTB,
            "GPI_USERS": f"{find_libpython()};{pygpi_entry_point()}",
            "PYGPI_USERS": ",".join(ENTRIES),
            "PYTHONPATH": os.pathsep.join([str(HERE.parent), *sys.path]),
            "PYGPI_PYTHON_BIN": sys.executable,
        }
        answers, end = os.pipe()
        env[ANSWERS] = str(end)
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [make_simulator()], stdin=subprocess.PIPE, stdout=log, stderr=log, pass_fds=[end], env=env
            )
        os.close(end)
        self.answers = os.fdopen(answers, "rb")

    def stop(self) -> None:
        """Ends the simulator, and the test that runs in it."""
        if self.process:
            self.process.communicate()  # closes its input, which ends it
            self.process = None
            self.answers.close()


SIMULATOR = Simulator()
atexit.register(SIMULATOR.stop)
