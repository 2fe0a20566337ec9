# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Packet rates of the DMA (qdma) on a model of the PCIe link, compared with their bounds and the published rows.

The sweep program (sim/src/qdma_sweep) models link, host and driver, checks every packet and measures the rates. This
module runs it, computes the bounds and gathers the figures.
"""

import json
import subprocess
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.measure.qdma_bounds import (
    INLINE_ENTRY_BYTES,
    MM_C2H,
    MM_H2C,
    STATED,
    STATED_INLINE,
    Batches,
    Link,
    best,
    bound,
)
from ullnic.measure.records import Record, reference_rows

CORE, PROGRAM = "qdma", "ullnic-qdma-sweep"
FORWARDING, C2H, H2C, BOTH = ("forwarding", "c2h", "h2c", "both")
INLINE, INLINE_C2H, LATENCY, MM_BOTH = ("inline", "inline_c2h", "latency", "mm_both")
OPTED_IN = {INLINE: FORWARDING, INLINE_C2H: C2H}  # to inline receive: what they are without it
OF_DDR4 = {f"{mode}_ddr4": mode for mode in (MM_C2H, MM_H2C, MM_BOTH)}  # what they are with a block RAM
MM_MODES = (MM_C2H, MM_H2C, MM_BOTH, *OF_DDR4)
MODES = (FORWARDING, C2H, H2C, BOTH, *OPTED_IN, *MM_MODES, LATENCY)
# Of the program
ARGUMENTS = (
    {mode: ("--mode", mode) for mode in (FORWARDING, C2H, H2C, BOTH, MM_C2H, MM_H2C, MM_BOTH)}
    | {mode: ("--mode", other, "--inline") for mode, other in OPTED_IN.items()}
    | {mode: ("--mode", other, "--memory", "ddr4") for mode, other in OF_DDR4.items()}
)
ALL_SIZES = tuple(range(64, 4097, 64))
MOST_BYTES, MOST_MM_BYTES = 4096, 32768
MOST_QUEUES, MOST_QUEUES_OF_VF = 2048, 256
# Measured by default: queues by size
FEW = {
    FORWARDING: {64: (1, 2, 4, 8, 16, 64, 512)}
    | dict.fromkeys((128, 256, 512, 1024, 1536, 2048), (1, 8))
    | {4096: (1, 2, 4, 8, 16, 64)},
    C2H: {64: (1, 8, 64, 512), 256: (1, 8, 64), 4096: (1, 8)},
    H2C: {64: (1, 8, 64, 512), 256: (1, 8), 4096: (1, 8)},
    BOTH: {64: (1, 8, 64), 256: (1, 8), 4096: (1, 8)},
    INLINE: {60: (1, 8, 64, 512), 64: (1, 8)},
    INLINE_C2H: {60: (1, 8, 64, 512)},
} | dict.fromkeys(MM_MODES, {64: (1, 8), 4096: (1, 8), 32768: (1,)})
OTHER_QUEUES = (1, 8)  # for other sizes
CALIBRATED_SIZES = (64, 256, 512, 1536, 4096)
CALIBRATION_PACKETS = 16384
CALIBRATION_ERROR = 0.002
OVERHEAD_BYTES = 64  # of a packet, as the program has it for the length of the window: descriptor, entry, headers
EDGE_BYTES = 8000  # what the card's buffers hold at one end of the window, and not at the other
NEAR = 0.99  # of the bound
DIGITS = 3
# From the program; "granted ahead": the packet was granted long before its first beat
LATENCIES = (
    *("doorbell_to_user", "beat_to_payload", "last_beat_to_entry", "ask_to_entry"),
    *("beat_to_payload_granted_ahead", "last_beat_to_entry_granted_ahead"),
)
SYSTEMS = ("amd_pf", "amd_vf", "intel_pf", "intel_vf")  # hosts and functions of reference/qdma_forwarding.csv
# Whose rates are recorded as figures
DIRECTIONS = {FORWARDING: (C2H,), C2H: (C2H,), H2C: (H2C,), BOTH: (C2H, H2C)} | dict.fromkeys(OPTED_IN, (C2H,))
DIRECTIONS |= {MM_C2H: (C2H,), MM_H2C: (H2C,), MM_BOTH: (C2H, H2C)}
DIRECTIONS |= {mode: DIRECTIONS[other] for mode, other in OF_DDR4.items()}


def metric(mode: str, direction: str) -> str:
    """Of a rate: the direction is named where there are two."""
    return f"{mode}_{direction}" if len(DIRECTIONS[mode]) > 1 else mode


@dataclass(frozen=True)
class Options:
    """Options of a whole measurement.

    `more`: options of the program that no bound depends on; `is_vf`: the driver has a VF, not a PF.
    """

    link: Link = Link()
    packets: int = 0
    seed: int = 1
    more: tuple[str, ...] = ()
    is_vf: bool = False

    def arguments(self) -> list[str]:
        link = self.link
        return [
            *("--link", link.name, "--mps", str(link.mps), "--mrrs", str(link.mrrs), "--rcb", str(link.rcb)),
            *("--completion", str(link.completion), "--offset", str(link.offset)),
            *("--packets", str(self.packets), "--seed", str(self.seed), *self.more),
            *(["--vf"] if self.is_vf else []),
        ]


@dataclass(frozen=True)
class Point:
    mode: str
    size: int
    queues: int

    def __str__(self) -> str:
        return f"{self.mode}, {self.size} B, {self.queues} queue{'s' if self.queues > 1 else ''}"


def points(modes: Sequence[str], sizes: Sequence[int], queues: Sequence[int], is_vf: bool = False) -> list[Point]:
    """The points in the order of the tables. Without sizes or queues those of FEW, of a VF what its BAR has."""
    return [
        Point(mode, size, count)
        for mode in modes
        if mode != LATENCY
        for size in sizes or FEW[mode]
        for count in queues or FEW[mode].get(size, OTHER_QUEUES)
        if queues or not is_vf or count <= MOST_QUEUES_OF_VF
    ]


def batches(link: Link, mode: str) -> tuple[Batches, Batches]:
    """The largest that the link allows, and those that are stated."""
    if mode in OPTED_IN:
        return best(link, INLINE_ENTRY_BYTES), STATED_INLINE
    return best(link), STATED


def run(binaries: Path, options: Options, mode: str, sizes: Sequence[int], *more: str) -> list[dict]:
    """The rows that the program prints; raises an error if a packet was lost or wrong."""
    command = [str(binaries / PROGRAM), *ARGUMENTS[mode], "--sizes", ",".join(map(str, sizes)), *options.arguments()]
    command += more
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        text = (done.stderr or done.stdout).strip() or f"exit code {done.returncode}"
        raise UllnicError(
            f"the measurement of {mode}, {sizes[0]} B failed: {text}", f"repeat it with: {' '.join(command)}"
        )
    return json.loads(done.stdout)["rows"]


# --- The link by itself


def calibrate(binaries: Path, options: Options) -> float:
    """The largest error of a perfect source against the formula of the overheads; raises an error if it is large."""
    worst = 0.0
    with_packets = Options(options.link, CALIBRATION_PACKETS, options.seed)
    for mode in (C2H, H2C, BOTH):
        shares = dict.fromkeys(DIRECTIONS[mode], 1.0)
        for row in run(binaries, with_packets, mode, CALIBRATED_SIZES, "--calibrate"):
            wanted, _ = bound(row["size"], options.link, shares, STATED, of_link=True)
            error = row["mpps"] / wanted - 1
            worst = max(worst, error, -error)
            if worst > CALIBRATION_ERROR:
                raise UllnicError(
                    f"the link model is {error:+.2%} off its formula: {mode}, {row['size']} B, {row['mpps']:.2f} Mpps"
                    f" instead of {wanted:.2f}",
                    "a fault of the model (sim/src/pcie) or of the formula (measure/qdma_bounds.py)",
                )
    return worst


# --- The card


@cache
def published() -> dict[tuple[int, int], dict[str, float]]:
    """Published forwarding rates in Mpps by size and queues, for each system."""
    found: dict[tuple[int, int], dict[str, float]] = {}
    for row in reference_rows("qdma_forwarding.csv"):
        key = int(row["packet_size_bytes"]), int(row["queues"])
        found.setdefault(key, {})[row["system"]] = float(row["rate_mpps"])
    return found


def edges(size: int, packets: float) -> float:
    """By which part a rate of this many packets may be above its bound."""
    return EDGE_BYTES / ((size + OVERHEAD_BYTES) * packets)


def measure_point(binaries: Path, options: Options, point: Point) -> dict:
    """The program's row, with the bound of each direction."""
    [row] = run(binaries, options, point.mode, (point.size,), "--queues", str(point.queues))
    if row["lost"]:
        raise UllnicError(
            f"{point}: {row['lost']} of {row['sent']} packets were lost", f"repeat it with --seed {options.seed}"
        )
    rates = {direction: row[f"{direction}_mpps"] for direction in (C2H, H2C)}
    largest, stated = batches(options.link, point.mode)
    row["bounds"] = {}
    for direction in DIRECTIONS[point.mode]:
        # Both directions at once: packets of the other direction for each of this one, as measured.
        others = {each: rates[each] / rates[direction] for each in (C2H, H2C)}
        shares = {C2H: 1.0, H2C: 1.0} if point.mode in (FORWARDING, INLINE) else others
        if point.mode in MM_MODES:
            shares = {MM_C2H: others[C2H], MM_H2C: others[H2C]}
        memory = row["memory_bytes_per_us"]
        most, by = bound(point.size, options.link, shares, largest, memory_bytes_per_us=memory)
        if rates[direction] > most * (1 + edges(point.size, row["packets"])):
            raise UllnicError(
                f"{point}: {rates[direction]:.3f} Mpps are above the bound of {most:.3f} ({by})",
                f"a fault of the rig (sim/src/qdma_sweep, sim/src/pcie): repeat it with --seed {options.seed}",
            )
        of_stated, _ = bound(point.size, options.link, shares, stated, memory_bytes_per_us=memory)
        row["bounds"][direction] = (most, by, of_stated)
    return row


def records_of(point: Point, options: Options, row: dict, command: str) -> list[Record]:
    """One record for each direction, in Mpps."""
    records = []
    for direction, (most, by, stated) in row["bounds"].items():
        rate = round(row[f"{direction}_mpps"], DIGITS)
        theirs = published().get((point.size, point.queues)) if point.mode == FORWARDING else None
        records.append(
            Record(
                core=CORE,
                config=options.link.name,
                metric=metric(point.mode, direction),
                unit="Mpps",
                min=rate,
                mean=rate,
                max=rate,
                samples=int(row["packets"]),
                lost=row["lost"],
                published_min=min(theirs.values()) if theirs else None,
                published_max=max(theirs.values()) if theirs else None,
                command=command,
                payload_bytes=point.size,
                queues=point.queues,
                bound=round(most, DIGITS),
                bound_by=by,
                stated_bound=round(stated, DIGITS),
                busy={name: round(share, 4) for name, share in row["busy"].items()},
                published_by=theirs,
            )
        )
    return records


def measure_all(
    binaries: Path, options: Options, chosen: Sequence[Point], command: str, jobs: int, progress: Callable[[str], None]
) -> list[Record]:
    """Records in the order of the points. `progress` is called with a line of text as each is done."""
    found: dict[Point, list[Record]] = {}
    pool = ThreadPoolExecutor(jobs)
    try:
        running = {pool.submit(measure_point, binaries, options, point): point for point in chosen}
        for number, done in enumerate(as_completed(running), 1):
            point = running[done]
            found[point] = records_of(point, options, done.result(), command)
            progress(f"{point}: {number} of {len(chosen)}")
    finally:
        pool.shutdown(cancel_futures=True)
    return [record for point in chosen for record in found[point]]


def measure_latency(binaries: Path, options: Options, sizes: Sequence[int], command: str) -> list[Record]:
    """Latency of single packets on an idle card, in cycles, without the host's time; without sizes, of 64 bytes."""
    records = []
    for row in run(binaries, options, BOTH, sizes or (64,), "--latency"):
        for name in LATENCIES:
            found = row[name]
            records.append(
                Record(
                    core=CORE,
                    config=options.link.name,
                    metric=f"{LATENCY}_{name}",
                    unit="cycle",
                    min=found["min"],
                    mean=round(found["mean"], DIGITS),
                    max=found["max"],
                    samples=found["samples"],
                    lost=0,
                    published_min=None,
                    published_max=None,
                    command=command,
                    payload_bytes=row["size"],
                )
            )
    return records


def with_limits(records: Iterable[Record]) -> list[Record]:
    """Figures that have limits, by name: the time of a packet in ns; cycles."""
    every = list(records)
    latencies = [record for record in every if record.unit == "cycle"]
    return packet_times(record for record in every if record.unit == "Mpps") + [
        replace(record, metric=f"{record.metric}_{record.payload_bytes}b") for record in latencies
    ]


def packet_times(records: Iterable[Record]) -> list[Record]:
    """The time of a packet in ns for each rate."""
    return [
        Record(
            core=CORE,
            config=record.config,
            metric=f"{record.metric}_{record.payload_bytes}b_{record.queues}q_packet",
            unit="ns",
            min=(time := round(1000 / record.mean, DIGITS)),
            mean=time,
            max=time,
            samples=record.samples,
            lost=record.lost,
            published_min=None,
            published_max=None,
            command=record.command,
        )
        for record in records
    ]


def reached(records: Iterable[Record]) -> tuple[int, int, int]:
    """Counts of published rows: where ours is not below; where ours is so near to the bound that no row above it is
    possible; and all.
    """
    every = [(record, theirs) for record in records for theirs in (record.published_by or {}).values()]
    below = [record for record, theirs in every if record.mean < theirs]
    near = [record for record in below if record.mean >= NEAR * record.bound]
    return len(every) - len(below), len(near), len(every)
