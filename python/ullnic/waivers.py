# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Waivers of Verilator's lint: `python -m ullnic.waivers FILE...`.

They are in .vlt files, each with its reason in a comment before it, or before the lines of its paragraph. Lint calls
this with paths relative to the current directory, for .vlt files, and for SystemVerilog, which must have no pragma in
their place. It also asks which messages of Verilator are waived, and which waivers cover none.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

PRAGMA = re.compile(r"\bverilator\s+lint_(?:off|on|save|restore)\b")
RULE = re.compile(r'lint_off -rule (?P<rule>\w+) -file "(?P<file>[^"]+)"(?: -match "(?P<text>[^"]+)")?')
MESSAGE = re.compile(r"%Warning-(\w+): ([^:]+):\d+:\d+: (.*)")
PARTS = ("cores", "cards")
WRITTEN = 'lint_off -rule RULE -file "*/rtl/FILE.sv" -match "TEXT"'


@dataclass(frozen=True)
class Waiver:
    place: str
    rule: str
    file: str
    text: str

    def covers(self, message: str) -> bool:
        found = MESSAGE.match(message)
        return bool(found) and found[1] == self.rule and alike(self.file, found[2]) and alike(self.text, found[3])


def alike(pattern: str, text: str) -> bool:
    """As Verilator compares: with * and ? alone. `fnmatch` would take [3:0] for a set of characters."""
    expression = "".join({"*": ".*", "?": "."}.get(letter, re.escape(letter)) for letter in pattern)
    return re.fullmatch(expression, text) is not None


def waivers(file: Path, name: Path) -> Iterator[Waiver]:
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if found := RULE.fullmatch(line.strip()):
            yield Waiver(f"{name}:{number}", found["rule"], found["file"], found["text"] or "*")


def messages(output: str) -> list[str]:
    """Of Verilator, each with the lines that belong to it."""
    return [each.strip() for each in re.split(r"^(?=%)", output, flags=re.MULTILINE) if each.strip()]


def judged(outputs: Iterable[str], known: list[Waiver]) -> list[str]:
    """The messages of all runs that no waiver covers, each once; and the waivers that cover none."""
    found = {each.partition("\n")[0]: each for output in outputs for each in messages(output)}
    covering = {line: [waiver for waiver in known if waiver.covers(line)] for line in found}
    used = {waiver for those in covering.values() for waiver in those}
    unused = (waiver for waiver in known if waiver not in used)
    left = (found[line] for line, those in covering.items() if not those)
    return [*left, *(f"{each.place}: Verilator reports nothing that this waives: remove the line" for each in unused)]


def waivers_of(path: Path) -> Path:
    """Where those for a source are: each folder of cores and cards has one file of them."""
    return Path(*path.parts[:2], f"{path.parts[1]}.vlt") if path.parts[0] in PARTS else path.with_suffix(".vlt")


def pragmas(path: Path) -> Iterator[str]:
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if PRAGMA.search(line):
            place = waivers_of(path)
            yield f"{path}:{number}: a pragma of Verilator's lint: write a waiver with its reason into {place} instead"


def without_reason(path: Path) -> Iterator[str]:
    """A paragraph is what blank lines surround; the licence is no reason."""
    reason = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.strip()
        if not line:
            reason = False
        elif line.startswith("//"):
            reason |= line != "//" and "SPDX-" not in line
        elif line.startswith("lint_off"):
            if not RULE.fullmatch(line):
                yield f"{path}:{number}: not as narrow as a waiver is: {WRITTEN}"
            elif not reason:
                yield f"{path}:{number}: a waiver without its reason: write a comment before it"


def main(arguments: list[str]) -> int:
    paths = [Path(argument) for argument in arguments]
    found = [fault for path in paths for fault in (without_reason if path.suffix == ".vlt" else pragmas)(path)]
    print("\n".join(found), end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
