# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
import os
import sys
from pathlib import Path

import pytest

from ullnic.paths import ROOT

# The bench with a card in C, from which the one with the card in RTL is derived.
for path in (ROOT / "python", ROOT / "host" / "tests" / "sockets"):
    if str(path) not in sys.path:
        sys.path.insert(0, str(path))


@pytest.fixture(scope="session")
def programs() -> tuple[Path, Path]:
    """Folders of the virtual card and of the host's programs."""
    from ullnic.build import build_host, build_sim
    from ullnic.cards import DEFAULT

    host = os.environ.get("ULLNIC_HOST_BUILD")
    sim = build_sim(progress=False, targets=("ullnic-card",), configs=(DEFAULT,))
    return sim, Path(host) if host else build_host(progress=False)


@pytest.fixture(scope="module")
def bench(tmp_path_factory, programs):
    """One for all tests of a file: card, daemon and kernel stay up, and all must end cleanly."""
    from trade_bench import TradeBench

    bench = TradeBench(tmp_path_factory.mktemp("trade") / "bench", *programs)
    yield bench
    bench.close()


@pytest.fixture(autouse=True)
def nothing_left(bench):
    """Each test starts and ends with the user logic disarmed and the market silent."""
    yield
    bench.tidy()
