# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a fuzz target on libFuzzer, and reports the outcome."""

import os
import re
import shlex
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ullnic.fuzz.targets import Target

LONGEST_RUN_S, MOST_MEMORY_MB = 20, 2048  # of one input
LONGEST_WAIT_S = 10 * LONGEST_RUN_S  # that it may take alone, however busy the machine is
GRACE_S = 120  # grace time at the end of a run
UNLIMITED = -1  # runs; libFuzzer's own word for it
STATUS = re.compile(r"#(\d+)\s+\w+ +cov: (\d+) ft: (\d+)")
INPUT = re.compile(r"Test unit written to (\S+)")
FAULT = re.compile(
    r"==\d+==\s*ERROR: (?!libFuzzer: deadly signal)(.*)|ERROR: (?!libFuzzer)(.*)|(.*runtime error: .*)"
    r"|ullnicd: (lwIP: .*)|^((?:\w+\.)*\w*(?:[Ee]rror|Exception): .*)"
)
LIBFUZZER_FAULT = re.compile(r"==\d+==\s*ERROR: (libFuzzer: .*)")
TIMEOUT = "libFuzzer: timeout"


@dataclass(frozen=True)
class Progress:
    """`edges`: those of the tested code seen so far; `features`: edges with how often each was passed."""

    runs: int = 0
    edges: int = 0
    features: int = 0


@dataclass(frozen=True)
class Outcome:
    """`fault`: "" if nothing was found. `repeat`: the command that repeats it with the failing input."""

    progress: Progress
    fault: str = ""
    repeat: str = ""


def options(target: Target, seconds: float, runs: int, seed: int) -> list[str]:
    # libFuzzer takes 0 as "not given", and counts in 32 bits.
    return [
        f"-max_total_time={max(1, round(seconds))}",
        f"-runs={runs}",
        f"-seed={seed % (2**32 - 1) + 1}",
        f"-max_len={target.longest_bytes}",
        f"-timeout={LONGEST_RUN_S}",
        f"-rss_limit_mb={MOST_MEMORY_MB}",
        "-print_final_stats=1",
        f"-artifact_prefix={target.folder / 'findings'}/",
    ]


def fault_of(lines: list[str]) -> str:
    """The first line that names a fault."""
    for pattern in (FAULT, LIBFUZZER_FAULT):
        for line in lines:
            if match := pattern.search(line):
                return next(group for group in match.groups() if group).strip()
    return ""


def run(
    target: Target,
    call: tuple[list[str], dict[str, str]],
    seconds: float,
    seed: int,
    grown: Path,
    report: Callable[[Progress], None] = lambda progress: None,
    most_runs: int = UNLIMITED,
) -> Outcome:
    """Runs every input of the corpus, then new ones until the time is over, or so many inputs have run.

    New inputs that reach more are kept in `grown`. An input that was slow because the machine was busy is no fault: the
    run continues with the remaining time.
    """
    start_s = time.monotonic()
    outcome, found = run_once(target, call, seconds, most_runs, seed, grown, report)
    left_s = seconds - (time.monotonic() - start_s)
    if not outcome.fault.startswith(TIMEOUT) or found is None or is_slow(call, found):
        return outcome
    Path(found).unlink()
    runs = outcome.progress.runs
    if left_s < 1 or runs == most_runs:
        return Outcome(outcome.progress)
    rest = run(
        target, call, left_s, seed + 1, grown, lambda progress: report(replace(progress, runs=runs + progress.runs)),
        most_runs if most_runs == UNLIMITED else most_runs - runs,
    )  # fmt: skip
    return replace(rest, progress=replace(rest.progress, runs=runs + rest.progress.runs))


def is_slow(call: tuple[list[str], dict[str, str]], found: str) -> bool:
    """Whether an input does not end, takes too much processor time, or fails, when it runs alone.

    libFuzzer's own limit is wall time.
    """
    argv, env = call
    process = subprocess.Popen(
        [*argv, f"-timeout={LONGEST_WAIT_S}", found], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    timer = threading.Timer(LONGEST_WAIT_S + GRACE_S, process.kill)
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode != 0 or usage.ru_utime + usage.ru_stime > LONGEST_RUN_S


def run_once(
    target: Target,
    call: tuple[list[str], dict[str, str]],
    seconds: float,
    most_runs: int,
    seed: int,
    grown: Path,
    report: Callable[[Progress], None],
) -> tuple[Outcome, str | None]:
    """Runs until the end or a fault; returns the failing input if there is one."""
    argv, env = call
    findings = target.folder / "findings"
    for folder in (findings, grown):
        folder.mkdir(parents=True, exist_ok=True)
    engine = [*argv, *options(target, seconds, most_runs, seed), str(grown), str(target.corpus)]
    progress, tail, found = Progress(), [], None
    with (target.folder / "log").open("w", errors="replace") as log:
        print(f"$ {shlex.join(engine)}", file=log)
        process = subprocess.Popen(
            engine, cwd=target.folder, env=env, text=True, errors="replace", stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        timer = threading.Timer(seconds + GRACE_S, process.kill)
        timer.start()
        try:
            for line in process.stderr:
                log.write(line)
                if match := STATUS.match(line):
                    progress = Progress(*map(int, match.groups()))
                    report(progress)
                elif match := INPUT.search(line):
                    found = match[1]
                else:
                    tail = [*tail[-2000:], line.rstrip()]
            code = process.wait()
        finally:
            timer.cancel()
            process.kill()
            process.wait()
    if code == 0:
        done = next((re.search(r"Done (\d+) runs", line) for line in reversed(tail) if "Done " in line), None)
        return Outcome(replace(progress, runs=int(done[1])) if done else progress), None
    fault = fault_of(tail) or f"ended with {code}; its words: {target.folder / 'log'}"
    variable = f"PYTHONPATH={env['PYTHONPATH']} " if not target.part else ""
    repeat = variable + shlex.join([*argv, found]) if found else shlex.join(engine)
    return Outcome(progress, fault, repeat), found
