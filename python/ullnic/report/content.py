# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Assembles the report from the results of its points."""

from collections import Counter
from collections.abc import Sequence

from ullnic import provenance
from ullnic.budget import Limit, budgets
from ullnic.cards import Card
from ullnic.cards import card as card_of
from ullnic.configs import MEASURED_NAMES, Config
from ullnic.configs import config as config_of
from ullnic.engines import NAMES as ENGINES
from ullnic.engines import EngineConfig
from ullnic.engines import engine as engine_of
from ullnic.measure import budget as latency_budget
from ullnic.measure.ate import NAMES as CARDS
from ullnic.measure.records import Record, verdict
from ullnic.measure.toe import CORE as ENGINE_CORE
from ullnic.points.plan import MAPPED_CONFIGS
from ullnic.report import area, engine, engine_points, latency, standing, trade
from ullnic.report import budgets as budget_section
from ullnic.report.model import Headline, Report
from ullnic.report.results import Results
from ullnic.synth import budget as synth_budget
from ullnic.synth.cores import CORES
from ullnic.synth.flow import CLOSES

CLOSING = "configurations of cores, all clocks, -2, estimated; no whole card is among them"
SHOWN_FIRST = ("nofifo_pma16_mac16_theirs", "nofifo_pma32_mac32")


def report(configs: Sequence[str], results: Results, limits: Sequence[Limit], command: str) -> Report:
    """`configs`: names of configurations of any core, card or engine."""
    simulated = [config_of(name) for name in configs if name in MEASURED_NAMES]
    cards = [card_of(name) for name in configs if name in CARDS]
    engines = [engine_of(name) for name in configs if name in ENGINES]
    mapped = [name for name in configs if name in MAPPED_CONFIGS]
    sections = (
        *([trade.section(cards, results)] if cards else ()),
        *([engine.section(engines, results)] if engines else ()),
        *(latency.sections(simulated, results) if simulated else ()),
        *(area.sections(mapped, results) if mapped else ()),
        budget_section.section(limits, command),
    )
    return Report(
        "ullnic: performance report",
        (
            "Every figure is measured by the RTL: simulated in virtual time, or estimated by synthesis before "
            "layout. Nothing has been tried on hardware. Beside ours stand the figures that the maker of a closed "
            "core published, with the same transceiver constants (`reference/`).",
            f"`{command}` makes all of it again; each table names the command of each of its points.",
        ),
        (
            *(trade.headlines(cards, results) if cards else ()),
            *(engine.headlines(engines, results) if engines else ()),
            *(latency_headlines(simulated, results) if simulated else ()),
            *headlines(mapped, results, limits),
        ),
        sections,
        {
            "made by": command,
            **standing.lines(standing.digests()),
            **provenance.versions(),
        },
    )


def limits_of(configs: Sequence[str], results: Results) -> list[Limit]:
    """Every figure that has a limit."""
    found = []
    for core in CORES.values():
        budget, committed = budgets(core.name)
        for name in configs:
            if name in core.configs:
                if name in MEASURED_NAMES:
                    found += latency_budget.limits(latency.records(config_of(name), results), budget, committed)
                found += synth_budget.limits(area.result(name, results), budget, committed)
    for name in configs:
        if name in CARDS:
            found += limits_of_card(card_of(name), results)
        if name in ENGINES:
            found += limits_of_engine(engine_of(name), results)
    return found


def limits_of_card(card: Card, results: Results) -> list[Limit]:
    return latency_budget.limits(trade.records(card, results), *budgets(card.kind))


def limits_of_engine(each: EngineConfig, results: Results) -> list[Limit]:
    return latency_budget.limits(engine_points.records(each, results, total=True), *budgets(ENGINE_CORE))


def latency_headlines(configs: Sequence[Config], results: Results) -> list[Headline]:
    found = []
    for config, r in latency.of_metric(configs, results, "sop_to_sop"):
        if config.name in SHOWN_FIRST or len(configs) == 1:
            beside = "not compared: its generics are not the published ones"
            if config.compared:
                published = f"{r.published_min:.2f} to {r.published_max:.2f} ns"
                beside = f"published {published}, same phase and generics: {verdict(r)}"
            found.append(Headline(f"SoP to SoP, {config.label}", f"{r.min:.2f} to {r.max:.2f} ns", beside))
    everything = [record for config in configs for record in latency.records(config, results)]
    known = [r for r in everything if r.published_min is not None]
    if known:
        found.append(compared(known))
    # both metrics of a sweep come from the same frames
    frames = sum(r.samples for r in everything if r.metric.startswith("sop_to_sop"))
    lost = sum(r.lost for r in everything if r.metric.startswith("sop_to_sop"))
    found.append(
        Headline("Frames lost or damaged", f"{lost} of {frames:,}".replace(",", " "), "simulated, every byte checked")
    )
    return found


def compared(records: Sequence[Record]) -> Headline:
    """How many rows are below their published one, and how many are not, by category."""
    counts = Counter(verdict(record) for record in records)
    others = "; ".join(f"{count}: {name}" for name, count in sorted(counts.items()) if name != "lower")
    beside = "rows, minimum and maximum, same phase and generics" + (f"; {others}" if others else "")
    return Headline("Below the published latency", f"{counts['lower']} of {len(records)}", beside)


def headlines(configs: Sequence[str], results: Results, limits: Sequence[Limit]) -> list[Headline]:
    """`configs`: the mapped ones."""
    closing = [all(c.verdict == CLOSES for c in area.result(config, results).clocks) for config in configs]
    over = sum(each.over for each in limits)
    closes = f"{sum(closing)} of {len(closing)}"
    return [
        *([Headline("Expected to close", closes, CLOSING)] if configs else []),
        Headline("Within budget", f"{len(limits) - over} of {len(limits)}", "limits of latency, area, levels"),
    ]
