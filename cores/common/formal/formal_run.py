# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Runs formal proofs with yosys and its SAT solver, and shows that each of them can fail.

A proof is a SystemVerilog module that contains the proved modules, free inputs, and immediate assumptions and
assertions. It must hold without bound: by induction over time, from the initial values. Its assertions are the claim,
and invariants that make the claim inductive; the parameter INVARIANTS disables the latter.

A proof of a module with several clocks sets `clocks`. There each cycle is a step in which each clock input, itself
free, says whether it has an edge: any order and any ratio of edges, also simultaneous. A register that changes in every
step has a clock that is constantly 1.

A mutation is one change of an RTL source that makes the claim false: there yosys must find a run from reset that breaks
the claim itself.

Everything is generated below build/formal (ullnic_places.py), in a directory for each proof and each mutation. There
yosys_run.py of this folder repeats it (`.venv/bin/python .../yosys_run.py run.ys`), and counterexample.vcd shows the
failure.
"""

import hashlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path

import pytest

from ullnic_places import BUILD, CORES

PROOFS = BUILD / "formal"
YOSYS = (sys.executable, "-I", "-B", str(Path(__file__).resolve().with_name("yosys_run.py")), "run.ys")
TIMEOUT_S = 800  # of one run; most proofs take seconds

# yosys's own Verilog reader does not accept our packages; its slang reader does. -j 1: the tests run in parallel.
# Undefined values are arbitrary: they must not help a proof.
SCRIPT = """\
read_slang -j 1 --unroll-limit 100000 {parameters} {files} --top {top}
hierarchy -check -top {top}
{clocks}proc
flatten
setundef -undriven -anyseq
prep -top {top}
chformal -lower
async2sync
opt -full
setundef -anyseq
stat
sat -tempinduct {mode} -set-assumes -prove-asserts -show-public -dump_vcd counterexample.vcd
"""
# Each register loads its input in the steps in which its clock is 1. Undriven signals become free inputs first, before
# any pass can choose a value for them.
CLOCKS = """\
setundef -undriven -anyseq
setundef -anyseq
proc
flatten
memory_collect
memory_map
dffunmap
techmap -map clocks.v
select -assert-none t:$dff t:$adff t:$dlatch t:$aldff t:$dffsr t:$mem_v2
"""
CLOCKS_V = """\
(* techmap_celltype = "$dff" *)
module register(CLK, D, Q);
  parameter WIDTH = 1;
  parameter CLK_POLARITY = 1;
  input CLK;
  input [WIDTH-1:0] D;
  output [WIDTH-1:0] Q;
  wire _TECHMAP_FAIL_ = !CLK_POLARITY;
  \\$ff #(.WIDTH(WIDTH)) step (.D(CLK ? D : Q), .Q(Q));
endmodule
"""
STRING_OR_COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
TOOLS = ("pyosys",)  # Python packages; the reader of SystemVerilog is part of yosys'
PROVED = "Induction step proven: SUCCESS!"
BROKEN = "model found for base case: FAIL!"


@dataclass(frozen=True)
class Mutation:
    """Replaces `old`, which the source must contain exactly once, with `new`; detected within `depth` cycles.

    `calm` sets the parameter CALM of the proof's module, which restricts its inputs so that a deep search is cheap.
    """

    name: str
    source: str
    old: str
    new: str
    depth: int
    calm: bool = False

    @property
    def anchor(self) -> tuple[Path, str]:
        return CORES / self.source, self.old


@dataclass(frozen=True)
class Proof:
    """`sources` are relative to the folder of the cores, packages first; the last one is the proof's own module."""

    sources: tuple[str, ...]
    depth: int = 2  # of the induction, at most
    mutations: tuple[Mutation, ...] = ()
    parameters: dict[str, int] = field(default_factory=dict)
    clocks: bool = False  # each clock input says in which steps it has an edge

    @property
    def top(self) -> str:
        return Path(self.sources[-1]).stem

    @property
    def name(self) -> str:
        return "-".join([self.top, *(f"{name}={value}" for name, value in self.parameters.items())])


def cases(*proofs: Proof) -> list:
    """Arguments for a test: each proof, and each of its mutations. Their results are kept by digest."""
    return [
        pytest.param(
            proof,
            mutation,
            id=f"{proof.name}-{mutation.name}" if mutation else proof.name,
            marks=pytest.mark.deep(digest=partial(digest, proof, mutation)),
        )
        for proof in proofs
        for mutation in (None, *proof.mutations)
    ]


def digest(proof: Proof, mutation: Mutation | None) -> str:
    """Changes with all inputs of yosys but for comments and layout of sources, and with yosys."""
    files = _files(proof, mutation)
    meant = [(name, _meaning(text) if name.endswith(".sv") else text) for name, text in sorted(files.items())]
    given = [*meant, *((name, version(name)) for name in TOOLS)]
    return hashlib.sha256(repr(given).encode()).hexdigest()[:32]


def check(proof: Proof, mutation: Mutation | None) -> None:
    """The proof holds; with a mutation, its claim fails."""
    directory = PROOFS / (f"{proof.name}-{mutation.name}" if mutation else proof.name)
    try:
        _write(directory, proof, mutation)
    except ValueError as error:
        pytest.fail(str(error), pytrace=False)
    log = directory / "yosys.log"
    with open(log, "w") as output:
        try:
            code = subprocess.run(
                YOSYS,
                cwd=directory,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=TIMEOUT_S,
            ).returncode
        except subprocess.TimeoutExpired:
            pytest.fail(f"yosys did not end within {TIMEOUT_S} s; the log so far: {log}", pytrace=False)
    text = log.read_text(errors="replace")
    problem = None
    if code != 0:
        problem = f"yosys stopped with exit code {code}"
    elif mutation is None and PROVED not in text:
        problem = f"the proof {proof.name} does not hold"
    elif mutation and BROKEN not in text:
        problem = f"the proof {proof.name} does not see the mutation {mutation.name} in {mutation.depth} cycles"
    if problem:
        pytest.fail("\n".join([problem, *text.splitlines()[-40:], f"the whole log: {log}"]), pytrace=False)


def _write(directory: Path, proof: Proof, mutation: Mutation | None) -> None:
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    for name, text in _files(proof, mutation).items():
        (directory / name).write_text(text)


def _files(proof: Proof, mutation: Mutation | None) -> dict[str, str]:
    """Names and texts of all inputs of yosys."""
    files = {}
    for source in proof.sources:
        text = _text(CORES / source)
        if mutation and mutation.source == source:
            if text.count(mutation.old) != 1:
                raise ValueError(
                    f"mutation {mutation.name} needs exactly one {mutation.old!r} in {source}, which has "
                    f"{text.count(mutation.old)}: adapt the mutation to the changed source"
                )
            text = text.replace(mutation.old, mutation.new)
        files[Path(source).name] = text
    parameters = dict(proof.parameters)
    mode = f"-maxsteps {proof.depth}"
    if mutation:
        parameters["INVARIANTS"] = 0
        if mutation.calm:
            parameters["CALM"] = 1
        mode = f"-tempinduct-baseonly -maxsteps {mutation.depth}"
    if proof.clocks:
        files["clocks.v"] = CLOCKS_V
    files["run.ys"] = SCRIPT.format(
        parameters=" ".join(f"-G {name}={value}" for name, value in parameters.items()),
        files=" ".join(Path(source).name for source in proof.sources),
        top=proof.top,
        mode=mode,
        clocks=CLOCKS if proof.clocks else "",
    )
    return files


@cache
def _meaning(text: str) -> str:
    """SystemVerilog without comments, with single spaces."""
    return " ".join(STRING_OR_COMMENT.sub(lambda match: match[1] or " ", text).split())


@cache
def _text(path: Path) -> str:
    return path.read_text()
