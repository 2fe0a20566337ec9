# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Packed structs, as a SystemVerilog package declares them: benches pack and unpack by its fields."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

try:
    from pyslang.ast import Compilation
    from pyslang.syntax import SyntaxTree
except ImportError:  # before pyslang 12
    from pyslang import Compilation, SyntaxTree


@cache
def structs(package: Path) -> dict[str, dict[str, int]]:
    """Of each packed struct of a package that needs no other: its fields and their bits, the most significant first."""
    compilation = Compilation()  # must outlive everything obtained from it
    compilation.addSyntaxTree(SyntaxTree.fromFile(str(package)))
    assert not [each for each in compilation.getAllDiagnostics() if each.isError()], package
    found = {}
    for each in compilation.getPackage(package.stem):
        kind = getattr(getattr(each, "targetType", None), "type", None)
        if kind is not None and kind.kind.name == "PackedStructType":
            found[each.name] = {field.name: field.type.bitWidth for field in kind}
    return found


def pack(fields: Mapping[str, int], values: Mapping[str, int]) -> int:
    """Fields without a value are 0."""
    assert values.keys() <= fields.keys(), values.keys() - fields.keys()
    word = 0
    for name, bits in fields.items():
        value = int(values.get(name, 0))
        assert 0 <= value < 1 << bits, (name, value)
        word = word << bits | value
    return word


def unpack(fields: Mapping[str, int], word: int) -> dict[str, int]:
    values = {}
    for name, bits in reversed(fields.items()):
        values[name] = word & ((1 << bits) - 1)
        word >>= bits
    assert word == 0
    return values
