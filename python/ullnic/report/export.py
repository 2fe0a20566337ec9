# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The report as Markdown, CSV and JSON: the same tables as the page."""

import csv
import json
from collections.abc import Iterable
from dataclasses import astuple, fields
from pathlib import Path

from ullnic.measure.markdown import table_lines
from ullnic.report.model import Plot, Report, Table


def write_json(report: Report, path: Path) -> None:
    path.write_text(json.dumps(report.as_json(), indent=1) + "\n")


def write_csv(report: Report, folder: Path) -> None:
    """Writes a file for each table and plot, named by its id."""
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.csv"):
        old.unlink()
    for section in report.sections:
        for item in section.items:
            with (folder / f"{item.id}.csv").open("w", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows(csv_rows(item))


def csv_rows(item: Table | Plot) -> Iterable[list]:
    if isinstance(item, Table):
        yield [f"{column.key}_{column.unit.lower()}" if column.unit else column.key for column in item.columns]
        yield from map(list, item.rows)
        return
    yield [field.name for field in fields(item.marks[0])]
    for mark in item.marks:
        yield from long_rows(astuple(mark))


def long_rows(values: tuple) -> Iterable[list]:
    """One row for each mark; for a mark that is a curve, one row for each point."""
    curves = [value for value in values if isinstance(value, tuple) and len(value) > 2]
    if not curves:
        yield [" to ".join(map(str, value)) if isinstance(value, tuple) else value for value in values]
        return
    for number in range(len(curves[0])):
        yield [value[number] if isinstance(value, tuple) and len(value) > 2 else value for value in values]


def markdown(report: Report) -> str:
    lines = [f"# {report.title}", ""]
    for paragraph in report.summary:
        lines += [paragraph, ""]
    lines += ["| | | |", "| --- | --- | --- |"]
    lines += [f"| {each.title} | **{each.figure}** | {each.beside} |" for each in report.headlines]
    for section in report.sections:
        lines += ["", f"## {section.title}"]
        for paragraph in section.text:
            lines += ["", paragraph]
        for table in section.tables():
            lines += ["", f"### {table.title}", "", table.note, "", *rows(table)]
            if table.commands:
                lines += ["", "Made by:", "", "```sh", *table.commands, "```"]
        if section.plots():
            titles = "; ".join(plot.title for plot in section.plots())
            lines += ["", f"On the page there are plots of: {titles}."]
    lines += ["", "## Made of", "", *(f"- {name}: {value}" for name, value in report.made.items()), ""]
    return "\n".join(lines)


def rows(table: Table) -> list[str]:
    """Columns of words are aligned to the left."""
    cells = [[column.heading for column in table.columns], *map(table.texts, table.rows)]
    lines = table_lines(cells, 0)
    lines[1] = "| " + " | ".join("---" if column.words else "---:" for column in table.columns) + " |"
    return lines
