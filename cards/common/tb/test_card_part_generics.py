# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of the modules that cards share: values just beyond each limit stop the elaboration with the module's
message, those at the limits do not. All are tried when something has changed, one of each module in every run."""

from pathlib import Path

import pytest

from ullnic.sources import listed_files
from ullnic_tb import deep, illegal, legal, own_refusals, refusals, sliced

ROOT = Path(__file__).resolve().parents[3]
LISTS = ("cards/trigger/rtl/trigger_card.f", "cards/common/rtl/card_dma.f")
SOURCES = list(dict.fromkeys(file for each in LISTS for file in map(Path.resolve, listed_files(ROOT / each, ROOT))))
BEATS = "DEPTH must be a power of two, 8 or more"
REFUSED = {  # module: message: settings
    "card_chassis": {
        "PORTS must be 1 to 8": ("PORTS=0", "PORTS=9"),
        "PMA_DATA_WIDTH must be 16 or 32": ("PMA_DATA_WIDTH=8", "PMA_DATA_WIDTH=64"),
    },
    "card_dma": {"PORTS must be 1 to 8": ("PORTS=0", "PORTS=9")},
    "card_dma_c2h": {BEATS: ("DEPTH=4", "DEPTH=48")},
    "card_dma_h2c": {BEATS: ("DEPTH=4", "DEPTH=48")},
    "card_store": {"DEPTH must be a power of two, at least 16": ("DEPTH=8", "DEPTH=48")},
}
LEGAL = {
    "card_chassis": ("PORTS=1 TCP_ENABLES=1", "PORTS=8 PMA_DATA_WIDTH=16"),
    "card_dma": ("PORTS=1", "PORTS=8"),
    "card_dma_c2h": ("DEPTH=8", "DEPTH=256"),
    "card_dma_h2c": ("DEPTH=8 MARGIN=2", "DEPTH=1024"),
    "card_store": ("DEPTH=16", "DEPTH=8192"),
}
ALL = deep(__file__, "cores/common/tb/ullnic_tb/generics.py", lambda: SOURCES)


@pytest.mark.parametrize(("module", "settings", "message"), sliced(illegal(REFUSED), ALL))
def test_card_part_refuses(module, settings, message):
    assert own_refusals(module, SOURCES, settings) == [message]


@pytest.mark.parametrize(("module", "settings"), sliced(legal(LEGAL), ALL))
def test_card_part_takes(module, settings):
    assert refusals(module, SOURCES, settings) == []
