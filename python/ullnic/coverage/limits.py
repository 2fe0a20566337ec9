# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What a core's tests must cover: cores/CORE/coverage.toml.

conditions = 98.5                    # percent of them, at least

[[block]]                            # one that no test runs; there are no others
file = "rtl/ate_hold.sv"
line = "if (rst) ready_q <= 1'b0;"   # the whole line of the source, without comments
which = 2                            # of several such lines in the file, from 1 on
why = "..."
"""

from pathlib import Path

from ullnic import toml
from ullnic.coverage.measure import CORES, Coverage
from ullnic.coverage.points import BLOCK, CONDITION
from ullnic.errors import UllnicError
from ullnic.mutate.equivalent import Equivalent

NAME = "coverage.toml"
SLACK = 0.5  # percent by which a limit may be below the figure


def check(found: Coverage) -> None:
    """Raises UllnicError that names each block that is neither run nor listed, or listed and run; and a limit of the
    conditions that is over the figure, or far below it.
    """
    core = CORES / found.core
    limits = toml.loads((core / NAME).read_text())
    listed = {place(core, Equivalent(**each)) for each in limits.get("block", [])}
    missed = {(f"rtl/{point.file}", point.line) for point in found.missed(BLOCK)}
    wrong = [f"{file}:{line} is not run, and not listed" for file, line in sorted(missed - listed)]
    wrong += [f"{file}:{line} is listed, and run" for file, line in sorted(listed - missed)]
    met, all_ = found.total(CONDITION)
    percent, limit = 100 * met / all_, limits["conditions"]
    if not limit <= percent <= limit + SLACK:
        wrong.append(f"{percent:.2f} % of the conditions are met, the limit is {limit} %")
    if wrong:
        raise UllnicError("\n".join(wrong), f"add a test, or adapt {core / NAME}")


def place(core: Path, each: Equivalent) -> tuple[str, int]:
    return each.file, each.place((core / each.file).read_text().splitlines())
