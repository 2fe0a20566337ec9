# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""All points, and how each is measured."""

import difflib
import time
from collections.abc import Iterable

from ullnic.cards import card as card_of
from ullnic.configs import MEASURED_NAMES, NAMES
from ullnic.configs import config as config_of
from ullnic.engines import NAMES as ENGINES
from ullnic.engines import engine as engine_of
from ullnic.errors import UllnicError
from ullnic.measure.ate import NAMES as CARDS
from ullnic.points import engine, mapped, simulated, trading
from ullnic.points.point import Point
from ullnic.synth.cores import CORES, core_of

OF_MACPCS = (simulated.LATENCY, simulated.SIZE, simulated.RATE)
OF_ENGINE = (engine.LATENCY, engine.BANDWIDTH)
SIMULATED = (*OF_MACPCS, trading.TRADE, *OF_ENGINE)
MAPPED = (mapped.SYNTH, mapped.ROUTE)
RUNNERS = {kind: simulated.run for kind in OF_MACPCS} | {kind: mapped.run for kind in MAPPED}
RUNNERS |= {trading.TRADE: trading.run} | {kind: engine.run for kind in OF_ENGINE}
MAPPED_CONFIGS = tuple(name for core in CORES.values() for name in core.configs)
SIMULATED_CONFIGS = (*MEASURED_NAMES, *CARDS, *ENGINES)
ALL_CONFIGS = (*MAPPED_CONFIGS, *CARDS, *ENGINES)
DEFAULT_FRAMES, DEFAULT_SEED = 20000, 1


def all_points(
    configs: Iterable[str] = ALL_CONFIGS, frames: int = DEFAULT_FRAMES, seed: int = DEFAULT_SEED
) -> list[Point]:
    """All points of these configurations, the longest first."""
    sources = simulated.content()
    points: list[Point] = []
    for name in configs:
        if name in CARDS:
            points += trading.points(card_of(name), frames, seed)
            continue
        if name in ENGINES:
            points += engine.points(engine_of(name), frames, seed)
            continue
        points.append(mapped.synthesis(core_of(name).name, name))
        if name in MEASURED_NAMES:
            points += simulated.points(config_of(name), frames, seed, sources)
        if name in NAMES:
            points.append(mapped.route("macpcs", name))
    return sorted(points, key=lambda point: -point.cost_s)


def find(name: str, frames: int, seed: int) -> Point:
    named = {point.name: point for point in all_points(frames=frames, seed=seed)}
    if name not in named:
        near = difflib.get_close_matches(name, named, 1, cutoff=0)
        raise UllnicError(
            f"there is no point '{name}'", f"./ullnic run-point --list shows all; did you mean {near[0]}?"
        )
    return named[name]


def build_for(configs: Iterable[str]) -> None:
    """Builds the programs that measure the simulated points of these configurations."""
    configs = tuple(configs)
    builds = ((MEASURED_NAMES, simulated.build_for), (CARDS, trading.build_for), (ENGINES, engine.build_for))
    for names, build in builds:
        chosen = [name for name in configs if name in names]
        if chosen:
            build(chosen)


def measure(point: Point) -> None:
    """Measures a point and keeps the result."""
    start_s = time.monotonic()
    result = RUNNERS[point.kind](point)
    point.keep(result, time.monotonic() - start_s)
