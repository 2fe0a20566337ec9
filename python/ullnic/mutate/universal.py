# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The faults of C sources, by universalmutator: `python -m ullnic.mutate.universal FILE...`, in .venv/mutate.

Writes JSON: for each file its changed lines, as number and new text.
"""

import json
import sys
from contextlib import redirect_stdout
from pathlib import Path

from universalmutator.mutator import mutants_regexp

RULES = ("universal", "c_like", "c")


def main() -> None:
    found = {}
    with redirect_stdout(sys.stderr):  # it prints what it does
        for name in sys.argv[1:]:
            lines = Path(name).read_text().splitlines(keepends=True)
            found[name] = [each[:2] for each in mutants_regexp(lines, list(RULES), ignorePatterns=[])]
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
