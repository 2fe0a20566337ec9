# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Ports that the card cannot have stop elaboration with a message; those at the limits do not. Each of them is tried
when something has changed, a few in every run."""

from pathlib import Path

import pytest

from ullnic.sources import listed_files
from ullnic_tb import deep, refusals, sliced

ROOT = Path(__file__).resolve().parents[3]
SOURCES = list(listed_files(ROOT / "cards/trigger/rtl/trigger_card.f", ROOT))
PORTS = "trigger_card: PORTS must be 2 to 8"
TCP = "trigger_card: TCP_ENABLES must include port 1, which sends the orders"
WIDTH = "card_chassis: PMA_DATA_WIDTH must be 16 or 32"
REFUSED = {
    "PORTS=1 TCP_ENABLES=1": PORTS,
    "PORTS=9 TCP_ENABLES=2": PORTS,
    "TCP_ENABLES=0": TCP,
    "TCP_ENABLES=1": TCP,
    "PMA_DATA_WIDTH=8": WIDTH,
    "PMA_DATA_WIDTH=64": WIDTH,
}
LEGAL = ("PORTS=2 TCP_ENABLES=2", "PORTS=8 TCP_ENABLES=2", "PMA_DATA_WIDTH=32")
SLICE = ("PORTS=1 TCP_ENABLES=1", "PMA_DATA_WIDTH=8", "PORTS=2 TCP_ENABLES=2")
ALL = deep(__file__, "cores/common/tb/ullnic_tb/generics.py", lambda: SOURCES)


@pytest.mark.parametrize("settings", sliced(zip(REFUSED), ALL, SLICE))
def test_trigger_card_refuses(settings):
    assert REFUSED[settings] in refusals("trigger_card", SOURCES, settings)


@pytest.mark.parametrize("settings", sliced(zip(LEGAL), ALL, SLICE))
def test_trigger_card_takes(settings):
    assert refusals("trigger_card", SOURCES, settings) == []
