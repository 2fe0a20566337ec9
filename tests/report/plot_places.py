# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that a plot's marks are where their values are: on each axis values and pixels are on one line."""

import math
import re
from collections.abc import Iterator

NEAR = 1.3  # pixels
NEAR_TICK = 2.5  # pixels; the middle of a label deviates slightly from the tick

CORNERS = 4  # of a bar


def points(path: str) -> list[tuple[float, float]]:
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", path)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def places(drawn: list[dict], plot: dict) -> Iterator[str]:
    """Marks that are not where their values are, according to each other and to the labels of the ticks."""
    shared = []  # pairs of the x axis, which all marks except bands have
    for shape, mark in zip(drawn, plot["marks"], strict=True):
        wanted = {part: int(mark.get(part) is not None) for part in ("mean", "published", "needs")}
        found = {part: len(paths) for part, paths in shape["paths"].items()}
        if found["mark"] != 1 or any(found[part] != count for part, count in wanted.items()):
            yield f"'{mark['label']}' is drawn as {found}"
            return
        paths = {part: points(paths[0]) for part, paths in shape["paths"].items() if paths}
        own = {"x": [], "y": []}
        try:
            main = band_places if "mean" in mark else histogram_places if "values" in mark else bar_places
            main(mark, paths["mark"], own)
        except ValueError:
            yield f"'{mark['label']}' is not drawn value by value"
            return
        for part in ("mid", "needs", "published"):
            if part in paths and "mean" not in mark:
                value = mark[part]
                low, high = value if isinstance(value, list) else (0 if "ours" in mark else value, value)
                own["x"] += ends(low, high, paths[part])
        if "mean" not in mark:
            shared += own.pop("x")
        else:
            own["y"] += zip(twice(mark["mean"]), (y for _, y in paths["mean"]), strict=True)
            known = [(x, y) for x, y in zip(mark["x"], mark["published"] or (), strict=False) if y is not None]
            for (x, y), (across, down) in zip(known, paths.get("published", ()), strict=True):
                own["x"].append((x, across))
                own["y"].append((y, down))
        for axis, pairs in own.items():
            yield from misplaced(f"axis {axis} of '{mark['label']}'", pairs, shape["ticks"][axis], axis, plot)
    yield from misplaced("axis x", shared, drawn[-1]["ticks"]["x"], "x", plot)


def twice(values: list[float]) -> list[float]:
    """A single value of a band is drawn as a short line."""
    return values * 2 if len(values) == 1 else values


def band_places(mark: dict, corners: list[tuple[float, float]], own: dict) -> None:
    """Forward along the lowest values, back along the highest."""
    corners = [*corners, corners[0]][: 2 * len(twice(mark["x"]))]  # a last one that repeats the first is left out
    own["y"] += zip(twice(mark["low"]) + twice(mark["high"])[::-1], (y for _, y in corners), strict=True)
    if len(mark["x"]) > 1:
        own["x"] += zip(mark["x"] + mark["x"][::-1], (x for x, _ in corners), strict=True)
    else:
        own["x"].append((mark["x"][0], (corners[0][0] + corners[1][0]) / 2))


def histogram_places(mark: dict, corners: list[tuple[float, float]], own: dict) -> None:
    bars = [corners[n : n + CORNERS] for n in range(0, len(corners), CORNERS)]
    for bar, (value, count) in zip(bars, mark["values"], strict=True):
        own["x"].append((value, (min(x for x, _ in bar) + max(x for x, _ in bar)) / 2))
        heights = (min(y for _, y in bar), max(y for _, y in bar))
        own["y"] += zip((100 * count / mark["samples"], 0), heights, strict=True)


def bar_places(mark: dict, corners: list[tuple[float, float]], own: dict) -> None:
    own["x"] += ends(*((mark["low"], mark["high"]) if "low" in mark else (0, mark["ours"])), corners)


def ends(low: float, high: float, corners: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """(value, pixel) of both ends."""
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    if right - left < 2.1:  # every bar has at least two pixels
        left = right = (left + right) / 2
    return [(low, left), (high, right)]


def misplaced(where: str, pairs: list, ticks: list, axis: str, plot: dict) -> Iterator[str]:
    """`pairs`: (value, pixel) of marks; `ticks`: (label, pixel)."""
    if not pairs:
        return
    log = math.log if plot["log_x"] and axis == "x" else float
    marks = [(log(value), pixel) for value, pixel in pairs]
    labels = [(log(float(text)), pixel) for text, pixel in ticks if text]
    if not labels:
        yield f"{where} has no ticks"
    worst = crooked(marks, marks, axis == "y")
    if worst > NEAR:
        yield f"{where}: a mark is {worst:.1f} pixels from its place by the others"
    reference = labels if len(labels) > 1 else marks
    worst = crooked(labels + marks, reference, axis == "y")
    if worst > NEAR_TICK:
        yield f"{where}: a mark or tick is {worst:.1f} pixels from its place by the ticks"


def crooked(pairs: list[tuple], reference: list[tuple], downwards: bool) -> float:
    """Distance in pixels of the worst pair from the line through the lowest and highest value of the reference."""
    (low, first), (high, last) = min(reference), max(reference)
    if high == low:
        same = [pixel for value, pixel in pairs if value == low]
        return max(same) - min(same) - 2
    slope = (last - first) / (high - low)
    if slope == 0 or (slope > 0) == downwards:
        return math.inf
    return max(abs(first + slope * (value - low) - pixel) for value, pixel in pairs)
