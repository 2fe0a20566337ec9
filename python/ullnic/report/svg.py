# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""From a figure of matplotlib to SVG that can be embedded in a page.

Text stays text, the page's style sheet gives colours and fonts, and nothing has an id. A unit of the figure is a pixel
of the page.
"""

import io
import os
import re
from collections.abc import Iterable, Sequence
from functools import cache
from xml.etree import ElementTree

from ullnic.paths import CACHE

os.environ.setdefault("MPLCONFIGDIR", str(CACHE / "matplotlib"))  # its font cache must not be in $HOME
import matplotlib  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.font_manager import FontProperties  # noqa: E402
from matplotlib.patches import PathPatch  # noqa: E402
from matplotlib.path import Path  # noqa: E402
from matplotlib.textpath import text_to_path  # noqa: E402
from matplotlib.ticker import MaxNLocator  # noqa: E402

# Drawn in colours that represent the style sheet's names.
_NAMES = ("ink", "muted", "grid", "ours", "soft", "published", "shade", "need", "paper")
INK, MUTED, GRID, OURS, SOFT, PUBLISHED, SHADE, NEED, PAPER = (f"#0000{n:02x}" for n in range(1, 1 + len(_NAMES)))

_SETTINGS = {"svg.fonttype": "none", "svg.hashsalt": "ullnic", "path.simplify": False}  # lines with all their points
_MARK = re.compile(r"(mark|mid|mean|published|needs)-(\d+)")
_TICK = re.compile(r"tick-([xy])")
_NUMBER = re.compile(r"-?\d+\.\d+")
_PIXELS_PER_INCH = 72  # so that matplotlib's points are pixels
LABEL, SMALL = 11.5, 10.5  # sizes of text
LINE = 15  # from line to line
TICKS, BELOW = 20, 25  # room for the labels of ticks, and with the axis' label added, except its lines


class Sheet:
    """A figure with places given in pixels from its upper left corner."""

    def __init__(self, width: float, height: float):
        self.width, self.height = width, height
        size = (width / _PIXELS_PER_INCH, height / _PIXELS_PER_INCH)
        self.figure = Figure(figsize=size, dpi=_PIXELS_PER_INCH, frameon=False)
        FigureCanvasSVG(self.figure)

    def axes(self, left: float, top: float, width: float, height: float) -> Axes:
        place = (left / self.width, 1 - (top + height) / self.height, width / self.width, height / self.height)
        axes = self.figure.add_axes(place, frameon=False)
        axes.tick_params(length=0, pad=4, labelsize=SMALL, labelcolor=MUTED)
        axes.grid(color=GRID, linewidth=1, clip_on=False)
        axes.set_axisbelow(True)
        return axes

    def text(self, x: float, baseline: float, text: str, colour: str = INK, **style) -> None:
        style = {"fontsize": SMALL, "parse_math": False, **style}  # "$" starts no formula
        self.figure.text(x / self.width, 1 - baseline / self.height, text, color=colour, va="baseline", **style)

    def lines(self, x: float, baseline: float, lines: Iterable[str], colour: str = INK, **style) -> None:
        """Lines below each other; `baseline` is that of the first."""
        for number, line in enumerate(lines):
            self.text(x, baseline + LINE * number, line, colour, **style)

    def svg(self, kind: str, title: str, hints: Sequence[str]) -> str:
        """`hints[n]` is shown while the pointer is on what was drawn with `gid=mark(n)`."""
        out = io.StringIO()
        with matplotlib.rc_context(_SETTINGS):
            self.figure.savefig(out, format="svg", metadata={"Date": None})
        return _inline(out.getvalue(), kind, title, hints)


def boxes(axes: Axes, edges: Iterable[tuple[float, float, float, float]], colour: str, gid: str | None = None) -> None:
    """Filled rectangles (left, right, bottom, top), as one element."""
    corners = [[(left, low), (right, low), (right, high), (left, high)] for left, right, low, high in edges]
    path = Path.make_compound_path(*(Path([*four, four[0]], closed=True) for four in corners))
    axes.add_patch(PathPatch(path, facecolor=colour, linewidth=0, clip_on=False, gid=gid))


def round_steps(low: float, high: float, most: int) -> list[float]:
    """At most about `most` steps of round numbers within the limits."""
    places = MaxNLocator(nbins=max(1, most), steps=[1, 2, 5, 10]).tick_values(low, high)
    slack = (high - low) * 1e-9
    return [float(f"{place:.10g}") for place in places if low - slack <= place <= high + slack]


def set_ticks(axes: Axes, direction: str, ticks: Sequence[float], labels: bool = True) -> None:
    """On the axis `direction`, "x" or "y", and nothing else."""
    axis = axes.xaxis if direction == "x" else axes.yaxis
    axis.set_ticks(ticks, [f"{tick:g}" if labels else "" for tick in ticks])
    axis.set_ticks([], minor=True)
    for label in axis.get_ticklabels():
        label.set_gid(f"tick-{direction}")


def mark(number: int, part: str = "mark") -> str:
    """The gid of an element of a mark; `part`: mark (its main shape), mid, mean, published or needs."""
    return f"{part}-{number}"


@cache
def text_width(text: str, size: float = LABEL, bold: bool = False) -> float:
    """In pixels, in matplotlib's own font, which is wider than most that browsers use."""
    weight = "bold" if bold else "normal"
    return text_to_path.get_text_width_height_descent(text, _font(size, weight), ismath=False)[0]


@cache
def _font(size: float, weight: str) -> FontProperties:
    return FontProperties(size=size, weight=weight)


def wrap(text: str, width: float, size: float = LABEL, bold: bool = False) -> list[str]:
    """Lines of at most `width` pixels; a longer word is cut."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size, bold) <= width:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        for letter in word:
            if lines[-1] and text_width(lines[-1] + letter, size, bold) > width:
                lines.append("")
            lines[-1] += letter
    return lines


def _inline(drawn: str, kind: str, title: str, hints: Sequence[str]) -> str:
    root = ElementTree.fromstring(drawn)
    for element in list(root.iter()):
        element.tag = element.tag.rpartition("}")[2]
        for child in list(element):
            if child.tag.rpartition("}")[2] in ("metadata", "defs"):  # its style would apply to the whole page
                element.remove(child)
        _clean(element, hints)
    box = root.get("viewBox")
    root.attrib.clear()
    root.attrib.update({"class": kind, "viewBox": box, "role": "img", "aria-label": title})
    return ElementTree.tostring(root, encoding="unicode")


def _clean(element: ElementTree.Element, hints: Sequence[str]) -> None:
    if element.tag == "use":
        raise ValueError("drawn by reference, which needs an id: draw it as a patch")
    identity = element.attrib.pop("id", "")
    element.attrib.pop("clip-path", None)
    element.tail = None
    if element.tag != "text":
        element.text = None
    if tick := _TICK.fullmatch(identity):
        element.set("class", f"tick {tick[1]}")
    if found := _MARK.fullmatch(identity):
        element.set("class", f"{found[1]} n{found[2]}")
        hint = ElementTree.Element("title")
        hint.text = hints[int(found[2])]
        element.insert(0, hint)
    if element.get("transform", "").startswith("rotate(-0 "):
        del element.attrib["transform"]
    for name in ("d", "x", "y", "transform"):
        if name in element.attrib:
            element.set(name, _NUMBER.sub(_short, " ".join(element.get(name).split())))
    if "style" in element.attrib:
        style = re.sub(r"font-family: [^;]*;? ?", "", element.get("style"))
        element.set("style", re.sub(r"#0000(\d\d)", lambda m: f"var(--{_NAMES[int(m[1], 16) - 1]})", style))


def _short(number: re.Match) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
