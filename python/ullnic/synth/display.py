# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Tables and paths on the console; each fits a terminal of 80 columns."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ullnic.synth import calibrate
from ullnic.synth.cores import core_of
from ullnic.synth.delays import NET_MODELS
from ullnic.synth.flow import CLOSES, FAILS, MARGINAL, Result
from ullnic.synth.pnr import PnrResult
from ullnic.synth.sta import Path

STYLES = {CLOSES: "green", MARGINAL: "yellow", FAILS: "bold red"}
PNR_CLAIM = """Relative figures only: an ECP5 is several times slower than UltraScale+ and has
no transceiver for 10G. What counts is the change from one commit to the next:
docs/timing.md"""
CLAIM = "Estimated, pre-layout, not a vendor's; claimed within 25 %: docs/timing.md"


def grid(title: str, *columns: str) -> Table:
    """Columns whose name begins with '<' are aligned to the left."""
    table = Table(title=title, title_justify="left", box=None, padding=(0, 1, 0, 0))
    for name in columns:
        table.add_column(name.removeprefix("<"), justify="left" if name.startswith("<") else "right", no_wrap=True)
    return table


def show_resources(console: Console, results: list[Result]) -> None:
    columns = ("cells", "packed", "FF", "LUTRAM", "BRAM36", "URAM", "CARRY8", "LUT*", "FF*")
    table = grid("resources: LUT as cells and packed", "<configuration", *columns)
    for result in results:
        area = result.resources
        numbers = [area.lut_cells, area.lut_packed, area.ff, area.lutram, area.bram36, area.uram, area.carry8]
        known = core_of(result.config).published(result.config, result.grade)
        cells = [f"{number:g}" for number in numbers] + ["-" if number is None else str(number) for number in known]
        table.add_row(result.config, *cells)
    console.print(table)
    console.print("* published for the closed core at this grade, counted by Vivado after packing:")
    console.print("  set it beside 'packed', an estimate; 'cells' counts each mapped function")


def show_timing(console: Console, results: list[Result]) -> None:
    columns = ("needs", "typical", "loose", "margin", "<closes")
    table = grid(f"timing: MHz at grade -{results[0].grade}", "<configuration", "<clock", *columns)
    for result in results:
        for each in result.clocks:
            rates = [f"{each.fmax_mhz[model]:.0f}" for model in ("typical", "loose")]
            word = Text({CLOSES: "expected"}.get(each.verdict, each.verdict), STYLES[each.verdict])
            table.add_row(result.config, each.clock, f"{each.mhz:.2f}", *rates, f"{each.margin:+.1%}", word)
    console.print(table)
    console.print("loose: the slowest model of nets, which decides; margin: of it over what is needed")
    crossings = sum(result.crossings for result in results)
    console.print(f"not timed: {crossings} ends of paths between unrelated clocks")
    console.print(CLAIM)


def show_pnr(console: Console, results: list[PnrResult]) -> None:
    first = results[0]
    several = len(first.seeds) > 1
    spread = ("slowest", "fastest") if several else ()
    title = f"place and route: MHz on {first.device}, grade {first.speed_grade}"
    table = grid(title, "<configuration", "LUT4", "FF", "<clock", "needs", "routed", *spread)
    for result in results:
        for each in result.clocks:
            rates = [each.mhz, each.fmax_mhz]
            if several:
                rates += [min(each.seeds_mhz), max(each.seeds_mhz)]
            counts = (str(result.luts), str(result.ff))
            table.add_row(result.config, *counts, each.clock, *(f"{mhz:.1f}" for mhz in rates))
    console.print(table)
    seeds = f"median of the seeds {', '.join(map(str, first.seeds))}" if several else f"seed {first.seeds[0]}"
    console.print(f"{first.tool}, {seeds}")
    console.print(PNR_CLAIM)


def show_paths(console: Console, result: Result, number: int) -> None:
    """The slowest path of each clock or, with a number, that many with all their cells."""
    for each in result.clocks:
        kinds = ", ".join(f"{kind} {mhz:.0f}" for kind, mhz in each.loose_mhz_by_kind.items())
        console.print(Text(f"\n{result.config}, {each.clock}, loose MHz by kind of path: {kinds}"), soft_wrap=True)
        for path in each.paths[: number or 1]:
            for line in path_lines(path, bool(number)):
                console.print(Text(line), soft_wrap=True)


def path_lines(path: Path, detailed: bool) -> list[str]:
    crossing = "" if path.launch == path.capture else f", {path.launch} to {path.capture}"
    lines = [
        f"{path.total_ps:.0f} ps loose, {path.levels} levels, logic {path.logic_ps:.0f}, "
        f"route {path.route_ps:.0f}, {path.kind}{crossing}",
        f"  from {path.start}",
    ]
    if detailed:
        lines += [
            f"       net {step.net_ps:4.0f}  {step.cell:8} {step.logic_ps:4.0f}  {_net(step)}" for step in path.steps
        ]
    return [*lines, f"  to   {path.end}"]


def _net(step) -> str:
    return f"{step.net or '(unnamed)'}, fan-out {step.fanout}"


def show_calibration(console: Console) -> None:
    table = grid(
        "posted paths of Vivado against the model, ps", "grade", "Vivado", *(m.name for m in NET_MODELS), "<path"
    )
    table.columns[-1].no_wrap = False
    for path in calibrate.POSTED:
        models = [f"{path.model_ps(model):.0f} {path.error(model):+.0%}" for model in NET_MODELS]
        where = path.where if path.in_fit else f"{path.where} (held out)"
        table.add_row(f"-{path.grade}", str(path.vivado_ps), *models, where)
    console.print(table)
    fit = calibrate.fit()
    console.print(f"{fit.nets} posted nets: {fit.base_ps:.0f} + {fit.per_doubling_ps:.1f} log2(fan-out) ps,", end=" ")
    console.print(f"residual {fit.residual_ps:.0f} ps")
    shares = ", ".join(f"{model.name} {calibrate.share_within(model):.0%}" for model in NET_MODELS)
    console.print(f"nets no slower than the model: {shares}")
    console.print(f"typical, held-out paths with known fan-outs: {calibrate.worst_held_out_error():+.0%} at worst")
    console.print(CLAIM)
