# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The sources that figures depend on, and a digest of them that ignores comments and layout."""

import ast
import hashlib
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from ullnic import toml
from ullnic.card_file import NAME as CARD_FILE
from ullnic.core_configs import NAME as CONFIGS_FILE
from ullnic.paths import ROOT

SIM = ROOT / "sim/src"
BUILD_FILES = (ROOT / "sim/CMakeLists.txt", ROOT / "sim/cmake")
INCLUDE = re.compile(r'^#include "([\w/]+\.h)"', re.MULTILINE)
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")  # of statements, in statements
STRING_OR_COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
# Python's tokenizer takes several times as long.
PYTHON_STRING_OR_COMMENT = re.compile(
    r"""('{3}(?:\\.|[^\\])*?'{3}|"{3}(?:\\.|[^\\])*?"{3}|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|\#[^\n]*""", re.DOTALL
)


def program_sources(folder: str) -> list[Path]:
    """Sources of a simulation program: the files of its folder in sim/src, each header that they include, the file that
    implements it, what these include, and so on.
    """
    todo = [file for file in (SIM / folder).rglob("*") if file.suffix in (".cc", ".h")]
    found: set[Path] = set()
    while todo:
        file = todo.pop()
        if file in found or not file.exists():
            continue
        found.add(file)
        for name in INCLUDE.findall(file.read_text()):
            todo += [SIM / name, (SIM / name).with_suffix(".cc")]
    return sorted(found)


def digest_of_files(*places: Path) -> str:
    """Digest of all files in these folders, and of these files, with their names."""
    files = sorted({file for place in places for file in (place.rglob("*") if place.is_dir() else [place])})
    text = hashlib.sha256()
    for file in files:
        if file.is_file() and "__pycache__" not in file.parts:
            text.update(f"{file.relative_to(ROOT)}\0".encode())
            text.update(hashlib.sha256(meaning(file)).digest())
    return text.hexdigest()[:16]


def meaning(file: Path) -> bytes:
    """The file without what tools ignore: comments, layout, docstrings."""
    return bare(file.name, file.suffix, file.read_bytes())


@cache  # thousands of deep tests depend on the same few files
def bare(name: str, suffix: str, data: bytes) -> bytes:
    return MEANING.get(name, MEANING.get(suffix, bytes))(data)


def of_code(data: bytes) -> bytes:
    """For SystemVerilog and C++: replaces comments and white space by one space."""
    return " ".join(STRING_OR_COMMENT.sub(lambda match: match[1] or " ", data.decode()).split()).encode()


def of_python(data: bytes) -> bytes:
    """Without comments, docstrings and empty lines. The syntax tree is not used: it depends on Python's version."""
    lines = PYTHON_STRING_OR_COMMENT.sub(lambda match: match[1] or "", data.decode()).splitlines()
    for docstring in docstrings(ast.parse(data)):
        first, end = docstring.lineno - 1, docstring.end_lineno
        lines[first:end] = [""] * (end - first)
    return "\n".join(filter(None, map(str.rstrip, lines))).encode()


def docstrings(node: ast.AST) -> Iterator[ast.stmt]:
    """Of this node, and of all that it contains. Expressions contain none: they are most of the tree."""
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
        yield node.body[0]
    if not isinstance(node, ast.expr):
        for block in BLOCKS:
            for each in getattr(node, block, ()):
                yield from docstrings(each)


def of_card_file(data: bytes) -> bytes:
    """What the model of a card, and its figures, depend on."""
    keys = toml.loads(data.decode())
    return repr([keys.get(key) for key in ("top", "shell", "config", "trade")]).encode()


def of_configs_file(data: bytes) -> bytes:
    return repr(toml.loads(data.decode())).encode()


MEANING: dict[str, Callable[[bytes], bytes]] = dict.fromkeys((".sv", ".svh", ".v", ".cc", ".h"), of_code)
MEANING[".py"] = of_python
MEANING[CARD_FILE] = of_card_file
MEANING[CONFIGS_FILE] = of_configs_file
