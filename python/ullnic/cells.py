# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that no cell of a table is longer than a reader takes in at a glance: `python -m ullnic.cells PAGE...`.

Lint calls it, with paths relative to the current directory, for all pages, generated ones too. What is longer is a
paragraph, or a list, below the table.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

MOST_WORDS = 40
FENCE = re.compile(r" *(```|~~~)")
BORDER = re.compile(r"(?<!\\)\|")
TARGET = re.compile(r"\]\([^)\n]*\)|<[^>\n]*>")  # of a link; an element of HTML
WORD = re.compile(r"\S*\w\S*")


def words(cell: str) -> int:
    return len(WORD.findall(TARGET.sub("] ", cell)))


def rows(text: str) -> Iterator[tuple[int, str]]:
    """Rows of tables, with their lines' numbers; none of code."""
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        if mark := FENCE.match(line):
            fence = "" if mark[1] == fence else fence or mark[1]
        elif not fence and line.startswith("|"):
            yield number, line


def faults(page: Path) -> Iterator[str]:
    for number, row in rows(page.read_text()):
        for cell in BORDER.split(row):
            if (count := words(cell)) > MOST_WORDS:
                begin = " ".join(cell.split()[:5])
                yield f"{page}:{number}: a cell of {count} words ('{begin} ...'): write at most {MOST_WORDS}"


def main() -> int:
    found = [fault for page in sys.argv[1:] for fault in faults(Path(page))]
    print("\n".join(found), end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
