# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""cores/CORE/configs.toml: the configurations of a core. The head of each file explains its keys, which are the fields
of the classes below (checked_toml.py).

`python -I isolated.py ullnic.core_configs CORE NAME` prints the parameters of one, for the build of the simulation.
"""

import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ullnic.checked_toml import load, read, unknown, wrong
from ullnic.errors import UllnicError
from ullnic.paths import ROOT

NAME = "configs.toml"
SHOWN = re.compile(r"[a-z][a-z0-9_]*")  # part of names in C++ and SystemVerilog
PARAMETER = re.compile(r"^\s*parameter\s[^=]*?(\w+)\s*=", re.MULTILINE)
TX_CLOCKS = ("tx", "tx/2", "own")
RX_CLOCKS = ("rx", "rx/2", *TX_CLOCKS)


@dataclass(frozen=True, kw_only=True)
class Row:
    """[NAME]"""

    label: str
    parameters: dict[str, int]
    top: str = ""  # the module; the core's, if empty
    synth: bool = False


@dataclass(frozen=True, kw_only=True)
class Compared(Row):
    published: bool = False


@dataclass(frozen=True, kw_only=True)
class Measured(Compared):
    measure: bool = False


@dataclass(frozen=True, kw_only=True)
class Clocked(Measured):
    tx_user_clock: str
    rx_user_clock: str
    run: bool = False


# Parameters that a row states if it has the key.
STATED = {
    "toe": {
        "measure": ("USER2TCP_DATA_WIDTH", "TCP2USER_DATA_WIDTH", "RX_STORE_FORWARD"),
        "published": ("SESSION_COUNT", "USER2TCP_DATA_WIDTH"),
    }
}
KINDS: dict[str, type[Row]] = {"macpcs": Clocked, "ate": Compared, "toe": Measured, "qdma": Row}


def path_of(core: str) -> str:
    return f"cores/{core}/{NAME}"


def read_all(root: Path, core: str) -> dict[str, Row]:
    """Raises UllnicError if anything is wrong."""
    path, found = path_of(core), {}
    for name, data in load(root, path).items():
        if not isinstance(data, dict):
            raise wrong(path, f"'{name}' is not in a section", f"write [{name}], or move it into one")
        if not SHOWN.fullmatch(name):
            raise wrong(path, f"[{name}]", "name it with lower-case letters, digits and _")
        found[name] = read(KINDS[core], data, path, name)
        check(root, core, name, found[name])
    return found


def check(root: Path, core: str, name: str, row: Row) -> None:
    """Checks the module and its parameters, and macpcs' clocks."""
    path, top = path_of(core), row.top or core
    known = parameters_of(root, core, top)
    if known is None:
        raise wrong(path, f"[{name}] top: there is no {top}.sv", f"name a module of cores/{core}/rtl or synth")
    for parameter in row.parameters:
        if parameter not in known:
            raise unknown(path, f"[{name}] {top} has no parameter", parameter, known)
    for key, needed in STATED.get(core, {}).items():
        missing = [each for each in needed if each not in row.parameters] if getattr(row, key) else []
        if missing:
            raise wrong(path, f"[{name}] '{key}' needs {missing[0]}", "state it in parameters")
    if isinstance(row, Clocked):
        if row.run and not (row.measure and row.synth):
            raise wrong(path, f"[{name}] 'run' needs 'measure' and 'synth'", "add them")
        for side, clocks in (("tx", TX_CLOCKS), ("rx", RX_CLOCKS)):
            key, khz = f"{side}_user_clock", f"MAC_{side.upper()}_CLK_FREQ_KHZ"
            clock = getattr(row, key)
            if clock not in clocks:
                raise wrong(path, f"[{name}] {key} is '{clock}'", f"one of {', '.join(clocks)}")
            if (clock == "own") != (khz in row.parameters):
                raise wrong(path, f"[{name}] {key} is '{clock}'", f"'own', and no other clock, goes with {khz}")


def parameters_of(root: Path, core: str, module: str) -> tuple[str, ...] | None:
    """None if there is no such module."""
    for folder in ("rtl", "synth"):
        file = root / "cores" / core / folder / f"{module}.sv"
        if file.exists():
            header = re.sub("//.*", "", file.read_text()).split(");", 1)[0]
            return tuple(PARAMETER.findall(header))
    return None


def check_all(root: Path) -> None:
    """Raises UllnicError if a file is wrong, or two have the same name."""
    owners: dict[str, str] = {}
    for core in KINDS:
        for name in read_all(root, core):
            if owners.setdefault(name, core) != core:
                raise wrong(path_of(core), f"[{name}] is also in {path_of(owners[name])}", "give it another name")


@cache
def rows(core: str) -> dict[str, Row]:
    return read_all(ROOT, core)


def row(core: str, name: str) -> Row:
    if name not in rows(core):
        raise unknown(path_of(core), "there is no configuration", name, rows(core))
    return rows(core)[name]


def settings(parameters: dict[str, int]) -> str:
    """NAME=VALUE ..., as the build of the simulation and `export` read them."""
    return " ".join(f"{name}={value}" for name, value in parameters.items())


if __name__ == "__main__":
    try:
        print(settings(row(*sys.argv[1:]).parameters))
    except UllnicError as error:
        error.show()
        sys.exit(error.exit_code)
