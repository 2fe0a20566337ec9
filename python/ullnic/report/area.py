# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Sections of the report on what the synthesis finds: resources and estimated timing."""

from collections.abc import Sequence

from ullnic.configs import Config
from ullnic.points.mapped import GRADES, ROUTE, SYNTH
from ullnic.report.model import Column, Pair, Plot, Range, Section, Table
from ullnic.report.results import Results
from ullnic.synth import pnr, pnr_budget
from ullnic.synth.delays import level_ceiling
from ullnic.synth.flow import ClockResult, Result, result_from
from ullnic.synth.records import published, published_row

VARIANT = "ultrascaleplus"
OTHER_DEVICE = "ecp5"
ESTIMATED = "Estimated, pre-layout, UltraScale+"
MAIN_GRADE = 2


def sections(configs: Sequence[Config], results: Results) -> list[Section]:
    return [area(configs, results), timing(configs, results), routed(configs, results)]


def result(config: Config, results: Results, grade: int = MAIN_GRADE) -> Result:
    return result_from(results.of(results.point(SYNTH, config.name, VARIANT))[str(grade)])


def commands(configs: Sequence[Config], results: Results) -> tuple[str, ...]:
    return tuple(results.point(SYNTH, config.name, VARIANT).command for config in configs)


def area(configs: Sequence[Config], results: Results) -> Section:
    columns = (
        Column("config", "configuration", words=True),
        Column("grade", "grade"),
        Column("lut_packed", "LUT, packed"),
        Column("published_lut", "LUT, published"),
        Column("difference_lut", "Δ LUT"),
        Column("ff", "FF"),
        Column("published_ff", "FF, published"),
        Column("difference_ff", "Δ FF"),
    )
    rows = []
    for grade in GRADES:
        for config in configs:
            lut, ff = published(config, grade)
            if lut is None and grade != MAIN_GRADE:
                continue  # the counts do not change with the grade
            own = result(config, results).resources
            less = (None, None) if lut is None else (own.lut_packed - lut, own.ff - ff)
            rows.append((config.label, f"-{grade}", own.lut_packed, lut, less[0], own.ff, ff, less[1]))
    table = Table(
        "macpcs-area",
        "Resources, beside the published ones",
        f"{ESTIMATED}. The counts of two different tools: the published ones are Vivado's, after packing, of a closed "
        "core on a VU9P. `packed` puts two small functions into one LUT, an estimate of what Vivado counts. Δ: ours "
        "minus the published one. '-': nothing was published.",
        columns,
        tuple(rows),
        commands(configs, results),
    )
    pairs = {"lut": [], "ff": []}
    for config in configs:
        own = result(config, results).resources
        theirs = next((p for p in (published(config, grade) for grade in GRADES) if p[0] is not None), (None, None))
        pairs["lut"].append(Pair(config.label, own.lut_packed, theirs[0]))
        pairs["ff"].append(Pair(config.label, own.ff, theirs[1]))
    note = f"{ESTIMATED}, one mapping a configuration. Grey: published, Vivado's, of grade -2 or else -3."
    plots = (
        Plot("macpcs-lut", "LUT, packed", note, "LUT", tuple(pairs["lut"])),
        Plot("macpcs-ff", "Registers", note, "FF", tuple(pairs["ff"])),
    )
    text = (
        "Yosys maps each configuration with the options of the published figures (no shift-register LUTs). How, and "
        "what can be claimed: `docs/timing.md`.",
    )
    return Section("area", "Area", text, (table, *plots, cells(configs, results)))


def cells(configs: Sequence[Config], results: Results) -> Table:
    counted = ("lut_cells", "lutram", "muxf", "carry8", "bram36", "uram")
    columns = (
        Column("config", "configuration", words=True),
        *(Column(name, name.replace("_", " ").upper(), digits=1 if name == "bram36" else None) for name in counted),
    )
    resources = {config.label: result(config, results).resources for config in configs}
    rows = tuple((label, *(getattr(own, name) for name in counted)) for label, own in resources.items())
    return Table(
        "macpcs-cells",
        "What the mapper counts",
        f"{ESTIMATED}. LUT cells: each function one LUT, before packing. LUTRAM is part of both counts of LUTs.",
        columns,
        rows,
        commands(configs, results),
    )


def timing(configs: Sequence[Config], results: Results) -> Section:
    clocks = [(config, clock) for config in configs for clock in result(config, results).clocks]
    mhz = {"unit": "MHz", "digits": 0}
    columns = (
        Column("config", "configuration", words=True),
        Column("clock", "clock", words=True),
        Column("needs", "needs", "MHz", 2),
        Column("tight", "tight", **mhz),
        Column("typical", "typical", **mhz),
        Column("loose", "loose", **mhz),
        Column("verdict", "verdict", words=True),
        Column("levels", "levels"),
        Column("carries", "levels it can carry"),
    )
    rows = tuple(
        (
            config.label,
            each.clock,
            each.mhz,
            *(each.fmax_mhz[model] for model in ("tight", "typical", "loose")),
            each.verdict,
            each.levels,
            level_ceiling(each.mhz),
        )
        for config, each in clocks
    )
    table = Table(
        "macpcs-timing",
        f"Every clock at grade -{MAIN_GRADE}",
        f"{ESTIMATED}; claimed within 25 %. Three models of net delay. Expected to close: the loose one meets what the "
        "configuration needs; marginal: only the typical one. Levels: the most on any path.",
        columns,
        rows,
        commands(configs, results),
    )
    slowest = [min(result(config, results).clocks, key=slack_ns) for config in configs]
    plot = Plot(
        "macpcs-fmax",
        "The clock of each configuration that has the least margin",
        f"{ESTIMATED} -{MAIN_GRADE}. From the loose to the tight model; the mark is the typical one. The line is what "
        "the clock needs.",
        "MHz",
        tuple(
            Range(f"{config.label}: {each.clock}", *rates(each), needs=each.mhz)
            for config, each in zip(configs, slowest, strict=True)
        ),
        mid="typical model",
    )
    text = (
        "A static timing analysis of the mapped netlist, with published delays of UltraScale+ cells and a model of net "
        "delays that was fitted to posted Vivado paths. Nothing is placed or routed.",
    )
    return Section("timing", "Timing", text, (table, plot, slacks(configs, results), paths(configs, results)))


def rates(clock: ClockResult) -> tuple[float, float, float]:
    return tuple(clock.fmax_mhz[model] for model in ("loose", "typical", "tight"))


def slack_ns(clock: ClockResult, model: str = "loose") -> float:
    return 1e3 / clock.mhz - 1e3 / clock.fmax_mhz[model]


def slacks(configs: Sequence[Config], results: Results) -> Table:
    ns = {"unit": "ns", "digits": 3}
    columns = (
        Column("config", "configuration", words=True),
        Column("grade", "grade"),
        Column("clock", "clock", words=True),
        Column("typical", "slack, typical", **ns),
        Column("loose", "slack, loose", **ns),
        Column("published", "published slack", **ns),
        Column("difference", "Δ, typical", **ns),
    )
    rows = []
    for grade in GRADES:
        for config in configs:
            row = published_row(config, grade)
            if row:
                theirs = float(row["slack_ns"])
                each = min(result(config, results, grade).clocks, key=slack_ns)
                typical = slack_ns(each, "typical")
                rows.append((config.label, f"-{grade}", each.clock, typical, slack_ns(each), theirs, typical - theirs))
    return Table(
        "macpcs-slack",
        "Slack of the clock with the least, beside the published one",
        f"{ESTIMATED}. The published slack is Vivado's, of the closed core on a VU9P. Δ: ours minus the published one.",
        columns,
        tuple(rows),
        commands(configs, results),
    )


def paths(configs: Sequence[Config], results: Results) -> Table:
    columns = (
        Column("config", "configuration", words=True),
        Column("clock", "clock", words=True),
        Column("ps", "loose", "ps", 0),
        Column("logic", "logic", "ps", 0),
        Column("route", "route", "ps", 0),
        Column("levels", "levels"),
        Column("path", "from → to", words=True),
    )
    rows = []
    for config in configs:
        for each in result(config, results).clocks:
            path = each.paths[0]
            figures = (path.total_ps, path.logic_ps, path.route_ps, path.levels)
            rows.append((config.label, each.clock, *figures, f"{path.start} → {path.end}"))
    return Table(
        "macpcs-paths",
        f"The slowest path of every clock at grade -{MAIN_GRADE}, in the source's own names",
        f"{ESTIMATED}, loose model. `./ullnic synth macpcs --paths 20` shows more, cell by cell.",
        columns,
        tuple(rows),
        commands(configs, results),
    )


def route_result(config: Config, results: Results) -> pnr.PnrResult:
    return pnr.result_from(results.of(results.point(ROUTE, config.name, OTHER_DEVICE)))


def routed(configs: Sequence[Config], results: Results) -> Section:
    found = [route_result(config, results) for config in configs]
    device = found[0]
    columns = (
        Column("config", "configuration", words=True),
        Column("luts", "LUT4"),
        Column("ff", "FF"),
        Column("clock", "clock", words=True),
        Column("mhz", "routed", "MHz", 1),
    )
    rows = tuple(
        (config.label, each.luts, each.ff, clock.clock, clock.fmax_mhz)
        for config, each in zip(configs, found, strict=True)
        for clock in each.clocks
    )
    table = Table(
        "macpcs-route",
        f"Placed and routed on {device.device}, grade {device.speed_grade}",
        f"Estimated by {device.tool}, seed {device.seeds[0]}, one run a configuration. The core alone, between "
        f"registers. A clock that loses more than {pnr_budget.MARGIN:.0%} against `budget.toml` fails the report.",
        columns,
        rows,
        tuple(results.point(ROUTE, config.name, OTHER_DEVICE).command for config in configs),
    )
    text = (
        "A real place and route, on a device that open tools know. Relative figures only: this device is several times "
        "slower than those that have such transceivers, and what counts is a change from one commit to the next.",
    )
    return Section("route", "A second opinion: place and route", text, (table,))
