# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Parts of libexanic that need no card, at their limits: alone.c; all of it on a card that is played: faked.c."""

import subprocess

import pytest

from tester_bench import lock_check


@pytest.mark.parametrize("part", ["alone", "faked"])
def test_parts(host_build, part):
    """Filters, flow hashing, and rings that wrap, are overrun and lose frames; the lock of the clock. Registers,
    counters, names, transmit buffers; calls of the card that fail.
    """
    run = subprocess.run([host_build / f"bin/exanic-test-{part}"], capture_output=True, text=True, timeout=60)
    assert (run.stdout, run.returncode) == ("0 faults\n", 0), run.stdout[:2000] + run.stderr


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("fair", ""),
        ("unlock", "unlocked by a thread that does not hold it"),
        ("twice", "locked by the thread that holds it"),
        ("kept", "held at the program's end"),
    ],
)
def test_locks_are_checked(host_build, name, what):
    """Of every program of these tests: a lock that is missing, or one too many, is named."""
    if not (env := lock_check(host_build)):
        pytest.skip("built with sanitizers, which check locks themselves")
    program = [host_build / "bin/exanic-test-locks", name]
    run = subprocess.run(program, capture_output=True, text=True, timeout=60, env=env)
    assert (run.returncode == 0) == (what == "") and (f"lock_check: {what}: " in run.stderr) == (what != ""), run.stderr
