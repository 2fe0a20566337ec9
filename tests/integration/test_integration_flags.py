# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A parameter of a top level that is 0 or 1 refuses 2. As a `bit` it would be 0 then, with some tools silently."""

import re

import pytest

from modules import CORES, TOPS
from ullnic.deep import deep
from ullnic_tb import refusals

CHECKED = ("ate", "ate_tx", "toe", "toe_axil", "qdma", "qdma_usp")
# Numbers whose default is 0 or 1.
NUMBERS = {"RX_OUTPUT_PIPE_COUNT", "TX_OUTPUT_PIPE_COUNT", "TX_RETRANSMIT_MEM_WRITE_LAG", "VIRTUAL_INTERFACES_COUNT"}
NUMBERS |= {"H2C_LIMITED", "MAC_TX_PAUSE_LENGTH", "MAC_RX_CRC32_LATENCY"}
SMALL = "QUEUES=64 PFS=1 VFS=0"  # of qdma, which takes long otherwise
DEEP = deep(__file__, *(f"cores/{core}/rtl" for core in ("common", "ate", "toe", "qdma", "macpcs")))


def source(top: str) -> str:
    return next(CORES.glob(f"*/rtl/{top}.sv")).read_text()


def flags(top: str) -> list[str]:
    found = re.findall(r"parameter int +(\w+) += +[01]\b", source(top))
    return [name for name in found if name not in NUMBERS]


def cases():
    """In every run the first one of each top level, except of qdma, which takes long."""
    for top in CHECKED:
        for index, flag in enumerate(flags(top)):
            yield pytest.param(top, flag, marks=DEEP if index or top.startswith("qdma") else ())


@pytest.mark.parametrize("top, flag", [*cases()])
def test_two_is_refused(top, flag):
    more = f" {SMALL}" if top.startswith("qdma") else ""
    said = refusals(top, TOPS[top][1], f"{flag}=2{more}")
    assert [line for line in said if line.endswith(" must be 0 or 1")], said


def test_no_top_level_has_a_parameter_of_a_bit():
    for top in CHECKED:
        assert flags(top) and not re.findall(r"parameter (?:bit|logic) .*", source(top))
