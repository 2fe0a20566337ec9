# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from perf_bench import ExampleCard
from ullnic.build import build_host, build_sim


@pytest.fixture(scope="session")
def program() -> Path:
    return build_host(progress=False) / "bin" / "ullnic-dma-perf"


@pytest.fixture(scope="module")
def example_program() -> Path:
    return build_sim(progress=False, targets=("ullnic-qdma-example",)) / "ullnic-qdma-example"


@pytest.fixture(scope="module")
def card(example_program, tmp_path_factory):
    """One card for all tests of a file: each program that opens it resets it."""
    with ExampleCard(example_program, tmp_path_factory.mktemp("card") / "socket") as started:
        yield started
