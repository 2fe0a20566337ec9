# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Tables of measured figures in the documents: written by the command that measures, never by hand.

A document marks the place with `<!-- measured: NAME -->` and `<!-- end -->`, a line each.
"""

import re
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.measure.records import Record


def table(records: list[Record], title) -> str:
    """Markdown table of the records; `title(metric)` gives the words for a metric."""
    rows = [
        "| metric | min | mean | max | unit | samples | lost | published |",
        "| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: |",
    ]
    for r in records:
        published = "-" if r.published_min is None else f"{r.published_min:.2f} to {r.published_max:.2f}"
        rows.append(
            f"| {title(r.metric)} | {r.min:.2f} | {r.mean:.2f} | {r.max:.2f} | {r.unit} | {r.samples} | {r.lost}"
            f" | {published} |"
        )
    return "\n".join([*rows, "", f"Simulated. Made by `{records[0].command} --update-docs`."])


def update_block(path: Path, name: str, text: str) -> None:
    """Put `text` between the markers of `name` in the document."""
    block = re.compile(rf"(<!-- measured: {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
    old = path.read_text()
    new, count = block.subn(lambda m: f"{m[1]}{text}\n{m[2]}", old)
    if count != 1:
        raise UllnicError(f"{path} has {count} places marked 'measured: {name}'", "give it exactly one such place")
    if new != old:
        path.write_text(new)
