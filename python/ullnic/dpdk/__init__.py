# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""DPDK on the virtual card: what of it is installed, and the build of the driver's plugin."""

from pathlib import Path

from ullnic import apt
from ullnic.build import build_host, build_sim
from ullnic.cards import DEFAULT

PACKAGES = ("libdpdk-dev", "dpdk-dev")  # the project can do without


def absent() -> list[apt.Need]:
    return [need for need in apt.NEEDS if need.package in PACKAGES and not need.present()]


def build(card: str = DEFAULT, progress: bool = True) -> tuple[Path, Path]:
    """Folder of the virtual card, and that of the plugin."""
    sim = build_sim(progress=progress, targets=("ullnic-card",), configs=(card,))
    return sim, build_host(progress=progress, targets=("net_ullnic",)) / "lib"
