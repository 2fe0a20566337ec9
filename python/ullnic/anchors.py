# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Checks the texts and names of RTL that other files rely on against the RTL itself: lint finds a rename before the
proof does.

Two kinds. A test plants a fault by quoting its source, which must contain that text exactly once: any dataclass of a
test with a name and an `anchor` (a path and a text). A Verilator configuration (*.vlt) makes a signal visible by name,
which its module has to declare; Verilator silently ignores a name that does not exist.

    python -m ullnic.anchors FILE...      tests, configurations and SystemVerilog; exit code 1 if a check fails
"""

import importlib
import re
import runpy
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path

try:
    from pyslang.syntax import DeclaratorSyntax, ModuleDeclarationSyntax, SyntaxTree
except ImportError:  # before pyslang 12
    from pyslang import DeclaratorSyntax, ModuleDeclarationSyntax, SyntaxTree

VISIBLE = re.compile(r'^public\w*\s+-module\s+"(?P<module>\w+)"\s+-var\s+"(?P<name>\w+)"', re.MULTILINE)


def planted(test: Path) -> Iterator[str]:
    """What is wrong with the faults that a test plants."""
    conftest = test.parent / "conftest.py"  # puts helpers on the path
    if conftest.is_file():
        runpy.run_path(str(conftest))
    if str(test.parent.absolute()) not in sys.path:
        sys.path.insert(0, str(test.parent.absolute()))
    for fault in anchored(vars(importlib.import_module(test.stem)), set()):
        path, text = fault.anchor
        count = path.read_text().count(text) if path.is_file() else None
        if count != 1:
            has = "is not there" if count is None else f"has {text!r} {count} times"
            yield f"{test}: {fault.name}: {path} {has}: adapt the fault to its source"


def anchored(value: object, seen: set[int]) -> Iterator:
    """The objects with an anchor among a module's variables, without duplicates."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, dict):
        inner = value.values()
    elif isinstance(value, (list, tuple)):
        inner = value
    elif is_dataclass(value) and not isinstance(value, type):
        inner = [getattr(value, field.name) for field in fields(value)]
        if hasattr(value, "anchor"):
            yield value
    else:
        return
    for each in inner:
        yield from anchored(each, seen)


def hidden(configuration: Path, sources: dict[str, Path]) -> Iterator[str]:
    """Signals that a Verilator configuration names and that do not exist."""
    text = configuration.read_text()
    for match in VISIBLE.finditer(text):
        where = f"{configuration}:{text.count(chr(10), 0, match.start()) + 1}"
        module, name = match["module"], match["name"]
        if module not in sources or module not in (declared := declarations(sources[module])):
            yield f"{where}: no module {module}"
        elif name not in declared[module]:
            yield f"{where}: {sources[module]} declares no {name}"


@cache
def declarations(source: Path) -> dict[str, set[str]]:
    """The names that each module of a file declares."""
    modules: dict[str, set[str]] = {}

    def enter(node) -> None:
        if isinstance(node, ModuleDeclarationSyntax):
            modules[node.header.name.valueText] = set()
        elif isinstance(node, DeclaratorSyntax) and modules:
            next(reversed(modules.values())).add(node.name.valueText)

    SyntaxTree.fromFile(str(source)).root.visit(enter)
    return modules


def faults(paths: list[Path]) -> Iterator[str]:
    """What is wrong in tests, in Verilator's configurations, and in the SystemVerilog that these refer to."""
    sources = {path.stem: path for path in paths if path.suffix == ".sv" and path.parent.name != "abstract"}
    for path in paths:
        if path.suffix == ".py":
            yield from planted(path)
        elif path.suffix == ".vlt":
            yield from hidden(path, sources)


def main(arguments: list[str]) -> int:
    lines = list(faults([Path(argument) for argument in arguments]))
    if lines:
        print("\n".join(lines))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
