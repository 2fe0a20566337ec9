# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
import os
import sys
from pathlib import Path

import pytest

from ullnic import apt, dpdk
from ullnic.paths import ROOT

sys.path.insert(0, str(ROOT / "host" / "tests" / "sockets"))  # namespaces


@pytest.fixture(scope="session")
def programs() -> tuple[Path, Path]:
    """Folder of the virtual card, and that of the driver's plugin. DPDK can be done without, but not where CI runs."""
    absent = dpdk.absent()
    if absent and not os.environ.get("CI"):
        pytest.skip(f"DPDK is not installed; {apt.remedy(absent)}")
    assert not absent, apt.remedy(absent)
    return dpdk.build(progress=False)
