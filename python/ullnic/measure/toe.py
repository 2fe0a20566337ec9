# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Latency and bandwidth of the TCP engine (toe), by payload size, compared with the published rows.

The sweep program (sim/src/toe_sweep) models the lines and the peer, checks every byte and counts cycles. This module
runs it and gathers the figures.
"""

import json
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ullnic.engines import EngineConfig
from ullnic.errors import UllnicError
from ullnic.measure.records import Record, reference_rows

CORE = "toe"
LATENCY, BANDWIDTH = "latency", "bandwidth"
SIZES = {LATENCY: (1, *range(8, 2049, 8)), BANDWIDTH: (1, *range(16, 513, 16))}
PATHS = ("tx", "rx", "rtt")
MODES = ("cut_through", "store_forward")
ANY_PAUSE = "_any_pause"  # the line may pause at every word, not only where it does in the published figures
BEHIND = "behind_the_verdict"  # receive: from the frame's last word, which carries the verdict
NO_LENGTH = "store_forward_no_length"
BOTH_WAYS = "both_ways"
LINE_MBIT_S = 10_000
DIGITS = 2
REPEATS = 2  # for each latency
SHARE_FRAMES = 200  # one in this many of the report's frames is sent for each size
FEWEST_FRAMES = 100
# Engines compared with the published figures: the closed core accepts 16 bytes a cycle and delivers 8 to its user.
TRANSMIT_BITS, RECEIVE_BITS = 128, 64


@dataclass(frozen=True)
class EngineClock:
    name: str
    mhz: str  # as in reference/tcp_latency.csv

    @property
    def label(self) -> str:
        return f"{float(self.mhz):.2f}".rstrip("0").rstrip(".") + " MHz"


CLOCKS = (EngineClock("322", "322.265625"), EngineClock("350", "350"))


def clock(name: str) -> EngineClock:
    return next(each for each in CLOCKS if each.name == name)


@cache
def published(measured: str) -> dict[tuple[str, str, str, int], float]:
    """Published figures by clock, path, mode and payload: ns, or Mbit/s of the line."""
    latency = measured == LATENCY
    rows = reference_rows("tcp_latency.csv" if latency else "tcp_bandwidth.csv")
    figure = "latency_ns" if latency else "bandwidth_mbit_s"
    return {
        (row["clock_mhz"].split(".")[0], row["path"], row["mode"], int(row["payload_bytes"])): float(row[figure])
        for row in rows
    }


def published_sizes(measured: str) -> list[int]:
    return sorted({payload for *_, payload in published(measured)})


def published_of(engine: EngineConfig, at: EngineClock, measured: str, row: dict) -> float | None:
    """The published figure for this row of this engine. Each published row is compared with one engine only."""
    widths = (engine.transmit_bits, engine.receive_bits) == (TRANSMIT_BITS, RECEIVE_BITS)
    if not widths or (engine.store_forward and row["path"] == "tx"):
        return None
    return published(measured).get((at.name, row["path"], row["mode"], row["payload_bytes"]))


def frames_of(frames: int) -> int:
    """Frames of each size, for the bandwidth. `frames`: of a whole sweep."""
    return max(FEWEST_FRAMES, frames // SHARE_FRAMES)


def run_sweep(
    binaries: Path,
    engine: EngineConfig,
    at: EngineClock,
    measured: str,
    frames: int,
    seed: int,
    sizes: Sequence[int] | None = None,
) -> dict:
    """The output of the program; raises an error if any received data was wrong."""
    listed = [str(size) for size in sizes or SIZES[measured]]
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [
            str(binaries / engine.program),
            "--measure",
            measured,
            "--clock",
            at.mhz,
            "--sizes",
            ",".join(listed),
        ]
        command += ["--seed", str(seed)]
        if measured == LATENCY:
            known = [str(size) for size in published_sizes(LATENCY) if str(size) in listed]
            command += ["--repeats", str(REPEATS), *(["--anywhere", ",".join(known)] if known else [])]
        else:
            command += ["--frames", str(frames_of(frames))]
        done = subprocess.run([*command, "--json", out.name], capture_output=True, text=True)
        if done.returncode:
            text = (done.stderr or done.stdout).strip() or f"exit code {done.returncode}"
            raise UllnicError(
                f"the sweep '{engine.label}, {at.label}: {measured}' failed: {text}",
                f"repeat it with: {' '.join(command)}",
            )
        return json.load(out)


def measure_sweep(
    binaries: Path,
    engine: EngineConfig,
    at: EngineClock,
    measured: str,
    frames: int,
    seed: int,
    sizes: Sequence[int] | None = None,
) -> dict:
    """`cycle_ns`, and a row for each path, mode and payload."""
    found = run_sweep(binaries, engine, at, measured, frames, seed, sizes)
    rows = found["rows"]
    for row in rows:
        if measured == LATENCY:
            row |= row.pop("cycles")
            del row["histogram"]
    return {"cycle_ns": found["cycle_ns"], "rows": rows}


def records_of(engine: EngineConfig, at: EngineClock, measured: str, result: dict, command: str) -> list[Record]:
    """A record for each path, mode and payload: ns, or Mbit/s of the line."""
    records = []
    for row in result["rows"]:
        if measured == LATENCY:
            low, mean, high = (round(row[name] * result["cycle_ns"], DIGITS) for name in ("min", "mean", "max"))
        else:
            low = mean = high = round(row["line_mbit_s"], DIGITS)
        theirs = published_of(engine, at, measured, row)
        records.append(
            Record(
                core=CORE,
                config=engine.name,
                metric=f"{row['path']}_{row['mode']}" + ("_line" if measured == BANDWIDTH else ""),
                unit="ns" if measured == LATENCY else "Mbit/s",
                min=low,
                mean=mean,
                max=high,
                samples=row["samples"] if measured == LATENCY else row["frames"],
                lost=row.get("dropped", 0),
                published_min=theirs,
                published_max=theirs,
                command=command,
                clock_mhz=float(at.mhz),
                payload_bytes=row["payload_bytes"],
            )
        )
    return records


def summaries(engine: EngineConfig, at: EngineClock, measured: str, result: dict, command: str) -> list[Record]:
    """Figures that have limits: for each path and mode over all payloads, cycles, or unused Mbit/s of the line."""
    records = []
    for path, mode in dict.fromkeys((row["path"], row["mode"]) for row in result["rows"]):
        rows = [row for row in result["rows"] if (row["path"], row["mode"]) == (path, mode)]
        if measured == LATENCY:
            low, high = min(row["min"] for row in rows), max(row["max"] for row in rows)
            mean, samples = sum(row["mean"] for row in rows) / len(rows), sum(row["samples"] for row in rows)
        else:
            unused = [round(LINE_MBIT_S - row["line_mbit_s"], DIGITS) for row in rows]
            low, high, mean = min(unused), max(unused), sum(unused) / len(unused)
            samples = sum(row["frames"] for row in rows)
        records.append(
            Record(
                core=CORE,
                config=engine.name,
                metric=f"{path}_{mode}_{at.name}mhz" + ("_unused" if measured == BANDWIDTH else ""),
                unit="cycle" if measured == LATENCY else "Mbit/s",
                min=low,
                mean=round(mean, DIGITS),
                max=high,
                samples=samples,
                lost=sum(row.get("dropped", 0) for row in rows),
                published_min=None,
                published_max=None,
                command=command,
                clock_mhz=float(at.mhz),
            )
        )
    return records


def measure_engine(
    binaries: Path, engine: EngineConfig, frames: int, seed: int, command: str, progress
) -> tuple[list[Record], list[Record]]:
    """All records of one engine, and their summaries. `progress` is called with a line of text before each sweep."""
    records, totals = [], []
    for measured in (LATENCY, BANDWIDTH):
        for at in CLOCKS:
            progress(f"{engine.label}, {at.label}: {measured}")
            result = measure_sweep(binaries, engine, at, measured, frames, seed)
            records += records_of(engine, at, measured, result, command)
            totals += summaries(engine, at, measured, result, command)
    return records, totals


def beaten(records: Iterable[Record]) -> tuple[int, int]:
    """How many published latencies exceed our highest, and the number of published latencies."""
    known = [record for record in records if record.unit == "ns" and record.published_max is not None]
    return sum(record.max < record.published_max for record in known), len(known)
