# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Figures of the TCP engine compared with the published ones, as the command and the README show them."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from ullnic.measure.markdown import table_lines
from ullnic.measure.records import Record
from ullnic.measure.toe import BOTH_WAYS, CLOCKS, LINE_MBIT_S, MODES, PATHS

PATH_WORDS = {"tx": "TX", "rx": "RX", "rtt": "TX to RX"}
MODE_WORDS = {"cut_through": "cut-through", "store_forward": "store-forward", BOTH_WAYS: "both ways"}
WORDS = 2  # columns of words


def beside(records: Iterable[Record]) -> dict[tuple[str, str, int, float], Record]:
    """The latencies that have a published value, by mode, path, payload and clock."""
    found = {}
    for record in records:
        if record.unit == "ns" and record.published_max is not None:
            path, mode = record.metric.split("_", 1)
            found[mode, path, record.payload_bytes, record.clock_mhz] = record
    return found


def latencies(records: Iterable[Record]) -> tuple[list[str], list[list[str]]]:
    """Header and rows: consecutive payload sizes with the same figures at both clocks share a row."""
    found = beside(records)
    header = ["mode", "path", "bytes"]
    for at in CLOCKS:
        header += [at.label, "published", "diff"]
    rows = []
    for mode in MODES:
        for path in PATHS:
            sizes = sorted({payload for m, p, payload, _ in found if (m, p) == (mode, path)})

            def figures(payload: int, mode: str = mode, path: str = path) -> list[str]:
                of_clocks = [found[mode, path, payload, float(at.mhz)] for at in CLOCKS]
                return [text for record in of_clocks for text in figures_of(record)]

            for cells, group in groupby(sizes, figures):
                same = list(group)
                span = f"{same[0]}" if len(same) == 1 else f"{same[0]} to {same[-1]}"
                rows.append([MODE_WORDS[mode], PATH_WORDS[path], span, *cells])
    return header, rows


def figures_of(record: Record) -> list[str]:
    ours = f"{record.max:.2f}" if record.min == record.max else f"{record.min:.2f} to {record.max:.2f}"
    return [ours, f"{record.published_max:.2f}", f"{record.max - record.published_max:+.2f}"]


def bandwidth_text(records: Sequence[Record]) -> str:
    """A sentence: the lowest of all sizes, modes, clocks and directions."""
    rates = [record for record in records if record.unit == "Mbit/s"]
    sizes = sorted({record.payload_bytes for record in rates})
    low, dropped = min(record.min for record in rates), sum(record.lost for record in rates)
    used = "every size, mode and clock" if low == LINE_MBIT_S else "the worst size, mode and clock"
    return (
        f"Bandwidth: {low:.0f} Mbit/s of the line at {used}, {sizes[0]} to {sizes[-1]} bytes of payload, one way and "
        f"both ways at once; {sum(record.samples for record in rates)} segments, {dropped} dropped "
        f"(published: {LINE_MBIT_S})."
    )


def text(records: Sequence[Record]) -> str:
    header, rows = latencies(records)
    made = f"ns by bytes of payload, simulated. Made by `{records[0].command} --update-docs`."
    return "\n".join([*table_lines([header, *rows], WORDS), "", bandwidth_text(records), "", made])
