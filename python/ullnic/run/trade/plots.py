# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""tick_to_trade.png: the distribution of the latencies that the simulation measured on the wire, in virtual time."""

import os
from pathlib import Path

from ullnic.configs import UI_PS
from ullnic.paths import CACHE

OURS, THEIRS = "#1f5fa8", "#c2571a"
BIN_NS = 0.25  # the resolution of the published figures


def plot(summary: dict, path: Path) -> None:
    os.environ.setdefault("MPLCONFIGDIR", str(CACHE / "matplotlib"))  # its font cache must not be in $HOME
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    draw_percentiles(left, summary)
    draw_histogram(right, summary)
    for axes in (left, right):
        axes.grid(alpha=0.3)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    config = summary["config"]
    figure.suptitle(
        f"Tick to trade, start of frame to start of frame on the wire, simulated: {config['card']}\n"
        f"{summary['tick_to_trade']['sof_to_sof']['samples']:,} orders; includes the transceiver constant "
        f"{config['delay_ui']} UI = {float(config['delay_ui'] * UI_PS) / 1000:.2f} ns",
        fontsize=10,
    )
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def draw_percentiles(axes, summary: dict) -> None:
    """Start to start, compared with the published figures."""
    published = {float(name): value for name, value in summary["published_ns"].items() if name != "average"}
    ours = {float(name): value for name, value in summary["tick_to_trade"]["sof_to_sof"]["percentiles"].items()}
    for values, colour, label in ((published, THEIRS, "published"), (ours, OURS, "this run")):
        axes.plot(list(values.values()), list(values), "o-", color=colour, label=label, markersize=4)
    axes.set_xlabel("ns")
    axes.set_ylabel("percentile")
    axes.set_title("beside the published figures", fontsize=10, loc="left")
    axes.legend(fontsize=9, edgecolor="none")


def draw_histogram(axes, summary: dict) -> None:
    for metric, colour, label in (
        ("sof_to_sof", OURS, "start to start"),
        ("actionable", "0.6", "from the deciding byte"),
    ):
        figures = summary["tick_to_trade"][metric]
        low, high = figures["min"], figures["max"]
        axes.hist(
            [value for value, _ in figures["histogram"]],
            bins=max(1, round((high - low) / BIN_NS)),
            weights=[100 * count / figures["samples"] for _, count in figures["histogram"]],
            color=colour,
            label=f"{label}: {low:.2f} to {high:.2f} ns, mean {figures['mean']:.2f}",
        )
    axes.set_xlabel("ns")
    axes.set_ylabel("% of orders")
    axes.set_ylim(0, 1.35 * axes.get_ylim()[1])
    axes.set_title("all orders", fontsize=10, loc="left")
    axes.legend(fontsize=9, edgecolor="none")
