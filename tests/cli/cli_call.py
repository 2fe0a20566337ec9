# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""How the tests of the command call it."""

import os
import subprocess

from ullnic.paths import ROOT

LAUNCHER = ROOT / "ullnic"


def run(*argv, cwd=ROOT, timeout_s=300, **env):
    """Runs a command; keyword arguments are added to our environment (None: not set)."""
    merged = {name: value for name, value in (os.environ | env).items() if value is not None}
    return subprocess.run(
        [str(part) for part in argv], cwd=cwd, env=merged, capture_output=True, text=True, timeout=timeout_s
    )
