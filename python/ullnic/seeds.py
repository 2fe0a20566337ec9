# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic test --seeds`: the random tests once for each of many seeds."""

import random
import re
import shlex
import shutil
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.paths import BUILD, ROOT
from ullnic.progress import log_tail, run_logged
from ullnic.pytest_seed import LOG, ONLY

NOTHING_COLLECTED = 5  # pytest's exit code
RAN = (0, 1)  # pytest's exit codes with tests that have run
SEEDS = 1 << 32


def run_seeds(count: int, argv: list[str], env: dict[str, str]) -> int:
    """Runs pytest for each seed, after the first one only the tests that drew or failed there. Prints how to repeat a
    failure.

    The first seed is ULLNIC_SEED, or new; the others follow it.
    """
    first = int(env.get("ULLNIC_SEED") or random.SystemRandom().getrandbits(32)) % SEEDS
    print(f"{count} seeds from {first} on (repeat with ULLNIC_SEED={first})", flush=True)
    folder = BUILD / "seeds" / str(first)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    tests, runs, failed = set(), 0, 0
    for number in range(count):
        seed = (first + number) % SEEDS
        results = run_seed(seed, f"seed {number + 1} of {count}", argv, env, folder)
        tests = tests or {test for test, (passed, has_drawn) in results.items() if has_drawn or not passed}
        if not tests:
            raise UllnicError("none of these tests draws", "look at -k and the paths given, and leave -s out")
        if number == 0:
            (folder / "tests").write_text("\n".join(sorted(tests)))
            env = env | {ONLY: str(folder / "tests")}
        ran = {test: passed for test, (passed, _) in results.items() if test in tests}
        runs += len(ran)
        for test in (bad := [test for test, passed in ran.items() if not passed]):
            print(f"FAILED {test}\n  ULLNIC_SEED={seed} ./ullnic test -- {shlex.quote(test)}", flush=True)
        failed += len(bad)
        if not bad:
            (folder / f"{seed}.log").unlink()
    if not failed:
        shutil.rmtree(folder)
    outcome = f"{failed} failed: what they said is in {folder.relative_to(ROOT)}" if failed else "none failed"
    print(f"{len(tests)} random tests, {count} seeds from {first} on, {runs} runs, {outcome}")
    return 1 if failed else 0


def run_seed(seed: int, label: str, argv: list[str], env: dict[str, str], folder: Path) -> dict[str, tuple[bool, bool]]:
    """For each test that ran: whether it passed and whether it drew."""
    log, results = folder / f"{seed}.log", folder / f"{seed}.tsv"
    env = env | {"ULLNIC_SEED": str(seed), LOG: str(results)}
    code = run_logged(label, argv, log, describe=progress, cwd=ROOT, env=env)
    if code == NOTHING_COLLECTED:
        raise UllnicError("no random test matches, so nothing was tested", "look at -k, --fast and the paths given")
    if code not in RAN or not results.exists():
        raise UllnicError(f"pytest ended with {code}:\n{log_tail(log, 20)}", f"the whole log: {log}")
    found = {}
    for line in results.read_text().splitlines():
        outcome, drawn, test = line.split("\t", 2)
        passed, has_drawn = found.get(test, (True, False))
        found[test] = (passed and outcome != "failed", has_drawn or drawn == "1")
    return found


def progress(line: str) -> str | None:
    percent = re.search(r"\[ *(\d+)%\]", line)
    count = re.fullmatch(r"=+ (.* in [\d.]+s.*?) =+", line)
    return f"{percent[1]} %" if percent else count and count[1]
