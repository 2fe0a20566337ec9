# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Entry point of `python -m ullnic`."""

import os
import signal
import sys

MENDED = os.environ.pop("ULLNIC_MENDED", "")  # # the processes started from here must not inherit it

try:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the launcher has ignored it so far
    from ullnic.cli import main

    sys.exit(main())
except KeyboardInterrupt:  # Ctrl-C while the modules load
    sys.exit(130)
except Exception as error:  # unexpected: is .venv broken?
    from ullnic.mend import after

    after(error, again=not MENDED)
    raise
