# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic run link --config`: real traffic through each configuration, at the latency that its budget promises."""

import pytest

from live_run import ROOT, good_summary, run
from ullnic import toml
from ullnic.configs import DEFAULT, NAMES, config
from ullnic.deep import deep, hardware
from ullnic.points.sources import BUILD_FILES, program_sources

BUDGET = toml.loads((ROOT / "cores/macpcs/budget.toml").read_text())
ROUNDING_NS = 0.005
FIRST, *OTHERS = [name for name in NAMES if name != DEFAULT]
PLACES = (__file__, "python/ullnic/run/link", "cores/macpcs/budget.toml", *BUILD_FILES)
CROSSED = deep(*PLACES, lambda: program_sources("link"), hardware)


@pytest.mark.parametrize("name", [FIRST, *(pytest.param(name, marks=CROSSED) for name in OTHERS)])
def test_traffic_crosses_every_configuration(name, tmp_path):
    done = run("--config", name, "--bulk", "256K", "--no-capture", "--out", str(tmp_path))
    summary = good_summary(tmp_path, done)
    assert summary["config"]["config"] == name
    assert config(name).label in done.stdout
    assert summary["config"]["delay_ui"] == config(name).transceiver_ui
    limits = BUDGET[name]  # without a FIFO the phase of the receive clock counts: this link's edges are aligned
    low_ns, high_ns = limits.get("sop_to_sop_aligned_ns", limits["sop_to_sop_ns"])
    figures = [summary["link"][way]["latency_sop_to_sop_unqueued_ns"] for way in ("a_to_b", "b_to_a")]
    assert sum(each["samples"] for each in figures) > 20
    for latency in (each for each in figures if each["samples"]):
        assert low_ns - ROUNDING_NS <= latency["min"] <= latency["max"] <= high_ns + ROUNDING_NS


def test_an_unknown_configuration_is_refused_with_the_choices():
    done = run("--config", "nonsense")
    assert done.returncode == 2
    assert "nonsense" in done.stderr and all(name in done.stderr for name in NAMES)
