# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The check of area and levels against budget.toml, on results made by hand."""

import pytest

from test_synth_command import result
from ullnic import budget as core_budget
from ullnic import toml
from ullnic.errors import UllnicError
from ullnic.synth import budget

NAME = "nofifo_pma32_mac32"
# the result has 1000 cells, 800 packed, 700 FF, 16 LUTRAM, half a block RAM, 5 levels
BUDGET = f"[synth.{NAME}]\nlut_packed = 800\nff = 700\nbram36 = 0.5\nlevels = {{ tx_clk = 5, rx_clk = 5 }}\n"


def overruns(text: str, committed: str) -> list[str]:
    limits = budget.limits(result(NAME), toml.loads(text), toml.loads(committed))
    return [str(each) for each in limits if each.over]


def test_what_is_within_its_limits_passes():
    assert overruns(BUDGET, BUDGET) == []
    assert len(budget.limits(result(NAME), toml.loads(BUDGET), {})) == 5


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("lut_packed = 799", "lut_packed 800, limit 799 (+0 since the last commit)"),
        ("ff = 690", "ff 700, limit 690 (+0 since the last commit)"),
        ("bram36 = 0", "bram36 0.5, limit 0 (+0 since the last commit)"),
    ],
)
def test_a_figure_over_its_limit_is_named(wrong, message):
    name = wrong.split()[0]
    text = "\n".join(wrong if line.startswith(name) else line for line in BUDGET.splitlines())
    assert overruns(text, BUDGET) == [f"{NAME}: {message}"]


def test_the_change_is_that_since_the_last_commit():
    committed = BUDGET.replace("800", "760").replace("tx_clk = 5", "tx_clk = 3")
    assert overruns(committed, committed) == [
        f"{NAME}: lut_packed 800, limit 760 (+40 since the last commit)",
        f"{NAME}: levels of tx_clk 5, limit 3 (+2 since the last commit)",
    ]
    assert overruns(committed, "")[0].endswith("(new)")


def test_configurations_without_a_table_are_answered_with_what_to_put_in(tmp_path, monkeypatch):
    path, other = tmp_path / "budget.toml", "nofifo_pma16_mac16"
    path.write_text("# nothing yet\n")
    monkeypatch.setattr(core_budget, "budget_path", lambda core: path)
    monkeypatch.setattr(core_budget, "committed_text", lambda path: "")
    results = [result(NAME), result(other)]
    with pytest.raises(UllnicError, match=rf"no table \[synth.{NAME}\], \[synth.{other}\]") as failure:
        budget.check(results, "macpcs")
    table = failure.value.remedy.partition("\n")[2]
    assert "lut_packed = 800" in table and "levels = { tx_clk = 5, rx_clk = 5 }" in table
    path.write_text(table)
    budget.check(results, "macpcs")
    path.write_text(table.replace("lut_packed = 800", "lut_packed = 799"))
    with pytest.raises(UllnicError, match=rf"(?s){NAME}: lut_packed.*{other}: lut_packed"):
        budget.check(results, "macpcs")


@pytest.mark.parametrize("line", ["luts = 5", "levels = { s_axis_clk = 3 }"])
def test_a_limit_that_nothing_meets_is_refused(line):
    with pytest.raises(UllnicError, match=r"budget.toml: \[synth"):
        overruns(f"[synth.{NAME}]\n{line}\n", "")


def test_check_names_all_and_reads_the_core_s_file(tmp_path, monkeypatch):
    path = tmp_path / "budget.toml"
    monkeypatch.setattr(core_budget, "budget_path", lambda core: path)
    monkeypatch.setattr(core_budget, "committed_text", lambda path: BUDGET)
    path.write_text(BUDGET)
    budget.check([result(NAME)], "macpcs")
    path.write_text(BUDGET.replace("ff = 700", "ff = 1").replace("rx_clk = 5", "rx_clk = 4"))
    with pytest.raises(UllnicError, match=r"(?s)ff 700, limit 1.*levels of rx_clk 5, limit 4"):
        budget.check([result(NAME)], "macpcs")
