# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles SystemVerilog with slang, which enforces the standard more strictly than a simulator does.

It accepts slang's own arguments, and exits with code 1 on an error or a warning.
"""

import shlex
import sys

try:
    from pyslang.driver import Driver
except ImportError:  # before pyslang 12
    from pyslang import Driver


def main(arguments: list[str]) -> int:
    driver = Driver()
    driver.addStandardArgs()
    # A cast that has no effect at one value of a parameter is needed at another.
    line = shlex.join(["slang", "--std=1800-2017", "-Wextra", "-Wno-useless-cast", "-Werror", *arguments])
    if not (driver.parseCommandLine(line) and driver.processOptions() and driver.parseAllSources()):
        return 1
    return 0 if driver.runFullCompilation(True) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
