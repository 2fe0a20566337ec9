# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Latency of macpcs: its transmitter joined to its receiver, every bit offset and gearbox phase.

The frames, their check and the sampling are the sweep program's (sim/); this module runs it and gathers the figures.
"""

import json
import subprocess
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.measure.records import Record, published_ns, transceiver_ui

UI_PS = Fraction(10**12, 10_312_500_000)  # one bit on the line


@dataclass(frozen=True)
class Config:
    name: str
    label: str
    pma_bits: int
    mac_bits: int
    rx_fifo: int = 0
    tx_fifo: int = 0

    @property
    def user_period_ps(self) -> Fraction:
        return self.mac_bits * UI_PS


CONFIGS = [Config("nofifo_pma32_mac32", "no FIFO, 32/32", 32, 32)]


@dataclass(frozen=True)
class Sweep:
    """What one run of the sweep program covers."""

    suffix: str  # of the metric's name
    title: str
    delay_ui: int
    offsets: str
    frames_share: float  # of the frames asked for, per offset

    @property
    def composite(self) -> bool:
        return self.delay_ui != 0


def sweeps(config: Config) -> list[Sweep]:
    ui = transceiver_ui(config.pma_bits)
    return [
        Sweep("_wire_offset0", "wire, offset 0", 0, "0-0", 1.0),
        Sweep("_wire", "wire, offsets 0-65", 0, "0-65", 0.1),
        Sweep("", f"with transceiver, {ui} UI", ui, "0-0", 1.0),
    ]


def run_sweep(binaries: Path, sweep: Sweep, frames: int, seed: int) -> list[dict]:
    """The points of one sweep, one an offset; an error if a frame was lost or damaged."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [str(binaries / "ullnic-macpcs-sweep"), "--delay-ui", str(sweep.delay_ui)]
        command += ["--offsets", sweep.offsets, "--frames", str(max(1, int(frames * sweep.frames_share)))]
        command += ["--len", "1-64", "--gap", "random", "--seed", str(seed), "--json", out.name]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            text = (done.stderr or done.stdout).strip() or f"exit code {done.returncode}"
            raise UllnicError(
                f"the sweep '{sweep.title}' failed: {text}",
                f"repeat it with: {' '.join(command[:-2])}",
            )
        return json.load(out)["points"]


def merge(points: list[dict], key: str) -> tuple[float, float, float, int]:
    """Minimum, mean, maximum (cycles) and number of samples over all points."""
    parts = [p[key] for p in points]
    samples = sum(p["samples"] for p in parts)
    mean = sum(p["mean"] * p["samples"] for p in parts) / samples
    return min(p["min"] for p in parts), mean, max(p["max"] for p in parts), samples


def measure_config(binaries: Path, config: Config, frames: int, seed: int, command: str, progress):
    """All records of one configuration. `progress` is called with a line of text before each sweep."""
    records = []
    for sweep in sweeps(config):
        progress(f"{config.label}: {sweep.title}")
        points = run_sweep(binaries, sweep, frames, seed)
        lost = sum(p["lost"] + p["damaged"] for p in points)
        for metric in ("sop_to_sop", "sop_to_sof"):
            low, mean, high, samples = merge(points, f"{metric}_cycles")
            ns = float(config.user_period_ps) / 1000
            scale, unit, digits = (ns, "ns", 2) if sweep.composite else (1, "cycle", 3)
            published = (None, None)
            if sweep.composite:
                published = published_ns(metric, config.rx_fifo, config.tx_fifo, config.pma_bits, config.mac_bits)
            records.append(
                Record(
                    core="macpcs",
                    config=config.name,
                    metric=metric + sweep.suffix,
                    unit=unit,
                    min=round(low * scale, digits),
                    mean=round(mean * scale, digits),
                    max=round(high * scale, digits),
                    samples=samples,
                    lost=lost,
                    published_min=published[0],
                    published_max=published[1],
                    command=command,
                )
            )
    return records
