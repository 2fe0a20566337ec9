# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Elaborates a module with given parameters: illegal ones stop the elaboration with a message of the module."""

import re
import shutil
import subprocess
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
