# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
import os
from pathlib import Path

import pytest

from tester_bench import TesterBench


@pytest.fixture(scope="session")
def host_build() -> Path:
    """Folder of the programs and libraries; ULLNIC_HOST_BUILD names a folder that is built already."""
    if folder := os.environ.get("ULLNIC_HOST_BUILD"):
        return Path(folder)
    from ullnic.build import build_host

    return build_host(progress=False)


@pytest.fixture(scope="session")
def card_program() -> Path:
    """ullnic-card, with the cards beside it; ULLNIC_SIM_BIN names its folder if it is built already."""
    if folder := os.environ.get("ULLNIC_SIM_BIN"):
        return Path(folder) / "ullnic-card"
    from ullnic.build import build_sim

    cards = ("trigger_pma16", "trigger_pma32", "stac_t0_pma16")
    return build_sim(progress=False, targets=("ullnic-card",), configs=cards) / "ullnic-card"


@pytest.fixture
def make_bench(tmp_path, host_build, card_program):
    """Benches that are shut down when the test is over."""
    benches = []

    def make(card: str = "trigger_pma16", **settings) -> TesterBench:
        benches.append(TesterBench(tmp_path / f"bench{len(benches)}", host_build, card_program, card, **settings))
        return benches[-1]

    yield make
    for bench in benches:
        bench.close()
