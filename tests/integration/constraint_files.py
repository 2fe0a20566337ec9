# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the subset of XDC and SDC that cores/macpcs/constraints uses: exceptions between objects named by patterns."""

import re
from dataclasses import dataclass
from pathlib import Path

COMMANDS = ("set_max_delay", "set_min_delay", "set_false_path", "set_max_skew", "set_net_delay")
TAKES_VALUE = ("-get_skew_value_from_clock_period", "-skew_value_multiplier", "-get_value_from_clock_period",
               "-value_multiplier", "-from", "-to", "-through")  # fmt: skip


@dataclass(frozen=True)
class Objects:
    """Each of `any_of` is a list of (pattern, wanted) that must all hold."""

    kind: str  # pins, cells, registers, keepers
    any_of: tuple[tuple[tuple[str, bool], ...], ...]

    def match(self, name: str) -> bool:
        return any(all(matches(pattern, name) == wanted for pattern, wanted in terms) for terms in self.any_of)


@dataclass(frozen=True)
class Command:
    line: int
    name: str
    ends: dict[str, Objects]  # -from, -to, -through
    options: dict[str, str]


def matches(pattern: str, name: str) -> bool:
    """Only * and ? are special here; tools would interpret a pattern with a bracket differently."""
    assert "[" not in pattern, f"write ? for a bracket: {pattern}"
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*").replace(r"\?", "."), name) is not None


def read(path: Path) -> list[Command]:
    commands = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith(("#", "set ")):
            continue
        name, *words = split(line)
        assert name in COMMANDS, f"{path.name}:{number}: {name} is not known to this test"
        ends, options = {}, {}
        words = iter(words)
        for word in words:
            if word in ("-from", "-to", "-through"):
                ends[word] = objects(next(words))
            elif word.startswith("-") and not re.fullmatch(r"-?[\d.]+", word):
                options[word] = next(words) if word in TAKES_VALUE else ""
            else:
                options["value"] = word
        commands.append(Command(number, name, ends, options))
    return commands


def split(text: str) -> list[str]:
    """Words of Tcl: braces and brackets keep one together."""
    words, word, depth = [], "", 0
    for c in text + " ":
        depth += (c in "[{") - (c in "]}")
        if c == " " and depth == 0:
            words += [word] * bool(word)
            word = ""
        else:
            word += c
    assert depth == 0, text
    return words


def objects(text: str) -> Objects:
    name, *words = split(text.removeprefix("[").removesuffix("]"))
    if name == "remove_from_collection":
        kept, removed = (objects(word) for word in words)
        not_these = tuple((pattern, False) for terms in removed.any_of for pattern, _ in terms)
        return Objects(kept.kind, tuple(terms + not_these for terms in kept.any_of))
    if "-filter" in words:
        assert "-hierarchical" in words, text
        condition = words[words.index("-filter") + 1].strip("{}")
        terms = tuple(tuple(term(each) for each in part.split(" && ")) for part in condition.split(" || "))
    else:
        terms = tuple(((pattern, True),) for pattern in words[-1].strip("{}").split())
    return Objects(name.removeprefix("get_"), terms)


def term(text: str) -> tuple[str, bool]:
    found = re.fullmatch(r"\s*NAME (=~|!~) (\S+)\s*", text)
    assert found, f"not a condition that this test knows: {text}"
    return found[2], found[1] == "=~"
