# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that what pages point to exists: `python -m ullnic.documents PAGE...`, relative to the current directory.

Lint calls it. In each page it checks the links within the tree, with their headings. In CONTRIBUTING.md it also checks
each path in backticks and each command, since that page says where files belong: in `cores/CORE/regs/CORE.rdl` words in
capitals stand for any name.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ullnic.cli import COMMANDS

CODE = re.compile(r"^(```|~~~).*?^\1\s*?$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^()\s]+(?:\([^()]*\)[^()\s]*)?)\)")
ELSEWHERE = re.compile(r"[a-z]+:")  # https:, mailto:
HEADING = re.compile(r"^#{1,6} +(.*?) *#*$", re.MULTILINE)
ANCHOR = re.compile(r"<a (?:id|name)=\"([^\"]+)\"")
GUIDE = "CONTRIBUTING.md"
PATH = re.compile(r"`([\w.*{}-]+(?:/[\w.*{},-]+)+/?)`")
STANDS_FOR_ANY = re.compile(r"(?<![a-z])[A-Z]{2,}(?![a-z])")
MADE = ("build/", ".cache/", ".venv/")
COMMAND = re.compile(r"\./ullnic ([a-z][\w-]*)")


def blanked(code: re.Match) -> str:
    """The same lines, empty."""
    return "\n" * code[0].count("\n")


def anchor(heading: str) -> str:
    """The anchor that GitHub makes: the text without markup of emphasis, code and links."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


@cache
def anchors(page: Path) -> frozenset[str]:
    text = CODE.sub(blanked, page.read_text())
    found: Counter[str] = Counter()
    names = set(ANCHOR.findall(text))
    for heading in HEADING.findall(text):
        name = anchor(heading)
        names.add(f"{name}-{found[name]}" if found[name] else name)
        found[name] += 1
    return frozenset(names)


def faults(page: Path) -> Iterator[str]:
    text = page.read_text()
    prose = CODE.sub(blanked, text)
    for match in LINK.finditer(prose):
        target, _, part = match[1].partition("#")
        place = page.parent / target if target else page
        if ELSEWHERE.match(match[1]):
            continue
        where = f"{page}:{prose.count(chr(10), 0, match.start()) + 1}"
        if not place.exists():
            yield f"{where}: there is no {target}"
        elif part and place.suffix == ".md" and part not in anchors(place):
            yield f"{where}: {place.resolve().relative_to(Path.cwd())} has no heading #{part}"
    if page.name == GUIDE:
        yield from faults_of_guide(page, text)


def faults_of_guide(page: Path, text: str) -> Iterator[str]:
    for match in [*PATH.finditer(text), *COMMAND.finditer(text)]:
        where = f"{page}:{text.count(chr(10), 0, match.start()) + 1}"
        if match.re is COMMAND:
            if match[1] not in COMMANDS:
                yield f"{where}: ./ullnic has no subcommand {match[1]}"
        elif not match[1].startswith(MADE) and not any(Path().glob(STANDS_FOR_ANY.sub("*", match[1]))):
            yield f"{where}: there is no {match[1]}"


def main() -> int:
    found = [fault for name in sys.argv[1:] for fault in faults(Path(name))]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
