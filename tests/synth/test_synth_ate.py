# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A slice of what `./ullnic synth ate --budget` checks: the engine with 512 connections."""

import pytest

from ullnic.deep import deep
from ullnic.paths import ROOT
from ullnic.synth import budget, markdown
from ullnic.synth.cores import CORES, core_of
from ullnic.synth.flow import CLOSES, synthesise
from ullnic.synth.mapping import Mapper
from ullnic.toolchain import cpu_count

NAME = "connections_512"
DESIGN = CORES["ate"].design(NAME)
MAPPED = (__file__, "python/ullnic/synth", "cores/ate/budget.toml", "cores/ate/configs.toml", lambda: DESIGN.files)


@pytest.fixture(scope="module")
def result():
    return synthesise(DESIGN, Mapper(cpu_count()), 2, print)


@deep(*MAPPED)
def test_it_is_expected_to_close_within_its_budget(result):
    assert [clock.verdict for clock in result.clocks] == [CLOSES], result.clocks[0].fmax_mhz
    budget.check([result], "ate")


@deep(*MAPPED, "reference")
def test_it_takes_no_more_than_the_published_one(result):
    """Published: about 1300 LUT, 9 BRAM36, 1 URAM."""
    lut, _ = CORES["ate"].published(NAME, 2)
    assert (lut, result.resources.bram36, result.resources.uram) == (1300, 9, 1)
    assert result.resources.lut_packed < lut


@deep(*MAPPED, "cores/ate/README.md")
def test_the_readme_has_these_figures(result):
    rows = [line for line in markdown.text([result], "").splitlines() if line.startswith("| ate")]
    assert len(rows) == 2  # area, and its clock
    readme = (ROOT / "cores/ate/README.md").read_text().splitlines()
    missing = [row for row in rows if row not in readme]
    assert not missing, f"not in the README, which ./ullnic synth ate --update-docs writes: {missing}"


def test_a_configuration_belongs_to_one_core():
    names = [name for core in CORES.values() for name in core.configs]
    assert len(set(names)) == len(names)
    assert all(core_of(name) is core for core in CORES.values() for name in core.configs)
