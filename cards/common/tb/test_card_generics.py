# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Ports that a card cannot have stop elaboration with a message; those at the limits do not."""

from pathlib import Path

import pytest

from ullnic.sources import listed_files
from ullnic_tb import refusals

ROOT = Path(__file__).resolve().parents[3]
WIDTH = "card_chassis: PMA_DATA_WIDTH must be 16 or 32"
# The bit of TCP_ENABLES that each card needs, and the other one
CARDS = {
    "trigger": (2, 1, "TCP_ENABLES must include port 1, which sends the orders"),
    "stac_t0": (1, 2, "TCP_ENABLES must include port 0, which sends the orders of port 1"),
}


def refused(card: str) -> dict[str, str]:
    needed, other, tcp = CARDS[card]
    ports = f"{card}_card: PORTS must be 2 to 8"
    return {
        "PORTS=1 TCP_ENABLES=1": ports,
        f"PORTS=9 TCP_ENABLES={needed}": ports,
        "TCP_ENABLES=0": f"{card}_card: {tcp}",
        f"TCP_ENABLES={other}": f"{card}_card: {tcp}",
        "PMA_DATA_WIDTH=8": WIDTH,
        "PMA_DATA_WIDTH=64": WIDTH,
    }


def legal(card: str) -> tuple[str, ...]:
    needed = CARDS[card][0]
    return f"PORTS=2 TCP_ENABLES={needed}", f"PORTS=8 TCP_ENABLES={needed}", "PMA_DATA_WIDTH=32"


def refusals_of(card: str, settings: str) -> list[str]:
    return refusals(f"{card}_card", list(listed_files(ROOT / f"cards/{card}/rtl/{card}_card.f", ROOT)), settings)


@pytest.mark.parametrize(("card", "settings"), [(card, settings) for card in CARDS for settings in refused(card)])
def test_card_refuses(card, settings):
    assert refused(card)[settings] in refusals_of(card, settings)


@pytest.mark.parametrize(("card", "settings"), [(card, settings) for card in CARDS for settings in legal(card)])
def test_card_takes(card, settings):
    assert refusals_of(card, settings) == []
