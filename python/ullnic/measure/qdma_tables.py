# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Rates of the DMA compared with bounds and published figures, as the command and the documents show them."""

from collections.abc import Sequence

from ullnic.measure.markdown import table_lines
from ullnic.measure.qdma import (
    BOTH,
    DIRECTIONS,
    FORWARDING,
    INLINE,
    INLINE_C2H,
    LATENCY,
    MM_MODES,
    NEAR,
    OF_DDR4,
    metric,
    reached,
)
from ullnic.measure.records import Record

MODE_WORDS = {
    FORWARDING: "forwarding, H2C to C2H",
    "c2h": "C2H",
    "h2c": "H2C",
    f"{BOTH}_c2h": "both at once: C2H",
    f"{BOTH}_h2c": "both at once: H2C",
    INLINE: "forwarding with inline receive, entries of 64 bytes",
    INLINE_C2H: "C2H with inline receive, entries of 64 bytes",
}
for mode in MM_MODES:
    memory = "DDR4-2400" if mode in OF_DDR4 else "a block RAM"
    kind = "memory-mapped, both at once:" if len(DIRECTIONS[mode]) > 1 else "memory-mapped"
    MODE_WORDS |= {metric(mode, way): f"{kind} {way.upper()}, card's memory {memory}" for way in DIRECTIONS[mode]}
LATENCY_WORDS = {
    "doorbell_to_user": "H2C: doorbell's TLP on CQ to first beat at the user, without the two reads",
    "beat_to_payload": "C2H: first beat, with the grant, to its write on RQ",
    "last_beat_to_entry": "C2H: last beat to the entry on RQ",
    "ask_to_entry": "C2H: ask to the entry on RQ",
    "beat_to_payload_granted_ahead": "C2H, granted ahead: first beat to its write on RQ",
    "last_beat_to_entry_granted_ahead": "C2H, granted ahead: last beat to the entry on RQ",
}
LATENCY_HEADER = ["latency, idle card", "bytes", "cycles"]
HOST = "amd_pf"  # the host and function with their own row
BUSY = ("rq", "rc", "link_up", "link_down")
BUSY_HEADER = "busy"
BUSY_TEXT = "Busy: RQ, RC, link up, link down, percent."


def rows(records: Sequence[Record]) -> tuple[list[str], list[list[str]]]:
    """Header and rows of one mode."""
    known = any(record.published_by for record in records)
    rate = "M/s" if records[0].metric.startswith("mm_") else "Mpps"  # transfers are not packets
    header = ["bytes", "queues", rate, "Gbps", "bound", "by", "of it", *(["published", "highest"] if known else [])]
    header.append(BUSY_HEADER)
    found = []
    for record in records:
        cells = [str(record.payload_bytes), str(record.queues), f"{record.mean:.2f}", f"{gbps(record):.2f}"]
        cells += [f"{record.bound:.2f}", record.bound_by, f"{record.mean / record.bound:.1%}"]
        if known:
            theirs = record.published_by
            cells += [f"{theirs[HOST]:.2f}", f"{max(theirs.values()):.2f}"] if theirs else ["-", "-"]
        found.append([*cells, " ".join(f"{100 * record.busy[name]:.0f}" for name in BUSY)])
    return header, found


def latency_rows(records: Sequence[Record]) -> list[list[str]]:
    found = []
    for record in records:
        cycles = f"{record.min:g}" if record.min == record.max else f"{record.min:g} to {record.max:g}"
        found.append([LATENCY_WORDS[record.metric.removeprefix(f"{LATENCY}_")], str(record.payload_bytes), cycles])
    return found


def gbps(record: Record) -> float:
    return record.mean * record.payload_bytes * 8 / 1000


def by_mode(records: Sequence[Record]) -> dict[str, list[Record]]:
    """Rates by mode and direction."""
    found: dict[str, list[Record]] = {}
    for record in (each for each in records if each.unit == "Mpps"):
        found.setdefault(record.metric, []).append(record)
    return found


def latencies(records: Sequence[Record]) -> list[Record]:
    return [record for record in records if record.unit == "cycle"]


def reached_text(records: Sequence[Record]) -> str:
    above, near, known = reached(records)
    others = f"; {near} more where ours are within {1 - NEAR:.0%} of the bound" if near else ""
    return f"published rows that ours are not below: {above} of {known}{others}"


def text(records: Sequence[Record]) -> str:
    """All tables, for a document."""
    lines = []
    for mode, own in by_mode(records).items():
        header, cells = rows(own)
        lines += [f"{MODE_WORDS[mode]}:", "", *table_lines([header, *cells], 0), ""]
    lines += [*table_lines([LATENCY_HEADER, *latency_rows(latencies(records))], 1), ""]
    lost = sum(record.lost for record in records)
    return "\n".join(
        [
            *lines,
            f"{BUSY_TEXT} Simulated, link model, no CPU cost. {sum(r.samples for r in records)} packets, {lost} lost. "
            f"{reached_text(records).capitalize()}.",
            f"Made by `{records[0].command} --update-docs`.",
        ]
    )
