# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What the project needs from the system: one table, how to see what is missing, and how to install it.

Standard library only: the set-up uses it.
"""

import os
import platform
import shutil
import sys
import sysconfig
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.paths import BUILD
from ullnic.progress import run_logged
from ullnic.toolchain import which

ATTEMPTS = 3
OTHER_PYTHON = (
    f"use a Python that has a shared library instead of the one in {sys.base_prefix}: "
    "rm -r .venv, then ULLNIC_PYTHON=/usr/bin/python3 ./ullnic doctor"
)
OWN_BROWSER = "install Chromium or Chrome yourself, or: .venv/bin/playwright install --with-deps chromium"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
REPLAY = "run link --replay"  # needs only what a build needs
BUILD_USERS = ("run", REPLAY, "guest", "test", "measure", "soak", "packetdrill", "report", "run-point")
MUTATE = "mutate host"
CLANG_USERS = ("test", "soak hostile", MUTATE)
LIBFUZZER = "usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a"
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"


@dataclass(frozen=True)
class Need:
    """A Debian package, what shows that it (or an equivalent) is installed, and which subcommands require it."""

    package: str
    purpose: str
    users: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    any_command: tuple[str, ...] = ()  # one of them is enough
    headers: tuple[str, ...] = ()
    files: tuple[str, ...] = ()  # patterns below /
    python_library: bool = False  # the shared library of the running Python
    by_hand: str = ""  # how to get it where no package of this system provides it

    @property
    def needed_by(self) -> tuple[str, ...]:
        return tuple(user for user in self.users if user != REPLAY)

    def present(self) -> bool:
        if self.python_library:
            return has_python_library()
        if self.any_command:
            return any(which(command) for command in self.any_command)
        files = all(any(Path("/").glob(pattern)) for pattern in self.files)
        return files and all(which(command) for command in self.commands) and all(map(has_header, self.headers))


def is_ubuntu() -> bool:
    """Whether the system is Ubuntu or derived from it."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return False
    return "ubuntu" in (release.get("ID"), *release.get("ID_LIKE", "").split())


NEEDS = (
    Need("g++", "compiles the simulation", BUILD_USERS, commands=("c++",)),
    Need("make", "builds the unit tests' models, runs FuseSoC's targets", ("test", "lint"), commands=("make",)),
    Need("cmake", "builds the simulation", BUILD_USERS, commands=("cmake",)),
    Need("ninja-build", "builds the simulation", BUILD_USERS, commands=("ninja",)),
    Need("ccache", "makes rebuilding quick; can be done without", commands=("ccache",)),
    Need("libcli11-dev", "the simulation's command line", BUILD_USERS, headers=("CLI/CLI.hpp",)),
    Need("nlohmann-json3-dev", "the simulation's reports", BUILD_USERS, headers=("nlohmann/json.hpp",)),
    Need("libfmt-dev", "the simulation's messages", BUILD_USERS, headers=("fmt/format.h",)),
    Need("libpcap-dev", "the simulation's capture files", BUILD_USERS, headers=("pcap/pcap.h",)),
    Need("libgtest-dev", "the simulation's own tests", BUILD_USERS, headers=("gtest/gtest.h",)),
    Need("iproute2", "network namespaces", ("run", "test"), commands=("ip",)),
    Need(
        "util-linux",
        "network namespaces, processes that end with others",
        ("run", "guest", "test"),
        commands=("unshare", "nsenter", "setpriv"),
    ),
    Need("iputils-ping", "ping over the link", ("run", "test"), commands=("ping",)),
    Need("clang", "compiles models and fuzz targets", CLANG_USERS, commands=("clang", "clang++")),
    Need("libclang-rt-dev", "libFuzzer, the sanitizers and profiles of clang", CLANG_USERS, files=(LIBFUZZER,)),
    Need("llvm", "which lines a test runs", (MUTATE,), commands=("llvm-cov", "llvm-profdata")),
    Need("curl", "downloads over the link; Python does it without", commands=("curl",)),
    Need("zstd", "reads captures that zstd has compressed; can be done without", commands=("zstd",)),
    Need("pkg-config", "finds DPDK; can be done without", commands=("pkg-config",)),
    Need("libdpdk-dev", "compiles DPDK's driver of the card; can be done without", headers=("dpdk/rte_ethdev.h",)),
    Need("dpdk-dev", "runs DPDK's programs on that driver; can be done without", commands=("dpdk-testpmd",)),
    Need("tshark", "checks captures", ("test",), commands=("tshark",)),
    Need("cpio", "checks the guest's initramfs", ("test",), commands=("cpio",)),
    Need("iverilog", "reads what ./ullnic export writes", ("test",), commands=("iverilog",)),
    Need("ghdl-mcode", "reads its VHDL; can be done without", commands=("ghdl",)),
    Need("tcl", "checks the vendor tools' scripts", ("test",), commands=("tclsh",)),
    # On Ubuntu it is a snap, which a container cannot install; the tests that need it may be skipped there.
    Need(
        "chromium",
        "tests the report's page",
        () if is_ubuntu() else ("test",),
        any_command=BROWSERS,
        by_hand=OWN_BROWSER if is_ubuntu() else "",
    ),
    Need(
        f"libpython{PYTHON}",
        "cocotb loads Python into the simulation",
        ("test",),
        python_library=True,
        by_hand="" if sys.base_prefix == "/usr" else OTHER_PYTHON,
    ),
)


def has_header(header: str) -> bool:
    triplet = sysconfig.get_config_var("MULTIARCH") or ""
    places = ["/usr/local/include", "/usr/include", f"/usr/include/{triplet}"]
    for variable in ("CPATH", "CPLUS_INCLUDE_PATH"):
        places += filter(None, os.environ.get(variable, "").split(os.pathsep))
    places += [f"{prefix}/include" for prefix in os.environ.get("CMAKE_PREFIX_PATH", "").split(os.pathsep) if prefix]
    return any((Path(place) / header).exists() for place in places)


def has_python_library() -> bool:
    name = sysconfig.get_config_var("INSTSONAME") or ""
    triplet = sysconfig.get_config_var("MULTIARCH") or ""
    places = [sysconfig.get_config_var("LIBDIR") or "/usr/lib", f"{sys.base_prefix}/lib", f"/usr/lib/{triplet}"]
    return ".so" in name and any((Path(place) / name).exists() for place in places)


def missing(user: str | None = None) -> list[Need]:
    """What a subcommand needs and is not installed; without a name, every missing entry of the table."""
    return [need for need in NEEDS if (user is None or user in need.users) and not need.present()]


def install_line(packages: Iterable[str]) -> str:
    names = " ".join(packages)
    if not shutil.which("apt-get"):
        return f"install, with this system's own package manager, what Debian calls: {names}"
    sudo = "" if os.geteuid() == 0 else "sudo "
    return f"{sudo}apt-get update && {sudo}apt-get install -y {names}"


def can_install() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(packages: Sequence[str], pass_fds: Sequence[int] = ()) -> None:
    """Installs Debian packages as root; tries again when a mirror fails."""
    print(f"ullnic: installing {len(packages)} system packages: {' '.join(packages)}", file=sys.stderr, flush=True)
    BUILD.mkdir(exist_ok=True)
    log = BUILD / "setup.log"
    env = {"DEBIAN_FRONTEND": "noninteractive"}  # tshark would ask who may capture
    apt = ["apt-get", "-y", "-o", "Acquire::Retries=3", "-o", "DPkg::Lock::Timeout=300"]

    def run(label: str, argv: list[str]) -> int:
        return run_logged(f"system packages, {label}", argv, log, env=env, describe=apt_step, pass_fds=pass_fds)

    for attempt in range(1, ATTEMPTS + 1):
        run("list", [*apt, "update"])  # if this fails, the existing list may be good enough
        if run("install", [*apt, "install", "--no-install-recommends", *packages]) == 0:
            return
        if attempt < ATTEMPTS:
            print(f"ullnic: that failed, trying again ({attempt} of {ATTEMPTS - 1})", file=sys.stderr, flush=True)
            run("repair", ["dpkg", "--configure", "-a"])  # an earlier installation may have been interrupted
            time.sleep(3 * attempt)
    raise UllnicError(f"the system packages could not be installed; what apt said is in {log}", install_line(packages))


def apt_step(line: str) -> str | None:
    return line if line.startswith(("Get:", "Unpacking ", "Setting up ")) else None


def ensure(user: str) -> None:
    """Ensures that a subcommand has what it needs: installs it as root, else says how to."""
    needs = missing(user)
    packages = [need.package for need in needs if not need.by_hand]
    if packages and can_install():
        install(packages)
        needs = missing(user)
    if needs:
        what = ", ".join(f"{need.package} ({need.purpose})" for need in needs)
        raise UllnicError(f"`ullnic {user}` needs what is not installed: {what}", remedy(needs))


def remedy(needs: Sequence[Need], extra_packages: Sequence[str] = ()) -> str:
    packages = [*extra_packages, *(need.package for need in needs if not need.by_hand)]
    steps = [install_line(packages)] if packages else []
    steps += [need.by_hand for need in needs if need.by_hand]
    return "; ".join(steps)
