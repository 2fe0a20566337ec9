# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The options of one run, as they travel from the command line into the namespaces."""

from dataclasses import dataclass

from ullnic.run.options import Travelling

PROGRAMS = {False: "ullnic-stack", True: "ullnic-stack-timestamps"}  # without and with timestamps


@dataclass(frozen=True)
class Options(Travelling):
    bin_dir: str
    out_dir: str
    bulk_bytes: int
    sessions: int
    port: str
    seed: int
    fault: str | None
    capture: bool
    keep: bool
    timestamps: bool
    json: bool
    user_namespace: bool
    command: str
    hostile: float = 0  # actions of the attacker for each frame to the card
    rest: bool = False  # the card must become idle at the end, and report what is left
