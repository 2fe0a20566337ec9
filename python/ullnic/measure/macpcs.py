# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Latency of macpcs: its transmitter joined to its receiver, every bit offset, gearbox phase and phase of the clocks.

The sweep program (sim/) generates the frames, checks them and samples. This module runs it and gathers the figures.
"""

import json
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ullnic.configs import Config, own_khz
from ullnic.errors import UllnicError
from ullnic.measure.records import Record, published_ns

METRICS = ("sop_to_sop", "sop_to_sof")
FEWEST_FRAMES = 20  # for each point
SURE_FRAMES = 600  # for a point whose extreme may occur in one of 33 gearbox phases: missed once in 10^8
DIGITS = {"ns": 2, "cycle": 3}
BEAT_FRAMES = 8  # factor for a user clock that drifts through all phases: its extremes are rare


@dataclass(frozen=True)
class Sweep:
    """One run of the sweep program."""

    suffix: str  # part of the metric's name
    title: str
    delay_ui: int
    offsets: str
    leads: str  # receive clock's edges before the transmit clock's, in bit times
    frames: int  # at each point
    late_tenths: int = 0  # of a bit time: delay of the receive clock's edges beyond `leads`
    odd: tuple[bool, ...] = (False,)  # the receiving user's half clock takes the odd edges of the receive clock

    @property
    def composite(self) -> bool:
        return self.delay_ui != 0


def sweeps(config: Config, frames: int) -> list[Sweep]:
    """The wire, and the transceiver's delay: "" is compared with published figures.

    Where a FIFO crosses between clocks, the receive clock takes every phase in steps of a bit time. An independent user
    clock beats with both. Without a FIFO the latency contains the phase of the receive clock. So "" has the phase of
    the published figures, "_any_phase" every phase, and the others have aligned edges.
    """
    ui, title = config.transceiver_ui, f"with transceiver, {config.transceiver_ui} UI"
    every, odd = f"0-{config.pma_bits - 1}", half_clock_edges(config)

    def shared(frames: int, phases: int) -> int:
        return max(FEWEST_FRAMES, -(-frames // phases))

    if config.fifo:
        each = shared(frames * (BEAT_FRAMES if own_khz(config.rx_user_clock) else 1), config.pma_bits)
        tenth = shared(frames, 10 * config.pma_bits)
        return [
            Sweep("_wire_offset0", "wire, offset 0", 0, "0-0", every, each, odd=odd),
            Sweep("_wire", "wire, offsets 0-65", 0, "0-65", every, tenth, odd=odd),
            Sweep("", title, ui, "0-0", every, each, odd=odd),
        ]
    lag, late_tenths = divmod(published_phase_tenths(config), 10)
    lead = -lag % config.pma_bits
    like_odd = (lag >= config.pma_bits,)
    each, a_phase = shared(frames, 1), max(SURE_FRAMES, shared(frames, config.pma_bits))
    return [
        Sweep("_wire_offset0", "wire, offset 0", 0, "0-0", "0-0", each, odd=odd),
        Sweep("_wire", "wire, offsets 0-65", 0, "0-65", "0-0", shared(frames, 10), odd=odd),
        Sweep("", f"{title}, published phase", ui, "0-0", f"{lead}-{lead}", each, late_tenths, like_odd),
        Sweep("_any_phase", f"{title}, every phase", ui, "0-0", every, a_phase, odd=odd),
        Sweep("_aligned", f"{title}, edges aligned", ui, "0-0", "0-0", each, odd=odd),
    ]


def published_phase_tenths(config: Config) -> int:
    """Tenths of a bit time from an edge of the transmitting user's clock to the receiving user's next one.

    No published row without a FIFO is a whole number of cycles. The fraction of its minimum from SoP to SoP is this
    phase: 35.42 ns are 11.415 cycles of 32 bit times, so 13.3 bit times.
    """
    minimum, _ = published_ns("sop_to_sop", config)
    cycles = minimum * 1000 / float(config.user_period_ps)
    return round(cycles % 1 * 10 * config.mac_bits)


def run_sweep(binaries: Path, config: Config, sweep: Sweep, seed: int, *more: str, **other: str) -> list[dict]:
    """The points of one sweep, one for each offset and phase; raises an error if a frame was lost or damaged.

    `other`: values that replace the usual ones of the program's options (`len`, `gap`); `more`: further options.
    """
    values = {"len": "1-64", "gap": "random", "seed": str(seed), **other}
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [str(binaries / "ullnic-macpcs-sweep"), "--config", config.name, "--delay-ui", str(sweep.delay_ui)]
        command += ["--offsets", sweep.offsets, "--leads", sweep.leads, "--late-tenths", str(sweep.late_tenths)]
        command += ["--frames", str(sweep.frames)]
        command += [part for name, value in values.items() for part in (f"--{name}", value)]
        command += [*more, "--json", out.name]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            text = (done.stderr or done.stdout).strip() or f"exit code {done.returncode}"
            raise UllnicError(
                f"the sweep '{config.label}: {sweep.title}' failed: {text}",
                f"repeat it with: {' '.join(command[:-2])}",
            )
        return json.load(out)["points"]


def merge(points: list[dict], key: str) -> dict:
    """Samples, minimum, mean, maximum and histogram over all points."""
    parts = [p[key] for p in points if p[key]["samples"]]
    counts: Counter[float] = Counter()
    for part in parts:
        counts.update(dict(part["histogram"]))
    return pool(parts) | {"histogram": sorted(counts.items())}


def pool(parts: Iterable[dict]) -> dict:
    """Samples, minimum, mean and maximum over parts with these fields."""
    parts = [part for part in parts if part["samples"]]
    samples = sum(part["samples"] for part in parts)
    if not samples:
        return {"samples": 0}
    mean = sum(part["mean"] * part["samples"] for part in parts) / samples
    low, high = min(part["min"] for part in parts), max(part["max"] for part in parts)
    return {"samples": samples, "min": low, "mean": mean, "max": high}


def by(name: str, rows: Iterable[dict], suffix: str) -> list[dict]:
    """Rows of the same `name` pooled, sorted by it: [{name: 0, "sop_to_sop": {...}, "sop_to_sof": {...}}, ...]."""
    groups: dict[int, list[dict]] = defaultdict(list)
    for row in rows:
        groups[row[name]].append(row)
    return [
        {name: value} | {metric: pool(row[f"{metric}_{suffix}"] for row in group) for metric in METRICS}
        for value, group in sorted(groups.items())
    ]


def unit_of(sweep: Sweep, points: list[dict]) -> tuple[str, str]:
    """(key of the points, unit): cycles on the wire if the sending and the receiving user share a clock."""
    if sweep.composite or any("sop_to_sop_cycles" not in p for p in points):
        return "ns", "ns"
    return "cycles", "cycle"


def half_clock_edges(config: Config) -> tuple[bool, ...]:
    """The choices of the receive clock's edges for the user's half clock: whether it takes the odd ones."""
    return (False, True) if config.rx_user_clock == "rx/2" else (False,)


def measure_sweep(binaries: Path, config: Config, sweep: Sweep, seed: int, **other: str) -> dict:
    """Results of a sweep over all its points: latency as a whole, by offset, and by phase of the gearbox.

    The latencies are in the unit that `unit` says; those by phase in ns.
    """
    points = []
    for odd in sweep.odd:
        points += run_sweep(binaries, config, sweep, seed, *(["--odd"] if odd else []), **other)
    suffix, unit = unit_of(sweep, points)
    return {
        "unit": unit,
        "frames": sum(p["frames"] for p in points),
        "lost": sum(p["lost"] + p["damaged"] for p in points),
        **{metric: merge(points, f"{metric}_{suffix}") for metric in METRICS},
        "by_offset": by("offset", points, suffix),
        "by_phase": by("bit", (row for p in points for row in p["by_phase"]), "ns"),
    }


def records_of(config: Config, sweep: Sweep, result: dict, command: str) -> list[Record]:
    """The records of a sweep, one for each metric."""
    digits = DIGITS[result["unit"]]
    records = []
    for metric in METRICS:
        found = result[metric]
        published = published_ns(metric, config) if config.compared and not sweep.suffix else (None, None)
        records.append(
            Record(
                core="macpcs",
                config=config.name,
                metric=metric + sweep.suffix,
                unit=result["unit"],
                min=round(found["min"], digits),
                mean=round(found["mean"], digits),
                max=round(found["max"], digits),
                samples=found["samples"],
                lost=result["lost"],
                published_min=published[0],
                published_max=published[1],
                command=command,
            )
        )
    return records


def measure_config(binaries: Path, config: Config, frames: int, seed: int, command: str, progress) -> list[Record]:
    """All records of one configuration. `progress` is called with a line of text before each sweep."""
    records = []
    for sweep in sweeps(config, frames):
        progress(f"{config.label}: {sweep.title}")
        records += records_of(config, sweep, measure_sweep(binaries, config, sweep, seed), command)
    return records
