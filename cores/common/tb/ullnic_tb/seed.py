# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Repeatable randomness: set ULLNIC_SEED to the seed that a failing test has printed."""

import os
import random


def seeded(name: str) -> random.Random:
    """A generator for the test `name`; its seed is printed, and taken from ULLNIC_SEED if that is set."""
    seed = int(os.environ.get("ULLNIC_SEED") or random.SystemRandom().getrandbits(32))
    print(f"{name}: seed {seed} (repeat with ULLNIC_SEED={seed})", flush=True)
    return random.Random(f"{name}:{seed}")
