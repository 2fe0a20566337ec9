# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
import pytest

from live_run import Background


@pytest.fixture
def background():
    started = []

    def start(*arguments: str, prefix: list[str] | None = None) -> Background:
        started.append(Background(*arguments, prefix=prefix))
        return started[-1]

    yield start
    for each in started:
        each.close()
