# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Faults that change nothing that anybody can see: cores/CORE/equivalent.toml names each with the reason.

[[fault]]
file = "rtl/ate_hold.sv"
line = "if (rst) ready_q <= 1'b0;"   # the whole line of the source, without comments
old = "rst"                          # what is changed there, and how, as `ullnic mutate` prints it
new = ["1'b0"]                       # left out: in any way
why = "..."
"""

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
    old: str
    why: str
    new: tuple[str, ...] = ()

    def matches(self, fault: Fault, line: str) -> bool:
        return (
            fault.file.endswith(f"/{self.file}")
            and line.partition("//")[0].strip() == self.line
            and fault.old_text == self.old
            and (not self.new or fault.new_text in self.new)
        )


def listed(core: Path) -> list[Equivalent]:
    path = core / NAME
    entries = toml.loads(path.read_text()).get("fault", []) if path.exists() else []
    return [Equivalent(**{**each, "new": tuple(each.get("new", ()))}) for each in entries]


def without_equivalent(core: Path, faults: Iterable[Fault]) -> list[Fault]:
    """Raises UllnicError if a listed one cannot be planted any more."""
    entries = listed(core)
    lines = {}
    used, kept = set(), []
    for fault in faults:
        text = lines.setdefault(fault.file, (core.parent / fault.file).read_text().splitlines())
        matching = {each for each in entries if each.matches(fault, text[fault.line - 1])}
        used |= matching
        if not matching:
            kept.append(fault)
    if gone := [each for each in entries if each not in used]:
        names = "; ".join(f"{each.file}: {each.old}" for each in gone)
        raise UllnicError(f"{core / NAME} lists what is not in the sources: {names}", "adapt it, or remove these")
    return kept
