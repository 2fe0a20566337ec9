# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The section on budgets: every figure that has a limit, and where it differs from it."""

from collections.abc import Sequence

from ullnic.budget import Limit
from ullnic.report.model import Column, Section, Table, Value
from ullnic.synth.cores import CORES, core_of


def section(limits: Sequence[Limit], command: str) -> Section:
    over = sum(each.over for each in limits)
    text = (
        "No figure may be worse than its limit in the core's `budget.toml`; a change that improves one tightens it. "
        f"{len(limits)} limits, {over} exceeded.",
    )
    apart = [each for each in limits if each.measured != each.limit]
    tables = [measured(name, of_core(name, limits), command) for name in CORES if of_core(name, limits)]
    return Section("budgets", "Budgets", text, (*tables, *([differences(apart, command)] if apart else [])))


def of_core(name: str, limits: Sequence[Limit]) -> list[Limit]:
    return [each for each in limits if core_of(each.config).name == name]


def measured(core: str, limits: Sequence[Limit], command: str) -> Table:
    found: dict[tuple[str, str], Value] = {(each.figure, each.config): each.measured for each in limits}
    figures = dict.fromkeys(each.figure for each in limits)
    configs = dict.fromkeys(each.config for each in limits)
    columns = (Column("figure", "figure", words=True), *(Column(name, CORES[core].label(name)) for name in configs))
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
            core_of(each.config).label(each.config),
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
