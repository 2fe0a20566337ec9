# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The tables of a core's README: area beside what was published, and timing."""

from ullnic.configs import config as config_of
from ullnic.measure.markdown import table_lines
from ullnic.synth.delays import level_ceiling
from ullnic.synth.flow import Result
from ullnic.synth.records import published

GRADES = (2, 3)


def text(results: list[Result], command: str) -> str:
    grade = results[0].grade
    area = [
        ["configuration", "LUT cells", "LUT packed", "FF", "LUTRAM", *(f"published LUT / FF, -{g}" for g in GRADES)]
    ]
    timing = [["configuration", "clock", "needs MHz", "levels", "tight", "typical", "loose", "verdict"]]
    for result in results:
        label, own = config_of(result.config).label, result.resources
        counts = [str(n) for n in (own.lut_cells, own.lut_packed, own.ff, own.lutram)]
        area.append([label, *counts, *(_published(result.config, g) for g in GRADES)])
        for each in result.clocks:
            rates = [f"{each.fmax_mhz[model]:.0f}" for model in ("tight", "typical", "loose")]
            levels = f"{each.levels} of {level_ceiling(each.mhz)}"
            timing.append([label, f"`{each.clock}`", f"{each.mhz:.2f}", levels, *rates, each.verdict])
    return "\n".join(
        [
            *table_lines(area, 1),
            "",
            *table_lines(timing, 2),
            "",
            "MHz with the tight, typical and loose model. Levels: the most on any path, of those that the loose one",
            "is expected to carry; a path of short nets can have more.",
            f"Estimated, pre-layout, UltraScale+ -{grade}. Made by `{command} --update-docs`.",
        ]
    )


def _published(config: str, grade: int) -> str:
    lut, ff = published(config_of(config), grade)
    return "-" if lut is None else f"{lut} / {ff}"
