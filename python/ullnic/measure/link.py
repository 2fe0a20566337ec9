# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Measures the virtual link's speed: two RTL ends, traffic in both directions as dense as the line allows."""

import json
import subprocess
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.measure.records import Record


def measure_link(binaries: Path, frames: int, runs: int, seed: int, command: str, progress):
    rates = []
    lost = 0
    for run in range(runs):
        progress(f"link, run {run + 1} of {runs}")
        port = f"gen:frames={frames},len=60-1514,burst"
        line = [str(binaries / "ullnic-link"), "--a", port, "--b", port, "--seed", str(seed + run)]
        done = subprocess.run(line, capture_output=True, text=True)
        events = [json.loads(text) for text in done.stdout.splitlines() if text.startswith("{")]
        summary = next((e for e in events if e["event"] == "summary"), None)
        if done.returncode or summary is None:
            raise UllnicError(
                f"the link failed: {(done.stderr or done.stdout).strip()[-400:]}",
                f"repeat it with: {' '.join(line)}",
            )
        rates.append(summary["cycles_per_s"] / 1e6)
        for direction in ("a_to_b", "b_to_a"):
            lost += summary[direction]["lost"] + summary[direction]["errors"]
    return [
        Record(
            core="link",
            config="two_ends_both_directions",
            metric="simulation_rate",
            unit="Mcycle/s",
            min=round(min(rates), 3),
            mean=round(sum(rates) / len(rates), 3),
            max=round(max(rates), 3),
            samples=runs,
            lost=lost,
            published_min=None,
            published_max=None,
            command=command,
        )
    ]
