# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Checks of the report's page in a browser, against the report's JSON. Each returns the problems that it finds."""

import json
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from plot_places import NEAR, places
from ullnic.report.browser import new_page
from ullnic.report.model import Column

LOOK = Path(__file__).with_name("page_look.js").read_text()
HEIGHT = 900
MOST_LINES = 6
LEAST_CONTRAST = 4.5  # of text, according to WCAG 2, level AA


def problems_of(browser, page_path: Path, json_path: Path, width: int, dark: bool) -> list[str]:
    """Everything that is wrong with the page in a window of this width."""
    seen, look = look_at(browser, page_path, width, dark)
    return seen + problems_in(look, page_path.parent, json.loads(json_path.read_text()), dark)


def problems_in(look: dict, folder: Path, report: dict, dark: bool) -> list[str]:
    items = [item for section in report["sections"] for item in section["items"]]
    return [
        *titles(look, report),
        *links(look, folder),
        *tables(look, [item for item in items if "columns" in item]),
        *plots(look, [item for item in items if "marks" in item]),
        *overflow(look),
        *contrast(look, dark),
    ]


def look_at(browser, path: Path, width: int, dark: bool) -> tuple[list[str], dict]:
    """The browser's complaints and requests, and what it shows."""
    page = new_page(browser, width, HEIGHT, dark)
    address = path.resolve().as_uri()
    seen = []
    page.on("console", lambda message: seen.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: seen.append(f"script error: {error}"))
    page.on(
        "request",
        lambda request: request.url in (address, "data:,") or seen.append(f"asks for {request.url}"),
    )
    page.goto(address)
    look = page.evaluate(LOOK)
    page.context.close()
    return seen, look


def titles(look: dict, report: dict) -> Iterator[str]:
    if look["title"] != report["title"]:
        yield f"title '{look['title']}'"
    if look["scripts"]:
        yield "has a script"
    yield from (f"text that is not shown: {name}" for name in look["stray"])


def links(look: dict, folder: Path) -> Iterator[str]:
    ids = look["ids"]
    yield from (f"id '{name}' twice" for name in sorted(set(ids)) if ids.count(name) > 1)
    for link in look["links"]:
        if link.startswith("#"):
            if link[1:] not in ids:
                yield f"link to nothing: {link}"
        elif link != "data:," and not (folder / link).is_file():
            yield f"link to no file: {link}"


def plain(text: str) -> str:
    """As on the page: without the backticks around code."""
    return re.sub(r"`([^`]*)`", r"\1", text)


def tables(look: dict, expected: list[dict]) -> Iterator[str]:
    if [shown["id"] for shown in look["tables"]] != [table["id"] for table in expected]:
        yield f"tables {[shown['id'] for shown in look['tables']]}"
        return
    for shown, table in zip(look["tables"], expected, strict=True):
        columns = [Column(**column) for column in table["columns"]]
        wanted = {
            "title": table["title"],
            "note": plain(table["note"]),
            "headings": [column.heading for column in columns],
            "rows": [[c.text(value) for c, value in zip(columns, row, strict=True)] for row in table["rows"]],
            "commands": list(table["commands"]),
        }
        for what, value in wanted.items():
            if shown[what] != value:
                yield f"table '{table['id']}': {what} {shown[what]}, not {value}"


def plots(look: dict, expected: list[dict]) -> Iterator[str]:
    if [shown["id"] for shown in look["plots"]] != [plot["id"] for plot in expected]:
        yield f"plots {[shown['id'] for shown in look['plots']]}"
        return
    for shown, plot in zip(look["plots"], expected, strict=True):
        where = f"plot '{plot['id']}'"
        if (shown["title"], shown["note"]) != (plot["title"], plain(plot["note"])):
            yield f"{where}: title '{shown['title']}', note '{shown['note']}'"
        if len(shown["svgs"]) != 1:
            yield f"{where}: {len(shown['svgs'])} pictures to be seen"
            continue
        yield from (f"{where}: {problem}" for problem in picture(shown["svgs"][0], plot))


def picture(svg: dict, plot: dict) -> Iterator[str]:
    box = svg["shown"]
    if box["right"] - box["left"] < 250 or box["bottom"] - box["top"] < 50:
        yield f"too small: {box}"
    yield from letters(svg)
    said = written(svg)
    for words in (plot["x_label"], plot["y_label"] or plot["x_label"], *(mark["label"] for mark in plot["marks"])):
        if "".join(words.split()) not in said:
            yield f"does not say '{words}'"
    if svg["label"] != plot["title"]:
        yield f"labelled '{svg['label']}'"
    if len(svg["marks"]) != len(plot["marks"]):
        yield f"{len(svg['marks'])} marks for {len(plot['marks'])}"
        return
    for drawn, mark in zip(svg["marks"], plot["marks"], strict=True):
        if not drawn["hint"].startswith(f"{mark['label']}: "):
            yield f"hint '{drawn['hint']}'"
    yield from places(svg["marks"], plot)


def letters(svg: dict) -> Iterator[str]:
    """Text that is clipped, or overlaps other text."""
    for text in svg["texts"]:
        if text["turned"]:
            yield f"text '{text['words']}' is turned"
        right, bottom = text["x"] + text["width"], text["y"] + text["height"]
        if min(text["x"], text["y"]) < -NEAR or right > svg["width"] + NEAR or bottom > svg["height"] + NEAR:
            yield f"text '{text['words']}' is cut off"
    for a, b in combinations(svg["texts"], 2):
        across = min(a["x"] + a["width"], b["x"] + b["width"]) - max(a["x"], b["x"])
        down = min(a["y"] + a["height"], b["y"] + b["height"]) - max(a["y"], b["y"])
        if across > 0.5 and down > 1.5:
            yield f"text '{a['words']}' lies on '{b['words']}'"


def written(svg: dict) -> set[str]:
    """All texts, and all combinations of consecutive ones: lines of one text. Without spaces."""
    parts = ["".join(text["words"].split()) for text in svg["texts"]]
    return {"".join(parts[first : first + lines]) for first in range(len(parts)) for lines in range(1, MOST_LINES + 1)}


def overflow(look: dict) -> Iterator[str]:
    page = look["page"]
    if page["scroll"] > page["inner"]:
        yield f"the page is {page['scroll']} pixels wide in {page['inner']}"
    yield from (f"outside the window: {name}" for name in look["outside"])
    yield from (f"too long for its box: {name}" for name in look["cut"])


def contrast(look: dict, dark: bool) -> Iterator[str]:
    paper = luminance(look["page"]["paper"])
    if paper > 0.05 if dark else paper < 0.9:
        yield f"background {look['page']['paper']}"
    for text in look["colours"]:
        brighter, darker = sorted((luminance(text["ink"]), luminance(text["paper"])), reverse=True)
        ratio = (brighter + 0.05) / (darker + 0.05)
        if ratio < LEAST_CONTRAST:
            yield f"contrast {ratio:.1f}: {text['name']}"


def luminance(colour: str) -> float:
    """Relative luminance of "rgb(r, g, b)" according to WCAG 2."""
    found = re.fullmatch(r"rgb\((\d+), (\d+), (\d+)\)", colour)
    assert found, f"a colour that is not opaque, or none: {colour}"
    parts = [int(part) / 255 for part in found.groups()]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
