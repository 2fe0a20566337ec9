# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The summary as text, and the files beside the captures."""

from pathlib import Path

from rich.console import Console
from rich.table import Table

from ullnic.configs import UI_PS
from ullnic.run.display import Say
from ullnic.run.ending import exit_code, say_files, say_verdict, write_summary
from ullnic.run.link.display import WAYS, counters
from ullnic.run.link.histogram import ALL_FRAMES, UNQUEUED, bar, latency_of, rows
from ullnic.run.link.options import Options
from ullnic.run.link.plots import plot_latency

SHOWN_PERCENTILES = ("50", "90", "99", "99.9")
HISTOGRAM_ROWS = 14
BAR_WIDTH = 20


def finish(console: Console, options: Options, summary: dict) -> int:
    """Writes summary.json and the picture, prints the summary, and returns the exit code."""
    out_dir = Path(options.out_dir)
    write_summary(summary, out_dir)
    plot_latency(summary, out_dir / "latency.png")
    print_report(console, summary)
    return exit_code(summary, options.json)


def print_report(console: Console, summary: dict) -> None:
    say = Say(console)
    link = summary["link"]
    console.print()
    console.print(counters(link))
    if "kernel" in summary:
        say_kernel(say, summary["kernel"])
    say_latency(console, say, summary)
    say_time(say, summary)
    say_files(say, summary, (".json", ".pcapng", ".png"), ".pcapng", "-q -z expert")
    for note in summary["notes"]:
        say("note", note)
    say_verdict(say, summary, summary["verdict"])


def say_kernel(say: Say, kernel: dict) -> None:
    for label, (end, figures) in zip(("kernel", ""), kernel.items(), strict=True):
        say(
            label,
            f"{end}: TCP segments sent again {figures['Tcp.RetransSegs']}, "
            f"bad checksums {figures['Tcp.InCsumErrors']}, frames dropped at {'port-' + end.lower()} "
            f"{figures['port_dropped_frames']}",
        )


def say_latency(console: Console, say: Say, summary: dict) -> None:
    link, delay_ui = summary["link"], summary["config"]["delay_ui"]
    if not any(latency_of(link[way], ALL_FRAMES)["samples"] for way, _ in WAYS):
        say(
            "latency",
            "not measured: the C++ partner has no user side"
            if summary["config"]["far_end"] == "partner"
            else "no samples",
        )
        return
    say(
        "latency",
        f"SoP to SoP, ns of virtual time, simulated; includes the transceiver constant {delay_ui} UI = "
        f"{float(delay_ui * UI_PS) / 1000:.2f} ns",
    )
    say("", f"idle: frames {link['a_to_b']['unqueued_rule']}; all: waiting behind it too")
    table = Table(box=None, pad_edge=False, padding=(0, 1), header_style="dim")
    table.add_column(" " * 7)
    for name in ("samples", "min", "mean", *(f"p{each}" for each in SHOWN_PERCENTILES), "max"):
        table.add_column(name, justify="right", no_wrap=True)
    for metric, kind in ((UNQUEUED, "idle"), (ALL_FRAMES, "all")):
        for way, label in WAYS:
            latency = latency_of(link[way], metric)
            if latency["samples"]:
                row = [
                    latency["min"],
                    latency["mean"],
                    *(latency["percentiles"][each] for each in SHOWN_PERCENTILES),
                    latency["max"],
                ]
                table.add_row(f"       {label} {kind}", f"{latency['samples']:,}", *(f"{value:.2f}" for value in row))
    console.print(table)
    say_histogram(console, [latency_of(link[way], UNQUEUED).get("histogram", []) for way, _ in WAYS])


def say_histogram(console: Console, histograms: list) -> None:
    """Both directions beside each other."""
    lines = rows(histograms, HISTOGRAM_ROWS)
    most = [max((counts[column] for _, counts in lines), default=0) for column in range(len(WAYS))]
    table = Table(box=None, pad_edge=False, padding=(0, 1), header_style="dim")
    table.add_column(" " * 8 + "idle, ns", justify="right")
    for _, label in WAYS:
        table.add_column(label, justify="right")
        table.add_column("", width=BAR_WIDTH)
    for value_ns, counts in lines:
        cells = [f"{value_ns:.2f}"]
        for count, highest in zip(counts, most, strict=True):
            cells += [f"{count:,}", bar(count, highest, BAR_WIDTH)]
        table.add_row(*cells)
    if lines:
        console.print(table, highlight=False)


def say_time(say: Say, summary: dict) -> None:
    link = summary["link"]
    link_us = (link["virtual_ps"] - link["skipped_ps"]) / 1e6
    say(
        "time",
        f"{link['cycles'] / 1e6:.2f} Mcycle, {link_us:,.0f} µs of link time, simulated in "
        f"{link['busy_s']:.1f} s: {link['cycles'] / link['busy_s'] / 1e6:.2f} Mcycle/s",
    )
    say(
        "",
        f"{link['wall_s']:.1f} s of wall time in all; while the link was idle ({link['skipped_ps'] / 1e12:.1f} s) "
        "virtual time went with the wall clock",
    )
    bulk = summary.get("phases", {}).get("bulk")
    if bulk:
        say("", f"bulk TCP: {bulk['transfer_s']:.1f} s, {bulk['mbit_per_s']:.0f} Mb/s of payload in wall time")
