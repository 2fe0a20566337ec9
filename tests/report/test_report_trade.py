# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The report of a card alone: tick to trade compared with the published percentiles, from measurement to page."""

import csv
import json

import pytest
from click.testing import CliRunner

from page_checks import problems_of
from ullnic.cards import card
from ullnic.measure.ate import PERCENTILES, published
from ullnic.points.plan import all_points
from ullnic.report.command import report

CARD, FRAMES = card("trigger_pma16"), 2000


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder of the report and its contents."""
    directory = tmp_path_factory.mktemp("report")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ULLNIC_POINTS", str(directory / "points"))
        arguments = ["--config", CARD.name, "--frames", str(FRAMES), "--jobs", "1", "--output", str(directory)]
        result = CliRunner().invoke(report, arguments)
        assert result.exit_code == 0, result.output
        results = {point.variant: point.result() for point in all_points([CARD.name], FRAMES)}
    return directory, json.loads((directory / "report.json").read_text()), results


def rows_of(directory, name: str) -> list[dict]:
    return list(csv.DictReader((directory / "csv" / f"{name}.csv").open(newline="")))


def test_percentiles_stand_beside_the_published_ones(made):
    directory, _, results = made
    rows = {row["statistic"]: row for row in rows_of(directory, "tick-to-trade-percentiles")}
    found, known = results["transceiver"]["sof_to_sof"], published(CARD)
    for name in PERCENTILES:
        ours = float(rows[name][f"{CARD.name}_ns"])
        assert ours == pytest.approx(found["percentiles"][name], abs=0.006)
        assert rows[name]["published_ns"] == (str(known[name]) if name in known else "")
        assert float(rows[name][f"{CARD.name}_steps_ns"]) % 0.25 == 0
        if name in known:
            assert float(rows[name][f"{CARD.name}_difference_ns"]) == pytest.approx(ours - known[name], abs=0.006)
    assert rows["lost"][f"{CARD.name}_ns"] == "0" and int(rows["triggers"][f"{CARD.name}_ns"]) >= FRAMES


def test_both_transceivers_and_both_metrics_are_there(made):
    directory, content, results = made
    rows = rows_of(directory, "tick-to-trade-transceivers")
    shown = {(row["metric"], row["transceiver_ui"]): row for row in rows}
    for variant, result in results.items():
        for metric, title in (("sof_to_sof", "SoF to SoF"), ("actionable", "actionable")):
            row = shown.pop((title, str(result["delay_ui"])))
            assert float(row["max_ns"]) == pytest.approx(result[metric]["max"], abs=0.006), variant
            assert int(row["samples"]) == result["triggers"]
    assert not shown
    assert content["headlines"][0]["title"] == f"Tick to trade, {CARD.label}"


def test_every_command_and_every_limit_is_named(made):
    _, content, _ = made
    tables = [item for section in content["sections"] for item in section["items"] if "rows" in item]
    named = {line for table in tables for line in table["commands"]} - {content["made"]["made by"]}
    assert named == {point.command for point in all_points([CARD.name], FRAMES)}
    [limits] = [table for table in tables if table["id"] == "budget-trigger"]
    assert {"sof_to_sof_ns min", "sof_to_sof_ns median", "sof_to_sof_ns max"} <= {row[0] for row in limits["rows"]}


@pytest.mark.parametrize(("width", "dark"), [(400, True), (1400, False)])
def test_the_page_is_sound(made, browser, width, dark):
    directory, _, _ = made
    assert problems_of(browser, directory / "index.html", directory / "report.json", width, dark) == []
