# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Builds a module with given parameters once, with Verilator from PATH, and runs cocotb tests on it, a process each.

Safe for pytest-xdist: a build is made under a file lock, and each run has a directory of its own below build/tb.
"""

import contextlib
import fcntl
import hashlib
import os
import shutil
import sys
import xml.etree.ElementTree as ElementTree
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

import pytest

from ullnic_tb.models import BUILD, ROOT, make_model, tools

CORES = ROOT / "cores"


def rtl(*cores: str) -> list[Path]:
    """The sources of these cores, packages first and in the order in which they need each other."""
    files = [path for core in cores for path in sorted((CORES / core / "rtl").glob("*.sv"))]
    # A core's own package, toe_pkg, comes before those of its parts, toe_arp_pkg: it has the shortest name.
    packages = [
        path
        for core in cores
        for path in sorted((CORES / core / "rtl").glob("*_pkg.sv"), key=lambda path: (len(path.stem), path.stem))
    ]
    return packages + [path for path in files if path not in packages]


def cocotb_tests(module_name: str) -> list[str]:
    """Names of the cocotb tests in a loaded module: what @cocotb.test() makes can generate tests."""
    return [name for name, value in vars(sys.modules[module_name]).items() if hasattr(value, "generate_tests")]


def parameter(name: str, default: int) -> int:
    """In a cocotb test: a parameter that the bench was built with."""
    return int(os.environ.get(f"ULLNIC_PARAM_{name}", default))


@dataclass
class Bench:
    """A top-level module, what it is built from and with, and the directory that its Python modules are in."""

    top: str
    sources: list[Path]
    parameters: dict[str, int] = field(default_factory=dict)
    starts_with_zeros: bool = False  # what it counts or asserts before its first reset needs that

    @property
    def label(self) -> str:
        return "-".join([self.top, *(f"{name}={value}" for name, value in sorted(self.parameters.items()))])

    def _stamp(self) -> str:
        """Changes with anything that the build depends on."""
        digest = hashlib.sha256(repr((self.label, tools())).encode())
        for path in self.sources:
            digest.update(path.name.encode() + path.read_bytes())
        return digest.hexdigest()

    def build(self) -> Path:
        if not shutil.which("verilator"):
            pytest.fail("no verilator on PATH: run the tests with ./ullnic test, which sets it up", pytrace=False)
        BUILD.mkdir(parents=True, exist_ok=True)
        directory = BUILD / self.label
        with open(BUILD / f"{self.label}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            stamp_file, stamp = directory / "stamp", self._stamp()
            if not stamp_file.exists() or stamp_file.read_text() != stamp:
                shutil.rmtree(directory, ignore_errors=True)
                self._build(directory)
                stamp_file.write_text(stamp)
        return directory

    def _build(self, directory: Path) -> None:
        directory.mkdir()
        log = directory / "build.log"
        try:
            make_model(directory, log, self.sources, self.top, self.parameters)
        except (Exception, SystemExit) as error:
            tail = "\n".join(log.read_text().splitlines()[-40:]) if log.exists() else ""
            pytest.fail(f"building {self.label} failed: {error}\n{tail}\nthe whole log: {log}", pytrace=False)

    def _start(self, name: str) -> list[str]:
        """Registers without an initial value begin with anything, the same in each run of a test, so that a reset which
        leaves one out is seen. A clock can begin high, which is an edge before any reset. There the assertions of
        generated register blocks already hold, so these benches begin with zeros, too.
        """
        if self.starts_with_zeros or any(path.stem.endswith("_regs") for path in self.sources):
            return []
        return ["+verilator+rand+reset+2", f"+verilator+seed+{1 + zlib.crc32(name.encode()) % 0x7FFFFFFF}"]

    def run(self, test_module: str, test: str) -> None:
        """Runs one cocotb test; fails with the end of its log."""
        from cocotb_tools.runner import get_runner  # slow, and the simulations import this file, too

        directory = self.build()
        name = f"{self.label}.{test_module}.{test}"
        run_dir = BUILD / "run" / name
        shutil.rmtree(run_dir, ignore_errors=True)
        run_dir.mkdir(parents=True)
        log = run_dir / "test.log"
        results = run_dir / "results.xml"
        env = {f"ULLNIC_PARAM_{parameter}": str(value) for parameter, value in self.parameters.items()}
        env |= {
            "ULLNIC_TEST_NAME": name,
            "COCOTB_ANSI_OUTPUT": "0",
            # Verilator applies cocotb's writes when cocotb would, and drives its clocks, without waking Python for it.
            "COCOTB_TRUST_INERTIAL_WRITES": "1",
            # cocotb uses pytest for its messages alone.
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }
        # What a simulation compiles of Python, the next one finds; the tree stays clean. In os.environ, because cocotb
        # lets that win over extra_env.
        python = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(BUILD / "python")}
        # SystemExit, RuntimeError: told below, from the results.
        with mock.patch.dict(os.environ, python), contextlib.suppress(SystemExit, RuntimeError):
            get_runner("verilator").test(
                hdl_toplevel=self.top,
                hdl_toplevel_lang="verilog",
                test_module=test_module,
                test_filter=rf"\.{test}$",
                build_dir=directory,
                test_dir=run_dir,
                results_xml=str(results),
                log_file=log,
                plusargs=self._start(name),
                extra_env=env,
            )
        text = log.read_text()
        print("\n".join(line for line in text.splitlines() if "ULLNIC_SEED" in line))
        cases = list(ElementTree.parse(results).getroot().iter("testcase")) if results.exists() else []
        bad = [child for case in cases for child in case if child.tag in ("failure", "error", "skipped")]
        if len(cases) != 1 or bad:
            tail = "\n".join(text.splitlines()[-60:])
            pytest.fail(f"{name} {'failed' if cases else 'did not run'}\n{tail}\nthe whole log: {log}", pytrace=False)
