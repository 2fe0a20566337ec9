# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Benches of the write path's blocks: only the block, its packages and checkers, so that each compiles in seconds."""

import os
from pathlib import Path

from ullnic_tb import Bench

HERE = Path(__file__).resolve().parent
CORE = HERE.parent
COMMON = CORE.parent / "common"
PACKAGES = ("qdma_context_pkg", "qdma_tlp_pkg", "qdma_watch_pkg", "qdma_pkg", "qdma_write_pkg")
SHARED = ("axis_register", "ram_sdp")


def write_bench(block: str, *modules: str, **parameters: int) -> Bench:
    """`modules` are those of rtl/ that the block needs, and the block."""
    sources = [CORE / "rtl" / f"{name}.sv" for name in PACKAGES]
    sources += [COMMON / "rtl" / f"{name}.sv" for name in SHARED] + [COMMON / "sva" / "axis_checker.sv"]
    sources += [CORE / "rtl" / f"{name}.sv" for name in modules]
    # Assertions of the blocks hold after the first reset.
    return Bench(f"{block}_bench", [*sources, HERE / f"{block}_bench.sv"], parameters, starts_with_zeros=True)


def running_test() -> str:
    return os.environ["ULLNIC_TEST_NAME"]


def lanes(values: list[int], bits: int) -> int:
    """A packed array: element 0 in the lowest bits."""
    return sum((value & ((1 << bits) - 1)) << bits * i for i, value in enumerate(values))


def names(text: str) -> list[str]:
    """Names of ports, one after another."""
    return text.split()
