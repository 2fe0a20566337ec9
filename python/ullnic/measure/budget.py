# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Limits of a configuration's latency: the tables [CONFIGURATION] in cores/CORE/budget.toml, and in
cards/CARD/budget.toml for a whole card.

[nofifo_pma32_mac32] sop_to_sop_wire_offset0_cycles = [3, 5]   # minimum, maximum sop_to_sop_ns = [34.13, 40.34]

[trigger_pma16] sof_to_sof_ns = { min = 28.22, median = 32.1, max = 36.0 }
"""

from collections.abc import Iterable

from ullnic.budget import Limit
from ullnic.errors import UllnicError
from ullnic.measure.records import Record

SUFFIX = {"cycle": "cycles", "ns": "ns", "Mbit/s": "mbit_s"}
ENDS = ("min", "max")
FIGURES = {
    "min": lambda record: record.min,
    "median": lambda record: record.percentiles["50"],
    "mean": lambda record: record.mean,
    "max": lambda record: record.max,
}


def limits(records: Iterable[Record], budget: dict, committed: dict) -> list[Limit]:
    """Limits of every record that the budget covers; raises an error if a configuration has none at all."""
    found = []
    for record in records:
        if record.config not in budget:
            raise UllnicError(
                f"budget.toml of {record.core} has no table [{record.config}]",
                f"put in what holds now: {key(record)} = [{record.min:g}, {record.max:g}], and the like",
            )
        before = by_figure(committed.get(record.config, {}).get(key(record), {}))
        for name, most in by_figure(budget[record.config].get(key(record), {})).items():
            if name not in FIGURES:
                raise UllnicError(
                    f"budget.toml of {record.core}: {key(record)} has a limit for '{name}', which is not measured",
                    f"known are: {', '.join(FIGURES)}",
                )
            measured = FIGURES[name](record)
            found.append(Limit(record.config, f"{key(record)} {name}", measured, most, before.get(name)))
    return found


def by_figure(limit: dict | list) -> dict[str, float]:
    return limit if isinstance(limit, dict) else dict(zip(ENDS, limit, strict=True))


def key(record: Record) -> str:
    return f"{record.metric}_{SUFFIX[record.unit]}"
