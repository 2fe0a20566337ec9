# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A slice of what `./ullnic synth trigger --budget` and `... stac_t0 --budget` check: user logic of one card, mapped.
Of the whole cards, toe and qdma, which take minutes, that ports have clocks and that what is written down agrees."""

import re

import pytest

from ullnic.budget import budget_path, budgets
from ullnic.deep import deep
from ullnic.points.plan import MAPPED_CONFIGS
from ullnic.synth import budget, cards, markdown
from ullnic.synth.cores import ALL, CARDS, QDMA, TOE, core_of
from ullnic.synth.flow import CLOSES, synthesise
from ullnic.synth.mapping import Mapper
from ullnic.toolchain import cpu_count

NAME = "trigger_logic_pma16"
DESIGN = CARDS["trigger"].design(NAME)
MAPPED = (__file__, "python/ullnic/synth", "cards/trigger/budget.toml", lambda: DESIGN.files)
COLUMNS = ("lut_cells", "lut_packed", "ff", "lutram", "bram36", "uram")


@pytest.fixture(scope="module")
def result():
    return synthesise(DESIGN, Mapper(cpu_count()), 2, print)


def readme(core):
    return budget_path(core).with_name("README.md").read_text().splitlines()


@deep(*MAPPED)
def test_the_user_logic_is_expected_to_close_within_its_budget(result):
    assert [clock.clock for clock in result.clocks] == ["tx_clk", "tx_user_clk", "rx_clk"]
    assert {clock.verdict for clock in result.clocks} == {CLOSES}, [clock.fmax_mhz for clock in result.clocks]
    budget.check([result], "trigger")


@deep(*MAPPED, "cards/trigger/README.md")
def test_the_readme_has_these_figures(result):
    rows = [line for line in markdown.text([result], "").splitlines() if line.startswith("| user logic")]
    assert len(rows) == 4  # area, and three clocks
    missing = [row for row in rows if row not in readme("trigger")]
    assert not missing, f"not in the README, which ./ullnic synth trigger --update-docs writes: {missing}"


@pytest.mark.parametrize("name", (*cards.CONFIGS, *cards.TOE_CARD, *TOE, *QDMA))
def test_budget_and_readme_agree(name):
    core = core_of(name)
    limits = budget.limits_in(budgets(core.name)[0], name)
    start = f"| {core.label(name)} | "
    lines = [line.removeprefix(start).removesuffix(" |") for line in readme(core.name) if line.startswith(start)]
    rows = [line.split(" | ") for line in lines]
    assert len(rows) == 1 + len(core.design(name).boundary.clocks), "area and clocks"
    assert rows[0][: len(COLUMNS)] == [f"{limits[column]:g}" for column in COLUMNS]
    levels = {clock.strip("`"): int(number) for clock, *_, number in rows[1:]}
    assert {f"levels of {clock}": number for clock, number in levels.items()}.items() <= limits.items()


@pytest.mark.parametrize("name", (*cards.CONFIGS, *cards.TOE_CARD))
def test_every_port_has_a_clock(name):
    design = core_of(name).design(name)
    assert all(file.exists() for file in design.files)
    [source] = [file for file in design.files if file.stem == design.top]
    header = source.read_text().split(") (", 1)[1].split("\n);", 1)[0]
    header = re.sub(r"//.*", "", header)
    ports = re.findall(r"(?:input|output)\s+logic\s*(?:\[[^;]*?\]\s*)*(\w+)\s*(?:,|$)", header)
    clocks = {clock.name for clock in design.boundary.clocks}
    assert clocks <= set(ports) and {"tx_rst", "rx_rst", "s_axil_awaddr", "s_axil_rready"} <= set(ports)
    ruled = {port: design.boundary.rule(port) for port in ports}
    assert {rule.clock for rule in ruled.values()} - {""} == clocks
    lines = {port for port in ports if port.startswith("pma_")}
    assert {port for port, rule in ruled.items() if rule.line} == lines
    assert len(lines) == (2 if name in cards.TOE_CARD else 3 if cards.CONFIGS[name].whole else 0)


@pytest.mark.parametrize("bits", (16, 32))
@pytest.mark.parametrize(("kind", "port"), (("trigger", 0), ("stac_t0", 1)))
def test_the_timing_port_s_receiver_is_on_the_transmit_clock(kind, port, bits):
    boundary = CARDS[kind].design(f"{kind}_card_pma{bits}").boundary
    assert boundary.rule(f"pma_rx_data_{port}").clock == "tx_clk"
    assert boundary.rule(f"pma_rx_data_{1 - port}").clock == "rx_clk"
    slow = {"tx_user_clk"} if bits == 16 else set()  # with 32 bits it is tx_clk
    assert {clock.name for clock in boundary.clocks} == {"tx_clk", "rx_clk", "host_clk"} | slow


def test_a_card_with_a_crossing_has_three_line_clocks():
    boundary = CARDS["trigger"].design("trigger_card_pma16_crossing").boundary
    assert boundary.rule("pma_tx_data").clock == "tx_clk"
    assert [boundary.rule(f"pma_rx_data_{port}").clock for port in (0, 1)] == ["market_clk", "rx_clk"]
    assert boundary.groups() == ["tx", "market", "rx", "host"]  # unrelated


def test_the_toe_card_is_in_its_own_folder():
    assert budget_path("toe_card").parent.parts[-2:] == ("cards", "toe")
    assert budget_path("toe").parent.parts[-2:] == ("cores", "toe")
    assert CARDS.keys().isdisjoint(("toe_card", "toe"))  # no tick to trade


def test_cards_toe_and_qdma_are_not_in_the_report():
    """As docs/timing.md says: they take too long."""
    beside = {*cards.CONFIGS, *cards.TOE_CARD, *TOE, *QDMA}
    assert not set(MAPPED_CONFIGS) & beside
    assert set(MAPPED_CONFIGS) | beside == {name for core in ALL.values() for name in core.configs}
