# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Elaborates a module with given parameters: illegal ones stop the elaboration with a message of the module."""

import re
import shutil
import subprocess
from collections.abc import Container, Iterable
from pathlib import Path

import pytest


def refusals(top: str, sources: list[Path], settings: str) -> list[str]:
    """The messages that refuse these parameters ("NAME=VALUE ..."); none if the elaboration succeeds."""
    verilator = shutil.which("verilator")
    if not verilator:
        pytest.fail("no verilator on PATH: run the tests with ./ullnic test, which sets it up", pytrace=False)
    generics = [f"-G{setting}" for setting in settings.split()]
    # Generated register blocks write a variable in many processes.
    silent = ("-Wno-lint", "-Wno-style", "-Wno-MULTIDRIVEN")
    command = [verilator, "--lint-only", "--quiet", *silent, "--top-module", top, *generics, *map(str, sources)]
    done = subprocess.run(command, capture_output=True, text=True)
    found = re.findall(r"^%Warning-USERERROR: [^:]*:\d+:\d+: (.*)$", done.stderr, re.MULTILINE)
    assert (done.returncode != 0) == bool(found), done.stderr
    return found


def illegal(refused: dict[str, dict[str, tuple[str, ...]]]) -> list[tuple[str, str, str]]:
    """(module, settings, message) of a table {module: {message: settings}}."""
    return [
        (module, each, text) for module, texts in refused.items() for text, tried in texts.items() for each in tried
    ]


def legal(taken: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """(module, settings) of a table {module: settings}."""
    return [(module, each) for module, tried in taken.items() for each in tried]


def sliced(cases: Iterable[tuple], mark: pytest.MarkDecorator, main: Container[str] | None = None) -> list:
    """Cases of a `parametrize`: the main ones, by default the first of each module, in every run, the others marked.
    A case begins with the settings, or with the module and the settings."""
    params, seen = [], set()
    for case in cases:
        is_main = case[0] not in seen if main is None else case[0] in main
        seen.add(case[0])
        params.append(pytest.param(*case, marks=() if is_main else mark))
    return params


def own_refusals(module: str, sources: list[Path], settings: str) -> list[str]:
    """Only those that the module itself has, without its name."""
    return [
        line.removeprefix(f"{module}: ")
        for line in refusals(module, sources, settings)
        if line.startswith(f"{module}: ")
    ]
