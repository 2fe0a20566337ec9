# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Shared parts of the test benches of all cores: building a module once, running cocotb tests on it, repeatable
randomness.
"""

from ullnic_tb.configs import configurations
from ullnic_tb.generics import illegal, legal, own_refusals, refusals, sliced
from ullnic_tb.marks import script_marks
from ullnic_tb.records import deep, kept, long_run, main_and_kept
from ullnic_tb.runner import Bench, checkers, cocotb_tests, parameter, rounds, rtl
from ullnic_tb.seed import seeded
from ullnic_tb.signals import reader
from ullnic_tb.stepper import Stepper

__all__ = [
    "Bench",
    "Stepper",
    "checkers",
    "cocotb_tests",
    "configurations",
    "deep",
    "illegal",
    "kept",
    "legal",
    "long_run",
    "main_and_kept",
    "own_refusals",
    "parameter",
    "reader",
    "refusals",
    "rounds",
    "rtl",
    "script_marks",
    "seeded",
    "sliced",
]
