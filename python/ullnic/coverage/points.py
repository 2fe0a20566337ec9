# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The points that Verilator's counters count, and how often each was met.

A block is what runs as one: the statements of a procedure or a function up to the next decision, a branch of it, an
operand of `?:`. A condition is one way in which an expression of one bit becomes true or false: the least terms that
decide it.
"""

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

RECORD = re.compile(r"^C '(.*)' (\d+)$")
BLOCK, CONDITION = "block", "condition"


@dataclass(frozen=True, order=True)
class Point:
    file: str
    line: int
    column: int
    kind: str
    text: str  # of a block: which one of a decision; of a condition: the terms, and what they make of the expression

    @property
    def module(self) -> str:
        """Or the package: a file has one, and its name."""
        return Path(self.file).stem


def parsed(text: str) -> Counter[Point]:
    """What one simulation has written. The same point of several instances counts once."""
    counts = Counter()
    for line in text.splitlines():
        if match := RECORD.match(line):
            keys = dict(item.split("\x02") for item in match[1].split("\x01") if item)
            kind = CONDITION if keys["t"] == "expr" else BLOCK
            counts[Point(keys["f"], int(keys["l"]), int(keys["n"]), kind, keys["o"])] += int(match[2])
    return counts
