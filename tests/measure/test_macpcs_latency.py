# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The latency that macpcs promises: budget.toml, the published figures, and the geometry of 64b/66b blocks."""

import json
import os

import pytest
from click.testing import CliRunner

from ullnic.build import build_sim
from ullnic.measure.command import measure
from ullnic.measure.macpcs import CONFIGS, Sweep, measure_config, run_sweep
from ullnic.paths import ROOT

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

SEED = int(os.environ.get("ULLNIC_SEED", "1"))
BUDGET = tomllib.loads((ROOT / "cores/macpcs/budget.toml").read_text())


@pytest.fixture(scope="module")
def binaries():
    return build_sim()


@pytest.fixture(scope="module", params=CONFIGS, ids=lambda c: c.name)
def records(request, binaries):
    print(f"seed {SEED}")
    rows = measure_config(binaries, request.param, 4000, SEED, "test", print)
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


def test_latency_is_below_the_published_figures(records):
    config, rows = records
    for metric in ("sop_to_sop", "sop_to_sof"):
        row = rows[metric]
        assert row.min <= row.published_min and row.max <= row.published_max, row


def bound_cycles(offset_bits: int) -> tuple[int, int]:
    """Least and most cycles from offer to first user word that 64b/66b blocks allow without any register.

    A block starts at an even bit p of the transceiver word; a frame can start in a block whose payload begins in the
    word of the offer or later. The first 32 user bits end 2 + 64 + 32 bits after the block's first bit.
    """
    cycles = [(p + 2 + 64 + 32 - 1 + 2 + offset_bits) // 32 for p in range(-2, 64, 2)]
    return min(cycles), max(cycles)


def test_an_offset_costs_only_its_own_bits(binaries):
    sweep = Sweep("", "all offsets", 0, "0-65", 1.0)
    points = run_sweep(binaries, sweep, 600, SEED)
    assert [p["offset"] for p in points] == list(range(66))
    for point in points:
        low, high = bound_cycles(point["offset"])
        cycles = point["sop_to_sop_cycles"]
        assert low <= cycles["min"] and cycles["max"] <= high, (SEED, point["offset"], cycles)


def test_measure_writes_records(binaries, tmp_path):
    out = tmp_path / "records.json"
    result = CliRunner().invoke(measure, ["macpcs", "--frames", "500", "--json", str(out)])
    assert result.exit_code == 0, result.output
    rows = {r["metric"]: r for r in json.loads(out.read_text())}
    assert rows["sop_to_sop"]["published_min"] == 35.42
    assert rows["sop_to_sop"]["published_max"] == 41.64
    assert rows["sop_to_sof"]["published_min"] == 29.22
    assert set(rows["sop_to_sop"]) == {
        *("core", "config", "metric", "unit", "min", "mean", "max", "samples", "lost"),
        *("published_min", "published_max", "command"),
    }
    assert rows["sop_to_sop_wire"]["samples"] > 66
