# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A picture of boxes and arrows as plain SVG, for GitHub and the site. Places are in pixels from the upper left."""

from html import escape

FONT = "font-family='Helvetica, Arial, sans-serif'"
INK, MUTED, PAPER, LINE = "#1b2733", "#55636f", "#ffffff", "#3a4957"
TEXT_PX = 13
LINE_PX = 16


class Drawing:
    def __init__(self, width: int, height: int, title: str):
        self.width, self.height, self.title = width, height, title
        self.parts: list[str] = []

    def rectangle(
        self, x: float, y: float, width: float, height: float, fill: str, stroke: str = "none", **more
    ) -> None:
        extra = "".join(f" {name.replace('_', '-')}='{value}'" for name, value in more.items())
        place = f"x='{x:g}' y='{y:g}' width='{width:g}' height='{height:g}'"
        self.parts.append(f"<rect {place} fill='{fill}' stroke='{stroke}'{extra}/>")

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: int = TEXT_PX,
        colour: str = INK,
        anchor: str = "start",
        bold: bool = False,
    ) -> None:
        weight = " font-weight='bold'" if bold else ""
        place = f"x='{x:g}' y='{y:g}' font-size='{size}' fill='{colour}' text-anchor='{anchor}'"
        self.parts.append(f"<text {place}{weight}>{escape(text)}</text>")

    def box(self, x: float, y: float, width: float, height: float, lines: list[str], fill: str = PAPER) -> None:
        """The first line is the name of what it is."""
        self.rectangle(x, y, width, height, fill, LINE, rx=5)
        first = y + height / 2 - LINE_PX * (len(lines) - 1) / 2 + TEXT_PX * 0.35
        for number, line in enumerate(lines):
            style = {"bold": True} if number == 0 else {"size": TEXT_PX - 1, "colour": MUTED}
            self.text(x + width / 2, first + LINE_PX * number, line, anchor="middle", **style)

    def arrow(self, *points: tuple[float, float], both: bool = False, label: str = "", wide: bool = False) -> None:
        """Through the points; the label is over the middle of the first section."""
        places = " ".join(f"{x:g},{y:g}" for x, y in points)
        start = " marker-start='url(#start)'" if both else ""
        width = 2.5 if wide else 1.5
        self.parts.append(
            f"<polyline points='{places}' fill='none' stroke='{LINE}' stroke-width='{width}'{start}"
            " marker-end='url(#end)'/>"
        )
        if label:
            (x0, y0), (x1, y1) = points[:2]
            self.text((x0 + x1) / 2, (y0 + y1) / 2 - 6, label, TEXT_PX - 2, MUTED, "middle")

    def svg(self) -> str:
        def head(name: str, path: str, at: int) -> str:
            size = "markerWidth='9' markerHeight='9' markerUnits='userSpaceOnUse'"
            return (
                f"<marker id='{name}' {size} viewBox='0 0 10 10' refX='{at}' refY='5' orient='auto'>"
                f"<path d='{path}' fill='{LINE}'/></marker>"
            )

        size = f"width='{self.width}' height='{self.height}' viewBox='0 0 {self.width} {self.height}'"
        return "\n".join(
            [
                f"<svg xmlns='http://www.w3.org/2000/svg' {size} {FONT} role='img'>",
                f"<title>{escape(self.title)}</title>",
                f"<defs>{head('end', 'M0,0 L10,5 L0,10 z', 9)}{head('start', 'M10,0 L0,5 L10,10 z', 1)}</defs>",
                f"<rect width='{self.width}' height='{self.height}' fill='{PAPER}'/>",
                *self.parts,
                "</svg>\n",
            ]
        )
