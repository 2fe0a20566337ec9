# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`./ullnic report` from measurement to page, on one configuration and few frames; and the pool that measures."""

import csv
import json
import re
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from page_checks import problems_of
from ullnic import budget
from ullnic.configs import DEFAULT, MEASURED
from ullnic.deep import deep
from ullnic.errors import UllnicError
from ullnic.points.plan import all_points
from ullnic.points.point import Point
from ullnic.report import command, export, pool, standing
from ullnic.report.command import report
from ullnic.toolchain import cpu_count

FRAMES = "400"
# Measuring and mapping one configuration takes a minute.
A_WHOLE_REPORT = deep(
    *(__file__, "tests/report/page_checks.py", "cores/macpcs/budget.toml"),
    *(f"python/ullnic/{part}" for part in ("report", "points", "measure", "synth", "budget.py")),
    lambda: standing.parts()["macpcs"],
)


def invoke(directory: Path, *more: str):
    arguments = ["--config", DEFAULT, "--frames", FRAMES, "--output", str(directory), *more]
    return CliRunner().invoke(report, arguments)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A report and the command's output."""
    directory = tmp_path_factory.mktemp("report")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ULLNIC_POINTS", str(directory / "points"))
        result = invoke(directory)
        assert result.exit_code == 0, result.output
        yield directory, result.output


def content(directory: Path) -> dict:
    return json.loads((directory / "report.json").read_text())


def tables(directory: Path) -> dict[str, dict]:
    items = [item for section in content(directory)["sections"] for item in section["items"]]
    return {item["id"]: item for item in items if "rows" in item}


def column(table: dict, key: str) -> list:
    position = [column["key"] for column in table["columns"]].index(key)
    return [row[position] for row in table["rows"]]


@A_WHOLE_REPORT
def test_published_rows_stand_beside_ours_with_the_difference(made):
    for name, low, high in (("macpcs-sop-to-sop", 35.42, 41.64), ("macpcs-sop-to-sof", 29.22, 35.43)):
        table = tables(made[0])[name]
        assert (column(table, "published_min"), column(table, "published_max")) == ([low], [high])
        assert column(table, "difference_min") == [pytest.approx(column(table, "min")[0] - low, abs=0.006)]
        assert column(table, "difference_max") == [pytest.approx(column(table, "max")[0] - high, abs=0.006)]
        assert column(table, "lost") == [0] and column(table, "samples")[0] > 100
    area = tables(made[0])["resources"]
    assert column(area, "published_lut") == [1641, 1632]  # -2 and -3
    assert column(area, "difference_ff")[0] == column(area, "ff")[0] - 1363


@A_WHOLE_REPORT
def test_every_clock_has_a_verdict_and_every_limit_is_there(made):
    found = tables(made[0])
    assert column(found["clocks"], "clock") == ["tx_clk", "rx_clk"] * 2
    assert column(found["clocks"], "grade") == ["-2", "-2", "-3", "-3"]  # the published row is of both
    for margin, verdict in zip(column(found["clocks"], "margin"), column(found["clocks"], "verdict"), strict=True):
        assert (margin >= 0) == (verdict == "expected to close")
    assert all(re.fullmatch(r"\d+ levels?, \d+ of 3103 ps", cell) for cell in column(found["clocks"], "decides"))
    assert set(column(found["clocks"], "verdict")) <= {"expected to close", "marginal", "not"}
    figures = column(found["budget-macpcs"], "figure")
    assert {"sop_to_sop_ns max", "sop_to_sop_wire_offset0_cycles min", "lut_packed", "ff", "levels of rx_clk"} <= {
        *figures
    }
    assert set(column(found.get("budget-differences", {"columns": [{"key": "within"}], "rows": []}), "within")) <= {
        "yes"
    }


@A_WHOLE_REPORT
def test_each_table_names_the_commands_of_its_points(made):
    """Each figure of a report can be traced: each point's command is given at a table, and no others."""
    named = {line for table in tables(made[0]).values() for line in table["commands"]} - {
        content(made[0])["made"]["made by"]
    }
    with_tables = {point.command for point in all_points([DEFAULT], int(FRAMES)) if point.kind != "size"}
    assert named == with_tables


@A_WHOLE_REPORT
def test_markdown_and_csv_hold_what_the_json_holds(made):
    directory, _ = made
    text = (directory / "report.md").read_text()
    for table in tables(directory).values():
        rows = list(csv.reader((directory / "csv" / f"{table['id']}.csv").open(newline="")))
        assert len(rows) == len(table["rows"]) + 1
        for row, kept in zip(rows[1:], table["rows"], strict=True):
            assert row == ["" if value is None else str(value) for value in kept]
        for kept in table["rows"]:
            shown = [
                f"{v:.{c['digits']}f}" if c["digits"] is not None and v is not None else v
                for v, c in zip(kept, table["columns"], strict=True)
            ]
            assert "| " + " | ".join("-" if value is None else str(value) for value in shown) + " |" in text
    plots = [i for s in content(directory)["sections"] for i in s["items"] if "marks" in i]
    assert len(plots) >= 10
    for plot in plots:
        rows = list(csv.DictReader((directory / "csv" / f"{plot['id']}.csv").open(newline="")))
        assert {row["label"] for row in rows} == {mark["label"] for mark in plot["marks"]}


@A_WHOLE_REPORT
@pytest.mark.parametrize(("width", "dark"), [(400, True), (1400, False)])
def test_the_page_is_sound(made, browser, width, dark):
    """The same checks as for a handmade page: plots, cells, overflow, contrast."""
    directory, _ = made
    assert problems_of(browser, directory / "index.html", directory / "report.json", width, dark) == []


@A_WHOLE_REPORT
def test_a_second_run_measures_nothing_and_writes_the_same(made, monkeypatch):
    directory, _ = made
    monkeypatch.setattr(command, "Pool", None)  # would fail if it were used
    before = {name: (directory / name).read_bytes() for name in ("index.html", "report.json", "report.md")}
    start_s = time.monotonic()
    result = invoke(directory)
    assert result.exit_code == 0, result.output
    assert time.monotonic() - start_s < 30
    assert {name: (directory / name).read_bytes() for name in before} == before


@A_WHOLE_REPORT
def test_a_part_of_the_report_leaves_the_document_alone(made):
    assert "written:" not in made[1]


@A_WHOLE_REPORT
def test_a_figure_over_its_budget_fails_the_report_and_is_named(made, monkeypatch, tmp_path):
    text = budget.budget_path("macpcs").read_text()
    limit = next(line for line in text.split(f"[synth.{DEFAULT}]")[1].splitlines() if line.startswith("ff"))
    path = tmp_path / "budget.toml"
    path.write_text(text.split(f"[synth.{DEFAULT}]")[0] + f"[synth.{DEFAULT}]\nff = 7\n")
    monkeypatch.setattr(budget, "budget_path", lambda core: path)
    monkeypatch.setattr(budget, "committed_text", lambda path: text)
    result = invoke(made[0])
    assert isinstance(result.exception, UllnicError)
    committed = int(limit.split("=")[1])
    assert f"{DEFAULT}: ff {committed}, limit 7 (+0 since the last commit)" in result.exception.message
    rows = tables(made[0])["budget-differences"]
    assert dict(zip(column(rows, "figure"), column(rows, "within"), strict=True))["ff"] == "no"


def test_arguments_for_snakemake_need_an_executor():
    result = CliRunner().invoke(report, ["--", "--verbose"])
    assert result.exit_code == 2 and "--executor" in result.output


def test_the_document_holds_what_the_budget_does():
    """docs/performance.md comes from the last complete report: its figures are those that the tests check."""
    held, _ = budget.budgets("macpcs")
    text = standing.DOCUMENT.read_text()
    for config in MEASURED:
        for title, metric in (("SoP to SoP", "sop_to_sop"), ("SoP to SoF", "sop_to_sof")):
            row = row_of(text, f"### {title}, with the transceiver", config.label)
            assert [float(row[1]), float(row[3])] == held[config.name][f"{metric}_ns"], row
            if not config.fifo:
                assert [float(cell) for cell in row[9:13]] == [
                    *held[config.name][f"{metric}_any_phase_ns"],
                    *held[config.name][f"{metric}_aligned_ns"],
                ], row
        row = row_of(text, "### Resources", config.label)
        area = held["synth"][config.name]
        assert [int(row[2]), int(row[3]), int(row[7])] == [area["lut_packed"], area["lut_cells"], area["ff"]], row


def row_of(text: str, heading: str, label: str) -> list[str]:
    """Cells of the first row with that label in the table under a heading."""
    lines = text.partition(heading)[2].splitlines()
    return next(line for line in lines if line.startswith(f"| {label} |")).strip("| ").split(" | ")


# --- the pool


class Small(Point):
    """A point whose command is a line of Python."""

    def argv(self):
        return ["-c", self.variant]


def small(name: str, code: str) -> Small:
    return Small("core", "kind", name, code, (), "", 1.0)


@pytest.fixture
def python_only(monkeypatch):
    monkeypatch.setattr(pool, "LAUNCH", [sys.executable])


def test_points_run_side_by_side_and_all_of_them(python_only, tmp_path):
    points = [small(str(n), f"open(r'{tmp_path}/{n}', 'w')") for n in range(5)]
    pool.Pool(2).run(points)
    assert sorted(path.name for path in tmp_path.iterdir()) == list("01234")


def test_a_point_that_fails_is_named_with_what_it_said_and_ends_the_others(python_only, tmp_path):
    late = f"import time; time.sleep(60); open(r'{tmp_path}/late', 'w')"
    points = [small("long", late), small("wrong", "print('the reason'); raise SystemExit(3)"), small("next", late)]
    start_s = time.monotonic()
    with pytest.raises(UllnicError, match="core/kind/wrong.*failed") as failure:
        pool.Pool(2).run(points)
    assert "the reason" in failure.value.message and "repeat it with: " in failure.value.remedy
    assert time.monotonic() - start_s < 30
    assert not (tmp_path / "late").exists()


def test_a_report_has_no_more_processes_than_asked_for():
    assert next(option for option in report.params if option.name == "jobs").default is cpu_count


def test_curves_are_written_point_by_point():
    rows = list(export.long_rows(("label", (1.0, 2.0, 3.0), (4, 5, 6), None)))
    assert rows == [["label", 1.0, 4, None], ["label", 2.0, 5, None], ["label", 3.0, 6, None]]
    assert list(export.long_rows(("label", 7, (1.5, 2.5)))) == [["label", 7, "1.5 to 2.5"]]
