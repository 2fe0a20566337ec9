# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Points of tick to trade: a whole card, with the published transceiver and with a low-latency one."""

from collections.abc import Iterable
from pathlib import Path

from ullnic.build import build_sim
from ullnic.card_file import path_of
from ullnic.cards import Card
from ullnic.cards import card as card_of
from ullnic.configs import REFERENCE
from ullnic.measure import ate as measure
from ullnic.measure.ate import Sweep, sweeps
from ullnic.paths import ROOT
from ullnic.points.point import Point
from ullnic.points.simulated import MAIN_SWEEP, content_of
from ullnic.points.sources import program_sources
from ullnic.sources import listed_files

TRADE = "tick-to-trade"
PROGRAM = "ullnic-ate-sweep"


def sources(card: Card) -> list[Path]:
    """What the card's figures depend on, besides the options."""
    ours = [Path(__file__), Path(measure.__file__), ROOT / "python/ullnic/cards.py", ROOT / path_of(card.kind)]
    ours += [REFERENCE / "ate.csv", REFERENCE / "transceiver.csv"]
    return [*listed_files(ROOT / card.file_list, ROOT), *program_sources("ate_sweep"), *ours]


def points(card: Card, frames: int, seed: int) -> list[Point]:
    options, content = (("frames", frames), ("seed", seed)), content_of(sources(card))
    cost_s = 30 + 4 * frames / 1000
    return [
        Point(card.kind, TRADE, card.name, variant_of(sweep), options, content, cost_s)
        for sweep in sweeps(card, frames)
    ]


def variant_of(sweep: Sweep) -> str:
    return sweep.suffix.removeprefix("_") or MAIN_SWEEP


def build_for(names: Iterable[str]) -> Path:
    """Builds the programs that measure the points of these cards; returns their directory."""
    return build_sim(targets=(PROGRAM,), configs=tuple(names))


def run(point: Point) -> dict:
    """Builds what the point needs, then measures it."""
    card, options = card_of(point.config), dict(point.options)
    chosen = {variant_of(sweep): sweep for sweep in sweeps(card, options["frames"])}
    return measure.measure_sweep(build_for([card.name]), card, chosen[point.variant], options["seed"])
