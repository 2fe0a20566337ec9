# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Public suites of packetdrill scripts against the engine: adapted, run with packetdrill itself, and counted.

The suites are tests of one kernel, so they also compare implementation choices. `adapted` leaves those out; nothing
else in a script changes.
"""

import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ullnic.packetdrill.flags import ENGINES

OUTBOUND = re.compile(r"\s*[+*]?[\d.~+*]*\s*>\s+(?P<flags>\S+)")
OTHER_KERNEL = "#ifdef FreeBSD"
IPV6 = "--ip_version=ipv6"
SCRIPT_S = 300  # of wall time
KERNEL_TOLERANCE_US = 75_000  # a kernel runs in wall time, on a machine that may be busy
KERNEL = "Linux"


def adapted(text: str) -> str:
    """A script without implementation choices.

    It leaves out commands in backticks (they set up a kernel), the window of sent packets, the options of the SYN, the
    size of the receive buffer, and what is between #ifdef FreeBSD and #endif.
    """
    lines, skipping = [], False
    for line in re.sub(r"`[^`]*`", "`true`", text).splitlines():
        if line.startswith("#"):
            skipping = line.strip() == OTHER_KERNEL
            continue
        if skipping or ("SO_RCVBUF" in line and "getsockopt" in line):
            continue
        if match := OUTBOUND.match(line):
            line = re.sub(r"\s+win\s+\d+", "", line, count=1)
            if "S" in match["flags"]:
                line = re.sub(r"<[^<>]*>", "<...>", line)
        lines.append(line)
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Suite:
    """IPv4 scripts below a folder, by group: the group is the subfolder that they are in."""

    folder: Path

    @cached_property
    def scripts(self) -> dict[Path, str]:
        """The group of each script."""
        found = [path for path in sorted(self.folder.rglob("*.pkt")) if IPV6 not in path.read_text(errors="replace")]
        return {path: path.relative_to(self.folder).parts[0] for path in found}


def with_library(program: str, library: Path, engine: str) -> Callable[[Path], list[str]]:
    return lambda script: [program, f"--so_filename={library}", f"--so_flags=engine={engine}", script.name]


def with_kernel(program: str) -> Callable[[Path], list[str]]:
    """The command for this machine's kernel, in a network namespace of each script: for root only."""
    tolerance = f"--tolerance_usecs={KERNEL_TOLERANCE_US}"
    run = f'ip link set lo up && exec "{program}" {tolerance} "$0"'
    return lambda script: ["unshare", "-n", "sh", "-c", run, script.name]


def passing(suite: Suite, argv: Callable[[Path], list[str]], workers: int) -> set[Path]:
    """The scripts that pass."""

    def passes(path: Path) -> bool:
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / path.name
            script.write_text(adapted(path.read_text(errors="replace")))
            try:
                done = subprocess.run(argv(script), cwd=folder, capture_output=True, timeout=SCRIPT_S)
            except subprocess.TimeoutExpired:
                return False
            return done.returncode == 0

    with ThreadPoolExecutor(workers) as pool:
        return {path for path, passed in zip(suite.scripts, pool.map(passes, suite.scripts), strict=True) if passed}


def table(suite: Suite, passed: dict[str, set[Path]]) -> list[str]:
    """A Markdown table: a row for each group, a column for each of `passed`, and what the kernel passes and the full
    engine does not.
    """
    groups = suite.scripts
    columns = {name: Counter(groups[path] for path in paths) for name, paths in passed.items()}
    if KERNEL in passed:
        columns[f"{KERNEL}, not {ENGINES[0]}"] = Counter(groups[path] for path in passed[KERNEL] - passed[ENGINES[0]])
    totals = Counter(groups.values())
    lines = [f"| group | scripts | {' | '.join(columns)} |", f"| --- |{' ---: |' * (1 + len(columns))}"]
    for group in (*sorted(totals), None):
        counts = [totals, *columns.values()]
        cells = [str(count[group] if group else sum(count.values())) for count in counts]
        lines.append(f"| {group or 'all'} | {' | '.join(cells)} |")
    return lines
