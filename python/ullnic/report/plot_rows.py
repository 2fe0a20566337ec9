# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Plots with a row of horizontal bars for each mark: ours, and the published figure under it."""

from collections.abc import Iterable

from ullnic.report.model import Plot
from ullnic.report.scale import EDGE, Scale
from ullnic.report.svg import (
    BELOW,
    INK,
    LABEL,
    LINE,
    MUTED,
    NEED,
    OURS,
    PAPER,
    PUBLISHED,
    SMALL,
    TICKS,
    Axes,
    Sheet,
    boxes,
    mark,
    text_width,
    wrap,
)

BAR = 11  # thickness of a bar, pixels
GAP = 6  # from a bar's end to its figure
APART = 12  # rows
TALL = 500  # from this height on with ticks at the top, too
LEAST_BAR, LEAST_CUT = 2, 8  # minimum width of a bar, and minimum width for a mark in it


def figures(values: Iterable[float]) -> dict[float, str]:
    """Formats values of one kind, all with the same number of digits."""
    values = list(values)
    largest = max(map(abs, values), default=0)
    whole = largest >= 1000 or all(value == round(value) for value in values)
    digits = 0 if whole else 2 if largest < 100 else 1
    return {value: f"{value:.{digits}f}" for value in values}


def rows(plot: Plot, width: float, thickness: float) -> tuple[Sheet, Axes, list[float]]:
    """A row for each mark, `thickness` pixels of bars with a label beside it, or above it where there is little room.

    The axes' y is in pixels, downwards. The top of each row's bars is returned with the axes.
    """
    beside = width > 500
    longest = max(text_width(m.label) for m in plot.marks)
    room = min(longest, 0.3 * width) if beside else width
    lines = [wrap(m.label, room) for m in plot.marks]
    above = [0 if beside else len(part) * LINE + 4 for part in lines]
    apart = APART if beside else APART + 4
    heights = [up + max(thickness, beside * LINE * len(part)) + apart for up, part in zip(above, lines, strict=True)]
    starts = [sum(heights[:n]) for n in range(len(heights))]
    height = sum(heights)
    over = TICKS if height > TALL else 0
    left = room + 16 if beside else 0
    names = wrap(plot.x_label, width - left - EDGE, SMALL)
    sheet = Sheet(width, over + height + BELOW + LINE * len(names))
    axes = sheet.axes(left + EDGE, over, width - left - 2 * EDGE, height)
    axes.tick_params(axis="x", labeltop=bool(over))
    axes.set_ylim(height, 0)
    axes.set_yticks([])
    tops = []
    for start, up, part in zip(starts, above, lines, strict=True):
        sheet.lines(0, over + start + APART / 2 + 11, part, fontsize=LABEL)
        tops.append(start + APART / 2 + up)
    sheet.lines(left + EDGE, over + height + BELOW + 9, names, MUTED)
    return sheet, axes, tops


def ranges(plot: Plot, width: float) -> Sheet:
    ends = [value for m in plot.marks for value in (m.low, m.high, *(m.published or ()))]
    needs = [m.needs for m in plot.marks if m.needs is not None]
    thickness = 2 * BAR + 2 if any(m.published for m in plot.marks) else BAR
    sheet, axes, tops = rows(plot, width, thickness)
    texts = figures(ends)
    room = GAP + 2 + max(text_width(text, SMALL) for text in texts.values())
    scale = Scale.of(ends + needs, axes.bbox.width, room, room, plot.log_x)
    scale.apply(axes)
    for number, (m, top) in enumerate(zip(plot.marks, tops, strict=True)):
        if m.needs is not None:
            line = {"color": NEED, "linewidth": 1.5, "clip_on": False, "gid": mark(number, "needs")}
            axes.plot([m.needs] * 2, [top - 3, top + thickness + 3], **line)
        left, right = bar(axes, scale, m.low, m.high, top, OURS, mark(number))
        if right - left > LEAST_CUT:
            line = {"color": PAPER, "linewidth": 2, "solid_capstyle": "butt", "clip_on": False}
            axes.plot([m.mid] * 2, [top, top + BAR], **line, gid=mark(number, "mid"))
        write_ends(axes, scale, (m.low, m.high), m.needs, texts, top, INK)
        if m.published:
            bar(axes, scale, *m.published, top + BAR + 2, PUBLISHED, mark(number, "published"))
            write_ends(axes, scale, m.published, m.needs, texts, top + BAR + 2, MUTED)
    return sheet


def bar(
    axes: Axes, scale: Scale, low: float, high: float, top: float, colour: str, gid: str | None = None
) -> tuple[float, float]:
    """From `low` to `high`, but at least as wide as can be seen; both ends in pixels."""
    left, right = scale.at(low), scale.at(high)
    thin = max(0.0, LEAST_BAR - (right - left)) / 2
    boxes(axes, [(scale.value(left - thin), scale.value(right + thin), top, top + BAR)], colour, gid)
    return left, right


def write_ends(
    axes: Axes,
    scale: Scale,
    ends: tuple[float, float],
    needs: float | None,
    texts: dict[float, str],
    top: float,
    ink: str,
) -> None:
    """The figures at both ends of a bar; moved beyond the line of the required value where they would cross it."""
    left, right = (scale.at(end) for end in ends)
    if needs is not None:
        line = scale.at(needs)
        if 0 <= left - line < GAP + 4 + text_width(texts[ends[0]], SMALL):
            left = line
        if 0 <= line - right < GAP + 4 + text_width(texts[ends[1]], SMALL):
            right = line
    write(axes, scale.value(left), -GAP, top, texts[ends[0]], ink)
    write(axes, scale.value(right), GAP, top, texts[ends[1]], ink)


def write(axes: Axes, x: float, aside: float, top: float, text: str, ink: str) -> None:
    style = {"ha": "right" if aside < 0 else "left", "va": "baseline", "color": ink, "fontsize": SMALL}
    axes.annotate(text, (x, top + BAR - 1.5), (aside, 0), textcoords="offset points", **style)


def pairs(plot: Plot, width: float) -> Sheet:
    if plot.log_x:
        raise ValueError(f"plot '{plot.id}': bars from zero have no logarithmic axis")
    values = [value for m in plot.marks for value in (m.ours, m.published) if value is not None]
    sheet, axes, tops = rows(plot, width, 2 * BAR + 2 if len(values) > len(plot.marks) else BAR)
    texts = figures(values)
    room = GAP + 2 + max(text_width(text, SMALL) for text in texts.values())
    scale = Scale.of([0.0, *values], axes.bbox.width, 0, room, False)
    scale.apply(axes)
    for number, (m, top) in enumerate(zip(plot.marks, tops, strict=True)):
        bar(axes, scale, 0, m.ours, top, OURS, mark(number))
        write(axes, m.ours, GAP, top, texts[m.ours], INK)
        if m.published is not None:
            bar(axes, scale, 0, m.published, top + BAR + 2, PUBLISHED, mark(number, "published"))
            write(axes, m.published, GAP, top + BAR + 2, texts[m.published], MUTED)
    return sheet
