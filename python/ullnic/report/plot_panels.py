# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Plots with a panel for each mark."""

from itertools import pairwise

from ullnic.report.model import Band, Plot
from ullnic.report.scale import EDGE, Scale
from ullnic.report.svg import (
    BELOW,
    LABEL,
    LINE,
    MUTED,
    OURS,
    PUBLISHED,
    SHADE,
    SMALL,
    SOFT,
    TICKS,
    Axes,
    Sheet,
    boxes,
    mark,
    round_steps,
    set_ticks,
    text_width,
    wrap,
)

LEFT = 34  # for the labels of the y axis' ticks, pixels
APART = 14  # panels
MOST_OWN_TICKS = 12


def panels(plot: Plot, width: float, columns: int, height: float) -> tuple[Sheet, list[Axes]]:
    """A grid of axes, filled row by row. In a single column they share the tick labels of the lowest one."""
    across = (width - APART * (columns - 1)) / columns
    heads = headings(plot, across - LEFT)
    lines = [heads[n : n + columns] for n in range(0, len(heads), columns)]
    below = [TICKS if columns > 1 or line is lines[-1] else 4 for line in lines]
    heights = [max(map(len, line)) * LINE + 4 + height + under + 8 for line, under in zip(lines, below, strict=True)]
    y_names = wrap(plot.y_label or "share of samples, %", width, SMALL)
    x_names = wrap(plot.x_label, width - LEFT, SMALL)
    top, found = LINE * len(y_names), []
    total = top + sum(heights) - 8 + BELOW - TICKS
    sheet = Sheet(width, total + LINE * len(x_names))
    sheet.lines(0, 10, y_names, MUTED)
    sheet.lines(LEFT, total + 9, x_names, MUTED)
    for line, under, whole in zip(lines, below, heights, strict=True):
        first = top + whole - 8 - under - height
        for column, head in enumerate(line):
            x = column * (across + APART) + LEFT
            found.append(sheet.axes(x, first, across - LEFT - EDGE, height))
            for number, texts in enumerate(head):
                for text, style in texts:
                    place = x + across - LEFT if style.get("ha") == "right" else x
                    sheet.text(place, first - 8 - LINE * (len(head) - 1 - number), text, **style)
        top += whole
    return sheet, found


def headings(plot: Plot, room: float) -> list[list[list[tuple[str, dict]]]]:
    """For each panel the lines of its heading, with style: the label, and the samples in the same line if all fit."""
    counts = [f"{m.samples:,} sample{'s' * (m.samples != 1)}" for m in plot.marks]
    beside = all(
        text_width(m.label, LABEL, bold=True) + 16 + text_width(count, SMALL) <= room
        for m, count in zip(plot.marks, counts, strict=True)
    )
    strong, aside = {"fontsize": LABEL, "weight": "bold"}, {"colour": MUTED}
    if beside:
        aside["ha"] = "right"
        return [[[(m.label, strong), (count, aside)]] for m, count in zip(plot.marks, counts, strict=True)]
    return [
        [*([(line, strong)] for line in wrap(m.label, room, bold=True)), [(count, aside)]]
        for m, count in zip(plot.marks, counts, strict=True)
    ]


def histograms(plot: Plot, width: float) -> Sheet:
    """Panels in a column on one x axis; bars as wide as the distance of the values allows."""
    sheet, axes_of = panels(plot, width, 1, 64 if len(plot.marks) > 2 else 120)
    values = [value for m in plot.marks for value, _ in m.values]
    limits = [value for m in plot.marks if m.published for value in m.published]
    scale = Scale.of(values + limits, axes_of[0].bbox.width, 10, 10, plot.log_x)
    for number, (m, axes) in enumerate(zip(plot.marks, axes_of, strict=True)):
        scale.apply(axes, labels=axes is axes_of[-1])
        shares = [100 * count / m.samples for _, count in m.values]
        top = 1.1 * max(shares)
        set_y(axes, 0, top, 2)
        if m.published:
            boxes(axes, [(*m.published, 0, top)], SHADE, mark(number, "published"))
            for limit in m.published:
                axes.plot([limit, limit], [0, top], color=PUBLISHED, linewidth=1, zorder=1, clip_on=False)
        places = [scale.at(value) for value, _ in m.values]
        closest = min((b - a for a, b in pairwise(sorted(places))), default=scale.width)
        half = max(1.0, min(6.0, 0.4 * closest))
        edges = [(scale.value(place - half), scale.value(place + half)) for place in places]
        bars = [(left, right, 0, share) for (left, right), share in zip(edges, shares, strict=True)]
        boxes(axes, bars, OURS, mark(number))
    return sheet


def bands(plot: Plot, width: float) -> Sheet:
    """Panels in a row. Their y axes have the same span, each from its own lowest value."""
    count = len(plot.marks)
    columns = -(-count // -(-count // (4 if width > 500 else 2)))  # so that the last row is not much shorter
    sheet, axes_of = panels(plot, width, columns, 130 if columns > 1 else 200)
    limits = [(min(values), max(values)) for values in map(figures_of, plot.marks)]
    span = max(high - low for low, high in limits) or 1.0
    scale = Scale.of([x for m in plot.marks for x in m.x], axes_of[0].bbox.width, 4, 4, plot.log_x)
    own = sorted({x for m in plot.marks for x in m.x})
    for number, (m, axes) in enumerate(zip(plot.marks, axes_of, strict=True)):
        scale.apply(axes, own=own if len(own) <= MOST_OWN_TICKS else ())
        middle = sum(limits[number]) / 2
        low, high = middle - 0.55 * span, middle + 0.55 * span
        set_y(axes, low, high, 6)
        x, lowest, mean, highest = m.x, m.low, m.mean, m.high
        if len(x) == 1:  # it has no width
            at = scale.at(x[0])
            x = (scale.value(at - 4), scale.value(at + 4))
            lowest, mean, highest = lowest * 2, mean * 2, highest * 2
        around = [*x, *reversed(x)], [*lowest, *reversed(highest)]
        if m.published:  # wide, so that it shows beside ours in the same place
            known = [(at, value) for at, value in zip(m.x, m.published, strict=True) if value is not None]
            line = {"color": PUBLISHED, "linewidth": 4, "clip_on": False, "zorder": 1}
            axes.plot(*zip(*known, strict=True), **line, gid=mark(number, "published"))
        axes.fill(*around, facecolor=SOFT, edgecolor=SOFT, linewidth=1, clip_on=False, gid=mark(number))
        axes.plot(x, mean, color=OURS, linewidth=1.8, clip_on=False, gid=mark(number, "mean"))
    return sheet


def figures_of(band: Band) -> list[float]:
    """All values that have a place on the y axis."""
    return [*band.low, *band.high, *(value for value in band.published or () if value is not None)]


def set_y(axes: Axes, low: float, high: float, steps: int) -> None:
    axes.set_ylim(low, high)
    set_ticks(axes, "y", round_steps(low, high, steps))
