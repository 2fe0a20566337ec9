# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Runs yosys of the Python package pyosys: `python yosys_run.py run.ys`, a command in each line, in that file's
folder.
"""

import os
import signal
import sys
from pathlib import Path


def main(script: Path) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it at once, not when yosys returns
    from pyosys import libyosys

    commands = script.read_text().splitlines()
    os.chdir(script.parent)
    design = libyosys.Design()
    for command in filter(None, commands):
        design.run_pass(command)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
