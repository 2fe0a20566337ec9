# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Makes a model of a module, a shared library, by Verilator; and the simulator, which loads it (simulator.cc).

Most of these modules are small, so most of the time would go to what all of them have in common: Verilator's own
objects, and its headers. Those are compiled once, below build/tb/shared-*: into the simulator, and a precompiled header.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import cocotb

ROOT = Path(__file__).resolve().parents[4]
BUILD = ROOT / "build" / "tb"
HERE = Path(__file__).resolve().parent

# One file of C++ for each model.
VERILATOR_ARGS = ["--x-initial", "unique", "--assert", "-Wno-fatal", "--output-split", "0", "--timescale", "1ps/1ps"]
# Tests see the top level's signals. Where all signals are kept for tests to see and change them, the C++ is three times
# as long, and slower. What a test needs from inside is marked public_flat_rw there, or in a .vlt.
VERILATOR_ARGS += ["--vpi", "--public-depth", "1"]
# Simulations are short, so compile fast.
CXX_ARGS = ["-std=c++20", "-O1", "-fPIC", "-DVERILATOR=1"]
# As in Verilator's makefiles: none of these is in use.
CXX_ARGS += [f"-DVM_{name}=0" for name in ("COVERAGE", "SC", "TIMING", "TRACE", "TRACE_FST", "TRACE_VCD", "TRACE_SAIF")]
# What the C++ of every model includes.
HEADER = "".join(f'#include "{name}.h"\n' for name in ("verilated", "verilated_dpi", "verilated_vpi"))
HEADER_NAME = "verilated_all.h"
RUNTIME = ("verilated", "verilated_dpi", "verilated_vpi", "verilated_threads")
OURS = ("model.h", "model.cc", "simulator.cc")


@cache
def tools() -> str:
    """Changes with anything that every model is made with."""
    found = [shutil.which(name) or name for name in ("verilator", "c++")]
    versions = [_said([path, "--version"]) for path in found]
    ours = [(HERE / name).read_text() for name in OURS]
    return repr((found, versions, sys.version, cocotb.__version__, VERILATOR_ARGS, CXX_ARGS, HEADER, ours))


def make_model(directory: Path, log: Path, sources: list[Path], top: str, parameters: dict[str, int]) -> Path:
    """Makes the model of `top` in the directory: the library's path. Raises CalledProcessError; the log says the rest."""
    shared = _shared()
    verilator = ["verilator", "--cc", "-Mdir", str(directory), "--prefix", "Vtop", "--top-module", top]
    generics = [f"-G{name}={value}" for name, value in parameters.items()]
    source, made, library = directory / "model.cc", directory / "model.o", directory / MODEL
    with open(log, "w") as output:
        _run([*verilator, *VERILATOR_ARGS, *generics, *map(str, sources)], output)
        parts = sorted(path.name for path in directory.glob("Vtop*.cpp"))
        source.write_text("".join(f'#include "{name}"\n' for name in parts) + f'#include "{HERE / "model.cc"}"\n')
        header = ["-include", str(shared / HEADER_NAME)]
        _run([*_compiler(), *header, "-I", str(directory), "-c", str(source), "-o", str(made)], output)
        _run(["c++", "-shared", str(made), "-o", str(library)], output)
    return library


MODEL = "model.so"


def make_simulator() -> Path:
    """The simulator that runs the models."""
    return _shared() / "simulator"


def _said(argv: list[str]) -> str:
    return subprocess.run(argv, capture_output=True, text=True).stdout


@cache
def _include() -> Path:
    """Verilator's headers and the sources of its runtime."""
    return Path(_said(["verilator", "--getenv", "VERILATOR_ROOT"]).strip()) / "include"


def _compiler() -> list[str]:
    ccache = ["ccache"] if shutil.which("ccache") else []
    return [*ccache, "c++", *CXX_ARGS, "-I", str(_include()), "-I", str(_include() / "vltstd")]


def _run(argv: list[str], output) -> None:
    print(*argv, file=output, flush=True)
    ccache = {
        "CCACHE_SLOPPINESS": "pch_defines,time_macros",
        "CCACHE_PCH_EXTSUM": "1",  # what stands for the precompiled header, which is large
    }
    subprocess.run(argv, stdout=output, stderr=output, check=True, env=os.environ | ccache)


@cache
def _shared() -> Path:
    """The directory with the simulator and the precompiled header of all models; made by whoever comes first."""
    BUILD.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256(tools().encode()).hexdigest()[:16]
    directory = BUILD / f"shared-{digest}"
    with open(BUILD / "shared.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not directory.exists():
            with tempfile.TemporaryDirectory(dir=BUILD) as name:
                made = Path(name) / "made"
                made.mkdir()
                _make_shared(made, digest)
                made.rename(directory)
    return directory


def _make_shared(made: Path, digest: str) -> None:
    from cocotb_tools.config import libs_dir  # slow, and the simulations import this file, too

    with open(made / "build.log", "w") as output:
        header = made / HEADER_NAME
        header.write_text(HEADER)
        _run([*_compiler(), "-x", "c++-header", str(header), "-o", f"{header}.gch"], output)
        (made / f"{HEADER_NAME}.gch.sum").write_text(digest)
        objects = []
        for source in [*(_include() / f"{name}.cpp" for name in RUNTIME), HERE / "simulator.cc"]:
            objects.append(str(made / f"{source.stem}.o"))
            _run([*_compiler(), "-c", str(source), "-o", objects[-1]], output)
        # The models find Verilator's runtime in it.
        link = ["-rdynamic", f"-L{libs_dir}", f"-Wl,-rpath,{libs_dir}", "-lcocotbvpi_verilator", "-pthread", "-ldl"]
        _run(["c++", *objects, *link, "-o", str(made / "simulator")], output)
