# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of the report share."""

import platform

import pytest

from ullnic.errors import UllnicError
from ullnic.report.browser import chromium


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium. Without one the tests fail, but for Ubuntu: its Chromium is a snap, which needs a running
    snapd, so there is no package that could be installed."""
    try:
        opened = chromium()
        started = opened.__enter__()
    except UllnicError as error:
        if is_ubuntu():
            pytest.skip(f"Ubuntu has no package of Chromium, only a snap: {error}")
        pytest.fail(str(error))
    yield started
    opened.__exit__(None, None, None)


def is_ubuntu() -> bool:
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return False
    return "ubuntu" in (release.get("ID"), *release.get("ID_LIKE", "").split())
