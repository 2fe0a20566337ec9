# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Fixtures shared by the tests of the report."""

import pytest

from ullnic.apt import is_ubuntu
from ullnic.errors import UllnicError
from ullnic.report.browser import chromium


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium. Without one the tests fail, except on Ubuntu: its Chromium is a snap, which needs a running
    snapd, so no package could be installed.
    """
    try:
        opened = chromium()
        started = opened.__enter__()
    except UllnicError as error:
        if is_ubuntu():
            pytest.skip(f"Ubuntu has no package of Chromium, only a snap: {error}")
        pytest.fail(str(error))
    yield started
    opened.__exit__(None, None, None)
