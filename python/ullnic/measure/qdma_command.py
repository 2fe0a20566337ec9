# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`./ullnic measure qdma`."""

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from ullnic import apt
from ullnic.budget import budgets, check
from ullnic.build import build_sim
from ullnic.measure.budget import limits
from ullnic.measure.finishing import common_options, finish
from ullnic.measure.qdma import (
    ALL_SIZES,
    CORE,
    LATENCY,
    MM_MODES,
    MODES,
    MOST_BYTES,
    MOST_MM_BYTES,
    MOST_QUEUES,
    MOST_QUEUES_OF_VF,
    PROGRAM,
    Options,
    calibrate,
    measure_all,
    measure_latency,
    points,
    with_limits,
)
from ullnic.measure.qdma_bounds import LINKS, Link
from ullnic.measure.qdma_tables import (
    BUSY_TEXT,
    LATENCY_HEADER,
    MODE_WORDS,
    by_mode,
    latencies,
    latency_rows,
    reached_text,
    rows,
    text,
)
from ullnic.measure.records import Record
from ullnic.options import jobs_option, once_each
from ullnic.paths import ROOT

PAGE = ROOT / "cores/qdma/docs/rates.md"
EVERY = "all"
FUNCTIONS = ("pf", "vf")
POWERS = ("128", "256", "512", "1024", "2048", "4096")
# Options of the program that no bound depends on: least, most, default, help
OF_HOST = {
    "read-latency-ns": (100, 100_000, 700, "From a read at RQ to its completion at RC, link and card idle."),
    "read-spread-ns": (0, 100_000, 50, "The latency of reads varies by so much, both ways."),
    "coalesce-ticks": (0, 4095, 5, "So long an entry may wait for others, 100 ns each."),
    "timer-ticks": (1, 65535, 2000, "So long a ring waits for a burst of entries, 100 ns each."),
}


EXAMPLES = """\b
Examples:
  ./ullnic measure qdma                                                  a subset of all modes, and latency
  ./ullnic measure qdma --mode forwarding --sizes all --queues 1,2,4,8   the published rows
  ./ullnic measure qdma --mode c2h --sizes 64 --queues 64 --coalesce-ticks 20
  ./ullnic measure qdma --mode h2c --completion 64 --read-latency-ns 900 another host
  ./ullnic measure qdma --mode mm_h2c_ddr4 --sizes 32768 --queues 1,8     memory-mapped, the card's memory is DDR4
  ./ullnic measure qdma --mode forwarding --function vf --link gen4x8    of a virtual function, another link
  ./ullnic measure qdma --budget --json rates.json                       against the limits; records as JSON"""


class Numbers(click.ParamType):
    """Comma-separated numbers."""

    name = "numbers"

    def __init__(self, most: int, every: Sequence[int] = ()):
        self.most, self.every = most, tuple(every)

    def convert(self, value, param, ctx):
        if not isinstance(value, str):
            return value
        if value == EVERY and self.every:
            return self.every
        for item in value.split(","):
            if not (item.isascii() and item.isdecimal() and 1 <= int(item) <= self.most):
                self.fail(f"'{value}': '{item}' is not a whole number from 1 to {self.most}.", param, ctx)
        return tuple(dict.fromkeys(int(item) for item in value.split(",")))


def bytes_option(name: str, values: Sequence[str], default: int, help: str):
    return click.option(
        name, type=click.Choice(values), default=str(default), show_default=True, callback=as_number, help=help
    )


def as_number(_context: click.Context, _parameter: click.Parameter, value: str) -> int:
    return int(value)


def host_options(function):
    for name, (least, most, default, help) in reversed(OF_HOST.items()):
        option = click.option(
            f"--{name}", type=click.IntRange(least, most), default=default, show_default=True, help=help
        )
        function = option(function)
    return function


def show(console: Console, records: Sequence[Record]) -> None:
    for mode, own in by_mode(records).items():
        header, cells = rows(own)
        grid = Table(title=MODE_WORDS[mode], title_justify="left", box=None, padding=(0, 1, 0, 0))
        for name in header:
            grid.add_column(name, justify="right", no_wrap=True)
        for row in cells:
            grid.add_row(*row)
        console.print(grid)
        console.print()
    if found := latency_rows(latencies(records)):
        grid = Table(title_justify="left", box=None, padding=(0, 1, 0, 0))
        for number, name in enumerate(LATENCY_HEADER):
            grid.add_column(name, justify="right" if number else "left")
        for row in found:
            grid.add_row(*row)
        console.print(grid)
        console.print()


@click.command(epilog=EXAMPLES)
@click.option(
    "--mode", "modes", multiple=True, type=click.Choice(MODES), callback=once_each, help="Only this; several times."
)
@click.option(
    "--sizes",
    type=Numbers(MOST_MM_BYTES, ALL_SIZES),
    help=f"Bytes of packets, 1 to {MOST_BYTES}, or of memory-mapped transfers, 1 to {MOST_MM_BYTES}, with commas; "
    f"`{EVERY}`: 64 to 4096 in steps of 64.",
)
@click.option("--queues", type=Numbers(MOST_QUEUES), help=f"How many, 1 to {MOST_QUEUES}, with commas.")
@click.option(
    "--link", "link_name", type=click.Choice(tuple(LINKS)), default="gen3x16", show_default=True, help="PCIe link."
)
@bytes_option("--mps", POWERS[:4], 256, "Maximum payload size, bytes.")
@bytes_option("--mrrs", POWERS, 512, "Maximum read request size, bytes.")
@bytes_option("--rcb", ("64", "128"), 64, "Read completion boundary, bytes.")
@bytes_option("--completion", ("64", *POWERS[:4]), 256, "The host cuts completions at multiples of so many bytes.")
@click.option(
    "--function", type=click.Choice(FUNCTIONS), default=FUNCTIONS[0], show_default=True, help="Of the driver: PF or VF."
)
@click.option("--offset", type=click.IntRange(0, 4095), default=0, show_default=True, help="Of buffers to 4 KiB.")
@click.option(
    "--packets",
    type=click.IntRange(0, 10_000_000),
    default=0,
    show_default="by the size",
    help="Measured of each point.",
)
@host_options
@jobs_option("How many points are measured at once.")
@click.option(
    "--budget", "in_budget", is_flag=True, help="Fail if a figure is over its limit in cores/qdma/budget.toml."
)
@common_options
def qdma(
    modes: tuple[str, ...],
    sizes: tuple[int, ...] | None,
    queues: tuple[int, ...] | None,
    link_name: str,
    mps: int,
    mrrs: int,
    rcb: int,
    completion: int,
    function: str,
    offset: int,
    packets: int,
    jobs: int,
    in_budget: bool,
    seed: int,
    json_file: Path | None,
    update_docs: bool,
    **host: int,
) -> None:
    """Packet rates of the DMA behind a model of a PCIe link, with an ideal driver that polls.

    Forwarding: H2C packets go into C2H on the same queue, and the driver posts what it has received again. The bound
    is that of the link and of the PCIe block's interfaces, whichever is less, with the largest batches that MPS and
    MRRS allow; a row above its bound fails. Every packet's bytes and order are checked, and one that is lost fails the
    run. The published rows were measured on boards; ours are simulated, and the driver costs no time.

    Memory-mapped: H2C writes the card's memory, C2H reads it; a block RAM without waits, or a channel of DDR4-2400 with
    banks, refresh and turn-round. The bound is that of the link, of AXI4, or of that memory.

    Latency: of single packets on an idle card, in cycles at the ports of the PCIe block and of the user.

    At first a perfect source on the link is held against the formula of the overheads. Without --sizes and --queues a
    subset is measured, in about two minutes; all published rows: --mode forwarding --sizes all --queues 1,2,4,8.
    """
    if completion > mps or completion < rcb:
        raise click.UsageError(f"--completion {completion} must be from --rcb ({rcb}) to --mps ({mps})")
    if update_docs and any((modes, sizes, queues)):
        raise click.UsageError("--update-docs writes all modes; it cannot go with --mode, --sizes, --queues")
    if sizes and max(sizes) > MOST_BYTES and not (modes and set(modes) <= set(MM_MODES)):
        raise click.UsageError(
            f"--sizes {max(sizes)}: a packet has at most {MOST_BYTES} bytes; more are for --mode {', '.join(MM_MODES)}"
        )
    if function == "vf" and queues and max(queues) > MOST_QUEUES_OF_VF:
        raise click.UsageError(f"--queues {max(queues)}: a VF has at most {MOST_QUEUES_OF_VF}")
    link = Link(link_name, mps, mrrs, rcb, completion, offset)
    of_host = {name: host[name.replace("-", "_")] for name in OF_HOST}
    other = tuple(f"--{name}={value}" for name, value in of_host.items() if value != OF_HOST[name][2])
    options = Options(link, packets, seed, other, is_vf=function == "vf")
    for name, is_set in (("--update-docs", update_docs), ("--budget", in_budget)):
        if is_set and (link != Link() or other or options.is_vf):
            raise click.UsageError(f"{name} is for the published link and host, and a PF; leave out their options")
    apt.ensure("measure")
    console = Console()
    binaries = build_sim(targets=(PROGRAM,))
    command = command_of(modes, sizes, queues, options)
    with console.status("the link by itself") as status:
        error = calibrate(binaries, options)
        console.print(f"link model: within {error:.2%} of the formula of its overheads", highlight=False)
        chosen = points(modes or MODES, sizes or (), queues or (), options.is_vf)
        records = measure_all(binaries, options, chosen, command, jobs, status.update)
        if not modes or LATENCY in modes:
            status.update("latency")
            records += measure_latency(binaries, options, sizes or (), command)
    show(console, records)
    console.print(f"{BUSY_TEXT} Simulated, link model, no CPU cost.", highlight=False)
    console.print(f"packets lost or damaged: {sum(record.lost for record in records)}")
    if any(record.published_by for record in records):
        console.print(reached_text(records), highlight=False)
    finish(console, records, json_file, {PAGE: text(records)} if update_docs else {}, "rates")
    if in_budget:
        check(limits(with_limits(records), *budgets(CORE)), CORE)


def command_of(modes: Sequence[str], sizes, queues, options: Options) -> str:
    """The command that reproduces the figures."""
    words = ["./ullnic measure qdma", *(f"--mode {mode}" for mode in modes)]
    if sizes:
        words.append(f"--sizes {EVERY if sizes == ALL_SIZES else ','.join(map(str, sizes))}")
    if queues:
        words.append(f"--queues {','.join(map(str, queues))}")
    default, link = Link(), options.link
    names = {"name": "link", "mps": "mps", "mrrs": "mrrs", "rcb": "rcb", "completion": "completion", "offset": "offset"}
    words += [f"--{option} {getattr(link, name)}" for name, option in names.items()
              if getattr(link, name) != getattr(default, name)]  # fmt: skip
    words += [*options.more, *(["--function vf"] if options.is_vf else [])]
    if options.packets:
        words.append(f"--packets {options.packets}")
    return " ".join([*words, f"--seed {options.seed}"])
