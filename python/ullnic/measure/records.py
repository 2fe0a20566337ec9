# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The record of every measured figure, and the published figures from reference/."""

import csv
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from ullnic.configs import REFERENCE, Config
from ullnic.errors import UllnicError


@dataclass(frozen=True)
class Record:
    """One figure. `lost` counts frames lost or damaged; `command` reproduces the figure.

    `percentiles`, where requested: by percent of the samples ("99.9"). `clock_mhz`, `payload_bytes`, `queues`: of
    figures that are measured at several values. A rate has the upper bound of its interfaces, `bound_by` (which of
    them), how busy each was, and the published rates where there are several.
    """

    core: str
    config: str
    metric: str
    unit: str
    min: float
    mean: float
    max: float
    samples: int
    lost: int
    published_min: float | None
    published_max: float | None
    command: str
    percentiles: dict[str, float] | None = None
    clock_mhz: float | None = None
    payload_bytes: int | None = None
    queues: int | None = None
    bound: float | None = None
    bound_by: str | None = None
    stated_bound: float | None = None
    busy: dict[str, float] | None = None
    published_by: dict[str, float] | None = None


TIE_NS = 0.02  # published figures contradict each other by up to this: cycle and spread are known, and they are rounded
OPTIONAL = (
    *("percentiles", "clock_mhz", "payload_bytes", "queues"),
    *("bound", "bound_by", "stated_bound", "busy", "published_by"),
)


def as_json(record: Record) -> dict:
    """Omits fields without a value."""
    return {name: value for name, value in asdict(record).items() if name not in OPTIONAL or value is not None}


def write_json(path: Path, records: list[Record]) -> None:
    try:
        path.write_text(json.dumps([as_json(r) for r in records], indent=2) + "\n")
    except OSError as error:
        raise UllnicError(
            f"cannot write {path}: {error.strerror}", "name a file in a folder that you may write to"
        ) from error


def reference_rows(name: str) -> list[dict[str, str]]:
    with open(REFERENCE / name, newline="") as file:
        return list(csv.DictReader(file))


def published_ns(metric: str, config: Config) -> tuple[float, float] | tuple[None, None]:
    """(minimum, maximum) in ns of a row of macpcs.csv, or (None, None) where none was published."""
    key = [metric, *(str(int(n)) for n in (config.rx_fifo, config.tx_fifo, config.pma_bits, config.mac_bits))]
    for row in reference_rows("macpcs.csv"):
        if [row[c] for c in ("metric", "rx_fifo", "tx_fifo", "pma_bits", "mac_bits")] == key:
            return float(row["min_ns"]), float(row["max_ns"])
    return None, None


def verdict(record: Record) -> str:
    """Compared with its published row: "lower", "tie", "higher"; for each end if they differ; "-" without a row."""
    if record.published_min is None:
        return "-"
    ends = [against(record.min, record.published_min), against(record.max, record.published_max)]
    return ends[0] if ends[0] == ends[1] else f"min {ends[0]}, max {ends[1]}"


def against(ours_ns: float, theirs_ns: float) -> str:
    """Latencies differ by at least a cycle, so a difference within TIE_NS is a tie."""
    if abs(ours_ns - theirs_ns) <= TIE_NS:
        return "tie"
    return "lower" if ours_ns < theirs_ns else "higher"
