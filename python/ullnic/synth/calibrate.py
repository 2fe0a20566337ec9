# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Checks the delay model against timing paths of Vivado that were posted in public."""

import math
import statistics
from dataclasses import dataclass

from ullnic.synth.delays import CLOCK_TO_Q_PS, GRADES, NET_MODELS, NetModel

# A posted path gives the number of LUTs, not the pins it uses: the mean of the pins that do.
MEAN_LUT_PS = 82


@dataclass(frozen=True)
class PostedPath:
    where: str
    grade: int
    luts: int
    carry_ps: float  # arcs of carry chains, at -2
    fanouts: tuple[int, ...]  # of the routed nets
    in_slice_ps: float  # of the nets that need no routing
    vivado_ps: float  # data path, clock to end
    in_fit: bool  # its nets are part of the data that the net model was fitted to
    note: str = ""

    def model_ps(self, model: NetModel) -> float:
        nets_ps = sum(model.delay_ps(fanout) for fanout in self.fanouts)
        cells_ps = CLOCK_TO_Q_PS + self.luts * MEAN_LUT_PS + self.carry_ps
        return (cells_ps + self.in_slice_ps + nets_ps) * GRADES[self.grade]

    def error(self, model: NetModel) -> float:
        return self.model_ps(model) / self.vivado_ps - 1


POSTED = (
    PostedPath("xcvu3p, RapidWright documentation", 2, 7, 0, (21, 2, 19, 4, 8, 2, 2), 50, 2253, True, "routed"),
    PostedPath("xczu3eg, Calyx, if-static", 1, 2, 0, (6, 3, 2), 0, 904, True, "routed"),
    PostedPath("xczu3eg, Calyx, lpm", 1, 6, 199, (4, 1, 1, 63, 1, 1), 65, 3070, True, "placed"),
    PostedPath(
        "xcvu3p, RapidWright documentation, MicroBlaze",
        2,
        3,
        201 + 42 + 201 + 92,
        (1, 1, 324, 2),
        82,
        1846,
        False,
        "routed",
    ),
    PostedPath("xczu3eg, Calyx, add and compare", 1, 3, 199, (50, 6, 1), 65, 1470, False, "placed"),
    PostedPath(
        "VU9P, verilog-axi issue 13", 2, 13, 300, (4,) * 14, 15, 4166, False, "routed; fan-outs and grade not posted"
    ),
)

# (fan-out, ps) of the routed nets of posted paths; those at -1 are divided by the grade's factor.
NETS_AT_1 = (
    *((5, 297), (1, 111), (127, 296), (2, 227), (70, 240), (2, 354), (1, 227), (9, 206), (4, 289), (32, 193)),
    *((7, 134), (7, 129), (127, 314), (2, 212), (6, 240), (3, 197), (2, 199), (4, 230), (1, 248), (1, 191)),
    *((63, 536), (1, 211), (1, 228)),
)
NETS_AT_2 = ((21, 523), (19, 226), (4, 139), (8, 219), (2, 213), (2, 157), (2, 50), (5, 364), (4, 173), (1, 167))


@dataclass(frozen=True)
class Fit:
    nets: int
    base_ps: float
    per_doubling_ps: float
    residual_ps: float  # standard deviation


def posted_nets() -> list[tuple[int, float]]:
    return [(fanout, ps / GRADES[1]) for fanout, ps in NETS_AT_1] + [*NETS_AT_2]


def fit() -> Fit:
    """Least squares over log2 of the fan-out."""
    points = [(math.log2(fanout), ps) for fanout, ps in posted_nets()]
    slope, base = statistics.linear_regression([x for x, _ in points], [y for _, y in points])
    return Fit(len(points), base, slope, statistics.pstdev(y - base - slope * x for x, y in points))


def share_within(model: NetModel) -> float:
    """Share of the posted nets that are no slower than the model."""
    nets = posted_nets()
    return sum(ps <= model.delay_ps(fanout) for fanout, ps in nets) / len(nets)


def worst_held_out_error() -> float:
    """Worst error of the typical model, over the paths that it was not fitted to and whose fan-outs are known."""
    typical = next(model for model in NET_MODELS if model.name == "typical")
    return max((path.error(typical) for path in POSTED if not path.in_fit and "not posted" not in path.note), key=abs)
