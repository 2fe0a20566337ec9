# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Marks that say what a test shows, where pytest does not look for them: on cocotb tests, in packetdrill's scripts."""

import re
from pathlib import Path

import pytest

MARKS = ("rfc9293", "pitfall")


def pytest_itemcollected(item: pytest.Item) -> None:
    """For a conftest.py: a test whose parameter names a cocotb test of its module gets that test's marks.

    The marks are below @cocotb.test().
    """
    for value in getattr(getattr(item, "callspec", None), "params", {}).values():
        run = getattr(item.module, value, None) if isinstance(value, str) else None
        for mark in getattr(getattr(run, "func", None), "pytestmark", ()):
            item.add_marker(getattr(pytest.mark, mark.name)(*mark.args, **mark.kwargs))


def script_marks(path: Path) -> list[pytest.MarkDecorator]:
    """Marks of a script: its lines `// rfc9293: MUST-12 SHLD-3` and `// pitfall: lost-fin`."""
    found = re.findall(rf"^\s*//\s*({'|'.join(MARKS)}):(.*)$", path.read_text(), re.MULTILINE)
    return [getattr(pytest.mark, name)(*given.split()) for name, given in found]
