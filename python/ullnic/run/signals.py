# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Signals that end a run, turned into an exception so that `finally` clauses do the clean-up."""

import signal
import sys

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class Interrupted(BaseException):
    """A signal requested the end."""

    def __init__(self, number: int):
        self.number = number


def catch_signals() -> None:
    """From here on a signal raises Interrupted; the parent has blocked signals so that none arrived earlier."""
    for each in SIGNALS:
        signal.signal(each, on_signal)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)


def on_signal(number, _frame) -> None:
    # A second Ctrl-C must not interrupt the clean-up that the first one started.
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    raise Interrupted(number)


def tell(interrupted: Interrupted) -> int:
    """Says that the clean-up is done, and returns the exit code."""
    name = signal.Signals(interrupted.number).name
    print(f"\nstopped by {name}; processes, namespaces and devices are gone", file=sys.stderr)
    return 128 + interrupted.number
