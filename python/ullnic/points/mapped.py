# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Points of the synthesis: resources and estimated timing at each speed grade; place and route on another device."""

from dataclasses import asdict

from ullnic.configs import Config
from ullnic.points.point import Point, digest
from ullnic.synth import pnr
from ullnic.synth.flow import DESIGNS, analysis_key, synthesise
from ullnic.synth.mapping import Mapper

SYNTH, ROUTE = "synth", "route"
GRADES = (2, 3)


def points(core: str, config: Config) -> list[Point]:
    design = DESIGNS[core](config.name)
    mapped, routed = digest(f"{design.key()} {analysis_key()}".encode()), digest(pnr.key(design).encode())
    return [
        Point(core, SYNTH, config.name, "ultrascaleplus", (), mapped, 30),
        Point(core, ROUTE, config.name, "ecp5", (), routed, 50),
    ]


def run(point: Point) -> dict:
    """Results of flow.synthesise by speed grade, or that of pnr.place_and_route."""
    design, mapper = DESIGNS[point.core](point.config), Mapper(jobs=1)
    if point.kind == ROUTE:
        return asdict(pnr.place_and_route(design, mapper))
    return {str(grade): asdict(synthesise(design, mapper, grade)) for grade in GRADES}
