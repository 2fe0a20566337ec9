# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Measures points through Snakemake: on this machine, or on the machines of a Slurm or Kubernetes cluster."""

import json
import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from ullnic import apt, extras
from ullnic.errors import UllnicError
from ullnic.locks import file_lock
from ullnic.paths import BUILD, ROOT
from ullnic.points.point import Point
from ullnic.progress import log_tail, run_logged
from ullnic.report.remaining import Remaining
from ullnic.toolchain import which

EXECUTORS = ("local", "slurm", "kubernetes")
SNAKEFILE = Path(__file__).with_name("Snakefile")
DIRECTORY = BUILD / "report" / "snakemake"
LOG = DIRECTORY / "snakemake.log"
LOGS = DIRECTORY / "logs"  # one for each point
WORK = DIRECTORY / "work"  # Snakemake's own, recreated for each run: the points' files show what is done
LATENCY_S = {"local": 5, "slurm": 120, "kubernetes": 120}  # until a file written by another machine is visible
TAIL_LINES = 15
# A command that the executor calls, and where it comes from.
NEEDS = {
    "slurm": ("sbatch", "call this on a machine that submits jobs to Slurm, with sbatch on PATH"),
    "kubernetes": ("rsync", apt.install_line(["rsync"])),
}


def run_points(
    points: Sequence[Point],
    executor: str,
    jobs: int,
    extra: Sequence[str] = (),
    progress: bool = True,
    build: Sequence[str] = (),
) -> None:
    """Measures the points that have no result yet, at most `jobs` of them at once.

    `extra`: options of Snakemake's own. `build`: arguments of ./ullnic that build what the points need, run as a job
    before all others. Raises an error if a point fails; the others are measured nonetheless.
    """
    check_executor(executor)
    bin_dir = extras.ensure("cluster")
    with file_lock(BUILD / "report" / "snakemake.lock", "report with Snakemake"):
        missing = [point for point in points if point.result() is None]
        if not missing:
            return
        _prepare(missing, build)
        argv = _command(bin_dir, executor, jobs, extra)
        env = {"XDG_CACHE_HOME": str(WORK / "cache"), "XDG_DATA_HOME": str(WORK / "data")}
        describe = Progress(missing, jobs)
        label = f"measuring with Snakemake ({executor})"
        code = run_logged(label, argv, LOG, describe=describe, show=progress, env=env)
        failed = [point for point in missing if point.result() is None]
        if code or failed:
            raise _failure(executor, missing, failed)


def check_executor(executor: str) -> None:
    if executor not in EXECUTORS:
        raise UllnicError(f"there is no executor '{executor}'", f"name one of {', '.join(EXECUTORS)}")
    if executor in NEEDS and not which(NEEDS[executor][0]):
        command, remedy = NEEDS[executor]
        raise UllnicError(f"the executor {executor} calls '{command}', which is not there", remedy)


def _prepare(points: Sequence[Point], build: Sequence[str]) -> None:
    """Creates the folder that Snakemake runs in. Nothing of an earlier run remains: no lock, no partial job, no log."""
    shutil.rmtree(DIRECTORY, ignore_errors=True)
    WORK.mkdir(parents=True)
    shutil.copy(SNAKEFILE, WORK / "Snakefile")
    for point in points:
        point.path.unlink(missing_ok=True)  # present, but damaged
        log_of(point).parent.mkdir(parents=True, exist_ok=True)
    config = {
        "build": shell_line(build) if build else "",
        "build_log": str(LOGS / "build.log"),
        "points": [
            {
                "id": f"{point.name}.{point.key}",
                "command": shell_line(point.argv()),
                "result": shlex.quote(str(point.path)),
                "log": str(log_of(point)),
                "cost_s": point.cost_s,
            }
            for point in points
        ],
    }
    LOGS.mkdir(exist_ok=True)
    (WORK / "points.json").write_text(json.dumps(config, indent=1) + "\n")


def log_of(point: Point) -> Path:
    return LOGS / f"{point.name}.log"


def shell_line(argv: Sequence[str]) -> str:
    """Calls ./ullnic with our own settings, which a cluster does not pass on by itself."""
    settings = [f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("ULLNIC_")]
    return shlex.join([*(["env", *settings] if settings else []), str(ROOT / "ullnic"), *argv])


def _command(bin_dir: Path, executor: str, jobs: int, extra: Sequence[str]) -> list[str]:
    argv = [str(bin_dir / "snakemake"), "--snakefile", str(WORK / "Snakefile"), "--directory", str(WORK)]
    argv += ["--configfile", str(WORK / "points.json"), "--executor", executor]
    argv += ["--cores" if executor == "local" else "--jobs", str(jobs), "--keep-going"]
    argv += ["--latency-wait", str(LATENCY_S[executor]), "--scheduler", "greedy", "--nocolor"]
    if executor == "kubernetes":
        argv += ["--default-storage-provider", "fs", "--default-storage-prefix", str(WORK / "storage")]
    if "--profile" not in extra:
        argv += ["--profile", "none"]  # not the user's, which may have been set for other work
    return [*argv, *extra]


class Progress:
    """ "3 of 12 points, about 40 s left" for a line in which Snakemake reports that a job ended or that jobs start."""

    def __init__(self, points: Sequence[Point], jobs: int):
        self.count, self.left = len(points), list(points)
        self.remaining = Remaining(points, jobs)

    def __call__(self, line: str) -> str | None:
        if not line.startswith(("Select jobs to execute", "Finished jobid")):
            return None
        for point in [point for point in self.left if point.path.exists()]:
            self.left.remove(point)
            self.remaining.done(point, point.took_s() or point.cost_s)
        return f"{self.count - len(self.left)} of {self.count} points, {self.remaining.text()}"


def _failure(executor: str, points: Sequence[Point], failed: Sequence[Point]) -> UllnicError:
    """Names the point that failed; if none had started, Snakemake's message."""
    build_log = LOGS / "build.log"
    began = [point for point in failed if log_of(point).exists()]
    if began:
        point = began[0]
        return UllnicError(
            f"{len(failed)} of {len(points)} points failed; the first is {point.name}, whose log ends with:\n"
            f"{log_tail(log_of(point), TAIL_LINES)}",
            f"try it alone: {point.command}; its log: {log_of(point)}; Snakemake's: {LOG}; the results of the other "
            "points are kept",
        )
    if failed and build_log.exists() and not (WORK / "built").exists():
        return UllnicError(
            f"the build for the points failed; its log ends with:\n{log_tail(build_log, TAIL_LINES)}",
            f"see the whole log, {build_log}",
        )
    return UllnicError(
        f"Snakemake failed ({executor}); its log ends with:\n{log_tail(LOG, TAIL_LINES)}",
        f"see the whole log, {LOG}, and docs/cluster.md for what a cluster must offer",
    )
