# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The report of the TCP engine alone, with few sizes: every published row beside ours, from measurement to page."""

import csv
import json

import pytest
from click.testing import CliRunner

from page_checks import problems_of
from ullnic.deep import deep
from ullnic.measure import toe
from ullnic.measure.records import reference_rows
from ullnic.points.plan import all_points, measure
from ullnic.report.command import report
from ullnic.report.standing import parts

ENGINES = ("user128_cut_through", "user128_store_forward")
FRAMES = 100
PACKAGE = [f"python/ullnic/{name}" for name in ("measure", "points", "report")]
MADE = deep(__file__, "tests/report/page_checks.py", *PACKAGE, "cores/toe/budget.toml", lambda: parts()["toe"])


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder of the report and its contents."""
    directory = tmp_path_factory.mktemp("report")
    sizes = {measured: tuple(toe.published_sizes(measured)) for measured in toe.SIZES}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ULLNIC_POINTS", str(directory / "points"))
        patch.setattr(toe, "SIZES", sizes)
        points = all_points(ENGINES, FRAMES)
        for point in points:  # in this process: it has few sizes
            measure(point)
        configs = [part for name in ENGINES for part in ("--config", name)]
        arguments = [*configs, "--frames", str(FRAMES), "--jobs", "1", "--output", str(directory)]
        result = CliRunner().invoke(report, arguments)
        assert result.exit_code == 0, result.output
    return directory, json.loads((directory / "report.json").read_text()), points


def rows_of(directory, name: str) -> list[dict]:
    return list(csv.DictReader((directory / "csv" / f"{name}.csv").open(newline="")))


@MADE
def test_every_published_latency_has_its_row(made):
    """120 rows of the reference are 60 of the table, with two clocks."""
    words = {"TX": "tx", "RX": "rx", "TX to RX": "rtt"}
    found = {}
    for row in rows_of(made[0], "tcp-latency"):
        for at in toe.CLOCKS:
            ours, theirs, more = (float(row[f"{name}_{at.name}_ns"]) for name in ("ours", "published", "difference"))
            assert more == pytest.approx(ours - theirs, abs=0.001) and more < 0
            mode = row["mode"].replace("-", "_")
            found[at.mhz, mode, words[row["path"]], row["payload_bytes_bytes"]] = theirs
    reference = reference_rows("tcp_latency.csv")
    keys = ("clock_mhz", "mode", "path", "payload_bytes")
    assert found == {tuple(row[key] for key in keys): float(row["latency_ns"]) for row in reference}
    assert made[1]["headlines"][0]["figure"] == f"{len(reference)} of {len(reference)}"


@MADE
def test_bandwidth_stands_beside_the_published_one(made):
    rows = rows_of(made[0], "tcp-bandwidth")
    assert len(rows) == 2 * len(toe.published_sizes(toe.BANDWIDTH))
    for row in rows:
        rates = {name: float(value) for name, value in row.items() if name[:3] in ("tx_", "rx_", "pub")}
        assert len(rates) == 7 and set(rates.values()) == {10_000.0}


@MADE
def test_every_command_and_every_limit_is_named(made):
    _, content, points = made
    tables = [item for section in content["sections"] for item in section["items"] if "rows" in item]
    named = {line for table in tables for line in table["commands"]} - {content["made"]["made by"]}
    assert named == {point.command for point in points}
    [limits] = [table for table in tables if table["id"] == "budget-toe"]
    figures = {row[0] for row in limits["rows"]}
    assert {"tx_cut_through_322mhz_cycles max", "rx_both_ways_350mhz_unused_mbit_s max"} <= figures


@MADE
@pytest.mark.parametrize(("width", "dark"), [(400, True), (1400, False)])
def test_the_page_is_sound(made, browser, width, dark):
    directory, _, _ = made
    assert problems_of(browser, directory / "index.html", directory / "report.json", width, dark) == []
