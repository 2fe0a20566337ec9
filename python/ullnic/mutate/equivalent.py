# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Faults that change nothing that anybody can see: cores/CORE/equivalent.toml, or host/equivalent.toml, names each with
the reason.

[[fault]]
file = "rtl/ate_hold.sv"
line = "if (rst) ready_q <= 1'b0;"   # the whole line of the source, without comments
which = 2                            # of several such lines in the file, from 1 on
old = "rst"                          # what is changed there, and how, as `ullnic mutate` prints it; left out in host:
                                     # there a fault changes the whole line
new = ["1'b0"]                       # left out: in any way
why = "..."
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ullnic import toml
from ullnic.errors import UllnicError
from ullnic.mutate.faults import Fault

NAME = "equivalent.toml"


@dataclass(frozen=True)
class Equivalent:
    file: str
    line: str
    why: str
    old: str = ""
    new: tuple[str, ...] = ()
    which: int = 0

    def place(self, source: list[str]) -> int:
        """The number of its line. Raises UllnicError if there is none, or more than one without `which`."""
        places = [number for number, line in enumerate(source, 1) if line.partition("//")[0].strip() == self.line]
        if not self.which and len(places) > 1:
            lines = ", ".join(map(str, places))
            raise UllnicError(f"{self.file} has {self.line!r} in lines {lines}", f"add `which` to it in {NAME}")
        if len(places) < max(self.which, 1):
            raise UllnicError(f"{self.file} has no line {self.line!r} any more", f"adapt it in {NAME}, or remove it")
        return places[max(self.which, 1) - 1]

    def means(self, fault: Fault) -> bool:
        return self.old in ("", fault.old_text) and (not self.new or fault.new_text in self.new)


def listed(core: Path) -> list[Equivalent]:
    path = core / NAME
    entries = toml.loads(path.read_text()).get("fault", []) if path.exists() else []
    return [Equivalent(**{**each, "new": tuple(each.get("new", ()))}) for each in entries]


def without_equivalent(core: Path, faults: Iterable[Fault]) -> list[Fault]:
    """Raises UllnicError if a listed one cannot be planted any more."""
    places = defaultdict(list)
    for each in listed(core):
        places[f"{core.name}/{each.file}", each.place((core / each.file).read_text().splitlines())].append(each)
    used, kept = set(), []
    for fault in faults:
        matching = {each for each in places.get((fault.file, fault.line), ()) if each.means(fault)}
        used |= matching
        if not matching:
            kept.append(fault)
    if gone := [each for entries in places.values() for each in entries if each not in used]:
        names = "; ".join(f"{each.file}: {each.old or each.line}" for each in gone)
        raise UllnicError(f"{core / NAME} lists what cannot be planted: {names}", "adapt it, or remove these")
    return kept
