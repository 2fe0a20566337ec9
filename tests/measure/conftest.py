# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
import subprocess
from functools import partial

import pytest

MOST_S = 600  # of any program that measures


@pytest.fixture(scope="session", autouse=True)
def programs_end():
    """A rig whose time stands still must fail its test by name, not stop the run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess, "run", partial(subprocess.run, timeout=MOST_S))
        yield
