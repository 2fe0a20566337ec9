# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Tick to trade of whole cards: market data on one port, the answer of the card's user logic on another.

The sweep program (sim/src/ate_sweep) generates the frames, checks every answer and takes both times from the lines.
This module runs it and gathers the figures.
"""

import json
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from ullnic.cards import TRADING, Card
from ullnic.configs import UI_PS
from ullnic.errors import UllnicError
from ullnic.measure.records import Record, reference_rows

METRICS = ("sof_to_sof", "actionable")
# In percent of the samples: those of reference/ate.csv and 99.9.
PERCENTILES = ("0", "1", "5", "10", "25", "50", "75", "90", "95", "99", "99.9", "100")
OFFSETS = 66  # on the incoming line: every bit of a block
FEWEST_TRIGGERS = 5  # at each offset
DIGITS = 2
STEP_NS = 0.25  # resolution of the published figures
# A low-latency transceiver, both ways together: 2.34 ns are 24.13 bit times.
LOW_LATENCY_UI = round(2340 / UI_PS)


NAMES = tuple(card.name for card in TRADING)


@dataclass(frozen=True)
class Sweep:
    """One run of the sweep program: all offsets, with one transceiver."""

    suffix: str  # part of the metric's name
    title: str
    delay_ui: int
    triggers: int  # at each offset

    @property
    def published(self) -> bool:
        """Whether the published figures contain this transceiver."""
        return not self.suffix


def sweeps(card: Card, frames: int) -> tuple[Sweep, Sweep]:
    each = max(FEWEST_TRIGGERS, -(-frames // OFFSETS))
    return (
        Sweep("", f"transceiver of {card.transceiver_ui} UI", card.transceiver_ui, each),
        Sweep("_low_latency", f"transceiver of {LOW_LATENCY_UI} UI", LOW_LATENCY_UI, each),
    )


def published(card: Card) -> dict[str, float]:
    """The published tick to trade of such a card in ns: by percentile, and its average. Empty if none was published."""
    if not card.trade.published:
        return {}
    rows = (row for row in reference_rows("ate.csv") if row["item"] == "tick_to_trade")
    return {row["statistic"].removeprefix("percentile_"): float(row["value"]) for row in rows}


def run_sweep(binaries: Path, card: Card, sweep: Sweep, seed: int, *more: str) -> dict:
    """The output of the program; raises an error if a trigger got no answer, or a wrong one."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [str(binaries / "ullnic-ate-sweep"), "--card", card.name, "--delay-ui", str(sweep.delay_ui)]
        command += ["--triggers", str(sweep.triggers), "--seed", str(seed), *more]
        done = subprocess.run([*command, "--json", out.name], capture_output=True, text=True)
        if done.returncode:
            text = (done.stderr or done.stdout).strip() or f"exit code {done.returncode}"
            raise UllnicError(
                f"the sweep '{card.label}: {sweep.title}' failed: {text}",
                f"repeat it with: {' '.join(command)}",
            )
        return json.load(out)


def to_ns(ui: float) -> float:
    return ui * float(UI_PS) / 1000


def figures(histogram: Iterable[tuple[int, int]]) -> dict:
    """Figures of a histogram in bit times: samples, minimum, mean, maximum, percentiles and the histogram, in ns.

    A percentile is the lowest value that at least so many samples do not exceed.
    """
    counts = sorted(histogram)
    samples = sum(count for _, count in counts)
    if not samples:
        return {"samples": 0}
    found = {}
    for name in PERCENTILES:
        wanted, seen = Fraction(name) * samples / 100, 0
        for ui, count in counts:
            seen += count
            if seen >= wanted:
                found[name] = to_ns(ui)
                break
    return {
        "samples": samples,
        "min": to_ns(counts[0][0]),
        "mean": to_ns(sum(ui * count for ui, count in counts) / samples),
        "max": to_ns(counts[-1][0]),
        "percentiles": found,
        "histogram": [(to_ns(ui), count) for ui, count in counts],
    }


def measure_sweep(binaries: Path, card: Card, sweep: Sweep, seed: int, *more: str) -> dict:
    """Counts, and for each metric the figures of all offsets together and of each offset, in ns.

    `phases`: how many of the `of_phases` bits of a gearbox round a trigger began with.
    """
    points = run_sweep(binaries, card, sweep, seed, *more)["points"]

    def total(name: str) -> int:
        return sum(point[name] for point in points)

    result = {
        "delay_ui": sweep.delay_ui,
        "triggers": total("triggers"),
        "others": total("others"),
        "answers": total("answers"),
        "lost": total("lost") + total("damaged"),
        "phases": len({phase for point in points for phase in point["phases"]}),
        "of_phases": 33 * card.pma_bits,
    }
    for metric in METRICS:
        counts: Counter[int] = Counter()
        for point in points:
            counts.update(dict(point[f"{metric}_ui"]["histogram"]))
        result[metric] = figures(counts.items())
    result["by_offset"] = [
        {"offset": point["offset"]} | {metric: figures(point[f"{metric}_ui"]["histogram"]) for metric in METRICS}
        for point in points
    ]
    for row in result["by_offset"]:
        for metric in METRICS:
            for name in ("percentiles", "histogram"):
                del row[metric][name]
    return result


def records_of(card: Card, sweep: Sweep, result: dict, command: str) -> list[Record]:
    """The records of a sweep, one for each metric."""
    records = []
    for metric in METRICS:
        found = result[metric]
        known = published(card) if sweep.published and metric == "sof_to_sof" else {}
        records.append(
            Record(
                core=card.kind,
                config=card.name,
                metric=metric + sweep.suffix,
                unit="ns",
                min=round(found["min"], DIGITS),
                mean=round(found["mean"], DIGITS),
                max=round(found["max"], DIGITS),
                samples=found["samples"],
                lost=result["lost"],
                published_min=known.get("0"),
                published_max=known.get("100"),
                command=command,
                percentiles={name: round(value, DIGITS) for name, value in found["percentiles"].items()},
            )
        )
    return records


def measure_card(binaries: Path, card: Card, frames: int, seed: int, command: str, progress) -> list[Record]:
    """All records of one card. `progress` is called with a line of text before each sweep."""
    records = []
    for sweep in sweeps(card, frames):
        progress(f"{card.label}: {sweep.title}")
        records += records_of(card, sweep, measure_sweep(binaries, card, sweep, seed), command)
    return records


def in_steps(ns: float) -> float:
    """Rounded as the published figures are."""
    return round(ns / STEP_NS) * STEP_NS
