# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The form in which synthesis results are passed on, one record for each clock, with the published figures."""

from dataclasses import dataclass

from ullnic.synth.cores import core_of
from ullnic.synth.flow import Result


@dataclass(frozen=True)
class SynthRecord:
    core: str
    config: str
    lut_cells: int
    lut_packed: int
    ff: int
    lutram: int
    bram36: float
    uram: int
    carry8: int
    levels: int
    clock: str
    clock_mhz: float
    fmax_tight_mhz: float
    fmax_typ_mhz: float
    fmax_loose_mhz: float
    verdict: str
    published_lut: int | None
    published_ff: int | None
    command: str


def records(result: Result, command: str) -> list[SynthRecord]:
    lut, ff = core_of(result.config).published(result.config, result.grade)
    area = result.resources
    return [
        SynthRecord(
            core=core_of(result.config).name,
            config=result.config,
            lut_cells=area.lut_cells,
            lut_packed=area.lut_packed,
            ff=area.ff,
            lutram=area.lutram,
            bram36=area.bram36,
            uram=area.uram,
            carry8=area.carry8,
            levels=each.levels,
            clock=each.clock,
            clock_mhz=each.mhz,
            fmax_tight_mhz=each.fmax_mhz["tight"],
            fmax_typ_mhz=each.fmax_mhz["typical"],
            fmax_loose_mhz=each.fmax_mhz["loose"],
            verdict=each.verdict,
            published_lut=lut,
            published_ff=ff,
            command=command,
        )
        for each in result.clocks
    ]
