# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Parts of libexanic that need no card, at their limits: alone.c."""

import subprocess


def test_steering_and_rings(host_build):
    """Filters, flow hashing, and rings that wrap, are overrun and lose frames; the lock of the clock."""
    run = subprocess.run([host_build / "bin/exanic-test-alone"], capture_output=True, text=True, timeout=60)
    assert (run.stdout, run.returncode) == ("0 faults\n", 0), run.stdout[:2000] + run.stderr
