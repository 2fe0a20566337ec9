# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a module of this package: `python -I isolated.py MODULE ARGUMENT...`, the command of paths.module_command().

`python -m` would take the package, and what it imports, from the current directory, which may hold another user's
files; -I alone does not find a package that runs in place. Standard library only: the set-up is started with it.
"""

import os
import sys


def main() -> None:
    from runpy import run_module

    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    del sys.argv[0]
    run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
