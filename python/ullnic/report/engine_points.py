# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Measured figures of the TCP engine, prepared for its section of the report."""

from collections.abc import Sequence
from functools import cache

from ullnic.engines import EngineConfig
from ullnic.measure.records import Record
from ullnic.measure.toe import CLOCKS, EngineClock, records_of, summaries
from ullnic.points import engine as points
from ullnic.points.point import Point
from ullnic.report.results import Results

KINDS = {measured: kind for kind, measured in points.MEASURED.items()}


def point(engine: EngineConfig, results: Results, measured: str, at: EngineClock) -> Point:
    return results.point(KINDS[measured], engine.name, at.name)


def commands(engines: Sequence[EngineConfig], results: Results, measured: str) -> tuple[str, ...]:
    return tuple(point(each, results, measured, at).command for each in engines for at in CLOCKS)


@cache
def records(engine: EngineConfig, results: Results, total: bool = False) -> tuple[Record, ...]:
    """`total`: those that have limits."""
    found = []
    for measured in KINDS:
        for at in CLOCKS:
            each = point(engine, results, measured, at)
            gather = summaries if total else records_of
            found += gather(engine, at, measured, results.of(each), each.command)
    return tuple(found)


def rows_of(engine: EngineConfig, results: Results, measured: str, at: EngineClock, path: str, mode: str) -> list[dict]:
    rows = results.of(point(engine, results, measured, at))["rows"]
    return [row for row in rows if (row["path"], row["mode"]) == (path, mode)]
