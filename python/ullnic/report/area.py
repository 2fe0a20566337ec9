# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Sections of the report on synthesis: resources and estimated timing."""

from collections.abc import Sequence
from functools import cache

from ullnic.configs import MEASURED_NAMES
from ullnic.points.mapped import GRADES, ROUTE, SYNTH
from ullnic.report.model import Column, Pair, Plot, Range, Section, Table
from ullnic.report.results import Results
from ullnic.synth import pnr, pnr_budget
from ullnic.synth.cores import core_of, macpcs_row
from ullnic.synth.flow import ClockResult, Result, result_from

VARIANT = "ultrascaleplus"
OTHER_DEVICE = "ecp5"
ESTIMATED = "Estimated, pre-layout, UltraScale+"
MAIN_GRADE = 2


def sections(configs: Sequence[str], results: Results) -> list[Section]:
    placed = [name for name in configs if results.has(ROUTE, name, OTHER_DEVICE)]
    found = [area(configs, results), timing(configs, results)]
    return [*found, routed(placed, results)] if placed else found


def label(config: str) -> str:
    return core_of(config).label(config)


@cache
def result(config: str, results: Results, grade: int = MAIN_GRADE) -> Result:
    return result_from(results.of(results.point(SYNTH, config, VARIANT))[str(grade)])


def commands(configs: Sequence[str], results: Results) -> tuple[str, ...]:
    return tuple(results.point(SYNTH, config, VARIANT).command for config in configs)


def area(configs: Sequence[str], results: Results) -> Section:
    columns = (
        Column("config", "configuration", words=True),
        Column("grade", "grade"),
        Column("lut_packed", "LUT, packed"),
        Column("lut_cells", "LUT, cells"),
        Column("published_lut", "LUT, published"),
        Column("difference_lut", "Δ packed"),
        Column("difference_cells", "Δ cells"),
        Column("ff", "FF"),
        Column("published_ff", "FF, published"),
        Column("difference_ff", "Δ FF"),
    )
    rows = []
    for grade in GRADES:
        for config in configs:
            lut, ff = core_of(config).published(config, grade)
            if lut is None and grade != MAIN_GRADE:
                continue  # the counts do not depend on the grade
            own = result(config, results).resources
            luts = own.lut_packed, own.lut_cells, lut, less_than(own.lut_packed, lut), less_than(own.lut_cells, lut)
            rows.append((label(config), f"-{grade}", *luts, own.ff, ff, less_than(own.ff, ff)))
    table = Table(
        "resources",
        "Resources, beside the published ones",
        f"{ESTIMATED}. The counts of two different tools: the published ones are Vivado's, after packing, of a closed "
        "core on a VU9P. `packed` puts two small functions into one LUT, an estimate of what Vivado counts; `cells` "
        "counts each function, and is above the published count in some rows. Δ: ours minus the published one. '-': "
        "nothing was published.",
        columns,
        tuple(rows),
        commands(configs, results),
    )
    pairs = {"lut": [], "ff": []}
    for config in configs:
        own = result(config, results).resources
        known = [core_of(config).published(config, grade) for grade in GRADES]
        theirs = next((counts for counts in known if counts != (None, None)), (None, None))
        pairs["lut"].append(Pair(label(config), own.lut_packed, theirs[0]))
        pairs["ff"].append(Pair(label(config), own.ff, theirs[1]))
    note = f"{ESTIMATED}, one mapping a configuration. Grey: published, Vivado's, of grade -2 or else -3."
    packed = f"{note} The packed count is an estimate; the table has the cells beside it, which are more."
    plots = (
        Plot("lut", "LUT, packed", packed, "LUT", tuple(pairs["lut"])),
        Plot("registers", "Registers", note, "FF", tuple(pairs["ff"])),
    )
    text = (
        "Yosys maps each configuration with the options of the published figures (no shift-register LUTs). How, and "
        "what can be claimed: `docs/timing.md`.",
    )
    return Section("area", "Area", text, (table, *plots, cells(configs, results)))


def less_than(ours: int, theirs: int | None) -> int | None:
    return None if theirs is None else ours - theirs


def cells(configs: Sequence[str], results: Results) -> Table:
    counted = ("lut_cells", "lutram", "muxf", "carry8", "bram36", "uram")
    columns = (
        Column("config", "configuration", words=True),
        *(Column(name, name.replace("_", " ").upper(), digits=1 if name == "bram36" else None) for name in counted),
    )
    found = [(label(config), result(config, results).resources) for config in configs]
    rows = tuple((words, *(getattr(own, name) for name in counted)) for words, own in found)
    return Table(
        "mapper-cells",
        "What the mapper counts",
        f"{ESTIMATED}. LUT cells: each function one LUT, before packing. LUTRAM is part of both counts of LUTs.",
        columns,
        rows,
        commands(configs, results),
    )


def timing(configs: Sequence[str], results: Results) -> Section:
    clocks = [
        (config, grade, clock)
        for grade in GRADES
        for config in configs
        if grade == MAIN_GRADE or core_of(config).published(config, grade) != (None, None)
        for clock in result(config, results, grade).clocks
    ]
    mhz = {"unit": "MHz", "digits": 0}
    columns = (
        Column("config", "configuration", words=True),
        Column("grade", "grade"),
        Column("clock", "clock", words=True),
        Column("needs", "needs", "MHz", 2),
        Column("tight", "tight", **mhz),
        Column("typical", "typical", **mhz),
        Column("loose", "loose", **mhz),
        Column("margin", "margin", "%", 1),
        Column("verdict", "verdict", words=True),
        Column("decides", "what decides", words=True),
        Column("levels", "levels"),
    )
    rows = tuple(
        (
            label(config),
            f"-{grade}",
            each.clock,
            each.mhz,
            *(each.fmax_mhz[model] for model in ("tight", "typical", "loose")),
            100 * each.margin,
            each.verdict,
            each.decides,
            each.levels,
        )
        for config, grade, each in clocks
    )
    table = Table(
        "clocks",
        f"Every clock at grade -{MAIN_GRADE}, and at -3 where the published row has it",
        f"{ESTIMATED}; claimed within 25 %, which is more than some margins. Three models of net delay. Expected to "
        "close: the loose one meets what the configuration needs; marginal: only the typical one. Margin: of the loose "
        "one over what is needed. What decides: its slowest path, beside the period. Levels: the most on any path, "
        "which need not be that one.",
        columns,
        rows,
        commands(configs, results),
    )
    slowest = [min(result(config, results).clocks, key=slack_ns) for config in configs]
    plot = Plot(
        "least-margin",
        "The clock of each configuration that has the least margin",
        f"{ESTIMATED} -{MAIN_GRADE}. From the loose to the tight model; the mark is the typical one. The line is what "
        "the clock needs.",
        "MHz",
        tuple(
            Range(f"{label(config)}: {each.clock}", *rates(each), needs=each.mhz)
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


def slacks(configs: Sequence[str], results: Results) -> Table:
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
            row = macpcs_row(config, grade) if config in MEASURED_NAMES else {}
            if row:
                theirs = float(row["slack_ns"])
                each = min(result(config, results, grade).clocks, key=slack_ns)
                typical = slack_ns(each, "typical")
                rows.append((label(config), f"-{grade}", each.clock, typical, slack_ns(each), theirs, typical - theirs))
    return Table(
        "slack",
        "Slack of the clock with the least, beside the published one",
        f"{ESTIMATED}. The published slack is Vivado's, of the closed core on a VU9P. Δ: ours minus the published one.",
        columns,
        tuple(rows),
        commands(configs, results),
    )


def paths(configs: Sequence[str], results: Results) -> Table:
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
            rows.append((label(config), each.clock, *figures, f"{path.start} → {path.end}"))
    return Table(
        "slowest-paths",
        f"The slowest path of every clock at grade -{MAIN_GRADE}, in the source's own names",
        f"{ESTIMATED}, loose model. `./ullnic synth CORE --paths 20` shows more, cell by cell.",
        columns,
        tuple(rows),
        commands(configs, results),
    )


def route_result(config: str, results: Results) -> pnr.PnrResult:
    return pnr.result_from(results.of(results.point(ROUTE, config, OTHER_DEVICE)))


def routed(configs: Sequence[str], results: Results) -> Section:
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
        (label(config), each.luts, each.ff, clock.clock, clock.fmax_mhz)
        for config, each in zip(configs, found, strict=True)
        for clock in each.clocks
    )
    table = Table(
        "placed",
        f"Placed and routed on {device.device}, grade {device.speed_grade}",
        f"Estimated by {device.tool}, seed {device.seeds[0]}, one run a configuration. The core alone, between "
        f"registers. A clock that loses more than {pnr_budget.MARGIN:.0%} against `budget.toml` fails the report.",
        columns,
        rows,
        tuple(results.point(ROUTE, config, OTHER_DEVICE).command for config in configs),
    )
    text = (
        "A real place and route, on a device that open tools know. Relative figures only: this device is several times "
        "slower than those that have such transceivers, and what counts is a change from one commit to the next.",
    )
    return Section("route", "A second opinion: place and route", text, (table,))
