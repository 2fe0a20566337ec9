# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""latency.png: the histogram of the latencies that the simulator measured in virtual time."""

import os
from pathlib import Path

from ullnic.configs import UI_PS
from ullnic.paths import CACHE
from ullnic.run.link.display import WAYS
from ullnic.run.link.histogram import ALL_FRAMES, UNQUEUED, latency_of

COLOURS = {"a_to_b": "#1f5fa8", "b_to_a": "#c2571a"}


def plot_latency(summary: dict, path: Path) -> None:
    """Draws each direction that has samples; without any there is no picture."""
    measured = [(way, label) for way, label in WAYS if latency_of(summary["link"][way], ALL_FRAMES)["samples"]]
    if measured:
        draw(summary, measured, path)


def draw(summary: dict, measured: list, path: Path) -> None:
    os.environ.setdefault("MPLCONFIGDIR", str(CACHE / "matplotlib"))  # its font cache must not be in $HOME
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as pyplot

    figure, rows = pyplot.subplots(
        len(measured), 1, figsize=(8, 1.2 + 2.2 * len(measured)), sharex=True, squeeze=False, layout="constrained"
    )
    for axes, (way, label) in zip(rows[:, 0], measured, strict=True):
        draw_way(axes, COLOURS[way], label, summary["link"][way])
    rows[-1, 0].set_xlabel("latency, ns of virtual time")
    delay_ui = summary["config"]["delay_ui"]
    figure.suptitle(
        "SoP-to-SoP latency, simulated: user word in → MAC+PCS → transceiver → PCS+MAC → user word out\n"
        f"includes the transceiver constant {delay_ui} UI = {float(delay_ui * UI_PS) / 1000:.2f} ns; "
        f"{summary['what']}",
        fontsize=9,
    )
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def draw_way(axes, colour: str, label: str, figures: dict) -> None:
    """Coloured: frames that did not wait for the previous one; grey: all frames. Each in % of its own samples."""
    highest = 0.0
    for metric, name, style in (
        (ALL_FRAMES, "all frames", {"color": "0.82", "linewidth": 22}),
        (UNQUEUED, "frames sent on an idle link", {"color": colour, "linewidth": 12}),
    ):
        latency = latency_of(figures, metric)
        if not latency["samples"]:
            continue
        values_ns = [value for value, _ in latency["histogram"]]
        share = [100 * count / latency["samples"] for _, count in latency["histogram"]]
        axes.vlines(
            values_ns,
            0,
            share,
            **style,
            label=f"{name}: {latency['samples']:,} samples, min {latency['min']:.2f}, "
            f"mean {latency['mean']:.2f}, max {latency['max']:.2f} ns",
        )
        highest = max(highest, *share)
        if metric == UNQUEUED and len(values_ns) < 10:
            for value_ns, percent in zip(values_ns, share, strict=True):
                axes.annotate(
                    f"{value_ns:.2f}",
                    (value_ns, percent),
                    fontsize=8,
                    ha="center",
                    xytext=(0, 3),
                    textcoords="offset points",
                )
    axes.set_ylim(0, 1.5 * highest)
    axes.margins(x=0.08)
    axes.set_ylabel("% of samples")
    axes.set_title(label, fontsize=10, loc="left")
    axes.grid(axis="y", alpha=0.3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for handle in axes.legend(loc="upper right", fontsize=8, framealpha=1, edgecolor="none").legend_handles:
        handle.set_linewidth(6)
