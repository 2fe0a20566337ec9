# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Latency histograms: [[ns, count], ...] from the simulator, in bins for the terminal and the picture."""

import math

UNQUEUED = "latency_sop_to_sop_unqueued_ns"  # frames that did not queue after another one
ALL_FRAMES = "latency_sop_to_sop_ns"
STEPS = (1, 2, 2.5, 5)


def latency_of(figures: dict, metric: str) -> dict:
    """A direction's latency; without a measurement (the C++ partner has no user side) it has no samples."""
    return figures.get(metric) or {"samples": 0}


def bin_width_ns(values_ns: list[float], most_bins: int) -> float:
    """The smallest round width with which all values fit into `most_bins` bins."""
    span_ns = max(values_ns) - min(values_ns)
    if span_ns == 0:
        return 0.1
    decade = 10.0 ** math.floor(math.log10(span_ns / most_bins))
    for scale in (1, 10):
        for step in STEPS:
            width_ns = step * decade * scale
            if span_ns / width_ns < most_bins - 1:
                return width_ns
    return 100 * decade


def binned(histogram: list[list[float]], width_ns: float) -> dict[int, int]:
    """{bin: count}; bin n begins at n * width_ns."""
    counts: dict[int, int] = {}
    for value_ns, count in histogram:
        index = math.floor(value_ns / width_ns + 1e-9)
        counts[index] = counts.get(index, 0) + count
    return counts


def rows(histograms: list[list[list[float]]], most_rows: int) -> list[tuple[float, list[int]]]:
    """[(ns, [count in each histogram])]: every value that occurred, or the bins' lower edges if those are too many."""
    values_ns = {value_ns for histogram in histograms for value_ns, _ in histogram}
    if len(values_ns) <= most_rows:
        columns = [dict(map(tuple, histogram)) for histogram in histograms]
        return [(value_ns, [counts.get(value_ns, 0) for counts in columns]) for value_ns in sorted(values_ns)]
    width_ns = bin_width_ns(sorted(values_ns), most_rows)
    columns = [binned(histogram, width_ns) for histogram in histograms]
    used = [index for counts in columns for index in counts]
    return [
        (index * width_ns, [counts.get(index, 0) for counts in columns]) for index in range(min(used), max(used) + 1)
    ]


def bar(count: int, most: int, width: int) -> str:
    """A bar in eighths of a character; a nonzero count always shows."""
    eighths = round(count / most * width * 8) if most else 0
    if count and not eighths:
        eighths = 1
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()
