# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Parts that need neither a daemon nor a card, at their limits: alone.c."""

import subprocess


def test_requests_deadlines_log_and_frames(host_build):
    run = subprocess.run([host_build / "bin/sockets-alone"], capture_output=True, text=True, timeout=60)
    assert (run.stdout, run.returncode) == ("0 faults\n", 0), run.stdout[:2000] + run.stderr
