# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Fixtures shared by the tests of the command."""

import re
import shutil
from pathlib import Path

import pytest

from cli_call import LAUNCHER, run
from ullnic.paths import ROOT


@pytest.fixture
def ullnic():
    """Calls ./ullnic of this tree."""
    return lambda *argv, **more: run(LAUNCHER, *argv, **more)


@pytest.fixture
def bare_copy(tmp_path, monkeypatch, request) -> Path:
    """A copy of the files that the set-up needs, not set up. Its lock file has only what `--help` needs, or the
    packages that the fixture's parameter names.
    """
    monkeypatch.delenv("ULLNIC_CACHE", raising=False)  # its cache is separate and empty
    root = tmp_path / "tree"
    (root / "python").mkdir(parents=True)
    shutil.copy(LAUNCHER, root)
    shutil.copy(ROOT / "VERSION", root)
    shutil.copytree(
        ROOT / "python" / "ullnic", root / "python" / "ullnic", ignore=shutil.ignore_patterns("__pycache__")
    )
    blocks = re.split(r"\n(?=[a-z])", (ROOT / "requirements.lock").read_text())
    wanted = getattr(request, "param", ("click",))
    chosen = [block for block in blocks if block.partition("==")[0] in wanted]
    assert len(chosen) == len(wanted), f"the lock file does not hold all of {wanted}"
    (root / "requirements.lock").write_text("\n".join(chosen) + "\n")
    return root
