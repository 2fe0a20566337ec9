# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The mark of tests that run `./ullnic test` several times."""

from pathlib import Path

import pytest

from ullnic.deep import deep

HERE = Path(__file__).parent
TESTS = [HERE / f"{name}.py" for name in ("test_cli_testing", "running_tests", "cli_call", "conftest")]
MODULES = ("testing", "seeds", "deep", "pytest_deep", "pytest_seed", "pytest_times", "isolated", "bootstrap", "cli")
PACKAGE = [f"python/ullnic/{name}.py" for name in MODULES]


def running_tests(file: str) -> pytest.MarkDecorator:
    return deep(file, *TESTS, *PACKAGE, "pyproject.toml")
