# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Every fuzz target for a while, its corpus first: each fault that was ever found is an input of it. A long run of
each, with a fixed seed, when anything that it is made of has changed (deep); a short one of a target that the run's
seed draws. Inputs are counted, not seconds: how fast the machine is does not matter."""

import random
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from ullnic.deep import deep
from ullnic.fuzz.running import run
from ullnic.fuzz.targets import TARGETS, command
from ullnic.paths import ROOT

# Inputs of a short run: about five seconds of an idle machine. A long one has six times as many.
SHORT_RUNS = {"wire": 1000, "control": 1000, "completion": 6000, "vfio": 1500, "captures": 30000}
LONG = 6
LIMIT_S = 900  # of a run
# Edges of what is tried that some run must reach: a target that stays at the door would pass unseen. Chance lets few
# seeds need more than one run for this.
MOST_RUNS = 8
LEAST_EDGES = {"wire": 1400, "control": 1100, "completion": 200, "vfio": 1700, "captures": 150}
# What they are made of, beside what all have in common.
HOST = ("host/CMakeLists.txt", "host/fuzz", "host/include", "host/libullnic", "host/sockets", "host/tests/sockets")
MADE_OF = {
    **dict.fromkeys(("wire", "control", "completion"), HOST),
    "vfio": ("sim/CMakeLists.txt", "sim/cmake", "sim/fuzz", "sim/src/port", "sim/src/qdma", "sim/src/vfio"),
    "captures": ("python/ullnic/captures", "requirements-fuzz.lock"),
}
COMMON = ("tests/fuzz/corpus", "tests/fuzz/records.c", "tests/fuzz/records.h", "tests/fuzz/sanitize.cmake")


def no_pages(*places: str) -> list[Path]:
    """Their files, but for pages."""
    files = [
        file for place in places for file in ((ROOT / place).rglob("*") if (ROOT / place).is_dir() else [ROOT / place])
    ]
    return [file for file in files if file.is_file() and file.suffix != ".md"]


def deep_target(name: str):
    places = (*MADE_OF[name], *COMMON, "python/ullnic/fuzz")
    return pytest.param(name, marks=deep(__file__, partial(no_pages, *places)))


def holds(name: str, runs: int, seed: int, grown: Path) -> None:
    """Each run begins with what the one before has found."""
    target = TARGETS[name]
    call = command(target, progress=False)
    for number in range(MOST_RUNS):
        outcome = run(target, call, LIMIT_S, seed + number, grown, most_runs=runs)
        assert not outcome.fault, f"{outcome.fault}; repeat it with: {outcome.repeat}"
        assert outcome.progress.runs >= runs, f"too slow: {outcome.progress} in {LIMIT_S} s"
        if outcome.progress.edges >= LEAST_EDGES[name]:
            return
    raise AssertionError(f"after {MOST_RUNS} runs: {outcome.progress}")


@pytest.mark.slow
@pytest.mark.timeout(1800)  # the first one builds
def test_holds(seed, tmp_path):
    name = random.Random(seed).choice(list(TARGETS))
    print(f"drawn: {name}")
    holds(name, SHORT_RUNS[name], seed, tmp_path / "grown")


EACH = [deep_target(name) for name in TARGETS]


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", EACH)
def test_holds_for_long(name, tmp_path):
    holds(name, LONG * SHORT_RUNS[name], 1, tmp_path / "grown")


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", EACH)
def test_an_input_makes_the_same_run_each_time(name):
    """Edges and how often each was passed, in two processes."""
    target = TARGETS[name]
    argv, env = command(target, progress=False)
    target.folder.mkdir(parents=True, exist_ok=True)
    clean = [path for path in sorted(target.corpus.iterdir()) if not path.name.startswith("fault_")]
    found = []
    for _ in range(2):
        engine = [*argv, "-runs=0", "-shuffle=0", "-seed=1", f"-max_len={target.longest_bytes}"]
        files = f"-seed_inputs={','.join(map(str, clean))}"
        done = subprocess.run([*engine, files], cwd=target.folder, env=env, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr[-3000:]
        found.append(re.findall(r"INITED.*cov: (\d+) ft: (\d+)", done.stderr))
    assert found[0] and found[0] == found[1]


@pytest.mark.parametrize("script, folders", [("host/fuzz", 3), ("sim/fuzz", 1), ("tests/fuzz", 1)])
def test_the_corpus_is_what_its_script_writes(script, folders):
    corpus = ROOT / script / "corpus"
    before = {path: path.read_bytes() for path in corpus.glob("*/*")}
    assert len({path.parent for path in before}) == folders and len(before) >= 15 * folders
    subprocess.run([sys.executable, ROOT / script / "seeds.py"], check=True)
    assert {path: path.read_bytes() for path in corpus.glob("*/*")} == before
    assert max(map(len, before.values())) <= 4096, "a small corpus"
