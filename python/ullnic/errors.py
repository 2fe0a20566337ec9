# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The error that a user sees: what is wrong, and what to do about it.

Standard library only: the set-up uses it before any package is installed.
"""

import sys


class UllnicError(Exception):
    """An expected failure. It ends the command without a traceback (ULLNIC_DEBUG=1 shows one)."""

    exit_code = 1

    def __init__(self, message: str, remedy: str = ""):
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} (remedy: {self.remedy})" if self.remedy else self.message

    def show(self) -> None:
        print(f"error: {self.message}", file=sys.stderr)
        if self.remedy:
            print(f"remedy: {self.remedy}", file=sys.stderr)
