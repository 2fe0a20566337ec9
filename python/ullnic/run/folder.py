# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The folder that a run's output goes to."""

import os
import shutil
import time
from pathlib import Path

import click

from ullnic.errors import UllnicError
from ullnic.paths import BUILD

KEPT_RUNS = 5

out_option = click.option(
    "--out",
    "out_dir",
    type=click.Path(path_type=Path, file_okay=False),
    help=f"Folder of the output.  [default: build/run/DATE-TIME; the newest {KEPT_RUNS} are kept]",
)


def output_folder(wanted: Path | None) -> Path:
    try:
        if wanted:
            wanted.mkdir(parents=True, exist_ok=True)
            folder = wanted.resolve()
        else:
            folder = dated_folder(BUILD / "run")
        probe = folder / "summary.json"
        probe.unlink(missing_ok=True)
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise UllnicError(
            f"the output folder cannot be written: {error}",
            "choose another with --out DIR; or the folder belongs to root after a run as root",
        ) from error
    return folder


def dated_folder(runs: Path) -> Path:
    """A new folder with the date as its name, `latest` pointing to it; of the older ones only a few stay."""
    folder = runs / time.strftime("%Y%m%d-%H%M%S")
    while folder.exists():
        folder = folder.with_name(folder.name + "x")
    folder.mkdir(parents=True)
    fresh_link = runs / f".latest-{os.getpid()}"
    fresh_link.symlink_to(folder.name)
    fresh_link.replace(runs / "latest")
    remove_old(runs)
    return folder


def remove_old(runs: Path) -> None:
    dated = sorted(path for path in runs.glob("[0-9]*-[0-9]*") if path.is_dir() and not path.is_symlink())
    for path in dated[:-KEPT_RUNS]:
        shutil.rmtree(path, ignore_errors=True)
