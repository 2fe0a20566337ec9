# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Entry point of `python -m ullnic`."""

import signal
import sys

try:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the launcher has it ignored up to here
    from ullnic.cli import main

    sys.exit(main())
except KeyboardInterrupt:  # Ctrl-C while the modules load
    sys.exit(130)
