# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Builds a module with given parameters once, with Verilator from PATH, and runs cocotb tests on it, one process each.

Safe for pytest-xdist: a build holds a file lock, and each run has its own directory below build/tb
(ullnic_places.py).
"""

import fcntl
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ullnic_places import CORES
from ullnic_tb.models import BUILD, MODEL, make_model, tools
from ullnic_tb.simulator import SIMULATOR


def rtl(*cores: str) -> list[Path]:
    """The sources of these cores, packages first and in the order of their dependencies."""
    files = [path for core in cores for path in sorted((CORES / core / "rtl").glob("*.sv"))]
    # A core's own package, toe_pkg, comes before those of its parts, toe_arp_pkg: it has the shortest name.
    packages = [
        path
        for core in cores
        for path in sorted((CORES / core / "rtl").glob("*_pkg.sv"), key=lambda path: (len(path.stem), path.stem))
    ]
    return packages + [path for path in files if path not in packages]


def checkers() -> list[Path]:
    """The protocol checkers of cores/common, for benches with files that bind them."""
    return sorted((CORES / "common" / "sva").glob("*.sv"))


def cocotb_tests(module_name: str) -> list[str]:
    """Names of the cocotb tests in a loaded module: objects of @cocotb.test() can generate several tests."""
    return [name for name, value in vars(sys.modules[module_name]).items() if hasattr(value, "generate_tests")]


def parameter(name: str, default: int) -> int:
    """In a cocotb test: a parameter that the bench was built with."""
    return int(os.environ.get(f"ULLNIC_PARAM_{name}", default))


def rounds(long: int, short: int) -> int:
    """In a cocotb test: the number of repetitions; `long` in a long run (Bench.run), else `short`."""
    return long if "ULLNIC_LONG" in os.environ else short


@dataclass
class Bench:
    """A top-level module, its sources and parameters, and the directory of its Python modules."""

    top: str
    sources: list[Path]
    parameters: dict[str, int] = field(default_factory=dict)
    starts_with_zeros: bool = False  # for a module that counts or asserts before its first reset
    optimized: bool = False  # its simulations are long; the compilation takes two to four times as long

    @property
    def label(self) -> str:
        return "-".join([self.top, *(f"{name}={value}" for name, value in sorted(self.parameters.items()))])

    def _stamp(self) -> str:
        """Changes with anything that the build depends on."""
        digest = hashlib.sha256(repr((self.label, self.optimized, tools())).encode())
        for path in self.sources:
            digest.update(path.name.encode() + path.read_bytes())
        return digest.hexdigest()

    def build(self) -> Path:
        """The model's library, rebuilt if its inputs have changed."""
        if not shutil.which("verilator"):
            pytest.fail("no verilator on PATH (./ullnic test sets it up)", pytrace=False)
        BUILD.mkdir(parents=True, exist_ok=True)
        directory = BUILD / self.label
        with open(BUILD / f"{self.label}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            stamp_file, stamp = directory / "stamp", self._stamp()
            if not stamp_file.exists() or stamp_file.read_text() != stamp:
                shutil.rmtree(directory, ignore_errors=True)
                self._build(directory)
                stamp_file.write_text(stamp)
        return directory / MODEL

    def _build(self, directory: Path) -> None:
        directory.mkdir()
        log = directory / "build.log"
        try:
            make_model(directory, log, self.sources, self.top, self.parameters, self.optimized)
        except (subprocess.SubprocessError, OSError, RuntimeError) as error:
            tail = "\n".join(log.read_text().splitlines()[-40:]) if log.exists() else ""
            pytest.fail(f"building {self.label} failed: {error}\n{tail}\nthe whole log: {log}", pytrace=False)

    def _start_seed(self, name: str) -> int:
        """Registers without an initial value begin with random values, the same in each run of a test, so that a reset
        that omits one is detected. A clock can begin high, which is an edge before any reset. The assertions of
        generated register blocks are already checked there, so these benches begin with zeros (0).
        """
        if self.starts_with_zeros or any(path.stem.endswith("_regs") for path in self.sources):
            return 0
        return 1 + zlib.crc32(name.encode()) % 0x7FFFFFFF

    def run(self, test_module: str, test: str, long_seed: int | None = None) -> None:
        """Runs one cocotb test in a separate process; fails with the end of its log.

        With `long_seed` it is a long run (rounds), which draws from this seed instead of the run's: for a deep test.
        """
        model = self.build()
        name = f"{self.label}.{test_module}.{test}"
        is_long = long_seed is not None
        if is_long:
            name += f".long{long_seed}"
        run_dir = BUILD / "run" / name
        shutil.rmtree(run_dir, ignore_errors=True)
        run_dir.mkdir(parents=True)
        log = run_dir / "test.log"
        results = run_dir / "results.xml"
        env = {f"ULLNIC_PARAM_{parameter}": str(value) for parameter, value in self.parameters.items()}
        if is_long:
            env |= {"ULLNIC_LONG": "1", "ULLNIC_SEED": str(long_seed)}
        env |= {
            "ULLNIC_TEST_NAME": name,
            "COCOTB_TOPLEVEL": self.top,
            "COCOTB_TEST_MODULES": test_module,
            "COCOTB_TEST_FILTER": rf"\.{test}$",
            "COCOTB_RESULTS_FILE": str(results),
        }
        code = SIMULATOR.run(model, self._start_seed(name), log, env)
        text = log.read_text() if log.exists() else ""
        print("\n".join(line for line in text.splitlines() if "ULLNIC_SEED" in line))
        cases = list(ElementTree.parse(results).getroot().iter("testcase")) if results.exists() else []
        bad = [child for case in cases for child in case if child.tag in ("failure", "error", "skipped")]
        if code or len(cases) != 1 or bad:
            tail = "\n".join(text.splitlines()[-60:])
            pytest.fail(f"{name} {_outcome(code, cases, bad)}\n{tail}\nthe whole log: {log}", pytrace=False)


def _outcome(code: int, cases: list, bad: list) -> str:
    """How a failed test has ended."""
    if code < 0 and not bad:
        return f"was ended by {signal.Signals(-code).name}"
    if not cases:
        return "did not run"
    return "failed" if bad else f"passed, but its process ended with {code}"
