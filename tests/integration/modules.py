# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The contents of the cores: their lists of files, and the parameters and ports of an elaborated module."""

from collections.abc import Iterable
from pathlib import Path

try:
    from pyslang.ast import Compilation
    from pyslang.syntax import SyntaxTree
except ImportError:  # before pyslang 12
    from pyslang import Compilation, SyntaxTree

from ullnic import export
from ullnic.paths import ROOT
from ullnic.sources import listed_files

CORES = ROOT / "cores"
COMMON = tuple(listed_files(CORES / "common/common.f"))
# Each top level that a design can instantiate: the core (NAME.core) that has it, and its files.
TOPS = {top: (Path(lists[-1]).stem, tuple(export.sources(top))) for top, lists in export.TOPS.items()}
FILES = {top: TOPS[top][1] for top in ("macpcs", "macpcs_managed")}
MACPCS, MANAGED = FILES.values()


def instance(top: str, *path: str, files: Iterable[Path], text: str = "") -> tuple[dict[str, int], dict[str, str]]:
    """Parameters with their values, and ports with their directions, of an instance in an elaborated design.

    `text`: one more source.
    """
    compilation = Compilation()  # must outlive everything obtained from it
    for file in files:
        compilation.addSyntaxTree(SyntaxTree.fromFile(str(file)))
    if text:
        compilation.addSyntaxTree(SyntaxTree.fromText(text))
    assert not [each for each in compilation.getAllDiagnostics() if each.isError()]
    root = compilation.getRoot()
    found = next(each for each in root.topInstances if each.name == top)
    for name in path:
        found = next(each for each in found.body if each.name == name)
    parameters = {each.name: int(each.value.value) for each in found.body.parameters if not each.isLocalParam}
    return parameters, {port.name: port.direction.name for port in found.body.portList}
