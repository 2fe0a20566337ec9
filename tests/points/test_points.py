# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Measurement points: their keys, their names, and that they measure the same as `measure`."""

import json
import os
from dataclasses import asdict, replace

import pytest
from click.testing import CliRunner

from ullnic.cards import card
from ullnic.configs import DEFAULT, NAMES, config
from ullnic.deep import deep
from ullnic.engines import NAMES as ENGINES
from ullnic.engines import engine as engine_of
from ullnic.errors import UllnicError
from ullnic.measure import ate, toe
from ullnic.measure.ate import NAMES as CARDS
from ullnic.measure.macpcs import measure_config, records_of, sweeps
from ullnic.paths import ROOT
from ullnic.points import engine, plan, simulated, trading
from ullnic.points.command import run_point
from ullnic.points.point import KEPT, Point
from ullnic.points.sources import BUILD_FILES, digest_of_files
from ullnic.report.standing import of_cards, parts

MEASURING = (__file__, "python/ullnic/measure", "python/ullnic/points")
POINT = Point("macpcs", "latency", DEFAULT, "wire", (("frames", 100), ("seed", 1)), "sources", 1.0)


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("ULLNIC_POINTS", str(tmp_path / "points"))


def test_the_key_changes_with_all_that_the_result_depends_on():
    others = [
        replace(POINT, config=NAMES[0]),
        replace(POINT, variant="transceiver"),
        replace(POINT, options=(("frames", 100), ("seed", 2))),
        replace(POINT, content="other sources"),
    ]
    assert len({each.key for each in [POINT, *others]}) == 5
    assert replace(POINT, cost_s=9.0).key == POINT.key


def test_a_result_is_found_again_under_its_key_only():
    assert POINT.result() is None
    POINT.keep({"figure": 7}, 1.0)
    assert POINT.result() == {"figure": 7}
    assert replace(POINT, content="other sources").result() is None
    kept = json.loads(POINT.path.read_text())
    assert kept["command"] == f"./ullnic run-point macpcs/latency/{DEFAULT}/wire --frames 100 --seed 1"


def test_old_results_of_a_name_go():
    results = [replace(POINT, content=str(number)) for number in range(KEPT + 2)]
    other = replace(POINT, variant="wire_offset0")
    other.keep({}, 0)
    for number, point in enumerate(results):
        point.keep({}, 0)
        os.utime(point.path, (number, number))
    replace(POINT, content="the newest").keep({}, 0)
    assert [point.result() is None for point in results] == [True] * 3 + [False] * (KEPT - 1)
    assert other.result() == {}


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"key": "of another", "result": {}}'])
def test_a_damaged_result_counts_as_none(text):
    POINT.keep({}, 1.0)
    POINT.path.write_text(text)
    assert POINT.result() is None


def test_a_store_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ULLNIC_POINTS", str(tmp_path / "file"))
    with pytest.raises(UllnicError, match="ULLNIC_POINTS"):
        POINT.keep({}, 1.0)


def test_every_name_is_one_point_and_finds_it():
    points = plan.all_points()
    assert len({point.name for point in points}) == len(points)
    assert {point.config for point in points} == set(plan.ALL_CONFIGS) > set(NAMES)
    for each in points[:: len(points) // 5]:
        assert plan.find(each.name, plan.DEFAULT_FRAMES, plan.DEFAULT_SEED) == each


def test_a_wrong_name_gets_the_nearest_one():
    with pytest.raises(UllnicError, match=f"did you mean macpcs/latency/{DEFAULT}/wire"):
        plan.find(f"macpcs/latency/{DEFAULT}/wires", 100, 1)


def test_sources_that_are_digested_are_there():
    cards = [file for name in CARDS for file in trading.sources(card(name))]
    for source in (*simulated.sources(), *engine.sources(), *cards, *BUILD_FILES):
        assert digest_of_files(source) != digest_of_files(), source


def test_the_digest_changes_with_content_and_names():
    folder = ROOT / "build/points-test"  # inside the project: names are relative to its root
    folder.mkdir(parents=True, exist_ok=True)
    file, other = folder / "a.sv", folder / "b.sv"
    try:
        file.write_text("1")
        first = digest_of_files(folder)
        file.write_text("2")
        second = digest_of_files(folder)
        file.rename(other)
        assert len({first, second, digest_of_files(folder)}) == 3
    finally:
        file.unlink(missing_ok=True)
        other.unlink(missing_ok=True)
        folder.rmdir()


def invoke(*arguments: str):
    return CliRunner().invoke(run_point, arguments, catch_exceptions=False)


@deep(*MEASURING, lambda: parts()["macpcs"])
def test_points_measure_what_measure_does(tmp_path, seed):
    """The same records, sweep by sweep, from the files; an existing one is not measured again."""
    frames = 300
    binaries = simulated.build_for([DEFAULT])
    wanted = measure_config(binaries, config(DEFAULT), frames, seed, "a command", print)
    found = []
    for sweep in sweeps(config(DEFAULT), frames):
        name = f"macpcs/latency/{DEFAULT}/{simulated.variant_of(sweep)}"
        said = invoke(name, "--frames", str(frames), "--seed", str(seed)).output.splitlines()[-1]
        result = plan.find(name, frames, seed).result()
        assert said == str(plan.find(name, frames, seed).path)
        found += records_of(config(DEFAULT), sweep, result, "a command")
    assert list(map(asdict, found)) == list(map(asdict, wanted))
    # An existing point is used unchanged, unless forced.
    point = plan.find(name, frames, seed)
    point.keep({"planted": 1}, 0)
    invoke(name, "--frames", str(frames), "--seed", str(seed))
    assert point.result() == {"planted": 1}
    invoke(name, "--frames", str(frames), "--seed", str(seed), "--force")
    assert point.result() == result


@deep(*MEASURING, lambda: of_cards("trigger"))
def test_points_of_a_card_measure_what_measure_does(seed):
    chosen, frames = card("trigger_pma16"), 330
    binaries = trading.build_for([chosen.name])
    wanted = ate.measure_card(binaries, chosen, frames, seed, "a command", print)
    found = []
    for sweep in ate.sweeps(chosen, frames):
        name = f"trigger/tick-to-trade/{chosen.name}/{trading.variant_of(sweep)}"
        invoke(name, "--frames", str(frames), "--seed", str(seed))
        result = plan.find(name, frames, seed).result()
        assert [row["offset"] for row in result["by_offset"]] == list(range(66))
        for metric in ate.METRICS:
            assert sum(row[metric]["samples"] for row in result["by_offset"]) == result[metric]["samples"]
            assert sum(count for _, count in result[metric]["histogram"]) == result["triggers"] == result["answers"]
        found += ate.records_of(chosen, sweep, result, "a command")
    assert list(map(asdict, found)) == list(map(asdict, wanted))


@deep(*MEASURING, lambda: parts()["toe"])
def test_points_of_an_engine_measure_what_measure_does(monkeypatch, seed):
    """With few sizes."""
    chosen = engine_of(ENGINES[0])
    monkeypatch.setattr(toe, "SIZES", {toe.LATENCY: (1, 8, 64), toe.BANDWIDTH: (1, 512)})
    frames = 100
    wanted, _ = toe.measure_engine(engine.build_for([chosen.name]), chosen, frames, seed, "a command", print)
    found = []
    for kind, measured in engine.MEASURED.items():
        for at in toe.CLOCKS:
            name = f"toe/{kind}/{chosen.name}/{at.name}"
            invoke(name, "--frames", str(frames), "--seed", str(seed))
            result = plan.find(name, frames, seed).result()
            found += toe.records_of(chosen, at, measured, result, "a command")
    assert list(map(asdict, found)) == list(map(asdict, wanted))
    assert {record.payload_bytes for record in found} == {1, 8, 64, 512}


def test_histogram_phases_and_offsets_hold_the_same_samples():
    frames = 300
    invoke(f"macpcs/latency/{DEFAULT}/wire", "--frames", str(frames))
    result = plan.find(f"macpcs/latency/{DEFAULT}/wire", frames, plan.DEFAULT_SEED).result()
    assert [row["offset"] for row in result["by_offset"]] == list(range(66))
    assert [row["bit"] for row in result["by_phase"]] == list(range(0, 66, 2))
    for metric in ("sop_to_sop", "sop_to_sof"):
        whole = result[metric]
        assert whole["samples"] > 1000
        assert sum(count for _, count in whole["histogram"]) == whole["samples"]
        assert min(whole["histogram"])[0] == whole["min"] and max(whole["histogram"])[0] == whole["max"]
        for rows in (result["by_offset"], result["by_phase"]):
            assert sum(row[metric]["samples"] for row in rows) == whole["samples"]


def test_sizes_and_rates(tmp_path, monkeypatch, seed):
    monkeypatch.setattr(simulated, "SIZES", (60, 1514))
    size, rate = (
        plan.find(f"macpcs/{kind}/{DEFAULT}/{variant}", 4000, seed)
        for kind, variant in (("size", "transceiver"), ("rate", "back-to-back"))
    )
    result = simulated.run(size)
    assert [row["bytes"] for row in result["sizes"]] == [60, 1514]
    assert result["lost"] == 0
    for row in result["sizes"]:
        assert 35.4 < row["sop_to_sop"]["min"] < row["sop_to_sop"]["max"] < 41.7  # cut-through: the same for all
    result = simulated.run(rate)
    assert result["lost"] == 0
    for row in result["sizes"]:
        # the line's own limit, to the octets that the deficit idle count may add at the ends
        limit = 10e9 / (8 * (row["bytes"] + 4 + 8 + 12))
        assert row["frames_per_s"] == pytest.approx(limit, rel=8 / (row["frames"] * (row["bytes"] + 24)))
        assert row["gap_octets"]["min"] >= 9


def test_list_shows_what_has_been_measured():
    plan.find(f"macpcs/rate/{DEFAULT}/back-to-back", 500, 1).keep({}, 0)
    lines = invoke("--list", "--frames", "500").output.splitlines()
    assert len(lines) == len(plan.all_points())
    [measured] = [line for line in lines if line.endswith("measured")]
    assert measured.startswith(f"macpcs/rate/{DEFAULT}/back-to-back")


def test_without_a_name_it_says_what_to_do():
    result = CliRunner().invoke(run_point, [])
    assert result.exit_code == 2 and "--list" in result.output


def test_a_build_takes_configurations_and_a_point_does_not(monkeypatch):
    built = []
    monkeypatch.setattr("ullnic.points.command.build_for", lambda configs: built.append(tuple(configs)))
    invoke("--build")
    invoke("--build", "--config", DEFAULT)
    assert built == [plan.SIMULATED_CONFIGS, (DEFAULT,)]
    assert CliRunner().invoke(run_point, ["--config", DEFAULT, "a point"]).exit_code == 2
