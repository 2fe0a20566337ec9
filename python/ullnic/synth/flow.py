# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Maps configurations of a core, analyses them, and keeps the results."""

import hashlib
import json
import os
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.synth.delays import NET_MODELS
from ullnic.synth.domains import Boundary, Share
from ullnic.synth.mapping import BARE, Design, Mapper, Progress, mappings
from ullnic.synth.netlist import Netlist
from ullnic.synth.resources import Resources, count
from ullnic.synth.sta import Analysis, Step
from ullnic.synth.sta import Path as TimingPath

CLOSES, MARGINAL, FAILS = "expected to close", "marginal", "not"
MOST_PATHS = 20  # of a clock, kept with the result
# Files of this folder that no result depends on: those that name or display it, and place and route.
NOT_ANALYSIS = re.compile("budget|calibrate|cards|command|cores|display|markdown|pnr.*|records")


@dataclass(frozen=True)
class ClockResult:
    clock: str
    mhz: float  # required by the configuration
    levels: int
    fmax_mhz: dict[str, float]  # by net model
    loose_mhz_by_kind: dict[str, float]  # inside the core, at the user's ports, at the transceiver
    paths: tuple[TimingPath, ...]  # the slowest path with the loose model

    @property
    def verdict(self) -> str:
        return verdict(self.mhz, self.fmax_mhz)

    @property
    def margin(self) -> float:
        """Margin of the loose model, which decides the verdict: 0.03 is 3 % above the requirement."""
        return self.fmax_mhz["loose"] / self.mhz - 1

    @property
    def decides(self) -> str:
        """The slowest path with the loose model, which decides the verdict, compared with the period."""
        path = self.paths[0]
        levels = f"{path.levels} level{'' if path.levels == 1 else 's'}"
        return f"{levels}, {path.total_ps:.0f} of {1e6 / self.mhz:.0f} ps"

    def with_paths_of(self, other: "ClockResult") -> "ClockResult":
        """Merges the same clock of two netlists that have no path in common."""
        kinds = {
            kind: min(each.loose_mhz_by_kind[kind] for each in (self, other) if kind in each.loose_mhz_by_kind)
            for kind in {**other.loose_mhz_by_kind, **self.loose_mhz_by_kind}
        }
        paths = sorted((*other.paths, *self.paths), key=lambda path: -path.total_ps)
        return ClockResult(
            self.clock,
            self.mhz,
            max(self.levels, other.levels),
            {model: min(mhz, other.fmax_mhz[model]) for model, mhz in self.fmax_mhz.items()},
            dict(sorted(kinds.items(), key=lambda each: each[1])),
            tuple(paths[:MOST_PATHS]),
        )


@dataclass(frozen=True)
class Result:
    core: str
    config: str
    grade: int
    resources: Resources
    clocks: tuple[ClockResult, ...]
    crossings: int  # ends of paths from other clocks, which are not timed


def verdict(needed_mhz: float, fmax_mhz: dict[str, float]) -> str:
    if fmax_mhz["loose"] >= needed_mhz:
        return CLOSES
    return MARGINAL if fmax_mhz["typical"] >= needed_mhz else FAILS


def synthesise(design: Design, mapper: Mapper, grade: int, progress: Progress = lambda step: None) -> Result:
    directory = mapper.map(design, progress)
    kept = directory / f"result-grade{grade}-{analysis_key()}.json"
    if kept.exists():
        return result_from(json.loads(kept.read_text()))
    progress(f"{design.name}: timing")
    result = analyse(design, directory, grade)
    part = kept.with_suffix(f".{os.getpid()}.part")  # another process may do the same
    part.write_text(json.dumps(asdict(result)))
    part.replace(kept)
    return result


def analyse(design: Design, directory: Path, grade: int) -> Result:
    resources = count(Netlist.read(directory / f"{BARE}.json"))
    clocks: dict[str, ClockResult] = {}
    crossings = 0
    for share in design.boundary.shares():
        found, results = fastest(design, directory, share, grade)
        crossings += found
        for each in results:
            clocks[each.clock] = each.with_paths_of(clocks[each.clock]) if each.clock in clocks else each
    missing = [clock.name for clock in design.boundary.clocks if clock.name not in clocks]
    if missing:
        raise UllnicError(f"no path between registers of {missing[0]}", "see its group in domains.py")
    order = tuple(clocks[clock.name] for clock in design.boundary.clocks)
    return Result(design.top, design.name, grade, resources, order, crossings)


def fastest(design: Design, directory: Path, share: Share, grade: int) -> tuple[int, list[ClockResult]]:
    """The mapping of a share whose worst clock has the most margin: its crossings, and its clocks."""
    tries = []
    for name in mappings(design.boundary, share):
        analysis = Analysis(Netlist.read(directory / f"{name}.json"), design.boundary, share.group)
        found = analysis.crossings()
        check_ports(design.boundary, share.group, found)
        tries.append((len(found), clock_results(analysis, design.boundary, share, grade)))
    return max(tries, key=lambda each: min(result.margin for result in each[1]))


def clock_results(analysis: Analysis, boundary: Boundary, share: Share, grade: int) -> list[ClockResult]:
    """Results of each clock that governs paths of this share."""
    names = boundary.clocks_of(share.group)
    fmax: dict[str, dict[str, float]] = {name: {} for name in names}
    for model in NET_MODELS:  # the loose model last: its paths are shown
        timings = analysis.times(model, grade)
        for name, timing in timings.items():
            fmax[name][model.name] = round(timing.fmax_mhz, 1)
    results = []
    for name in names:
        if name not in timings:
            continue
        kinds = {kind: round(1e6 / ps, 1) for kind, ps in analysis.worst_by_kind(timings[name]).items()}
        paths = tuple(analysis.worst_paths(timings[name], MOST_PATHS))
        needed = boundary.clock(name).mhz
        results.append(ClockResult(name, needed, analysis.most_levels(name), fmax[name], kinds, paths))
    return results


def check_ports(boundary: Boundary, group: str, crossings: list[tuple[str, str, bool]]) -> None:
    """Each port gets a register of its own clock; if another clock's logic leads to it, that clock is wrong."""
    wrong = [f"{source or 'a register'} -> {end}" for source, end, at_port in crossings if at_port]
    if wrong:
        raise UllnicError(
            f"{boundary.core}: at a port, paths of another clock end in clocks of '{group}': {'; '.join(wrong[:3])}",
            "correct the port's clock in python/ullnic/synth/domains.py, or synchronise the signal in the RTL",
        )


def analysis_key() -> str:
    files = sorted(path for path in Path(__file__).parent.glob("*.py") if not NOT_ANALYSIS.fullmatch(path.stem))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def result_from(data: dict) -> Result:
    clocks = []
    for clock in data["clocks"]:
        paths = tuple(
            TimingPath(**(path | {"steps": tuple(Step(**step) for step in path["steps"])})) for path in clock["paths"]
        )
        clocks.append(ClockResult(**(clock | {"paths": paths})))
    return Result(**(data | {"resources": Resources(**data["resources"]), "clocks": tuple(clocks)}))
