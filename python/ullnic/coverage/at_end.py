# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Runs in the simulator: what the model has counted is written once cocotb has shut down."""

import ctypes
import os
from pathlib import Path

FILE = "coverage.dat"  # beside the test's log


def end_with_cocotb() -> None:
    """In the place of the one of ullnic_tb.server, which ends the process."""
    import cocotb

    from ullnic_tb import server

    cocotb._shutdown.register(write)
    server.end_with_cocotb()


def write() -> None:
    path = Path(os.environ["COCOTB_RESULTS_FILE"]).with_name(FILE)
    ctypes.CDLL(None).ullnic_write_coverage(str(path).encode())
