#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Cases that have to print the same on the kernel's sockets and on the card's.

A case is a Python file with `program()` and `peer()`, which start at the same time. It runs twice: once with both on
the kernel, on two addresses of the loopback interface; once with the program under `exasock` on the card that is
modelled in C. The peer always has the kernel's sockets. What each part prints, and its exit code, must not differ
between the two runs. case_part.py has the names that a case uses.

    python host/tests/sockets/side_by_side.py CASE.py ...     # builds first, without ULLNIC_HOST_BUILD

Exit code 0: no case differs."""

import difflib
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from bench import CARD, HERE, PEER, Bench, Job, Namespace

PART = HERE / "case_part.py"
PARTS = ("program", "peer")
PATIENCE_S = 90
MOST_STDERR = 2000
AT_ONCE = 6  # cases mostly wait
# Until ARP has an answer, the peer's kernel holds back a few datagrams only. ECONNREFUSED says that it has.
KNOCK = f"""say("ready")
link = socket.socket(type=socket.SOCK_DGRAM)
link.connect(("{CARD}", 9))
link.send(b"x")
try: link.recv(1)
except ConnectionRefusedError: pass
"""


@dataclass
class Run:
    """What a case did: output, exit code and stderr of each part."""

    said: dict[str, str]
    err: dict[str, str]


def collect(name: str, job: Job) -> tuple[str, str]:
    try:
        job.finish(None, PATIENCE_S)
        return f"{job.out}exit code {job.process.returncode}\n", job.err
    except AssertionError as error:
        return f"{job.out}{name}: {error}\n", job.err


def run_parts(program: Job, peer: Job) -> Run:
    jobs = dict(zip(PARTS, (program, peer), strict=True))
    for job in jobs.values():
        line = job.read_line()
        assert line == "ready", f"{line}\n{job.process.stderr.read()}"
    for job in jobs.values():
        job.tell()
    results = {name: collect(name, job) for name, job in jobs.items()}
    return Run({name: said for name, (said, _) in results.items()}, {name: err for name, (_, err) in results.items()})


def argv_of(case: Path, part: str) -> list[str]:
    return [sys.executable, str(PART), str(case), part, CARD, PEER]


def run_on_kernel(case: Path) -> Run:
    network = Namespace()
    try:
        network.shell(f"ip addr add {CARD}/24 dev lo && ip addr add {PEER}/24 dev lo")
        return run_parts(*(network.start(argv_of(case, part)) for part in PARTS))
    finally:
        network.close()


def run_on_card(case: Path, folder: Path, build: Path) -> Run:
    bench = Bench(folder, build)
    try:
        bench.peer(KNOCK).finish()
        run = run_parts(bench.command(argv_of(case, "program")), bench.start(argv_of(case, "peer")))
        assert bench.daemon.process.poll() is None, f"ullnicd has ended\n{bench.daemon.process.stderr.read()}"
        return run
    finally:
        bench.close()


def difference(case: Path, folder: Path, build: Path) -> str:
    """Runs a case twice. Returns what differs, empty if nothing does."""
    with ThreadPoolExecutor(1) as other:
        waiting = other.submit(run_on_kernel, case)
        card = run_on_card(case, folder, build)
        kernel = waiting.result()
    silent = all(said.count("\n") < 2 for said in kernel.said.values())
    assert not silent, f"{case}: prints nothing on the kernel\n{kernel.said}\n" + "\n".join(kernel.err.values())
    lines = []
    for part in PARTS:
        texts = kernel.said[part].splitlines(), card.said[part].splitlines()
        lines += difflib.unified_diff(*texts, f"{part}, kernel", f"{part}, card", n=1, lineterm="")
    if lines:
        errors = [(part, where, run.err[part]) for where, run in (("kernel", kernel), ("card", card)) for part in PARTS]
        lines += [f"{part}, {where}, stderr:\n{text[-MOST_STDERR:]}" for part, where, text in errors if text]
    return "\n".join(lines)


def differences(cases: list[Path], build: Path) -> dict[str, str]:
    """Cases that differ, and how."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(AT_ONCE) as pool:
        waiting = [pool.submit(difference, case, Path(folder) / str(n), build) for n, case in enumerate(cases)]
        results = [(case.name, future.result()) for case, future in zip(cases, waiting, strict=True)]
    return {name: text for name, text in results if text}


def main(names: list[str]) -> int:
    if not names or names[0].startswith("-"):
        print(__doc__)
        return 0 if names else 2
    if (folder := os.environ.get("ULLNIC_HOST_BUILD")) is None:
        from ullnic.build import build_host

        folder = build_host()
    cases = [Path(name).resolve(strict=True) for name in names]
    differ = differences(cases, Path(folder))
    for case in cases:
        print(f"{case.name}: {'differs' if case.name in differ else 'equal'}\n{differ.get(case.name, '')}".rstrip())
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
