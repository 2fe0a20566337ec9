# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Tables of measured figures in the documents: written by the command that measures, never by hand.

A document marks the place with `<!-- measured: NAME -->` and `<!-- end -->`, a line each.
"""

import re
from pathlib import Path

from ullnic.cards import card
from ullnic.configs import config
from ullnic.errors import UllnicError
from ullnic.measure.ate import LOW_LATENCY_UI, METRICS, PERCENTILES, STEP_NS, in_steps, published
from ullnic.measure.records import Record, verdict
from ullnic.measure.trade_tables import compared, summary


def table(records: list[Record], title) -> str:
    """Markdown table of the records; `title(metric)` names a metric."""
    rows = [
        "| metric | min | mean | max | unit | samples | lost | published |",
        "| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: |",
    ]
    for r in records:
        published = "-" if r.published_min is None else f"{r.published_min:.2f} to {r.published_max:.2f}"
        rows.append(
            f"| {title(r.metric)} | {r.min:.2f} | {r.mean:.2f} | {r.max:.2f} | {r.unit} | {r.samples} | {r.lost}"
            f" | {published} |"
        )
    return "\n".join([*rows, "", f"Simulated. Made by `{records[0].command} --update-docs`."])


COMPARED = ("min", "mean", "max", "published", "against it")
OTHER_PHASES = {"any phase": "_any_phase", "aligned": "_aligned"}


def comparison(records: list[Record]) -> tuple[list[str], list[list[str]]]:
    """Header and rows: each configuration of macpcs and both metrics, compared with the published figures."""
    header = ["configuration", "metric", "wire", "", *COMPARED, *OTHER_PHASES, "samples", "lost"]
    rows = []
    for metric, title in (("sop_to_sop", "SoP-SoP"), ("sop_to_sof", "SoP-SoF")):
        for r in (r for r in records if r.metric == metric):
            own = {each.metric.removeprefix(metric): each for each in records if each.config == r.config}
            wire = own["_wire"]
            span = f"{wire.min:g} to {wire.max:g}" if wire.unit == "cycle" else span_ns(wire)
            published = "-" if r.published_min is None else f"{r.published_min:.2f} to {r.published_max:.2f}"
            unit = f"x {float(config(r.config).user_period_ps) / 1000:.3f} ns" if wire.unit == "cycle" else "ns"
            figures = [f"{value:.2f}" for value in (r.min, r.mean, r.max)]
            # with a FIFO the row itself covers every phase
            phases = [span_ns(own[suffix]) if suffix in own else "-" for suffix in OTHER_PHASES.values()]
            phases[0] = span_ns(own.get("_any_phase", r))
            lost = str(sum(each.lost for each in own.values()))
            row = [config(r.config).label, title, span, unit, *figures, published, verdict(r)]
            rows.append([*row, *phases, str(r.samples), lost])
    return header, rows


def span_ns(record: Record) -> str:
    return f"{record.min:.2f} to {record.max:.2f}"


def comparison_text(records: list[Record]) -> str:
    header, rows = comparison(records)
    return "\n".join(
        [*table_lines([header, *rows], 2), "", f"Simulated. Made by `{records[0].command} --update-docs`."]
    )


def percentiles(records: list[Record]) -> tuple[list[str], list[list[str]]]:
    """Header and rows: tick to trade of one card in ns, compared with the published percentiles if there are any."""
    sof, actionable, sof_low, actionable_low = (
        next(r for r in records if r.metric == metric + sweep) for sweep in ("", "_low_latency") for metric in METRICS
    )
    ui, theirs = card(sof.config).transceiver_ui, published(card(sof.config))
    header = ["percentile", f"SoF-SoF, {ui} UI", f"{LOW_LATENCY_UI} UI", f"actionable, {ui} UI", f"{LOW_LATENCY_UI} UI"]
    if theirs:
        header[1:2] = ["published", header[1], f"in {STEP_NS:g} ns", "diff"]

    def row(name: str, known: float | None, value) -> list[str]:
        figures = [f"{value(record):.2f}" for record in (sof, sof_low, actionable, actionable_low)]
        if theirs:
            ours = value(sof)
            beside = ("-", "-") if known is None else (f"{known:.2f}", f"{ours - known:+.2f}")
            figures[:1] = [beside[0], figures[0], f"{in_steps(ours):.2f}", beside[1]]
        return [name, *figures]

    rows = [row(name, theirs.get(name), lambda r, name=name: r.percentiles[name]) for name in PERCENTILES]
    return header, [*rows, row("mean", theirs.get("average"), lambda r: r.mean)]


def percentiles_text(records: list[Record]) -> str:
    """Tables of tick to trade, one for each card."""
    lines = []
    for name in dict.fromkeys(r.config for r in records):
        own = [r for r in records if r.config == name]
        header, rows = percentiles(own)
        lines += [f"{card(name).label}: {sent_and_lost(own)}.", "", *table_lines([header, *rows], 1), ""]
    return "\n".join([*lines, f"ns, simulated. Made by `{records[0].command} --update-docs`."])


def summary_text(records: list[Record]) -> str:
    """The table of the first page: SoF to SoF of the cards that have published percentiles."""
    header, rows = summary(records)
    shown = compared(records)
    counts = f"{shown[0].samples} triggers a card, {sum(r.lost for r in shown)} lost."
    made = f"ns, simulated; UI: of the transceiver, both ways. Made by `{records[0].command} --update-docs`."
    return "\n".join([*table_lines([header, *rows], 1), "", counts, made])


def sent_and_lost(records: list[Record]) -> str:
    sweeps = [r for r in records if r.metric.startswith(METRICS[0])]
    counts = " and ".join(str(r.samples) for r in sweeps)
    return f"{counts} triggers, {sum(r.lost for r in sweeps)} lost"


def table_lines(rows: list[list[str]], words: int) -> list[str]:
    """Lines of a Markdown table. The first row is the header, the first `words` columns are aligned to the left."""
    rule = ["---"] * words + ["---:"] * (len(rows[0]) - words)
    return ["| " + " | ".join(row) + " |" for row in (rows[0], rule, *rows[1:])]


def update_block(path: Path, name: str, text: str) -> None:
    """Put `text` between the markers of `name` in the document."""
    block = re.compile(rf"(<!-- measured: {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
    old = path.read_text()
    new, count = block.subn(lambda m: f"{m[1]}{text}\n{m[2]}", old)
    if count != 1:
        raise UllnicError(f"{path} has {count} places marked 'measured: {name}'", "give it exactly one such place")
    if new != old:
        path.write_text(new)
