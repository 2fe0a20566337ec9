# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Runs yosys in a separate process: the commands of a file, one in each line, in that file's folder.

`step TEXT` is not a yosys command: it prints the progress.
"""

import os
import signal
import sys
from pathlib import Path

STEP = "ullnic step: "


def main(script: Path) -> int:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it at once, not when yosys returns
    from pyosys import libyosys

    lines = script.read_text().splitlines()
    os.chdir(script.parent)
    design = libyosys.Design()
    for line in lines:
        if line.startswith("step "):
            print(STEP + line.removeprefix("step "), flush=True)
        elif line:
            design.run_pass(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
