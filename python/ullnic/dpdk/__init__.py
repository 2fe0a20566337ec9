# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""DPDK on the virtual card: which parts of it are installed, and the build of the driver's plugin."""

import subprocess
from pathlib import Path

from ullnic import apt
from ullnic.build import FOLDER, HOST_DIRECTORY, build_host, build_sim
from ullnic.cards import DEFAULT
from ullnic.locks import file_lock
from ullnic.toolchain import tool_env, which

PACKAGES = ("pkg-config", "libdpdk-dev", "dpdk-dev")  # optional


def absent() -> list[apt.Need]:
    return [need for need in apt.NEEDS if need.package in PACKAGES and not need.present()]


def look_again(cache: Path) -> None:
    """Makes a build folder that was configured without DPDK, or with another version, find the installed one."""
    ask = [which("pkg-config") or "pkg-config", "--modversion", "libdpdk"]
    version = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
    if cache.exists() and f"DPDK_VERSION:INTERNAL={version}\n" not in cache.read_text():
        command = [which("cmake") or "cmake", "-U", "__pkg_config_checked_DPDK", str(cache.parent)]
        with file_lock(FOLDER / "host.lock", "build"):
            subprocess.run(command, env=tool_env(), capture_output=True, check=True)


def build(card: str = DEFAULT, progress: bool = True) -> tuple[Path, Path]:
    """Folder of the virtual card, and that of the plugin."""
    look_again(HOST_DIRECTORY / "CMakeCache.txt")
    sim = build_sim(progress=progress, targets=("ullnic-card",), configs=(card,))
    return sim, build_host(progress=progress, targets=("net_ullnic",)) / "lib"
