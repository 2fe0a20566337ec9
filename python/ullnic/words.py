# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that pages use the field's words: `python -m ullnic.words PAGE...`, relative to the current directory.

Lint calls it. The words that are not used, with what to write instead, are the last table of docs/glossary.md. Code,
and pages that are generated from sources other than pages, are not looked at.
"""

import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ullnic.documents import CODE, blanked
from ullnic.paths import ROOT

GLOSSARY = Path("docs/glossary.md")
HEADING = "## Words that are not used"
ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
INLINE_CODE = re.compile(r"`[^`\n]*`|\]\([^)\n]*\)|<!--.*?-->")
GENERATED = ("performance.md", "rfc9293.md", "*/regs/*.md")


@cache
def words() -> tuple[re.Pattern, dict[str, str]]:
    """A pattern of all of them, and what to write instead of each."""
    table = (ROOT / GLOSSARY).read_text().partition(HEADING)[2]
    rows = [row for row in ROW.findall(table) if not row[0].startswith(("---", "instead of"))]
    instead = {word.strip(): write for each, write in rows for word in each.split(",")}
    return re.compile(rf"\b({'|'.join(map(re.escape, instead))})\b", re.IGNORECASE), instead


def faults(page: Path) -> Iterator[str]:
    text = page.read_text()
    if page == GLOSSARY:
        text = text.partition(HEADING)[0]
    pattern, instead = words()
    prose = INLINE_CODE.sub(" ", CODE.sub(blanked, text))
    for number, line in enumerate(prose.splitlines(), 1):
        for match in pattern.finditer(line):
            yield f"{page}:{number}: '{match[0]}': write {instead[match[0].lower()]} ({GLOSSARY})"


def main() -> int:
    pages = [page for page in map(Path, sys.argv[1:]) if not any(page.match(each) for each in GENERATED)]
    found = [fault for page in pages for fault in faults(page)]
    print("\n".join(found), end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
