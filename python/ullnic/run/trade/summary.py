# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The result of a run as a dictionary (summary.json) and the verdict on it."""

import csv
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from ullnic.cards import card as card_of
from ullnic.configs import UI_PS
from ullnic.measure.ate import figures, published
from ullnic.run.trade.options import Options

KERNEL_COUNTERS = ("Tcp.RetransSegs", "Tcp.InErrs", "Tcp.InCsumErrors", "Tcp.OutRsts")


def assemble(options: Options, card: dict, results: dict) -> dict:
    kernel = results.get("kernel", {})
    played = dict(options.played or {})
    notes = played.pop("notes", [])
    summary = {
        "config": asdict(options),
        "command": options.command,
        "card": card,
        "market": {"file": options.market, **played} if played else None,
        "notes": notes,
        "logic": results.get("logic"),
        "stream": results.get("stream"),
        "client": results.get("client"),
        "kernel": {name: kernel[name] for name in KERNEL_COUNTERS if name in kernel},
        "phases": {name: result["wall_s"] for name, result in results.items() if "wall_s" in result},
        "tick_to_trade": latencies(Path(options.out_dir) / "tick_to_trade.csv"),
        "published_ns": published(card_of(options.card)),
    }
    summary["failures"] = failures(options, summary)
    summary["ok"] = not summary["failures"]
    return summary


def latencies(path: Path) -> dict[str, dict]:
    """Figures of the simulation's samples, in ns: start to start, and from the byte that decides."""
    counts = {"sof_to_sof": Counter(), "actionable": Counter()}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            end_ps = int(row["order_ps"])
            for name, start in (("sof_to_sof", "trigger_ps"), ("actionable", "deciding_ps")):
                counts[name][round((end_ps - int(row[start])) / UI_PS)] += 1
    return {name: figures(count.items()) for name, count in counts.items()}


def failures(options: Options, summary: dict) -> list[str]:
    found = []
    stream, logic, card = summary["stream"], summary["logic"], summary["card"]
    if "error" in card:
        found.append(card["error"])
    if stream is None or logic is None:
        return [*found, "the run ended before its verdict"]
    found += stream["faults"]
    if stream["orders"] != logic["orders"]:
        found.append(f"{logic['orders']} orders sent by FPGA logic, {stream['orders']} received by the server")
    if stream["messages"] != options.messages:
        found.append(f"{options.messages} messages sent by the program, {stream['messages']} received by the server")
    if stream["end"] != "closed by the client":
        found.append(f"the connection did not end in order: {stream['end']}")
    ended = logic["orders"] + sum(count for name, count in logic.items() if name.startswith("refused"))
    if ended != logic["triggers"]:
        found.append(f"{logic['triggers']} triggers, but {ended} orders and refusals")
    if not options.market and logic["triggers"] != options.triggers:
        found.append(f"{options.triggers} triggers on the line, {logic['triggers']} seen by the card")
    if not summary["tick_to_trade"]["sof_to_sof"]["samples"]:
        found.append("no order followed a trigger on the line")
    if not options.fault and summary["kernel"].get("Tcp.InCsumErrors"):
        found.append(f"the kernel found {summary['kernel']['Tcp.InCsumErrors']} wrong checksums")
    if not options.fault:
        found += [
            f"port {number}: {name.replace('_', ' ')} {port[name]}"
            for number, port in enumerate(card["ports"])
            for name in ("refused", "dropped_in", "dropped_out")
            if port[name]
        ]
    return found
