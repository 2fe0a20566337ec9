# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Builds a model of a module with Verilator, a shared library; and the simulator, which loads it (simulator.cc).

Most of these modules are small, so most of the time would be spent on what all of them share: Verilator's own objects,
and its headers. Those are compiled once: into the simulator, and into a precompiled header.
"""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import IO

import cocotb

import ullnic_places

BUILD = ullnic_places.BUILD / "tb"
HERE = Path(__file__).resolve().parent

# One C++ file for each model; but with functions short enough not to double the compiler's total time.
VERILATOR_ARGS = ["--x-initial", "unique", "--assert", "-Wno-fatal", "--timescale", "1ps/1ps"]
VERILATOR_ARGS += ["--output-split", "0", "--output-split-cfuncs", "3000"]
# Tests see the top level's signals. If all signals were kept visible and writable, the C++ would be three times as
# long, and slower. Inner signals that a test needs are marked public_flat_rw there, or in a .vlt.
VERILATOR_ARGS += ["--vpi", "--public-depth", "1"]
# Without optimization clang compiles a model in a fifth of the time that g++ -O1 takes. Most simulations are short.
COMPILER = "clang++"
CXX_ARGS = ["-std=c++20", "-fPIC", "-DVERILATOR=1"]
# ccache takes the list of headers from the compiler, and does not preprocess what it compiles (CCACHE_DEPEND).
CXX_ARGS += ["-MD"]
QUICK, OPTIMIZED = ["-O0"], ["-O1"]
# As in Verilator's makefiles: none of these is in use.
CXX_ARGS += [f"-DVM_{name}=0" for name in ("COVERAGE", "SC", "TIMING", "TRACE", "TRACE_FST", "TRACE_VCD", "TRACE_SAIF")]
# What the C++ of every model includes.
HEADER = "".join(f'#include "{name}.h"\n' for name in ("verilated", "verilated_dpi", "verilated_vpi"))
HEADER_NAME = "verilated_all.h"
# Its template instances are in the precompiled header: otherwise each model would instantiate all of them, which takes
# longer than its own code. It contains no time stamp: ccache compares it by its inputs.
HEADER_ARGS = ["-fpch-instantiate-templates", "-Xclang", "-fno-pch-timestamp", "-x", "c++-header"]
# The simulator has the C++ libraries: searching them again would take longer than the rest of linking.
LINK_ARGS = ["-shared", "-nodefaultlibs"]
LINK_LIBRARIES = ["-lgcc", "-lc"]
RUNTIME = ("verilated", "verilated_dpi", "verilated_vpi", "verilated_threads")
SELDOM = ("verilated", "verilated_threads")  # of these: models call little of them, most is in headers
MODEL = "model.so"
# Comparison operators of structs: nothing uses them, and std::tie of all members took half of a large model's
# compilation.
LESS_THAN = re.compile(r"\n *bool operator<\([^\n]*\{\n[^\n]*\n[^\n]*\n *\}\n")


@cache
def tools() -> str:
    """Changes with everything that every model is made with."""
    found = [shutil.which(name) or name for name in ("verilator", COMPILER)]
    versions = [_said([path, "--version"]) for path in found]
    ours = [(HERE / name).read_text() for name in ("model.h", "model.cc")]
    args = (VERILATOR_ARGS, CXX_ARGS, QUICK, OPTIMIZED, HEADER, HEADER_ARGS, LINK_ARGS, LINK_LIBRARIES)
    return repr((found, versions, args, LESS_THAN.pattern, ours))


def make_model(
    directory: Path, log: Path, sources: list[Path], top: str, parameters: dict[str, int], optimized: bool
) -> Path:
    """Builds the model of `top` in the directory: its library. Raises RuntimeError or CalledProcessError."""
    verilator = ["verilator", "--cc", "-Mdir", str(directory), "--prefix", "Vtop", "--top-module", top]
    generics = [f"-G{name}={value}" for name, value in parameters.items()]
    library = directory / MODEL
    with open(log, "w") as output:
        _run([*verilator, *VERILATOR_ARGS, *generics, *map(str, sources)], output)
        for each in directory.glob("Vtop*.h"):
            each.write_text(LESS_THAN.sub("\n", each.read_text()))
        parts = sorted(path.name for path in directory.glob("Vtop*.cpp"))
        if optimized:  # except for code that runs once, when the model starts
            slow = [name for name in parts if "__Slow" in name]
            fast = [name for name in parts if name not in slow]
            made = [_compile(directory, "slow", slow, QUICK, output)]
            made += [_compile(directory, "fast", fast, OPTIMIZED, output)]
        else:
            made = [_compile(directory, "model", parts, QUICK, output)]
        _run([COMPILER, *LINK_ARGS, *made, *LINK_LIBRARIES, "-o", str(library)], output)
    return library


def _compile(directory: Path, name: str, parts: list[str], level: list[str], output: IO[str]) -> str:
    """These files of a model's C++ as one object; with the simulator's entry points, unless they are the slow ones."""
    source, made = directory / f"{name}.cc", directory / f"{name}.o"
    included = parts if name == "slow" else [*parts, str(HERE / "model.cc")]
    source.write_text("".join(f'#include "{part}"\n' for part in included))
    header = ["-include", str(_header(*level))]
    _run([*_compiler(*level), *header, "-I", str(directory), "-c", str(source), "-o", str(made)], output)
    return str(made)


def make_simulator() -> Path:
    """The simulator that runs the models; the first caller builds it."""
    source = HERE / "simulator.cc"
    made_with = repr((tools(), RUNTIME, SELDOM, source.read_text(), cocotb.__version__))
    return _make_shared("simulator", made_with, _make_simulator) / "simulator"


def _said(argv: list[str]) -> str:
    return subprocess.run(argv, capture_output=True, text=True).stdout


@cache
def _include() -> Path:
    """Verilator's headers and the sources of its runtime."""
    return Path(_said(["verilator", "--getenv", "VERILATOR_ROOT"]).strip()) / "include"


def _compiler(*level: str) -> list[str]:
    ccache = ["ccache"] if shutil.which("ccache") else []
    return [*ccache, COMPILER, *CXX_ARGS, *level, "-I", str(_include()), "-I", str(_include() / "vltstd")]


def _run(argv: list[str], output: IO[str]) -> None:
    print(*argv, file=output, flush=True)
    ccache = {
        "CCACHE_SLOPPINESS": "pch_defines,time_macros",
        "CCACHE_PCH_EXTSUM": "1",  # replaces the large precompiled header
        "CCACHE_BASEDIR": "",  # a user's setting would make the paths in the precompiled header relative
    }
    subprocess.run(argv, stdout=output, stderr=output, check=True, env=os.environ | ccache)


@cache
def _header(*level: str) -> Path:
    """What all models include, with the precompiled form beside it; the first caller builds it."""
    made_with = repr((tools(), level))

    def make(made: Path, output: IO[str]) -> None:
        header = made / HEADER_NAME
        header.write_text(HEADER)
        _run([*_compiler(*level), *HEADER_ARGS, str(header), "-o", f"{header}.gch"], output)
        header.with_name(f"{HEADER_NAME}.gch.sum").write_text(_digest(made_with))

    return _make_shared("header", made_with, make) / HEADER_NAME


def _make_shared(what: str, made_with: str, make: Callable[[Path, IO[str]], None]) -> Path:
    """A directory for each set of inputs. Raises RuntimeError with the log."""
    directory = BUILD / f"{what}-{_digest(made_with)}"
    BUILD.mkdir(parents=True, exist_ok=True)
    with open(BUILD / f"{what}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done, log = directory / "done", directory / "build.log"
        if not done.exists():
            shutil.rmtree(directory, ignore_errors=True)
            directory.mkdir()  # built in its final place: a precompiled header contains its path
            try:
                with open(log, "w") as output:
                    make(directory, output)
            except subprocess.CalledProcessError as error:
                raise RuntimeError(f"{error}\n{log.read_text()}") from error
            done.touch()
    return directory


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _make_simulator(made: Path, output: IO[str]) -> None:
    from cocotb_tools.config import libs_dir  # slow, and the simulations import this file, too

    objects = []
    for source in [*(_include() / f"{name}.cpp" for name in RUNTIME), HERE / "simulator.cc"]:
        level = QUICK if source.stem in SELDOM else OPTIMIZED
        objects.append(str(made / f"{source.stem}.o"))
        _run([*_compiler(*level), "-c", str(source), "-o", objects[-1]], output)
    # The models find Verilator's runtime in it.
    link = ["-rdynamic", f"-L{libs_dir}", f"-Wl,-rpath,{libs_dir}", "-lcocotbvpi_verilator"]
    link += ["-latomic", "-pthread", "-ldl"]
    _run([COMPILER, *objects, *link, "-o", str(made / "simulator")], output)
