# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Repairs a .venv that turns out to be broken while a command runs: it is set up again, and the command restarted,
once.

Standard library only: any package may be the broken one.
"""

import os
import sys
from pathlib import Path

from ullnic import installed
from ullnic.errors import UllnicError
from ullnic.paths import ROOT, VENV


class BrokenVenv(Exception):
    """Raised where the damage is found; the message is the fault."""


def after(error: Exception, again: bool) -> None:
    """If .venv is broken, restarts ./ullnic, which sets it up before the command; returns if it is whole.

    `again`: not if that has been done already.
    """
    if Path(sys.prefix) != VENV:
        return  # another Python runs this, and its packages are not ours
    fault = str(error) if isinstance(error, BrokenVenv) else installed.fault(str(VENV), thorough=True)
    if not fault:
        return
    if not again:
        UllnicError(
            f"{VENV} is broken ({fault}) although it has just been set up",
            f"see {ROOT / 'build' / 'setup.log'}; look at the disk and at what else changes that directory; then "
            "rm -r .venv, and run ./ullnic again",
        ).show()
        sys.exit(UllnicError.exit_code)
    sys.stdout.flush()
    os.environ |= {"ULLNIC_FAULT": fault, "ULLNIC_MENDED": "1"}
    os.execv(ROOT / "ullnic", [str(ROOT / "ullnic"), *sys.argv[1:]])
