# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The tables of a core's README: area compared with the published figures, and timing."""

from collections.abc import Sequence

from ullnic.measure.markdown import table_lines
from ullnic.synth.cores import Published, core_of
from ullnic.synth.flow import Result

GRADES = (2, 3)


def text(results: list[Result], command: str, others: Sequence[Result] = ()) -> str:
    """`others`: results at the grade of their published row, if that is another one."""
    grade = results[0].grade
    published = [[core_of(each.config).published(each.config, g) for g in GRADES] for each in results]
    compared = any(counts != (None, None) for row in published for counts in row)
    columns = ["configuration", "LUT cells", "LUT packed", "FF", "LUTRAM", "BRAM36", "URAM"]
    area = [[*columns, *(f"published LUT / FF, -{g}" for g in GRADES if compared)]]
    for result, theirs in zip(results, published, strict=True):
        own, label = result.resources, core_of(result.config).label(result.config)
        counts = [f"{n:g}" for n in (own.lut_cells, own.lut_packed, own.ff, own.lutram, own.bram36, own.uram)]
        area.append([label, *counts, *(_published(each) for each in theirs if compared)])
    faster = []
    if others:
        faster = [f"At grade -{others[0].grade}, which is that of their published rows:", "", *clocks(others), ""]
    return "\n".join(
        [
            *table_lines(area, 1),
            "",
            *clocks(results),
            "",
            *faster,
            "MHz with the tight, typical and loose model. Margin: of the loose one over what is needed. What decides:",
            "its slowest path, beside the period. Levels: the most on any path, which need not be that one.",
            f"Estimated, pre-layout, UltraScale+ -{grade}. Made by `{command} --update-docs`.",
        ]
    )


def clocks(results: Sequence[Result]) -> list[str]:
    """Table of every clock: its required and reached frequency, and the deciding path."""
    models = ["tight", "typical", "loose"]
    rows = [["configuration", "clock", "needs MHz", *models, "margin", "verdict", "what decides", "levels"]]
    for result in results:
        for each in result.clocks:
            rates = [f"{each.fmax_mhz[model]:.0f}" for model in models]
            verdict = [f"{each.margin:+.1%}", each.verdict, each.decides, str(each.levels)]
            name = core_of(result.config).label(result.config)
            rows.append([name, f"`{each.clock}`", f"{each.mhz:.2f}", *rates, *verdict])
    return table_lines(rows, 2)


def _published(counts: Published) -> str:
    return "-" if counts == (None, None) else " / ".join("-" if count is None else str(count) for count in counts)
