# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The options of one run, as they travel from the command line into the namespaces."""

from dataclasses import dataclass

from ullnic.run.options import Travelling


@dataclass(frozen=True)
class Options(Travelling):
    sim_dir: str  # directory of the simulation's programs
    host_dir: str  # directory of the host software's programs
    out_dir: str
    card: str
    triggers: int = 10_000
    messages: int = 200
    batch: int = 1  # messages in one send()
    message_gap_s: float = 0.02
    stall_s: float = 0.0  # longest pause of the server, which then has a small receive buffer
    market_gap: str = "250-2000"  # pauses of the market data in bytes at line rate: 200 to 1600 ns
    market: str | None = None  # the capture that the user named
    played: dict | None = None  # what became of its frames (captures/plain.py)
    port: str = "auto"
    dma: str = "rtl"
    delay_ui: int = 0
    fault: str | None = None
    seed: int = 1
    capture: bool = True
    keep: bool = False
    json: bool = False
    user_namespace: bool = False
    command: str = "./ullnic run"
