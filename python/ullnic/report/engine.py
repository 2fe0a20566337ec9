# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Section of the report on the TCP engine: latency and bandwidth by payload, compared with the published rows."""

from collections.abc import Sequence

from ullnic.engines import EngineConfig
from ullnic.measure.toe import (
    ANY_PAUSE,
    BEHIND,
    CLOCKS,
    LATENCY,
    MODES,
    NO_LENGTH,
    PATHS,
    beaten,
    published_of,
    published_sizes,
)
from ullnic.measure.toe_tables import MODE_WORDS, PATH_WORDS
from ullnic.report.engine_points import commands, point, records, rows_of
from ullnic.report.engine_rates import rate_plot, rates
from ullnic.report.latency import difference
from ullnic.report.model import Band, Column, Headline, Plot, Section, Table
from ullnic.report.results import Results

NS = {"unit": "ns", "digits": 2}


def section(engines: Sequence[EngineConfig], results: Results) -> Section:
    text = (
        "TCP/IP without software, the whole engine on an open connection, from its user to its MAC and back; no MAC "
        "and no transceiver. TX: from the user's first beat to the first word at the MAC. RX: from word 0 at the MAC "
        "to the user's first beat, of 8 bytes (32 bits where it says so) or the whole payload. TX to RX: from one "
        "engine's user to another's. Frames come at 10 Gb/s, with a pause where the clock is faster, first behind word "
        "31 at 322.27 MHz and behind word 8 at 350 MHz: so the published store-forward figures of RX lie 2 or 3 "
        "cycles above ours at every size. Store-forward: sent with the length given and the checksum computed; "
        "received behind the verdict of FCS and checksum. Cut-through sends with length and sum given, and receives "
        "while the frame comes; the closed core had its checksum off then, here the last beat has the verdict.",
        "Every segment is checked byte by byte at both ends. The user takes 16 bytes a cycle, as the closed core's did "
        "by its figures.",
    )
    plots = [(MODES[0], PATHS), (MODES[1], PATHS[:1]), (MODES[1], PATHS[1:])]
    items = [beside(engines, results), *(latency_plot(engines, results, *each) for each in plots)]
    items += [widths(engines, results), pauses(engines, results), rates(engines, results), rate_plot(engines, results)]
    return Section("tcp", "TCP engine", text, tuple(item for item in items if item is not None))


def beside(engines: Sequence[EngineConfig], results: Results) -> Table | None:
    """A row for every published one."""
    ours = [record for each in engines for record in records(each, results)]
    found = {
        (record.metric, record.payload_bytes, record.clock_mhz): record
        for record in ours
        if record.unit == "ns" and record.published_max is not None
    }
    if not found:
        return None
    columns = [
        Column("mode", "mode", words=True),
        Column("path", "path", words=True),
        Column("payload_bytes", "payload", "bytes"),
    ]
    for at in CLOCKS:
        columns += [
            Column(f"ours_{at.name}", at.label, **NS),
            Column(f"published_{at.name}", "published", **NS),
            Column(f"difference_{at.name}", "Δ", **NS),
        ]
    rows = []
    for mode in MODES:
        for path in PATHS:
            for payload in published_sizes(LATENCY):
                cells = [found.get((f"{path}_{mode}", payload, float(at.mhz))) for at in CLOCKS]
                if all(cells):
                    figures = [(r.max, r.published_max, difference(r.max, r.published_max)) for r in cells]
                    words = (MODE_WORDS[mode], PATH_WORDS[path], payload)
                    rows.append((*words, *(value for three in figures for value in three)))
    samples = min(record.samples for record in found.values())
    return Table(
        "tcp-latency",
        "Latency beside every published row",
        f"Simulated; the highest of {samples} samples each, all alike. Δ: ours minus the published one.",
        tuple(columns),
        tuple(rows),
        commands([each for each in engines if compared(each)], results, LATENCY),
    )


def compared(engine: EngineConfig) -> bool:
    """Whether this engine is the one that is compared with the published figures."""
    return (
        published_of(engine, CLOCKS[0], LATENCY, {"path": "rtt", "mode": mode_of(engine), "payload_bytes": 1})
        is not None
    )


def mode_of(engine: EngineConfig) -> str:
    return MODES[engine.store_forward]


def latency_plot(engines: Sequence[EngineConfig], results: Results, mode: str, paths: Sequence[str]) -> Plot | None:
    """One plot for cut-through; two for store-forward, since panels share one scale and TX would be flat beside RX."""
    marks = []
    for at in CLOCKS:
        for path in paths:
            for each in engines:
                rows = rows_of(each, results, LATENCY, at, path, mode)
                known = tuple(published_of(each, at, LATENCY, row) for row in rows)
                if any(known):
                    cycle_ns = results.of(point(each, results, LATENCY, at))["cycle_ns"]
                    marks.append(band(f"{PATH_WORDS[path]}, {at.label}", rows, cycle_ns, known))
    if not marks:
        return None
    shown = "" if paths == PATHS else f", {' and '.join(PATH_WORDS[path] for path in paths)}"
    return Plot(
        "-".join(("tcp-latency", mode.replace("_", "-"), *paths)),
        f"Latency by payload, {MODE_WORDS[mode]}{shown}",
        f"Simulated; {len(marks[0].x)} sizes. Line: ours. Grey: published, at the sizes that were.",
        "payload, bytes",
        tuple(marks),
        "latency, ns",
        log_x=True,
    )


def band(label: str, rows: Sequence[dict], scale: float, known: tuple[float | None, ...]) -> Band:
    low, mean, high = (tuple(row[name] * scale for row in rows) for name in ("min", "mean", "max"))
    samples = sum(row["samples"] for row in rows)
    return Band(label, tuple(row["payload_bytes"] for row in rows), low, mean, high, samples, known)


def widths(engines: Sequence[EngineConfig], results: Results) -> Table:
    """Transmit without the checksum, by width of the user's port: the cycles are the same at both clocks."""
    shown = {each.transmit_bits: each for each in engines}
    modes = (("store_forward", "length given"), (NO_LENGTH, "nothing given"))
    columns = [Column("payload_bytes", "payload", "bytes")]
    columns += [
        Column(f"{mode}_{bits}", f"{bits} bits, {words}", "cycles") for mode, words in modes for bits in sorted(shown)
    ]
    rows = []
    for payload in published_sizes(LATENCY):
        cells = []
        for mode, _ in modes:
            for bits in sorted(shown):
                both = {
                    row["max"]
                    for at in CLOCKS
                    for row in rows_of(shown[bits], results, LATENCY, at, "tx", mode)
                    if row["payload_bytes"] == payload
                }
                cells.append("/".join(map(str, sorted(both))))
        rows.append((payload, *cells))
    return Table(
        "tcp-widths",
        "Transmit, store-forward, by width of the user's port",
        "Simulated, at both clocks alike (two figures where they are not). The user gives a beat a cycle. Length "
        "given: the frame begins 11 beats before the last one has come; nothing given: with the last one. With the sum "
        "given, too, it is 1 cycle at every width and size.",
        tuple(columns),
        tuple(rows),
        commands(tuple(shown.values()), results, LATENCY),
    )


def pauses(engines: Sequence[EngineConfig], results: Results) -> Table:
    """Receive with the line's pauses placed as in the published figures, and anywhere."""
    columns = [Column("engine", "engine", words=True), Column("payload", "payload, bytes", words=True)]
    for at in CLOCKS:
        columns += [
            Column(f"published_pauses_{at.name}", f"{at.label}, pauses as published", "cycles", words=True),
            Column(f"any_pause_{at.name}", "anywhere", "cycles", words=True),
        ]
    rows = []
    for each in engines:
        mode = mode_of(each)
        spans = [("1", mode, (1, 1)), ("8 to 2048", mode, (8, 2048))]
        spans += [("1 to 2048, behind the verdict", BEHIND, (1, 2048))] if each.store_forward else []
        for words, name, (first, last) in spans:
            cells = []
            for at in CLOCKS:
                for full in (name, name + ANY_PAUSE):
                    found = rows_of(each, results, LATENCY, at, "rx", full)
                    ends = [
                        row[end] for row in found if first <= row["payload_bytes"] <= last for end in ("min", "max")
                    ]
                    cells.append(" to ".join(map(str, sorted({min(ends), max(ends)}))) if ends else None)
            rows.append((each.label, words, *cells))
    return Table(
        "tcp-pauses",
        "Receive, with the line's pauses at every place",
        "Simulated, cycles of the clock. A pause of the line in front of the word that is waited for counts. A beat of "
        "32 bits has the first two bytes of the payload, one of 64 bits is full or has all of it. Anywhere: each place "
        "of the pauses once, at the published sizes.",
        tuple(columns),
        tuple(rows),
        commands(engines, results, LATENCY),
    )


def headlines(engines: Sequence[EngineConfig], results: Results) -> list[Headline]:
    ours = [record for each in engines for record in records(each, results)]
    below, known = beaten(ours)
    line = [record for record in ours if record.unit == "Mbit/s"]
    found = []
    if known:
        found.append(Headline("Published TCP latencies beaten", f"{below} of {known}", "payloads of 1 to 2048 bytes"))
    dropped = sum(record.lost for record in line)
    lowest = f"{min(record.min for record in line):,.0f} Mbit/s".replace(",", " ")
    found.append(Headline("TCP bandwidth, each way", lowest, f"the least of all sizes, {dropped} dropped"))
    return found
