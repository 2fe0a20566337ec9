# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Builds the C++ simulation with CMake and Ninja; rebuilds only what changed."""

import os
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
from ullnic.sanitizers import sanitizers
from ullnic.toolchain import cpu_count, cxx_compiler, find_verilator, tool_env, verilator_root, which


def sanitized(names: str) -> tuple[Path, tuple[str, ...]]:
    """Folder and options of builds with these sanitizers: kept apart from the usual builds."""
    if not names:
        return BUILD, ()
    return BUILD / "sanitize" / names.replace(",", "-"), (f"-DULLNIC_SANITIZE={names}",)


FOLDER, SANITIZE = sanitized(sanitizers())  # of this process
SOURCE = ROOT / "sim"
DIRECTORY = FOLDER / "sim"
HOST_SOURCE = ROOT / "host"
HOST_DIRECTORY = FOLDER / "host"
RANDOM_CARDS = "random_cards/list.txt"  # in the build's directory; sim/cmake/Cards.cmake reads it
EXCERPT_LINES = 40
FAULT = re.compile(r"FAILED:|%Error|error:|CMake Error")


def _compiler() -> tuple[str, ...]:
    """The options that choose it: the machine's default one for builds with sanitizers, so that both are tried."""
    clang = None if SANITIZE else cxx_compiler()
    return (f"-DCMAKE_CXX_COMPILER={clang}",) if clang else ()


def build_sim(
    *,
    targets: tuple[str, ...],
    progress: bool = True,
    configs: tuple[str, ...] = (),
    random_configs: Sequence[RandomConfig] = (),
) -> Path:
    """Updates these programs in build/sim and their dependencies, and returns their directory.

    `configs`: names of the configurations of the card that the programs are to run (configs.toml, card.toml);
    `random_configs`: more of them. ULLNIC_SIM_BIN names a directory that is built already.
    """
    if folder := os.environ.get("ULLNIC_SIM_BIN"):
        return Path(folder)
    verilator = (f"-DVERILATOR_EXECUTABLE={find_verilator()}", f"-DVERILATOR_ROOT={verilator_root()}")
    build = CMakeBuild("the simulation", SOURCE, DIRECTORY, (*_compiler(), *verilator, *SANITIZE), progress)
    build.share_objects()
    with file_lock(FOLDER / "sim.lock", "build"):
        build.configure()
        if random_configs:
            _write_if_new(DIRECTORY / RANDOM_CARDS, "".join(f"{build_line(each)}\n" for each in random_configs))
        build.make(*targets, *configs, *(each.name for each in random_configs))
    return DIRECTORY / "bin"


def build_host(progress: bool = True, targets: tuple[str, ...] = ("all",)) -> Path:
    """Updates the host software and returns its directory: programs in bin, libraries in lib. `all` includes the tests'
    programs.
    """
    build = host_software(HOST_SOURCE, HOST_DIRECTORY, progress)
    build.share_objects()
    with file_lock(FOLDER / "host.lock", "build"):
        build.configure()
        build.make(*targets)
    return HOST_DIRECTORY


def host_software(source: Path, directory: Path, progress: bool) -> "CMakeBuild":
    return CMakeBuild("the host software", source, directory, (*_compiler(), *SANITIZE), progress)


def build_fuzz(part: str, targets: tuple[str, ...], progress: bool = True) -> Path:
    """Updates these fuzz targets of `part`, "host" or "sim", and returns their directory.

    They are built by clang with the sanitizers, so they share nothing with other builds.
    """
    source, what = {"host": (HOST_SOURCE, "host software"), "sim": (SOURCE, "simulation")}[part]
    directory = BUILD / "fuzz" / part
    options = ["-DCMAKE_C_COMPILER=clang", "-DCMAKE_CXX_COMPILER=clang++", "-DULLNIC_FUZZ=ON", "-DULLNIC_TESTS=OFF"]
    options += ["-DULLNIC_HARDENING=OFF"]  # fortified functions hide the plain ones from the sanitizers
    if part == "sim":
        options += [f"-DVERILATOR_EXECUTABLE={find_verilator()}", f"-DVERILATOR_ROOT={verilator_root()}"]
    build = CMakeBuild(f"the fuzz targets of the {what}", source, directory, tuple(options), progress)
    with file_lock(BUILD / f"fuzz-{part}.lock", "build"):
        build.configure()
        build.make(*targets)
    return directory / "bin"


def build_sanitized(progress: bool = True) -> Path:
    """As build_host(), but only ullnicd over the modelled card: a memory error or undefined behaviour ends it."""
    folder, options = sanitized("address,undefined")
    directory, lwip = folder / "host", BUILD / "host" / "lwip"
    if (lwip / "src").exists():  # fetched once
        options += (f"-DLWIP_DIR={lwip}",)
    build = CMakeBuild("ullnicd with sanitizers", HOST_SOURCE, directory, options, progress)
    with file_lock(folder / "host.lock", "build"):
        build.configure()
        build.make("ullnicd-fake")
    return directory


def build_sanitized_sim(targets: tuple[str, ...], progress: bool = True) -> Path:
    """As build_sim(), but with the sanitizers, whatever this process builds with; the RTL's models are plain."""
    folder, options = sanitized("address,undefined")
    verilator = (f"-DVERILATOR_EXECUTABLE={find_verilator()}", f"-DVERILATOR_ROOT={verilator_root()}")
    build = CMakeBuild("the simulation with sanitizers", SOURCE, folder / "sim", (*verilator, *options), progress)
    with file_lock(folder / "sim.lock", "build"):
        build.configure()
        build.make(*targets)
    return folder / "sim" / "bin"


class CMakeBuild:
    """A directory that CMake and Ninja build in; it contains their log, build.log."""

    def __init__(self, what: str, source: Path, directory: Path, options: tuple[str, ...], progress: bool):
        self.what, self.directory, self.progress = what, directory, progress
        self.log = directory / "build.log"
        self.env = tool_env()
        self.command = [
            which("cmake") or "cmake",
            "-S",
            str(source),
            "-B",
            str(directory),
            "-G",
            "Ninja",
            "-DCMAKE_BUILD_TYPE=Release",
            *options,
        ]

    def share_objects(self) -> None:
        """Makes ccache find objects of another build of this tree with the same options.

        Without relative paths ccache takes the same source below another build's directory for another one.
        """
        self.env.setdefault("CCACHE_BASEDIR", str(ROOT))

    def configure(self) -> None:
        stamp = self.directory / "ullnic-configured"
        wanted = "\n".join(self.command)
        if stamp.exists() and stamp.read_text() == wanted:
            self.log.write_text("")
            return
        # CMake cannot change a directory's generator, compiler or path: start from an empty one.
        shutil.rmtree(self.directory, ignore_errors=True)
        self.directory.mkdir(parents=True)
        self.log.write_text("")
        self._step(f"configuring {self.what}", self.command)
        stamp.write_text(wanted)

    def make(self, *targets: str) -> None:
        ninja = [which("ninja") or "ninja", "-C", str(self.directory), "-j", str(cpu_count())]
        self._step(f"building {self.what}", [*ninja, *targets])

    def _step(self, label: str, argv: list[str]) -> None:
        options = {"describe": _ninja_step, "show": self.progress, "quiet_start": True}
        if run_logged(label, argv, self.log, cwd=self.directory, env=self.env, **options) != 0:
            lines = log_tail(self.log, 400).splitlines()
            at_fault = [number for number, line in enumerate(lines) if FAULT.search(line)]
            start = at_fault[0] if at_fault else max(0, len(lines) - EXCERPT_LINES)
            excerpt = "\n".join(lines[start : start + EXCERPT_LINES])
            remedy = f"see the whole log, {self.log}; ./ullnic doctor shows what may be missing"
            raise UllnicError(f"{label} failed:\n{excerpt}", remedy)


def _write_if_new(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def _ninja_step(line: str) -> str | None:
    """ "3 of 20" for Ninja's "[3/20] Building ..."."""
    match = re.match(r"\[(\d+)/(\d+)\]", line)
    return f"{match[1]} of {match[2]}" if match else None
