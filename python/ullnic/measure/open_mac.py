# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The error of the method: an open MAC and PCS whose latency on a board is public, in the bench of macpcs.

This project contains nothing of it: the user names a copy. The bench, the frames and the transceiver's delay are those
of the 32-bit configuration without a FIFO.
"""

import json
import math
import shutil
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from ullnic.build import FOLDER, SANITIZE, SOURCE, CMakeBuild
from ullnic.configs import DEFAULT, UI_PS
from ullnic.configs import config as config_of
from ullnic.errors import UllnicError
from ullnic.measure.records import reference_rows
from ullnic.toolchain import find_verilator, verilator_root

NAME = "ttchisholm/10g-low-latency-ethernet"
HDL, CRC = "src/hdl", "src/lib/slicing_crc/hdl"
PARTS = ("decoder", "encoder", "rx_gearbox", "tx_gearbox", "gearbox_seq", "lock_state", "scrambler", "pcs")
FILES = (
    *(f"{HDL}/pcs/{part}.sv" for part in PARTS),
    *(f"{HDL}/mac/{part}.sv" for part in ("tx_mac", "rx_mac", "mac")),
    f"{HDL}/mac_pcs.sv",
    f"{CRC}/slicing_crc.sv",
)
TABLES = f"{CRC}/crc_tables.mem"  # the model reads it from its working directory
WRAPPER = SOURCE / "src/sweep/open_mac/link_card.sv"
DIRECTORY = FOLDER / "open-mac"
PROGRAM = "ullnic-macpcs-sweep"
BYTES = "16-64"  # shorter frames are sometimes identical, and it loses some
CYCLE_NS = float(32 * UI_PS) / 1000


@dataclass(frozen=True)
class Figures:
    """`counted`: cycles as the board's counter shows them, with their counts.

    `phases`: phases of the receive clock at which every frame arrived, out of how many; `phase_means_ns`: the lowest
    and highest mean of one phase.
    """

    samples: int
    min_ns: float
    mean_ns: float
    max_ns: float
    counted: dict[int, int]
    phases: int
    of_phases: int
    phase_means_ns: tuple[float, float]

    @property
    def counted_mean_ns(self) -> float:
        return mean_ns(self.counted)


def mean_ns(counted: dict[int, int]) -> float:
    return sum(cycles * count for cycles, count in counted.items()) / sum(counted.values()) * CYCLE_NS


def published() -> dict[tuple[str, str], float]:
    """The published figures by item and statistic."""
    return {(row["item"], row["statistic"]): float(row["value"]) for row in reference_rows("open_mac.csv")}


def build(copy: Path) -> Path:
    """Builds the bench with the copy's RTL; returns the program's path."""
    copy = copy.absolute()
    missing = [name for name in (*FILES, TABLES) if not (copy / name).is_file()]
    if missing:
        raise UllnicError(
            f"{copy} is no whole copy of {NAME}: {', '.join(missing)} missing",
            "name the folder of your own copy, with its submodule src/lib/slicing_crc",
        )
    if any(map(str.isspace, str(copy))):
        raise UllnicError(
            f"the path '{copy}' has a space, which Verilator's lists of files cannot name", "move the copy"
        )
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    listing = DIRECTORY / "open_mac.f"
    # Its warnings are not ours to fix.
    lines = ["-Wno-fatal", f"+incdir+{copy / HDL / 'include'}", *(str(copy / name) for name in FILES), str(WRAPPER)]
    listing.write_text("\n".join(lines) + "\n")
    options = (f"-DVERILATOR_EXECUTABLE={find_verilator()}", f"-DVERILATOR_ROOT={verilator_root()}", *SANITIZE)
    options = (*options, f"-DULLNIC_RTL_F={listing}", "-DULLNIC_TESTS=OFF")
    made = CMakeBuild("the bench with the open MAC", SOURCE, DIRECTORY / "sim", options, True)
    made.configure()
    made.make(PROGRAM, DEFAULT)
    shutil.copy(copy / TABLES, DIRECTORY)
    return DIRECTORY / "sim/bin" / PROGRAM


def measure(program: Path, frames: int, seed: int) -> Figures:
    """Sends this many frames at each phase of the receive clock; lost or damaged frames are the other core's fault."""
    bits = config_of(DEFAULT).pma_bits
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [str(program), "--config", DEFAULT, "--delay-ui", str(config_of(DEFAULT).transceiver_ui)]
        command += ["--offsets", "0", "--leads", f"0-{bits - 1}", "--len", BYTES, "--frames", str(-(-frames // bits))]
        command += ["--seed", str(seed), "--json", out.name]
        done = subprocess.run(command, capture_output=True, text=True, cwd=DIRECTORY)
        text = Path(out.name).read_text()
    if not text:
        raise UllnicError(f"the bench with the open MAC failed: {done.stderr.strip()}", "see its copy's README")
    return figures(json.loads(text)["points"])


def figures(points: list[dict]) -> Figures:
    """Figures of the phases at which no frame was lost or damaged."""
    whole = [point for point in points if point["lost"] + point["damaged"] == 0]
    if not whole:
        raise UllnicError("no phase of the receive clock passed every frame", f"is it a copy of {NAME} that works?")
    found = [(ns, count) for point in whole for ns, count in point["sop_to_sop_ns"]["histogram"]]
    samples = sum(count for _, count in found)
    each = [mean_ns(counted(point["sop_to_sop_ns"]["histogram"])) for point in whole]
    return Figures(
        samples=samples,
        min_ns=min(ns for ns, _ in found),
        mean_ns=sum(ns * count for ns, count in found) / samples,
        max_ns=max(ns for ns, _ in found),
        counted=counted(found),
        phases=len(whole),
        of_phases=len(points),
        phase_means_ns=(min(each), max(each)),
    )


def counted(histogram: list[tuple[float, int]]) -> dict[int, int]:
    """Latencies between sampled edges, ns, as the board's counter shows them: cycles and how often.

    It counts in the transmit clock. The receive edge before the one that samples the word sets the signal. The next
    transmit edge captures it in the first of two synchroniser registers, and the counter stops a cycle later.
    """
    cycles: Counter[int] = Counter()
    for ns, count in histogram:
        cycles[math.floor(ns / CYCLE_NS + 1e-3) + 1] += count
    return dict(sorted(cycles.items()))


def text(found: Figures, command: str) -> str:
    """Text of the table in docs/measurement.md."""
    known = published()
    theirs_ns = known["sop_to_sop_with_crossing", "mean"]
    ours_ns, (low, high) = found.counted_mean_ns, found.phase_means_ns
    ends = f"{known['sop_to_sop_with_crossing', 'minimum']:.0f} or {known['sop_to_sop_with_crossing', 'maximum']:.0f}"
    rows = [
        "| SoP to SoP | on the board | in this bench |",
        "| --- | ---: | ---: |",
        f"| cycles of the counter | {ends} | {' or '.join(map(str, found.counted))} |",
        f"| mean, ns | {theirs_ns:.1f} | {ours_ns:.1f} |",
        f"| mean at one phase of the receive clock, ns | {theirs_ns:.1f} | {low:.1f} to {high:.1f} |",
        f"| between sampled edges, ns | - | {found.min_ns:.2f} to {found.max_ns:.2f}, mean {found.mean_ns:.2f} |",
    ]
    return "\n".join(
        [
            *rows,
            "",
            f"**The difference is {ours_ns - theirs_ns:+.1f} ns, {(ours_ns - theirs_ns) / CYCLE_NS:+.2f} cycles.** "
            f"{found.samples} frames at {found.phases} of {found.of_phases} phases.",
            "",
            f"Simulated. Made by `{command} --update-docs`.",
        ]
    )
