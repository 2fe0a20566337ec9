# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Section of the report on tick to trade: percentiles compared with the published ones, and the cause of the spread."""

from collections.abc import Iterator, Sequence
from functools import cache

from ullnic.cards import FOLDERS, Card
from ullnic.measure.ate import LOW_LATENCY_UI, METRICS, PERCENTILES, STEP_NS, in_steps, published, records_of, sweeps
from ullnic.measure.records import Record
from ullnic.measure.trade_tables import caveats, floors
from ullnic.points.point import Point
from ullnic.points.simulated import MAIN_SWEEP
from ullnic.points.trading import TRADE, variant_of
from ullnic.report.latency import band, difference, joined, samples_of
from ullnic.report.latency import published as ends
from ullnic.report.model import Column, Headline, Histogram, Pair, Plot, Range, Section, Table, Value
from ullnic.report.results import Results

SOF_TO_SOF, ACTIONABLE = METRICS
TITLES = {SOF_TO_SOF: "SoF to SoF", ACTIONABLE: "actionable"}
LOW_LATENCY = "low_latency"


def point(card: Card, results: Results, variant: str) -> Point:
    return results.point(TRADE, card.name, variant)


@cache
def records(card: Card, results: Results) -> tuple[Record, ...]:
    found = []
    for sweep in sweeps(card, results.frames):
        each = point(card, results, variant_of(sweep))
        found += records_of(card, sweep, results.of(each), each.command)
    return tuple(found)


def of_metric(card: Card, results: Results, metric: str) -> Record:
    return next(r for r in records(card, results) if r.metric == metric)


def section(cards: Sequence[Card], results: Results) -> Section:
    low_ns = LOW_LATENCY_UI / 10.3125
    text = (
        "A whole card: a market-data frame on one port makes user logic send a TCP segment of an open connection on "
        "another. Both times are taken from the lines by the link partner, to one bit time. SoF to SoF: from the start "
        "of the frame that triggers, on its way to the card, to the start of the answer on its way from it. "
        "Actionable: from the end of the last bit of the byte that decides.",
        "All of it contains a transceiver, both ways together: the published one of the card's words, or one for low "
        f"latency of {LOW_LATENCY_UI} UI, {low_ns:.2f} ns. Every answer is checked byte by byte: headers, checksums, "
        "sequence number, payload, FCS, and its copy for the host.",
    )
    text = (*text, *caveats(cards), floors())
    known = [card for card in cards if published(card)]
    items = [*([beside(known, results)] if known else []), *(pairs(card, results) for card in known)]
    items += [ranges(cards, results), transceivers(cards, results)]
    items += [histograms(known, results, SOF_TO_SOF)] if known else []
    items += [histograms(cards, results, ACTIONABLE), offsets(cards, results)]
    return Section("tick-to-trade", "Tick to trade", text, tuple(items))


def commands(cards: Sequence[Card], results: Results, *variants: str) -> tuple[str, ...]:
    return tuple(point(card, results, variant).command for variant in variants for card in cards)


def beside(cards: Sequence[Card], results: Results) -> Table:
    """A row for each percentile: the published one, and for each card ours, the same in published steps, the
    difference.
    """
    ns = {"unit": "ns", "digits": 2}
    columns = [Column("statistic", "percentile", words=True), Column("published", "published", **ns)]
    for card in cards:
        columns += [
            Column(card.name, card.label, **ns),
            Column(f"{card.name}_steps", f"steps of {STEP_NS:g}", **ns),
            Column(f"{card.name}_difference", "Δ", **ns),
        ]
    found, known = [of_metric(card, results, SOF_TO_SOF) for card in cards], published(cards[0])
    rows: list[tuple[Value, ...]] = []
    for name in (*PERCENTILES, "mean"):
        theirs = known.get("average" if name == "mean" else name)
        ours = [r.mean if name == "mean" else r.percentiles[name] for r in found]
        rows.append((name, theirs, *(cell for ns in ours for cell in (ns, in_steps(ns), difference(ns, theirs)))))
    rows.append(("triggers", None, *(cell for r in found for cell in (str(r.samples), None, None))))
    rows.append(("lost", None, *(cell for r in found for cell in (str(r.lost), None, None))))
    return Table(
        "tick-to-trade-percentiles",
        "SoF to SoF beside the published percentiles",
        f"Simulated, with the published transceiver. Published: measured on its maker's board, a closed core, in steps "
        f"of {STEP_NS:g} ns. Δ: ours minus the published one. The caveats are above.",
        tuple(columns),
        tuple(rows),
        commands(cards, results, MAIN_SWEEP),
    )


def pairs(card: Card, results: Results) -> Plot:
    r, known = of_metric(card, results, SOF_TO_SOF), published(card)
    marks = [Pair(f"{name} %", r.percentiles[name], known.get(name)) for name in PERCENTILES]
    return Plot(
        f"tick-to-trade-percentiles-{card.name.replace('_', '-')}",
        f"Percentiles of SoF to SoF, {card.label}",
        f"Simulated, with the published transceiver; {r.samples} samples. Grey: published, measured on a board.",
        "ns",
        (*marks, Pair("mean", r.mean, known.get("average"))),
    )


def each_figure(cards: Sequence[Card], results: Results) -> Iterator[tuple[Card, str, int, Record]]:
    """Card, metric, transceiver in UI, and the measured figures."""
    for card in cards:
        for sweep in sweeps(card, results.frames):
            for metric in METRICS:
                yield card, metric, sweep.delay_ui, of_metric(card, results, metric + sweep.suffix)


def ranges(cards: Sequence[Card], results: Results) -> Plot:
    # SoF to SoF is not a property of a card alone if the byte that decides can be in many places.
    shown = [each for each in each_figure(cards, results) if each[1] == ACTIONABLE or published(each[0])]
    return Plot(
        "tick-to-trade-ranges",
        "SoF to SoF and actionable latency, with either transceiver",
        f"Simulated; {samples_of(r.samples for *_, r in shown)} each. UI: of the transceiver; 24 UI are floors. From "
        "minimum to maximum; the mark is the median. Grey: published minimum to maximum, measured on a board.",
        "latency, ns",
        tuple(
            Range(f"{card.label}, {TITLES[metric]}, {ui} UI", r.min, r.percentiles["50"], r.max, ends(r))
            for card, metric, ui, r in shown
        ),
        mid="median",
    )


def deciding(cards: Sequence[Card]) -> str:
    kinds = dict.fromkeys(card.kind for card in cards)
    return ", ".join(f"of {FOLDERS[kind].name} {FOLDERS[kind].trade.decides}" for kind in kinds)


def transceivers(cards: Sequence[Card], results: Results) -> Table:
    ns = {"unit": "ns", "digits": 2}
    middle = ("1", "50", "99", "99.9")
    columns = (
        Column("card", "card", words=True),
        Column("metric", "metric", words=True),
        Column("transceiver", "transceiver", "UI"),
        Column("min", "min", **ns),
        *(Column(f"percentile_{name}", f"{name} %", **ns) for name in middle),
        Column("max", "max", **ns),
        Column("mean", "mean", **ns),
        Column("samples", "samples"),
        Column("lost", "lost"),
    )
    rows = tuple(
        (
            card.label,
            TITLES[metric],
            ui,
            r.min,
            *(r.percentiles[name] for name in middle),
            r.max,
            r.mean,
            r.samples,
            r.lost,
        )
        for card, metric, ui, r in each_figure(cards, results)
    )
    return Table(
        "tick-to-trade-transceivers",
        "With the published transceiver, and with one for low latency",
        f"Simulated. The byte that decides: {deciding(cards)}, which is in SoF to SoF. Actionable latency has no "
        "published figure here. Figures with "
        f"{LOW_LATENCY_UI} UI are floors.",
        columns,
        rows,
        commands(cards, results, MAIN_SWEEP, LOW_LATENCY),
    )


def histograms(cards: Sequence[Card], results: Results, metric: str) -> Plot:
    marks = []
    for card in cards:
        r, found = of_metric(card, results, metric), results.of(point(card, results, MAIN_SWEEP))[metric]
        marks.append(Histogram(card.label, joined(found["histogram"]), r.samples, ends(r)))
    grey = " Grey: published minimum to maximum." if any(mark.published for mark in marks) else ""
    return Plot(
        f"tick-to-trade-histograms-{metric.replace('_', '-')}",
        f"How often each tick to trade occurs, {TITLES[metric]}",
        f"Simulated, with the published transceiver; share of the samples.{grey}",
        "latency, ns",
        tuple(marks),
        "share of samples, %",
    )


def offsets(cards: Sequence[Card], results: Results) -> Plot:
    bands = tuple(
        band(card.label, "offset", results.of(point(card, results, MAIN_SWEEP))["by_offset"], ACTIONABLE)
        for card in cards
    )
    return Plot(
        "tick-to-trade-offsets",
        "Tick to trade by bit offset of the line, actionable",
        f"Simulated, with the published transceiver; {samples_of(each.samples for each in bands)} a card. The card "
        "transmits with the clock that it recovers, so the offset says how its blocks lie against those that arrive. "
        "Band: minimum to maximum; line: mean.",
        "bit offset of the line to the card",
        bands,
        "latency, ns",
    )


def headlines(cards: Sequence[Card], results: Results) -> list[Headline]:
    found = []
    for card in cards:
        if known := published(card):
            r = of_metric(card, results, SOF_TO_SOF)
            figure = f"{r.min:.2f} / {r.percentiles['50']:.2f} / {r.max:.2f} ns"
            theirs = f"{known['0']:.2f} / {known['50']:.2f} / {known['100']:.2f}"
            beside = f"minimum, median, maximum, simulated; published, of a board: {theirs}"
            found.append(Headline(f"Tick to trade, {card.label}", figure, beside))
    return found
