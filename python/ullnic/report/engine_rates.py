# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Bandwidth of the TCP engine, for its section of the report."""

from collections.abc import Sequence

from ullnic.engines import EngineConfig
from ullnic.measure.toe import (
    BANDWIDTH,
    BOTH_WAYS,
    CLOCKS,
    MODES,
    EngineClock,
    published,
    published_of,
    published_sizes,
)
from ullnic.measure.toe_tables import MODE_WORDS, PATH_WORDS
from ullnic.report.engine_points import commands, point, records, rows_of
from ullnic.report.model import Band, Column, Plot, Table
from ullnic.report.results import Results

RATES = (("tx", MODES[0]), ("tx", MODES[1]), ("rx", MODES[0]), ("rx", MODES[1]), ("tx", BOTH_WAYS), ("rx", BOTH_WAYS))


def rate(
    engines: Sequence[EngineConfig], results: Results, at: EngineClock, path: str, mode: str, payload: int, figure: str
) -> float | None:
    """The lowest rate of these engines; None if there is none."""
    found = [
        row[figure]
        for each in engines
        for row in rows_of(each, results, BANDWIDTH, at, path, mode)
        if row["payload_bytes"] == payload
    ]
    return round(min(found), 2) if found else None


def rates(engines: Sequence[EngineConfig], results: Results) -> Table:
    columns = [
        Column("clock", "clock", words=True),
        Column("payload_bytes", "payload", "bytes"),
        Column("published", "published", digits=0),
        *(Column(f"{path}_{mode}", f"{PATH_WORDS[path]}, {MODE_WORDS[mode]}", digits=0) for path, mode in RATES),
        Column("payload", "of that payload", digits=0),
    ]
    rows = []
    for at in CLOCKS:
        for payload in published_sizes(BANDWIDTH):
            row = {"path": "tx", "mode": MODES[0], "payload_bytes": payload}
            known = [published_of(each, at, BANDWIDTH, row) for each in engines]
            cells = [rate(engines, results, at, path, mode, payload, "line_mbit_s") for path, mode in RATES]
            net = rate(engines, results, at, "tx", MODES[0], payload, "payload_mbit_s")
            rows.append((at.label, payload, next(filter(None, known), None), *cells, net))
    ours = [record for each in engines for record in records(each, results) if record.unit == "Mbit/s"]
    return Table(
        "tcp-bandwidth",
        "Bandwidth beside the published one, Mbit/s of the line",
        f"Simulated; {min(r.samples for r in ours)} segments of each size, {sum(r.lost for r in ours)} dropped, the "
        "lowest of all engines. All of a frame counts, with preamble, headers, padding, FCS and gap: 10,000 at one "
        "byte of payload, as published, can be nothing else. Both ways: the user sends cut-through, and the peer "
        "sends, at the same time. The CSV of the plot has every size.",
        tuple(columns),
        tuple(rows),
        commands(engines, results, BANDWIDTH),
    )


def rate_plot(engines: Sequence[EngineConfig], results: Results) -> Plot:
    """Lowest to highest rate of all engines, clocks and modes."""
    marks = []
    for figure, words in (("line_mbit_s", "line"), ("payload_mbit_s", "payload")):
        for path in ("tx", "rx"):
            values: dict[int, list[float]] = {}
            samples = 0
            for each in engines:
                for at in CLOCKS:
                    for row in results.of(point(each, results, BANDWIDTH, at))["rows"]:
                        if row["path"] == path:
                            values.setdefault(row["payload_bytes"], []).append(round(row[figure] / 1000, 5))
                            samples += row["frames"]
            theirs = {
                payload: mbit_s / 1000 for (_, way, _, payload), mbit_s in published(BANDWIDTH).items() if way == path
            }
            known = tuple(theirs.get(payload) for payload in values) if figure == "line_mbit_s" else None
            low, mean, high = (
                tuple(function(found) for found in values.values())
                for function in (min, lambda found: sum(found) / len(found), max)
            )
            marks.append(Band(f"{words}, {PATH_WORDS[path]}", tuple(values), low, mean, high, samples, known))
    return Plot(
        "tcp-bandwidth-plot",
        "Bandwidth by payload",
        "Simulated; every engine, clock and mode, one way and both ways. Grey: published, of the line.",
        "payload, bytes",
        tuple(marks),
        "Gbit/s",
        log_x=True,
    )
