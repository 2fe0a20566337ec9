# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Builds the C++ simulation with CMake and Ninja, only what changed."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from ullnic.configs import build_line
from ullnic.errors import UllnicError
from ullnic.locks import file_lock
from ullnic.paths import BUILD, ROOT
from ullnic.progress import log_tail, run_logged
from ullnic.random_generics import RandomConfig
from ullnic.toolchain import cpu_count, find_verilator, tool_env, verilator_root, which

SOURCE = ROOT / "sim"
DIRECTORY = BUILD / "sim"
LOG = DIRECTORY / "build.log"
RANDOM_CARDS = "random_cards/list.txt"  # in the build's directory; sim/cmake/Cards.cmake reads it
EXCERPT_LINES = 40
FAULT = re.compile(r"FAILED:|%Error|error:|CMake Error")


PROGRAMS = ("ullnic-link", "ullnic-macpcs-sweep", "ullnic-macpcs-soak")


def build_sim(
    progress: bool = True,
    targets: tuple[str, ...] = (),
    configs: tuple[str, ...] = (),
    random_configs: Sequence[RandomConfig] = (),
) -> Path:
    """Brings the programs in build/sim (or the targets given) up to date and returns their directory.

    `configs`: names of the configurations of the card that the programs are to run (configs.py); `random_configs`:
    more of them.
    """
    env = tool_env()
    configure = [
        which("cmake") or "cmake",
        "-S",
        str(SOURCE),
        "-B",
        str(DIRECTORY),
        "-G",
        "Ninja",
        "-DCMAKE_BUILD_TYPE=Release",
        f"-DVERILATOR_EXECUTABLE={find_verilator()}",
        f"-DVERILATOR_ROOT={verilator_root()}",
    ]
    with file_lock(BUILD / "sim.lock", "build"):
        stamp = DIRECTORY / "ullnic-configured"
        wanted = "\n".join(configure)
        if not stamp.exists() or stamp.read_text() != wanted:
            # CMake cannot change a directory's generator, compiler or path: begin anew.
            shutil.rmtree(DIRECTORY, ignore_errors=True)
            DIRECTORY.mkdir(parents=True)
            LOG.write_text("")
            _step("configuring the simulation", configure, env, progress)
            stamp.write_text(wanted)
        else:
            LOG.write_text("")
        if random_configs:
            _write_if_new(DIRECTORY / RANDOM_CARDS, "".join(f"{build_line(each)}\n" for each in random_configs))
        ninja = [which("ninja") or "ninja", "-C", str(DIRECTORY), "-j", str(cpu_count())]
        ninja += [*(targets or PROGRAMS), *configs, *(each.name for each in random_configs)]
        _step("building the simulation", ninja, env, progress)
    return DIRECTORY / "bin"


def _write_if_new(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def _step(label: str, argv: list[str], env: dict[str, str], progress: bool) -> None:
    if run_logged(label, argv, LOG, describe=_ninja_step, show=progress, quiet_start=True, env=env) != 0:
        lines = log_tail(LOG, 400).splitlines()
        at_fault = [number for number, line in enumerate(lines) if FAULT.search(line)]
        start = at_fault[0] if at_fault else max(0, len(lines) - EXCERPT_LINES)
        excerpt = "\n".join(lines[start : start + EXCERPT_LINES])
        remedy = f"see the whole log, {LOG}; ./ullnic doctor shows what may be missing"
        raise UllnicError(f"{label} failed:\n{excerpt}", remedy)


def _ninja_step(line: str) -> str | None:
    """ "3 of 20" for Ninja's "[3/20] Building ..."."""
    match = re.match(r"\[(\d+)/(\d+)\]", line)
    return f"{match[1]} of {match[2]}" if match else None
