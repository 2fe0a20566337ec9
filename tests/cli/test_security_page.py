# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""SECURITY.md: each promise names an existing test."""

import ast
import re

import pytest

from ullnic.paths import ROOT

PAGE = (ROOT / "SECURITY.md").read_text()
NAMED = re.compile(r"`([\w/]+\.(?:py|cc))::([\w.]+)`")


def names_in(path: str) -> set[str]:
    text = (ROOT / path).read_text()
    if path.endswith(".cc"):
        return {".".join(names) for names in re.findall(r"^TEST(?:_F|_P)?\((\w+), (\w+)\)", text, re.MULTILINE)}
    return {node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("path", sorted({path for path, _ in NAMED.findall(PAGE)}))
def test_the_tests_that_it_names_are_there(path):
    named = {name for each, name in NAMED.findall(PAGE) if each == path}
    assert (ROOT / path).is_file()
    assert not named - names_in(path)


def test_each_promise_names_one():
    promises = PAGE.split("## Promises")[1].split("\n## ")[0]
    rows = [
        line for line in promises.splitlines() if line.startswith("| ") and not line.startswith(("| promise", "| -"))
    ]
    assert len(rows) > 20
    assert not [row for row in rows if not NAMED.search(row)]
