# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The section on budgets: every figure that has a limit, and where it differs from it."""

from collections.abc import Sequence

from ullnic.budget import Limit
from ullnic.configs import Config
from ullnic.report.model import Column, Section, Table, Value


def section(configs: Sequence[Config], limits: Sequence[Limit], command: str) -> Section:
    over = sum(each.over for each in limits)
    text = (
        "No figure may be worse than its limit in the core's `budget.toml`; a change that improves one tightens it. "
        f"{len(limits)} limits, {over} exceeded.",
    )
    apart = [each for each in limits if each.measured != each.limit]
    tables = (measured(configs, limits, command), *([differences(configs, apart, command)] if apart else []))
    return Section("budgets", "Budgets", text, tables)


def measured(configs: Sequence[Config], limits: Sequence[Limit], command: str) -> Table:
    found: dict[tuple[str, str], Value] = {(each.figure, each.config): each.measured for each in limits}
    figures = dict.fromkeys(each.figure for each in limits)
    columns = (Column("figure", "figure", words=True), *(Column(config.name, config.label) for config in configs))
    rows = tuple((figure, *(found.get((figure, config.name)) for config in configs)) for figure in figures)
    note = (
        "Simulated (cycles, ns) and estimated (counts, levels), of the samples in the tables above. Each figure is at "
        "its limit, but for those of the next table, if there is one. '-': no limit."
    )
    return Table("macpcs-budget", "Figures of macpcs that have a limit", note, columns, rows, (command,))


def differences(configs: Sequence[Config], limits: Sequence[Limit], command: str) -> Table:
    labels = {config.name: config.label for config in configs}
    columns = (
        Column("config", "configuration", words=True),
        Column("figure", "figure", words=True),
        Column("measured", "measured"),
        Column("limit", "limit"),
        Column("committed", "limit at the last commit"),
        Column("within", "within", words=True),
    )
    rows = tuple(
        (labels[each.config], each.figure, each.measured, each.limit, each.committed, "no" if each.over else "yes")
        for each in limits
    )
    note = "Simulated and estimated, as above. A figure that is better than its limit wants the limit tightened."
    return Table("macpcs-budget-differences", "Figures that are not at their limit", note, columns, rows, (command,))
