# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Runs each script in this folder against the Verilated engine: with the own runner, and with packetdrill where it is
installed.

The first lines of a script name its part of RFC 9293, and the requirements it shows.
"""

import re
from functools import partial
from pathlib import Path

import pytest

from ullnic.deep import deep, hardware
from ullnic.packetdrill.command import foreign, own
from ullnic.packetdrill.library import build_library
from ullnic.paths import ROOT
from ullnic.points.sources import BUILD_FILES, program_sources
from ullnic.toolchain import which
from ullnic_tb.marks import script_marks

# Minutes of virtual time: they run when something has changed.
LONG = ("keepalive", "retransmit", "retransmit_exhausted", "syn_rcvd_timeout", "syn_sent_timeout")
LONG += ("window_tiny", "zero_window_send")
PLACES = (__file__, "python/ullnic/packetdrill", *BUILD_FILES, lambda: program_sources("packetdrill"))
PLACES += (partial(hardware, ROOT / "cores/toe", ROOT / "cores/common"),)


def marks(path: Path) -> list[pytest.MarkDecorator]:
    return script_marks(path) + ([deep(*PLACES, path)] if path.stem in LONG else [])


SCRIPTS = [pytest.param(path, marks=marks(path), id=path.stem) for path in sorted(Path(__file__).parent.glob("*.pkt"))]


def test_the_page_names_each_script():
    page = (ROOT / "docs/packetdrill.md").read_text()
    table = page.split("## The project's scripts")[1].split("\n## ")[0]
    named = [name for line in table.splitlines() if line.startswith("|") for name in re.findall(r"`(\w+)`", line)]
    assert sorted(named) == sorted(path.stem for path in Path(__file__).parent.glob("*.pkt"))


@pytest.fixture(scope="module")
def library():
    return build_library(progress=False)


@pytest.mark.parametrize("program", [None, *filter(which, ["packetdrill"])], ids=lambda program: program or "own")
@pytest.mark.parametrize("path", SCRIPTS)
def test_script(library, path, program):
    why = foreign(program, library, path) if program else own(library, path, verbose=True)
    assert why is None, why
