# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""First process inside the namespaces (see sandbox.py): PIPE MODULE:FUNCTION OPTIONS."""

import importlib
import os
import sys

from ullnic.errors import UllnicError
from ullnic.run.signals import Interrupted, catch_signals, tell


def main() -> int:
    catch_signals()
    try:
        with os.fdopen(int(sys.argv[1]), "w") as parent:
            parent.write(os.readlink("/proc/self") + "\n")  # our process number in the parent's namespace
        module, function = sys.argv[2].split(":")
        return getattr(importlib.import_module(module), function)(sys.argv[3])
    except UllnicError as error:
        error.show()
        return 1
    except OSError as error:
        if os.environ.get("ULLNIC_DEBUG"):
            raise
        UllnicError(str(error), "ULLNIC_DEBUG=1 shows where this happened").show()
        return 1
    except Interrupted as interrupted:
        return tell(interrupted)


if __name__ == "__main__":
    sys.exit(main())
