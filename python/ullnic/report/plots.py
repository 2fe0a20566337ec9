# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The report's plots. Each is drawn twice, for a wide page and for a phone; the style sheet shows one of them."""

from ullnic.report.model import Band, Histogram, Pair, Plot, Range
from ullnic.report.plot_panels import bands, histograms
from ullnic.report.plot_rows import figures, pairs, ranges

WIDTHS = {"wide": 1000, "narrow": 352}  # pixels
SHEETS = {Range: ranges, Pair: pairs, Histogram: histograms, Band: bands}


def draw(plot: Plot) -> str:
    """Two SVG elements, of classes `wide` and `narrow`."""
    if not plot.marks:
        raise ValueError(f"plot '{plot.id}' has nothing to draw")
    sheet_of = SHEETS[type(plot.marks[0])]
    hints = [hint(mark) for mark in plot.marks]
    return "\n".join(sheet_of(plot, width).svg(kind, plot.title, hints) for kind, width in WIDTHS.items())


def legend(plot: Plot) -> list[tuple[str, str]]:
    """(class of the swatch, words) of what the plot shows."""
    first = plot.marks[0]
    if isinstance(first, Band):
        scale = [("", "one scale for all panels, each around its own values")] if len(plot.marks) > 1 else []
        known = [("published", "published")] if any(mark.published for mark in plot.marks) else []
        return [("soft", "lowest to highest"), ("line", "mean"), *known, *scale]
    entries = [("ours", "ours")]
    if isinstance(first, Range):
        entries = [("ours", "ours, lowest to highest"), ("mid", plot.mid)]
    if any(mark.published is not None for mark in plot.marks):
        entries.append(("shade" if isinstance(first, Histogram) else "published", "published"))
    if any(getattr(mark, "needs", None) is not None for mark in plot.marks):
        entries.append(("need", "needed"))
    return entries


def hint(mark: Range | Pair | Histogram | Band) -> str:
    """The text shown while the pointer is on a mark."""
    published = getattr(mark, "published", None)
    if isinstance(mark, Pair):
        parts, published = [span(mark.ours)], None if published is None else [published]
    elif isinstance(mark, Range):
        parts = [f"{span(mark.low, mark.high)}, mark at {span(mark.mid)}"]
        parts += [] if mark.needs is None else [f"needed {span(mark.needs)}"]
    else:
        values = [value for value, _ in mark.values] if isinstance(mark, Histogram) else [*mark.low, *mark.high]
        parts = [f"{span(min(values), max(values))}, {mark.samples:,} samples"]
    if isinstance(mark, Band) and published:
        known = [value for value in published if value is not None]
        published = (min(known), max(known))
    parts += [] if published is None else [f"published {span(*published)}"]
    return f"{mark.label}: {'; '.join(parts)}"


def span(*values: float) -> str:
    return " to ".join(figures(values).values())
