# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
import sys
from pathlib import Path

import pytest

from ullnic import apt, dpdk
from ullnic.paths import ROOT

sys.path.insert(0, str(ROOT / "host" / "tests" / "sockets"))  # namespaces


@pytest.fixture(scope="session")
def programs() -> tuple[Path, Path]:
    """Folder of the virtual card, and that of the driver's plugin. DPDK is optional."""
    if absent := dpdk.absent():
        pytest.skip(f"DPDK is not installed; {apt.remedy(absent)}")
    return dpdk.build(progress=False)
