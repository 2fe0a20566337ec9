# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The command that `pip install .` gives: starts ./ullnic of the tree that was installed.

The tree holds the RTL and all else that the command works on, so it stays where it is and is not copied. ULLNIC_ROOT
names another one. The current directory is not looked at: nothing of it is run. Standard library only.
"""

import json
import os
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname


def main() -> int:
    name = os.environ.get("ULLNIC_ROOT")
    root = Path(name).absolute() if name else installed_from()
    if root is None:
        return fail(
            "this package is the command only, and it was not installed from a folder that holds the project",
            "set ULLNIC_ROOT to a clone of the project, or go to one and call: pip install .",
        )
    launcher = root / "ullnic"
    if not (launcher.is_file() and (root / "VERSION").is_file()):
        why = "which ULLNIC_ROOT names" if name else "from which this command was installed"
        return fail(
            f"{root}, {why}, does not hold the project: there is no ullnic or no VERSION in it",
            "set ULLNIC_ROOT to a clone of the project, or go to one and call: pip install .",
        )
    sys.stdout.flush()
    try:
        os.execv(launcher, [str(launcher), *sys.argv[1:]])
    except OSError as error:
        return fail(f"{launcher} cannot be started: {error.strerror}", "see who may read and execute it (ls -l)")


def installed_from() -> Path | None:
    """The folder that pip was given, as it notes it (PEP 610)."""
    try:
        noted = distribution("ullnic").read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    source = json.loads(noted) if noted else {}
    if "dir_info" not in source:  # an index, an archive, a repository
        return None
    return Path(url2pathname(urlsplit(source["url"]).path))


def fail(message: str, remedy: str) -> int:
    print(f"error: {message}\nremedy: {remedy}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
