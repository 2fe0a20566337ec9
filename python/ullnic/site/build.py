# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the site with MkDocs, in the extra's own Python: `python -m ullnic.site.build FOLDER [ADDRESS]`.

`ullnic.site.command` starts it. With an address (host:port) it serves the site and makes it again after each change.
"""

import logging
import sys
from pathlib import Path

from mkdocs.commands import build, serve
from mkdocs.config import load_config

CONFIG = str(Path(__file__).with_name("mkdocs.yml"))


class Warnings(logging.Handler):
    """A warning of MkDocs is a fault of a page."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(self.format(record))


def main() -> int:
    folder, *address = sys.argv[1:]
    warnings = Warnings()
    logging.getLogger("mkdocs").addHandler(warnings)
    if address:
        serve.serve(config_file=CONFIG, dev_addr=address[0])
        return 0
    config = load_config(config_file=CONFIG, site_dir=folder)
    config.plugins.on_startup(command="build", dirty=False)
    build.build(config)
    config.plugins.on_shutdown()
    print("\n".join(warnings.found), end="\n" if warnings.found else "", file=sys.stderr)
    return bool(warnings.found)


if __name__ == "__main__":
    sys.exit(main())
