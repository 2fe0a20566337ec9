# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The table and the picture of docs/one-frame.md, from a recorded run of the RTL (cards/trigger/tb/test_one_frame.py).

`./ullnic docs --pictures` makes them; that test compares the page with a fresh run.
"""

import json
import re
import subprocess
import tempfile
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from ullnic.errors import UllnicError
from ullnic.paths import ROOT
from ullnic.site.drawing import INK, MUTED, Drawing
from ullnic.testing import isolated_pytest
from ullnic.toolchain import tool_env

PAGE, PICTURE = Path("docs/one-frame.md"), Path("docs/images/one-frame.svg")
TEST = "cards/trigger/tb/test_one_frame.py::test_page_shows_what_a_run_shows"
OUT = "ULLNIC_ONE_FRAME"  # the file that the test writes instead of comparing
PERIOD_NS = {16: Fraction(64, 66) * 16 / 10, 32: Fraction(64, 66) * 32 / 10}  # of tx_clk, by bits of a word
BLOCK = re.compile(r"(<!-- recorded: one-frame -->\n).*?(<!-- end -->)", re.DOTALL)
COLOURS = {"rx_clk": "#5a9c5f", "tx_clk": "#3f6fb5", "tx_user_clk": "#83a8dc", "host_clk": "#c9953a"}


class Row(NamedTuple):
    """An output of a module, and the first and the last cycle of tx_clk in which it is valid."""

    module: str
    clock: str
    what: str
    first: int
    last: int


def rows_of(trace: Iterable[list]) -> list[Row]:
    """In the order in which they become valid."""
    return sorted((Row(*fields) for fields in trace), key=lambda row: row.first)


def recorded() -> dict[int, list[Row]]:
    """By bits of a word, from a run of the model. Builds it."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "traces.json"
        argv = [*isolated_pytest(), "-q", "--deep", TEST]
        done = subprocess.run(argv, cwd=ROOT, env=tool_env() | {OUT: str(out)}, capture_output=True, text=True)
        if done.returncode or not out.exists():
            raise UllnicError(f"the frame was not recorded:\n{done.stdout[-3000:]}", f"./ullnic test -- {TEST}")
        return {int(bits): rows_of(trace) for bits, trace in json.loads(out.read_text()).items()}


def table(traces: dict[int, list[Row]]) -> str:
    """Rows in the order of the first width."""
    widths = sorted(traces)
    places = [{row[:3]: row for row in traces[bits]} for bits in widths]
    heads = [f"{name}, {bits} bits" for bits in widths for name in ("cycles", "ns")]
    lines = [f"| module | clock | output | {' | '.join(heads)} |", f"| --- | --- | --- |{' ---: |' * len(heads)}"]
    for row in traces[widths[0]]:
        cells = [f"`{row.module}`", f"`{row.clock}`", row.what]
        for bits, of_width in zip(widths, places, strict=True):
            cells += [span(of_width[row[:3]]), f"{float(of_width[row[:3]].first * PERIOD_NS[bits]):.1f}"]
        lines.append(f"| {' | '.join(cells)} |")
    made = "Recorded in the RTL, one bit offset and one phase of the clocks. Made by `./ullnic docs --pictures`."
    return "\n".join([*lines, "", made, ""])


def span(row: Row) -> str:
    return str(row.first) if row.first == row.last else f"{row.first} to {row.last}"


def page_with(text: str, traces: dict[int, list[Row]]) -> str:
    return BLOCK.sub(lambda block: block[1] + table(traces) + block[2], text)


def picture(traces: dict[int, list[Row]]) -> str:
    """The trace of the narrowest words: a bar for each output, from the first to the last valid cycle."""
    bits = min(traces)
    rows = traces[bits]
    left, right, top, step = 330, 40, 62, 31
    width, height = 1120, top + step * len(rows) + 46
    end = 10 * (max(row.last for row in rows) // 10 + 1)
    scale = (width - left - right) / end
    bottom = top + step * len(rows)
    drawing = Drawing(width, height, "One frame: when each module's output is valid")
    for cycle in range(0, end + 1, 10):
        x = left + cycle * scale
        drawing.rectangle(x, top - 6, 1, bottom - top + 6, "#e1e6ea")
        drawing.text(x, top - 12, str(cycle), 11, MUTED, "middle")
        drawing.text(x, bottom + 16, f"{float(cycle * PERIOD_NS[bits]):.0f} ns", 11, MUTED, "middle")
    drawing.text(left, 18, f"cycles of tx_clk, {bits}-bit words: {float(1000 / PERIOD_NS[bits]):.2f} MHz", bold=True)
    for number, (clock, colour) in enumerate(COLOURS.items()):
        drawing.rectangle(left + 130 * number, 26, 14, 11, colour)
        drawing.text(left + 20 + 130 * number, 36, clock, 11, MUTED)
    for number, row in enumerate(rows):
        y = top + step * number
        drawing.text(left - 10, y + 9, row.module, 12, INK, "end", bold=True)
        drawing.text(left - 10, y + 21, row.what, 10, MUTED, "end")
        x, length = left + row.first * scale, max(3, (row.last + 1 - row.first) * scale)
        drawing.rectangle(x, y + 3, length, 15, COLOURS[row.clock], rx=2)
        after = x + length + 5
        if after < width - 60:
            drawing.text(after, y + 15, span(row), 11, INK)
        else:
            drawing.text(x - 5, y + 15, span(row), 11, INK, "end")
    return drawing.svg()


def update() -> None:
    traces = recorded()
    (ROOT / PAGE).write_text(page_with((ROOT / PAGE).read_text(), traces))
    (ROOT / PICTURE).write_text(picture(traces))
