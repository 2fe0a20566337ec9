# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Points of the TCP engine: its latency and its bandwidth by payload size, at each clock."""

from collections.abc import Iterable
from pathlib import Path

from ullnic.build import build_sim
from ullnic.configs import REFERENCE
from ullnic.core_configs import path_of
from ullnic.engines import EngineConfig
from ullnic.engines import engine as engine_of
from ullnic.measure import toe as measure
from ullnic.paths import ROOT
from ullnic.points.point import Point
from ullnic.points.simulated import content_of
from ullnic.points.sources import program_sources
from ullnic.synth.cores import TOE_FILES

LATENCY, BANDWIDTH = "engine-latency", "engine-bandwidth"
MEASURED = {LATENCY: measure.LATENCY, BANDWIDTH: measure.BANDWIDTH}


def sources() -> list[Path]:
    """What the engines' figures depend on, besides the options."""
    rtl = [*TOE_FILES, ROOT / "cores/toe/tb/toe_flat.sv"]
    ours = [Path(__file__), Path(measure.__file__), ROOT / "python/ullnic/engines.py", ROOT / path_of(measure.CORE)]
    return [*rtl, *program_sources("toe_sweep"), *ours, *REFERENCE.glob("tcp_*.csv")]


def points(engine: EngineConfig, frames: int, seed: int) -> list[Point]:
    options, content = (("frames", frames), ("seed", seed)), content_of(sources())
    return [
        Point(measure.CORE, kind, engine.name, at.name, options, content, cost_s)
        for kind, cost_s in ((LATENCY, 3), (BANDWIDTH, 1 + measure.frames_of(frames) / 30))
        for at in measure.CLOCKS
    ]


def build_for(names: Iterable[str]) -> Path:
    """Builds the programs that measure the points of these engines; returns their directory."""
    return build_sim(targets=tuple(engine_of(name).program for name in names))


def run(point: Point) -> dict:
    """Builds what the point needs, then measures it."""
    engine, at = engine_of(point.config), measure.clock(point.variant)
    return measure.measure_sweep(build_for([engine.name]), engine, at, MEASURED[point.kind], **dict(point.options))
