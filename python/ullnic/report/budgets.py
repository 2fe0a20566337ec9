# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The section on budgets: every figure that has a limit, and its distance from it."""

from collections.abc import Sequence

from ullnic.budget import Limit
from ullnic.cards import TRADING
from ullnic.cards import card as card_of
from ullnic.engines import NAMES as ENGINES
from ullnic.engines import engine as engine_of
from ullnic.measure.toe import CORE as ENGINE_CORE
from ullnic.report.model import Column, Section, Table, Value
from ullnic.synth.cores import core_of


def section(limits: Sequence[Limit], command: str) -> Section:
    over = sum(each.over for each in limits)
    text = (
        "No figure may be worse than its limit in the `budget.toml` of its core or card; a change that improves one "
        "tightens it. "
        f"{len(limits)} limits, {over} exceeded.",
    )
    apart = [each for each in limits if each.measured != each.limit]
    owners = dict.fromkeys(owner(each.config) for each in limits)
    tables = [measured(name, of_core(name, limits), command) for name in owners]
    return Section("budgets", "Budgets", text, (*tables, *([differences(apart, command)] if apart else [])))


KINDS = {card.name: card.kind for card in TRADING} | dict.fromkeys(ENGINES, ENGINE_CORE)


def owner(config: str) -> str:
    """The core or card that has this configuration."""
    return KINDS[config] if config in KINDS else core_of(config).name


def label(config: str) -> str:
    if config in ENGINES:
        return engine_of(config).label
    return card_of(config).label if config in KINDS else core_of(config).label(config)


def of_core(name: str, limits: Sequence[Limit]) -> list[Limit]:
    """`name`: a core or a card."""
    return [each for each in limits if owner(each.config) == name]


def measured(core: str, limits: Sequence[Limit], command: str) -> Table:
    found: dict[tuple[str, str], Value] = {(each.figure, each.config): each.measured for each in limits}
    figures = dict.fromkeys(each.figure for each in limits)
    configs = dict.fromkeys(each.config for each in limits)
    columns = (Column("figure", "figure", words=True), *(Column(name, label(name)) for name in configs))
    rows = tuple((figure, *(found.get((figure, name)) for name in configs)) for figure in figures)
    note = (
        "Simulated (cycles, ns) and estimated (counts, levels), of the samples in the tables above. Each figure is at "
        "its limit, but for those of the last table, if there is one. '-': no limit."
    )
    return Table(f"budget-{core}", f"Figures of {core} that have a limit", note, columns, rows, (command,))


def differences(limits: Sequence[Limit], command: str) -> Table:
    columns = (
        Column("config", "configuration", words=True),
        Column("figure", "figure", words=True),
        Column("measured", "measured"),
        Column("limit", "limit"),
        Column("committed", "limit at the last commit"),
        Column("within", "within", words=True),
    )
    rows = tuple(
        (
            label(each.config),
            each.figure,
            each.measured,
            each.limit,
            each.committed,
            "no" if each.over else "yes",
        )
        for each in limits
    )
    note = "Simulated and estimated, as above. A figure that is better than its limit wants the limit tightened."
    return Table("budget-differences", "Figures that are not at their limit", note, columns, rows, (command,))
