# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The report as one self-contained HTML page: it includes style and plots, and has no script."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from ullnic.report.model import Column, Report, Table
from ullnic.report.plots import draw, legend

HERE = Path(__file__).parent
LONG_WORDS = 24  # characters in a cell


def render(report: Report, json: str = "", csv: str = "") -> str:
    """`json`, and `csv` with `{id}` for that of a table or plot: names of the files beside the page, if any."""
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["code"] = code
    environment.filters["cell_class"] = cell_class
    environment.filters["columns"] = columns
    environment.tests["table"] = lambda item: isinstance(item, Table)
    return environment.get_template("page.html.j2").render(
        report=report,
        json=json,
        csv=csv,
        style=Markup((HERE / "page.css").read_text()),
        draw=lambda plot: Markup(draw(plot)),
        legend=legend,
    )


def columns(tiles: int) -> int:
    """Tiles in a row, at most four, so that the last row is not much shorter."""
    rows = -(-tiles // 4)
    return -(-tiles // rows)


def cell_class(column: Column, text: str = "") -> str:
    """Words are aligned to the left and may wrap; figures never do."""
    return ("words long" if len(text) > LONG_WORDS else "words") if column.words else "figure"


def code(text: str) -> Markup:
    """Marks `a` as code. Nothing else is marked up; a backtick without a partner stays as it is."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        parts[-2:] = ["`".join(parts[-2:])]
    marked = (Markup("<code>{}</code>").format(part) if n % 2 else escape(part) for n, part in enumerate(parts))
    return Markup("").join(marked)
