# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The records of place and route: one for each clock, with the counts of the configuration."""

from dataclasses import dataclass

from ullnic.synth.cores import core_of
from ullnic.synth.pnr import PnrResult


@dataclass(frozen=True)
class PnrRecord:
    """Differs from a record of the estimate by the field `device`."""

    core: str
    config: str
    device: str
    speed_grade: int
    tool: str
    seeds: tuple[int, ...]
    lut4: int
    ff: int
    carry: int
    lutram: int
    bram: int
    clock: str
    clock_mhz: float
    fmax_routed_mhz: float  # the median of the seeds
    fmax_seeds_mhz: tuple[float, ...]
    command: str


def records(result: PnrResult, command: str) -> list[PnrRecord]:
    return [
        PnrRecord(
            core=core_of(result.config).name,
            config=result.config,
            device=result.device,
            speed_grade=result.speed_grade,
            tool=result.tool,
            seeds=result.seeds,
            lut4=result.luts,
            ff=result.ff,
            carry=result.carry,
            lutram=result.lutram,
            bram=result.bram,
            clock=each.clock,
            clock_mhz=each.mhz,
            fmax_routed_mhz=each.fmax_mhz,
            fmax_seeds_mhz=each.seeds_mhz,
            command=command,
        )
        for each in result.clocks
    ]
