# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Points of the synthesis: resources and estimated timing at each speed grade; place and route on another device."""

from dataclasses import asdict

from ullnic.points.point import Point, digest
from ullnic.synth import pnr
from ullnic.synth.cores import CORES
from ullnic.synth.flow import analysis_key, synthesise
from ullnic.synth.mapping import Mapper

SYNTH, ROUTE = "synth", "route"
GRADES = (2, 3)


def synthesis(core: str, config: str) -> Point:
    content = digest(f"{CORES[core].design(config).key()} {analysis_key()}".encode())
    return Point(core, SYNTH, config, "ultrascaleplus", (), content, 30)


def route(core: str, config: str) -> Point:
    return Point(core, ROUTE, config, "ecp5", (), digest(pnr.key(CORES[core].design(config)).encode()), 50)


def run(point: Point) -> dict:
    """Results of flow.synthesise by speed grade, or that of pnr.place_and_route."""
    design, mapper = CORES[point.core].design(point.config), Mapper(jobs=1)
    if point.kind == ROUTE:
        return asdict(pnr.place_and_route(design, mapper))
    return {str(grade): asdict(synthesise(design, mapper, grade)) for grade in GRADES}
