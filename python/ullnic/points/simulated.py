# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Points measured in simulation: macpcs, its transmitter joined to its receiver."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ullnic.build import build_sim
from ullnic.configs import REFERENCE, UI_PS, Config
from ullnic.configs import config as config_of
from ullnic.core_configs import path_of
from ullnic.measure import macpcs as measure
from ullnic.measure.macpcs import Sweep, sweeps
from ullnic.paths import ROOT
from ullnic.points.point import Point, digest
from ullnic.points.sources import BUILD_FILES, digest_of_files, program_sources
from ullnic.sources import listed_files
from ullnic.toolchain import find_verilator, verilator_version

LATENCY, SIZE, RATE = "latency", "size", "rate"
# Frame lengths in bytes without FCS: up to Ethernet's maximum, then jumbo.
SIZES = (60, 64, 72, 80, 96, 112, 128, 192, 256, 384, 512, 640, 768, 1024, 1280, 1514, 2044, 4092, 8996)
FEWEST_FRAMES = 10  # of each size at each phase
SHARE_SIZE, SHARE_RATE = 32, 40  # each size has this part of the frames of a latency sweep
MAIN_SWEEP = "transceiver"  # the one that is compared with published figures


def sources() -> list[Path]:
    """What the figures depend on, besides the options: the RTL, the simulation, and what gathers the figures."""
    rtl = listed_files(ROOT / "cards/link/rtl/link_card.f", ROOT)
    ours = [Path(__file__), Path(measure.__file__), ROOT / "python/ullnic/configs.py", ROOT / path_of("macpcs")]
    return [*rtl, *program_sources("sweep"), *ours, REFERENCE / "macpcs.csv", REFERENCE / "transceiver.csv"]


def content() -> str:
    """Digest of everything a simulated figure depends on. The compiler is not in it: the model computes the same."""
    return content_of(sources())


def content_of(sources: Iterable[Path]) -> str:
    version = verilator_version(find_verilator())
    return digest(f"{digest_of_files(*sources, *BUILD_FILES)} Verilator {version}".encode())


def points(config: Config, frames: int, seed: int, sources: str) -> list[Point]:
    options = (("frames", frames), ("seed", seed))
    thousands = frames / 1000

    def point(kind: str, variant: str, cost_s: float) -> Point:
        return Point("macpcs", kind, config.name, variant, options, sources, cost_s)

    latency = [point(LATENCY, variant_of(sweep), 1 + 0.2 * thousands) for sweep in sweeps(config, frames)]
    return [*latency, point(SIZE, MAIN_SWEEP, 1 + 0.5 * thousands), point(RATE, "back-to-back", 1 + 0.2 * thousands)]


def variant_of(sweep: Sweep) -> str:
    return sweep.suffix.removeprefix("_") or MAIN_SWEEP


def build_for(configs: Iterable[str]) -> Path:
    """Builds the programs that measure the points of these configurations; returns their directory."""
    return build_sim(targets=("ullnic-macpcs-sweep",), configs=tuple(configs))


def run(point: Point) -> dict:
    """Builds what the point needs, then measures it."""
    config, options = config_of(point.config), dict(point.options)
    binaries = build_for([config.name])
    chosen = {variant_of(sweep): sweep for sweep in sweeps(config, options["frames"])}
    if point.kind == LATENCY:
        return measure.measure_sweep(binaries, config, chosen[point.variant], options["seed"])
    by_size = size if point.kind == SIZE else rate
    rows = [by_size(binaries, config, chosen[MAIN_SWEEP], length, **options) for length in SIZES]
    return {"lost": sum(row.pop("lost") for row in rows), "sizes": rows}


def size(binaries: Path, config: Config, sweep: Sweep, length: int, frames: int, seed: int) -> dict:
    """Latency of frames of one length, in ns, at every phase of the sweep."""
    phases = config.pma_bits if config.fifo else 1
    each = replace(sweep, title=f"{length} bytes", frames=max(FEWEST_FRAMES, frames // SHARE_SIZE // phases))
    found = measure.measure_sweep(binaries, config, each, seed, len=str(length))
    figures = {metric: measure.pool([found[metric]]) for metric in measure.METRICS}
    return {"bytes": length, "frames": found["frames"], "lost": found["lost"], **figures}


def rate(binaries: Path, config: Config, sweep: Sweep, length: int, frames: int, seed: int) -> dict:
    """Frames of one length, each offered as soon as the previous one has been accepted: how many cross in a second.

    Measured on the line: from the start of the first frame to the start of the last one.
    """
    title, each_frames = f"{length} bytes back to back", max(100, frames // SHARE_RATE)
    each = replace(sweep, title=title, leads="0", late_tenths=0, frames=each_frames)
    [found] = measure.run_sweep(binaries, config, each, seed, gap="back-to-back", len=str(length))
    seconds = float(found["line"]["start_to_start_ui"] * UI_PS) * 1e-12
    gaps = {int(octets): count for octets, count in found["gaps"].items()}
    return {
        "bytes": length,
        "frames": found["line"]["frames"],
        "lost": found["lost"] + found["damaged"],
        "frames_per_s": (found["line"]["frames"] - 1) / seconds,
        "gap_octets": {"min": min(gaps), "max": max(gaps)},
    }
