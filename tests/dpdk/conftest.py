# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
import os
import sys
from pathlib import Path

import pytest

from ullnic import apt
from ullnic.build import build_host, build_sim
from ullnic.cards import DEFAULT
from ullnic.paths import ROOT

sys.path.insert(0, str(ROOT / "host" / "tests" / "sockets"))  # namespaces

PACKAGES = ("libdpdk-dev", "dpdk-dev")


@pytest.fixture(scope="session")
def programs() -> tuple[Path, Path]:
    """Folder of the virtual card, and that of the driver's plugin. DPDK can be done without, but not where CI runs."""
    absent = [need for need in apt.NEEDS if need.package in PACKAGES and not need.present()]
    if absent and not os.environ.get("CI"):
        pytest.skip(f"DPDK is not installed; {apt.remedy(absent)}")
    assert not absent, apt.remedy(absent)
    sim = build_sim(progress=False, targets=("ullnic-card",), configs=(DEFAULT,))
    return sim, build_host(progress=False, targets=("net_ullnic",)) / "lib"
