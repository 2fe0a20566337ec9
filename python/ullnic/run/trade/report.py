# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The summary as text, and the files beside the captures."""

from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.table import Table

from ullnic.configs import UI_PS
from ullnic.measure.ate import PERCENTILES, in_steps
from ullnic.run.display import Say
from ullnic.run.ending import exit_code, say_files, say_verdict, write_summary
from ullnic.run.trade.display import counters
from ullnic.run.trade.options import Options
from ullnic.run.trade.plots import plot

VERDICT = "every order that the FPGA logic sent was received by the kernel's server, once and in order"


def finish(console: Console, options: Options, summary: dict) -> int:
    """Writes summary.json and the picture, prints the summary, and returns the exit code."""
    out_dir = Path(options.out_dir)
    write_summary(summary, out_dir)
    if summary["tick_to_trade"]["sof_to_sof"]["samples"]:
        plot(summary, out_dir / "tick_to_trade.png")
    print_report(console, summary)
    return exit_code(summary, options.json)


def print_report(console: Console, summary: dict) -> None:
    say = Say(console)
    console.print()
    console.print(counters(summary["card"]))
    if summary["config"]["fault"]:
        say("faults", faults_text(summary["card"]["ports"]))
    stream, logic = summary["stream"], summary["logic"]
    if stream and logic:
        say(
            "server",
            f"{stream['orders']:,} orders of FPGA logic and {stream['messages']:,} messages of software received, "
            f"each once and in order; {stream['switches']:,} changes from one to the other",
        )
        names = {"refused_window": "window", "refused_busy": "order before it", "refused_ate": "ate"}
        refused = ", ".join(f"{label} {logic[name]:,}" for name, label in names.items())
        say("logic", f"{logic['triggers']:,} triggers, {logic['orders']:,} orders; refused: {refused}")
    kernel = summary["kernel"]
    if kernel:
        say(
            "kernel",
            f"TCP segments sent again {kernel['Tcp.RetransSegs']}, bad checksums {kernel['Tcp.InCsumErrors']}",
        )
    say_latency(console, say, summary)
    say_files(say, summary, (".json", ".pcapng", ".png", ".csv"), "port-1.pcapng", "-q -z conv,tcp")
    for note in summary["notes"]:
        say("note", note)
    say_verdict(say, summary, VERDICT)


def faults_text(ports: list[dict]) -> str:
    """The line's faults in the frames of all ports, in each direction."""
    ways = []
    for way, words in (("from_card", "from the card"), ("to_card", "to it")):
        counts = Counter()
        for port in ports:
            counts.update(port[way]["faults"])
        harm = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
        ways.append(f"{words}: {harm or 'none'}")
    return "frames that the line harmed, " + "; ".join(ways)


def say_latency(console: Console, say: Say, summary: dict) -> None:
    latency, published = summary["tick_to_trade"], summary["published_ns"]
    if not latency["sof_to_sof"]["samples"]:
        say("latency", "no samples")
        return
    delay_ui = summary["config"]["delay_ui"]
    say(
        "latency",
        f"tick to trade on the wire, ns of virtual time, simulated, {latency['sof_to_sof']['samples']:,} orders; "
        f"includes the transceiver constant {delay_ui} UI = {float(delay_ui * UI_PS) / 1000:.2f} ns",
    )
    table = Table(box=None, pad_edge=False, padding=(0, 1), header_style="dim")
    table.add_column("        percentile", justify="right")
    for name in ("start to start", "published", "from the deciding byte"):
        table.add_column(name, justify="right")
    for percentile in PERCENTILES:
        known = published.get(percentile)
        table.add_row(
            percentile,
            f"{in_steps(latency['sof_to_sof']['percentiles'][percentile]):.2f}",
            "-" if known is None else f"{known:.2f}",
            f"{in_steps(latency['actionable']['percentiles'][percentile]):.2f}",
        )
    known = published.get("average")
    mean = "mean", f"{latency['sof_to_sof']['mean']:.2f}", f"{known:.2f}", f"{latency['actionable']['mean']:.2f}"
    table.add_row(*mean)
    console.print(table)
