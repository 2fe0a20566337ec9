# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What the measuring commands share: options, and the output of records."""

from pathlib import Path

import click
from rich.console import Console

from ullnic.measure.markdown import update_block
from ullnic.measure.records import Record, write_json
from ullnic.options import SEED, OutputFile
from ullnic.paths import ROOT


def finish(
    console: Console, records: list[Record], json_file: Path | None, documents: dict[Path, str], block: str = ""
) -> None:
    """`documents`: the text for each that is to be written. `block`: its place in them, if not the core's name."""
    if json_file:
        write_json(json_file, records)
        console.print(f"records: {json_file}")
    for path, text in documents.items():
        update_block(path, block or records[0].core, text)
        console.print(f"written: {path.relative_to(ROOT)}")


def common_options(function):
    for option in (
        click.option("--seed", type=SEED, default=1, show_default=True, help="Seed of frames and gaps."),
        click.option(
            "--json",
            "json_file",
            type=OutputFile(),
            help="Write the records to FILE.",
        ),
        click.option("--update-docs", is_flag=True, help="Put the figures into the documents."),
    ):
        function = option(function)
    return function
