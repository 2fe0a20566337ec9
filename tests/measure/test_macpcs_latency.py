# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The latency that macpcs promises: budget.toml, the published figures, and the geometry of 64b/66b blocks."""

import json

import pytest
from click.testing import CliRunner

from ullnic import toml
from ullnic.build import build_sim
from ullnic.configs import CONFIGS, DEFAULT, MEASURED, MEASURED_NAMES, NAMES, UI_PS, config
from ullnic.deep import deep
from ullnic.measure.command import measure
from ullnic.measure.macpcs import METRICS, Sweep, measure_config, published_phase_tenths, run_sweep, sweeps
from ullnic.measure.records import TIE_NS, verdict
from ullnic.paths import ROOT
from ullnic.pytest_seed import drawn_seed
from ullnic.report.standing import parts

SEED = drawn_seed()
BUDGET = toml.loads((ROOT / "cores/macpcs/budget.toml").read_text())
FRAMES = 4000
ROUNDING_NS = 0.01  # published figures have two digits
# One configuration is measured in every run, the others when something has changed.
DEEP = deep(__file__, "python/ullnic/measure", "cores/macpcs/budget.toml", lambda: parts()["macpcs"])
CASES = [each if each.name == DEFAULT else pytest.param(each, marks=DEEP) for each in MEASURED]


@pytest.fixture(scope="module")
def binaries(seed):
    return build_sim(targets=("ullnic-macpcs-sweep",), configs=NAMES)


@pytest.fixture(scope="module", params=CASES, ids=lambda c: c.name)
def records(request):
    binaries = build_sim(targets=("ullnic-macpcs-sweep",), configs=(request.param.name,))
    rows = measure_config(binaries, request.param, FRAMES, SEED, "test", print)
    return request.param, {r.metric: r for r in rows}


def test_latency_is_what_the_budget_promises(records):
    """Worse than the budget is a regression; better means that the budget is to be tightened."""
    config, rows = records
    wrong = []
    for key, limits in BUDGET[config.name].items():
        metric = key.removesuffix("_cycles").removesuffix("_ns")
        measured = [rows[metric].min, rows[metric].max]
        if measured != limits:
            word = "worse than" if measured > limits else "better than (tighten it)"
            wrong.append(f"{config.name} {key}: measured {measured}, {word} the budget {limits}")
    assert not wrong, "\n".join(wrong)
    assert {r.lost for r in rows.values()} == {0}


def test_the_budget_holds_every_configuration():
    for each in MEASURED:
        suffixes = ("",) if each.fifo else ("", "_any_phase", "_aligned")
        assert {f"{metric}{suffix}_ns" for metric in METRICS for suffix in suffixes} <= BUDGET[each.name].keys()


def test_latency_is_no_higher_than_the_published_figures(records):
    """At the same phase of the receive clock. A FIFO costs a cycle of the user's clock less, at least, 16-bit words a
    cycle of the transceiver's. At 32 bits without FIFO the published figure is the bound of the line code, and ours."""
    config, rows = records
    less_ns = {metric: 0.0 for metric in METRICS}
    if config.fifo:
        less_ns["sop_to_sop"] = float(config.user_period_ps) / 1000
    elif config.pma_bits == 16:
        less_ns["sop_to_sop"] = float(16 * UI_PS) / 1000
    for metric in METRICS:
        row = rows[metric]
        if row.published_min is not None:
            assert row.min <= row.published_min - less_ns[metric] + ROUNDING_NS, row
            assert row.max <= row.published_max - less_ns[metric] + ROUNDING_NS, row
    known = rows["sop_to_sop"].published_min is not None
    assert known == config.compared == (config.pma_bits == 32 or config.name.endswith("_theirs"))
    if known:
        assert verdict(rows["sop_to_sop"]) == ("tie" if config.name == "nofifo_pma32_mac32" else "lower")


def test_rows_beside_each_other_have_the_same_phase_of_the_receive_clock(records):
    """So they differ by whole cycles of the user's clock; the phase was taken from one of up to four published ends."""
    config, rows = records
    cycle_ns = float(config.user_period_ps) / 1000
    for row in (rows[metric] for metric in METRICS):
        for ours, theirs in ((row.min, row.published_min), (row.max, row.published_max)):
            if theirs is not None:
                apart = (theirs - ours) / cycle_ns
                assert abs(apart - round(apart)) * cycle_ns <= TIE_NS, row


def test_only_the_row_at_the_published_phase_stands_beside_a_published_one(records):
    _, rows = records
    assert {name for name, row in rows.items() if row.published_min is not None} <= set(METRICS)


@pytest.mark.parametrize(
    ("name", "tenths"), [("nofifo_pma32_mac32", 133), ("nofifo_pma16_mac16", 53), ("nofifo_pma16_mac32", 55)]
)
def test_the_phase_is_what_the_published_minimum_has_beyond_whole_cycles(name, tenths):
    assert published_phase_tenths(config(name)) == tenths


def test_any_phase_holds_the_row_at_the_published_phase_and_the_aligned_one(records):
    config, rows = records
    if config.fifo:
        return
    for metric in METRICS:
        every = rows[f"{metric}_any_phase"]
        for row in (rows[metric], rows[f"{metric}_aligned"]):
            assert every.min <= row.min and row.max <= every.max + 0.1  # a bit time: phases between two steps


def bound_cycles(word_bits: int, registers: int, offset_bits: int) -> tuple[int, int]:
    """Least and most cycles from offer to first user word that 64b/66b blocks allow with so many registers on the way.

    A block starts at an even bit p of the transceiver word; a frame can start in a block whose payload begins in the
    word of the offer or later. The start block has 2 + 64 bits, the next one 2 and then the first user bits.
    """
    last_bits = (p + 2 + 64 + 2 + word_bits - 1 + offset_bits for p in range(-2, 64, 2))
    cycles = [last_bit // word_bits + registers for last_bit in last_bits]
    return min(cycles), max(cycles)


@pytest.mark.parametrize(("name", "registers"), [("nofifo_pma32_mac32", 0), ("nofifo_pma16_mac16", 1)])
def test_an_offset_costs_only_its_own_bits(binaries, name, registers):
    sweep = Sweep("", "all offsets", 0, "0-65", "0", 600)
    points = run_sweep(binaries, config(name), sweep, SEED)
    assert [p["offset"] for p in points] == list(range(66))
    for point in points:
        low, high = bound_cycles(config(name).pma_bits, registers, point["offset"])
        cycles = point["sop_to_sop_cycles"]
        assert low <= cycles["min"] and cycles["max"] <= high, (SEED, point["offset"], cycles)


@pytest.mark.parametrize(("name", "registers"), [("nofifo_pma32_mac32", 0), ("nofifo_pma16_mac16", 1)])
def test_at_every_phase_of_the_receive_clock_latency_is_the_bound(binaries, name, registers):
    """The receiver's edge comes `lead` bit times before the end of a word, and cuts its words there."""
    each = config(name)
    sweep = Sweep("", "all phases", each.transceiver_ui, "0-0", f"0-{each.pma_bits - 1}", 600)
    points = run_sweep(binaries, each, sweep, SEED)
    assert [p["lead_ui"] for p in points] == list(range(each.pma_bits))
    for point in points:
        low, high = bound_cycles(each.pma_bits, registers, each.transceiver_ui + point["lead_ui"])
        bound_ns = [float((n * each.pma_bits - point["lead_ui"]) * UI_PS) / 1000 for n in (low, high)]
        found = point["sop_to_sop_ns"]
        assert [found["min"], found["max"]] == pytest.approx(bound_ns, abs=0.002), (SEED, point["lead_ui"])


@pytest.mark.parametrize("each", CONFIGS, ids=lambda c: c.name)
def test_back_to_back_frames_of_every_length_cross(binaries, each):
    """Integrity where latency means nothing: no gap between frames, with long ones, at some offsets and phases."""
    leads = f"0-{each.pma_bits - 1}" if each.fifo else "0"
    sweep = Sweep("", "back to back", each.transceiver_ui, "3-4", leads, 40 if each.fifo else 600)
    points = run_sweep(binaries, each, sweep, SEED, gap="mixed", len="1-300")
    assert sum(p["frames"] for p in points) > 500  # a lost or damaged frame is an error of the sweep


def test_user_clocks_apart_neither_underrun_nor_overrun(binaries):
    """Frames up to jumbo, user clock of its own 100 ppm off the transceiver's either way."""
    both = config("txrxfifo_pma32_mac32")
    for ppm in ("-100", "100"):
        sweep = Sweep("", f"{ppm} ppm", both.transceiver_ui, "0", "0", 60)
        points = run_sweep(binaries, both, sweep, SEED, f"--user-ppm={ppm}", gap="mixed", len="9000-9618")
        assert sum(p["frames"] for p in points) == 60


def test_every_phase_of_the_receive_clock_is_measured():
    for each in MEASURED:
        for sweep in sweeps(each, 20000):
            every = each.fifo or sweep.suffix == "_any_phase"
            assert (sweep.leads == f"0-{each.pma_bits - 1}") == every
            phases = each.pma_bits if every else 1
            assert sweep.frames * phases >= 20000 * (0.1 if sweep.offsets == "0-65" else 1)


def test_measure_writes_records(binaries, tmp_path):
    out = tmp_path / "records.json"
    arguments = ["macpcs", "--config", DEFAULT, "--frames", "500", "--json", str(out)]
    result = CliRunner().invoke(measure, arguments)
    assert result.exit_code == 0, result.output
    rows = {r["metric"]: r for r in json.loads(out.read_text())}
    assert {r["config"] for r in rows.values()} == {DEFAULT}
    assert rows["sop_to_sop"]["published_min"] == 35.42
    assert rows["sop_to_sop"]["published_max"] == 41.64
    assert rows["sop_to_sof"]["published_min"] == 29.22
    assert set(rows["sop_to_sop"]) == {
        *("core", "config", "metric", "unit", "min", "mean", "max", "samples", "lost"),
        *("published_min", "published_max", "command"),
    }
    assert rows["sop_to_sop_wire"]["samples"] > 66
    assert "35.42 to 41.64" in result.output


def test_measure_refuses_what_it_does_not_know():
    result = CliRunner().invoke(measure, ["macpcs", "--config", "nonsense"])
    assert result.exit_code == 2
    assert all(name in result.output for name in MEASURED_NAMES)
    result = CliRunner().invoke(measure, ["macpcs", "--config", DEFAULT, "--update-docs"])
    assert result.exit_code == 2
