# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic synth --pnr` as a user meets it, with results made by hand; and its budget."""

import json

import pytest
from click.testing import CliRunner

from test_synth_command import FIELDS, result
from ullnic import budget as core_budget
from ullnic.errors import UllnicError
from ullnic.synth import command, pnr_budget
from ullnic.synth.pnr import PnrClock, PnrResult

NAME = "nofifo_pma32_mac32"
PNR_FIELDS = (
    *("core", "config", "device", "speed_grade", "tool", "seeds", "lut4", "ff", "carry", "lutram", "bram"),
    *("clock", "clock_mhz", "fmax_routed_mhz", "fmax_seeds_mhz", "command"),
)
RECORDED = f"[pnr.{NAME}]\nfmax_mhz = {{ tx_clk = 160, rx_clk = 200.0 }}\n"


def routed(name, seeds=1, tx=160.0, rx=200.0):
    spread = {1: (0,), 3: (-10, 0, 20)}[seeds]
    clocks = [
        PnrClock(clock, 322.265625, mhz, tuple(mhz + more for more in spread))
        for clock, mhz in (("tx_clk", tx), ("rx_clk", rx))
    ]
    numbers = tuple(range(1, seeds + 1))
    return PnrResult("macpcs", name, "LFE5UM5G-85F", 8, "nextpnr 1.2", numbers, 2500, 900, 35, 4, 0, tuple(clocks))


@pytest.fixture
def synth(monkeypatch):
    """Calls the command; nothing is mapped or placed. Gives click's result and what would have been placed."""
    called = []

    def fake(core, configs, seeds, jobs):
        called.append((core, configs, seeds))
        return [routed(name, seeds) for name in configs]

    monkeypatch.setattr(command, "run_all", lambda core, configs, grade, jobs: [result(name) for name in configs])
    monkeypatch.setattr(command, "run_pnr", fake)
    return lambda *argv: (CliRunner().invoke(command.synth, ["macpcs", "--config", NAME, *argv]), called)


def test_nothing_is_placed_unless_asked_for(synth, tmp_path):
    file = tmp_path / "synth.json"
    shown, called = synth("--json", str(file))
    assert shown.exit_code == 0 and not called and "Relative figures only" not in shown.output
    assert all(tuple(row) == FIELDS for row in json.loads(file.read_text()))


def test_the_table_and_what_it_is_worth(synth):
    shown, called = synth("--pnr")
    assert shown.exit_code == 0, shown.output
    assert called == [("macpcs", (NAME,), 1)]
    table = shown.output.partition("place and route: MHz on LFE5UM5G-85F, grade 8")[2]
    rows = [line.split() for line in table.splitlines() if line.startswith(NAME)]
    assert rows[0] == [NAME, "2500", "900", "tx_clk", "322.3", "160.0"]
    assert rows[1] == [NAME, "2500", "900", "rx_clk", "322.3", "200.0"]
    assert "nextpnr 1.2, seed 1" in table and "Relative figures only" in table and "slowest" not in table
    assert "Estimated, pre-layout" in shown.output, "beside the first opinion, not in its place"
    assert max(map(len, table.splitlines())) <= 120


def test_several_seeds_show_their_spread(synth):
    shown, called = synth("--pnr", "--pnr-seeds", "3")
    assert called == [("macpcs", (NAME,), 3)]
    assert "median of the seeds 1, 2, 3" in shown.output
    assert [line.split()[-3:] for line in shown.output.splitlines() if " 2500 " in line] == [
        ["160.0", "150.0", "180.0"],
        ["200.0", "190.0", "220.0"],
    ]


def test_records_of_both_kinds_stand_in_one_file(synth, tmp_path):
    file = tmp_path / "synth.json"
    synth("--pnr", "--pnr-seeds", "3", "--json", str(file))
    rows = json.loads(file.read_text())
    estimated, placed = [row for row in rows if "device" not in row], [row for row in rows if "device" in row]
    assert rows == estimated + placed and all(tuple(row) == FIELDS for row in estimated)
    assert all(tuple(row) == PNR_FIELDS for row in placed)
    assert [row["clock"] for row in estimated] == [row["clock"] for row in placed] == ["tx_clk", "rx_clk"]
    assert (placed[1]["fmax_routed_mhz"], placed[1]["fmax_seeds_mhz"]) == (200.0, [190.0, 200.0, 220.0])
    assert (placed[0]["lut4"], placed[0]["clock_mhz"], placed[0]["seeds"]) == (2500, 322.265625, [1, 2, 3])
    assert placed[0]["command"] == f"./ullnic synth macpcs --config {NAME} --grade 2 --pnr --pnr-seeds 3"
    assert estimated[0]["command"] == f"./ullnic synth macpcs --config {NAME} --grade 2"


# --- Budget
def test_what_lost_no_more_than_the_margin_passes():
    keep = 1 - pnr_budget.MARGIN
    assert pnr_budget.losses(routed(NAME, tx=160 * keep + 0.1, rx=200 * keep + 0.1), RECORDED) == []
    assert pnr_budget.losses(routed(NAME, tx=999.0, rx=200.0), RECORDED) == []


def test_a_clock_that_lost_more_is_named():
    slow = 200 * (1 - pnr_budget.MARGIN) - 1
    (loss,) = pnr_budget.losses(routed(NAME, rx=slow), RECORDED)
    assert loss == f"{NAME}: rx_clk {slow:.1f} MHz routed, {1 - slow / 200:.0%} less than 200"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (f"[pnr.{NAME}]\nfmax = 5\n", "has fmax"),
        (f"[pnr.{NAME}]\nfmax_mhz = {{ tx_clk = 160 }}\n", "lacks rx_clk"),
        (RECORDED.replace("rx_clk", "m_axis_clk"), "has m_axis_clk, which there is not, lacks rx_clk"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(text, complaint):
    with pytest.raises(UllnicError, match=complaint):
        pnr_budget.losses(routed(NAME), text)


def test_a_clock_that_is_fast_enough_even_there_needs_no_record():
    fast = routed(NAME, rx=322.3)
    assert pnr_budget.lines(fast) == f"[pnr.{NAME}]\nfmax_mhz = {{ tx_clk = 160 }}"
    assert pnr_budget.losses(fast, pnr_budget.lines(fast)) == []
    assert len(pnr_budget.losses(fast, RECORDED.replace("200.0", "400.0"))) == 1, "if it has one it counts"


def test_the_budget_of_both_is_checked(synth, tmp_path, monkeypatch):
    path = tmp_path / "budget.toml"
    for module in (core_budget, pnr_budget):
        monkeypatch.setattr(module, "budget_path", lambda core: path)
    monkeypatch.setattr(core_budget, "committed_text", lambda path: "")
    estimated = f"[synth.{NAME}]\nff = 700\n"
    path.write_text(estimated)
    assert synth("--budget")[0].exit_code == 0, "no table is asked for what was not placed"
    shown, _ = synth("--budget", "--pnr")
    assert shown.exit_code == 1 and f"no table [pnr.{NAME}]" in str(shown.exception)
    path.write_text(estimated + shown.exception.remedy.partition("\n")[2])
    shown, _ = synth("--budget", "--pnr")
    assert shown.exit_code == 0 and "within the budget" in shown.output
    path.write_text(estimated + RECORDED.replace("160", "320"))
    shown, _ = synth("--budget", "--pnr")
    assert shown.exit_code == 1 and "tx_clk 160.0 MHz routed, 50% less than 320" in str(shown.exception)
