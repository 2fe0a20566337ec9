# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic measure`."""

from itertools import groupby
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from ullnic import apt
from ullnic.budget import budgets, check
from ullnic.build import build_sim
from ullnic.cards import card as card_of
from ullnic.configs import DEFAULT, MEASURED_NAMES
from ullnic.configs import config as config_of
from ullnic.engines import ENGINES
from ullnic.engines import NAMES as ENGINE_NAMES
from ullnic.measure.ate import NAMES as CARDS
from ullnic.measure.budget import limits
from ullnic.measure.finishing import common_options, finish
from ullnic.measure.markdown import (
    COMPARED,
    comparison,
    comparison_text,
    percentiles,
    percentiles_text,
    sent_and_lost,
    summary_text,
    table,
    update_block,
)
from ullnic.measure.qdma_command import qdma
from ullnic.measure.records import Record
from ullnic.measure.trade_documents import update_caveats
from ullnic.options import FRAMES, SEED, configs_option, configs_option_of
from ullnic.paths import ROOT

METRICS = {"sop_to_sop": "SoP-SoP", "sop_to_sof": "SoP-SoF"}
WHERE = {
    "_wire_offset0": "wire, K=0",
    "_wire": "wire, K=0..65",
    "": "with transceiver",
    "_any_phase": "any phase",
    "_aligned": "aligned",
}


def metric_title(metric: str) -> str:
    for name, title in METRICS.items():
        if metric.startswith(name):
            return f"{title} {WHERE[metric[len(name) :]]}"
    return metric.replace("_", " ")


def number(value: float | None, digits: int = 2) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def show(console: Console, title: str, records: list[Record]) -> None:
    grid = Table(title=title, title_justify="left", box=None, padding=(0, 1, 0, 0))
    grid.add_column("metric", no_wrap=True)
    for name in ("min", "mean", "max"):
        grid.add_column(name, justify="right")
    grid.add_column("unit")
    grid.add_column("samples", justify="right")
    published = any(r.published_min is not None for r in records)
    if published:
        grid.add_column("published", justify="right")
        grid.add_column("diff", justify="right")
    for r in records:
        cells = [metric_title(r.metric), number(r.min), number(r.mean), number(r.max), r.unit]
        cells.append(str(r.samples))
        if published:
            known = r.published_min is not None
            cells.append(f"{r.published_min:.2f}-{r.published_max:.2f}" if known else "-")
            cells.append(f"{r.min - r.published_min:+.2f}" if known else "-")
        grid.add_row(*cells)
    console.print(grid)
    if any("wire" in r.metric for r in records):
        console.print("K: bit offset between transmitter and receiver")
    console.print(f"frames lost or damaged: {sum(r.lost for r in records)}")


def show_comparison(console: Console, records: list[Record]) -> None:
    """All configurations compared with the published figures, and nothing else, so that it fits a terminal."""
    header, rows = comparison(records)
    shown = [*header[:2], *COMPARED]
    grid = Table(title="with transceiver, ns", title_justify="left", box=None, padding=(0, 1, 0, 0))
    for name in shown:
        grid.add_column(name, justify="left" if name in header[:2] else "right", no_wrap=True)
    for row in rows:
        cells = dict(zip(header, row, strict=True))
        grid.add_row(*(cells[name] for name in shown))
    console.print()
    console.print(grid)


def show_percentiles(console: Console, records: list[Record]) -> None:
    """Tick to trade of one card, compared with the published percentiles."""
    header, rows = percentiles(records)
    label = card_of(records[0].config).label
    grid = Table(title=f"{label}: tick to trade, ns, simulated", title_justify="left", box=None, padding=(0, 1, 0, 0))
    for number, name in enumerate(header):
        grid.add_column(name, justify="right" if number else "left")
    for row in rows:
        grid.add_row(*row)
    console.print(grid)
    console.print(f"{sent_and_lost(records)}; UI: of the transceiver, both ways\n", highlight=False)


EXAMPLES = """\b
Examples:
  ./ullnic measure macpcs                                     latency beside the published rows
  ./ullnic measure macpcs --config rxfifo_pma32_mac32         of one configuration only
  ./ullnic measure macpcs --frames 100000 --json macpcs.json  more samples, and the records as JSON
  ./ullnic measure ate                                        tick to trade beside the published percentiles
  ./ullnic measure ate --config trigger_pma16 --budget        of one card, against its limits
  ./ullnic measure toe                                        latency and bandwidth of the TCP engine, by payload
  ./ullnic measure qdma                                       packet rates of the DMA beside bounds and published rows
  ./ullnic measure link                                       clock cycles simulated in a second
  ./ullnic measure open-mac COPY                              the error of the method, by another's core on a board"""


@click.group(epilog=EXAMPLES)
def measure() -> None:
    """Measure a core or card in simulation and set it beside the published figures."""


measure.add_command(qdma)


@measure.command(epilog=EXAMPLES)
@configs_option
@click.option(
    "--frames",
    type=FRAMES,
    default=20000,
    show_default=True,
    help="Frames of a sweep over the phases; a tenth of it for each of the 66 offsets.",
)
@common_options
def macpcs(configs: tuple[str, ...], frames: int, seed: int, json_file: Path | None, update_docs: bool) -> None:
    """Latency of the MAC+PCS in its seven configurations, transmitter joined to receiver.

    Those of 16 bits are measured once more with the generics that their published rows state (_theirs).

    SoP: the first edge of the user's clock at which he offers the first word (transmit) or at which the first
    user word is valid (receive). SoF: the edge at which the receiver's start-of-frame output is high.
    Payloads of 1 to 64 bytes, random gaps, so that every gearbox phase occurs. Without a FIFO the row beside the
    published one has the phase of the receive clock that the published figures contain. "any phase" has every phase in
    steps of one bit time, as all rows with a FIFO have. Every frame's content is checked, and one lost or damaged frame
    fails the run.
    """
    from ullnic.measure.macpcs import measure_config

    if update_docs and configs:
        raise click.UsageError("--update-docs writes all configurations; it cannot go with --config")
    chosen = [config_of(name) for name in (configs or MEASURED_NAMES)]
    apt.ensure("measure")
    console = Console()
    binaries = build_sim(targets=("ullnic-macpcs-sweep",), configs=tuple(config.name for config in chosen))
    named = "".join(f" --config {name}" for name in configs)
    command = f"./ullnic measure macpcs{named} --frames {frames} --seed {seed}"
    records: list[Record] = []
    for config in chosen:
        with console.status("") as status:
            rows = measure_config(binaries, config, frames, seed, command, status.update)
        cycle_ns = float(config.user_period_ps) / 1000
        title = f"macpcs, {config.label}: simulated, transceiver {config.transceiver_ui} UI, cycle {cycle_ns:.3f} ns"
        show(console, title, rows)
        records += rows
    show_comparison(console, records)
    documents = {ROOT / "cores/macpcs/README.md": comparison_text(records)} if update_docs else {}
    finish(console, records, json_file, documents)


@measure.command(epilog=EXAMPLES)
@configs_option_of(CARDS)
@click.option(
    "--frames",
    type=FRAMES,
    default=20000,
    show_default=True,
    help="Triggers with each transceiver, shared out among the 66 offsets.",
)
@click.option(
    "--budget", "in_budget", is_flag=True, help="Fail if a figure is over its limit in the card's budget.toml."
)
@common_options
def ate(
    configs: tuple[str, ...], frames: int, seed: int, json_file: Path | None, in_budget: bool, update_docs: bool
) -> None:
    """Tick to trade of the trading cards: market data in on one port, a TCP segment out on another.

    SoF to SoF: from the start of the frame that triggers, on the line to the card, to the start of the answer on the
    line from it. Actionable: from the end of the last bit of the byte that decides. Both to one bit time, with the
    delay of the published transceivers and with one for low latency. Random frames and gaps, every bit offset of the
    line; every answer is checked byte by byte, and one that is missing or wrong fails the run.
    """
    from ullnic.measure.ate import measure_card

    if update_docs and configs:
        raise click.UsageError("--update-docs writes all cards; it cannot go with --config")
    apt.ensure("measure")
    console = Console()
    chosen = [card_of(name) for name in (configs or CARDS)]
    binaries = build_sim(targets=("ullnic-ate-sweep",), configs=tuple(card.name for card in chosen))
    named = "".join(f" --config {name}" for name in configs)
    command = f"./ullnic measure ate{named} --frames {frames} --seed {seed}"
    records: dict[str, list[Record]] = {}
    for card in chosen:
        with console.status("") as status:
            records[card.name] = measure_card(binaries, card, frames, seed, command, status.update)
        show_percentiles(console, records[card.name])
    everything = [record for rows in records.values() for record in rows]
    documents = {}
    if update_docs:
        for kind in dict.fromkeys(card.kind for card in chosen):
            own = [record for record in everything if record.core == kind]
            documents[ROOT / "cards" / kind / "README.md"] = percentiles_text(own)
        documents[ROOT / "README.md"] = summary_text(everything)
    finish(console, everything, json_file, documents, block="tick-to-trade")
    if update_docs:
        update_caveats()
    if in_budget:
        for card in chosen:
            check(limits(records[card.name], *budgets(card.kind)), card.kind)


@measure.command(epilog=EXAMPLES)
@configs_option_of(ENGINE_NAMES)
@click.option(
    "--frames",
    type=FRAMES,
    default=20000,
    show_default=True,
    help="For the bandwidth: one in 200 is sent of each size, 100 at least.",
)
@click.option(
    "--budget", "in_budget", is_flag=True, help="Fail if a figure is over its limit in cores/toe/budget.toml."
)
@common_options
def toe(
    configs: tuple[str, ...], frames: int, seed: int, json_file: Path | None, in_budget: bool, update_docs: bool
) -> None:
    """Latency and bandwidth of the TCP engine, by size of the payload, at 322.27 and 350 MHz.

    Transmit: from the user's first beat to the first word at the MAC. Receive: from word 0 at the MAC to the user's
    first beat. Both: from one engine's user to another's. Payloads of 1 to 2048 bytes. The bandwidth is that of the
    line, with a user and a peer who send as fast as they may, 1 to 512 bytes. Every byte is checked both ways, and one
    that is wrong or missing fails the run.
    """
    from ullnic.measure.toe import CORE, beaten, measure_engine
    from ullnic.measure.toe_tables import bandwidth_text, latencies, text

    if update_docs and configs:
        raise click.UsageError("--update-docs writes all engines; it cannot go with --config")
    apt.ensure("measure")
    console = Console()
    chosen = [each for each in ENGINES if each.name in (configs or ENGINE_NAMES)]
    binaries = build_sim(targets=tuple(each.program for each in chosen))
    named = "".join(f" --config {name}" for name in configs)
    command = f"./ullnic measure toe{named} --frames {frames} --seed {seed}"
    records: list[Record] = []
    totals: list[Record] = []
    for each in chosen:
        with console.status("") as status:
            found = measure_engine(binaries, each, frames, seed, command, status.update)
        records += found[0]
        totals += found[1]
        show(console, f"{each.label}: simulated, all payloads", found[1])
    header, rows = latencies(records)
    for mode, group in groupby(rows, lambda row: row[0]):
        grid = Table(title=f"{mode}, ns", title_justify="left", box=None, padding=(0, 1, 0, 0))
        for number, name in enumerate(header[1:]):
            grid.add_column(name, justify="right" if number else "left", no_wrap=True)
        for row in group:
            grid.add_row(*row[1:])
        console.print(grid)
    if rows:
        below, known = beaten(records)
        console.print(f"published latencies beaten: {below} of {known}", highlight=False)
    console.print(bandwidth_text(records), highlight=False)
    finish(console, records, json_file, {ROOT / "cores/toe/README.md": text(records)} if update_docs else {}, "latency")
    if in_budget:
        check(limits(totals, *budgets(CORE)), CORE)


@measure.command(epilog=EXAMPLES)
@click.option("--frames", type=FRAMES, default=20000, show_default=True, help="Frames each way.")
@click.option("--runs", type=click.IntRange(1, 1000), default=3, show_default=True, help="Runs; min, mean, max.")
@common_options
def link(frames: int, runs: int, seed: int, json_file: Path | None, update_docs: bool) -> None:
    """How many clock cycles of the link are simulated in a second of wall time.

    Two RTL ends, both directions full of frames of 60 to 1514 bytes; every frame is checked.
    A cycle is one period of 322.265625 MHz of the whole link.
    """
    from ullnic.measure.link import measure_link

    apt.ensure("measure")
    console = Console()
    binaries = build_sim(targets=("ullnic-link",), configs=(DEFAULT,))
    command = f"./ullnic measure link --frames {frames} --runs {runs} --seed {seed}"
    with console.status("") as status:
        records = measure_link(binaries, frames, runs, seed, command, status.update)
    show(console, "link (wall time)", records)
    finish(console, records, json_file, {ROOT / "README.md": table(records, metric_title)} if update_docs else {})


@measure.command("open-mac", epilog=EXAMPLES)
@click.argument("copy", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--frames", type=FRAMES, default=32000, show_default=True, help="Shared out among 32 phases.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="Seed of frames and gaps.")
@click.option("--update-docs", is_flag=True, help="Put the figures into docs/measurement.md.")
def open_mac(copy: Path, frames: int, seed: int, update_docs: bool) -> None:
    """The error of the method: an open MAC with published figures of a board, in the bench of macpcs.

    COPY is the folder of your own copy of ttchisholm/10g-low-latency-ethernet, with its submodule. Nothing is fetched.
    The same frames and the same delay of the transceiver as with macpcs, 32 bits, no FIFO, at every phase of the
    receive clock. Phases at which it loses or damages a frame are left out.
    """
    from ullnic.measure import open_mac as other

    apt.ensure("measure")
    found = other.measure(other.build(copy), frames, seed)
    text = other.text(found, f"./ullnic measure open-mac COPY --frames {frames} --seed {seed}")
    click.echo(text)
    if update_docs:
        update_block(ROOT / "docs/measurement.md", "open-mac", text)
