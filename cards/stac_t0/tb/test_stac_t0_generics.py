# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Ports that the card cannot have stop elaboration with a message; those at the limits do not. Each of them is tried
when something has changed, a few in every run."""

from pathlib import Path

import pytest

from ullnic.sources import listed_files
from ullnic_tb import deep, refusals, sliced

ROOT = Path(__file__).resolve().parents[3]
SOURCES = list(listed_files(ROOT / "cards/stac_t0/rtl/stac_t0_card.f", ROOT))
PORTS = "stac_t0_card: PORTS must be 2 to 8"
TCP = "stac_t0_card: TCP_ENABLES must include port 0, which sends the orders of port 1"
WIDTH = "card_chassis: PMA_DATA_WIDTH must be 16 or 32"
REFUSED = {
    "PORTS=1 TCP_ENABLES=1": PORTS,
    "PORTS=9 TCP_ENABLES=1": PORTS,
    "TCP_ENABLES=0": TCP,
    "TCP_ENABLES=2": TCP,
    "PMA_DATA_WIDTH=8": WIDTH,
    "PMA_DATA_WIDTH=64": WIDTH,
}
LEGAL = ("PORTS=2 TCP_ENABLES=1", "PORTS=8 TCP_ENABLES=1", "PMA_DATA_WIDTH=32")
SLICE = ("PORTS=1 TCP_ENABLES=1", "PMA_DATA_WIDTH=8", "PORTS=2 TCP_ENABLES=1")
ALL = deep(__file__, "cores/common/tb/ullnic_tb/generics.py", lambda: SOURCES)


@pytest.mark.parametrize("settings", sliced(zip(REFUSED), ALL, SLICE))
def test_stac_t0_card_refuses(settings):
    assert REFUSED[settings] in refusals("stac_t0_card", SOURCES, settings)


@pytest.mark.parametrize("settings", sliced(zip(LEGAL), ALL, SLICE))
def test_stac_t0_card_takes(settings):
    assert refusals("stac_t0_card", SOURCES, settings) == []
