# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""TOML files whose keys are the fields of dataclasses: a field without a default is required. What is wrong is reported
with the file, the section, and what to do.

The build of the simulation reads such files too, so this module needs the standard library only, and tomli before
Python 3.11.
"""

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, TypeVar

from ullnic import toml
from ullnic.errors import UllnicError

# The page that explains the keys, by the file's name.
PAGES = {"card.toml": "docs/adding-a-card.md", "configs.toml": "CONTRIBUTING.md"}
Read = TypeVar("Read")


def is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_line(value: object) -> bool:
    """Whether it can be a string in C, SystemVerilog and SystemRDL."""
    return isinstance(value, str) and value.isprintable() and not set(value) & {'"', "\\"}


# By key type: whether a value has the type, and the type in words.
TYPES = {
    str: (is_line, "a line of text without quotes"),
    bool: (lambda value: isinstance(value, bool), "true or false"),
    int: (is_whole, "a whole number"),
    tuple[int, ...]: (lambda value: isinstance(value, list) and all(map(is_whole, value)), "a list of whole numbers"),
    tuple[str, ...]: (
        lambda value: isinstance(value, list) and all(isinstance(each, str) for each in value),
        "a list of texts",
    ),
    dict[str, int]: (
        lambda value: isinstance(value, dict) and all(map(is_whole, value.values())),
        "a table of whole numbers",
    ),
    dict[str, str]: (
        lambda value: isinstance(value, dict) and all(isinstance(each, str) for each in value.values()),
        "a table of texts",
    ),
}


def page_of(path: str) -> str:
    return PAGES[Path(path).name]


def wrong(path: str, what: str, remedy: str = "") -> UllnicError:
    return UllnicError(f"{path}: {what}", remedy or f"{page_of(path)} explains each key")


def unknown(path: str, what: str, name: str, names: Iterable[str]) -> UllnicError:
    """`name` is none of `names`."""
    names = tuple(names)
    near = difflib.get_close_matches(name, names, 1)
    remedy = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(names) or 'none'}"
    return wrong(path, f"{what} '{name}'", remedy)


def load(root: Path, path: str) -> dict[str, Any]:
    try:
        return toml.loads((root / path).read_text())
    except (toml.TOMLDecodeError, UnicodeDecodeError) as error:
        raise wrong(path, str(error), "correct the TOML") from None


def value_of(wanted: Any, key: str, value: Any, path: str, section: str = "") -> Any:
    where = f"[{section}] " if section else ""
    has_type, words = TYPES[wanted]
    if not has_type(value):
        raise wrong(path, f"{where}'{key}' is {value!r}, which is not {words}")
    return tuple(value) if isinstance(value, list) else value


def read(
    cls: type[Read],
    data: Mapping[str, Any],
    path: str,
    section: str = "",
    convert: Callable[[Any, str, Any, str, str], Any] = value_of,
    **fixed: str,
) -> Read:
    """A dataclass from its table. `convert`: the value of a key; `fixed`: fields that are not keys."""
    keys = {each.name: each for each in fields(cls) if each.name not in fixed}
    where = f"[{section}] " if section else ""
    for key in data:
        if key not in keys:
            raise unknown(path, f"{where}unknown key", key, keys)
    for key, each in keys.items():
        if key not in data and each.default is MISSING and each.default_factory is MISSING:
            raise wrong(path, f"{where}the key '{key}' is missing", f"{page_of(path)} says what it means")
    return cls(**fixed, **{key: convert(keys[key].type, key, value, path, section) for key, value in data.items()})
