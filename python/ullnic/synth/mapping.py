# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Maps RTL to netlists: one for the resources, and one for the timing of each group of clocks (or of each clock in it).
Kept in build/synth under a key of everything that they depend on.
"""

import hashlib
import json
import shutil
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.locks import file_lock
from ullnic.paths import BUILD, module_command
from ullnic.progress import log_tail, run_logged
from ullnic.synth.domains import Boundary, Share
from ullnic.synth.mapper_cells import LUTRAMS, NAMED_LUT6, NET_PS, library
from ullnic.synth.netlist import READ_ONLY, top_module
from ullnic.synth.worker import STEP
from ullnic.synth.wrap import drop_unused_inputs, isolate, wrap

DIRECTORY = BUILD / "synth"
RTL = "rtl"  # where the files are copied to
BARE = "bare"  # the netlist of the core alone
KEPT = 3  # the newest mappings of a design
# A change of one of these files changes the netlists.
SOURCES = ("delays", "mapper_cells", "mapping", "netlist", "worker", "wrap")
# Scripts that abc tries. Its script flow3 tries three ways and keeps one mapping, not always the fastest by these
# delays; TRIES are those three separately.
FLOW3 = "-copy abc9.script.flow3 abc9.script"
_TRY = '-set abc9.script "+&scorr; &sweep; &if {{W}} {{D}}; &st; {}; &if {{W}} {{D}} {{R}} -v; &mfs"'
TRIES = {
    "syn2": _TRY.format("&syn2"),
    "dch": _TRY.format("&if -g -K 6; &dch -f"),
    "synch2": _TRY.format("&if -g -K 6; &synch2"),
}
# With ULLNIC_LUT6 the RTL instantiates this cell in some multiplexers (cores/common/rtl/mux4.sv).
LUT6 = "(* blackbox *) module LUT6 #(parameter [63:0] INIT = 0) (output O, input I0, I1, I2, I3, I4, I5); endmodule\n"

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Design:
    """What is mapped: a top module with its parameters."""

    name: str  # of the configuration
    top: str
    files: tuple[Path, ...]
    parameters: tuple[tuple[str, int], ...]
    boundary: Boundary

    def key(self) -> str:
        """Changes with everything that the netlists depend on."""
        text = hashlib.sha256()
        for path in self.files:
            text.update(path.name.encode() + path.read_bytes())
        sources = [Path(__file__).with_name(f"{name}.py").read_bytes() for name in SOURCES]
        text.update(repr((self.top, self.parameters, self.boundary, metadata.version("pyosys"), sources)).encode())
        return text.hexdigest()[:16]


class Mapper:
    """Runs yosys, at most `jobs` processes at once; its methods may be called from several threads."""

    def __init__(self, jobs: int, directory: Path = DIRECTORY):
        self.free = threading.BoundedSemaphore(jobs)
        self.stopped = False
        self.directory = directory

    def stop(self) -> None:
        """Starts nothing more; running processes end by themselves."""
        self.stopped = True

    def map(self, design: Design, progress: Progress = lambda step: None) -> Path:
        """The directory with the netlists: bare.json and one for each share of the clocks."""
        parent = self.directory / design.top / design.name
        with file_lock(parent.with_suffix(".lock"), f"synthesis of {design.name}"):
            directory = parent / design.key()
            if not (directory / "done").exists():
                shutil.rmtree(directory, ignore_errors=True)
                directory.mkdir(parents=True)
                self._map(design, directory, progress)
                (directory / "done").touch()
                prune(parent)
        return directory

    def _map(self, design: Design, directory: Path, progress: Progress) -> None:
        prepared = directory / "prepared.json"
        (directory / "library.v").write_text(library())
        copy_rtl(design, directory)
        (directory / RTL / "lut6.sv").write_text(LUT6)
        self._prepare(design, directory, prepared, progress)
        runs = [(None, BARE, FLOW3)]
        for share in design.boundary.shares():
            runs += [(share, *each) for each in mappings(design.boundary, share).items()]
        with ThreadPoolExecutor(len(runs)) as pool:
            runs = [pool.submit(self._map_one, design, directory, prepared, *run, progress) for run in runs]
        for run in runs:
            run.result()

    def _prepare(self, design: Design, directory: Path, prepared: Path, progress: Progress) -> None:
        self.yosys(directory, "prepare", prepare_script(design), progress)
        whole = json.loads(prepared.read_text())
        drop_unused_inputs(top_module(whole, str(prepared)))
        prepared.write_text(json.dumps(whole))

    def _map_one(
        self,
        design: Design,
        directory: Path,
        prepared: Path,
        share: Share | None,
        name: str,
        tries: str,
        progress: Progress,
    ) -> None:
        """Maps to a netlist of this name. No share: the core alone."""
        source = prepared
        if share:
            source = directory / f"{name}.unmapped.json"
            whole = json.loads(prepared.read_text())
            module = top_module(whole, str(prepared))
            wrap(module, design.boundary)
            isolate(module, share.captures, design.boundary.beside(share))
            source.write_text(json.dumps({"creator": "ullnic", "modules": {design.top: module}}))
        self.yosys(directory, f"map {name}", map_script(design, source.name, name, tries), progress)
        if source != prepared:
            source.unlink()

    def yosys(self, directory: Path, label: str, script: list[str], progress: Progress) -> None:
        path = directory / f"{label.replace(' ', '-')}.ys"
        path.write_text("\n".join(script) + "\n")

        def step(line: str) -> None:
            if line.startswith(STEP):
                progress(line.removeprefix(STEP))

        self.run(f"synthesis ({label})", "worker", [str(path)], path.with_suffix(".log"), step)

    def run(
        self,
        what: str,
        module: str,
        arguments: list[str],
        log: Path,
        describe: Callable[[str], None] = lambda line: None,
        env: dict[str, str] | None = None,
    ) -> None:
        """Runs a module of this package in a separate process, when one of the job slots is free."""
        argv = module_command(f"{__package__}.{module}", *arguments)
        with self.free:
            if self.stopped:
                raise UllnicError("stopped")
            code = run_logged(what, argv, log, describe=describe, show=False, env=env)
        if code != 0:
            raise UllnicError(f"{what} failed:\n{_fault(log)}", f"see the whole log, {log}")


def mappings(boundary: Boundary, share: Share) -> dict[str, str]:
    """The netlists of a share, by name, with abc's scripts. A clock that is mapped alone has several netlists, and the
    fastest counts.
    """
    alone = {f"{share.name}-{name}": tries for name, tries in TRIES.items()} if share.group in boundary.apart else {}
    return {share.name: FLOW3} | alone


def copy_rtl(design: Design, directory: Path) -> None:
    (directory / RTL).mkdir()
    for path in design.files:
        shutil.copy(path, directory / RTL)


# File names in scripts are relative to the mapping's directory: yosys does not accept every character of a path.
def prepare_script(design: Design) -> list[str]:
    """Elaborates the RTL and synthesises it up to technology mapping."""
    return [
        *read_script(design, f"-D ULLNIC_LUT6 {RTL}/lut6.sv"),
        f"step {design.name}: synthesising",
        f"{_synth(design)} -run begin:map_luts",
        *write_script(design, "prepared.json"),
    ]


def read_script(design: Design, more: str = "") -> list[str]:
    """Elaborates the RTL."""
    generics = " ".join(f"-G {name}={value}" for name, value in design.parameters)
    files = " ".join(f"{RTL}/{path.name}" for path in design.files)
    return [
        f"step {design.name}: elaborating",
        f"read_slang --threads 1 -Wnone --top {design.top} {generics} {more} {files}",
    ]


def map_script(design: Design, source: str, name: str, tries: str) -> list[str]:
    """Maps the result of prepare_script to LUTs."""
    return [
        f"step {design.name}: mapping {name}",
        f"read_json {source}",
        "read_verilog -lib -specify library.v",
        f"{_synth(design)} -run begin:prepare",
        "read_verilog -lib -specify -overwrite library.v",
        "opt_clean",
        f"chtype -set {NAMED_LUT6} t:LUT6",
        "scratchpad -set abc9.verify false",  # two thirds of the run time where there are wide exclusive ors
        f"scratchpad -set synth_xilinx.abc9.W {NET_PS}",
        f"scratchpad {tries}",
        f"{_synth(design)} -run map_luts:check",
        f"chtype -set LUT6 t:{NAMED_LUT6}",
        *(f"chtype -set {kind} t:{READ_ONLY}{kind}" for kind in LUTRAMS),
        "opt_lut_ins -tech xilinx",
        *write_script(design, f"{name}.json"),
    ]


def _synth(design: Design) -> str:
    return f"synth_xilinx -family xcup -top {design.top} -flatten -noiopad -noclkbuf -nosrl"


def write_script(design: Design, name: str) -> list[str]:
    return [f"select {design.top}", f"write_json -selected {name}", "select -clear"]


def _fault(log: Path) -> str:
    lines = log_tail(log, 2000).splitlines()
    faults = [line for line in lines if "error:" in line.lower()]
    return "\n".join(faults[:10] or lines[-10:])


def prune(parent: Path) -> None:
    """Keeps the newest mappings of a design only."""
    old = sorted((path for path in parent.iterdir() if path.is_dir()), key=lambda path: -path.stat().st_mtime)
    for path in old[KEPT:]:
        shutil.rmtree(path, ignore_errors=True)
