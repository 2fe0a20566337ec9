# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The end of a run, of either demonstration: summary.json, the last lines of the report, the exit code."""

import json
from pathlib import Path

from ullnic.paths import ROOT
from ullnic.run.display import Say, size_text


def write_summary(summary: dict, out_dir: Path) -> None:
    (out_dir / "summary.json").write_text(json.dumps(summary, indent=1, ensure_ascii=False) + "\n")


def say_files(say: Say, summary: dict, kept: tuple[str, ...], capture: str, look: str) -> None:
    """Lists the files with the suffixes `kept`, and tshark options for the first whose name ends with `capture`."""
    folder = Path(summary["config"]["out_dir"])
    shown = folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else folder
    files = sorted(path for path in folder.iterdir() if path.suffix in kept)
    say("files", f"{shown}/")
    say("", ", ".join(f"{path.name} {size_text(path.stat().st_size)}" for path in files))
    for path in [each for each in files if each.name.endswith(capture)][:1]:
        say("look", f"tshark -r {shown / path.name} {look}")


def say_verdict(say: Say, summary: dict, verdict: str) -> None:
    for failure in summary["failures"]:
        say("FAILED", failure, "bold red")
    if not summary["failures"]:
        say("ok", verdict, "green")


def exit_code(summary: dict, as_json: bool) -> int:
    """With `as_json` the summary goes to standard output."""
    if as_json:
        print(json.dumps(summary, ensure_ascii=False))
    return 0 if summary["ok"] else 1
