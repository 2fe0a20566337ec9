# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A slice of what `./ullnic synth macpcs --budget` checks: a configuration of each width."""

import pytest

from ullnic.configs import DEFAULT
from ullnic.deep import deep
from ullnic.paths import ROOT
from ullnic.synth import budget, markdown, pnr_budget
from ullnic.synth.cores import MACPCS_FILES, core_of, macpcs_design
from ullnic.synth.flow import CLOSES, synthesise
from ullnic.synth.mapping import Mapper
from ullnic.synth.pnr import place_and_route
from ullnic.toolchain import cpu_count

SMALLEST = "nofifo_pma16_mac16"
RTL = (__file__, "python/ullnic/synth", "cores/macpcs/configs.toml", lambda: MACPCS_FILES)
MAPPED = deep(*RTL, "cores/macpcs/budget.toml", "cores/macpcs/README.md", "reference")


@pytest.fixture(scope="module", params=[pytest.param(name, marks=MAPPED) for name in (DEFAULT, SMALLEST)])
def result(request):
    return synthesise(macpcs_design(request.param), Mapper(cpu_count()), 2, print)


def test_is_expected_to_close(result):
    assert [clock.clock for clock in result.clocks] == ["tx_clk", "rx_clk"]
    assert {clock.verdict for clock in result.clocks} == {CLOSES}, [clock.fmax_mhz for clock in result.clocks]


def test_is_within_its_budget(result):
    budget.check([result], "macpcs")


def test_the_readme_has_these_figures(result):
    label = core_of(result.config).label(result.config)
    rows = [line for line in markdown.text([result], "").splitlines() if line.startswith(f"| {label} |")]
    assert len(rows) == 3  # the area, two clocks
    # The README's rows of area end with the published one, or with a place for it.
    readme = (ROOT / "cores/macpcs/README.md").read_text().splitlines()
    missing = [row for row in rows if not any(line.startswith(row) for line in readme)]
    assert not missing, f"not in the README, which ./ullnic synth macpcs --update-docs writes: {missing}"


@deep(*RTL, "cores/macpcs/budget.toml")
def test_has_not_lost_speed_when_placed_and_routed():
    routed = place_and_route(macpcs_design(SMALLEST), Mapper(cpu_count()), progress=print)
    assert [clock.clock for clock in routed.clocks] == ["tx_clk", "rx_clk"]
    pnr_budget.check([routed], "macpcs")
