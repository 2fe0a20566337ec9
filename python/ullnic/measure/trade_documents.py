# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Puts the caveats of tick to trade into the documents whenever the card's figures or its clocks are updated there."""

from ullnic.measure.markdown import update_block
from ullnic.measure.trade_tables import caveat_blocks


def update_caveats() -> None:
    for path, text in caveat_blocks().items():
        update_block(path, "trade-caveats", text)
