# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Tick to trade: the table of the first page, and the caveats that belong to every such table."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from ullnic.budget import budget_path
from ullnic.cards import TRADING, Card
from ullnic.cards import card as card_of
from ullnic.measure.ate import LOW_LATENCY_UI, METRICS, PERCENTILES, published
from ullnic.measure.records import Record
from ullnic.paths import ROOT
from ullnic.synth.flow import CLOSES, FAILS

WORDS = {FAILS: f"not {CLOSES}"}  # short forms for tables
SYNTH_BLOCK = re.compile(r"<!-- measured: synth -->\n(.*?)<!-- end -->", re.DOTALL)


def caveats(cards: Iterable[Card]) -> list[str]:
    """One or two sentences each."""
    cards = list(cards)
    measured = " The published figures were measured on a board." if any(map(published, cards)) else ""
    apart = " A card with a transmit clock of its own (`TRIGGER_CROSSING`) is named 'crossing'."
    found = [
        f"Ours is simulated RTL.{measured}",
        "The card runs without its PCIe, and its transmit port is idle when a trigger comes.",
        "The order leaves before the FCS of the frame that triggers has come.",
        "The card is loop-timed: it transmits with the clock that the market-data port recovers."
        + (apart if any(card.crossing for card in cards) else ""),
    ]
    found += [
        f"Clocks of the whole {card.kind} card, {card.pma_bits} bits{crossing(card)}, estimated: "
        f"{whole_card_clocks(card)}."
        for card in cards
    ]
    return found


def crossing(card: Card) -> str:
    return ", crossing" if card.crossing else ""


def whole_card_clocks(card: Card) -> str:
    """Verdict and margin of each clock, read from the card's README, where `./ullnic synth` writes them."""
    label = f"card of {card.ports} ports, {card.pma_bits}-bit transceiver{crossing(card)}"
    rows = [row for row in synth_rows(card.kind) if row.get("configuration") == label and "clock" in row]
    if not rows:
        return "not mapped yet"
    apart = [row for row in rows if row["verdict"] != CLOSES]
    words = [f"{row['clock']} {WORDS.get(row['verdict'], row['verdict'])} ({margin(row):+.0%})" for row in apart]
    if len(apart) < len(rows):
        least = min(margin(row) for row in rows if row not in apart)
        words.append(f"{'the others' if apart else 'all'} {CLOSES} ({least:+.0%} at least)")
    return ", ".join(words)


def margin(row: dict[str, str]) -> float:
    """Margin of the loose model over the required frequency."""
    return float(row["loose"]) / float(row["needs MHz"]) - 1


def synth_rows(kind: str) -> list[dict[str, str]]:
    """Rows of both tables that `./ullnic synth KIND --update-docs` writes."""
    block = SYNTH_BLOCK.search(budget_path(kind).with_name("README.md").read_text())
    rows: list[dict[str, str]] = []
    header: list[str] = []
    for line in (block[1] if block else "").splitlines():
        cells = line.removeprefix("| ").removesuffix(" |").split(" | ")
        if line.startswith("| configuration |"):
            header = cells
        elif line.startswith("| ") and not line.startswith("| ---"):
            rows.append(dict(zip(header, cells, strict=True)))
    return rows


def floors() -> str:
    """The caption of figures with a low-latency transceiver."""
    return (
        f"Figures with {LOW_LATENCY_UI} UI are floors: the 2.34 ns of such a transceiver leave out the set-up of its "
        "pins, clock to output, the package and the routes to it."
    )


def notes(cards: Iterable[Card], low_latency: bool = True) -> list[str]:
    """The caveats as a list in Markdown."""
    return [f"- {each}" for each in (*caveats(cards), *([floors()] if low_latency else []))]


def caveat_blocks() -> dict[Path, str]:
    """Text for the documents with a table of tick to trade, at the place marked `measured: trade-caveats`."""
    kinds = {kind: [card for card in TRADING if card.kind == kind] for kind in dict.fromkeys(c.kind for c in TRADING)}
    blocks = {budget_path(kind).with_name("README.md"): notes(cards) for kind, cards in kinds.items()}
    blocks[ROOT / "README.md"] = notes([card for card in TRADING if published(card)], low_latency=False)
    return {path: "\n".join(lines) for path, lines in blocks.items()}


def compared(records: Iterable[Record]) -> list[Record]:
    """SoF to SoF of the cards that have published percentiles."""
    return [r for r in records if r.metric == METRICS[0] and published(card_of(r.config))]


def summary(records: Sequence[Record]) -> tuple[list[str], list[list[str]]]:
    """Header and rows: the compared cards and the published percentiles. In ns."""
    shown = compared(records)
    theirs = published(card_of(shown[0].config))
    header = ["percentile", "published"]
    for r in shown:
        card = card_of(r.config)
        header += [f"{card.label}, {card.transceiver_ui} UI", "diff"]
    rows = []
    for name in (*PERCENTILES, "mean"):
        known = theirs.get("average" if name == "mean" else name)
        row = [name, "-" if known is None else f"{known:.2f}"]
        for r in shown:
            ours = r.mean if name == "mean" else r.percentiles[name]
            row += [f"{ours:.2f}", "-" if known is None else f"{ours - known:+.2f}"]
        rows.append(row)
    return header, rows
