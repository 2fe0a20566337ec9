# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic synth` as a user meets it, with results made by hand; and the calibration."""

import json

import pytest
from click.testing import CliRunner

from ullnic import budget as core_budget
from ullnic.configs import DEFAULT, MEASURED_NAMES, NAMES, config
from ullnic.synth import calibrate, command, markdown
from ullnic.synth.cores import CORES, macpcs_published
from ullnic.synth.delays import net_model
from ullnic.synth.flow import ClockResult, Result, verdict
from ullnic.synth.records import records
from ullnic.synth.resources import Resources
from ullnic.synth.sta import Path, Step

LIKE = "nofifo_pma16_mac16_theirs"
FIELDS = (
    *("core", "config", "lut_cells", "lut_packed", "ff", "lutram", "bram36", "uram", "carry8", "levels", "clock"),
    *("clock_mhz", "fmax_tight_mhz", "fmax_typ_mhz", "fmax_loose_mhz", "verdict", "published_lut", "published_ff"),
    "command",
)


def result(name, grade=2, loose=300.0):
    steps = (Step("a_q", "FDRE", 0, 77, 3), Step("", "LUT6", 245, 72, 1))
    path = Path("a_q (a.sv:1)", "z_q (z.sv:2)", "rx_clk", "rx_clk", 444.0, 124, 295, 1, "inside", steps)
    fmax = {"tight": 500.0, "typical": 400.0, "loose": loose}
    clocks = tuple(
        ClockResult(clock, 322.265625, 5, fmax, {"inside": loose}, (path,)) for clock in ("tx_clk", "rx_clk")
    )
    return Result("macpcs", name, grade, Resources(1000, 800, 700, 16, 0.5, 0, 9, 3), clocks, 4)


@pytest.fixture
def synth(monkeypatch):
    """Calls the command; nothing is mapped. Gives click's result and the arguments that would have been mapped."""
    called = []

    def fake(core, configs, grade, jobs):
        called.append((core, configs, grade, jobs))
        return [result(name, grade) for name in configs]

    monkeypatch.setattr(command, "run_all", fake)
    return lambda *argv: (CliRunner().invoke(command.synth, argv), called)


def test_all_configurations_at_grade_2_are_the_default(synth):
    shown, called = synth("macpcs")
    assert shown.exit_code == 0, shown.output
    assert [(core, configs, grade) for core, configs, grade, _ in called] == [("macpcs", MEASURED_NAMES, 2)]
    for name in MEASURED_NAMES:
        assert name in shown.output
    assert max(map(len, shown.output.splitlines())) <= 120
    assert "counted by Vivado" in shown.output and "Estimated, pre-layout" in shown.output


def test_tables_hold_the_figures(synth):
    shown, _ = synth("macpcs", "--config", "nofifo_pma32_mac32")
    rows = [line.split() for line in shown.output.splitlines() if line.startswith("nofifo_pma32_mac32 ")]
    assert rows[0][1:] == ["1000", "800", "700", "16", "0.5", "0", "9", "1641", "1363"]
    assert rows[1][1:] == ["tx_clk", "322.27", "400", "300", "-6.9%", "marginal"]
    assert "from a_q (a.sv:1)" in shown.output and "to   z_q (z.sv:2)" in shown.output
    assert "LUT6" not in shown.output
    detailed, _ = synth("macpcs", "--config", "nofifo_pma32_mac32", "--paths", "1")
    assert "net  245  LUT6" in detailed.output and "(unnamed), fan-out 1" in detailed.output


def test_the_table_of_a_readme_says_what_decides_and_the_margin():
    """A verdict beside a count of levels alone cannot be understood: a path of short nets has more and closes."""
    lines = markdown.text([result("nofifo_pma32_mac32", loose=331.93)], "a command").splitlines()
    header, row = (next(line for line in lines if start in line) for start in ("needs MHz", "`tx_clk`"))
    cells = dict(zip(header.strip("| ").split(" | "), row.strip("| ").split(" | "), strict=True))
    assert (cells["loose"], cells["margin"], cells["verdict"]) == ("332", "+3.0%", "expected to close")
    assert (cells["what decides"], cells["levels"]) == ("1 level, 444 of 3103 ps", "5")


def test_a_row_that_was_published_at_the_other_grade_only_is_there_at_that_grade(synth, monkeypatch):
    written = []
    monkeypatch.setattr(command, "update_block", lambda path, name, text: written.append(text))
    shown, called = synth("macpcs", "--update-docs")
    assert shown.exit_code == 0, shown.output
    [_, (_, names, grade, _)] = called
    wanted = ("nofifo_pma16_mac16", "nofifo_pma16_mac32", "rxfifo_pma16_mac32")
    assert grade == 3 and names == tuple(f"{name}_theirs" for name in wanted)
    after = written[0].split("At grade -3")[1]
    assert "| no FIFO, 16/16, published generics | `tx_clk` |" in after and "32/32" not in after


@pytest.mark.parametrize(("core", "times"), [("trigger", 1), ("macpcs", 0)])
def test_the_caveats_of_tick_to_trade_follow_a_card_s_clocks(synth, monkeypatch, core, times):
    """They name its verdicts."""
    written = []
    monkeypatch.setattr(command, "update_block", lambda path, *_: written.append(path))
    monkeypatch.setattr(command, "update_caveats", lambda: written.append("caveats"))
    shown, _ = synth(core, "--update-docs")
    assert shown.exit_code == 0, shown.output
    assert len(written) == 1 + times and written.count("caveats") == times


def test_records_have_one_row_a_clock(synth, tmp_path):
    file = tmp_path / "synth.json"
    shown, called = synth("macpcs", "--config", LIKE, "--config", DEFAULT, "--grade", "3", "--json", str(file))
    assert shown.exit_code == 0, shown.output
    rows = json.loads(file.read_text())
    assert called[0][1:3] == ((LIKE, DEFAULT), 3)
    assert [(row["config"], row["clock"]) for row in rows] == [
        (name, clock) for name in (LIKE, DEFAULT) for clock in ("tx_clk", "rx_clk")
    ]
    assert all(tuple(row) == FIELDS for row in rows)
    assert (rows[0]["published_lut"], rows[0]["published_ff"]) == (1050, 1182)
    assert rows[0]["command"] == f"./ullnic synth macpcs --config {LIKE} --config {DEFAULT} --grade 3"
    assert (rows[0]["fmax_typ_mhz"], rows[0]["fmax_loose_mhz"], rows[0]["verdict"]) == (400.0, 300.0, "marginal")


@pytest.mark.parametrize(
    ("name", "grade", "row"),
    [
        ("nofifo_pma32_mac32", 2, (1641, 1363)),
        ("nofifo_pma32_mac32", 3, (1632, 1363)),
        ("rxfifo_pma32_mac32", 2, (1738, 1525)),
        ("txrxfifo_pma32_mac32", 2, (1808, 1631)),
        ("nofifo_pma16_mac16", 2, (None, None)),
        ("nofifo_pma16_mac32_theirs", 3, (1202, 1477)),
        ("rxfifo_pma16_mac32_theirs", 3, (1231, 1543)),
        ("rxfifo_pma16_mac16_theirs", 3, (None, None)),
        ("nofifo_pma16_mac16", 3, (None, None)),  # other generics
    ],
)
def test_published_rows_are_those_of_the_grade(name, grade, row):
    assert macpcs_published(name, grade) == row


def test_nothing_published_is_null(synth, tmp_path):
    file = tmp_path / "synth.json"
    synth("macpcs", "--config", "nofifo_pma16_mac16", "--json", str(file))
    assert {row["published_lut"] for row in json.loads(file.read_text())} == {None}
    assert records(result("nofifo_pma16_mac16"), "x")[0].published_ff is None


@pytest.mark.parametrize(
    ("typical", "loose", "word"),
    [(400, 350, "expected to close"), (400, 349.9, "marginal"), (350, 300, "marginal"), (349.9, 300, "not")],
)
def test_verdicts(typical, loose, word):
    assert verdict(350, {"tight": 500, "typical": typical, "loose": loose}) == word


def test_a_clock_that_has_paths_in_two_netlists_has_the_slowest_of_them():
    def found(loose, kinds, levels, *ps):
        fmax = {"tight": 2 * loose, "typical": 1.5 * loose, "loose": loose}
        paths = tuple(Path("a", "b", "tx_clk", "tx_clk", each, 1, 1, 1, "inside", ()) for each in ps)
        return ClockResult("tx_clk", 600.0, levels, fmax, kinds, paths)

    one = found(700.0, {"inside": 700.0, "transceiver": 900.0}, 4, *range(40, 20, -1))
    other = found(650.0, {"user's port": 650.0, "inside": 800.0}, 0, 50, 30.5)
    for both in (one.with_paths_of(other), other.with_paths_of(one)):
        assert both.fmax_mhz == other.fmax_mhz and both.levels == 4
        assert list(both.loose_mhz_by_kind.items()) == [
            ("user's port", 650.0),
            ("inside", 700.0),
            ("transceiver", 900.0),
        ]
        assert [path.total_ps for path in both.paths] == [50, *range(40, 30, -1), 30.5, *range(30, 22, -1)]


@pytest.mark.parametrize(
    ("argv", "complaint"),
    [
        ([], "Missing argument 'CORE'"),
        (["xdma"], "'xdma' is not one of 'macpcs', 'ate', 'toe', 'qdma'"),
        (["macpcs", "--config", "nofifo_pma8_mac8"], "'nofifo_pma8_mac8' is not one of"),
        (["ate", "--config", "nofifo_pma32_mac32"], "ate has no configuration nofifo_pma32_mac32: connections_512"),
        (["macpcs", "--grade", "1"], "'1' is not one of '2', '3'"),
        (["macpcs", "--jobs", "0"], "0 is not in the range"),
        (["macpcs", "--update-docs", "--config", "nofifo_pma32_mac32"], "writes all configurations"),
        (["macpcs", "--pnr-seeds", "3"], "says nothing without --pnr"),
        (["trigger", "--pnr"], "--pnr is for cores: macpcs, ate"),
        (["macpcs", "--pnr", "--pnr-seeds", "0"], "0 is not in the range"),
    ],
)
def test_wrong_usage_is_named(synth, argv, complaint):
    shown, called = synth(*argv)
    assert shown.exit_code == 2 and complaint in shown.output and not called


def test_over_budget_is_an_error(synth, tmp_path, monkeypatch):
    path = tmp_path / "budget.toml"
    monkeypatch.setattr(core_budget, "budget_path", lambda core: path)
    monkeypatch.setattr(core_budget, "committed_text", lambda path: "")
    argv = ["macpcs", "--config", "nofifo_pma32_mac32", "--budget"]
    path.write_text("[synth.nofifo_pma32_mac32]\nff = 700\n")
    shown, _ = synth(*argv)
    assert shown.exit_code == 0 and "within the budget" in shown.output
    path.write_text("[synth.nofifo_pma32_mac32]\nff = 699\n")
    shown, _ = synth(*argv)
    assert shown.exit_code == 1 and "ff 700, limit 699" in str(shown.exception)


def test_calibration_needs_no_core_and_maps_nothing(synth):
    shown, called = synth("--calibrate")
    assert shown.exit_code == 0 and not called
    assert "33 posted nets: 165 + 19.7 log2(fan-out) ps, residual 83 ps" in shown.output
    assert "2253" in shown.output and "held out" in shown.output


def test_the_typical_model_is_the_fit_of_the_posted_nets():
    fit, typical = calibrate.fit(), net_model("typical")
    assert abs(fit.base_ps - typical.base_ps) < 1 and abs(fit.per_doubling_ps - typical.per_doubling_ps) < 1


def test_the_claim_holds_for_every_posted_path():
    """25 %, typical; and the models lie in order."""
    for path in calibrate.POSTED:
        assert abs(path.error(net_model("typical"))) < 0.25, path
        assert (
            path.model_ps(net_model("tight")) < path.model_ps(net_model("typical")) < path.model_ps(net_model("loose"))
        )
    assert abs(calibrate.worst_held_out_error()) < 0.08


def test_every_configuration_has_a_design():
    for name in NAMES:
        design = CORES["macpcs"].design(name)
        names = [file.name for file in design.files]
        assert design.top == "macpcs" and "macpcs.sv" in names and "link_card.sv" not in names
        assert all(file.exists() for file in design.files)
        assert dict(design.parameters) == config(name).parameters
